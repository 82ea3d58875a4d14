//! What is written beside a document: a field of its row, or columns of its table. What it says is `note`'s, or that of
//! another room.

use memchr::memmem;
use nearprint_corpus::{NewCell, NewColumn, Table, with_fields, without_fields};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// What is written beside a document.
pub(crate) trait Annotation {
    /// The columns of a table that hold it.
    const COLUMNS: &'static [NewColumn];

    /// The cells of these columns; those that do not apply are empty.
    fn cells(&self) -> Vec<NewCell<'_>>;

    /// As an object of JSON.
    fn json(&self) -> String;

    /// Whether a value is such an object, of this or an earlier version.
    fn is_own(value: &RawValue) -> bool;

    /// A row of JSON, which is an object, with the note as its last field, in place of one that an earlier run wrote;
    /// its other bytes stay. The field is the first of [`names`] that the row does not have; and whether it is another
    /// than the usual one.
    #[must_use]
    fn on_object(&self, row: &[u8]) -> (Vec<u8>, bool) {
        let (row, name) = without_note(row, Self::is_own);
        let end = row.iter().rposition(|byte| *byte == b'}').unwrap_or(row.len());
        let (fields, rest) = row.split_at(end);
        let comma = if fields.trim_ascii_end().ends_with(b"{") { "" } else { "," };
        let key = format!("{comma}\"{name}\":");
        let noted = [fields, key.as_bytes(), self.json().as_bytes(), rest].concat();
        (noted, name != USUAL)
    }

    /// A row of a table with the note in its last [columns](Self::COLUMNS), those that do not apply
    /// empty; its other bytes stay.
    #[must_use]
    fn on_cells(&self, row: &[u8], delimiter: u8) -> Vec<u8> {
        let cells = self.cells().into_iter().map(|cell| match cell {
            NewCell::Empty => String::new(),
            NewCell::Integer(number) => number.to_string(),
            NewCell::Real(number) => format!("{number:.4}"),
            NewCell::Truth(truth) => truth.to_string(),
            NewCell::Text(text) => text.into_owned(),
        });
        let cells: Vec<String> = cells.collect();
        with_fields(row, delimiter, &cells.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// A row of a table, without the note of an earlier run where that is in its last columns: notes of earlier
    /// versions have fewer.
    fn own_cells<'a>(table: &Table, row: &'a [u8]) -> Cow<'a, [u8]> {
        let is_note = |name: &&String| Self::COLUMNS.iter().any(|column| column.name == **name);
        match table.names().iter().rev().take_while(is_note).count() {
            0 => Cow::Borrowed(row),
            noted => Cow::Owned(without_fields(row, table.delimiter(), noted)),
        }
    }

    /// The header of a table whose rows have notes.
    fn on_header(table: &Table, header: &[u8]) -> Vec<u8> {
        let names: Vec<&str> = Self::COLUMNS.iter().map(|column| column.name).collect();
        with_fields(&Self::own_cells(table, header), table.delimiter(), &names)
    }
}

/// The field of a note.
pub(crate) const USUAL: &str = "nearprint";

/// What the field of a note may be called, the first that is free.
fn names() -> impl Iterator<Item = String> {
    let others = (2..).map(|number| format!("{USUAL}_note_{number}"));
    [USUAL.to_owned(), format!("{USUAL}_note")].into_iter().chain(others)
}

/// A row of JSON without the note that an earlier run wrote into it, and the name that a note has in it.
fn without_note(row: &[u8], is_own: fn(&RawValue) -> bool) -> (Cow<'_, [u8]>, String) {
    let key = format!("\"{USUAL}");
    let members = memmem::find(row, key.as_bytes()).and_then(|_| Members::of(row));
    let Some(Members(members)) = members else { return (Cow::Borrowed(row), USUAL.to_owned()) };
    for name in names() {
        let Some(at) = members.iter().position(|member| member.key == name) else {
            return (Cow::Borrowed(row), name);
        };
        if members.get(at).is_some_and(|member| is_own(member.value)) {
            return (without_member(row, &members, at).into(), name);
        }
    }
    (Cow::Borrowed(row), USUAL.to_owned())
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
