//! Which files of a folder are read, by their names. Walking the folder is `inputs`'.

use crate::error::Error;
use glob::{MatchOptions, Pattern};
use std::path::Path;

/// Patterns of files to read and of files and folders to pass over; without any all files are read.
///
/// A pattern without a slash is about a name, in whatever folder. One with a slash is about the path
/// below the folder that was given as an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

impl Filter {
    pub(crate) fn include(&mut self, patterns: &[String]) -> Result<(), Error> {
        self.include.extend(parsed(patterns)?);
        Ok(())
    }

    pub(crate) fn exclude(&mut self, patterns: &[String]) -> Result<(), Error> {
        self.exclude.extend(parsed(patterns)?);
        Ok(())
    }

    /// Whether a file at this path below its input is read.
    pub(crate) fn takes(&self, below: &Path) -> bool {
        (self.include.is_empty() || any(&self.include, below)) && !self.is_excluded(below)
    }

    /// The same where no folder on the way was asked about.
    pub(crate) fn takes_below(&self, below: &Path) -> bool {
        let folders = below.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
        self.takes(below) && !folders.into_iter().any(|folder| self.is_excluded(folder))
    }

    /// Whether a file or a folder is passed over, with all that is in it.
    pub(crate) fn is_excluded(&self, below: &Path) -> bool {
        any(&self.exclude, below)
    }
}

fn parsed(patterns: &[String]) -> Result<Vec<Pattern>, Error> {
    let parse = |text: &String| {
        Pattern::new(text)
            .map_err(|error| Error::BadPattern { pattern: text.clone(), detail: error.to_string() })
    };
    patterns.iter().map(parse).collect()
}

fn any(patterns: &[Pattern], below: &Path) -> bool {
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    let name = below.file_name().map(Path::new).unwrap_or(below);
    patterns.iter().any(|pattern| {
        let whole = pattern.as_str().contains('/');
        let path = if whole { below } else { name }.to_string_lossy();
        pattern.matches_with(&path, options)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(include: &[&str], exclude: &[&str]) -> Filter {
        let listed = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let mut filter = Filter::default();
        filter.include(&listed(include)).unwrap();
        filter.exclude(&listed(exclude)).unwrap();
        filter
    }

    #[test]
    fn a_name_is_matched_anywhere_and_a_path_from_the_folder_on() {
        let takes = |filter: &Filter, path: &str| filter.takes(Path::new(path));
        assert!(takes(&filter(&[], &[]), "a/b"));
        let html = filter(&["*.html", "doc/**/*.txt"], &["index.html", "old"]);
        for (path, taken) in [
            ("a.html", true),
            ("x/y/a.html", true),
            ("x/index.html", false),
            ("doc/x/a.txt", true),
            ("x/doc/a.txt", false),
            ("a.txt", false),
        ] {
            assert_eq!(takes(&html, path), taken, "{path}");
        }
        assert!(html.is_excluded(Path::new("x/old")));
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let name = std::ffi::OsStr::from_bytes(b"caf\xe9.html");
            assert!(html.takes(Path::new(name)));
        }
        let mut wrong = Filter::default();
        assert_eq!(wrong.include(&["a[".to_owned()]).unwrap_err().reason(), "bad-pattern");
    }
}
