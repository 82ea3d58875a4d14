//! The fingerprint as bits: its widths, its text form, its order and its Hamming distance.
//!
//! `nearprint-fingerprint` makes fingerprints of texts, and `nearprint-index` searches them. Both build
//! on this crate, which knows nothing of texts or of searching and depends on next to nothing.
//!
//! | file | what it holds |
//! |---|---|
//! | `fingerprint` | [`Fingerprint`], with its conversions |
//! | `codes` | [`Codes`], [`CodeList`]: fingerprints of one width; [`at_width!`] enters the code of one width |
//! | `bit_string` | [`BitString`]: 1 to 256 bits, as people write them by hand |
//! | `width` | [`Width`]: 64, 128 or 256 bits |
//! | `mix` | [`mix64`], the mixer that all crates share |
//! | `error` | [`ParseError`] |
//! | `error_kind` | [`ErrorKind`]: nine sorts of failure, which all crates share |
//!
//! The feature `serde` reads and writes fingerprints as strings of hexadecimal digits, and widths as
//! numbers.
//!
//! # Examples
//! ```
//! use nearprint_bits::{Fingerprint64, Width};
//!
//! let a: Fingerprint64 = "0000000000000025".parse()?;
//! let b = Fingerprint64::from(0x2c);
//! assert_eq!(a.distance(&b), 2);
//! assert_eq!(Fingerprint64::width(), Width::W64);
//! # Ok::<(), nearprint_bits::ParseError>(())
//! ```

mod any_fingerprint;
mod bit_string;
mod codes;
mod error;
mod error_kind;
mod fingerprint;
mod mix;
mod width;

pub use any_fingerprint::AnyFingerprint;
pub use bit_string::BitString;
pub use codes::{CodeList, Codes};
pub use error::ParseError;
pub use error_kind::ErrorKind;
pub use fingerprint::{Fingerprint, Fingerprint64, Fingerprint128, Fingerprint256};
pub use mix::mix64;
pub use width::Width;
