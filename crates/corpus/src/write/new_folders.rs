//! Folders that an output needed, and that go again where nothing came of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders made on the way to an output. Those that are empty are removed when this is dropped.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::NewFolders;
///
/// # let room = tempfile::tempdir()?;
/// # let path = |name: &str| room.path().join(name);
/// let mut folders = NewFolders::default();
/// folders.create(&path("parts/train"))?;
/// folders.create(&path("parts/test"))?;
/// std::fs::write(path("parts/train/1.txt"), "one")?;
/// drop(folders);
/// assert!(path("parts/train/1.txt").exists() && !path("parts/test").exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Makes `folder` with all above it that is not there.
    ///
    /// # Errors
    ///
    /// Those of the disk.
    pub fn create(&mut self, folder: &Path) -> io::Result<()> {
        let missing: Vec<_> =
            folder.ancestors().take_while(|path| fs::symlink_metadata(path).is_err()).collect();
        let missing = missing.into_iter().filter(|path| !path.as_os_str().is_empty());
        let above = self.0.len();
        self.0.extend(missing.map(Path::to_owned));
        // The outermost first, so that the last is removed first.
        self.0.get_mut(above..).unwrap_or_default().reverse();
        fs::create_dir_all(folder)
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        // A folder that is not empty is not removed, and one that someone else removed is gone.
        self.0.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_made_and_stayed_empty_goes() {
        let room = tempfile::tempdir().unwrap();
        let path = |name: &str| room.path().join(name);
        fs::create_dir(path("old")).unwrap();
        let mut folders = NewFolders::default();
        ["old", "old/a/b", "old/a/c", "new/d", "full"]
            .iter()
            .for_each(|name| folders.create(&path(name)).unwrap());
        fs::write(path("full/file"), "").unwrap();
        drop(folders);
        assert!(path("old").is_dir() && path("full/file").is_file());
        assert!(!path("old/a").exists() && !path("new").exists());
    }
}
