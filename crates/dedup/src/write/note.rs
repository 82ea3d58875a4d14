//! What became of a document, as it is written beside it. Rows of reports are `rows`'.

use crate::read::names::Name;
use crate::write::rows;
use memchr::memmem;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind, with_fields};
use nearprint_rules::Evidence;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::{self, Write as _};

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

    /// A row of JSON, which is an object, with the note as its last field, in place of one that an earlier run wrote;
    /// its other bytes stay. The field is the first of [`names`] that the row does not have; and whether it is another than
    /// the usual one.
    #[must_use]
    pub(crate) fn on_object(&self, row: &[u8]) -> (Vec<u8>, bool) {
        let (row, name) = without_note(row);
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

/// The field of a note.
const USUAL: &str = "nearprint";

/// What the field of a note may be called, the first that is free.
fn names() -> impl Iterator<Item = String> {
    let others = (2..).map(|number| format!("{USUAL}_note_{number}"));
    [USUAL.to_owned(), format!("{USUAL}_note")].into_iter().chain(others)
}

/// A row of JSON without the note that an earlier run wrote into it, and the name that a note has in it.
fn without_note(row: &[u8]) -> (Cow<'_, [u8]>, String) {
    let key = format!("\"{USUAL}");
    let members = memmem::find(row, key.as_bytes()).and_then(|_| Members::of(row));
    let Some(Members(members)) = members else { return (Cow::Borrowed(row), USUAL.to_owned()) };
    for name in names() {
        let Some(at) = members.iter().position(|member| member.key == name) else {
            return (Cow::Borrowed(row), name);
        };
        if members.get(at).is_some_and(|member| is_note(member.value)) {
            return (without_member(row, &members, at).into(), name);
        }
    }
    (Cow::Borrowed(row), USUAL.to_owned())
}

/// Whether a value is a note of this or an earlier version.
fn is_note(value: &RawValue) -> bool {
    /// `null`, but not left out.
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only whether a value has the field")]
    struct Cluster(Option<u32>);

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether a value has these fields")]
    struct Noted {
        cluster: Cluster,
        kept: bool,
        representative: Option<IgnoredAny>,
        representative_file: Option<IgnoredAny>,
        representative_row: Option<IgnoredAny>,
        distance: Option<IgnoredAny>,
        similarity: Option<IgnoredAny>,
        cosine: Option<IgnoredAny>,
        measure: Option<IgnoredAny>,
    }
    serde_json::from_str::<Noted>(value.get()).is_ok()
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

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Measure;

    /// What a note of a document that is alone makes of a row.
    fn noted(row: &str) -> (String, bool) {
        let (noted, renamed) = Note::default().on_object(row.as_bytes());
        (String::from_utf8(noted).unwrap(), renamed)
    }

    const NOTE: &str = "{\"cluster\":null,\"kept\":true}";

    #[test]
    fn a_second_note_replaces_the_first_wherever_it_stands() {
        let old = "{\"cluster\":3,\"kept\":false,\"representative\":\"a\",\"similarity\":0.9,\"cosine\":0.9}";
        for (row, rest) in [
            (format!("{{\"nearprint\":{old}}}"), "{"),
            (format!("{{\"nearprint\":{old},\"a\":1}}"), "{\"a\":1,"),
            (
                format!("{{ \"a\" : 1 , \"nearprint\" : {old} , \"b\" : 2}}"),
                "{ \"a\" : 1 , \"b\" : 2,",
            ),
            (format!("{{\"a\":1, \"nearprint\":{old}}}"), "{\"a\":1,"),
        ] {
            let once = (format!("{rest}\"nearprint\":{NOTE}}}"), false);
            assert_eq!(noted(&row), once, "{row}");
            assert_eq!(noted(&once.0), once, "{row}");
        }
    }

    #[test]
    fn what_is_no_note_stays_and_the_note_takes_another_name() {
        for (row, name) in [
            ("{\"nearprint\":1,\"a\":\"\\\"nearprint\\\":{}\"}", "nearprint_note"),
            ("{\"nearprint\":{\"kept\":true,\"cluster\":1,\"mine\":2}}", "nearprint_note"),
            ("{\"nearprint\":[],\"nearprint_note\":null}", "nearprint_note_2"),
            ("{\"a\":{\"nearprint\":{}}}", "nearprint"),
        ] {
            let once = format!("{},\"{name}\":{NOTE}}}", row.strip_suffix('}').unwrap());
            assert_eq!(noted(row), (once.clone(), name != USUAL));
            assert_eq!(noted(&once).0, once, "again");
        }
    }

    #[test]
    fn a_note_comes_last_and_nothing_else_changes() {
        let alone = Note::default();
        let noted = |row: &str| noted(row).0;
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
