//! The figures of a finished job over eval sets.

use crate::contamination::eval_file::EvalFile;
use crate::read::by_reason::ByReason;
use crate::read::few_documents::{FewDocuments, FileList};
use crate::read::pages::Pages;
use serde::Serialize;

/// The figures of a finished job over eval sets. [`ContaminationSpec`](crate::ContaminationSpec) has an example.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContaminationSummary {
    /// The release that made them.
    pub version: &'static str,
    /// Documents read.
    pub documents: u64,
    /// Bytes read, decompressed.
    pub bytes: u64,
    /// Tokens of the documents.
    pub tokens: u64,
    /// Documents without a token.
    pub empty: u64,
    /// Documents written, or that stay where none is written.
    pub kept: u64,
    /// Documents in which an item was found so that they go, or lose the place: all of these.
    pub contaminated_documents: u64,
    /// Of these, those that go as a whole.
    pub removed: u64,
    /// Of the others, those of which cuts left no token, where a corpus is written.
    pub emptied: u64,
    /// Places that were cut, and their bytes.
    pub cuts: u64,
    /// See above.
    pub cut_bytes: u64,
    /// Rows of everything that was found.
    pub found: u64,
    /// Items of all sets, those that several sets have in each.
    pub items: u64,
    /// Items that are different.
    pub distinct_items: u64,
    /// Items that stand in some document so that it goes.
    pub contaminated: u64,
    /// Items that stand in very many documents.
    pub common: u64,
    /// Items of which a part stands somewhere.
    pub partial: u64,
    /// Items whose context stands somewhere, and whose question does not.
    pub context: u64,
    /// Items that no match decides.
    pub undecidable: u64,
    /// Items that are only found in the file of their set itself, where that is in the corpus.
    pub eval_file: u64,
    /// Items without a token.
    pub empty_items: u64,
    /// Items with the id of an earlier one of their set: rows tell these by one name.
    pub repeated_item_ids: u64,
    /// Rows of the eval sets left out because of errors.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub skipped_eval_rows: ByReason,
    /// Rows of the eval sets with invalid UTF-8 in an item, which was replaced.
    #[serde(skip_serializing_if = "is_none")]
    pub replaced_eval_rows: u64,
    /// Each set.
    pub sets: Vec<SetSummary>,
    /// The files of the sets, each with its version.
    pub eval_versions: Vec<EvalFile>,
    /// Files of the corpus that have the bytes of one of these.
    pub eval_files: Vec<String>,
    /// Documents of the sample by which tokens have their weights.
    pub sampled: u32,
    /// Places that were aligned.
    pub aligned: u64,
    /// Bytes of the items and their index in memory.
    pub index_bytes: u64,
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
    /// Of these, those that went with the response of their capture; in JSON where there are some.
    #[serde(skip_serializing_if = "is_none")]
    pub others_removed: u64,
    /// Revisits that were written and refer to a response that was removed; in JSON where there is one.
    #[serde(skip_serializing_if = "is_none")]
    pub revisits_of_removed: u64,
    /// Files that gave few documents or none.
    #[serde(flatten)]
    pub few_documents: FewDocuments,
    /// Files of several documents of which none stays, where a corpus is written; in JSON where there are some.
    #[serde(skip_serializing_if = "FileList::is_empty")]
    pub all_removed: FileList,
    /// Files that were found and not read, those of the eval sets included.
    pub passed_over: ByReason,
    /// Of these, those of the eval sets; in JSON where there are some.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub passed_over_of_reference: ByReason,
    /// Seconds by stage.
    pub seconds: ContaminationSeconds,
    /// Greatest resident memory of the process so far, in bytes, where the system tells.
    pub peak_memory: Option<u64>,
    /// Name and id of the recipe.
    pub recipe: String,
    /// See above.
    pub recipe_id: String,
    /// What becomes of a contaminated document.
    pub action: &'static str,
    /// Characters that are cut on each side of an item; `null` where whole lines are, or nothing is.
    pub margin: Option<usize>,
    /// The share and the bits that are asked.
    pub share: f64,
    /// See above.
    pub bits: f64,
    /// What becomes of items that no match decides: `flag`, `report` or `skip`.
    pub short: &'static str,
    /// Whether documents with common text go: `flag` or `keep`.
    pub common_text: &'static str,
    /// What places count.
    pub offsets: &'static str,
    /// Worker threads.
    pub threads: usize,
    /// The command line, where there was one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
}

/// The figures of an eval set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SetSummary {
    /// What it is called: its file.
    pub eval: String,
    /// Its items.
    pub items: u64,
    /// Items by their verdicts.
    pub contaminated: u64,
    /// See above.
    pub common: u64,
    /// See above.
    pub partial: u64,
    /// See above.
    pub context: u64,
    /// See above.
    pub undecidable: u64,
    /// Items that are only found in the file of the set itself, where that is in the corpus.
    pub eval_file: u64,
    /// Items of which nothing was found.
    pub clean: u64,
    /// Documents that go, or lose a place, because of items of this set.
    pub documents: u64,
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ContaminationSeconds {
    /// Reading the eval sets and making their index.
    pub items: f64,
    /// Looking for the items; 0 where an earlier run did.
    pub look: f64,
    /// Writing.
    pub write: f64,
    /// All.
    pub total: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl ContaminationSummary {
    /// Items for which some document is contaminated: also in the file of their set, and in very many where those are not kept.
    #[must_use]
    pub fn items_found(&self) -> u64 {
        let common = if self.common_text == "flag" { self.common } else { 0 };
        self.contaminated + common + self.eval_file
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
