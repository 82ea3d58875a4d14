//! The join of some queries with a stream of codes: tables on the queries, the other side read once.
//!
//! Here is how the stream is cut for threads and caches; the tables are in `query_tables`. The
//! stream is neither kept nor indexed, and may be longer than memory.

use crate::cross_pair::CrossPair;
use crate::error::Error;
use crate::joins::query_tables::{QueryTables, Room};
use crate::machine::directory::{Directory, check_ascending};
use crate::machine::kernel::{Kernel, LANES, positions};
use crate::machine::stop::Stop;
use crate::tables::join_tables::JoinTables;
use nearprint_bits::{Codes, Fingerprint, Width};
use rayon::prelude::*;
use std::any::Any;
use std::sync::atomic::AtomicBool;

/// Streamed codes in one part. A part visits one table after the other.
const PART: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 15;
/// Queries that stay in the first-level cache while a part is compared with them.
const TILE: usize = 1024;

/// Queries that wait for a stream of codes, to find each that is within k bits of one of them.
///
/// Queries are sorted distinct codes, as [`Distinct`](crate::distinct::Distinct) makes them; a pair
/// names a query by its rank. The streamed codes may stand in any order and repeat: each is a document
/// of its own, which a pair names by its ordinal. Every pair comes exactly once, by the
/// first table that sees it, so the join keeps no set of pairs.
///
/// Memory beside the queries: for each table of the plan a copy of the queries and 4 to 10 bytes a
/// query; about one byte a query for the whole. Queries that crowd into few buckets take more, never
/// more than 64 further copies. Of the stream only the chunk that the caller holds.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{CrossPair, StreamJoin};
/// use std::sync::Mutex;
///
/// let queries = [0b0000_u64, 0b0111].map(Fingerprint::from);
/// let join = StreamJoin::new(&queries, 1)?;
/// let found = Mutex::new(Vec::new());
/// let mut first = 0;
/// for chunk in [[0b0001_u64, 0xff], [0b0111, 0b0001]] {
///     let codes = chunk.map(Fingerprint::from);
///     join.chunk(&codes, first, |pair| found.lock().unwrap().push(pair))?;
///     first += codes.len() as u64;
/// }
/// let mut found = found.into_inner().unwrap();
/// found.sort();
/// let pair = |query, doc, distance| CrossPair { query, doc, distance };
/// assert_eq!(found, [pair(0, 0, 1), pair(0, 3, 1), pair(1, 2, 0)]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.3: batch queries, the big file scanned sequentially.
#[derive(Clone, Debug)]
pub struct StreamJoin<'a, const WORDS: usize> {
    queries: &'a [Fingerprint<WORDS>],
    held: Held<WORDS>,
    stop: Option<&'a AtomicBool>,
}

/// What is held of the queries beside them.
#[derive(Clone, Debug)]
struct Held<const WORDS: usize> {
    directory: Directory,
    plan: JoinTables,
    tables: QueryTables<WORDS>,
    kernel: Kernel,
}

impl<'a, const WORDS: usize> StreamJoin<'a, WORDS> {
    /// Builds the tables on `queries`, which ascend without repeating, for a radius of `k` bits.
    /// Runs on rayon's current pool, a table a task.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than the width, [`Error::NotAscending`] where a
    /// query is not above the one before it.
    ///
    /// # Complexity
    /// `O(t n)` for `n` queries and a [`JoinTables`] of `t` tables.
    pub fn new(queries: &'a [Fingerprint<WORDS>], k: u32) -> Result<Self, Error> {
        Self::build(queries, k, None)
    }

    /// As [`StreamJoin::new`], but this call and [`StreamJoin::chunk`] return
    /// [`Error::Interrupted`] soon after another thread sets `stop`.
    ///
    /// # Errors
    /// As [`StreamJoin::new`]; [`Error::Interrupted`].
    pub fn stopped_by(
        queries: &'a [Fingerprint<WORDS>],
        k: u32,
        stop: &'a AtomicBool,
    ) -> Result<Self, Error> {
        Self::build(queries, k, Some(stop))
    }

