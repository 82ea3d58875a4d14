//! What the server does with a document or an id: what a batch asks for, and what the figures count by.

use crate::request::token::Scope;
use serde::Deserialize;

/// What the server does with a document or an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Op {
    Check,
    Add,
    CheckAndAdd,
    Put,
    CheckAndPut,
    Import,
    Delete,
}

impl Op {
    pub(crate) const ALL: [Self; 7] = [
        Self::Check,
        Self::Add,
        Self::CheckAndAdd,
        Self::Put,
        Self::CheckAndPut,
        Self::Import,
        Self::Delete,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Add => "add",
            Self::CheckAndAdd => "check-and-add",
            Self::Put => "put",
            Self::CheckAndPut => "check-and-put",
            Self::Import => "import",
            Self::Delete => "delete",
        }
    }

    /// The scope that it needs.
    pub(crate) fn scope(self) -> Scope {
        if self == Self::Check { Scope::Read } else { Scope::Write }
    }
}
