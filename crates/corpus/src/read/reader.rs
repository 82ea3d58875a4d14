//! The run over all sources, in order. Cutting one source is `stream`'s.

use crate::buffers::Buffers;
use crate::error::Error;
use crate::read::batch::Batch;
use crate::read::read_options::ReadOptions;
use crate::read::source::Source;
use crate::read::stream::Stream;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Reads sources one after the other into batches.
///
/// Iterating yields the batches in order. A failure of a source (it cannot be read, ends early or
/// is damaged) comes after the whole records before it and ends that source only: iterating further
/// goes on with the next. Two readings of the same sources yield the same records.
///
/// # Complexity
///
/// One sequential read of every source; memory for one batch, or for the longest record up to
/// [`ReadOptions::max_record_bytes`].
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{ReadOptions, Reader, discover};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.jsonl").display().to_string();
/// std::fs::write(&path, "{\"text\": \"one\"}\n\n{\"text\": \"two\"}")?;
/// let sources = discover(&[path], None)?;
/// let mut lines = Vec::new();
/// for batch in Reader::new(&sources, ReadOptions::default()) {
///     lines.extend(batch?.records().map(|record| record.line()));
/// }
/// assert_eq!(lines, [1, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader {
    sources: Vec<Arc<Source>>,
    options: ReadOptions,
    bytes_read: Arc<AtomicU64>,
    buffers: Arc<Buffers>,
    next_source: usize,
    records: u64,
    stream: Option<Stream>,
}

impl Reader {
    /// A reader at the start of the first source. Opens nothing yet.
    pub fn new(sources: &[Source], options: ReadOptions) -> Self {
        Self {
            sources: sources.iter().cloned().map(Arc::new).collect(),
            options,
            bytes_read: Arc::default(),
            buffers: Arc::new(Buffers::new(options.batch_bytes)),
            next_source: 0,
            records: 0,
            stream: None,
        }
    }

    /// Bytes taken from disk so far, still compressed; grows while the reader runs, to
    /// [`total_bytes`](crate::read::source::total_bytes) where every source was read to its end.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }
}

impl Iterator for Reader {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Result<Batch, Error>> {
        loop {
            if let Some(stream) = &mut self.stream {
                if let Some(result) = stream.next(self.records) {
                    if let Ok(batch) = &result {
                        self.records += batch.len() as u64;
                    }
                    return Some(result);
                }
                self.stream = None;
            }
            let source = self.sources.get(self.next_source)?;
            let index = self.next_source;
            self.next_source += 1;
            match Stream::open(source, index, self.options, (self.bytes_read(), &self.buffers)) {
                Ok(stream) => self.stream = Some(stream),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
