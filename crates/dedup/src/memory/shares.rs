//! What part of its memory each stage has: one table. How much there is, is `limits`'s and `budget`'s.

/// So many of so many equal parts of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    taken: usize,
    parts: usize,
}

/// The join, of the room of a search: what memory is left when the corpus was read. The stages of a search follow
/// each other: first the join with its pairs beside it, then features, pairs that pass, and leaders.
pub(crate) const JOIN: Part = Part::new(2, 3);
/// The pairs of a join that are sorted beside it, of the bytes of the join.
pub(crate) const PAIRS_OF_JOIN: Part = Part::new(1, 2);
/// Features, of the room of a search.
pub(crate) const FEATURES: Part = Part::new(1, 4);
/// Pairs that pass and wait to be sorted, of the room of a search.
pub(crate) const PAIRS: Part = Part::new(1, 4);
/// Leaders among crowded documents, beside features and pairs, of the room of a search.
pub(crate) const LEADERS: Part = Part::new(1, 2);

/// Counts that tell rare features among crowded documents, of the bytes of leaders.
pub(crate) const COUNTS_OF_LEADERS: Part = Part::new(1, 2);
/// The leaders with their index, of the same.
pub(crate) const INDEX_OF_LEADERS: Part = Part::new(1, 2);

/// Documents that are joined by prefixes at a time, of the bytes of that join.
pub(crate) const BLOCK: Part = Part::new(3, 4);

/// Outlines of features, of the bytes of features; none where these have weights.
pub(crate) const OUTLINES: Part = Part::new(1, 2);
/// Lists of features: those of the file, and as many that were used last. The rest is for blocks.
pub(crate) const LISTS: Part = Part::new(1, 8);
/// The same of features with weights.
pub(crate) const LISTS_WITH_WEIGHTS: Part = Part::new(1, 4);

/// Entries that are sorted at once, of the bytes of a sort.
pub(crate) const SORTED: Part = Part::new(3, 4);
/// Blocks of lists that are written or read side by side, of the same.
pub(crate) const SIDE_BY_SIDE: Part = Part::new(1, 4);

/// Queries with their tables, of the bytes of a join of two lists.
pub(crate) const QUERIES: Part = Part::new(1, 2);
/// Answers that wait to be sorted, of the same.
pub(crate) const ANSWERS: Part = Part::new(7, 16);
/// Codes of the longer list that are read at a time, of the same.
pub(crate) const STREAMED: Part = Part::new(1, 32);

/// Counts that tell rare features of a corpus, of the memory of the process.
pub(crate) const COUNTS: Part = Part::new(1, 4);

/// Sorting while a segment is built, of what is left: what was sorted is put into its final form before it is
/// written.
pub(crate) const SORTED_OF_SEGMENT: Part = Part::new(1, 2);

/// Stretches of which windows are asked, of the room of a search for passages. Its stages follow each other: anchors have
/// all of the room; then windows are asked for and sorted, and beside and behind that copies, runs and firsts.
pub(crate) const ASKED: Part = Part::new(1, 8);
/// Windows that are sorted, of the same.
pub(crate) const WINDOWS: Part = Part::new(1, 2);
/// Copies, of the same.
pub(crate) const COPIES: Part = Part::new(1, 4);
/// Runs of copies, of the same.
pub(crate) const RUNS: Part = Part::new(1, 8);
/// First occurrences, of the same.
pub(crate) const FIRSTS: Part = Part::new(1, 8);
/// The text that first occurrences lend, which may lie in twice its bytes, of the same.
pub(crate) const LENT: Part = Part::new(1, 4);
/// Runs that it was lent to, of the same.
pub(crate) const LENT_RUNS: Part = Part::new(1, 4);
/// Rows of a report that wait, in twice their bytes, of the same.
pub(crate) const ROWS: Part = Part::new(1, 16);
/// Passages that are sorted to be listed, of the same.
pub(crate) const PASSAGES: Part = Part::new(1, 16);

impl Part {
    const fn new(taken: usize, parts: usize) -> Self {
        Self { taken, parts }
    }

    /// The part of so many bytes.
    pub(crate) const fn of(self, bytes: usize) -> usize {
        bytes / self.parts * self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_at_a_time_is_no_more_than_there_is() {
        let all = 96 << 10;
        let join = JOIN.of(all);
        for (beside, whole) in [
            (vec![join, PAIRS_OF_JOIN.of(join)], all),
            (vec![FEATURES.of(all), PAIRS.of(all), LEADERS.of(all)], all),
            (vec![ASKED.of(all), WINDOWS.of(all), COPIES.of(all), FIRSTS.of(all)], all),
            (vec![COPIES.of(all), RUNS.of(all), FIRSTS.of(all)], all),
            (vec![2 * LENT.of(all), 2 * ROWS.of(all), LENT_RUNS.of(all), PASSAGES.of(all)], all),
            (vec![2 * LENT.of(all), 4 * ROWS.of(all)], all),
            (vec![COUNTS_OF_LEADERS.of(all), INDEX_OF_LEADERS.of(all)], all),
            (vec![OUTLINES.of(all), 2 * LISTS.of(all)], all),
            (vec![2 * LISTS_WITH_WEIGHTS.of(all)], all),
            (vec![SORTED.of(all), SIDE_BY_SIDE.of(all)], all),
            (vec![QUERIES.of(all), ANSWERS.of(all), STREAMED.of(all)], all),
        ] {
            assert!(beside.iter().sum::<usize>() <= whole, "{beside:?}");
        }
    }
}
