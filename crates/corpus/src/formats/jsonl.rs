//! JSONL: a JSON object a line.

use crate::error::Error;
use crate::format::{BOM, InputFormat, Kind, Shape};
use crate::formats::cutter::Rows;
use crate::formats::format::Format;
use crate::formats::line_file;
use crate::formats::record_reader::RecordReader;
use crate::formats::segment::Segment;
use crate::records::opened::Opened;

pub(crate) struct Jsonl;

impl InputFormat {
    /// One JSON object a line.
    pub const JSONL: Self = InputFormat(&Kind {
        names: &["jsonl"],
        title: "JSONL",
        about: Some("One JSON object a line"),
        endings: &["jsonl", "ndjson", "json"],
        shape: Shape::Objects,
    });
}

impl Format for Jsonl {
    fn kind(&self) -> InputFormat {
        InputFormat::JSONL
    }

    /// An object opens that is no segment's first row, or a list of objects, of which reading says what to do; or there is
    /// nothing, which is JSONL of no record.
    fn is_at(&self, head: &[u8]) -> bool {
        let listed = head.strip_prefix(b"[").map(<[u8]>::trim_ascii_start).unwrap_or_default();
        head.is_empty() || opens_object(head) && !Segment.is_at(head) || opens_member(listed)
    }

    fn reader(&self, mut opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        opened.fill_head(BOM.len());
        let mark = if opened.head.starts_with(BOM) { BOM.len() } else { 0 };
        Ok(line_file::reader(opened, Rows, mark))
    }
}

/// Whether an object of JSON opens, as far as its first name.
fn opens_member(head: &[u8]) -> bool {
    let inner = head.strip_prefix(b"{").map(<[u8]>::trim_ascii_start).unwrap_or_default();
    inner.starts_with(b"\"")
}

/// Whether what opens with `{` is no template (`{{`, `{%`, `{#`) and no rich text (`{\rtf`).
fn opens_object(head: &[u8]) -> bool {
    head.starts_with(b"{") && !matches!(head.get(1), Some(b'{' | b'%' | b'#' | b'\\'))
}
