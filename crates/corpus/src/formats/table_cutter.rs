//! The ends of the rows of CSV and TSV. The fields of a row are `table`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::escaped_fields::Before;
use crate::documents::table::{Marks, Table, reader, separator, stray_quote, swallowed};
use crate::fault::Fault;
use crate::format::{BOM, marks_length};
use crate::formats::cutter::Cutter;
use crate::records::cut::{Cut, What};
use crate::records::dialect::{Dialect, Quote};
use crate::within::within;
use csv_core::{ReadRecordResult, Reader};
use memchr::{memchr, memchr_iter, memchr2};
use std::mem;
use std::sync::Arc;

/// Bytes of a line that names the separator.
const SEPARATOR: usize = 9;

/// Finds the ends of rows by the same automaton that reads their fields. The first row is the header.
pub(crate) struct TableCutter {
    reader: Reader,
    /// Bytes that a row may have: what is wrong with the quotes of a longer one is not asked, as not all of it may be there.
    limit: usize,
    marks: Marks,
    /// What usually parts the fields, for a table whose header lacks the delimiter that whoever reads it named; none where
    /// nobody named one.
    usual: Option<u8>,
    /// Whether rows are looked for inside of quotes: nobody said that the table has these.
    is_guessed: bool,
    table: Option<Arc<Table>>,
    /// What the last byte of a row so far was, where no quotes are.
    before: Before,
    /// The row has ended with a carriage return that came last: a line feed may follow.
    returned: bool,
    /// The header ends with a carriage return alone: lines do.
    returns: bool,
    /// Part of a row was shown.
    inside: bool,
    /// What is shown is not the start of the row.
    partial: bool,
    /// Where the automaton leaves fields, which nobody reads here.
    fields: Vec<u8>,
    ends: Vec<usize>,
}

impl TableCutter {
    /// A table whose fields a delimiter parts, unless its dialect names another, which its header has. A row may have
    /// `limit` bytes.
    pub(crate) fn new(delimiter: u8, dialect: Dialect, limit: usize) -> Self {
        let Dialect { delimiter: own, quote, escape, .. } = dialect;
        let is_guessed = quote == Quote::Double;
        let usual = own.map(|_| delimiter);
        let delimiter = own.unwrap_or(delimiter);
        let marks = Marks { delimiter, quote: quote.byte(), escape };
        let (fields, ends) = (vec![0; 1 << 12], vec![0; 1 << 8]);
        let reader = reader(marks);
        let (table, before, returned, inside, partial) = (None, Before::Any, false, false, false);
        let returns = false;
        Self {
            reader,
            limit,
            marks,
            usual,
            is_guessed,
            table,
            before,
            returned,
            returns,
            inside,
            partial,
            fields,
            ends,
        }
    }
}

impl Cutter for TableCutter {
    fn table(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }

    fn awaits_header(&self) -> bool {
        self.table.is_none()
    }

    fn pass_over(&mut self) {
        self.partial = true;
    }

    fn cut(&mut self, bytes: &[u8], seen: usize, ended: bool) -> Option<Cut> {
        let cut = self.cut_by_marks(bytes, seen, ended)?;
        let header = matches!(cut.what, What::Carried).then(|| within(bytes, ..cut.bytes));
        let Some(marks) = header.and_then(|header| self.usual_marks(header)) else {
            return Some(cut);
        };
        // Quotes may stand elsewhere between other delimiters: the header is cut anew.
        (self.marks, self.reader, self.usual) = (marks, reader(marks), None);
        (self.table, self.before) = (None, Before::Any);
        self.cut_by_marks(bytes, 0, ended)
    }
}

impl TableCutter {
    /// The marks of a table whose header lacks the delimiter that was named, and has the usual one between names: what has a
    /// blank beside it stands within one, and what ends the header parts nothing.
    fn usual_marks(&self, header: &[u8]) -> Option<Marks> {
        let Marks { quote, escape, .. } = self.marks;
        let delimiter = self.usual.filter(|usual| ![quote, escape].contains(&Some(*usual)))?;
        let marks = Marks { delimiter, ..self.marks };
        let is_one = self.table.as_ref().is_some_and(|table| table.names().len() == 1);
        let table = Table::new(header, marks);
        let names = table.names();
        let named = names.iter().rposition(|name| !name.is_empty());
        let is_bare = |name: &String| name.trim_matches([' ', '\t']).len() == name.len();
        let is_parted = || named.is_some_and(|last| last > 0) && names.iter().all(is_bare);
        (is_one && is_parted()).then_some(marks)
    }

