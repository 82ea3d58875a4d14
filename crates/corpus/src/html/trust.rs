//! The rules by which a page is read: when what looks like its main text is taken for it, and why it is not. How
//! that is found out is `main_text`'s.

/// Letters that a main text has at least, white space not counted: a page with less has all its text for it, as a
/// lone caption or notice is rarely what the page is about.
pub(crate) const MIN_MAIN: usize = 100;

/// The main text is at least one letter in so many of all text, by [`PageRules::Large`].
pub(crate) const MIN_SHARE: usize = 4;

/// By what rules a page is read. Each but [`Self::Shown`] says when what looks like the main text is taken for it,
/// which follows from the page alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageRules {
    /// Where it is long enough.
    Long,
    /// Where it is long enough and not a small part of the page: pages of a site that differ in
    /// all but a footer do not all become that footer.
    Large,
    /// Where it is long enough and the structure of the page says so. It is not trusted where it is mostly links or
    /// a notice; where it stands in a menu, a sidebar or a footer, or outside of the element that the page declares
    /// as its main one; where it leaves more text out than it holds, or text of another section that is more than a
    /// quarter of it. Then the declared element is the main text, if there is one. Menus, however long, change nothing
    /// beside a title.
    Structure,
    /// As [`Self::Structure`], of what a browser shows: no styles, scripts and titles of inline SVG, nothing that is hidden,
    /// but the text in fields, and the flat tree of a page with declarative shadow roots.
    Shown,
}

impl PageRules {
    /// The rules of recipes of this version.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::PageRules;
    ///
    /// let [long, large] = [PageRules::Long, PageRules::Large];
    /// let rules = [long, large, large, PageRules::Structure, PageRules::Shown];
    /// assert_eq!([1, 2, 3, 4, 5].map(PageRules::of_version), rules);
    /// ```
    #[must_use]
    pub const fn of_version(version: u32) -> Self {
        match version {
            ..2 => Self::Long,
            2 | 3 => Self::Large,
            4 => Self::Structure,
            5.. => Self::Shown,
        }
    }
}

/// Why all text of a page stands for its main text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The page is too large, too deeply nested or too crowded to be analysed in bounded time.
    Costly,
    /// The page has no main text, or too few letters of it.
    Short,
    /// What looks like the main text is less than a quarter of all text, by [`PageRules::Large`].
    Small,
    /// What looks like the main text cannot be trusted, by [`PageRules::Structure`].
    Doubtful,
}
