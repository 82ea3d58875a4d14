//! The fingerprint as bits: its widths, its text form, its order and its Hamming distance.
//!
//! The crate knows nothing of texts or of searching. `nearprint-fingerprint` makes fingerprints of
//! texts, `nearprint-index` searches them; both build on this crate.
//!
//! # Examples
//! ```
//! use nearprint_bits::{Fingerprint64, Width};
//!
//! let a: Fingerprint64 = "0000000000000025".parse()?;
//! let b = Fingerprint64::from(0x2c);
//! assert_eq!(a.distance(&b), 2);
//! assert_eq!(Fingerprint64::width(), Some(Width::W64));
//! # Ok::<(), nearprint_bits::ParseError>(())
//! ```

mod error;
mod fingerprint;
mod mix;
mod width;

pub use error::ParseError;
pub use fingerprint::{Fingerprint, Fingerprint64, Fingerprint128, Fingerprint256};
pub use mix::mix64;
pub use width::Width;
