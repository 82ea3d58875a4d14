//! The fields of tables without quotes, in which an escape stands before what would end a field or a row, and before
//! letters that stand for characters. The fields of other tables are `table`'s.
//!
//! # References
//!
//! PostgreSQL, COPY, "Text Format"; MySQL, LOAD DATA, "FIELDS ESCAPED BY". Both write such files, and `\N` for a value that
//! is missing. No program writes the octal and hexadecimal numbers that PostgreSQL reads.

#![deny(clippy::indexing_slicing)]

use std::mem;
use std::ops::Range;

/// Letters behind an escape, and what they stand for. Any other character stands for itself.
const LETTERS: [(u8, u8); 8] = [
    (b'0', 0),
    (b'b', 0x08),
    (b't', b'\t'),
    (b'n', b'\n'),
    (b'v', 0x0b),
    (b'f', 0x0c),
    (b'r', b'\r'),
    (b'Z', 0x1a),
];

/// What is a field whose value is missing, behind the escape.
const MISSING: u8 = b'N';

/// The characters that tell fields apart.
#[derive(Clone, Copy)]
pub(crate) struct EscapedFields {
    pub(crate) delimiter: u8,
    pub(crate) escape: u8,
}

impl EscapedFields {
    /// Where a row ends, behind the first line end that no escape stands before; none where it goes on. `escaped` is
    /// whether the byte before these was an escape, and becomes whether their last one is.
    pub(crate) fn row_end(self, bytes: &[u8], escaped: &mut bool) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            if mem::take(escaped) {
                continue;
            }
            *escaped = *byte == self.escape;
            if matches!(byte, b'\r' | b'\n') {
                return Some(at + 1);
            }
        }
        None
    }

    /// Where the fields of a row stand, as they are written; the line end behind them is of none.
    pub(crate) fn spans(self, row: &[u8]) -> Vec<Range<usize>> {
        let (mut spans, mut start, mut escaped) = (Vec::new(), 0, false);
        let ends = |byte: u8| byte == self.delimiter || matches!(byte, b'\r' | b'\n');
        for (at, byte) in row.iter().enumerate() {
            if mem::take(&mut escaped) {
                continue;
            }
            escaped = *byte == self.escape;
            if !ends(*byte) {
                continue;
            }
            spans.push(start..at);
            if *byte != self.delimiter {
                return spans;
            }
            start = at + 1;
        }
        spans.push(start..row.len());
        spans
    }

    /// A field without its escapes; empty where its value is missing.
    pub(crate) fn unescaped(self, field: &[u8]) -> Vec<u8> {
        if field == [self.escape, MISSING] {
            return Vec::new();
        }
        let (mut text, mut bytes) = (Vec::with_capacity(field.len()), field.iter().copied());
        while let Some(byte) = bytes.next() {
            let behind = if byte == self.escape { bytes.next() } else { None };
            text.push(behind.map_or(byte, |letter| {
                let known = LETTERS.iter().find(|(known, _)| *known == letter);
                known.map_or(letter, |(_, meant)| *meant)
            }));
        }
        text
    }

    /// Appends a text as a field.
    pub(crate) fn put(self, text: &[u8], row: &mut Vec<u8>) {
        for byte in text {
            let letter = match byte {
                b'\t' => b't',
                b'\n' => b'n',
                b'\r' => b'r',
                byte if [self.delimiter, self.escape].contains(byte) => *byte,
                byte => {
                    row.push(*byte);
                    continue;
                }
            };
            row.extend([self.escape, letter]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TABS: EscapedFields = EscapedFields { delimiter: b'\t', escape: b'\\' };

    fn fields(row: &str) -> Vec<String> {
        let text = |span: Range<usize>| TABS.unescaped(row[span].as_bytes());
        TABS.spans(row.as_bytes())
            .into_iter()
            .map(|span| String::from_utf8(text(span)).unwrap())
            .collect()
    }

    #[test]
    fn rows_of_databases_are_read() {
        // As PostgreSQL writes them, and as MySQL does.
        assert_eq!(fields("1\ta\\tb\\\\c\\nd\t\\N\n"), ["1", "a\tb\\c\nd", ""]);
        assert_eq!(fields("1\ta\\\tb\\\nc\\0\r\n"), ["1", "a\tb\nc\0"]);
        assert_eq!(fields("\\q\\N\t\\\\N\t\"x\" \\"), ["qN", "\\N", "\"x\" \\"]);
        assert_eq!(fields("\n"), [""]);
    }

    #[test]
    fn an_escaped_line_end_ends_no_row() {
        let mut escaped = false;
        assert_eq!(TABS.row_end(b"a\\", &mut escaped), None);
        assert!(escaped);
        assert_eq!(TABS.row_end(b"\nb\\\\\nc", &mut escaped), Some(5));
        assert!(!escaped);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_it_was(texts in prop::collection::vec("[a\\\\N\t\n\r\"t]{0,5}", 1..4)) {
            let mut row = Vec::new();
            for (at, text) in texts.iter().enumerate() {
                row.extend((at > 0).then_some(TABS.delimiter));
                TABS.put(text.as_bytes(), &mut row);
            }
            prop_assert_eq!(TABS.row_end(&row, &mut false), None);
            row.push(b'\n');
            prop_assert_eq!(fields(str::from_utf8(&row).unwrap()), texts);
        }
    }
}
