//! `nearprint store export`: all documents as rows.

use crate::flags::heading::{OUTPUT, RESOURCES};
use crate::flags::output::OutputFlags;
use crate::show::figures::count_of;
use crate::usage::say;
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::Reached;
use nearprint_store::Rows;

/// Write all documents of a store as rows, the oldest first
///
/// Rows hold all that the store keeps: {"id","fingerprint","time","recipe"}, and "flags", "content" and "metadata"
/// where there are some. In a store by similarity they also hold "shape", "bands" and "keys". `store import` reads all
/// of it; every verb that reads fingerprints takes the ids and fingerprints.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    #[command(flatten)]
    output: OutputFlags,
    /// Only ids that begin with this, in the order of ids
    #[arg(long, value_name = "START", help_heading = OUTPUT)]
    prefix: Option<String>,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store export pages -o pages.jsonl.zst
  nearprint store export pages --prefix https://example.org/";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let store = args.store.reach()?;
    let mut output = args.output.create(&[])?;
    let (prefix, mut written) = (args.prefix.as_deref(), 0);
    let mut write = |row: &[u8]| {
        written += 1;
        output.write_record(row).map_err(anyhow::Error::from)
    };
    match &store {
        Reached::Here(store) => {
            let rows = Rows::of(store.settings())?;
            let documents = match prefix {
                Some(prefix) => store.scan_ids(prefix)?,
                None => store.scan()?,
            };
            for document in documents {
                let document = document?;
                if prefix.is_some_and(|prefix| !document.id.starts_with(prefix)) {
                    break;
                }
                write(format!("{}\n", rows.write(&document)).as_bytes())?;
            }
        }
        #[cfg(feature = "serve")]
        Reached::There(served) => {
            let query = prefix.map(|prefix| ("prefix", prefix));
            served.lines("/v1/export", query.as_slice(), write)?;
        }
    }
    output.commit()?;
    if !args.quiet {
        say(&format!("{} written", count_of(written, "document")));
    }
    Ok(())
}
