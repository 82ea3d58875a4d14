//! The pairs of a spilled join, folded, within the same bound of memory.

use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::read::documents::LeftApart;
use crate::search::folded_pairs::{FoldedPair, FoldedPairs};
use crate::search::spilled_join::{Entries, SpilledJoin};
use nearprint_fingerprint::Width;

/// The pairs of `join` among `entries`, and of equal `degenerate` documents: sorted on disk while the join goes on.
///
/// Memory: half as much as the join's budget more.
///
/// # Errors
/// As [`SpilledJoin::run`].
pub(crate) fn spilled_pairs(
    join: &SpilledJoin,
    (width, entries): (Width, &mut Entries<'_>),
    degenerate: &[LeftApart],
) -> Result<FoldedPairs, Error> {
    let place = (join.room_for_pairs(), join.dir());
    FoldedPairs::found(place, (0, None), &mut |keep| {
        for group in LeftApart::groups(degenerate) {
            let Some((first, others)) = group.split_first() else { continue };
            others.iter().for_each(|other| keep(&[FoldedPair::equal(*first, *other)]));
        }
        join.run(width, entries, &|pair| {
            let (a, b) = (DocumentNumber(pair.a), DocumentNumber(pair.b));
            // Those of equal fingerprints are all with the first of these.
            keep(&[match pair.distance {
                0 => FoldedPair::equal(a, b),
                distance => FoldedPair::near(a, b, distance, 0.0),
            }]);
        })?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{AnyFingerprint, Fingerprint};
    use nearprint_index::scan;
    use proptest::prelude::*;

    /// The pairs of fingerprints of 64 bits.
    fn pairs_of(
        join: &SpilledJoin,
        entries: impl Iterator<Item = (Fingerprint<1>, u64)>,
        degenerate: &[LeftApart],
    ) -> FoldedPairs {
        let mut entries = entries.map(|(code, at)| Ok((AnyFingerprint::from(code), at)));
        spilled_pairs(join, (Width::W64, &mut entries), degenerate).unwrap()
    }

    fn rows(found: &FoldedPairs, folded: bool) -> Vec<(u64, u64, u32)> {
        let mut rows = Vec::new();
        let listed = found.each(folded, &mut |pair| {
            rows.push((pair.a.0, pair.b.0, pair.evidence.distance));
            Ok(())
        });
        assert_eq!(listed.unwrap().rows, rows.len() as u64);
        rows
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_the_scan_in_order_with_any_budget(
            codes in prop::collection::vec(0_u64..400, 0..300), k in 0_u32..3, budget in 1_usize..5,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let codes: Vec<_> = codes.into_iter().map(Fingerprint::<1>::from).collect();
            let join = SpilledJoin::new(k, budget << 16, dir.path()).unwrap();
            let found = pairs_of(&join, codes.iter().copied().zip(0..), &[]);
            let mut expected: Vec<_> =
                scan::pairs(&codes, k).into_iter().map(|p| (p.a, p.b, p.distance)).collect();
            expected.sort_unstable();
            prop_assert_eq!(rows(&found, false), expected);
        }
    }

    #[test]
    fn equal_degenerate_documents_are_pairs() {
        let dir = tempfile::tempdir().unwrap();
        let join = SpilledJoin::new(3, 1 << 16, dir.path()).unwrap();
        let entries = [(1, 1_u64), (2, 4)].map(|(code, at)| (Fingerprint::<1>::from(code), at));
        let content =
            [(0, Some(7)), (2, Some(7)), (3, None), (5, Some(7)), (6, Some(8)), (7, None)];
        let degenerate = content
            .map(|(document, content)| LeftApart { document: DocumentNumber(document), content });
        let found = pairs_of(&join, entries.into_iter(), &degenerate);
        assert_eq!(rows(&found, false), [(0, 2, 0), (0, 5, 0), (1, 4, 2), (2, 5, 0)]);
        assert_eq!(rows(&found, true), [(0, 2, 0), (0, 5, 0), (1, 4, 2)]);
    }

    #[test]
    fn an_error_of_the_sink_ends_it() {
        let dir = tempfile::tempdir().unwrap();
        let join = SpilledJoin::new(0, 1 << 16, dir.path()).unwrap();
        let entries = (0..50_000).map(|at| (Fingerprint::<1>::from(7_u64), at));
        let found = pairs_of(&join, entries, &[]);
        let mut rows = 0;
        let error = found.each(false, &mut |_| {
            rows += 1;
            if rows < 9 { Ok(()) } else { Err(Error::NoText) }
        });
        assert!(matches!(error, Err(Error::NoText)), "{error:?}");
        assert_eq!(rows, 9);
    }
}
