//! The figures of a finished job over passages.

use crate::read::by_reason::ByReason;
use crate::read::counts::Counts;
use crate::read::few_documents::{FewDocuments, FileList};
use crate::read::pages::Pages;
use serde::Serialize;

/// The figures of a finished job over passages. [`PassagesSpec`](crate::PassagesSpec) has an example.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PassagesSummary {
    /// Documents read, those of the reference included.
    pub documents: u64,
    /// Documents of the reference, which were compared with and not written.
    pub reference: u64,
    /// Bytes read, decompressed; as all figures below, of the input alone and not of the reference.
    pub bytes: u64,
    /// Tokens of the documents, those of the reference not included.
    pub tokens: u64,
    /// Documents without a token.
    pub empty: u64,
    /// Documents written, or that stay where none is written.
    pub kept: u64,
    /// Documents that something was cut out of.
    pub cut_documents: u64,
    /// Of these, those that went as a whole, as little was left of them.
    pub removed: u64,
    /// Of the others, those of which the cuts leave no token.
    pub emptied: u64,
    /// Of these, those that no `min_left` removes, as cuts of other documents name them; in JSON where there are some.
    #[serde(skip_serializing_if = "is_none")]
    pub emptied_and_named: u64,
    /// Cuts.
    pub cuts: u64,
    /// Tokens, characters and bytes of the cuts; what was left of documents that went is not included.
    pub cut_tokens: u64,
    /// See above.
    pub cut_characters: u64,
    /// See above.
    pub cut_bytes: u64,
    /// Tokens of the longest cut.
    pub longest_cut: u64,
    /// How often the window stands that stands most often, of those that were cut.
    pub most_copies: u64,
    /// Distinct passages, where they were listed.
    pub passages: Option<u64>,
    /// Windows that were looked at, and copies among them.
    pub windows: u64,
    /// See above.
    pub copies: u64,
    /// Windows that had the hash of another which they do not equal: these were looked at again.
    pub shared_hashes: u64,
    /// Documents whose invalid UTF-8 was replaced.
    pub replaced_utf8: u64,
    /// HTML pages taken with all their text in place of the main text.
    pub pages: Pages,
    /// Rows with a field `nearprint` of their own, whose note has another name.
    #[serde(skip_serializing_if = "is_none")]
    pub notes_renamed: u64,
    /// Rows with a note in the place of one that an earlier run wrote.
    #[serde(skip_serializing_if = "is_none")]
    pub notes_replaced: u64,
    /// Documents with an id that an earlier one has: told apart by position.
    pub repeated_ids: u64,
    /// Records left out because of errors.
    pub skipped: ByReason,
    /// Records of archives that are no documents, by what they are.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub other_records: ByReason,
    /// Files that gave few documents or none.
    #[serde(flatten)]
    pub few_documents: FewDocuments,
    /// Files of several documents of which none stays, where a corpus is written; in JSON where there are some.
    #[serde(skip_serializing_if = "FileList::is_empty")]
    pub all_removed: FileList,
    /// Files that were found and not read, those of the reference included.
    pub passed_over: ByReason,
    /// Of these, those of the reference; in JSON where there are some.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub passed_over_of_reference: ByReason,
    /// Bytes that were sorted on disk, and text that was kept to be compared.
    pub spilled: u64,
    /// See above.
    pub lent: u64,
    /// Seconds by stage.
    pub seconds: PassagesSeconds,
    /// What was counted of the reference; in JSON where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_reference: Option<Counts>,
    /// Greatest resident memory of the process so far, in bytes, where the system tells.
    pub peak_memory: Option<u64>,
    /// Name and id of the recipe.
    pub recipe: String,
    /// See above.
    pub recipe_id: String,
    /// What a window counts, and how many.
    pub unit: &'static str,
    /// See above.
    pub length: u32,
    /// Which of equal windows stays.
    pub keep: String,
    /// The least similarity of units that are near-duplicates, where equality is not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Whether copies within one document go: `cut` or `keep`.
    pub inside: &'static str,
    /// The fewest documents that a window which goes is in.
    pub least_documents: u32,
    /// What digits are.
    pub digits: &'static str,
    /// What goes as a whole, and what places count.
    pub whole: Option<&'static str>,
    /// See above.
    pub offsets: &'static str,
    /// Worker threads.
    pub threads: usize,
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PassagesSeconds {
    /// Reading for anchors.
    pub anchors: f64,
    /// Reading for windows, and sorting them.
    pub windows: f64,
    /// Reading what is compared with.
    pub lend: f64,
    /// Comparing and cutting.
    pub cut: f64,
    /// Writing.
    pub write: f64,
    /// All.
    pub total: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl PassagesSummary {
    /// The figures as a JSON object on lines of its own.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A map of strings and numbers always has a JSON form.
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }
}
