//! What became of a document, as it is written beside it. Rows of reports are `rows`'.

use nearprint_corpus::with_fields;
use std::fmt::Write as _;

/// What became of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Note {
    /// Its cluster and the id, as JSON text, of the document that stays for it; no cluster where that is
    /// one of a segment. `None` where it is alone.
    pub place: Option<(Option<u32>, String)>,
    /// How far and how similar that document is, where it is another.
    pub removed: Option<(u32, f64)>,
}

impl Note {
    /// The columns of a table that hold it.
    pub(crate) const COLUMNS: [&'static str; 5] = [
        "nearprint_cluster",
        "nearprint_kept",
        "nearprint_representative",
        "nearprint_distance",
        "nearprint_similarity",
    ];

    /// As an object: `{"cluster":null,"kept":true}` for one that is alone, or
    /// `{"cluster","kept","representative"}`, with `"distance","similarity"` for one that does not
    /// stay.
    #[must_use]
    pub(crate) fn json(&self) -> String {
        let number = |cluster: Option<u32>| cluster.map_or("null".to_owned(), |n| n.to_string());
        let mut note = String::new();
        // Writing to a string cannot fail.
        let _written = match (&self.place, self.removed) {
            (None, _) => write!(note, "{{\"cluster\":null,\"kept\":true}}"),
            (Some((cluster, id)), None) => {
                let cluster = number(*cluster);
                write!(note, "{{\"cluster\":{cluster},\"kept\":true,\"representative\":{id}}}")
            }
            (Some((cluster, id)), Some((distance, similarity))) => write!(
                note,
                "{{\"cluster\":{},\"kept\":false,\"representative\":{id},\
                 \"distance\":{distance},\"similarity\":{similarity:.4}}}",
                number(*cluster)
            ),
        };
        note
    }

    /// A row of JSON, which is an object, with the note as its last field `nearprint`; its other
    /// bytes stay.
    #[must_use]
    pub(crate) fn on_object(&self, row: &[u8]) -> Vec<u8> {
        let end = row.iter().rposition(|byte| *byte == b'}').unwrap_or(row.len());
        let (fields, rest) = row.split_at(end);
        let comma = if fields.trim_ascii_end().ends_with(b"{") { "" } else { "," };
        [fields, comma.as_bytes(), b"\"nearprint\":", self.json().as_bytes(), rest].concat()
    }

    /// A row of a table with the note in its last [columns](Self::COLUMNS), those that do not apply
    /// empty; its other bytes stay.
    #[must_use]
    pub(crate) fn on_cells(&self, row: &[u8], delimiter: u8) -> Vec<u8> {
        let (cluster, id) = match &self.place {
            Some((cluster, id)) => (
                cluster.map_or_else(String::new, |cluster| cluster.to_string()),
                // The text of an id that is a string, without its quotes.
                serde_json::from_str(id).unwrap_or_else(|_| id.clone()),
            ),
            None => Default::default(),
        };
        let (distance, similarity) = match self.removed {
            Some((distance, similarity)) => (distance.to_string(), format!("{similarity:.4}")),
            None => Default::default(),
        };
        let kept = if self.removed.is_none() { "true" } else { "false" };
        with_fields(row, delimiter, &[&cluster, kept, &id, &distance, &similarity])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_comes_last_and_nothing_else_changes() {
        let alone = Note::default();
        let noted = |row: &str| String::from_utf8(alone.on_object(row.as_bytes())).unwrap();
        assert_eq!(noted("{}"), "{\"nearprint\":{\"cluster\":null,\"kept\":true}}");
        let row = "{ \"a\" : \"}\" ,\"nearprint\":{\"cluster\":null,\"kept\":true}} \r\n";
        assert_eq!(noted("{ \"a\" : \"}\" } \r\n"), row);
        let place = Some((Some(3), "\"x,y\"".to_owned()));
        let removed = Note { place: place.clone(), removed: Some((4, 0.81234)) };
        for (note, kept) in
            [(&alone, true), (&Note { place, removed: None }, true), (&removed, false)]
        {
            let value: serde_json::Value = serde_json::from_str(&note.json()).unwrap();
            assert_eq!(value["kept"], kept, "{note:?}");
        }
        assert_eq!(removed.on_cells(b"1,a\r\n", b','), b"1,a,3,false,\"x,y\",4,0.8123\r\n");
        assert_eq!(alone.on_cells(b"1\ta", b'\t'), b"1\ta\t\ttrue\t\t\t");
        let row =
            Note { place: Some((Some(0), "17".to_owned())), removed: None }.on_cells(b"1", b',');
        assert_eq!(row, b"1,0,true,17,,");
    }
}
