//! From what the user typed to the sources of a run, in the order in which they are read.

use crate::error::Error;
use crate::format::InputFormat;
use crate::identity::{FileIdentity, plain};
use crate::read::sniff::tell_format;
use crate::read::source::{Origin, Source};
use crate::remote::object::{self, Listing, Object};
use crate::remote::object_url::ObjectUrl;
use glob::MatchOptions;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

/// Finds the sources that `inputs` name, in the order of `inputs`.
///
/// An input is a file; a folder, read recursively in the order of names, without hidden files and
/// without following links to folders; a pattern with `*`, `**`, `?` or `[a-z]`, unless a file has
/// that very name; an object, a folder or a pattern of them, as `s3://bucket/key`; or `-`, standard
/// input. Without `format` every source tells its own: by its
/// extension, and by its first bytes where the name has none.
///
/// Time and memory are proportional to the number of files. Only files without an extension are
/// opened.
///
/// # Errors
///
/// An input that does not exist, matches nothing or holds nothing, and a file that two inputs lead
/// to, whatever links they go through.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::discover;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// # std::fs::create_dir(folder.join("sub"))?;
/// std::fs::write(folder.join("sub/b.jsonl.gz"), "")?;
/// std::fs::write(folder.join("a.txt"), "")?;
/// let sources = discover(&[folder.display().to_string()], None)?;
/// assert_eq!(sources[0].relative().to_str(), Some("a.txt"));
/// assert_eq!(sources[1].relative().to_str(), Some("sub/b.jsonl.gz"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn discover(inputs: &[String], format: Option<InputFormat>) -> Result<Vec<Source>, Error> {
    let mut found = Found {
        format,
        sources: Vec::new(),
        bases: Vec::new(),
        input: 0,
        seen: HashMap::new(),
        objects: HashSet::new(),
    };
    if inputs.is_empty() {
        return Err(Error::NoInput);
    }
    for input in inputs {
        let path = Path::new(input);
        if input == "-" {
            found.add_stdin()?;
        } else if let Some(url) = ObjectUrl::parse(input)? {
            found.add_objects(&url)?;
        } else if path.exists() {
            found.add_path(path)?;
        } else if input.contains(['*', '?', '[']) {
            for path in matches(input)? {
                found.add_path(&path)?;
            }
        } else {
            return Err(match fs::metadata(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => unreadable(path, error),
                _ => Error::InputMissing { path: input.clone() },
            });
        }
    }
    found.finish()
}

/// The sources found so far.
struct Found {
    format: Option<InputFormat>,
    sources: Vec<Source>,
    /// The folders to which the sources' names are relative, one an input.
    bases: Vec<PathBuf>,
    /// Inputs begun, standard input not counted.
    input: usize,
    /// Every file, with its name and the number of the input that led to it.
    seen: HashMap<FileIdentity, (String, usize)>,
    /// Every object.
    objects: HashSet<ObjectUrl>,
}

impl Found {
    fn add_stdin(&mut self) -> Result<(), Error> {
        if self.sources.iter().any(|source| matches!(source.origin, Origin::Stdin)) {
            return Err(Error::StdinTwice);
        }
        self.sources.push(Source {
            origin: Origin::Stdin,
            name: "stdin".to_owned(),
            relative: PathBuf::from("stdin"),
            format: self.format,
            bytes: None,
            folder: None,
            lines: false,
        });
        Ok(())
    }

    fn add_path(&mut self, path: &Path) -> Result<(), Error> {
        self.input += 1;
        if path.is_dir() {
            self.add_folder(path)
        } else {
            let base = plain(path).map_err(|error| unreadable(path, error))?;
            self.bases.push(base.parent().unwrap_or(&base).to_owned());
            self.add_file(path, None)
        }
    }

