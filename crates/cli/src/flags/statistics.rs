//! Statistics files, as `--idf` names them.

use crate::mapped::map;
use anyhow::Context;
use nearprint_fingerprint::Statistics;
use std::path::Path;

/// The statistics in a file, mapped.
pub(crate) fn open(path: &Path) -> anyhow::Result<Statistics> {
    Statistics::open(map(path)?).with_context(|| path.display().to_string())
}
