//! Unix.

use rustix::fs::statvfs;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use tokio::net::{UnixListener, UnixStream};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A socket in a folder, to which only its owner connects.
pub(crate) struct OwnersSocket(UnixListener);

impl OwnersSocket {
    pub(crate) fn bind(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
        Ok(Self(listener))
    }

    pub(crate) async fn accept(&self) -> io::Result<UnixStream> {
        self.0.accept().await.map(|(stream, _)| stream)
    }
}

/// The signals that stop a server: SIGTERM and SIGINT.
pub(crate) struct Stops {
    terminate: Signal,
    interrupt: Signal,
}

impl Stops {
    pub(crate) fn new() -> io::Result<Self> {
        let [terminate, interrupt] = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
        Ok(Self { terminate: terminate?, interrupt: interrupt? })
    }

    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The signal that has a server read files again: SIGHUP.
pub(crate) struct Hangup(Signal);

impl Hangup {
    pub(crate) fn new() -> io::Result<Self> {
        signal(SignalKind::hangup()).map(Self)
    }

    /// The next one; none if none can come.
    pub(crate) async fn next(&mut self) -> Option<()> {
        self.0.recv().await
    }
}

/// Has the system allow so many open files, or as many as it does; returns how many that are.
pub(crate) fn allow_files(wanted: u64) -> u64 {
    let Rlimit { maximum, current } = getrlimit(Resource::Nofile);
    let allowed = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let files = current.unwrap_or(wanted);
    let raised = Rlimit { current: Some(allowed), maximum };
    if files < allowed && setrlimit(Resource::Nofile, raised).is_ok() { allowed } else { files }
}

/// Most files that may be open, if there is a limit.
pub(crate) fn most_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Bytes that a user may still write where this folder is, if the system tells.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let file_system = statvfs(folder).ok()?;
    file_system.f_bavail.checked_mul(file_system.f_frsize)
}

/// Makes a folder for its owner alone.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}
