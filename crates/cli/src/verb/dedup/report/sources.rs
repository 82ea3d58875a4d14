//! How much of each value of a field stays, as the page's table has it. Files have a table of their own.

use crate::show::figures::{bytes, count_of, percent};
use crate::verb::dedup::report::source_names::without;
use nearprint_dedup::{BySource, Share};

/// A row of the table.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) share: Share,
    pub(super) bytes: String,
    pub(super) kept_bytes: String,
    pub(super) percent: String,
}

/// The rows: none where sources are files.
pub(super) fn rows(told: &BySource) -> Vec<Row> {
    if told.by == "file" {
        return Vec::new();
    }
    let named = |source: &Option<String>| source.clone().unwrap_or_else(|| without(&told.by));
    let mut rows: Vec<Row> =
        told.sources.iter().map(|source| Row::of(named(&source.source), source.share)).collect();
    rows.extend(
        told.others.map(|others| Row::of(count_of(others.sources, "other value"), others.share)),
    );
    rows
}

impl Row {
    fn of(name: String, share: Share) -> Self {
        let told = |number: Option<u64>| number.map_or_else(|| "–".to_owned(), bytes);
        Self {
            name,
            bytes: told(share.bytes),
            kept_bytes: told(share.kept_bytes),
            percent: percent(share.kept, share.documents),
            share,
        }
    }

    /// The share that stays, as a width.
    pub(super) fn width(&self) -> String {
        self.percent.replace(" %", "%")
    }
}
