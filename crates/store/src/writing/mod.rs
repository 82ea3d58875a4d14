//! The one writer, and the maker of segments.

pub(crate) mod activity;
pub(crate) mod buckets;
pub(crate) mod buffers;
pub(crate) mod crew;
pub(crate) mod follow;
pub(crate) mod group;
pub(crate) mod inbox;
pub(crate) mod loaded;
pub(crate) mod log;
pub(crate) mod maker;
pub(crate) mod making;

pub(crate) mod message;
pub(crate) mod scrub;
pub(crate) mod segments;
pub(crate) mod shared;
pub(crate) mod stored;
pub(crate) mod threads;
pub(crate) mod tiers;
pub(crate) mod write;
pub(crate) mod writer;
