//! What a paper or a model card says of a search for items of eval sets.

use crate::show::figures::{count, count_of, percent};
use crate::verb::methods::form::{ENTRIES, Format, escaped};
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

const COLUMNS: [&str; 7] =
    ["eval set", "items", "contaminated", "in part", "by context", "undecidable", "clean"];

impl Set {
    /// The cells behind the name.
    fn cells(&self) -> [String; 6] {
        let contaminated = self.contaminated + self.common + self.eval_file;
        let clean = format!("{} ({})", count(self.clean), percent(self.clean, self.items));
        let [items, contaminated, partial, context, undecidable] =
            [self.items, contaminated, self.partial, self.context, self.undecidable].map(count);
        [items, contaminated, partial, context, undecidable, clean]
    }
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
        "With nearprint {} (recipe {}, id {}; share {}, {} bits, short items: {}, common text: {}) we looked for {} of {} in {}: \
         {} ({}) contain one{counted}.",
        run.version,
        run.recipe,
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
    let right = "---:|".repeat(COLUMNS.len() - 1);
    let mut table = format!("| {} |\n|---|{right}\n", COLUMNS.join(" | "));
    for set in &run.sets {
        let name = one_line(&set.eval).replace('|', "\\|");
        // Writing to a string cannot fail.
        let _written = writeln!(table, "| {name} | {} |", set.cells().join(" | "));
    }
    table
}

fn latex(run: &Run) -> String {
    let right = "r".repeat(COLUMNS.len() - 1);
    let head = COLUMNS.join(" & ");
    let mut table = format!("\\begin{{tabular}}{{l{right}}}\n\\toprule\n{head} \\\\\n\\midrule\n");
    for set in &run.sets {
        let cells = set.cells().map(|cell| escaped(&cell)).join(" & ");
        // Writing to a string cannot fail.
        let _written = writeln!(table, "{} & {cells} \\\\", escaped(&one_line(&set.eval)));
    }
    table + "\\bottomrule\n\\end{tabular}\n"
}
