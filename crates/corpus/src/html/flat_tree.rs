//! The flat tree of a page, which is what a browser displays: declarative shadow roots in the place of what their hosts
//! hold, and that in the slots of the roots.

use crate::html::full_text::FullText;
use crate::html::tree::{contents, tree, within_steps};
use crate::html::trust::PageRules;
use dom_query::NodeRef;
use html5ever::ns;
use std::collections::HashMap;

/// Elements that may be hosts, beside those of valid custom names.
const HOSTS: [&str; 18] = [
    "article",
    "aside",
    "blockquote",
    "body",
    "div",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "main",
    "nav",
    "p",
    "section",
    "span",
];

/// Names with a hyphen that are none of custom elements.
const RESERVED: [&str; 8] = [
    "annotation-xml",
    "color-profile",
    "font-face",
    "font-face-format",
    "font-face-name",
    "font-face-src",
    "font-face-uri",
    "missing-glyph",
];

/// The markup of the flat tree of a page, without templates, slots and [what is not displayed](is_hidden); none where the
/// tree is too costly.
///
/// # Complexity
///
/// Linear in the tree.
///
/// # References
///
/// DOM Standard, sections 4.2.2 "Shadow tree" and 4.8, "attach a shadow root"; HTML Standard, section 13.2.6.4.4, a
/// start tag "template", and 15.3.1: slots are displayed as what they hold.
pub(crate) fn flat_tree(markup: &str) -> Option<String> {
    let page = tree(markup, FullText::of(markup, PageRules::Shown).attributes, true)?;
    let mut at = Some(page.root());
    while let Some(node) = at {
        if is_html(&node, "template") || is_hidden(&node) {
            at = after(&node);
            node.remove_from_parent();
        } else if is_html(&node, "slot") {
            at = node.first_child().or_else(|| after(&node));
            node.children().iter().for_each(|child| node.insert_before(child));
            node.remove_from_parent();
        } else {
            if let Some(template) = shadow_root(&node) {
                attach(&node, &template);
            }
            at = node.first_child().or_else(|| after(&node));
        }
    }
    within_steps(&page).then(|| page.html().to_string())
}

/// The next node in the order of the tree that is not inside of this one.
fn after<'a>(node: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let mut up = Some(*node);
    while let Some(node) = up {
        if let Some(next) = node.next_sibling() {
            return Some(next);
        }
        up = node.parent();
    }
    None
}

/// Whether an element is not displayed, by its name or its attributes (HTML Standard, sections 15.3.1 and 15.3.3): a
/// dialog that is not open, what stands around readings for browsers without ruby, and what says so. A whole page that
/// says so is shown once its scripts have run.
fn is_hidden(node: &NodeRef<'_>) -> bool {
    let element = node.element_ref().filter(|element| element.name.ns == ns!(html));
    element.is_some_and(|element| {
        let has = |name: &str| element.attrs.iter().any(|it| &*it.name.local == name);
        match &*element.name.local {
            "rp" => true,
            "html" | "body" => false,
            "dialog" => has("hidden") || !has("open"),
            _ => has("hidden") || has("popover"),
        }
    })
}

fn is_html(node: &NodeRef<'_>, name: &str) -> bool {
    let element = node.element_ref();
    element.is_some_and(|it| it.name.ns == ns!(html) && &*it.name.local == name)
}

/// The template among the children of an element that is its shadow root: the first that asks for it, if the element
/// may be a host.
fn shadow_root<'a>(node: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let may_host = node.element_ref().is_some_and(|element| {
        let name = &*element.name.local;
        let is_custom = name.contains('-') && name.starts_with(|c: char| c.is_ascii_lowercase());
        element.name.ns == ns!(html)
            && (HOSTS.contains(&name) || is_custom && !RESERVED.contains(&name))
    });
    let is_root = |child: &NodeRef<'_>| {
        let mode = child.attr("shadowrootmode");
        let is = |wanted| mode.as_ref().is_some_and(|mode| mode.eq_ignore_ascii_case(wanted));
        is_html(child, "template") && (is("open") || is("closed"))
    };
    may_host.then(|| node.children_it(false).find(is_root)).flatten()
}

