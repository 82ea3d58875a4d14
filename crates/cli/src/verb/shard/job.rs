//! The job in a folder, as it was made.

use crate::verb::dedup;
use nearprint_dedup::Shards;
use std::path::Path;

pub(super) fn job(work: &Path) -> anyhow::Result<Shards> {
    dedup::shards(&Shards::args(work)?, work)
}
