//! ARC: what crawlers wrote before WARC. Records of versions 1 and 2, each a line and a response.

use crate::archive::arc::ArcLine;
use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::arc_cutter::ArcCutter;
use crate::formats::cutting::Cutting;
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::records::opened::Opened;

pub(crate) struct Arc;

impl InputFormat {
    /// ARC records: responses with their pages.
    pub const ARC: Self = InputFormat(&Kind {
        names: &["arc"],
        title: "ARC",
        about: Some("ARC records: pages of responses"),
        endings: &["arc"],
        shape: Shape::Archive,
    });
}

impl Format for Arc {
    fn kind(&self) -> InputFormat {
        InputFormat::ARC
    }

    /// The line of the first record: it describes the file, or a part of one begins with any other.
    fn is_at(&self, head: &[u8]) -> bool {
        let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        ArcLine::parse(line).is_some()
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        let cutter = ArcCutter::new(opened.options.max_record_bytes);
        Ok(Box::new(Cutting::new(opened, cutter, 0)))
    }
}
