//! Windows into a source: some of its records, from all over it. What a source is otherwise is `source`'s.

use crate::compression::Compression;
use crate::error::Error;
use crate::format::{InputFormat, Shape};
use crate::records::source::{Origin, Source};
use memchr::{memchr, memrchr};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a record that a window is not cut at, at most: beyond them it is left out.
const LONGEST: u64 = 1 << 22;

impl Source {
    /// So many windows of `bytes` bytes, from all over the source at even distances: each a source of the records that
    /// begin there, copied to a file without a name in `folder`. None where a place in the middle does not tell where
    /// a record begins, as in compressed files, tables and WARC; and where the windows are most of the source.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the source fails, [`Error::Spool`] if the folder cannot hold the copies.
    ///
    /// # Examples
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.jsonl").display().to_string();
    /// std::fs::write(&path, "{\"text\": \"some words\"}\n".repeat(1000))?;
    /// let source = nearprint_corpus::discover(&[path], None)?.remove(0);
    /// let windows = source.windows(4, 230, folder.path())?;
    /// assert_eq!(windows.len(), 4);
    /// assert!(windows.iter().all(|window| window.bytes() == Some(230)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn windows(&self, count: u64, bytes: u64, folder: &Path) -> Result<Vec<Self>, Error> {
        let shape = self.format().map(InputFormat::shape);
        let is_by_lines = matches!(shape, Some(Shape::Objects | Shape::Lines));
        let (Origin::File(path), true, Some(all)) = (&self.origin, is_by_lines, self.bytes())
        else {
            return Ok(Vec::new());
        };
        if all / 2 < count.saturating_mul(bytes) || self.compression()? != Compression::None {
            return Ok(Vec::new());
        }
        let read = |source| Error::Read { path: self.name.clone(), source };
        let mut file = File::open(path).map_err(read)?;
        let mut windows = Vec::new();
        for number in 0..count {
            let start = start_of(number, all / count, bytes);
            let records = window(&mut file, start, bytes).map_err(read)?;
            let copied = tempfile::tempfile_in(folder).and_then(|mut copy| {
                copy.write_all(&records)?;
                Ok(copy)
            });
            let copied = copied.map_err(|source| Error::Spool {
                path: self.name.clone(),
                folder: folder.to_owned(),
                source,
            })?;
            let origin = Origin::Spooled(Arc::new(copied), None);
            windows.push(Self { origin, bytes: Some(records.len() as u64), ..self.clone() });
        }
        Ok(windows)
    }
}

/// Where a window begins: in the middle of its part of the source, as what changes along a source is told by middles.
fn start_of(number: u64, part: u64, bytes: u64) -> u64 {
    part * number + part.saturating_sub(bytes) / 2
}

/// The lines that begin in a window.
fn window(file: &mut File, start: u64, bytes: u64) -> io::Result<Vec<u8>> {
    // The byte before it tells whether a line begins at its start.
    let before = u64::from(start > 0);
    file.seek(SeekFrom::Start(start - before))?;
    let mut lines = Vec::new();
    (&mut *file).take(bytes + before).read_to_end(&mut lines)?;
    if before > 0 {
        let Some(end) = memchr(b'\n', &lines) else { return Ok(Vec::new()) };
        lines.drain(..=end);
    }
    if lines.is_empty() {
        return Ok(lines);
    }
    // The last line to its end.
    let (mut rest, mut left) = (vec![0; 1 << 14], LONGEST);
    while !lines.ends_with(b"\n") {
        let count = file.read(&mut rest)?;
        let more = rest.get(..count).unwrap_or_default();
        let end = memchr(b'\n', more).map_or(count, |end| end + 1);
        lines.extend(more.get(..end).unwrap_or_default());
        left = left.saturating_sub(count as u64);
        if count == 0 || left == 0 {
            break;
        }
    }
    if left == 0 {
        lines.truncate(memrchr(b'\n', &lines).map_or(0, |end| end + 1));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use crate::read::reader::Reader;
    use crate::records::read_options::ReadOptions;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn windows_hold_the_lines_that_begin_in_them(
            lengths in prop::collection::vec(0_usize..90, 60..200), count in 1_u64..6, bytes in 1_u64..200,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.jsonl");
            let line = |(number, length): (usize, &usize)| format!("{{\"text\":\"{number} {}\"}}\n", "x".repeat(*length));
            let text: String = lengths.iter().enumerate().map(line).collect();
            std::fs::write(&path, &text).unwrap();
            let source = crate::discover(&[path.display().to_string()], None).unwrap().remove(0);
            let windows = source.windows(count, bytes, folder.path()).unwrap();
            let all = text.len() as u64;
            prop_assert_eq!(windows.len() as u64, if all / 2 < count * bytes { 0 } else { count });
            for (window, number) in windows.iter().zip(0_u64..) {
                let from = super::start_of(number, all / count, bytes);
                let mut at = 0;
                let mut expected = 0;
                for line in text.split_inclusive('\n') {
                    expected += usize::from((from..from + bytes).contains(&at));
                    at += line.len() as u64;
                }
                let batches = Reader::new(std::slice::from_ref(window), ReadOptions::default());
                let found: usize = batches.map(|batch| batch.unwrap().len()).sum();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
