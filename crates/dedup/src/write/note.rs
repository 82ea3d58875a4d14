//! What became of a document, as it is written beside it. Rows of reports are `rows`'.

use crate::read::names::Name;
use crate::write::rows;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind, with_fields};
use nearprint_rules::Evidence;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::fmt::Write as _;

/// What became of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Note<'a> {
    /// Where it belongs; `None` where it is alone.
    pub(crate) place: Option<Place<'a>>,
    /// How near the document is that stays for it, where it is another.
    pub(crate) removed: Option<Evidence>,
}

/// Where a document belongs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place<'a> {
    /// Its cluster; none where a document of a segment stays for it.
    pub(crate) cluster: Option<u32>,
    /// What reports call the document that stays for it.
    pub(crate) name: Name<'a>,
}

impl Note<'_> {
    /// The columns of a table that hold it.
    pub(crate) const COLUMNS: [NewColumn; 8] = [
        NewColumn { name: "nearprint_cluster", kind: NewColumnKind::Integer },
        NewColumn { name: "nearprint_kept", kind: NewColumnKind::Truth },
        NewColumn { name: "nearprint_representative", kind: NewColumnKind::Text },
        NewColumn { name: "nearprint_representative_file", kind: NewColumnKind::Text },
        NewColumn { name: "nearprint_representative_row", kind: NewColumnKind::Integer },
        NewColumn { name: "nearprint_distance", kind: NewColumnKind::Integer },
        NewColumn { name: "nearprint_similarity", kind: NewColumnKind::Real },
        NewColumn { name: "nearprint_measure", kind: NewColumnKind::Text },
    ];

    /// The cells of these columns; those that do not apply are empty.
    pub(crate) fn cells(&self) -> [NewCell<'_>; 8] {
        let or_empty = |cell: Option<_>| cell.unwrap_or(NewCell::Empty);
        let integer = |number: i64| NewCell::Integer(number);
        let name = self.place.as_ref().map(|place| &place.name);
        let place = name.and_then(|name| name.place);
        let row = place.and_then(|(_, row)| i64::try_from(row).ok());
        let cluster = self.place.as_ref().and_then(|place| place.cluster);
        let alike = self.removed.and_then(|evidence| evidence.alike);
        [
            or_empty(cluster.map(|cluster| integer(cluster.into()))),
            NewCell::Truth(self.removed.is_none()),
            or_empty(name.map(|name| NewCell::Text(name.text().into()))),
            or_empty(place.map(|(file, _)| NewCell::Text(file.into()))),
            or_empty(row.map(integer)),
            or_empty(self.removed.map(|near| integer(near.distance.into()))),
            or_empty(alike.map(|alike| NewCell::Real(alike.similarity))),
            or_empty(alike.map(|alike| NewCell::Text(alike.measure.name().into()))),
        ]
    }

    /// As an object: `{"cluster":null,"kept":true}` for one that is alone, or
    /// `{"cluster","kept","representative"}`, with `"representative_file","representative_row"` where ids
    /// repeat and `"distance","similarity","measure"` for one that does not stay.
    #[must_use]
    pub(crate) fn json(&self) -> String {
        let number = |cluster: Option<u32>| cluster.map_or("null".to_owned(), |n| n.to_string());
        let mut note = String::new();
        // Writing to a string cannot fail.
        let _written = match (&self.place, self.removed) {
            (None, _) => write!(note, "{{\"cluster\":null,\"kept\":true}}"),
            (Some(Place { cluster, name }), None) => {
                let (cluster, name) = (number(*cluster), name.members("representative"));
                write!(note, "{{\"cluster\":{cluster},\"kept\":true,{name}}}")
            }
            (Some(Place { cluster, name }), Some(evidence)) => {
                let (cluster, name) = (number(*cluster), name.members("representative"));
                let written = write!(note, "{{\"cluster\":{cluster},\"kept\":false,{name},");
                rows::write_members(&mut note, evidence);
                note.push('}');
                written
            }
        };
        note
    }

    /// A row of JSON, which is an object, with the note as its last field `nearprint`, in the place of
    /// one that an earlier run wrote there; its other bytes stay.
    #[must_use]
    pub(crate) fn on_object(&self, row: &[u8]) -> Vec<u8> {
        let row = &*without_note(row);
        let end = row.iter().rposition(|byte| *byte == b'}').unwrap_or(row.len());
        let (fields, rest) = row.split_at(end);
        let comma = if fields.trim_ascii_end().ends_with(b"{") { "" } else { "," };
        [fields, comma.as_bytes(), b"\"nearprint\":", self.json().as_bytes(), rest].concat()
    }

    /// A row of a table with the note in its last [columns](Self::COLUMNS), those that do not apply
    /// empty; its other bytes stay.
    #[must_use]
    pub(crate) fn on_cells(&self, row: &[u8], delimiter: u8) -> Vec<u8> {
        let cells = self.cells().map(|cell| match cell {
            NewCell::Empty => String::new(),
            NewCell::Integer(number) => number.to_string(),
            NewCell::Real(number) => format!("{number:.4}"),
            NewCell::Truth(truth) => truth.to_string(),
            NewCell::Text(text) => text.into_owned(),
        });
        with_fields(row, delimiter, &cells.each_ref().map(String::as_str))
    }
}

