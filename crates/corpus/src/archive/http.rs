//! An HTTP response as archives keep it. Which of them are documents is `warc`'s and `arc`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::head::Head;
use crate::archive::mime::{self, Payload, SNIFFED};
use crate::error::Error;
use flate2::bufread::GzDecoder;
use flate2::read::{DeflateDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::{self, Read};
use zstd::stream::read::Decoder as FrameDecoder;

/// A response.
pub(crate) struct Response<'a> {
    head: Head<'a>,
    body: &'a [u8],
    /// Whether its archive says that the crawler stopped within the body.
    is_truncated: bool,
}

/// A body without its encodings.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Whether it could be read to its end.
    pub(crate) is_whole: bool,
}

impl<'a> Body<'a> {
    /// The body of which nothing tells the coding but its first bytes, up to one byte more than `limit` where that is undone.
    pub(crate) fn of_block(block: &'a [u8], limit: usize) -> Self {
        match decode(block, "", limit) {
            Decoded::Plain => Self { bytes: Cow::Borrowed(block), is_whole: true },
            Decoded::Bytes { bytes, is_whole } => Self { bytes: Cow::Owned(bytes), is_whole },
        }
    }

    /// The same body.
    ///
    /// # Errors
    /// [`Error::TooLong`] where it has more than `limit` bytes.
    pub(crate) fn within(self, limit: usize, place: &dyn Fn() -> String) -> Result<Self, Error> {
        match self.bytes.len() > limit {
            true => Err(Error::TooLong { place: place(), limit }),
            false => Ok(self),
        }
    }
}

impl<'a> Response<'a> {
    /// The response in these bytes; what comes before the last one of several is there to be waited for (RFC 9110,
    /// section 15.2).
    pub(crate) fn parse(block: &'a [u8]) -> Option<Self> {
        let (mut head, mut body) = Head::split(block.trim_ascii_start())?;
        loop {
            let response = Response { head, body, is_truncated: false };
            let is_interim =
                matches!(response.status(), Some([b'1', _, _])) || response.is_of_proxy();
            if !is_interim || !is_http(body) {
                return Some(response);
            }
            (head, body) = Head::split(body)?;
        }
    }

    /// Whether a proxy said that a tunnel is open, behind which the server answers (RFC 9110, section 9.3.6).
    fn is_of_proxy(&self) -> bool {
        let line = self.head.first().to_ascii_lowercase();
        line.ends_with(b"connection established")
    }

    /// The same, where its archive says whether the crawler stopped within the body.
    pub(crate) fn truncated(self, is_truncated: bool) -> Self {
        Self { is_truncated, ..self }
    }

    /// What the response holds; none where it is no success or neither page nor text.
    pub(crate) fn payload(&self) -> Option<Payload> {
        if self.status() != Some(b"200") { None } else { mime::of_type(&self.kind()) }
    }

