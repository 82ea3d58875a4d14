//! One input of a run: where its bytes are, what it is called and how it is cut. Finding the inputs
//! is `inputs`', copying a stream `spool`'s, reading the records a format's.

use crate::compression::Compression;
use crate::error::Error;
use crate::format::InputFormat;
use crate::records::binary;
use crate::records::dialect::Dialect;
use crate::records::explained::explain;
use crate::remote::object::Object;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// An input that can be read: a file, an object, or a stream such as standard input.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) origin: Origin,
    pub(crate) name: String,
    pub(crate) relative: PathBuf,
    pub(crate) format: Option<InputFormat>,
    pub(crate) bytes: Option<u64>,
    pub(crate) folder: Option<Arc<Path>>,
    /// Every line of a text is a document.
    pub(crate) lines: bool,
    pub(crate) dialect: Dialect,
}

/// Where the bytes of a source are.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// A regular file.
    File(PathBuf),
    /// A named pipe or a device.
    Pipe(PathBuf),
    /// Standard input, behind what was read of it to tell its format.
    Stdin(Arc<[u8]>),
    /// A copy, a file without a name, and the version of what was copied.
    Spooled(Arc<File>, Option<String>),
    /// An object of a bucket or a web server.
    Object(Object),
    /// A part of a file.
    Part(Arc<Path>, Part),
    /// A WACZ file that holds no archive to be read, or does not say where, and why. Reading it fails.
    Damaged(Arc<Path>, io::ErrorKind, Arc<str>),
}

/// Where a part of a file lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    /// Whether it is packed once more, by deflate.
    pub(crate) deflated: bool,
    /// The CRC-32 of all of it, unpacked.
    pub(crate) checksum: u64,
}

