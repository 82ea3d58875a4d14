//! The tables of a streamed join: queries by prefix. Each streamed code looks into them once.
//!
//! Here are a table, its filter and the walk of a block of streamed codes through all tables.
//! [`crate::joins::stream_join`] cuts the stream.

use crate::error::Error;
use crate::machine::kernel::{Kernel, LANES, positions};
use crate::machine::ordinals::Ordinals;
use crate::machine::prefetch::prefetch;
use crate::machine::stop::Stop;
use crate::tables::join_tables::JoinTables;
use crate::tables::prefix::Prefix;
use crate::tables::rule::Rule;
use nearprint_bits::{Codes, Fingerprint};
use rayon::prelude::*;
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Codes that are looked up together, so that their cache lines load at the same time.
const BLOCK: usize = 128;
/// Buckets of up to this many queries are compared one by one.
const SMALL: usize = 12;
/// Buckets of more queries than this get tables of their own.
const LARGE: usize = 1024;
/// Queries that go into a table between two looks at the request to stop.
const TURN: usize = 1 << 14;
/// Tables of crowded buckets hold this many copies of the queries at most.
const COPIES: usize = 64;

/// The tables on some queries.
#[derive(Clone, Debug)]
pub(crate) struct QueryTables<const WORDS: usize> {
    tables: Vec<Table<WORDS>>,
    kernel: Kernel,
    k: u32,
}

/// The queries bucket by bucket.
#[derive(Clone, Debug)]
struct Table<const WORDS: usize> {
    prefix: Prefix,
    rule: Rule<WORDS>,
    /// A bit for each key: whether some query has it.
    filter: Vec<u64>,
    /// A bucket is a key without so many of its last bits.
    coarse: u32,
    codes: Vec<Fingerprint<WORDS>>,
    /// Where each bucket starts, and the end of the last.
    starts: Ordinals,
    /// The tables of crowded buckets, by bucket.
    crowded: Vec<(usize, QueryTables<WORDS>)>,
}

/// Room for the keys of a block, kept from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Room {
    keys: Vec<u32>,
    passing: Vec<u32>,
}

