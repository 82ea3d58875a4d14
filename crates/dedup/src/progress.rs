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
    /// Looking for pairs.
    Join,
    /// Reading again what is within the radius, to compare it; counts bytes of input.
    Verify,
    /// Reading some documents again for an overview; counts bytes of input.
    Overview,
    /// Reading again and writing survivors; counts bytes of input.
    Write,
    /// Reading what stays again for a segment of it; counts bytes of input.
    Segment,
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
    looks: AtomicU64,
    cancelled: Arc<AtomicBool>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            stage: AtomicU8::new(Stage::Fingerprint as u8),
            bytes: AtomicU64::new(0),
            documents: AtomicU64::new(0),
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
            4 => Stage::Overview,
            5 => Stage::Write,
            _ => Stage::Segment,
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
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self, bytes: u64, documents: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
        self.documents.fetch_add(documents, Ordering::Relaxed);
    }
}
