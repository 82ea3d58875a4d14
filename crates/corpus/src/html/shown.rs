//! What a browser shows of a page, as markup: without what is hidden, what inline SVG and MathML do not display and what
//! stands in the place of sound, pictures and frames, and with its shadow roots in place.

use crate::html::flat_tree::flat_tree;
use lol_html::html_content::{ContentType, Element};
use lol_html::{HtmlRewriter, Settings, element, end_tag, text};
use memchr::{memchr_iter, memchr2_iter};
use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

/// Elements whose text is not displayed: in SVG what is drawn only where something refers to it, in MathML what
/// annotates, and what browsers show in the place of media, frames and bars that they cannot show (HTML Standard,
/// sections 4.8, 4.10.13, 4.10.14 and 15.3.1).
const UNSEEN: &str = "svg style, svg script, svg title, svg desc, svg metadata, svg defs, svg symbol, \
                      math annotation, math annotation-xml, audio, canvas, datalist, meter, noembed, noframes, \
                      progress, video";

/// Elements of SVG that are drawn only where something refers to them (SVG 2, section 5.1.2), as a picture, and what says
/// that it is not drawn, such as all of it (section 6.6). What ends SVG may stand in them, and is displayed.
const UNDRAWN: &str = "svg clippath, svg filter, svg hatch, svg lineargradient, svg marker, svg mask, svg mesh, \
                       svg pattern, svg radialgradient, svg solidcolor, svg[display=none i], \
                       svg [display=none i]";

/// Elements of SVG that say whether text in them is visible, where one within does not say otherwise (SVG 2, section 11.6).
const VEILED: &str = "svg[visibility], svg [visibility]";

/// Elements within SVG in which a page goes on.
const FOREIGN: &str = "svg foreignobject";

/// Elements within SVG whose text is displayed: others have none there (SVG 2, section 11).
const TEXT_OF_SVG: &str = "svg text, svg foreignobject";

/// Elements that end SVG, as no element of it has such a name (HTML Standard, section 13.2.6.5).
const ENDS_SVG: &str = "svg b, svg big, svg blockquote, svg body, svg br, svg center, svg code, svg dd, svg div, svg dl, \
                        svg dt, svg em, svg embed, svg h1, svg h2, svg h3, svg h4, svg h5, svg h6, svg head, svg hr, \
                        svg i, svg img, svg li, svg listing, svg menu, svg meta, svg nobr, svg ol, svg p, svg pre, \
                        svg ruby, svg s, svg small, svg span, svg strong, svg strike, svg sub, svg sup, svg table, \
                        svg tt, svg u, svg ul, svg var, svg font[color], svg font[face], svg font[size]";

/// How the tags begin of the elements that have such content.
const MAY_HIDE: [&[u8]; 10] = [
    b"svg",
    b"math",
    b"audio",
    b"canvas",
    b"datalist",
    b"meter",
    b"noembed",
    b"noframes",
    b"progress",
    b"video",
];

/// Elements that may be hidden, which the tree of the page tells: tags for their ends may be left out.
const HIDDEN: &str = "[hidden], dialog:not([open]), [popover]:not(dialog), rp";

/// How the tags begin of those that are told by their names.
const MAY_BE_HIDDEN: [&[u8]; 2] = [b"dialog", b"rp"];

/// Templates whose content a browser shows: declarative shadow roots (HTML Standard, section 4.12.3).
const SHADOW_ROOT: &str = "template[shadowrootmode=open i], template[shadowrootmode=closed i]";

/// The markup of a page without what a browser does not show of these, and of its flat tree where it has shadow roots or
/// hidden elements; borrowed where there is none. Markup that leaves an element without content of its own open stays as
/// it is: it would take the rest of the page with it. Of a page whose tree is too costly, roots are opened where they
/// stand, and what is hidden stays.
///
/// # Complexity
///
/// Linear.
pub(crate) fn shown(markup: &str) -> Cow<'_, str> {
    let has_roots = has(markup, b"shadowrootmode", 5);
    let flat = if has_roots || hides(markup) { flat_tree(markup) } else { None };
    let is_flat = !has_roots || flat.is_some();
    let page = flat.map_or(Cow::Borrowed(markup), Cow::Owned);
    if is_flat && !has_tag(&page, &MAY_HIDE) {
        return page;
    }
    rewritten(&page).map_or(page, Cow::Owned)
}

