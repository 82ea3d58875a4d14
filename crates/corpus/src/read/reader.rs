//! The run over all sources, in order. Reading one source is a format's.

use crate::buffers::Buffers;
use crate::error::Error;
use crate::formats::list;
use crate::formats::record_reader::RecordReader;
use crate::records::batch::Batch;
use crate::records::lot::{Content, Lot};
use crate::records::opened::Opened;
use crate::records::order::Order;
use crate::records::read_options::ReadOptions;
use crate::records::source::Source;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Reads sources one after the other into batches.
///
/// Iterating yields the batches in order. A failure of a source (it cannot be read, ends early or
/// is damaged) comes after the whole records before it and ends that source only: iterating further
/// goes on with the next, or in an archive whose records are members of gzip or frames of zstd behind the damaged one. Two readings of the
/// same sources yield the same records.
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
    order: Arc<Order<u64>>,
    next_source: usize,
    open: Option<Box<dyn RecordReader>>,
}

impl Reader {
    /// A reader at the start of the first source. Opens nothing yet.
    pub fn new(sources: &[Source], options: ReadOptions) -> Self {
        Self {
            sources: sources.iter().cloned().map(Arc::new).collect(),
            options,
            bytes_read: Arc::default(),
            buffers: Arc::new(Buffers::new(options.batch_bytes)),
            order: Arc::default(),
            next_source: 0,
            open: None,
        }
    }

    /// Bytes taken from disk so far, still compressed; grows while the reader runs, to
    /// [`total_bytes`](crate::records::source::total_bytes) where every source was read to its end.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// What becomes these batches wherever it is [read](Lot::read), and some that hold nothing.
    pub fn lots(mut self) -> impl Iterator<Item = Lot> + Send {
        std::iter::from_fn(move || self.next_lot())
    }

    fn next_lot(&mut self) -> Option<Lot> {
        let content = self.next_content()?;
        Some(Lot { content, place: self.order.give() })
    }

    fn next_content(&mut self) -> Option<Result<Content, Error>> {
        loop {
            if let Some(open) = &mut self.open {
                if let Some(content) = open.next() {
                    return Some(content);
                }
                self.open = None;
            }
            let source = self.sources.get(self.next_source)?;
            let index = self.next_source;
            self.next_source += 1;
            let how = (self.bytes_read(), &self.buffers, &self.order);
            match Opened::open(source, index, self.options, how).and_then(list::reader) {
                Ok(open) => self.open = Some(open),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Result<Batch, Error>> {
        loop {
            match self.next_lot()?.read() {
                Ok(batch) if batch.is_blank() => {}
                read => return Some(read),
            }
        }
    }
}
