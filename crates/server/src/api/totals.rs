//! The row that closes a batch: what became of all lines.

use crate::api::row::{Row, Verdict};
use crate::request::problem::Problem;
use serde::Serialize;
use std::borrow::Cow;
use utoipa::ToSchema;

/// What became of the lines of a batch. `lines` is the sum of all other counts.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct Totals {
    /// Lines that were read.
    lines: u64,
    /// Blank lines.
    blank: u64,
    new: u64,
    exists: u64,
    duplicate: u64,
    updated: u64,
    deleted: u64,
    absent: u64,
    refused: u64,
    /// Why the batch ended before its body was complete, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'static, str>>,
    /// The `type` of that problem.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The `status` of that problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
}

impl Totals {
    pub(crate) fn blank(&mut self, lines: u64) {
        self.lines += lines;
        self.blank += lines;
    }

    pub(crate) fn count(&mut self, row: &Row) {
        self.lines += 1;
        *match row.verdict {
            Verdict::New => &mut self.new,
            Verdict::Exists => &mut self.exists,
            Verdict::Duplicate => &mut self.duplicate,
            Verdict::Updated => &mut self.updated,
            Verdict::Deleted => &mut self.deleted,
            Verdict::Absent => &mut self.absent,
            Verdict::Refused => &mut self.refused,
        } += 1;
    }

    pub(crate) fn refused(&self) -> u64 {
        self.refused
    }

    /// Why the batch ended early, if it did.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The body ended early.
    pub(crate) fn broken(&mut self, problem: Problem) {
        self.kind = Some(problem.kind.name());
        self.status = Some(problem.kind.status().as_u16());
        self.error = Some(problem.reason());
    }
}
