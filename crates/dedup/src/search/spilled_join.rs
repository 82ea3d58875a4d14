//! The self join of more documents than memory holds: partitions on disk, joined one by one.
//!
//! Which tables there are, which partition a code belongs to and the join in memory are handled
//! by [`nearprint_index::join_table`]; here is what goes to disk when, and how much comes back.

use crate::error::Error;
use crate::memory::shares;
use crate::memory::spill::{Appender, List, Reader, Spill};
use crate::memory::spilled_sort::{Room, sorted};
use crate::numbers::{entry, index};
use crate::progress::{Progress, Work};
use nearprint_fingerprint::{AnyFingerprint, Fingerprint, Width};
use nearprint_index::{JoinTable, Pair, check_radius};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The smallest budget: sixteen blocks, and a few hundred codes to join at a time.
pub(crate) const LEAST: usize = 64 << 10;
/// With fewer codes than this for each table, comparing all costs less than bringing them to disk
/// and back by every table: 500 comparisons of 0.2 ns against 100 ns. Measured.
const WORTH: usize = 1000;
/// Parts of the work, as they are counted for whoever watches.
const PARTS: f64 = 1e6;

/// A self join within a memory budget.
///
/// It takes documents as a stream of fingerprints and ordinals, and hands out pairs of ordinals
/// while it goes on, each once:
/// - *Equal fingerprints* are one code to the join, however many documents share them. The document
///   of the lowest ordinal stands for them: it makes a pair at distance 0 with each of the others,
///   and the others appear in no further pair. A spike of m equal pages is so m - 1 pairs.
/// - *Near fingerprints* are a pair of the documents that stand for them, at a distance from 1 to k.
///
/// Memory: the budget, plus a few per cent and what the caller keeps. Temporary files hold up to
/// three times the input, more where fingerprints crowd; they have no names and are gone when the
/// join ends, in whatever way.
///
/// # Examples
/// ```
/// use nearprint_dedup::SpilledJoin;
/// use nearprint_fingerprint::{Fingerprint, Width};
/// use nearprint_index::Pair;
/// use std::sync::Mutex;
///
/// let documents = [(7_u64, 10), (0xff, 11), (7, 12), (3, 13)];
/// let entries = documents.map(|(code, ordinal)| Ok((Fingerprint::from(code).into(), ordinal)));
/// let found = Mutex::new(Vec::new());
/// let join = SpilledJoin::new(1, 1 << 20, std::env::temp_dir())?;
/// join.run(Width::W64, &mut entries.into_iter(), &|pair| found.lock().unwrap().push(pair))?;
/// let mut found = found.into_inner().unwrap();
/// found.sort();
/// assert_eq!(found, [Pair { a: 10, b: 12, distance: 0 }, Pair { a: 10, b: 13, distance: 1 }]);
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
///
/// # References
/// - Manku, Jain, Das Sarma, WWW 2007, section 3.1: permuted tables.
/// - Shapiro, "Join processing in database systems with large main memories", TODS 1986:
///   partitions that are split again where they do not fit.
#[derive(Clone, Debug)]
pub struct SpilledJoin {
    k: u32,
    budget: usize,
    dir: PathBuf,
    stop: Arc<AtomicBool>,
    work: Arc<Work>,
}

/// Documents to join: each its fingerprint and its ordinal.
pub type Entries<'a> = dyn Iterator<Item = Result<(AnyFingerprint, u64), Error>> + 'a;

/// What a join went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpilledWork {
    /// Documents read.
    pub documents: u64,
    /// Distinct fingerprints among them.
    pub distinct: u64,
    /// Bytes written to temporary files.
    pub spilled: u64,
}

