//! `nearprint methods`: what a paper says of a run, from its summary.

use crate::flags::heading::OUTPUT;
use crate::flags::likeness::percentage;
use crate::show::figures::{count, count_of, percent};
use crate::usage::print;
use anyhow::{Context, bail};
use clap::ValueEnum;
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Print what a paper needs about a run: a sentence, a table, and the entries to cite
///
/// The sentence has the version, the recipe with its id, all settings, the recall, and what was removed. The table has
/// the figures. The BibTeX entries are those of nearprint, and of the paper whose system it implements.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Summary of a run, as `nearprint dedup --summary FILE` writes it
    #[arg(value_name = "SUMMARY")]
    summary: PathBuf,
    /// How it is printed
    #[arg(long, value_enum, default_value = "markdown", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text with a table of Markdown
    Markdown,
    /// Text with a tabular of LaTeX (booktabs)
    Latex,
}

const EXAMPLES: &str = "Examples:
  nearprint dedup corpus.jsonl -o kept.jsonl --summary run.json
  nearprint methods run.json
  nearprint methods run.json --format latex";

/// What is cited: nearprint as CITATION.cff has it, and the paper that it names.
const ENTRIES: &str = "@software{nearprint,
  author = {{the nearprint developers}},
  title = {nearprint},
  version = {VERSION},
  url = {https://github.com/nearprint/nearprint}
}

@inproceedings{manku2007detecting,
  author = {Manku, Gurmeet Singh and Jain, Arvind and Das Sarma, Anish},
  title = {Detecting near-duplicates for web crawling},
  booktitle = {Proceedings of the 16th International Conference on World Wide Web (WWW 2007)},
  publisher = {ACM},
  year = {2007},
  pages = {141--150},
  doi = {10.1145/1242572.1242592}
}
";

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
    recipe: String,
    recipe_id: String,
    width: u32,
    k: u32,
    verify: String,
    cluster_rule: String,
    keep: String,
    method: Method,
}

/// How pairs were found.
#[derive(Deserialize)]
struct Method {
    name: String,
    similarity: Option<f64>,
    measure: Option<String>,
    recall_at_similarity: Option<f64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let path = args.summary.display();
    let text = std::fs::read_to_string(&args.summary).with_context(|| path.to_string())?;
    print(&text_of(&text, args.format).with_context(|| path.to_string())?)
}

/// What a paper says of the run with this summary.
pub(crate) fn text_of(summary: &str, format: Format) -> anyhow::Result<String> {
    match serde_json::from_str(summary) {
        Ok(run) => Ok(told(&run, format)),
        Err(error) => {
            bail!("not the summary of a run ({error}); `nearprint dedup --summary FILE` writes one")
        }
    }
}

/// The sentence, the table and the entries.
fn told(run: &Run, format: Format) -> String {
    let (sentence, entries) = (sentence(run), ENTRIES.replace("VERSION", &run.version));
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
        reference => format!(", also of {} of another set", count_of(reference, "document")),
    };
    format!(
        "With nearprint {} (recipe {}, id {}, {} bits) we removed {} of {} ({}): {} and {}{against}, where two \
         documents are near-duplicates if {}; {}, and {}.",
        run.version,
        run.recipe,
        run.recipe_id,
        run.width,
        count(run.removed),
        count_of(documents, "document"),
        percent(run.removed, documents),
        count_of(run.exact, "exact duplicate"),
        count_of(run.removed - run.exact, "near-duplicate"),
        criterion(run),
        found(run),
        stays(run)
    )
}

/// What makes two documents near-duplicates.
fn criterion(run: &Run) -> String {
    match (run.method.similarity, run.method.name.as_str()) {
        (_, "bytes") => "their texts are equal byte for byte".to_owned(),
        (Some(similarity), _) => {
            let measure = match run.method.measure.as_deref() {
                Some("cosine") => "the cosine of their feature weights",
                Some("weighted-jaccard") => "the weighted Jaccard similarity of their features",
                _ => "the Jaccard similarity of their features",
            };
            format!("{measure} is at least {similarity}")
        }
        (None, _) => {
            let checked = match run.verify.as_str() {
                "none" => String::new(),
                rule => format!(" and pass {rule}"),
            };
            format!("their SimHash fingerprints differ in at most {} bits{checked}", run.k)
        }
    }
}

