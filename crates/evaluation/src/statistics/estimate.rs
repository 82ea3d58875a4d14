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
        let Self { value, interval: Interval { low, high } } = *self;
        let [value, low, high] = [value, low, high].map(three_digits);
        write!(f, "{value} ({low} to {high})")
    }
}

/// A figure of at most 1 as people read it: what is below 1 is not rounded to it.
///
/// # Examples
/// ```
/// use nearprint_evaluation::three_digits;
///
/// assert_eq!([0.1234, 0.99951, 1.0].map(three_digits), ["0.123", "0.999", "1.000"]);
/// ```
#[must_use]
pub fn three_digits(figure: f64) -> String {
    let shown = if figure < 1.0 { figure.min(0.999) } else { figure };
    format!("{shown:.3}")
}
