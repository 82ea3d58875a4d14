//! What type a payload has: by its head, as browsers read heads, or by its first bytes, as browsers sniff them.

#![deny(clippy::indexing_slicing)]

use crate::format::BOM;
use crate::html::xhtml::has_page_root;
use crate::utf_16::utf_16;
use std::borrow::Cow;

/// The type of bytes that are no text.
pub(crate) const BINARY: &str = "application/octet-stream";

/// The type of texts.
pub(crate) const TEXT: &str = "text/plain";

/// The type of pages.
pub(crate) const HTML: &str = "text/html";

/// The type of pages in XML.
pub(crate) const XHTML: &str = "application/xhtml+xml";

/// Bytes that are looked at.
pub(crate) const SNIFFED: usize = 1445;

/// What a payload is, as far as it can be a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    Page,
    Text,
}

/// Tags that open a page, in capitals; a space or `>` follows each. The last ones are not the standard's: no text begins so,
/// and pages without a head do.
const TAGS: [&[u8]; 34] = [
    b"<!DOCTYPE HTML",
    b"<HTML",
    b"<HEAD",
    b"<SCRIPT",
    b"<IFRAME",
    b"<H1",
    b"<DIV",
    b"<FONT",
    b"<TABLE",
    b"<A",
    b"<STYLE",
    b"<TITLE",
    b"<B",
    b"<BODY",
    b"<BR",
    b"<P",
    b"<META",
    b"<LINK",
    b"<BASE",
    b"<H2",
    b"<H3",
    b"<FORM",
    b"<CENTER",
    b"<IMG",
    b"<SECTION",
    b"<ARTICLE",
    b"<MAIN",
    b"<HEADER",
    b"<NAV",
    b"<SPAN",
    b"<UL",
    b"<OL",
    b"<NOSCRIPT",
    b"<FRAMESET",
];

/// What servers say by default, whatever they send (MIME Sniffing Standard, section 5.1).
const UNSURE: [&str; 4] = [
    TEXT,
    "text/plain; charset=ISO-8859-1",
    "text/plain; charset=iso-8859-1",
    "text/plain; charset=UTF-8",
];

/// Types by their first bytes, where no byte of them need be binary. Those that are no texts have a
/// [version](is_versioned) behind them, or binary bytes.
const OPENINGS: [(&[u8], &str); 3] = [
    (b"<?xml", "text/xml"),
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
];

/// The type that the values of all lines `Content-Type` tell together, without parameters, and the value that
/// tells it: the last that is one, as lines that were joined are lists. None where no value is a type.
///
/// # References
///
/// Fetch Standard, "extract a MIME type". What stands for an unknown type is none (MIME Sniffing Standard, section 7).
pub(crate) fn extract<'a>(values: impl Iterator<Item = &'a str>) -> Option<(String, &'a str)> {
    let mut found: Option<(String, &str)> = None;
    for value in values.flat_map(list) {
        let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_token = |part: &str| !part.is_empty() && part.bytes().all(is_token);
        let is_type =
            essence.split_once('/').is_some_and(|(kind, sub)| is_token(kind) && is_token(sub));
        let unknown = matches!(&*essence, "*/*" | "unknown/unknown" | "application/unknown");
        if !is_type || unknown {
            continue;
        }
        // The character set of an earlier value of the same type holds on.
        found = match found {
            Some((before, first)) if before == essence && !has_charset(value) => {
                Some((before, first))
            }
            _ => Some((essence, value)),
        };
    }
    found
}

/// The members of a list, whose commas may be in quotes.
fn list(value: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    value.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
}

fn has_charset(value: &str) -> bool {
    value.to_ascii_lowercase().contains("charset")
}

/// Whether a byte may be in a token (RFC 9110, section 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// What a payload of a known type is; none of what is no text for readers.
pub(crate) fn of_type(essence: &str) -> Option<Payload> {
    match essence {
        HTML | XHTML => Some(Payload::Page),
        TEXT => Some(Payload::Text),
        _ => None,
    }
}

