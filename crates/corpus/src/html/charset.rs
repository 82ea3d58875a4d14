//! The bytes of an HTML page to characters. What the characters say is `page`'s.

#![deny(clippy::indexing_slicing)]

use crate::html::entities::Flaw;
use crate::html::prescan::{label_in, meta};
use crate::html::xhtml;
use crate::iso_2022_jp::is_iso_2022_jp;
use crate::utf_16::utf_16;
use crate::within::within;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;
use std::borrow::Cow;
use std::path::Path;

/// Bytes at the start of a page in which a `<meta>` may name the character set.
const META_BYTES: usize = 1024;

/// By whose rules bytes name the character set that they are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Html,
    Xml,
    /// Those of a text, in which a tag is text too.
    Text,
}

/// The characters of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markup<'a> {
    /// The markup; borrowed where the page is UTF-8 without an error.
    pub text: Cow<'a, str>,
    /// The character set by its name in the Encoding Standard, such as `windows-1252`.
    pub charset: &'static str,
    /// Whether bytes that the character set does not have became U+FFFD.
    pub replaced: bool,
    /// Whether it is XML whose entities stand for themselves, or for more than is read: these are as they are written.
    pub endless: bool,
}

impl<'a> Markup<'a> {
    /// Decodes a page in the character set that, in this order, a byte order mark, `content_type`
    /// (the HTTP header, where there is one), a `<meta>` in the first 1,024 bytes, the declaration of XML
    /// or the bytes themselves tell. Never fails: like a browser it puts U+FFFD for what is not valid.
    ///
    /// # Complexity
    ///
    /// Linear. A page that names no character set is read twice.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Markup;
    ///
    /// let page = Markup::decode(b"<meta charset=latin1><p>caf\xe9", None);
    /// assert!(page.text.ends_with("<p>café"));
    /// assert_eq!(page.charset, "windows-1252");
    /// ```
    ///
    /// # References
    ///
    /// HTML Standard, section 13.2.3 "The input byte stream"; where it leaves the choice to the
    /// browser, the detector of Firefox (chardetng) makes it.
    #[must_use]
    pub fn decode(bytes: &'a [u8], content_type: Option<&str>) -> Self {
        Self::of_payload(bytes, content_type, Syntax::Html)
    }

    /// Decodes a payload in this syntax, of the type that its server or its archive says.
    pub(crate) fn of_payload(bytes: &'a [u8], content_type: Option<&str>, syntax: Syntax) -> Self {
        Self::decode_stated(bytes, content_type.and_then(stated), syntax)
    }

    fn decode_stated(bytes: &'a [u8], stated: Option<&'static Encoding>, syntax: Syntax) -> Self {
        match Encoding::for_bom(bytes) {
            Some((encoding, mark)) => Markup::of(encoding, within(bytes, mark..)),
            None => Markup::of(stated.unwrap_or_else(|| told(bytes, syntax)), bytes),
        }
    }

    /// Decodes an HTML file; one of XML, by its name or its first bytes, gets the syntax of HTML. A character set that a user
    /// names goes before what the page says of itself, and behind a byte order mark (HTML Standard, section 13.2.3.2).
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Markup;
    /// use std::path::Path;
    ///
    /// let page = Markup::of_file(Path::new("a.xhtml"), b"<html><title/><p>a</p></html>", None);
    /// assert_eq!(page.text, "<!DOCTYPE html><html><title></title><p>a</p></html>");
    /// ```
    #[must_use]
    pub fn of_file(path: &Path, bytes: &'a [u8], named: Option<&str>) -> Self {
        let named = named.and_then(|name| Encoding::for_label(name.as_bytes()));
        // What only begins as XML does may be HTML, in which a `<meta>` goes before the declaration.
        let is_xml = xhtml::is_named_xml(path) == Some(true);
        let syntax = if is_xml { Syntax::Xml } else { Syntax::Html };
        let markup = Self::decode_stated(bytes, named, syntax);
        if xhtml::is_xml(path, markup.text.as_bytes()) { markup.out_of_xml() } else { markup }
    }

    /// The same in the syntax of HTML, where it is well-formed XML.
    pub(crate) fn out_of_xml(self) -> Self {
        match xhtml::html_of(&self.text) {
            Ok(html) => Markup { text: Cow::Owned(html), ..self },
            Err(flaw) => Markup { endless: flaw == Flaw::Endless, ..self },
        }
    }

