//! Texts of which every line is a document.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutter::ByLine;
use crate::formats::format::Format;
use crate::formats::line_file;
use crate::formats::record_reader::RecordReader;
use crate::records::opened::{Opened, State};
use memchr::memchr;

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

    fn reader(&self, mut opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        if lacks_line_feeds(&mut opened) {
            let path = opened.source.name().to_owned();
            let detail = "its lines end with a carriage return alone: tr '\\r' '\\n' mends that";
            let (compression, detail) = (self.kind().title(), detail.to_owned());
            return Err(Error::Unsupported { path, compression, detail });
        }
        Ok(line_file::reader(opened, ByLine, 0))
    }
}

/// Whether a text of no more than a record has carriage returns within, from its beginning on, and no line feed.
fn lacks_line_feeds(opened: &mut Opened) -> bool {
    let mut want = InputFormat::HEAD_BYTES;
    // Where records are wanted as they come, nothing is waited for.
    while !opened.options.prompt && want <= opened.options.max_record_bytes {
        opened.fill_head(want);
        let returned = memchr(b'\r', &opened.head);
        let within = returned.and_then(|at| opened.head.get(at..));
        let is_within = within.is_some_and(|rest| rest.iter().any(|byte| *byte != b'\r'));
        if !is_within || memchr(b'\n', &opened.head).is_some() {
            return false;
        }
        if !matches!(opened.state, State::Reading) {
            return matches!(opened.state, State::Drained);
        }
        want *= 2;
    }
    false
}
