//! Searching in memory: every code within k bits of a query, by permuted tables of whole codes.
//!
//! The tables are built once and only read. [`crate::joins::join`] joins codes with each other.

use crate::error::Error;
use crate::machine::directory::{Directory, check_ascending};
use crate::machine::kernel::{Kernel, LANES, positions};
use crate::machine::ordinals::Ordinals;
use crate::near_code::NearCode;
use crate::tables::join_tables::JoinTables;
use crate::tables::prefix::{Prefix, agree};
use nearprint_bits::{Codes, Fingerprint};
use rayon::prelude::*;
use std::any::Any;

/// Sorted distinct codes and the permuted tables that answer which of them are near a query.
///
/// `C` holds the codes: a slice, a vector, or another owner that lends them. The position of a code in it is
/// the code's rank, and answers name it.
///
/// Memory beside the codes: for each table of the plan one copy of the codes and a few bytes a
/// code; about one byte a code for the whole. A plan without tables keeps nothing and compares the
/// query with every code.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::Searcher;
///
/// let codes = [0b0000_u64, 0b0001, 0b0111].map(Fingerprint::from);
/// let searcher = Searcher::new(codes, 3)?;
/// let near = searcher.neighbors(&Fingerprint::from(0b0001_u64), 1)?;
/// let found: Vec<_> = near.iter().map(|near| (near.position, near.distance)).collect();
/// assert_eq!(found, [(1, 0), (0, 1)]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.1: permuted tables, probed by prefix.
#[derive(Clone, Debug)]
pub struct Searcher<C, const WORDS: usize> {
    codes: C,
    directory: Directory,
    plan: JoinTables,
    tables: Vec<Table<WORDS>>,
    kernel: Kernel,
}

/// The codes bucket by bucket.
#[derive(Clone, Debug)]
struct Table<const WORDS: usize> {
    mask: Fingerprint<WORDS>,
    codes: Vec<Fingerprint<WORDS>>,
    /// Where each bucket starts, and the end of the last.
    starts: Ordinals,
}

impl<C: AsRef<[Fingerprint<WORDS>]>, const WORDS: usize> Searcher<C, WORDS> {
    /// Builds the tables over `codes`, which ascend without repeating, for radii up to `k`. Runs on
    /// rayon's current pool, a table a task.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than the width, [`Error::NotAscending`] where a
    /// code is not above the one before it.
    ///
    /// # Complexity
    /// `O(t n)` for a [`JoinTables`] of `t` tables.
    pub fn new(codes: C, k: u32) -> Result<Self, Error> {
        let sorted = codes.as_ref();
        let plan = JoinTables::search(Fingerprint::<WORDS>::BITS, k, sorted.len())?;
        check_ascending(sorted)?;
        let mut tables = Vec::<Table<WORDS>>::new();
        build(Codes::of(sorted), &plan, &mut tables);
        let directory = Directory::new(sorted);
        Ok(Self { directory, plan, tables, kernel: Kernel::detect(), codes })
    }

    /// The codes.
    #[must_use]
    pub fn codes(&self) -> &[Fingerprint<WORDS>] {
        self.codes.as_ref()
    }

    /// The owner of the codes.
    #[must_use]
    pub fn holder(&self) -> &C {
        &self.codes
    }

    /// The tables in use, and the largest radius that they answer.
    #[must_use]
    pub fn plan(&self) -> &JoinTables {
        &self.plan
    }

    /// Every code within `k` bits of `query`, nearest first, then by rank.
    ///
    /// # Errors
    /// [`Error::RadiusOverTables`] where `k` is more than the tables were built for.
    ///
    /// # Complexity
    /// One bucket a table: for uniform codes `n / 2^p` comparisons where the prefix has `p` bits.
    pub fn neighbors(&self, query: &Fingerprint<WORDS>, k: u32) -> Result<Vec<NearCode>, Error> {
        if k > self.plan.k() {
            return Err(Error::RadiusOverTables { k, built: self.plan.k() });
        }
        let mut near = Vec::new();
        if self.tables.is_empty() {
            for (position, code) in self.within(self.codes(), query, k) {
                near.push(NearCode { position, distance: code.distance(query) });
            }
        }
        for (earlier, (table, prefix)) in self.tables.iter().zip(self.plan.prefixes()).enumerate() {
            for (_, code) in self.within(table.bucket(prefix.key(query)), query, k) {
                // The first table that sees a code reports it.
                if !self.tables[..earlier].iter().any(|table| agree(code, query, &table.mask)) {
                    let position = self.directory.rank(self.codes(), code);
                    near.push(NearCode { position, distance: code.distance(query) });
                }
            }
        }
        near.sort_unstable_by_key(NearCode::nearness);
        Ok(near)
    }

    /// The codes of a bucket that are within `k` bits of `query`, with their positions.
    fn within<'a>(
        &self,
        bucket: &'a [Fingerprint<WORDS>],
        query: &Fingerprint<WORDS>,
        k: u32,
    ) -> impl Iterator<Item = (usize, &'a Fingerprint<WORDS>)> {
        bucket.chunks(LANES).enumerate().flat_map(move |(chunk, codes)| {
            positions(self.kernel.row(query, codes, k)).map(move |j| (chunk * LANES + j, &codes[j]))
        })
    }
}

/// Puts the tables of `plan` over `sorted` into `tables`, a list of [`Table`]s of their width.
fn build(sorted: Codes<'_>, plan: &JoinTables, tables: &mut dyn Any) {
    fn at<const WORDS: usize>(
        sorted: &[Fingerprint<WORDS>],
        plan: &JoinTables,
        tables: &mut dyn Any,
    ) {
        if let Some(tables) = tables.downcast_mut() {
            let table = |prefix| Table::new(sorted, prefix);
            *tables = plan.prefixes().par_iter().map(table).collect::<Vec<_>>();
        }
    }
    match sorted {
        Codes::W64(sorted) => at(sorted, plan, tables),
        Codes::W128(sorted) => at(sorted, plan, tables),
        Codes::W256(sorted) => at(sorted, plan, tables),
    }
}

impl<const WORDS: usize> Table<WORDS> {
    fn new(sorted: &[Fingerprint<WORDS>], prefix: &Prefix) -> Self {
        let mut starts = vec![0; (1 << prefix.bits()) + 1];
        sorted.iter().for_each(|code| starts[prefix.key(code) + 1] += 1);
        for bucket in 1..starts.len() {
            starts[bucket] += starts[bucket - 1];
        }
        let mut next = starts.clone();
        let mut codes = vec![Fingerprint::ZERO; sorted.len()];
        for code in sorted {
            let at = &mut next[prefix.key(code)];
            codes[*at] = *code;
            *at += 1;
        }
        Self { mask: prefix.mask(), codes, starts: Ordinals::new(sorted.len(), starts.into_iter()) }
    }

    fn bucket(&self, key: usize) -> &[Fingerprint<WORDS>] {
        &self.codes[self.starts.get(key)..self.starts.get(key + 1)]
    }
}
