//! Exact Hamming search: which fingerprints are within k bits of a query, or of each other.
//!
//! - [`distinct`] groups documents by equal fingerprint; everything after it sees each once.
//! - [`join`] finds every pair of distinct fingerprints within the radius, each exactly once.
//! - [`join_table`] does so a partition at a time, where the codes do not fit into memory.
//! - [`stream_join`] finds every pair of a query and a code of a stream that is read once.
//! - [`searcher`] answers queries over fingerprints that stay.
//! - [`linear`] compares a query with every code of a list.
//! - [`scan`] compares everything with everything: slow, plain, and what the others are tested by.
//!
//! Underneath, [`plan`] chooses the permuted tables: a [`family`] of sets of [`blocks`] of which
//! any k errors leave one untouched, made into the [`prefix`] that a table groups by.
//!
//! # Examples
//! ```
//! use nearprint_fingerprint::fingerprint::Fingerprint;
//! use nearprint_index::{distinct::Distinct, join::SelfJoin};
//!
//! let documents = [0xff_u64, 0x0f, 0xff, 0x1f].map(Fingerprint::from);
//! let distinct = Distinct::new(&documents);
//! let pairs = SelfJoin::new(distinct.codes(), 1)?.collect();
//! let near: Vec<_> = distinct.docs(pairs[0].a).chain(distinct.docs(pairs[0].b)).collect();
//! assert_eq!((pairs.len(), near), (1, vec![1, 3]));
//! # Ok::<(), nearprint_index::error::Error>(())
//! ```
//!
//! # References
//! Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007.

mod balls;
pub mod batch;
pub mod bit_statistics;
pub mod blocks;
mod bucket_code;
pub mod chance;
mod cost;
pub mod cross_pair;
mod directory;
pub mod distinct;
pub mod documents;
pub mod error;
pub mod family;
mod footer;
pub mod forecast;
pub mod histogram;
pub mod join;
pub mod join_table;
mod kernel;
pub mod layout;
pub mod leading_ones;
pub mod linear;
pub mod neighbor;
mod ordinals;
pub mod pair;
mod partition;
mod permutation;
pub mod plan;
pub mod planner;
mod prefetch;
pub mod prefix;
pub mod query;
mod query_tables;
mod rule;
pub mod scan;
pub mod searcher;
pub mod segment;
pub mod segment_builder;
pub mod segment_scan;
pub mod stream_join;
pub mod stream_plan;
mod table_view;
pub mod union_find;
mod walk;
