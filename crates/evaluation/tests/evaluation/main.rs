//! Figures of an evaluation beside counts of all pairs, and beside those of other programs.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod oracle;
mod statistics;
