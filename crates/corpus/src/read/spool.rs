//! The copy of a stream that can be read twice. What a source is otherwise is `source`'s.

use crate::compression::Compression;
use crate::error::Error;
use crate::read::binary;
use crate::read::sniff::tell_format;
use crate::read::source::{Origin, Source};
use crate::within::within;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

impl Source {
    /// A source that can be read again and at any place: a stream, or an object of Parquet, is copied
    /// as it comes, still compressed, to a file in `folder` that has no name and goes with the last
    /// clone of the result, even if the process is killed. Any other source is cloned.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the stream fails, [`Error::Spool`] if the folder cannot hold the copy.
    pub fn spooled(&self, folder: &Path) -> Result<Self, Error> {
        if !self.is_stream() && !self.is_remote_parquet()? {
            return Ok(self.clone());
        }
        let write =
            |source| Error::Spool { path: self.name.clone(), folder: folder.to_owned(), source };
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
            let filled = within(&buffer, ..count);
            if bytes == 0 && self.format.is_none() {
                self.refuse_binary(filled)?;
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
        let plain = Compression::of_content(head) == Compression::None;
        match binary::kind(head).filter(|_| plain) {
            Some(kind) => Err(Error::Binary { path: self.name.clone(), kind }),
            None => Ok(()),
        }
    }

    /// Whether it is Parquet, which is read from its end, and no file.
    fn is_remote_parquet(&self) -> Result<bool, Error> {
        Ok(matches!(self.origin, Origin::Object(_)) && self.magic()? == Compression::Parquet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::InputFormat;
    use crate::read::source::total_bytes;
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
        assert_eq!(error.reason(), "spool");
        assert!(error.to_string().contains("/none"), "{error}");
    }
}
