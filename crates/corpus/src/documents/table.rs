//! The columns of a CSV or TSV file, and the fields of a row. Where a row ends is `table_cutter`'s,
//! which fields are wanted `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::escaped_fields::EscapedFields;
use crate::format::marks_length;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::{memchr, memchr_iter, memmem};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The header of a file.
#[derive(Debug)]
pub struct Table {
    names: Vec<String>,
    marks: Marks,
    /// Automata that no thread uses at the moment: making one takes as long as some rows, and copies
    /// of one (csv-core 0.1.13) do not read.
    readers: Mutex<Vec<Reader>>,
}

/// The characters that tell fields apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) delimiter: u8,
    /// None where quotes mean nothing.
    pub(crate) quote: Option<u8>,
    /// Before a quote inside quotes; where quotes mean nothing, before what would end a field or a row.
    pub(crate) escape: Option<u8>,
}

/// How fields are told apart: RFC 4180, with the characters that a table has.
pub(crate) fn reader(marks: Marks) -> Reader {
    let Marks { delimiter, quote, escape } = marks;
    let mut builder = ReaderBuilder::new();
    builder.delimiter(delimiter).escape(escape).quoting(quote.is_some());
    if let Some(quote) = quote {
        builder.quote(quote);
    }
    let mut reader = builder.build();
    begin(&mut reader);
    reader
}

/// The separator that the first line of a table names, and the bytes of that line: `sep=;`, which Excel reads and
/// which is no row.
pub(crate) fn separator(bytes: &[u8]) -> Option<(u8, usize)> {
    let quoted = bytes.strip_prefix(b"\"");
    let (key, rest) = quoted.unwrap_or(bytes).split_at_checked(b"sep=".len())?;
    let (delimiter, rest) = rest.split_first()?;
    let rest = if quoted.is_some() { rest.strip_prefix(b"\"")? } else { rest };
    let behind = [&b"\r\n"[..], b"\n", b"\r"].iter().find_map(|end| rest.strip_prefix(*end))?;
    let is_one = key.eq_ignore_ascii_case(b"sep=") && !matches!(delimiter, b'\r' | b'\n' | b'"');
    is_one.then_some((*delimiter, bytes.len() - behind.len()))
}

/// A field whose value is missing, as databases write it (MySQL, "Problems with NULL Values"; Hive, "Row Formats & SerDe").
const MISSING: &[u8] = b"\\N";

/// Where a quote closes a field of a row and text follows it, which may be the sign that another
/// quote was not meant as one.
pub(crate) fn stray_quote(row: &[u8], marks: Marks) -> Option<usize> {
    let Marks { delimiter, quote: Some(quote), escape: None } = marks else { return None };
    let mut at = 0;
    let mut begins = true;
    while let Some(byte) = row.get(at) {
        if !(begins && *byte == quote) {
            begins = *byte == delimiter;
            at += 1;
            continue;
        }
        // Behind the quotes that come twice, the one that closes.
        let closing = loop {
            at += 1 + memchr(quote, row.get(at + 1..)?)?;
            if row.get(at + 1) != Some(&quote) {
                break at;
            }
            at += 1;
        };
        match row.get(closing + 1) {
            Some(next) if *next != delimiter && !matches!(next, b'\r' | b'\n') => {
                return Some(closing);
            }
            _ => at = closing + 1,
        }
        begins = false;
    }
    None
}

/// Where a quoted field of a row ends that seems to hold rows: lines that have as many fields as the table has columns.
///
/// Tabs inside of texts are rare, and rows of tabs without quotes are not: one such line is enough between the first and
/// the last, or all lines of the row. A line with quotes has them twice, which whoever quoted the field has done.
/// With other delimiters, which texts have, the lines have to begin as rows that go on counting.
pub(crate) fn swallowed(row: &[u8], marks: Marks, columns: usize) -> Option<usize> {
    let Marks { delimiter, quote: Some(quote), .. } = marks else { return None };
    let first = memchr(b'\n', row).filter(|_| columns > 1)?;
    let own = row.get(..without_end(row))?;
    let last = own.iter().rposition(|byte| *byte == b'\n').filter(|it| *it >= first)?;
    let lines = |range: Range<usize>| own.get(range).unwrap_or_default().split(is_line_end);
    let is_row = |line: &[u8]| memchr_iter(delimiter, line).count() + 1 == columns;
    let is_swallowed = if delimiter == b'\t' {
        last > first && lines(first + 1..last).any(|line| is_row(line) && !line.contains(&quote))
            || lines(0..own.len()).all(is_row)
    } else {
        let mut before = counted(own, delimiter)?;
        lines(first + 1..own.len()).all(|line| {
            let next = counted(line, delimiter);
            let is_next = next.filter(|it| it.0 == before.0 && it.1 > before.1);
            is_row(line)
                && is_next.is_some_and(|next| {
                    before = next;
                    true
                })
        })
    };
    is_swallowed.then_some(last + 1)
}

