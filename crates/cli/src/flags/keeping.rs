//! What makes a group of near-duplicates, and which of them stays.

use crate::usage::wrong;
use clap::Args;
use nearprint_dedup::{ClusterRule, KeepRule};
use std::str::FromStr;

/// Groups, and the document of each that stays.
#[derive(Args)]
pub(crate) struct KeepFlags {
    /// What makes a group: star, all near-duplicates of the document that stays, or connected, also
    /// what is linked by way of others
    #[arg(long, default_value = "star", value_name = "RULE")]
    pub(crate) cluster_rule: ClusterRule,
    /// Which document of a group stays: central (the one with the most near-duplicates), first, last,
    /// longest, shortest, or none [default: central; first with --cluster-rule connected]
    #[arg(long, value_name = "RULE", value_parser = keep)]
    keep: Option<KeepRule>,
    /// Of a group the document stays whose field holds the highest or lowest number or date, such as
    /// score:max or crawled:min; one without a value stays last
    #[arg(long, value_name = "FIELD:max|min", conflicts_with = "keep")]
    keep_by: Option<KeepBy>,
}

/// A field, and which end of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeepBy {
    field: String,
    rule: KeepRule,
}

impl FromStr for KeepBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rule = |end: &str| match end {
            "max" => Some(KeepRule::Highest),
            "min" => Some(KeepRule::Lowest),
            _ => None,
        };
        let found = text.rsplit_once(':').and_then(|(field, end)| Some((field, rule(end)?)));
        let found = found.filter(|(field, _)| !field.is_empty());
        let (field, rule) = found.ok_or("use FIELD:max or FIELD:min, such as score:max")?;
        Ok(Self { field: field.to_owned(), rule })
    }
}

impl KeepFlags {
    /// The rule, with the field that it goes by.
    pub(crate) fn rule(&self) -> anyhow::Result<(KeepRule, Option<String>)> {
        if let Some(KeepBy { field, rule }) = &self.keep_by {
            return Ok((*rule, Some(field.clone())));
        }
        let rule = match (self.cluster_rule, self.keep) {
            (rule, None) => KeepRule::of(rule),
            (ClusterRule::Connected, Some(KeepRule::Central)) => {
                return wrong(
                    "--keep central is for --cluster-rule star: of what is connected not every pair \
                     is looked at; use first, last, longest or shortest",
                );
            }
            (_, Some(keep)) => keep,
        };
        Ok((rule, None))
    }
}

/// A rule by its name; the library does not know of the flag that takes a field.
fn keep(name: &str) -> Result<KeepRule, String> {
    name.parse().map_err(|expected: String| format!("{expected}; by a field with --keep-by"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_hold_colons() {
        let by = |text: &str| text.parse::<KeepBy>().map(|by| (by.field, by.rule));
        assert_eq!(by("score:max"), Ok(("score".to_owned(), KeepRule::Highest)));
        assert_eq!(by("dc:date:min"), Ok(("dc:date".to_owned(), KeepRule::Lowest)));
        for wrong in ["score", ":max", "score:", "score:most", ""] {
            assert!(by(wrong).is_err(), "{wrong}");
        }
    }
}
