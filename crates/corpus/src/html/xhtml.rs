//! Pages in the syntax of XML as markup in the syntax of HTML, which all that reads pages reads.

use crate::compression::Compression;
use crate::format::BOM;
use crate::html::entities::{Entities, Flaw, end_of_declaration};
use crate::within::within;
use memchr::memmem;
use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::{BytesStart, Event};
use std::collections::HashSet;
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

/// Whether a file is XML: by its name, or else by its first bytes.
pub(crate) fn is_xml(path: &Path, bytes: &[u8]) -> bool {
    is_named_xml(path).unwrap_or_else(|| without_mark(bytes).starts_with(b"<?xml"))
}

/// The ending of a name in small letters, before that of a compression.
pub(crate) fn ending_of(path: &Path) -> Option<String> {
    let path = match (Compression::of_name(path), path.file_stem()) {
        (Compression::None, _) | (_, None) => path,
        (_, Some(stem)) => Path::new(stem),
    };
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Whether a file is XML by its name; none where that tells nothing.
pub(crate) fn is_named_xml(path: &Path) -> Option<bool> {
    match ending_of(path).as_deref() {
        Some("xhtml" | "xht" | "xml") => Some(true),
        Some("html" | "htm") => Some(false),
        _ => None,
    }
}

/// Whether XML that begins so has the root element of a page (XHTML 1.0, section 3.1.1; HTML Standard, section 14).
pub(crate) fn has_page_root(head: &[u8]) -> bool {
    let mut rest = without_mark(head);
    // Declarations, comments and the document type come before the root.
    while rest.starts_with(b"<?") || rest.starts_with(b"<!") {
        let Some(end) = end_of_declaration(rest) else { return false };
        rest = within(rest, end..).trim_ascii_start();
    }
    let tag = rest.split(|byte| *byte == b'>').next().unwrap_or_default();
    let name = tag.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let local = name.rsplit(|byte| matches!(byte, b':' | b'<')).next();
    name.starts_with(b"<")
        && local == Some(b"html")
        && memmem::find(tag, NAMESPACES[0].as_bytes()).is_some()
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes).trim_ascii_start()
}

/// The markup of a page in XML as HTML writes it: every element with an end of its own, CDATA as text, no prefixes, and
/// what entities stand for that the page declares. A bare `&` is taken as text, and a page that is cut off is read up to
/// there.
///
/// A shadow root is made by the parser of HTML alone: here templates have no attributes.
///
/// # Errors
///
/// What is not well-formed, of which a browser shows an error; entities without an end.
///
/// # Complexity
///
/// Linear.
///
/// # References
///
/// XML 1.0; HTML Standard, section 14 "The XML syntax"; XHTML 1.0, appendix C.
pub(crate) fn html_of(xml: &str) -> Result<String, Flaw> {
    let mut page = Page {
        html: "<!DOCTYPE html>".to_owned(),
        entities: Entities::of_page(xml.len()),
        ..Page::default()
    };
    page.html.reserve(xml.len());
    page.content(xml, 0)?;
    if page.has_root { Ok(page.html) } else { Err(Flaw::NotWellFormed) }
}

/// These bytes as a text.
fn text_of(bytes: &[u8]) -> Result<&str, Flaw> {
    str::from_utf8(bytes).map_err(|_| Flaw::NotWellFormed)
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
    entities: Entities,
}

