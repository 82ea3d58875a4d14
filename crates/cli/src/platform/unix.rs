//! Unix.
#![expect(unsafe_code, reason = "only the system knows which signals are ignored")]

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::ffi::c_int;

/// The signals that are heeded.
pub(crate) const HEEDED: [c_int; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Whether whoever started the command wants it to live on when its terminal closes, as `nohup` does.
pub(crate) fn is_ignored(signal: c_int) -> bool {
    if signal != SIGHUP {
        return false;
    }
    // SAFETY: no new action is given, and what is told of the old one goes into one that is ours; all zeros
    // are such an action.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// A client that speaks through the socket of this path; else why none does.
#[cfg(feature = "serve")]
pub(crate) fn through_socket(
    client: reqwest::blocking::ClientBuilder,
    socket: &std::path::Path,
) -> Result<reqwest::blocking::ClientBuilder, &'static str> {
    Ok(client.unix_socket(socket))
}
