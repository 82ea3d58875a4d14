//! The widths that a fingerprint may have. Bits only; a recipe says which of them it asks for.

use crate::error::ParseError;
use std::fmt;
use std::str::FromStr;

/// The number of bits of a fingerprint, as recipes and files name it.
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
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::W64 => 64,
            Self::W128 => 128,
            Self::W256 => 256,
        }
    }

    /// The width of `bits` bits, where it is one of those offered.
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
