//! `nearprint store get`: a document by its id.

use crate::usage::print;
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::Reached;
use crate::verb::store::row;
use anyhow::bail;

/// Print stored documents by their ids
///
/// One row a document: {"id","fingerprint","time"}, the time in milliseconds since 1970. If an id is
/// not stored, the command says so, goes on, and ends with exit status 1.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Ids of documents
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  nearprint store get pages https://example.org/
  nearprint store get pages 17 18 19";

/// What helps whoever asks for a page of an archive by its URL alone, where some id is one.
pub(super) fn of_archives(ids: &[String]) -> &'static str {
    let is_url = |id: &String| id.contains("://") && !id.contains(' ');
    match ids.iter().any(is_url) {
        true => "; the id of a page of an archive is its URL, a space, and its date",
        false => "",
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let store = args.store.reach()?;
    let mut absent = Vec::new();
    for id in &args.ids {
        let found = match &store {
            Reached::Here(store) => {
                store.get(id)?.map(|document| row::document(&document)).transpose()?
            }
            #[cfg(feature = "serve")]
            Reached::There(served) => served.document(id)?,
        };
        match found {
            Some(row) => print(&row)?,
            None => absent.push(format!("{id:?}")),
        }
    }
    if !absent.is_empty() {
        let hint = of_archives(&args.ids);
        bail!("not in the store: {}{hint}", absent.join(", "));
    }
    Ok(())
}