fn is_line_end(byte: &u8) -> bool {
    *byte == b'\n'
}

/// The id that a line begins with, if it counts, such as `17` or `doc-17`: what is before its number, and the number.
fn counted(line: &[u8], delimiter: u8) -> Option<(&[u8], u64)> {
    let id = line.split(|byte| *byte == delimiter).next()?;
    let start = id.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let (name, number) = id.split_at_checked(start)?;
    Some((name, str::from_utf8(number).ok()?.parse().ok()?))
}

/// Makes a reader ready for a row: it is not to look for a byte order mark in front of it.
fn begin(reader: &mut Reader) {
    reader.reset();
    let _blank = reader.read_record(b"\n", &mut [0], &mut [0]);
}

impl Table {
    /// The table whose first row is `header`.
    pub(crate) fn new(header: &[u8], marks: Marks) -> Self {
        let mut table = Self { names: Vec::new(), marks, readers: Mutex::default() };
        let header = header.get(marks_length(header)..).unwrap_or_default();
        let named = separator(header).map_or(0, |(_, length)| length);
        let cells = table.fields(header.get(named..).unwrap_or_default());
        let name = |field| String::from_utf8_lossy(cells.get(field)).into_owned();
        table.names = (0..cells.len()).map(name).collect();
        table
    }

    /// The names of the columns. No two bytes of a header matter but those of its names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether quotes have a meaning.
    pub(crate) fn has_quotes(&self) -> bool {
        self.marks.quote.is_some()
    }

    /// The character that seems to part the fields of a table with one column, in whose name it stands.
    pub fn other_delimiter(&self) -> Option<char> {
        let [name] = &*self.names else { return None };
        [';', '\t', '|', ','].into_iter().find(|character| name.contains(*character))
    }

    /// What stands between two fields, such as a comma or a tab.
    pub fn delimiter(&self) -> u8 {
        self.marks.delimiter
    }

