//! The text of an HTML page: the main one, or all of it. Its bytes become characters in
//! [`charset`](crate::html::charset).

use crate::html::full_text::FullText;
use crate::html::headings::headings;
use crate::html::main_text::main_text;
use crate::html::shown::shown;
use crate::html::trust::{self, Fallback, PageRules};
use std::borrow::Cow;

/// What part of a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The main text, without navigation, advertisements and other boilerplate.
    Main(PageRules),
    /// All text.
    Full(PageRules),
    /// The main text, and all text beside it.
    Both(PageRules),
    /// The title and the headings of the two highest ranks, a line each.
    Headings,
}

impl Part {
    /// This part of the text of a page; of both the main text. And why that is all text, where it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{Fallback, PageRules, Part};
    ///
    /// let page = "<p>Fish &amp; chips.";
    /// let all = "Fish & chips.".to_owned();
    /// assert_eq!(Part::Full(PageRules::Shown).of(page), (all.clone(), None));
    /// assert_eq!(Part::Main(PageRules::Shown).of(page), (all, Some(Fallback::Short)));
    /// ```
    #[must_use]
    pub fn of(self, markup: &str) -> (String, Option<Fallback>) {
        let page = |rules| Page::new(markup, rules);
        match self {
            Self::Headings => (headings(markup), None),
            Self::Full(rules) => (page(rules).into_full(), None),
            Self::Main(rules) | Self::Both(rules) => {
                let page = page(rules);
                let (main, fallback) = page.main();
                (main.into_owned(), fallback)
            }
        }
    }
}

/// A page that has been read once from start to end.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{Fallback, Page, PageRules};
///
/// let page = Page::new("<nav>Home | News</nav><p>Fish &amp; chips.", PageRules::Shown);
/// assert_eq!(page.full(), "Home | News\nFish & chips.");
/// assert_eq!(page.main(), (page.full().into(), Some(Fallback::Short)));
/// ```
#[derive(Clone, Debug)]
pub struct Page<'a> {
    markup: Cow<'a, str>,
    rules: PageRules,
    full: FullText,
}

impl<'a> Page<'a> {
    /// Letters that a main text has at least, white space not counted: a page with less has all its
    /// text for it, as a lone caption or notice is rarely what the page is about.
    pub const MIN_MAIN: usize = trust::MIN_MAIN;

    /// Reads a page.
    ///
    /// # Complexity
    ///
    /// Linear, in one or two passes that keep no tree, but for pages with shadow roots or hidden elements.
    #[must_use]
    pub fn new(markup: &'a str, rules: PageRules) -> Self {
        let markup = match rules {
            PageRules::Shown => shown(markup),
            PageRules::Long | PageRules::Large | PageRules::Structure => Cow::Borrowed(markup),
        };
        let full = FullText::of(&markup, rules);
        Page { markup, rules, full }
    }

    /// All text, a line a block: no scripts, styles, templates, and not the title.
    #[must_use]
    pub fn full(&self) -> &str {
        &self.full.text
    }

    /// All text, on its own.
    #[must_use]
    pub fn into_full(self) -> String {
        self.full.text
    }

    /// The main text; all text, and why, where there is none.
    ///
    /// # Complexity
    ///
    /// Some ten times [`Self::new`], and bounded: a page of more than 4 MiB, 200,000 nodes, a depth
    /// of 512 or 1,000 attributes of one tag has [`Fallback::Costly`], and so has one whose nodes'
    /// depths add up to more than 2,000,000.
    ///
    /// # References
    ///
    /// The algorithm is that of Mozilla's Readability, by way of `dom_smoothie`.
    #[must_use]
    pub fn main(&self) -> (Cow<'_, str>, Option<Fallback>) {
        match main_text(&self.markup, &self.full, self.rules) {
            Ok(main) => (Cow::Owned(main), None),
            Err(fallback) => (Cow::Borrowed(self.full()), Some(fallback)),
        }
    }
}
