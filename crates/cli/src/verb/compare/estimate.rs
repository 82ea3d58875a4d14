//! What the distance of two fingerprints says, and how verdicts are told.

use nearprint_fingerprint::estimate;
use std::fmt;

/// The cosine as the distance tells it.
pub(super) struct Estimate {
    pub(super) cosine: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Estimate {
    pub(super) fn of(distance: u32, bits: u32) -> Self {
        let (low, high) = estimate::cosine_interval(distance, bits);
        Self { cosine: estimate::cosine(distance, bits), low, high }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4} estimated (95 %: {:.4} to {:.4})", self.cosine, self.low, self.high)
    }
}

pub(super) const fn verdict(near: bool) -> &'static str {
    if near { "near-duplicates" } else { "not near-duplicates" }
}
