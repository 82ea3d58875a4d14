//! The fields of tables without quotes, in which an escape stands before what would end a field or a row, and before
//! letters that stand for characters. The fields of other tables are `table`'s.
//!
//! # References
//!
//! PostgreSQL, COPY, "Text Format"; MySQL, LOAD DATA, "FIELDS ESCAPED BY". Both write such files, and `\N` for a value that
//! is missing. No program writes the octal and hexadecimal numbers that PostgreSQL reads.

#![deny(clippy::indexing_slicing)]

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

/// What stands before a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Before {
    #[default]
    Any,
    Escape,
    /// A carriage return behind an escape, which holds for both bytes of a line end: MySQL escapes the first one of a
    /// longer end.
    EscapedReturn,
}

impl Before {
    /// Whether a byte is escaped, after which it is the one before.
    fn escapes(&mut self, byte: u8, escape: u8) -> bool {
        let (is_escaped, next) = match *self {
            Self::Escape if byte == b'\r' => (true, Self::EscapedReturn),
            Self::Escape => (true, Self::Any),
            Self::EscapedReturn if byte == b'\n' => (true, Self::Any),
            _ if byte == escape => (false, Self::Escape),
            _ => (false, Self::Any),
        };
        *self = next;
        is_escaped
    }
}

impl EscapedFields {
    /// Where a row ends, behind the first line end that no escape stands before; none where it goes on. `before` is
    /// what stands before these bytes, and becomes what their last one is.
    pub(crate) fn row_end(self, bytes: &[u8], before: &mut Before) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            if before.escapes(*byte, self.escape) {
                continue;
            }
            if matches!(byte, b'\r' | b'\n') {
                return Some(at + 1);
            }
        }
        None
    }

    /// Where the fields of a row stand, as they are written; the line end behind them is of none.
    pub(crate) fn spans(self, row: &[u8]) -> Vec<Range<usize>> {
        let (mut spans, mut start, mut before) = (Vec::new(), 0, Before::Any);
        let ends = |byte: u8| byte == self.delimiter || matches!(byte, b'\r' | b'\n');
        for (at, byte) in row.iter().enumerate() {
            if before.escapes(*byte, self.escape) || !ends(*byte) {
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
        let mut before = Before::Any;
        assert_eq!(TABS.row_end(b"a\\", &mut before), None);
        assert_eq!(before, Before::Escape);
        assert_eq!(TABS.row_end(b"\nb\\\\\nc", &mut before), Some(5));
        assert_eq!(before, Before::Any);
        // An end of two bytes, also where they come one by one.
        assert_eq!(TABS.row_end(b"a\\\r\nb\r\n", &mut before), Some(6));
        assert_eq!(TABS.row_end(b"a\\\r", &mut before), None);
        assert_eq!(TABS.row_end(b"\nb\n", &mut before), Some(3));
        assert_eq!(TABS.row_end(b"a\\\rb\n", &mut before), Some(5));
        assert_eq!(fields("1\ta\\\r\nb\tc\r\n"), ["1", "a\r\nb", "c"]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_it_was(texts in prop::collection::vec("[a\\\\N\t\n\r\"t]{0,5}", 1..4)) {
            let mut row = Vec::new();
            for (at, text) in texts.iter().enumerate() {
                row.extend((at > 0).then_some(TABS.delimiter));
                TABS.put(text.as_bytes(), &mut row);
            }
            prop_assert_eq!(TABS.row_end(&row, &mut Before::Any), None);
            row.push(b'\n');
            prop_assert_eq!(fields(str::from_utf8(&row).unwrap()), texts);
        }
    }
}
