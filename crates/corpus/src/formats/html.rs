//! HTML files: the whole file is one page.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::whole::Whole;
use crate::html::prescan::behind_comment;
use crate::html::xhtml::has_page_root;
use crate::records::opened::Opened;
use memchr::{memchr, memchr_iter, memmem};

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
const OPENINGS: [&[u8]; 2] = [b"<!doctype html", b"<html"];

/// What opens a page where more markup follows: of a page nothing else does, and a text may tell of it.
const INNER: [&[u8]; 4] = [b"<head", b"<body", b"<title", b"<meta"];

/// What opens a page where a tag of a whole page follows: parts of programs, such as components of Vue, begin so too.
const SHARED: [&[u8]; 2] = [b"<script", b"<style"];

/// The tags that whole pages alone have.
const WHOLE: [&[u8]; 4] = [b"<!doctype html", b"<html", b"<head", b"<body"];

/// Whether a page opens here, behind comments.
///
/// # References
///
/// MIME Sniffing Standard, section 7.1 "Identifying a resource with an unknown MIME type". Files may be anything, unlike
/// what a server sends: of its table these tags are looked for, and they are not taken for a page in prose.
fn opens_page(head: &[u8]) -> bool {
    let mut rest = head;
    while let Some(comment) = rest.strip_prefix(b"<!").filter(|it| it.starts_with(b"--")) {
        let Some(behind) = behind_comment(comment) else { return false };
        rest = behind.trim_ascii_start();
    }
    let opens = |tag: &[u8]| is_tag(rest, tag);
    OPENINGS.into_iter().any(opens)
        || (INNER.into_iter().any(opens) && has_markup(rest))
        || (SHARED.into_iter().any(opens) && is_of_whole(rest))
}

/// Whether these bytes begin with a tag, whose name a space, a line end, `/` or `>` ends.
fn is_tag(bytes: &[u8], tag: &[u8]) -> bool {
    let ends = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
    bytes.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
        && bytes.get(tag.len()).is_some_and(ends)
}

/// Whether another tag follows the first one at once, or a closing one anywhere: in prose neither does.
fn has_markup(opened: &[u8]) -> bool {
    let behind = memchr(b'>', opened).and_then(|end| opened.get(end + 1..)).unwrap_or_default();
    let is_closing = |at: usize| behind.get(at + 2).is_some_and(u8::is_ascii_alphabetic);
    behind.trim_ascii_start().starts_with(b"<") || memmem::find_iter(behind, b"</").any(is_closing)
}

/// Whether a tag of a whole page stands anywhere.
fn is_of_whole(opened: &[u8]) -> bool {
    let is_one = |bytes: &[u8]| WHOLE.into_iter().any(|tag| is_tag(bytes, tag));
    memchr_iter(b'<', opened).any(|at| opened.get(at..).is_some_and(is_one))
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
