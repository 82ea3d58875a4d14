//! The tree of a page, as far as it can be had in bounded time.

use dom_query::{Document, NodeData, NodeRef, TreeNode};
use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use memchr::memchr2_iter;

/// Bytes of markup above which no tree is built.
const MAX_BYTES: usize = 4 << 20;

/// Attributes of one tag above which no tree is built: the parser looks for each among all before.
const MAX_ATTRIBUTES: usize = 1000;

/// Nodes above which a tree is given up.
const MAX_NODES: usize = 200_000;

/// Depth above which a tree is given up, as browsers do.
const MAX_DEPTH: usize = 512;

/// What a tree may cost: a step is a level walked up from a node, or [`SCAN`] bytes looked through.
const MAX_STEPS: usize = 2_000_000;

/// Bytes that are looked through in the time of a step.
const SCAN: usize = 16 << 10;

/// Markup parsed between two looks at the tree.
const STRIDE: usize = 4096;

/// The tree of a page whose longest tag has so many attributes, unless it passes the limits. Where scripts run, what
/// is there for browsers without them is text.
pub(crate) fn tree(markup: &str, attributes: usize, scripts_run: bool) -> Option<Document> {
    if markup.len() > MAX_BYTES || attributes > MAX_ATTRIBUTES {
        return None;
    }
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: scripts_run,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(Document::default(), options);
    let mut rest = markup;
    while !rest.is_empty() {
        let mut cut = STRIDE.min(rest.len());
        while !rest.is_char_boundary(cut) {
            cut += 1;
        }
        let (stride, after) = rest.split_at(cut);
        parser.process(StrTendril::from(stride));
        rest = after;
        let document = &parser.tokenizer.sink.sink;
        document.errors.borrow_mut().clear();
        if document.tree.len() > MAX_NODES || last_depth(document) > MAX_DEPTH {
            return None;
        }
    }
    let document = parser.finish();
    within_steps(&document).then_some(document)
}

/// The depth of the last node at the last place in the tree, where the parser stands.
fn last_depth(document: &Document) -> usize {
    let mut depth = 0;
    let mut at = document.root();
    while let Some(child) = at.last_child().or_else(|| contents(&at)?.last_child()) {
        at = child;
        depth += 1;
        if depth > MAX_DEPTH {
            break;
        }
    }
    depth
}

/// What a template holds: it is no child of it.
pub(crate) fn contents<'a>(node: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    node.tree.get(&node.element_ref()?.template_contents?)
}

/// Whether no place in the tree is too deep, and all nodes together do not cost too much.
pub(crate) fn within_steps(document: &Document) -> bool {
    let (mut depth, mut steps) = (0, 0_usize);
    let mut at: Option<NodeRef<'_>> = Some(document.root());
    while let Some(node) = at {
        steps = steps.saturating_add(depth + node.query(scans).unwrap_or_default() / SCAN);
        if depth > MAX_DEPTH || steps > MAX_STEPS {
            return false;
        }
        if let Some(child) = node.first_child() {
            depth += 1;
            at = Some(child);
            continue;
        }
        let mut up = Some(node);
        at = loop {
            let Some(node) = up else { break None };
            if let Some(next) = node.next_sibling() {
                break Some(next);
            }
            depth = depth.saturating_sub(1);
            up = node.parent();
        };
    }
    true
}

/// Bytes looked through when the strings of a node are written as markup: html5ever looks from every
/// `&` and every no-break space for the next `<`, which may be far.
fn scans(node: &TreeNode) -> usize {
    let of =
        |text: &str| text.len().saturating_mul(memchr2_iter(b'&', 0xC2, text.as_bytes()).count());
    match &node.data {
        NodeData::Text { contents } => of(contents),
        NodeData::Element(element) => element.attrs.iter().map(|a| of(&a.value)).sum(),
        _ => 0,
    }
}
