//! Pages in the syntax of XML as markup in the syntax of HTML, which all that reads pages reads.

use crate::compression::Compression;
use crate::format::BOM;
use crate::within::within;
use memchr::{memchr, memchr2, memmem};
use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::{BytesStart, Event};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The namespaces whose elements are those of pages.
const NAMESPACES: [&str; 3] = [
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
];

/// Elements that have no end in HTML (HTML Standard, sections 13.1.2 and 13.2.6.4.7).
const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements of whose content nothing is displayed, and which HTML does not read as markup.
const UNSEEN: [&str; 6] = ["iframe", "noembed", "noframes", "noscript", "script", "style"];

/// Elements that HTML reads as text alone.
const OF_TEXT: [&str; 2] = ["textarea", "title"];

/// Elements whose content HTML reads as it is written.
const VERBATIM: [&str; 3] = ["listing", "plaintext", "xmp"];

/// Letters of an entity that a page declares, at most, and how often longer than its XML a page is that entities make.
const ENTITY: usize = 100;
const GROWTH: usize = 4;

/// Whether a file is XML: by its name, or else by its first bytes.
pub(crate) fn is_xml(path: &Path, bytes: &[u8]) -> bool {
    let path = match (Compression::of_name(path), path.file_stem()) {
        (Compression::None, _) | (_, None) => path,
        (_, Some(stem)) => Path::new(stem),
    };
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_deref().and_then(|ending| ending.to_str()) {
        Some("xhtml" | "xht" | "xml") => true,
        Some("html" | "htm") => false,
        _ => without_mark(bytes).starts_with(b"<?xml"),
    }
}

/// Whether XML that begins so has the root element of a page (XHTML 1.0, section 3.1.1; HTML Standard, section 14).
pub(crate) fn has_page_root(head: &[u8]) -> bool {
    let mut rest = without_mark(head);
    // Declarations, comments and the document type come before the root.
    while rest.starts_with(b"<?") || rest.starts_with(b"<!") {
        let Some(end) = end_of(rest) else { return false };
        rest = within(rest, end..).trim_ascii_start();
    }
    let tag = rest.split(|byte| *byte == b'>').next().unwrap_or_default();
    let name = tag.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let local = name.rsplit(|byte| matches!(byte, b':' | b'<')).next();
    name.starts_with(b"<")
        && local == Some(b"html")
        && memmem::find(tag, NAMESPACES[0].as_bytes()).is_some()
}

/// Where a declaration, a comment or a document type ends.
fn end_of(markup: &[u8]) -> Option<usize> {
    let (from, end): (usize, &[u8]) = match markup {
        [b'<', b'?', ..] => (0, b"?>"),
        [b'<', b'!', b'-', b'-', ..] => (0, b"-->"),
        // A document type may have declarations of its own.
        _ => match markup.get(memchr2(b'[', b'>', markup)?) {
            Some(b'[') => (memchr(b']', markup)?, b">"),
            _ => (0, b">"),
        },
    };
    Some(from + memmem::find(markup.get(from..)?, end)? + end.len())
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes).trim_ascii_start()
}