impl<const WORDS: usize> QueryTables<WORDS> {
    /// The tables of `plan` on `queries`, which do not repeat. Runs on rayon's current pool.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn new(
        queries: &[Fingerprint<WORDS>],
        plan: &JoinTables,
        stop: &Stop<'_>,
    ) -> Result<Self, Error> {
        let mut tables = Self { tables: Vec::new(), kernel: Kernel::detect(), k: plan.k() };
        build(Codes::of(queries), plan, &mut tables, stop);
        stop.finish()?;
        Ok(tables)
    }

    /// `outer` is the rule of the bucket that the queries fill, `copies` tells how many more of
    /// them crowded buckets may take. After a `stop` the tables are not whole.
    fn build(
        queries: &[Fingerprint<WORDS>],
        plan: &JoinTables,
        outer: &Rule<WORDS>,
        copies: &AtomicUsize,
        stop: &Stop<'_>,
    ) -> Self {
        let masks: Vec<_> = plan.prefixes().iter().map(Prefix::mask).collect();
        let table = |(i, prefix): (usize, &Prefix)| {
            let own = std::array::from_fn(|w| outer.own.words()[w] | masks[i].words()[w]);
            let earlier = [&outer.earlier, &masks[..i]].concat();
            let rule = Rule { own: Fingerprint::from_words(own), earlier };
            Table::new(queries, plan.k(), prefix, rule, copies, stop)
        };
        let tables = plan.prefixes().par_iter().enumerate().map(table).collect();
        Self { tables, kernel: Kernel::detect(), k: plan.k() }
    }

    /// Hands to `hit` the position of every one of `docs` with every query that is near it, once.
    pub(crate) fn block(
        &self,
        docs: &[Fingerprint<WORDS>],
        room: &mut Room,
        hit: impl Fn(usize, &Fingerprint<WORDS>),
        stop: &Stop<'_>,
    ) {
        for table in &self.tables {
            self.kernel.run(
                #[inline(always)]
                || table.filter(docs, room),
            );
            self.kernel.run(
                #[inline(always)]
                || self.probe(table, docs, room, &hit, stop),
            );
        }
    }

    /// Looks up the codes that passed the filter of `table`.
    #[inline(always)]
    fn probe(
        &self,
        table: &Table<WORDS>,
        docs: &[Fingerprint<WORDS>],
        room: &Room,
        hit: &impl Fn(usize, &Fingerprint<WORDS>),
        stop: &Stop<'_>,
    ) {
        for passing in room.passing.chunks(BLOCK) {
            let bucket = |doc: &u32| room.keys[*doc as usize] as usize >> table.coarse;
            for doc in passing {
                table.starts.prefetch(bucket(doc));
            }
            let mut ranges = [(0, 0); BLOCK];
            for (range, doc) in ranges.iter_mut().zip(passing) {
                let bucket = bucket(doc);
                *range = (table.starts.get(bucket), table.starts.get(bucket + 1));
                prefetch(&table.codes, range.0);
            }
            for ((start, end), doc) in ranges.into_iter().zip(passing) {
                let (at, queries) = (*doc as usize, &table.codes[start..end]);
                if queries.len() <= SMALL {
                    for query in queries {
                        if query.distance(&docs[at]) <= self.k
                            && table.rule.reports(query, &docs[at])
                        {
                            hit(at, query);
                        }
                    }
                } else {
                    let hit = &mut |query: &_| hit(at, query);
                    self.bucket(table, bucket(doc), queries, &docs[at], hit, stop);
                }
            }
        }
    }

    /// Compares `doc` with a bucket of some size.
    fn bucket(
        &self,
        table: &Table<WORDS>,
        bucket: usize,
        queries: &[Fingerprint<WORDS>],
        doc: &Fingerprint<WORDS>,
        hit: &mut dyn FnMut(&Fingerprint<WORDS>),
        stop: &Stop<'_>,
    ) {
        if stop.asked() {
            return;
        }
        if let Ok(at) = table.crowded.binary_search_by_key(&bucket, |crowded| crowded.0) {
            return table.crowded[at].1.one(doc, hit, stop);
        }
        for row in queries.chunks(LANES) {
            for j in positions(self.kernel.row(doc, row, self.k)) {
                if table.rule.reports(&row[j], doc) {
                    hit(&row[j]);
                }
            }
        }
    }

    /// Looks up one code in every table.
    fn one(
        &self,
        doc: &Fingerprint<WORDS>,
        hit: &mut dyn FnMut(&Fingerprint<WORDS>),
        stop: &Stop<'_>,
    ) {
        for table in &self.tables {
            let key = table.prefix.key(doc);
            if table.has(key) {
                let bucket = key >> table.coarse;
                let range = table.starts.get(bucket)..table.starts.get(bucket + 1);
                self.bucket(table, bucket, &table.codes[range], doc, hit, stop);
            }
        }
    }
}

/// Puts the tables of `plan` on `queries` into `tables`, the [`QueryTables`] of their width.
fn build(queries: Codes<'_>, plan: &JoinTables, tables: &mut dyn Any, stop: &Stop<'_>) {
    fn at<const WORDS: usize>(
        queries: &[Fingerprint<WORDS>],
        plan: &JoinTables,
        tables: &mut dyn Any,
        stop: &Stop<'_>,
    ) {
        let copies = AtomicUsize::new(queries.len().saturating_mul(COPIES));
        if let Some(tables) = tables.downcast_mut() {
            *tables = QueryTables::build(queries, plan, &Rule::default(), &copies, stop);
        }
    }
    match queries {
        Codes::W64(queries) => at(queries, plan, tables, stop),
        Codes::W128(queries) => at(queries, plan, tables, stop),
        Codes::W256(queries) => at(queries, plan, tables, stop),
    }
}

