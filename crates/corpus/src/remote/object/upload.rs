//! An object being written. It appears under its name when it is published, whole, or never.

use crate::remote::object::runtime::{Pending, start, wait};
use crate::within::within;
use bytes::Bytes;
use object_store::path::Path;
use object_store::{
    Error as StoreError, MultipartUpload, ObjectStore, ObjectStoreExt, Result as StoreResult,
};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a part: all but the last are equal, and the 10,000 that S3 allows hold 160 GB.
const PART: usize = 16 << 20;
/// Parts that S3 takes.
const PARTS: usize = 10_000;
/// Parts under way at a time.
const AHEAD: usize = 2;

/// An upload in parts. Clones write to the same; one that is dropped without [`publish`](Self::publish)
/// with all its clones is aborted, and the store forgets its parts.
#[derive(Clone, Debug)]
pub(crate) struct Upload(Arc<Mutex<Parts>>);

#[derive(Debug)]
struct Parts {
    store: Arc<dyn ObjectStore>,
    path: Path,
    upload: Option<Box<dyn MultipartUpload>>,
    buffer: Vec<u8>,
    sent: usize,
    pending: VecDeque<Pending<StoreResult<()>>>,
}

impl Upload {
    /// Begins an upload: the store refuses here what may not be written.
    pub(super) fn begin(store: Arc<dyn ObjectStore>, path: Path) -> io::Result<Upload> {
        let upload = wait(store.put_multipart(&path))?.map_err(io::Error::from)?;
        let (buffer, pending) = (Vec::new(), VecDeque::new());
        let parts = Parts { store, path, upload: Some(upload), buffer, sent: 0, pending };
        Ok(Upload(Arc::new(Mutex::new(parts))))
    }

    /// Sends what is left: when this returns, the store has all parts.
    pub(crate) fn finish(&self) -> io::Result<()> {
        self.with(|parts| {
            if !parts.buffer.is_empty() {
                parts.send()?;
            }
            parts.wait_for(0)
        })
    }

    /// Gives the object its name; whether it may `replace` one that has it already.
    pub(crate) fn publish(&self, replace: bool) -> io::Result<()> {
        self.with(|parts| {
            if !replace {
                match wait(parts.store.head(&parts.path))? {
                    Err(StoreError::NotFound { .. }) => {}
                    Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
                    Err(error) => return Err(error.into()),
                }
            }
            if let Some(upload) = &mut parts.upload {
                wait(upload.complete())?.map_err(io::Error::from)?;
            }
            parts.upload = None;
            Ok(())
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Parts) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Parts {
    /// Sends what has been gathered as a part of its own.
    fn send(&mut self) -> io::Result<()> {
        if self.sent == PARTS {
            let most = PARTS * (PART >> 20) / 1024;
            return Err(io::Error::other(format!(
                "an object takes {PARTS} parts, which hold {most} GiB: write to several objects"
            )));
        }
        self.wait_for(AHEAD - 1)?;
        let Some(upload) = &mut self.upload else { return Ok(()) };
        let bytes = Bytes::from(mem::take(&mut self.buffer));
        self.pending.push_back(start(upload.put_part(bytes.into()))?);
        self.sent += 1;
        Ok(())
    }

    /// Waits until no more than `most` parts are under way.
    fn wait_for(&mut self, most: usize) -> io::Result<()> {
        while self.pending.len() > most {
            let Some(part) = self.pending.pop_front() else { break };
            part.wait()?.map_err(io::Error::from)?;
        }
        Ok(())
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.pending.clear();
        if let Some(mut upload) = self.upload.take() {
            // The store keeps what it cannot be told to forget, unseen.
            let _aborted = wait(async move { upload.abort().await });
        }
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|parts| {
            let taken = bytes.len().min(PART - parts.buffer.len());
            parts.buffer.extend_from_slice(within(bytes, ..taken));
            if parts.buffer.len() == PART {
                parts.send()?;
            }
            Ok(taken)
        })
    }

    /// Parts go when they are full, and all with [`finish`](Upload::finish).
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
