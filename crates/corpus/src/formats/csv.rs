//! CSV: a header and rows of comma-separated fields (RFC 4180).

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutting::Cutting;
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::table_cutter::{TableCutter, is_header};
use crate::records::opened::Opened;

pub(crate) struct Csv;

impl InputFormat {
    /// A header and rows of comma-separated fields (RFC 4180).
    pub const CSV: Self = InputFormat(&Kind {
        names: &["csv"],
        title: "CSV",
        about: Some("A header and rows of comma-separated fields"),
        endings: &["csv"],
        shape: Shape::Table,
    });
}

impl Format for Csv {
    fn kind(&self) -> InputFormat {
        InputFormat::CSV
    }

    /// A table whose fields another character parts is one too: reading it says what to do.
    fn is_at(&self, head: &[u8]) -> bool {
        [b',', b';', b'|'].into_iter().any(|delimiter| is_header(head, delimiter))
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        let cutter =
            TableCutter::new(b',', opened.source.dialect(), opened.options.max_record_bytes);
        Ok(Box::new(Cutting::new(opened, cutter, 0)))
    }
}
