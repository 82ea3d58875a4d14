//! What a job reports of itself, as numbers. Printing them for people is handled by the command
//! line.

use crate::decide::audit::Audit;
use crate::decide::fates::Fates;
use crate::decide::matches::Matches;
use crate::memory::limits;
use crate::numbers::DocumentNumber;
use crate::read::by_reason::ByReason;
use crate::read::counts::Counts;
use crate::read::documents::Documents;
use crate::read::few_documents::{FewDocuments, FileList};
use crate::read::not_read::NotRead;
use crate::read::pages::Pages;
use crate::read::ties::rule_name;
use crate::search::folded_pairs::Listed;
use crate::write::by_source::BySource;
use crate::write::removed_files::removed_files;
use crate::write::survivors::Written;
use crate::write::urls::Urls;
use crate::write::warnings::Warning;
use nearprint_corpus::{Fields, Source};
use nearprint_fingerprint::{BandShape, Recipe};
use nearprint_rules::{Criteria, Likeness};
use serde::Serialize;
use serde_json::Value;

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Reading and fingerprinting.
    pub fingerprint: f64,
    /// Joining and clustering.
    pub join: f64,
    /// Reading again and writing.
    pub write: f64,
    /// From start to end.
    pub total: f64,
}

/// How pairs were found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Method {
    /// By `bands` of sketches, all within the `radius`, or all that pass the check: `exact`.
    pub name: &'static str,
    /// The bands of a sketch.
    pub bands: Option<u32>,
    /// The rows of a band.
    pub rows: Option<u32>,
    /// The similarity that was asked for.
    pub similarity: Option<f64>,
    /// What that is: `jaccard`, `cosine` or `weighted-jaccard`.
    pub measure: Option<&'static str>,
    /// The share of the pairs of exactly that similarity that is found.
    pub recall_at_similarity: Option<f64>,
}

impl Method {
    pub(crate) fn of(likeness: &Likeness) -> Self {
        let (bands, found) = (likeness.bands(), likeness.similarity_and_recall());
        Self {
            name: likeness.finding().name(),
            bands: bands.map(BandShape::bands),
            rows: bands.map(BandShape::rows),
            similarity: found.map(|(similarity, _)| similarity),
            measure: found.map(|_| likeness.measure()),
            recall_at_similarity: found.map(|(_, recall)| recall),
        }
    }
}

/// Settings of a job that change its result and that most jobs do without: in JSON those that are given.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Settings {
    /// The field of the text, or several with commas, where it is not `text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_field: Option<String>,
    /// The field of which two documents must have one value to be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The field of which two documents must have different values to be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub across: Option<String>,
    /// The field by whose values copies are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_by: Option<String>,
    /// How often a document that stays is written, or what it weighs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rehydrate: Option<String>,
    /// Whether all documents were written, each with a note, and none was left out.
    #[serde(skip_serializing_if = "is_false")]
    pub annotate: bool,
    /// How much was to stay at most, where the similarity was chosen by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Whether that is so, as [`Met`](crate::Met) has it: `yes`, or in which way not quite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_met: Option<&'static str>,
}

impl Settings {
    /// Those that are names of fields: that of the text, and those by which documents are grouped and counted.
    pub(crate) fn of_fields(text: &str, [within, across, count_by]: [Option<String>; 3]) -> Self {
        let text_field = (text != Fields::TEXT).then(|| text.to_owned());
        Self { text_field, within, across, count_by, ..Self::default() }
    }
}

