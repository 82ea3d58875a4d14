//! An HTTP response as archives keep it. Which of them are documents is `warc`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::head::Head;
use crate::error::Error;
use flate2::read::{DeflateDecoder, GzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::{self, Read};

/// A response.
pub(crate) struct Response<'a> {
    head: Head<'a>,
    body: &'a [u8],
}

/// What a response holds, as far as it can be a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    Page,
    Text,
}

impl<'a> Response<'a> {
    pub(crate) fn parse(block: &'a [u8]) -> Option<Self> {
        let (head, body) = Head::split(block)?;
        Some(Response { head, body })
    }

    /// What the response holds; none where it is no success or neither page nor text.
    pub(crate) fn payload(&self) -> Option<Payload> {
        let mut words = self.head.first().split(u8::is_ascii_whitespace);
        if words.by_ref().filter(|word| !word.is_empty()).nth(1) != Some(b"200") {
            return None;
        }
        let Some(content_type) = self.content_type() else {
            // Nobody says: a page opens as one.
            let start = self.body.trim_ascii_start();
            let opens = |tag: &[u8]| {
                start.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
            };
            return (opens(b"<!doctype html") || opens(b"<html")).then_some(Payload::Page);
        };
        match content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
            .as_str()
        {
            "text/html" | "application/xhtml+xml" => Some(Payload::Page),
            "text/plain" => Some(Payload::Text),
            _ => None,
        }
    }

    pub(crate) fn content_type(&self) -> Option<&'a str> {
        self.head.get("content-type")
    }

    /// The body without its encodings, of at most `limit` bytes. What a header names and the body
    /// does not have was undone by the crawler.
    pub(crate) fn body(
        &self,
        limit: usize,
        place: &dyn Fn() -> String,
    ) -> Result<Cow<'a, [u8]>, Error> {
        let mut body = Cow::Borrowed(self.body);
        if self.head.get("transfer-encoding").is_some_and(|value| has_word(value, "chunked"))
            && let Some(joined) = without_chunks(self.body)
        {
            body = Cow::Owned(joined);
        }
        let encodings = self.head.get("content-encoding").unwrap_or_default();
        for encoding in encodings.rsplit(',').map(str::trim) {
            match decode(&body, &encoding.to_ascii_lowercase(), limit) {
                Ok(None) => {}
                Ok(Some(decoded)) if decoded.len() > limit => {
                    return Err(Error::TooLong { place: place(), limit });
                }
                Ok(Some(decoded)) => body = Cow::Owned(decoded),
                Err(error) => {
                    return Err(Error::Payload {
                        place: place(),
                        encoding: encoding.to_owned(),
                        detail: error.to_string(),
                    });
                }
            }
        }
        Ok(body)
    }
}

/// The decoded bytes, up to one more than `limit`; none where there is nothing to decode.
fn decode(body: &[u8], encoding: &str, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let most = (limit as u64).saturating_add(1);
    let read = |reader: &mut dyn Read| {
        let mut decoded = Vec::new();
        reader.take(most).read_to_end(&mut decoded).map(|_| Some(decoded))
    };
    let decoded = match encoding {
        "" | "identity" | "none" | "utf-8" => return Ok(None),
        "gzip" | "x-gzip" if !body.starts_with(&[0x1f, 0x8b]) => return Ok(None),
        "zstd" if !body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => return Ok(None),
        "gzip" | "x-gzip" => read(&mut GzDecoder::new(body)),
        "zstd" => read(&mut zstd::stream::read::Decoder::with_buffer(body)?),
        "br" => read(&mut brotli_decompressor::Decompressor::new(body, 1 << 12)),
        // Named after the one format, and sent in the other by some.
        "deflate" => {
            read(&mut ZlibDecoder::new(body)).or_else(|_| read(&mut DeflateDecoder::new(body)))
        }
        _ => Err(io::Error::new(io::ErrorKind::Unsupported, "this encoding is not supported")),
    };
    let markup = body.trim_ascii_start().starts_with(b"<");
    if decoded.is_err() && markup && matches!(encoding, "br" | "deflate") {
        return Ok(None);
    }
    decoded
}

