//! Exact Hamming search: which fingerprints are within k bits of a query, or of each other.
//!
//! [`pairs`] and [`Index`] are the front door: one call for all pairs, and one to build an index.
//!
//! # Journeys
//! - Fingerprints to pairs: [`Distinct`] groups equal fingerprints, so that a join sees each once.
//!   [`SelfJoin`] chooses permuted tables ([`JoinTables`]), sorts the codes into the buckets of each
//!   table, and compares within buckets. The first table that sees a pair reports it.
//! - Fingerprints to a file and back: [`Planner`] lists the tables that could serve and what they
//!   cost. [`SegmentBuilder`] writes a segment in the [`Layout`] of one plan, and [`Segment`] reads it
//!   in place: a query visits the buckets around it in every table.
//!
//! # Rooms
//! | room | what it does |
//! |---|---|
//! | root | the front door, pairs and neighbours, and [`scan`]: slow, plain, what all else is tested by |
//! | `segments` | the file: layout, writer, reader, queries |
//! | `planning` | plans of segments and what they cost |
//! | `joins` | joins in memory: [`SelfJoin`], [`JoinTable`], [`StreamJoin`], [`Searcher`] |
//! | `tables` | blocks, families of block sets, permutations, prefixes |
//! | `stats` | how fingerprints are spread: [`BitStatistics`], [`Histogram`], [`Chance`] |
//! | `machine` | kernels, prefetching, partitioning, requests to stop |
//!
//! This crate opens no file and maps no memory: a reader borrows bytes, a writer gets a `Write`.
//!
//! # Examples
//! ```
//! use nearprint_bits::Fingerprint;
//! use nearprint_index::{Distinct, SelfJoin};
//!
//! let documents = [0xff_u64, 0x0f, 0xff, 0x1f].map(Fingerprint::from);
//! let distinct = Distinct::new(&documents);
//! let pairs = SelfJoin::new(distinct.codes(), 1)?.collect()?;
//! let near: Vec<_> = distinct.docs(pairs[0].a).chain(distinct.docs(pairs[0].b)).collect();
//! assert_eq!((pairs.len(), near), (1, vec![1, 3]));
//! # Ok::<(), nearprint_index::Error>(())
//! ```
//!
//! # References
//! Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007.

mod cross_pair;
mod distinct;
mod error;
mod index;
mod joins;
pub mod linear;
mod machine;
mod near_code;
mod neighbor;
mod pair;
mod pairs;
mod planning;
mod radius;
pub mod scan;
mod segments;
mod stats;
mod tables;
mod top;
mod union_find;

pub use cross_pair::CrossPair;
pub use distinct::Distinct;
pub use error::Error;
pub use index::Index;
pub use joins::join::SelfJoin;
pub use joins::join_table::JoinTable;
pub use joins::searcher::Searcher;
pub use joins::stream_join::StreamJoin;
pub use machine::huge_pages::LargePages;
pub use near_code::NearCode;
pub use neighbor::Neighbor;
pub use pair::Pair;
pub use pairs::{Pairing, for_each_pair, pairs};
pub use planning::plan::{Plan, PlannedTable};
pub use planning::planner::{Planner, Purpose, Request};
pub use radius::check_radius;
pub use segments::any_segment::AnySegment;
pub use segments::batch::Means;
pub use segments::footer::ends_as_segment;
pub use segments::found::{AnyMatch, Damage, Match};
pub use segments::layout::{Layout, Scheme};
pub use segments::query::search_all;
pub use segments::segment::Segment;
pub use segments::segment_builder::{Built, EachBlock, SegmentBuilder};
pub use segments::segment_scan::Recheck;
pub use stats::bit_statistics::{BitPair, BitStatistics};
pub use stats::chance::{Chance, Remedy};
pub use stats::histogram::Histogram;
pub use stats::leading_ones::LeadingOnes;
pub use tables::family::Family;
pub use tables::join_tables::JoinTables;
pub use union_find::UnionFind;
