//! `nearprint store import`: the rows of an export, whole.

use crate::flags::heading::{OUTPUT, RESOURCES};
use crate::show::figures::{count, count_of};
use crate::usage::say;
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::{Op, Reached, holds};
use anyhow::{Context, Error, bail};
use nearprint_corpus::{InputFormat, ReadOptions, Reader, Record, discover};
use nearprint_store::{Document, Outcome, Rows};

/// Documents that are stored together.
const TOGETHER: usize = 4096;

/// Add the rows of an export, with all that they hold: times, flags, sketches, metadata
///
/// They may come from a store of another radius or similarity, but of the same recipe, width and bands.
/// Documents that are already stored change nothing, so a killed command can simply be run
/// again. A row that cannot be stored ends the command; the error names its line, and those before it are
/// stored.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Files of `store export`, compressed or not; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Skip every document whose id is already stored, even with another fingerprint
    #[arg(long, help_heading = OUTPUT)]
    unless_stored: bool,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store import pages pages.jsonl.zst
  nearprint store export old | nearprint store import new -
  nearprint store export /backup/monday | nearprint store import pages-salvaged - --unless-stored";

/// An import under way.
struct Import<'a> {
    store: &'a Reached,
    unless_stored: bool,
    waiting: Vec<Document>,
    places: Vec<String>,
    new: u64,
    exists: u64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let store = args.store.reach_silently()?;
    let rows = Rows::of(&args.store.settings()?)?;
    let sources = discover(&args.files, Some(InputFormat::JSONL))?;
    let mut import = Import {
        store: &store,
        unless_stored: args.unless_stored,
        waiting: Vec::new(),
        places: Vec::new(),
        new: 0,
        exists: 0,
    };
    let read = import.read(&rows, Reader::new(&sources, ReadOptions::default()));
    // What was read before a failure is stored too.
    let stored = import.store();
    read.and(stored).with_context(|| import.before_error())?;
    if !args.quiet {
        let Import { new, exists, .. } = import;
        let exists = match exists {
            0 => String::new(),
            exists => format!(", {} stored already", count(exists)),
        };
        say(&format!("{} new{exists}; the store holds {}", count(new), holds(&store)?));
    }
    Ok(())
}

impl Import<'_> {
    fn read(&mut self, rows: &Rows, reader: Reader) -> anyhow::Result<()> {
        for batch in reader {
            let batch = batch?;
            for record in batch.records() {
                self.waiting.push(document(rows, &record)?);
                self.places.push(record.place());
                if self.waiting.len() == TOGETHER {
                    self.store()?;
                }
            }
        }
        Ok(())
    }

    /// Stores what waits.
    fn store(&mut self) -> anyhow::Result<()> {
        let outcomes = self.store.write(Op::Add, std::mem::take(&mut self.waiting))?;
        let mut failed: Option<Error> = None;
        for (place, outcome) in self.places.drain(..).zip(outcomes) {
            match outcome {
                Ok(Outcome::New) => self.new += 1,
                Ok(_) => self.exists += 1,
                Err(refusal) if refusal.is_id_taken && self.unless_stored => self.exists += 1,
                Err(refusal) if failed.is_none() => failed = Some(refusal.error.context(place)),
                Err(_) => {}
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// What was stored before an error.
    fn before_error(&self) -> String {
        let new = count_of(self.new, "document");
        format!("{new} stored before this error, {} stored already", count(self.exists))
    }
}

/// The document of a row.
fn document(rows: &Rows, record: &Record<'_>) -> anyhow::Result<Document> {
    let place = || record.place();
    if record.too_long() {
        bail!("{}: a row of more than {} bytes", place(), ReadOptions::default().max_record_bytes);
    }
    let raw = record.raw();
    let row = std::str::from_utf8(&raw).with_context(place)?;
    rows.read(row).with_context(place)
}
