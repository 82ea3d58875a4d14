//! How many of the pairs of a similarity are to be found.

use std::fmt;
use std::str::FromStr;

/// The share of the pairs of exactly a similarity that are found at least: of those above it more are.
///
/// # Examples
/// ```
/// use nearprint_rules::Recall;
///
/// assert_eq!("0.99".parse(), Ok(Recall::Share(0.99)));
/// assert_eq!("exact".parse(), Ok(Recall::Exact));
/// assert_eq!(Recall::from(0.99).to_string(), "0.99");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recall {
    /// A share above 0 and below 1: pairs are found by bands of sketches.
    Share(f64),
    /// All of them, for certain: pairs are found by their rarest features.
    Exact,
}

impl From<f64> for Recall {
    fn from(share: f64) -> Self {
        Self::Share(share)
    }
}

impl fmt::Display for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(share) => share.fmt(f),
            Self::Exact => f.write_str("exact"),
        }
    }
}

impl FromStr for Recall {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "exact" {
            return Ok(Self::Exact);
        }
        let share = text.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
        let wrong = || "use a number above 0 and below 1, such as 0.999, or exact".to_owned();
        share.map(Self::Share).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recall_is_named_as_it_prints() {
        for recall in [Recall::Share(0.5), Recall::Share(0.9999), Recall::Exact] {
            assert_eq!(recall.to_string().parse(), Ok(recall));
        }
        for wrong in ["", "0", "1", "-0.1", "NaN", "inf", "all", "Exact", "0.9x"] {
            let said = wrong.parse::<Recall>().unwrap_err();
            assert!(said.contains("or exact"), "{wrong}: {said}");
        }
    }
}
