//! What `decontaminate --self-test` prints: recall by form, and what is nearest to an item in untouched documents.

use crate::show::figures::{count, count_of};
use nearprint_dedup::{FormRecall, SelfTest, ShownFinding};
use nearprint_evaluation::three_digits;
use std::fmt::Write as _;

/// Characters of a text that are shown.
const SHOWN: usize = 90;

/// The table and the alarms.
pub(crate) fn told(tested: &SelfTest) -> String {
    let mut told = format!(
        "{} planted in {}; {} of them undecidable and left out\n\n",
        count_of(tested.items, "item"),
        count_of(tested.documents, "document"),
        count(tested.undecidable),
    );
    let mut line = |line: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _written = writeln!(told, "{line}");
    };
    line(format_args!(
        "{:<24}{:>8}{:>8}{:>8}  95 % interval",
        "form", "planted", "found", "recall"
    ));
    for form in &tested.forms {
        let FormRecall { form, planted, found, recall, low, high } = form;
        let (recall, interval) = match recall {
            None => ("-".to_owned(), "-".to_owned()),
            Some(recall) => {
                let [recall, low, high] = [*recall, *low, *high].map(three_digits);
                (recall, format!("{low} to {high}"))
            }
        };
        line(format_args!("{form:<24}{planted:>8}{found:>8}{recall:>8}  {interval}"));
    }
    line(format_args!(
        "\nUntouched: {} of the same {} flagged.{}",
        count(tested.alarms),
        count_of(tested.documents, "document"),
        if tested.highest.is_empty() { "" } else { " Nearest to an item:" }
    ));
    for ShownFinding { id, eval, item, share, bits, question, text, verdict, .. } in &tested.highest
    {
        line(format_args!(
            "  {id}: {eval} {item}, share {share:.2}, {bits:.0} bits, {}",
            verdict.name()
        ));
        line(format_args!("    item:  {}", shown(question)));
        line(format_args!("    place: {}", shown(text)));
    }
    line(format_args!(
        "\nNot tested, because no method of this kind finds them: translations and paraphrases. An item with half of \
         its words changed is another text."
    ));
    told
}

/// The beginning of a text, on one line.
fn shown(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start: String = line.chars().take(SHOWN).collect();
    if start.len() < line.len() { format!("{start}...") } else { line }
}
