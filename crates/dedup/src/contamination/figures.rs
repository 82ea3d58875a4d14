//! What a job over eval sets did, as the figures of its summary.

use crate::contamination::findings::Verdicts;
use crate::contamination::gone::Gone;
use crate::contamination::items::Items;
use crate::contamination::rule::Verdict;
use crate::contamination::spec::{Action, ContaminationSpec};
use crate::contamination::summary::{ContaminationSeconds, ContaminationSummary, SetSummary};
use crate::memory::limits;
use crate::passages::tally::Tallied;
use crate::passages::writing::WrittenCounts;
use crate::read::not_read::NotRead;
use nearprint_corpus::PassedOver;

/// What the figures are of.
pub(crate) struct Figures<'a> {
    pub(crate) spec: &'a ContaminationSpec,
    pub(crate) items: &'a Items,
    /// Items with the id of an earlier one of their set.
    pub(crate) repeated_item_ids: u64,
    pub(crate) verdicts: &'a Verdicts<'a>,
    pub(crate) tallied: Tallied,
    pub(crate) gone: Gone,
    pub(crate) written: WrittenCounts,
    /// Rows of what was found.
    pub(crate) found: u64,
    pub(crate) eval_files: Vec<String>,
    pub(crate) sampled: u32,
    pub(crate) aligned: u64,
    pub(crate) index_bytes: usize,
    pub(crate) passed_over: &'a [PassedOver],
    pub(crate) seconds: ContaminationSeconds,
    pub(crate) threads: usize,
}

impl ContaminationSummary {
    pub(crate) fn of(mut figures: Figures<'_>) -> Self {
        let revisits_of_removed = figures.written.revisits.of_gone();
        let Figures { spec, items, tallied, gone, .. } = figures;
        let sets = sets(items, figures.verdicts, &gone.of_sets);
        let sum = |of: fn(&SetSummary) -> u64| sets.iter().map(of).sum();
        let read = tallied.counts;
        let passed_over = NotRead {
            ours: figures.passed_over.to_vec(),
            reference: items.notes.passed_over.clone(),
        };
        let [passed_over, passed_over_of_reference] = passed_over.counted();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            documents: read.documents,
            bytes: read.bytes,
            tokens: tallied.tokens.iter().sum(),
            empty: read.empty,
            kept: figures.written.kept,
            contaminated_documents: gone.documents,
            removed: if spec.action == Action::Drop { gone.documents } else { 0 },
            emptied: figures.written.emptied,
            cuts: gone.cuts,
            cut_bytes: gone.cut_bytes,
            found: figures.found,
            items: items.names.len() as u64,
            distinct_items: items.items.len() as u64,
            contaminated: sum(|set| set.contaminated),
            common: sum(|set| set.common),
            partial: sum(|set| set.partial),
            context: sum(|set| set.context),
            undecidable: sum(|set| set.undecidable),
            eval_file: sum(|set| set.eval_file),
            empty_items: items.empty,
            repeated_item_ids: figures.repeated_item_ids,
            skipped_eval_rows: items.notes.skipped.clone(),
            replaced_eval_rows: items.notes.replaced,
            sets,
            eval_versions: items.notes.files.clone(),
            eval_files: figures.eval_files,
            sampled: figures.sampled,
            aligned: figures.aligned,
            index_bytes: figures.index_bytes as u64,
            replaced_utf8: read.replaced_utf8,
            pages: read.pages,
            notes_renamed: figures.written.renamed,
            notes_replaced: figures.written.replaced,
            repeated_ids: read.repeated_ids,
            skipped: read.skipped,
            other_records: read.other_records,
            others_removed: figures.written.others_removed,
            revisits_of_removed,
            few_documents: read.few_documents,
            all_removed: figures.written.all_removed,
            passed_over,
            passed_over_of_reference,
            seconds: figures.seconds,
            peak_memory: limits::peak(),
            recipe: spec.recipe.name.clone(),
            recipe_id: spec.recipe.id().to_string(),
            action: spec.action.name(),
            margin: match spec.action {
                Action::Cut { margin } => margin,
                Action::Drop | Action::Annotate => None,
            },
            share: spec.rule.share,
            bits: spec.rule.bits,
            short: spec.rule.short.name(),
            common_text: if spec.rule.common { "flag" } else { "keep" },
            offsets: spec.outputs.offsets.name(),
            threads: figures.threads,
            command: spec.outputs.command.clone(),
        }
    }
}

/// The figures of each eval set.
fn sets(items: &Items, verdicts: &Verdicts<'_>, documents: &[u64]) -> Vec<SetSummary> {
    let mut sets: Vec<SetSummary> = items
        .sets
        .iter()
        .zip(documents)
        .map(|(eval, documents)| SetSummary {
            eval: eval.clone(),
            documents: *documents,
            ..SetSummary::default()
        })
        .collect();
    for name in &items.names {
        let Some(set) = sets.get_mut(name.set as usize) else { continue };
        set.items += 1;
        *match verdicts.of_item(name.item, items) {
            Verdict::Clean => &mut set.clean,
            Verdict::Undecidable => &mut set.undecidable,
            Verdict::Context => &mut set.context,
            Verdict::Partial => &mut set.partial,
            Verdict::Common => &mut set.common,
            Verdict::EvalFile => &mut set.eval_file,
            Verdict::Contaminated => &mut set.contaminated,
        } += 1;
    }
    sets
}
