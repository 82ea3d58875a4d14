//! `nearprint store compact`: one segment of all.

use crate::flags::heading::RESOURCES;
use crate::show::figures::{count_of, megabytes};
use crate::usage::say;
use crate::verb::store::figures::Figures;
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::Reached;

/// Make one segment of all documents and free the space of deleted ones
///
/// Nothing that was stored changes; searches are exact before and after, and faster after.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store compact pages
  nearprint store compact pages --memory 4G";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let store = args.store.reach()?;
    match &store {
        Reached::Here(store) => store.compact()?,
        #[cfg(feature = "serve")]
        Reached::There(served) => drop(served.task("/v1/compact", None)?),
    }
    if !args.quiet {
        let figures = Figures::of(&store)?;
        say(&format!(
            "{}: {:.1} MB of documents, {:.1} MB of segments",
            count_of(figures.documents, "document"),
            megabytes(figures.database_bytes),
            megabytes(figures.of_segments())
        ));
    }
    Ok(())
}
