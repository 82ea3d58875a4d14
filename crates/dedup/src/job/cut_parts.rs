//! Parts of a split that are written, and wait for their names; and what a summary says of them.

use crate::error::Error;
use crate::job::leak::SplitLeak;
use crate::job::parts::PartSummary;
use crate::read::by_reason::ByReason;
use crate::read::few_documents::FewDocuments;
use crate::write::summary::Method;
use nearprint_corpus::{Dialect, Finished, NewFolders, Source, publish};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

/// What was cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SplitSummary {
    /// The release that made it.
    pub version: &'static str,
    /// Documents.
    pub documents: u64,
    /// Clusters of two documents and more, and the documents of the largest.
    pub clusters: u64,
    /// See above.
    pub largest_cluster: u64,
    /// Each part.
    pub parts: Vec<PartSummary>,
    /// Documents with an id that an earlier one has: these are in its part.
    pub repeated_ids: u64,
    /// The first id of several documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_id: Option<Value>,
    /// Records that could not be read: they are in no part.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub skipped: ByReason,
    /// Documents whose invalid UTF-8 was replaced to compare them.
    pub replaced_utf8: u64,
    /// Files that gave few documents or none.
    #[serde(flatten)]
    pub few_documents: FewDocuments,
    /// Records of archives that go with no document, such as errors, redirects and revisits: all are in the first part.
    pub others: u64,
    /// The similarity from which on all pairs that were found are in one part, where documents below it were compared too.
    pub compared_below: Option<f64>,
    /// The most similar documents in different parts, of those that were compared and are less similar than that. Where
    /// all pairs are found, documents are compared that share one of their rarest features.
    pub largest_leak: Option<SplitLeak>,
    /// What was asked for.
    pub seed: u64,
    /// Whether parts were cut by size.
    pub balanced: bool,
    /// How pairs were found.
    pub method: Method,
    /// Name and id of the recipe.
    pub recipe: String,
    /// See above.
    pub recipe_id: String,
}

/// Parts that are written as a whole, and stand under no final name: [`publish`](Self::publish) gives them these. Dropped, they go.
pub struct CutParts {
    summary: SplitSummary,
    /// The file or folder of each part, and what was written there.
    parts: Vec<(PathBuf, Finished)>,
    /// What was written beside.
    reports: Vec<Finished>,
    /// Dropped behind what is written into them.
    folders: NewFolders,
}

impl CutParts {
    /// What was cut, each part with its file or folder, and what was written beside.
    pub(crate) fn new(
        summary: SplitSummary,
        parts: Vec<(PathBuf, Finished)>,
        reports: Vec<Finished>,
        folders: NewFolders,
    ) -> Self {
        Self { summary, parts, reports, folders }
    }

    /// What was cut.
    #[must_use]
    pub const fn summary(&self) -> &SplitSummary {
        &self.summary
    }

    /// The files of each part by the names that they will have, to be read before; `None` where a store has them, which
    /// shows none before.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn sources(&self, dialect: Dialect) -> Result<Option<Vec<Vec<Source>>>, Error> {
        let of_part = |(path, finished): &(PathBuf, Finished)| finished.sources(path, dialect);
        Ok(self.parts.iter().map(of_part).collect::<Result<_, _>>()?)
    }

    /// Gives all outputs their names.
    ///
    /// # Errors
    /// The disk's; an output of that name that has appeared since.
    pub fn publish(self) -> Result<SplitSummary, Error> {
        let Self { summary, parts, reports, folders } = self;
        publish(parts.into_iter().map(|(_, finished)| finished).chain(reports))?;
        drop(folders);
        Ok(summary)
    }
}
