//! Windows.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::ffi::c_int;

/// The signals that are heeded. Windows sends the first for Ctrl-C, and the second never.
pub(crate) const HEEDED: [c_int; 2] = [SIGINT, SIGTERM];

/// Whether a signal is to be ignored: none is.
pub(crate) fn is_ignored(_: c_int) -> bool {
    false
}

/// A client that speaks through the socket of this path; else why none does.
#[cfg(feature = "serve")]
pub(crate) fn through_socket(
    _: reqwest::blocking::ClientBuilder,
    _: &std::path::Path,
) -> Result<reqwest::blocking::ClientBuilder, &'static str> {
    Err("on Windows a command cannot reach the process that serves a store")
}
