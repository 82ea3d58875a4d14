//! Streams of columns that have no mark at their end.

use crate::columns::arrow_messages::STREAM;
use crate::compression::Compression;
use crate::format::InputFormat;
use crate::records::decoder::Decoder;
use crate::records::source::{Source, read_at};
use std::sync::Arc;

/// Bytes of a file in which the mark is looked for: zeros may stand behind it.
const TAIL: usize = 1 << 12;

/// Bytes that are unpacked at a time.
const STEP: usize = 1 << 16;

impl Source {
    /// Whether it is a stream of Arrow in a file, which has no mark at its end. The format leaves the mark to the writer:
    /// without one nothing tells whether the stream is cut off between two messages. What is compressed as a whole is
    /// unpacked for that.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::discover;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.arrows").display().to_string();
    /// let stream = b"\xff\xff\xff\xff\x08\0\0\0messages";
    /// std::fs::write(&path, stream)?;
    /// assert!(discover(&[&path], None)?[0].is_unended());
    /// std::fs::write(&path, [&stream[..], b"\xff\xff\xff\xff\0\0\0\0"].concat())?;
    /// assert!(!discover(&[&path], None)?[0].is_unended());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # References
    ///
    /// Arrow Columnar Format, "IPC Streaming Format".
    #[must_use]
    pub fn is_unended(&self) -> bool {
        self.format() == Some(InputFormat::ARROW) && self.lacks_mark().unwrap_or(false)
    }

    /// None where it cannot be told.
    fn lacks_mark(&self) -> Option<bool> {
        let file = self.plain_file()?;
        let mut bytes = vec![0; TAIL];
        let count = read_at(&file, &mut bytes, 0).ok()?;
        let head = bytes.get(..count)?;
        if Compression::of_content(head) != Compression::None {
            return self.packed_lacks_mark();
        }
        if !head.starts_with(STREAM) {
            return None;
        }
        let from = file.metadata().ok()?.len().saturating_sub(TAIL as u64);
        let count = read_at(&file, &mut bytes, from).ok()?;
        is_without_mark(bytes.get(..count)?)
    }

    /// The same of a file that is compressed as a whole.
    fn packed_lacks_mark(&self) -> Option<bool> {
        let (mut decoder, mut bytes) = (Decoder::open(self, Arc::default()).ok()?, Vec::new());
        let mut is_whole = decoder.fill(&mut bytes, TAIL).ok()?;
        if !bytes.starts_with(STREAM) {
            return None;
        }
        while !is_whole {
            bytes.drain(..bytes.len().saturating_sub(TAIL));
            is_whole = decoder.fill(&mut bytes, STEP).ok()?;
        }
        is_without_mark(bytes.get(bytes.len().saturating_sub(TAIL)..)?)
    }
}

/// Whether no mark stands at the end of a stream of which these are the last bytes; none where all are zeros.
fn is_without_mark(tail: &[u8]) -> Option<bool> {
    // The mark is a message of no length.
    let last = tail.iter().rposition(|byte| *byte != 0)?;
    let (before, zeros) = tail.split_at_checked(last + 1)?;
    Some(zeros.len() < STREAM.len() || !before.ends_with(STREAM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_without_a_mark_is_told_from_what_ends() {
        const MARK: &[u8] = b"\xff\xff\xff\xff\0\0\0\0";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arrows").display().to_string();
        let stream = [STREAM, b"\x08\0\0\0messages\0\0"].concat();
        let long = [&stream[..], &b"7".repeat(100_000)].concat();
        for (bytes, is_unended) in [
            (stream.clone(), true),
            ([&stream[..], &MARK[..7]].concat(), true),
            ([&stream[..], MARK].concat(), false),
            ([&stream[..], MARK, &[0; 512]].concat(), false),
            ([&stream[..], &[0; 5000]].concat(), false),
            (b"ARROW1\0\0 a file with a footer".to_vec(), false),
            (zstd::encode_all(&stream[..], 1).unwrap(), true),
            (zstd::encode_all(&long[..], 1).unwrap(), true),
            (zstd::encode_all(&[&long[..], MARK].concat()[..], 1).unwrap(), false),
            (zstd::encode_all(&b"ARROW1\0\0 a file with a footer"[..], 1).unwrap(), false),
        ] {
            std::fs::write(&path, &bytes).unwrap();
            let source = Source::named(path.clone(), Some(InputFormat::ARROW));
            assert_eq!(source.is_unended(), is_unended, "{:?}", bytes.get(..40));
        }
    }
}
