//! What is written beside a document: a field of its row, or columns of its table. What it says is `note`'s, or that of
//! another room.

use memchr::memmem;
use nearprint_corpus::{NewCell, NewColumn, Table};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// What is written beside a document.
pub(crate) trait Annotation {
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

    /// A row of JSON, which is an object, with the note as its last field, in place of one that an earlier run wrote;
    /// its other bytes stay. The field is the first of [`names`] that the row does not have.
    #[must_use]
    fn on_object(&self, row: &[u8]) -> (Vec<u8>, Manner) {
        let (own, name) = without_note(row, Self::is_own);
        let manner = Manner { renamed: name != USUAL, replaced: own.len() != row.len() };
        let row = own;
        let end = row.iter().rposition(|byte| *byte == b'}').unwrap_or(row.len());
        let (fields, rest) = row.split_at(end);
        let comma = if fields.trim_ascii_end().ends_with(b"{") { "" } else { "," };
        let key = format!("{comma}\"{name}\":");
        let noted = [fields, key.as_bytes(), self.json().as_bytes(), rest].concat();
        (noted, manner)
    }

    /// A record of WARC with a field of its head for each cell that applies, such as `Nearprint-Copies: 4`, in place of
    /// those that an earlier run wrote; its other bytes stay.
    #[must_use]
    fn on_capture(&self, record: &[u8]) -> (Vec<u8>, Manner) {
        let ends = [&b"\r\n"[..], b"\n"].map(|end| (memmem::find(record, &end.repeat(2)), end));
        let first = ends.into_iter().filter_map(|(at, end)| Some((at?, end))).min();
        let Some((head, line_end)) = first else { return (record.to_vec(), Manner::default()) };
        let (head, rest) = record.split_at(head);
        let names: Vec<String> =
            Self::COLUMNS.iter().map(|column| field_name(column.name)).collect();
        let is_own = |line: &[u8]| {
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
            names.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(name))
        };
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let mut left = head;
        while !left.is_empty() {
            let end = memmem::find(left, line_end).unwrap_or(left.len());
            let (line, behind) = left.split_at(end);
            lines.push(line.to_vec());
            left = behind.get(line_end.len()..).unwrap_or_default();
        }
        let before = lines.len();
        lines.retain(|line| !is_own(line));
        let manner = Manner { renamed: false, replaced: lines.len() < before };
        for (name, text) in names.iter().zip(self.texts()).filter(|(_, text)| !text.is_empty()) {
            let text = text.replace(char::is_control, " ");
            lines.push(format!("{name}: {text}").into_bytes());
        }
        ([lines.join(line_end).as_slice(), rest].concat(), manner)
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

/// How a note came to stand beside a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manner {
    /// Whether it has another name than the usual one.
    pub(crate) renamed: bool,
    /// Whether it is in the place of one that an earlier run wrote.
    pub(crate) replaced: bool,
}

/// The field of a head for a column: `Nearprint-Copies` for `nearprint_copies`.
fn field_name(column: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    };
    column.split('_').map(capital).collect::<Vec<_>>().join("-")
}

/// A row of a table, without the note of an earlier run in the columns of these places.
fn own_cells<'a>(table: &Table, row: &'a [u8], earlier: &[usize]) -> Cow<'a, [u8]> {
    match earlier {
        [] => Cow::Borrowed(row),
        earlier => Cow::Owned(table.without_fields(row, earlier)),
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

/// The field of a note.
pub(crate) const USUAL: &str = "nearprint";

/// What the field of a note may be called, the first that is free.
fn names() -> impl Iterator<Item = String> {
    let others = (2..).map(|number| format!("{USUAL}_note_{number}"));
    [USUAL.to_owned(), format!("{USUAL}_note")].into_iter().chain(others)
}

/// A row of JSON without the notes that earlier runs wrote into it, and the name that a note has in it.
fn without_note(row: &[u8], is_own: fn(&RawValue) -> bool) -> (Cow<'_, [u8]>, String) {
    let key = format!("\"{USUAL}");
    // A letter of a key may be escaped.
    let may_be_there = [key.as_bytes(), b"\\u00"].iter().any(|it| memmem::find(row, it).is_some());
    if !may_be_there {
        return (Cow::Borrowed(row), USUAL.to_owned());
    }
    let (mut row, mut names) = (Cow::Borrowed(row), names());
    let mut name = names.next().unwrap_or_default();
    while let Some(Members(members)) = Members::of(&row) {
        let named = || members.iter().enumerate().filter(|(_, member)| member.key == name);
        if let Some((at, _)) = named().find(|(_, member)| is_own(member.value)) {
            let without = without_member(&row, &members, at);
            row = without.into();
        } else if named().next().is_some() {
            name = names.next().unwrap_or_default();
        } else {
            break;
        }
    }
    (row, name)
}

/// A member of an object, as it stands.
struct Member<'a> {
    key: Cow<'a, str>,
    value: &'a RawValue,
}

/// The members of an object in their order.
struct Members<'a>(Vec<Member<'a>>);

impl<'a> Members<'a> {
    fn of(row: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(row).ok()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Vec<Member<'de>>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    members.push(Member { key, value });
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Each).map(Self)
    }
}

/// A key, borrowed where it has no escape.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A row without the member at a place, and without the comma that parts it from the others.
fn without_member(row: &[u8], members: &[Member<'_>], at: usize) -> Vec<u8> {
    let end_of = |member: &Member<'_>| {
        let value = member.value.get();
        value.as_ptr().addr() - row.as_ptr().addr() + value.len()
    };
    let begin = row.iter().position(|byte| *byte == b'{').map_or(0, |brace| brace + 1);
    let before = at.checked_sub(1).and_then(|before| members.get(before)).map(end_of);
    let end = members.get(at).map_or(begin, end_of);
    let mut rest = row.get(end..).unwrap_or_default();
    if before.is_none() && at + 1 < members.len() {
        // The comma stands behind the first member.
        let comma = rest.iter().position(|byte| *byte == b',').map_or(0, |comma| comma + 1);
        rest = rest.get(comma..).unwrap_or_default();
    }
    [row.get(..before.unwrap_or(begin)).unwrap_or_default(), rest].concat()
}
