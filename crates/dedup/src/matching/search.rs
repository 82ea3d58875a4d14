//! The search for near-duplicates, stage by stage: sightings, candidates, features, clusters.

use crate::budget::Shares;
use crate::disk::columns::Columns;
use crate::disk::spilled_join::{LEAST, SpilledJoin};
use crate::disk::spilled_sort::Room;
use crate::error::Error;
use crate::matching::band_join::BandJoin;
use crate::matching::candidates::Candidates;
use crate::matching::clustering::{Clustering, PairSink};
use crate::matching::crowds::Crowds;
use crate::matching::features::{FeatureSource, Features};
use crate::matching::following::Following;
use crate::matching::matches::Matches;
use crate::matching::places::Places;
use crate::matching::ranking::Ranking;
use crate::matching::seen::{Segments, Sighting};
use crate::matching::verification::Verification;
use crate::memory::Memory;
use crate::numbers::{DocumentNumber, Rank, entry, set};
use crate::progress::Progress;
use crate::read::documents::Documents;
use crate::rules::criteria::Criteria;
use crate::rules::pair_histograms::PairHistograms;
use nearprint_fingerprint::BandShape;
use std::path::Path;

/// What a search goes by.
pub(crate) struct Search<'a, F> {
    pub(crate) criteria: Criteria,
    pub(crate) segments: Segments<'a>,
    /// Where the features of candidates come from.
    pub(crate) features: &'a F,
    pub(crate) memory: Memory,
    /// Where temporary files go.
    pub(crate) work_dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

impl<F: FeatureSource> Search<'_, F> {
    /// Finds the near-duplicates among `documents`, which `ranking` ranks, by the bands of their sketches
    /// in `columns` where these are there, else within the radius; hands every pair to `pairs`,
    /// where that is there, and returns their number. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Memory that is too small; those of segments, features and temporary files.
    pub(crate) fn run<const WORDS: usize>(
        &self,
        documents: &Documents<WORDS>,
        columns: Option<&mut Columns>,
        ranking: Ranking,
        pairs: Option<&mut PairSink<'_>>,
    ) -> Result<(Matches, Option<u64>), Error> {
        let count = documents.len() as u64;
        let room = self.memory.left(count, documents.held_bytes(), 2 * LEAST)?;
        let shares = Shares::of(room);
        let seen = self.segments.sightings(documents)?;
        let crowds = Crowds::new(documents.len());
        let candidates =
            self.candidates(documents, columns, &ranking, &seen, shares.join, &crowds)?;
        let verify = self.criteria.likeness.verify();
        let room = self.memory.of_features(shares.features);
        let features = self.features_of(&candidates, &crowds, &ranking, room)?;
        let distance = |a: DocumentNumber, b: DocumentNumber| {
            let [a, b] = [a, b].map(|one| entry(&documents.fingerprints, one.index()));
            a.distance(&b)
        };
        let mut clustering = Clustering {
            check: Verification {
                rule: verify,
                features,
                order: &ranking.order,
                progress: self.progress,
                compared: 0,
            },
            candidates: &candidates,
            ranking: &ranking,
            keep: self.criteria.keep,
            dir: self.work_dir,
            room: Room::within(shares.pairs),
            accepted: PairHistograms::default(),
            crowded: Following::new(
                &crowds,
                self.criteria.likeness.bands().map_or(1, BandShape::bands),
                &distance,
                self.memory.of_leaders(shares.leaders),
                pairs.is_some(),
            ),
        };
        let mut roots = clustering.representatives(self.criteria.cluster_rule)?;
        let pairs = pairs.map(|sink| clustering.pairs(sink)).transpose()?;
        for (rank, first) in ranking.exact.iter() {
            let root = entry(&roots, first.index());
            set(&mut roots, rank.index(), root);
        }
        for sighting in &seen {
            let rank = ranking.order.rank(sighting.document);
            set(&mut roots, rank.index(), rank);
        }
        let Clustering {
            accepted,
            check: Verification { compared, features, .. },
            crowded: Following { cut_short, .. },
            ..
        } = clustering;
        let crowded = crowds.documents().count() as u64;
        let found = Matches {
            candidates: candidates.len(),
            compared,
            crowded,
            cut_short,
            accepted,
            seen,
            roots,
            features: verify.is_checked().then_some(features),
            order: ranking.order,
            exact: ranking.exact,
        };
        Ok((found, pairs))
    }

    /// The pairs that are looked at: those that meet in a band, or all within the radius.
    fn candidates<const WORDS: usize>(
        &self,
        documents: &Documents<WORDS>,
        columns: Option<&mut Columns>,
        ranking: &Ranking,
        seen: &[Sighting],
        room: usize,
        crowds: &Crowds,
    ) -> Result<Candidates, Error> {
        let mut seen: Vec<_> = seen.iter().map(|one| ranking.order.rank(one.document)).collect();
        seen.sort_unstable();
        let is_seen = |rank: Rank| seen.binary_search(&rank).is_ok();
        if let Some(columns) = columns {
            let joined = ranking.joined(documents, is_seen);
            let joined = Places::of(joined.map(|(document, ..)| document));
            let join = BandJoin {
                codes: &documents.fingerprints,
                joined: &joined,
                order: &ranking.order,
                reference: DocumentNumber(documents.reference.documents),
                radius: self.criteria.likeness.k(),
                room,
                progress: self.progress,
            };
            let crowded = |rank| crowds.is_crowded(ranking.order.document(rank));
            return Candidates::gather(
                Room::within(room / 2),
                self.work_dir,
                |emit| {
                    join.run(columns, crowds, emit)?;
                    self.progress.check()
                },
                |pair| !(crowded(pair.a) && crowded(pair.b)),
            );
        }
        let entries = ranking.entries(documents, is_seen);
        let join = SpilledJoin::new(self.criteria.likeness.k(), room, self.work_dir)?;
        let join = join.stopped_by(self.progress);
        Candidates::within_radius(&join, entries)
    }

    /// The features of all candidates, where pairs are verified.
    fn features_of(
        &self,
        candidates: &Candidates,
        crowds: &Crowds,
        ranking: &Ranking,
        room: usize,
    ) -> Result<Features, Error> {
        if !self.criteria.likeness.verify().is_checked() {
            return Ok(Features::default());
        }
        let mut compared = Places::default();
        candidates.documents(|rank| compared.insert(ranking.order.document(rank)))?;
        crowds.documents().for_each(|document| compared.insert(document));
        let documents: Vec<_> = compared.documents().collect();
        if documents.is_empty() {
            return Ok(Features::default());
        }
        Features::take(self.features, documents, self.work_dir, room, self.progress)
    }
}
