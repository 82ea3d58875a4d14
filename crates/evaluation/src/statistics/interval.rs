//! A 95 % interval, and Wilson's for a share.

use serde::Serialize;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Where a figure is with a confidence of 95 %.
///
/// # Examples
/// ```
/// use nearprint_evaluation::wilson;
///
/// let interval = wilson(0.9, 100.0);
/// assert!(interval.low < 0.83 && interval.high > 0.94);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Wilson's interval for a `share` that was seen in `n` independent trials: from 0 to 1 where `n` is 0.
///
/// Trials of unequal weight count as fewer: their effective number is `(sum of weights)^2 / sum of squares`.
///
/// # Examples
/// ```
/// use nearprint_evaluation::wilson;
///
/// // All of ten: at least 72 % of all that there is.
/// assert!((wilson(1.0, 10.0).low - 0.7225).abs() < 1e-4);
/// assert_eq!((wilson(0.0, 7.0).low, wilson(1.0, 7.0).high), (0.0, 1.0));
/// assert_eq!((wilson(0.5, 0.0).low, wilson(0.5, 0.0).high), (0.0, 1.0));
/// ```
///
/// # References
/// Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927).
#[must_use]
pub fn wilson(share: f64, n: f64) -> Interval {
    if n <= 0.0 || share.is_nan() {
        return Interval { low: 0.0, high: 1.0 };
    }
    let square = Z * Z / n;
    let center = (share + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (share * (1.0 - share) / n + square / (4.0 * n)).sqrt();
    // Of all or none it ends there, whatever the last digits are.
    let low = if share <= 0.0 { 0.0 } else { (center - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (center + half).min(1.0) };
    Interval { low, high }
}
