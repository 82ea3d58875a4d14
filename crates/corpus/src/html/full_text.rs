//! All text of an HTML page, by one pass over its tags that keeps no tree. The main text alone is
//! `main_text`'s.

use crate::html::trust::PageRules;
use htmlize::unescape;
use lol_html::html_content::{Element, TextChunk, TextType};
use lol_html::{HtmlRewriter, Settings, doc_text, element, end_tag};
use std::cell::RefCell;
use std::rc::Rc;

/// Elements inside which a line goes on; any other ends it.
pub(crate) const INLINE: [&str; 43] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "q", "rb", "rp", "rt", "ruby", "s",
    "samp", "script", "small", "span", "strike", "strong", "style", "sub", "sup", "svg", "time",
    "tt", "u", "var", "wbr", "blink",
];

/// Elements that are not displayed (HTML Standard, section 15.3.1): a word goes on behind one, by the rules of
/// [`PageRules::Shown`].
pub(crate) const UNDISPLAYED: [&str; 9] =
    ["area", "base", "basefont", "link", "meta", "noscript", "param", "template", "title"];

/// Start tags longer than this are looked into for their attributes.
const LONG_TAG: usize = 4096;

/// The text of a page and what its tags say about its tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FullText {
    /// A line a block, white space collapsed.
    pub(crate) text: String,
    /// The most attributes that one long tag has.
    pub(crate) attributes: usize,
    /// Elements open; of templates, whose content is no part of the page.
    hidden: usize,
    /// Whether the page is read as a browser shows it.
    is_shown: bool,
    /// Whether text is shown as it is written, tags included (HTML Standard, section 16.2).
    verbatim: bool,
    /// Whether text is that of a field to fill in, which a browser shows in it (HTML Standard, section 15.5.19).
    of_field: bool,
    /// Text whose end is still to come, entities undecoded.
    pending: String,
    /// What stands before the next word.
    gap: Gap,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

impl FullText {
    /// Reads a page: all text but scripts, styles, templates, titles, and what is for browsers without scripts or
    /// frames; text in fields to fill in by the rules of [`PageRules::Shown`] alone.
    ///
    /// # Complexity
    ///
    /// Linear in time whatever the page does, depth included; memory for the open elements.
    pub(crate) fn of(markup: &str, rules: PageRules) -> Self {
        let is_shown = rules == PageRules::Shown;
        let state = Rc::new(RefCell::new(Self { is_shown, ..Self::default() }));
        let on_text = Rc::clone(&state);
        let on_element = Rc::clone(&state);
        let settings = Settings::new()
            .with_strict(false)
            .append_document_content_handler(doc_text!(move |chunk| {
                on_text.borrow_mut().chunk(chunk);
                Ok(())
            }))
            .append_element_content_handler(element!("*", move |element| {
                on_element.borrow_mut().start(element, &on_element);
                Ok(())
            }));
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
        // Memory is not limited, ambiguity is allowed and no handler fails: there is no error, and
        // if there were one, what was read before it is the text.
        let _complete = rewriter.write(markup.as_bytes()).and_then(|()| rewriter.end());
        let mut full = state.take();
        full.flush();
        full
    }

    fn start(&mut self, element: &mut Element<'_, '_>, state: &Rc<RefCell<Self>>) {
        let name = element.tag_name();
        let bytes = element.source_location().bytes();
        if bytes.end.saturating_sub(bytes.start) > LONG_TAG {
            self.attributes = self.attributes.max(element.attributes().len());
        }
        let template = name == "template";
        let is_passed_over = self.is_shown && UNDISPLAYED.contains(&name.as_str());
        // A field that is hidden has no box.
        let is_hidden_field = || {
            name == "input"
                && element
                    .get_attribute("type")
                    .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
        };
        let is_passed_over = is_passed_over || self.is_shown && is_hidden_field();
        let goes_on = self.hidden > 0 || is_passed_over || INLINE.contains(&name.as_str());
        if goes_on && !template {
            return;
        }
        if !goes_on {
            self.end_line();
        }
        let Some(handlers) = element.end_tag_handlers() else { return };
        self.hidden += usize::from(template);
        self.verbatim = name == "xmp";
        self.of_field = self.is_shown && name == "textarea";
        let state = Rc::clone(state);
        handlers.push(end_tag!(move |_| {
            let mut full = state.borrow_mut();
            full.verbatim = false;
            full.of_field = false;
            full.hidden -= usize::from(template);
            if !goes_on {
                full.end_line();
            }
            Ok(())
        }));
    }

