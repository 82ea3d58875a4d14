//! What Unix and Windows do in different ways: sockets of files, signals, limits, rights.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{
    Hangup, OwnersSocket, Stops, allow_files, free_bytes, make_folder, most_files,
};
#[cfg(windows)]
pub(crate) use windows::{
    Hangup, OwnersSocket, Stops, allow_files, free_bytes, make_folder, most_files,
};