/// A row of JSON without the note that it ends with.
fn without_note(row: &[u8]) -> Cow<'_, [u8]> {
    const KEY: &[u8] = b"\"nearprint\":";
    let Some(at) = row.windows(KEY.len()).rposition(|bytes| bytes == KEY) else {
        return Cow::Borrowed(row);
    };
    let (before, note) = row.split_at(at);
    let note = note.get(KEY.len()..).unwrap_or_default();
    let mut values = serde_json::Deserializer::from_slice(note).into_iter::<IgnoredAny>();
    let is_value = matches!(values.next(), Some(Ok(_)));
    let rest = note.get(values.byte_offset()..).unwrap_or_default();
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b",").or(before.ends_with(b"{").then_some(before));
    // Only the last field of the row itself is followed by one brace.
    match before.filter(|_| is_value && rest.trim_ascii() == b"}") {
        Some(before) => Cow::Owned([before, rest.trim_ascii_start()].concat()),
        None => Cow::Borrowed(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Measure;

    #[test]
    fn a_second_note_replaces_the_first() {
        let alone = Note::default();
        let twice = |row: &str| {
            let once = alone.on_object(row.as_bytes());
            (String::from_utf8(alone.on_object(&once)).unwrap(), String::from_utf8(once).unwrap())
        };
        for row in [
            "{}\n",
            "{\"a\":{\"nearprint\":{}}}",
            "{\"nearprint\":1,\"a\":\"\\\"nearprint\\\":{}\"}",
        ] {
            let (again, once) = twice(row);
            assert_eq!(again, once, "{row}");
        }
        let nested = "{\"a\":{\"nearprint\":{}}}";
        assert!(twice(nested).1.starts_with("{\"a\":{\"nearprint\":{}},\"nearprint\":{"));
    }

    #[test]
    fn a_note_comes_last_and_nothing_else_changes() {
        let alone = Note::default();
        let noted = |row: &str| String::from_utf8(alone.on_object(row.as_bytes())).unwrap();
        assert_eq!(noted("{}"), "{\"nearprint\":{\"cluster\":null,\"kept\":true}}");
        let row = "{ \"a\" : \"}\" ,\"nearprint\":{\"cluster\":null,\"kept\":true}} \r\n";
        assert_eq!(noted("{ \"a\" : \"}\" } \r\n"), row);
        let name = Name::from("\"x,y\"");
        let place = Some(Place { cluster: Some(3), name: name.clone() });
        let near = Evidence::measured(4, 0.81234, Measure::Jaccard);
        let removed = Note { place: place.clone(), removed: Some(near) };
        for (note, kept) in
            [(&alone, true), (&Note { place, removed: None }, true), (&removed, false)]
        {
            let value: serde_json::Value = serde_json::from_str(&note.json()).unwrap();
            assert_eq!(value["kept"], kept, "{note:?}");
        }
        assert_eq!(
            removed.on_cells(b"1,a\r\n", b','),
            b"1,a,3,false,\"x,y\",,,4,0.8123,jaccard\r\n"
        );
        assert_eq!(alone.on_cells(b"1\ta", b'\t'), b"1\ta\t\ttrue\t\t\t\t\t\t");
        let place = Some(Place { cluster: Some(0), name: Name::from("17") });
        let row = Note { place, removed: None }.on_cells(b"1", b',');
        assert_eq!(row, b"1,0,true,17,,,,,");
        let name = Name { place: Some(("a,b.jsonl", 9)), ..name };
        let placed = Note { place: Some(Place { cluster: None, name }), removed: Some(near) };
        assert_eq!(
            placed.json(),
            "{\"cluster\":null,\"kept\":false,\"representative\":\"x,y\",\
             \"representative_file\":\"a,b.jsonl\",\"representative_row\":9,\
             \"distance\":4,\"similarity\":0.8123,\"measure\":\"jaccard\"}"
        );
        let row = placed.on_cells(b"1\n", b',');
        assert_eq!(row, b"1,,false,\"x,y\",\"a,b.jsonl\",9,4,0.8123,jaccard\n");
    }
}
