//! The character set that a page names in its first bytes (HTML Standard, section 13.2.3.2, "prescan a byte stream to
//! determine its encoding"). Of a tag that is cut off nothing counts. Unlike there, what is text alone is passed over, as
//! the parser does: a quote in a script would hide what follows.

#![deny(clippy::indexing_slicing)]

use encoding_rs::Encoding;
use memchr::{memchr, memmem};

/// Elements that hold text alone (HTML Standard, section 13.2.6.2).
const OF_TEXT: [&[u8]; 8] =
    [b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp"];

/// The character set that the first `<meta>` with one names: in its attribute `charset`, or in `content` where it stands
/// for the header `Content-Type`.
pub(crate) fn meta(start: &[u8]) -> Option<&'static Encoding> {
    let mut rest = start;
    loop {
        rest = behind(rest, b"<")?;
        rest = match rest {
            [b'!', comment @ ..] if comment.starts_with(b"--") => behind_comment(comment)?,
            [b'/', letter, ..] | [letter, ..] if letter.is_ascii_alphabetic() => {
                let (found, after) = tag(rest)?;
                if found.is_some() {
                    return found;
                }
                behind_text(rest, after).unwrap_or(after)
            }
            [b'!' | b'/' | b'?', ..] => behind(rest, b">")?,
            _ => rest,
        };
    }
}

/// The value behind `charset=` in a header, or in the `content` of a `<meta>` (HTML Standard, "extracting a character
/// encoding from a meta element").
pub(crate) fn label_in(text: &[u8]) -> Option<&[u8]> {
    const KEY: usize = "charset".len();
    let mut rest = text;
    loop {
        let at = rest.windows(KEY).position(|word| word.eq_ignore_ascii_case(b"charset"))?;
        rest = rest.get(at + KEY..)?.trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let quoted = |byte: u8| matches!(byte, b'"' | b'\'');
        return match value.split_first() {
            Some((&quote, inner)) if quoted(quote) => inner.split(|&byte| byte == quote).next(),
            _ => value
                .split(|&byte| byte.is_ascii_whitespace() || byte == b';' || quoted(byte))
                .next(),
        };
    }
}

/// What follows a comment, of which the `<!` is left out: its end may share the dashes in front, but for `--!>` (HTML
/// Standard, sections 13.2.5.43 to 13.2.5.52).
pub(crate) fn behind_comment(comment: &[u8]) -> Option<&[u8]> {
    let marked = comment.get(2..).and_then(|inner| behind(inner, b"--!>"));
    // Behind the end that comes first is more.
    behind(comment, b"-->").into_iter().chain(marked).max_by_key(|rest| rest.len())
}

/// What follows the first `end`.
fn behind<'a>(bytes: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    bytes.get(memmem::find(bytes, end)? + end.len()..)
}

/// What follows the text in an element that holds no markup, where a tag opens one that ends in these bytes; `after`
/// follows the tag.
fn behind_text<'a>(opening: &[u8], after: &'a [u8]) -> Option<&'a [u8]> {
    let name = OF_TEXT.into_iter().find(|name| is_named(opening, name))?;
    if opening.strip_suffix(after)?.ends_with(b"/>") {
        return None;
    }
    let mut rest = after;
    loop {
        rest = behind(rest, b"</")?;
        if is_named(rest, name) {
            return Some(rest);
        }
    }
}

/// Whether a tag that begins so has this name.
fn is_named(tag: &[u8], name: &[u8]) -> bool {
    tag.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
        && tag.get(name.len()).is_some_and(|&byte| ends_name(byte))
}

/// Whether the name of a tag ends before this byte.
fn ends_name(byte: u8) -> bool {
    matches!(byte, b'/' | b'>') || byte.is_ascii_whitespace()
}

/// The character set of a tag, where it is a `<meta>` that names one, and what follows the tag.
fn tag(tag: &[u8]) -> Option<(Option<&'static Encoding>, &[u8])> {
    // A slash in front is that of a closing tag.
    let end = 1 + tag.get(1..)?.iter().position(|&byte| ends_name(byte))?;
    let (name, rest) = tag.split_at_checked(end)?;
    let is_meta = name.eq_ignore_ascii_case(b"meta");
    // Attributes of other tags begin behind a blank: what follows a slash is part of their names.
    let begins = |byte: &u8| *byte == b'>' || byte.is_ascii_whitespace();
    let mut rest = if is_meta { rest } else { rest.get(rest.iter().position(begins)?..)? };
    let (mut charset, mut content, mut pragma) = (None, None, None);
    loop {
        let (found, after) = attribute(rest)?;
        rest = after;
        let Some((key, value)) = found else { break };
        // The first of a name counts.
        for (own, first) in
            [("charset", &mut charset), ("content", &mut content), ("http-equiv", &mut pragma)]
        {
            if key.eq_ignore_ascii_case(own.as_bytes()) {
                *first = first.or(Some(value));
            }
        }
    }
    let is_type = pragma.is_some_and(|it: &[u8]| it.eq_ignore_ascii_case(b"content-type"));
    let label = charset.or_else(|| label_in(content.filter(|_| is_type)?));
    Some((label.filter(|_| is_meta).and_then(Encoding::for_label), rest))
}

