//! A file of a job in shards that is read at any place. Which there are is `work_folder`'s.

use bytes::Bytes;
use nearprint_corpus::ObjectFolder;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// A file, or an object.
#[derive(Debug)]
pub(crate) struct Stored {
    place: Place,
    bytes: u64,
}

#[derive(Debug)]
enum Place {
    File(File),
    Object(ObjectFolder, String),
}

impl Stored {
    pub(crate) fn of_file(file: File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        Ok(Self { place: Place::File(file), bytes })
    }

    /// The object of a name, which has so many bytes.
    pub(crate) fn of_object(folder: &ObjectFolder, name: &str, bytes: u64) -> Self {
        Self { place: Place::Object(folder.clone(), name.to_owned()), bytes }
    }

    /// Its size.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A part of it. An end that lies beyond its own is damage, and not the disk's failure.
    pub(crate) fn read(&self, range: Range<u64>) -> io::Result<Bytes> {
        if range.start > range.end || range.end > self.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match &self.place {
            Place::File(file) => {
                let mut file = file;
                file.seek(SeekFrom::Start(range.start))?;
                let mut bytes = Vec::new();
                let read = file.take(range.end - range.start).read_to_end(&mut bytes)?;
                match read as u64 == range.end - range.start {
                    true => Ok(bytes.into()),
                    false => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
            Place::Object(folder, name) => match range.is_empty() {
                true => Ok(Bytes::new()),
                false => folder.read(name, range).map(Bytes::from).map_err(io::Error::other),
            },
        }
    }
}
