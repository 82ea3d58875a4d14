//! The fingerprint itself: a fixed number of bits, its text form, its order and its distances.
//!
//! This file knows bits only, and nothing of texts.

use crate::error::ParseError;
use crate::width::Width;
use std::fmt;
use std::str::FromStr;

/// A SimHash fingerprint of `WORDS` x 64 bits.
///
/// Bit `i` is bit `i % 64` of word `i / 64`: word 0 holds the least significant bits. The order is
/// that of the value as one unsigned integer, the text form is lower-case hexadecimal with the
/// most significant digit first (16, 32 or 64 digits).
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
///
/// let a: Fingerprint<1> = "0000000000000025".parse().unwrap();
/// let b = Fingerprint::from(0x2c_u64);
/// assert_eq!(a.distance(&b), 2);
/// assert_eq!(b.to_string(), "000000000000002c");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Fingerprint<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Fingerprint<WORDS> {
    /// The fingerprint with no bit set: that of a document without features.
    pub const ZERO: Self = Self([0; WORDS]);

    /// The number of bits, 64 a word.
    #[expect(clippy::cast_possible_truncation, reason = "WORDS is 1, 2 or 4")]
    pub const BITS: u32 = 64 * WORDS as u32;

    /// The number of bytes of the binary form.
    pub const BYTES: usize = 8 * WORDS;

    /// The fingerprint made of `words`, least significant word first.
    #[must_use]
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        Self(words)
    }

    /// The words, least significant first.
    #[must_use]
    pub const fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// Reads a fingerprint from its binary form: `8 * WORDS` bytes, little-endian.
    ///
    /// Returns `None` where `bytes` has another length.
    #[must_use]
    pub fn from_le_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: [[u8; 8]; WORDS] = words.try_into().ok()?;
        rest.is_empty().then(|| Self(words.map(u64::from_le_bytes)))
    }

    /// The binary form: `8 * WORDS` bytes, little-endian.
    pub fn le_bytes(&self) -> impl Iterator<Item = u8> + use<WORDS> {
        self.0.into_iter().flat_map(u64::to_le_bytes)
    }

    /// Hamming distance: the number of bits in which the two differ.
    #[inline]
    #[must_use]
    pub fn distance(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a ^ b).count_ones()).sum()
    }

    /// Whether bit `i` is set; `false` beyond the width.
    #[must_use]
    pub fn bit(&self, i: u32) -> bool {
        self.0.get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// The fingerprint with the order of its bits reversed.
    #[must_use]
    pub fn reverse_bits(mut self) -> Self {
        self.0.reverse();
        Self(self.0.map(u64::reverse_bits))
    }

    /// The width in bits as a [`Width`], where it is one that recipes offer.
    #[must_use]
    pub fn width() -> Option<Width> {
        Width::from_bits(Self::BITS)
    }
}

/// A fingerprint of 64 bits.
pub type Fingerprint64 = Fingerprint<1>;
/// A fingerprint of 128 bits.
pub type Fingerprint128 = Fingerprint<2>;
/// A fingerprint of 256 bits.
pub type Fingerprint256 = Fingerprint<4>;

impl<const WORDS: usize> Default for Fingerprint<WORDS> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<u64> for Fingerprint<1> {
    fn from(value: u64) -> Self {
        Self([value])
    }
}

impl From<u128> for Fingerprint<2> {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of the value")]
    fn from(value: u128) -> Self {
        Self([value as u64, (value >> 64) as u64])
    }
}

impl<const WORDS: usize> Ord for Fingerprint<WORDS> {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const WORDS: usize> PartialOrd for Fingerprint<WORDS> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<const WORDS: usize> fmt::Display for Fingerprint<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().rev().try_for_each(|word| write!(f, "{word:016x}"))
    }
}

impl<const WORDS: usize> fmt::Debug for Fingerprint<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl<const WORDS: usize> FromStr for Fingerprint<WORDS> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digits = 16 * WORDS;
        if text.len() != digits {
            return Err(ParseError::Digits { expected: digits, found: text.len() });
        }
        let mut words = [0; WORDS];
        for (word, digits) in words.iter_mut().rev().zip(text.as_bytes().as_chunks::<16>().0) {
            for digit in digits {
                let value = char::from(*digit).to_digit(16).ok_or(ParseError::NotHex)?;
                *word = *word << 4 | u64::from(value);
            }
        }
        Ok(Self(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn distance_of_the_textbook_example_is_two() {
        let (a, b) = (Fingerprint::from(0b10_0101_u64), Fingerprint::from(0b10_1100_u64));
        assert_eq!(a.distance(&b), 2);
    }

    #[test]
    fn hex_has_the_most_significant_digit_first() {
        let wide = Fingerprint::from(0x0123_4567_89ab_cdef_0000_0000_0000_000f_u128);
        assert_eq!(wide.to_string(), "0123456789abcdef000000000000000f");
        assert!(wide.bit(0) && !wide.bit(4) && wide.bit(64) && !wide.bit(128));
    }

    #[test]
    fn bad_hex_says_what_was_expected() {
        let short = "12".parse::<Fingerprint<1>>().unwrap_err();
        assert_eq!(short.to_string(), "expected 16 hexadecimal digits, found 2 characters");
        let odd = "000000000000002g".parse::<Fingerprint<1>>().unwrap_err();
        assert_eq!(odd.to_string(), "expected hexadecimal digits (0-9, a-f)");
        assert!("+00000000000002c".parse::<Fingerprint<1>>().is_err());
    }

    proptest! {
        #[test]
        fn hex_and_bytes_go_both_ways(words: [u64; 4]) {
            let wide = Fingerprint::from_words(words);
            prop_assert_eq!(wide.to_string().parse::<Fingerprint<4>>().unwrap(), wide);
            let bytes: Vec<u8> = wide.le_bytes().collect();
            prop_assert_eq!(Fingerprint::<4>::from_le_bytes(&bytes), Some(wide));
            prop_assert_eq!(Fingerprint::<2>::from_le_bytes(&bytes), None);
        }

        #[test]
        fn order_is_that_of_the_integer(a: u128, b: u128) {
            prop_assert_eq!(Fingerprint::from(a).cmp(&Fingerprint::from(b)), a.cmp(&b));
            prop_assert_eq!(Fingerprint::from(a).distance(&Fingerprint::from(b)), (a ^ b).count_ones());
            prop_assert_eq!(Fingerprint::from(a).reverse_bits(), Fingerprint::from(a.reverse_bits()));
        }
    }
}
