//! The pairs of a spilled join in input order, within the same bound of memory.

use crate::documents::Degenerate;
use crate::error::Error;
use crate::spilled_join::{SpilledJoin, SpilledWork};
use crate::spilled_sort::sorted;
use nearprint_fingerprint::fingerprint::Fingerprint;
use nearprint_index::pair::Pair;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Pairs that go from the join to the sort at a time, and how many times as many may wait.
const BATCH: (usize, usize) = (1024, 16);

/// Hands every pair of `join`, and of equal `degenerate` documents, to `sink` as `(a, b, distance)`, by `a`, then `b`: sorted on disk while
/// the join goes on.
///
/// Memory: half as much as the join's budget more.
///
/// # Errors
/// As [`SpilledJoin::run`]; the first error of `sink`, which gets no pair before the join has ended.
pub fn in_order<const WORDS: usize>(
    join: &SpilledJoin,
    entries: impl IntoIterator<Item = Result<(Fingerprint<WORDS>, u64), Error>>,
    degenerate: &[Degenerate],
    mut sink: impl FnMut(u64, u64, u32) -> Result<(), Error> + Send,
) -> Result<SpilledWork, Error> {
    let (batch, waiting) = BATCH;
    let (send, receive) = sync_channel::<Vec<Pair>>(waiting);
    thread::scope(|scope| {
        let sorting = scope.spawn(move || {
            let pairs = receive.into_iter().flatten().map(|Pair { a, b, distance }| {
                Ok((Fingerprint::<2>::from_words([b, a]), u64::from(distance)))
            });
            sorted(pairs, join.half_room(), join.dir(), |(pair, distance)| {
                let [b, a] = *pair.words();
                sink(a, b, u32::try_from(distance).unwrap_or(u32::MAX))
            })
        });
        let found = Mutex::new(Vec::with_capacity(batch));
        let keep = |pair: Pair| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.push(pair);
            if found.len() == batch {
                let full = std::mem::replace(&mut *found, Vec::with_capacity(batch));
                drop(found);
                // Fails only after the sort has: its error is the one to tell.
                let _sent = send.send(full);
            }
        };
        for group in Degenerate::groups(degenerate) {
            // As of equal fingerprints: the first stands for the others.
            let a = group.first().copied().unwrap_or_default();
            group.iter().skip(1).for_each(|&b| keep(Pair { a, b, distance: 0 }));
        }
        let work = join.run(entries, keep);
        let rest = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let _sent = send.send(rest);
        drop(send);
        let sorted = sorting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let work = work?;
        Ok(SpilledWork { spilled: work.spilled + sorted?, ..work })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        let degenerate = content.map(|(document, content)| Degenerate { document, content });
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