    /// The first thing in `bytes`, as [`cut`](Cutter::cut) has it, by the marks that the table has so far.
    fn cut_by_marks(&mut self, bytes: &[u8], seen: usize, ended: bool) -> Option<Cut> {
        if self.returned {
            self.returned = false;
            let line_feed = bytes.get(seen) == Some(&b'\n');
            return Some(self.row(bytes, seen + usize::from(line_feed)));
        }
        let mut at = seen;
        if !self.inside {
            if self.table.is_none() && !ended && bytes.len() < BOM.len() && BOM.starts_with(bytes) {
                return None;
            }
            at = if self.table.is_none() { marks_length(bytes) } else { 0 };
            if self.table.is_none() {
                match separator(within(bytes, at..)) {
                    // It may go on.
                    None if !ended && bytes.len() - at < SEPARATOR => return None,
                    None => {}
                    Some((delimiter, length)) => {
                        if let Some(usual) = &mut self.usual {
                            *usual = delimiter;
                        } else {
                            self.marks.delimiter = delimiter;
                            self.reader = reader(self.marks);
                        }
                        at += length;
                    }
                }
            }
            let rest = within(bytes, at..);
            let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if rest.is_empty() && !ended {
                return None;
            }
            if blank > 0 || rest.is_empty() {
                let bytes = at + blank;
                let lines = self.line_ends(within(rest, ..blank));
                return Some(Cut { bytes, lines, what: What::Nothing });
            }
        }
        loop {
            let rest = within(bytes, at..);
            if rest.is_empty() {
                break;
            }
            let (is_row, used) = self.read(rest);
            at += used;
            if is_row {
                let returned = bytes.get(at.saturating_sub(1)) == Some(&b'\r');
                match bytes.get(at) {
                    None if returned && !ended => {
                        self.returned = true;
                        return None;
                    }
                    Some(b'\n') if returned => at += 1,
                    _ => {}
                }
                return Some(self.row(bytes, at));
            }
        }
        if !ended {
            self.inside = true;
            return None;
        }
        // A line end closes any field but a quoted one.
        let is_closed = self.marks.escaped().is_some() || self.read(b"\n").0;
        if !is_closed {
            let whole = Cut {
                bytes: bytes.len(),
                lines: self.line_ends(bytes),
                what: What::Broken(Fault::OpenQuote),
            };
            return Some(if self.partial || bytes.len() > self.limit {
                whole
            } else {
                self.first_line(bytes, Fault::OpenQuote)
            });
        }
        Some(self.row(bytes, bytes.len()))
    }

    /// Goes on in a row; whether it ends, and behind how many of these bytes.
    fn read(&mut self, bytes: &[u8]) -> (bool, usize) {
        if let Some(escaped) = self.marks.escaped() {
            let end = escaped.row_end(bytes, &mut self.before);
            return (end.is_some(), end.unwrap_or(bytes.len()));
        }
        let (result, used, ..) = self.reader.read_record(bytes, &mut self.fields, &mut self.ends);
        (matches!(result, ReadRecordResult::Record), used)
    }

    fn row(&mut self, bytes: &[u8], end: usize) -> Cut {
        let row = within(bytes, ..end);
        let partial = mem::take(&mut self.partial) || end > self.limit;
        if let Some(table) = self.table.as_ref().filter(|_| !partial) {
            if let Some(at) = stray_quote(row, self.marks) {
                let lines = self.line_ends(within(row, ..at));
                return self.first_line(row, Fault::StrayQuote(lines));
            }
            let columns = table.names().len();
            if let Some(at) = swallowed(row, self.marks, columns).filter(|_| self.is_guessed) {
                let lines = self.line_ends(within(row, ..at));
                return self.first_line(row, Fault::Swallowed(lines));
            }
        }
        self.inside = false;
        let what = if self.table.is_some() {
            What::Record
        } else {
            self.table = Some(Arc::new(Table::new(row, self.marks)));
            self.returns = row.ends_with(b"\r");
            What::Carried
        };
        Cut { bytes: end, lines: self.line_ends(row), what }
    }

