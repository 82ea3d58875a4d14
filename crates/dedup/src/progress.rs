//! How far a job is, for whoever wants to watch or end it: counters that the job moves and others only read.

use crate::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Reading documents and making fingerprints; counts bytes of input.
    Fingerprint,
    /// Reading again for the rarest features of all documents; counts bytes of input.
    Prefixes,
    /// Looking for pairs; counts work.
    Join,
    /// Reading again what is in pairs, to compare it; counts bytes of input.
    Verify,
    /// Comparing pairs, and making clusters of those that pass; counts work.
    Compare,
    /// Reading some documents again for an overview; counts bytes of input.
    Overview,
    /// Reading again and writing survivors; counts bytes of input.
    Write,
    /// Reading what stays again for a segment of it; counts bytes of input.
    Segment,
    /// Reading documents for the anchors of their passages; counts bytes of input.
    Anchors,
    /// Reading again for windows that may repeat; counts bytes of input.
    Windows,
    /// Reading again what windows are compared with; counts bytes of input.
    Lend,
    /// Reading again, and comparing what repeats; counts bytes of input.
    Cut,
    /// Reading eval sets.
    Items,
    /// Reading some documents for how usual words are.
    Sample,
    /// Reading documents, and looking for items of eval sets; counts bytes of input.
    Look,
    /// Reading documents, and counting their tokens; counts bytes of input.
    Count,
}

/// Counters of a running job, shared between threads.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Dedup, Error, Progress};
/// use std::sync::Arc;
///
/// let progress = Arc::new(Progress::default());
/// progress.cancel();
/// let found = Dedup::new().progress(Arc::clone(&progress)).texts(&["one text", "one text"]);
/// assert!(matches!(found, Err(Error::Interrupted)));
/// ```
#[derive(Debug)]
pub struct Progress {
    stage: AtomicU8,
    bytes: AtomicU64,
    documents: AtomicU64,
    work: Arc<Work>,
    looks: AtomicU64,
    cancelled: Arc<AtomicBool>,
}

/// How much of the work of a stage is done, in parts of which each is about as long as the next.
#[derive(Debug, Default)]
pub(crate) struct Work {
    done: AtomicU64,
    /// 0 where nobody knows.
    all: AtomicU64,
}

impl Work {
    /// Begins work of so many parts; 0 where nobody knows.
    pub(crate) fn begin(&self, parts: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(parts, Ordering::Relaxed);
    }

    /// So many more parts are done.
    pub(crate) fn add(&self, parts: u64) {
        self.done.fetch_add(parts, Ordering::Relaxed);
    }

    /// So many parts are done.
    pub(crate) fn reach(&self, parts: u64) {
        self.done.store(parts, Ordering::Relaxed);
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            stage: AtomicU8::new(Stage::Fingerprint as u8),
            bytes: AtomicU64::new(0),
            documents: AtomicU64::new(0),
            work: Arc::default(),
            looks: AtomicU64::new(0),
            cancelled: Arc::default(),
        }
    }
}

impl Progress {
    /// What the job is doing.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Fingerprint,
            1 => Stage::Prefixes,
            2 => Stage::Join,
            3 => Stage::Verify,
            4 => Stage::Compare,
            5 => Stage::Overview,
            6 => Stage::Write,
            7 => Stage::Segment,
            8 => Stage::Anchors,
            9 => Stage::Windows,
            10 => Stage::Lend,
            11 => Stage::Cut,
            12 => Stage::Items,
            13 => Stage::Sample,
            14 => Stage::Look,
            _ => Stage::Count,
        }
    }

    /// Bytes of input taken in this stage, as they lie on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Documents done in this stage.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents.load(Ordering::Relaxed)
    }

    /// The share of this stage that is done, from 0 to 1, where it is told: of its work, or of the `total`
    /// bytes of input.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share that is shown")]
    pub fn share(&self, total: Option<u64>) -> Option<f64> {
        let (done, all) = match self.stage() {
            Stage::Join | Stage::Compare => {
                (self.work.done.load(Ordering::Relaxed), self.work.all.load(Ordering::Relaxed))
            }
            Stage::Segment | Stage::Items | Stage::Sample => return None,
            _ => (self.bytes(), total?),
        };
        (all > 0).then(|| (done as f64 / all as f64).min(1.0))
    }

    /// How many documents an exact join will look at for each, at most; 0 until that is known.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }

    /// Asks the job to end within a fraction of a second, with [`Error::Interrupted`] and nothing left behind.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the job was asked to end.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The flag that [`Progress::cancel`] sets.
    pub(crate) fn stop(&self) -> &Arc<AtomicBool> {
        &self.cancelled
    }

    /// An error where the job was asked to end.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Says how many documents a join will look at for each.
    pub(crate) fn foresee(&self, looks: u64) {
        self.looks.store(looks, Ordering::Relaxed);
    }

    pub(crate) fn enter(&self, stage: Stage) {
        self.bytes.store(0, Ordering::Relaxed);
        self.documents.store(0, Ordering::Relaxed);
        self.work.begin(0);
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    /// The work of this stage.
    pub(crate) fn work(&self) -> &Arc<Work> {
        &self.work
    }

    pub(crate) fn advance(&self, bytes: u64, documents: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
        self.documents.fetch_add(documents, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_tells_its_share_by_bytes_or_by_work() {
        let progress = Progress::default();
        progress.advance(30, 1);
        assert_eq!((progress.share(Some(40)), progress.share(None)), (Some(0.75), None));
        progress.enter(Stage::Join);
        assert_eq!(progress.share(Some(40)), None);
        progress.work().begin(8);
        progress.work().add(1);
        progress.work().add(3);
        assert_eq!(progress.share(Some(40)), Some(0.5));
        progress.work().reach(9);
        assert_eq!(progress.share(None), Some(1.0));
        progress.enter(Stage::Compare);
        assert_eq!((progress.stage(), progress.share(None)), (Stage::Compare, None));
    }
}
