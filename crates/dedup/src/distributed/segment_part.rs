//! What stays of an input file, as a segment for a later run to compare with: the file is read once more.

use crate::distributed::codes::{content_of, fingerprint_of, state};
use crate::distributed::columns::{CONTENT, FINGERPRINT, ID, SHORT};
use crate::distributed::schema::FileCounts;
use crate::distributed::shard_job::ShardJob;
use crate::distributed::sketch_rows::each;
use crate::distributed::unit_file::UnitFile;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::read::input::{FirstReading, Input, Reference};
use crate::read::left_out::LeftOut;
use crate::read::segment_row::{SegmentHead, SegmentRow};
use crate::read::sketched::{State, short};
use crate::search::features::FeatureSource as _;
use crate::search::places::Places;
use crate::search::reread::Reread;
use nearprint_corpus::{Finished, Output};
use nearprint_fingerprint::FeatureList;

/// Which documents of a file stay.
pub(crate) struct Stay<'a> {
    pub(crate) sketch: &'a UnitFile,
    pub(crate) left_out: &'a [LeftOut],
    /// Documents of the file that go.
    pub(crate) goes: &'a Places,
}

/// Writes the segment of the input file of a number, as [`crate::write::segment_out`] does of the whole corpus.
///
/// # Errors
/// A file that changed; those of the reading; the disk's.
pub(crate) fn write(
    mut output: Output,
    of: &ShardJob<'_>,
    unit: usize,
    stay: Stay<'_>,
) -> Result<Finished, Error> {
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    let sketch = stay.sketch;
    let columns = |group| {
        let (codes, contents) =
            (sketch.column(group, &FINGERPRINT)?, sketch.column(group, &CONTENT)?);
        Ok((codes, contents, sketch.column(group, &ID)?, sketch.column(group, &SHORT)?))
    };
    each(of, sketch, columns, |row, (codes, contents, ids, shorts)| {
        let number = DocumentNumber(row.document);
        if !stay.goes.contain(number) {
            let content = content_of(contents.at(row.at));
            let state = match state(row.state, content) {
                State::Exact(_) => State::Exact(shorts.at(row.at)),
                // A document without features is compared by its content alone.
                State::Empty => State::Exact(short(content)),
                state => state,
            };
            let id: Box<str> = ids.at(row.at).into();
            numbers.push(number);
            rows.push((id, fingerprint_of(codes.at(row.at)), content, state));
        }
        Ok(())
    })?;
    let (recipe, weighs) = (of.job.recipe()?, of.job.check()?.weighs());
    output.write_record(&SegmentHead::row(recipe, weighs))?;
    let counts: FileCounts = sketch.counts()?;
    let first = FirstReading {
        left_out: stay.left_out,
        reference: Reference::default(),
        checksum: counts.checksum,
    };
    let input = Input { reading: &of.job.reading, sources: of.source(unit), reference: 0 };
    let reread: Reread<'_> = Reread { input, first };
    let mut rows = rows.into_iter();
    let fields = |lists: &mut dyn Iterator<Item = FeatureList>| -> Vec<_> {
        lists.map(|list| SegmentRow::features(&list, weighs)).collect()
    };
    let mut row = |features| {
        let Some((id, Some(fingerprint), content, state)) = rows.next() else { return Ok(()) };
        let row = SegmentRow::row(&id, &fingerprint, content, state, &features);
        Ok(output.write_record(&row)?)
    };
    let keep = |some: Vec<_>| some.into_iter().try_for_each(&mut row);
    reread.features(&numbers, weighs, of.progress, fields, keep)?;
    Ok(output.finish()?)
}
