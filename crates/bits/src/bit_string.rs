//! Bits of any width from 1 to 256, as people write them by hand. Stored fingerprints have one of three
//! widths: they are in [`crate::fingerprint`].

use crate::any_fingerprint::AnyFingerprint;
use crate::error::ParseError;
use crate::fingerprint::Fingerprint;
use std::fmt;
use std::str::FromStr;

/// Up to 256 bits, most significant first, in binary (`001`) or hexadecimal (`0x2c`).
///
/// # Examples
/// ```
/// use nearprint_bits::BitString;
///
/// let (a, b): (BitString, BitString) = ("100101".parse()?, "101100".parse()?);
/// assert_eq!((a.width(), a.distance(&b)), (6, Some(2)));
/// assert_eq!("0x2c".parse::<BitString>()?.to_string(), "00101100");
/// # Ok::<(), nearprint_bits::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitString {
    /// Least significant word first; bits from the width on are 0.
    words: [u64; 4],
    width: u32,
}

impl BitString {
    /// The most bits that one has.
    pub const MOST: u32 = 256;

    /// The `width` lowest bits of `words`, of which the first is the least significant.
    ///
    /// # Errors
    /// [`ParseError::BitWidth`] for a width of 0 or above 256.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::BitString;
    ///
    /// assert_eq!(BitString::new([0b1101, 0, 0, 0], 3)?.to_string(), "101");
    /// assert!(BitString::new([0; 4], 257).is_err());
    /// # Ok::<(), nearprint_bits::ParseError>(())
    /// ```
    pub fn new(words: [u64; 4], width: u32) -> Result<Self, ParseError> {
        if !(1..=Self::MOST).contains(&width) {
            return Err(ParseError::BitWidth { found: width as usize });
        }
        let mut bits = Self { words, width };
        for (word, below) in bits.words.iter_mut().zip([0, 64, 128, 192]) {
            let kept = width.saturating_sub(below).min(64);
            *word &= u64::MAX.checked_shr(64 - kept).unwrap_or(0);
        }
        Ok(bits)
    }

    /// The bits of hexadecimal digits, four a digit, with or without `0x` in front.
    ///
    /// # Errors
    /// No digit, more than 64, or a character that is none.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::BitString;
    ///
    /// let (a, b) = (BitString::from_hex("25")?, BitString::from_hex("2c")?);
    /// assert_eq!((a.width(), a.distance(&b)), (8, Some(2)));
    /// # Ok::<(), nearprint_bits::ParseError>(())
    /// ```
    pub fn from_hex(text: &str) -> Result<Self, ParseError> {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        Self::of_digits(digits, 4)
    }

    /// The bits of digits that stand for `bits` bits each.
    fn of_digits(digits: &str, bits: u32) -> Result<Self, ParseError> {
        let number = digits.chars().count();
        let width = u32::try_from(number).unwrap_or(u32::MAX).saturating_mul(bits);
        if !(1..=Self::MOST).contains(&width) {
            return Err(ParseError::BitWidth { found: number.saturating_mul(bits as usize) });
        }
        let mut words = [0_u64; 4];
        for (at, digit) in digits.chars().enumerate() {
            let Some(value) = digit.to_digit(1 << bits) else {
                return Err(match bits {
                    1 => ParseError::NotBit { found: digit, at: at + 1 },
                    _ => ParseError::NotHex,
                });
            };
            let mut carry = u64::from(value);
            for word in &mut words {
                (*word, carry) = (*word << bits | carry, *word >> (64 - bits));
            }
        }
        Ok(Self { words, width })
    }

    /// How many bits there are.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// The words, least significant first; bits from the width on are 0.
    #[must_use]
    pub const fn words(&self) -> &[u64; 4] {
        &self.words
    }

    /// Whether bit `i` is set, where bit 0 is the last that is written; `false` beyond the width.
    #[must_use]
    pub fn bit(&self, i: u32) -> bool {
        self.words.get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// The same number in `width` bits, with zeros in front; `None` where it does not fit.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::BitString;
    ///
    /// let bits: BitString = "101".parse()?;
    /// assert_eq!(bits.widened(6).unwrap().to_string(), "000101");
    /// assert_eq!(bits.widened(2), None);
    /// # Ok::<(), nearprint_bits::ParseError>(())
    /// ```
    #[must_use]
    pub fn widened(&self, width: u32) -> Option<Self> {
        let words = Self::new(self.words, width).ok()?.words;
        (words == self.words).then_some(Self { words, width })
    }

    /// The number of bits in which the two differ; `None` if their widths differ.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Option<u32> {
        let differ = |(a, b): (&u64, &u64)| (a ^ b).count_ones();
        (self.width == other.width).then(|| self.words.iter().zip(&other.words).map(differ).sum())
    }

    /// The smaller of the two as an integer, divided by the greater; 1 where both are 0.
    ///
    /// Some programs call this the similarity of two fingerprints. It is none: the first bits alone
    /// decide it, and a bit that differs there counts for more than all bits behind it.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::BitString;
    ///
    /// let [a, b, c]: [BitString; 3] = ["1000".parse()?, "0111".parse()?, "1001".parse()?];
    /// // Four bits differ, and the ratio is hardly lower than where one does.
    /// assert_eq!((a.distance(&b), a.ratio(&b)), (Some(4), 0.875));
    /// assert_eq!((a.distance(&c), a.ratio(&c)), (Some(1), 8.0 / 9.0));
    /// # Ok::<(), nearprint_bits::ParseError>(())
    /// ```
    #[must_use]
    pub fn ratio(&self, other: &Self) -> f64 {
        let (a, b) = (self.as_float(), other.as_float());
        let (least, most) = (a.min(b), a.max(b));
        if most == 0.0 { 1.0 } else { least / most }
    }

