//! Precision, recall and F1, with what is done where resampling cannot tell an interval.

use crate::statistics::estimate::Estimate;
use crate::statistics::interval::{Interval, wilson};
use serde::Serialize;

/// Precision, recall and their harmonic mean, each with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The share of what was found that is right; 1 where nothing was found.
    pub precision: Estimate,
    /// The share of what is right that was found.
    pub recall: Estimate,
    /// `2 P R / (P + R)`: their harmonic mean.
    pub f1: Estimate,
}

/// Precision, recall and F1 of counts, which may be weighted. Precision is 1 where nothing was found.
pub(crate) fn figures(right: f64, found: f64, same: f64) -> [f64; 3] {
    let precision = if found > 0.0 { right / found } else { 1.0 };
    let recall = if same > 0.0 { right / same } else { f64::NAN };
    [precision, recall, f1(precision, recall)]
}

/// The harmonic mean, 0 of two zeros.
pub(crate) fn f1(precision: f64, recall: f64) -> f64 {
    let sum = precision + recall;
    if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum }
}

/// A figure with the interval that resampling tells. Where every draw has the same value, as where nothing is
/// wrong, that is Wilson's for as many observations as there are groups.
pub(crate) fn estimate(value: f64, drawn: Interval, groups: u64) -> Estimate {
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 documents")]
    let interval = match drawn.high - drawn.low < 1e-12 {
        true => wilson(value.clamp(0.0, 1.0), groups as f64),
        false => drawn,
    };
    Estimate { value, interval }
}
