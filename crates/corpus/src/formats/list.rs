//! The only list of formats, and what is told by it: names, the endings of files, and their first bytes.

use crate::compression::Compression;
use crate::documents::members::members;
use crate::error::Error;
use crate::finite::finite;
use crate::format::{InputFormat, Shape, marks_length};
use crate::formats::arc::Arc;
use crate::formats::arrow::Arrow;
use crate::formats::csv::Csv;
use crate::formats::format::Format;
use crate::formats::html::Html;
use crate::formats::jsonl::Jsonl;
use crate::formats::lines::Lines;
use crate::formats::parquet::Parquet;
use crate::formats::record_reader::RecordReader;
use crate::formats::segment::Segment;
use crate::formats::table_cutter::begins_rows;
use crate::formats::text::Text;
use crate::formats::tsv::Tsv;
use crate::formats::warc::Warc;
use crate::records::binary;
use crate::records::dialect::Dialect;
use crate::records::opened::Opened;
use memchr::memchr;
use std::path::Path;
use std::str::FromStr;

/// All formats. The first that recognizes the beginning of a file reads it.
static FORMATS: [&dyn Format; 11] =
    [&Jsonl, &Csv, &Tsv, &Parquet, &Arrow, &Warc, &Arc, &Lines, &Text, &Html, &Segment];

impl InputFormat {
    /// All formats.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::InputFormat;
    ///
    /// for format in InputFormat::all() {
    ///     assert_eq!(format.name().parse::<InputFormat>()?, format);
    /// }
    /// # Ok::<(), nearprint_corpus::Error>(())
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|format| format.kind())
    }

    /// The format that a file name tells by its extension, such as `.jsonl`, `.parquet` or `.csv`; an unknown
    /// extension tells nothing, nor does none. A `.gz`, `.zst`, `.bz2`, `.xz` or `.br` behind it is passed over.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::path::Path;
    /// use nearprint_corpus::InputFormat;
    ///
    /// assert_eq!(InputFormat::of_name(Path::new("a.json.gz")), Some(InputFormat::JSONL));
    /// assert_eq!(InputFormat::of_name(Path::new("a.md")), Some(InputFormat::TEXT));
    /// assert_eq!(InputFormat::of_name(Path::new("part-00000.zst")), None);
    /// assert_eq!(InputFormat::of_name(Path::new("dump.jsonl.bak")), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = Path::new(path.file_name()?);
        let name = match Compression::of_name(name) {
            Compression::None => name,
            _ => Path::new(name.file_stem()?),
        };
        let name = name.file_name()?.to_string_lossy().to_ascii_lowercase();
        let ends = |ending: &str| {
            let stem = name.strip_suffix(ending).and_then(|rest| rest.strip_suffix('.'));
            stem.is_some_and(|stem| !stem.is_empty())
        };
        // The longest: `.seen.jsonl` comes before `.jsonl`.
        let longest = |format: &Self| {
            let endings = format.0.endings.iter().filter(|ending| ends(ending));
            endings.map(|ending| ending.len()).max()
        };
        Self::all().filter(|it| longest(it).is_some()).max_by_key(longest)
    }

    /// The format that the first bytes of a file tell; none where they are those of any text.
    pub(crate) fn of_content(head: &[u8]) -> Option<Self> {
        let head = head.get(marks_length(head)..).unwrap_or_default().trim_ascii_start();
        FORMATS.iter().find(|format| format.is_at(head)).map(|format| format.kind())
    }

    /// The format of the records that a text seems to hold, by its bytes or the first of them: none where it is one text.
    /// Much of what opens with a brace is no row of JSON: its first line is one, or begins as one where it does not end.
    /// `dialect` is that of tables.
    pub(crate) fn within_text(text: &[u8], dialect: Dialect) -> Option<Self> {
        let head = text.get(..Self::HEAD_BYTES).unwrap_or(text);
        let is_table = || dialect.is_of_tables() && begins_rows(head, dialect);
        let told = Self::of_content(head).or_else(|| is_table().then_some(Self::CSV))?;
        let begun = text.get(marks_length(text)..).unwrap_or_default().trim_ascii_start();
        let is_row = || match memchr(b'\n', begun).and_then(|end| begun.get(..end)) {
            Some(line) => str::from_utf8(line).is_ok_and(|line| members(&finite(line)).is_some()),
            None => {
                begun.strip_prefix(b"{").is_some_and(|it| it.trim_ascii_start().starts_with(b"\""))
            }
        };
        match told.shape() {
            Shape::Table | Shape::Archive => Some(told),
            Shape::Objects => is_row().then_some(told),
            _ => None,
        }
    }

    /// The [format](Self::of_content) of bytes that are not known to be of a text.
    ///
    /// # Errors
    ///
    /// What they are, where no text begins so. Columns, archives and pages hold any bytes: what they begin with is looked
    /// for first (WHATWG MIME Sniffing, section 7.1).
    pub(crate) fn told(head: &[u8]) -> Result<Option<Self>, &'static str> {
        let told = Self::of_content(head);
        match binary::kind(head) {
            Some(kind) if told.is_none_or(Self::is_text) => Err(kind),
            _ => Ok(told),
        }
    }

    /// The format of typed columns that the first bytes of a file tell.
    pub(crate) fn of_columns(head: &[u8]) -> Option<Self> {
        Self::of_content(head).filter(|format| format.is_columns())
    }

    /// What records of this format are in one file with others: whole files, and rows of columns, become rows of
    /// JSON.
    pub(crate) fn joined(self) -> Self {
        if self.is_whole() || self.is_columns() { Self::JSONL } else { self }
    }

    /// What it does.
    pub(crate) fn format(self) -> &'static dyn Format {
        let found = FORMATS.iter().find(|format| format.kind() == self);
        found.copied().unwrap_or(&Text)
    }
}

