//! The front door to the self join: all pairs among fingerprints in memory, in any order, equal ones
//! included. The join of distinct fingerprints is `joins`' work.

use crate::distinct::Distinct;
use crate::error::Error;
use crate::joins::join::SelfJoin;
use crate::joins::pair_list::{PairList, sorted};
use crate::machine::stop::Stop;
use crate::pair::Pair;
use nearprint_bits::{Codes, Fingerprint, Width, at_width};
use rayon::prelude::*;
use std::any::Any;
use std::sync::atomic::AtomicBool;

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
/// [`Error::RadiusOverWidth`] where `k` is more than the width of the codes; [`Error::PairMemory`] where the list has
/// no room.
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
    Pairing::within(k).list_of(&distinct(codes), Fingerprint::<WORDS>::width())
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
    Pairing::within(k).each_of(&distinct(codes), Fingerprint::<WORDS>::width(), &emit)
}

fn distinct<C, const WORDS: usize>(codes: &[C]) -> Distinct<WORDS>
where
    C: Copy + Into<Fingerprint<WORDS>>,
{
    let codes: Vec<Fingerprint<WORDS>> = codes.iter().map(|code| (*code).into()).collect();
    Distinct::new(&codes)
}

/// How all pairs within a radius are looked for: whether equal codes stay folded, and what stops it.
///
/// # Examples
/// ```
/// use nearprint_bits::{Codes, Fingerprint};
/// use nearprint_index::{Error, Pair, Pairing};
/// use std::sync::atomic::AtomicBool;
///
/// let codes = [0xff_u64, 0xfe, 0xff, 0xff].map(Fingerprint::from);
/// let found = Pairing::within(1).folding_equal().list(Codes::of(&codes))?;
/// let places: Vec<_> = found.iter().map(|pair| (pair.a, pair.b)).collect();
/// assert_eq!(places, [(0, 1), (0, 2), (0, 3)]);
///
/// let stop = AtomicBool::new(true);
/// let stopped = Pairing::within(1).stopped_by(&stop).list(Codes::of(&codes));
/// assert_eq!(stopped, Err(Error::Interrupted));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pairing<'a> {
    k: u32,
    fold_equal: bool,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Pairing<'a> {
    /// All pairs of codes that differ in at most `k` bits.
    #[must_use]
    pub const fn within(k: u32) -> Self {
        Self { k, fold_equal: false, stop: None }
    }

    /// The same without most pairs of equal codes: the first is a pair with each of the others, and it alone has pairs
    /// with other codes.
    #[must_use]
    pub const fn folding_equal(self) -> Self {
        Self { fold_equal: true, ..self }
    }

    /// The same, but it ends soon after another thread sets `stop`.
    #[must_use]
    pub const fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The pairs of `codes`, in the order of [`pairs`].
    ///
    /// # Complexity
    /// As [`pairs`].
    ///
    /// # Errors
    /// As [`pairs`]; [`Error::Interrupted`] once it was stopped.
    pub fn list(&self, codes: Codes<'_>) -> Result<Vec<Pair>, Error> {
        let stop = self.stop.unwrap_or(&NEVER);
        at_width!(codes => each, {
            self.list_of(&Distinct::stopped_by(each, stop)?, codes.width())
        })
    }

    /// [`Self::list`] of the documents of a [`Distinct`] of a width.
    fn list_of(&self, distinct: &dyn Any, width: Width) -> Result<Vec<Pair>, Error> {
        match width {
            Width::W64 => self.list_at::<1>(distinct),
            Width::W128 => self.list_at::<2>(distinct),
            Width::W256 => self.list_at::<4>(distinct),
        }
    }

    fn list_at<const WORDS: usize>(&self, distinct: &dyn Any) -> Result<Vec<Pair>, Error> {
        let Some(distinct) = distinct.downcast_ref::<Distinct<WORDS>>() else {
            return Ok(Vec::new());
        };
        let (found, stop) = (PairList::new(), Stop::on(self.stop));
        self.join(distinct)?.pairs(|pair| found.push(pair))?;
        // All pairs are counted before there is one: so too many of them are refused at once.
        let found = found.into_parts();
        let of_near =
            |near: &Pair| self.taken(distinct, near.a).saturating_mul(self.taken(distinct, near.b));
        let of_part = |part: &Vec<Pair>| part.iter().map(of_near).fold(0, u64::saturating_add);
        let near: Vec<u64> = found.par_iter().map(of_part).collect();
        let repeated = || {
            let ranks = 0..distinct.len() as u64;
            let any = distinct.len() < distinct.documents();
            ranks.filter(move |rank| any && distinct.docs(*rank).len() > 1)
        };
        let equal = repeated().map(|rank| self.equal_pairs(distinct.docs(rank).len() as u64));
        let count = near.iter().copied().chain(equal).fold(0, u64::saturating_add);
        let mut pairs = Vec::new();
        let room =
            usize::try_from(count).ok().filter(|count| pairs.try_reserve_exact(*count).is_ok());
        if room.is_none() {
            return Err(Error::PairMemory { pairs: count });
        }
        let sizes: Vec<usize> = near.into_iter().filter_map(|size| size.try_into().ok()).collect();
        pairs.resize(sizes.iter().sum(), Pair { a: 0, b: 0, distance: 0 });
        let (mut places, mut rest) = (Vec::new(), &mut pairs[..]);
        for size in sizes {
            let (own, others) = rest.split_at_mut(size);
            places.push(own);
            rest = others;
        }
        found.into_par_iter().zip(places).for_each(|(part, places)| {
            let mut places = places.iter_mut();
            for near in part {
                if stop.asked() {
                    return;
                }
                self.unfold(distinct, near, &mut |pair| {
                    places.next().into_iter().for_each(|place| *place = pair);
                });
            }
        });
        stop.finish()?;
        for rank in repeated() {
            for at in 0..self.taken(distinct, rank) {
                if stop.asked() {
                    return Err(Error::Interrupted);
                }
                equal_to(distinct, rank, at, &mut |pair| pairs.push(pair));
            }
        }
        sorted(pairs, distinct.documents(), &stop)
    }

    /// Hands every pair of `codes` to `emit`, as [`for_each_pair`] does.
    ///
    /// # Complexity
    /// As [`for_each_pair`].
    ///
    /// # Errors
    /// As [`pairs`]; [`Error::Interrupted`] once it was stopped: then `emit` got true pairs, but not all of them.
    pub fn for_each(&self, codes: Codes<'_>, emit: &(dyn Fn(Pair) + Sync)) -> Result<(), Error> {
        let stop = self.stop.unwrap_or(&NEVER);
        at_width!(codes => each, {
            self.each_of(&Distinct::stopped_by(each, stop)?, codes.width(), emit)
        })
    }

    /// [`Self::for_each`] of the documents of a [`Distinct`] of a width.
    fn each_of(
        &self,
        distinct: &dyn Any,
        width: Width,
        emit: &(dyn Fn(Pair) + Sync),
    ) -> Result<(), Error> {
        match width {
            Width::W64 => self.each_at::<1>(distinct, emit),
            Width::W128 => self.each_at::<2>(distinct, emit),
            Width::W256 => self.each_at::<4>(distinct, emit),
        }
    }

    fn each_at<const WORDS: usize>(
        &self,
        distinct: &dyn Any,
        emit: &(dyn Fn(Pair) + Sync),
    ) -> Result<(), Error> {
        let Some(distinct) = distinct.downcast_ref::<Distinct<WORDS>>() else { return Ok(()) };
        self.join(distinct)?.pairs(|near| self.unfold(distinct, near, &mut |pair| emit(pair)))?;
        let stop = Stop::on(self.stop);
        (0..distinct.len() as u64).into_par_iter().for_each(|rank| {
            if distinct.docs(rank).len() > 1 {
                (0..self.taken(distinct, rank)).into_par_iter().for_each(|at| {
                    if !stop.asked() {
                        equal_to(distinct, rank, at, &mut |pair| emit(pair));
                    }
                });
            }
        });
        stop.finish()
    }

    /// The join of distinct codes.
    fn join<'b, const WORDS: usize>(
        &self,
        distinct: &'b Distinct<WORDS>,
    ) -> Result<SelfJoin<'b, WORDS>, Error>
    where
        'a: 'b,
    {
        let join = SelfJoin::new(distinct.codes(), self.k)?;
        Ok(match self.stop {
            Some(stop) => join.stopped_by(stop),
            None => join,
        })
    }

    /// How many of the documents of a rank have pairs with others.
    fn taken<const WORDS: usize>(&self, distinct: &Distinct<WORDS>, rank: u64) -> u64 {
        let documents = distinct.docs(rank).len() as u64;
        if self.fold_equal { documents.min(1) } else { documents }
    }

    /// The pairs among so many equal documents.
    fn equal_pairs(&self, documents: u64) -> u64 {
        let others = documents.saturating_sub(1);
        if self.fold_equal { others } else { documents.saturating_mul(others) / 2 }
    }

    /// Hands the pairs of the documents of two ranks to `emit`.
    #[inline]
    fn unfold<const WORDS: usize>(
        &self,
        distinct: &Distinct<WORDS>,
        Pair { a, b, distance }: Pair,
        emit: &mut impl FnMut(Pair),
    ) {
        let most = if self.fold_equal { 1 } else { usize::MAX };
        for one in distinct.docs(a).take(most) {
            for other in distinct.docs(b).take(most) {
                emit(Pair { a: one.min(other), b: one.max(other), distance });
            }
        }
    }
}

/// Nothing sets it.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Hands the pairs of the document at a place of a rank with those behind it to `emit`.
fn equal_to<const WORDS: usize>(
    distinct: &Distinct<WORDS>,
    rank: u64,
    at: u64,
    emit: &mut impl FnMut(Pair),
) {
    let mut documents = distinct.docs(rank).skip(usize::try_from(at).unwrap_or(usize::MAX));
    if let Some(a) = documents.next() {
        documents.for_each(|b| emit(Pair { a, b, distance: 0 }));
    }
}
