//! HTML files: the whole file is one page.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::whole::Whole;
use crate::html::prescan::behind_comment;
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

/// What opens a page, and nothing else. Markdown, templates and the like begin with comments and other tags too.
const OPENINGS: [&[u8]; 3] = [b"<!doctype html", b"<html", b"<body"];

/// What opens a page where another tag follows: of a page nothing else does, and a text may tell of it.
const HEAD: &[u8] = b"<head";

/// Whether a page opens here, behind comments.
fn opens_page(head: &[u8]) -> bool {
    let mut rest = head;
    while let Some(comment) = rest.strip_prefix(b"<!").filter(|it| it.starts_with(b"--")) {
        let Some(behind) = behind_comment(comment) else { return false };
        rest = behind.trim_ascii_start();
    }
    let opens = |tag: &[u8]| {
        let opens = rest.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        let behind = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
        opens && rest.get(tag.len()).is_some_and(behind)
    };
    let has_tags = || {
        let end = rest.iter().position(|byte| *byte == b'>');
        let behind = end.and_then(|end| rest.get(end + 1..)).unwrap_or_default();
        behind.trim_ascii_start().starts_with(b"<")
    };
    OPENINGS.into_iter().any(opens) || (opens(HEAD) && has_tags())
}

impl Format for Html {
    fn kind(&self) -> InputFormat {
        InputFormat::HTML
    }

    /// A tag that opens a page comes first, or it is XML whose root is that of a page.
    fn is_at(&self, head: &[u8]) -> bool {
        opens_page(head) || has_page_root(head)
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        Ok(Box::new(Whole(opened)))
    }
}
