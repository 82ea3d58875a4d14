//! `nearprint store verify`: is all there and whole?

use crate::flags::heading::RESOURCES;
use crate::show::figures::count_of;
use crate::usage::say;
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::Reached;
#[cfg(feature = "serve")]
use crate::verb::store::served::Ended;
use nearprint_store::Verified;

/// Read a whole store and compare its parts: documents, ids, segments
///
/// Exit status 0 if everything is intact, 1 with the damage and what repairs it. Reads everything. Also
/// says if it is not known which write was the last one, such as after a power failure.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Print nothing if all is well
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store verify pages";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (documents, segments, end_known) = match args.store.reach()? {
        Reached::Here(store) => {
            let Verified { documents, segments, end_known, .. } = store.verify()?;
            (documents, segments, end_known)
        }
        #[cfg(feature = "serve")]
        Reached::There(served) => {
            let Ended { documents, segments, end_known, .. } = served.task("/v1/verify", None)?;
            (documents, segments, end_known)
        }
    };
    let (documents, segments) = (count_of(documents, "document"), count_of(segments, "segment"));
    if !end_known {
        say(&format!(
            "{documents} in {segments}, each intact; but {} does not record the last write, so later writes may \
             be missing from the database; the next write repairs the file",
            args.store.path.join("acknowledged").display()
        ));
    } else if !args.quiet {
        say(&format!("{documents} in {segments}, all intact"));
    }
    Ok(())
}
