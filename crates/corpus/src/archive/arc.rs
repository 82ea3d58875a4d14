//! What an ARC record says (Internet Archive, versions 1 and 2): the line before it, whether it is a document, and
//! its text. Where it ends is `arc_cutter`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::capture_id::{CaptureId, host};
use crate::archive::content::Content;
use crate::archive::http::{Response, is_http};
use crate::archive::target::uncaptured;
use crate::archive::warc::HOST;
use crate::documents::document::Document;
use crate::documents::fields::{Fields, Place};
use crate::documents::labels;
use crate::documents::score;
use crate::error::Error;
use crate::format::BOM;
use crate::id::Id;
use memchr::memchr;
use std::borrow::Cow;

/// Bytes of the line before a record, at most.
pub(crate) const MAX_LINE: usize = 1 << 16;

/// The line before a record: `URL IP-address Archive-date Content-type Archive-length`; of version 2
/// `URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length`.
///
/// # References
///
/// M. Burner, B. Kahle, "The ARC File Format", Internet Archive, 1996.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArcLine<'a> {
    /// It may have spaces that nobody escaped, and characters of any character set.
    url: &'a [u8],
    address: &'a [u8],
    date: &'a [u8],
    kind: &'a [u8],
    /// Bytes of the block behind the line.
    pub(crate) length: u64,
}

impl<'a> ArcLine<'a> {
    /// The line in these bytes, without its end.
    pub(crate) fn parse(line: &'a [u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE || !line.contains(&b':') {
            return None;
        }
        // Fields behind the address, the last first: where the date stands tells the version. A type may have blanks
        // before its parameters.
        let places = (0..3).flat_map(|blanks| [(7, blanks), (2, blanks)]);
        places.into_iter().find_map(|(version, blanks)| {
            let mut fields = line.rsplitn(version + blanks + 3, |byte| *byte == b' ');
            let length = str::from_utf8(fields.next()?).ok()?.parse().ok()?;
            let mut fields = fields.skip(version - 2);
            let last = fields.next()?;
            let first = (0..blanks).try_fold(last, |_, _| fields.next())?;
            let (date, address, url) = (fields.next()?, fields.next()?, fields.next()?);
            let kind = url.len() + address.len() + date.len() + 3;
            let behind = last.as_ptr().addr() - line.as_ptr().addr() + last.len();
            let kind = if blanks == 0 { first } else { line.get(kind..behind)? };
            let is_date = is_date(date);
            // Bytes of something else may stand in front of it.
            let is_url = memchr(b':', url).is_some_and(|at| at > 0)
                && !url.starts_with(b" ")
                && !url.starts_with(BOM)
                && !url.iter().any(is_foreign);
            (is_date && is_url).then_some(Self { url, address, date, kind, length })
        })
    }

    /// Where a line begins in `bytes`, behind bytes of something else.
    pub(crate) fn behind_others(bytes: &[u8]) -> Option<usize> {
        let own = bytes.get(others(bytes)..)?.trim_ascii_start();
        let own = own.strip_prefix(BOM).unwrap_or(own);
        ArcLine::parse(own)?;
        Some(bytes.len() - own.len())
    }

    /// The date as WARC writes it, as far as there are digits: `2004-01-02T03:04:10Z`, `2004-01-02`.
    fn iso_date(&self) -> String {
        let mut iso = String::with_capacity(24);
        for (at, digit) in self.date.iter().enumerate() {
            match at {
                4 | 6 => iso.push('-'),
                8 => iso.push('T'),
                10 | 12 => iso.push(':'),
                14 => iso.push('.'),
                _ => {}
            }
            iso.push(char::from(*digit));
        }
        if self.date.len() > 8 {
            iso.push('Z');
        }
        iso
    }

    /// The value of a field, by its name in either archive format.
    fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        let is = |names: &[&str]| names.iter().any(|own| own.eq_ignore_ascii_case(name));
        let value = if is(&["URL", "WARC-Target-URI"]) {
            self.url
        } else if is(&["IP-address", "WARC-IP-Address"]) {
            self.address
        } else if names_date(name) {
            self.date
        } else if is(&["Content-type"]) {
            self.kind
        } else {
            return None;
        };
        Some(text(value))
    }

    /// The type, as far as it is one.
    fn kind(&self) -> &'a str {
        self.kind.utf8_chunks().next().map_or("", |chunk| chunk.valid())
    }
}