    fn build(
        queries: &'a [Fingerprint<WORDS>],
        k: u32,
        stop: Option<&'a AtomicBool>,
    ) -> Result<Self, Error> {
        let plan = JoinTables::stream(Fingerprint::<WORDS>::BITS, k, queries.len())?;
        check_ascending(queries)?;
        let tables = QueryTables::new(queries, &plan, &Stop::on(stop))?;
        let (directory, kernel) = (Directory::new(queries), Kernel::detect());
        Ok(Self { queries, held: Held { directory, plan, tables, kernel }, stop })
    }

    /// The tables in use.
    #[must_use]
    pub fn plan(&self) -> &JoinTables {
        &self.held.plan
    }

    /// Hands to `emit` every pair of a query and one of `codes` within the radius, each once, from
    /// the threads of rayon's current pool and in no order. The first of `codes` has the ordinal
    /// `first`, each further one the next.
    ///
    /// Chunks may come in any order and size, from several threads at a time; those of 100 000
    /// codes and more keep caches and threads busy.
    ///
    /// # Complexity
    /// A key and a bit of a filter for each code and table, and a bucket where the filter lets the code
    /// pass; without tables a comparison for each query.
    ///
    /// # Errors
    /// [`Error::Interrupted`]: then `emit` got true pairs, but not all of them.
    pub fn chunk(
        &self,
        codes: &[Fingerprint<WORDS>],
        first: u64,
        emit: impl Fn(CrossPair) + Sync,
    ) -> Result<(), Error> {
        let stop = Stop::on(self.stop);
        let (queries, chunk) = (Codes::of(self.queries), (Codes::of(codes), first));
        join(&self.held, queries, chunk, &emit, &stop);
        stop.finish()
    }
}

/// [`StreamJoin::chunk`] of some codes and the ordinal of the first. `held` is what the [`StreamJoin`] of their width
/// holds.
fn join(
    held: &dyn Any,
    queries: Codes<'_>,
    chunk: (Codes<'_>, u64),
    emit: &(dyn Fn(CrossPair) + Sync),
    stop: &Stop<'_>,
) {
    match queries.width() {
        Width::W64 => join_at::<1>(held, queries, chunk, emit, stop),
        Width::W128 => join_at::<2>(held, queries, chunk, emit, stop),
        Width::W256 => join_at::<4>(held, queries, chunk, emit, stop),
    }
}

fn join_at<const WORDS: usize>(
    held: &dyn Any,
    queries: Codes<'_>,
    (codes, first): (Codes<'_>, u64),
    emit: &(dyn Fn(CrossPair) + Sync),
    stop: &Stop<'_>,
) {
    let Some(held) = held.downcast_ref::<Held<WORDS>>() else { return };
    let (Some(queries), Some(codes)) = (queries.of_width(), codes.of_width()) else { return };
    let share = codes.len().div_ceil(4 * rayon::current_num_threads());
    let part = share.clamp(*PART.start(), *PART.end());
    codes.par_chunks(part).enumerate().with_max_len(1).for_each_init(
        Room::default,
        |room, (index, docs)| {
            let first = first + (index * part) as u64;
            let emit = |query, at: usize, distance| {
                emit(CrossPair { query, doc: first + at as u64, distance });
            };
            if held.plan.tables() == 0 {
                return held.compare(queries, docs, emit, stop);
            }
            let hit = |at: usize, query: &Fingerprint<WORDS>| {
                let rank = held.directory.rank(queries, query) as u64;
                emit(rank, at, query.distance(&docs[at]));
            };
            held.tables.block(docs, room, hit, stop);
        },
    );
}

impl<const WORDS: usize> Held<WORDS> {
    /// Compares all `queries` with all of `docs`, tile by tile.
    fn compare(
        &self,
        queries: &[Fingerprint<WORDS>],
        docs: &[Fingerprint<WORDS>],
        emit: impl Fn(u64, usize, u32),
        stop: &Stop<'_>,
    ) {
        for (tile, queries) in queries.chunks(TILE).enumerate() {
            for (at, doc) in docs.iter().enumerate() {
                if stop.asked() {
                    return;
                }
                for (row, queries) in queries.chunks(LANES).enumerate() {
                    for j in positions(self.kernel.row(doc, queries, self.plan.k())) {
                        let rank = (tile * TILE + row * LANES + j) as u64;
                        emit(rank, at, queries[j].distance(doc));
                    }
                }
            }
        }
    }
}
