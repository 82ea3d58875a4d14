//! A fingerprint of any width, for code that learns the width only when it runs.

use crate::codes::{CodeList, Codes};
use crate::error::ParseError;
use crate::fingerprint::{Fingerprint, Fingerprint64, Fingerprint128, Fingerprint256};
use crate::width::Width;
use std::fmt;
use std::str::FromStr;

/// A fingerprint of any width. It has the text form of [`Fingerprint`], which tells the width.
///
/// # Examples
/// ```
/// use nearprint_bits::{AnyFingerprint, Fingerprint64, Width};
///
/// let a: AnyFingerprint = "0000000000000025".parse()?;
/// let b = AnyFingerprint::from(Fingerprint64::from(0x2c));
/// assert_eq!((a.width(), a.distance(&b)), (Width::W64, Some(2)));
/// assert_eq!(b.narrow::<1>(), Some(Fingerprint64::from(0x2c)));
/// assert_eq!(b.narrow::<2>(), None);
/// # Ok::<(), nearprint_bits::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyFingerprint {
    /// 64 bits.
    W64(Fingerprint64),
    /// 128 bits.
    W128(Fingerprint128),
    /// 256 bits.
    W256(Fingerprint256),
}

impl AnyFingerprint {
    /// The fingerprint of a document without any feature.
    #[must_use]
    pub const fn zero(width: Width) -> Self {
        match width {
            Width::W64 => Self::W64(Fingerprint::ZERO),
            Width::W128 => Self::W128(Fingerprint::ZERO),
            Width::W256 => Self::W256(Fingerprint::ZERO),
        }
    }

    /// The fingerprint of these [words](Self::words); `None` where no width has so many.
    #[must_use]
    pub fn from_words(words: &[u64]) -> Option<Self> {
        match *words {
            [a] => Some(Self::W64(Fingerprint::from_words([a]))),
            [a, b] => Some(Self::W128(Fingerprint::from_words([a, b]))),
            [a, b, c, d] => Some(Self::W256(Fingerprint::from_words([a, b, c, d]))),
            _ => None,
        }
    }

    /// The fingerprint of these [bytes](Self::le_bytes); `None` where no width has so many.
    #[must_use]
    pub fn from_le_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.len() {
            8 => Fingerprint::from_le_bytes(bytes).ok().map(Self::W64),
            16 => Fingerprint::from_le_bytes(bytes).ok().map(Self::W128),
            32 => Fingerprint::from_le_bytes(bytes).ok().map(Self::W256),
            _ => None,
        }
    }

    /// The fingerprint of a width that hexadecimal digits stand for.
    ///
    /// # Errors
    /// Other characters, or another number of them.
    pub fn parse(digits: &str, width: Width) -> Result<Self, ParseError> {
        Ok(match width {
            Width::W64 => Self::W64(digits.parse()?),
            Width::W128 => Self::W128(digits.parse()?),
            Width::W256 => Self::W256(digits.parse()?),
        })
    }

    /// Whether no bit is set.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|word| *word == 0)
    }

    /// The number of bits.
    #[must_use]
    pub const fn width(&self) -> Width {
        match self {
            Self::W64(_) => Width::W64,
            Self::W128(_) => Width::W128,
            Self::W256(_) => Width::W256,
        }
    }

    /// The words, least significant first.
    #[must_use]
    pub const fn words(&self) -> &[u64] {
        match self {
            Self::W64(fingerprint) => fingerprint.words(),
            Self::W128(fingerprint) => fingerprint.words(),
            Self::W256(fingerprint) => fingerprint.words(),
        }
    }

    /// The bytes, least significant first.
    pub fn le_bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.words().iter().flat_map(|word| word.to_le_bytes())
    }

    /// A list of this fingerprint alone, to enter the code of its width.
    #[must_use]
    pub const fn codes(&self) -> Codes<'_> {
        match self {
            Self::W64(fingerprint) => Codes::W64(std::slice::from_ref(fingerprint)),
            Self::W128(fingerprint) => Codes::W128(std::slice::from_ref(fingerprint)),
            Self::W256(fingerprint) => Codes::W256(std::slice::from_ref(fingerprint)),
        }
    }

    /// The number of bits in which the two differ; `None` if their widths differ.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Option<u32> {
        match (self, other) {
            (Self::W64(a), Self::W64(b)) => Some(a.distance(b)),
            (Self::W128(a), Self::W128(b)) => Some(a.distance(b)),
            (Self::W256(a), Self::W256(b)) => Some(a.distance(b)),
            _ => None,
        }
    }

    /// The fingerprint as one of `WORDS` words; `None` if it has another width.
    #[must_use]
    pub fn narrow<const WORDS: usize>(&self) -> Option<Fingerprint<WORDS>> {
        self.words().try_into().ok().map(Fingerprint::from_words)
    }
}

