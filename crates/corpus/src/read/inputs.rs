//! From what the user typed to the sources of a run, in the order in which they are read.

use crate::error::Error;
use crate::format::InputFormat;
use crate::identity::{FileIdentity, plain, shared};
use crate::own_folder::OwnFolder;
use crate::printed::printed;
use crate::read::appetite::of_listed;
use crate::read::beside_archives;
use crate::read::beside_columns;
use crate::read::discovery::Discovery;
use crate::read::passed_over::{Obstacle, PassedOver};
use crate::read::reader::Reader;
use crate::read::sniff::{check_named, is_seen, tell_format};
use crate::read::wacz;
use crate::read::wildcards;
use crate::records::read_options::ReadOptions;
use crate::records::source::{Origin, Source};
use crate::remote::object::{self, Listing, Object};
use crate::remote::object_url::ObjectUrl;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use walkdir::WalkDir;

/// Bytes of a file that is looked into for a row, at most: larger ones have some.
const BARE: u64 = 1 << 16;

impl Discovery {
    /// Finds the sources that `inputs` name, in the order of `inputs`, and what was passed over.
    ///
    /// An input is a file; a folder, read recursively in the order of names, without hidden files and
    /// without following links to folders; a pattern with `*`, `**`, `?` or `[a-z]`, unless a file has
    /// that very name; an object, a folder or a pattern of them, as `s3://bucket/key`; or `-`, standard
    /// input. Without a format every source tells its own: by its
    /// extension, and by its first bytes where the name has none or an unknown one.
    ///
    /// What no input names by itself is passed over if it is no text, cannot be opened, is a link that
    /// leads nowhere, is empty without a name that tells a format, or is a file of the same folder once more; if it has no rows, where [those](Self::of_rows) are
    /// asked for; if it is an index or a list of checksums beside web archives, or
    /// tells of the files of columns beside it, such as a log of Delta Lake; and with all that is in it if it is a
    /// folder that nearprint made for itself, such as a store.
    ///
    /// Time and memory are proportional to the number of files. Files are opened
    /// whose names tell no format, or one under which others are found: texts, pages and rows of JSON.
    ///
    /// # Errors
    ///
    /// An input that does not exist, matches nothing or holds nothing; a folder that nearprint made for itself; a file
    /// that two inputs lead to, whatever links they go through; a file that an input names and that is no text; more files than
    /// there is [room](Self::room) for.
    pub fn find<S: AsRef<OsStr>>(
        &self,
        inputs: &[S],
    ) -> Result<(Vec<Source>, Vec<PassedOver>), Error> {
        let mut found = Found {
            how: self,
            sources: Vec::new(),
            files: 0,
            listed: 0,
            passed_over: Vec::new(),
            bases: Vec::new(),
            input: 0,
            seen: HashMap::new(),
            objects: HashSet::new(),
        };
        if inputs.is_empty() {
            return Err(Error::NoInput);
        }
        for input in inputs {
            let first = found.sources.len();
            found.add(input.as_ref())?;
            if self.format.is_none() {
                beside_archives::leave(&mut found.sources, first, &mut found.passed_over);
                beside_columns::leave(&mut found.sources, first, &mut found.passed_over);
            }
        }
        found.finish()
    }
}

/// The sources that `inputs` name, as [`Discovery::find`] finds them.
///
/// # Errors
///
/// As for [`Discovery::find`].
///
/// # Examples
///
/// ```
/// use nearprint_corpus::discover;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// # std::fs::create_dir(folder.join("sub"))?;
/// std::fs::write(folder.join("sub/b.jsonl"), "")?;
/// std::fs::write(folder.join("a.txt"), "")?;
/// let sources = discover(&[folder], None)?;
/// assert_eq!(sources[0].relative().to_str(), Some("a.txt"));
/// assert_eq!(sources[1].relative().to_str(), Some("sub/b.jsonl"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn discover<S: AsRef<OsStr>>(
    inputs: &[S],
    format: Option<InputFormat>,
) -> Result<Vec<Source>, Error> {
    Ok(Discovery::new().format(format).find(inputs)?.0)
}

/// The sources found so far.
struct Found<'a> {
    how: &'a Discovery,
    /// None of them once there is no room.
    sources: Vec<Source>,
    /// How many there are, and what their lists take.
    files: u64,
    listed: u64,
    passed_over: Vec<PassedOver>,
    /// The folders to which the sources' names are relative, one an input.
    bases: Vec<PathBuf>,
    /// Inputs begun, standard input not counted.
    input: usize,
    /// Every file, with its name and the number of the input that led to it.
    seen: HashMap<FileIdentity, (String, usize)>,
    /// Every object.
    objects: HashSet<ObjectUrl>,
}

/// How a file was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// An input names it.
    Name,
    /// It is in a folder, or matches a pattern.
    Search,
}