    /// Gives up a row at the end of its first line: its quotes do not say where it ends, and the next
    /// line may begin a row.
    fn first_line(&mut self, bytes: &[u8], fault: Fault) -> Cut {
        self.inside = false;
        self.reader = reader(self.marks);
        let end = match self.returns {
            true => memchr2(b'\r', b'\n', bytes),
            false => memchr(b'\n', bytes).or_else(|| memchr(b'\r', bytes)),
        };
        let end = end.map_or(bytes.len(), |at| at + 1);
        Cut { bytes: end, lines: self.line_ends(within(bytes, ..end)), what: What::Broken(fault) }
    }

    /// The lines that end in these bytes.
    fn line_ends(&self, bytes: &[u8]) -> u64 {
        let feeds = memchr_iter(b'\n', bytes).count();
        let alone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
        let returns =
            if self.returns { memchr_iter(b'\r', bytes).filter(alone).count() } else { 0 };
        (feeds + returns) as u64
    }
}

/// Whether content begins with the header of a table: short names with `text` among them, or names without blanks with
/// `id`, or one of both in other letters, among them; and a row behind them, in the second case of as many fields. Where no
/// row follows, all names are without blanks: few texts are one line of such. Its line may end with the content.
pub(crate) fn is_header(head: &[u8], delimiter: u8) -> bool {
    let Begun { header, row, names } = Begun::of(head, delimiter);
    let has = |name: &str| names.iter().any(|it| it.eq_ignore_ascii_case(name.as_bytes()));
    let has_either = has("text") || has("id");
    let is_name = |name: &&[u8]| {
        !name.is_empty()
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte))
    };
    let is_bare = || memchr(b' ', header).is_none() && names.iter().all(is_name);
    let is_table = || is_bare() && memchr_iter(delimiter, row).count() + 1 >= names.len();
    are_short(&names)
        && match row {
            [] => has_either && is_bare(),
            _ => names.contains(&b"text".as_slice()) || has_either && is_table(),
        }
}

/// Whether content begins as rows that are written so: short names of several columns without blanks, and a row of several
/// fields where one follows.
pub(crate) fn begins_rows(head: &[u8], dialect: Dialect) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    let delimiter = dialect.delimiter.unwrap_or(b',');
    let Begun { row, names, .. } = Begun::of(head, delimiter);
    let is_bare = |name: &&[u8]| !name.iter().any(u8::is_ascii_whitespace);
    are_short(&names) && names.iter().all(is_bare) && (row.is_empty() || row.contains(&delimiter))
}

/// Whether names are those of several columns.
fn are_short(names: &[&[u8]]) -> bool {
    /// Bytes of a name, at most.
    const LONGEST: usize = 64;
    names.len() > 1 && names.iter().all(|it| it.len() <= LONGEST)
}

/// How a table begins.
struct Begun<'a> {
    header: &'a [u8],
    /// The first line behind it, which is empty where nothing follows.
    row: &'a [u8],
    names: Vec<&'a [u8]>,
}

impl<'a> Begun<'a> {
    fn of(head: &'a [u8], delimiter: u8) -> Self {
        let head = separator(head).map_or(head, |(_, length)| within(head, length..));
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let line = |bytes: &'a [u8]| bytes.split(is_end).next().unwrap_or_default();
        let header = line(head);
        let behind = within(head, header.len()..);
        let blank = behind.iter().take_while(|byte| is_end(byte)).count();
        let is_alone = behind.trim_ascii().is_empty();
        let row = if is_alone { &[] } else { line(within(behind, blank..)) };
        let unquoted = |name: &'a [u8]| {
            let within = |quote: &[u8]| name.strip_prefix(quote)?.strip_suffix(quote);
            within(b"\"").or_else(|| within(b"'")).unwrap_or(name)
        };
        let names = header.split(|byte| *byte == delimiter);
        let names = names.map(|name| unquoted(name.trim_ascii())).collect();
        Self { header, row, names }
    }
}
