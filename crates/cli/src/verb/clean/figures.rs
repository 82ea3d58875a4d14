//! What each step is worth: documents and tokens before the first one, and behind each.

use crate::show::figures::{bytes, count, percent};
use crate::verb::clean::step::Step;
use nearprint_dedup::CorpusSize;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The figures of a step.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Figures {
    /// `None` for the input.
    pub(super) step: Option<Step>,
    /// What is there behind it.
    pub(super) size: CorpusSize,
    /// The summary that its verb writes.
    pub(super) summary: Value,
    /// What its verb says of what it read, as far as no step before said it. Earlier builds kept none.
    #[serde(default)]
    pub(super) remarks: Vec<String>,
}

/// A line of the table.
pub(super) struct Row {
    pub(super) after: &'static str,
    pub(super) documents: String,
    pub(super) text: String,
    pub(super) tokens: String,
    /// The part of the tokens of the line before that is left.
    pub(super) left: String,
}

/// The lines of the table.
pub(super) fn rows(figures: &[Figures]) -> Vec<Row> {
    let before = [None].into_iter().chain(figures.iter().map(|it| Some(it.size.tokens)));
    let row = |(of, before): (&Figures, Option<u64>)| Row {
        after: of.step.map_or("nothing", Step::name),
        documents: count(of.size.documents),
        text: bytes(of.size.bytes),
        tokens: count(of.size.tokens),
        left: before.map_or_else(String::new, |before| percent(of.size.tokens, before)),
    };
    figures.iter().zip(before).map(row).collect()
}

/// The table as it is printed.
pub(super) fn told(figures: &[Figures]) -> Vec<String> {
    let line = |[after, documents, text, tokens, left]: [&str; 5]| {
        format!("{after:<14}{documents:>14}{text:>12}{tokens:>18}  {left}").trim_end().to_owned()
    };
    let head = line(["after", "documents", "text", "tokens", "tokens kept"]);
    let rows = rows(figures);
    let lines =
        rows.iter().map(|row| line([row.after, &row.documents, &row.text, &row.tokens, &row.left]));
    std::iter::once(head).chain(lines).collect()
}

/// The table as JSON, with the summaries of the verbs.
pub(super) fn json(figures: &[Figures]) -> Value {
    let step = |Figures { step, size, summary, .. }: &Figures| {
        let after = step.map(Step::name);
        let CorpusSize { documents, bytes, tokens } = size;
        json!({"after": after, "documents": documents, "bytes": bytes, "tokens": tokens, "summary": summary})
    };
    json!({"version": env!("CARGO_PKG_VERSION"), "steps": figures.iter().map(step).collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_an_earlier_build_kept_are_read() {
        let kept =
            r#"{"step":"passages","size":{"documents":1,"bytes":2,"tokens":3},"summary":null}"#;
        let figures: Figures = serde_json::from_str(kept).unwrap();
        assert_eq!((figures.step, figures.size.tokens), (Some(Step::Passages), 3));
        assert!(figures.remarks.is_empty());
    }
}
