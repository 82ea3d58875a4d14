//! The copy of a stream that can be read twice. What a source is otherwise is `source`'s.

use crate::compression::Compression;
use crate::error::Error;
use crate::format::InputFormat;
use crate::read::sniff::tell_format;
use crate::records::decoder::encoding_of;
use crate::records::source::{Origin, Source};
use crate::within::within;
use memchr::memchr2;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

impl Source {
    /// A source that can be read again and at any place: a stream, or an object of columns, which are read from the end, is copied
    /// as it comes, still compressed, to a file in `folder` that has no name and goes with the last
    /// clone of the result, even if the process is killed. Any other source is cloned.
    ///
    /// A stream may not end, such as a device: where nothing is to be read of a record of more than `longest`
    /// bytes, copying ends at the first of which that is sure. Of compressed bytes it is not.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the stream fails, [`Error::Spool`] if the folder cannot hold the copy,
    /// [`Error::TooLong`].
    pub fn spooled(&self, folder: &Path, longest: Option<usize>) -> Result<Self, Error> {
        if !self.is_stream() && !self.is_remote_columns() {
            return Ok(self.clone());
        }
        let write =
            |source| Error::Spool { path: self.name.clone(), folder: folder.to_owned(), source };
        let mut stream = self.open()?;
        let mut file = tempfile::tempfile_in(folder).map_err(write)?;
        let mut buffer = vec![0; 1 << 18];
        let (mut bytes, mut lines) = (0, None);
        loop {
            // What tells the format may come in pieces.
            let least = if bytes == 0 { HEAD } else { 1 };
            let count = fill(&mut stream, &mut buffer, least);
            let count = count.map_err(|source| Error::Read { path: self.name.clone(), source })?;
            if count == 0 {
                break;
            }
            let filled = within(&buffer, ..count);
            if bytes == 0 && self.format.is_none() {
                self.refuse_binary(filled)?;
            }
            if bytes == 0 {
                lines = longest.and_then(|longest| Lines::of(self, filled, longest));
            }
            if let Some(lines) = &mut lines {
                lines.take(self, filled)?;
            }
            file.write_all(filled).map_err(write)?;
            bytes += filled.len() as u64;
        }
        let mut spooled = self.clone();
        spooled.origin = Origin::Spooled(Arc::new(file), self.version());
        spooled.bytes = Some(bytes);
        tell_format(&mut spooled)?;
        Ok(spooled)
    }

    /// Fails where the first bytes are no text and nothing that decodes to text: a device such as
    /// `/dev/zero` never ends.
    fn refuse_binary(&self, head: &[u8]) -> Result<(), Error> {
        if Compression::of_content(head) != Compression::None {
            return Ok(());
        }
        let decoded =
            encoding_of(self, head).map(|encoding| encoding.decode_with_bom_removal(head).0);
        let head = decoded.as_ref().map_or(head, |text| text.as_bytes());
        InputFormat::told(head).map(drop).map_err(|kind| self.binary(kind))
    }

    /// Whether it holds columns, which are read from the end, and is no file.
    fn is_remote_columns(&self) -> bool {
        matches!(self.origin, Origin::Object(_)) && self.format.is_some_and(InputFormat::is_columns)
    }
}

/// Bytes that tell a format.
const HEAD: usize = 1 << 12;

