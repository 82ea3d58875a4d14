//! One input of a run: where its bytes are, what it is called and how it is cut. Finding the inputs
//! is `inputs`', reading them `stream`'s.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::UNIX_EPOCH;

use crate::compression::Compression;
use crate::error::Error;
use crate::format::InputFormat;
use crate::read::decoder::Decoder;
use crate::remote::object::Object;

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
}

/// Where the bytes of a source are.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// A regular file.
    File(PathBuf),
    /// A named pipe or a device.
    Pipe(PathBuf),
    /// Standard input.
    Stdin,
    /// A copy, a file without a name, and the version of what was copied.
    Spooled(Arc<File>, Option<String>),
    /// An object of a bucket or a web server.
    Object(Object),
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
            Origin::Stdin | Origin::Spooled(..) | Origin::Object(_) => None,
        }
    }

    /// The path below the deepest folder that holds every input of the run; it names the file in
    /// an output folder. No two inputs of a run share one.
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// How it is cut into records; none for a stream that was neither given a format nor
    /// [`spooled`](Self::spooled), whose first bytes will tell.
    pub fn format(&self) -> Option<InputFormat> {
        self.format
    }

    /// Bytes on disk, still compressed; none for a stream that is not spooled.
    pub fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// What tells whether a file is still the one that was read: its length and the time of its last
    /// change; of an object its tag. None for a stream.
    pub fn version(&self) -> Option<String> {
        let path = match &self.origin {
            Origin::File(path) => path,
            Origin::Object(object) => return Some(object.version()),
            Origin::Spooled(_, version) => return version.clone(),
            Origin::Pipe(_) | Origin::Stdin => return None,
        };
        let metadata = fs::metadata(path).ok()?;
        let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{} bytes, changed at {}", metadata.len(), changed.as_nanos()))
    }

    /// The folder given as an input under which it was found, links resolved.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
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
    /// assert_eq!(source.format(), Some(InputFormat::Lines));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_lines(self) -> Source {
        let mut source = Source { lines: true, ..self };
        source.format = source.format.map(|format| source.taken_as(format));
        source
    }

    /// The format of a source whose name or content tells this one.
    pub(crate) fn taken_as(&self, told: InputFormat) -> InputFormat {
        if self.lines && told == InputFormat::Text { InputFormat::Lines } else { told }
    }

    /// Whether it can be read only once.
    pub fn is_stream(&self) -> bool {
        matches!(self.origin, Origin::Stdin | Origin::Pipe(_))
    }

    /// A source that can be read again and at any place: a stream, or an object of Parquet, is copied
    /// as it comes, still compressed, to a file in `folder` that has no name and goes with the last
    /// clone of the result, even if the process is killed. Any other source is cloned.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the stream fails, [`Error::Write`] if the folder cannot hold the copy.
    pub fn spooled(&self, folder: &Path) -> Result<Source, Error> {
        if !self.is_stream() && !self.is_remote_parquet()? {
            return Ok(self.clone());
        }
        let write = |source| Error::Write { path: folder.display().to_string(), source };
        let mut stream = self.open()?;
        let mut file = tempfile::tempfile_in(folder).map_err(write)?;
        let mut buffer = vec![0; 1 << 18];
        let mut bytes = 0;
        loop {
            let count = match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(Error::Read { path: self.name.clone(), source }),
            };
            let filled = buffer.get(..count).unwrap_or_default();
            file.write_all(filled).map_err(write)?;
            bytes += filled.len() as u64;
        }
        let mut spooled = self.clone();
        spooled.origin = Origin::Spooled(Arc::new(file), self.version());
        spooled.bytes = Some(bytes);
        spooled.tell_format();
        Ok(spooled)
    }

    /// Whether its first bytes are those of a Parquet file; false for a stream.
    pub(crate) fn is_parquet(&self) -> bool {
        !self.is_stream() && self.magic().is_ok_and(|magic| magic == Compression::Parquet)
    }

    /// Whether it is Parquet, which is read from its end, and no file.
    fn is_remote_parquet(&self) -> Result<bool, Error> {
        Ok(matches!(self.origin, Origin::Object(_)) && self.magic()? == Compression::Parquet)
    }

    /// What its first bytes tell.
    fn magic(&self) -> Result<Compression, Error> {
        let mut head = Vec::new();
        let read = self.open()?.take(Compression::MAGIC_BYTES as u64).read_to_end(&mut head);
        read.map_err(|source| Error::Read { path: self.name.clone(), source })?;
        Ok(Compression::of_content(&head))
    }

    /// The file with its size, for formats that are not read from front to back.
    pub(crate) fn file(&self) -> Result<(File, u64), Error> {
        let file = match &self.origin {
            Origin::File(path) => File::open(path),
            Origin::Spooled(file, _) => file.try_clone(),
            Origin::Pipe(_) | Origin::Stdin | Origin::Object(_) => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "Parquet is read from its end: give it as a file",
            )),
        };
        let file = file.and_then(|file| {
            let bytes = file.metadata()?.len();
            Ok((file, bytes))
        });
        file.map_err(|source| Error::Read { path: self.name.clone(), source })
    }

    /// Opens the bytes as they are on disk.
    pub(crate) fn open(&self) -> Result<Box<dyn Read + Send>, Error> {
        match &self.origin {
            Origin::File(path) | Origin::Pipe(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(source) => Err(Error::Read { path: self.name.clone(), source }),
            },
            Origin::Stdin => Ok(Box::new(io::stdin())),
            Origin::Spooled(file, _) => Ok(Box::new(SpoolReader { file: Arc::clone(file), at: 0 })),
            Origin::Object(object) => Ok(object.open()),
        }
    }

    /// Lets the content of a file tell the format that nothing else has told. What cannot be read
    /// here fails again, and is reported, when the records are read.
    pub(crate) fn tell_format(&mut self) {
        if self.format.is_none() && !self.is_stream() {
            let mut head = Vec::new();
            let mut is_parquet = false;
            if let Ok(mut decoder) = Decoder::open(self, Arc::new(AtomicU64::new(0))) {
                is_parquet = decoder.is_parquet();
                let _ = decoder.fill(&mut head, InputFormat::HEAD_BYTES);
            }
            let told = InputFormat::of_content(&head);
            self.format = Some(if is_parquet { InputFormat::Jsonl } else { self.taken_as(told) });
        }
    }

    /// The size of a regular file, for [`bytes`](Self::bytes).
    pub(crate) fn measure(path: &Path) -> Option<u64> {
        fs::metadata(path).ok().map(|metadata| metadata.len())
    }
}

