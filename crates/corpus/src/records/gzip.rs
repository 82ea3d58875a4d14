//! The bytes of a gzip file.

use crate::records::padding::goes_on;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reads all members of a file, and passes over zeros behind them, with which tapes are padded.
pub(crate) struct Gzip<R> {
    /// None behind the last member.
    member: Option<GzDecoder<Placed<R>>>,
    start: Arc<AtomicU64>,
}

impl<R: BufRead> Gzip<R> {
    /// Reads `disk`, which goes on at the byte of a file that `start` says: there the member begins that is read, or what
    /// stands in the place of one.
    pub(crate) fn new(disk: R, start: Arc<AtomicU64>) -> Self {
        let disk = Placed { inner: disk, at: start.load(Ordering::Relaxed) };
        Self { member: Some(GzDecoder::new(disk)), start }
    }

    /// Goes on to the member behind one that has ended; returns whether there is one.
    fn go_on(&mut self) -> io::Result<bool> {
        let Some(ended) = self.member.take() else { return Ok(false) };
        let mut disk = ended.into_inner();
        let more = goes_on(&mut disk, 0x1f, "gzip");
        self.start.store(disk.at, Ordering::Relaxed);
        let more = more?;
        if more {
            self.member = Some(GzDecoder::new(disk));
        }
        Ok(more)
    }
}

/// Bytes, and the place in the file of the next.
struct Placed<R> {
    inner: R,
    at: u64,
}

impl<R: BufRead> Read for Placed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Placed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.at += count as u64;
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() || !self.go_on()? {
                return Ok(count);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn member(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        // A small buffer, so that zeros and members begin anywhere in it.
        Gzip::new(io::BufReader::with_capacity(7, bytes), Arc::default())
            .read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn members_follow_each_other_and_padding_is_passed_over() {
        let two = [member("one "), member(""), member("two")].concat();
        assert_eq!(read(&two).unwrap(), "one two");
        assert_eq!(read(&[&*two, &[0; 20]].concat()).unwrap(), "one two");
        assert_eq!(read(&[&*two, &[0; 20], &member("!")].concat()).unwrap(), "one two!");
    }

    #[test]
    fn it_is_known_where_a_member_begins() {
        let [one, two] = [member("one"), member("two")];
        let at = |bytes: &[u8]| {
            let start = Arc::new(AtomicU64::new(1000));
            let disk = io::BufReader::with_capacity(7, bytes);
            let _ended = Gzip::new(disk, Arc::clone(&start)).read_to_end(&mut Vec::new());
            usize::try_from(start.load(Ordering::Relaxed)).unwrap() - 1000
        };
        assert_eq!(at(&one[..9]), 0);
        assert_eq!(at(&[&one[..], &[0; 20], &two[..9]].concat()), one.len() + 20);
        assert_eq!(at(&[&one[..], &two, b"\0garbage"].concat()), one.len() + two.len() + 1);
    }

    #[test]
    fn what_follows_and_is_no_gzip_is_named() {
        let error = read(&[&*member("one"), b"garbage"].concat()).unwrap_err();
        assert!(error.to_string().contains("follow"), "{error}");
        let cut = member("one and more");
        let error = read(&cut[..cut.len() - 3]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