/// The body that was sent in chunks; none where it was not.
fn without_chunks(body: &[u8]) -> Option<Vec<u8>> {
    let (mut rest, mut joined) = (body, Vec::with_capacity(body.len()));
    loop {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let (line, after) = rest.split_at_checked(end + 1)?;
        let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
        let size = usize::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
        if size == 0 {
            return Some(joined);
        }
        let Some((chunk, after)) = after.split_at_checked(size) else {
            // The crawler stopped in the middle of a chunk.
            joined.extend_from_slice(after);
            return Some(joined);
        };
        joined.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).unwrap_or(after);
        if rest.is_empty() {
            return Some(joined);
        }
    }
}

fn has_word(value: &str, word: &str) -> bool {
    value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn body(head: &str, body: &[u8]) -> Result<Vec<u8>, String> {
        let block = [format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").as_bytes(), body].concat();
        let response = Response::parse(&block).unwrap();
        let body = response.body(100, &|| "here".to_owned());
        body.map(Cow::into_owned).map_err(|error| error.to_string())
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn success_and_type_make_a_payload() {
        let payload =
            |head: &str| Response::parse(format!("{head}\r\n\r\n<HTML>").as_bytes())?.payload();
        assert_eq!(
            payload("HTTP/1.1 200 OK\r\nContent-Type: text/HTML; charset=x"),
            Some(Payload::Page)
        );
        assert_eq!(payload("HTTP/2 200\r\ncontent-type: text/plain"), Some(Payload::Text));
        assert_eq!(payload("HTTP/1.0 200\r\nX: y"), Some(Payload::Page));
        for none in [
            "HTTP/1.1 404 No\r\nContent-Type: text/html",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png",
            "x",
        ] {
            assert_eq!(payload(none), None, "{none}");
        }
    }

    #[test]
    fn chunks_are_joined_and_what_is_none_is_left() {
        let chunked = "Transfer-Encoding: chunked";
        assert_eq!(body(chunked, b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").unwrap(), b"abcde");
        assert_eq!(body(chunked, b"5\r\nabc").unwrap(), b"abc");
        assert_eq!(body(chunked, b"<p>abc\n").unwrap(), b"<p>abc\n");
        assert_eq!(
            body(chunked, b"ffffffffffffffffff\r\nabc").unwrap(),
            b"ffffffffffffffffff\r\nabc"
        );
    }

    #[test]
    fn encodings_are_undone() {
        let text = b"text text text";
        assert_eq!(body("Content-Encoding: gzip", &gzip(text)).unwrap(), text);
        assert_eq!(body("Content-Encoding: gzip", text).unwrap(), text);
        let twice = gzip(&gzip(text));
        assert_eq!(body("Content-Encoding: x-gzip, GZIP", &twice).unwrap(), text);
        let mut deflate =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        deflate.write_all(text).unwrap();
        assert_eq!(body("content-encoding: deflate", &deflate.finish().unwrap()).unwrap(), text);
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        assert_eq!(body("content-encoding: zstd", &zstd).unwrap(), text);
        // "text" by a stored block, as RFC 7932 writes it.
        assert_eq!(body("content-encoding: br", b"\x8b\x01\x80text\x03").unwrap(), b"text");
        assert_eq!(body("content-encoding: br", b"<p>text").unwrap(), b"<p>text");
    }

    #[test]
    fn what_cannot_be_decoded_is_named() {
        let error = body("Content-Encoding: compress", b"x").unwrap_err();
        assert!(error.contains("here") && error.contains("compress"), "{error}");
        let mut cut = gzip(b"text text text");
        cut.truncate(12);
        assert!(body("Content-Encoding: gzip", &cut).unwrap_err().contains("gzip"));
        let bomb = body("Content-Encoding: gzip", &gzip(&[b'x'; 101])).unwrap_err();
        assert!(bomb.contains("longer than 100 bytes"), "{bomb}");
    }
}
