//! `nearprint store expire`: old documents out of a store.

use crate::flags::age::age;
use crate::flags::heading::{INPUT, RESOURCES};
use crate::show::figures::count_of;
use crate::usage::{say, wrong};
#[cfg(feature = "serve")]
use crate::verb::store::figures::Figures;
use crate::verb::store::flags::StoreFlags;
#[cfg(feature = "serve")]
use serde_json::json;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Delete documents that were stored long ago
///
/// The age of a document is that of its time: when it was stored or last replaced, or the time that was
/// imported. Reads and deletes some thousand documents at a time; a command that was killed is simply given
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
    let (deleted, documents) = match args.store.open_with(&args.store.options()) {
        Ok(store) => (store.forget_before(before, &|| false)?, store.len()),
        #[cfg(feature = "serve")]
        Err(error) => {
            let served = args.store.served_instead(error)?;
            let asked = json!({ "before": before });
            let ended = served.task("/v1/deletions", Some(&asked))?;
            (ended.documents, served.get::<Figures>("/v1/stats")?.documents)
        }
        #[cfg(not(feature = "serve"))]
        Err(error) => return Err(error),
    };
    if !args.quiet {
        let holds = count_of(documents, "document");
        say(&format!("{} deleted; the store holds {holds}", count_of(deleted, "document")));
    }
    Ok(())
}