impl SpilledJoin {
    /// A join within `k` bits that keeps to `budget` bytes of memory and spills to files in `dir`.
    ///
    /// # Errors
    /// [`Error::Budget`] where the budget is below 64 KiB.
    pub fn new(k: u32, budget: usize, dir: impl Into<PathBuf>) -> Result<Self, Error> {
        if budget < LEAST {
            return Err(Error::Budget { given: budget as u64, least: LEAST as u64 });
        }
        Ok(Self { k, budget, dir: dir.into(), stop: Arc::default(), work: Arc::default() })
    }

    /// Lets whoever watches `progress` end the join: [`Self::run`] returns [`Error::Interrupted`]
    /// soon after [`Progress::cancel`]. Tells how far it is.
    #[must_use]
    pub fn stopped_by(self, progress: &Progress) -> Self {
        Self { stop: Arc::clone(progress.stop()), work: Arc::clone(progress.work()), ..self }
    }

    /// Joins the documents of `entries`, whose fingerprints have a width, in any order. `emit`
    /// gets the pairs from all threads of rayon's current pool, in no order; `a` is the lower
    /// ordinal.
    ///
    /// # Errors
    /// `k` over the width, the first error among `entries`, and [`Error::Spill`] where a temporary
    /// file cannot be made, written or read. What was emitted by then are true pairs, but not all.
    ///
    /// # Complexity
    /// One external sort, then each table writes and reads all distinct fingerprints once, more
    /// often where their partitions do not fit.
    pub fn run(
        &self,
        width: Width,
        entries: &mut Entries<'_>,
        emit: &(dyn Fn(Pair) + Sync),
    ) -> Result<SpilledWork, Error> {
        match width {
            Width::W64 => self.run_at::<1>(entries, emit),
            Width::W128 => self.run_at::<2>(entries, emit),
            Width::W256 => self.run_at::<4>(entries, emit),
        }
    }

    fn run_at<const WORDS: usize>(
        &self,
        entries: &mut Entries<'_>,
        emit: &(dyn Fn(Pair) + Sync),
    ) -> Result<SpilledWork, Error> {
        check_radius(self.k, Fingerprint::<WORDS>::BITS)?;
        let mut spill = Spill::new(&self.dir, self.room().block);
        let mut work = SpilledWork::default();
        let (room, block) = (self.room(), self.room().entries::<(Fingerprint<WORDS>, u64)>());
        let mut distinct = Appender::default();
        let mut stands: Option<(Fingerprint<WORDS>, u64)> = None;
        let mut entries = entries.map(|entry| {
            let (code, ordinal) = self.going_on().and(entry)?;
            Ok((code.narrow().unwrap_or_default(), ordinal))
        });
        let mut take = |(code, b): (Fingerprint<WORDS>, u64)| {
            self.going_on()?;
            work.documents += 1;
            if let Some((same, a)) = stands
                && same == code
            {
                emit(Pair { a, b, distance: 0 });
                return Ok(());
            }
            stands = Some((code, b));
            distinct.push((code, b), block, &mut spill)
        };
        let sorting = sorted(&mut entries, room, &self.dir, &mut |entries| {
            entries.iter().copied().try_for_each(&mut take)
        })?;
        let distinct = distinct.finish(&mut spill)?;
        work.distinct = distinct.len() as u64;
        let mut run = Run { join: self, emit, spilled: sorting + spill.len(), done: 0.0 };
        let root = JoinTable::<WORDS>::root(self.k).stopped_by(&self.stop);
        if distinct.len() > self.capacity::<WORDS>() {
            self.work.begin(whole(PARTS));
        }
        run.list(&spill, &distinct, &root, 0, PARTS)?;
        work.spilled = run.spilled;
        Ok(work)
    }

    /// An error where the join was asked to end.
    pub(crate) fn going_on(&self) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Where temporary files go.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Room for its pairs beside it.
    pub(crate) fn room_for_pairs(&self) -> Room {
        Room::within(shares::PAIRS_OF_JOIN.of(self.budget))
    }

    /// A table is cut into as many partitions at most at a time as lists are written side by side.
    fn room(&self) -> Room {
        Room::within(self.budget)
    }

