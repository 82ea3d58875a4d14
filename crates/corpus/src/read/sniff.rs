//! The format of a source by its content, where its name does not tell it, or may tell another one.

use crate::error::Error;
use crate::format::{BOM, InputFormat, Shape};
use crate::formats::html::is_other_markup;
use crate::formats::table_cutter::begins_rows;
use crate::records::binary;
use crate::records::decoder::Decoder;
use crate::records::source::{Origin, Source};
use std::io::{self, Cursor, Read};
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Sets the format of a source, once and for all, by its first bytes: where it has none, and where it is a file that
/// rows of JSON are expected in, which may be one of columns under that name. What cannot be read here fails again,
/// and is reported, when the records are read. Of a stream nothing is read.
///
/// # Errors
///
/// [`Error::Binary`], [`Error::Misnamed`] or [`Error::Pointer`] if it is no text; where it had no format, it has that of a text.
pub(crate) fn tell_format(source: &mut Source) -> Result<(), Error> {
    if source.is_stream() {
        return Ok(());
    }
    if let Some(format) = source.format {
        let is_here = matches!(source.origin, Origin::File(_) | Origin::Spooled(..));
        if format.shape() == Shape::Objects && is_here {
            let head = source.magic().unwrap_or_default();
            source.format = InputFormat::of_columns(&head).or(source.format);
        }
        return Ok(());
    }
    let (head, misnamed) = match source.decoded_head() {
        Ok(head) => (head, None),
        Err(error) => {
            let is_told = matches!(error, Error::Misnamed { .. } | Error::Pointer { .. });
            (Vec::new(), is_told.then_some(error))
        }
    };
    let told = source.told(&head);
    let format = told.ok().flatten().unwrap_or(InputFormat::TEXT);
    source.format = Some(source.taken_as(format));
    if let Some(misnamed) = misnamed {
        return Err(misnamed);
    }
    told.map(drop).map_err(|kind| source.binary(kind))
}

/// Sees that a file which its name says to be a text or a page is not one of another kind. Either may hold any byte:
/// what begins as such a file alone is none.
///
/// # Errors
///
/// [`Error::Binary`].
pub(crate) fn check_named(source: &Source) -> Result<(), Error> {
    let named = InputFormat::of_name(Path::new(source.name()));
    let is_here = matches!(source.origin, Origin::File(_) | Origin::Spooled(..));
    if !is_here || !named.is_some_and(InputFormat::is_whole) {
        return Ok(());
    }
    let head = source.decoded_head().unwrap_or_default();
    match binary::kind(&head).filter(|kind| *kind != binary::UNKNOWN) {
        Some(kind) => Err(source.binary(kind)),
        None => Ok(()),
    }
}

/// What a file that is read as one text may hold instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// Rows, or records of an archive, of this format.
    Rows(InputFormat),
    /// Records between mark-up or headers: XML, a mailbox, or a dump of a database.
    Records,
    /// Lines that are documents.
    Lines,
}

/// How files of such records begin.
const RECORDS: [&[u8]; 5] = [
    b"<?xml",
    b"<mediawiki",
    b"-- MySQL dump",
    b"-- MariaDB dump",
    b"--\n-- PostgreSQL database dump",
];

/// Whether a file that begins with `head` has such records. A mailbox begins with an envelope, and each mail with a header
/// (RFC 4155).
fn has_records(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let is_mail = || {
        let mut lines = head.split(|byte| *byte == b'\n').skip(1).take(20);
        lines.any(|line| line.starts_with(b"Subject: ") || line.starts_with(b"Message-ID: "))
    };
    RECORDS.iter().any(|begun| head.starts_with(begun)) || head.starts_with(b"From ") && is_mail()
}

