//! Which document of a cluster stays.

use crate::cluster_rule::ClusterRule;
use std::str::FromStr;

/// How the representative of a cluster is chosen. Ties go to the earlier document.
///
/// # Examples
/// ```
/// use nearprint_rules::KeepRule;
///
/// assert_eq!("longest".parse(), Ok(KeepRule::Longest));
/// assert_eq!(KeepRule::default().name(), "central");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepRule {
    /// The one with the most near-duplicates, of which many hundreds are estimated by a sample: around it a
    /// [star](crate::cluster_rule::ClusterRule) has the most to remove. In connected clusters, of which not every pair
    /// is looked at, the first.
    #[default]
    Central,
    /// The first in input order.
    First,
    /// The last in input order.
    Last,
    /// The one with the longest text in bytes.
    Longest,
    /// The one with the shortest text in bytes.
    Shortest,
    /// The one with the highest score; any goes before one without.
    Highest,
    /// The one with the lowest score; any goes before one without.
    Lowest,
    /// None: every document of a cluster goes. Near-duplicates of others than the centre of a star may stay.
    Nothing,
}

impl KeepRule {
    /// The rule where nobody asks for one: central in stars; in connected clusters, of which not every
    /// pair is looked at, the first.
    #[must_use]
    pub const fn of(cluster_rule: ClusterRule) -> Self {
        match cluster_rule {
            ClusterRule::Star => Self::Central,
            ClusterRule::Connected => Self::First,
        }
    }

    /// The rules that need no more than their name.
    const NAMED: [Self; 6] =
        [Self::Central, Self::First, Self::Last, Self::Longest, Self::Shortest, Self::Nothing];

    /// The rule's name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Central => "central",
            Self::First => "first",
            Self::Last => "last",
            Self::Longest => "longest",
            Self::Shortest => "shortest",
            Self::Highest => "highest",
            Self::Lowest => "lowest",
            Self::Nothing => "none",
        }
    }

    /// The rule's name with the field that it goes by, as a summary has it.
    #[must_use]
    pub fn name_by(self, field: Option<&str>) -> String {
        match (self, field) {
            (Self::Highest, Some(field)) => format!("{field}:max"),
            (Self::Lowest, Some(field)) => format!("{field}:min"),
            _ => self.name().to_owned(),
        }
    }

    /// Whether the rule goes by how many near-duplicates documents have.
    #[must_use]
    pub const fn counts_near(self) -> bool {
        matches!(self, Self::Central | Self::Nothing)
    }

    /// Whether the rule goes by the scores of documents.
    #[must_use]
    pub const fn is_by_score(self) -> bool {
        matches!(self, Self::Highest | Self::Lowest)
    }

    /// What a document of so many bytes and that score is worth: of a cluster the one that is worth
    /// most stays. Scores are numbers in their order, neither 0 nor the greatest of all. `None` where the rule goes by
    /// something else.
    #[must_use]
    pub fn worth(self, length: u64, score: Option<u128>) -> Option<u128> {
        match self {
            Self::Longest => Some(length.into()),
            Self::Shortest => Some((u64::MAX - length).into()),
            Self::Highest => Some(score.unwrap_or(0)),
            Self::Lowest => Some(score.map_or(0, |score| !score)),
            Self::Central | Self::First | Self::Last | Self::Nothing => None,
        }
    }
}

impl FromStr for KeepRule {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let rule = Self::NAMED.into_iter().find(|rule| rule.name() == name);
        rule.ok_or_else(|| "use central, first, last, longest, shortest or none".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worth_is_ordered_as_scores_are() {
        let scores = [1, 2, 1 << 64, u128::MAX - 1];
        let high = scores.map(|score| KeepRule::Highest.worth(0, Some(score)).unwrap());
        let low = scores.map(|score| KeepRule::Lowest.worth(0, Some(score)).unwrap());
        assert!(high.is_sorted_by(|a, b| a < b) && high[0] > 0);
        assert!(low.is_sorted_by(|a, b| a > b) && low[3] > 0);
        assert_eq!(KeepRule::Lowest.worth(9, None), Some(0));
        assert_eq!(KeepRule::Shortest.worth(9, None), Some(u128::from(u64::MAX - 9)));
        assert_eq!(KeepRule::First.worth(9, Some(1)), None);
    }

    #[test]
    fn a_rule_is_read_by_its_name_where_the_name_says_all() {
        for rule in KeepRule::NAMED {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        assert_eq!(KeepRule::Nothing.name(), "none");
        for wrong in ["", "highest", "lowest", "nothing", "First"] {
            let said = wrong.parse::<KeepRule>().unwrap_err();
            assert!(said.contains("shortest or none"), "{wrong}: {said}");
        }
    }

    #[test]
    fn a_rule_by_a_field_is_called_by_it() {
        assert_eq!(KeepRule::Highest.name_by(Some("date")), "date:max");
        assert_eq!(KeepRule::Lowest.name_by(Some("date")), "date:min");
        assert_eq!(KeepRule::Highest.name_by(None), "highest");
        assert_eq!(KeepRule::Lowest.name_by(None), "lowest");
        assert_eq!(KeepRule::Longest.name_by(Some("date")), "longest");
    }

    #[test]
    fn the_usual_rule_is_the_one_that_a_kind_of_cluster_has() {
        assert_eq!(KeepRule::of(ClusterRule::Star), KeepRule::Central);
        assert_eq!(KeepRule::of(ClusterRule::Connected), KeepRule::First);
        assert_eq!(KeepRule::of(ClusterRule::default()), KeepRule::default());
    }

    #[test]
    fn worth_goes_by_what_the_rule_names() {
        assert_eq!(KeepRule::Longest.worth(9, Some(1)), Some(9));
        assert!(KeepRule::Shortest.worth(1, None) > KeepRule::Shortest.worth(2, None));
        // Any score goes before none, the least one too.
        for rule in [KeepRule::Highest, KeepRule::Lowest] {
            for score in [1, u128::MAX - 1] {
                assert!(rule.worth(0, Some(score)) > rule.worth(9, None), "{rule:?} {score}");
            }
        }
        for rule in [KeepRule::Central, KeepRule::Last, KeepRule::Nothing] {
            assert_eq!(rule.worth(9, Some(1)), None);
        }
    }
}
