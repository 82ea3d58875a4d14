//! What may be a duplicate of a document without any feature.

use std::str::FromStr;

/// What may be a duplicate of a document without any feature, such as an empty text or one of emoji alone.
/// No fingerprint tells two of them apart.
///
/// # Examples
/// ```
/// use nearprint_rules::Featureless;
///
/// assert_eq!("collapse".parse(), Ok(Featureless::Collapse));
/// assert_eq!(Featureless::default().name(), "keep");
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
