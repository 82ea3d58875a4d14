//! The search for near-duplicates, stage by stage: candidates, features, clusters.

use crate::budget::Shares;
use crate::disk::prefixes::{Prefixes, packed};
use crate::disk::spilled_join::{LEAST, SpilledJoin};
use crate::disk::spilled_sort::Room;
use crate::error::Error;
use crate::matching::band_join::BandJoin;
use crate::matching::candidates::Candidates;
use crate::matching::clustering::{Clustering, PairSink};
use crate::matching::crowds::Crowds;
use crate::matching::draw::Draw;
use crate::matching::features::{FeatureSource, Features};
use crate::matching::following::Following;
use crate::matching::leaders::Bounds;
use crate::matching::matches::Matches;
use crate::matching::near::Near;
use crate::matching::places::Places;
use crate::matching::prefix_join::{LIST, PATIENCE, PrefixJoin};
use crate::matching::ranking::Ranking;
use crate::matching::verification::Verification;
use crate::memory::Memory;
use crate::numbers::{DocumentNumber, entry, narrow, set};
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::groundwork::Groundwork;
use crate::read::rarity::Rarity;
use crate::rules::audit::audited;
use crate::rules::check::Check;
use crate::rules::criteria::Criteria;
use crate::rules::likeness::Finding;
use crate::rules::pair_histograms::PairHistograms;
use nearprint_fingerprint::{BandShape, FeatureList};
use std::path::Path;

/// What a search goes by.
pub(crate) struct Search<'a, F> {
    pub(crate) criteria: Criteria,
    /// The check of pairs.
    pub(crate) check: Check,
    /// Where the features of candidates come from.
    pub(crate) features: &'a F,
    /// How many pairs to draw on each side of the similarity.
    pub(crate) audit: usize,
    pub(crate) memory: Memory,
    /// Where temporary files go.
    pub(crate) work_dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

