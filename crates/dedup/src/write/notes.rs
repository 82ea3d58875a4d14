//! What became of each document, found for its note.

use crate::decide::fates::{Fate, Fates};
use crate::decide::matches::Matches;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::read::documents::Documents;
use crate::read::names::Names;
use crate::write::note::{Note, Place};

/// Makes the notes of documents.
pub(crate) struct Notes<'a> {
    documents: &'a Documents,
    names: Names<'a>,
    fates: &'a Fates,
    matches: &'a mut Matches,
}

impl<'a> Notes<'a> {
    pub(crate) fn new(
        documents: &'a Documents,
        names: Names<'a>,
        fates: &'a Fates,
        matches: &'a mut Matches,
    ) -> Self {
        Self { documents, names, fates, matches }
    }

    /// The note of a document, `None` for a document without any feature.
    pub(crate) fn of(&mut self, document: Option<DocumentNumber>) -> Result<Note<'a>, Error> {
        let Some(document) = document else { return Ok(Note::default()) };
        let (cluster, other, removed) = match self.fates.of(document) {
            Fate::Alone => return Ok(Note::default()),
            Fate::Stays { cluster, representative } => (cluster, representative, None),
            Fate::Goes { cluster, near, .. } => {
                let evidence = self.matches.evidence(document, near, self.documents)?;
                (cluster, near, Some(evidence))
            }
        };
        let place = Place { cluster: Some(cluster), name: self.names.of(other) };
        Ok(Note { place: Some(place), removed })
    }
}
