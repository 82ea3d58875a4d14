//! The bytes of one version of an object, in parts that are asked for ahead of the one that reads.

use crate::remote::object::runtime::{Pending, start, wait};
use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::path::Path;
use object_store::{Error as StoreError, GetOptions, GetRange, ObjectMeta, ObjectStore};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error as ThisError;

/// Bytes of the first part: what tells a format needs no more.
const FIRST: u64 = 1 << 18;
/// Bytes of every other part.
const PART: u64 = 4 << 20;
/// Parts under way at a time.
const AHEAD: usize = 3;

/// Why an object cannot be read to its end. The store itself has been asked several times before.
#[derive(Debug, ThisError)]
pub(crate) enum ObjectError {
    #[error("it was deleted after it was listed")]
    Gone,
    #[error("it changed since it was found: run again when no other program writes to it")]
    Changed,
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for ObjectError {
    fn from(error: StoreError) -> ObjectError {
        match error {
            StoreError::NotFound { .. } => ObjectError::Gone,
            StoreError::Precondition { .. } => ObjectError::Changed,
            error => ObjectError::Store(error),
        }
    }
}

impl From<ObjectError> for io::Error {
    fn from(error: ObjectError) -> io::Error {
        io::Error::other(error)
    }
}

/// One version of an object.
#[derive(Clone, Debug)]
pub(super) struct Version {
    store: Arc<dyn ObjectStore>,
    path: Path,
    pub(super) bytes: u64,
    e_tag: Option<String>,
    /// The tag, or where there is none the time of the last change.
    pub(super) tag: String,
}

impl Version {
    pub(super) fn new(store: Arc<dyn ObjectStore>, path: Path, found: &ObjectMeta) -> Version {
        let (bytes, e_tag) = (found.size, found.e_tag.clone());
        let tag = e_tag.clone().unwrap_or_else(|| found.last_modified.to_string());
        Version { store, path, bytes, e_tag, tag }
    }

    /// Whether the answer of the store is about this version.
    fn is(&self, meta: &ObjectMeta) -> bool {
        let same_tag = match (&self.e_tag, &meta.e_tag) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        };
        same_tag && meta.size == self.bytes
    }

    fn options(&self, range: Option<Range<u64>>) -> GetOptions {
        // A weak tag never matches (RFC 9110, 13.1.1): it is compared when the answer comes.
        let strong = self.e_tag.clone().filter(|tag| !tag.starts_with("W/"));
        GetOptions {
            if_match: strong,
            range: range.map(GetRange::Bounded),
            ..GetOptions::default()
        }
    }

    /// A part of it.
    async fn part(self, range: Range<u64>) -> Result<Bytes, ObjectError> {
        let options = self.options(Some(range.clone()));
        let answer = self.store.get_opts(&self.path, options).await?;
        if !self.is(&answer.meta) {
            return Err(ObjectError::Changed);
        }
        let bytes = answer.bytes().await?;
        if bytes.len() as u64 == range.end - range.start {
            Ok(bytes)
        } else {
            Err(ObjectError::Changed)
        }
    }

    /// All of it in one answer, for servers that know no parts.
    async fn whole(self) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, ObjectError> {
        let answer = self.store.get_opts(&self.path, self.options(None)).await?;
        if self.is(&answer.meta) { Ok(answer.into_stream()) } else { Err(ObjectError::Changed) }
    }
}

/// Reads from the first byte to the last. Memory: [`AHEAD`] parts and the one that is read.
pub(super) struct ObjectReader {
    version: Version,
    /// Where the next part begins that has not been asked for.
    next: u64,
    pending: VecDeque<Pending<Result<Bytes, ObjectError>>>,
    /// The answer of a server that knows no parts.
    whole: Option<BoxStream<'static, Result<Bytes, StoreError>>>,
    current: Bytes,
    /// Bytes handed out.
    done: u64,
}

impl ObjectReader {
    /// Asks for nothing yet.
    pub(super) fn new(version: Version) -> ObjectReader {
        ObjectReader {
            version,
            next: 0,
            pending: VecDeque::new(),
            whole: None,
            current: Bytes::new(),
            done: 0,
        }
    }

    fn ask(&mut self, bytes: u64) -> io::Result<()> {
        let end = self.version.bytes.min(self.next + bytes);
        if self.next < end {
            self.pending.push_back(start(self.version.clone().part(self.next..end))?);
            self.next = end;
        }
        Ok(())
    }

    /// The bytes behind those that were read; none at the end.
    fn advance(&mut self) -> io::Result<Option<Bytes>> {
        if let Some(whole) = &mut self.whole {
            let more = wait(whole.next())?.transpose().map_err(ObjectError::from)?;
            if more.is_none() && self.done < self.version.bytes {
                return Err(ObjectError::Changed.into());
            }
            return Ok(more);
        }
        let first = self.next == 0;
        if first {
            self.ask(FIRST)?;
        } else {
            while self.pending.len() < AHEAD && self.next < self.version.bytes {
                self.ask(PART)?;
            }
        }
        let Some(part) = self.pending.pop_front() else { return Ok(None) };
        match part.wait()? {
            Err(ObjectError::Store(StoreError::NotSupported { .. })) if first => {
                self.whole = Some(wait(self.version.clone().whole())??);
                self.advance()
            }
            part => Ok(Some(part?)),
        }
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            let Some(more) = self.advance()? else { return Ok(0) };
            self.current = more;
        }
        let count = self.current.len().min(buffer.len());
        if let Some(room) = buffer.get_mut(..count) {
            self.current.copy_to_slice(room);
        }
        self.done += count as u64;
        Ok(count)
    }
}
