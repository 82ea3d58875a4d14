//! A body that comes compressed, piece by piece, within a limit: what decompresses without end is found
//! out after one small piece.

use crate::request::problem::{Kind, Problem};
use axum::http::{HeaderMap, header};
use flate2::write::MultiGzDecoder;
use std::io::{self, Write};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// Bytes of gzip that are decompressed at a time: at most some thousand times as many come out.
const PIECE: usize = 1024;
/// Bytes that zstd makes at a time.
const ROOM: usize = 64 << 10;
/// The largest window of zstd, as a power of two: what it takes of memory.
const WINDOW_LOG: u32 = 23;

/// A compression that is undone.
pub(crate) enum Inflater {
    /// None.
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    Zstd {
        decoder: Decoder<'static>,
        /// Whether a frame has ended and none has begun.
        whole: bool,
    },
}

impl Inflater {
    /// The one that the head of a request names.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let Some(coding) = headers.get(header::CONTENT_ENCODING) else { return Ok(Self::Plain) };
        match coding.as_bytes() {
            b"identity" => Ok(Self::Plain),
            b"gzip" | b"x-gzip" => Ok(Self::Gzip(Box::new(MultiGzDecoder::new(Vec::new())))),
            b"zstd" => {
                let mut decoder = Decoder::new().map_err(|_| Problem::lost())?;
                let window = DParameter::WindowLogMax(WINDOW_LOG);
                decoder.set_parameter(window).map_err(|_| Problem::lost())?;
                Ok(Self::Zstd { decoder, whole: false })
            }
            _ => Err(Problem::new(
                Kind::MediaType,
                "the content encodings that are read are gzip and zstd, one of them",
            )),
        }
    }

    /// Decompresses `input` to the end of `out`, as long as `take` goes on, which sees `out` grow and may
    /// empty it.
    pub(crate) fn push(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        mut take: impl FnMut(&mut Vec<u8>) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        match self {
            Self::Plain => {
                out.extend_from_slice(input);
                take(out)
            }
            Self::Gzip(decoder) => input.chunks(PIECE).try_for_each(|piece| {
                let written = decoder.write_all(piece).and_then(|()| decoder.flush());
                written.map_err(|error| broken(&error))?;
                out.append(decoder.get_mut());
                take(out)
            }),
            Self::Zstd { decoder, whole } => {
                let mut input = InBuffer::around(input);
                let mut room = vec![0; ROOM];
                loop {
                    let mut made = OutBuffer::around(room.as_mut_slice());
                    let left =
                        decoder.run(&mut input, &mut made).map_err(|error| broken(&error))?;
                    let count = made.pos();
                    *whole = left == 0;
                    out.extend_from_slice(room.get(..count).unwrap_or_default());
                    take(out)?;
                    // Of a full room there may be more.
                    if input.pos == input.src.len() && count < ROOM {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Whether all came in, and what was left of it.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Problem> {
        match self {
            Self::Plain | Self::Zstd { whole: true, .. } => Ok(()),
            Self::Zstd { .. } => Err(broken(&io::ErrorKind::UnexpectedEof.into())),
            Self::Gzip(decoder) => {
                decoder.try_finish().map_err(|error| broken(&error))?;
                out.append(decoder.get_mut());
                Ok(())
            }
        }
    }
}

fn broken(error: &io::Error) -> Problem {
    Problem::new(
        Kind::Body,
        format!(
            "the body is not compressed as its content encoding says, or is not whole: {error}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inflate(coding: &'static str, input: &[u8], piece: usize) -> Result<Vec<u8>, Problem> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_ENCODING, coding.parse().unwrap());
        let (mut inflater, mut out) = (Inflater::of(&headers)?, Vec::new());
        for piece in input.chunks(piece) {
            inflater.push(piece, &mut out, |_| Ok(()))?;
        }
        inflater.finish(&mut out)?;
        Ok(out)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_was_compressed_comes_back_whatever_the_pieces() {
        let text: Vec<u8> =
            (0..300_000_u32).flat_map(|i| (i.wrapping_mul(i) / 7).to_le_bytes()).collect();
        let (gz, zst) = (gzip(&text), zstd::encode_all(&*text, 3).unwrap());
        for piece in [1 << 20, 1000, 17] {
            assert_eq!(inflate("gzip", &gz, piece).unwrap(), text);
            assert_eq!(inflate("zstd", &zst, piece).unwrap(), text);
            assert_eq!(inflate("identity", &text, piece).unwrap(), text);
        }
        let twice = |once: &[u8]| [once, once].concat();
        assert_eq!(inflate("gzip", &twice(&gz), 1000).unwrap(), twice(&text));
        assert_eq!(inflate("zstd", &twice(&zst), 1000).unwrap(), twice(&text));
    }

    #[test]
    fn what_is_cut_or_something_else_is_told() {
        let text = vec![b'x'; 10_000];
        for (coding, whole) in
            [("gzip", gzip(&text)), ("zstd", zstd::encode_all(&*text, 3).unwrap())]
        {
            for end in [0, 1, whole.len() / 2, whole.len() - 1] {
                let problem = inflate(coding, &whole[..end], 1000).unwrap_err();
                assert_eq!(problem.kind, Kind::Body, "{coding} {end}");
            }
            assert_eq!(inflate(coding, b"no such thing", 3).unwrap_err().kind, Kind::Body);
        }
        assert_eq!(inflate("br", b"", 1).unwrap_err().kind, Kind::MediaType);
    }

    #[test]
    fn what_decompresses_without_end_stops_early() {
        let bomb = vec![0; 256 << 20];
        for (coding, small) in
            [("gzip", gzip(&bomb)), ("zstd", zstd::encode_all(&*bomb, 3).unwrap())]
        {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_ENCODING, coding.parse().unwrap());
            let (mut out, mut most) = (Vec::new(), 0);
            let stopped = Inflater::of(&headers).unwrap().push(&small, &mut out, |out| {
                most = out.len();
                if out.len() > 1 << 20 { Err(Problem::lost()) } else { Ok(()) }
            });
            assert!(stopped.is_err());
            assert!(most < 4 << 20, "{coding} {most}");
        }
    }
}
