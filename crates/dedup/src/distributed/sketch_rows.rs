//! The documents of a sketch, one after the other. Writing sketches is `sketch`'s.

use crate::distributed::codes::left_out;
use crate::distributed::columns::STATE;
use crate::distributed::shard_job::ShardJob;
use crate::distributed::unit_file::UnitFile;
use crate::error::Error;
use crate::read::left_out::LeftOut;

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

/// Hands every document of a sketch to `each`, with the columns that `columns` reads of its row group; returns the
/// records that are no numbered documents.
///
/// Memory: these columns of a row group.
pub(crate) fn each<T>(
    of: &ShardJob<'_>,
    sketch: &UnitFile,
    columns: impl Fn(usize) -> Result<T, Error>,
    mut each: impl FnMut(SketchRow, &T) -> Result<(), Error>,
) -> Result<Vec<LeftOut>, Error> {
    let mut out = Vec::new();
    each_record(of, sketch, columns, |record, columns| match record {
        SketchRecord::Document(row) => each(row, columns),
        SketchRecord::LeftOut(one, _) => {
            out.push(one);
            Ok(())
        }
    })?;
    Ok(out)
}

/// A record of a sketch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SketchRecord {
    /// A numbered document.
    Document(SketchRow),
    /// None, with its place in its row group.
    LeftOut(LeftOut, usize),
}

/// Hands every record of a sketch to `each`, with the columns that `columns` reads of its row group.
///
/// Memory: these columns of a row group.
pub(crate) fn each_record<T>(
    of: &ShardJob<'_>,
    sketch: &UnitFile,
    columns: impl Fn(usize) -> Result<T, Error>,
    mut each: impl FnMut(SketchRecord, &T) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut document, mut record) = (0, 0);
    for group in sketch.groups() {
        let states = sketch.column(group, &STATE)?;
        let columns = columns(group)?;
        for at in 0..states.len() {
            let state = states.at(at);
            match left_out(state, record, of.job.criteria.featureless) {
                Some(one) => each(SketchRecord::LeftOut(one, at), &columns)?,
                None => {
                    let row = SketchRow { document, record, state, group, at };
                    each(SketchRecord::Document(row), &columns)?;
                    document += 1;
                }
            }
            record += 1;
        }
        of.progress.check()?;
    }
    Ok(())
}
