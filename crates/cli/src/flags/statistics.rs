//! Statistics files, as `--idf` names them.

use crate::mapped::map;
use anyhow::{Context, bail};
use nearprint_fingerprint::{Statistics, StatisticsError};
use std::path::Path;

/// The statistics in a file, mapped.
pub(crate) fn open(path: &Path) -> anyhow::Result<Statistics> {
    match Statistics::open(map(path)?) {
        Err(error @ StatisticsError::NoStatistics) => {
            bail!("{}: {error}; make one with `nearprint idf build`", path.display())
        }
        opened => opened.with_context(|| path.display().to_string()),
    }
}
