//! `nearprint store check`: were these documents seen?

use crate::show::figures::{count, count_of};
use crate::usage::{print, say};
use crate::verb::store::feed::{Fed, FeedFlags, before_error};
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::row;
use anyhow::Context;
use nearprint_store::Document;

/// Ask for each document whether a near-duplicate is stored; adds nothing
///
/// A row of answers is {"id","fingerprint","verdict"}: "new", or "duplicate" with
/// "near":{"id","distance"}, the nearest stored document, of equally near ones the oldest. In a store by
/// similarity "near" is the most alike, with "similarity" and its "measure": "jaccard", "cosine" or
/// "estimated-jaccard".
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    #[command(flatten)]
    feed: FeedFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint store check pages new.jsonl --format json
  crawler | nearprint store check pages -";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.store.settings()?;
    let feed = args.feed.open(&settings)?;
    let store = args.store.reach()?;
    let (mut asked, mut seen, answers) = (0, 0, feed.answers());
    let counts = feed.read(&mut |documents| {
        let (mut records, mut read) = (Vec::new(), Vec::new());
        for fed in documents {
            records.push(match fed {
                Fed::Document { id, sketch, .. } => {
                    let fingerprint = sketch.fingerprint;
                    read.push(Document::new(id.clone(), sketch));
                    Ok((id, fingerprint))
                }
                Fed::Skipped { reason } => Err(reason),
            });
        }
        let (mut rows, mut found) = (String::new(), store.check(read)?);
        for record in records {
            let (id, fingerprint) = match record {
                Ok(read) => read,
                Err(reason) => {
                    rows += &row::skipped(&reason);
                    continue;
                }
            };
            let near = found.next().transpose()?.flatten();
            asked += 1;
            seen += u64::from(near.is_some());
            if answers {
                rows += &row::checked(&id, &fingerprint, near);
            }
        }
        if answers { print(&rows) } else { Ok(()) }
    });
    let counts = counts.with_context(|| before_error(asked, "checked"))?;
    feed.remark(&counts);
    if !feed.quiet() {
        let (new, asked) = (count(asked - seen), count_of(asked, "document"));
        let hint = match seen {
            _ if answers => "",
            0 => "",
            _ => "; --format json lists each with its near-duplicate",
        };
        let seen = count(seen);
        say(&format!("{asked}: {seen} with a near-duplicate in the store, {new} without{hint}"));
    }
    Ok(())
}
