//! The form of an answer that people read, or programs.

use clap::ValueEnum;

/// How a person-readable answer is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
}
