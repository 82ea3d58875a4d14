//! A segment without its tables: queries compared with everything, and a sample of answers checked
//! against that.

use crate::error::Error;
use crate::machine::kernel::{Kernel, LANES, positions};
use crate::radius::check_radius;
use crate::segments::batch::Means;
use crate::segments::found::{AnyMatch, Match};
use crate::segments::segment::{OfAnyWidth, Opened, Segment, suffix};
use crate::segments::walk::low_distance;
use nearprint_bits::{Codes, Fingerprint, Width, mix64};
use std::ops::ControlFlow;

/// Queries that a scan compares one by one.
const FEW: usize = 4;

/// What a [`Segment::recheck`] looked at.
///
/// # Examples
/// ```
/// use nearprint_index::Index;
///
/// let index = Index::build(&[0b0000_u64, 0b0111], 3)?;
/// let checked = index.segment().recheck(10, 1)?;
/// assert!(checked.queries == 10 && checked.found >= 10);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recheck {
    /// Queries asked, by the tables and by the scan.
    pub queries: usize,
    /// Documents found, the same by both; of a segment without ids, fingerprints.
    pub found: u64,
}

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// As [`Self::search`], for any radius and without the tables.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`]; [`Error::Corrupt`] on damage.
    ///
    /// # Complexity
    /// `n m` distances for `n` fingerprints and `m` queries. A few queries compare the half of each fingerprint that
    /// needs no decoding first; more of them share the decoding: ask some hundreds at a time.
    pub fn scan(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        mut visit: impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        scan(self.of_any_width(), Codes::of(queries), k, &mut |near| visit(near.into()))
    }

    /// Asks about `sample` of the stored fingerprints, each with up to `k` of its bits turned over,
    /// by the tables and by the scan, and compares. `seed` chooses them. Without tables the scan is asked one by one
    /// and together, which different code answers.
    ///
    /// # Errors
    /// [`Error::Contradiction`] where the answers differ; [`Error::Corrupt`] on other damage.
    ///
    /// # Complexity
    /// Two goings through the fingerprints, with `sample` distances for each.
    pub fn recheck(&self, sample: usize, seed: u64) -> Result<Recheck, Error> {
        recheck(self.of_any_width(), Fingerprint::<WORDS>::width(), sample, seed)
    }
}

/// [`Segment::scan`] of whichever width.
fn scan(
    segment: OfAnyWidth<'_>,
    queries: Codes<'_>,
    k: u32,
    visit: &mut dyn FnMut(AnyMatch) -> ControlFlow<()>,
) -> Result<(), Error> {
    fn at<const WORDS: usize>(
        segment: Option<Opened<'_, WORDS>>,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        visit: &mut dyn FnMut(AnyMatch) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut visit = |near: Match<WORDS>| visit(near.into());
        segment.map_or(Ok(()), |segment| segment.scan(queries, k, &mut visit))
    }
    match queries {
        Codes::W64(queries) => at(segment.of_width(), queries, k, visit),
        Codes::W128(queries) => at(segment.of_width(), queries, k, visit),
        Codes::W256(queries) => at(segment.of_width(), queries, k, visit),
    }
}

/// [`Segment::recheck`] of whichever width.
fn recheck(
    segment: OfAnyWidth<'_>,
    width: Width,
    sample: usize,
    seed: u64,
) -> Result<Recheck, Error> {
    fn at<const WORDS: usize>(
        segment: Option<Opened<'_, WORDS>>,
        sample: usize,
        seed: u64,
    ) -> Result<Recheck, Error> {
        let none = Recheck { queries: 0, found: 0 };
        segment.map_or(Ok(none), |segment| segment.recheck(sample, seed))
    }
    match width {
        Width::W64 => at::<1>(segment.of_width(), sample, seed),
        Width::W128 => at::<2>(segment.of_width(), sample, seed),
        Width::W256 => at::<4>(segment.of_width(), sample, seed),
    }
}