    /// The status that its first line says.
    pub(crate) fn status(&self) -> Option<&'a [u8]> {
        self.head.first().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(1)
    }

    /// Whether its first line says a status, as that of a response does.
    pub(crate) fn has_status(&self) -> bool {
        self.status().is_some_and(|it| it.len() == 3 && it.iter().all(u8::is_ascii_digit))
    }

    /// The type of the body, by the head or else by its first bytes.
    pub(crate) fn kind(&self) -> Cow<'static, str> {
        let stated = mime::extract(self.head.get_all("content-type"));
        mime::served(stated, || self.undone(SNIFFED).bytes)
    }

    /// The value that tells the type, and may tell the character set.
    pub(crate) fn content_type(&self) -> Option<&'a str> {
        mime::extract(self.head.get_all("content-type")).map(|(_, value)| value)
    }

    /// The body without its encodings, of at most `limit` bytes. What a header names and the body
    /// does not have was undone by the crawler. What cannot be undone is read as far as it goes.
    pub(crate) fn body(&self, limit: usize, place: &dyn Fn() -> String) -> Result<Body<'a>, Error> {
        self.undone(limit).within(limit, place)
    }

    /// The same, up to one byte more than `limit` where something is undone.
    ///
    /// # References
    ///
    /// RFC 9112, section 6.1, and RFC 9110, section 8.4: codings are named in the order in which they were applied,
    /// and several lines are one list.
    fn undone(&self, limit: usize) -> Body<'a> {
        let words = |name| {
            let words = self.head.get_all(name).flat_map(|value| value.split(','));
            // A word may have parameters, and stand in quotes where it must not.
            let word =
                |word: &str| word.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            words.map(|it| word(it).trim_matches('"').to_owned()).collect::<Vec<_>>()
        };
        let (content, transfer) = (words("content-encoding"), words("transfer-encoding"));
        let mut body = Body { bytes: Cow::Borrowed(self.body), is_whole: true };
        // No page and no text begins as what is compressed does: the line that named the coding was lost.
        let unnamed = String::new();
        for word in transfer.iter().rev().chain(content.iter().rev()).chain([&unnamed]) {
            let decoded = match word.as_str() {
                "chunked" => unchunked(&body.bytes, self.is_truncated),
                word => decode(&body.bytes, word, limit),
            };
            match decoded {
                Decoded::Plain => {}
                Decoded::Bytes { bytes, is_whole } => {
                    body.is_whole &= is_whole;
                    body.bytes = Cow::Owned(bytes);
                }
            }
        }
        body
    }
}

/// What undoing one coding gives.
enum Decoded {
    /// There is nothing to be undone.
    Plain,
    Bytes {
        bytes: Vec<u8>,
        is_whole: bool,
    },
}

/// Whether bytes begin as an HTTP response does.
pub(crate) fn is_http(block: &[u8]) -> bool {
    block.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"))
}

/// The coding that the first bytes of a body tell, whatever its head says.
fn coding_of(body: &[u8]) -> Option<&'static str> {
    match body {
        [0x1f, 0x8b, 0x08, ..] => Some("gzip"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("zstd"),
        _ => None,
    }
}

/// Undoes a coding, up to one byte more than `limit`. Words that are no codings, such as the name of a character
/// set, say nothing; of a coding that is not known, or that the body does not have, nothing can be read, unless the
/// body is a text all the same.
fn decode(body: &[u8], coding: &str, limit: usize) -> Decoded {
    let most = (limit as u64).saturating_add(1);
    let of = |(bytes, is_whole)| match is_whole || !is_text(body) {
        true => Decoded::Bytes { bytes, is_whole },
        // A text was never encoded, whatever could be read of it so.
        false => Decoded::Plain,
    };
    let read = |reader: &mut dyn Read| {
        let mut bytes = Vec::new();
        let is_whole = reader.take(most).read_to_end(&mut bytes).is_ok();
        of((bytes, is_whole))
    };
    match coding_of(body).unwrap_or(coding) {
        "gzip" | "x-gzip" | "zstd" if coding_of(body).is_none() && is_text(body) => Decoded::Plain,
        "gzip" | "x-gzip" => {
            of(members(body, most, |rest| Ok(GzDecoder::new(rest)), GzDecoder::into_inner))
        }
        "zstd" => {
            let frame = |rest| FrameDecoder::with_buffer(rest).map(FrameDecoder::single_frame);
            of(members(body, most, frame, FrameDecoder::finish))
        }
        "br" => read(&mut brotli::Decompressor::new(body, 1 << 12)),
        // Named after the one format, and sent in the other by some.
        "deflate" => match read(&mut ZlibDecoder::new(body)) {
            Decoded::Bytes { bytes, is_whole: false } if bytes.is_empty() => {
                read(&mut DeflateDecoder::new(body))
            }
            decoded => decoded,
        },
        "" | "identity" | "none" | "utf-8" | "utf8" => Decoded::Plain,
        _ if is_text(body) => Decoded::Plain,
        _ => Decoded::Bytes { bytes: Vec::new(), is_whole: false },
    }
}

