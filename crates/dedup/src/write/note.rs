//! What became of a document, as it is written beside it. Rows of reports are `rows`'.

use crate::read::names::Name;
use crate::write::annotation::Annotation;
use crate::write::rows;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind};
use nearprint_rules::Evidence;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
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

/// The columns that hold a note in a table or a file of columns. The first three are in those of every version.
macro_rules! columns {
    ($prefix:literal) => {
        &[
            NewColumn { name: concat!($prefix, "_cluster"), kind: NewColumnKind::Integer },
            NewColumn { name: concat!($prefix, "_kept"), kind: NewColumnKind::Truth },
            NewColumn { name: concat!($prefix, "_representative"), kind: NewColumnKind::Text },
            NewColumn { name: concat!($prefix, "_representative_file"), kind: NewColumnKind::Text },
            NewColumn {
                name: concat!($prefix, "_representative_row"),
                kind: NewColumnKind::Integer,
            },
            NewColumn {
                name: concat!($prefix, "_representative_reference"),
                kind: NewColumnKind::Truth,
            },
            NewColumn { name: concat!($prefix, "_distance"), kind: NewColumnKind::Integer },
            NewColumn { name: concat!($prefix, "_similarity"), kind: NewColumnKind::Real },
            NewColumn { name: concat!($prefix, "_measure"), kind: NewColumnKind::Text },
        ]
    };
}