impl Found<'_> {
    fn add(&mut self, input: &OsStr) -> Result<(), Error> {
        let (path, text) = (Path::new(input), input.to_str());
        if input == "-" {
            self.add_stdin()
        } else if let Some(url) = text.map(ObjectUrl::parse).transpose()?.flatten() {
            self.add_objects(&url)
        } else if path.exists() {
            self.add_path(path, By::Name)
        } else if let Some(pattern) = text.filter(|text| text.contains(['*', '?', '['])) {
            self.add_matches(pattern)
        } else {
            Err(match fs::metadata(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => unreadable(path, error),
                _ => Error::InputMissing { path: path.display().to_string() },
            })
        }
    }

    fn add_stdin(&mut self) -> Result<(), Error> {
        if self.sources.iter().any(|source| matches!(source.origin, Origin::Stdin(_))) {
            return Err(Error::StdinTwice);
        }
        self.keep(Source {
            origin: Origin::Stdin(Arc::default()),
            name: "stdin".to_owned(),
            relative: PathBuf::from("stdin"),
            format: self.how.format,
            bytes: None,
            folder: None,
            lines: false,
            dialect: self.how.dialect,
        });
        Ok(())
    }

    fn add_path(&mut self, path: &Path, by: By) -> Result<(), Error> {
        self.input += 1;
        if path.is_dir() {
            self.add_folder(path, by)
        } else {
            let base = plain(path).map_err(|error| unreadable(path, error))?;
            self.bases.push(base.parent().unwrap_or(&base).to_owned());
            self.add_file(path, None, by)
        }
    }

    /// What a pattern matches, in the order of names: files, and folders to walk unless the pattern
    /// itself descends into them (`**`).
    fn add_matches(&mut self, pattern: &str) -> Result<(), Error> {
        let found = wildcards::matches(pattern).map_err(|error| Error::BadPattern {
            pattern: pattern.to_owned(),
            detail: error.to_string(),
        })?;
        for path in found.unreadable {
            self.pass_over(Obstacle::Unreadable, &path);
        }
        let (how, before, is_matched) = (self.how, self.files, !found.paths.is_empty());
        let filter = &how.filter;
        let taken = found.paths.into_iter().filter(|path| match path.is_dir() {
            true => !pattern.contains("**") && !filter.is_excluded(path),
            false => filter.takes(path),
        });
        let mut own = HashMap::new();
        for path in taken {
            let folder = path.parent().unwrap_or(&path).to_owned();
            if *own.entry(folder).or_insert_with_key(|folder| OwnFolder::holds(folder)) {
                self.pass_over(Obstacle::Own, &path);
                continue;
            }
            match fs::metadata(&path) {
                Ok(_) => self.add_path(&path, By::Search)?,
                Err(error) => self.pass_over(Obstacle::of(&error), &path),
            }
        }
        if self.files == before {
            let pattern = pattern.to_owned();
            return Err(match is_matched && self.passed_rowless() {
                true => Error::FolderWithoutRows { path: pattern },
                false => Error::NoMatch { pattern },
            });
        }
        Ok(())
    }

    fn add_folder(&mut self, path: &Path, by: By) -> Result<(), Error> {
        match OwnFolder::of(path) {
            Some(what) if by == By::Name => {
                return Err(Error::OwnFolder { path: path.display().to_string(), what });
            }
            Some(_) => {
                self.pass_over(Obstacle::Own, path);
                return Ok(());
            }
            None => {}
        }
        let real = fs::canonicalize(path).map_err(|error| unreadable(path, error))?;
        let folder: Arc<Path> = real.into();
        let before = self.files;
        let how = self.how;
        let filter = &how.filter;
        let below = |entry: &Path| entry.strip_prefix(path).unwrap_or(entry).to_owned();
        let mut visible =
            WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|entry| {
                entry.depth() == 0
                    || !(entry.file_name().as_encoded_bytes().starts_with(b".")
                        || filter.is_excluded(&below(entry.path())))
            });
        while let Some(entry) = visible.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let at = error.path().unwrap_or(path).to_owned();
                    if error.depth() == 0 {
                        return Err(unreadable(&at, error.into()));
                    }
                    self.pass_over(Obstacle::Unreadable, &at);
                    continue;
                }
            };
            let is_folder = entry.file_type().is_dir();
            if is_folder && entry.depth() > 0 && OwnFolder::of(entry.path()).is_some() {
                self.pass_over(Obstacle::Own, entry.path());
                visible.skip_current_dir();
            }
            if is_folder || !filter.takes(&below(entry.path())) {
                continue;
            }
            match fs::metadata(entry.path()) {
                Ok(metadata) if metadata.is_file() => {
                    self.add_file(entry.path(), Some(&folder), By::Search)?;
                }
                Ok(_) => {}
                Err(error) => self.pass_over(Obstacle::of(&error), entry.path()),
            }
        }
        if self.files == before {
            return match by {
                By::Name => Err(self.without(path.display().to_string())),
                By::Search => Ok(()),
            };
        }
        self.bases.push(plain(path).map_err(|error| unreadable(path, error))?);
        Ok(())
    }

    /// The error of a folder that gave no file.
    fn without(&self, path: String) -> Error {
        match self.passed_rowless() {
            true => Error::FolderWithoutRows { path },
            false => Error::EmptyFolder { path },
        }
    }

    /// Whether a file without rows was passed over.
    fn passed_rowless(&self) -> bool {
        self.passed_over.iter().any(|passed| passed.obstacle == Obstacle::NoRows)
    }

    fn pass_over(&mut self, obstacle: Obstacle, path: &Path) {
        PassedOver::add(&mut self.passed_over, obstacle, path.display());
    }

    /// A file that one folder has under several names is read once; two inputs that lead to one file
    /// are a mistake.
    fn add_file(&mut self, path: &Path, folder: Option<&Arc<Path>>, by: By) -> Result<(), Error> {
        let name = printed(path);
        let regular = path.is_file();
        if regular {
            let identity = FileIdentity::of(path).map_err(|error| unreadable(path, error))?;
            match self.seen.get(&identity) {
                Some((first, input)) if *input != self.input => {
                    return Err(Error::SameInput { first: first.clone(), second: name });
                }
                Some(_) => {
                    self.pass_over(Obstacle::Again, path);
                    return Ok(());
                }
                None => self.seen.insert(identity, (name.clone(), self.input)),
            };
        }
        let source = Source {
            origin: if regular { Origin::File(path.into()) } else { Origin::Pipe(path.into()) },
            name,
            relative: plain(path).map_err(|error| unreadable(path, error))?,
            format: self.how.format.or_else(|| InputFormat::of_name(path)),
            bytes: if regular { Source::measure(path) } else { None },
            folder: folder.cloned(),
            lines: false,
            dialect: self.how.dialect,
        };
        self.add_source(source, by)
    }

    /// Adds a source whose content may tell its format.
    fn add_source(&mut self, mut source: Source, by: By) -> Result<(), Error> {
        if self.how.seen && is_seen(&source) {
            source.format = Some(InputFormat::SEGMENT);
            self.keep(source);
            return Ok(());
        }
        if by == By::Search && source.bytes == Some(0) && source.format.is_none() {
            PassedOver::add(&mut self.passed_over, Obstacle::Empty, &source.name);
            return Ok(());
        }
        let is_open = self.how.format.is_none();
        let named = if is_open { check_named(&source) } else { Ok(()) };
        let told = named.and_then(|()| tell_format(&mut source));
        let is_wacz = is_open && wacz::is_wacz(&source);
        // Something else may stand before a ZIP file, such as a program that unpacks it.
        let may_be_zip =
            is_open && wacz::is_zip(&source) || matches!(told, Err(Error::Binary { .. }));
        if is_wacz || may_be_zip {
            match wacz::archives(&source) {
                Ok(archives) => {
                    self.add_archives(&source, archives);
                    return Ok(());
                }
                Err(why) if is_wacz => {
                    self.keep_damaged(&source, &why);
                    return Ok(());
                }
                Err(_) => {}
            }
        }
        match told {
            Err(Error::Binary { path, .. } | Error::Misnamed { path, .. }) if by == By::Search => {
                PassedOver::add(&mut self.passed_over, Obstacle::Binary, path);
            }
            // Such as one of a model. What is a format by its name is refused when it is read.
            Err(Error::Pointer { path }) if by == By::Search => {
                PassedOver::add(&mut self.passed_over, Obstacle::Pointer, path);
            }
            told => {
                told?;
                let without_rows = |format: InputFormat| format.is_whole() || format.is_archive();
                if self.how.rows
                    && by == By::Search
                    && (source.format.is_some_and(without_rows) || is_rowless(&source))
                {
                    PassedOver::add(&mut self.passed_over, Obstacle::NoRows, &source.name);
                    return Ok(());
                }
                self.refuse_other(&source)?;
                match (wacz::is_list(&source), by) {
                    (false, _) => self.keep(source),
                    (true, By::Search) => {
                        let passed_over = &mut self.passed_over;
                        PassedOver::add(passed_over, Obstacle::OfArchives, &source.name);
                    }
                    (true, By::Name) => {
                        let detail = wacz::LIST.to_owned();
                        return Err(Error::Wacz { path: source.name, detail });
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the web archives in a ZIP file, which WACZ is.
    fn add_archives(&mut self, zip: &Source, archives: Vec<wacz::Member>) {
        let path: Arc<Path> = Arc::from(zip.path().unwrap_or(Path::new("")));
        for wacz::Member { name, part } in archives {
            self.keep(Source {
                origin: Origin::Part(Arc::clone(&path), part),
                name: format!("{}/{name}", zip.name),
                relative: zip.relative.join(&name),
                format: InputFormat::of_name(Path::new(&name)),
                bytes: Some(part.bytes),
                folder: zip.folder.clone(),
                lines: false,
                dialect: self.how.dialect,
            });
        }
    }

    /// Lists a WACZ file that cannot be read: a run ends with it or counts it, as it does other files.
    fn keep_damaged(&mut self, wacz: &Source, why: &io::Error) {
        let path = wacz.path().unwrap_or(Path::new(&wacz.name));
        let origin = Origin::Damaged(path.into(), why.kind(), why.to_string().into());
        self.keep(Source { origin, format: Some(InputFormat::WARC), ..wacz.clone() });
    }

    /// Fails where columns of a format were asked for and a file does not begin with such.
    fn refuse_other(&self, source: &Source) -> Result<(), Error> {
        let Some(format) = self.how.format.filter(|format| format.is_columns()) else {
            return Ok(());
        };
        if source.is_stream() || InputFormat::of_columns(&source.decoded_head()?) == Some(format) {
            return Ok(());
        }
        Err(Error::OtherFormat { path: source.name.clone(), data: format.title() })
    }

    /// Lists a source, or counts it where there is no room.
    fn keep(&mut self, source: Source) {
        self.files += 1;
        self.listed += of_listed(&source.name);
        if self.has_room() {
            self.sources.push(source);
        } else {
            (self.sources, self.bases) = (Vec::new(), Vec::new());
            (self.seen, self.objects) = (HashMap::new(), HashSet::new());
        }
    }

    fn has_room(&self) -> bool {
        self.how.room.is_none_or(|room| self.listed <= room)
    }

    /// Objects are told apart by their addresses.
    fn add_objects(&mut self, url: &ObjectUrl) -> Result<(), Error> {
        let before = self.files;
        for Listing { objects, folder } in object::find(url)? {
            self.input += 1;
            let base = folder.as_ref().map(ObjectUrl::as_path);
            let pattern = url.key.contains(['*', '?', '[']);
            let by = if folder.is_some() || pattern { By::Search } else { By::Name };
            let folder: Option<Arc<Path>> = base.as_deref().map(Arc::from);
            for object in objects {
                let path = object.url.as_path();
                let below = base.as_ref().and_then(|base| path.strip_prefix(base).ok());
                if by == By::Search && !self.how.filter.takes_below(below.unwrap_or(&path)) {
                    continue;
                }
                self.bases
                    .push(base.clone().or_else(|| Some(path.parent()?.into())).unwrap_or_default());
                self.add_object(object, path, folder.clone(), by)?;
            }
        }
        if self.files > before {
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
        by: By,
    ) -> Result<(), Error> {
        let name = object.url.to_string();
        if !self.objects.insert(object.url.clone()) {
            return Err(Error::SameInput { first: name.clone(), second: name });
        }
        let told = InputFormat::of_name(Path::new(&object.url.key));
        let source = Source {
            name,
            format: self.how.format.or(told),
            bytes: Some(object.bytes()),
            relative: path,
            folder,
            lines: false,
            dialect: self.how.dialect,
            origin: Origin::Object(object),
        };
        self.add_source(source, by)
    }

    /// Makes the relative paths relative.
    fn finish(mut self) -> Result<(Vec<Source>, Vec<PassedOver>), Error> {
        if let Some(room) = self.how.room.filter(|_| !self.has_room()) {
            return Err(Error::ManyFiles { files: self.files, needed: self.listed, room });
        }
        let base = self.bases.iter().fold(None::<PathBuf>, |common, base| {
            Some(common.map_or_else(|| base.clone(), |common| shared(&common, base)))
        });
        let base = base.unwrap_or_default();
        for source in &mut self.sources {
            if let Ok(relative) = source.relative.strip_prefix(&base) {
                source.relative = relative.to_owned();
            }
        }
        if self.how.seen {
            self.sources.sort_by_key(|source| source.format.is_some_and(InputFormat::is_seen));
        }
        Ok((self.sources, self.passed_over))
    }
}

/// Whether a file can be read, and no row is in it.
fn is_rowless(source: &Source) -> bool {
    let mut batches = Reader::new(slice::from_ref(source), ReadOptions::default());
    source.bytes.is_some_and(|bytes| bytes <= BARE)
        && batches.all(|batch| batch.is_ok_and(|batch| batch.len() == 0))
}

fn unreadable(path: &Path, source: io::Error) -> Error {
    Error::Read { path: path.display().to_string(), source }
}
