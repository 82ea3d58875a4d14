//! What a job over passages did, as the figures of its summary.

use crate::memory::limits;
use crate::passages::census::Census;
use crate::passages::cutting::CutCounts;
use crate::passages::searching::Searched;
use crate::passages::spec::PassagesSpec;
use crate::passages::summary::{PassagesSeconds, PassagesSummary};
use crate::passages::writing::WrittenCounts;
use crate::read::not_read::NotRead;
use crate::read::ties::rule_name;

/// What the figures are of.
pub(crate) struct Figures<'a> {
    pub(crate) spec: &'a PassagesSpec,
    pub(crate) census: &'a Census,
    /// How many of the sources are there to be compared with only.
    pub(crate) reference: usize,
    pub(crate) searched: Searched,
    pub(crate) counts: CutCounts,
    pub(crate) written: WrittenCounts,
    pub(crate) passages: Option<u64>,
    pub(crate) shared_hashes: u64,
    pub(crate) lent: u64,
    pub(crate) passed_over: &'a NotRead,
    pub(crate) seconds: PassagesSeconds,
    pub(crate) length: u32,
    pub(crate) threads: usize,
}

impl PassagesSummary {
    pub(crate) fn of(figures: Figures<'_>) -> Self {
        let Figures { spec, census, searched, counts, written, .. } = figures;
        let (rule, read) = (spec.rule, census.counts.clone());
        let [passed_over, passed_over_of_reference] = figures.passed_over.counted();
        Self {
            documents: read.documents + census.of_reference.documents,
            reference: census.of_reference.documents,
            bytes: read.bytes,
            tokens: census.tokens.iter().skip(figures.reference).sum(),
            empty: read.empty,
            kept: written.kept,
            cut_documents: counts.documents,
            removed: counts.whole,
            emptied: counts.emptied,
            emptied_and_named: counts.emptied_lenders,
            cuts: counts.cuts,
            cut_tokens: counts.tokens,
            cut_characters: counts.characters,
            cut_bytes: counts.bytes,
            longest_cut: counts.longest,
            most_copies: counts.copies,
            passages: figures.passages,
            windows: searched.windows,
            copies: searched.copies,
            shared_hashes: figures.shared_hashes,
            replaced_utf8: read.replaced_utf8,
            pages: read.pages,
            notes_renamed: written.renamed,
            notes_replaced: written.replaced,
            repeated_ids: read.repeated_ids,
            skipped: read.skipped,
            other_records: read.other_records,
            few_documents: read.few_documents,
            all_removed: written.all_removed,
            passed_over,
            passed_over_of_reference,
            spilled: searched.spilled + census.spilled,
            lent: figures.lent,
            of_reference: Some(census.of_reference.clone()).filter(|_| figures.reference > 0),
            seconds: figures.seconds,
            peak_memory: limits::peak(),
            recipe: spec.recipe.name.clone(),
            recipe_id: spec.recipe.id().to_string(),
            unit: rule.unit.name(),
            length: figures.length,
            keep: rule_name(rule.keep, &spec.reading.fields),
            inside: rule.inside_name(),
            similarity: rule.similarity,
            least_documents: rule.copies,
            digits: rule.digits_name(),
            whole: spec.cut.whole_name(),
            offsets: spec.outputs.offsets.name(),
            threads: figures.threads,
        }
    }
}
