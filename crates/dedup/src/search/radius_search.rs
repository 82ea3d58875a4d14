//! Candidates by distance: documents whose fingerprints are within the radius.

use crate::error::Error;
use crate::numbers::{DocumentNumber, Rank, entry, narrow};
use crate::progress::Progress;
use crate::search::candidate_pair::CandidatePair;
use crate::search::candidate_search::{CandidateSearch, Emit, LinkSearch, Searched};
use crate::search::crowds::Crowds;
use crate::search::spilled_join::{Entries, SpilledJoin};
use nearprint_fingerprint::{AnyFingerprint, Width};
use nearprint_index::UnionFind;
use nearprint_rules::Likeness;
use std::path::Path;

/// A search for all pairs within a radius.
pub(crate) struct RadiusSearch(pub(crate) Likeness);

/// Documents that are joined, and what that may take.
pub(crate) struct Within<'a> {
    pub(crate) width: Width,
    /// The fingerprint of each document, and its row.
    pub(crate) entries: &'a mut Entries<'a>,
    /// Bytes of memory.
    pub(crate) room: usize,
    /// Where temporary files go.
    pub(crate) work_dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

impl CandidateSearch for RadiusSearch {
    /// Words of the codes of angles, where these are joined in place of fingerprints.
    type Input = Option<Vec<u64>>;
    const FOLDS_EQUAL: bool = true;

    fn find(
        &self,
        angles: Self::Input,
        of: &Searched<'_>,
        _: &Crowds,
        emit: &Emit<'_>,
    ) -> Result<(), Error> {
        let Searched { documents, ranking, progress, .. } = *of;
        let codes = documents.fingerprints.codes();
        let words = codes.width().words();
        let code = |at: usize| match &angles {
            None => codes.get(at),
            Some(angles) => AnyFingerprint::from_words(angles.get(at * words..(at + 1) * words)?),
        };
        let none = AnyFingerprint::zero(codes.width());
        let coded = |(document, rank): (DocumentNumber, Rank)| {
            Ok((code(document.index()).unwrap_or(none), u64::from(rank.0)))
        };
        let join = SpilledJoin::new(self.0.k(), of.room, of.work_dir)?.stopped_by(progress);
        let run = |entries: &mut Entries<'_>| {
            join.run(codes.width(), entries, &|pair| emit(&[CandidatePair::of(pair)]))
        };
        let groups = of.groups();
        if groups.is_empty() {
            run(&mut ranking.joined(documents).map(coded))?;
            return Ok(());
        }
        let group = |document: DocumentNumber| entry(groups, document.index());
        let mut joined: Vec<(DocumentNumber, Rank)> = ranking.joined(documents).collect();
        joined.sort_by_key(|(document, _)| group(*document));
        for one in joined.chunk_by(|a, b| group(a.0) == group(b.0)) {
            run(&mut one.iter().copied().map(coded))?;
        }
        Ok(())
    }

    fn share_found(&self, similarity: f64) -> f64 {
        self.0.looks_at(similarity)
    }
}

impl LinkSearch for RadiusSearch {
    type Part<'a> = Within<'a>;

    fn link(&self, of: Within<'_>, sets: &UnionFind) -> Result<(), Error> {
        let Within { width, entries, room, work_dir, progress } = of;
        let join = SpilledJoin::new(self.0.k(), room, work_dir)?.stopped_by(progress);
        join.run(width, entries, &|pair| sets.union(narrow(pair.a), narrow(pair.b)))?;
        Ok(())
    }
}