/// Puts the content of a shadow root in the place of what its host holds, and that in the first slot of its name; what
/// no slot takes is not displayed, nor is what a slot would hold otherwise.
fn attach(host: &NodeRef<'_>, template: &NodeRef<'_>) {
    let Some(root) = contents(template) else { return };
    template.remove_from_parent();
    let mut slotted: HashMap<String, Vec<NodeRef<'_>>> = HashMap::new();
    for child in host.children() {
        child.remove_from_parent();
        if child.is_element() || child.is_text() {
            slotted.entry(child.attr_or("slot", "").to_string()).or_default().push(child);
        }
    }
    for slot in root.descendants().into_iter().filter(|node| is_html(node, "slot")) {
        if let Some(taken) = slotted.remove(&*slot.attr_or("name", "")) {
            slot.children().iter().for_each(NodeRef::remove_from_parent);
            taken.iter().for_each(|node| slot.append_child(node));
        }
    }
    root.children().iter().for_each(|node| host.append_child(node));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(page: &str) -> String {
        let flat = flat_tree(page).unwrap();
        let body = flat.split_once("<body>").unwrap().1;
        body.strip_suffix("</body></html>").unwrap().to_owned()
    }

    #[test]
    fn slots_are_filled_in_the_order_of_the_root() {
        let page = "<x-card>one<b slot=title>two</b>three<i slot=none>no</i><!-- no --><template shadowrootmode=open>\
                    <slot name=title>no</slot>: <slot></slot>; <slot name=other>four</slot><slot>five</slot></template>\
                    six</x-card>";
        assert_eq!(body(page), "<x-card><b slot=\"title\">two</b>: onethreesix; fourfive</x-card>");
    }

    #[test]
    fn white_space_fills_a_slot_and_a_comment_does_not() {
        let page = |light: &str| {
            body(&format!(
                "<div><template shadowrootmode=closed><slot>a</slot></template>{light}</div>"
            ))
        };
        assert_eq!(page(" "), "<div> </div>");
        assert_eq!(page("<!-- b -->"), "<div>a</div>");
        assert_eq!(page("<template>b</template>"), "<div></div>");
    }

    #[test]
    fn only_the_first_template_of_a_host_is_a_root() {
        let page = "<p>a<template shadowrootmode=none>no</template><template ShadowRootMode=OPEN>b<slot></slot>\
                    </template><template shadowrootmode=open>no</template>c</p>";
        assert_eq!(body(page), "<p>bac</p>");
        for name in ["a", "button", "em", "font-face"] {
            let page = format!("<{name}>x<template shadowrootmode=open>no</template>y</{name}>");
            assert!(!body(&page).contains("no"), "{name}");
        }
        let words = body("<span>wo<template>x</template>rd</span>");
        assert_eq!(words, "<span>word</span>");
        // There it is in the head.
        assert!(!flat_tree("<template shadowrootmode=open>no</template>a").unwrap().contains("no"));
    }

    #[test]
    fn roots_stand_in_roots_and_slots_in_slots() {
        let page = "<x-a><template shadowrootmode=open>[<x-b><template shadowrootmode=open>(<slot name=in></slot>)\
                    </template><slot name=out slot=in>no</slot>left</x-b>]</template><u slot=out>text</u></x-a>";
        assert_eq!(body(page), "<x-a>[<x-b>(<u slot=\"out\">text</u>)</x-b>]</x-a>");
    }

    #[test]
    fn what_is_hidden_goes_as_far_as_it_goes() {
        let page = "<p hidden>a<div>b</div><ul><li hidden>c<li>d</ul><dialog>e<b>f</b></dialog><dialog open>g</dialog>\
                    <ruby>h<rp>(<rt>i<rp>)</ruby><i HIDDEN=until-found>j</i><b style='overflow: hidden'>k</b>";
        let left = "<div>b</div><ul><li>d</li></ul><dialog open=\"\">g</dialog><ruby>h<rt>i</rt></ruby>\
                    <b style=\"overflow: hidden\">k</b>";
        assert_eq!(body(page), left);
        assert!(flat_tree("<body hidden>a<p>b").unwrap().contains("a<p>b</p>"));
    }

    #[test]
    fn what_costs_too_much_has_no_flat_tree() {
        let root = "<div><template shadowrootmode=open>";
        let deep = |inner: &str| format!("{root}{inner}");
        assert_eq!(flat_tree(&deep(&"<div>".repeat(200_000))), None);
        assert_eq!(flat_tree(&deep(&"&".repeat(1_000_000))), None);
        assert_eq!(flat_tree(&root.repeat(600)), None);
        assert_eq!(flat_tree(&" ".repeat(5 << 20)), None);
    }
}
