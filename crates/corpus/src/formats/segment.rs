//! Rows that nearprint wrote for itself: what an earlier run left of its documents, one JSON object a line.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutter::Rows;
use crate::formats::cutting::Cutting;
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::records::opened::Opened;

pub(crate) struct Segment;

impl InputFormat {
    /// Rows that nearprint wrote for itself: one JSON object a line, which is no document.
    pub const SEGMENT: Self = InputFormat(&Kind {
        names: &["segment"],
        title: "segment",
        about: None,
        endings: &["seg", "seen.jsonl"],
        shape: Shape::Seen,
    });
}

impl Format for Segment {
    fn kind(&self) -> InputFormat {
        InputFormat::SEGMENT
    }

    /// The first row, which says by what the others were made.
    fn is_at(&self, head: &[u8]) -> bool {
        let version = head.strip_prefix(b"{\"segment\":").unwrap_or_default();
        let digits = version.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && version.get(digits..).is_some_and(|it| it.starts_with(b",\"recipe_id\":\""))
    }

    fn reader(&self, mut opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        // Features of a text that was within the limit may take ten times its bytes and more.
        let limit = &mut opened.options.max_record_bytes;
        *limit = limit.saturating_mul(16);
        Ok(Box::new(Cutting::new(opened, Rows, 0)))
    }
}
