//! Text files: the whole file is one document.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::whole::Whole;
use crate::records::opened::Opened;

pub(crate) struct Text;

impl InputFormat {
    /// The whole file is one document.
    pub const TEXT: Self = InputFormat(&Kind {
        names: &["text"],
        title: "text",
        about: Some("One document a file; with --lines one a line"),
        endings: &["txt", "text", "md", "markdown", "rst", "adoc", "org", "tex"],
        shape: Shape::Text,
    });
}

impl Format for Text {
    fn kind(&self) -> InputFormat {
        InputFormat::TEXT
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        Ok(Box::new(Whole(opened)))
    }
}
