//! The files and folders that a pattern of paths matches. What is done with them is `inputs`'.

use glob::{MatchOptions, Pattern, PatternError};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// What a pattern matches, and what could not be looked into.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    /// In no order.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) unreadable: Vec<PathBuf>,
}

/// A part of a pattern between two separators.
enum Part {
    /// A name as it is, or what leads elsewhere, such as `..`.
    Plain(PathBuf),
    /// A name with `*`, `?` or `[a-z]`.
    Name(Pattern),
    /// `**`: any number of folders.
    Folders,
}

/// The files and folders that match a pattern. Names that are not UTF-8 match as what is printed of them; a dot at
/// the start of a name matches only a dot.
pub(crate) fn matches(pattern: &str) -> Result<Matches, PatternError> {
    // The pattern as a whole tells where it is wrong.
    Pattern::new(pattern)?;
    let mut parts = Vec::new();
    for component in Path::new(pattern).components() {
        let name = component.as_os_str().to_str().unwrap_or_default();
        parts.push(match component {
            Component::CurDir => continue,
            Component::Normal(_) if name == "**" => Part::Folders,
            Component::Normal(_) if name.contains(['*', '?', '[']) => {
                Part::Name(Pattern::new(name)?)
            }
            _ => Part::Plain(component.as_os_str().into()),
        });
    }
    let mut found = Matches::default();
    found.walk(Path::new(""), &parts);
    if pattern.ends_with(std::path::is_separator) {
        found.paths.retain(|path| path.is_dir());
    }
    // Folders on the way may be passed in several ways.
    found.paths.sort();
    found.paths.dedup();
    Ok(found)
}

impl Matches {
    /// Takes what is below a folder and matches the parts that are left of a pattern.
    fn walk(&mut self, folder: &Path, parts: &[Part]) {
        let Some((part, rest)) = parts.split_first() else {
            self.paths.push(folder.to_owned());
            return;
        };
        match part {
            Part::Plain(name) => {
                let path = folder.join(name);
                if fs::symlink_metadata(&path).is_ok() {
                    self.walk(&path, rest);
                }
            }
            Part::Name(pattern) => {
                let options =
                    MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
                for path in self.entries(folder) {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    if pattern.matches_with(&name, options) && (rest.is_empty() || path.is_dir()) {
                        self.walk(&path, rest);
                    }
                }
            }
            Part::Folders => {
                self.walk(folder, rest);
                for path in self.entries(folder) {
                    let name = path.file_name().unwrap_or_default();
                    let is_hidden = name.as_encoded_bytes().starts_with(b".");
                    // A link may lead back.
                    let is_folder = fs::symlink_metadata(&path).is_ok_and(|it| it.is_dir());
                    if is_folder && !is_hidden {
                        self.walk(&path, parts);
                    }
                }
            }
        }
    }

    /// What is in a folder.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let names = fs::read_dir(here).and_then(|entries| {
            entries.map(|entry| Ok(folder.join(entry?.file_name()))).collect::<io::Result<_>>()
        });
        names.unwrap_or_else(|error| {
            if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                self.unreadable.push(folder.to_owned());
            }
            Vec::new()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path, pattern: &str) -> Vec<String> {
        let found = matches(&format!("{}/{pattern}", folder.display())).unwrap();
        let below = |path: &PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
        found.paths.iter().map(below).collect()
    }

    #[test]
    fn parts_of_a_pattern_match_names_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for path in ["a/x.txt", "a/b/y.txt", "a/.z.txt", "c/x.txt", ".d/x.txt"] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        assert_eq!(names(folder, "a/*.txt"), ["a/x.txt"]);
        assert_eq!(names(folder, "?/x.[s-u]xt"), ["a/x.txt", "c/x.txt"]);
        assert_eq!(names(folder, "**/*.txt"), ["a/b/y.txt", "a/x.txt", "c/x.txt"]);
        assert_eq!(names(folder, "**/**/y*"), ["a/b/y.txt"]);
        assert_eq!(names(folder, "./a/../c/*"), ["a/../c/x.txt"]);
        assert_eq!(names(folder, "a/*/"), ["a/b"]);
        assert_eq!(names(folder, "a/.*"), ["a/.z.txt"]);
        assert_eq!(names(folder, "no/*"), [""; 0]);
        assert_eq!(names(folder, "a/x.txt/*"), [""; 0]);
        assert!(matches("a[").is_err() && matches("a***").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf_8_match() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt"));
        fs::write(&path, "").unwrap();
        for pattern in ["caf*.txt", "*", "caf?.txt"] {
            let pattern = format!("{}/{pattern}", folder.path().display());
            assert_eq!(matches(&pattern).unwrap().paths, [&*path], "{pattern}");
        }
    }
}