/// Whether no line has this byte in its URL.
fn is_foreign(byte: &u8) -> bool {
    byte.is_ascii_control() && *byte != b'\t'
}

/// The bytes up to the last one that no URL has, which a line end does not follow.
pub(crate) fn others(line: &[u8]) -> usize {
    let line = line.trim_ascii_end();
    line.iter().rposition(is_foreign).map_or(0, |at| at + 1)
}

/// Whether a field is a date: of 14 digits, or 12 from some crawlers. Of other lengths, from a day to a thousandth of a
/// second, it has to be one of the calendar, as other numbers are that long too.
fn is_date(field: &[u8]) -> bool {
    let pair = |at: usize| str::from_utf8(field.get(at..at + 2)?).ok()?.parse::<u8>().ok();
    let is_of_calendar = || {
        let [century, month, day] = [0, 4, 6].map(|at| pair(at).unwrap_or_default());
        matches!(century, 19 | 20) && (1..=12).contains(&month) && (1..=31).contains(&day)
    };
    field.iter().all(u8::is_ascii_digit)
        && match field.len() {
            12 | 14 => true,
            8..=17 => is_of_calendar(),
            _ => false,
        }
}

/// Whether a field is the date of the capture, by its name in either archive format.
fn names_date(name: &str) -> bool {
    ["Archive-date", "WARC-Date"].iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// A value as text: what is not UTF-8 in Latin-1, the usual character set beside it, so that no two values become one.
fn text(value: &[u8]) -> Cow<'_, str> {
    let latin = |_| value.iter().copied().map(char::from).collect::<String>().into();
    str::from_utf8(value).map_or_else(latin, Cow::Borrowed)
}

/// A whole record.
pub(crate) struct ArcRecord<'a> {
    line: ArcLine<'a>,
    block: &'a [u8],
}

impl<'a> ArcRecord<'a> {
    /// The record in these bytes.
    pub(crate) fn parse(raw: &'a [u8]) -> Option<Self> {
        let (line, rest) = raw.split_at_checked(memchr(b'\n', raw)?)?;
        let line = ArcLine::parse(line)?;
        let rest = rest.get(1..)?;
        let length = usize::try_from(line.length).ok()?;
        Some(Self { line, block: rest.get(..length).unwrap_or(rest) })
    }

    /// Whether it is a document: a page or a text, and what a server answered with success.
    pub(crate) fn is_document(&self) -> bool {
        uncaptured(&text(self.line.url)).is_none() && self.content().payload().is_some()
    }

    /// Why it is no document, in a word or two.
    pub(crate) fn obstacle(&self) -> String {
        match uncaptured(&text(self.line.url)) {
            Some(FILE) => FILE.to_owned(),
            scheme => self.content().obstacle(scheme),
        }
    }

    /// Its text, and its id.
    pub(crate) fn document(
        &self,
        fields: &Fields,
        limit: usize,
        place: Place<'_>,
    ) -> Result<Document<'static>, Error> {
        let (id, record) = if fields.id == Fields::default().id {
            let date = self.line.iso_date();
            let url = text(self.line.url);
            let id = CaptureId::of(Some(&url), Some(&date));
            (id.map(|id| Id::from_text(&id.to_string())), Some(Id::from_text(&place())))
        } else {
            (self.get(&fields.id).as_deref().map(Id::from_text), None)
        };
        let tag = fields.tag.as_deref().and_then(|name| self.get(name));
        let label = |_: usize, field: &str| Ok(self.get(field));
        let labels = labels::all(fields, label)?;
        let worth = |field: &str| {
            if names_date(field) { Some(self.line.iso_date()) } else { self.get(field) }
        };
        let (score, ties) = score::of_head(worth, fields, place)?;
        let document = self.content().document(fields, limit, place)?;
        Ok(Document { id, record, tag, score, ties, labels, ..document })
    }

    /// The value of a field of the line, or the `host` of the URL.
    fn get(&self, name: &str) -> Option<String> {
        let value = self.line.get(name).map(Cow::into_owned);
        let is_host = name.eq_ignore_ascii_case(HOST);
        value.or_else(|| is_host.then(|| host(&text(self.line.url))).flatten())
    }

    /// What is inside: a response, or what a server of another kind sent.
    fn content(&self) -> Content<'a> {
        let response = is_http(self.block).then(|| Response::parse(self.block));
        match response.flatten() {
            Some(response) => Content::Response(response),
            None => Content::Bytes(self.block, Some(self.line.kind())),
        }
    }
}