impl Codes<'_> {
    /// The fingerprint at a position; `None` behind the last one.
    #[must_use]
    pub fn get(self, at: usize) -> Option<AnyFingerprint> {
        match self {
            Self::W64(codes) => codes.get(at).copied().map(AnyFingerprint::W64),
            Self::W128(codes) => codes.get(at).copied().map(AnyFingerprint::W128),
            Self::W256(codes) => codes.get(at).copied().map(AnyFingerprint::W256),
        }
    }
}

impl CodeList {
    /// Adds a fingerprint. `false`, and nothing is added, if it has another width.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::{AnyFingerprint, CodeList, Width};
    ///
    /// let mut list = CodeList::new(Width::W128);
    /// assert!(list.push(AnyFingerprint::zero(Width::W128)));
    /// assert!(!list.push(AnyFingerprint::zero(Width::W64)));
    /// assert_eq!(list.len(), 1);
    /// ```
    #[must_use]
    pub fn push(&mut self, code: AnyFingerprint) -> bool {
        match (self, code) {
            (Self::W64(codes), AnyFingerprint::W64(code)) => codes.push(code),
            (Self::W128(codes), AnyFingerprint::W128(code)) => codes.push(code),
            (Self::W256(codes), AnyFingerprint::W256(code)) => codes.push(code),
            _ => return false,
        }
        true
    }

    /// Adds a fingerprint; 0 in place of one that has another width.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::{AnyFingerprint, CodeList, Fingerprint64, Width};
    ///
    /// let mut list = CodeList::new(Width::W64);
    /// list.push_or_zero(Fingerprint64::from(5).into());
    /// list.push_or_zero(AnyFingerprint::zero(Width::W128));
    /// let codes = list.codes();
    /// assert_eq!((codes.distance(0, 1), codes.get(1)), (2, Some(AnyFingerprint::zero(Width::W64))));
    /// ```
    pub fn push_or_zero(&mut self, code: AnyFingerprint) {
        match self {
            Self::W64(codes) => codes.push(code.narrow().unwrap_or_default()),
            Self::W128(codes) => codes.push(code.narrow().unwrap_or_default()),
            Self::W256(codes) => codes.push(code.narrow().unwrap_or_default()),
        }
    }
}

impl<const WORDS: usize> From<Fingerprint<WORDS>> for AnyFingerprint {
    fn from(fingerprint: Fingerprint<WORDS>) -> Self {
        let zero = Self::zero(Fingerprint::<WORDS>::width());
        Codes::of(&[fingerprint]).get(0).unwrap_or(zero)
    }
}

impl fmt::Display for AnyFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::W64(fingerprint) => fingerprint.fmt(f),
            Self::W128(fingerprint) => fingerprint.fmt(f),
            Self::W256(fingerprint) => fingerprint.fmt(f),
        }
    }
}

impl FromStr for AnyFingerprint {
    type Err = ParseError;

    /// Reads 16, 32 or 64 hexadecimal digits. For text of another length the error asks for the
    /// nearest width that holds it.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.len() {
            ..=16 => text.parse().map(Self::W64),
            17..=32 => text.parse().map(Self::W128),
            _ => text.parse().map(Self::W256),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_goes_both_ways_and_knows_the_others() {
        let all = [16, 32, 64].map(|digits| "8".repeat(digits));
        let parsed = all.each_ref().map(|digits| digits.parse::<AnyFingerprint>().unwrap());
        assert_eq!(parsed.map(|one| one.width()), Width::ALL);
        assert_eq!(parsed.map(|one| one.to_string()), all);
        for (a, width) in parsed.iter().zip([64, 128, 256]) {
            for b in &parsed {
                assert_eq!(a.distance(b), (a == b).then_some(0));
            }
            assert_eq!(a.words().len(), width / 64);
            assert_eq!(AnyFingerprint::from_words(a.words()), Some(*a));
            let bytes: Vec<u8> = a.le_bytes().collect();
            assert_eq!(AnyFingerprint::from_le_bytes(&bytes), Some(*a));
            assert_eq!((a.codes().get(0), a.codes().get(1)), (Some(*a), None));
            for b in &parsed {
                let again = AnyFingerprint::parse(&a.to_string(), b.width());
                assert_eq!(again.ok(), (a == b).then_some(*a));
            }
            assert!(!a.is_zero() && AnyFingerprint::zero(a.width()).is_zero());
        }
        assert_eq!(AnyFingerprint::from_words(&[1, 2, 3]), None);
        assert_eq!(AnyFingerprint::from_le_bytes(&[0; 9]), None);
        assert!(parsed[1].narrow::<2>().is_some() && parsed[1].narrow::<4>().is_none());
        for wrong in ["", "12", &"8".repeat(17), &"8".repeat(65), &"x".repeat(16)] {
            assert!(wrong.parse::<AnyFingerprint>().is_err(), "{wrong}");
        }
    }
}
