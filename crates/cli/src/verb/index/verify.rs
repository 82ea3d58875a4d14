//! `nearprint index verify`: whether a segment is what was written, and answers right.

use crate::flags::heading::{INPUT, RESOURCES};
use crate::mapped::map;
use crate::show::figures::{count, count_of, queries};
use crate::usage::say;
use crate::verb::index::segment::open;
use anyhow::Context;
use std::path::PathBuf;

/// Check a segment: every checksum, and a sample of answers against a scan
///
/// The sample consists of stored fingerprints with up to k bits flipped. They are searched with the tables and by a
/// scan of everything; without tables, one by one and together. Exit status 0 means that both agree.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The segment
    #[arg(value_name = "SEG")]
    segment: PathBuf,
    /// Queries in the sample
    #[arg(long, default_value_t = 256, value_name = "N", help_heading = INPUT)]
    sample: usize,
    /// Seed for the choice of the sample
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = INPUT)]
    seed: u64,
    /// Print nothing if all is well
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint index verify corpus.seg
  nearprint index verify corpus.seg --sample 5000 --seed 7";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let name = || args.segment.display().to_string();
    let file = map(&args.segment)?;
    let segment = open(&args.segment, &file)?;
    segment.verify().with_context(name)?;
    let checked = segment.recheck(args.sample, args.seed).with_context(name)?;
    if !args.quiet {
        say(&format!(
            "sound: {} and every checksum; {} {} found the same {}",
            count_of(segment.len(), "fingerprint"),
            queries(checked.queries as u64),
            match segment.layout().is_scan() {
                true => "one by one and together",
                false => "by the tables and by a scan",
            },
            count(checked.found),
        ));
    }
    Ok(())
}
