//! A record with another text in the place of its own; all its other bytes stay. What the text is, is `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::document::{InvalidUtf8, decode, explain};
use crate::documents::fields::{Fields, Place};
use crate::documents::row::Row;
use crate::documents::table::Table;
use crate::error::Error;
use crate::format::BOM;
use std::ops::Range;

/// A row of JSON whose text is a string.
pub(crate) fn in_row(
    raw: &[u8],
    fields: &Fields,
    text: &str,
    place: Place<'_>,
) -> Result<Vec<u8>, Error> {
    let (row, end) = raw.split_at(raw.trim_ascii_end().len());
    let line = decode(row, InvalidUtf8::Replace, place)?;
    let parsed = Row::parse(&line, fields).map_err(|error| explain(&error, &line, place))?;
    let Some(json) = parsed.text.filter(|json| json.starts_with('"')) else {
        return Err(no_place(place, "it is not a string in a field of its own"));
    };
    let start = json.as_ptr().addr() - line.as_ptr().addr();
    let mut new = Vec::with_capacity(raw.len());
    new.extend_from_slice(line.as_bytes().get(..start).unwrap_or_default());
    // Neither a string nor memory can fail.
    let _written = serde_json::to_writer(&mut new, text);
    new.extend_from_slice(line.as_bytes().get(start + json.len()..).unwrap_or_default());
    new.extend_from_slice(end);
    Ok(new)
}

/// A row of a table.
pub(crate) fn in_cell(
    raw: &[u8],
    table: &Table,
    field: &str,
    text: &str,
    place: Place<'_>,
) -> Result<Vec<u8>, Error> {
    let own = table.column(field).and_then(|column| table.span(raw, column));
    let Some(Range { start, end }) = own else {
        return Err(no_place(place, "it has no column of its own"));
    };
    let is_quoted = table.quote().is_some() && raw.get(start) == table.quote().as_ref();
    let Some(cell) = table.quoted(text, is_quoted) else {
        return Err(no_place(place, "it contains a delimiter or a line end, which are not quoted"));
    };
    let (before, behind) =
        (raw.get(..start).unwrap_or_default(), raw.get(end..).unwrap_or_default());
    let is_blank =
        [before, &cell, behind].into_iter().flatten().all(|it| matches!(it, b'\r' | b'\n'));
    // An empty line would be no row.
    let cell = if is_blank { table.empty_field() } else { cell };
    Ok([before, &cell, behind].concat())
}

/// A line of text.
pub(crate) fn in_line(raw: &[u8], text: &str, place: Place<'_>) -> Result<Vec<u8>, Error> {
    if text.contains('\n') {
        return Err(no_place(place, "it contains a line end, and each line is a document"));
    }
    let line = raw.strip_suffix(b"\n").map_or(raw, |line| line.strip_suffix(b"\r").unwrap_or(line));
    Ok([text.as_bytes(), raw.get(line.len()..).unwrap_or_default()].concat())
}

/// A text that is a file.
pub(crate) fn in_file(raw: &[u8], text: &str) -> Vec<u8> {
    let mark = if raw.starts_with(BOM) { BOM } else { &[] };
    [mark, text.as_bytes()].concat()
}

