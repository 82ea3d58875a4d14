//! What a job that was killed goes on from: the first reading, and what goes. Files and manifest are `checkpoint`'s.

use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::identity::inputs;
use crate::memory::state::StateReader;
use crate::passages::census::Census;
use crate::passages::column::Column;
use crate::passages::cut::CutRule;
use crate::passages::cutting::Cuts;
use crate::passages::job::Done;
use crate::passages::lending::Passages;
use crate::passages::lent::Lent;
use crate::passages::rule::PassageRule;
use crate::passages::spec::PassagesSpec;
use crate::passages::stretches::Stretches;
use crate::read::ties::rule_name;
use nearprint_corpus::Source;
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;

/// The stages that are kept.
const ANCHORS: &str = "anchors";
const CUTS: &str = "cuts";

impl PassagesSpec {
    /// All that decides the outcome, field by field. Every field of the job is named here, so that a new one is a
    /// decision.
    ///
    /// # Errors
    /// A source of which an earlier state cannot be told from a later one: a stream.
    pub(crate) fn identity(
        &self,
        sources: &[Source],
        reference: usize,
    ) -> Result<Map<String, Value>, Error> {
        let Self { recipe, input: _, reading, rule, cut, outputs } = self;
        let PassageRule { unit, length: _, keep, inside: _, copies, digits: _, similarity } = rule;
        let CutRule { whole: _, joint, min_left } = cut;
        let fields = &reading.fields;
        let job = json!({
            "unit": unit.name(),
            "length": rule.length()?,
            "keep": rule_name(*keep, fields),
            "inside": rule.inside_name(),
            "copies": copies,
            "digits": rule.digits_name(),
            "similarity": similarity,
            "whole": cut.whole_name(),
            "joint": joint,
            "min left": min_left,
            "recipe": format!("{} ({})", recipe.name, recipe.id()),
            "reference files": reference,
            "id field": fields.id,
            "text field": fields.text,
            "source field": outputs.source_field,
            "null text": fields.null_text.name(),
            "on error": reading.on_error.name(),
            "longest record": reading.options.max_record_bytes,
            "annotate": outputs.annotate,
            "offsets": outputs.offsets.name(),
            "reports": outputs.reports(),
            "input": inputs(sources)?,
        });
        Ok(job.as_object().cloned().unwrap_or_default())
    }
}

impl Census {
    /// What an earlier run kept, if it did.
    pub(crate) fn kept(checkpoint: &Checkpoint, dir: &Path) -> Result<Option<Self>, Error> {
        let Some(mut state) = checkpoint.load(ANCHORS)? else { return Ok(None) };
        Self::restore(&mut state, dir).map(Some).map_err(|source| checkpoint.failed(&source))
    }

    pub(crate) fn keep(&self, checkpoint: &mut Checkpoint) -> Result<(), Error> {
        checkpoint.save(ANCHORS, |state| {
            let Self { counts, records, tokens, repeated, origins, .. } = self;
            state.value(counts)?;
            state.value(&(records, tokens, self.reference, &self.of_reference))?;
            state.value(&(self.checksums, self.spilled))?;
            repeated.save(state)?;
            origins.save(state)
        })
    }

    fn restore(state: &mut StateReader, dir: &Path) -> io::Result<Self> {
        let counts = state.value()?;
        let (records, tokens, reference, of_reference) = state.value()?;
        let (checksums, spilled) = state.value()?;
        let repeated = Stretches::restore(state, dir)?;
        let origins = crate::passages::origins::Origins::restore(state)?;
        Ok(Self {
            counts,
            records,
            reference,
            of_reference,
            tokens,
            checksums,
            repeated,
            spilled,
            origins,
        })
    }
}

impl Done {
    /// What an earlier run kept, if it did; so many bytes of rows are in memory.
    pub(crate) fn kept(
        checkpoint: &Checkpoint,
        dir: &Path,
        held: usize,
    ) -> Result<Option<Self>, Error> {
        let Some(mut state) = checkpoint.load(CUTS)? else { return Ok(None) };
        Self::restore(&mut state, dir, held).map(Some).map_err(|source| checkpoint.failed(&source))
    }

    pub(crate) fn keep(&self, checkpoint: &mut Checkpoint) -> Result<(), Error> {
        checkpoint.save(CUTS, |state| {
            let Self { cuts, searched, passages, lent, shared_hashes } = self;
            state.value(&(searched, lent, shared_hashes))?;
            state.value(&(cuts.counts, &cuts.of_sources, &cuts.documents))?;
            cuts.cuts.save(state)?;
            cuts.removed.save(state)?;
            state.value(&passages.count)?;
            passages.order.save(state)?;
            passages.rows.save(state)
        })
    }

    fn restore(state: &mut StateReader, dir: &Path, held: usize) -> io::Result<Self> {
        let (searched, lent, shared_hashes) = state.value()?;
        let (counts, of_sources, documents) = state.value()?;
        let (cuts, removed) = (Column::restore(state, dir)?, Lent::restore(state, dir, held)?);
        let cuts = Cuts { cuts, removed, counts, of_sources, documents };
        let count = state.value()?;
        let (order, rows) = (Column::restore(state, dir)?, Lent::restore(state, dir, held)?);
        let passages = Passages { rows, order, count };
        Ok(Self { cuts, searched, passages, lent, shared_hashes })
    }
}
