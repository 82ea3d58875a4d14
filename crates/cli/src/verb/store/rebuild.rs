//! `nearprint store rebuild`: segments from the documents.

use crate::arena;
use crate::flags::heading::{DUPLICATE, RESOURCES};
use crate::show::figures::count_of;
use crate::usage::{say, wrong};
use crate::verb::store::flags::StoreFlags;
use nearprint_store::{Error, Store};

/// Rebuild all segments of a store from its documents
///
/// For segments that were lost or damaged; opening a store does the same for those that it notices. With
/// --k the store finds documents within another radius from then on; if the command is killed, it has the
/// old or the new radius.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// From now on, find documents that differ in at most K bits, 0 to a quarter of all
    #[arg(short, long, value_name = "K", help_heading = DUPLICATE)]
    k: Option<u32>,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store rebuild pages
  nearprint store rebuild codes --k 4";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (path, options) = (&args.store.path, args.store.options());
    let taken = |error| args.store.taken("rebuild", error);
    arena::share();
    let store = match args.k {
        None => Store::rebuild(path, &options).map_err(taken)?,
        Some(k) => match Store::rebuild_within(path, k, &options) {
            Err(error @ (Error::WideRadius { .. } | Error::NoRadius)) => {
                return wrong(format!("--k {k}: {error}"));
            }
            rebuilt => rebuilt.map_err(taken)?,
        },
    };
    if !args.quiet {
        let within = args.k.map_or(String::new(), |k| format!(", for k = {k}"));
        say(&format!("segments rebuilt from {}{within}", count_of(store.len(), "document")));
    }
    Ok(())
}