/// The first `most` bytes of what members hold that stand one behind the other, each opened and left behind so, and
/// whether they are whole. Other bytes behind the last, such as a line end, are passed over as `gzip` and browsers do.
fn members<'b, D: Read>(
    body: &'b [u8],
    most: u64,
    open: impl Fn(&'b [u8]) -> io::Result<D>,
    behind: impl Fn(D) -> &'b [u8],
) -> (Vec<u8>, bool) {
    let (mut bytes, mut rest) = (Vec::new(), body);
    loop {
        let Ok(mut member) = open(rest) else { return (bytes, false) };
        let room = most.saturating_sub(bytes.len() as u64);
        let is_whole = member.by_ref().take(room).read_to_end(&mut bytes).is_ok();
        rest = behind(member);
        let is_last = bytes.len() as u64 >= most || coding_of(rest) != coding_of(body);
        if !is_whole || is_last {
            return (bytes, is_whole);
        }
    }
}

/// Whether bytes look like a text or a page.
fn is_text(body: &[u8]) -> bool {
    mime::sniff(body) != mime::BINARY
}

/// Undoes `chunked`.
fn unchunked(body: &[u8], is_truncated: bool) -> Decoded {
    match without_chunks(body, is_truncated) {
        Some((bytes, is_whole)) => Decoded::Bytes { bytes, is_whole },
        None => Decoded::Plain,
    }
}

/// The body that was sent in chunks, and whether it is whole; none where it was not, as its first chunk tells: a line end
/// and another size, or its end, follow it, and a trailer the last. Senders end lines with CRLF: where they end with LF
/// alone, all has to be chunks, since many a text begins with a number. For the same reason a first chunk of plain text
/// that does not end is one only where the body `is_truncated` (WARC 1.1, section 5.13), its size is that of
/// a buffer, or the lines in it end otherwise than that of the size.
fn without_chunks(body: &[u8], is_truncated: bool) -> Option<(Vec<u8>, bool)> {
    let first = body.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let may_be_cut = first.ends_with(b"\r");
    let (mut rest, mut joined, mut chunks) = (body, Vec::with_capacity(body.len()), 0_usize);
    loop {
        let must_be_whole = chunks == 0 || !may_be_cut;
        let (size, after) = match sized(rest) {
            Some(sized) => sized,
            None if must_be_whole || (chunks == 1 && !may_be_size(rest)) => return None,
            // What follows is no chunk, or nothing follows: the last one did not come (RFC 9112, section 8).
            None => return Some((joined, false)),
        };
        if size == 0 {
            return (!must_be_whole || is_trailer(after)).then_some((joined, true));
        }
        let Some((chunk, after)) = after.split_at_checked(size) else {
            // The crawler stopped in the middle of a chunk.
            let is_sized = is_truncated || is_of_buffer(first) || has_lf_alone(after);
            let is_chunk = chunks > 0 || is_sized || mime::sniff(after) != mime::TEXT;
            joined.extend_from_slice(after);
            return (may_be_cut && is_chunk).then_some((joined, false));
        };
        joined.extend_from_slice(chunk);
        chunks += 1;
        rest = match after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")) {
            Some(rest) => rest,
            // It may be cut within the line end.
            None if must_be_whole && !b"\r\n".starts_with(after) => return None,
            None => after,
        };
    }
}

/// The size of the chunk that begins here, and what follows the line that says it.
fn sized(chunk: &[u8]) -> Option<(usize, &[u8])> {
    let end = chunk.iter().position(|byte| *byte == b'\n')?;
    let (line, after) = chunk.split_at_checked(end + 1)?;
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    Some((usize::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?, after))
}

/// Whether a line says a size that is likely of a buffer, and no year, number of a list or word: digits and letters, four
/// digits and more that end in 00, or letters that no word begins with.
fn is_of_buffer(line: &[u8]) -> bool {
    let size = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let digits = size.iter().filter(|byte| byte.is_ascii_digit()).count();
    match size.len() - digits {
        0 => digits >= 4 && size.ends_with(b"00"),
        letters => letters < size.len() || size.to_ascii_lowercase().starts_with(b"ff"),
    }
}

/// Whether lines end here, and each with LF alone.
fn has_lf_alone(text: &[u8]) -> bool {
    text.contains(&b'\n') && !text.windows(2).any(|end| end == b"\r\n")
}

