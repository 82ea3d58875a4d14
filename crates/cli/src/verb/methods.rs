//! `nearprint methods`: what a paper says of a run, from its summary.

mod contamination;
mod form;

use crate::flags::heading::OUTPUT;
use crate::flags::likeness::portion;
use crate::show::figures::{count, count_of, percent};
use crate::usage::{print, refuse_missing};
use anyhow::{Context, bail};
use form::{ENTRIES, escaped, recipe_said};
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::PathBuf;

pub(crate) use form::Format;

/// Print what a paper needs about a run: a sentence, a table, and the entries to cite
///
/// The sentence has the version, the recipe with its id, all settings, the recall, and what was removed. The table has
/// the figures. The BibTeX entries are those of nearprint, and of the paper whose system it implements.
///
/// Of `decontaminate` and `contamination` the table has a row for each eval set, for a model card. Behind it are the
/// eval files with their checksums, and the command.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Summary of a run, which `--summary FILE` of its verb writes
    #[arg(value_name = "SUMMARY")]
    summary: PathBuf,
    /// How it is printed
    #[arg(long, value_enum, default_value = "markdown", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

const EXAMPLES: &str = "Examples:
  nearprint dedup corpus.jsonl -o kept.jsonl --summary run.json
  nearprint methods run.json
  nearprint methods run.json --format latex
  nearprint contamination evals/ --in corpus.jsonl -o items.jsonl --summary card.json
  nearprint methods card.json";

/// What is told of a run.
#[derive(Deserialize)]
struct Run {
    version: String,
    kept: u64,
    removed: u64,
    exact: u64,
    reference: u64,
    clusters: u64,
    largest_cluster: u64,
    crowded: u64,
    recipe: String,
    recipe_id: String,
    width: u32,
    k: u32,
    verify: String,
    cluster_rule: String,
    keep: String,
    method: Method,
    #[serde(default)]
    text_field: Option<String>,
    #[serde(default)]
    within: Option<String>,
    #[serde(default)]
    across: Option<String>,
    #[serde(default)]
    count_by: Option<String>,
    #[serde(default)]
    rehydrate: Option<String>,
    #[serde(default)]
    annotate: bool,
    #[serde(default)]
    target: Option<String>,
    #[serde(default)]
    target_met: Option<String>,
}

/// What only the summary of another verb has, and the verb.
const OTHERS: [(&str, &str); 4] = [
    ("forms", "decontaminate --self-test"),
    ("cut_documents", "passages"),
    ("largest_leak", "split"),
    ("steps", "clean"),
];

/// How pairs were found.
#[derive(Deserialize)]
struct Method {
    name: String,
    similarity: Option<f64>,
    recall_at_similarity: Option<f64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let path = args.summary.display();
    refuse_missing(&args.summary)?;
    let text = std::fs::read_to_string(&args.summary).with_context(|| path.to_string())?;
    print(&text_of(&text, args.format).with_context(|| path.to_string())?)
}

/// What a paper says of the run with this summary.
pub(crate) fn text_of(summary: &str, format: Format) -> anyhow::Result<String> {
    let other = || {
        let json: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(summary).ok()?;
        let (_, verb) = OTHERS.into_iter().find(|(field, _)| json.contains_key(*field))?;
        Some(verb)
    };
    if let Ok(run) = serde_json::from_str(summary) {
        return Ok(contamination::told(&run, format));
    }
    match (serde_json::from_str(summary), other()) {
        (Ok(run), _) => Ok(told(&run, format)),
        (Err(_), Some(verb)) => {
            let way = match verb {
                "clean" => ", also as a step: --dedup='--summary FILE'",
                _ => "",
            };
            bail!(
                "this is a summary of {verb}; give one that dedup, decide, shard, decontaminate or contamination \
                 wrote{way}"
            )
        }
        (Err(_), None) => {
            bail!("not the summary of a run; `nearprint dedup --summary FILE` writes one")
        }
    }
}

/// The sentence, the table and the entries.
fn told(run: &Run, format: Format) -> String {
    let (sentence, entries) = (sentence(run), ENTRIES.join("\n").replace("VERSION", &run.version));
    match format {
        Format::Markdown => format!("{sentence}\n\n{}\n{entries}", markdown(run)),
        Format::Latex => format!(
            "{}~\\cite{{nearprint,manku2007detecting}}.\n\n{}\n{entries}",
            escaped(sentence.trim_end_matches('.')),
            latex(run)
        ),
    }
}

