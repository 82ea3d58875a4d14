//! Lines of batches into one file, each where it belongs, by whatever threads. Record by record it is `output`'s.

use crate::error::Error;
use crate::records::batch::Batch;
use crate::records::order::{Order, Place};
use crate::within::within;
#[cfg(target_os = "linux")]
use crate::write::behind::Behind;
use std::fs::File;
use std::io;
use std::mem;
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::sync::Mutex;

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

    /// Writes the records of a batch that stay, which `stays` tells of each by its index; `gathered` is memory for their
    /// bytes.
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
        gathered.clear();
        // In the place of the line end that the line before may lack.
        gathered.push(b'\n');
        let mut run = 0..0;
        for (_, span) in batch.spans.iter().enumerate().filter(|(at, _)| stays(*at)) {
            if span.start != run.end {
                gathered.extend_from_slice(within(
                    &batch.bytes,
                    mem::replace(&mut run, span.start..span.end),
                ));
            }
            run.end = span.end;
        }
        gathered.extend_from_slice(within(&batch.bytes, run));
        let lines = gathered.len() as u64 - 1;
        let (at, skipped) = place.pass(|end| {
            let (at, was_open) = (end.bytes, end.is_open && lines > 0);
            end.bytes += lines + u64::from(was_open);
            if lines > 0 {
                end.is_open = gathered.last() != Some(&b'\n');
            }
            (at, usize::from(!was_open))
        });
        let bytes = within(gathered, skipped..);
        let written = write_at(&self.file, bytes, at).and_then(|()| self.wrote(bytes.len() as u64));
        written.map_err(|error| self.failed(error))
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
