//! Which document of a cluster stays.

use std::str::FromStr;

/// How the representative of a cluster is chosen. Ties go to the earlier document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepRule {
    /// The one with the most near-duplicates: around it a [star](crate::cluster_rule::ClusterRule)
    /// has the most to remove. In connected clusters, of which not every pair is looked at, the
    /// first.
    Central,
    /// The first in input order.
    #[default]
    First,
    /// The last in input order.
    Last,
    /// The one with the longest text in bytes.
    Longest,
    /// The one with the shortest text in bytes.
    Shortest,
}

impl KeepRule {
    /// Every rule.
    pub const ALL: [Self; 5] =
        [Self::Central, Self::First, Self::Last, Self::Longest, Self::Shortest];

    /// The rule's name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Central => "central",
            Self::First => "first",
            Self::Last => "last",
            Self::Longest => "longest",
            Self::Shortest => "shortest",
        }
    }

    /// Whether the rule needs the lengths of the texts.
    #[must_use]
    pub const fn needs_lengths(self) -> bool {
        matches!(self, Self::Longest | Self::Shortest)
    }
}

impl FromStr for KeepRule {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let rule = Self::ALL.into_iter().find(|rule| rule.name() == name);
        rule.ok_or_else(|| "use central, first, last, longest or shortest".to_owned())
    }
}
