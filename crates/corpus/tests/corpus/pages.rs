//! HTML pages: whose characters, which text, and how long it takes at worst.

use crate::{Folder, gzip};
use nearprint_corpus::{
    Document, Fallback, Fields, InvalidUtf8, Page, PageRules, Part, ReadOptions, Reader,
};

/// A page of `samples/html`.
fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/../../samples/html/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

/// The one document of a file of that name and content.
fn document(name: &str, bytes: &[u8], part: Option<Part>) -> Document<'static> {
    let folder = Folder::new();
    folder.write(name, bytes);
    let mut reader = Reader::new(&folder.sources(&[name]), ReadOptions::default());
    let batch = reader.next().unwrap().unwrap();
    let fields = Fields { part, ..Fields::default() };
    let record = batch.record(0).unwrap();
    let Document { text, full, fallback, replaced_utf8, cut, seems_rows, joined, parts, .. } =
        record.document(&fields, InvalidUtf8::Fail).unwrap();
    Document {
        id: None,
        record: None,
        text: text.into_owned().into(),
        full,
        fallback,
        tag: None,
        score: None,
        ties: Vec::new(),
        labels: Vec::new(),
        replaced_utf8,
        cut,
        seems_rows,
        joined,
        parts,
    }
}

#[test]
fn a_page_in_utf_32_is_refused() {
    let folder = Folder::new();
    folder.write("a.html", b"\xff\xfe\0\0<\0\0\0p\0\0\0>\0\0\0");
    let found = Reader::new(&folder.sources(&["a.html"]), ReadOptions::default()).next().unwrap();
    let told = folder.message(&found.err().unwrap());
    assert_eq!(told, "a.html is text in UTF-32, which is not read; convert it to UTF-8");
}

fn main_of(name: &str) -> String {
    let document = document(name, &sample(name), Some(Part::Main(PageRules::Structure)));
    assert_eq!((document.fallback, document.replaced_utf8), (None, false), "{name}");
    document.text.into_owned()
}

#[test]
fn the_main_text_is_the_article() {
    for (name, first, last) in [
        ("mill.html", "The water mill at Harrow Ford", "into the sluice post."),
        ("mill-reprint.html", "The water mill at Harrow Ford", "into the sluice post."),
        ("viaduct.html", "Night trains will not cross", "the diversion can sleep."),
    ] {
        let text = main_of(name);
        assert!(text.contains(first) && text.contains(last), "{name}: {text}");
        assert!(!text.contains("Weather") && !text.contains("Basketry"), "{name}: {text}");
        assert!(!text.contains("All rights") && !text.contains("half price"), "{name}: {text}");
        assert!(!text.contains("window.courier") && !text.contains("serif"), "{name}: {text}");
    }
    assert!(main_of("mill.html").contains("carpenter\u{2019}s shop"), "entities are decoded");
}

#[test]
fn pages_are_read_in_their_own_characters() {
    assert!(main_of("cafe.html").contains("1,60 \u{20ac} au comptoir"));
    assert!(main_of("toshokan.html").contains("港町の図書館に、二十年前に"));
    assert!(main_of("chaguan.html").contains("一碗茶仍旧是两块钱，续水不另收费。"));
}

#[test]
fn the_full_text_has_the_frame_too() {
    let page = document("a.html", &sample("mill.html"), Some(Part::Full(PageRules::Shown)));
    assert!(page.text.starts_with("The Harrow Courier News of the valley"), "{}", page.text);
    assert!(page.text.contains("Fennel & Daughters") && page.text.contains("into the sluice"));
    assert!(!page.text.contains("window.courier") && !page.text.contains("enable scripts"));
    let both = document("a.html", &sample("mill.html"), Some(Part::Both(PageRules::Structure)));
    assert_eq!(both.full.unwrap(), page.text);
    assert_eq!(both.text, main_of("mill.html"));
}

