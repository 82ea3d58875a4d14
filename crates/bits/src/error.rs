//! What can go wrong while fingerprints and widths are read. Imports no sibling.

use thiserror::Error;

/// A fingerprint or a width that could not be read.
///
/// # Examples
/// ```
/// use nearprint_bits::{Fingerprint64, ParseError};
///
/// let error = "2c".parse::<Fingerprint64>().unwrap_err();
/// assert_eq!(error, ParseError::Digits { expected: 16, found: 2 });
/// assert_eq!(error.to_string(), "expected 16 hexadecimal digits, found 2 characters");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text has the wrong length for its width.
    #[error("expected {expected} hexadecimal digits, found {found} characters")]
    Digits {
        /// Digits that the width needs.
        expected: usize,
        /// Bytes that were there.
        found: usize,
    },
    /// A character is not a hexadecimal digit.
    #[error("expected hexadecimal digits (0-9, a-f)")]
    NotHex,
    /// The binary form has the wrong length for its width.
    #[error("expected {expected} bytes, found {found}")]
    Bytes {
        /// Bytes that the width needs.
        expected: usize,
        /// Bytes that were there.
        found: usize,
    },
    /// A character is not a binary digit.
    #[error("expected binary digits (0 or 1), found '{found}' in place {at}")]
    NotBit {
        /// The character.
        found: char,
        /// Its place, from 1.
        at: usize,
    },
    /// Bits written by hand are too few or too many.
    #[error("expected 1 to 256 bits, found {found}")]
    BitWidth {
        /// Bits that were there.
        found: usize,
    },
    /// The width is not offered.
    #[error("width {found} is not supported: use 64, 128 or 256")]
    Width {
        /// What was asked for.
        found: String,
    },
}
