//! The file that a verb writes its rows to.

use crate::flags::endings;
use crate::flags::heading::OUTPUT;
use clap::Args;
use nearprint_corpus::{Output, OutputOptions, Outputs, Source};
use std::path::{Path, PathBuf};

/// One file of rows, or standard output.
#[derive(Args)]
pub(crate) struct OutputFlags {
    /// File for the rows [default: standard output]
    ///
    /// It is compressed if its name ends in .gz, .zst, .bz2 or .xz.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true, help_heading = OUTPUT, value_parser = endings::rows())]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
}

impl OutputFlags {
    /// The path, - for standard output, and whether a file of that name is replaced.
    pub(crate) fn named(&self) -> (&Path, bool) {
        (&self.output, self.force)
    }

    /// Opens the output, which may be none of `sources`.
    pub(crate) fn create(&self, sources: &[Source]) -> anyhow::Result<Output> {
        let options = OutputOptions { force: self.force };
        Ok(Outputs::new(sources, options).create(&self.output)?)
    }
}
