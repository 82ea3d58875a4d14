//! The pairs of a spilled join in input order, within the same bound of memory.

use crate::disk::spilled_join::{SpilledJoin, SpilledWork};
use crate::disk::spilled_sort::sorted_of;
use crate::error::Error;
use crate::read::documents::LeftApart;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::Pair;

/// Hands every pair of `join`, and of equal `degenerate` documents, to `sink` as `(a, b, distance)`, by `a`, then `b`: sorted on disk while
/// the join goes on.
///
/// Memory: half as much as the join's budget more.
///
/// # Errors
/// As [`SpilledJoin::run`]; the first error of `sink`, which gets no pair before the join has ended.
pub(crate) fn in_order<const WORDS: usize>(
    join: &SpilledJoin,
    entries: impl IntoIterator<Item = Result<(Fingerprint<WORDS>, u64), Error>>,
    degenerate: &[LeftApart],
    mut sink: impl FnMut(u64, u64, u32) -> Result<(), Error> + Send,
) -> Result<SpilledWork, Error> {
    let joining = |keep: &(dyn Fn(Pair) + Sync)| {
        for group in LeftApart::groups(degenerate) {
            // As of equal fingerprints: the first stands for the others.
            let a = group.first().copied().unwrap_or_default();
            group.iter().skip(1).for_each(|b| keep(Pair { a: a.0, b: b.0, distance: 0 }));
        }
        join.run(entries, keep)
    };
    let (work, spilled) = sorted_of(join.half_room(), join.dir(), joining, |pair: Pair| {
        join.going_on()?;
        sink(pair.a, pair.b, pair.distance)
    })?;
    Ok(SpilledWork { spilled: work.spilled + spilled, ..work })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::DocumentNumber;
    use proptest::prelude::*;
    use std::sync::Mutex;

    proptest! {
        #[test]
        fn pairs_come_in_order_with_any_budget(
            codes in prop::collection::vec(0_u64..400, 0..300), k in 0_u32..3, budget in 1_usize..5,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let join = SpilledJoin::new(k, budget << 16, dir.path()).unwrap();
            let entries = || codes.iter().zip(0..).map(|(code, at)| Ok((Fingerprint::from(*code), at)));
            let expected = Mutex::new(Vec::new());
            let work = join.run::<1>(entries(), |p| expected.lock().unwrap().push((p.a, p.b, p.distance)));
            let mut expected = expected.into_inner().unwrap();
            expected.sort_unstable();
            let mut found = Vec::new();
            let ordered = in_order::<1>(&join, entries(), &[], |a, b, distance| {
                found.push((a, b, distance));
                Ok(())
            });
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(ordered.unwrap().distinct, work.unwrap().distinct);
        }
    }

    #[test]
    fn equal_degenerate_documents_are_pairs_of_the_first() {
        let dir = tempfile::tempdir().unwrap();
        let join = SpilledJoin::new(3, 1 << 16, dir.path()).unwrap();
        let entries = [(1, 1_u64), (2, 4)].map(|(code, at)| Ok((Fingerprint::<1>::from(code), at)));
        let content =
            [(0, Some(7)), (2, Some(7)), (3, None), (5, Some(7)), (6, Some(8)), (7, None)];
        let degenerate = content
            .map(|(document, content)| LeftApart { document: DocumentNumber(document), content });
        let mut found = Vec::new();
        let work = in_order(&join, entries, &degenerate, |a, b, distance| {
            found.push((a, b, distance));
            Ok(())
        });
        assert!(work.is_ok());
        assert_eq!(found, [(0, 2, 0), (0, 5, 0), (1, 4, 2)]);
    }

    #[test]
    fn an_error_of_the_sink_ends_it() {
        let dir = tempfile::tempdir().unwrap();
        let join = SpilledJoin::new(0, 1 << 16, dir.path()).unwrap();
        let entries = (0..50_000).map(|at| Ok((Fingerprint::from(7_u64), at)));
        let error = in_order::<1>(&join, entries, &[], |_, _, _| Err(Error::NoText)).unwrap_err();
        assert!(matches!(error, Error::NoText), "{error}");
    }
}
