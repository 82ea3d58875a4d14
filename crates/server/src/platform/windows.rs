//! Windows. A server has no socket for the commands of the store's owner there, and reads its files once.

use std::fs;
use std::io;
use std::path::Path;
use tokio::io::DuplexStream;
use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

/// A socket in a folder: there is none.
pub(crate) enum OwnersSocket {}

impl OwnersSocket {
    pub(crate) fn bind(_: &Path) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "on Windows commands reach no server"))
    }

    pub(crate) async fn accept(&self) -> io::Result<DuplexStream> {
        match *self {}
    }
}

/// What stops a server: Ctrl-C, Ctrl-Break, a window that closes, a system that shuts down.
pub(crate) struct Stops {
    c: CtrlC,
    r#break: CtrlBreak,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

impl Stops {
    pub(crate) fn new() -> io::Result<Self> {
        let (c, r#break) = (ctrl_c()?, ctrl_break()?);
        Ok(Self { c, r#break, close: ctrl_close()?, shutdown: ctrl_shutdown()? })
    }

    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.c.recv() => {}
            _ = self.r#break.recv() => {}
            _ = self.close.recv() => {}
            _ = self.shutdown.recv() => {}
        }
    }
}

/// The signal that has a server read files again: there is none.
pub(crate) struct Hangup;

impl Hangup {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) async fn next(&mut self) -> Option<()> {
        None
    }
}

/// How many files may be open: as many as wanted.
pub(crate) fn allow_files(wanted: u64) -> u64 {
    wanted
}

/// Most files that may be open: there is no limit.
pub(crate) fn most_files() -> Option<u64> {
    None
}

/// Bytes that a user may still write where this folder is: not told.
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Makes a folder, for whom the folder above is.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}