    /// The bits as an integer, rounded once.
    fn as_float(&self) -> f64 {
        let [low, second, third, high] = self.words;
        let wide = |low, high| u128::from(high) << 64 | u128::from(low);
        let (below, above) = (wide(low, second), wide(third, high));
        #[expect(clippy::cast_precision_loss, reason = "a ratio of the greatest digits")]
        let sum = below as f64 + above as f64 * 2_f64.powi(128);
        sum
    }

    /// The bits in hexadecimal, as few digits as the width needs.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::BitString;
    ///
    /// assert_eq!("101100".parse::<BitString>()?.to_hex(), "2c");
    /// # Ok::<(), nearprint_bits::ParseError>(())
    /// ```
    #[must_use]
    pub fn to_hex(&self) -> String {
        let digits = self.width.div_ceil(4) as usize;
        let all: String = self.words.iter().rev().map(|word| format!("{word:016x}")).collect();
        all.get(64 - digits..).unwrap_or_default().to_owned()
    }
}

impl<const WORDS: usize> From<Fingerprint<WORDS>> for BitString {
    fn from(fingerprint: Fingerprint<WORDS>) -> Self {
        let mut words = [0; 4];
        words.iter_mut().zip(fingerprint.words()).for_each(|(to, from)| *to = *from);
        Self { words, width: Fingerprint::<WORDS>::BITS }
    }
}

impl fmt::Display for BitString {
    /// In binary, all of the width.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: String =
            (0..self.width).rev().map(|i| if self.bit(i) { '1' } else { '0' }).collect();
        f.pad(&digits)
    }
}

impl From<AnyFingerprint> for BitString {
    fn from(fingerprint: AnyFingerprint) -> Self {
        match fingerprint {
            AnyFingerprint::W64(one) => one.into(),
            AnyFingerprint::W128(one) => one.into(),
            AnyFingerprint::W256(one) => one.into(),
        }
    }
}

impl FromStr for BitString {
    type Err = ParseError;

    /// Reads binary digits, with or without `0b` in front, or hexadecimal ones after `0x`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.starts_with("0x") || text.starts_with("0X") {
            return Self::from_hex(text);
        }
        let digits = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B")).unwrap_or(text);
        Self::of_digits(digits, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Fingerprint128;
    use proptest::prelude::*;

    fn bits(text: &str) -> BitString {
        text.parse().unwrap()
    }

    #[test]
    fn the_examples_of_the_sources_are_two_bits_apart() {
        assert_eq!(bits("100101").distance(&bits("101100")), Some(2));
        assert_eq!(bits("0b00101110").distance(&bits("00001111")), Some(2));
        assert_eq!(bits("0x2e").distance(&bits("00001111")), Some(2));
        assert_eq!(bits("101").distance(&bits("0101")), None);
    }

    #[test]
    fn the_ratio_of_the_python_class_is_that_of_two_integers() {
        let [a, b] = ["20302202800d8e90e45cc488", "20fc2282801d9e9ce4dcc6ea"]
            .map(|hex| BitString::from_hex(hex).unwrap());
        assert_eq!(a.ratio(&b), 0.975_840_988_109_587_5);
        assert_eq!((b.ratio(&a), a.distance(&b)), (a.ratio(&b), Some(14)));
        assert_eq!(bits("0").ratio(&bits("0")), 1.0);
        assert_eq!(BitString::new([0, 0, 0, 1], 256).unwrap().ratio(&bits("1")), 2_f64.powi(-192));
    }

    #[test]
    fn what_is_no_bit_string_says_why() {
        let error = |text: &str| text.parse::<BitString>().unwrap_err().to_string();
        assert_eq!(error(""), "expected 1 to 256 bits, found 0");
        assert_eq!(error(&"1".repeat(257)), "expected 1 to 256 bits, found 257");
        assert_eq!(error(&format!("0x{}", "f".repeat(65))), "expected 1 to 256 bits, found 260");
        assert_eq!(error("0121"), "expected binary digits (0 or 1), found '2' in place 3");
        assert_eq!(error("0x1g"), "expected hexadecimal digits (0-9, a-f)");
        assert!(BitString::new([0; 4], 0).is_err());
    }

    proptest! {
        #[test]
        fn every_width_goes_both_ways(words: [u64; 4], width in 1_u32..=256) {
            let of = BitString::new(words, width).unwrap();
            prop_assert_eq!(of.to_string().parse::<BitString>().unwrap(), of);
            prop_assert_eq!(of.to_string().len(), width as usize);
            let hex = BitString::from_hex(&of.to_hex()).unwrap();
            prop_assert_eq!(hex.words(), of.words());
            let widest = of.widened(256).unwrap();
            prop_assert_eq!(widest.words(), of.words());
            let wide = Fingerprint128::from_words([words[0], words[1]]);
            prop_assert_eq!(BitString::from(wide).to_hex(), wide.to_string());
        }
    }
}