impl<F: FeatureSource> Search<'_, F> {
    /// Finds the near-duplicates among `documents`, which `ranking` ranks, by what the first reading
    /// left for the join; hands every pair to `pairs`, where that is there, and returns their number.
    /// Runs on rayon's current pool.
    ///
    /// # Errors
    /// Memory that is too small; those of features and temporary files.
    pub(crate) fn run<const WORDS: usize>(
        &self,
        documents: &Documents<WORDS>,
        groundwork: Groundwork,
        ranking: Ranking,
        pairs: Option<&mut PairSink<'_>>,
    ) -> Result<(Matches, Option<u64>), Error> {
        let count = documents.len() as u64;
        let room = self.memory.left(count, documents.held_bytes(), 2 * LEAST)?;
        let shares = Shares::of(room);
        let crowds = Crowds::new(documents.len());
        let candidates = self.candidates(documents, groundwork, &ranking, shares.join, &crowds)?;
        let room = self.memory.of_features(shares.features, self.check.weighs());
        let features = self.features_of(&candidates, &crowds, &ranking, room)?;
        let distance = |a: DocumentNumber, b: DocumentNumber| {
            let [a, b] = [a, b].map(|one| entry(&documents.fingerprints, one.index()));
            a.distance(&b)
        };
        let mut clustering = Clustering {
            check: Verification {
                rule: self.check,
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
                &ranking.order,
                self.criteria.likeness.bands().map_or(1, BandShape::bands),
                &distance,
                self.bounds(shares.leaders),
                pairs.is_some(),
            ),
        };
        self.progress.enter(Stage::Compare);
        let least = audited(&self.criteria.likeness).filter(|_| self.audit > 0);
        let readings = 1 + u64::from(pairs.is_some()) + u64::from(least.is_some());
        clustering.begin(readings);
        let mut roots = clustering.representatives(self.criteria.cluster_rule)?;
        let pairs = pairs.map(|sink| clustering.pairs(sink)).transpose()?;
        let audit = match least {
            Some(least) => {
                let draw = Draw::new(&self.criteria.likeness, self.audit, least);
                Some(clustering.audit(draw)?)
            }
            None => None,
        };
        for (rank, first) in ranking.exact.iter() {
            let root = entry(&roots, first.index());
            set(&mut roots, rank.index(), root);
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
            audit,
            roots,
            rule: self.check.rule(),
            features: self.check.is_checked().then_some(features),
            order: ranking.order,
            exact: ranking.exact,
        };
        Ok((found, pairs))
    }

    /// What leaders may take, whose share of the room is so many bytes.
    fn bounds(&self, share: usize) -> Bounds {
        let room = self.memory.of_leaders(share);
        match self.criteria.likeness.finding() {
            Finding::Prefixes => Bounds::exact(room),
            _ => Bounds::linear(room),
        }
    }

    /// The pairs that are looked at: those that meet in a band, those that share one of their rarest
    /// features, or all within the radius.
    fn candidates<const WORDS: usize>(
        &self,
        documents: &Documents<WORDS>,
        groundwork: Groundwork,
        ranking: &Ranking,
        room: usize,
        crowds: &Crowds,
    ) -> Result<Candidates, Error> {
        let (codes, order) = (&documents.fingerprints, &ranking.order);
        let reference = DocumentNumber(documents.reference.documents);
        let (likeness, progress) = (self.criteria.likeness, self.progress);
        let pairs = Room::within(room / 2);
        let joined_if_any = |pair: &Near| {
            if crowds.are_there() {
                crowds.join(order.document(pair.a), order.document(pair.b));
            }
        };
        match groundwork {
            Groundwork::Fingerprints => {
                let entries = ranking.entries(documents);
                let join = SpilledJoin::new(likeness.k(), room, self.work_dir)?;
                Candidates::within_radius(&join.stopped_by(progress), entries)
            }
            Groundwork::Columns(mut columns) => {
                let joined = ranking.joined(documents);
                let joined = Places::of(joined.map(|(document, ..)| document));
                let (joined, radius) = (&joined, likeness.k());
                let join = BandJoin { codes, joined, order, reference, radius, room, progress };
                let crowded = |rank| crowds.is_crowded(order.document(rank));
                Candidates::gather(
                    pairs,
                    self.work_dir,
                    |emit| {
                        join.run(&mut columns, crowds, emit)?;
                        progress.check()
                    },
                    |pair| {
                        joined_if_any(pair);
                        !(crowded(pair.a) && crowded(pair.b))
                    },
                )
            }
            Groundwork::Rarity(rarity) => {
                let joined = ranking.joined(documents).map(|(document, ..)| document);
                let mut prefixes = self.prefixes(&rarity, &joined.collect::<Vec<_>>())?;
                drop(rarity);
                let rule = self.check;
                let (patience, longest) = (PATIENCE, LIST);
                let room = self.memory.of_exact_join(room);
                let join =
                    PrefixJoin { codes, order, reference, rule, patience, longest, room, progress };
                Candidates::gather(
                    pairs,
                    self.work_dir,
                    |emit| {
                        join.run(&mut prefixes, crowds, emit)?;
                        progress.check()
                    },
                    |pair| {
                        joined_if_any(pair);
                        true
                    },
                )
            }
        }
    }

    /// The rarest features of those of `documents`, which ascend, that share one with another document:
    /// they are read again.
    fn prefixes(&self, rarity: &Rarity, documents: &[DocumentNumber]) -> Result<Prefixes, Error> {
        let (mut prefixes, mut next) = (Prefixes::new(self.work_dir), documents.iter());
        let check = self.check;
        let prefix = |list: &FeatureList| {
            let mut rarest = Vec::new();
            rarity.prefix(list, check, &mut rarest);
            let before = rarest.partition_point(|place| Rarity::level(*place) <= 1);
            let shared = packed(rarest.get(before..).unwrap_or_default());
            (narrow(list.len() as u64), narrow(before as u64), shared)
        };
        self.progress.enter(Stage::Prefixes);
        self.features.features(documents, check.weighs(), self.progress, prefix, |prefix| {
            let (size, before, shared) = prefix;
            let document = next.next().map_or(0, |document| narrow(document.0));
            if shared.is_empty() {
                return Ok(());
            }
            prefixes.push(document, size, before, &shared)
        })?;
        self.progress.enter(Stage::Join);
        Ok(prefixes)
    }

    /// The features of all candidates, where pairs are verified.
    fn features_of(
        &self,
        candidates: &Candidates,
        crowds: &Crowds,
        ranking: &Ranking,
        room: usize,
    ) -> Result<Features, Error> {
        if !self.check.is_checked() {
            return Ok(Features::default());
        }
        let mut compared = Places::default();
        candidates.documents(|rank| compared.insert(ranking.order.document(rank)))?;
        crowds.documents().for_each(|document| compared.insert(document));
        let documents: Vec<_> = compared.documents().collect();
        if documents.is_empty() {
            return Ok(Features::default());
        }
        self.progress.enter(Stage::Verify);
        let (weighs, room) = (self.check.weighs(), (self.work_dir, room));
        Features::take(self.features, documents, weighs, room, self.progress)
    }
}