/// The type of what a server sent, or a crawler kept, of the type and value that [`extract`] finds in its head. Servers say
/// that what they do not know is a text: where the first bytes are none, they tell what it is.
///
/// # References
///
/// MIME Sniffing Standard, section 7.2 "Sniffing a mislabeled binary resource". Unlike there, UTF-16 is a text without a
/// byte order mark too, and PDF and PostScript are told by their first bytes.
pub(crate) fn served<'a>(
    stated: Option<(String, &str)>,
    body: impl FnOnce() -> Cow<'a, [u8]>,
) -> Cow<'static, str> {
    match stated {
        Some((_, value)) if UNSURE.contains(&value.trim()) => {
            let body = body();
            let told = sniff(&body);
            let is_text = told.starts_with("text/") || utf_16(&body).is_some();
            Cow::Borrowed(if is_text { TEXT } else { told })
        }
        stated => kind(stated.map(|(essence, _)| essence), body),
    }
}

/// The type of a payload: the one that is stated, or else by its first bytes. XML whose root is that of a page is
/// shown as one.
pub(crate) fn kind<'a>(
    stated: Option<String>,
    body: impl FnOnce() -> Cow<'a, [u8]>,
) -> Cow<'static, str> {
    let is_xml =
        |kind: &str| matches!(kind, "text/xml" | "application/xml") || kind.ends_with("+xml");
    let (kind, body) = match stated {
        Some(stated) if !is_xml(&stated) => return Cow::Owned(stated),
        Some(stated) => (Cow::Owned(stated), body()),
        None => {
            let body = body();
            (Cow::Borrowed(sniff(&body)), body)
        }
    };
    if is_xml(&kind) && has_page_root(body.get(..SNIFFED).unwrap_or(&body)) {
        Cow::Borrowed(XHTML)
    } else {
        kind
    }
}

/// The type of a payload that nothing names, by its first bytes.
///
/// # References
///
/// MIME Sniffing Standard, section 7.1 "Identifying a resource with an unknown MIME type". Unlike there, a byte order
/// mark before a tag does not make a page a text, and a text may begin with the marks of PDF and PostScript.
pub(crate) fn sniff(body: &[u8]) -> &'static str {
    let head = body.get(..SNIFFED).unwrap_or(body);
    let marked = head.strip_prefix(BOM);
    let is_wide = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let narrow: Vec<u8> = match is_wide {
        // Tags are of ASCII, of which each character has one byte that is not zero.
        true => head.iter().skip(2).copied().filter(|byte| *byte != 0).collect(),
        false => Vec::new(),
    };
    let start = marked.unwrap_or(head).trim_ascii_start();
    let begun = if is_wide { narrow.trim_ascii_start() } else { start };
    let tag = TAGS.iter().any(|tag| {
        let opens = begun.get(..tag.len()).is_some_and(|it| it.eq_ignore_ascii_case(tag));
        opens && matches!(begun.get(tag.len()), Some(b' ' | b'>'))
    });
    // Standards have the byte behind a tag; a line end serves as well.
    let broken = |tag: &&[u8]| {
        let opens = begun.get(..tag.len()).is_some_and(|it| it.eq_ignore_ascii_case(tag));
        opens && matches!(begun.get(tag.len()), Some(b'\t' | b'\n' | b'\r' | 0x0c | b'/'))
    };
    if tag || begun.starts_with(b"<!--") || TAGS.iter().any(broken) {
        return HTML;
    }
    // Texts of DOS end with a mark.
    let mut within = head.iter().copied().rev().skip_while(|byte| *byte == 0x1a);
    let has_binary = within.any(is_binary);
    for (opening, named) in OPENINGS {
        let behind = start.strip_prefix(opening);
        let is_so = |behind| named.starts_with("text/") || has_binary || is_versioned(behind);
        if behind.is_some_and(is_so) {
            return named;
        }
    }
    if is_wide || marked.is_some() || !has_binary {
        return TEXT;
    }
    BINARY
}

/// Whether what stands behind the mark of PDF or PostScript is a version, and one more word at most: a text has more.
pub(crate) fn is_versioned(behind: &[u8]) -> bool {
    let line = behind.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let words = line.trim_ascii().split(|byte| *byte == b' ').count();
    line.first().is_some_and(u8::is_ascii_digit) && words <= 2
}

