//! HTML files: the whole file is one page.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape, marks_length};
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::whole::Whole;
use crate::html::prescan::behind_comment;
use crate::html::xhtml::{ending_of, has_page_root};
use crate::records::opened::Opened;
use memchr::{memchr, memchr_iter, memmem};
use std::path::Path;

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

/// What opens a page where tags of what it shows follow: parts of templates and other markup begin so too.
const METADATA: [&[u8]; 2] = [b"<title", b"<meta"];

/// Endings of templates, components and other markup, whose parts open so, tags of what a page shows included.
const MARKUP: &str = "ascx astro atom cshtml dbk dita edge eex ejs erb eta ftl ftlh gohtml gotmpl handlebars hbs heex \
     inc j2 jinja jinja2 jspf jsx latte leex liquid mako marko mdx mustache njk opf riot rss sgm sgml svelte svg tei \
     template tmpl tpl tsx twig vm vue wxml xml xsl xslt";

/// Endings of scripts of a server. What is saved under such a name is most often the page that one made.
const SCRIPTS: &str = "asp aspx cfm jsp php phtml";

/// What code in such a script begins with, in small letters: no page that one made has it. Scripts of pages have `${` and `{{`.
const SERVER_CODE: [&[u8]; 10] =
    [b"<?php", b"<?=", b"<? ", b"<?\n", b"<?\r", b"<%", b"<cf", b"<asp:", b"<jsp:", b"<c:"];

/// What may stand before a page that opens, as comments do. Components of Vue and the like begin so too.
const CODE: [&[u8]; 2] = [b"<script", b"<style"];

/// Tags of what a page shows.
const SHOWN: [&[u8]; 14] = [
    b"<a", b"<b", b"<body", b"<br", b"<center", b"<div", b"<font", b"<h1", b"<hr", b"<iframe",
    b"<img", b"<p", b"<table", b"<ul",
];

/// Whether a page opens here, behind comments, scripts and styles.
///
/// # References
///
/// MIME Sniffing Standard, section 7.1 "Identifying a resource with an unknown MIME type". Files may be anything, unlike
/// what a server sends: of its table these tags are looked for, and they are not taken for a page in prose.
fn opens_page(head: &[u8]) -> bool {
    behind_code(head).is_some_and(|(rest, is_behind_code)| {
        OPENINGS.into_iter().any(|tag| is_tag(rest, tag)) || !is_behind_code && opens_part(rest)
    })
}

/// What follows comments, scripts and styles, and whether any of the latter stand there; none where one does not end.
fn behind_code(head: &[u8]) -> Option<(&[u8], bool)> {
    let (mut rest, mut is_behind_code) = (head, false);
    loop {
        let comment = rest.strip_prefix(b"<!").filter(|it| it.starts_with(b"--"));
        let code = CODE.into_iter().find(|tag| is_tag(rest, tag));
        is_behind_code |= code.is_some();
        let behind = match (comment, code) {
            (Some(comment), _) => behind_comment(comment),
            (None, Some(tag)) => behind_element(rest, tag),
            (None, None) => return Some((rest, is_behind_code)),
        };
        rest = behind?.trim_ascii_start();
    }
}

/// Whether what begins so is other markup under this name, although it opens a page elsewhere.
pub(crate) fn is_other_markup(path: &Path, head: &[u8]) -> bool {
    let begun = head.get(marks_length(head)..).unwrap_or_default().trim_ascii_start();
    let opens = |rest: &[u8]| METADATA.into_iter().any(|tag| is_tag(rest, tag));
    let is_named = |ending: String| {
        let is_of = |endings: &str| endings.split(' ').any(|it| it == ending);
        is_of(MARKUP) || is_of(SCRIPTS) && has_server_code(head)
    };
    ending_of(path).is_some_and(is_named) && behind_code(begun).is_some_and(|(rest, _)| opens(rest))
}

/// Whether code that a server runs stands anywhere.
fn has_server_code(head: &[u8]) -> bool {
    let head = head.to_ascii_lowercase();
    SERVER_CODE.into_iter().any(|code| memmem::find(&head, code).is_some())
}

/// Whether a part of a page opens here, of which the beginning was left out.
fn opens_part(rest: &[u8]) -> bool {
    let opens = |tag: &[u8]| is_tag(rest, tag);
    let behind = memchr(b'>', rest).and_then(|end| rest.get(end + 1..)).unwrap_or_default();
    let is_closing = |at: usize| behind.get(at + 2).is_some_and(u8::is_ascii_alphabetic);
    let is_followed = behind.trim_ascii_start().starts_with(b"<");
    let has_markup = is_followed || memmem::find_iter(behind, b"</").any(is_closing);
    // A sentence goes on behind the tag that it names.
    let shows = (is_followed || !behind.starts_with(b" ")) && is_shown(behind);
    opens(b"<head") && is_followed
        || opens(b"<body") && (has_markup || shows)
        || METADATA.into_iter().any(opens) && has_markup && shows
}

/// Whether these bytes begin with a tag, whose name a space, a line end, `/` or `>` ends.
fn is_tag(bytes: &[u8], tag: &[u8]) -> bool {
    let ends = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
    bytes.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
        && bytes.get(tag.len()).is_some_and(ends)
}

/// What follows the element of text that this tag opens here; none where it does not end.
fn behind_element<'a>(opened: &'a [u8], tag: &[u8]) -> Option<&'a [u8]> {
    let name = tag.get(1..)?;
    let closes = |at: &usize| {
        let named = opened.get(at + 2..at + 2 + name.len());
        named.is_some_and(|named| named.eq_ignore_ascii_case(name))
    };
    let closing = opened.get(memmem::find_iter(opened, b"</").find(closes)?..)?;
    closing.get(memchr(b'>', closing)? + 1..)
}

/// Whether a tag of what a page shows stands anywhere.
fn is_shown(bytes: &[u8]) -> bool {
    let is_one = |bytes: &[u8]| SHOWN.into_iter().any(|tag| is_tag(bytes, tag));
    memchr_iter(b'<', bytes).any(|at| bytes.get(at..).is_some_and(is_one))
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
