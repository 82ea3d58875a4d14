//! The front door to the self join: all pairs among fingerprints in memory, in any order, equal ones
//! included. The join of distinct fingerprints is `joins`' work.

use crate::distinct::Distinct;
use crate::error::Error;
use crate::joins::join::SelfJoin;
use crate::joins::pair_list::PairList;
use crate::machine::stop::Stop;
use crate::pair::Pair;
use nearprint_bits::{Fingerprint, Width};
use rayon::prelude::*;
use std::any::Any;

/// Every pair of `codes` that differ in at most `k` bits, sorted by `a`, then by `b`.
///
/// The codes stand in any order and may repeat. A pair names the positions of its two codes, the
/// lower one first, and comes once. Equal codes are pairs at distance 0. Runs on rayon's current
/// pool; the result does not depend on the number of threads.
///
/// `codes` holds `u64`, `u128` or [`Fingerprint`]s.
///
/// # Complexity
/// As [`SelfJoin`]: a few passes over uniform codes. The list takes 24 bytes a pair, and m equal
/// codes are `m (m - 1) / 2` pairs: a million of them would take 12 TB. Use [`for_each_pair`] where
/// the pairs may not fit into memory, and [`Distinct`] with [`SelfJoin`] to see equal codes once.
///
/// # Errors
/// [`Error::RadiusOverWidth`] where `k` is more than the width of the codes.
///
/// # Examples
/// ```
/// use nearprint_index::{Pair, pairs};
///
/// let codes = [0xff_u64, 0x0f, 0xff, 0x1f];
/// let found = pairs(&codes, 1)?;
/// assert_eq!(found, [Pair { a: 0, b: 2, distance: 0 }, Pair { a: 1, b: 3, distance: 1 }]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
pub fn pairs<C, const WORDS: usize>(codes: &[C], k: u32) -> Result<Vec<Pair>, Error>
where
    C: Copy + Into<Fingerprint<WORDS>>,
{
    let found = PairList::new();
    for_each_pair(codes, k, |pair| found.push(pair))?;
    found.sorted(codes.len(), &Stop::default())
}

/// Hands every pair of `codes` that differ in at most `k` bits to `emit`, each once: the pairs of
/// [`pairs`], from many threads, in no order and without a list of them.
///
/// # Complexity
/// As [`pairs`]. Memory: about three times the codes, and 8 bytes a code, however many pairs there
/// are.
///
/// # Errors
/// As [`pairs`].
///
/// # Examples
/// ```
/// use nearprint_index::for_each_pair;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// let codes = vec![7_u64; 1000];
/// let count = AtomicU64::new(0);
/// for_each_pair(&codes, 3, |_| {
///     count.fetch_add(1, Ordering::Relaxed);
/// })?;
/// assert_eq!(count.into_inner(), 1000 * 999 / 2);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
pub fn for_each_pair<C, const WORDS: usize>(
    codes: &[C],
    k: u32,
    emit: impl Fn(Pair) + Sync,
) -> Result<(), Error>
where
    C: Copy + Into<Fingerprint<WORDS>>,
{
    let codes: Vec<Fingerprint<WORDS>> = codes.iter().map(|code| (*code).into()).collect();
    let distinct = Distinct::new(&codes);
    drop(codes);
    each_of(&distinct, Fingerprint::<WORDS>::width(), k, &emit)
}

/// [`for_each_pair`] of the documents of a [`Distinct`] of a width.
fn each_of(
    distinct: &dyn Any,
    width: Width,
    k: u32,
    emit: &(dyn Fn(Pair) + Sync),
) -> Result<(), Error> {
    match width {
        Width::W64 => each_at::<1>(distinct, k, emit),
        Width::W128 => each_at::<2>(distinct, k, emit),
        Width::W256 => each_at::<4>(distinct, k, emit),
    }
}

fn each_at<const WORDS: usize>(
    distinct: &dyn Any,
    k: u32,
    emit: &(dyn Fn(Pair) + Sync),
) -> Result<(), Error> {
    let Some(distinct) = distinct.downcast_ref::<Distinct<WORDS>>() else { return Ok(()) };
    let emit = |one: u64, other: u64, distance| {
        emit(Pair { a: one.min(other), b: one.max(other), distance });
    };
    SelfJoin::new(distinct.codes(), k)?.pairs(|Pair { a, b, distance }| {
        for one in distinct.docs(a) {
            distinct.docs(b).for_each(|other| emit(one, other, distance));
        }
    })?;
    (0..distinct.len() as u64).into_par_iter().for_each(|rank| {
        let equal = distinct.docs(rank);
        if equal.len() > 1 {
            let first: Vec<_> = equal.enumerate().collect();
            first.into_par_iter().for_each(|(at, one)| {
                distinct.docs(rank).skip(at + 1).for_each(|other| emit(one, other, 0));
            });
        }
    });
    Ok(())
}