/// A text that cannot be replaced.
pub(crate) fn no_place(place: Place<'_>, problem: &'static str) -> Error {
    Error::TextPlace { place: place(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::table::Marks;
    use proptest::prelude::*;

    fn row(line: &str, field: &str, text: &str) -> String {
        let fields = Fields { text: field.to_owned(), ..Fields::default() };
        let new = in_row(line.as_bytes(), &fields, text, &String::new).unwrap();
        String::from_utf8(new).unwrap()
    }

    #[test]
    fn other_fields_of_a_row_keep_their_bytes() {
        let line = "{ \"text\" : \"a\\u00e9\" , \"n\" : 1.50,\"text\":\"b \\\"c\\\"\"} \r\n";
        let new = "{ \"text\" : \"a\\u00e9\" , \"n\" : 1.50,\"text\":\"\u{e9}\\n\"} \r\n";
        assert_eq!(row(line, "text", "\u{e9}\n"), new);
        let inside = "{\"doc\":{\"body\":\"x\",\"z\":[\"x\"]}}";
        assert_eq!(row(inside, "doc.body", "y"), "{\"doc\":{\"body\":\"y\",\"z\":[\"x\"]}}");
        for line in ["{\"text\":[\"a\"]}", "{\"text\":null}", "{}"] {
            let error = in_row(line.as_bytes(), &Fields::default(), "a", &|| "f:1".to_owned());
            assert!(error.unwrap_err().to_string().starts_with("f:1: "), "{line}");
        }
    }

    #[test]
    fn texts_keep_their_mark_and_their_line_end() {
        let place = &|| "here".to_owned();
        assert_eq!(in_line(b"a b\r\n", "c\rd", place).unwrap(), b"c\rd\r\n");
        assert_eq!(in_line(b"a b", "c", place).unwrap(), b"c");
        assert!(in_line(b"a b", "c\nd", place).is_err());
        assert_eq!(in_file(b"\xef\xbb\xbfa\n", "c"), b"\xef\xbb\xbfc");
    }

    #[test]
    fn what_nothing_quotes_is_refused() {
        let table = Table::new(b"a\tb", Marks { delimiter: b'\t', quote: None, escape: None });
        assert_eq!(in_cell(b"1\t\"x\n", &table, "b", "y\"", &String::new).unwrap(), b"1\ty\"\n");
        assert!(in_cell(b"1\tx\n", &table, "b", "y\tz", &String::new).is_err());
        assert!(in_cell(b"1\tx\n", &table, "c", "y", &String::new).is_err());
    }

    #[test]
    fn a_row_whose_only_field_becomes_empty_stays_a_row() {
        let in_table = |header: &str, quote, escape, row: &str| {
            let table = Table::new(header.as_bytes(), Marks { delimiter: b',', quote, escape });
            let new = in_cell(row.as_bytes(), &table, "a", "", &String::new).unwrap();
            String::from_utf8(new).unwrap()
        };
        assert_eq!(in_table("a", Some(b'"'), None, "x\r\n"), "\"\"\r\n");
        assert_eq!(in_table("a", Some(b'\''), None, "x"), "''");
        assert_eq!(in_table("a", Some(b'"'), None, "\"x\"\n"), "\"\"\n");
        // A row that has fewer fields than the table has columns.
        assert_eq!(in_table("a,b", Some(b'"'), None, "x\n"), "\"\"\n");
        assert_eq!(in_table("a,b", Some(b'"'), None, "x,y\n"), ",y\n");
        for escape in [None, Some(b'\\')] {
            assert_eq!(in_table("a", None, escape, "x\n"), " \n");
        }
    }

    proptest! {
        #[test]
        fn one_cell_of_a_row_changes_and_the_others_keep_their_bytes(
            row in "(([ab\\\\][ab\"\\\\]{0,3})?|\"([ab,\n\\\\]|\"\"){0,5}\")(,(([ab\\\\][ab\"\\\\]{0,3})?|\"([ab,\n]|\"\"){0,5}\")){2}(\r?\n)?",
            text in "[ab\",\n\\\\]{0,5}",
            (column, name) in prop::sample::select(vec![(0, "a"), (1, "b"), (2, "c")]),
            escape in prop::option::of(Just(b'\\')),
        ) {
            let table = Table::new(b"a,b,c", Marks { delimiter: b',', quote: Some(b'"'), escape });
            let before = table.cells(row.as_bytes());
            // An escaped quote leaves a cell open, so that a line break may end the row within.
            prop_assume!(before.len() == 3 && (escape.is_none() || !row.trim_end().contains('\n')));
            let new = in_cell(row.as_bytes(), &table, name, &text, &String::new).unwrap();
            let after = table.cells(&new);
            prop_assert_eq!(after.len(), 3, "{:?}", String::from_utf8_lossy(&new));
            for at in 0..3 {
                let expected = if at == column { text.as_bytes() } else { before.get(at) };
                prop_assert_eq!(after.get(at), expected, "{:?}", String::from_utf8_lossy(&new));
            }
        }
    }
}
