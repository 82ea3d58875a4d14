//! A step of cleaning.

use crate::flags::names::of_verb;
use serde::{Deserialize, Serialize};

/// What is done with the corpus, each a run of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Step {
    Dedup,
    Passages,
    Decontaminate,
}

impl Step {
    /// The name of its verb.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Dedup => "dedup",
            Self::Passages => "passages",
            Self::Decontaminate => "decontaminate",
        }
    }

    /// The arguments of its verb; where they are none, with the step that they are of.
    pub(super) fn taken<A: clap::Args>(self, args: anyhow::Result<A>) -> anyhow::Result<A> {
        args.map_err(|error| of_verb::<A>(self.name(), error))
    }

    /// The lists of what went, by the flags that ask for them.
    pub(super) const fn lists(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Dedup => &[("--removed", "removed.jsonl")],
            Self::Passages => &[("--removed", "cuts.jsonl")],
            Self::Decontaminate => &[("--removed", "leaks.jsonl"), ("--items", "items.jsonl")],
        }
    }
}