/// The figures of a finished `dedup` job.
///
/// # Examples
/// ```
/// use nearprint_dedup::Dedup;
///
/// let found = Dedup::new().texts(&["one two three four", "One two three four.", "five"])?;
/// let summary = found.summary();
/// assert_eq!((summary.documents, summary.kept, summary.removed), (3, 2, 1));
/// assert!(summary.to_json().contains("\"removed\": 1,"));
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Documents read, empty ones and the reference included.
    pub documents: u64,
    /// Documents of the reference, empty ones included.
    pub reference: u64,
    /// Bytes read, decompressed; as all figures below, of the input alone and not of the reference.
    pub bytes: u64,
    /// Documents written.
    pub kept: u64,
    /// Records written of documents, where these are not the documents that stay: those that are written several times,
    /// or all with a note; in JSON then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_written: Option<u64>,
    /// Documents left out as somebody's near-duplicate.
    pub removed: u64,
    /// Documents without any feature; those of the reference not included.
    pub empty: u64,
    /// What may be a duplicate of these: `keep` for nothing, `collapse` for those of the same text.
    pub featureless: &'static str,
    /// Documents with fewer features than the recipe asks for, or fewer tokens than a shingle.
    pub short: u64,
    /// Documents in which one feature has more than half of all weight.
    pub dominant: u64,
    /// What may be a duplicate of those that are short or dominated: the recipe's setting.
    pub degenerate: String,
    /// Documents whose invalid UTF-8 was replaced for fingerprinting.
    pub replaced_utf8: u64,
    /// HTML pages taken with all their text in place of the main text.
    pub pages: Pages,
    /// WARC records that are no documents.
    pub others: u64,
    /// These by what they are, such as `image/png` or `status 404`; in JSON where there are some.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub other_records: ByReason,
    /// Of these, those that went with the response of their capture; all others were written as they are.
    pub others_removed: u64,
    /// Revisits that were written and refer to a response that was removed; in JSON where there is one. A job in shards
    /// counts none.
    #[serde(skip_serializing_if = "is_none")]
    pub revisits_of_removed: u64,
    /// Rows with a field `nearprint` of their own, whose note has another name; in JSON where there is one.
    #[serde(skip_serializing_if = "is_none")]
    pub notes_renamed: u64,
    /// Rows with a note in the place of one that an earlier run wrote.
    #[serde(skip_serializing_if = "is_none")]
    pub notes_replaced: u64,
    /// Documents with an id that an earlier one has: told apart by position.
    pub repeated_ids: u64,
    /// Records left out because of errors.
    pub skipped: ByReason,
    /// Files that were found and not read: no text (`binary`), a link that leads nowhere (`dangling-link`), no right
    /// to open it (`unreadable`), or another name of a file that is read (`again`). Those of the reference included.
    pub passed_over: ByReason,
    /// Of these, those of the reference; in JSON where there are some.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub passed_over_of_reference: ByReason,
    /// Files that gave few documents or none; in JSON where there are some.
    #[serde(flatten)]
    pub few_documents: FewDocuments,
    /// Files of several documents of which none stays; in JSON where there are some.
    #[serde(skip_serializing_if = "FileList::is_empty")]
    pub all_removed: FileList,
    /// Removed captures by their URLs, where documents of archives are named by these and a report names documents; in
    /// JSON where there are some.
    #[serde(flatten, skip_serializing_if = "Urls::is_empty")]
    pub of_urls: Urls,
    /// Documents whose content one before them has, once normalised; across labels also one that stays, and where none of
    /// a cluster stays any other. Those of the reference are not included.
    pub exact: u64,
    /// Pairs that were looked at, of documents that stand for those of equal content.
    pub candidates: u64,
    /// How pairs were found.
    pub method: Method,
    /// Documents that share a band, or one of their rarest features, with so many others that their pairs
    /// were not listed: each was compared with the documents that stay, as far as they may be near.
    pub crowded: u64,
    /// Of these, documents for which that was too much: they may be near a document that stays, or one that comes before
    /// the one for which they go, or have more or fewer near-duplicates than was told.
    pub cut_short: u64,
    /// Pairs that were compared feature by feature to decide: those of documents that have their place are not.
    pub compared: u64,
    /// Near-duplicate pairs, where they were asked for.
    pub pairs: Option<u64>,
    /// Rows of the list of these: fewer where equal documents are folded.
    pub pairs_listed: Option<u64>,
    /// Groups of two or more documents, not all of which are only compared with.
    pub clusters: u64,
    /// Documents of the largest group.
    pub largest_cluster: u64,
    /// How much of each source stays; in JSON where there are some.
    #[serde(skip_serializing_if = "BySource::is_empty")]
    pub by_source: BySource,
    /// What should make a person look before the corpus is used; in JSON where there is something. A job in shards tells
    /// of the sources and the largest cluster, by their figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What was counted of the reference; in JSON where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_reference: Option<Counts>,
    /// Seconds by stage.
    pub seconds: Seconds,
    /// Greatest resident memory of the process so far, in bytes, where the system tells.
    pub peak_memory: Option<u64>,
    /// The version of nearprint.
    pub version: String,
    /// Name of the recipe.
    pub recipe: String,
    /// Id of the recipe.
    pub recipe_id: String,
    /// Bits of a fingerprint.
    pub width: u32,
    /// The radius: pairs of fingerprints farther apart are not looked at, where these find pairs. Where sketches do, the
    /// fingerprints of all pairs of the similarity are within it but one in 10 000.
    pub k: u32,
    /// The check that pairs within the radius had to pass.
    pub verify: String,
    /// What made clusters of pairs.
    pub cluster_rule: String,
    /// Which document of a cluster stays.
    pub keep: String,
    /// Settings that change the result and that most jobs do without.
    #[serde(flatten)]
    pub settings: Settings,
    /// Worker threads.
    pub threads: usize,
    /// Pairs just above and just below the similarity, by the ids of their documents, where they were asked for. A
    /// document whose id others have too is `{"id","file","row"}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit<Value>>,
}

