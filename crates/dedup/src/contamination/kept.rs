//! What a job that was killed goes on from: all that was found. Files and manifest are `checkpoint`'s.

use crate::contamination::eval_file::EvalFile;
use crate::contamination::fields::ItemFields;
use crate::contamination::findings::{Findings, Known, Told};
use crate::contamination::index_file::IndexFile;
use crate::contamination::looking::Looked;
use crate::contamination::rule::ContaminationRule;
use crate::contamination::spec::{Action, ContaminationSpec};
use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::identity::inputs;
use crate::memory::state::{StateReader, StateWriter};
use crate::passages::column::Column;
use crate::passages::lent::Lent;
use crate::passages::tally::Tallied;
use nearprint_corpus::Source;
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;

/// The stage that is kept.
const FOUND: &str = "found";

impl ContaminationSpec {
    /// All that decides the outcome, field by field. Every field of the job is named here, so that a new one is a
    /// decision.
    ///
    /// # Errors
    /// A source of which an earlier state cannot be told from a later one: a stream.
    pub(crate) fn identity(
        &self,
        sources: &[Source],
        evals: &[Source],
    ) -> Result<Map<String, Value>, Error> {
        // Whether a field may be missing changes no item.
        let Self {
            recipe,
            input: _,
            may_lack_fields: _,
            reading,
            sets,
            index,
            fields: items,
            rule,
            action,
            outputs,
        } = self;
        let ContaminationRule { share, bits, short, common } = rule;
        let ItemFields { question, choices, answer, context, id } = items;
        let fields = &reading.fields;
        // Where eval sets are named, an index of others is refused.
        let evals = match index {
            Some(index) if evals.is_empty() => {
                let files = IndexFile::open(index)?.head.notes.files;
                let state = |it: &EvalFile| {
                    let mut stated =
                        vec![json!(it.file), json!([it.bytes, it.xxh3]), json!(it.eval)];
                    stated.extend(it.dialect.as_ref().map(|it| json!(it)));
                    Value::from(stated)
                };
                files.iter().map(state).collect()
            }
            _ => inputs(evals)?,
        };
        let job = json!({
            "share": share,
            "bits": bits,
            "short": short.name(),
            "common": if *common { "flag" } else { "keep" },
            "question field": question,
            "choices field": choices,
            "answer field": answer,
            "context field": context,
            "item id": id,
            "eval set names": sets.iter().map(|set| &set.name).collect::<Vec<_>>(),
            "action": action.name(),
            "margin": match action {
                Action::Cut { margin } => *margin,
                Action::Drop | Action::Annotate => None,
            },
            "recipe": format!("{} ({})", recipe.name, recipe.id()),
            "id field": fields.id,
            "text field": fields.text,
            "null text": fields.null_text.name(),
            "on error": reading.on_error.name(),
            "longest record": reading.options.max_record_bytes,
            "offsets": outputs.offsets.name(),
            "eval sets": evals,
            "input": inputs(sources)?,
        });
        Ok(job.as_object().cloned().unwrap_or_default())
    }
}

impl Looked {
    /// What an earlier run kept, if it did; so many bytes of texts are in memory.
    pub(crate) fn kept(
        checkpoint: &Checkpoint,
        dir: &Path,
        held: usize,
    ) -> Result<Option<Self>, Error> {
        let Some(mut state) = checkpoint.load(FOUND)? else { return Ok(None) };
        Self::restore(&mut state, dir, held).map(Some).map_err(|source| checkpoint.failed(&source))
    }

    pub(crate) fn keep(&self, checkpoint: &mut Checkpoint) -> Result<(), Error> {
        checkpoint.save(FOUND, |state| self.save(state))
    }

    fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        let Self { tallied, checksums, findings, aligned } = self;
        let Tallied { counts, records, reference, of_reference, tokens } = tallied;
        state.value(&(counts, checksums, aligned))?;
        state.value(&(records, reference, of_reference, tokens))?;
        let Findings { column, told: Told { strings, known } } = findings;
        let Known { documents, highest, shares, ids } = known;
        state.value(&(documents, highest, shares, ids))?;
        column.save(state)?;
        strings.save(state)
    }

    fn restore(state: &mut StateReader, dir: &Path, held: usize) -> io::Result<Self> {
        let (counts, checksums, aligned) = state.value()?;
        let (records, reference, of_reference, tokens) = state.value()?;
        let tallied = Tallied { counts, records, reference, of_reference, tokens };
        let (documents, highest, shares, ids) = state.value()?;
        let known = Known { documents, highest, shares, ids };
        let column = Column::restore(state, dir)?;
        let strings = Lent::restore(state, dir, held)?;
        let findings = Findings { column, told: Told { strings, known } };
        Ok(Self { tallied, checksums, findings, aligned })
    }
}
