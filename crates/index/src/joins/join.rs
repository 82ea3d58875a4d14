//! The self join: every pair of codes within k bits, each once.
//!
//! Here is the walk from tables to buckets to pairs. `partition` cuts codes into buckets,
//! [`crate::tables::join_tables`] chooses the tables, and `rule` lets each pair come once.

use crate::error::Error;
use crate::joins::pair_list::PairList;
use crate::machine::directory::{Directory, check_ascending};
use crate::machine::kernel::{Kernel, LANES, positions};
use crate::machine::partition::{Partition, part_bits};
use crate::machine::stop::Stop;
use crate::pair::Pair;
use crate::radius::check_radius;
use crate::tables::join_tables::JoinTables;
use crate::tables::prefix::Prefix;
use crate::tables::rule::Rule;
use nearprint_bits::{Codes, Fingerprint};
use rayon::prelude::*;
use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Buckets of up to this many codes are compared side by side, many buckets at a time.
const SMALL: usize = 24;
/// Buckets of more codes than this are joined by tables of their own.
const LARGE: usize = 2048;
/// Rows and columns of a square of comparisons: two of them stay in the first-level cache.
const TILE: usize = 256;
/// The rank of a code that was not looked up yet.
const UNKNOWN: u64 = u64::MAX;

/// A self join of sorted distinct codes, ready to run.
///
/// Positions in the slice are the ranks that the pairs name. The work runs on rayon's current pool;
/// the pairs come from all its threads, in no order, each exactly once: a pair that several tables
/// could see is reported by the first of them, so the join keeps no set of pairs.
///
/// Memory: one more copy of the codes, about one byte a code, and a few megabytes a thread.
///
/// # Complexity
/// For uniform codes `O(t n)` for a [`JoinTables`] of `t` tables. A crowded bucket is joined by tables
/// over the bits in which its codes differ. Codes that are all within the radius cost a comparison a
/// pair.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{Pair, SelfJoin};
///
/// let codes = [0b0000_u64, 0b0001, 0b0111].map(Fingerprint::from);
/// let join = SelfJoin::new(&codes, 1)?;
/// assert_eq!(join.collect()?, [Pair { a: 0, b: 1, distance: 1 }]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// - Manku, Jain, Das Sarma, WWW 2007, section 3: permuted tables.
/// - Tabei, Uno, Sugiyama, Tsuda, "Single versus Multiple Sorting in All Pairs Similarity Search",
///   ACML 2010: multiple sorting and the canonical test that reports a pair once.
#[derive(Clone, Debug)]
pub struct SelfJoin<'a, const WORDS: usize> {
    codes: &'a [Fingerprint<WORDS>],
    plan: JoinTables,
    stop: Option<&'a AtomicBool>,
}

impl<'a, const WORDS: usize> SelfJoin<'a, WORDS> {
    /// Plans the join of `codes`, which ascend without repeating, within `k` bits.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than the width, [`Error::NotAscending`] where a
    /// code is not above the one before it.
    pub fn new(codes: &'a [Fingerprint<WORDS>], k: u32) -> Result<Self, Error> {
        let plan = JoinTables::join(Fingerprint::<WORDS>::BITS, k, codes.len())?;
        check_ascending(codes)?;
        Ok(Self { codes, plan, stop: None })
    }

    /// The join without tables, which compares all codes with each other: the
    /// yardstick of benchmarks. [`SelfJoin::new`] chooses it if nothing is faster.
    ///
    /// # Errors
    /// As [`SelfJoin::new`].
    ///
    /// # Complexity
    /// `n (n - 1) / 2` distances for `n` codes.
    #[doc(hidden)]
    pub fn by_scan(codes: &'a [Fingerprint<WORDS>], k: u32) -> Result<Self, Error> {
        check_radius(k, Fingerprint::<WORDS>::BITS)?;
        check_ascending(codes)?;
        // No bits to key a table by.
        let plan = JoinTables::join_over(&[], WORDS, k, codes.len());
        Ok(Self { codes, plan, stop: None })
    }

    /// The tables that the join will use.
    #[must_use]
    pub fn plan(&self) -> &JoinTables {
        &self.plan
    }

    /// Lets another thread end the join: soon after `stop` is set, the calls below return
    /// [`Error::Interrupted`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint;
    /// use nearprint_index::{Error, SelfJoin};
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let codes = [0b0000_u64, 0b0001].map(Fingerprint::from);
    /// let stop = AtomicBool::new(true);
    /// let join = SelfJoin::new(&codes, 1)?.stopped_by(&stop);
    /// assert_eq!(join.collect(), Err(Error::Interrupted));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Hands every pair to `emit`, each once, from many threads and in no order.
    ///
    /// # Errors
    /// [`Error::Interrupted`]: then `emit` got true pairs, but not all of them.
    pub fn pairs(&self, emit: impl Fn(Pair) + Sync) -> Result<(), Error> {
        self.run(None, &emit, &Stop::on(self.stop))
    }

