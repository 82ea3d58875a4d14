//! How far a job is, for whoever wants to watch: counters that the job moves and others only read.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Reading documents and making fingerprints; counts bytes of input.
    Fingerprint,
    /// Looking for pairs within the radius.
    Join,
    /// Reading again and writing survivors; counts bytes of input.
    Write,
}

/// Counters of a running job, shared between threads.
#[derive(Debug)]
pub struct Progress {
    stage: AtomicU8,
    bytes: AtomicU64,
    documents: AtomicU64,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            stage: AtomicU8::new(Stage::Fingerprint as u8),
            bytes: AtomicU64::new(0),
            documents: AtomicU64::new(0),
        }
    }
}

impl Progress {
    /// What the job is doing.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Fingerprint,
            1 => Stage::Join,
            _ => Stage::Write,
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
