//! The widths that a fingerprint may have. A recipe says which width it asks for.

use crate::error::ParseError;
use std::fmt;
use std::str::FromStr;

/// The number of bits of a fingerprint, as recipes and files name it.
///
/// # Examples
/// ```
/// use nearprint_bits::Width;
///
/// assert_eq!("128".parse::<Width>()?, Width::W128);
/// assert!("96".parse::<Width>().is_err());
/// # Ok::<(), nearprint_bits::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u32", into = "u32"))]
pub enum Width {
    /// 64 bits, the paper's width.
    W64,
    /// 128 bits.
    W128,
    /// 256 bits.
    W256,
}

impl Width {
    /// Every width, narrowest first.
    pub const ALL: [Self; 3] = [Self::W64, Self::W128, Self::W256];

    /// The number of bits.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(nearprint_bits::Width::W256.bits(), 256);
    /// ```
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::W64 => 64,
            Self::W128 => 128,
            Self::W256 => 256,
        }
    }

    /// The number of words of 64 bits.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(nearprint_bits::Width::W256.words(), 4);
    /// ```
    #[must_use]
    pub const fn words(self) -> usize {
        match self {
            Self::W64 => 1,
            Self::W128 => 2,
            Self::W256 => 4,
        }
    }

    /// The radius of near-duplicates where nobody asks for one or for a similarity: 3 bits of every 64.
    ///
    /// # References
    /// Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007, section 4.1: k = 3
    /// for 64 bits.
    #[must_use]
    pub const fn default_radius(self) -> u32 {
        3 * (self.bits() / 64)
    }

    /// The width of `bits` bits; `None` if no fingerprint has so many.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Width;
    ///
    /// assert_eq!(Width::from_bits(64), Some(Width::W64));
    /// assert_eq!(Width::from_bits(65), None);
    /// ```
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|width| width.bits() == bits)
    }
}

impl TryFrom<u32> for Width {
    type Error = ParseError;

    fn try_from(bits: u32) -> Result<Self, ParseError> {
        Self::from_bits(bits).ok_or(ParseError::Width { found: bits.to_string() })
    }
}

impl From<Width> for u32 {
    fn from(width: Width) -> Self {
        width.bits()
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bits().fmt(f)
    }
}

impl FromStr for Width {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let bits = text.parse().ok().and_then(Self::from_bits);
        bits.ok_or_else(|| ParseError::Width { found: text.to_owned() })
    }
}