/// Whether what begins here may be the size of a chunk that is cut off, or nothing.
fn may_be_size(rest: &[u8]) -> bool {
    let digits = rest.split(|byte| *byte == b';').next().unwrap_or_default();
    digits.trim_ascii().iter().all(u8::is_ascii_hexdigit)
}

/// Whether nothing follows the last chunk but fields in lines of their own, behind them an empty line, and nothing more
/// (RFC 9112, sections 7.1 and 7.1.2).
fn is_trailer(rest: &[u8]) -> bool {
    let lines = || rest.split(|byte| *byte == b'\n');
    let is_field = |line: &[u8]| {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        line.ends_with(b"\r")
            && name.len() < line.len()
            && !name.iter().any(u8::is_ascii_whitespace)
    };
    let fields = lines().take_while(|line| is_field(line)).count();
    lines().skip(fields).all(|line| line.trim_ascii().is_empty())
        && (fields == 0 || rest.ends_with(b"\n\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn body(head: &str, body: &[u8]) -> (Vec<u8>, bool) {
        let block = [format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").as_bytes(), body].concat();
        let body = Response::parse(&block).unwrap().body(100, &|| "here".to_owned()).unwrap();
        (body.bytes.into_owned(), body.is_whole)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn chunks(bytes: &[u8]) -> Vec<u8> {
        let parts = bytes
            .chunks(7)
            .map(|part| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat());
        [parts.collect::<Vec<_>>().concat(), b"0\r\n\r\n".to_vec()].concat()
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
        for untyped in ["X: y", "Content-Type:", "Content-Type: html", "Content-Type: */*"] {
            assert_eq!(payload(&format!("HTTP/1.0 200\r\n{untyped}")), Some(Payload::Page));
        }
        for none in [
            "HTTP/1.1 404 No\r\nContent-Type: text/html",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png",
            "x",
        ] {
            assert_eq!(payload(none), None, "{none}");
        }
    }

    #[test]
    fn a_body_without_a_type_is_sniffed_without_its_encodings() {
        let page = [&b"<!-- c --><p>"[..], &[b'x'; 4000]].concat();
        let sent = chunks(&gzip(&page));
        for head in [
            "Transfer-Encoding: gzip, chunked",
            "Content-Encoding: gzip\r\nTransfer-Encoding: chunked",
        ] {
            let block = [format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").as_bytes(), &sent].concat();
            let response = Response::parse(&block).unwrap();
            assert_eq!((response.payload(), &*response.kind()), (Some(Payload::Page), "text/html"));
        }
        let picture = Response::parse(b"HTTP/1.1 200 OK\r\n\r\n\x89PNG\r\n\x1a\n\0").unwrap();
        assert_eq!((picture.payload(), &*picture.kind()), (None, "application/octet-stream"));
    }

    #[test]
    fn what_a_server_calls_a_text_for_want_of_a_type_is_told_by_its_bytes() {
        let kind = |stated: &str, body: &[u8]| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {stated}\r\n\r\n");
            let block = [head.as_bytes(), body].concat();
            Response::parse(&block).unwrap().kind().into_owned()
        };
        for stated in [
            "text/plain",
            "image/png, text/plain",
            "text/plain; charset=ISO-8859-1",
            "text/plain; charset=UTF-8",
        ] {
            for binary in [&b"\x89PNG\r\n\x1a\n\0"[..], b"BZh91AY&SY\x9e\x01", &gzip(b"a.c\0\0")] {
                assert_eq!(kind(stated, binary), mime::BINARY, "{stated}");
            }
            assert_eq!(kind(stated, b"%PDF-1.7\n"), "application/pdf");
            for text in [
                &b""[..],
                b"<p>\x1b[1mbold",
                b"<?xml?>",
                b"\xff\xfea\0",
                b"a\0b\0",
                b"caf\xe9",
                b"%PDF-1.4 is the first line of a PDF",
                b"%!PS-Adobe- begins PostScript",
            ] {
                assert_eq!(kind(stated, text), "text/plain", "{stated}: {text:?}");
            }
        }
        for stated in ["text/plain; charset=koi8-r", "text/plain;charset=utf-16be"] {
            assert_eq!(kind(stated, b"\0a\x01"), "text/plain");
        }
        assert_eq!(kind("text/html", b"\0"), "text/html");
    }

    #[test]
    fn chunks_are_joined_and_what_is_none_is_left() {
        let chunked = "Transfer-Encoding: chunked";
        let whole = |bytes: &[u8]| (bytes.to_vec(), true);
        assert_eq!(body(chunked, b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), whole(b"abcde"));
        assert_eq!(body(chunked, b"5\r\n<p>"), (b"<p>".to_vec(), false));
        let year = [&b"2024\r\n"[..], &[b'a'; 2000]].concat();
        assert_eq!(without_chunks(&year, false), None);
        assert_eq!(without_chunks(&year, true), Some((vec![b'a'; 2000], false)));
        for size in ["2000", "ffff", "1ff8", "FFE;x=y"] {
            let buffer = [size.as_bytes(), b"\r\n", &[b'a'; 2000]].concat();
            assert_eq!(without_chunks(&buffer, false), Some((vec![b'a'; 2000], false)), "{size}");
        }
        let lines = b"words of a line\n".repeat(20);
        for size in ["800", "400", "1234"] {
            let cut = [size.as_bytes(), b"\r\n", &lines[..]].concat();
            assert_eq!(without_chunks(&cut, false), Some((lines.clone(), false)), "{size}");
            // Nothing tells these from a text whose first line is a number.
            let text = cut.strip_suffix(b"\n").unwrap().split(|byte| *byte == b'\n');
            let text = text.map(<[u8]>::trim_ascii_end).collect::<Vec<_>>().join(&b"\r\n"[..]);
            assert_eq!(without_chunks(&text, false), None, "{size}");
        }
        for cut in [&b"3\r\nabc"[..], b"3\r\nabc\r", b"3\r\nabc\r\n", b"3\r\nabc\r\n1f"] {
            assert_eq!(body(chunked, cut), (b"abc".to_vec(), false));
        }
        assert_eq!(body(chunked, b"3\nabc\n2\nde\n0\n\n"), whole(b"abcde"));
        assert_eq!(body(chunked, b"3\r\nabc\r\n0\r\nand more"), whole(b"abc"));
        for empty in [&b"0\r\n\r\n"[..], b"0\r\n", b"0\r\nX-Sum: 1\r\nY: 2\r\n\r\n"] {
            assert_eq!(body(chunked, empty), whole(b""));
        }
        assert_eq!(body(chunked, b"<p>abc\n"), whole(b"<p>abc\n"));
        for joined in [
            &b"0\n1\n2\nThe count of years"[..],
            b"0\r\n1\r\n2\r\nThe count of years\r\n",
            b"2024\nThe year of the count",
            b"1\n2\n3\n4\n",
            b"3\nabc\nand more\n",
            b"12\r\nThe first line of several\r\n",
            b"2024\r\nThe year of the count\r\n",
            b"Face; a story\r\nOnce there was\r\n",
            b"5\r\nHello\r\nworld and all\r\n",
            b"0\r\nName: Jo\r\nAge: 12\r\n",
            b"0\r\n\r\nA: the first grade\r\n",
        ] {
            assert_eq!(body(chunked, joined), whole(joined));
        }
        assert_eq!(
            body(chunked, b"ffffffffffffffffff\r\nabc"),
            whole(b"ffffffffffffffffff\r\nabc")
        );
    }

    #[test]
    fn encodings_are_undone_in_order_over_all_lines() {
        let text = b"text text text";
        let whole = (text.to_vec(), true);
        assert_eq!(body("Content-Encoding: gzip", &gzip(text)), whole);
        assert_eq!(body("Content-Encoding: gzip", text), whole);
        let twice = gzip(&gzip(text));
        assert_eq!(body("Content-Encoding: x-gzip, GZIP", &twice), whole);
        assert_eq!(body("Content-Encoding: gzip\r\nContent-Encoding: gzip", &twice), whole);
        let sent = chunks(&gzip(text));
        assert_eq!(body("Transfer-Encoding: gzip, chunked", &sent), whole);
        assert_eq!(body("Transfer-Encoding: gzip\r\ntransfer-encoding: chunked", &sent), whole);
        let both = "Transfer-Encoding: gzip, chunked\r\nContent-Encoding: gzip";
        assert_eq!(body(both, &chunks(&twice)), whole);
        let mut deflate =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        deflate.write_all(text).unwrap();
        assert_eq!(body("content-encoding: deflate", &deflate.finish().unwrap()), whole);
        assert_eq!(body("Content-Type: text/html", &gzip(text)), whole);
        let members = [gzip(b"text "), gzip(b"text text")].concat();
        assert_eq!(body("Content-Encoding: gzip", &members), whole);
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        assert_eq!(body("content-encoding: zstd", &zstd), whole);
        // "text" by a stored block, as RFC 7932 writes it.
        assert_eq!(body("content-encoding: br", b"\x8b\x01\x80text\x03").0, b"text");
        assert_eq!(body("content-encoding: br", b"<p>text").0, b"<p>text");
    }

    #[test]
    fn what_a_body_begins_with_tells_more_than_its_head() {
        let text = b"text text text";
        let whole = (text.to_vec(), true);
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        for coded in [gzip(text), zstd] {
            for named in ["X: y", "Content-Encoding: gzip", "Content-Encoding: br, utf-8"] {
                assert_eq!(body(named, &coded), whole, "{named}");
            }
            assert_eq!(body("Transfer-Encoding: gzip;q=1, \"chunked\"", &chunks(&coded)), whole);
        }
        for behind in [&b"\r\n"[..], b"\0\0\0", b"<!-- server -->"] {
            for coded in [gzip(text), zstd::encode_all(&text[..], 1).unwrap()] {
                assert_eq!(body("X: y", &[&coded, behind].concat()), whole, "{behind:?}");
                let half = coded.get(..coded.len() / 2).unwrap();
                assert!(!body("X: y", &[&coded, half].concat()).1);
            }
        }
        // Neither gzip nor a text.
        assert_eq!(body("Content-Encoding: gzip", b"\x8b\x01\x80\x02"), (Vec::new(), false));
        let wide = b"\xff\xfea\0".to_vec();
        assert_eq!(body("Content-Encoding: gzip", &wide), (wide, true));
    }

    #[test]
    fn interim_responses_come_before_the_one_that_answers() {
        let last = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nHTTP/1.1 is old";
        for before in [
            "",
            "\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nX: y\r\n\r\n",
            "HTTP/1.0 200 Connection established\r\n\r\n",
        ] {
            let block = [before, last].concat();
            let response = Response::parse(block.as_bytes()).unwrap();
            assert_eq!(
                (response.payload(), response.body),
                (Some(Payload::Text), &b"HTTP/1.1 is old"[..])
            );
        }
    }

    #[test]
    fn what_cannot_be_undone_is_read_as_far_as_it_goes() {
        for word in ["windows-1252", "utf8", "compress", "none", "zstd", "gzip"] {
            let head = format!("Content-Encoding: {word}");
            assert_eq!(body(&head, b"<p>text"), (b"<p>text".to_vec(), true), "{word}");
        }
        assert_eq!(body("Content-Encoding: compress", b"\x1f\x9d\x90\0"), (Vec::new(), false));
        let long: Vec<u8> = (0..90_u8).map(|at| b'a' + at % 26 * 7 % 26).collect();
        let mut cut = gzip(&long);
        cut.truncate(cut.len() - 8);
        assert_eq!(body("Content-Encoding: gzip", &cut), (long.clone(), false));
        let damaged = body("Content-Encoding: gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\xff\xff\xff");
        assert_eq!(damaged, (Vec::new(), false));
        let bomb = gzip(&[b'x'; 101]);
        let block = [&b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"[..], &bomb].concat();
        let bomb = Response::parse(&block).unwrap().body(100, &|| "here".to_owned()).unwrap_err();
        assert!(bomb.to_string().contains("longer than 100 bytes"), "{bomb}");
    }
}