/// Whether the markup has elements that are hidden. Most pages with that word have none.
fn hides(markup: &str) -> bool {
    let has_word = has(markup, b"hidden", 2) || has(markup, b"popover", 0);
    if !has_word && !has_tag(markup, &MAY_BE_HIDDEN) {
        return false;
    }
    let found = Rc::new(Cell::new(false));
    let seen = Rc::clone(&found);
    let settings = Settings::new().with_strict(false).append_element_content_handler(element!(
        HIDDEN,
        move |_| {
            seen.set(true);
            Ok(())
        }
    ));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // No handler fails and memory is not limited.
    let _complete = rewriter.write(markup.as_bytes()).and_then(|()| rewriter.end());
    found.get()
}

/// Whether the markup has a tag that begins with one of these names.
fn has_tag(markup: &str, names: &[&[u8]]) -> bool {
    let markup = markup.as_bytes();
    memchr_iter(b'<', markup).any(|at| {
        names.iter().any(|name| {
            let there = markup.get(at + 1..at + 1 + name.len());
            there.is_some_and(|there| there.eq_ignore_ascii_case(name))
        })
    })
}

/// Whether the markup has a name, in capitals or not. The letter of the name at `rare` is looked for.
fn has(markup: &str, name: &[u8], rare: usize) -> bool {
    let Some(letter) = name.get(rare) else { return false };
    let found = memchr2_iter(*letter, letter.to_ascii_uppercase(), markup.as_bytes());
    found.filter_map(|at| at.checked_sub(rare)).any(|at| {
        let there = markup.as_bytes().get(at..at + name.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(name))
    })
}

/// Says whether text within an element is displayed; behind it that is as before.
fn enter(element: &mut Element<'_, '_>, displayed: &Rc<Cell<bool>>, within: bool) {
    let Some(handlers) = element.end_tag_handlers() else { return };
    let (state, before) = (Rc::clone(displayed), displayed.replace(within));
    handlers.push(end_tag!(move |_| {
        state.set(before);
        Ok(())
    }));
}

