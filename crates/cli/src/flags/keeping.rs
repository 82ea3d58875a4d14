//! What makes a group of near-duplicates, and which of them stays.

use crate::flags::heading::DUPLICATE;
use crate::usage::wrong;
use clap::Args;
use nearprint_corpus::{Fields, Tie};
use nearprint_dedup::{ClusterRule, KeepRule};
use std::str::FromStr;

/// Groups, and the document of each that stays.
#[derive(Args)]
pub(crate) struct KeepFlags {
    /// What makes a group: star or connected [default: star]
    ///
    /// star: all near-duplicates of the kept document. connected: also documents that are
    /// linked through others.
    #[arg(long, value_name = "RULE", help_heading = DUPLICATE)]
    cluster_rule: Option<ClusterRule>,
    /// Document to keep: central, first, last, longest, shortest, none
    ///
    /// central is the document with the most near-duplicates; many hundreds are estimated. With none all documents of a
    /// group go. What is near other documents of a star than its centre may stay: connected groups have these too.
    /// [default: central; first with --cluster-rule connected]
    #[arg(long, value_name = "RULE", value_parser = keep, help_heading = DUPLICATE)]
    keep: Option<KeepRule>,
    /// Keep the document with the highest (or lowest) value in FIELD
    ///
    /// The value is a number of at most 35 digits, a date or a time, compared exactly. Examples: score:max,
    /// crawled:min. A document without a value (null, NaN) is kept only if no document of its group has one. At most
    /// four fields may be named, such as crawled:max,rating:min. The later ones break ties of those before, and the
    /// order of the input breaks the last.
    #[arg(long, value_name = "FIELD:max|min", value_delimiter = ',', conflicts_with = "keep", help_heading = DUPLICATE)]
    keep_by: Vec<KeepBy>,
}

/// A field, and which end of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeepBy {
    pub(crate) field: String,
    pub(crate) rule: KeepRule,
}

impl FromStr for KeepBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rule = |end: &str| match end {
            "max" => Some(KeepRule::Highest),
            "min" => Some(KeepRule::Lowest),
            _ => None,
        };
        // Of several with commas each may have spaces around it, as lists of other flags.
        let found = text.trim().rsplit_once(':').and_then(|(field, end)| Some((field, rule(end)?)));
        let found = found.filter(|(field, _)| !field.is_empty());
        let (field, rule) = found.ok_or("use FIELD:max or FIELD:min, such as score:max")?;
        Ok(Self { field: field.to_owned(), rule })
    }
}

/// The fields of the scores that documents are kept by.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScoreFields {
    score: Option<String>,
    ties: [Option<Tie>; Fields::TIES],
}

impl ScoreFields {
    /// The rule of some fields, of which the later ones break ties; `None` of no field.
    pub(crate) fn of(by: &[KeepBy]) -> anyhow::Result<Option<(KeepRule, Self)>> {
        let Some((KeepBy { field, rule }, ties)) = by.split_first() else { return Ok(None) };
        if ties.len() > Fields::TIES {
            let most = 1 + Fields::TIES;
            return wrong(format!("--keep-by: {} fields, and at most {most} are read", by.len()));
        }
        let tie = |KeepBy { field, rule }: &KeepBy| Tie {
            field: field.clone(),
            is_least: *rule == KeepRule::Lowest,
        };
        let (score, mut ties) = (Some(field.clone()), ties.iter().map(tie));
        Ok(Some((*rule, Self { score, ties: std::array::from_fn(|_| ties.next()) })))
    }

    /// Whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.score.is_none()
    }

    /// These fields with those of the scores.
    pub(crate) fn among(self, fields: Fields) -> Fields {
        Fields { score: self.score, ties: self.ties, ..fields }
    }
}

impl KeepFlags {
    /// What makes a group.
    pub(crate) fn cluster_rule(&self) -> ClusterRule {
        self.cluster_rule.unwrap_or_default()
    }

    /// What makes a group, where that is said.
    pub(crate) const fn named_cluster_rule(&self) -> Option<ClusterRule> {
        self.cluster_rule
    }

    /// Whether it is said which document stays.
    pub(crate) const fn is_named(&self) -> bool {
        self.keep.is_some() || !self.keep_by.is_empty()
    }

    /// The rule, with the fields that it goes by, where one is named.
    pub(crate) fn named_rule(&self) -> anyhow::Result<Option<(KeepRule, ScoreFields)>> {
        self.is_named().then(|| self.rule()).transpose()
    }

    /// The rule, with the fields that it goes by.
    pub(crate) fn rule(&self) -> anyhow::Result<(KeepRule, ScoreFields)> {
        if let Some(rule) = ScoreFields::of(&self.keep_by)? {
            return Ok(rule);
        }
        let rule = match (self.cluster_rule(), self.keep) {
            (rule, None) => KeepRule::of(rule),
            (ClusterRule::Connected, Some(KeepRule::Central)) => {
                return wrong(
                    "--keep central needs --cluster-rule star: in connected groups nearprint does not \
                     compare every pair; use first, last, longest or shortest",
                );
            }
            (_, Some(keep)) => keep,
        };
        Ok((rule, ScoreFields::default()))
    }
}

/// What keeps by a field, where a rule is expected.
pub(crate) const BY_FIELD: &str = "by a field with --keep-by date:max";

/// A rule by its name; the library does not know of the flag that takes a field.
fn keep(name: &str) -> Result<KeepRule, String> {
    name.parse().map_err(|expected: String| format!("{expected}; {BY_FIELD}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_hold_colons() {
        let by = |text: &str| text.parse::<KeepBy>().map(|by| (by.field, by.rule));
        assert_eq!(by("score:max"), Ok(("score".to_owned(), KeepRule::Highest)));
        assert_eq!(by("dc:date:min"), Ok(("dc:date".to_owned(), KeepRule::Lowest)));
        assert_eq!(by(" score:max "), by("score:max"));
        for wrong in ["score", ":max", "score:", "score:most", ""] {
            assert!(by(wrong).is_err(), "{wrong}");
        }
    }
}
