//! What Unix and Windows do in different ways: signals, and the way to the process that serves a store.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(all(unix, feature = "serve"))]
pub(crate) use unix::through_socket;
#[cfg(unix)]
pub(crate) use unix::{HEEDED, is_ignored};
#[cfg(all(windows, feature = "serve"))]
pub(crate) use windows::through_socket;
#[cfg(windows)]
pub(crate) use windows::{HEEDED, is_ignored};
