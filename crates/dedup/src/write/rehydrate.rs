//! How often a survivor is written, or what it weighs, by the number of documents that it stands for.

use std::fmt;
use std::str::FromStr;

/// A rule for survivors that stand for several documents.
///
/// # Examples
/// ```
/// use nearprint_dedup::Rehydrate;
///
/// let rule: Rehydrate = "sqrt".parse()?;
/// assert_eq!([1, 4, 10].map(|copies| rule.times(copies)), [1, 2, 3]);
/// let rule: Rehydrate = "weight:log".parse()?;
/// assert_eq!([1, 2, 8].map(|copies| rule.weight(copies)), [1.0, 2.0, 4.0]);
/// assert_eq!(rule.times(8), 1);
/// assert!("twice".parse::<Rehydrate>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rehydrate {
    /// Whether a survivor has its weight in a field, and is written once.
    pub is_weight: bool,
    /// The function of copies.
    pub function: CopiesFunction,
}

/// A function of the number of documents that a survivor stands for, itself included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopiesFunction {
    /// That number.
    All,
    /// Its square root.
    Root,
    /// One more than its logarithm to base 2.
    Logarithm,
    /// That number, and at most so many.
    AtMost(u64),
}

impl Rehydrate {
    /// Whether a survivor has its weight in a field, and is written once.
    #[must_use]
    pub const fn is_weight(self) -> bool {
        self.is_weight
    }

    /// What a survivor weighs that stands for so many documents.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a weight")]
    pub fn weight(self, copies: u64) -> f64 {
        match self.function {
            CopiesFunction::All => copies as f64,
            CopiesFunction::Root => (copies as f64).sqrt(),
            CopiesFunction::Logarithm => 1.0 + (copies as f64).log2(),
            CopiesFunction::AtMost(most) => copies.min(most) as f64,
        }
    }

    /// How often a survivor is written that stands for so many documents: the weight without its fraction.
    #[must_use]
    pub fn times(self, copies: u64) -> u64 {
        match self.function {
            _ if self.is_weight => 1,
            CopiesFunction::All => copies,
            CopiesFunction::Root => copies.isqrt(),
            CopiesFunction::Logarithm => 1 + u64::from(copies.max(1).ilog2()),
            CopiesFunction::AtMost(most) => copies.min(most),
        }
    }
}

impl fmt::Display for Rehydrate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_weight {
            f.write_str("weight:")?;
        }
        match self.function {
            CopiesFunction::All => f.write_str("all"),
            CopiesFunction::Root => f.write_str("sqrt"),
            CopiesFunction::Logarithm => f.write_str("log"),
            CopiesFunction::AtMost(most) => write!(f, "{most}"),
        }
    }
}

impl FromStr for Rehydrate {
    type Err = String;

    fn from_str(rule: &str) -> Result<Self, String> {
        let (is_weight, function) = match rule.strip_prefix("weight:") {
            Some(function) => (true, function),
            None => (false, rule),
        };
        let function = match (function, function.parse::<u64>()) {
            ("all", _) => CopiesFunction::All,
            ("sqrt", _) => CopiesFunction::Root,
            ("log", _) => CopiesFunction::Logarithm,
            (_, Ok(most)) if most > 0 => CopiesFunction::AtMost(most),
            _ => {
                return Err(
                    "use all, sqrt, log or a number from 1, such as 5; with weight: before it, as in weight:sqrt, \
                     survivors are written once and have a weight"
                        .to_owned(),
                );
            }
        };
        Ok(Self { is_weight, function })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_survivor_is_written_once_at_least() {
        for rule in
            ["all", "sqrt", "log", "1", "5", "weight:all", "weight:sqrt", "weight:log", "weight:3"]
        {
            let parsed: Rehydrate = rule.parse().unwrap();
            assert_eq!(parsed.to_string(), rule);
            assert_eq!((parsed.times(1), parsed.weight(1)), (1, 1.0), "{rule}");
            let times: Vec<u64> = (1..300).map(|copies| parsed.times(copies)).collect();
            assert!(
                times.is_sorted() && (1..300).zip(&times).all(|(copies, times)| *times <= copies)
            );
        }
        for rule in ["", "0", "-1", "weight:", "weight:0", "sqrt:weight", "2.5"] {
            assert!(rule.parse::<Rehydrate>().is_err(), "{rule}");
        }
    }
}
