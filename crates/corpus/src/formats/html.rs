//! HTML files: the whole file is one page.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::whole::Whole;
use crate::html::xhtml::has_page_root;
use crate::records::opened::Opened;

pub(crate) struct Html;

impl InputFormat {
    /// The whole file is one HTML page.
    pub const HTML: Self = InputFormat(&Kind {
        names: &["html"],
        title: "HTML",
        about: Some("One HTML page a file"),
        endings: &["html", "htm", "xhtml", "xht"],
        shape: Shape::Page,
    });
}

impl Format for Html {
    fn kind(&self) -> InputFormat {
        InputFormat::HTML
    }

    /// A doctype or `<html>` comes first, or it is XML whose root is that of a page.
    fn is_at(&self, head: &[u8]) -> bool {
        let opens =
            |tag: &[u8]| head.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        opens(b"<!doctype html") || opens(b"<html") || has_page_root(head)
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        Ok(Box::new(Whole(opened)))
    }
}
