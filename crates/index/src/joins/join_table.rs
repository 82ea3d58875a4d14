//! One table of a self join whose codes do not all fit into memory.
//!
//! Pure: which partition a code belongs to, which tables join a partition that is too large, and the
//! join of what is in memory. The caller keeps the rest meanwhile.

use crate::cross_pair::CrossPair;
use crate::error::Error;
use crate::joins::join::join_by;
use crate::machine::directory::check_ascending;
use crate::machine::kernel::{Kernel, LANES, positions};
use crate::machine::stop::Stop;
use crate::pair::Pair;
use crate::tables::join_tables::JoinTables;
use crate::tables::prefix::Prefix;
use crate::tables::rule::Rule;
use nearprint_bits::{Codes, Fingerprint, Width};
use rayon::prelude::*;
use std::any::Any;
use std::sync::atomic::AtomicBool;

/// Codes of one side that a thread compares with the other side at a time.
const TILE: usize = 256;

/// A table of a self join: the prefix by which it cuts codes into partitions, and the rule that says
/// which pairs it reports.
///
/// A join starts from [`JoinTable::root`], which has no prefix: all codes are in one partition. If too
/// many codes share the whole prefix, the tables of [`JoinTable::within`] join them, one after the
/// other. At any depth, exactly one table reports each pair within the radius, as each table knows the
/// tables before it.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{JoinTable, Pair};
/// use std::sync::Mutex;
///
/// // Too many for memory: one partition of one table after the other.
/// let codes = [0b0000_u64, 0b0001, 0b0111].map(Fingerprint::from);
/// let varying = Fingerprint::from(0b0111_u64);
/// let found = Mutex::new(Vec::new());
/// for table in JoinTable::root(1).within(&varying, 1_000_000) {
///     for key in 0..1 << table.bits() {
///         let partition: Vec<_> =
///             codes.iter().filter(|code| table.key(code) == key).copied().collect();
///         table.pairs(&partition, table.bits(), |pair| {
///             found.lock().unwrap().push((partition[pair.a as usize], partition[pair.b as usize]));
///         })?;
///     }
/// }
/// assert_eq!(found.into_inner().unwrap(), [(codes[0], codes[1])]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.1: permuted tables.
#[derive(Clone, Debug)]
pub struct JoinTable<'a, const WORDS: usize> {
    prefix: Prefix,
    rule: Rule<WORDS>,
    k: u32,
    stop: Option<&'a AtomicBool>,
}

impl<'a, const WORDS: usize> JoinTable<'a, WORDS> {
    /// The table without a prefix, which reports every pair within `k` bits.
    #[must_use]
    pub fn root(k: u32) -> Self {
        Self { prefix: Prefix::new([]), rule: Rule::default(), k, stop: None }
    }

    /// Lets another thread end the join: soon after `stop` is set, [`JoinTable::pairs`] and
    /// [`JoinTable::cross`] return [`Error::Interrupted`], here and in the tables
    /// [within](JoinTable::within) this one.
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The tables that join `codes` codes which share the whole prefix of this table and differ in
    /// the bits set in `varying` only. Each cuts them into smaller partitions, as every prefix holds
    /// bits that vary; a single table of no bits means that comparing everything costs less.
    #[must_use]
    pub fn within(&self, varying: &Fingerprint<WORDS>, codes: usize) -> Vec<Self> {
        let bits = (0..Fingerprint::<WORDS>::BITS).rev().filter(|bit| varying.bit(*bit));
        let plan = JoinTables::join_over(&bits.collect::<Vec<_>>(), WORDS, self.k, codes);
        let mut earlier = self.rule.earlier.clone();
        if plan.tables() == 0 {
            let rule = Rule { own: Fingerprint::ZERO, earlier };
            return vec![Self { prefix: Prefix::new([]), rule, ..*self }];
        }
        let table = |prefix: &Prefix| {
            let rule = Rule { own: prefix.mask(), earlier: earlier.clone() };
            earlier.push(rule.own);
            Self { prefix: prefix.clone(), rule, ..*self }
        };
        plan.prefixes().iter().map(table).collect()
    }

    /// The number of bits of the prefix.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.prefix.bits()
    }

    /// The key of `code`, below `2^bits`: only codes of equal keys make pairs of this table, and a
    /// partition holds the codes that share some of its leading bits.
    #[inline]
    #[must_use]
    pub fn key(&self, code: &Fingerprint<WORDS>) -> usize {
        self.prefix.key(code)
    }

    /// Hands to `emit` every pair of `codes` that this table reports, each once, from the threads of
    /// rayon's current pool and in no order. The pairs name positions in `codes`, whose keys share
    /// their `shared` leading bits.
    ///
    /// Memory: as [`SelfJoin`](crate::joins::join::SelfJoin).
    ///
    /// # Errors
    /// [`Error::NotAscending`] where a code is not above the one before it; [`Error::Interrupted`]:
    /// then `emit` got true pairs, but not all of them.
    pub fn pairs(
        &self,
        codes: &[Fingerprint<WORDS>],
        shared: u32,
        emit: impl Fn(Pair) + Sync,
    ) -> Result<(), Error> {
        check_ascending(codes)?;
        let stop = Stop::on(self.stop);
        let prefix = self.prefix.after(shared);
        join_by(Codes::of(codes), self.k, &prefix, &self.rule, &emit, &stop);
        stop.finish()
    }

    /// Hands to `emit` every pair of one of `codes` and one of `others` that this table reports, each
    /// once, as [`JoinTable::pairs`] does. `query` is the position in `codes`, `doc` the position in
    /// `others`.
    ///
    /// # Complexity
    /// A comparison for each two.
    ///
    /// # Errors
    /// [`Error::Interrupted`], as [`JoinTable::pairs`].
    pub fn cross(
        &self,
        codes: &[Fingerprint<WORDS>],
        others: &[Fingerprint<WORDS>],
        emit: impl Fn(CrossPair) + Sync,
    ) -> Result<(), Error> {
        let stop = Stop::on(self.stop);
        cross((Codes::of(codes), Codes::of(others)), self.k, &self.rule, &emit, &stop);
        stop.finish()
    }
}

