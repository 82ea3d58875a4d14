//! What became of each document, found for its note.

use crate::cluster::clusters::Clusters;
use crate::error::Error;
use crate::matching::matches::Matches;
use crate::numbers::{DocumentNumber, entry};
use crate::read::documents::Documents;
use crate::read::names::Names;
use crate::report::note::{Note, Place};

/// Makes the notes of documents.
pub(crate) struct Notes<'a, const WORDS: usize> {
    documents: &'a Documents<WORDS>,
    names: Names<'a>,
    clusters: &'a Clusters,
    matches: &'a mut Matches,
    /// Another document of each cluster, where representatives are removed too.
    others: Vec<DocumentNumber>,
}

impl<'a, const WORDS: usize> Notes<'a, WORDS> {
    pub(crate) fn new(
        documents: &'a Documents<WORDS>,
        names: Names<'a>,
        clusters: &'a Clusters,
        matches: &'a mut Matches,
    ) -> Self {
        let others = if clusters.all_go() { clusters.others() } else { Vec::new() };
        Self { documents, names, clusters, matches, others }
    }

    /// The note of a document, `None` for a document without any feature.
    pub(crate) fn of(&mut self, document: Option<DocumentNumber>) -> Result<Note<'a>, Error> {
        let Some(document) = document else { return Ok(Note::default()) };
        let Some((cluster, kept)) = self.clusters.of(document) else { return Ok(Note::default()) };
        let near = match (self.clusters.keeps(document), document == kept) {
            (true, _) => None,
            (false, true) => Some(entry(&self.others, cluster as usize)),
            (false, false) => Some(kept),
        };
        let evidence = |near| self.matches.evidence(document, near, self.documents);
        let removed = near.map(evidence).transpose()?;
        let place = Place { cluster: Some(cluster), name: self.names.of(kept) };
        Ok(Note { place: Some(place), removed })
    }
}
