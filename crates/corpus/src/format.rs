//! The formats that inputs come in, and how one is told. Reading a format is `stream`'s.

use crate::compression::Compression;
use crate::error::Error;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// How a file is cut into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// One JSON object a line.
    Jsonl,
    /// A header and rows of comma-separated fields (RFC 4180).
    Csv,
    /// The same with tabs.
    Tsv,
    /// Every line is one document.
    Lines,
    /// WARC records: responses with their pages, or conversions (WET) with their texts.
    Warc,
    /// The whole file is one document.
    Text,
    /// The whole file is one HTML page.
    Html,
    /// Rows that nearprint wrote for itself: one JSON object a line, no document of its own.
    Segment,
}

/// UTF-8 byte order mark, which some programs put at the start of a file.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

impl InputFormat {
    /// Bytes of content that suffice to tell the format.
    pub(crate) const HEAD_BYTES: usize = 4096;

    /// The format that a file name tells: `.jsonl`, `.ndjson` and `.json` are JSONL, and so is
    /// `.parquet` once it is decoded; `.csv` and `.tsv` are tables; `.warc`, `.wet`
    /// and `.wat` are WARC; `.html`, `.htm` and `.xhtml` are HTML; `.seg` is a segment; `.txt`, `.md` and
    /// others of their kind are text. Any other extension tells nothing, nor does none. A `.gz`, `.zst`,
    /// `.bz2` or `.xz` behind it is passed over.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::path::Path;
    /// use nearprint_corpus::InputFormat;
    ///
    /// assert_eq!(InputFormat::of_name(Path::new("a.json.gz")), Some(InputFormat::Jsonl));
    /// assert_eq!(InputFormat::of_name(Path::new("a.md")), Some(InputFormat::Text));
    /// assert_eq!(InputFormat::of_name(Path::new("part-00000.zst")), None);
    /// assert_eq!(InputFormat::of_name(Path::new("dump.jsonl.bak")), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = Path::new(path.file_name()?);
        let name = match Compression::of_name(name) {
            Compression::None | Compression::Parquet => name,
            _ => Path::new(name.file_stem()?),
        };
        let extension = name.extension()?.to_string_lossy().to_ascii_lowercase();
        match extension.as_str() {
            "jsonl" | "ndjson" | "json" | "parquet" => Some(Self::Jsonl),
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "warc" | "wet" | "wat" => Some(Self::Warc),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "seg" => Some(Self::Segment),
            "txt" | "text" | "md" | "markdown" | "rst" | "adoc" | "org" | "tex" => Some(Self::Text),
            _ => None,
        }
    }

    /// The format that the first bytes of a file tell: JSONL if the first that are no white space
    /// open an object, or if there are none (JSONL of no record); HTML if a doctype or `<html>` comes first; WARC if a record does;
    /// text otherwise.
    pub(crate) fn of_content(head: &[u8]) -> Self {
        let head = head.strip_prefix(BOM).unwrap_or(head);
        let head = head.trim_ascii_start();
        let opens =
            |tag: &[u8]| head.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        match head.first() {
            None => Self::Jsonl,
            Some(b'{') if opens_object(head) => Self::Jsonl,
            Some(_) if head.starts_with(b"WARC/1.") => Self::Warc,
            Some(_) if opens(b"<!doctype html") || opens(b"<html") => Self::Html,
            Some(_) => Self::Text,
        }
    }

    /// Whether a file is one document.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::InputFormat;
    ///
    /// assert!(InputFormat::Html.is_whole() && !InputFormat::Jsonl.is_whole());
    /// ```
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Text | Self::Html)
    }

    /// Whether a file has a header and rows of fields.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Whether a record has named fields.
    pub fn is_rows(self) -> bool {
        self == Self::Jsonl || self.is_table()
    }

    /// What records of this format are in one file with others: whole files become rows of JSON.
    pub(crate) fn joined(self) -> Self {
        if self.is_whole() { Self::Jsonl } else { self }
    }
}