impl Annotation for Note<'_> {
    const COLUMNS: &'static [NewColumn] = columns!("nearprint");
    const OTHERS: &'static [&'static [NewColumn]] =
        &[columns!("nearprint_note"), columns!("nearprint_note_2")];
    const EVER: usize = 3;

    fn cells(&self) -> Vec<NewCell<'_>> {
        let or_empty = |cell: Option<_>| cell.unwrap_or(NewCell::Empty);
        let integer = |number: i64| NewCell::Integer(number);
        let name = self.place.as_ref().map(|place| &place.name);
        let place = name.and_then(|name| name.place);
        let row = place.and_then(|(_, row)| i64::try_from(row).ok());
        let of_reference = name.filter(|name| name.of_reference);
        let cluster = self.place.as_ref().and_then(|place| place.cluster);
        let alike = self.removed.and_then(|evidence| evidence.alike);
        vec![
            or_empty(cluster.map(|cluster| integer(cluster.into()))),
            NewCell::Truth(self.removed.is_none()),
            or_empty(name.map(|name| NewCell::Text(name.text().into()))),
            or_empty(place.map(|(file, _)| NewCell::Text(file.into()))),
            or_empty(row.map(integer)),
            or_empty(of_reference.map(|_| NewCell::Truth(true))),
            or_empty(self.removed.map(|near| integer(near.distance.into()))),
            or_empty(alike.map(|alike| NewCell::Real(alike.similarity))),
            or_empty(alike.map(|alike| NewCell::Text(alike.measure.name().into()))),
        ]
    }

    /// As an object: `{"cluster":null,"kept":true}` for one that is alone, or
    /// `{"cluster","kept","representative"}`, with `"representative_file","representative_row"` where ids
    /// repeat, `"representative_reference":true` where that is of the reference, and `"distance","similarity","measure"`
    /// for one that does not stay.
    fn json(&self) -> String {
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

    fn is_own(value: &RawValue) -> bool {
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
            representative_record: Option<IgnoredAny>,
            representative_host: Option<IgnoredAny>,
            representative_reference: Option<IgnoredAny>,
            representative_file: Option<IgnoredAny>,
            representative_row: Option<IgnoredAny>,
            distance: Option<u64>,
            similarity: Option<f64>,
            cosine: Option<f64>,
            measure: Option<String>,
        }
        serde_json::from_str::<Noted>(value.get()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::note_columns::earlier;
    use crate::write::note_names::{Taken, USUAL};
    use nearprint_fingerprint::Measure;

    /// What a note of a document that is alone makes of a row.
    fn noted(row: &str) -> (String, bool) {
        let (noted, manner) = Note::default().on_object(row.as_bytes(), Taken::default());
        (String::from_utf8(noted).unwrap(), manner.renamed)
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
            (format!("{{\"nearprint\":{old},\"a\":1,\"nearprint\":{old}}}"), "{\"a\":1,"),
            (format!("{{\"a\":1,\"n\\u0065arprint\":{old}}}"), "{\"a\":1,"),
            // Numbers that JSON does not have.
            (
                format!("{{\"a\": NaN, \"nearprint\":{old}, \"b\":-Infinity}}"),
                "{\"a\": NaN, \"b\":-Infinity,",
            ),
        ] {
            let once = (format!("{rest}\"nearprint\":{NOTE}}}"), false);
            assert_eq!(noted(&row), once, "{row}");
            assert!(
                Note::default().on_object(row.as_bytes(), Taken::default()).1.replaced,
                "{row}"
            );
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
            ("{\"near\\u0070rint\":1}", "nearprint_note"),
        ] {
            let once = format!("{},\"{name}\":{NOTE}}}", row.strip_suffix('}').unwrap());
            assert_eq!(noted(row), (once.clone(), name != USUAL));
            assert!(
                !Note::default().on_object(row.as_bytes(), Taken::default()).1.replaced,
                "{row}"
            );
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
        assert_eq!(removed.texts().join("|"), "3|false|x,y||||4|0.8123|jaccard");
        assert_eq!(alone.texts().join("|"), "|true|||||||");
        let place = Some(Place { cluster: Some(0), name: Name::from("17") });
        let stays = Note { place, removed: None };
        assert_eq!(stays.texts().join("|"), "0|true|17||||||");
        let name = Name { place: Some(("a,b.jsonl", 9)), of_reference: true, ..name };
        let placed = Note { place: Some(Place { cluster: None, name }), removed: Some(near) };
        assert_eq!(
            placed.json(),
            "{\"cluster\":null,\"kept\":false,\"representative\":\"x,y\",\
             \"representative_file\":\"a,b.jsonl\",\"representative_row\":9,\
             \"representative_reference\":true,\
             \"distance\":4,\"similarity\":0.8123,\"measure\":\"jaccard\"}"
        );
        assert_eq!(placed.texts().join("|"), "|false|x,y|a,b.jsonl|9|true|4|0.8123|jaccard");
    }

    #[test]
    fn columns_say_what_an_object_says() {
        let near = Evidence::measured(4, 0.81234, Measure::Jaccard);
        let other = Name { place: Some(("a.jsonl", 9)), of_reference: true, ..Name::from("\"a\"") };
        let mut notes = vec![Note::default()];
        for (name, cluster) in [(Name::from("17"), Some(0)), (other, None)] {
            let place = Some(Place { cluster, name });
            notes.extend([None, Some(near)].map(|removed| Note { place: place.clone(), removed }));
        }
        for note in notes {
            let object: serde_json::Map<_, serde_json::Value> =
                serde_json::from_str(&note.json()).unwrap();
            let mut members: Vec<_> = object.iter().filter(|(_, value)| !value.is_null()).collect();
            members.sort_by_key(|(name, _)| *name);
            let texts = note.texts();
            let cells = Note::COLUMNS.iter().zip(&texts).filter(|(_, text)| !text.is_empty());
            let mut cells: Vec<_> = cells.map(|(column, text)| (column.name, text)).collect();
            cells.sort();
            let text = |value: &serde_json::Value| match value {
                serde_json::Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            let members: Vec<_> = members
                .into_iter()
                .map(|(name, value)| (format!("nearprint_{name}"), text(value)))
                .collect();
            let cells: Vec<_> =
                cells.into_iter().map(|(name, text)| (name.to_owned(), text.clone())).collect();
            assert_eq!(cells, members);
        }
    }

    #[test]
    fn columns_of_an_earlier_note_go_and_others_by_such_names_stay() {
        let of = |at: usize, names: &[&str]| earlier::<Note<'_>, _>(at, names);
        let usual = "nearprint_cluster";
        assert_eq!(of(0, &["id", "text"]), Some(vec![]));
        let [kept, representative] = ["nearprint_kept", "nearprint_representative"];
        let noted = [usual, "id", "nearprint_measure", kept, "text", representative];
        assert_eq!(of(0, &noted), Some(vec![0, 2, 3, 5]));
        assert_eq!(of(0, &["id", kept]), None);
        assert_eq!(of(1, &["id", kept]), Some(vec![]));
        let renamed = [
            kept,
            "nearprint_note_cluster",
            "nearprint_note_kept",
            "nearprint_note_representative",
        ];
        assert_eq!((of(0, &renamed), of(1, &renamed)), (None, Some(vec![1, 2, 3])));
        assert_eq!(of(1, &[kept, "nearprint_note_kept"]), None);
    }
}