impl Source {
    /// What messages and default ids call it: the path as the user wrote it, with what was found
    /// below a folder joined to it; `stdin` for standard input.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path to open, where there is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) | Origin::Pipe(path) => Some(path),
            Origin::Part(path, _) | Origin::Damaged(path, ..) => Some(path),
            Origin::Stdin(_) | Origin::Spooled(..) | Origin::Object(_) => None,
        }
    }

    /// The path below the deepest folder that holds every input of the run; it names the file in
    /// an output folder. No two inputs of a run share one.
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// How it is cut into records. `None` for a stream that was neither given a format nor
    /// [`spooled`](Self::spooled): its first bytes will tell.
    pub fn format(&self) -> Option<InputFormat> {
        self.format
    }

    /// Bytes on disk, still compressed; `None` for a stream that is not spooled.
    pub fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// What tells whether a file is still the one that was read: its length and the time of its last
    /// change; of an object its tag. `None` for a stream.
    pub fn version(&self) -> Option<String> {
        let path: &Path = match &self.origin {
            Origin::File(path) => path,
            Origin::Part(path, _) | Origin::Damaged(path, ..) => path,
            Origin::Object(object) => return Some(object.version()),
            Origin::Spooled(_, version) => return version.clone(),
            Origin::Pipe(_) | Origin::Stdin(_) => return None,
        };
        let metadata = fs::metadata(path).ok()?;
        let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{} bytes, changed at {}", metadata.len(), changed.as_nanos()))
    }

    /// The folder given as an input under which it was found, links resolved.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// A file that is known by its name and its format alone, such as one that an earlier run read: whether it is there
    /// is seen when it is read.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{InputFormat, Source};
    ///
    /// let source = Source::named("gone.jsonl", Some(InputFormat::JSONL));
    /// assert_eq!((source.name(), source.bytes()), ("gone.jsonl", None));
    /// ```
    #[must_use]
    pub fn named(name: impl Into<String>, format: Option<InputFormat>) -> Self {
        let name = name.into();
        let relative = Path::new(&name).file_name().map(PathBuf::from).unwrap_or_default();
        let (origin, dialect) = (Origin::File(PathBuf::from(&name)), Dialect::default());
        Self { origin, name, relative, format, bytes: None, folder: None, lines: false, dialect }
    }

    /// The same source by another name in messages and default ids.
    ///
    /// # Examples
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.jsonl").display().to_string();
    /// # std::fs::write(&path, "{}\n")?;
    /// let source = nearprint_corpus::discover(&[path], None)?.remove(0).called("rows");
    /// assert_eq!(source.name(), "rows");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn called(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The same source, of which every line is a document where it is a text.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::InputFormat;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.txt").display().to_string();
    /// # std::fs::write(&path, "one\ntwo\n")?;
    /// let source = nearprint_corpus::discover(&[path], None)?.remove(0).by_lines();
    /// assert_eq!(source.format(), Some(InputFormat::LINES));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_lines(self) -> Self {
        let mut source = Self { lines: true, ..self };
        source.format = source.format.map(|format| source.taken_as(format));
        source
    }

    /// What the name of a file ends in that holds records of this source, with the compression that its own name tells:
    /// as its own name does, or as its format has it where that name tells another or none.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{InputFormat, Source};
    ///
    /// let ending = |name, format| Source::named(name, Some(format)).ending();
    /// assert_eq!(ending("a.b.ndjson.gz", InputFormat::JSONL), ".ndjson.gz");
    /// assert_eq!(ending("stdin", InputFormat::CSV), ".csv");
    /// assert_eq!(ending("part-0.zst", InputFormat::WARC), ".warc.zst");
    /// assert_eq!(ending("a.txt", InputFormat::TSV), ".tsv");
    /// ```
    #[must_use]
    pub fn ending(&self) -> String {
        let name = self.relative.file_name().unwrap_or_default().to_string_lossy();
        let format = self.format.unwrap_or(InputFormat::JSONL);
        let tells = |ending: &&str| {
            let told = InputFormat::of_name(Path::new(&format!("x{ending}")));
            told.is_some_and(|told| self.taken_as(told) == format)
        };
        let endings = name.rmatch_indices('.').filter_map(|(at, _)| name.get(at..)).take(2);
        if let Some(ending) = endings.filter(tells).last() {
            return ending.to_owned();
        }
        let packed = match Compression::of_name(Path::new(&*name)) {
            Compression::None => None,
            _ => name.rsplit_once('.').map(|(_, packed)| packed),
        };
        let packed = packed.map_or_else(String::new, |packed| format!(".{packed}"));
        format!(".{}{packed}", format.ending())
    }

    /// The format of a source whose name or content tells this one.
    pub(crate) fn taken_as(&self, told: InputFormat) -> InputFormat {
        if self.lines && told == InputFormat::TEXT { InputFormat::LINES } else { told }
    }

    /// What is refused where its bytes are of this kind and no text.
    pub(crate) fn binary(&self, kind: &'static str) -> Error {
        // Another character set may help where none is named.
        let kind = match self.dialect.encoding {
            Some(_) if kind == binary::UNKNOWN => "binary data also in that character set",
            _ => kind,
        };
        Error::Binary { path: self.name.clone(), kind }
    }

    /// How a text or a table is written.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether it can be read only once.
    pub fn is_stream(&self) -> bool {
        matches!(self.origin, Origin::Stdin(_) | Origin::Pipe(_))
    }

    /// Whether it can be read only once and is an archive that is compressed, or may be: behind damage in it a
    /// [copy](Self::spooled) alone can be read on.
    #[must_use]
    pub fn is_packed_stream(&self) -> bool {
        let is_packed = match &self.origin {
            // Where the format is named nothing was read yet.
            Origin::Stdin(head) => {
                head.is_empty() || Compression::of_content(head) != Compression::None
            }
            Origin::Pipe(_) => true,
            _ => false,
        };
        is_packed && self.format.is_some_and(InputFormat::is_archive)
    }

    /// Its first bytes, as many as tell a compression.
    pub(crate) fn magic(&self) -> Result<Vec<u8>, Error> {
        let mut head = Vec::new();
        let read = self.open()?.take(Compression::MAGIC_BYTES as u64).read_to_end(&mut head);
        read.map_err(|source| Error::Read { path: self.name.clone(), source })?;
        Ok(head)
    }

    /// The compression that its first bytes tell, or of brotli its name.
    pub(crate) fn compression(&self) -> Result<Compression, Error> {
        let named = Compression::of_name(Path::new(&self.name));
        Ok(match Compression::of_content(&self.magic()?) {
            Compression::None if named == Compression::Brotli => named,
            told => told,
        })
    }

    /// Opens the bytes as they are on disk, still compressed.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] where the file cannot be opened.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.txt").display().to_string();
    /// # std::fs::write(&path, "five!")?;
    /// let mut bytes = Vec::new();
    /// nearprint_corpus::discover(&[path], None)?.remove(0).open()?.read_to_end(&mut bytes)?;
    /// assert_eq!(bytes, b"five!");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&self) -> Result<Box<dyn Read + Send>, Error> {
        match &self.origin {
            Origin::File(path) | Origin::Pipe(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(source) => Err(Error::Read { path: self.name.clone(), source }),
            },
            Origin::Part(path, part) => {
                part.open(path).map_err(|source| Error::Read { path: self.name.clone(), source })
            }
            Origin::Damaged(_, io::ErrorKind::Unsupported, why) => {
                Err(Error::Wacz { path: self.name.clone(), detail: why.to_string() })
            }
            Origin::Damaged(_, kind, why) => {
                Err(explain(&self.name, "WACZ", 0, io::Error::new(*kind, &**why)))
            }
            Origin::Stdin(heard) => Ok(Box::new(Cursor::new(Arc::clone(heard)).chain(io::stdin()))),
            Origin::Spooled(file, _) => Ok(Box::new(SpoolReader { file: Arc::clone(file), at: 0 })),
            Origin::Object(object) => Ok(object.open()),
        }
    }

    /// The file that all its bytes are, where one can be opened.
    pub(crate) fn plain_file(&self) -> Option<Arc<File>> {
        match &self.origin {
            Origin::File(path) => File::open(path).ok().map(Arc::new),
            Origin::Spooled(file, _) => Some(Arc::clone(file)),
            _ => None,
        }
    }

    /// Opens the bytes from one of them on, without a look at what a ZIP file tells of them all. A stream has none.
    pub(crate) fn open_at(&self, start: u64) -> Result<Box<dyn Read + Send>, Error> {
        let failed = |source| Error::Read { path: self.name.clone(), source };
        let from = |path: &Path, at| {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(at))?;
            Ok(file)
        };
        match &self.origin {
            Origin::File(path) => Ok(Box::new(from(path, start).map_err(failed)?)),
            Origin::Part(path, part) if !part.deflated => {
                let file = from(path, part.start + start).map_err(failed)?;
                Ok(Box::new(file.take(part.bytes.saturating_sub(start))))
            }
            Origin::Spooled(file, _) => {
                Ok(Box::new(SpoolReader { file: Arc::clone(file), at: start }))
            }
            Origin::Pipe(_) | Origin::Stdin(_) => Ok(Box::new(io::empty())),
            Origin::Part(..) | Origin::Damaged(..) | Origin::Object(_) => {
                let mut bytes = self.open()?;
                io::copy(&mut bytes.by_ref().take(start), &mut io::sink()).map_err(failed)?;
                Ok(bytes)
            }
        }
    }

    /// The size of a regular file, for [`bytes`](Self::bytes).
    pub(crate) fn measure(path: &Path) -> Option<u64> {
        fs::metadata(path).ok().map(|metadata| metadata.len())
    }
}