/// The markup of a page in XML as HTML writes it: every element with an end of its own, CDATA as text, and no prefixes.
/// None of what is not well-formed, of which a browser shows an error. A bare `&` is taken as text, and a page that is
/// cut off is read up to there.
///
/// A shadow root is made by the parser of HTML alone: here templates have no attributes.
///
/// # Complexity
///
/// Linear.
///
/// # References
///
/// XML 1.0; HTML Standard, section 14 "The XML syntax"; XHTML 1.0, appendix C.
pub(crate) fn html_of(xml: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().allow_dangling_amp = true;
    let mut page = Page { html: "<!DOCTYPE html>".to_owned(), ..Page::default() };
    page.html.reserve(xml.len());
    let mut entities: HashMap<String, String> = HashMap::new();
    loop {
        let event = match reader.read_event() {
            Err(Error::Syntax(SyntaxError::UnclosedTag)) => break,
            event => event.ok()?,
        };
        match event {
            Event::Start(tag) => page.start(&tag)?,
            Event::Empty(tag) => {
                page.start(&tag)?;
                page.end();
            }
            Event::End(_) => page.end(),
            Event::Text(text) => page.text(&[str::from_utf8(&text).ok()?]),
            Event::GeneralRef(name) => {
                let name = str::from_utf8(&name).ok()?;
                let has_room = page.html.len() < GROWTH * xml.len();
                match entities.get(name).filter(|_| has_room) {
                    Some(text) => page.text(&[text]),
                    None => page.text(&["&", name, ";"]),
                }
            }
            Event::DocType(declared) => entities.extend(entities_in(&declared)),
            Event::CData(data) => {
                let text = str::from_utf8(&data).ok()?;
                page.text(&[&text.replace('&', "&amp;").replace('<', "&lt;")]);
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof => break,
        }
    }
    page.has_root.then_some(page.html)
}

/// The entities of a document type that stand for a short text (XML 1.0, section 4.2).
fn entities_in(declared: &[u8]) -> HashMap<String, String> {
    let declared = String::from_utf8_lossy(declared);
    let entity = |declaration: &str| {
        let (name, value) = declaration.trim_start().split_once(char::is_whitespace)?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let text = value.get(1..)?.split(quote).next()?;
        let is_text = text.len() <= ENTITY && !text.contains(['<', '%']);
        is_text.then(|| (name.to_owned(), text.to_owned()))
    };
    declared.split("<!ENTITY").skip(1).filter_map(entity).collect()
}

/// A page as it is written.
#[derive(Default)]
struct Page {
    html: String,
    has_root: bool,
    /// The ends of the open elements; none of those that HTML writes without.
    open: Vec<Option<String>>,
    /// The place in `open` of an element that has no elements in HTML, and whether it has text.
    opaque: Option<(usize, bool)>,
    /// Prefixes of the namespaces of pages.
    prefixes: HashSet<String>,
}

impl Page {
    fn start(&mut self, tag: &BytesStart<'_>) -> Option<()> {
        self.has_root = true;
        if self.opaque.is_some() {
            self.open.push(None);
            return Some(());
        }
        self.learn_prefixes(tag);
        let (whole, attributes) = (tag.name(), str::from_utf8(tag.attributes_raw()).ok()?);
        let whole = str::from_utf8(whole.as_ref()).ok()?;
        let local = whole.split_once(':').filter(|(prefix, _)| self.prefixes.contains(*prefix));
        let name = local.map_or(whole, |(_, local)| local);
        if UNSEEN.contains(&name) {
            self.opaque = Some((self.open.len(), false));
            self.open.push(None);
            return Some(());
        }
        if OF_TEXT.contains(&name) {
            self.opaque = Some((self.open.len(), true));
        }
        let name = if VERBATIM.contains(&name) { "pre" } else { name };
        let attributes = if name == "template" { "" } else { attributes };
        self.html.extend(["<", name, attributes, ">"]);
        self.open.push((!VOID.contains(&name)).then(|| name.to_owned()));
        Some(())
    }

    fn end(&mut self) {
        if let Some(name) = self.open.pop().flatten() {
            self.html.extend(["</", &name, ">"]);
        }
        self.opaque = self.opaque.filter(|(at, _)| *at < self.open.len());
    }

    /// Text, in the pieces that it is written in.
    fn text(&mut self, pieces: &[&str]) {
        if self.opaque.is_none_or(|(_, has_text)| has_text) {
            self.html.extend(pieces.iter().copied());
        }
    }

    /// Takes the prefixes that a tag declares, which are those of the whole page in all but name.
    fn learn_prefixes(&mut self, tag: &BytesStart<'_>) {
        if memmem::find(tag.attributes_raw(), b"xmlns:").is_none() {
            return;
        }
        for attribute in tag.attributes().with_checks(false).flatten() {
            let prefix = attribute.key.as_ref().strip_prefix(b"xmlns:");
            let is_of_pages = NAMESPACES.iter().any(|it| it.as_bytes() == &*attribute.value);
            let prefix = prefix.filter(|_| is_of_pages).map(String::from_utf8_lossy);
            self.prefixes.extend(prefix.map(|prefix| prefix.into_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(xml: &str) -> String {
        let html = html_of(&format!("<html>{xml}</html>")).unwrap();
        let body = html.strip_prefix("<!DOCTYPE html><html>").unwrap();
        body.strip_suffix("</html>").unwrap().to_owned()
    }

    #[test]
    fn every_element_ends_where_it_does_in_xml() {
        assert_eq!(
            body(
                "<head><title/><script src='a.js'/><style/></head><p id='a'/><a id=\"b\"/>x<br/>y"
            ),
            "<head><title></title></head><p id='a'></p><a id=\"b\"></a>x<br>y"
        );
        assert_eq!(body("<br clear='all'></br>a<hr>b</hr>"), "<br clear='all'>a<hr>b");
        assert_eq!(body("<textarea/><iframe/><noscript/>a"), "<textarea></textarea>a");
    }

    #[test]
    fn text_is_what_xml_says() {
        assert_eq!(
            body("a<![CDATA[ <b> & ]]>c &amp;&nbsp;&#65;<!-- <p> -->d<?p x > y?>e"),
            "a &lt;b> &amp; c &amp;&nbsp;&#65;de"
        );
        assert_eq!(body("a & b"), "a & b");
        assert_eq!(body("<script><![CDATA[ '</script>' ]]></script><style>p &gt; a</style>x"), "x");
        assert_eq!(body("<xmp>a &lt; b</xmp>"), "<pre>a &lt; b</pre>");
        assert_eq!(body("<title>a <b>c</b></title>"), "<title>a c</title>");
        assert_eq!(
            body("<div><template shadowrootmode='open'>a</template></div>"),
            "<div><template>a</template></div>"
        );
    }

    #[test]
    fn a_page_may_declare_entities() {
        let page =
            |subset: &str| format!("<!DOCTYPE html [{subset}]><html><p>&a;&b;&amp;</p></html>");
        let html = html_of(&page("<!ENTITY a 'one >'> <!ENTITY b \"&#50;\"><!ENTITY % c 'd'>"));
        assert_eq!(html.unwrap(), "<!DOCTYPE html><html><p>one >&#50;&amp;</p></html>");
        let markup = html_of(&page("<!ENTITY a '<b>x</b>'><!ENTITY b SYSTEM 'x'>"));
        assert_eq!(markup.unwrap(), "<!DOCTYPE html><html><p>&a;&b;&amp;</p></html>");
        let long =
            format!("<!DOCTYPE a [<!ENTITY a '{}'>]><a>{}</a>", "x".repeat(99), "&a;".repeat(9999));
        assert!(html_of(&long).unwrap().len() < 5 * long.len());
    }

    #[test]
    fn prefixes_of_the_namespaces_of_pages_go() {
        let page = "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:p>a<h:br/><svg:svg \
                    xmlns:svg=\"http://www.w3.org/2000/svg\"><svg:path/></svg:svg><dc:x/></h:p></h:html>";
        let html = html_of(page).unwrap();
        for part in ["<p>a<br><svg ", "><path></path></svg><dc:x></dc:x></p></html>"] {
            assert!(html.contains(part), "{html}");
        }
    }

    #[test]
    fn what_is_not_well_formed_is_no_xml() {
        for page in ["", "words", "<p>a</b></p>", "</p>", "<p>a<br></p>", "<p><![CDATA[a</p>", "<p"]
        {
            assert_eq!(html_of(page), None, "{page}");
        }
        assert_eq!(html_of("<p><a/>b<i").unwrap(), "<!DOCTYPE html><p><a></a>b");
    }

    #[test]
    fn names_and_first_bytes_tell_xml() {
        let xml = b"\xef\xbb\xbf <?xml version='1.0'?>";
        for (name, told) in [
            ("a.xhtml", true),
            ("a.XHT.gz", true),
            ("b/a.xml", true),
            ("a.html", false),
            ("a.htm.zst", false),
        ] {
            assert_eq!([is_xml(Path::new(name), b""), is_xml(Path::new(name), xml)], [told; 2]);
        }
        assert!(is_xml(Path::new("page"), xml) && !is_xml(Path::new("page"), b"<html>"));
    }
}