impl Page {
    /// The content of a page, or of what a reference in so many others stands for.
    fn content(&mut self, xml: &str, depth: usize) -> Result<(), Flaw> {
        let mut reader = Reader::from_str(xml);
        reader.config_mut().allow_dangling_amp = true;
        let before = self.open.len();
        loop {
            let event = match reader.read_event() {
                Err(Error::Syntax(SyntaxError::UnclosedTag)) if depth == 0 => return Ok(()),
                event => event.map_err(|_| Flaw::NotWellFormed)?,
            };
            match event {
                Event::Start(tag) => self.start(&tag, depth)?,
                Event::Empty(tag) => {
                    self.start(&tag, depth)?;
                    self.end();
                }
                Event::End(_) => self.end(),
                Event::Text(text) => self.text(&[text_of(&text)?]),
                Event::GeneralRef(name) => {
                    let name = text_of(&name)?;
                    match self.entities.text(name, depth)? {
                        Some(text) => self.content(&text, depth + 1)?,
                        None => self.text(&["&", name, ";"]),
                    }
                }
                Event::DocType(_) if depth > 0 => return Err(Flaw::NotWellFormed),
                Event::DocType(declared) => self.entities.declare(text_of(&declared)?)?,
                Event::CData(data) => {
                    let text = text_of(&data)?.replace('&', "&amp;").replace('<', "&lt;");
                    self.text(&[&text]);
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Eof if depth > 0 && self.open.len() != before => {
                    return Err(Flaw::NotWellFormed);
                }
                Event::Eof => return Ok(()),
            }
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, depth: usize) -> Result<(), Flaw> {
        self.has_root = true;
        if self.opaque.is_some() {
            self.open.push(None);
            return Ok(());
        }
        self.learn_prefixes(tag);
        let (whole, attributes) = (tag.name(), text_of(tag.attributes_raw())?);
        let whole = text_of(whole.as_ref())?;
        let local = whole.split_once(':').filter(|(prefix, _)| self.prefixes.contains(*prefix));
        let name = local.map_or(whole, |(_, local)| local);
        if UNSEEN.contains(&name) {
            self.opaque = Some((self.open.len(), false));
            self.open.push(None);
            return Ok(());
        }
        if OF_TEXT.contains(&name) {
            self.opaque = Some((self.open.len(), true));
        }
        let name = if VERBATIM.contains(&name) { "pre" } else { name };
        let attributes = if name == "template" { "" } else { attributes };
        let attributes = self.entities.attributes(attributes, depth)?;
        self.html.extend(["<", name, &attributes, ">"]);
        self.open.push((!VOID.contains(&name)).then(|| name.to_owned()));
        Ok(())
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
        assert_eq!(html.unwrap(), "<!DOCTYPE html><html><p>one >2&amp;</p></html>");
        let markup = html_of(&page(
            "<!ENTITY a '<b title=\"&c;\">x</b>&c;<br/>'><!ENTITY b SYSTEM 'x'><!ENTITY c '&#x79;'>",
        ));
        assert_eq!(
            markup.unwrap(),
            "<!DOCTYPE html><html><p><b title=\"y\">x</b>y<br>&b;&amp;</p></html>"
        );
        for (a, told) in [
            ("<![CDATA[&b;<b>]]>&#38;lt;", "&amp;b;&lt;b>&lt;"),
            ("&#60;i>i&#60;/i>", "<i>i</i>"),
            ("<script>x</script>&d;", "&d;"),
            ("&amp;lt;", "&amp;lt;"),
            ("%c;", "%c;"),
        ] {
            let html = html_of(&page(&format!("<!ENTITY a '{a}'><!ENTITY b ''>"))).unwrap();
            assert_eq!(html, format!("<!DOCTYPE html><html><p>{told}&amp;</p></html>"));
        }
        for unbalanced in ["<b>", "</p><p>", "<b></i>", "<!DOCTYPE a>", "<b"] {
            let html = html_of(&page(&format!("<!ENTITY a '{unbalanced}'>")));
            assert_eq!(html, Err(Flaw::NotWellFormed), "{unbalanced}");
        }
    }

    #[test]
    fn entities_stand_for_no_more_than_is_read() {
        let page = |subset: &str, body: &str| format!("<!DOCTYPE a [{subset}]><a>{body}</a>");
        let long = page(&format!("<!ENTITY a '{}'>", "x".repeat(99)), &"&a;".repeat(8000));
        assert_eq!(html_of(&long).unwrap().matches('x').count(), 99 * 8000);
        let more = page(&format!("<!ENTITY a '{}'>", "x".repeat(99)), &"&a;".repeat(9999));
        assert_eq!(html_of(&more), Err(Flaw::Endless));
        // Ten of each, ten levels deep; with nothing at the end, too; in attributes; an entity of itself.
        for end in ["lol", ""] {
            let mut laughs = format!("<!ENTITY a0 '{end}'>");
            for level in 1..10 {
                laughs +=
                    &format!("<!ENTITY a{level} '{}'>", format!("&a{};", level - 1).repeat(10));
            }
            assert_eq!(html_of(&page(&laughs, "&a9;")), Err(Flaw::Endless));
            assert_eq!(html_of(&page(&laughs, "<b c='&a9;'/>")), Err(Flaw::Endless));
        }
        assert_eq!(html_of(&page("<!ENTITY a 'x&a;'>", "&a;")), Err(Flaw::Endless));
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
            assert_eq!(html_of(page), Err(Flaw::NotWellFormed), "{page}");
        }
        assert_eq!(html_of("<p><a/>b<i").unwrap(), "<!DOCTYPE html><p><a></a>b");
    }

    #[test]
    fn a_root_is_found_behind_any_document_type() {
        let root = "<html xmlns='http://www.w3.org/1999/xhtml'>";
        for before in
            ["<!DOCTYPE html [<!ENTITY a ']>'><!-- ]> -->]>", "<?xml version='1.0'?><!-- > -->"]
        {
            assert!(has_page_root(format!("{before}\n{root}").as_bytes()), "{before}");
        }
        assert!(!has_page_root(
            format!("<!DOCTYPE html [<!ENTITY a \"{root}\">]><rss>").as_bytes()
        ));
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
