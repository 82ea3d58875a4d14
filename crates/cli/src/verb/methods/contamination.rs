//! What a paper or a model card says of a search for items of eval sets.

use crate::show::figures::{count, count_of, percent};
use crate::verb::methods::form::{ENTRIES, Format, escaped, recipe_said};
use serde::Deserialize;
use std::fmt::Write as _;

/// What is told of a run of `decontaminate` or `contamination`.
#[derive(Deserialize)]
pub(super) struct Run {
    version: String,
    documents: u64,
    contaminated_documents: u64,
    items: u64,
    sets: Vec<Set>,
    eval_versions: Vec<EvalFile>,
    recipe: String,
    recipe_id: String,
    share: f64,
    bits: f64,
    short: String,
    common_text: String,
    #[serde(default)]
    command: Vec<String>,
}

/// Items of a set by what was found of them.
#[derive(Deserialize)]
struct Set {
    eval: String,
    items: u64,
    contaminated: u64,
    common: u64,
    eval_file: u64,
    partial: u64,
    context: u64,
    undecidable: u64,
    clean: u64,
}

/// A file of a set, as it was.
#[derive(Deserialize)]
struct EvalFile {
    file: String,
    bytes: u64,
    xxh3: String,
}

/// A column of numbers behind the names of sets.
struct Column {
    name: &'static str,
    of: fn(&Set) -> u64,
    /// Whether it is there where it has only zeros.
    always: bool,
}

const COLUMNS: [Column; 7] = [
    Column { name: "items", of: |set| set.items, always: true },
    Column { name: "contaminated", of: |set| set.contaminated, always: true },
    Column { name: "common", of: |set| set.common, always: false },
    Column { name: "in the eval file", of: |set| set.eval_file, always: false },
    Column { name: "in part", of: |set| set.partial, always: true },
    Column { name: "by context", of: |set| set.context, always: true },
    Column { name: "undecidable", of: |set| set.undecidable, always: true },
];

/// The names of the columns behind those of sets, and the cells of each set.
fn table(sets: &[Set]) -> (Vec<&'static str>, impl Iterator<Item = (&Set, Vec<String>)>) {
    let is_shown = |column: &&Column| column.always || sets.iter().any(|set| (column.of)(set) > 0);
    let columns: Vec<_> = COLUMNS.iter().filter(is_shown).collect();
    let names = columns.iter().map(|column| column.name).chain(["clean"]).collect();
    let rows = sets.iter().map(move |set| {
        let clean = format!("{} ({})", count(set.clean), percent(set.clean, set.items));
        (set, columns.iter().map(|column| count((column.of)(set))).chain([clean]).collect())
    });
    (names, rows)
}

/// The sentence, the table, the files of the sets, the command, and the entry to cite.
pub(super) fn told(run: &Run, format: Format) -> String {
    let entry = ENTRIES[0].replace("VERSION", &run.version);
    let command = shlex::try_join(run.command.iter().map(String::as_str)).unwrap_or_default();
    let sentence = sentence(run);
    let mut said = String::new();
    // Writing to a string cannot fail.
    let _written = match format {
        Format::Markdown => {
            let fence = |command: &str| format!("\n```sh\n{command}\n```\n");
            let command = if command.is_empty() { String::new() } else { fence(&command) };
            write!(said, "{sentence}\n\n{}\n{}{command}\n{entry}", markdown(run), files(run))
        }
        Format::Latex => {
            let [sentence, files, command] =
                [&sentence, &files(run), &command].map(|text| escaped(text));
            let sentence = sentence.trim_end_matches('.');
            let command =
                if command.is_empty() { command } else { format!("\n\\texttt{{{command}}}\n") };
            write!(
                said,
                "{sentence}~\\cite{{nearprint}}.\n\n{}\n{files}{command}\n{entry}",
                latex(run)
            )
        }
    };
    said
}

/// What was looked for, with all that repeats it.
fn sentence(run: &Run) -> String {
    // These are found, and make no document contaminated.
    let counted = match run.common_text.as_str() {
        "keep" => ", those apart that stand in very many documents",
        _ => "",
    };
    format!(
        "With nearprint {} ({}, id {}; share {}, {} bits, short items: {}, common text: {}) we looked for {} of {} in {}: \
         {} ({}) contain one{counted}.",
        run.version,
        recipe_said(&run.recipe),
        run.recipe_id,
        run.share,
        run.bits,
        run.short,
        run.common_text,
        count_of(run.items, "item"),
        count_of(run.sets.len() as u64, "eval set"),
        count_of(run.documents, "document"),
        count(run.contaminated_documents),
        percent(run.contaminated_documents, run.documents),
    )
}

/// The files of the sets, a line each.
fn files(run: &Run) -> String {
    let line = |EvalFile { file, bytes, xxh3 }: &EvalFile| {
        format!("{}: {}, XXH3 {xxh3}\n", one_line(file), count_of(*bytes, "byte"))
    };
    let lines: Vec<_> = run.eval_versions.iter().map(line).collect();
    lines.join("\n")
}

/// A name without line breaks.
fn one_line(name: &str) -> String {
    name.split(['\n', '\r']).collect::<Vec<_>>().join(" ")
}

fn markdown(run: &Run) -> String {
    let (names, rows) = table(&run.sets);
    let right = "---:|".repeat(names.len());
    let mut table = format!("| eval set | {} |\n|---|{right}\n", names.join(" | "));
    for (set, cells) in rows {
        let name = one_line(&set.eval).replace('|', "\\|");
        // Writing to a string cannot fail.
        let _written = writeln!(table, "| {name} | {} |", cells.join(" | "));
    }
    table
}

fn latex(run: &Run) -> String {
    let (names, rows) = table(&run.sets);
    let right = "r".repeat(names.len());
    let head = names.join(" & ");
    let mut table =
        format!("\\begin{{tabular}}{{l{right}}}\n\\toprule\neval set & {head} \\\\\n\\midrule\n");
    for (set, cells) in rows {
        let cells = cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" & ");
        // Writing to a string cannot fail.
        let _written = writeln!(table, "{} & {cells} \\\\", escaped(&one_line(&set.eval)));
    }
    table + "\\bottomrule\n\\end{tabular}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_document_contaminated_has_a_column_where_there_is_some() {
        let set = |common, eval_file| Set {
            eval: "quiz".to_owned(),
            items: 9,
            contaminated: 2,
            common,
            eval_file,
            partial: 0,
            context: 1,
            undecidable: 0,
            clean: 3,
        };
        let told = |sets: &[Set]| {
            let (names, rows) = table(sets);
            let rows: Vec<_> = rows.map(|(_, cells)| cells.join(" ")).collect();
            (names.join(", "), rows)
        };
        let usual = "items, contaminated, in part, by context, undecidable, clean";
        assert_eq!(told(&[set(0, 0)]), (usual.to_owned(), vec!["9 2 0 1 0 3 (33.3 %)".to_owned()]));
        let (names, rows) = told(&[set(0, 0), set(1, 2)]);
        assert_eq!(names, usual.replace("in part", "common, in the eval file, in part"));
        assert_eq!(rows, ["9 2 0 0 0 1 0 3 (33.3 %)", "9 2 1 2 0 1 0 3 (33.3 %)"]);
    }
}