/// How a job is done.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) passed_over: &'a NotRead,
    pub(crate) criteria: Criteria,
    /// The fields that the keep rule goes by, where it goes by some.
    pub(crate) fields: &'a Fields,
    pub(crate) threads: usize,
    pub(crate) recipe: &'a Recipe,
}

/// What the figures are of.
#[derive(Clone, Copy)]
pub(crate) struct Figures<'a> {
    pub(crate) documents: &'a Documents,
    pub(crate) matches: &'a Matches,
    pub(crate) fates: &'a Fates,
    /// How many of the sources, the first ones, are there to be compared with only.
    pub(crate) reference: usize,
    /// What was read; nothing of texts in memory.
    pub(crate) sources: &'a [Source],
    pub(crate) rules: Rules<'a>,
    /// Records written.
    pub(crate) written: Written,
    /// Pairs written, where they were asked for.
    pub(crate) pairs: Option<Listed>,
    pub(crate) seconds: Seconds,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(is: &bool) -> bool {
    !*is
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Summary {
    pub(crate) fn of(figures: Figures<'_>) -> Self {
        let Figures { documents, matches, fates, .. } = figures;
        let clusters = fates.clusters();
        let counts = documents.counts.clone();
        let ours = documents.sources.get(figures.reference..).unwrap_or_default();
        let behind_reference = DocumentNumber(documents.reference.documents);
        Self {
            documents: counts.documents + documents.of_reference.documents,
            bytes: counts.bytes,
            kept: figures.written.kept,
            rows_written: figures.written.other_rows(),
            reference: documents.of_reference.documents,
            removed: clusters.removed_from(behind_reference),
            empty: ours.iter().map(|source| source.empty).sum(),
            short: counts.short,
            dominant: counts.dominant,
            replaced_utf8: counts.replaced_utf8,
            pages: counts.pages,
            others: counts.others,
            other_records: counts.other_records,
            others_removed: figures.written.others_removed,
            revisits_of_removed: figures.written.revisits_of_removed,
            notes_renamed: figures.written.renamed,
            notes_replaced: figures.written.replaced,
            repeated_ids: counts.repeated_ids,
            skipped: counts.skipped,
            few_documents: counts.few_documents,
            all_removed: removed_files(figures.sources, documents, fates),
            of_urls: Urls::of_fates(figures.sources, documents, fates),
            exact: matches.exact(documents, clusters),
            candidates: matches.candidates,
            crowded: matches.crowded,
            cut_short: matches.cut_short,
            compared: matches.compared,
            pairs: figures.pairs.map(|listed| listed.pairs),
            pairs_listed: figures.pairs.map(|listed| listed.rows),
            clusters: clusters.len() as u64,
            largest_cluster: clusters.sizes().iter().copied().max().unwrap_or(0),
            of_reference: Some(documents.of_reference.clone()).filter(|_| figures.reference > 0),
            seconds: figures.seconds,
            peak_memory: limits::peak(),
            ..Self::of_rules(figures.rules)
        }
    }

    /// What it says of how the job was done; no figures.
    pub(crate) fn of_rules(rules: Rules<'_>) -> Self {
        let Rules { criteria, recipe, .. } = rules;
        let [passed_over, passed_over_of_reference] = rules.passed_over.counted();
        Self {
            featureless: criteria.featureless.name(),
            degenerate: recipe.degenerate.name().to_owned(),
            passed_over,
            passed_over_of_reference,
            method: Method::of(&criteria.likeness),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            recipe: recipe.name.clone(),
            recipe_id: recipe.id().to_string(),
            width: recipe.width.bits(),
            k: criteria.likeness.k(),
            verify: criteria.likeness.verify().to_string(),
            cluster_rule: criteria.cluster_rule.name().to_owned(),
            keep: rule_name(criteria.keep, rules.fields),
            threads: rules.threads,
            ..Self::default()
        }
    }

    /// The figures as a JSON object on lines of its own.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A map of strings and numbers always has a JSON form.
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }
}
