//! `nearprint store expire`: old documents out of a store.

use crate::flags::age::age;
use crate::flags::heading::{INPUT, RESOURCES};
use crate::show::figures::count_of;
use crate::usage::{say, wrong};
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::holds;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Delete documents that were stored long ago
///
/// The age of a document is that of its time: when it was stored or last replaced, or the time that was
/// imported. Reads and deletes some thousand documents at a time; a killed command can simply be run
/// again.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Age of the youngest document to delete: 90d, 12h, 30m, 45s or 8w
    #[arg(long, value_name = "AGE", value_parser = age, help_heading = INPUT)]
    older_than: Duration,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store expire pages --older-than 90d";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.older_than.is_zero() {
        return wrong("--older-than 0s deletes every document: give an age, such as 90d");
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let before = now.saturating_sub(args.older_than).as_millis();
    let before = u64::try_from(before)?;
    let store = args.store.reach_silently()?;
    let deleted = store.forget_before(before)?;
    if !args.quiet {
        let holds = holds(&store)?;
        say(&format!("{} deleted; the store holds {holds}", count_of(deleted, "document")));
    }
    Ok(())
}