/// Reads at least so many bytes, or all that there are.
fn fill(stream: &mut impl Read, buffer: &mut [u8], least: usize) -> io::Result<usize> {
    let mut filled = 0;
    while filled < least {
        match stream.read(buffer.get_mut(filled..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The lines of a stream as they pass: of a record in lines, one is no longer than the record.
struct Lines {
    longest: usize,
    /// Whether all lines together are one record.
    whole: bool,
    /// Whether a carriage return ends a line too, as in tables.
    returns: bool,
    /// From 1.
    line: u64,
    /// Bytes of it.
    bytes: usize,
}

impl Lines {
    /// Those of a stream that begins so; none where it is compressed.
    fn of(source: &Source, head: &[u8], longest: usize) -> Option<Self> {
        let told = source.told(head).ok().flatten().unwrap_or(InputFormat::TEXT);
        let format = source.format.unwrap_or_else(|| source.taken_as(told));
        let format = InputFormat::of_columns(head).unwrap_or(format);
        let plain = Compression::of_content(head) == Compression::None && !format.is_columns();
        let returns = format.is_table();
        plain.then_some(Self { longest, whole: format.is_whole(), returns, line: 1, bytes: 0 })
    }

    /// Takes the next bytes.
    fn take(&mut self, source: &Source, bytes: &[u8]) -> Result<(), Error> {
        let mut rest = bytes;
        let end = if self.returns { b'\r' } else { b'\n' };
        while let Some(end) = memchr2(b'\n', end, rest).filter(|_| !self.whole) {
            self.add(source, end)?;
            // Of the two ends of a line the second one counts; of lines that have only the first, none.
            self.line += u64::from(rest.get(end) == Some(&b'\n'));
            self.bytes = 0;
            rest = within(rest, end + 1..);
        }
        self.add(source, rest.len())
    }

    fn add(&mut self, source: &Source, bytes: usize) -> Result<(), Error> {
        self.bytes += bytes;
        if self.bytes <= self.longest {
            return Ok(());
        }
        let place = match self.whole {
            true => source.name.clone(),
            false => format!("{}:{}", source.name, self.line),
        };
        Err(Error::TooLong { place, limit: self.longest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::dialect::Dialect;
    use crate::records::source::total_bytes;
    use std::fs;
    use std::path::PathBuf;

    fn pipe(path: &Path) -> Source {
        Source {
            origin: Origin::Pipe(path.to_owned()),
            name: "pipe".to_owned(),
            relative: PathBuf::from("pipe"),
            format: None,
            bytes: None,
            folder: None,
            lines: false,
            dialect: Dialect::default(),
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
        let spooled = stream.spooled(folder.path(), Some(4)).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(!spooled.is_stream());
        assert_eq!(spooled.format(), Some(InputFormat::JSONL));
        assert_eq!(spooled.bytes(), Some(4));
        for _ in 0..2 {
            let mut bytes = Vec::new();
            spooled.open().unwrap().read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, b" {}\n");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_tells_the_format_is_read_whole() {
        struct Bytes(Vec<u8>);
        impl Read for Bytes {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let Some(byte) = self.0.pop() else { return Ok(0) };
                buffer[0] = byte;
                Ok(1)
            }
        }
        let (mut stream, mut buffer) = (Bytes(vec![7; 9]), [0; 8]);
        let read = [3, 1, 8].map(|least| fill(&mut stream, &mut buffer, least).unwrap());
        assert_eq!(read, [3, 1, 5]);
    }

    #[test]
    fn a_stream_without_room_names_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        fs::write(&path, "text").unwrap();
        let error = pipe(&path).spooled(&folder.path().join("none"), None).unwrap_err();
        assert_eq!(error.reason(), "spool");
        assert!(error.to_string().contains("/none"), "{error}");
    }

    #[test]
    fn a_stream_is_not_copied_behind_a_record_that_is_too_long() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let message = |format, text: &str, longest| {
            fs::write(&path, text).unwrap();
            let stream = Source { format: Some(format), ..pipe(&path) };
            stream.spooled(folder.path(), longest).map(|_| ()).map_err(|error| error.to_string())
        };
        let too_long = |place: &str| Err(format!("{place}: the record is longer than 4 bytes"));
        let rows = "{}\n1234\n12345\n";
        assert_eq!(message(InputFormat::JSONL, rows, Some(4)), too_long("pipe:3"));
        assert_eq!(message(InputFormat::TEXT, rows, Some(4)), too_long("pipe"));
        assert_eq!(message(InputFormat::JSONL, rows, Some(5)), Ok(()));
        assert_eq!(message(InputFormat::TEXT, rows, None), Ok(()));
        let table = "a,b\r1,2\r3,45\r";
        assert_eq!(message(InputFormat::CSV, table, Some(4)), Ok(()));
        assert_eq!(
            message(InputFormat::CSV, table, Some(3)),
            Err("pipe:1: the record is longer than 3 bytes".to_owned())
        );
        assert_eq!(
            message(InputFormat::JSONL, table, Some(4)),
            Err("pipe:1: the record is longer than 4 bytes".to_owned())
        );
        if cfg!(unix) {
            let zeros = Source { format: Some(InputFormat::JSONL), ..pipe(Path::new("/dev/zero")) };
            let error = zeros.spooled(folder.path(), Some(1 << 20)).unwrap_err();
            assert_eq!(error.reason(), "too-long");
        }
    }
}