/// What was done, with all that repeats it.
fn sentence(run: &Run) -> String {
    let documents = run.kept + run.removed;
    let against = match run.reference {
        0 => String::new(),
        reference => format!(
            ", also removing near-duplicates of {} of another set",
            count_of(reference, "document")
        ),
    };
    let (removed, without) = match run.annotate {
        true => ("marked", " without removing them"),
        false => ("removed", ""),
    };
    let (recipe, id) = (recipe_said(&run.recipe), &run.recipe_id);
    // Of pages the recipe says which part is compared.
    let (by, are) = match run.compares_bytes() {
        true => (format!("texts by {recipe}, id {id}"), "duplicates"),
        false => (format!("{recipe}, id {id}, {} bits", run.width), "near-duplicates"),
    };
    format!(
        "With nearprint {} ({by}) we {removed} {} of {} ({}){without}: {} and {}{against}, where two documents are {are} if {}; \
         {}, and {}.{}",
        run.version,
        count(run.removed),
        count_of(documents, "document"),
        percent(run.removed, documents),
        count_of(run.exact, "exact duplicate"),
        count_of(run.removed - run.exact, "near-duplicate"),
        criterion(run),
        found(run),
        stays(run),
        settings(run)
    )
}

impl Run {
    /// Whether nothing is fingerprinted.
    fn compares_bytes(&self) -> bool {
        self.method.name == "bytes"
    }
}

/// A sentence for each setting that most runs do without.
fn settings(run: &Run) -> String {
    let mut said = String::new();
    let mut say = |sentence: String| {
        said.push(' ');
        said += &sentence;
    };
    if let Some(field) = &run.text_field {
        say(match field.split(',').map(str::trim).collect::<Vec<_>>().as_slice() {
            [several @ .., last] if !several.is_empty() => {
                format!(
                    "The text of a document is that of its fields {} and {last}.",
                    several.join(", ")
                )
            }
            _ => format!("The text of a document is in its field {field}."),
        });
    }
    if let Some(field) = &run.within {
        say(format!("Only documents with the same value of {field} were compared."));
    }
    if let Some(field) = &run.across {
        say(format!("Only documents with different values of {field} were compared."));
    }
    if let Some(target) = &run.target {
        say(match run.target_met.as_deref() {
            Some("next-leaves-more") => format!(
                "The similarity leaves at most {target}, and a little higher one leaves more."
            ),
            Some("more-is-left") => {
                format!("At most {target} were to be left; this similarity leaves more.")
            }
            Some("less-is-left") => format!(
                "At most {target} were to be left; the similarity 1, which removes only equal documents, leaves less."
            ),
            _ => format!("The similarity is the highest that leaves at most {target}."),
        });
    }
    if let Some(field) = &run.count_by {
        say(format!("Each kept document has the number of its copies for each value of {field}."));
    }
    if let Some(rule) = &run.rehydrate {
        let (is_weight, function) = match rule.strip_prefix("weight:") {
            Some(function) => (true, function),
            None => (false, rule.as_str()),
        };
        let number = match function {
            "all" => "the number of its copies, itself included".to_owned(),
            "sqrt" => "the square root of the number of its copies, itself included".to_owned(),
            "log" => {
                "one more than the binary logarithm of the number of its copies, itself included"
                    .to_owned()
            }
            most => format!("the number of its copies, itself included, and at most {most}"),
        };
        say(match is_weight {
            true => format!("Each kept document has a weight: {number}."),
            false => format!("Each kept document was written several times: {number}."),
        });
    }
    said
}