    fn chunk(&mut self, chunk: &TextChunk<'_>) {
        let shown = match chunk.text_type() {
            TextType::Data | TextType::CDataSection | TextType::PlainText => true,
            TextType::RawText => self.verbatim,
            TextType::RCData => self.of_field,
            _ => false,
        };
        if !shown || self.hidden > 0 {
            return;
        }
        self.pending.push_str(chunk.as_str());
        if chunk.last_in_text_node() {
            let decoded = chunk.text_type().allows_html_entities();
            let pending = std::mem::take(&mut self.pending);
            if decoded {
                self.words(&unescape(pending.as_str()))
            } else {
                self.words(&pending)
            }
            self.pending = pending;
            self.pending.clear();
        }
    }

    /// Appends text, white space collapsed.
    fn words(&mut self, text: &str) {
        for (at, word) in text.split(char::is_whitespace).enumerate() {
            if at > 0 {
                self.gap = self.gap.max(Gap::Space);
            }
            if word.is_empty() {
                continue;
            }
            match self.gap {
                _ if self.text.is_empty() => {}
                Gap::None => {}
                Gap::Space => self.text.push(' '),
                Gap::Line => self.text.push('\n'),
            }
            self.gap = Gap::None;
            self.text.push_str(word);
        }
    }

    fn end_line(&mut self) {
        self.gap = Gap::Line;
    }

    /// Takes what a text node without an end left behind.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.words(&unescape(pending.as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(markup: &str) -> String {
        FullText::of(markup, PageRules::Structure).text
    }

    fn shown(markup: &str) -> String {
        FullText::of(markup, PageRules::Shown).text
    }

    #[test]
    fn blocks_are_lines_and_inline_elements_part_no_word() {
        let page = "<h1>A  <b>t</b>itle</h1><p>one\n two<br>three</p>four<ul><li>a<li>b</ul>\
                    <table><tr><td>x</td><td>y</td></tr></table>";
        assert_eq!(text(page), "A title\none two\nthree\nfour\na\nb\nx\ny");
    }

    #[test]
    fn entities_are_decoded_once() {
        assert_eq!(
            text("<p>caf&eacute;&nbsp;&#x2014; &amp;lt; &lt;b&gt; &copy 5&#150;6 &x"),
            "caf\u{e9} \u{2014} &lt; <b> \u{a9} 5\u{2013}6 &x"
        );
        assert_eq!(text("<plaintext>a &amp; b"), "a &amp; b");
        assert_eq!(text("<xmp>a &lt;<b></xmp><style>p{}</style>c"), "a &lt;<b>\nc");
    }

    #[test]
    fn what_no_reader_sees_is_left_out() {
        let page = "<title>T</title><style>p{}</style><p>a<script>let x = '<p>no';</script>b\
                    <template><p>no<template>no</template>no</template>c<textarea>no</textarea>\
                    <noscript>no</noscript><iframe>no</iframe><!-- no -->d<svg><title>S</title></svg>";
        assert_eq!(text(page), "ab\nc\nd\nS");
    }

    #[test]
    fn a_word_goes_on_behind_what_is_not_displayed() {
        for hidden in [
            "<template><p>x</p><div>y</div></template>",
            "<template>x<template>y</template>z</template>",
            "<title>x</title>",
            "<meta itemprop=x content=y>",
            "<link rel=x><script>x</script>",
            "<noscript><p>x</p></noscript>",
            "<input type=hidden value=x>",
            "<INPUT Type='Hidden'/>",
        ] {
            let page = format!("<p>wo{hidden}rd</p>");
            assert_eq!(
                (shown(&page), text(&page)),
                ("word".to_owned(), text("<p>wo<p>rd")),
                "{hidden}"
            );
        }
        assert_eq!(shown("<p>a<template>x</template> b</p><template>y</template>c"), "a b\nc");
    }

    #[test]
    fn a_field_shows_the_text_in_it() {
        let page = "<p>a<textarea rows=2>b &amp; <p>c</textarea>d<title>no</title><textarea/>e</p>";
        assert_eq!(shown(page), "a\nb & <p>c\nd\ne</p>");
        assert_eq!(text(page), "a\nd");
    }

    #[test]
    fn broken_markup_gives_its_text() {
        assert_eq!(text("<p>a</div></p><b>c<p>d</b>e<"), "a\nc\nd\ne<");
        assert_eq!(text("a <b"), "a");
        assert_eq!(text(""), "");
        assert_eq!(text("<script>never closed <p>x"), "");
        assert_eq!(text("a</template>b<template>c"), "ab");
    }

    #[test]
    fn attributes_of_long_tags_are_counted() {
        let flood: String = (0..3000).map(|i| format!(" a{i}")).collect();
        let attributes = |page: &str| FullText::of(page, PageRules::Shown).attributes;
        assert_eq!(attributes(&format!("<p{flood}>x")), 3000);
        assert_eq!(attributes("<p a b c>x"), 0);
    }

    #[test]
    fn deep_nesting_takes_linear_time() {
        let page = format!("{}x{}", "<div>".repeat(200_000), "</b></div>".repeat(200_000));
        assert_eq!(text(&page), "x");
    }
}
