//! What is written beside a document: a field of its row, or columns of its table. What it says is `note`'s, or that of
//! another room.

use crate::write::note_names::{Form, Manner, Taken, on_head, without_notes};
use nearprint_corpus::{NewCell, NewColumn, Table};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What is written beside a document.
pub(crate) trait Annotation: Sized {
    /// The columns of a table that hold it.
    const COLUMNS: &'static [NewColumn];

    /// The same by other names, for tables that have columns of these names: behind `nearprint_note_`, then behind
    /// `nearprint_note_2_`.
    const OTHERS: &'static [&'static [NewColumn]];

    /// How many of the columns, the first ones, all notes have.
    const EVER: usize = Self::COLUMNS.len();

    /// The cells of these columns; those that do not apply are empty.
    fn cells(&self) -> Vec<NewCell<'_>>;

    /// As an object of JSON.
    fn json(&self) -> String;

    /// Whether a value is such an object, of this or an earlier version, or one with other settings.
    fn is_own(value: &RawValue) -> bool;

    /// The columns by the usual name, then those by others.
    #[must_use]
    fn columns(number: usize) -> &'static [NewColumn] {
        match number.checked_sub(1) {
            None => Self::COLUMNS,
            Some(other) => Self::OTHERS.get(other).copied().unwrap_or_default(),
        }
    }

    /// The same of notes with any settings.
    #[must_use]
    fn any_columns(number: usize) -> &'static [NewColumn] {
        Self::columns(number)
    }

    /// What tells notes where they are no columns.
    #[must_use]
    fn form() -> Form {
        let (columns, any_columns) = (Self::columns(0), Self::any_columns(0));
        Form { is_own: Self::is_own, columns, any_columns, ever: Self::EVER }
    }

    /// A row of JSON, which is an object, with the note as its last field, in place of one that an earlier run wrote;
    /// its other bytes stay. The field is the first that is not `taken`, and that nothing else has in the row.
    #[must_use]
    fn on_object(&self, row: &[u8], taken: Taken) -> (Vec<u8>, Manner) {
        let (row, name, manner) = without_notes(row, Self::is_own, taken);
        let end = row.iter().rposition(|byte| *byte == b'}').unwrap_or(row.len());
        let (fields, rest) = row.split_at(end);
        let comma = if fields.trim_ascii_end().ends_with(b"{") { "" } else { "," };
        let key = format!("{comma}\"{name}\":");
        let noted = [fields, key.as_bytes(), self.json().as_bytes(), rest].concat();
        (noted, manner)
    }

    /// A record of WARC with a field of its head for each cell that applies, such as `Nearprint-Copies: 4`, in place of
    /// those that an earlier run wrote; its other bytes stay. Fields are named as those of [rows](Self::on_object) are.
    #[must_use]
    fn on_capture(&self, record: &[u8], taken: Taken) -> (Vec<u8>, Manner) {
        on_head(Self::form(), record, &self.texts(), taken)
    }

    /// Its cells as texts; those that do not apply are empty.
    #[must_use]
    fn texts(&self) -> Vec<String> {
        let text = |cell| match cell {
            NewCell::Empty => String::new(),
            NewCell::Integer(number) => number.to_string(),
            NewCell::Real(number) => format!("{number:.4}"),
            NewCell::Truth(truth) => truth.to_string(),
            NewCell::Text(text) => text.into_owned(),
        };
        self.cells().into_iter().map(text).collect()
    }

    /// A row of a table with the note in its last columns, in place of one that an earlier run wrote; its other bytes
    /// stay.
    #[must_use]
    fn on_cells(&self, table: &Table, row: &[u8], columns: &Columns) -> Vec<u8> {
        let texts = self.texts();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        table.with_fields(&own_cells(table, row, &columns.earlier), &texts)
    }
}

/// The header of a table whose rows have notes in these columns.
#[must_use]
pub(crate) fn on_header(table: &Table, header: &[u8], columns: &Columns) -> Vec<u8> {
    let names: Vec<&str> = columns.columns.iter().map(|column| column.name).collect();
    table.with_fields(&own_cells(table, header, &columns.earlier), &names)
}

/// A row of a table, without the note of an earlier run in the columns of these places.
fn own_cells<'a>(table: &Table, row: &'a [u8], earlier: &[usize]) -> Cow<'a, [u8]> {
    match earlier {
        [] => Cow::Borrowed(row),
        earlier => Cow::Owned(table.without_fields(row, earlier)),
    }
}

impl Columns {
    /// Those that a note with any settings has by the same names.
    pub(crate) fn any<N: Annotation>(&self) -> impl Iterator<Item = &'static NewColumn> {
        let is_same = |number: &usize| N::columns(*number) == self.columns;
        let number = (0..=N::OTHERS.len()).find(is_same).unwrap_or_default();
        N::any_columns(number).iter()
    }
}

/// Where a note goes in a table or a file of columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Columns {
    /// Its columns.
    pub(crate) columns: &'static [NewColumn],
    /// The places of columns of an earlier note, which goes; ascending.
    pub(crate) earlier: Vec<usize>,
    /// Whether there are columns by the usual names that are no note.
    pub(crate) renamed: bool,
}
