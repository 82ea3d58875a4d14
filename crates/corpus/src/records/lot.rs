//! What a reader gives out: a batch, or a part of a file that is read by whoever takes it. Cutting files into parts is
//! `formats/line_file.rs`'.

use crate::error::Error;
use crate::records::batch::Batch;
use crate::records::order::Place;

/// What becomes a [batch](Batch), on whatever thread: a part of a plain file of lines is read there.
///
/// Each waits until those before it are read, to know how many records these have. One that is dropped instead counts as
/// one without records.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{ReadOptions, Reader, discover};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.jsonl").display().to_string();
/// std::fs::write(&path, "{\"text\": \"one\"}\n".repeat(100_000))?;
/// let reader = Reader::new(&discover(&[path], None)?, ReadOptions::default());
/// let records = std::thread::scope(|scope| {
///     let read = |lot: nearprint_corpus::Lot| scope.spawn(move || lot.read().map(|batch| batch.len()));
///     let threads: Vec<_> = reader.lots().map(read).collect();
///     threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).sum::<usize>()
/// });
/// assert_eq!(records, 100_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lot {
    pub(crate) content: Result<Content, Error>,
    /// What passes it leaves the number of the records so far.
    pub(crate) place: Place<u64>,
}

/// What a format gives out.
pub(crate) enum Content {
    Batch(Batch),
    Part(Box<dyn Part>),
}

/// A part of a file that is not read yet.
pub(crate) trait Part: Send {
    /// Its bytes.
    fn bytes(&self) -> usize;

    /// Reads it, while others may read those before it.
    fn read(&mut self);

    /// Its batch, once all parts before it are read.
    fn batch(self: Box<Self>) -> Result<Batch, Error>;
}

impl Lot {
    /// The bytes of its records, read or not.
    pub fn bytes(&self) -> usize {
        match &self.content {
            Ok(Content::Batch(batch)) => batch.bytes(),
            Ok(Content::Part(part)) => part.bytes(),
            Err(_) => 0,
        }
    }

    /// Its records.
    ///
    /// # Errors
    ///
    /// Those of iterating over a [`Reader`](crate::Reader).
    pub fn read(self) -> Result<Batch, Error> {
        let Self { mut content, place } = self;
        if let Ok(Content::Part(part)) = &mut content {
            part.read();
        }
        place.pass(|records| {
            let mut batch = match content? {
                Content::Batch(batch) => batch,
                Content::Part(part) => part.batch()?,
            };
            batch.first_record = *records;
            *records += batch.len() as u64;
            Ok(batch)
        })
    }
}
