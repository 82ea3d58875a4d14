//! The figures of a store at a moment.

use crate::error::Error;
use crate::repair::Repair;
use crate::writing::activity::CommitTimes;
use crate::writing::shared::Shared;

/// The figures of a store at a moment.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
/// let stats = store.stats()?;
/// assert_eq!((stats.documents, stats.recent, stats.commits), (1, 1, 1));
/// assert_eq!(stats.commit_times.classes.iter().map(|(_, count)| count).sum::<u64>(), 1);
///
/// store.compact()?;
/// let stats = store.stats()?;
/// assert_eq!((stats.recent, stats.segments[0].documents), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Documents stored.
    pub documents: u64,
    /// Documents that are compared by distance and are in no segment yet.
    pub recent: u64,
    /// The segments, the oldest documents first.
    pub segments: Vec<SegmentStats>,
    /// Bytes of the database on disk, its journal included.
    pub database_bytes: u64,
    /// Groups of writes that were committed since the store was made.
    pub commits: u64,
    /// How long commits took since the store was opened.
    pub commit_times: CommitTimes,
    /// Segments made of recent documents since the store was opened.
    pub flushes: u64,
    /// Segments made of other segments since the store was opened.
    pub merges: u64,
    /// Keys of bands in segments that more than 256 documents have: crowded ones. A search by similarity that meets
    /// one is slower.
    pub crowded: u64,
    /// Searches since the store was opened that met a crowded key.
    pub crowded_searches: u64,
    /// Documents of damaged segments: searches read each of them, until their segments are made again.
    pub scanned: u64,
    /// Segments that were found damaged since the store was opened: each is dropped, and made again.
    pub damaged: u64,
    /// The damage of the last hundred of these.
    pub damage: Vec<Repair>,
    /// Requests to write that wait for the writer.
    pub waiting: usize,
    /// Why the store takes no writes; `None` while it takes them.
    pub read_only: Option<String>,
}

/// The figures of a segment. [`Stats`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentStats {
    /// Documents in it, deleted ones included.
    pub documents: u64,
    /// Deleted documents that are still in it.
    pub gone: u64,
    /// Bytes of its file.
    pub bytes: u64,
}

impl Stats {
    pub(crate) fn of(shared: &Shared, waiting: usize) -> Result<Self, Error> {
        let (view, progress) = (shared.view.load(), shared.progress.load());
        let memtables = view.memtables.iter().map(|one| one.live()).sum::<usize>();
        let tables = view.segments.iter().filter_map(|segment| segment.bands());
        let crowded = tables.map(|table| table.footer().crowded).sum();
        let segments = view.segments.iter().map(|segment| SegmentStats {
            documents: segment.documents(),
            gone: segment.dead().count(),
            bytes: segment.bytes(),
        });
        let lost = view.lost_parts().iter().map(|part| part.entry.end - part.entry.first);
        let scanned = lost.sum();
        Ok(Self {
            scanned,
            damaged: shared.activity.damaged(),
            damage: shared.activity.damage(),
            documents: progress.documents,
            recent: (memtables + view.recent.len()) as u64,
            segments: segments.collect(),
            database_bytes: shared.truth()?.disk_bytes()?,
            commits: progress.commits,
            commit_times: shared.activity.commit_times(),
            flushes: shared.activity.flushes(),
            merges: shared.activity.merges(),
            crowded,
            crowded_searches: shared.activity.crowded_searches(),
            waiting,
            read_only: shared.read_only.load().as_deref().cloned(),
        })
    }
}
