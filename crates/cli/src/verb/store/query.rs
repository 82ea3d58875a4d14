//! `nearprint store query`: what is near these documents?

use crate::flags::heading::OUTPUT;
use crate::flags::radius::RadiusFlags;
use crate::show::figures::count_of;
use crate::usage::{print, say, wrong};
use crate::verb::store::feed::{Fed, FeedFlags, before_error};
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::row;
use anyhow::Context;
use nearprint_store::{Document, Measure};
use std::num::NonZeroUsize;

/// List the stored documents near each document, nearest first
///
/// One row a neighbour: {"query","id","distance"}. Up to the store's radius an answer takes
/// microseconds; beyond it everything is compared. A store by similarity lists documents at its
/// similarity or above, the most similar first, with "similarity" and "measure"; it takes no -k.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    #[command(flatten)]
    feed: FeedFlags,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Most neighbours of each document, the nearest
    #[arg(long, value_name = "N", default_value = "10", help_heading = OUTPUT)]
    top: NonZeroUsize,
}

const EXAMPLES: &str = "Examples:
  nearprint store query pages page.jsonl
  nearprint store query pages articles/ -k 8 --top 100";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.store.settings()?;
    let feed = args.feed.open(&settings)?;
    let asked_for = args.radius.asked(settings.width)?;
    let k = settings.threshold.radius().map(|k| asked_for.unwrap_or(k));
    if let (None, Some(asked)) = (k, asked_for) {
        return wrong(format!(
            "-k {asked}: this store finds documents by similarity; leave -k out"
        ));
    }
    let store = args.store.reach()?;
    let (mut asked, mut found) = (0, 0);
    let counts = feed.read(&mut |documents| {
        let mut rows = String::new();
        for fed in documents {
            let Fed::Document { id, sketch, .. } = fed else { continue };
            if sketch.flags.empty {
                continue;
            }
            let near = store.near(Document::new(id.clone(), sketch), k, args.top.get())?;
            asked += 1;
            found += near.len() as u64;
            near.iter().for_each(|near| rows += &row::neighbor(&id, near));
        }
        print(&rows)
    });
    let counts = counts.with_context(|| before_error(asked, "asked about"))?;
    feed.remark(&counts);
    if !feed.quiet() {
        let (asked, found) = (count_of(asked, "document"), count_of(found, "neighbour"));
        let near = match (k, settings.threshold.least()) {
            (Some(k), _) => format!("within {}", count_of(k.into(), "bit")),
            (None, Some((least, Measure::Cosine))) => format!("at cosine {least} or more"),
            (None, least) => {
                format!("at similarity {} or more", least.map_or(0.0, |(least, _)| least))
            }
        };
        say(&format!("{found} of {asked} {near}"));
    }
    Ok(())
}
