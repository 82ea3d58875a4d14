//! The text of an HTML page: the main one, or all of it. Its bytes become characters in
//! [`charset`](crate::html::charset).

use crate::html::full_text::FullText;
use crate::html::main_text::{Refusal, main_text};
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

/// When what looks like the main text of a page is taken for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Where it is long enough.
    Long,
    /// Where it is long enough and not a small part of the page: pages of a site that differ in
    /// all but a footer do not all become that footer.
    Large,
}

impl Trust {
    /// The rule of recipes of this version.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Trust;
    ///
    /// assert_eq!([1, 2].map(Trust::of_version), [Trust::Long, Trust::Large]);
    /// ```
    #[must_use]
    pub const fn of_version(version: u32) -> Self {
        if version < 2 { Self::Long } else { Self::Large }
    }
}

/// Why all text of a page stands for its main text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The page is too large, too deeply nested or too crowded to be analysed in bounded time.
    Costly,
    /// The page has no main text, or less than [`Page::MIN_MAIN`] letters of it.
    Short,
    /// What looks like the main text is less than one part in [`Page::MIN_SHARE`] of all text.
    Small,
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
/// assert_eq!(page.main(Trust::Large), (page.full().into(), Some(Fallback::Short)));
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

    /// The main text is at least one letter in so many of all text, by [`Trust::Large`].
    pub const MIN_SHARE: usize = 4;

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
        let fallback = match main_text(self.markup, self.full.attributes) {
            Ok(main) => match letters(&main) {
                ..Self::MIN_MAIN => Fallback::Short,
                _ if trust == Trust::Large && Self::is_small_part(&main, self.full()) => {
                    Fallback::Small
                }
                _ => return (Cow::Owned(main), None),
            },
            Err(Refusal::NotFound) => Fallback::Short,
            Err(Refusal::Costly) => Fallback::Costly,
        };
        (Cow::Borrowed(self.full()), Some(fallback))
    }

    /// Whether a main text is too small a part of all text for [`Trust::Large`].
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Page;
    ///
    /// assert!(Page::is_small_part("ab", "abcd efghi"));
    /// assert!(!Page::is_small_part("ab", "abcd efgh"));
    /// ```
    #[must_use]
    pub fn is_small_part(main: &str, full: &str) -> bool {
        letters(main) * Self::MIN_SHARE < letters(full)
    }
}

/// Characters that are no white space.
fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