    fn of(encoding: &'static Encoding, bytes: &'a [u8]) -> Self {
        let (text, replaced) = encoding.decode_without_bom_handling(bytes);
        Markup { text, charset: encoding.name(), replaced, endless: false }
    }
}

/// The character set that a header names.
pub(crate) fn stated(content_type: &str) -> Option<&'static Encoding> {
    label_in(content_type.as_bytes()).and_then(Encoding::for_label)
}

/// Whether bytes of a text are UTF-8 for the most part: of characters beyond ASCII more are whole than damaged. Other
/// character sets have hardly a sequence that is one of UTF-8.
pub(crate) fn is_utf_8(bytes: &[u8]) -> bool {
    if simdutf8::basic::from_utf8(bytes).is_ok() {
        return true;
    }
    let (mut whole, mut damaged) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    whole > damaged
}

/// The character set that bytes without a mark name by the rules of their syntax, or else look like.
fn told(bytes: &[u8], syntax: Syntax) -> &'static Encoding {
    let of_meta = || meta(bytes.get(..META_BYTES).unwrap_or(bytes)).map(declared_as);
    let named = match syntax {
        Syntax::Html => of_meta().or_else(|| declaration(bytes)),
        // XML that declares nothing is UTF-8 or UTF-16 (XML 1.0, section 4.3.3): what is neither is read as HTML.
        Syntax::Xml => declaration(bytes).or_else(|| evident(bytes)).or_else(of_meta),
        Syntax::Text => None,
    };
    named.or_else(|| evident(bytes)).unwrap_or_else(|| detect(bytes))
}

/// The character set that the bytes show without a doubt. A character that is cut or damaged makes no other one of a
/// text.
fn evident(bytes: &[u8]) -> Option<&'static Encoding> {
    let wide = utf_16(bytes).or_else(|| is_iso_2022_jp(bytes).then_some(ISO_2022_JP));
    wide.or_else(|| (!bytes.is_ascii() && is_utf_8(bytes)).then_some(UTF_8))
}

/// What the bytes look like.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The character set that the declaration of XML names (HTML Standard, "get an XML encoding").
fn declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declared = bytes.strip_prefix(b"<?xml")?;
    let declared = within(declared, ..memmem::find(declared, b">")?);
    let value = within(declared, memmem::find(declared, b"encoding")? + "encoding".len()..);
    let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, label) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    Encoding::for_label(label.split(|byte| byte == quote).next()?).map(declared_as)
}

