//! What the similarity of a split leaves: the most similar documents that are in different parts.

use crate::error::Error;
use crate::job::parts::PartShare;
use crate::numbers::{DocumentNumber, entry};
use crate::read::documents::Documents;
use crate::read::names::{FilePlaces, Names};
use crate::search::folded_pairs::FoldedPairs;
use nearprint_corpus::Source;
use serde::Serialize;
use serde_json::Value;

/// Two documents in different parts, and how similar they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leak {
    documents: [DocumentNumber; 2],
    parts: [u16; 2],
    similarity: f64,
}

/// Two documents in different parts, as a summary tells of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SplitLeak {
    /// How similar they are, in the measure of the check.
    pub similarity: f64,
    /// The one that comes first in the input, as reports call it, and its part.
    pub a: Value,
    /// See above.
    pub part_of_a: String,
    /// The other one, and its part.
    pub b: Value,
    /// See above.
    pub part_of_b: String,
}

impl Leak {
    /// The most similar of `pairs` whose documents are in different parts; of several the first. Documents that a pair
    /// stands for are in the parts of its own.
    ///
    /// # Errors
    /// Those of temporary files.
    pub(crate) fn largest(pairs: &FoldedPairs, part_of: &[u16]) -> Result<Option<Self>, Error> {
        let mut largest: Option<Self> = None;
        pairs.near(&mut |documents, similarity| {
            let parts = documents.map(|document| entry(part_of, document.index()));
            let is_more = largest.is_none_or(|largest| similarity > largest.similarity);
            if parts[0] != parts[1] && is_more {
                largest = Some(Self { documents, parts, similarity });
            }
            Ok(())
        })?;
        Ok(largest)
    }

    /// The same by what reports call documents and parts.
    pub(crate) fn named(
        self,
        documents: &Documents,
        sources: &[Source],
        parts: &[PartShare],
    ) -> SplitLeak {
        let places = FilePlaces::of_repeated(documents, sources);
        let names = Names::of_documents(documents, places.as_ref());
        let [a, b] = self.documents.map(|document| names.of(document).value());
        let part = |part: u16| parts.get(usize::from(part)).map(|part| part.name.clone());
        let [part_of_a, part_of_b] = self.parts.map(|one| part(one).unwrap_or_default());
        SplitLeak { similarity: self.similarity, a, part_of_a, b, part_of_b }
    }
}