/// The scheme of the URL of the record that describes a file.
const FILE: &str = "filedesc";

/// What that URL begins with.
pub(crate) const FILE_URL: &[u8] = b"filedesc:";

/// A record with the line end that stands behind every block.
pub(crate) fn ended(raw: &[u8]) -> Cow<'_, [u8]> {
    let length = ArcRecord::parse(raw).map(|record| record.line.length);
    let head = memchr(b'\n', raw).map(|end| end as u64 + 1);
    let whole = length.zip(head).map(|(length, head)| length.saturating_add(head));
    if whole == Some(raw.len() as u64) {
        Cow::Owned([raw, b"\n"].concat())
    } else {
        Cow::Borrowed(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_versions_are_read() {
        let read = |line: &'static str| {
            let line = ArcLine::parse(line.as_bytes())?;
            let text = |bytes| str::from_utf8(bytes).unwrap();
            Some((text(line.url), text(line.date), line.kind(), line.length))
        };
        assert_eq!(
            read("http://a.example/x 192.0.2.7 20040102030410 text/html 315"),
            Some(("http://a.example/x", "20040102030410", "text/html", 315))
        );
        assert_eq!(
            read("http://a.example/a b 192.0.2.7 20040102030410 text/html 200 - - 0 x.arc 9\r"),
            Some(("http://a.example/a b", "20040102030410", "text/html", 9))
        );
        assert_eq!(
            read("http://a.example/a b 192.0.2.7 20040102030410 text/html; charset=utf-8 7"),
            Some(("http://a.example/a b", "20040102030410", "text/html; charset=utf-8", 7))
        );
        assert_eq!(
            read("http://a.example/ 192.0.2.7 20040102030410 text/html ; a=b 200 - - 0 x.arc 9"),
            Some(("http://a.example/", "20040102030410", "text/html ; a=b", 9))
        );
        assert_eq!(
            read("filedesc://old.arc 0.0.0.0 20040102030405 text/plain 75"),
            Some(("filedesc://old.arc", "20040102030405", "text/plain", 75))
        );
        for (date, iso) in [
            ("20040102", "2004-01-02"),
            ("2004010203", "2004-01-02T03Z"),
            ("200401020304", "2004-01-02T03:04Z"),
            ("20040102030410", "2004-01-02T03:04:10Z"),
            ("20040102030410567", "2004-01-02T03:04:10.567Z"),
        ] {
            let line = format!("http://a.example/x 192.0.2.7 {date} text/html 315");
            assert_eq!(ArcLine::parse(line.as_bytes()).unwrap().iso_date(), iso);
        }
        let latin =
            ArcLine::parse(b"http://a.example/\xe9 192.0.2.7 20040102030410 text/html;\xe9 9")
                .unwrap();
        assert_eq!(
            (latin.get("url").as_deref(), latin.kind()),
            (Some("http://a.example/\u{e9}"), "text/html;")
        );
        for none in [
            "",
            "URL IP-address Archive-date Content-type Archive-length",
            "http://a.example/x 192.0.2.7 20040102030410 text/html many",
            "see: this 1 20040102 is 5 words",
            "see: page 12345678 of 9",
            "http://a.example/x 192.0.2.7 2004010 text/html 315",
            "http://a.example/x 192.0.2.7 200401020304105678 text/html 315",
        ] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
