//! `nearprint store delete`: documents out of a store.

use crate::flags::heading::{INPUT, RESOURCES};
use crate::show::figures::{count, count_of};
use crate::usage::{say, wrong};
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::get::of_archives;
use crate::verb::store::reached::holds;
use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;
use nearprint_store::Outcome;
use std::io::BufRead;

/// Ids that are deleted together.
const TOGETHER: usize = 4096;

/// Delete documents by their ids
///
/// The command ends when the deletions are on the disk. Ids that are not stored are counted, and are
/// not an error: a killed command can simply be run again.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Ids of documents
    #[arg(value_name = "ID", required_unless_present_any = ["ids_from", "prefix"])]
    ids: Vec<String>,
    /// Read ids from a file, one a line; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "ids", help_heading = INPUT)]
    ids_from: Option<String>,
    /// Delete all documents whose ids begin with this
    #[arg(
        long,
        value_name = "START",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with_all = ["ids", "ids_from"],
        help_heading = INPUT
    )]
    prefix: Option<String>,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store delete pages https://example.org/gone
  nearprint store delete pages --ids-from gone.txt
  nearprint store delete pages --prefix https://example.org/";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let store = args.store.reach()?;
    let (mut deleted, mut absent) = (0, 0);
    let mut all = |ids: &mut Vec<String>| -> anyhow::Result<()> {
        for outcome in store.delete(std::mem::take(ids))? {
            match outcome {
                Outcome::Deleted => deleted += 1,
                _ => absent += 1,
            }
        }
        Ok(())
    };
    let mut ids = args.ids.clone();
    if let Some(path) = &args.ids_from {
        let lines: Box<dyn BufRead> = if path == "-" {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(std::io::BufReader::new(std::fs::File::open(path).context(path.clone())?))
        };
        for (number, line) in (1..).zip(lines.lines()) {
            let line = line.with_context(|| format!("{path}:{number}"))?;
            if line.is_empty() {
                return wrong(format!("{path}:{number}: an empty line; an id is expected"));
            }
            ids.push(line);
            if ids.len() == TOGETHER {
                all(&mut ids)?;
            }
        }
    }
    all(&mut ids)?;
    if let Some(prefix) = &args.prefix {
        deleted = store.delete_prefix(prefix)?;
    }
    if !args.quiet {
        let hint = if absent > 0 { of_archives(&args.ids) } else { "" };
        tell(&holds(&store)?, deleted, (absent, hint));
    }
    Ok(())
}

fn tell(holds: &str, deleted: u64, (absent, hint): (u64, &str)) {
    let absent = match absent {
        0 => String::new(),
        1 => ", 1 was not stored".to_owned(),
        absent => format!(", {} were not stored", count(absent)),
    };
    let deleted = count_of(deleted, "document");
    say(&format!("{deleted} deleted{absent}; the store holds {holds}{hint}"));
}
