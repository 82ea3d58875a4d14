//! The text of an HTML page: the main one, or all of it. Its bytes become characters in
//! [`charset`](crate::html::charset).

use crate::html::full_text::FullText;
use crate::html::main_text::main_text;
use crate::html::trust::{self, Fallback, Trust};
use std::borrow::Cow;

/// What part of a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The main text, without navigation, advertisements and other boilerplate.
    Main(Trust),
    /// All text.
    Full,
    /// The main text, and all text beside it.
    Both(Trust),
}

impl Part {
    /// This part of the text of a page; of both the main text. And why that is all text, where it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{Fallback, Part, Trust};
    ///
    /// let page = "<p>Fish &amp; chips.";
    /// let all = "Fish & chips.".to_owned();
    /// assert_eq!(Part::Full.of(page), (all.clone(), None));
    /// assert_eq!(Part::Main(Trust::Structure).of(page), (all, Some(Fallback::Short)));
    /// ```
    #[must_use]
    pub fn of(self, markup: &str) -> (String, Option<Fallback>) {
        let page = Page::new(markup);
        match self {
            Self::Full => (page.into_full(), None),
            Self::Main(trust) | Self::Both(trust) => {
                let (main, fallback) = page.main(trust);
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
/// use nearprint_corpus::{Fallback, Page, Trust};
///
/// let page = Page::new("<nav>Home | News</nav><p>Fish &amp; chips.");
/// assert_eq!(page.full(), "Home | News\nFish & chips.");
/// assert_eq!(page.main(Trust::Structure), (page.full().into(), Some(Fallback::Short)));
/// ```
#[derive(Clone, Debug)]
pub struct Page<'a> {
    markup: &'a str,
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
    pub fn main(&self, trust: Trust) -> (Cow<'_, str>, Option<Fallback>) {
        match main_text(self.markup, &self.full, trust) {
            Ok(main) => (Cow::Owned(main), None),
            Err(fallback) => (Cow::Borrowed(self.full()), Some(fallback)),
        }
    }
}
