//! The hash that turns a token into bits: fixed functions, equal on every platform and release.
//!
//! How several tokens become one shingle is in [`crate::vote::shingle`].

use nearprint_bits::mix64;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A hash function that a recipe may name.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::TokenHash;
///
/// assert_ne!(TokenHash::Xxh3.hash("word"), TokenHash::Fnv1a.hash("word"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenHash {
    /// XXH3 of 64 bits, seed 0: the default.
    #[default]
    Xxh3,
    /// FNV-1a of 64 bits as published. Weak: on short tokens some bits hardly change and bits go
    /// together (correlation up to 1.0), so distances mislead. For compatibility only.
    Fnv1a,
    /// FNV-1a followed by [`mix64`]: portable to any language and as good as the default.
    Fnv1aMix,
    /// FNV-1a printed by Go's `fmt.Sprintf("%064b", int64(h))`: where the top bit is set, the other
    /// 63 are those of the negated value. For compatibility only.
    Fnv1aGo,
    /// The multiplicative string hash of Python 2 over code points, computed at the width of the
    /// fingerprint. Very weak: short tokens leave the high bits empty. For compatibility only.
    Python,
}

impl TokenHash {
    /// The 64-bit hash of a token.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::TokenHash;
    ///
    /// assert_eq!(TokenHash::Fnv1a.hash("foobar"), 0x85944171f73967e8);
    /// ```
    #[must_use]
    pub fn hash(self, token: &str) -> u64 {
        match self {
            Self::Xxh3 => xxh3_64(token.as_bytes()),
            Self::Fnv1a => fnv1a(token.as_bytes()),
            Self::Fnv1aMix => mix64(fnv1a(token.as_bytes())),
            Self::Fnv1aGo => go_bits(fnv1a(token.as_bytes())),
            Self::Python => python(token, 1)[0],
        }
    }

    /// The hash of a token at the width of a fingerprint of `WORDS` words.
    ///
    /// [`TokenHash::Python`] is computed at that width; the others are widened by [`widen`].
    #[must_use]
    pub fn hash_wide<const WORDS: usize>(self, token: &str) -> [u64; WORDS] {
        match self {
            Self::Python => {
                let wide = python(token, WORDS);
                std::array::from_fn(|i| wide.get(i).copied().unwrap_or(0))
            }
            _ => widen(self.hash(token)),
        }
    }
}

/// The two halves of a 128-bit product, exclusive-ored.
#[inline]
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the two halves of the product")]
pub(crate) const fn fold_multiply(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// A 64-bit feature key as the bits of a wider fingerprint: word 0 is the key itself, word `i` is
/// [`mix64`] of the key plus `i` times the golden ratio.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::widen;
///
/// assert_eq!(widen::<1>(7), [7]);
/// assert_eq!(widen::<4>(7)[..2], widen::<2>(7));
/// ```
#[inline]
#[must_use]
pub fn widen<const WORDS: usize>(key: u64) -> [u64; WORDS] {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut step = key;
    std::array::from_fn(|i| {
        if i == 0 {
            return key;
        }
        step = step.wrapping_add(GOLDEN);
        mix64(step)
    })
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &byte| {
        (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

const fn go_bits(h: u64) -> u64 {
    if h >> 63 == 0 { h } else { h.wrapping_neg() | 1 << 63 }
}

/// `x = ord(s[0]) << 7; x = x * 1000003 ^ ord(c) ...; x ^= len(s)` modulo 2^(64 * words). The
/// empty string is 0.
fn python(token: &str, words: usize) -> [u64; 4] {
    let mut x = [0_u64; 4];
    let Some(first) = token.chars().next() else { return x };
    x[0] = u64::from(first) << 7;
    let mut length = 0;
    for c in token.chars() {
        let mut carry = 0_u128;
        for word in x.iter_mut().take(words) {
            let product = u128::from(*word) * 1_000_003 + carry;
            #[expect(clippy::cast_possible_truncation, reason = "the low half; the rest carries")]
            let low = product as u64;
            (*word, carry) = (low, product >> 64);
        }
        x[0] ^= u64::from(c);
        length += 1;
    }
    x[0] ^= length;
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv1a_has_the_published_values() {
        for (token, plain, go) in [
            ("", 0xcbf2_9ce4_8422_2325, None),
            ("a", 0xaf63_dc4c_8601_ec8c, None),
            ("foobar", 0x8594_4171_f739_67e8, Some(0xfa6b_be8e_08c6_9818)),
            ("上海", 0x4ef4_ef9e_e82a_f0c5, Some(0x4ef4_ef9e_e82a_f0c5)),
            ("北京", 0x9aa1_e75c_f025_7d61, Some(0xe55e_18a3_0fda_829f)),
            ("共识", 0xb10a_771c_80d0_91b7, Some(0xcef5_88e3_7f2f_6e49)),
            ("算法", 0xb466_0887_3193_92d9, None),
            ("区块", 0x2ebc_46ab_6e6d_3fe5, Some(0x2ebc_46ab_6e6d_3fe5)),
            ("区块链", 0xf675_51a3_3d02_54b1, Some(0x898a_ae5c_c2fd_ab4f)),
            ("simhash", 0x74ee_72fe_873a_ac34, Some(0x74ee_72fe_873a_ac34)),
        ] {
            assert_eq!(TokenHash::Fnv1a.hash(token), plain, "{token}");
            assert_eq!(TokenHash::Fnv1aMix.hash(token), mix64(plain), "{token}");
            if let Some(go) = go {
                assert_eq!(TokenHash::Fnv1aGo.hash(token), go, "{token}");
            }
        }
    }

    #[test]
    fn xxh3_has_the_published_value_of_the_empty_input() {
        assert_eq!(TokenHash::Xxh3.hash(""), 0x2d06_8005_38d3_94c2);
    }

    #[test]
    fn the_python_hash_at_64_bits_is_the_low_half_of_128() {
        let [low, high] = TokenHash::Python.hash_wide::<2>("testing");
        assert_eq!(TokenHash::Python.hash_wide::<1>("testing"), [low]);
        assert_ne!(high, 0);
        assert_eq!(TokenHash::Python.hash_wide::<2>(""), [0, 0]);
    }
}