/// What makes two documents near-duplicates.
fn criterion(run: &Run) -> String {
    let checked = run.verify.split_once('=').map(|(rule, least)| {
        let measure = match rule {
            "cosine" => "the cosine of their feature weights",
            "weighted-jaccard" => "the weighted Jaccard similarity of their features",
            "containment" => "the share of the features of the one with fewer that the other has",
            _ => "the Jaccard similarity of their features",
        };
        format!("{measure} is at least {least}")
    });
    let within = || format!("their SimHash fingerprints differ in at most {} bits", run.k);
    match (run.method.name.as_str(), checked) {
        ("bytes", _) => "their texts are equal byte for byte".to_owned(),
        (_, None) => within(),
        // A radius that was asked for decides too.
        ("radius", Some(checked)) if run.method.similarity.is_none() => {
            format!("{} and {checked}", within())
        }
        (_, Some(checked)) => checked,
    }
}

/// How many of the pairs were found, and whether they were compared.
fn found(run: &Run) -> String {
    let compared = if run.verify == "none" { "" } else { ", each compared exactly" };
    match run.method.recall_at_similarity.zip(run.method.similarity) {
        Some((recall, similarity)) if recall < 1.0 => {
            format!("{} the pairs at exactly {similarity} are found{compared}", portion(recall))
        }
        Some(_) => format!("all such pairs are found{compared}"),
        None if run.method.name == "bands" => {
            format!("pairs are found by bands of sketches{compared}")
        }
        None => "all such pairs are found".to_owned(),
    }
}

/// Which document of a cluster stays.
fn stays(run: &Run) -> String {
    let kept = match run.keep.as_str() {
        "none" => return "no document of a group was kept".to_owned(),
        "central" if run.compares_bytes() => "one document".to_owned(),
        // Of a document with more a sample is counted.
        "central" if run.crowded > 0 && run.largest_cluster > 500 => {
            "the document with the most near-duplicates, many hundreds of which are estimated"
                .to_owned()
        }
        "central" => "the document with the most near-duplicates".to_owned(),
        keep if keep.contains(':') => by_fields(keep),
        keep => format!("the {keep} document"),
    };
    match run.cluster_rule.as_str() {
        "star" => {
            let other = if run.compares_bytes() { "equal to" } else { "a near-duplicate of" };
            format!("of each group we kept {kept}; every other is {other} it")
        }
        _ => format!("of each group we kept {kept}, where pairs connect the documents of a group"),
    }
}

/// The document that a rule of fields prefers, such as `date:max,rating:min`.
fn by_fields(keep: &str) -> String {
    let worth = |rule: &str| match rule.trim().rsplit_once(':') {
        Some((field, "min")) => format!("the lowest {field}"),
        Some((field, _)) => format!("the highest {field}"),
        None => rule.to_owned(),
    };
    let rules: Vec<_> = keep.split(',').map(worth).collect();
    format!("the document with {}", rules.join(", and among equals "))
}

