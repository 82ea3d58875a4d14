//! The documents of a sketch, one after the other. Writing sketches is `sketch`'s.

use crate::error::Error;
use crate::read::left_out::LeftOut;
use crate::shards::cells::Cells;
use crate::shards::codes::left_out;
use crate::shards::shard_job::ShardJob;
use crate::shards::unit_file::UnitFile;

/// A row of a sketch that is a numbered document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SketchRow {
    /// Its number among the documents of its file.
    pub(crate) document: u64,
    /// The number of its record in the file.
    pub(crate) record: u64,
    /// Its state, as a number.
    pub(crate) state: u64,
    /// Its row group.
    pub(crate) group: usize,
    /// Its place there.
    pub(crate) at: usize,
}

/// Hands every document of a sketch to `each`, with some columns of its row group; returns the records that are
/// no numbered documents.
///
/// Memory: these columns of a row group.
pub(crate) fn each<const N: usize>(
    of: &ShardJob<'_>,
    sketch: &UnitFile,
    names: [&str; N],
    mut each: impl FnMut(SketchRow, &[Cells; N]) -> Result<(), Error>,
) -> Result<Vec<LeftOut>, Error> {
    let (mut document, mut record, mut out) = (0, 0, Vec::new());
    for group in sketch.groups() {
        let states = sketch.column(group, "state")?;
        let cells = sketch.columns(group, names)?;
        for at in 0..states.len() {
            let state = states.number(at);
            match left_out(state, record, of.job.criteria.featureless) {
                Some(left_out) => out.push(left_out),
                None => {
                    each(SketchRow { document, record, state, group, at }, &cells)?;
                    document += 1;
                }
            }
            record += 1;
        }
        of.progress.check()?;
    }
    Ok(out)
}