/// Whether what opens with `{` is no template (`{{`, `{%`, `{#`) and no rich text (`{\rtf`).
fn opens_object(head: &[u8]) -> bool {
    !matches!(head.get(1), Some(b'{' | b'%' | b'#' | b'\\'))
}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Lines => "lines",
            Self::Warc => "warc",
            Self::Text => "text",
            Self::Html => "html",
            Self::Segment => "segment",
        })
    }
}

impl FromStr for InputFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "jsonl" => Ok(Self::Jsonl),
            "csv" => Ok(Self::Csv),
            "tsv" => Ok(Self::Tsv),
            "lines" => Ok(Self::Lines),
            "warc" => Ok(Self::Warc),
            "text" => Ok(Self::Text),
            "html" => Ok(Self::Html),
            _ => Err(Error::UnknownFormat { found: name.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_format() {
        let told = |name: &str| InputFormat::of_name(Path::new(name));
        for name in [
            "a.jsonl",
            "a.parquet",
            "a.ndjson",
            "a.JSON",
            "a.jsonl.gz",
            "b/a.json.zst",
            "a.json.xz",
        ] {
            assert_eq!(told(name), Some(InputFormat::Jsonl), "{name}");
        }
        assert_eq!(told("a.csv.zst"), Some(InputFormat::Csv));
        assert_eq!(told("a.TSV"), Some(InputFormat::Tsv));
        assert_eq!(told("a.warc.gz"), Some(InputFormat::Warc));
        assert_eq!(told("a.warc.wet.gz"), Some(InputFormat::Warc));
        for name in ["a.txt", "a.md.gz", "a.txt.bz2", "a.jsonl/b.txt"] {
            assert_eq!(told(name), Some(InputFormat::Text), "{name}");
        }
        for name in ["a.html", "a.HTM.gz", "b/a.xhtml"] {
            assert_eq!(told(name), Some(InputFormat::Html), "{name}");
        }
        assert_eq!(told("a.seg"), Some(InputFormat::Segment));
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
        assert_eq!(InputFormat::of_content(b"\xef\xbb\xbf \r\n\t{\"a\""), InputFormat::Jsonl);
        assert_eq!(InputFormat::of_content(b" \n"), InputFormat::Jsonl);
        assert_eq!(InputFormat::of_content(b"WARC/1.0\r\n"), InputFormat::Warc);
        assert_eq!(InputFormat::of_content(b" [1]"), InputFormat::Text);
        assert_eq!(InputFormat::of_content(b"Once {"), InputFormat::Text);
        for json in [&b"{"[..], b"{ \n \"a\": 1", b"{}", b"{'id': 1}"] {
            assert_eq!(InputFormat::of_content(json), InputFormat::Jsonl);
        }
        for text in [&b"{{ title }}"[..], b"{% if x %}", b"{\\rtf1"] {
            assert_eq!(InputFormat::of_content(text), InputFormat::Text);
        }
        assert_eq!(InputFormat::of_content(b"\n<!DOCTYPE HTML PUBLIC"), InputFormat::Html);
        assert_eq!(InputFormat::of_content(b"<html lang=en>"), InputFormat::Html);
        assert_eq!(InputFormat::of_content(b"<p>html"), InputFormat::Text);
    }

    #[test]
    fn a_format_is_named_as_it_prints() {
        for format in [
            InputFormat::Jsonl,
            InputFormat::Csv,
            InputFormat::Tsv,
            InputFormat::Lines,
            InputFormat::Warc,
            InputFormat::Text,
            InputFormat::Html,
        ] {
            assert_eq!(format.to_string().parse::<InputFormat>().unwrap(), format);
        }
        let error = "doc".parse::<InputFormat>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown input format \"doc\": expected jsonl, csv, tsv, warc, lines, text or html"
        );
    }
}