/// The encoding behind a name in the page itself: a page that can be read as ASCII is not UTF-16,
/// whatever it says.
fn declared_as(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charset(bytes: &[u8]) -> &'static str {
        Markup::decode(bytes, None).charset
    }

    #[test]
    fn the_order_of_those_who_tell_is_kept() {
        let page = b"<meta charset='shift_jis'><p>abc";
        let marked = [b"\xef\xbb\xbf", page.as_slice()].concat();
        let header = Some("text/html; Charset=\"GB18030\"");
        assert_eq!(Markup::decode(&marked, header).charset, "UTF-8");
        assert!(Markup::decode(&marked, header).text.starts_with("<meta"));
        assert_eq!(Markup::decode(page, header).charset, "gb18030");
        assert_eq!(Markup::decode(page, Some("text/html")).charset, "Shift_JIS");
        assert_eq!(Markup::decode(page, Some("text/html; charset=no-such")).charset, "Shift_JIS");
        assert_eq!(charset("<p>naïve café".as_bytes()), "UTF-8");
        assert_eq!(charset(b"\xff\xfe<\x00p\x00>\x00"), "UTF-16LE");
    }

    #[test]
    fn a_meta_names_the_charset_alone() {
        for said in [
            "<meta name=\"description\" content=\"Why charset=koi8-r is old\">",
            "<link title=\"<meta charset=koi8-r>\"><meta name='>' charset=utf-8>",
        ] {
            assert_eq!(charset(format!("{said}<p>Привет, мир").as_bytes()), "UTF-8", "{said}");
        }
        assert_eq!(charset(b"<meta charset=utf-16><p>a"), "UTF-8");
        assert_eq!(charset(b"<meta charset=x-user-defined><p>a"), "windows-1252");
    }

    #[test]
    fn a_declaration_of_xml_names_the_charset() {
        for page in [
            "<?xml version='1.0' encoding='euc-kr'?><p>a",
            "<?xml version=\"1.0\" encoding = \"EUC-KR\" ?><p>a",
            "<?xml encoding='utf-8'?><meta charset=euc-kr>",
        ] {
            assert_eq!(charset(page.as_bytes()), "EUC-KR", "{page}");
        }
        assert_eq!(charset(b"<?xml version='1.0' encoding='utf-16'?><p>a"), "UTF-8");
        for page in
            ["<?xml?><p encoding='euc-kr'>", " <?xml encoding='euc-kr'?>", "<?xml encoding="]
        {
            assert_ne!(charset(page.as_bytes()), "EUC-KR", "{page}");
        }
    }

    #[test]
    fn xml_is_what_it_declares_and_a_text_says_nothing_of_itself() {
        let old = "<meta charset=iso-8859-1>";
        let declared = "<?xml version='1.0' encoding='koi8-r'?>";
        let of = |bytes: &[u8], syntax| Markup::of_payload(bytes, None, syntax).charset;
        for (page, html, xml, text) in [
            (format!("{declared}{old}\u{e9}"), "windows-1252", "KOI8-R", "UTF-8"),
            (format!("{declared}\u{e9}"), "KOI8-R", "KOI8-R", "UTF-8"),
            (format!("{old}\u{e9}"), "windows-1252", "UTF-8", "UTF-8"),
        ] {
            let found = [Syntax::Html, Syntax::Xml, Syntax::Text].map(|it| of(page.as_bytes(), it));
            assert_eq!(found, [html, xml, text], "{page}");
        }
        // No XML, for its bytes.
        assert_eq!(of(b"<meta charset=koi8-r>\xc1\xc2", Syntax::Xml), "KOI8-R");
        let page = format!("{old}\u{e9}");
        let charset = |name: &str| Markup::of_file(Path::new(name), page.as_bytes(), None).charset;
        assert_eq!(["a.xhtml", "a.html"].map(charset), ["UTF-8", "windows-1252"]);
    }

    /// Pages of XHTML 1.0 that servers send as HTML, under names such as `a.php`.
    #[test]
    fn a_page_that_only_begins_as_xml_is_decoded_as_html() {
        let page = b"<?xml version='1.0' encoding='utf-8'?><meta charset=koi8-r><p>\xc1\xc2<br>";
        let charset = |name: &str| Markup::of_file(Path::new(name), page, None).charset;
        let told = ["a.php", "-", "a", "a.html", "a.xml"].map(charset);
        assert_eq!(told, ["KOI8-R", "KOI8-R", "KOI8-R", "KOI8-R", "UTF-8"]);
    }

    #[test]
    fn a_meta_beyond_the_start_does_not_count() {
        let page = [" ".repeat(META_BYTES).as_str(), "<meta charset=euc-kr>plain"].concat();
        assert_ne!(charset(page.as_bytes()), "EUC-KR");
    }

    #[test]
    fn pages_that_say_nothing_are_detected() {
        let japanese = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。";
        for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, ISO_2022_JP] {
            let (bytes, ..) = encoding.encode(japanese);
            let page = Markup::decode(&bytes, None);
            assert_eq!((page.charset, &*page.text), (encoding.name(), japanese));
        }
    }

    /// As browsers on Windows save a page, and editors without a mark.
    #[test]
    fn utf_16_is_told_without_a_mark() {
        let page =
            "<?xml version='1.0'?><html><head><title/></head><body>\u{e9}\u{732b}</body></html>";
        let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, charset) in [(little, "UTF-16LE"), (big, "UTF-16BE")] {
            let markup = Markup::decode(&bytes, None);
            assert_eq!((&*markup.text, markup.charset, markup.replaced), (page, charset, false));
            let html = Markup::of_file(Path::new("page"), &bytes, None);
            assert_eq!(html.text, Markup::of_file(Path::new("page"), page.as_bytes(), None).text);
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_and_told() {
        let page = Markup::decode(b"<meta charset=utf-8>a\xff\xc3b", None);
        assert!(page.replaced);
        assert!(page.text.ends_with("a\u{fffd}\u{fffd}b"));
        assert!(!Markup::decode("<meta charset=utf-8>ä".as_bytes(), None).replaced);
    }

    #[test]
    fn any_bytes_decode() {
        for bytes in
            [&b""[..], b"<", b"<!--", b"<meta", b"<meta charset", b"<meta charset=", b"\xff"]
        {
            let _page = Markup::decode(bytes, Some("charset"));
        }
    }
}
