//! Text to fingerprint.
pub mod error;
pub mod fingerprint;
pub mod width;
