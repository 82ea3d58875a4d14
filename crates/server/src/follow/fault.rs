//! Why a copy cannot take over changes.

use std::fmt;

/// Why a copy cannot take over changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// What was found, and what to do.
    pub(crate) what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The leader cannot be reached, or has no time. It may come back by itself.
    Lost,
    /// The leader refuses the copy, such as by its token, or what answers is no leader.
    Refused,
    /// The copy is not what the leader once was: it must not be taken for its like.
    Different,
}

impl Fault {
    pub(crate) fn lost(what: impl fmt::Display) -> Self {
        Self { kind: FaultKind::Lost, what: what.to_string() }
    }

    pub(crate) fn refused(what: impl fmt::Display) -> Self {
        Self { kind: FaultKind::Refused, what: what.to_string() }
    }

    pub(crate) fn different(what: impl fmt::Display) -> Self {
        Self { kind: FaultKind::Different, what: what.to_string() }
    }
}
