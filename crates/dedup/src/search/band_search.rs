//! Candidates by bands: documents whose sketches agree in a whole band.

use crate::error::Error;
use crate::memory::columns::Columns;
use crate::search::band_join::BandJoin;
use crate::search::candidate_search::{CandidateSearch, Emit, Searched};
use crate::search::crowds::Crowds;
use crate::search::places::Places;
use nearprint_rules::Likeness;

/// A search by the bands of sketches.
pub(crate) struct BandSearch(pub(crate) Likeness);

impl CandidateSearch for BandSearch {
    /// The sketches.
    type Input = Columns;
    const FOLDS_EQUAL: bool = false;

    fn find(
        &self,
        mut sketches: Columns,
        of: &Searched<'_>,
        crowds: &Crowds,
        emit: &Emit<'_>,
    ) -> Result<(), Error> {
        let joined = of.ranking.joined(of.documents);
        let join = BandJoin {
            codes: &of.documents.codes,
            joined: &Places::of(joined.map(|(document, _)| document)),
            order: &of.ranking.order,
            reference: of.reference(),
            copied: of.copied,
            groups: of.groups(),
            radius: self.0.sketch_radius(),
            room: of.room,
            progress: of.progress,
        };
        join.run(&mut sketches, crowds, emit)
    }

    fn share_found(&self, similarity: f64) -> f64 {
        self.0.looks_at(similarity)
    }
}