fn rewritten(markup: &str) -> Option<String> {
    let open = Rc::new(Cell::new(0_usize));
    let unclosed = Rc::clone(&open);
    let remove = move |element: &mut Element<'_, '_>| {
        let Some(handlers) = element.end_tag_handlers() else { return Ok(()) };
        unclosed.set(unclosed.get() + 1);
        let closed = Rc::clone(&unclosed);
        handlers.push(end_tag!(move |_| {
            closed.set(closed.get().saturating_sub(1));
            Ok(())
        }));
        element.remove();
        Ok(())
    };
    // Whether text is displayed where the parser is in SVG, and whether an element ended that, whose end tag comes later.
    let (displayed, ended) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(false)));
    let [begins, texts, bare] = [0; 3].map(|_| Rc::clone(&displayed));
    let [anew, ends, is_ended] = [0; 3].map(|_| Rc::clone(&ended));
    // Whether the parser is in what is not drawn, and in a page within SVG, where nothing ends that.
    let (undrawn, foreign) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(false)));
    let [stays, hides, is_undrawn] = [0; 3].map(|_| Rc::clone(&undrawn));
    let [leaves, pages, within, beside, is_foreign] = [0; 5].map(|_| Rc::clone(&foreign));
    // Whether the parser is in what is not visible.
    let veiled = Rc::new(Cell::new(false));
    let [keeps, veils, is_veiled] = [0; 3].map(|_| Rc::clone(&veiled));
    let settings = Settings::new()
        .with_strict(false)
        .append_element_content_handler(element!(UNSEEN, remove))
        .append_element_content_handler(element!("svg", move |element| {
            anew.set(false);
            enter(element, &begins, false);
            // An element that is left open ends with the SVG around it.
            enter(element, &stays, stays.get());
            enter(element, &keeps, keeps.get());
            enter(element, &leaves, false);
            Ok(())
        }))
        .append_element_content_handler(element!(UNDRAWN, move |element| {
            if !within.get() {
                enter(element, &hides, true);
            }
            Ok(())
        }))
        .append_element_content_handler(element!(VEILED, move |element| {
            let stated =
                element.get_attribute("visibility").map(|it| it.trim().to_ascii_lowercase());
            let is_hidden = match stated.as_deref() {
                Some("hidden" | "collapse") => true,
                Some("visible") => false,
                _ => return Ok(()),
            };
            if !beside.get() {
                enter(element, &veils, is_hidden);
            }
            Ok(())
        }))
        .append_element_content_handler(element!(FOREIGN, move |element| {
            enter(element, &pages, true);
            Ok(())
        }))
        .append_element_content_handler(element!(TEXT_OF_SVG, move |element| {
            enter(element, &texts, true);
            Ok(())
        }))
        .append_element_content_handler(element!(ENDS_SVG, move |_| {
            ends.set(ends.get() || !is_foreign.get());
            Ok(())
        }))
        .append_element_content_handler(text!("svg", move |chunk| {
            let is_drawn = !is_undrawn.get() && !is_veiled.get();
            let is_displayed = bare.get() && is_drawn || is_ended.get();
            if !is_displayed && !chunk.as_str().trim().is_empty() {
                chunk.replace(" ", ContentType::Text);
            }
            Ok(())
        }))
        .append_element_content_handler(element!(SHADOW_ROOT, |element| {
            element.set_tag_name("div")?;
            Ok(())
        }));
    let mut out = Vec::with_capacity(markup.len());
    let mut rewriter = HtmlRewriter::new(settings, |bytes: &[u8]| out.extend_from_slice(bytes));
    rewriter.write(markup.as_bytes()).and_then(|()| rewriter.end()).ok()?;
    String::from_utf8(out).ok().filter(|_| open.get() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_svg_does_not_display_goes() {
        let page = "<p>a</p><SVG viewBox='0'><defs><Style>.st0{fill:none}</Style></defs><script>alert(1)</script>\
                    <title>t</title><desc>d</desc><metadata><rdf>m</rdf></metadata><text>shown</text></SVG><p>b</p>";
        let seen = "<p>a</p><SVG viewBox='0'><text>shown</text></SVG><p>b</p>";
        assert_eq!(shown(page), seen);
        for (page, seen) in [
            ("a<svg><circle r=4 />no SVG</svg>b", "a<svg><circle r=4 /> </svg>b"),
            (
                "<svg><clipPath>c</clipPath><g><a>d</a></g></svg>e",
                "<svg><clipPath> </clipPath><g><a> </a></g></svg>e",
            ),
            (
                "<svg><text>a <tspan>b</tspan></text>c</svg>",
                "<svg><text>a <tspan>b</tspan></text> </svg>",
            ),
        ] {
            assert_eq!(shown(page), seen);
        }
        for name in
            ["clipPath", "filter", "linearGradient", "marker", "mask", "pattern", "radialGradient"]
        {
            let page = format!(
                "<p>a</p><svg><{name} id=x><text>HIDE</text></{name}><text>b</text></svg>c"
            );
            let seen = page.replace("HIDE", " ");
            assert_eq!(shown(&page), seen);
        }
        for (page, seen) in [
            (
                "<svg><g Display='None'><text>a</text></g><text>b</text></svg>c",
                "<svg><g Display='None'><text> </text></g><text>b</text></svg>c",
            ),
            (
                "<svg><g visibility=Hidden><text>a <tspan visibility=visible>b</tspan></text></g><text>c</text></svg>",
                "<svg><g visibility=Hidden><text> <tspan visibility=visible>b</tspan></text></g><text>c</text></svg>",
            ),
            (
                "<svg><text visibility=collapse>a</svg>b<svg><text visibility=inherit>c</text></svg>",
                "<svg><text visibility=collapse> </svg>b<svg><text visibility=inherit>c</text></svg>",
            ),
            (
                "<svg visibility=Hidden><text>a <tspan visibility=visible>b</tspan></text></svg>c",
                "<svg visibility=Hidden><text> <tspan visibility=visible>b</tspan></text></svg>c",
            ),
            (
                "<svg visibility=hidden><foreignObject><p>a</p></foreignObject></svg>b",
                "<svg visibility=hidden><foreignObject><p> </p></foreignObject></svg>b",
            ),
            (
                "<svg Display=None><text>a</text></svg>b<svg><text>c</text></svg>",
                "<svg Display=None><text> </text></svg>b<svg><text>c</text></svg>",
            ),
            (
                "<svg><mask><foreignObject><p>a</p><i>b</i></foreignObject></mask><text>c</text></svg>",
                "<svg><mask><foreignObject><p> </p><i> </i></foreignObject></mask><text>c</text></svg>",
            ),
            (
                "<svg><mask><text>a</text></svg>b<svg><text>c</text></svg>",
                "<svg><mask><text> </text></svg>b<svg><text>c</text></svg>",
            ),
        ] {
            assert_eq!(shown(page), seen);
        }
        // What is no SVG within it, or behind what ends it.
        for page in [
            "<svg><foreignObject>a<p>b</p><svg><g/></svg>c</foreignObject></svg>d",
            "<svg><g><p>a</p>b</g></svg>c<svg></svg>d",
            "<svg><path><p>never closed",
            "<p>one</p><svg><clipPath id=a><rect><p>content</p><p>rest</p>",
            "<svg><text>a<b>bold</b>c</text>d</svg>e",
            "<svg><mask><p>a</p>b</mask></svg>c",
            "<svg display=none><path/><p>a</p></svg>b",
            "<svg><foreignObject><p display=none>a</p></foreignObject></svg>",
            "<svg><foreignObject><p visibility=hidden>a</p></foreignObject></svg>",
        ] {
            assert_eq!(shown(page), page);
        }
        // Styles and titles outside are for others to leave out.
        let page = "<title>t</title><style>p{}</style><svg><path/></svg><title>u</title>";
        assert_eq!(shown(page), page);
    }

    #[test]
    fn what_stands_for_other_things_goes() {
        let page = "<p>a<math><semantics><mi>x</mi><annotation encoding='x-tex'>y</annotation></semantics></math>\
                    <Video><p>no video</p></Video><canvas>no</canvas><datalist><option>o</datalist>\
                    <noframes>no frames</noframes><meter value=1>1 of 2</meter><progress>50 %</progress>b";
        assert_eq!(shown(page), "<p>a<math><semantics><mi>x</mi></semantics></math>b");
    }

    #[test]
    fn hidden_elements_go_and_words_about_them_stay() {
        let page = "<style>p{overflow:hidden}</style><input type=hidden><p aria-hidden=true>a hidden <b>door</b></p>";
        assert_eq!(shown(page), page);
        for (page, seen) in [
            ("a<p Hidden>b</p><svg><title>t</title></svg>c", "a<svg></svg>c"),
            ("a<dialog>b</dialog>c<dialog open>d</dialog>", "ac<dialog open=\"\">d</dialog>"),
            (
                "a<p popover>b</p>c<dialog popover open>d</dialog>",
                "ac<dialog popover=\"\" open=\"\">d</dialog>",
            ),
            ("<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>", "<ruby>a<rt>b</rt></ruby>"),
        ] {
            assert!(shown(page).contains(&format!("<body>{seen}</body>")), "{}", shown(page));
        }
    }

    #[test]
    fn shadow_roots_are_part_of_the_page_and_other_templates_stay() {
        let other = "<div><template>a</template></div>";
        assert_eq!(shown(other), other);
        let page = "<x-card><template ShadowRootMode=open><svg><desc>d</desc></svg><p>in <slot></slot></p></template>\
                    out</x-card><template><p>no</p></template>";
        let seen = "<x-card><svg></svg><p>in out</p></x-card>";
        assert!(shown(page).contains(seen), "{}", shown(page));
        let costly = [page, &"<i>".repeat(600)].concat();
        assert!(shown(&costly).starts_with("<x-card><div ShadowRootMode=open><svg></svg><p>in"));
    }

    #[test]
    fn what_is_left_open_takes_nothing_with_it() {
        for page in ["<svg><style>.a{}<p>text", "<svg><title>x<p>text</p>", "<svg", "no markup", ""]
        {
            assert_eq!(shown(page), page);
        }
        let empty = "<svg><style/><text>a</text></svg>";
        assert_eq!(shown(empty), empty);
    }
}