impl<const WORDS: usize> Opened<'_, WORDS> {
    /// [`Segment::scan`].
    pub(crate) fn scan(
        self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        visit: &mut dyn FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        check_radius(k, Fingerprint::<WORDS>::BITS)?;
        let kernel = Kernel::detect();
        if queries.len() <= FEW {
            for (number, query) in queries.iter().enumerate() {
                let scan = || self.scan_one(query, number, k, visit);
                if kernel.run(scan)?.is_break() {
                    break;
                }
            }
            return Ok(());
        }
        for (position, code) in (0..).zip(self.fingerprints(0)) {
            let fingerprint = code?;
            for (row, lanes) in queries.chunks(LANES).enumerate() {
                for lane in positions(kernel.row(&fingerprint, lanes, k)) {
                    let Some(query) = lanes.get(lane) else { continue };
                    let distance = fingerprint.distance(query);
                    let query = row * LANES + lane;
                    let position = Some(position);
                    if visit(Match { query, fingerprint, distance, position }).is_break() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares one query with everything. Inlined where the kernel's instructions are on.
    #[inline(always)]
    fn scan_one(
        self,
        query: &Fingerprint<WORDS>,
        number: usize,
        k: u32,
        visit: &mut dyn FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let Some(table) = self.tables.first() else { return Ok(ControlFlow::Continue(())) };
        let (view, code) = (self.view(table)?, &table.layout.code);
        let words = table.layout.permutation.apply(query);
        let (mut bucket, mut end) = (0, view.bucket(0)?.end);
        for (position, low) in view.all().chunks_exact(view.suffix_bytes).enumerate() {
            if low_distance(low, &words) > k {
                continue;
            }
            while position >= end {
                bucket += 1;
                end = view.bucket(bucket)?.end;
            }
            let bytes = self.suffixes(table, &(position..position + 1));
            let mut key =
                suffix(bytes, 0, &table.suffix_mask).ok_or(Error::Corrupt { what: "a table" })?;
            if let Some(top) = key.last_mut() {
                *top |= u64::from(bucket) << (64 - code.bucket_bits());
            }
            let found = table.permuted(key);
            let ones = |(a, b): (&u64, &u64)| (a ^ b).count_ones();
            let distance = found.iter().zip(&words).map(ones).sum::<u32>();
            if distance <= k {
                let fingerprint = table.layout.permutation.invert(&found);
                let position = Some(position as u64);
                let near = Match { query: number, fingerprint, distance, position };
                if visit(near).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// [`Segment::recheck`].
    fn recheck(self, sample: usize, seed: u64) -> Result<Recheck, Error> {
        let k = self.layout().k();
        let mut random = seed;
        let mut next = move |bound: u64| {
            random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix64(random) % bound.max(1)
        };
        let mut places: Vec<u64> = (0..sample).map(|_| next(self.footer.fingerprints)).collect();
        places.sort_unstable();
        let mut places = places.into_iter().peekable();
        let mut queries = Vec::new();
        for (place, code) in (0..).zip(self.fingerprints(0)) {
            let code = code?;
            while places.next_if_eq(&place).is_some() {
                let mut words = *code.words();
                for _ in 0..next(u64::from(k) + 1) {
                    let bit = next(u64::from(Fingerprint::<WORDS>::BITS));
                    if let Some(word) = words.get_mut((bit / 64) as usize) {
                        *word ^= 1 << (bit % 64);
                    }
                }
                queries.push(Fingerprint::from_words(words));
            }
            if places.peek().is_none() {
                break;
            }
        }
        let all = queries.len().max(1);
        let share = if self.layout().is_scan() { 1 } else { all };
        let found = if self.needs_ids().is_ok() {
            let answer = |queries: &[_], means| self.batch(queries, k, None, means);
            let answers = |share, means| in_shares(&queries, share, |some| answer(some, means));
            agreed(answers(share, Means::Tables)?, answers(all, Means::Scan)?)?
        } else {
            let answer = |queries: &[_], means| -> Result<Vec<_>, Error> {
                let near = self.matches(queries, k, None, means)?;
                let told = |near: Vec<Match<WORDS>>| -> Vec<_> {
                    near.iter().map(|near| (near.fingerprint, near.distance)).collect()
                };
                Ok(near.into_iter().map(told).collect())
            };
            let answers = |share, means| in_shares(&queries, share, |some| answer(some, means));
            agreed(answers(share, Means::Tables)?, answers(all, Means::Scan)?)?
        };
        Ok(Recheck { queries: queries.len(), found })
    }
}

/// The answers to all queries, `share` of them asked at a time.
fn in_shares<Q, T>(
    queries: &[Q],
    share: usize,
    answer: impl Fn(&[Q]) -> Result<Vec<Vec<T>>, Error>,
) -> Result<Vec<Vec<T>>, Error> {
    let mut answers = Vec::with_capacity(queries.len());
    for some in queries.chunks(share) {
        answers.extend(answer(some)?);
    }
    Ok(answers)
}

/// How many answers there are, if both means gave the same.
fn agreed<T: PartialEq>(tables: Vec<Vec<T>>, scan: Vec<Vec<T>>) -> Result<u64, Error> {
    if tables != scan {
        return Err(Error::Contradiction);
    }
    Ok(tables.iter().map(|near| near.len() as u64).sum())
}