    /// Hands over the pairs that connect: as [`SelfJoin::pairs`], without pairs whose two sides have
    /// the same `representative` already.
    ///
    /// `representative` maps a rank to the rank that stands for its cluster so far. `emit` must unite the
    /// two sides of the pair. The clusters are the same as from all pairs. The join leaves a bucket after
    /// one look at each code if all of them are in one cluster.
    ///
    /// # Errors
    /// As [`SelfJoin::pairs`].
    pub fn links(
        &self,
        representative: impl Fn(u64) -> u64 + Sync,
        emit: impl Fn(Pair) + Sync,
    ) -> Result<(), Error> {
        self.run(Some(&representative), &emit, &Stop::on(self.stop))
    }

    /// Every pair, by `a`, then by `b`.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn collect(&self) -> Result<Vec<Pair>, Error> {
        let stop = Stop::on(self.stop);
        let found = PairList::new();
        self.run(None, &|pair| found.push(pair), &stop)?;
        found.sorted(self.codes.len(), &stop)
    }

    fn run(
        &self,
        representative: Option<&Representative<'_>>,
        emit: &Emit<'_>,
        stop: &Stop<'_>,
    ) -> Result<(), Error> {
        join(Codes::of(self.codes), &self.plan, representative, emit, stop);
        stop.finish()
    }
}

/// What takes pairs, from many threads.
pub(crate) type Emit<'a> = dyn Fn(Pair) + Sync + 'a;
/// What tells the rank that stands for the cluster of a rank so far.
type Representative<'a> = dyn Fn(u64) -> u64 + Sync + 'a;

/// Joins `codes` by the tables of `plan`. Pairs connect where there is a `representative`.
fn join(
    codes: Codes<'_>,
    plan: &JoinTables,
    representative: Option<&Representative<'_>>,
    emit: &Emit<'_>,
    stop: &Stop<'_>,
) {
    fn at<const WORDS: usize>(run: &Run<'_, WORDS>, plan: &JoinTables) {
        run.join(run.codes, plan, &Rule::default());
    }
    let k = plan.k();
    match codes {
        Codes::W64(codes) => at(&Run::new(codes, k, representative, emit, stop), plan),
        Codes::W128(codes) => at(&Run::new(codes, k, representative, emit, stop), plan),
        Codes::W256(codes) => at(&Run::new(codes, k, representative, emit, stop), plan),
    }
}

/// Hands to `emit` every pair of `codes`, which ascend without repeating, that `rule` reports and
/// whose two sides have the same key by `prefix`. `rule` is the [`Rule`] of their width.
pub(crate) fn join_by(
    codes: Codes<'_>,
    k: u32,
    prefix: &Prefix,
    rule: &dyn Any,
    emit: &Emit<'_>,
    stop: &Stop<'_>,
) {
    fn at<const WORDS: usize>(run: &Run<'_, WORDS>, prefix: &Prefix, rule: &dyn Any) {
        if let Some(rule) = rule.downcast_ref::<Rule<WORDS>>() {
            let prefixes = std::slice::from_ref(prefix);
            run.tables(run.codes, prefixes, &mut Vec::new(), |_| rule.clone());
        }
    }
    match codes {
        Codes::W64(codes) => at(&Run::new(codes, k, None, emit, stop), prefix, rule),
        Codes::W128(codes) => at(&Run::new(codes, k, None, emit, stop), prefix, rule),
        Codes::W256(codes) => at(&Run::new(codes, k, None, emit, stop), prefix, rule),
    }
}

/// Codes to be compared with each other, and the ranks of those that were looked up.
#[derive(Clone, Copy)]
struct Bucket<'a, const WORDS: usize> {
    codes: &'a [Fingerprint<WORDS>],
    ranks: &'a [AtomicU64],
}

/// A join under way.
struct Run<'a, const WORDS: usize> {
    codes: &'a [Fingerprint<WORDS>],
    directory: Directory,
    kernel: Kernel,
    k: u32,
    /// Where only the pairs that connect are asked for.
    representative: Option<&'a Representative<'a>>,
    emit: &'a Emit<'a>,
    stop: &'a Stop<'a>,
}

