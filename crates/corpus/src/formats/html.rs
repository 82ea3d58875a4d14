//! HTML files: the whole file is one page.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::whole::Whole;
use crate::html::entities::end_of_declaration;
use crate::html::xhtml::has_page_root;
use crate::records::opened::Opened;
use crate::within::within;

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

/// What opens a page, and nothing else. Markdown, templates and the like begin with comments and other tags too.
const OPENINGS: [&[u8]; 4] = [b"<!doctype html", b"<html", b"<head", b"<body"];

/// Whether a page opens here, behind comments.
fn opens_page(head: &[u8]) -> bool {
    let mut rest = head;
    while rest.starts_with(b"<!--") {
        let Some(end) = end_of_declaration(rest) else { return false };
        rest = within(rest, end..).trim_ascii_start();
    }
    OPENINGS.iter().any(|tag| {
        let opens = rest.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        let behind = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
        opens && rest.get(tag.len()).is_some_and(behind)
    })
}

impl Format for Html {
    fn kind(&self) -> InputFormat {
        InputFormat::HTML
    }

    /// A tag of [`OPENINGS`] comes first, or it is XML whose root is that of a page.
    fn is_at(&self, head: &[u8]) -> bool {
        opens_page(head) || has_page_root(head)
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        Ok(Box::new(Whole(opened)))
    }
}