    /// Codes that are joined in memory: each is there with its ordinal, once more while it is cut into
    /// buckets, and once more with its rank where it is in a crowded one.
    fn capacity<const WORDS: usize>(&self) -> usize {
        self.room().bytes / (3 * Fingerprint::<WORDS>::BYTES + 24)
    }
}

/// A join under way.
struct Run<'a> {
    join: &'a SpilledJoin,
    emit: &'a (dyn Fn(Pair) + Sync),
    spilled: u64,
    /// Parts of the work.
    done: f64,
}

/// A stretch of a list in memory: codes ascending, and their ordinals.
struct Loaded<const WORDS: usize> {
    codes: Vec<Fingerprint<WORDS>>,
    ordinals: Vec<u64>,
}

impl Run<'_> {
    /// Joins what is in `list`, whose keys by `table` share their `shared` leading bits: so many `parts` of
    /// the work.
    fn list<const WORDS: usize>(
        &mut self,
        spill: &Spill,
        list: &List,
        table: &JoinTable<'_, WORDS>,
        shared: u32,
        parts: f64,
    ) -> Result<(), Error> {
        self.join.going_on()?;
        let most = self.join.capacity::<WORDS>();
        if list.len() <= most {
            let mut loaded = Loaded::new(list.len());
            loaded.fill(&mut Reader::new(spill, list), list.len())?;
            self.within(&loaded, table, shared)?;
            self.advance(parts);
            return Ok(());
        }
        if shared < table.bits() {
            return self.split(spill, list, table, shared, parts);
        }
        // The key tells no more of them apart: tables over the bits in which they differ do.
        let (mut first, mut varying) = (None, [0; WORDS]);
        spill.for_each(list, |(code, _): (Fingerprint<WORDS>, _)| {
            self.join.going_on()?;
            let words = first.get_or_insert(code).words();
            for ((vary, one), other) in varying.iter_mut().zip(words).zip(code.words()) {
                *vary |= one ^ other;
            }
            Ok(())
        })?;
        let tables = table.within(&Fingerprint::from_words(varying), list.len());
        if list.len() < WORTH * tables.len() || tables.iter().any(|inner| inner.bits() == 0) {
            return self.blocks(spill, list, table, parts);
        }
        let of_table = parts * share(1, tables.len());
        tables.iter().try_for_each(|inner| self.split(spill, list, inner, 0, of_table))
    }

    /// So many more parts of the work are done.
    fn advance(&mut self, parts: f64) {
        self.done += parts;
        self.join.work.reach(whole(self.done));
    }

    /// Cuts `list` into partitions by the bits of the key after those `shared`, and joins each.
    fn split<const WORDS: usize>(
        &mut self,
        spill: &Spill,
        list: &List,
        table: &JoinTable<'_, WORDS>,
        shared: u32,
        of_all: f64,
    ) -> Result<(), Error> {
        // A quarter more than would fit if they were even.
        let wanted = (list.len() / 4 * 5).div_ceil(self.join.capacity::<WORDS>().max(1));
        let most = self.join.room().lists.ilog2().min(table.bits() - shared);
        let bits = wanted.next_power_of_two().ilog2().clamp(1, most.max(1));
        let rest = table.bits() - shared - bits;
        let mut partitions = Vec::new();
        partitions.resize_with(1 << bits, Appender::default);
        let mut parts = Spill::new(&self.join.dir, self.join.room().block);
        let block = self.join.room().entries::<(Fingerprint<WORDS>, u64)>();
        spill.for_each(list, |(code, ordinal): (Fingerprint<WORDS>, u64)| {
            self.join.going_on()?;
            let key = table.key(&code) >> rest & ((1 << bits) - 1);
            partitions[key].push((code, ordinal), block, &mut parts)
        })?;
        let finish = |partition: Appender<_>| partition.finish(&mut parts);
        let partitions = partitions.into_iter().map(finish).collect::<Result<Vec<_>, _>>()?;
        self.spilled += parts.len();
        for partition in &partitions {
            let of_partition = of_all * share(partition.len(), list.len());
            if partition.len() > 1 {
                self.list(&parts, partition, table, shared + bits, of_partition)?;
            } else {
                self.advance(of_partition);
            }
        }
        Ok(())
    }

    /// Joins all of `list`, which share the whole key: each stretch in itself, and by comparison with
    /// all after it.
    fn blocks<const WORDS: usize>(
        &mut self,
        spill: &Spill,
        list: &List,
        table: &JoinTable<'_, WORDS>,
        of_all: f64,
    ) -> Result<(), Error> {
        let most = self.join.capacity::<WORDS>();
        let block = self.join.room().entries::<(Fingerprint<WORDS>, u64)>();
        let (mut one, mut other) = (Loaded::new(most), Loaded::new(block));
        let mut done = 0;
        while done < list.len() {
            let mut reader = Reader::new(spill, list);
            for _ in 0..done {
                reader.next()?;
            }
            one.fill(&mut reader, most)?;
            self.within(&one, table, table.bits())?;
            while other.fill(&mut reader, block)? {
                table.cross(&one.codes, &other.codes, |pair| {
                    self.pair(one.ordinal(pair.query), other.ordinal(pair.doc), pair.distance);
                })?;
            }
            let left = share(list.len() - done, list.len());
            done += one.codes.len();
            let left_now = share(list.len() - done, list.len());
            self.advance(of_all * left.mul_add(left, -left_now * left_now));
        }
        Ok(())
    }

    /// Joins what is in memory.
    fn within<const WORDS: usize>(
        &self,
        loaded: &Loaded<WORDS>,
        table: &JoinTable<'_, WORDS>,
        shared: u32,
    ) -> Result<(), Error> {
        let emit = |pair: Pair| {
            self.pair(loaded.ordinal(pair.a), loaded.ordinal(pair.b), pair.distance);
        };
        Ok(table.pairs(&loaded.codes, shared, emit)?)
    }

    fn pair(&self, one: u64, other: u64, distance: u32) {
        (self.emit)(Pair { a: one.min(other), b: one.max(other), distance });
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share that is shown")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, not below 0")]
fn whole(parts: f64) -> u64 {
    parts.round() as u64
}

