//! A disk that is soon full: a file system in memory.

use crate::skip::skip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file system of few bytes, which is gone with this value.
#[derive(Debug)]
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one of so many bytes in a new folder. Where mounting is not allowed, notes that the
    /// test is skipped and returns `None`.
    #[must_use]
    pub fn mount(folder: PathBuf, bytes: u64) -> Option<Self> {
        fs::create_dir(&folder).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"]).arg(&folder);
        let mounted = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        if !mounted {
            skip("no small file system can be mounted (mount -t tmpfs, as root)");
            return None;
        }
        Some(Self(folder))
    }

    /// The folder that it is mounted on.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Whether no file is on it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        fs::read_dir(&self.0).unwrap().next().is_none()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _unmounted = Command::new("umount").arg(&self.0).status();
    }
}
