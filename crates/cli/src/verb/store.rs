//! `nearprint store`: the durable store, told and asked.

mod add;
mod check;
mod compact;
mod delete;
mod expire;
mod export;
mod feed;
mod figures;
pub(super) mod flags;
mod get;
mod import;
mod init;
mod query;
mod reached;
mod rebuild;
mod refusal;
mod restore;
mod row;
mod salvage;
#[cfg(feature = "serve")]
mod served;
mod snapshot;
mod stats;
mod verify;

use clap::Subcommand;

/// Keep fingerprints in a durable store that answers whether a document was seen
///
/// A store is a folder that one process at a time owns. While `nearprint serve` has it open, all verbs except rebuild
/// ask that process. What was answered is on the disk: it survives a kill and a power failure. Its recipe, width, and
/// similarity or radius are set when it is made; documents are named by their ids.
#[derive(Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum What {
    Init(init::Args),
    Add(Box<add::Args>),
    Check(Box<check::Args>),
    Query(Box<query::Args>),
    Get(get::Args),
    Delete(delete::Args),
    Expire(expire::Args),
    Stats(stats::Args),
    Verify(verify::Args),
    Compact(compact::Args),
    Snapshot(snapshot::Args),
    Restore(restore::Args),
    Export(export::Args),
    Import(import::Args),
    Rebuild(rebuild::Args),
    Salvage(salvage::Args),
}

const EXAMPLES: &str = "Examples:
  nearprint store init pages --recipe web
  nearprint store add pages crawl/*.warc.gz --unless-duplicate
  nearprint store check pages new.jsonl
  crawler | nearprint store add pages - --unless-duplicate --format json
  nearprint store snapshot pages /backup/pages-monday";

pub(crate) fn run(what: &What) -> anyhow::Result<()> {
    match what {
        What::Init(args) => init::run(args),
        What::Add(args) => add::run(args),
        What::Check(args) => check::run(args),
        What::Query(args) => query::run(args),
        What::Get(args) => get::run(args),
        What::Delete(args) => delete::run(args),
        What::Expire(args) => expire::run(args),
        What::Stats(args) => stats::run(args),
        What::Verify(args) => verify::run(args),
        What::Compact(args) => compact::run(args),
        What::Snapshot(args) => snapshot::run(args),
        What::Restore(args) => restore::run(args),
        What::Export(args) => export::run(args),
        What::Import(args) => import::run(args),
        What::Rebuild(args) => rebuild::run(args),
        What::Salvage(args) => salvage::run(args),
    }
}
