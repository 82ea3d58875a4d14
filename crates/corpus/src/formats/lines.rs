//! Texts of which every line is a document.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutter::ByLine;
use crate::formats::format::Format;
use crate::formats::line_file;
use crate::formats::record_reader::RecordReader;
use crate::records::opened::{Opened, State};
use memchr::{memchr, memchr_iter, memchr2};

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

/// Whether a text of no more than a record has several carriage returns alone, and no line feed but one at its end. One
/// may stand within a line. A text that has zeros is in UTF-16, whose characters have such bytes.
fn lacks_line_feeds(opened: &mut Opened) -> bool {
    let mut want = InputFormat::HEAD_BYTES;
    // Where records are wanted as they come, nothing is waited for.
    while !opened.options.prompt && want <= opened.options.max_record_bytes {
        opened.fill_head(want);
        let head = opened.head.as_slice();
        let ended = head.strip_suffix(b"\r\n").or_else(|| head.strip_suffix(b"\n"));
        let text = ended.unwrap_or(head);
        let is_within = memchr(b'\r', text.trim_ascii_end()).is_some();
        if !is_within || memchr2(b'\n', 0, text).is_some() {
            return false;
        }
        if !matches!(opened.state, State::Reading) {
            let is_several = memchr_iter(b'\r', text).nth(1).is_some();
            return is_several && matches!(opened.state, State::Drained);
        }
        want *= 2;
    }
    false
}
