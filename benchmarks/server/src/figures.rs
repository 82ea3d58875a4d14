//! Documents to measure with, and what was measured.

use nearprint_fingerprint::mix64;
use std::time::{Duration, SystemTime};

/// What a job comes to.
pub type Done = Result<(), Box<dyn std::error::Error>>;

/// Numbers that look random, the same each time.
pub fn random(seed: u64) -> u64 {
    mix64(seed.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The fingerprint of document `number`.
pub fn code(number: u64) -> u64 {
    random(number ^ 0x5bd1_e995_0000_0000)
}

/// The id of document `number`: 16 random characters.
pub fn id(number: u64) -> u64 {
    random(number)
}

/// The fingerprint of the `asked`-th query of `number` documents; every other is near a stored one.
pub fn query(asked: u64, number: u64) -> u64 {
    if asked.is_multiple_of(2) {
        return code(u64::MAX - asked);
    }
    code(random(asked) % number) ^ 1 << (asked % 64) ^ 1 << (asked / 64 % 64)
}

/// The number of the first document that no run before stored.
pub fn fresh() -> u64 {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    (now.as_secs() & 0xffff_ffff) << 28
}

/// The times of answers.
#[derive(Default)]
pub struct Times(Vec<u32>);

impl Times {
    pub fn note(&mut self, time: Duration) {
        self.0.push(time.as_micros().try_into().unwrap_or(u32::MAX));
    }

    /// The figures of what took `seconds` together.
    pub fn json(mut self, seconds: f64) -> String {
        self.0.sort_unstable();
        let quantile = |share: f64| {
            let at = (self.0.len().saturating_sub(1) as f64 * share) as usize;
            f64::from(self.0.get(at).copied().unwrap_or(0)) / 1e3
        };
        format!(
            "\"answers\":{},\"per_second\":{:.0},\"p50_ms\":{:.2},\"p99_ms\":{:.2},\"p999_ms\":{:.2},\
             \"worst_ms\":{:.1}",
            self.0.len(),
            self.0.len() as f64 / seconds,
            quantile(0.5),
            quantile(0.99),
            quantile(0.999),
            quantile(1.0)
        )
    }
}
