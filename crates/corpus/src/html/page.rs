//! The text of an HTML page: the main one, or all of it. Its bytes become characters in
//! [`charset`](crate::html::charset).

use crate::html::full_text::FullText;
use crate::html::main_text::{Refusal, main_text};
use std::borrow::Cow;

/// What part of a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The main text, without navigation, advertisements and other boilerplate.
    Main,
    /// All text.
    Full,
    /// The main text, and all text beside it.
    Both,
}

/// Why all text of a page stands for its main text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The page is too large, too deeply nested or too crowded to be analysed in bounded time.
    Costly,
    /// The page has no main text, or less than [`Page::MIN_MAIN`] letters of it.
    Short,
}

/// A page that has been read once from start to end.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{Fallback, Page};
///
/// let page = Page::new("<nav>Home | News</nav><p>Fish &amp; chips.");
/// assert_eq!(page.full(), "Home | News\nFish & chips.");
/// assert_eq!(page.main(), (page.full().into(), Some(Fallback::Short)));
/// ```
#[derive(Clone, Debug)]
pub struct Page<'a> {
    markup: &'a str,
    full: FullText,
}

impl<'a> Page<'a> {
    /// Letters that a main text has at least, white space not counted: a page with less has all its
    /// text for it, as a lone caption or notice is rarely what the page is about.
    pub const MIN_MAIN: usize = 100;

    /// Reads a page.
    ///
    /// # Complexity
    ///
    /// Linear, in one pass that keeps no tree.
    #[must_use]
    pub fn new(markup: &'a str) -> Self {
        Page { markup, full: FullText::of(markup) }
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
        let fallback = match main_text(self.markup, self.full.attributes) {
            Ok(main) if is_long(&main) => return (Cow::Owned(main), None),
            Ok(_) | Err(Refusal::NotFound) => Fallback::Short,
            Err(Refusal::Costly) => Fallback::Costly,
        };
        (Cow::Borrowed(self.full()), Some(fallback))
    }
}

/// Whether a text has [`Page::MIN_MAIN`] letters.
fn is_long(text: &str) -> bool {
    text.chars().filter(|c| !c.is_whitespace()).nth(Page::MIN_MAIN - 1).is_some()
}
