//! Pairs kept as many threads find them, and put in order at the end. The joins find
//! the pairs.

use crate::error::Error;
use crate::machine::partition::{Partition, part_bits};
use crate::machine::stop::Stop;
use crate::pair::Pair;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Pairs to sort between two looks at the request to stop.
const SORTED_AT_ONCE: usize = 1 << 19;

/// A list of pairs that the threads of rayon's current pool fill, each its own part of it.
pub(crate) struct PairList {
    parts: Vec<Mutex<Vec<Pair>>>,
}

impl PairList {
    pub(crate) fn new() -> Self {
        Self { parts: (0..=rayon::current_num_threads()).map(|_| Mutex::default()).collect() }
    }

    /// Adds a pair.
    pub(crate) fn push(&self, pair: Pair) {
        let thread = rayon::current_thread_index().map_or(0, |index| index + 1);
        if let Some(part) = self.parts.get(thread % self.parts.len()) {
            part.lock().unwrap_or_else(PoisonError::into_inner).push(pair);
        }
    }

    /// The pairs by `a`, then by `b`; every `a` is below `bound`.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn sorted(self, bound: usize, stop: &Stop<'_>) -> Result<Vec<Pair>, Error> {
        sorted(self.into_parts().into_iter().flatten().collect(), bound, stop)
    }

    /// The pairs in no order, those of each thread together.
    pub(crate) fn into_parts(self) -> Vec<Vec<Pair>> {
        let parts = self.parts.into_iter();
        parts.map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

/// Pairs by `a`, then by `b`; every `a` is below `bound`.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn sorted(
    mut pairs: Vec<Pair>,
    bound: usize,
    stop: &Stop<'_>,
) -> Result<Vec<Pair>, Error> {
    if pairs.len() <= SORTED_AT_ONCE {
        pairs.par_sort_unstable();
    } else {
        sort_by_parts(&mut pairs, bound, stop);
    }
    stop.finish()?;
    Ok(pairs)
}

/// Sorts the pairs of each range of `a` by themselves, so that the sorting can be stopped.
fn sort_by_parts(pairs: &mut [Pair], bound: usize, stop: &Stop<'_>) {
    let bits = part_bits::<Pair>(pairs.len(), u32::MAX);
    let shift = (bound.max(1).ilog2() + 1).saturating_sub(bits);
    #[expect(clippy::cast_possible_truncation, reason = "as many bits as there are parts")]
    let leads = |pairs: &[Pair], leads: &mut Vec<u32>| {
        leads.clear();
        leads.extend(pairs.iter().map(|pair| (pair.a >> shift) as u32));
    };
    let mut room = Vec::new();
    let items = |at: Range<usize>| pairs[at].iter().copied();
    let partition = Partition::new(pairs.len(), items, bits, leads, &mut room, stop);
    let (mut parts, mut rest) = (Vec::new(), pairs);
    for size in partition.sizes() {
        let (part, others) = rest.split_at_mut(size);
        parts.push(part);
        rest = others;
    }
    let alike = |pairs: &[Pair], keys: &mut Vec<u32>| {
        keys.clear();
        keys.resize(pairs.len(), 0);
    };
    partition.for_each(parts, 0, alike, |part, pairs, _| {
        pairs.par_sort_unstable();
        part.copy_from_slice(pairs);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn list(count: u64, bound: u64) -> (PairList, Vec<Pair>) {
        let pair = |i: u64| {
            let random = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            Pair { a: (random >> 32) % bound, b: i, distance: 1 }
        };
        let list = PairList::new();
        (0..count).map(pair).for_each(|pair| list.push(pair));
        let mut sorted: Vec<_> = (0..count).map(pair).collect();
        sorted.sort_unstable();
        (list, sorted)
    }

    #[test]
    fn few_pairs_and_many_come_in_order() {
        let many = SORTED_AT_ONCE as u64 + 1;
        for (count, bound) in [(0, 1), (1000, 77), (many, 1), (many, 77), (many, 1 << 16)] {
            for bound in [bound, bound + 1] {
                let (list, sorted) = list(count, bound);
                let bound = usize::try_from(bound).unwrap();
                assert!(list.sorted(bound, &Stop::default()).unwrap() == sorted, "{count} {bound}");
            }
        }
    }

    #[test]
    fn a_list_whose_sorting_was_stopped_is_not_handed_out() {
        let (list, _) = list(SORTED_AT_ONCE as u64 + 1, 1000);
        let flag = AtomicBool::new(true);
        assert_eq!(list.sorted(1000, &Stop::on(Some(&flag))), Err(Error::Interrupted));
    }
}