/// How many of the pairs were found.
fn found(run: &Run) -> String {
    match run.method.recall_at_similarity.zip(run.method.similarity) {
        Some((recall, similarity)) if recall < 1.0 => format!(
            "{} the pairs at exactly {similarity} are found, each compared exactly",
            percentage(recall)
        ),
        Some(_) => "all such pairs are found, each compared exactly".to_owned(),
        None => "all such pairs are found".to_owned(),
    }
}

/// Which document of a cluster stays.
fn stays(run: &Run) -> String {
    let kept = match run.keep.as_str() {
        "none" => return "no document of a group was kept".to_owned(),
        keep if keep.contains(':') => format!("the document of {keep}"),
        keep => format!("the {keep} document"),
    };
    match run.cluster_rule.as_str() {
        "star" => {
            format!("{kept} of each group was kept, of which every other is a near-duplicate")
        }
        _ => format!("{kept} of each group was kept, where pairs connect the documents of a group"),
    }
}

/// The rows of the table.
fn rows(run: &Run) -> [(&'static str, String); 6] {
    let documents = run.kept + run.removed;
    let share = |of: u64| format!("{} ({})", count(of), percent(of, documents));
    [
        ("Documents read", count(documents)),
        ("Exact duplicates removed", share(run.exact)),
        ("Near-duplicates removed", share(run.removed - run.exact)),
        ("Documents kept", share(run.kept)),
        ("Groups of duplicates", count(run.clusters)),
        ("Documents in the largest group", count(run.largest_cluster)),
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

/// Text without what LaTeX takes for more than text.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' | '&' | '#' | '_' | '$' | '{' | '}' => out.extend(['\\', character]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            other => out.push(other),
        }
    }
    out
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
            recipe: "my_text".to_owned(),
            recipe_id: "ab12".to_owned(),
            width: 128,
            k: 3,
            verify: "none".to_owned(),
            cluster_rule: "star".to_owned(),
            keep: "central".to_owned(),
            method: Method {
                name: name.to_owned(),
                similarity,
                measure: None,
                recall_at_similarity: recall,
            },
        }
    }

    #[test]
    fn a_sentence_says_by_what_documents_were_removed() {
        for (run, said) in [
            (run("bands", Some(0.8), Some(0.999)), "99.9 % of the pairs at exactly 0.8 are found"),
            (
                run("exact", Some(0.8), Some(1.0)),
                "is at least 0.8; all such pairs are found, each compared",
            ),
            (
                run("radius", None, None),
                "differ in at most 3 bits; all such pairs are found, and the central document of each",
            ),
            (run("bytes", None, None), "their texts are equal byte for byte"),
            (
                Run { keep: "none".to_owned(), ..run("bytes", None, None) },
                "no document of a group was kept",
            ),
            (
                Run { reference: 7, ..run("bytes", None, None) },
                "also of 7 documents of another set",
            ),
        ] {
            let sentence = sentence(&run);
            assert!(sentence.contains(said), "{sentence}");
            let begins = "With nearprint 1.2.3 (recipe my_text, id ab12, 128 bits) we removed 17 of 66 documents \
                          (25.8 %): 5 exact duplicates and 12 near-duplicates";
            assert!(sentence.starts_with(begins) && sentence.ends_with('.'), "{sentence}");
        }
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
            assert!(ENTRIES.contains(&value(key)), "{key} {}", value(key));
        }
        for name in ["Manku", "Jain", "Das Sarma", "the nearprint developers"] {
            assert!(citation.contains(name) && ENTRIES.contains(name), "{name}");
        }
    }
}
