//! What makes a cluster of near-duplicate pairs.

use std::str::FromStr;

/// How pairs are put together.
///
/// # Examples
/// ```
/// use nearprint_rules::ClusterRule;
///
/// assert_eq!(ClusterRule::ALL.map(ClusterRule::name), ["star", "connected"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterRule {
    /// Around the document that is kept: every other is a near-duplicate of that one itself.
    /// Documents become representatives in the order of preference, each with those near it that
    /// none before it has.
    #[default]
    Star,
    /// All that is connected, by however long a chain.
    Connected,
}

impl ClusterRule {
    /// Every rule.
    pub const ALL: [Self; 2] = [Self::Star, Self::Connected];

    /// The rule's name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Star => "star",
            Self::Connected => "connected",
        }
    }
}

impl FromStr for ClusterRule {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let rule = Self::ALL.into_iter().find(|rule| rule.name() == name);
        rule.ok_or_else(|| "use star or connected".to_owned())
    }
}
