//! Lists of fingerprints of one width, for code that is compiled once for all widths.
#![expect(unsafe_code, reason = "a list is cast to the type that it has")]

use crate::fingerprint::{Fingerprint, Fingerprint64, Fingerprint128, Fingerprint256};
use crate::width::Width;
use std::ops::Range;

/// Borrowed fingerprints of one width.
///
/// A function that takes them is not generic over the width: it is compiled where it is defined, for all widths. It
/// enters the code of one width by one `match`, outside of its loops.
///
/// # Examples
/// ```
/// use nearprint_bits::{Codes, Fingerprint, Width};
///
/// let codes = [7_u128, 9].map(Fingerprint::from);
/// let list = Codes::of(&codes);
/// assert_eq!((list.width(), list.len()), (Width::W128, 2));
/// assert_eq!((list.of_width(), list.of_width::<1>()), (Some(&codes[..]), None));
/// assert_eq!(list.slice(1..2), Codes::of(&codes[1..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes<'a> {
    /// 64 bits each.
    W64(&'a [Fingerprint64]),
    /// 128 bits each.
    W128(&'a [Fingerprint128]),
    /// 256 bits each.
    W256(&'a [Fingerprint256]),
}

impl<'a> Codes<'a> {
    /// The list of `codes`.
    #[must_use]
    pub fn of<const WORDS: usize>(codes: &'a [Fingerprint<WORDS>]) -> Self {
        match Fingerprint::<WORDS>::width() {
            Width::W64 => Self::W64(cast(codes).unwrap_or_default()),
            Width::W128 => Self::W128(cast(codes).unwrap_or_default()),
            Width::W256 => Self::W256(cast(codes).unwrap_or_default()),
        }
    }

    /// The fingerprints, where they have `WORDS` words.
    #[must_use]
    pub fn of_width<const WORDS: usize>(self) -> Option<&'a [Fingerprint<WORDS>]> {
        match self {
            Self::W64(codes) => cast(codes),
            Self::W128(codes) => cast(codes),
            Self::W256(codes) => cast(codes),
        }
    }

    /// The number of bits in which the fingerprints at two positions differ; 0 where one is not there.
    ///
    /// A loop over pairs enters their width before it, and compares fingerprints.
    #[must_use]
    pub fn distance(self, a: usize, b: usize) -> u32 {
        match self {
            Self::W64(codes) => distance(codes, a, b),
            Self::W128(codes) => distance(codes, a, b),
            Self::W256(codes) => distance(codes, a, b),
        }
    }

    /// Those at a range of positions; none if not all of these are there.
    #[must_use]
    pub fn slice(self, range: Range<usize>) -> Self {
        match self {
            Self::W64(codes) => Self::W64(codes.get(range).unwrap_or_default()),
            Self::W128(codes) => Self::W128(codes.get(range).unwrap_or_default()),
            Self::W256(codes) => Self::W256(codes.get(range).unwrap_or_default()),
        }
    }

    /// Bits of a fingerprint.
    #[must_use]
    pub const fn width(self) -> Width {
        match self {
            Self::W64(_) => Width::W64,
            Self::W128(_) => Width::W128,
            Self::W256(_) => Width::W256,
        }
    }

    /// The number of fingerprints.
    #[must_use]
    pub const fn len(self) -> usize {
        match self {
            Self::W64(codes) => codes.len(),
            Self::W128(codes) => codes.len(),
            Self::W256(codes) => codes.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

fn distance<const WORDS: usize>(codes: &[Fingerprint<WORDS>], a: usize, b: usize) -> u32 {
    codes.get(a).zip(codes.get(b)).map_or(0, |(a, b)| a.distance(b))
}

/// The same list, where both types are one.
#[inline]
fn cast<const WORDS: usize, const AS: usize>(
    codes: &[Fingerprint<WORDS>],
) -> Option<&[Fingerprint<AS>]> {
    // SAFETY: the length and the lifetime stay, and the type is the same.
    (WORDS == AS).then(|| unsafe { std::slice::from_raw_parts(codes.as_ptr().cast(), codes.len()) })
}

/// Owned fingerprints of one width: what [`Codes`] borrows.
///
/// # Examples
/// ```
/// use nearprint_bits::{CodeList, Codes, Fingerprint, Width};
///
/// let mut list = CodeList::new(Width::W128);
/// list.of_width_mut::<2>().expect("two words").push(Fingerprint::from(7_u128));
/// assert!(list.of_width_mut::<1>().is_none());
/// assert_eq!(list.codes(), Codes::of(&[Fingerprint::from(7_u128)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeList {
    /// 64 bits each.
    W64(Vec<Fingerprint64>),
    /// 128 bits each.
    W128(Vec<Fingerprint128>),
    /// 256 bits each.
    W256(Vec<Fingerprint256>),
}

impl CodeList {
    /// A list of fingerprints of a width, with none yet.
    #[must_use]
    pub const fn new(width: Width) -> Self {
        match width {
            Width::W64 => Self::W64(Vec::new()),
            Width::W128 => Self::W128(Vec::new()),
            Width::W256 => Self::W256(Vec::new()),
        }
    }

    /// A list of fingerprints of a width, with room for so many.
    #[must_use]
    pub fn with_capacity(width: Width, capacity: usize) -> Self {
        match width {
            Width::W64 => Self::W64(Vec::with_capacity(capacity)),
            Width::W128 => Self::W128(Vec::with_capacity(capacity)),
            Width::W256 => Self::W256(Vec::with_capacity(capacity)),
        }
    }

    /// Adds the fingerprints of another list. `false`, and nothing is added, if they have another width.
    #[must_use]
    pub fn append(&mut self, others: Self) -> bool {
        match (self, others) {
            (Self::W64(codes), Self::W64(mut others)) => codes.append(&mut others),
            (Self::W128(codes), Self::W128(mut others)) => codes.append(&mut others),
            (Self::W256(codes), Self::W256(mut others)) => codes.append(&mut others),
            _ => return false,
        }
        true
    }

    /// The fingerprints of these words one after the other, of each the least significant first; words that are too few
    /// for another one are left out.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::{CodeList, Codes, Fingerprint, Width};
    ///
    /// let list = CodeList::from_words(Width::W128, &[7, 0, 8, 1, 9]);
    /// let codes = [Fingerprint::from_words([7, 0]), Fingerprint::from_words([8, 1])];
    /// assert_eq!(list.codes(), Codes::of(&codes));
    /// ```
    #[must_use]
    pub fn from_words(width: Width, words: &[u64]) -> Self {
        match width {
            Width::W64 => Self::W64(of_words(words)),
            Width::W128 => Self::W128(of_words(words)),
            Width::W256 => Self::W256(of_words(words)),
        }
    }

    /// The fingerprints, borrowed.
    #[must_use]
    pub fn codes(&self) -> Codes<'_> {
        match self {
            Self::W64(codes) => Codes::W64(codes),
            Self::W128(codes) => Codes::W128(codes),
            Self::W256(codes) => Codes::W256(codes),
        }
    }

    /// The fingerprints to change, where they have `WORDS` words.
    #[must_use]
    pub fn of_width_mut<const WORDS: usize>(&mut self) -> Option<&mut Vec<Fingerprint<WORDS>>> {
        match self {
            Self::W64(codes) => cast_vec(codes),
            Self::W128(codes) => cast_vec(codes),
            Self::W256(codes) => cast_vec(codes),
        }
    }

    /// Appends fingerprints from their bytes, the least significant first; what is left of the bytes is too few for
    /// another one.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::{CodeList, Codes, Fingerprint64, Width};
    ///
    /// let mut list = CodeList::new(Width::W64);
    /// assert_eq!(list.extend_from_le_bytes(&[7, 0, 0, 0, 0, 0, 0, 0, 9]), [9]);
    /// assert_eq!(list.codes(), Codes::of(&[Fingerprint64::from(7)]));
    /// ```
    pub fn extend_from_le_bytes<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        match self {
            Self::W64(codes) => extend(codes, bytes),
            Self::W128(codes) => extend(codes, bytes),
            Self::W256(codes) => extend(codes, bytes),
        }
    }

    /// Takes all fingerprints out.
    pub fn clear(&mut self) {
        match self {
            Self::W64(codes) => codes.clear(),
            Self::W128(codes) => codes.clear(),
            Self::W256(codes) => codes.clear(),
        }
    }

    /// Bits of a fingerprint.
    #[must_use]
    pub fn width(&self) -> Width {
        self.codes().width()
    }

    /// The number of fingerprints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<const WORDS: usize> From<Vec<Fingerprint<WORDS>>> for CodeList {
    fn from(mut codes: Vec<Fingerprint<WORDS>>) -> Self {
        let mut list = Self::new(Fingerprint::<WORDS>::width());
        if let Some(empty) = list.of_width_mut() {
            std::mem::swap(empty, &mut codes);
        }
        list
    }
}

fn of_words<const WORDS: usize>(words: &[u64]) -> Vec<Fingerprint<WORDS>> {
    words.as_chunks::<WORDS>().0.iter().map(|words| Fingerprint::from_words(*words)).collect()
}

/// The same list, where both types are one.
#[inline]
fn cast_vec<const WORDS: usize, const AS: usize>(
    codes: &mut Vec<Fingerprint<WORDS>>,
) -> Option<&mut Vec<Fingerprint<AS>>> {
    // SAFETY: the lifetime stays, and the type is the same.
    (WORDS == AS).then(|| unsafe { &mut *std::ptr::from_mut(codes).cast() })
}

fn extend<'a, const WORDS: usize>(
    codes: &mut Vec<Fingerprint<WORDS>>,
    bytes: &'a [u8],
) -> &'a [u8] {
    let each = bytes.chunks_exact(Fingerprint::<WORDS>::BYTES);
    let rest = each.remainder();
    codes.extend(each.flat_map(Fingerprint::from_le_bytes));
    rest
}