impl<'a, const WORDS: usize> Run<'a, WORDS> {
    fn new(
        codes: &'a [Fingerprint<WORDS>],
        k: u32,
        representative: Option<&'a Representative<'a>>,
        emit: &'a Emit<'a>,
        stop: &'a Stop<'a>,
    ) -> Self {
        let (directory, kernel) = (Directory::new(codes), Kernel::detect());
        Self { codes, directory, kernel, k, representative, emit, stop }
    }

    /// Joins `codes`, in any order, by the tables of `plan`; `outer` is the rule of the bucket that
    /// they fill.
    fn join(&self, codes: &[Fingerprint<WORDS>], plan: &JoinTables, outer: &Rule<WORDS>) {
        if plan.tables() == 0 {
            let ranks = unknown(codes.len());
            return self.dense(Bucket { codes, ranks: &ranks }, outer);
        }
        let masks: Vec<_> = plan.prefixes().iter().map(Prefix::mask).collect();
        let bits = part_bits::<Fingerprint<WORDS>>(codes.len(), u32::MAX);
        let mut room = Vec::new();
        let mut table = 0;
        // Tables whose keys begin alike share the first step of sorting.
        for alike in plan.prefixes().chunk_by(|a, b| a.first(bits) == b.first(bits)) {
            let first = table;
            table += alike.len();
            self.tables(codes, alike, &mut room, |i| {
                let earlier = [&outer.earlier, &masks[..first + i]].concat();
                Rule { own: masks[first + i], earlier }
            });
        }
    }

    /// Joins `codes` by tables whose keys begin alike, each by its rule.
    fn tables(
        &self,
        codes: &[Fingerprint<WORDS>],
        prefixes: &[Prefix],
        room: &mut Vec<Fingerprint<WORDS>>,
        rule: impl Fn(usize) -> Rule<WORDS>,
    ) {
        let Some(shortest) = prefixes.iter().map(Prefix::bits).min() else { return };
        let bits = part_bits::<Fingerprint<WORDS>>(codes.len(), shortest);
        let first = prefixes[0].first(bits);
        let partition = if codes.is_sorted_by_key(|code| first.key(code)) {
            Partition::of_sorted(codes, bits, |code| first.key(code), self.stop)
        } else {
            let leads = |codes: &[_], keys: &mut _| {
                self.kernel.run(
                    #[inline(always)]
                    || first.keys(codes, keys),
                )
            };
            Partition::new(
                codes.len(),
                |at| codes[at].iter().copied(),
                bits,
                leads,
                room,
                self.stop,
            )
        };
        for (i, prefix) in prefixes.iter().enumerate() {
            let (rest, rule) = (prefix.after(bits), rule(i));
            partition.for_each(
                partition.stateless(),
                rest.bits(),
                |codes, keys| {
                    self.kernel.run(
                        #[inline(always)]
                        || rest.keys(codes, keys),
                    )
                },
                |(), codes, ends| self.part(codes, ends, &rule),
            );
        }
    }

    /// Joins every bucket of a part: `ends` tells where each of them ends.
    fn part(&self, codes: &[Fingerprint<WORDS>], ends: &[usize], rule: &Rule<WORDS>) {
        let ranks = unknown(codes.len());
        let (mut from, mut start, mut largest) = (0, 0, 0);
        for &end in ends {
            if end - start > SMALL {
                self.side_by_side(
                    Bucket { codes, ranks: &ranks }.slice(from, start),
                    largest,
                    rule,
                );
                self.bucket(Bucket { codes, ranks: &ranks }.slice(start, end), rule);
                (from, largest) = (end, 0);
            } else {
                largest = largest.max(end - start);
            }
            start = end;
        }
        self.side_by_side(Bucket { codes, ranks: &ranks }.slice(from, start), largest, rule);
    }

    /// Compares all codes that stand fewer than `largest` places apart, whatever their buckets. The rule
    /// skips two codes of different buckets.
    fn side_by_side(&self, bucket: Bucket<'_, WORDS>, largest: usize, rule: &Rule<WORDS>) {
        let codes = bucket.codes;
        for from in (0..codes.len()).step_by(LANES) {
            if self.stop.asked() {
                return;
            }
            let block = &codes[from..codes.len().min(from + LANES)];
            for lag in 1..largest.min(codes.len() - from) {
                for i in positions(self.kernel.zip(block, &codes[from + lag..], self.k)) {
                    self.hit(bucket, from + i, from + i + lag, rule);
                }
            }
        }
    }

