//! How long each stage took.

use crate::write::summary::Seconds;
use std::time::{Duration, Instant};

/// A clock that notes when a stage ends.
pub(crate) struct Clock {
    start: Instant,
    fingerprinted: Duration,
    joined: Duration,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now(), fingerprinted: Duration::ZERO, joined: Duration::ZERO }
    }

    /// The first reading is over.
    pub(crate) fn fingerprinted(&mut self) {
        self.fingerprinted = self.start.elapsed();
    }

    /// Clusters and their reports are there.
    pub(crate) fn joined(&mut self) {
        self.joined = self.start.elapsed();
    }

    /// The survivors are written: what each stage took.
    pub(crate) fn written(&self) -> Seconds {
        let total = self.start.elapsed();
        Seconds {
            fingerprint: self.fingerprinted.as_secs_f64(),
            join: self.joined.saturating_sub(self.fingerprinted).as_secs_f64(),
            write: total.saturating_sub(self.joined).as_secs_f64(),
            total: total.as_secs_f64(),
        }
    }
}
