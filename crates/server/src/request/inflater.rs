//! Decompresses a body, a piece at a time. The caller says how large a piece may be, so that a small body
//! that decompresses to a large one fills no memory.

use crate::request::problem::{Kind, Problem};
use axum::http::{HeaderMap, header};
use bytes::{Buf, Bytes};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// The largest window of zstd, as a power of two: the memory that a decoder takes.
const WINDOW_LOG: u32 = 23;
/// The window of gzip, as a power of two.
const GZIP_WINDOW_LOG: u8 = 15;
/// A body may decompress to this many times its bytes. Text compresses to a few hundredths at best, and
/// gzip cannot compress to less than 1/1032.
const MOST_TIMES: u64 = 4096;
/// A body may decompress to this many bytes, however small it is.
const ANY_BODY: u64 = 16 << 20;

/// Decompresses one body.
pub(crate) struct Inflater {
    coding: Coding,
    /// Whether the body may end here: a compressed stream has ended and no other one has begun.
    whole: bool,
    /// Compressed bytes that were read.
    taken: u64,
    /// Bytes that they decompressed to.
    made: u64,
}

enum Coding {
    Plain,
    Gzip(Decompress),
    Zstd(Decoder<'static>),
}

impl Inflater {
    /// The inflater for the content encoding that the head of a request names.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let named = headers.get(header::CONTENT_ENCODING);
        let named = named.map(|coding| coding.as_bytes().to_ascii_lowercase());
        let coding = match named.as_deref() {
            None | Some(b"identity") => Coding::Plain,
            Some(b"gzip" | b"x-gzip") => Coding::Gzip(Decompress::new_gzip(GZIP_WINDOW_LOG)),
            Some(b"zstd") => {
                let mut decoder = Decoder::new().map_err(|_| Problem::lost())?;
                let window = DParameter::WindowLogMax(WINDOW_LOG);
                decoder.set_parameter(window).map_err(|_| Problem::lost())?;
                Coding::Zstd(decoder)
            }
            Some(_) => {
                let detail = "this content encoding is not supported; send gzip or zstd";
                return Err(Problem::new(Kind::MediaType, detail));
            }
        };
        let whole = matches!(coding, Coding::Plain);
        Ok(Self { coding, whole, taken: 0, made: 0 })
    }

    /// Whether bodies are not compressed.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.coding, Coding::Plain)
    }

    /// Fills `room` with what the beginning of `input` decompresses to, and takes that beginning away.
    /// Returns the number of bytes that it wrote. If they do not fill `room`, all of `input` is used up.
    ///
    /// # Errors
    /// The bytes are not compressed as the head says, or they decompress to far too many.
    pub(crate) fn inflate(&mut self, input: &mut Bytes, room: &mut [u8]) -> Result<usize, Problem> {
        let mut filled = 0;
        while let Some(left) = room.get_mut(filled..).filter(|left| !left.is_empty()) {
            let (taken, made) = self.step(input, left)?;
            input.advance(taken);
            filled += made;
            self.taken += taken as u64;
            self.made += made as u64;
            if self.made > ANY_BODY && self.made / MOST_TIMES > self.taken {
                let detail =
                    format!("the body decompresses to more than {MOST_TIMES} times its size");
                return Err(Problem::new(Kind::TooLarge, detail));
            }
            // A decoder may hold back bytes only where the room is full.
            if input.is_empty() && filled < room.len() {
                break;
            }
            if taken == 0 && made == 0 {
                return Err(broken("it stalls"));
            }
        }
        Ok(filled)
    }

    /// One call of the decoder: the bytes that it took and those that it made.
    fn step(&mut self, input: &Bytes, room: &mut [u8]) -> Result<(usize, usize), Problem> {
        match &mut self.coding {
            Coding::Plain => {
                let count = input.len().min(room.len());
                if let (Some(to), Some(from)) = (room.get_mut(..count), input.get(..count)) {
                    to.copy_from_slice(from);
                }
                Ok((count, count))
            }
            Coding::Gzip(_) if self.whole && input.is_empty() => Ok((0, 0)),
            Coding::Gzip(decoder) => {
                // Another member follows the one that ended.
                if self.whole {
                    *decoder = Decompress::new_gzip(GZIP_WINDOW_LOG);
                    self.whole = false;
                }
                let (taken, made) = (decoder.total_in(), decoder.total_out());
                let status = decoder.decompress(input, room, FlushDecompress::None);
                self.whole =
                    status.map_err(|error| broken(&error.to_string()))? == Status::StreamEnd;
                // No more than the bytes of `input` and of `room`.
                let count = |after: u64, before| {
                    let count = usize::try_from(after - before);
                    debug_assert!(count.is_ok(), "{before} to {after} is more than fits in memory");
                    count.unwrap_or(0)
                };
                Ok((count(decoder.total_in(), taken), count(decoder.total_out(), made)))
            }
            Coding::Zstd(decoder) => {
                let (mut from, mut to) = (InBuffer::around(input), OutBuffer::around(room));
                let left = decoder.run(&mut from, &mut to);
                let left = left.map_err(|error| broken(&error.to_string()))?;
                if from.pos() > 0 || to.pos() > 0 {
                    self.whole = left == 0;
                }
                Ok((from.pos(), to.pos()))
            }
        }
    }

    /// Checks that the body has come to its end.
    ///
    /// # Errors
    /// The body is cut short.
    pub(crate) fn finish(&self) -> Result<(), Problem> {
        if self.whole { Ok(()) } else { Err(broken("it ends too early")) }
    }
}

