//! Lines of batches into one file, each where it belongs, by whatever threads. Record by record it is `output`'s.

use crate::error::Error;
use crate::records::batch::Batch;
use crate::records::order::{Order, Place};
use crate::within::within;
#[cfg(target_os = "linux")]
use crate::write::behind::Behind;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::sync::Mutex;

/// Bytes that are gathered at most, to be written in one go.
const GATHERED: usize = if cfg!(test) { 40 } else { 1 << 17 };

/// Writes lines of batches to an [`Output`](crate::Output), on several threads: the bytes that
/// [`write_record`](crate::Output::write_record) would write of their records, in the order in which places were given out.
pub struct LineWriter {
    file: File,
    path: String,
    order: Arc<Order<LineEnd>>,
    #[cfg(target_os = "linux")]
    behind: Mutex<Behind>,
}

/// Where what is written ends.
#[derive(Debug, Default)]
pub struct LineEnd {
    bytes: u64,
    /// The last line has no end.
    is_open: bool,
}

impl LineWriter {
    pub(crate) fn new(file: &File, path: String) -> io::Result<Self> {
        Ok(Self {
            file: file.try_clone()?,
            path,
            order: Arc::default(),
            #[cfg(target_os = "linux")]
            behind: Mutex::new(Behind::new(file.try_clone()?)),
        })
    }

    /// The place of the next batch.
    pub fn place(&self) -> Place<LineEnd> {
        self.order.give()
    }

    /// Writes the records of a batch that stay, which `stays` tells of each by its index; `gathered` is memory for those
    /// that are short.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn write(
        &self,
        place: Place<LineEnd>,
        batch: &Batch,
        mut stays: impl FnMut(usize) -> bool,
        gathered: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (_, span) in batch.spans.iter().enumerate().filter(|(at, _)| stays(*at)) {
            match runs.last_mut() {
                Some(run) if run.end == span.start => run.end = span.end,
                _ => runs.push(span.start..span.end),
            }
        }
        let bytes_of = |run: &Range<usize>| within(&batch.bytes, run.clone());
        let lines: usize = runs.iter().map(ExactSizeIterator::len).sum();
        let last = runs.iter().rev().find_map(|run| bytes_of(run).last());
        gathered.clear();
        let mut at = place.pass(|end| {
            let at = end.bytes;
            if let Some(last) = last {
                // In the place of the line end that the line before lacks.
                gathered.extend(end.is_open.then_some(b'\n'));
                end.is_open = *last != b'\n';
            }
            end.bytes += (gathered.len() + lines) as u64;
            at
        });
        let mut put = |bytes: &[u8]| {
            write_at(&self.file, bytes, at)?;
            at += bytes.len() as u64;
            self.wrote(bytes.len() as u64)
        };
        let mut put_all = || {
            for bytes in runs.iter().map(bytes_of) {
                if gathered.len() + bytes.len() > GATHERED {
                    put(gathered)?;
                    gathered.clear();
                }
                match bytes.len() > GATHERED {
                    true => put(bytes)?,
                    false => gathered.extend_from_slice(bytes),
                }
            }
            put(gathered)
        };
        put_all().map_err(|error| self.failed(error))
    }

    #[cfg(target_os = "linux")]
    fn wrote(&self, bytes: u64) -> io::Result<()> {
        self.behind.lock().unwrap_or_else(std::sync::PoisonError::into_inner).wrote(bytes)
    }

    #[cfg(not(target_os = "linux"))]
    fn wrote(&self, _bytes: u64) -> io::Result<()> {
        Ok(())
    }

    /// Ends the writing: the output is to be finished.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn finish(self) -> Result<(), Error> {
        #[cfg(target_os = "linux")]
        {
            let behind = self.behind.into_inner();
            let mut behind = behind.unwrap_or_else(std::sync::PoisonError::into_inner);
            let settled = io::Write::flush(&mut behind);
            settled.map_err(|source| Error::Write { path: self.path, source })?;
        }
        Ok(())
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }
}

/// Writes all bytes from an offset on, wherever others write.
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, at);
    #[cfg(windows)]
    {
        let mut done = 0;
        while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
            match std::os::windows::fs::FileExt::seek_write(file, rest, at + done as u64) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::format::InputFormat;
    use crate::read::inputs::discover;
    use crate::read::reader::Reader;
    use crate::records::lot::Lot;
    use crate::records::read_options::ReadOptions;
    use crate::records::source::Source;
    use crate::write::output::Output;
    use crate::write::target::Target;
    use std::fs;
    use std::path::Path;
    use std::thread;

    fn output(path: &Path) -> Output {
        let target = Target::File { path: path.to_owned(), replace: false };
        Output::open(path, target, InputFormat::JSONL).unwrap()
    }

    /// What one thread writes of the records that stay, record by record.
    fn by_records(sources: &[Source], options: ReadOptions, stays: fn(u64) -> bool) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        let mut output = output(&path);
        for batch in Reader::new(sources, options) {
            let batch = batch.unwrap();
            for (number, record) in (batch.first_record()..).zip(batch.records()) {
                if stays(number) {
                    output.write_record(&record.raw()).unwrap();
                }
            }
        }
        output.commit().unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn lines_are_those_that_are_written_record_by_record() {
        let folder = tempfile::tempdir().unwrap();
        // Of all lengths, with blank lines, and without a line end at the end of a file.
        let mut names = Vec::new();
        for file in 0..5_usize {
            let lines = (0..200_usize).map(|line| {
                let text = "x".repeat((line * 7 + file) % 61);
                format!("{{\"a\":\"{text}\"}}{}", if line % 9 == 4 { "\r\n\n" } else { "\n" })
            });
            let mut text: String = lines.collect();
            text.truncate(text.len() - file % 2);
            let path = folder.path().join(format!("{file}.jsonl"));
            fs::write(&path, text).unwrap();
            names.push(path.display().to_string());
        }
        let sources = discover(&names, None).unwrap();
        let options = ReadOptions { batch_bytes: 300, ..ReadOptions::default() };
        let some: [fn(u64) -> bool; 5] = [
            |_| true,
            |_| false,
            |number| number % 3 > 0,
            |number| !(190..210).contains(&number),
            |number| number > 700 || number == 5,
        ];
        for (at, stays) in some.into_iter().enumerate() {
            let expected = by_records(&sources, options, stays);
            let path = folder.path().join(format!("{at}.out"));
            let mut output = output(&path);
            let writer = output.line_writer(&sources).unwrap().unwrap();
            let lots = Reader::new(&sources, options).lots().map(|lot| (lot, writer.place()));
            let mut lots: Vec<(Lot, _)> = lots.collect();
            let other = lots.split_off(lots.len() / 2);
            thread::scope(|scope| {
                for lots in [lots, other] {
                    scope.spawn(|| {
                        let mut gathered = Vec::new();
                        for (lot, place) in lots {
                            let batch = lot.read().unwrap();
                            let stays = |at| stays(batch.first_record() + at as u64);
                            writer.write(place, &batch, stays, &mut gathered).unwrap();
                        }
                    });
                }
            });
            writer.finish().unwrap();
            output.commit().unwrap();
            assert!(fs::read(&path).unwrap() == expected, "case {at}");
        }
    }

    #[test]
    fn lines_of_other_formats_are_written_record_by_record() {
        let folder = tempfile::tempdir().unwrap();
        let mut output = output(&folder.path().join("out.jsonl"));
        let source = Source::named("a.csv", Some(InputFormat::CSV));
        assert!(output.line_writer(&[source]).unwrap().is_none());
    }
}
