//! What a format is, as far as everything but its own file needs it: its name and its shape. The formats
//! themselves, and how one is recognized, are in `formats`.

use std::fmt;

/// UTF-8 byte order mark, which some programs put at the start of a file.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes of the byte order marks in front of a text: some programs write one more before that of their input.
pub(crate) fn marks_length(bytes: &[u8]) -> usize {
    bytes.chunks(BOM.len()).take_while(|bytes| *bytes == BOM).count() * BOM.len()
}

/// How a file is cut into records: one of the formats of [`all`](Self::all).
#[derive(Clone, Copy)]
pub struct InputFormat(pub(crate) &'static Kind);

/// What a format is called, and what its files are.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Its name, and others that are taken for it.
    pub(crate) names: &'static [&'static str],
    /// What it is called in a sentence.
    pub(crate) title: &'static str,
    /// What it is, for a help page; none where nobody asks for it by its name.
    pub(crate) about: Option<&'static str>,
    /// The extensions of its files, in small letters.
    pub(crate) endings: &'static [&'static str],
    pub(crate) shape: Shape,
}

/// What the records of a format are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A JSON object a line.
    Objects,
    /// A header, and rows of fields.
    Table,
    /// Rows of typed columns, which are no bytes of their own.
    Columns,
    /// Records of a web archive, of which some are documents.
    Archive,
    /// A line of text each.
    Lines,
    /// The whole file is a text.
    Text,
    /// The whole file is a page.
    Page,
    /// Rows that nearprint wrote for itself.
    Seen,
}

impl InputFormat {
    /// Bytes of content that suffice to tell the format.
    pub(crate) const HEAD_BYTES: usize = 4096;

    /// The name, as it is parsed and printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.names.first().copied().unwrap_or_default()
    }

    /// Other names that are parsed.
    #[must_use]
    pub fn aliases(self) -> &'static [&'static str] {
        self.0.names.get(1..).unwrap_or_default()
    }

    /// A line about it for a help page; none for what a program alone asks for.
    #[must_use]
    pub fn about(self) -> Option<&'static str> {
        self.0.about
    }

    /// Whether a file is one document.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::InputFormat;
    ///
    /// assert!(InputFormat::HTML.is_whole() && !InputFormat::JSONL.is_whole());
    /// ```
    #[must_use]
    pub fn is_whole(self) -> bool {
        matches!(self.0.shape, Shape::Text | Shape::Page)
    }

    /// Whether a file has a header and rows of fields.
    #[must_use]
    pub fn is_table(self) -> bool {
        self.0.shape == Shape::Table
    }

    /// Whether rows lie in typed columns, as in Parquet.
    #[must_use]
    pub fn is_columns(self) -> bool {
        self.0.shape == Shape::Columns
    }

    /// Whether a record has named fields.
    #[must_use]
    pub fn is_rows(self) -> bool {
        matches!(self.0.shape, Shape::Objects | Shape::Table | Shape::Columns)
    }

    /// Whether a file is a web archive, of whose records some are documents.
    #[must_use]
    pub fn is_archive(self) -> bool {
        self.0.shape == Shape::Archive
    }

    /// Whether its files are texts, whose character set nothing in them need name.
    pub(crate) fn is_text(self) -> bool {
        matches!(self.0.shape, Shape::Objects | Shape::Table | Shape::Lines | Shape::Text)
    }

    /// Whether every record is a line.
    pub(crate) fn is_by_line(self) -> bool {
        matches!(self.0.shape, Shape::Objects | Shape::Lines)
    }

    /// Whether every line is a document.
    #[must_use]
    pub fn is_lines(self) -> bool {
        self.0.shape == Shape::Lines
    }

    /// Whether a file is one HTML page.
    #[must_use]
    pub fn is_page(self) -> bool {
        self.0.shape == Shape::Page
    }

    /// Whether records are rows that an earlier run left of its documents.
    #[must_use]
    pub fn is_seen(self) -> bool {
        self.0.shape == Shape::Seen
    }

    /// What it is called in a sentence.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// How the names of its files usually end; those of lines as those of other texts.
    pub(crate) fn ending(self) -> &'static str {
        self.0.endings.first().copied().unwrap_or("txt")
    }

    pub(crate) fn shape(self) -> Shape {
        self.0.shape
    }
}

impl PartialEq for InputFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for InputFormat {}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