/// The rows of the table.
fn rows(run: &Run) -> [(&'static str, String); 6] {
    let documents = run.kept + run.removed;
    let share = |of: u64| format!("{} ({})", count(of), percent(of, documents));
    [
        ("Documents read", count(documents)),
        (
            if run.annotate { "Exact duplicates marked" } else { "Exact duplicates removed" },
            share(run.exact),
        ),
        (
            if run.annotate { "Near-duplicates marked" } else { "Near-duplicates removed" },
            share(run.removed - run.exact),
        ),
        (if run.annotate { "Other documents" } else { "Documents kept" }, share(run.kept)),
        ("Groups of duplicates", count(run.clusters)),
        (
            match run.reference {
                0 => "Documents in the largest group",
                _ => "Documents in the largest group, with those of the other set",
            },
            count(run.largest_cluster),
        ),
    ]
}

fn markdown(run: &Run) -> String {
    let mut table = "| | documents |\n|---|---:|\n".to_owned();
    for (name, value) in rows(run) {
        // Writing to a string cannot fail.
        let _written = writeln!(table, "| {name} | {value} |");
    }
    table
}

fn latex(run: &Run) -> String {
    let mut table = "\\begin{tabular}{lr}\n\\toprule\n".to_owned();
    for (name, value) in rows(run) {
        // Writing to a string cannot fail.
        let _written = writeln!(table, "{name} & {} \\\\", escaped(&value));
    }
    table + "\\bottomrule\n\\end{tabular}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, similarity: Option<f64>, recall: Option<f64>) -> Run {
        Run {
            version: "1.2.3".to_owned(),
            kept: 49,
            removed: 17,
            exact: 5,
            reference: 0,
            clusters: 13,
            largest_cluster: 4,
            crowded: 0,
            recipe: "my_text".to_owned(),
            recipe_id: "ab12".to_owned(),
            width: 128,
            k: 3,
            verify: similarity.map_or("none".to_owned(), |least| format!("jaccard={least}")),
            cluster_rule: "star".to_owned(),
            keep: "central".to_owned(),
            method: Method { name: name.to_owned(), similarity, recall_at_similarity: recall },
            text_field: None,
            within: None,
            across: None,
            count_by: None,
            rehydrate: None,
            annotate: false,
            target: None,
            target_met: None,
        }
    }

    #[test]
    fn a_sentence_says_by_what_documents_were_removed() {
        for (run, said) in [
            (
                run("bands", Some(0.8), Some(0.9991)),
                "99.91 % of the pairs at exactly 0.8 are found",
            ),
            (
                run("exact", Some(0.8), Some(1.0)),
                "is at least 0.8; all such pairs are found, each compared",
            ),
            (
                run("radius", None, None),
                "differ in at most 3 bits; all such pairs are found, and of each group we kept the document with the most",
            ),
            (
                Run { crowded: 900, largest_cluster: 900, ..run("exact", Some(0.8), Some(1.0)) },
                "the document with the most near-duplicates, many hundreds of which are estimated; every other is",
            ),
            (
                run("bytes", None, None),
                "two documents are duplicates if their texts are equal byte for byte; all such pairs are found, and of each \
                 group we kept one document; every other is equal to it.",
            ),
            (
                Run { keep: "none".to_owned(), ..run("bytes", None, None) },
                "no document of a group was kept",
            ),
            (
                Run { reference: 7, ..run("bytes", None, None) },
                "also removing near-duplicates of 7 documents of another set, where",
            ),
        ] {
            let sentence = sentence(&run);
            assert!(sentence.contains(said), "{sentence}");
            let by = match run.method.name.as_str() {
                "bytes" => "texts by recipe my_text, id ab12",
                _ => "recipe my_text, id ab12, 128 bits",
            };
            let begins = format!(
                "With nearprint 1.2.3 ({by}) we removed 17 of 66 documents (25.8 %): 5 exact duplicates and 12 near-duplicates"
            );
            assert!(sentence.starts_with(&begins) && sentence.ends_with('.'), "{sentence}");
        }
    }

    #[test]
    fn every_setting_that_changes_the_result_is_in_the_text() {
        let text = || "x".to_owned();
        for (run, said) in [
            (
                Run { verify: "containment=0.9".to_owned(), ..run("exact", None, None) },
                "if the share of the features of the one with fewer that the other has is at least 0.9; all such pairs",
            ),
            (
                Run { verify: "jaccard=0.7".to_owned(), ..run("radius", None, None) },
                "at most 3 bits and the Jaccard similarity of their features is at least 0.7",
            ),
            (
                Run { verify: "cosine=0.7".to_owned(), ..run("bands", None, None) },
                "cosine of their feature weights is at least 0.7; pairs are found by bands of sketches",
            ),
            (
                Run { verify: "none".to_owned(), ..run("radius", Some(0.8), Some(0.95)) },
                "at most 3 bits; 95.0 % of the pairs at exactly 0.8 are found, and of each",
            ),
            (
                Run { within: Some(text()), ..run("bytes", None, None) },
                "the same value of x were compared.",
            ),
            (
                Run { across: Some(text()), ..run("bytes", None, None) },
                "different values of x were",
            ),
            (
                Run { count_by: Some(text()), ..run("bytes", None, None) },
                "its copies for each value of x.",
            ),
            (
                Run { rehydrate: Some("3".to_owned()), ..run("bytes", None, None) },
                "written several times: the number of its copies, itself included, and at most 3.",
            ),
            (
                Run { rehydrate: Some("weight:sqrt".to_owned()), ..run("bytes", None, None) },
                "has a weight: the square root of the number",
            ),
            (
                Run { text_field: Some("title, text".to_owned()), ..run("bytes", None, None) },
                "The text of a document is that of its fields title and text.",
            ),
            (
                Run {
                    target: Some("30 % of the documents".to_owned()),
                    ..run("bytes", None, None)
                },
                "is the highest that leaves at most 30 % of the documents.",
            ),
            (
                Run { keep: "score:max,date:min".to_owned(), ..run("bytes", None, None) },
                "we kept the document with the highest score, and among equals the lowest date; every",
            ),
        ] {
            let sentence = sentence(&run);
            assert!(sentence.contains(said), "{sentence}");
        }
        for (met, said) in [
            (None, " The similarity is the highest that leaves at most 30 % of the documents."),
            (
                Some("yes"),
                " The similarity is the highest that leaves at most 30 % of the documents.",
            ),
            (
                Some("next-leaves-more"),
                "leaves at most 30 % of the documents, and a little higher one leaves more.",
            ),
            (
                Some("more-is-left"),
                " At most 30 % of the documents were to be left; this similarity leaves more.",
            ),
            (
                Some("less-is-left"),
                "the similarity 1, which removes only equal documents, leaves less.",
            ),
        ] {
            let target = Some("30 % of the documents".to_owned());
            let target_met = met.map(str::to_owned);
            let run = Run { target, target_met, ..run("bands", Some(0.8), Some(0.9)) };
            let sentence = sentence(&run);
            assert!(sentence.ends_with(said), "{sentence}");
        }
        let marked = Run { annotate: true, ..run("bytes", None, None) };
        assert!(
            sentence(&marked)
                .contains("we marked 17 of 66 documents (25.8 %) without removing them:")
        );
        assert!(markdown(&marked).contains("| Near-duplicates marked | 12"));
    }

    #[test]
    fn a_recipe_without_a_name_is_told_as_such() {
        let unnamed = Run { recipe: "unnamed".to_owned(), ..run("bands", Some(0.8), Some(0.9)) };
        let sentence = sentence(&unnamed);
        assert!(sentence.contains("(a recipe without a name, id ab12, 128 bits)"), "{sentence}");
    }

    #[test]
    fn the_summary_of_another_verb_is_named() {
        for (verb, summary, way) in [
            ("passages", r#"{"cut_documents":1}"#, ""),
            ("split", r#"{"clusters":1,"largest_leak":null}"#, ""),
            ("clean", r#"{"steps":[]}"#, ", also as a step: --dedup='--summary FILE'"),
        ] {
            let refused = text_of(summary, Format::Markdown).unwrap_err().to_string();
            let said = format!(
                "this is a summary of {verb}; give one that dedup, decide, shard, decontaminate or contamination \
                 wrote{way}"
            );
            assert_eq!(refused, said);
        }
    }

    #[test]
    fn a_group_may_have_documents_of_the_other_set() {
        let [alone, beside] = [0, 7].map(|reference| Run { reference, ..run("bytes", None, None) });
        assert!(markdown(&alone).ends_with("| Documents in the largest group | 4 |\n"));
        assert!(markdown(&beside).ends_with("largest group, with those of the other set | 4 |\n"));
    }

    #[test]
    fn latex_has_no_marks_of_its_own_in_text() {
        let told = told(&run("bands", Some(0.8), Some(0.999)), Format::Latex);
        let (text, entries) = told.split_once("@software").unwrap();
        assert!(text.contains("recipe my\\_text") && text.contains("(25.8 \\%)"), "{text}");
        assert!(text.contains("~\\cite{nearprint,manku2007detecting}.\n"), "{text}");
        assert!(!text.replace("\\%", "").contains('%'), "{text}");
        assert!(entries.contains("version = {1.2.3}"), "{entries}");
    }

    #[test]
    fn what_is_cited_is_what_the_citation_file_says() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CITATION.cff");
        let citation = std::fs::read_to_string(root).unwrap();
        let value = |key: &str| {
            let line = citation.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap();
            line.trim().trim_matches('"').to_owned()
        };
        for key in ["repository-code:", "doi:", "year:", "start:", "end:", "collection-title:"] {
            let entries = ENTRIES.concat();
            assert!(entries.contains(&value(key)), "{key} {}", value(key));
        }
        for name in ["Manku", "Jain", "Das Sarma", "the nearprint developers"] {
            assert!(citation.contains(name) && ENTRIES.concat().contains(name), "{name}");
        }
    }
}
