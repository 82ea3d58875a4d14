//! What a cutter finds at one place of a file. Finding it is `cutter`'s.

use crate::fault::Fault;

/// What stands at the start of the bytes that were shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) bytes: usize,
    /// Line ends in them.
    pub(crate) lines: u64,
    pub(crate) what: What,
}

/// What some bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Record,
    /// No record, but part of every file that the records are written to.
    Carried,
    Nothing,
    Broken(Fault),
}