impl<const WORDS: usize> Table<WORDS> {
    fn new(
        queries: &[Fingerprint<WORDS>],
        k: u32,
        prefix: &Prefix,
        rule: Rule<WORDS>,
        copies: &AtomicUsize,
        stop: &Stop<'_>,
    ) -> Self {
        let coarse = prefix.bits().saturating_sub(queries.len().max(1).ilog2());
        let buckets = 1_usize << (prefix.bits() - coarse);
        let mut filter = vec![0; (1_usize << prefix.bits()).div_ceil(64)];
        let mut ends = vec![0; buckets + 1];
        let going_on = |_: &&[_]| !stop.asked();
        for query in queries.chunks(TURN).take_while(going_on).flatten() {
            let key = prefix.key(query);
            filter[key / 64] |= 1 << (key % 64);
            ends[(key >> coarse) + 1] += 1;
        }
        for bucket in 1..ends.len() {
            ends[bucket] += ends[bucket - 1];
        }
        let starts = Ordinals::new(queries.len(), ends.iter().copied());
        let mut codes = vec![Fingerprint::ZERO; queries.len()];
        for query in queries.chunks(TURN).take_while(going_on).flatten() {
            let at = &mut ends[prefix.key(query) >> coarse];
            codes[*at] = *query;
            *at += 1;
        }
        let crowded = (0..buckets)
            .filter_map(|bucket| {
                let bucket_codes = &codes[starts.get(bucket)..starts.get(bucket + 1)];
                Some((bucket, crowded(bucket_codes, k, &rule, copies, stop)?))
            })
            .collect();
        Self { prefix: prefix.clone(), rule, filter, coarse, codes, starts, crowded }
    }

    /// Leaves in `room` the keys of `docs`, and the positions of those that some query shares.
    #[inline(always)]
    fn filter(&self, docs: &[Fingerprint<WORDS>], room: &mut Room) {
        self.prefix.keys(docs, &mut room.keys);
        room.passing.resize(docs.len(), 0);
        let mut passing = 0;
        for (at, key) in (0_u32..).zip(&room.keys) {
            room.passing[passing] = at;
            passing += usize::from(self.has(*key as usize));
        }
        room.passing.truncate(passing);
    }

    /// Whether some query has the key.
    #[inline(always)]
    fn has(&self, key: usize) -> bool {
        self.filter[key / 64] >> (key % 64) & 1 == 1
    }
}

/// The tables of a crowded bucket, if they pay and there is room for them. They tell its codes
/// apart by bits that vary among them, so each of their buckets is smaller than this one.
fn crowded<const WORDS: usize>(
    bucket: &[Fingerprint<WORDS>],
    k: u32,
    rule: &Rule<WORDS>,
    copies: &AtomicUsize,
    stop: &Stop<'_>,
) -> Option<QueryTables<WORDS>> {
    if bucket.len() <= LARGE || stop.asked() {
        return None;
    }
    let plan = JoinTables::stream_over(&varying(bucket), WORDS, k, bucket.len());
    let needed = bucket.len() * plan.tables();
    let take = |left: usize| left.checked_sub(needed);
    let room = copies.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok();
    (plan.tables() > 0 && room).then(|| QueryTables::build(bucket, &plan, rule, copies, stop))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Crowded buckets within crowded buckets: all codes of each level share most of their bits.
    fn nested() -> Vec<Fingerprint<1>> {
        let word = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let level = |level: u32| (0..4000).map(move |i| word(i) >> (12 * level + 8));
        let mut codes: Vec<_> = (0..4).flat_map(level).map(Fingerprint::from).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    fn copies(tables: &QueryTables<1>) -> usize {
        let inner = |table: &Table<1>| table.crowded.iter().map(|(_, t)| copies(t)).sum::<usize>();
        tables.tables.iter().map(|table| table.codes.len() + inner(table)).sum()
    }

    #[test]
    fn crowded_buckets_get_tables_of_their_own_while_there_is_room() {
        let codes = nested();
        let plan = JoinTables::stream(64, 3, codes.len()).unwrap();
        let tables = QueryTables::new(&codes, &plan, &Stop::default()).unwrap();
        let (outer, all) = (plan.tables() * codes.len(), copies(&tables));
        assert!(all > outer && all <= outer + COPIES * codes.len(), "{outer} {all}");
        let tight = AtomicUsize::new(codes.len());
        let tables = QueryTables::build(&codes, &plan, &Rule::default(), &tight, &Stop::default());
        assert!((1..=codes.len()).contains(&(copies(&tables) - outer)));
    }
}
