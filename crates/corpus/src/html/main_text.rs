//! The main text of an HTML page, by its tree: without navigation, advertisements and other
//! boilerplate. What is done where there is none is `page`'s.

use crate::html::blocks::Blocks;
use crate::html::full_text::FullText;
use crate::html::trust::{Fallback, MIN_MAIN, MIN_SHARE, PageRules};
use crate::html::verdict::trusted;
use dom_query::{Document, NodeData, NodeRef, TreeNode};
use dom_smoothie::{Config, Readability, TextMode};
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

/// The main text of a page whose longest tag has so many attributes, by the rules that it is trusted by.
///
/// # Complexity
///
/// Bounded whatever the page does: the parser and the search for the main text walk up and down the
/// tree, so that a page nested n deep would take n^2 steps.
pub(crate) fn main_text(
    markup: &str,
    full: &FullText,
    rules: PageRules,
) -> Result<String, Fallback> {
    if markup.len() > MAX_BYTES || full.attributes > MAX_ATTRIBUTES {
        return Err(Fallback::Costly);
    }
    let tree = tree(markup).ok_or(Fallback::Costly)?;
    let page = letters(&full.text);
    if matches!(rules, PageRules::Long | PageRules::Large) {
        let main = article(tree, None).filter(|main| letters(main) >= MIN_MAIN);
        let main = main.ok_or(Fallback::Short)?;
        let is_small = rules == PageRules::Large && letters(&main) * MIN_SHARE < page;
        return if is_small { Err(Fallback::Small) } else { Ok(main) };
    }
    let blocks = Blocks::of(&tree);
    let found = article(tree, Some(MIN_MAIN)).filter(|main| letters(main) >= MIN_MAIN);
    let fallback = if found.is_some() { Fallback::Doubtful } else { Fallback::Short };
    let is_long = |main: &String| letters(main) >= MIN_MAIN;
    let main = found.and_then(|main| trusted(&main, &blocks)).filter(is_long);
    main.or_else(|| blocks.declared().filter(is_long)).ok_or(fallback)
}

/// What looks like the main text of a page: the first try that gives so many letters, or else the longest.
fn article(tree: Document, enough: Option<usize>) -> Option<String> {
    let usual = Config::default();
    let config = Config {
        disable_json_ld: true,
        text_mode: TextMode::Formatted,
        char_threshold: enough.unwrap_or(usual.char_threshold),
        ..usual
    };
    let mut readability = Readability::with_document(tree, None, Some(config)).ok()?;
    readability.parse().ok().map(|article| article.text_content.to_string())
}

/// Characters that are no white space.
fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// The tree of a page, unless it passes the limits.
fn tree(markup: &str) -> Option<Document> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
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
    while let Some(child) = at.last_child() {
        at = child;
        depth += 1;
        if depth > MAX_DEPTH {
            break;
        }
    }
    depth
}

/// Whether no place in the tree is too deep, and all nodes together do not cost too much.
fn within_steps(document: &Document) -> bool {
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
