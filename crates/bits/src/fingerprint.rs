//! The fingerprint: a fixed number of bits, their order, their distances and the conversions that users
//! expect. This file knows nothing of texts.

use crate::error::ParseError;
use crate::width::Width;
use std::fmt;
use std::str::FromStr;

/// A SimHash fingerprint of `WORDS` x 64 bits.
///
/// `WORDS` is 1, 2 or 4. Bit `i` is bit `i % 64` of word `i / 64`: word 0 holds the least significant
/// bits. Fingerprints are ordered as one unsigned integer is. The text form is lower-case hexadecimal
/// with the most significant digit first (16, 32 or 64 digits).
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint64;
///
/// let a: Fingerprint64 = "0000000000000025".parse()?;
/// let b = Fingerprint64::from(0x2c);
/// assert_eq!(a.distance(&b), 2);
/// assert_eq!(b.to_string(), "000000000000002c");
/// # Ok::<(), nearprint_bits::ParseError>(())
/// ```
///
/// Another width does not compile:
/// ```compile_fail
/// nearprint_bits::Fingerprint::<3>::from_words([0; 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Fingerprint<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Fingerprint<WORDS> {
    /// The fingerprint with no bit set: a document without features has it.
    pub const ZERO: Self = Self::from_words([0; WORDS]);

    /// The number of bits: 64, 128 or 256.
    #[expect(clippy::cast_possible_truncation, reason = "WORDS is 1, 2 or 4")]
    pub const BITS: u32 = {
        assert!(matches!(WORDS, 1 | 2 | 4), "a fingerprint has 1, 2 or 4 words of 64 bits");
        64 * WORDS as u32
    };

    /// The number of bytes of the binary form: 8, 16 or 32.
    pub const BYTES: usize = 8 * WORDS;

    /// The fingerprint made of `words`, least significant word first.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint128;
    ///
    /// assert_eq!(Fingerprint128::from_words([7, 1]), Fingerprint128::from((1_u128 << 64) + 7));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        const { assert!(Self::BITS > 0) }
        Self(words)
    }

    /// The words, least significant first.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(nearprint_bits::Fingerprint64::from(7).words(), &[7]);
    /// ```
    #[inline]
    #[must_use]
    pub const fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// Reads a fingerprint from its binary form: [`Self::BYTES`] bytes, little-endian.
    ///
    /// # Errors
    /// [`ParseError::Bytes`] if `bytes` has another length.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint64;
    ///
    /// let bytes = [0x2c, 0, 0, 0, 0, 0, 0, 0];
    /// assert_eq!(Fingerprint64::from_le_bytes(&bytes)?, Fingerprint64::from(0x2c));
    /// assert!(Fingerprint64::from_le_bytes(&bytes[1..]).is_err());
    /// # Ok::<(), nearprint_bits::ParseError>(())
    /// ```
    pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, ParseError> {
        let wrong = || ParseError::Bytes { expected: Self::BYTES, found: bytes.len() };
        let (words, rest) = bytes.as_chunks::<8>();
        let words: [[u8; 8]; WORDS] = words.try_into().map_err(|_| wrong())?;
        if rest.is_empty() { Ok(Self(words.map(u64::from_le_bytes))) } else { Err(wrong()) }
    }

    /// The binary form: [`Self::BYTES`] bytes, little-endian.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint64;
    ///
    /// assert_eq!(Fingerprint64::from(0x2c).to_le_bytes(), [0x2c, 0, 0, 0, 0, 0, 0, 0]);
    /// ```
    #[must_use]
    pub fn to_le_bytes(&self) -> Vec<u8> {
        self.le_bytes().collect()
    }

    /// As [`Self::to_le_bytes`], byte by byte and without an allocation.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(nearprint_bits::Fingerprint64::from(0x2c).le_bytes().next(), Some(0x2c));
    /// ```
    pub fn le_bytes(&self) -> impl Iterator<Item = u8> + use<WORDS> {
        self.0.into_iter().flat_map(u64::to_le_bytes)
    }

    /// The Hamming distance: the number of bits in which the two differ.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint64;
    ///
    /// assert_eq!(Fingerprint64::from(0b1010).distance(&Fingerprint64::from(0b0110)), 2);
    /// ```
    #[inline]
    #[must_use]
    pub fn distance(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a ^ b).count_ones()).sum()
    }

    /// Whether bit `i` is set; `false` beyond the width.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint64;
    ///
    /// let four = Fingerprint64::from(4);
    /// assert!(four.bit(2) && !four.bit(1) && !four.bit(64));
    /// ```
    #[must_use]
    pub fn bit(&self, i: u32) -> bool {
        self.0.get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// The fingerprint with its bits in the opposite order.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint64;
    ///
    /// assert_eq!(Fingerprint64::from(1).reverse_bits(), Fingerprint64::from(1 << 63));
    /// ```
    #[must_use]
    pub fn reverse_bits(mut self) -> Self {
        self.0.reverse();
        Self(self.0.map(u64::reverse_bits))
    }

    /// The width as a value.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::{Fingerprint256, Width};
    ///
    /// assert_eq!(Fingerprint256::width(), Width::W256);
    /// ```
    #[must_use]
    pub const fn width() -> Width {
        match Self::BITS {
            64 => Width::W64,
            128 => Width::W128,
            _ => Width::W256,
        }
    }

    /// The digits of the words from the most significant one, each made by `digits`.
    fn digits(&self, digits: impl Fn(u64) -> String) -> String {
        self.0.iter().rev().map(|word| digits(*word)).collect()
    }
}