/// [`JoinTable::cross`] of codes and others, whose [`Rule`] is `rule`.
fn cross(
    sides: (Codes<'_>, Codes<'_>),
    k: u32,
    rule: &dyn Any,
    emit: &(dyn Fn(CrossPair) + Sync),
    stop: &Stop<'_>,
) {
    match sides.0.width() {
        Width::W64 => cross_at::<1>(sides, k, rule, emit, stop),
        Width::W128 => cross_at::<2>(sides, k, rule, emit, stop),
        Width::W256 => cross_at::<4>(sides, k, rule, emit, stop),
    }
}

fn cross_at<const WORDS: usize>(
    (codes, others): (Codes<'_>, Codes<'_>),
    k: u32,
    rule: &dyn Any,
    emit: &(dyn Fn(CrossPair) + Sync),
    stop: &Stop<'_>,
) {
    let (Some(codes), Some(others)) = (codes.of_width::<WORDS>(), others.of_width()) else {
        return;
    };
    let Some(rule) = rule.downcast_ref::<Rule<WORDS>>() else { return };
    let kernel = Kernel::detect();
    codes.par_chunks(TILE).enumerate().with_max_len(1).for_each(|(tile, codes)| {
        for (doc, other) in others.iter().enumerate() {
            if stop.asked() {
                return;
            }
            for (row, codes) in codes.chunks(LANES).enumerate() {
                for j in positions(kernel.row(other, codes, k)) {
                    if rule.reports(&codes[j], other) {
                        let query = (tile * TILE + row * LANES + j) as u64;
                        let distance = codes[j].distance(other);
                        emit(CrossPair { query, doc: doc as u64, distance });
                    }
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan;
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    fn codes(n: u64) -> Vec<Fingerprint<1>> {
        let word = |i: u64| (i / 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0b111 << (i * 7 % 60);
        let mut codes: Vec<_> = (0..n).map(|i| Fingerprint::from(word(i))).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Joins by two levels of tables, the second in partitions of less than a whole key.
    #[test]
    fn tables_within_tables_report_each_pair_once() {
        let codes = codes(1500);
        let all = Fingerprint::from(u64::MAX);
        for k in [1, 3, 6] {
            let found = Mutex::new(Vec::new());
            for outer in JoinTable::root(k).within(&all, codes.len()) {
                let mut partitions = BTreeMap::<_, Vec<_>>::new();
                for code in &codes {
                    partitions.entry(outer.key(code)).or_default().push(*code);
                }
                for bucket in partitions.values().filter(|bucket| bucket.len() > 1) {
                    for inner in outer.within(&all, 1 << 12) {
                        let shared = inner.bits().min(3);
                        for lead in 0..1 << shared {
                            let inside =
                                |code: &&_| inner.key(code) >> (inner.bits() - shared) == lead;
                            let part: Vec<_> = bucket.iter().filter(inside).copied().collect();
                            let emit = |pair: Pair| {
                                let rank = |at: u64| {
                                    codes
                                        .binary_search(&part[usize::try_from(at).unwrap()])
                                        .unwrap() as u64
                                };
                                let pair = Pair { a: rank(pair.a), b: rank(pair.b), ..pair };
                                found.lock().unwrap().push(pair);
                            };
                            inner.pairs(&part, shared, emit).unwrap();
                        }
                    }
                }
            }
            let mut found = found.into_inner().unwrap();
            found.sort_unstable();
            assert_eq!(found, scan::pairs(&codes, k), "k = {k}");
        }
    }

    #[test]
    fn two_blocks_and_what_is_between_them_are_the_whole() {
        let codes = codes(1200);
        let (one, other) = codes.split_at(500);
        let [table] = &JoinTable::root(30).within(&Fingerprint::from(7_u64), 9)[..] else {
            panic!("tables for a radius that none pays for")
        };
        let found = Mutex::new(Vec::new());
        let add = |a, b, distance| found.lock().unwrap().push(Pair { a, b, distance });
        table.pairs(one, 0, |pair| add(pair.a, pair.b, pair.distance)).unwrap();
        table.pairs(other, 0, |pair| add(pair.a + 500, pair.b + 500, pair.distance)).unwrap();
        table.cross(one, other, |pair| add(pair.query, pair.doc + 500, pair.distance)).unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort_unstable();
        assert_eq!(found, scan::pairs(&codes, 30));
        let error = table.pairs(&[codes[1], codes[0]], 0, |_| ()).unwrap_err();
        assert_eq!(error, Error::NotAscending { position: 1 });
    }
}
