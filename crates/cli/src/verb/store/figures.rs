//! What a store holds, as this process or the one that serves it counts.

use crate::verb::store::reached::Reached;
use nearprint_store::Stats;
use serde::{Deserialize, Serialize};

/// The figures of a store.
#[derive(Deserialize)]
pub(super) struct Figures {
    pub(super) documents: u64,
    pub(super) recent: u64,
    pub(super) segments: Vec<OfSegment>,
    pub(super) database_bytes: u64,
    pub(super) commits: u64,
    /// Keys of bands that are crowded; 0 within a radius.
    #[serde(default)]
    pub(super) crowded: u64,
    /// Segments that were found damaged since the store was opened.
    pub(super) damaged: u64,
    /// Their documents, as long as these are in no segment again.
    pub(super) scanned: u64,
}

/// The figures of a segment.
#[derive(Serialize, Deserialize)]
pub(super) struct OfSegment {
    pub(super) documents: u64,
    pub(super) gone: u64,
    pub(super) bytes: u64,
}

impl Figures {
    /// The figures of a store as they are now.
    pub(super) fn of(store: &Reached) -> anyhow::Result<Self> {
        match store {
            Reached::Here(store) => Ok(store.stats()?.into()),
            #[cfg(feature = "serve")]
            Reached::There(served) => served.get("/v1/stats"),
        }
    }

    /// Bytes of all segments.
    pub(super) fn of_segments(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes).sum()
    }
}

impl From<Stats> for Figures {
    fn from(stats: Stats) -> Self {
        let Stats {
            documents,
            recent,
            segments,
            database_bytes,
            commits,
            crowded,
            damaged,
            scanned,
            ..
        } = stats;
        let of_segment = |segment: nearprint_store::SegmentStats| OfSegment {
            documents: segment.documents,
            gone: segment.gone,
            bytes: segment.bytes,
        };
        let segments = segments.into_iter().map(of_segment).collect();
        Self { documents, recent, segments, database_bytes, commits, crowded, damaged, scanned }
    }
}
