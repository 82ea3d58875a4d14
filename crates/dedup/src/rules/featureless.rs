//! What may be a duplicate of a document without any feature.

use std::str::FromStr;

/// What may be a duplicate of a document without any feature, such as an empty text or one of emoji alone.
/// No fingerprint tells two of them apart.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Dedup, Featureless};
///
/// let texts = ["...", "!", "...", "three small words"];
/// let kept = |featureless| {
///     Dedup::new().featureless(featureless).texts(&texts).map(|found| found.kept().to_vec())
/// };
/// assert_eq!(kept(Featureless::Keep)?, [0, 1, 2, 3]);
/// assert_eq!(kept(Featureless::Collapse)?, [0, 1, 3]);
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Featureless {
    /// Nothing: all stay.
    #[default]
    Keep,
    /// Those of the same text, byte for byte: one of them stays.
    Collapse,
}

impl Featureless {
    /// The rule's name, as flags have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Collapse => "collapse",
        }
    }
}

impl FromStr for Featureless {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = [Self::Keep, Self::Collapse];
        let found = all.into_iter().find(|rule| rule.name() == name);
        found.ok_or_else(|| "use keep or collapse".to_owned())
    }
}
