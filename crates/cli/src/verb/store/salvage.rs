//! `nearprint store salvage`: what can be read of a damaged store, as a new one.

use crate::arena;
use crate::flags::heading::RESOURCES;
use crate::show::figures::{count, count_of};
use crate::usage::say;
use crate::verb::store::flags::{StoreFlags, on_disk};
use anyhow::bail;
use nearprint_store::{Salvaged, Store};
use std::path::PathBuf;

/// Most ids and ranges that are named.
const NAMED: usize = 10;

/// Copy what can be read of a damaged store into a new one
///
/// A damaged block of the database loses the documents in it, some dozens to hundreds. A damaged record of its journal
/// loses a group of writes. All other documents are copied, with their times and metadata. The damaged store is left
/// unchanged. The command says what is missing; with a snapshot, or the documents themselves, `store import` or `store
/// add` puts that back. Exit status: 0 if nothing is missing, else 1.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Folder of the new store, new or empty
    #[arg(value_name = "NEW", value_parser = on_disk())]
    new: PathBuf,
    /// Print no closing line if nothing is missing
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store salvage pages pages-salvaged";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    arena::share();
    let salvaged = Store::salvage(&args.store.path, &args.new, &args.store.options())?;
    let summary = summary(&salvaged, &args.new.display().to_string());
    if !salvaged.is_whole() {
        bail!(summary);
    }
    if !args.quiet {
        say(&summary);
    }
    Ok(())
}

fn summary(salvaged: &Salvaged, new: &str) -> String {
    let Salvaged { documents, lost, ids, journal_cut, groups_missing, counted } = salvaged;
    let mut summary = format!("{} brought over to {new}", count_of(*documents, "document"));
    if !lost.is_empty() {
        let numbers = lost.iter().map(|range| range.end - range.start).sum::<u64>();
        let ranges = lost.iter().map(|range| match range.end - range.start {
            1 => count(range.start),
            _ => format!("{} to {}", count(range.start), count(range.end - 1)),
        });
        summary += &format!(
            "; missing: {} of {} that could not be read (the oldest is number 0): {}",
            count_of(ids.len() as u64, "document"),
            count_of(numbers, "number"),
            named(ranges)
        );
        if !ids.is_empty() {
            summary += &format!("; their ids: {}", named(ids.iter().map(|id| format!("{id:?}"))));
        }
    }
    if *journal_cut > 0 || *groups_missing > 0 {
        summary += &format!(
            "; the journal was damaged: writes are missing, {} that were answered",
            count_of(*groups_missing, "group")
        );
    }
    match counted {
        Some(counted) if counted == documents => {}
        Some(counted) => {
            summary +=
                &format!("; the damaged store counted {} last", count_of(*counted, "document"));
        }
        None => summary += "; how many the damaged store had cannot be read: some may be missing",
    }
    summary
}

/// The first of them.
fn named(all: impl ExactSizeIterator<Item = String>) -> String {
    let more = all.len().saturating_sub(NAMED);
    let first = all.take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {} more", count(more as u64)) } else { first }
}