/// Enters the code of one width: from a [`Width`](crate::Width) known at run time, or from [`Codes`].
///
/// - `at_width!(width, function(args))` calls `function::<WORDS>(args)`.
/// - `at_width!(codes => name, then)` evaluates `then` with the slice of `codes` as `name`.
///
/// # Examples
/// ```
/// use nearprint_bits::{Codes, Fingerprint, Width, at_width};
///
/// fn bytes<const WORDS: usize>(documents: usize) -> usize {
///     WORDS * 8 * documents
/// }
/// assert_eq!(at_width!(Width::W128, bytes(10)), 160);
/// assert_eq!(at_width!(Codes::of(&[Fingerprint::from(5_u64)]) => codes, codes.len()), 1);
/// ```
#[macro_export]
macro_rules! at_width {
    ($width:expr, $function:ident($($arg:expr),* $(,)?)) => {
        match $width {
            $crate::Width::W64 => $function::<1>($($arg),*),
            $crate::Width::W128 => $function::<2>($($arg),*),
            $crate::Width::W256 => $function::<4>($($arg),*),
        }
    };
    ($codes:expr => $name:ident, $then:expr) => {
        match $codes {
            $crate::Codes::W64($name) => $then,
            $crate::Codes::W128($name) => $then,
            $crate::Codes::W256($name) => $then,
        }
    };
}