    /// The place of a column; of two that have one name, which no document is read of, the last, as in JSON.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().rposition(|column| column == name)
    }

    /// The character around fields; none where quotes mean nothing.
    pub(crate) fn quote(&self) -> Option<u8> {
        self.marks.quote
    }

    /// The bytes of a field of a row, its quotes included; none where the row has not so many.
    pub(crate) fn span(&self, row: &[u8], field: usize) -> Option<Range<usize>> {
        if let Some(escaped) = self.marks.escaped() {
            return escaped.spans(row).into_iter().nth(field);
        }
        let Marks { delimiter, quote, escape } = self.marks;
        let length = row.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n'));
        let (mut state, mut start, mut fields, mut at) = (Within::Begun, 0, 0, 0);
        let own = row.get(..length.map_or(0, |at| at + 1)).unwrap_or_default();
        while let Some(byte) = own.get(at) {
            state = match state {
                Within::Quoted if Some(*byte) == escape => {
                    at += 1;
                    Within::Quoted
                }
                Within::Quoted if Some(*byte) == quote => Within::Closed,
                Within::Quoted => Within::Quoted,
                Within::Begun | Within::Closed if Some(*byte) == quote => Within::Quoted,
                _ if *byte == delimiter => {
                    if fields == field {
                        return Some(start..at);
                    }
                    fields += 1;
                    start = at + 1;
                    Within::Begun
                }
                _ => Within::Plain,
            };
            at += 1;
        }
        // Of a field with line ends at its end the quote is the last byte.
        (fields == field).then_some(start..own.len())
    }

    /// A text as a field: in quotes where it needs them, or `always`. None where it needs quotes, none mean anything, and
    /// nothing escapes.
    pub(crate) fn quoted(&self, text: &str, always: bool) -> Option<Vec<u8>> {
        if let Some(escaped) = self.marks.escaped() {
            let mut field = Vec::new();
            escaped.put(text.as_bytes(), &mut field);
            return Some(field);
        }
        let Marks { delimiter, quote, escape } = self.marks;
        let special =
            |byte: u8| byte == delimiter || Some(byte) == quote || matches!(byte, b'\r' | b'\n');
        if !(always || text.bytes().any(special)) {
            return Some(text.as_bytes().to_vec());
        }
        let quote = quote?;
        let mut field = vec![quote];
        for byte in text.bytes() {
            if byte == quote || Some(byte) == escape {
                field.push(escape.unwrap_or(quote));
            }
            field.push(byte);
        }
        field.push(quote);
        Some(field)
    }

    /// A field without text that is seen in a row of its own: quotes around nothing, or a blank where none mean anything.
    pub(crate) fn empty_field(&self) -> Vec<u8> {
        self.marks.quote.map_or_else(|| vec![b' '], |quote| vec![quote; 2])
    }

    /// The fields of one row, unquoted; empty where a value is missing.
    pub(crate) fn cells(&self, row: &[u8]) -> Cells {
        let cells = self.fields(row);
        // Of a text that has the same characters some are escaped.
        let is_missing = |field: &[u8], at: usize| {
            field == MISSING && self.span(row, at).and_then(|span| row.get(span)) == Some(MISSING)
        };
        cells.without(is_missing)
    }

    /// The fields of one row, unquoted.
    fn fields(&self, row: &[u8]) -> Cells {
        if let Some(escaped) = self.marks.escaped() {
            let mut cells = Cells { bytes: Vec::with_capacity(row.len()), ends: Vec::new() };
            for span in escaped.spans(row) {
                let field = row.get(span).unwrap_or_default();
                cells.bytes.extend(escaped.unescaped(field));
                cells.ends.push(cells.bytes.len());
            }
            return cells;
        }
        let idle = self.readers().pop();
        let (mut reader, mut rest) = (idle.unwrap_or_else(|| reader(self.marks)), row);
        let mut bytes = vec![0; row.len().max(1)];
        let mut ends = vec![0; self.names.len() + 2];
        let (mut filled, mut fields) = (0, 0);
        loop {
            let free = bytes.get_mut(filled..).unwrap_or_default();
            let (result, read, written, ended) =
                reader.read_record(rest, free, ends.get_mut(fields..).unwrap_or_default());
            rest = rest.get(read..).unwrap_or_default();
            filled += written;
            fields += ended;
            match result {
                // The row is not followed by another byte: asked once more, it ends.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => bytes.resize(2 * bytes.len(), 0),
                ReadRecordResult::OutputEndsFull => ends.resize(2 * ends.len(), 0),
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        begin(&mut reader);
        self.readers().push(reader);
        bytes.truncate(filled);
        ends.truncate(fields);
        Cells { bytes, ends }
    }

    /// A thread that panicked held no automaton that is still there.
    fn readers(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a byte of a row stands.
#[derive(Clone, Copy)]
enum Within {
    /// At the start of a field.
    Begun,
    /// In a field without quotes, or behind them.
    Plain,
    Quoted,
    /// Behind a quote, which another one would make a part of the text.
    Closed,
}

/// The fields of a row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Cells {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field; empty where the row has none.
    pub(crate) fn get(&self, field: usize) -> &[u8] {
        self.span(field).and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or_default()
    }

    /// The same with nothing in the fields whose value is missing.
    fn without(self, is_missing: impl Fn(&[u8], usize) -> bool) -> Self {
        if memmem::find(&self.bytes, MISSING).is_none() {
            return self;
        }
        let mut told = Self { bytes: Vec::with_capacity(self.bytes.len()), ends: Vec::new() };
        for (at, field) in (0..self.len()).map(|at| (at, self.get(at))) {
            told.bytes.extend_from_slice(if is_missing(field, at) { b"" } else { field });
            told.ends.push(told.bytes.len());
        }
        told
    }

    /// A field on its own.
    pub(crate) fn into_field(mut self, field: usize) -> Vec<u8> {
        let (start, end) = self.span(field).unwrap_or_default();
        self.bytes.truncate(end);
        self.bytes.drain(..start.min(end));
        self.bytes
    }

    fn span(&self, field: usize) -> Option<(usize, usize)> {
        let start = match field.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        Some((start, *self.ends.get(field)?))
    }
}

impl Table {
    /// A row with further fields at its end, quoted as the table has it; its own bytes stay. Where quotes mean nothing and
    /// nothing escapes, what would end a field becomes a blank.
    #[must_use]
    pub fn with_fields(&self, row: &[u8], fields: &[&str]) -> Vec<u8> {
        let (own, line_end) = row.split_at(self.marks.without_end(row));
        let mut noted = own.to_vec();
        for field in fields {
            noted.push(self.marks.delimiter);
            self.marks.put(field.as_bytes(), &mut noted);
        }
        noted.extend_from_slice(line_end);
        noted
    }

    /// A row without the fields of these places, which ascend; its other bytes stay.
    #[must_use]
    pub fn without_fields(&self, row: &[u8], places: &[usize]) -> Vec<u8> {
        let (own, line_end) = row.split_at(self.marks.without_end(row));
        let ends = self.marks.ends(own);
        let (mut kept, mut start, mut parted) = (Vec::with_capacity(row.len()), 0, false);
        for (place, end) in ends.iter().chain([&own.len()]).enumerate() {
            if places.binary_search(&place).is_err() {
                kept.extend(parted.then_some(self.marks.delimiter));
                parted = true;
                kept.extend_from_slice(own.get(start..*end).unwrap_or_default());
            }
            start = end + 1;
        }
        kept.extend_from_slice(line_end);
        kept
    }
}

/// The bytes of a row before its line end.
fn without_end(row: &[u8]) -> usize {
    row.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |at| at + 1)
}

impl Marks {
    /// How fields are told apart where no quotes are, but an escape.
    pub(crate) fn escaped(self) -> Option<EscapedFields> {
        let Self { delimiter, quote, escape } = self;
        let escape = escape.filter(|_| quote.is_none())?;
        Some(EscapedFields { delimiter, escape })
    }

    /// The bytes of a row before its line end.
    fn without_end(self, row: &[u8]) -> usize {
        match self.escaped() {
            Some(escaped) => escaped.spans(row).last().map_or(0, |last| last.end),
            None => without_end(row),
        }
    }

    /// Appends a field, with quotes where it needs them.
    fn put(self, field: &[u8], row: &mut Vec<u8>) {
        let Self { delimiter, quote, escape } = self;
        let parts = |byte: u8| byte == delimiter || matches!(byte, b'\r' | b'\n');
        if let Some(escaped) = self.escaped() {
            return escaped.put(field, row);
        }
        let Some(quote) = quote else {
            return row.extend(field.iter().map(|byte| if parts(*byte) { b' ' } else { *byte }));
        };
        let means = |byte: u8| byte == quote || Some(byte) == escape;
        if !field.iter().any(|byte| parts(*byte) || means(*byte)) {
            return row.extend_from_slice(field);
        }
        row.push(quote);
        for byte in field {
            row.extend(means(*byte).then(|| escape.unwrap_or(quote)));
            row.push(*byte);
        }
        row.push(quote);
    }

    /// Where the fields of a row end, but for the last.
    fn ends(self, row: &[u8]) -> Vec<usize> {
        if let Some(escaped) = self.escaped() {
            let mut ends: Vec<_> = escaped.spans(row).into_iter().map(|span| span.end).collect();
            ends.pop();
            return ends;
        }
        let (mut ends, mut quoted, mut may_open, mut escaped) = (Vec::new(), false, true, false);
        let mark = marks_length(row);
        for (at, byte) in row.iter().enumerate().skip(mark) {
            match *byte {
                _ if escaped => escaped = false,
                byte if quoted && Some(byte) == self.escape => escaped = true,
                // Behind a quote that seems to close another one opens again.
                byte if quoted && Some(byte) == self.quote => (quoted, may_open) = (false, true),
                byte if may_open && Some(byte) == self.quote => quoted = true,
                byte if byte == self.delimiter && !quoted => {
                    ends.push(at);
                    may_open = true;
                }
                _ => may_open = false,
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(delimiter: u8) -> Marks {
        Marks { delimiter, quote: Some(b'"'), escape: None }
    }

    #[test]
    fn a_value_that_is_missing_is_empty() {
        let table = Table::new(b"\\N,b,c,d\n", marks(b','));
        assert_eq!(table.names(), ["\\N", "b", "c", "d"]);
        let cells = table.cells(b"\\N,\"x\\N\",\"\\N\",\\N\n");
        assert_eq!([0, 1, 2, 3].map(|at| cells.get(at)), [&b""[..], b"x\\N", b"\\N", b""]);
        assert_eq!(cells.len(), 4);
    }

    #[test]
    fn text_behind_a_closing_quote_is_found() {
        let at = |row: &str| stray_quote(row.as_bytes(), marks(b','));
        for row in
            ["", "a,b\r\n", "\"a\",\"b\"\n", "\"\",\"a \"\"b\"\"\"", "5\" disk,a\"b", "\"a\nb\",c"]
        {
            assert_eq!(at(row), None, "{row}");
        }
        assert_eq!(at("1,\"open\n2,b\n4,\"d\"\n"), Some(14));
        assert_eq!(at("\"a\"b"), Some(2));
        assert_eq!(at("\"a\" ,b"), Some(2));
        assert_eq!(at("\"open"), None);
    }

    #[test]
    fn rows_inside_of_quotes_are_found_and_texts_of_several_lines_are_not() {
        let tabs = |row: &str| swallowed(row.as_bytes(), marks(b'\t'), 2).is_some();
        assert!(tabs("1\t\"a\n2\tb\"\n") && tabs("1\t\"a\n2\tb\nc d\n4\te\"\n"));
        for text in ["1\t\"a\nb\"\n", "1\t\"a\nb\n2\tc\"\n", "1\ta\n", "1\t\"a\n\"\n", "\n"] {
            assert!(!tabs(text), "{text}");
        }
        let commas = |row: &str| swallowed(row.as_bytes(), marks(b','), 2).is_some();
        assert!(commas("1,\"a\n2,b\"\n") && commas("d-8,\"a\nd-9,b\nd-12,c\"\r\n"));
        for text in [
            "1,\"a\nb, c\"\n",
            "5,\"steps\n1,one\n2,two\"\n",
            "1,\"a\n2,b, c\"\n",
            "1,\"a\n3,b\n2,c\"\n",
            "a,\"b\nc,d\"\n",
        ] {
            assert!(!commas(text), "{text}");
        }
        assert_eq!(swallowed(b"1\ta\n2\tb\n", Marks { quote: None, ..marks(b'\t') }, 2), None);
    }

    #[test]
    fn fields_are_added_and_taken_as_the_table_has_them() {
        let table = |delimiter, quote, escape| Table::new(b"a", Marks { delimiter, quote, escape });
        let usual = table(b',', Some(b'"'), None);
        let noted = usual.with_fields(b"1,a b\r\n", &["7", "x,\"y\""]);
        assert_eq!(noted, b"1,a b,7,\"x,\"\"y\"\"\"\r\n");
        assert_eq!(usual.without_fields(&noted, &[2, 3]), b"1,a b\r\n");
        assert_eq!(usual.without_fields(&noted, &[0, 2]), b"a b,\"x,\"\"y\"\"\"\r\n");
        assert_eq!(usual.without_fields(b"5\" disk,\"a\"\",b\",c", &[2]), b"5\" disk,\"a\"\",b\"");
        assert_eq!(usual.without_fields(b",b,\n", &[1]), b",\n");
        assert_eq!(
            usual.without_fields(b"\xef\xbb\xbf\"a,b\",c\n", &[1]),
            b"\xef\xbb\xbf\"a,b\"\n"
        );
        let single = table(b';', Some(b'\''), Some(b'\\'));
        let noted = single.with_fields(b"1", &["it's;", "\\", "\""]);
        assert_eq!(noted, b"1;'it\\'s;';'\\\\';\"");
        assert_eq!(single.without_fields(&noted, &[1]), b"1;'\\\\';\"");
        let escaped = table(b'\t', None, Some(b'\\'));
        let noted = escaped.with_fields(b"1\ta\\\n\r\n", &["b\tc", "\\\""]);
        assert_eq!(noted, b"1\ta\\\n\tb\\tc\t\\\\\"\r\n");
        assert_eq!(escaped.without_fields(&noted, &[1, 2]), b"1\t\\\\\"\r\n");
        let bare = table(b'\t', None, None);
        assert_eq!(bare.with_fields(b"1\n", &["a\tb\n", "\""]), b"1\ta b \t\"\n");
    }

    fn fields(row: &str, delimiter: u8) -> Vec<String> {
        let cells = Table::new(b"a", marks(delimiter)).cells(row.as_bytes());
        (0..cells.len()).map(|at| String::from_utf8(cells.get(at).to_vec()).unwrap()).collect()
    }

    #[test]
    fn fields_lose_their_quotes() {
        assert_eq!(fields("1,\"a \"\"b\"\", c\nd\",\r\n", b','), ["1", "a \"b\", c\nd", ""]);
        assert_eq!(fields("x\ty,z", b'\t'), ["x", "y,z"]);
        assert_eq!(fields("\"\"", b','), [""]);
        assert_eq!(fields("a\"b,\"c\"d", b','), ["a\"b", "cd"]);
        assert_eq!(fields("1,2,3,4,5,6,7,8,9", b',').len(), 9);
    }

    #[test]
    fn a_header_names_columns_without_its_mark() {
        let table = Table::new(b"\xef\xbb\xbfid,\"the text\",id\r\n", marks(b','));
        assert_eq!(table.names(), ["id", "the text", "id"]);
        assert_eq!((table.column("id"), table.column("no")), (Some(2), None));
        let cells = table.cells(b"1,words,2");
        assert_eq!(cells.get(1), b"words");
        assert_eq!(cells.into_field(2), b"2");
    }
}