impl Source {
    /// What the source seems to hold, by its first bytes, where it is read as one text: rows, records or several lines. Of what
    /// lies elsewhere, or can be read only once, nothing is read: of standard input that was [awaited](Self::awaited) its
    /// first bytes are there.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{InputFormat, Instead, discover};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.txt").display().to_string();
    /// std::fs::write(&path, "{\"text\":\"one\"}\n{\"text\":\"two\"}\n")?;
    /// let rows = Instead::Rows(InputFormat::JSONL);
    /// assert_eq!(discover(&[&path], None)?[0].instead(), Some(rows));
    /// std::fs::write(&path, "one\ntwo\n")?;
    /// assert_eq!(discover(&[&path], None)?[0].instead(), Some(Instead::Lines));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn instead(&self) -> Option<Instead> {
        let is_text = self.format == Some(InputFormat::TEXT);
        let head = match &self.origin {
            Origin::File(_) | Origin::Spooled(..) if is_text => self.decoded_head().ok()?,
            Origin::Stdin(heard) if self.format.is_none() && !heard.is_empty() => {
                let heard = Box::new(Cursor::new(Arc::clone(heard)));
                let mut head = Vec::new();
                let mut decoder = Decoder::over(self, heard, Arc::default()).ok()?;
                // Compressed bytes end within what was heard.
                let _ = decoder.fill(&mut head, InputFormat::HEAD_BYTES);
                head
            }
            _ => return None,
        };
        match InputFormat::within_text(&head, self.dialect) {
            Some(told) => Some(Instead::Rows(told)),
            None if has_records(&head) => Some(Instead::Records),
            None => {
                let lines = head.split(|byte| *byte == b'\n');
                let lines = lines.filter(|line| !line.trim_ascii().is_empty());
                (lines.take(2).count() > 1).then_some(Instead::Lines)
            }
        }
    }

    /// The same source; standard input in the format that its first lines tell, which are waited for and come once more.
    /// Whoever writes a record and waits for an answer is not asked for the next: no more is read than tells a format.
    #[must_use]
    pub fn awaited(self) -> Self {
        match self {
            Self { origin: Origin::Stdin(_), format: None, .. } => self.told_by(io::stdin()),
            _ => self,
        }
    }

    /// Standard input that goes on with `stream`, in the format that this begins with: none where it begins as any text
    /// does, or cannot be read.
    fn told_by(self, stream: impl Read + Send + 'static) -> Self {
        let heard: Arc<Mutex<Vec<u8>>> = Arc::default();
        let hearing = Hearing { stream, heard: Arc::clone(&heard) };
        let mut head = Vec::new();
        // What is wrong is told again when the records are read.
        if let Ok(mut decoder) = Decoder::over(&self, Box::new(hearing), Arc::default()) {
            let more = |head: &[u8]| InputFormat::HEAD_BYTES - head.len();
            while more(&head) > 0 && !self.is_told_by(&head) {
                let want = more(&head);
                if !matches!(decoder.fill_some(&mut head, want), Ok(false)) {
                    break;
                }
            }
        }
        let told = self.told(&head);
        // Of lines there is nothing more to be told.
        let by_lines = self.lines.then_some(InputFormat::TEXT);
        let format = told.map(|told| told.or(by_lines)).ok().flatten();
        let format = format.map(|format| self.taken_as(format));
        let heard = mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
        Self { origin: Origin::Stdin(heard.into()), format, ..self }
    }
}

impl Source {
    /// Whether the beginning of a stream tells its format, whatever follows: a line of it is whole, and begins as one
    /// format does, or is a document by itself. The row behind a header tells a table.
    fn is_told_by(&self, head: &[u8]) -> bool {
        let begun = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
        let told = self.told(head).ok().flatten();
        let is_table = told.is_some_and(InputFormat::is_table);
        let begun = if is_table { begun.trim_ascii_end() } else { begun };
        let has_line = begun.contains(&b'\n') || is_table && begun.contains(&b'\r');
        has_line && (self.lines || told.is_some())
    }