fn broken(why: &str) -> Problem {
    let detail =
        format!("the body is not compressed as its content encoding says, or is cut short: {why}");
    Problem::new(Kind::Body, detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn inflater(coding: &'static str) -> Result<Inflater, Problem> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_ENCODING, coding.parse().unwrap());
        Inflater::of(&headers)
    }

    /// What a body becomes that comes in pieces and is read in pieces.
    fn inflate(
        coding: &'static str,
        body: &[u8],
        piece: usize,
        room: usize,
    ) -> Result<Vec<u8>, Problem> {
        let (mut inflater, mut out, mut room) = (inflater(coding)?, Vec::new(), vec![0; room]);
        for piece in body.chunks(piece) {
            let mut input = Bytes::copy_from_slice(piece);
            loop {
                let made = inflater.inflate(&mut input, &mut room)?;
                out.extend_from_slice(&room[..made]);
                if made < room.len() {
                    assert!(input.is_empty());
                    break;
                }
            }
        }
        inflater.finish()?;
        Ok(out)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_was_compressed_comes_back_whatever_the_pieces() {
        let text: Vec<u8> =
            (0..300_000_u32).flat_map(|i| (i.wrapping_mul(i) / 7).to_le_bytes()).collect();
        let (gz, zst) = (gzip(&text), zstd::encode_all(&*text, 3).unwrap());
        let twice = |once: &[u8]| [once, once].concat();
        for (piece, room) in [(1 << 20, 1 << 20), (1000, 1 << 16), (17, 100), (1 << 20, 7)] {
            assert_eq!(inflate("gzip", &gz, piece, room).unwrap(), text);
            assert_eq!(inflate("zstd", &zst, piece, room).unwrap(), text);
            assert_eq!(inflate("identity", &text, piece, room).unwrap(), text);
            assert_eq!(inflate("gzip", &twice(&gz), piece, room).unwrap(), twice(&text));
            assert_eq!(inflate("zstd", &twice(&zst), piece, room).unwrap(), twice(&text));
        }
    }

    #[test]
    fn a_room_that_is_just_filled_loses_nothing() {
        let text = vec![b'x'; 4096];
        for (coding, body) in
            [("gzip", gzip(&text)), ("zstd", zstd::encode_all(&*text, 3).unwrap())]
        {
            for room in [1024, 4095, 4096, 4097] {
                assert_eq!(inflate(coding, &body, body.len(), room).unwrap(), text, "{coding}");
                assert_eq!(inflate(coding, &body, 1, room).unwrap(), text, "{coding}");
            }
        }
    }

    #[test]
    fn what_is_cut_or_something_else_is_told() {
        let text = vec![b'x'; 10_000];
        for (coding, whole) in
            [("gzip", gzip(&text)), ("zstd", zstd::encode_all(&*text, 3).unwrap())]
        {
            for end in [0, 1, whole.len() / 2, whole.len() - 1] {
                let problem = inflate(coding, &whole[..end], 1000, 1000).unwrap_err();
                assert_eq!(problem.kind, Kind::Body, "{coding} {end}");
            }
            for other in [&b"no such thing"[..], &[whole.as_slice(), b"no such thing"].concat()] {
                assert_eq!(inflate(coding, other, 3, 1000).unwrap_err().kind, Kind::Body);
            }
        }
        let mut wrong = gzip(&text);
        // A byte of the checksum.
        let end = wrong.len() - 8;
        wrong[end] ^= 1;
        assert_eq!(inflate("gzip", &wrong, 1000, 1000).unwrap_err().kind, Kind::Body);
        assert_eq!(inflate("br", b"", 1, 1).unwrap_err().kind, Kind::MediaType);
    }

    #[test]
    fn what_decompresses_to_far_too_much_is_refused() {
        let mut input = Bytes::from(zstd::encode_all(&*vec![b'\n'; 64 << 20], 3).unwrap());
        let (mut inflater, mut room, mut made) = (inflater("zstd").unwrap(), vec![0; 1 << 16], 0);
        let problem = loop {
            match inflater.inflate(&mut input, &mut room) {
                Ok(count) => made += count as u64,
                Err(problem) => break problem,
            }
            assert!(made < 64 << 20);
        };
        assert_eq!(problem.kind, Kind::TooLarge);
        assert!(problem.detail.contains("4096 times"), "{}", problem.detail);
        assert!((ANY_BODY - (1 << 18)..ANY_BODY + (1 << 18)).contains(&made), "{made}");
        // The densest gzip that there is goes through.
        let text = vec![b'\n'; 64 << 20];
        assert_eq!(inflate("gzip", &gzip(&text), 1000, 1 << 16).unwrap().len(), text.len());
    }

    #[test]
    fn a_window_that_would_take_much_memory_is_refused() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        for (log, allowed) in [(WINDOW_LOG, true), (WINDOW_LOG + 1, false), (27, false)] {
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
            encoder.window_log(log).unwrap();
            encoder.write_all(&text).unwrap();
            let body = encoder.finish().unwrap();
            let inflated = inflate("zstd", &body, 1000, 1000);
            assert_eq!(inflated.is_ok(), allowed, "{log}");
        }
    }
}