impl<const WORDS: usize> Loaded<WORDS> {
    fn new(most: usize) -> Self {
        Self { codes: Vec::with_capacity(most), ordinals: Vec::with_capacity(most) }
    }

    /// Takes the next entries in place of what was there, `most` at most. Whether there were any.
    fn fill(
        &mut self,
        reader: &mut Reader<'_, (Fingerprint<WORDS>, u64)>,
        most: usize,
    ) -> Result<bool, Error> {
        self.codes.clear();
        self.ordinals.clear();
        while self.codes.len() < most
            && let Some((code, ordinal)) = reader.next()?
        {
            self.codes.push(code);
            self.ordinals.push(ordinal);
        }
        Ok(!self.codes.is_empty())
    }

    fn ordinal(&self, position: u64) -> u64 {
        entry(&self.ordinals, index(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::spill::Entry;
    use proptest::prelude::RngExt;
    use proptest::test_runner::{RngAlgorithm, TestRng};
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    type Documents<const W: usize> = Vec<(Fingerprint<W>, u64)>;

    /// `code` with `flips` of its lowest `bits` bits turned over.
    fn flip<const W: usize>(
        random: &mut TestRng,
        code: Fingerprint<W>,
        bits: usize,
        flips: usize,
    ) -> Fingerprint<W> {
        let (mut words, mut left) = (*code.words(), (0..bits).collect::<Vec<_>>());
        for _ in 0..flips.min(bits) {
            let bit = left.swap_remove(random.random_range(0..left.len()));
            words[bit / 64] ^= 1 << (bit % 64);
        }
        Fingerprint::from_words(words)
    }

    /// Documents in no order: even ones, a crowd that differs in a few bits, twins at exactly `k`
    /// and `k + 1`, a cluster, some twice, and a spike of equal ones.
    fn documents<const W: usize>(n: usize, k: u32) -> Documents<W> {
        let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let centre = Fingerprint::from_words(std::array::from_fn(|_| random.random()));
        let mut codes: Vec<Fingerprint<W>> = vec![centre; n / 20];
        while codes.len() < n {
            let code = Fingerprint::from_words(std::array::from_fn(|_| random.random()));
            let again = codes[random.random_range(0..codes.len())];
            let (few, some) = (random.random_range(0..4), random.random_range(0..15));
            codes.extend([code, code, again]);
            codes.push(flip(&mut random, code, 64 * W, k as usize));
            codes.push(flip(&mut random, again, 64 * W, k as usize + 1));
            codes.push(flip(&mut random, centre, 64 * W, few));
            codes.push(flip(&mut random, centre, 14, some));
        }
        let ordinal = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        codes.into_iter().enumerate().map(|(i, code)| (code, ordinal(i))).collect()
    }

    /// What the join promises, by comparing all with all.
    fn scan<const W: usize>(documents: &Documents<W>, k: u32) -> Vec<Pair> {
        let mut groups = BTreeMap::<_, Vec<u64>>::new();
        for (code, ordinal) in documents {
            groups.entry(*code).or_default().push(*ordinal);
        }
        groups.values_mut().for_each(|group| group.sort_unstable());
        let (mut pairs, groups) = (Vec::new(), groups.into_iter().collect::<Vec<_>>());
        for (i, (code, group)) in groups.iter().enumerate() {
            pairs.extend(group[1..].iter().map(|b| Pair { a: group[0], b: *b, distance: 0 }));
            for (other, far) in &groups[i + 1..] {
                let (distance, a, b) = (code.distance(other), group[0], far[0]);
                if distance <= k {
                    pairs.push(Pair { a: a.min(b), b: a.max(b), distance });
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    fn join<const W: usize>(
        documents: &Documents<W>,
        k: u32,
        budget: usize,
        threads: usize,
    ) -> (Vec<Pair>, SpilledWork) {
        let dir = tempfile::tempdir().unwrap();
        let found = Mutex::new(Vec::new());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let work = pool.install(|| {
            let join = SpilledJoin::new(k, budget, dir.path()).unwrap();
            let emit = |pair| found.lock().unwrap().push(pair);
            let mut entries =
                documents.iter().map(|(code, ordinal)| Ok(((*code).into(), *ordinal)));
            join.run(Fingerprint::<W>::width(), &mut entries, &emit).unwrap()
        });
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        let mut found = found.into_inner().unwrap();
        found.sort_unstable();
        (found, work)
    }

    fn check<const W: usize>(n: usize, ks: impl IntoIterator<Item = u32>) {
        for k in ks {
            let documents = documents::<W>(n, k);
            let expected = scan(&documents, k);
            for (budget, threads) in [(LEAST, 1), (LEAST, 3), (100_000, 3), (1 << 26, 3)] {
                let (found, work) = join(&documents, k, budget, threads);
                let (found_len, len) = (found.len(), expected.len());
                assert!(
                    found == expected,
                    "k = {k}, {budget} bytes, {threads} threads: {found_len} pairs, not {len}"
                );
                let least = work.distinct * <(Fingerprint<W>, u64)>::BYTES as u64;
                assert_eq!(work.documents, documents.len() as u64);
                // The least is one copy; many documents go through a sort and a table besides.
                let copies = if budget == LEAST && n > 5000 { 3 } else { 1 };
                assert!(work.spilled >= copies * least, "{k} {budget} {work:?}");
                assert!(budget <= 100_000 || work.spilled == least, "{k} {work:?}");
            }
        }
    }

    #[test]
    fn any_budget_finds_what_the_scan_finds_at_64_bits() {
        check::<1>(9000, [0, 1, 2, 3]);
        check::<1>(2500, (4..=10).chain([24]));
    }

    #[test]
    fn any_budget_finds_what_the_scan_finds_at_128_bits() {
        check::<2>(7000, [0, 1, 3]);
        check::<2>(1500, [2, 4, 6, 8, 10, 40]);
    }

    #[test]
    fn any_budget_finds_what_the_scan_finds_at_256_bits() {
        check::<4>(7000, [0, 1, 3]);
        check::<4>(1000, [2, 5, 7, 9, 10, 90]);
    }

    /// All codes are of one bucket of most tables, and far more than are joined at a time.
    #[test]
    fn crowds_are_joined_by_tables_over_what_differs() {
        let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut crowd = |i| {
            let some = random.random_range(0..22);
            (flip(&mut random, Fingerprint::<1>::ZERO, 22, some), i)
        };
        let documents: Vec<_> = (0..9000).map(&mut crowd).collect();
        for k in [1, 2] {
            assert!(join(&documents, k, LEAST, 2).0 == scan(&documents, k), "k = {k}");
        }
    }

    /// A crowd among even codes fills a bucket of some tables of the first level alone, so it is
    /// joined on disk by tables of a second one, which know those of the first.
    #[test]
    fn crowds_within_a_bucket_are_joined_by_a_second_level_of_tables() {
        let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut document = |i: u64| {
            let word =
                if i.is_multiple_of(2) { random.random() } else { random.random::<u64>() >> 44 };
            (Fingerprint::<1>::from(word), i)
        };
        let documents: Vec<_> = (0..14_000).map(&mut document).collect();
        for k in [1, 2] {
            assert!(join(&documents, k, LEAST, 2).0 == scan(&documents, k), "k = {k}");
        }
    }

    #[test]
    fn a_spike_of_equal_fingerprints_is_one_code() {
        let documents: Vec<_> = (0..50_000).map(|i| (Fingerprint::<1>::ZERO, 50_000 - i)).collect();
        let (found, work) = join(&documents, 3, LEAST, 1);
        assert!(found.iter().map(|pair| (pair.a, pair.b)).eq((2..=50_000).map(|b| (1, b))));
        assert_eq!((work.documents, work.distinct), (50_000, 1));
    }

    #[test]
    fn nothing_and_one_document_have_no_pairs() {
        for n in 0..2 {
            assert_eq!(join(&vec![(Fingerprint::<2>::ZERO, 5); n], 3, LEAST, 1).0, []);
        }
    }

    #[test]
    fn refuses_what_cannot_work_and_says_what_would() {
        let small = SpilledJoin::new(3, 1000, "/tmp").unwrap_err().to_string();
        assert_eq!(
            small,
            "a memory budget of 1 kB is too small for a join; allow at least 65.6 kB"
        );
        let entries = || [Ok((Fingerprint::from(1_u64).into(), 1)), Err(Error::NoText)];
        let dir = tempfile::tempdir().unwrap();
        let run = |k, dir: PathBuf| {
            SpilledJoin::new(k, LEAST, dir)?.run(Width::W64, &mut entries().into_iter(), &|_| ())
        };
        let wide = run(65, dir.path().into()).unwrap_err().to_string();
        assert!(wide.contains("at most 64"), "{wide}");
        assert!(matches!(run(3, dir.path().into()), Err(Error::NoText)));
        let mut many = (0..10_000).map(|at| Ok((Fingerprint::from(at).into(), at)));
        let nowhere = SpilledJoin::new(3, LEAST, dir.path().join("none")).unwrap();
        let nowhere = nowhere.run(Width::W64, &mut many, &|_| ()).unwrap_err();
        assert!(matches!(&nowhere, Error::Spill { dir, .. } if dir.ends_with("none")), "{nowhere}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
