//! Documents with too little in them to be near-duplicates of anything: what is wrong with them, and
//! the rule that says what may be their duplicate.

use serde::{Deserialize, Serialize};

/// What is wrong with a document as a near-duplicate of others.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
///
/// let mut fingerprinter = Recipe::named("text")?.fingerprinter::<1>()?;
/// let flags = fingerprinter.fingerprint("two words").flags;
/// assert_eq!(flags.names().collect::<Vec<_>>(), ["short"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// It has no feature at all.
    pub empty: bool,
    /// It has features, but fewer than the recipe's `min-features`, or fewer tokens than a shingle.
    pub short: bool,
    /// One feature has more than half of all weight, so that it alone decides every bit.
    pub dominant: bool,
}

impl Flags {
    /// Whether anything is wrong.
    #[must_use]
    pub const fn any(self) -> bool {
        self.empty || self.short || self.dominant
    }

    /// What is wrong with the document where its features decide in the end: that one of them decides every bit of its
    /// fingerprint is then no obstacle.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{DegenerateRule, Flags, Matching};
    ///
    /// let flags = Flags { dominant: true, ..Flags::default() };
    /// let rule = DegenerateRule::Exact;
    /// assert_eq!(rule.matching(flags), Matching::Equality);
    /// assert_eq!(rule.matching(flags.of_features()), Matching::Distance);
    /// ```
    #[must_use]
    pub const fn of_features(self) -> Self {
        Self { dominant: false, ..self }
    }

    /// These flags, completed for a document if only its `matching` is known. Without a flag, a document
    /// compared by equality counts as short, and a document without duplicates counts as empty.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Matching, DegenerateRule, Flags};
    ///
    /// let flags = Flags::default().completed(Matching::Equality);
    /// assert_eq!(DegenerateRule::Exact.matching(flags), Matching::Equality);
    /// ```
    #[must_use]
    pub const fn completed(self, matching: Matching) -> Self {
        match matching {
            _ if self.any() => self,
            Matching::Distance => self,
            Matching::Equality => Self { short: true, ..self },
            Matching::Apart => Self { empty: true, ..self },
        }
    }

    /// The names of the flags that are set, as rows have them.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [(self.empty, "empty"), (self.short, "short"), (self.dominant, "dominant")]
            .into_iter()
            .filter_map(|(holds, name)| holds.then_some(name))
    }
}

/// What may be a duplicate of a *degenerate* document: one that is short, or one in which a single
/// feature has more than half of all weight, so that it alone decides every bit. The latter matters only where
/// fingerprints decide: where features are compared, see [`Flags::of_features`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{DegenerateRule, Recipe};
///
/// let recipe = Recipe { degenerate: DegenerateRule::Apart, ..Recipe::named("text")? };
/// let mut fingerprinter = recipe.fingerprinter::<1>()?;
/// let short = fingerprinter.fingerprint("not found");
/// assert!(short.is_near(&short, 3, DegenerateRule::Exact));
/// assert!(!short.is_near(&short, 3, recipe.degenerate));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DegenerateRule {
    /// Only documents with the same tokens in the same order: the document has too little to be near others.
    #[default]
    Exact,
    /// Nothing.
    Apart,
    /// Whatever is within the radius, as with any other document.
    Join,
}

impl DegenerateRule {
    /// How the duplicates of a document with these flags are found.
    ///
    /// An empty document has no duplicates, whatever the rule.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Matching, DegenerateRule, Flags};
    ///
    /// let short = Flags { short: true, ..Flags::default() };
    /// assert_eq!(DegenerateRule::Exact.matching(short), Matching::Equality);
    /// assert_eq!(DegenerateRule::Join.matching(short), Matching::Distance);
    /// assert_eq!(DegenerateRule::Exact.matching(Flags::default()), Matching::Distance);
    /// ```
    #[must_use]
    pub const fn matching(self, flags: Flags) -> Matching {
        match self {
            _ if flags.empty => Matching::Apart,
            _ if !flags.any() => Matching::Distance,
            Self::Exact => Matching::Equality,
            Self::Apart => Matching::Apart,
            Self::Join => Matching::Distance,
        }
    }

    /// The name that recipes have for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Apart => "apart",
            Self::Join => "join",
        }
    }
}

/// How the duplicates of a document are found.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{DegenerateRule, Flags, Matching};
///
/// assert_eq!(DegenerateRule::Exact.matching(Flags::default()), Matching::Distance);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// By the distance between fingerprints.
    Distance,
    /// By equal tokens in the same order, which have equal short hashes: the document has too little to
    /// be near others.
    Equality,
    /// The document has no duplicates.
    Apart,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_have_the_names_of_rows() {
        let flags = Flags { short: true, dominant: true, ..Flags::default() };
        assert_eq!(flags.names().collect::<Vec<_>>(), ["short", "dominant"]);
        assert!(flags.any() && !Flags::default().any());
    }

    #[test]
    fn completed_flags_give_back_the_comparison() {
        for matching in [Matching::Distance, Matching::Equality, Matching::Apart] {
            let flags = Flags::default().completed(matching);
            assert_eq!(DegenerateRule::Exact.matching(flags), matching);
        }
        let dominant = Flags { dominant: true, ..Flags::default() };
        assert_eq!(dominant.completed(Matching::Apart), dominant);
    }

    #[test]
    fn an_empty_document_has_no_duplicate_by_any_rule() {
        let empty = Flags { empty: true, short: true, ..Flags::default() };
        for rule in [DegenerateRule::Exact, DegenerateRule::Apart, DegenerateRule::Join] {
            assert_eq!(rule.matching(empty), Matching::Apart);
            assert_eq!(rule.matching(Flags::default()), Matching::Distance);
        }
        let dominant = Flags { dominant: true, ..Flags::default() };
        assert_eq!(DegenerateRule::Apart.matching(dominant), Matching::Apart);
    }
}
