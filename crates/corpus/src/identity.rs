//! Which file a path leads to, so that two names of one file are seen as one. Opens nothing: a
//! named pipe must not be touched before it is read.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Equal for two paths exactly if they lead to one file: through links of either kind on Unix,
/// through symbolic links elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity {
    #[cfg(unix)]
    inode: (u64, u64),
    #[cfg(not(unix))]
    path: PathBuf,
}

impl FileIdentity {
    /// The identity of an existing file.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let metadata = fs::metadata(path)?;
            Ok(Self { inode: (metadata.dev(), metadata.ino()) })
        }
        #[cfg(not(unix))]
        {
            Ok(FileIdentity { path: fs::canonicalize(path)? })
        }
    }
}

/// The absolute path with every link resolved, of a file that need not exist yet: what does not
/// exist is joined to the deepest folder that does.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    for ancestor in path.ancestors() {
        if let Ok(real) = fs::canonicalize(ancestor) {
            return Ok(match path.strip_prefix(ancestor) {
                Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
                _ => real,
            });
        }
    }
    Ok(path)
}

/// The absolute path without `.` and `..`, links left as they are.
pub(crate) fn plain(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for component in std::path::absolute(path)?.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    Ok(plain)
}

/// The deepest folder above both paths.
pub(crate) fn shared(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_loses_its_dots() {
        assert_eq!(plain(Path::new("/a/./b/../c/")).unwrap(), Path::new("/a/c"));
        assert_eq!(plain(Path::new("/../a")).unwrap(), Path::new("/a"));
    }

    #[test]
    fn a_path_is_resolved_as_far_as_it_exists() {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        assert_eq!(resolve(&folder.path().join("new/file")).unwrap(), real.join("new/file"));
        assert_eq!(resolve(folder.path()).unwrap(), real);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_seen_through() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, folder.path().join("soft")).unwrap();
        fs::hard_link(&file, folder.path().join("hard")).unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        let identity = |name: &str| FileIdentity::of(&folder.path().join(name)).unwrap();
        assert_eq!(identity("soft"), identity("file"));
        assert_eq!(identity("hard"), identity("file"));
        assert_ne!(identity("other"), identity("file"));
        assert_eq!(resolve(&folder.path().join("soft")).unwrap(), fs::canonicalize(&file).unwrap());
    }
}
