//! The stages that read the input for the first time: sample, look.

use crate::contamination::eval_file::eval_files;
use crate::contamination::looking::{LookedAtPart, Looking};
use crate::contamination::sample::sample as sampled;
use crate::distributed::contamination::job::{ContaminationJob, LookCounts, put_told};
use crate::distributed::lists::{List, ListWriter};
use crate::distributed::step::Step;
use crate::error::Error;

/// Counts the words of the items in a sample of all input.
pub(crate) fn sample(of: &ContaminationJob<'_>) -> Result<(), Error> {
    of.write(Step::Sample, 0, |unit| {
        let sample = sampled(&of.corpus(), &of.items()?.vocabulary)?;
        let mut list = ListWriter::new(unit, List::Sampled);
        sample.with.iter().try_for_each(|documents| list.push(0, &u64::from(*documents)))?;
        list.finish()?;
        Ok(sample.documents)
    })
}

/// Looks for the items in the documents of a file, which are counted from 0.
///
/// Memory: the items with their index, and the room of texts.
pub(crate) fn look(of: &ContaminationJob<'_>, file: usize) -> Result<(), Error> {
    of.write(Step::Look, file, |unit| {
        let (prepared, corpus, spec) = (of.prepared()?, of.file(file, 0), &of.job.spec);
        let evals = &prepared.items.notes.files;
        let looking = Looking {
            corpus: &corpus,
            items: &prepared.items,
            index: &prepared.index,
            rule: &spec.rule,
            action: spec.action,
            one_place: spec.cuts_texts(),
            may_lack_fields: spec.may_lack_fields,
            eval_files: &eval_files(corpus.sources, evals, of.progress)?,
        };
        let LookedAtPart { tally, checksums, findings, aligned } =
            looking.look_at_part(of.held()?)?;
        let (tallied, ids, fields) = tally.of_part()?;
        let mut list = ListWriter::new(unit, List::Ids);
        ids.for_each(|id| list.push(0, &id))?;
        list.finish()?;
        let mut list = ListWriter::new(unit, List::Found);
        findings.column.for_each(|entry| list.push(0, &entry))?;
        list.finish()?;
        put_told(unit, &findings.told)?;
        Ok(LookCounts { tallied, fields, checksums, aligned })
    })
}