/// A fingerprint of 64 bits.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint64;
///
/// let code = Fingerprint64::from(0xff);
/// assert_eq!(u64::from(code), 255);
/// ```
pub type Fingerprint64 = Fingerprint<1>;
/// A fingerprint of 128 bits.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint128;
///
/// assert_eq!(format!("{:x}", Fingerprint128::from(1_u128 << 100)).len(), 32);
/// ```
pub type Fingerprint128 = Fingerprint<2>;
/// A fingerprint of 256 bits.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint256;
///
/// let code = Fingerprint256::from([1, 2, 3, 4]);
/// assert_eq!(<[u64; 4]>::from(code)[3], 4);
/// ```
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

impl<const WORDS: usize> From<[u64; WORDS]> for Fingerprint<WORDS> {
    /// As [`Fingerprint::from_words`].
    fn from(words: [u64; WORDS]) -> Self {
        Self::from_words(words)
    }
}

impl<const WORDS: usize> From<Fingerprint<WORDS>> for [u64; WORDS] {
    fn from(fingerprint: Fingerprint<WORDS>) -> Self {
        fingerprint.0
    }
}

impl From<Fingerprint<1>> for u64 {
    fn from(Fingerprint([word]): Fingerprint<1>) -> Self {
        word
    }
}

impl From<Fingerprint<2>> for u128 {
    fn from(Fingerprint([low, high]): Fingerprint<2>) -> Self {
        Self::from(high) << 64 | Self::from(low)
    }
}

impl<const WORDS: usize> TryFrom<&[u8]> for Fingerprint<WORDS> {
    type Error = ParseError;

    /// As [`Fingerprint::from_le_bytes`].
    fn try_from(bytes: &[u8]) -> Result<Self, ParseError> {
        Self::from_le_bytes(bytes)
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

impl<const WORDS: usize> fmt::LowerHex for Fingerprint<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "0x", &self.digits(|word| format!("{word:016x}")))
    }
}

impl<const WORDS: usize> fmt::UpperHex for Fingerprint<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "0x", &self.digits(|word| format!("{word:016X}")))
    }
}

impl<const WORDS: usize> fmt::Binary for Fingerprint<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "0b", &self.digits(|word| format!("{word:064b}")))
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

#[cfg(feature = "serde")]
impl<const WORDS: usize> serde::Serialize for Fingerprint<WORDS> {
    /// As a string of hexadecimal digits.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de, const WORDS: usize> serde::Deserialize<'de> for Fingerprint<WORDS> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        digits.parse().map_err(serde::de::Error::custom)
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

    #[test]
    fn every_radix_has_the_whole_width() {
        let wide = Fingerprint::from(0xab_u128 << 64);
        assert_eq!(format!("{wide:x}"), format!("{:032x}", 0xab_u128 << 64));
        assert_eq!(format!("{wide:#X}"), format!("0x{:032X}", 0xab_u128 << 64));
        assert_eq!(format!("{wide:b}"), format!("{:0128b}", 0xab_u128 << 64));
        assert_eq!(u64::from(Fingerprint::from(5_u64)), 5);
        assert_eq!(
            Fingerprint::<1>::try_from([5; 8].as_slice()).unwrap().words(),
            &[0x0505_0505_0505_0505]
        );
        let odd = Fingerprint::<1>::from_le_bytes(&[5; 9]).unwrap_err();
        assert_eq!(odd.to_string(), "expected 8 bytes, found 9");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn fingerprints_are_strings_of_digits_to_serde() {
        let code = Fingerprint::from(0x2c_u64);
        let json = serde_json::to_string(&code).unwrap();
        assert_eq!(json, "\"000000000000002c\"");
        assert_eq!(serde_json::from_str::<Fingerprint64>(&json).unwrap(), code);
        assert_eq!(
            serde_json::from_str::<Fingerprint64>("\"\\u003000000000000002c\"").unwrap(),
            code
        );
        let error = serde_json::from_str::<Fingerprint64>("\"2c\"").unwrap_err();
        assert!(error.to_string().contains("expected 16 hexadecimal digits"), "{error}");
    }

    proptest! {
        #[test]
        fn hex_and_bytes_go_both_ways(words: [u64; 4]) {
            let wide = Fingerprint::from_words(words);
            prop_assert_eq!(wide.to_string().parse::<Fingerprint<4>>().unwrap(), wide);
            let bytes: Vec<u8> = wide.le_bytes().collect();
            prop_assert_eq!(&bytes, &wide.to_le_bytes());
            prop_assert_eq!(Fingerprint::<4>::from_le_bytes(&bytes), Ok(wide));
            let wrong = ParseError::Bytes { expected: 16, found: 32 };
            prop_assert_eq!(Fingerprint::<2>::from_le_bytes(&bytes), Err(wrong));
            prop_assert_eq!(<[u64; 4]>::from(wide), words);
        }

        #[test]
        fn order_is_that_of_the_integer(a: u128, b: u128) {
            prop_assert_eq!(Fingerprint::from(a).cmp(&Fingerprint::from(b)), a.cmp(&b));
            prop_assert_eq!(Fingerprint::from(a).distance(&Fingerprint::from(b)), (a ^ b).count_ones());
            prop_assert_eq!(u128::from(Fingerprint::from(a)), a);
            prop_assert_eq!(Fingerprint::from(a).reverse_bits(), Fingerprint::from(a.reverse_bits()));
        }
    }
}
