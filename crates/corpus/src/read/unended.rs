//! Streams of columns that have no mark at their end.

use crate::columns::arrow_messages::STREAM;
use crate::format::InputFormat;
use crate::records::source::{Source, read_at};

/// Bytes of a file in which the mark is looked for: zeros may stand behind it.
const TAIL: usize = 1 << 12;

impl Source {
    /// Whether it is a stream of Arrow in a file, which has no mark at its end. The format leaves the mark to the writer:
    /// without one nothing tells whether the stream is cut off between two messages.
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
        if !bytes.get(..count)?.starts_with(STREAM) {
            return None;
        }
        let from = file.metadata().ok()?.len().saturating_sub(TAIL as u64);
        let count = read_at(&file, &mut bytes, from).ok()?;
        let tail = bytes.get(..count)?;
        // The mark is a message of no length.
        let last = tail.iter().rposition(|byte| *byte != 0)?;
        let (before, zeros) = tail.split_at_checked(last + 1)?;
        Some(zeros.len() < STREAM.len() || !before.ends_with(STREAM))
    }
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
        for (bytes, is_unended) in [
            (stream.clone(), true),
            ([&stream[..], &MARK[..7]].concat(), true),
            ([&stream[..], MARK].concat(), false),
            ([&stream[..], MARK, &[0; 512]].concat(), false),
            ([&stream[..], &[0; 5000]].concat(), false),
            (b"ARROW1\0\0 a file with a footer".to_vec(), false),
            (zstd::encode_all(&stream[..], 1).unwrap(), false),
        ] {
            std::fs::write(&path, &bytes).unwrap();
            let source = Source::named(path.clone(), Some(InputFormat::ARROW));
            assert_eq!(source.is_unended(), is_unended, "{bytes:?}");
        }
    }
}
