//! WARC: responses with their pages, or conversions (WET) with their texts.

use crate::archive::warc::FIELDS;
use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutting::Cutting;
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::warc_cutter::WarcCutter;
use crate::records::opened::Opened;

pub(crate) struct Warc;

/// Whether a line is a field of a record, as far as it is there.
fn begins_field(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii_end();
    let is_named = |start: &[u8]| {
        name.get(..start.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(start))
    };
    FIELDS.into_iter().any(is_named)
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

impl InputFormat {
    /// WARC records: responses with their pages, or conversions (WET) with their texts.
    pub const WARC: Self = InputFormat(&Kind {
        names: &["warc", "wet"],
        title: "WARC",
        about: Some("WARC records: pages of responses, texts of conversions (WET)"),
        endings: &["warc", "wet", "wat"],
        shape: Shape::Archive,
    });
}

impl Format for Warc {
    fn kind(&self) -> InputFormat {
        InputFormat::WARC
    }

    fn is_at(&self, head: &[u8]) -> bool {
        let mut lines = head.split(|byte| *byte == b'\n');
        let version = lines.next().unwrap_or_default().trim_ascii_end();
        let minor = [&b"WARC/1."[..], b"WARC/0."].iter().find_map(|it| version.strip_prefix(*it));
        let is_version = minor.is_some_and(|it| it.iter().all(u8::is_ascii_digit));
        // Prose may name a version in its first line.
        let field = lines.next().filter(|_| is_version);
        let is_whole = lines.next().is_some();
        field.is_some_and(|field| begins_field(field) && (!is_whole || field.contains(&b':')))
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        let cutter = WarcCutter::new(opened.options.max_record_bytes);
        Ok(Box::new(Cutting::new(opened, cutter, 0)))
    }
}