impl Part {
    fn open(self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.start))?;
        let bytes = file.take(self.bytes);
        let inner: Box<dyn Read + Send> =
            if self.deflated { Box::new(DeflateDecoder::new(bytes)) } else { Box::new(bytes) };
        Ok(Box::new(Checked { inner, crc: Crc::new(), checksum: self.checksum }))
    }
}

/// Reads a file out of a ZIP file, and fails at its end where that is not what the directory tells.
struct Checked {
    inner: Box<dyn Read + Send>,
    crc: Crc,
    checksum: u64,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.crc.update(buffer.get(..count).unwrap_or_default());
        if count == 0 && !buffer.is_empty() && u64::from(self.crc.sum()) != self.checksum {
            let told = "it ends with another checksum than the directory of the ZIP file has";
            return Err(io::Error::new(io::ErrorKind::InvalidData, told));
        }
        Ok(count)
    }
}

/// Bytes on disk of all sources together; `None` if one is a stream.
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.txt").display().to_string();
/// # std::fs::write(&path, "five!")?;
/// let sources = nearprint_corpus::discover(&[path], None)?;
/// assert_eq!(nearprint_corpus::total_bytes(&sources), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn total_bytes(sources: &[Source]) -> Option<u64> {
    sources.iter().map(Source::bytes).sum()
}

/// Reads a spooled stream from its start without moving the cursor that all handles share.
struct SpoolReader {
    file: Arc<File>,
    at: u64,
}

impl Read for SpoolReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = read_at(&self.file, buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Reads bytes from an offset on, wherever others read: fewer than there is room for where no more are there at once, and none
/// at the end.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, buffer, at);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, buffer, at);
}
