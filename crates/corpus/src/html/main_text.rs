//! The main text of an HTML page, by its tree: without navigation, advertisements and other
//! boilerplate. What is done where there is none is `page`'s.

use crate::html::blocks::Blocks;
use crate::html::full_text::FullText;
use crate::html::tree::tree;
use crate::html::trust::{Fallback, MIN_MAIN, MIN_SHARE, PageRules};
use crate::html::verdict::trusted;
use dom_query::Document;
use dom_smoothie::{Config, Readability, TextMode};

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
    let tree = tree(markup, full.attributes, false).ok_or(Fallback::Costly)?;
    let page = letters(&full.text);
    if matches!(rules, PageRules::Long | PageRules::Large) {
        let main = article(tree, None).filter(|main| letters(main) >= MIN_MAIN);
        let main = main.ok_or(Fallback::Short)?;
        let is_small = rules == PageRules::Large && letters(&main) * MIN_SHARE < page;
        return if is_small { Err(Fallback::Small) } else { Ok(main) };
    }
    if rules == PageRules::Shown {
        show(&tree);
    }
    let blocks = Blocks::of(&tree, rules);
    let found = article(tree, Some(MIN_MAIN)).filter(|main| letters(main) >= MIN_MAIN);
    let fallback = if found.is_some() { Fallback::Doubtful } else { Fallback::Short };
    let is_long = |main: &String| letters(main) >= MIN_MAIN;
    let main = found.and_then(|main| trusted(&main, &blocks)).filter(is_long);
    main.or_else(|| blocks.declared().filter(is_long)).ok_or(fallback)
}

/// Makes text of what fields show, and takes titles out of what is shown.
fn show(tree: &Document) {
    for node in tree.select("textarea, body title").nodes() {
        if node.has_name("title") {
            node.remove_from_parent();
        } else {
            node.rename("pre");
        }
    }
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