/// Bytes on disk of all sources together; none if one is a stream.
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
        #[cfg(unix)]
        let count = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.at)?;
        #[cfg(windows)]
        let count = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipe(path: &Path) -> Source {
        Source {
            origin: Origin::Pipe(path.to_owned()),
            name: "pipe".to_owned(),
            relative: PathBuf::from("pipe"),
            format: None,
            bytes: None,
            folder: None,
            lines: false,
        }
    }

    #[test]
    fn a_spooled_stream_reads_twice_and_tells_its_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        fs::write(&path, " {}\n").unwrap();
        let stream = pipe(&path);
        assert!(stream.is_stream());
        assert_eq!(total_bytes(std::slice::from_ref(&stream)), None);
        let spooled = stream.spooled(folder.path()).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(!spooled.is_stream());
        assert_eq!(spooled.format(), Some(InputFormat::Jsonl));
        assert_eq!(spooled.bytes(), Some(4));
        for _ in 0..2 {
            let mut bytes = Vec::new();
            spooled.open().unwrap().read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, b" {}\n");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_stream_without_room_names_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        fs::write(&path, "text").unwrap();
        let error = pipe(&path).spooled(&folder.path().join("none")).unwrap_err();
        assert_eq!(error.reason(), "write");
        assert!(error.to_string().contains("/none"), "{error}");
    }
}
