//! A file whose bytes go to the disk while more of them come. Its name is `target`'s.

use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::panic::resume_unwind;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes that are sent to the disk at a time.
const WINDOW: u64 = 1 << 26;

/// A file written from its start. Every [`WINDOW`] bytes a thread of its own sees to it that they are
/// on disk and has the system forget its copy of them: an output larger than memory then does not push
/// out the input, which is still to be read, and ends as fast as it was written.
///
/// [`flush`](Write::flush) is to be the last: it tells what went wrong on the thread, which the file
/// itself does not tell again.
pub(crate) struct Behind {
    file: File,
    window: u64,
    written: u64,
    /// Bytes of it that were sent.
    sent: u64,
    sending: Option<Sending>,
}

struct Sending {
    until: SyncSender<u64>,
    thread: JoinHandle<io::Result<()>>,
}

impl Behind {
    pub(crate) fn new(file: File) -> Self {
        Self { file, window: WINDOW, written: 0, sent: 0, sending: None }
    }

    /// So many bytes more were written.
    pub(crate) fn wrote(&mut self, bytes: u64) -> io::Result<()> {
        self.written += bytes;
        if self.written - self.sent >= self.window { self.send() } else { Ok(()) }
    }

    /// Sends what was written, once the window before is on its way.
    fn send(&mut self) -> io::Result<()> {
        self.sent = self.written;
        let sending = match &self.sending {
            Some(sending) => sending,
            None => self.sending.insert(Sending::start(self.file.try_clone()?)?),
        };
        match sending.until.send(self.written) {
            Ok(()) => Ok(()),
            Err(_) => self.settle(),
        }
    }

    /// Waits for all that was sent.
    fn settle(&mut self) -> io::Result<()> {
        let Some(Sending { until, thread }) = self.sending.take() else { return Ok(()) };
        drop(until);
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl Sending {
    fn start(file: File) -> io::Result<Self> {
        let (until, windows) = sync_channel(1);
        let send = move || {
            let mut start = 0;
            for end in windows {
                file.sync_data()?;
                // What the system keeps all the same is only slower.
                let _ = fadvise(&file, start, NonZeroU64::new(end - start), Advice::DontNeed);
                start = end;
            }
            Ok(())
        };
        let thread = thread::Builder::new().name("write behind".to_owned()).spawn(send)?;
        Ok(Self { until, thread })
    }
}

impl Write for Behind {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.wrote(count as u64)?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.settle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn all_bytes_are_there_whatever_the_windows() {
        let folder = tempfile::tempdir().unwrap();
        let bytes: Vec<u8> = (0_u32..50_000).flat_map(u32::to_le_bytes).collect();
        for window in [1, 1000, 64_000, 1 << 20] {
            let path = folder.path().join("file");
            let mut file = Behind { window, ..Behind::new(File::create(&path).unwrap()) };
            bytes.chunks(777).for_each(|chunk| file.write_all(chunk).unwrap());
            file.flush().unwrap();
            assert!(file.sending.is_none());
            assert_eq!(file.sent, if window > 200_000 { 0 } else { file.sent.max(136_000) });
            assert_eq!(fs::read(&path).unwrap(), bytes, "{window}");
        }
    }

    #[test]
    fn what_the_disk_refuses_is_told() {
        // A pipe takes bytes but has no disk.
        let (_reader, writer) = io::pipe().unwrap();
        let mut file =
            Behind { window: 10, ..Behind::new(File::from(std::os::fd::OwnedFd::from(writer))) };
        let mut wrong = Vec::new();
        for _ in 0..8 {
            wrong.extend(file.write_all(b"0123456789").err());
        }
        wrong.extend(file.flush().err());
        assert!(!wrong.is_empty());
        assert!(wrong.iter().all(|error| error.raw_os_error() == Some(22)), "{wrong:?}");
    }
}
