//! Texts of which every line is a document.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutter::ByLine;
use crate::formats::format::Format;
use crate::formats::line_file;
use crate::formats::record_reader::RecordReader;
use crate::records::opened::Opened;

pub(crate) struct Lines;

impl InputFormat {
    /// Every line is one document.
    pub const LINES: Self = InputFormat(&Kind {
        names: &["lines"],
        title: "text",
        about: None,
        endings: &[],
        shape: Shape::Lines,
    });
}

impl Format for Lines {
    fn kind(&self) -> InputFormat {
        InputFormat::LINES
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        Ok(line_file::reader(opened, ByLine, 0))
    }
}
