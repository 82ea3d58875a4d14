//! A plain file of lines: it is cut at ends of lines into parts of the size of a batch, and whoever takes a part reads it.

use crate::error::Error;
use crate::formats::cutter::Cutter;
use crate::formats::cutting::Cutting;
use crate::formats::record_reader::RecordReader;
use crate::records::batch::Batch;
use crate::records::characters::{Characters, Look};
use crate::records::decoder::Decoder;
use crate::records::lot::{Content, Part};
use crate::records::opened::{Found, Opened, PlainFile, State};
use crate::records::source::read_at;
use crate::within::within_mut;
use memchr::memrchr;
use std::fs::File;
use std::io;
use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes in which the end of a line is looked for first.
const PEEK: u64 = 1 << 12;

/// The records of a source of lines, which begin behind `skipped` bytes.
pub(crate) fn reader<C: Cutter + Copy + 'static>(
    mut opened: Opened,
    cutter: C,
    skipped: usize,
) -> Box<dyn RecordReader> {
    match opened.file.take() {
        Some(file) => Box::new(LineFile::new(opened, file, cutter, skipped as u64)),
        None => Box::new(Cutting::new(opened, cutter, skipped)),
    }
}

/// A file of which parts are given out.
struct LineFile<C> {
    opened: Opened,
    cutter: C,
    parts: Arc<Parts>,
    /// Bytes of the file.
    bytes: u64,
    /// Where the next part begins.
    start: u64,
    /// How far a line end was looked for.
    seen: u64,
    /// The first bytes of the next part, as far as they were read for that.
    ahead: Vec<u8>,
    /// Bytes up to here are counted as read.
    counted: u64,
    /// What is read in one go, as a line of it is too long to be held.
    rest: Option<Cutting<C>>,
}

/// What the parts of a file share.
struct Parts {
    file: Arc<File>,
    so_far: Mutex<SoFar>,
    /// Nobody need look at the characters of a part any more.
    are_told: AtomicBool,
}

/// What a part has to know of those before it.
#[derive(Default)]
struct SoFar {
    lines: u64,
    /// Bytes of their text.
    bytes: u64,
    characters: Characters,
    /// One could not be read: nothing comes behind it.
    has_failed: bool,
}

impl Parts {
    fn so_far(&self) -> MutexGuard<'_, SoFar> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills `bytes` from this place of the file on; returns how many there are, fewer where the file ends.
    fn read(&self, start: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let mut end = 0;
        loop {
            let free = bytes.get_mut(end..).unwrap_or_default();
            if free.is_empty() {
                return Ok(end);
            }
            match read_at(&self.file, free, start + end as u64) {
                Ok(0) => return Ok(end),
                Ok(count) => end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where the last line ends that ends in this range, and what was read for it: the last bytes of the range, or none
    /// where the file ends before.
    fn last_line_end(&self, range: Range<u64>) -> io::Result<(Option<u64>, Vec<u8>)> {
        let (mut end, mut peek, mut seen) = (range.end, PEEK, Vec::new());
        while end > range.start {
            let start = end.saturating_sub(peek).max(range.start);
            let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(usize::MAX)];
            let count = self.read(start, &mut bytes)?;
            let is_whole = count == bytes.len() && seen.len() as u64 == range.end - end;
            bytes.truncate(count);
            let found = memrchr(b'\n', &bytes).map(|at| start + at as u64 + 1);
            seen = match is_whole {
                true => {
                    bytes.append(&mut seen);
                    bytes
                }
                false => Vec::new(),
            };
            if found.is_some() {
                return Ok((found, seen));
            }
            (end, peek) = (start, peek * 2);
        }
        Ok((None, seen))
    }
}

impl<C: Cutter + Copy + 'static> LineFile<C> {
    fn new(mut opened: Opened, file: PlainFile, cutter: C, skipped: u64) -> Self {
        let PlainFile { file, bytes, head } = file;
        // The parts read it once more.
        let looked_at = mem::take(&mut opened.head).len();
        let characters = match opened.is_encoding_named() {
            true => Characters::Told,
            false => Characters::Ascii,
        };
        let so_far = SoFar { bytes: skipped, characters, ..SoFar::default() };
        let are_told = AtomicBool::new(false);
        let parts = Arc::new(Parts { file, so_far: Mutex::new(so_far), are_told });
        let (start, counted, seen) = (skipped, head.max(looked_at) as u64, looked_at as u64);
        Self { opened, cutter, parts, bytes, start, seen, ahead: Vec::new(), counted, rest: None }
    }

    /// The next part; none where its first line is too long to be held.
    fn next_place(&mut self) -> io::Result<Option<Place>> {
        let batch_bytes = self.opened.options.batch_bytes;
        let most = batch_bytes as u64;
        let limit = self.opened.options.max_record_bytes as u64;
        let mut from = self.start + self.ahead.len() as u64;
        let mut end = self.seen.max(self.start + most);
        loop {
            if end > self.bytes {
                let (range, head) = (self.start..self.bytes, mem::take(&mut self.ahead));
                return Ok(Some(Place { range, head, tail: Vec::new() }));
            }
            self.seen = end;
            let (found, mut seen) = self.parts.last_line_end(from..end)?;
            if let Some(at) = found {
                let behind = usize::try_from(end - at).unwrap_or(usize::MAX).min(seen.len());
                let next = seen.split_off(seen.len() - behind);
                let head = mem::replace(&mut self.ahead, next);
                return Ok(Some(Place { range: self.start..at, head, tail: seen }));
            }
            let held = end - self.start;
            if held > limit {
                return Ok(None);
            }
            // Of a long line little is held here.
            let follows = from == self.start + self.ahead.len() as u64 && !seen.is_empty();
            match follows && self.ahead.len() + seen.len() <= batch_bytes {
                true => self.ahead.append(&mut seen),
                false => self.ahead = Vec::new(),
            }
            from = end;
            end += held.max(most).min(limit + 1 - held);
        }
    }

    /// The rest of the file, read in one go from where the next part would begin.
    fn rest(&self) -> Result<Option<Cutting<C>>, Error> {
        self.opened.order.settle();
        let mut so_far = self.parts.so_far();
        if so_far.has_failed {
            return Ok(None);
        }
        let characters = mem::take(&mut so_far.characters);
        let (source, read) = (&self.opened.source, Arc::clone(&self.opened.read));
        // These are read once more.
        read.fetch_sub(self.counted.saturating_sub(self.start), Ordering::Relaxed);
        let decoder = Decoder::plain_behind(source, self.start, read, characters)?;
        let opened = Opened { decoder: Some(decoder), state: State::Reading, ..self.opened.part() };
        let place = (so_far.lines + 1, so_far.bytes);
        Ok(Some(Cutting::over(opened, self.cutter, Vec::new(), place)))
    }

    fn next_part(&mut self) -> Result<Option<Content>, Error> {
        if self.start >= self.bytes {
            return Ok(None);
        }
        let place = self.next_place().map_err(|source| {
            self.start = self.bytes;
            Error::Read { path: self.opened.source.name().to_owned(), source }
        });
        let Some(place) = place? else {
            self.rest = self.rest()?;
            self.start = self.bytes;
            return self.rest.as_mut().and_then(RecordReader::next).transpose();
        };
        let Range { start, end } = place.range;
        let uncounted = end.saturating_sub(self.counted.max(start));
        (self.start, self.counted) = (end, self.counted.max(end));
        Ok(Some(Content::Part(Box::new(FilePart {
            opened: self.opened.part(),
            cutter: self.cutter,
            parts: Arc::clone(&self.parts),
            is_last: end == self.bytes,
            place,
            uncounted,
            cut: None,
        }))))
    }
}

impl<C: Cutter + Copy + 'static> RecordReader for LineFile<C> {
    fn next(&mut self) -> Option<Result<Content, Error>> {
        match &mut self.rest {
            Some(rest) => rest.next(),
            None => self.next_part().transpose(),
        }
    }
}

