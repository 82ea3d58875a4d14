//! Text whose character set nothing names, as UTF-8: what is ASCII is read as it is, up to where ISO-2022-JP begins.

use crate::iso_2022_jp::{DESIGNATION, ESCAPE, designation};
use crate::records::recoding::Recoding;
use encoding_rs::ISO_2022_JP;
use memchr::{memchr, memrchr};
use std::io::{self, Cursor, Read};
use std::mem;

/// Bytes that are looked through at a time, while the cache of the processor still has them.
const STEP: usize = 1 << 16;

/// Reads UTF-8 out of text in UTF-8 or ISO-2022-JP.
pub(crate) enum Escaped<R: Read> {
    /// All bytes so far are those of ASCII.
    Ascii(R),
    /// Bytes that were looked at and are to be read as they are, then what follows.
    Behind(Cursor<Vec<u8>>, Box<Escaped<R>>),
    /// A byte that ISO-2022-JP does not have came first.
    Other(R),
    /// ISO-2022-JP, from the first sequence on.
    Japanese(Box<Recoding<io::Chain<Cursor<Vec<u8>>, R>>>),
    Ended,
}

impl<R: Read> Read for Escaped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                Self::Other(inner) => return inner.read(buffer),
                Self::Japanese(recoding) => return recoding.read(buffer),
                Self::Ended => return Ok(0),
                Self::Behind(bytes, next) => match bytes.read(buffer)? {
                    0 if !buffer.is_empty() => *self = mem::replace(next, Self::Ended),
                    count => return Ok(count),
                },
                Self::Ascii(inner) => {
                    let most = buffer.len().min(STEP);
                    let count = inner.read(buffer.get_mut(..most).unwrap_or_default())?;
                    let read = buffer.get(..count).unwrap_or_default();
                    let is_ascii = read.is_ascii();
                    if is_ascii && memchr(ESCAPE, read).is_none() {
                        return Ok(count);
                    }
                    let read = if is_ascii { read.to_vec() } else { Vec::new() };
                    let Self::Ascii(inner) = mem::replace(self, Self::Ended) else { continue };
                    if !is_ascii {
                        *self = Self::Other(inner);
                        return Ok(count);
                    }
                    *self = Self::told(read, inner)?;
                }
            }
        }
    }
}

impl<R: Read> Escaped<R> {
    /// What follows on bytes of ASCII in which there is an escape.
    fn told(mut bytes: Vec<u8>, mut inner: R) -> io::Result<Self> {
        // The last escape to its end, and enough of what may be Japanese to tell.
        let is_cut =
            |bytes: &[u8]| memrchr(ESCAPE, bytes).is_some_and(|at| bytes.len() - at < DESIGNATION);
        let mut whole = false;
        while !whole && is_cut(&bytes) {
            whole = (&mut inner).take(DESIGNATION as u64).read_to_end(&mut bytes)? == 0;
        }
        if !whole && designation(&bytes, false).is_some() {
            let more = STEP.saturating_sub(bytes.len()) as u64;
            let read = (&mut inner).take(more).read_to_end(&mut bytes)?;
            whole = (read as u64) < more;
        }
        Ok(match designation(&bytes, whole) {
            _ if !bytes.is_ascii() => {
                Self::Behind(Cursor::new(bytes), Box::new(Self::Other(inner)))
            }
            None => Self::Behind(Cursor::new(bytes), Box::new(Self::Ascii(inner))),
            Some(at) => {
                let rest = Cursor::new(bytes.split_off(at)).chain(inner);
                let japanese = Self::Japanese(Box::new(Recoding::new(rest, ISO_2022_JP)));
                Self::Behind(Cursor::new(bytes), Box::new(japanese))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    fn read(bytes: &[u8], step: usize) -> Vec<u8> {
        let mut text = Vec::new();
        let mut reader = Escaped::Ascii(Slow(bytes, step));
        let mut buffer = vec![0; step];
        loop {
            match reader.read(&mut buffer).unwrap() {
                0 => return text,
                count => text.extend_from_slice(&buffer[..count]),
            }
        }
    }

    #[test]
    fn japanese_begins_at_its_first_sequence() {
        let (japanese, ..) = ISO_2022_JP.encode("\u{543e}\u{8f29}\u{306f} neko \u{732b}");
        let bytes = [b"\x1b[1mBold\x1b(B\x1b[m: ", &*japanese].concat();
        let plain = "\x1b[1mBold\x1b(B\x1b[m: ";
        let expected = format!("{plain}\u{543e}\u{8f29}\u{306f} neko \u{732b}");
        for step in 1..40 {
            assert_eq!(read(&bytes, step), expected.as_bytes(), "{step}");
            assert_eq!(read(plain.as_bytes(), step), plain.as_bytes());
        }
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for bytes in [
            &b""[..],
            b"a",
            b"\x1b",
            b"\x1b$",
            b"\xc3\xa9 \x1b$B$\"\x1b(B",
            b"\x1b[m \xc3\xa9\x1b$B$\"",
            b"\x1b$B$\"\x1b(B\xc3",
            b"log \x1b$B never closed\nline\n",
            b"\x1b$B!!\x1b[0m \x1b(J\\~",
            b"\x1b(Ia\x1b(B\x1b$(D$\"\x1b(B",
        ] {
            for step in 1..9 {
                assert_eq!(read(bytes, step), bytes, "{bytes:?} {step}");
            }
        }
        // What is of no character set is told, where it comes too late for another.
        let late = [&b"\x1b$B$\"\x1b(B"[..], &vec![b'a'; STEP], b"\xc3"].concat();
        assert!(read(&late, 5).contains(&0xff));
    }
}