impl FromStr for InputFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::all().find(|format| format.0.names.contains(&name));
        found.ok_or_else(|| {
            let mut known: Vec<&str> = Self::all().map(Self::name).collect();
            let last = known.pop().unwrap_or_default();
            let expected = format!("{} or {last}", known.join(", "));
            Error::UnknownFormat { found: name.to_owned(), expected }
        })
    }
}

/// The reader of an open source, whose first bytes tell its format where nothing else has.
pub(crate) fn reader(mut opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
    if opened.source.format().is_none() {
        opened.fill_head(InputFormat::HEAD_BYTES);
        let told = opened.source.told(&opened.head);
        let told = told.map_err(|kind| opened.source.binary(kind))?;
        opened.format = opened.source.taken_as(told.unwrap_or(InputFormat::TEXT));
    }
    opened.file = if opened.format.is_by_line() { opened.plain_file() } else { None };
    if opened.file.is_none() {
        opened.unescape();
    }
    opened.format.format().reader(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_format() {
        let told = |name: &str| InputFormat::of_name(Path::new(name));
        for name in ["a.jsonl", "a.ndjson", "a.JSON", "a.jsonl.gz", "b/a.json.zst", "a.json.xz"] {
            assert_eq!(told(name), Some(InputFormat::JSONL), "{name}");
        }
        assert_eq!(told("a.parquet"), Some(InputFormat::PARQUET));
        for name in ["a.arrow", "a.feather", "b/a.IPC"] {
            assert_eq!(told(name), Some(InputFormat::ARROW), "{name}");
        }
        assert_eq!(told("a.csv.zst"), Some(InputFormat::CSV));
        assert_eq!(told("a.TSV"), Some(InputFormat::TSV));
        assert_eq!(told("a.warc.gz"), Some(InputFormat::WARC));
        assert_eq!(told("a.warc.wet.gz"), Some(InputFormat::WARC));
        for name in ["a.txt", "a.md.gz", "a.txt.bz2", "a.jsonl/b.txt"] {
            assert_eq!(told(name), Some(InputFormat::TEXT), "{name}");
        }
        for name in ["a.html", "a.HTM.gz", "b/a.xhtml", "a.xht"] {
            assert_eq!(told(name), Some(InputFormat::HTML), "{name}");
        }
        for name in ["a.seg", "a.seen.jsonl.zst", "b/a.seen.jsonl"] {
            assert_eq!(told(name), Some(InputFormat::SEGMENT), "{name}");
        }
        assert_eq!(told("seen.jsonl"), Some(InputFormat::JSONL));
        for name in [
            "part-0",
            "part-0.gz",
            "a.jsonl/b",
            ".gz",
            "a.jsonl.old",
            "a.jsonl.001",
            "a.jsonl.gz.1",
            "a.jl",
            "docs.long.zst",
            "part-00000.c000",
        ] {
            assert_eq!(told(name), None, "{name}");
        }
    }

    #[test]
    fn content_tells_the_format() {
        let told = |head: &[u8]| InputFormat::of_content(head);
        assert_eq!(told(b"\xef\xbb\xbf \r\n\t{\"a\""), Some(InputFormat::JSONL));
        let segment = b"{\"segment\":2,\"recipe_id\":\"npr1:x\"";
        assert_eq!(told(segment), Some(InputFormat::SEGMENT));
        assert_eq!(told(b"{\"segment\":2,\"text\":\"a\"}"), Some(InputFormat::JSONL));
        assert_eq!(told(b" \n"), Some(InputFormat::JSONL));
        assert_eq!(told(b"WARC/1.0\r\ncontent-length : 7"), Some(InputFormat::WARC));
        assert_eq!(told(b"WARC/1.0\r\nWARC-Ty"), Some(InputFormat::WARC));
        for prose in [
            &b"WARC/1.0 is a format"[..],
            b"WARC/1.0\n\nOf archives.\n",
            b"WARC/1.0\n========\n",
            b"WARC/1.0\r\n",
            b"WARC/1.0\nOf archives",
            b"WARC/1.0\nNote: of archives\n",
            b"WARC/1.0\nWARC-files are archives",
            b"WARC/1.0\nContent-type\nis a field of it\n",
        ] {
            assert_eq!(told(prose), None);
        }
        let arc = b"filedesc://a.arc 0.0.0.0 20040102030405 text/plain 75\n1 0 x\n";
        assert_eq!(told(arc), Some(InputFormat::ARC));
        assert_eq!(told(b"PAR1\x15\x04"), Some(InputFormat::PARQUET));
        assert_eq!(told(b"PARE\x9e\0"), Some(InputFormat::PARQUET));
        assert_eq!(told(b"PARENTS SAY"), None);
        for text in [&b" [1]"[..], b"[{", b"[{1}] says", b"[\"a\"]", b"[ ] open"] {
            assert_eq!(told(text), None);
        }
        assert_eq!(told(b"[\n  { \"id\": 1"), Some(InputFormat::JSONL));
        assert_eq!(told(b"Once {"), None);
        for json in
            [&b"{"[..], b"{ \n \"a\": 1", b"{}", b"{'id': 1}", b"\xef\xbb\xbf\xef\xbb\xbf{}"]
        {
            assert_eq!(told(json), Some(InputFormat::JSONL));
        }
        for text in [&b"{{ title }}"[..], b"{% if x %}", b"{\\rtf1"] {
            assert_eq!(told(text), None);
        }
        assert_eq!(told(b"\n<!DOCTYPE HTML PUBLIC"), Some(InputFormat::HTML));
        assert_eq!(told(b"<html lang=en>"), Some(InputFormat::HTML));
        let page = b"<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>";
        assert_eq!(told(page), Some(InputFormat::HTML));
        for page in [
            &b"<!-- (c) Example Ltd -->\n<!-- 2 > 1 --><!DOCTYPE html>"[..],
            b"<!-- a --!><html>",
            b"<head><title>a",
            b"<HEAD lang=en>\n<title>a",
            b"<BODY\nclass=a><p>a",
            b"<body>a word</body>",
            b"<html/>",
            b"<body bgcolor=white>\nJust words<br>\nmore",
            b"<title>a</title>\n<p>b",
            b"<TITLE >a</title\n><Div>b",
            b"<meta charset=utf-8>\n<p>a",
            b"<!-- a --><meta name=a>a <b>b</b>",
            b"<script>a < b</script><!-- c --><html>",
            b"<style\ntype=a></style>\n<!DOCTYPE HTML>",
        ] {
            assert_eq!(told(page), Some(InputFormat::HTML));
        }
        for text in [
            &b"<p>html"[..],
            b"<?xml version='1.0'?><rss>",
            b"<?xml version='1.0'?><html>",
            b"<!-- lint: off -->\n# A title",
            b"<!-- <html>",
            b"<!--!><html>",
            b"<header>",
            b"<head> is a tag of HTML",
            b"<body> is one too, as <p> is",
            b"<title> names a page",
            b"<meta> has no end </ as others",
            b"<titles>a</titles>",
            b"<HEAD>News</HEAD>\n<TEXT>a</TEXT>",
            b"<title>a</title>\n<para>b</para>",
            b"<title> a </title>\n<desc> b, a <p> c",
            b"<meta charset=a>\n<title><%= a %></title>",
            b"<meta> and other tags such as <b>a</b>",
            b"<style> and <html> are words",
            b"<script>a</script><body>a</body>",
            b"<script>let a = \"<html><body>\"</script>\n<template>a</template>",
            b"<script setup></script>\n<template>\n<Head title=\"a\" />\n</template>",
            b"<script> has <b>code</b>",
            b"<script setup>\nlet a;\n</script>\n<template><header>a</header></template>",
        ] {
            assert_eq!(told(text), None);
        }
    }

    #[test]
    fn what_may_hold_any_byte_is_told_before_what_is_no_text() {
        for (head, told) in [
            (&b"WARC/1.0\r\nContent-Length: 9\r\n\r\n\0"[..], Ok(Some(InputFormat::WARC))),
            (b"http://a.b/ 1.2.3.4 20040102030405 image/x 2\n\0\0", Ok(Some(InputFormat::ARC))),
            (b"PAR1\0", Ok(Some(InputFormat::PARQUET))),
            (b"<!doctype html>\0", Ok(Some(InputFormat::HTML))),
            (b"{\"text\":\"\0\"}", Err("binary data")),
            (b"id,text\n1,\0\n", Err("binary data")),
            (b"words\0", Err("binary data")),
            (b"words", Ok(None)),
        ] {
            assert_eq!(InputFormat::told(head), told, "{}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn a_format_is_named_as_it_prints() {
        for format in InputFormat::all() {
            assert_eq!(format.to_string().parse::<InputFormat>().unwrap(), format);
        }
        assert_eq!("wet".parse::<InputFormat>().unwrap(), InputFormat::WARC);
        let error = "doc".parse::<InputFormat>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown input format \"doc\": expected jsonl, csv, tsv, parquet, arrow, warc, arc, lines, \
             text, html or segment"
        );
    }
}
