//! The bytes of a gzip file. Other compressions are read by their libraries' own readers.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// Reads all members of a file, and passes over zeros behind them, with which tapes are padded.
pub(crate) struct Gzip<R> {
    /// None behind the last member.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gzip<R> {
    pub(crate) fn new(disk: R) -> Self {
        Self { member: Some(GzDecoder::new(disk)) }
    }

    /// Goes on to the member behind one that has ended; returns whether there is one.
    fn go_on(&mut self) -> io::Result<bool> {
        let Some(ended) = self.member.take() else { return Ok(false) };
        let mut disk = ended.into_inner();
        loop {
            let bytes = disk.fill_buf()?;
            match bytes.iter().position(|byte| *byte != 0) {
                None if bytes.is_empty() => return Ok(false),
                None => {
                    let zeros = bytes.len();
                    disk.consume(zeros);
                }
                Some(zeros) if bytes.get(zeros) == Some(&0x1f) => {
                    disk.consume(zeros);
                    self.member = Some(GzDecoder::new(disk));
                    return Ok(true);
                }
                Some(_) => {
                    let told = "the data are complete, but followed by bytes that are not gzip";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, told));
                }
            }
        }
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
        Gzip::new(io::BufReader::with_capacity(7, bytes)).read_to_string(&mut text)?;
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
    fn what_follows_and_is_no_gzip_is_named() {
        let error = read(&[&*member("one"), b"garbage"].concat()).unwrap_err();
        assert!(error.to_string().contains("follow"), "{error}");
        let cut = member("one and more");
        let error = read(&cut[..cut.len() - 3]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
