//! What became of each file, as the page's table has it.

use crate::show::figures::percent;
use nearprint_dedup::SourceFate;

/// Rows at most: a page of a hundred thousand files would not open.
const ROWS: usize = 200;

/// The table.
pub(super) struct Files {
    pub(super) rows: Vec<SourceFate>,
    /// Files that have no row of their own, and their sums.
    pub(super) others: usize,
    pub(super) other: SourceFate,
    /// The sums of all.
    pub(super) total: SourceFate,
}

impl Files {
    /// A row for each source in input order; of many for those with the most documents, and one for
    /// all others.
    pub(super) fn of(sources: &[SourceFate]) -> Self {
        let mut largest: Vec<_> = (0..).zip(sources).collect();
        largest.sort_by_key(|(_, source)| std::cmp::Reverse(source.documents));
        let (mut rows, others): (Vec<_>, Vec<_>) =
            largest.into_iter().enumerate().partition(|(at, _)| *at < ROWS);
        rows.sort_by_key(|(_, (at, _))| *at);
        Self {
            others: others.len(),
            other: sum(others.iter().map(|(_, (_, source))| *source)),
            total: sum(sources),
            rows: rows.into_iter().map(|(_, (_, source))| source.clone()).collect(),
        }
    }

    /// The part of its documents that stays.
    pub(super) fn share(source: &SourceFate) -> String {
        if source.kept + source.removed == 0 {
            return String::new();
        }
        percent(source.kept, source.kept + source.removed)
    }

    /// The same as a width.
    pub(super) fn width(source: &SourceFate) -> String {
        percent(source.kept, source.kept + source.removed).replace(" %", "%")
    }
}

fn sum<'a>(sources: impl IntoIterator<Item = &'a SourceFate>) -> SourceFate {
    sources.into_iter().fold(SourceFate::default(), |mut sum, source| {
        sum.documents += source.documents;
        sum.bytes += source.bytes;
        sum.kept += source.kept;
        sum.removed += source.removed;
        sum.skipped += source.skipped;
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_files_the_largest_have_rows_and_the_sums_are_of_all() {
        let source = |documents| SourceFate { documents, kept: documents, ..SourceFate::default() };
        let sources: Vec<_> = (0..1000).map(|at| source(at % 500)).collect();
        let files = Files::of(&sources);
        assert_eq!((files.rows.len(), files.others), (ROWS, 800));
        assert!(files.rows.iter().all(|row| row.documents >= 400));
        assert_eq!(files.rows[0].documents, 400);
        assert_eq!((files.total.kept, files.other.documents), (249_500, 159_600));
    }
}
