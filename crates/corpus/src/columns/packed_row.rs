//! A row of Parquet as it lies in a batch: its cells one after the other, texts as they are. That
//! spares every text the way through JSON and back. Rows are packed by `parquet_group`; what they mean
//! is `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::columns::json_value::Json;
use crate::columns::text_forms;
use crate::unescaped::{string, whole};
use std::io;

/// Bytes of a length.
const LENGTH: usize = 8;
/// What cells are.
const TEXT: u64 = 0;
const JSON: u64 = 1;
const BYTES: u64 = 2;

/// The names of the columns of a file.
#[derive(Debug)]
pub(crate) struct Columns(pub(crate) Vec<String>);

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell<'a> {
    /// The characters of a string, which are to be UTF-8.
    Text(&'a [u8]),
    /// Anything else, as JSON, where half of a surrogate pair stands for what is no character.
    Json(&'a str),
    /// Bytes without a mark, whose form is base64; where they are UTF-8, they may be the text of a document.
    Bytes(&'a [u8]),
}

/// A row: its cells, each behind its length, whose lowest two bits say what it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedRow<'a> {
    cells: &'a [u8],
}

impl Columns {
    /// The place of a column; of two that have one name, which no document is read of, the last, as in JSON.
    fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().rposition(|column| column == name)
    }
}

impl<'a> PackedRow<'a> {
    /// The row whose cells were packed.
    pub(crate) fn new(cells: &'a [u8]) -> Self {
        PackedRow { cells }
    }

    /// The cell of a column; none if there is no such column.
    pub(crate) fn get(self, columns: &Columns, name: &str) -> Option<Cell<'a>> {
        self.cells().nth(columns.place(name)?)
    }

    /// The cells in the order of their columns.
    pub(crate) fn cells(self) -> impl Iterator<Item = Cell<'a>> {
        let mut rest = self.cells;
        std::iter::from_fn(move || {
            let (head, behind) = rest.split_first_chunk::<LENGTH>()?;
            let head = u64::from_le_bytes(*head);
            let (bytes, behind) = behind.split_at_checked(usize::try_from(head >> 2).ok()?)?;
            rest = behind;
            Some(match head & 3 {
                TEXT => Cell::Text(bytes),
                JSON => Cell::Json(simdutf8::basic::from_utf8(bytes).unwrap_or("null")),
                _ => Cell::Bytes(bytes),
            })
        })
    }

    /// The row as a line of JSON. Bytes are in base64, but those of the columns that a document's text is read from.
    pub(crate) fn to_line(self, columns: &Columns, is_text: impl Fn(&str) -> bool) -> Vec<u8> {
        let mut line = Vec::with_capacity(self.cells.len() + self.cells.len() / 8);
        line.push(b'{');
        for (at, (name, cell)) in columns.0.iter().zip(self.cells()).enumerate() {
            if at > 0 {
                line.push(b',');
            }
            quote(name, &mut line);
            line.push(b':');
            let cell = match cell {
                Cell::Bytes(bytes) if is_text(name) => Cell::Text(bytes),
                cell => cell,
            };
            match cell {
                Cell::Text(text) => match simdutf8::basic::from_utf8(text) {
                    Ok(text) => quote(text, &mut line),
                    Err(_) => quote(&String::from_utf8_lossy(text), &mut line),
                },
                Cell::Json(json) => line.extend_from_slice(whole(json).as_bytes()),
                Cell::Bytes(bytes) => quote(&text_forms::bytes(bytes), &mut line),
            }
        }
        line.extend_from_slice(b"}\n");
        line
    }
}

/// Appends a string of JSON.
fn quote(text: &str, line: &mut Vec<u8>) {
    // Neither a string nor memory can fail.
    let _ = serde_json::to_writer(line, text);
}

/// Packs a cell that is the characters of a string.
pub(crate) fn pack_text(text: &[u8], row: &mut Vec<u8>) {
    put(TEXT, text, row);
}

/// Packs a cell that is bytes without a mark.
pub(crate) fn pack_bytes(bytes: &[u8], row: &mut Vec<u8>) {
    put(BYTES, bytes, row);
}

fn put(what: u64, bytes: &[u8], row: &mut Vec<u8>) {
    row.extend_from_slice(&(bytes.len() as u64 * 4 + what).to_le_bytes());
    row.extend_from_slice(bytes);
}

/// Packs a cell that is a text which is marked as JSON: of a string its characters.
pub(crate) fn pack_marked(bytes: &[u8], row: &mut Vec<u8>) -> io::Result<()> {
    let value = Json::marked(bytes);
    match &value {
        Json::Written(json) if json.starts_with('"') => {
            let (text, is_halved) = string(json)?;
            // Half of a surrogate pair is no character.
            let halves: Vec<&[u8]> = text.split('\u{fffd}').map(str::as_bytes).collect();
            let damaged = is_halved.then(|| halves.join(&0xff));
            pack_text(damaged.as_deref().unwrap_or(text.as_bytes()), row);
        }
        Json::Written(_) => pack_json(&value, row)?,
        _ => pack_text(bytes, row),
    }
    Ok(())
}

/// Packs a cell that is JSON.
pub(crate) fn pack_json(value: &Json, row: &mut Vec<u8>) -> io::Result<()> {
    let start = row.len();
    row.extend_from_slice(&[0; LENGTH]);
    value.write(row)?;
    let length = (row.len() - start - LENGTH) as u64;
    if let Some((head, _)) = row.get_mut(start..).and_then(|cell| cell.split_first_chunk_mut()) {
        *head = (length * 4 + JSON).to_le_bytes();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_marked_as_json_is_what_it_says() {
        let mut bytes = Vec::new();
        let marked: [&[u8]; 6] = [b"\"a\\nb\"", b"[\"c\"]", b"7", b"{d", b"\"\\udc00e\"", b"null"];
        marked.into_iter().for_each(|json| pack_marked(json, &mut bytes).unwrap());
        let cells: Vec<_> = PackedRow::new(&bytes).cells().collect();
        let expected = [
            Cell::Text(b"a\nb"),
            Cell::Json("[\"c\"]"),
            Cell::Json("7"),
            Cell::Text(b"{d"),
            Cell::Text(b"\xffe"),
            Cell::Json("null"),
        ];
        assert_eq!(cells, expected);
    }

    #[test]
    fn cells_come_out_as_they_went_in() {
        let columns = Columns(["a", "b\"", "c"].map(str::to_owned).to_vec());
        let mut bytes = Vec::new();
        pack_text("\u{e9}\n\"".as_bytes(), &mut bytes);
        pack_json(&serde_json::json!([1, 2]).into(), &mut bytes).unwrap();
        pack_bytes(b"ab", &mut bytes);
        let row = PackedRow::new(&bytes);
        assert_eq!(row.get(&columns, "c"), Some(Cell::Bytes(b"ab")));
        assert_eq!(row.get(&columns, "b\""), Some(Cell::Json("[1,2]")));
        assert_eq!(row.get(&columns, "b"), None);
        let line = "{\"a\":\"\u{e9}\\n\\\"\",\"b\\\"\":[1,2],\"c\":\"YWI=\"}\n";
        assert_eq!(row.to_line(&columns, |_| false), line.as_bytes());
        let line = "{\"a\":\"\u{e9}\\n\\\"\",\"b\\\"\":[1,2],\"c\":\"ab\"}\n";
        assert_eq!(row.to_line(&columns, |name| name == "c"), line.as_bytes());
    }
}