/// Whether a byte is one that no text has: a binary data byte of the MIME Sniffing Standard, section 3, other than the
/// backspace, with which manuals strike letters twice, and the vertical tab.
fn is_binary(byte: u8) -> bool {
    matches!(byte, 0..=7 | 0x0e..=0x1a | 0x1c..=0x1f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_type_of_a_list_holds() {
        let told = |values: &[&'static str]| {
            extract(values.iter().copied()).map(|(essence, value)| (essence, value.trim()))
        };
        let page = |value| Some(("text/html".to_owned(), value));
        assert_eq!(told(&["text/html, text/html; charset=a"]), page("text/html; charset=a"));
        assert_eq!(told(&["TEXT/HTML;charset=gbk", "text/html"]), page("TEXT/HTML;charset=gbk"));
        assert_eq!(told(&["text/plain", "text/html;x=\"a,b/c\""]), page("text/html;x=\"a,b/c\""));
        assert_eq!(told(&["text/html, */*", "html", ""]), page("text/html"));
        for none in [&["", ","][..], &["html"], &["text/"], &["unknown/unknown"], &[]] {
            assert_eq!(told(none), None, "{none:?}");
        }
    }

    #[test]
    fn first_bytes_tell_what_nothing_names() {
        for page in [
            &b"<!doctype html>"[..],
            b"\n\t <html lang=en>",
            b"\xef\xbb\xbf<head>",
            b"<!-- a --><p>",
            b"<p>a",
            b"<BODY class=x>",
            b"<div\nclass=x>",
            b"<meta charset=utf-8>",
            b"\xff\xfe<\0h\0t\0m\0l\0>\0",
            b"\xfe\xff\0<\0h\x001\0>",
        ] {
            assert_eq!(sniff(page), "text/html", "{page:?}");
        }
        // In UTF-16 no root is looked for.
        assert_eq!(sniff(b"\xff\xfe<\0?\0x\0m\0l\0 \0"), "text/plain");
        for text in [&b"words"[..], b"", b"<pa>", b"\xef\xbb\xbfwords", b"caf\xe9", b"\xff\xfea\0"]
        {
            assert_eq!(sniff(text), "text/plain", "{text:?}");
        }
        for text in [&b"A text of DOS.\r\n\x1a\x1a"[..], b"N\x08NA\x08A", b"one\x0btwo"] {
            assert_eq!(sniff(text), "text/plain", "{text:?}");
        }
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0"), "application/octet-stream");
        for pdf in [&b"%PDF-1.7"[..], b"%PDF-1.4\r\xe2\xe3 a b c", b"%PDF- and \x01"] {
            assert_eq!(sniff(pdf), "application/pdf", "{pdf:?}");
        }
        assert_eq!(sniff(b"%!PS-Adobe-3.0 EPSF-3.0\n"), "application/postscript");
        assert_eq!(sniff(b"<?xml version='1.0'?>"), "text/xml");
    }

    #[test]
    fn xml_with_the_root_of_a_page_is_one() {
        let page = "<?xml version='1.0'?>\n<!-- a > b --><!DOCTYPE html>\n<html lang='en' xmlns='http://www.w3.org/1999/xhtml'>";
        let of = |stated: Option<&str>, body: &'static str| {
            kind(stated.map(str::to_owned), || Cow::Borrowed(body.as_bytes()))
        };
        for stated in [None, Some("text/xml"), Some("application/xml"), Some("a/x+xml")] {
            assert_eq!(of(stated, page), XHTML, "{stated:?}");
        }
        assert_eq!(of(Some("text/plain"), page), "text/plain");
        let feed = "<?xml version='1.0'?><rss xmlns:h='http://www.w3.org/1999/xhtml'><html/></rss>";
        for other in [feed, "<?xml?><html>", "<?xml", "<!-- ", ""] {
            assert_eq!(of(Some("text/xml"), other), "text/xml", "{other}");
        }
    }
}
