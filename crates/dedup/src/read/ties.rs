//! What breaks ties between documents of equal scores.

use nearprint_corpus::{Fields, Score, Tie};
use nearprint_rules::KeepRule;

/// The rules that break ties between documents that one before them finds worth the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ties([Option<KeepRule>; Fields::TIES]);

impl Ties {
    /// Those of the [fields](Fields::ties) that break ties, where a keep rule goes by scores.
    #[must_use]
    pub fn of(keep: KeepRule, fields: &Fields) -> Self {
        let ties = fields.ties.iter().flatten().filter(|_| keep.is_by_score());
        let mut rules = ties.map(|tie| rule(tie.is_least));
        Self(std::array::from_fn(|_| rules.next()))
    }

    /// How many there are.
    pub(crate) fn len(self) -> usize {
        self.0.iter().flatten().count()
    }

    /// What they find a document of these scores worth; of one whose scores are not known what they find one without any.
    pub(crate) fn worths(self, scores: &[Option<Score>]) -> impl Iterator<Item = u128> {
        let rules = self.0.into_iter().flatten().enumerate();
        rules.filter_map(|(at, rule)| {
            rule.worth(0, scores.get(at).copied().flatten().map(Score::order))
        })
    }
}

/// The rule by one end of a field.
pub(crate) fn rule(is_least: bool) -> KeepRule {
    if is_least { KeepRule::Lowest } else { KeepRule::Highest }
}

/// A keep rule by its name, with the fields that it goes by: `date:max,rank:min`.
pub(crate) fn rule_name(keep: KeepRule, fields: &Fields) -> String {
    let mut name = keep.name_by(fields.score.as_deref());
    for Tie { field, is_least } in fields.ties.iter().flatten().filter(|_| keep.is_by_score()) {
        name += &format!(",{}", rule(*is_least).name_by(Some(field)));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_where_the_rule_goes_by_scores() {
        let tie = |field: &str, is_least| Some(Tie { field: field.to_owned(), is_least });
        let ties = [tie("size", false), tie("rank", true), None];
        let fields = Fields { score: Some("date".to_owned()), ties, ..Fields::default() };
        assert_eq!(rule_name(KeepRule::Lowest, &fields), "date:min,size:max,rank:min");
        assert_eq!(rule_name(KeepRule::First, &fields), "first");
        let ties = Ties::of(KeepRule::Highest, &fields);
        let worths = |scores: [Option<f64>; 2]| -> Vec<u128> {
            ties.worths(&scores.map(|score| score.map(Score::from))).collect()
        };
        assert!(worths([Some(2.0), None]) > worths([Some(1.0), Some(1.0)]));
        assert!(worths([Some(2.0), Some(1.0)]) > worths([Some(2.0), Some(3.0)]));
        assert!(worths([None, Some(9.0)]) > worths([None, None]));
        assert_eq!((ties.len(), ties.worths(&[]).count()), (2, 2));
        assert_eq!(Ties::of(KeepRule::Longest, &fields).len(), 0);
    }
}