/// Where a part stands in its file, and what was read of it already.
struct Place {
    range: Range<u64>,
    /// Its first and its last bytes.
    head: Vec<u8>,
    tail: Vec<u8>,
}

/// Whole lines of a file.
struct FilePart<C> {
    opened: Opened,
    cutter: C,
    parts: Arc<Parts>,
    place: Place,
    is_last: bool,
    /// Bytes of it that are not counted as read.
    uncounted: u64,
    /// What it is made of, once it is read.
    cut: Option<io::Result<CutLines>>,
}

/// The records of a part, as if it were all of the file.
struct CutLines {
    batch: Batch,
    lines: u64,
    bytes: u64,
    look: Look,
}

impl<C: Cutter + Copy> FilePart<C> {
    fn cut(&self, bytes: Vec<u8>, look: Look) -> CutLines {
        let mut cutting = Cutting::over(self.opened.part(), self.cutter, bytes, (1, 0));
        let batch = cutting.next_batch().and_then(Result::ok);
        let batch = batch.unwrap_or_else(|| self.empty());
        let (line, bytes) = cutting.place();
        CutLines { batch, lines: line - 1, bytes, look }
    }

    /// A batch of nothing.
    fn empty(&self) -> Batch {
        self.opened.batch(0, Vec::new(), Found::default())
    }
}

impl<C: Cutter + Copy> Part for FilePart<C> {
    fn bytes(&self) -> usize {
        let Range { start, end } = self.place.range;
        usize::try_from(end - start).unwrap_or(usize::MAX)
    }

    fn read(&mut self) {
        let mut bytes = self.opened.buffers.take_long(self.bytes());
        let Place { range, head, tail } = &mut self.place;
        let (head, tail) = (mem::take(head), mem::take(tail));
        let between = head.len()..bytes.len() - tail.len();
        within_mut(&mut bytes, ..head.len()).copy_from_slice(&head);
        let unread = within_mut(&mut bytes, between.clone());
        let read = self.parts.read(range.start + head.len() as u64, unread);
        let read = read.map(|count| match count == between.len() {
            true => within_mut(&mut bytes, between.end..).copy_from_slice(&tail),
            false => bytes.truncate(head.len() + count),
        });
        self.opened.read.fetch_add(self.uncounted, Ordering::Relaxed);
        let are_told = self.parts.are_told.load(Ordering::Relaxed);
        let look = if are_told { Look::Other } else { Look::at(&bytes) };
        self.cut = Some(read.map(|()| self.cut(bytes, look)));
    }

    fn batch(mut self: Box<Self>) -> Result<Batch, Error> {
        let mut so_far = self.parts.so_far();
        let Some(cut) = self.cut.take().filter(|_| !so_far.has_failed) else {
            return Ok(self.empty());
        };
        let cut = cut.map_err(|source| {
            so_far.has_failed = true;
            Error::Read { path: self.opened.source.name().to_owned(), source }
        })?;
        let recoded = so_far.characters.recode(&cut.batch.bytes, cut.look, self.is_last);
        if matches!(so_far.characters, Characters::Told) {
            self.parts.are_told.store(true, Ordering::Relaxed);
        }
        let look = cut.look;
        let CutLines { mut batch, lines, bytes, .. } =
            recoded.map_or(cut, |bytes| self.cut(bytes, look));
        for span in &mut batch.spans {
            span.line += so_far.lines;
            span.offset += so_far.bytes;
        }
        batch.offset = so_far.bytes;
        so_far.lines += lines;
        so_far.bytes += bytes;
        Ok(batch)
    }
}
