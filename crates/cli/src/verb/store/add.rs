//! `nearprint store add`: documents into a store.

use crate::flags::heading::{DUPLICATE, OUTPUT};
use crate::show::figures::{count, count_of};
use crate::usage::{print, say};
use crate::verb::store::feed::{Fed, FeedFlags, before_error};
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::{Op, holds};
use crate::verb::store::refusal::Refusal;
use crate::verb::store::row;
use anyhow::{Context, bail};
use nearprint_store::{Document, Error, Outcome};

/// Add documents to a store
///
/// Each needs an id of its own. An object in a field "metadata" of a row is kept with the document. One that is already
/// stored under its id, with the same fingerprint, changes nothing, so a killed command can simply be run again.
/// Answers, and the end of the command, come when the writes are on the disk. A row of answers is
/// {"id","fingerprint","verdict"}. The verdict is "new", "exists", "updated", "duplicate" with
/// "near":{"id","distance"}, or "refused" or "skipped" with "error". In a store by similarity "near" also has
/// "similarity" and "measure".
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    #[command(flatten)]
    feed: FeedFlags,
    /// Leave out documents that have a near-duplicate in the store
    ///
    /// nearprint checks and adds in one step, whoever else adds. With --update, the document of the same id
    /// does not count as a near-duplicate: it is replaced unless another id has one.
    #[arg(long, help_heading = DUPLICATE)]
    unless_duplicate: bool,
    /// Replace the document of the same id if its fingerprint differs
    #[arg(long, help_heading = OUTPUT)]
    update: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store add pages crawl/*.jsonl.zst
  nearprint store add pages new.jsonl --unless-duplicate --format json
  nearprint store add pages crawled-again.jsonl --unless-duplicate --update
  crawler | nearprint store add pages - --unless-duplicate
  nearprint store add codes fingerprints.jsonl --fingerprints";

/// What became of the documents.
#[derive(Default)]
struct Tally {
    new: u64,
    exists: u64,
    duplicates: u64,
    updated: u64,
    refused: u64,
    /// Why the first was.
    first: String,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.store.settings()?;
    let feed = args.feed.open(&settings)?.by_id();
    let store = args.store.reach()?;
    let (mut tally, answers) = (Tally::default(), feed.answers());
    let counts = feed.read(&mut |documents| {
        let named = documents.iter().filter_map(|fed| match fed {
            Fed::Document { id, sketch, metadata } => {
                let metadata = metadata.clone();
                Some(Document { metadata, ..Document::new(id, sketch.clone()) })
            }
            Fed::Skipped { .. } => None,
        });
        let outcomes = store.write(args.op(), named.collect())?;
        for outcome in &outcomes {
            tally.add(outcome);
        }
        if answers {
            print(&rows(&documents, outcomes))?;
            return Ok(());
        }
        // What is wrong with the store, not with a document, ends the run.
        let mut refused = outcomes.into_iter().filter_map(Result::err);
        refused.find(|refusal| !refusal.is_of_document).map_or(Ok(()), |refusal| Err(refusal.error))
    });
    let counts = counts.with_context(|| tally.before_error())?;
    feed.remark(&counts);
    if !feed.quiet() {
        tally.tell(&holds(&store)?, answers);
    }
    if tally.refused > 0 {
        bail!("{} refused, the first: {}", count_of(tally.refused, "document"), tally.first);
    }
    Ok(())
}

impl Args {
    fn op(&self) -> Op {
        match (self.unless_duplicate, self.update) {
            (true, true) => Op::CheckAndUpdate,
            (true, false) => Op::CheckAndAdd,
            (false, true) => Op::Update,
            (false, false) => Op::Add,
        }
    }
}

impl Tally {
    fn add(&mut self, outcome: &Result<Outcome, Refusal>) {
        let counted = match outcome {
            Ok(Outcome::New) => &mut self.new,
            Ok(Outcome::Duplicate(_)) => &mut self.duplicates,
            Ok(Outcome::Updated) => &mut self.updated,
            Ok(_) => &mut self.exists,
            Err(refusal) => {
                if self.refused == 0 {
                    self.first = refusal.error.to_string();
                }
                &mut self.refused
            }
        };
        *counted += 1;
    }

    /// What was stored before an error.
    fn before_error(&self) -> String {
        let stored = self.new + self.updated;
        match self.exists {
            0 => before_error(stored, "stored"),
            exists => {
                format!("{} ({} stored already)", before_error(stored, "stored"), count(exists))
            }
        }
    }

    /// Says what became of the documents; where they were not `answered` one by one, also how they are.
    fn tell(&self, holds: &str, answered: bool) {
        let mut said = vec![format!("{} new", count(self.new))];
        for (number, what) in [
            (self.updated, "updated"),
            (self.duplicates, "with a near-duplicate in the store"),
            (self.exists, "stored already"),
        ] {
            if number > 0 {
                said.push(format!("{} {what}", count(number)));
            }
        }
        let hint = match self.duplicates {
            _ if answered => "",
            0 => "",
            _ => "; --format json lists each with its near-duplicate",
        };
        say(&format!("{}; the store holds {holds}{hint}", said.join(", ")));
    }
}

/// A row for each document and each record that was left out.
fn rows(documents: &[Fed], outcomes: Vec<Result<Outcome, Refusal>>) -> String {
    let mut outcomes = outcomes.into_iter();
    let row = |fed: &Fed| match fed {
        Fed::Skipped { reason } => row::skipped(reason),
        Fed::Document { id, sketch, .. } => {
            let outcome = outcomes.next().unwrap_or_else(|| Err(Error::Closed.into()));
            row::outcome(id, &sketch.fingerprint, &outcome)
        }
    };
    documents.iter().map(row).collect()
}