    /// The [format](InputFormat::told) of its bytes, of which these are the first. Where whoever reads it says how fields
    /// are written, what would be a text is a table; in a folder, which may hold texts too, only what begins as one. What
    /// may be a part of a page or of other markup is what its name says; of the web, where a name says nothing, a page.
    pub(crate) fn told(&self, head: &[u8]) -> Result<Option<InputFormat>, &'static str> {
        let is_said = self.dialect.is_of_tables() && !self.lines && !head.trim_ascii().is_empty();
        let is_table = || is_said && (self.folder.is_none() || begins_rows(head, self.dialect));
        let is_of_web =
            matches!(&self.origin, Origin::Object(object) if !object.url.scheme.is_storage());
        let is_other = |it: &InputFormat| {
            it.is_page() && !is_of_web && is_other_markup(Path::new(&self.name), head)
        };
        let told = InputFormat::told(head)?.filter(|it| !is_other(it));
        Ok(told.or_else(|| is_table().then_some(InputFormat::CSV)))
    }
}

/// Reads a stream, and keeps what was read.
struct Hearing<R> {
    stream: R,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl<R: Read> Read for Hearing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.extend_from_slice(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Whether a source is a segment of an earlier run, by its name or by its first bytes.
pub(crate) fn is_seen(source: &Source) -> bool {
    let by_name = InputFormat::of_name(Path::new(source.name()));
    if source.is_stream() || by_name.is_some_and(InputFormat::is_seen) {
        return !source.is_stream();
    }
    let head = source.decoded_head().unwrap_or_default();
    InputFormat::of_content(&head).is_some_and(InputFormat::is_seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::dialect::{Dialect, Quote};
    use flate2::write::GzEncoder;
    use std::io::Write;
    use std::path::PathBuf;

    /// Gives so many bytes at a time.
    struct Slow(Cursor<Vec<u8>>, usize);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    #[test]
    fn a_text_is_told_from_rows_and_lines() {
        let folder = tempfile::tempdir().unwrap();
        let instead = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            let mut source = Source::named(path.display().to_string(), None);
            source.format = InputFormat::of_name(&path);
            source.instead()
        };
        let rows = |format| Some(Instead::Rows(format));
        for (content, told) in [
            (&b"{\"text\":\"a\"}\n{\"text\":\"b\"}\n"[..], rows(InputFormat::JSONL)),
            (b"\xef\xbb\xbf\n{ \"text\":\"a\"}", rows(InputFormat::JSONL)),
            // A reader of rows takes no list of them, and no row of several lines.
            (b"[{\"text\":\"a\"}]", None),
            (b"{\n\"text\":\"a\"\n}\n", Some(Instead::Lines)),
            (b"id,text\n1,a\n", rows(InputFormat::CSV)),
            (b"{Chorus}\nla la\n", Some(Instead::Lines)),
            (b"\none\r\n\r\ntwo", Some(Instead::Lines)),
            (b"<?xml version=\"1.0\"?>\n<a>b</a>\n", Some(Instead::Records)),
            (b"From a@b Mon Nov 30\nReceived: c\nSubject: d\n\ne\n", Some(Instead::Records)),
            (b"From one to two\nand three\n", Some(Instead::Lines)),
            (b"one line\n\n", None),
            (b"", None),
        ] {
            for packed in packed(content) {
                assert_eq!(instead("a.txt", &packed), told, "{}", String::from_utf8_lossy(content));
            }
        }
        assert_eq!(instead("a.jsonl", b"{\"text\":\"a\"}\n{}\n"), None);
        assert_eq!(instead("a.html", b"<p>one\n<p>two\n"), None);
        for (content, told) in [
            (&b"one\ntwo\n"[..], Some(Instead::Lines)),
            (b"one line\n", None),
            (b"{\"text\":\"a\"}\n{}\n", None),
            (b"", None),
        ] {
            for bytes in packed(content) {
                let awaited = stdin(false).told_by(Cursor::new(bytes));
                assert_eq!(awaited.instead(), told, "{}", String::from_utf8_lossy(content));
            }
        }
        assert_eq!(stdin(false).instead(), None);
    }

    fn packed(bytes: &[u8]) -> [Vec<u8>; 4] {
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(bytes).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        bzip2.write_all(bytes).unwrap();
        let zstd = zstd::encode_all(bytes, 3).unwrap();
        [bytes.to_vec(), gzip.finish().unwrap(), bzip2.finish().unwrap(), zstd]
    }

    fn stdin(lines: bool) -> Source {
        Source {
            origin: Origin::Stdin(Arc::default()),
            name: "stdin".to_owned(),
            relative: PathBuf::from("stdin"),
            format: None,
            bytes: None,
            folder: None,
            lines,
            dialect: Dialect::default(),
        }
    }

    /// Gives some bytes, and fails where more are asked for.
    struct Waiting(&'static [u8]);

    impl Read for Waiting {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "the writer waits for an answer");
            self.0.read(buffer)
        }
    }

    #[test]
    fn no_more_is_waited_for_than_tells_a_format() {
        for (lines, head, told) in [
            (false, &b"{\"id\": 1, \"text\": \"a b\"}\n"[..], InputFormat::JSONL),
            (false, b"\n\n{\"id\": 1, \"text\": \"a b\"}\n", InputFormat::JSONL),
            (false, b"id,text\n1,a b\n", InputFormat::CSV),
            (false, b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", InputFormat::WARC),
            (true, b"a line of a text\n", InputFormat::LINES),
        ] {
            let source = stdin(lines).told_by(Waiting(head));
            assert_eq!(source.format, Some(told), "{}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn a_format_is_told_however_few_bytes_come_at_a_time() {
        let wide: Vec<u8> = "id,text\n1,a b\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let long = format!("{{\"text\": \"{}\"}}\n", "a b ".repeat(9999));
        for (content, told) in [
            (&b"{\"text\": \"a b\"}\n"[..], Some(InputFormat::JSONL)),
            (long.as_bytes(), Some(InputFormat::JSONL)),
            (b"[\n  {\"text\": \"a b\"}]", Some(InputFormat::JSONL)),
            (b"{\"segment\":2,\"recipe_id\":\"npr1:x\"}\n", Some(InputFormat::SEGMENT)),
            (b"id,text\n1,a b\n", Some(InputFormat::CSV)),
            (&wide, Some(InputFormat::CSV)),
            (b"id\ttext\n1\ta b\n", Some(InputFormat::TSV)),
            (b"id,text\r\n", Some(InputFormat::CSV)),
            (b"id,text", Some(InputFormat::CSV)),
            (b"text", None),
            (b"id,title,body\n", Some(InputFormat::CSV)),
            (b"id,title\nand a line of words", None),
            (b"id\ttext\n\n", Some(InputFormat::TSV)),
            (b"words, text\n", None),
            (b"id\n", None),
            (b"id,text\r1,a b\r", Some(InputFormat::CSV)),
            (b"sep=;\rid;text\r1;a b\r", Some(InputFormat::CSV)),
            (b"one line,\ranother line of text\r", None),
            (b"ID,Text\n1,a b\n", Some(InputFormat::CSV)),
            (b"Id\tBody\r\n1\ta b\r\n", Some(InputFormat::TSV)),
            (b"Text, images and sound\nare media, they say\n", None),
            (b"Text,image\nare media\n", None),
            (b"'id','text'\n1,'a b'\n", Some(InputFormat::CSV)),
            (b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", Some(InputFormat::WARC)),
            (b"http://a.b/ 1.2.3.4 20040102030405 text/plain 2\na\n", Some(InputFormat::ARC)),
            (b"<!doctype html><p>a", Some(InputFormat::HTML)),
            (b"<!-- a -->\n<head><p>a", Some(InputFormat::HTML)),
            (b"<!-- a -->\n<header>a", None),
            (b"PAR1\x15\x04\x15", Some(InputFormat::PARQUET)),
            (b"ARROW1\0\0\xff\xff\xff\xff", Some(InputFormat::ARROW)),
            (b"{{ a template }}", None),
            (b"words of a text", None),
            (b"", Some(InputFormat::JSONL)),
        ] {
            for bytes in packed(content) {
                for step in [1, 2, 7, 1 << 16] {
                    let source = stdin(false).told_by(Slow(Cursor::new(bytes.clone()), step));
                    assert_eq!(source.format, told, "{}", String::from_utf8_lossy(content));
                    let Origin::Stdin(heard) = &source.origin else { unreachable!() };
                    assert!(bytes.starts_with(heard), "what was heard comes once more");
                }
            }
        }
    }

    #[test]
    fn a_title_opens_no_page_under_the_name_of_other_markup() {
        let html = Ok(Some(InputFormat::HTML));
        let told =
            |name: &str, head: &[u8]| Source { name: name.to_owned(), ..stdin(false) }.told(head);
        for part in [
            &b"<title>{{t}}</title>\n<div>{{y}}</div>"[..],
            b"\xef\xbb\xbf<!-- a -->\n<TITLE>News</TITLE>\n<P>one</P>",
            b"<meta charset=utf-8>\nwords <b>x</b>",
        ] {
            for name in ["a.hbs", "a.cshtml", "b/a.html.erb", "a.xml.gz", "a.sgm", "a.vue", "a.j2"]
            {
                assert_eq!(told(name, part), Ok(None), "{name}");
            }
            for name in ["stdin", "a", "a.dat", "a.xml/a", "a.php?id=3"] {
                assert_eq!(told(name, part), html, "{name}");
            }
        }
        for page in [&b"<!doctype html><title>a</title>"[..], b"<html><title>", b"<head><meta>"] {
            assert_eq!(told("a.php", page), html);
        }
        // Under the name of a script it is most often the page that a server made; code tells the script.
        let of_page = "<script>var a = `${b} {{c}}`;</script>";
        for code in ["", "<?xml version='1.0'?>", "$5 {a} 50 %", of_page] {
            let page = format!("<title>News</title>\n<p>one {code}</p>");
            for name in ["a.php", "a.PHP.gz", "b/default.asp", "a.aspx", "a.jsp", "a.cfm"] {
                assert_eq!(told(name, page.as_bytes()), html, "{name}: {code}");
            }
        }
        for code in ["<?php f() ?>", "<?= $a ?>", "<? f() ?>", "<%= a %>", "<CFSET a>"] {
            let script = format!("<title>News</title>\n<p>one {code}</p>");
            for name in ["a.php", "a.PHP.gz", "b/default.asp", "a.jsp", "a.cfm"] {
                assert_eq!(told(name, script.as_bytes()), Ok(None), "{name}: {code}");
            }
        }
    }

    #[test]
    fn where_the_fields_of_tables_are_told_of_a_text_is_a_table() {
        let by =
            |delimiter, quote, escape| Dialect { delimiter, quote, escape, ..Dialect::default() };
        let double = Quote::Double;
        for (dialect, content) in [
            (by(Some(b'^'), double, None), &b"id^text\n1^a b\n"[..]),
            (by(Some(b'^'), double, None), b"text\na b\n"),
            (by(Some(b' '), double, None), b"id text\n1 a\n"),
            (by(Some(1), double, None), b"id\x01text\n1\x01a b\n"),
            (by(None, Quote::Other(b'\''), None), b"'id','body'\n'1','a b'\n"),
            (by(None, Quote::None, Some(b'\\')), b"id,a b\n1,a\\,b\n"),
        ] {
            for lines in [false, true] {
                let source = Source { dialect, ..stdin(lines) };
                let told = source.told_by(Slow(Cursor::new(content.to_vec()), 1)).format;
                let expected = if lines { InputFormat::LINES } else { InputFormat::CSV };
                assert_eq!(told, Some(expected), "{}", String::from_utf8_lossy(content));
            }
            let of_utf_8 = Dialect::default().encoding("utf-8").unwrap();
            let source = Source { dialect: of_utf_8, ..stdin(false) };
            assert_eq!(source.told(b"a^b\n1^2\n"), Ok(None));
            // What is no text stays what it is.
            let source = Source { dialect, ..stdin(false) };
            assert_eq!(source.told(b"{\"text\":\"a\"}\n"), Ok(Some(InputFormat::JSONL)));
            assert_eq!(source.told(b"words\0"), Err("binary data"));
        }
    }
}