#[test]
fn the_text_of_a_row_may_be_a_page() {
    let markup = String::from_utf8(sample("viaduct.html")).unwrap();
    let row = serde_json::json!({ "id": 1, "text": markup }).to_string();
    let text = document("rows.jsonl", row.as_bytes(), Some(Part::Main(PageRules::Structure))).text;
    assert_eq!(text, main_of("viaduct.html"));
    let row = serde_json::json!({ "id": 1, "html": markup }).to_string();
    let html = document("rows.jsonl", row.as_bytes(), Some(Part::Main(PageRules::Structure))).text;
    assert_eq!(html, text);
    let plain = document("rows.jsonl", br#"{"text":"a <b>c</b>"}"#, None);
    assert_eq!(plain.text, "a <b>c</b>");
}

#[test]
fn text_files_among_pages_stay_as_they_are() {
    assert_eq!(
        document("a.txt", b"a <b>c</b>", Some(Part::Main(PageRules::Structure))).text,
        "a <b>c</b>"
    );
}

#[test]
fn content_and_compression_tell_a_page() {
    let page =
        document("page", &gzip(&sample("mill.html")), Some(Part::Main(PageRules::Structure)));
    assert_eq!(page.text, main_of("mill.html"));
}

#[test]
fn a_page_where_text_was_expected_is_an_error() {
    let folder = Folder::new();
    folder.write("a.html", "<p>x");
    let mut reader = Reader::new(&folder.sources(&["a.html"]), ReadOptions::default());
    let batch = reader.next().unwrap().unwrap();
    let error =
        batch.record(0).unwrap().document(&Fields::default(), InvalidUtf8::Fail).unwrap_err();
    assert_eq!(error.reason(), "html-as-text");
    assert_eq!(folder.message(&error), "a.html: an HTML page, and the recipe takes plain text");
}

#[test]
fn what_is_no_character_is_replaced_and_told() {
    let page = document(
        "a.html",
        b"<meta charset=utf-8><p>one\xff two",
        Some(Part::Full(PageRules::Shown)),
    );
    assert_eq!((page.text.as_ref(), page.replaced_utf8), ("one\u{fffd} two", true));
}

#[test]
fn a_page_of_too_little_main_text_gives_all_its_text() {
    for rules in [PageRules::Long, PageRules::Large, PageRules::Structure, PageRules::Shown] {
        let markup = "<div class=menu>Home News</div><article><p>Gone fishing.</article>";
        let page = Page::new(markup, rules);
        assert_eq!(page.main(), ("Home News\nGone fishing.".into(), Some(Fallback::Short)));
    }
}

#[test]
fn a_footer_under_a_long_list_is_no_main_text() {
    let footer = "Copyright the writers of this manual, who wrote it over many years, in their free \
                  time, for everybody to read, to copy and to change. <br>Last changed in spring.";
    let entries: String = (0..60)
        .map(|i| format!("<li class=toctree><a href=e{i}>Chapter {i} tells of {}</a></li>", 7 * i))
        .collect();
    let markup = format!(
        "<body><div class=document><div class=body><ul class=toc>{entries}</ul></div></div>\
         <div class=footer>{footer} <br><br></div>"
    );
    let page = |rules| Page::new(&markup, rules);
    let long = page(PageRules::Long);
    let (trusted, none) = long.main();
    assert!(trusted.starts_with("Copyright") && none.is_none(), "{trusted}");
    for (rules, why) in [
        (PageRules::Large, Fallback::Small),
        (PageRules::Structure, Fallback::Doubtful),
        (PageRules::Shown, Fallback::Doubtful),
    ] {
        assert_eq!(page(rules).main(), (page(rules).full().into(), Some(why)));
    }
}

/// Styles and scripts of inline SVG, and the content of shadow roots, as a browser shows them.
#[test]
fn a_page_is_read_as_a_browser_shows_it() {
    let prose = "The harbour master keeps a paper log of every vessel that enters the bay, and each evening a clerk \
                 copies it by hand into a bound ledger for the town library.";
    let page = format!(
        "<body><svg><style>.a{{fill:none}}</style><script>alert(1)</script><title>Logo</title></svg>\
         <x-story><template shadowrootmode=open><p>{prose}</p></template></x-story>\
         <template><p>Never shown.</p></template>"
    );
    for part in [Part::Full(PageRules::Shown), Part::Main(PageRules::Shown)] {
        assert_eq!(part.of(&page).0, prose);
    }
    assert!(Part::Full(PageRules::Structure).of(&page).0.contains("fill"));
}

/// What an XML parser makes of these, a browser shows; what is named HTML is HTML.
#[test]
fn pages_in_xml_are_read_by_the_rules_of_xml() {
    let prose = "The harbour master keeps a paper log of every vessel that enters the bay, and each evening a clerk \
                 copies it by hand into a bound ledger for the town library.";
    let page = format!(
        "<?xml version='1.0'?>\n<!DOCTYPE html [ <!ENTITY end 'd'> ] >\n<html xmlns='http://www.w3.org/1999/xhtml'><head><title/>\
         <script src='a.js'/><style/></head><body><textarea/><iframe src='b'/><p>{prose}</p><div/>\
         <p><![CDATA[a < b &]]> c<template/>&end;</p></body></html>"
    );
    let full = format!("{prose}\na < b & cd");
    for (name, bytes) in [
        ("a.xhtml", page.as_bytes().to_vec()),
        ("a.xht.gz", gzip(page.as_bytes())),
        ("page", page.as_bytes().to_vec()),
        ("a.xml", format!("\u{feff}{page}").into_bytes()),
    ] {
        let all = document(name, &bytes, Some(Part::Full(PageRules::Shown)));
        assert_eq!(all.text, full, "{name}");
        let main = document(name, &bytes, Some(Part::Main(PageRules::Shown)));
        assert!(main.text.contains(prose), "{name}: {}", main.text);
    }
    let page = page.replace(" [ <!ENTITY end 'd'> ] ", "");
    let html = document("a.html", page.as_bytes(), Some(Part::Full(PageRules::Shown)));
    assert_eq!(html.text, "");
    // Of what is no XML a browser shows an error: it is read as HTML.
    let broken = document("a.xhtml", b"<p>one<b>two</p></b>", Some(Part::Full(PageRules::Shown)));
    assert_eq!(broken.text, "onetwo");
    let unclosed = document("a.xhtml", b"<p>one<br><p>two", Some(Part::Full(PageRules::Shown)));
    assert_eq!(unclosed.text, "one\ntwo");
    let latin = b"<?xml version='1.0' encoding='iso-8859-2'?><html><p>\xb1</p></html>";
    let latin = document("a.xhtml", latin, Some(Part::Full(PageRules::Shown)));
    assert_eq!(latin.text, "\u{105}");
}

/// Of a page with shadow roots, a browser displays the flat tree.
#[test]
fn what_no_slot_takes_is_not_displayed() {
    let prose = "The harbour master keeps a paper log of every vessel that enters the bay, and each evening a clerk \
                 copies it by hand into a bound ledger for the town library.";
    let page = format!(
        "<body><x-story><p slot=text>{prose}</p>left out<template shadowrootmode=open><h1>Log</h1>\
         <slot name=text>no text</slot></template><template shadowrootmode=open>no</template></x-story>"
    );
    assert_eq!(Part::Full(PageRules::Shown).of(&page).0, format!("Log\n{prose}"));
    assert_eq!(Part::Main(PageRules::Shown).of(&page).0, prose);
}

#[test]
fn fields_are_text_and_titles_are_not_wherever_they_stand() {
    let prose = "The harbour master keeps a paper log of every vessel that enters the bay, and each evening a clerk \
                 copies it by hand into a bound ledger for the town library.";
    let shown = "A field to fill in shows the text that it holds in the page, such as <b>bold</b> words of an example.";
    let last = "In winter the harbour freezes over, and the log is kept by the keeper of the lighthouse instead.";
    let page = format!(
        "<body><main><h1>Log</h1><p>{prose}</p><title>Not shown</title><textarea>{field}</textarea>\
         <p>wo<template>no</template>r<meta itemprop=x>d</p><p>{last}</p></main>",
        field = shown.replace('<', "&lt;"),
    );
    assert_eq!(
        Part::Full(PageRules::Shown).of(&page).0,
        format!("Log\n{prose}\n{shown}\nword\n{last}")
    );
    let (main, _) = Part::Main(PageRules::Shown).of(&page);
    assert_eq!(main, format!("{prose}\n{shown}\nword\n{last}"));
    // By the rules of earlier versions all is as it was.
    let (full, _) = Part::Full(PageRules::Structure).of(&page);
    assert_eq!(full, format!("Log\n{prose}\nwo\nr\nd\n{last}"));
}

#[test]
fn text_in_iso_2022_jp_is_read_without_a_label() {
    let japanese = "吾輩は猫である。名前はまだ無い。";
    let coded = |text: &str| encoding_rs::ISO_2022_JP.encode(text).0.into_owned();
    let page = coded(&format!("<p>{japanese}</p>"));
    let full = Some(Part::Full(PageRules::Shown));
    assert_eq!(document("a.html", &page, full).text, japanese);
    for (name, text, expected) in [
        ("a.txt", format!("{}{japanese}", "a plain line\n".repeat(9000)), None),
        ("a.jsonl", format!("{{\"text\":\"{japanese}\"}}\n"), Some(japanese)),
        ("a.csv", format!("id,text\n1,{japanese}\n"), Some(japanese)),
        ("words", japanese.to_owned(), Some(japanese)),
    ] {
        let bytes = coded(&text);
        assert!(bytes.is_ascii());
        for bytes in [gzip(&bytes), bytes] {
            assert_eq!(document(name, &bytes, None).text, expected.unwrap_or(&text), "{name}");
        }
    }
    // What a terminal was sent stays as it is, and so does UTF-8.
    for text in ["\u{1b}[1mbold\u{1b}(B\u{1b}[m", "caf\u{e9} \u{1b}$B$\"\u{1b}(B"] {
        assert_eq!(document("a.txt", text.as_bytes(), None).text, text);
    }
}

/// Each takes minutes, or as much memory as there is, without the limits.
#[test]
fn hostile_pages_are_given_up() {
    let formatting: String = (0..900).map(|i| format!("<b id={i}>")).collect();
    let attributes: String = (0..100_000).map(|i| format!(" a{i}")).collect();
    for (name, page) in [
        ("nested", "<div>".repeat(100_000) + "deep"),
        ("nested out of scope", "<div><object></div></object>".repeat(50_000) + "deep"),
        ("one deep place", "<i>".repeat(600) + "deep" + &"</i>".repeat(600)),
        ("many deep places", ("<i>".repeat(400) + "deep" + &"</i>".repeat(400)).repeat(300)),
        ("formatting in every paragraph", formatting + &"<p>deep".repeat(10_000)),
        ("attributes", format!("<p{attributes}>deep")),
        ("ampersands", format!("deep{}", "&".repeat(1_000_000))),
        ("many nodes", format!("deep{}", "<p>word".repeat(110_000))),
        ("large", format!("<p>deep{}", " word".repeat(1_000_000))),
    ] {
        let page = Page::new(&page, PageRules::Shown);
        let (text, fallback) = page.main();
        // The limits ended the search for main text: without them it takes minutes.
        assert_eq!(fallback, Some(Fallback::Costly), "{name}");
        assert!(text.contains("deep"), "{name}");
    }
}