    /// Joins one bucket of some size.
    fn bucket(&self, bucket: Bucket<'_, WORDS>, rule: &Rule<WORDS>) {
        if bucket.codes.len() <= LARGE {
            return self.dense(bucket, rule);
        }
        if self.linked(&[bucket]) {
            return;
        }
        // Each prefix holds bits that vary here, so its buckets are smaller than this one.
        let varying = varying(bucket.codes);
        let plan = JoinTables::join_over(&varying, WORDS, self.k, bucket.codes.len());
        self.join(bucket.codes, &plan, rule);
    }

    /// Compares all codes of the bucket with each other, square by square.
    fn dense(&self, bucket: Bucket<'_, WORDS>, rule: &Rule<WORDS>) {
        let tiles = bucket.codes.len().div_ceil(TILE);
        let row = |row: usize| {
            for column in row..tiles {
                if self.stop.asked() {
                    return;
                }
                self.tile(bucket, row * TILE, column * TILE, rule);
            }
        };
        if bucket.codes.len() <= LARGE {
            (0..tiles).for_each(row);
        } else {
            (0..tiles).into_par_iter().with_max_len(1).for_each(row);
        }
    }

    /// Compares the codes of the tile that starts at `top` with those of the one at `left`, each two
    /// once.
    fn tile(&self, bucket: Bucket<'_, WORDS>, top: usize, left: usize, rule: &Rule<WORDS>) {
        let (bottom, right) =
            (bucket.codes.len().min(top + TILE), bucket.codes.len().min(left + TILE));
        let mut hits = 0;
        for i in top..bottom {
            let first = left.max(i + 1);
            for from in (first..right).step_by(LANES) {
                let row = &bucket.codes[from..right];
                let mask = self.kernel.row(&bucket.codes[i], row, self.k);
                hits += mask.count_ones() as usize;
                positions(mask).for_each(|j| self.hit(bucket, i, from + j, rule));
            }
            // As many hits pay for looking at every code.
            if self.representative.is_some() && hits >= bottom - i + right - left {
                let rows = bucket.slice(i, bottom);
                let columns = bucket.slice(left, right);
                if self.linked(&[rows, columns]) {
                    return;
                }
                hits = 0;
            }
        }
    }

    /// Reports the near codes at `i` and `j` of the bucket if this table is the one to report them.
    #[inline]
    fn hit(&self, bucket: Bucket<'_, WORDS>, i: usize, j: usize, rule: &Rule<WORDS>) {
        let (one, other) = (&bucket.codes[i], &bucket.codes[j]);
        if !rule.reports(one, other) {
            return;
        }
        let (one, other, distance) =
            (self.rank(bucket, i), self.rank(bucket, j), one.distance(other));
        if self.representative.is_none_or(|of| of(one) != of(other)) {
            (self.emit)(Pair { a: one.min(other), b: one.max(other), distance });
        }
    }

    /// The rank of the code at `i` of the bucket, looked up once.
    #[inline]
    fn rank(&self, bucket: Bucket<'_, WORDS>, i: usize) -> u64 {
        let known = bucket.ranks[i].load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let rank = self.directory.rank(self.codes, &bucket.codes[i]) as u64;
        bucket.ranks[i].store(rank, Ordering::Relaxed);
        rank
    }

    /// Whether all codes of the buckets are of one cluster already, and that is all that is asked for.
    fn linked(&self, buckets: &[Bucket<'_, WORDS>]) -> bool {
        let Some(representative) = self.representative else { return false };
        let ranks = buckets.iter().flat_map(|bucket| {
            (0..bucket.codes.len()).map(|i| representative(self.rank(*bucket, i)))
        });
        let mut labels = ranks;
        labels.next().is_none_or(|first| labels.all(|label| label == first && !self.stop.asked()))
    }
}

impl<const WORDS: usize> Bucket<'_, WORDS> {
    fn slice(&self, start: usize, end: usize) -> Self {
        Self { codes: &self.codes[start..end], ranks: &self.ranks[start..end] }
    }
}

/// Ranks of `count` codes, none of them looked up.
fn unknown(count: usize) -> Vec<AtomicU64> {
    std::iter::repeat_with(|| AtomicU64::new(UNKNOWN)).take(count).collect()
}

/// The positions of the bits in which the codes differ, the leading one first.
fn varying<const WORDS: usize>(codes: &[Fingerprint<WORDS>]) -> Vec<u32> {
    let mut differ = [0; WORDS];
    for pair in codes.windows(2) {
        for (word, (a, b)) in differ.iter_mut().zip(pair[0].words().iter().zip(pair[1].words())) {
            *word |= a ^ b;
        }
    }
    let differ = Fingerprint::from_words(differ);
    (0..Fingerprint::<WORDS>::BITS).rev().filter(|bit| differ.bit(*bit)).collect()
}