    fn add_folder(&mut self, path: &Path) -> Result<(), Error> {
        let real = fs::canonicalize(path).map_err(|error| unreadable(path, error))?;
        let folder: Arc<Path> = real.into();
        let before = self.sources.len();
        let visible = WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|entry| {
            entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
        });
        for entry in visible {
            let entry = entry.map_err(|error| {
                let at = error.path().unwrap_or(path).to_owned();
                unreadable(&at, error.into())
            })?;
            let path = entry.path();
            let metadata = fs::metadata(path).map_err(|error| unreadable(path, error))?;
            if metadata.is_file() {
                self.add_file(path, Some(&folder))?;
            }
        }
        if self.sources.len() == before {
            return Err(Error::EmptyFolder { path: path.display().to_string() });
        }
        self.bases.push(plain(path).map_err(|error| unreadable(path, error))?);
        Ok(())
    }

    /// Links from file to file inside one folder are the folder's own; two inputs that lead to
    /// one file are a mistake.
    fn add_file(&mut self, path: &Path, folder: Option<&Arc<Path>>) -> Result<(), Error> {
        let name = path.display().to_string();
        let regular = path.is_file();
        if regular {
            let identity = FileIdentity::of(path).map_err(|error| unreadable(path, error))?;
            match self.seen.entry(identity) {
                Entry::Occupied(seen) => {
                    let (first, input) = seen.get();
                    if *input != self.input {
                        return Err(Error::SameInput { first: first.clone(), second: name });
                    }
                }
                Entry::Vacant(slot) => {
                    slot.insert((name.clone(), self.input));
                }
            }
        }
        let mut source = Source {
            origin: if regular { Origin::File(path.into()) } else { Origin::Pipe(path.into()) },
            name,
            relative: plain(path).map_err(|error| unreadable(path, error))?,
            format: self.format.or_else(|| InputFormat::of_name(path)),
            bytes: if regular { Source::measure(path) } else { None },
            folder: folder.cloned(),
            lines: false,
        };
        tell_format(&mut source);
        self.sources.push(source);
        Ok(())
    }

    /// Objects are told apart by their addresses.
    fn add_objects(&mut self, url: &ObjectUrl) -> Result<(), Error> {
        let before = self.sources.len();
        for Listing { objects, folder } in object::find(url)? {
            self.input += 1;
            let base = folder.as_ref().map(ObjectUrl::as_path);
            let folder: Option<Arc<Path>> = base.as_deref().map(Arc::from);
            for object in objects {
                let path = object.url.as_path();
                self.bases
                    .push(base.clone().or_else(|| Some(path.parent()?.into())).unwrap_or_default());
                self.add_object(object, path, folder.clone())?;
            }
        }
        if self.sources.len() > before {
            return Ok(());
        }
        let name = url.to_string();
        Err(if url.scheme.is_storage() && url.key.contains(['*', '?', '[']) {
            Error::NoMatch { pattern: name }
        } else {
            Error::InputMissing { path: name }
        })
    }

    fn add_object(
        &mut self,
        object: Object,
        path: PathBuf,
        folder: Option<Arc<Path>>,
    ) -> Result<(), Error> {
        let name = object.url.to_string();
        if !self.objects.insert(object.url.clone()) {
            return Err(Error::SameInput { first: name.clone(), second: name });
        }
        let told = InputFormat::of_name(Path::new(&object.url.key));
        let mut source = Source {
            name,
            format: self.format.or(told),
            bytes: Some(object.bytes()),
            relative: path,
            folder,
            lines: false,
            origin: Origin::Object(object),
        };
        tell_format(&mut source);
        self.sources.push(source);
        Ok(())
    }

    /// Makes the relative paths relative.
    fn finish(mut self) -> Result<Vec<Source>, Error> {
        let base = self.bases.iter().fold(None::<PathBuf>, |common, base| {
            Some(common.map_or_else(|| base.clone(), |common| shared(&common, base)))
        });
        let base = base.unwrap_or_default();
        for source in &mut self.sources {
            if let Ok(relative) = source.relative.strip_prefix(&base) {
                source.relative = relative.to_owned();
            }
        }
        Ok(self.sources)
    }
}

/// The deepest folder above both paths.
fn shared(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

fn unreadable(path: &Path, source: io::Error) -> Error {
    Error::Read { path: path.display().to_string(), source }
}

/// What a pattern matches, in the order of names: files, and folders to walk unless the pattern
/// itself descends into them (`**`).
fn matches(pattern: &str) -> Result<Vec<PathBuf>, Error> {
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
    let paths = glob::glob_with(pattern, options).map_err(|error| Error::BadPattern {
        pattern: pattern.to_owned(),
        detail: error.to_string(),
    })?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| {
            let at = error.path().to_owned();
            unreadable(&at, error.into())
        })?;
        if !(pattern.contains("**") && path.is_dir()) {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Error::NoMatch { pattern: pattern.to_owned() });
    }
    found.sort();
    Ok(found)
}
