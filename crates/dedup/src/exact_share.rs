//! A share as people type it, compared with counts without rounding.

use std::cmp::Ordering;
use std::fmt;

/// Digits after the point that are looked at: as many as a power of ten of 64 bits has.
const PLACES: usize = 18;

/// A share of 1 as the decimal that its double is written as: 0.29 is 29 of 100, which the double itself is not.
///
/// # Examples
/// ```
/// use nearprint_dedup::ExactShare;
/// use std::cmp::Ordering;
///
/// let share = ExactShare::of(0.29);
/// assert_eq!(share.compared(29, 100), Ordering::Equal);
/// assert_eq!(share.compared(30, 100), Ordering::Greater);
/// assert_eq!(share.to_string(), "29 %");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactShare {
    part: u64,
    whole: u64,
}

impl ExactShare {
    /// That of the shortest decimal with the value of `share`, from 0 to 1: what was typed, up to 15 digits.
    #[must_use]
    pub fn of(share: f64) -> Self {
        let mut text = share.to_string();
        if text.split_once('.').is_some_and(|(_, places)| places.len() > PLACES) {
            text = format!("{share:.PLACES$}");
        }
        let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
        let part = format!("{whole}{places}").parse().unwrap_or_default();
        let whole = (0..places.len()).fold(1, |whole, _| 10 * whole);
        Self { part, whole }
    }

    /// That of `part` in `whole`, no less, in tenths of a percent.
    pub(crate) fn rounded_up(part: u64, whole: u64) -> Self {
        Self { part: part.saturating_mul(1000).div_ceil(whole.max(1)), whole: 1000 }
    }

    /// That of `part` in `whole`, which is more than `least`: to the nearest tenth of a percent, as shares are shown
    /// everywhere, or the next one where the nearest is not more.
    #[expect(clippy::cast_precision_loss, reason = "for one digit after the point")]
    pub(crate) fn above(least: f64, part: u64, whole: u64) -> Self {
        let percent = format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64);
        let nearest =
            Self { part: percent.replace('.', "").parse().unwrap_or_default(), whole: 1000 };
        match Self::of(least).compared(nearest.part, nearest.whole) {
            Ordering::Greater => nearest,
            Ordering::Less | Ordering::Equal => Self::rounded_up(part, whole),
        }
    }

    /// How `part` of `whole` compares with it.
    #[must_use]
    pub fn compared(self, part: u64, whole: u64) -> Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(part, self.whole).cmp(&product(self.part, whole))
    }
}

/// In percent, without digits that nobody typed.
impl fmt::Display for ExactShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hundred, whole) = (100 * u128::from(self.part), u128::from(self.whole));
        let places = format!("{:018}", hundred % whole * 10_u128.pow(18) / whole);
        match places.trim_end_matches('0') {
            "" => write!(f, "{} %", hundred / whole),
            places => write!(f, "{}.{places} %", hundred / whole),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_of_four_digits_is_that_of_its_count() {
        for part in 0..=10_000_u64 {
            let typed = format!("{part}e-4").parse().unwrap();
            let share = ExactShare::of(typed);
            for whole in [100, 200, 10_000, 30_000] {
                assert_eq!(share.compared(part, 10_000), Ordering::Equal, "{part}");
                let next = part * whole / 10_000 + 1;
                assert_eq!(share.compared(next, whole), Ordering::Greater, "{next} of {whole}");
            }
        }
    }

    #[test]
    fn a_share_is_said_as_it_was_typed() {
        for (share, said) in [
            (0.29, "29 %"),
            (0.07, "7 %"),
            (1.0, "100 %"),
            (0.0, "0 %"),
            (0.625, "62.5 %"),
            (0.001_25, "0.125 %"),
            (1e-7, "0.00001 %"),
        ] {
            assert_eq!(ExactShare::of(share).to_string(), said);
        }
        assert_eq!(ExactShare::rounded_up(2905, 10_000).to_string(), "29.1 %");
        assert_eq!(ExactShare::rounded_up(29, 100).to_string(), "29 %");
        for (least, said) in [(0.2, "26.6 %"), (0.266, "26.7 %"), (0.2662, "26.7 %")] {
            assert_eq!(ExactShare::above(least, 176, 661).to_string(), said);
        }
    }
}