/// The name and the value of an attribute.
type Attribute<'a> = (&'a [u8], &'a [u8]);

/// The next attribute within a tag, where it has one more, and what follows it or the tag.
fn attribute(tag: &[u8]) -> Option<(Option<Attribute<'_>>, &[u8])> {
    let start = tag.iter().position(|byte| *byte != b'/' && !byte.is_ascii_whitespace())?;
    let rest = tag.get(start..)?;
    if let Some(after) = rest.strip_prefix(b">") {
        return Some((None, after));
    }
    // A `=` in front is part of the name.
    let is_end = |byte: &u8| matches!(byte, b'=' | b'/' | b'>') || byte.is_ascii_whitespace();
    let (name, rest) = rest.split_at_checked(1 + rest.get(1..)?.iter().position(is_end)?)?;
    let rest = rest.trim_ascii_start();
    let Some(value) = rest.strip_prefix(b"=") else {
        return Some((Some((name, <&[u8]>::default())), rest));
    };
    let value = value.trim_ascii_start();
    let (value, rest) = match value.split_first()? {
        (quote @ (b'"' | b'\''), inner) => {
            let (value, rest) = inner.split_at_checked(memchr(*quote, inner)?)?;
            (value, rest.get(1..)?)
        }
        _ => {
            let end = value.iter().position(|byte| *byte == b'>' || byte.is_ascii_whitespace())?;
            value.split_at_checked(end)?
        }
    };
    Some((Some((name, value)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(page: &str) -> Option<&'static str> {
        meta(page.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn a_meta_names_the_charset_in_every_spelling() {
        for page in [
            "<META CHARSET=euc-kr>",
            "<meta charset = \"EUC-KR\" />",
            "<meta http-equiv='Content-Type' content='text/html; charset=euc-kr'>",
            "<meta content=\"text/html;charset=EUC-KR;x\" http-equiv=content-type>",
            "<meta content='a; charset=utf-8' charset=euc-kr http-equiv=content-type>",
            "<!-- <meta charset=utf-8> --><meta/charset=euc-kr>",
            "<!--><meta charset=euc-kr><!-- -->",
            "<!-- <meta charset=utf-8> --!><meta charset=euc-kr><!-- -->",
            "<!--!> <meta charset=utf-8> --><meta charset=euc-kr><!-- --!>",
            "<meta name=charset content=x><meta charset=euc-kr>",
            "<metal charset=utf-8></meta charset=utf-8><meta charset=euc-kr>",
            "<?x <meta charset=utf-8><! <meta charset=utf-8><meta charset=euc-kr>",
            "<meta charset=euc-kr charset=utf-8>",
            "<meta name='a > b' charset=euc-kr>",
            "<p <=a title=\"<meta charset=utf-8>\"><meta = charset=euc-kr>",
            "a < b </ <br/><meta charset=no-such><meta charset=euc-kr>",
            "<script>s = '<a href=\"'; t = '</i>';</script><meta charset=euc-kr>",
            "<Title x>a <b \"c <meta charset=utf-8></TITLE\n><meta charset=euc-kr>",
            "<style><meta charset=euc-kr>",
            "<script src=a /><meta charset=euc-kr><script></script>",
            "<a/b=\"c><br/\"><meta charset=euc-kr>",
        ] {
            assert_eq!(named(page), Some("EUC-KR"), "{page}");
        }
    }

    #[test]
    fn what_a_page_says_elsewhere_names_no_charset() {
        for page in [
            "<meta name='description' content='Why charset=koi8-r is old'>",
            "<meta http-equiv='refresh' content='600; url=/x?charset=koi8-r'>",
            "<meta content='text/html; charset=koi8-r'>",
            "<meta data-charset=koi8-r>",
            "<meta title='charset=koi8-r'>",
            "<meta charset='' http-equiv=content-type content='charset=koi8-r'>",
            "<link title='<meta charset=koi8-r>'>",
            // An open quote goes on to the next one, or to the end.
            "<a title=\"b><meta charset=koi8-r>",
            "<a title=\"b><meta charset=\"koi8-r\">",
            "<meta charset=koi8-r",
            "<meta charset=koi8-r ",
            "<meta charset='koi8-r",
            "<meta charset=",
            "<!-- <meta charset=koi8-r>",
            "charset=koi8-r",
        ] {
            assert_eq!(named(page), None, "{page}");
        }
    }
}
