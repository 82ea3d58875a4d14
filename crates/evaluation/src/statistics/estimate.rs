//! A figure and its interval.

use crate::statistics::interval::Interval;
use serde::Serialize;
use std::fmt;

/// A figure with its 95 % interval.
///
/// # Examples
/// ```
/// use nearprint_evaluation::{Estimate, wilson};
///
/// let share = Estimate { value: 0.9, interval: wilson(0.9, 100.0) };
/// assert_eq!(share.to_string(), "0.900 (0.826 to 0.945)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure as it was counted.
    pub value: f64,
    /// Where it is with a confidence of 95 %.
    #[serde(flatten)]
    pub interval: Interval,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, interval: Interval { low, high } } = self;
        write!(f, "{value:.3} ({low:.3} to {high:.3})")
    }
}
