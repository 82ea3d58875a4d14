//! The search for near-duplicates, stage by stage: candidates, features, clusters.

use crate::disk::folded_pairs::FoldedPairs;
use crate::disk::prefixes::{Prefixes, packed};
use crate::disk::spilled_join::{LEAST, SpilledJoin, of_any_width};
use crate::disk::spilled_sort::Room;
use crate::error::Error;
use crate::matching::audit::audited;
use crate::matching::band_join::BandJoin;
use crate::matching::candidates::Candidates;
use crate::matching::clustering::{AmongCrowded, Clustering};
use crate::matching::crowds::Crowds;
use crate::matching::draw::Draw;
use crate::matching::features::{AnySource, Features, PackedPrefix};
use crate::matching::following::Following;
use crate::matching::leaders::Bounds;
use crate::matching::matches::Matches;
use crate::matching::near::Near;
use crate::matching::pair_histograms::PairHistograms;
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
use crate::shares;
use nearprint_fingerprint::{BandShape, FeatureList, Fingerprint};
use nearprint_rules::{Check, ClusterRule, Criteria, Finding};
use std::path::Path;

/// Steps for each crowded document of a component, on average, that are taken so that all of its pairs are joined.
const CONNECTED: u64 = 100_000;

/// What a search goes by.
pub(crate) struct Search<'a> {
    pub(crate) criteria: Criteria,
    /// The check of pairs.
    pub(crate) check: Check,
    /// Where the features of candidates come from.
    pub(crate) features: &'a dyn AnySource,
    /// How many pairs to draw on each side of the similarity.
    pub(crate) audit: usize,
    pub(crate) memory: Memory,
    /// Where temporary files go.
    pub(crate) work_dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

/// The documents that are joined.
#[derive(Clone, Copy)]
struct Joined<'a, const WORDS: usize> {
    documents: &'a Documents<WORDS>,
    ranking: &'a Ranking,
    /// Documents of the reference that stand for others outside of it in pairs that are listed.
    copied: &'a Places,
}

impl Search<'_> {
    /// Finds the near-duplicates among `documents`, which `ranking` ranks, by what the first reading
    /// left for the join; and all pairs, where they are `listed`. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Memory that is too small; those of features and temporary files.
    pub(crate) fn run<const WORDS: usize>(
        &self,
        documents: &Documents<WORDS>,
        groundwork: Groundwork,
        ranking: Ranking,
        listed: bool,
    ) -> Result<(Matches, Option<FoldedPairs>), Error> {
        let count = documents.len() as u64;
        let room = self.memory.left(count, documents.held_bytes(), 2 * LEAST)?;
        let crowds = Crowds::new(documents.len());
        let copied = if listed { ranking.copied() } else { Places::default() };
        let of = Joined { documents, ranking: &ranking, copied: &copied };
        let candidates = self.candidates(&of, groundwork, shares::JOIN.of(room), &crowds)?;
        let for_features = self.memory.of_features(shares::FEATURES.of(room), self.check.weighs());
        let mut features = self.features_of(&candidates, &crowds, &ranking, for_features)?;
        let connects = self.criteria.cluster_rule == ClusterRule::Connected;
        let among_crowded = match (listed || connects) && crowds.are_there() {
            true => {
                let features = (&mut features, listed);
                Some(self.among_crowded(&of, &crowds, features, room)?)
            }
            false => None,
        };
        let distance = |a: DocumentNumber, b: DocumentNumber| {
            let [a, b] = [a, b].map(|one| entry(&documents.fingerprints, one.index()));
            a.distance(&b)
        };
        // Codes of angles found the pairs, and fingerprints say how far apart they are.
        let by_angle = self.criteria.likeness.finds_by_angle();
        let mut clustering = Clustering {
            check: Verification {
                rule: self.check,
                features,
                order: &ranking.order,
                progress: self.progress,
                distance: by_angle.then_some(&distance),
                compared: 0,
            },
            candidates: &candidates,
            among_crowded: among_crowded.as_ref(),
            ranking: &ranking,
            keep: self.criteria.keep,
            dir: self.work_dir,
            room: Room::within(shares::PAIRS.of(room)),
            accepted: PairHistograms::default(),
            crowded: Following::new(
                &crowds,
                &ranking.order,
                self.criteria.likeness.bands().map_or(1, BandShape::bands),
                &distance,
                self.bounds(shares::LEADERS.of(room)),
            ),
        };
        self.progress.enter(Stage::Compare);
        let least = audited(&self.criteria.likeness).filter(|_| self.audit > 0);
        let readings = 1 + u64::from(listed) + u64::from(least.is_some());
        clustering.begin(readings);
        let mut roots = clustering.representatives(self.criteria.cluster_rule)?;
        let pairs = listed.then(|| clustering.pairs()).transpose()?;
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
        of: &Joined<'_, WORDS>,
        groundwork: Groundwork,
        room: usize,
        crowds: &Crowds,
    ) -> Result<Candidates, Error> {
        let Joined { documents, ranking, copied } = *of;
        let (codes, order) = (&documents.fingerprints, &ranking.order);
        let reference = DocumentNumber(documents.reference.documents);
        let (likeness, progress) = (self.criteria.likeness, self.progress);
        let (pairs, width) =
            (Room::within(shares::PAIRS_OF_JOIN.of(room)), Fingerprint::<WORDS>::width());
        // Pairs of two documents of the reference join nothing.
        let decides = |pair: &Near| pair.b >= ranking.reference;
        let joined_if_any = |pair: &Near| {
            if crowds.are_there() && decides(pair) {
                crowds.join(order.document(pair.a), order.document(pair.b));
            }
        };
        let mut found = match groundwork {
            Groundwork::Fingerprints { .. } => {
                let join = SpilledJoin::new(likeness.k(), room, self.work_dir)?;
                let mut entries = of_any_width(ranking.entries(documents));
                return Candidates::within_radius(&join.stopped_by(progress), width, &mut entries);
            }
            Groundwork::Angles(words) => {
                let (codes, _) = words.as_chunks::<WORDS>();
                let joined = ranking.joined(documents);
                let entries = joined.map(|(document, _, rank)| {
                    let code = codes.get(document.index()).copied().unwrap_or([0; WORDS]);
                    Ok((Fingerprint::from_words(code), rank.0.into()))
                });
                let join = SpilledJoin::new(likeness.k(), room, self.work_dir)?;
                let mut entries = of_any_width(entries);
                return Candidates::within_radius(&join.stopped_by(progress), width, &mut entries);
            }
            Groundwork::Columns(mut columns) => {
                let joined = ranking.joined(documents);
                let joined = Places::of(joined.map(|(document, ..)| document));
                let (joined, radius) = (&joined, likeness.k());
                let join =
                    BandJoin { codes, joined, order, reference, copied, radius, room, progress };
                let crowded = |rank| crowds.is_crowded(order.document(rank));
                Candidates::gather(
                    pairs,
                    self.work_dir,
                    &mut |emit| {
                        join.run(&mut columns, crowds, emit)?;
                        progress.check()
                    },
                    &mut |pair| {
                        joined_if_any(pair);
                        !(crowded(pair.a) && crowded(pair.b))
                    },
                )?
            }
            Groundwork::Rarity(rarity) => {
                let joined = ranking.joined(documents).map(|(document, ..)| document);
                let mut prefixes = self.prefixes(&rarity, &joined.collect::<Vec<_>>())?;
                drop(rarity);
                let join = self.prefix_join(of, PATIENCE, self.memory.of_exact_join(room));
                Candidates::gather(
                    pairs,
                    self.work_dir,
                    &mut |emit| {
                        join.run(&mut prefixes, crowds, emit)?;
                        progress.check()
                    },
                    &mut |pair| {
                        joined_if_any(pair);
                        true
                    },
                )?
            }
        };
        found.decided_from = ranking.reference;
        Ok(found)
    }

    /// A join by prefixes of some of these documents, in which none is crowded within so many steps.
    fn prefix_join<'a, const WORDS: usize>(
        &'a self,
        of: &Joined<'a, WORDS>,
        patience: u64,
        room: usize,
    ) -> PrefixJoin<'a, WORDS> {
        PrefixJoin {
            codes: &of.documents.fingerprints,
            order: &of.ranking.order,
            reference: DocumentNumber(of.documents.reference.documents),
            copied: of.copied,
            rule: self.check,
            patience,
            longest: LIST,
            room,
            progress: self.progress,
        }
    }

    /// The pairs of two crowded documents of a component that may pass, by the features of these: a part of their
    /// index is in memory at a time. Of a component for which that takes too many steps there are none, unless pairs
    /// are `listed`.
    fn among_crowded<const WORDS: usize>(
        &self,
        of: &Joined<'_, WORDS>,
        crowds: &Crowds,
        (features, listed): (&mut Features, bool),
        room: usize,
    ) -> Result<AmongCrowded, Error> {
        let mut crowd: Vec<DocumentNumber> = crowds.documents().collect();
        crowd.sort_by_key(|document| crowds.component(*document));
        let is_exact = self.criteria.likeness.finding() == Finding::Prefixes;
        let patience = if is_exact { u64::MAX } else { CONNECTED };
        let leaders = shares::LEADERS.of(room);
        let join = self.prefix_join(of, u64::MAX, leaders);
        let (none, mut beyond, mut rarest) =
            (Crowds::new(of.documents.len()), Vec::new(), Vec::new());
        let mut find = |emit: &(dyn Fn(Near) + Sync)| {
            for crowd in crowd.chunk_by(|a, b| crowds.component(*a) == crowds.component(*b)) {
                let all = crowd.iter().map(|document| features.count(*document)).sum();
                let rarity = Rarity::new(all, shares::COUNTS_OF_LEADERS.of(leaders));
                for document in crowd {
                    rarity.add(features.of(*document)?.keys());
                }
                let mut prefixes = Prefixes::new(self.work_dir);
                for document in crowd {
                    self.progress.check()?;
                    let list = features.of(*document)?;
                    let (size, before, shared) = prefix(&rarity, self.check, &list, &mut rarest);
                    if !shared.is_empty() {
                        prefixes.push(narrow(document.0), size, before, &shared)?;
                    }
                }
                drop(rarity);
                let is_beyond = join.looks(&mut prefixes)? / crowd.len() as u64 > patience;
                if is_beyond {
                    beyond.extend(crowd.first().map(|document| crowds.component(*document)));
                }
                if listed || !is_beyond {
                    join.run(&mut prefixes, &none, emit)?;
                }
            }
            self.progress.check()
        };
        let mut pairs = Candidates::gather(
            Room::within(shares::PAIRS.of(room)),
            self.work_dir,
            &mut find,
            &mut |_| true,
        )?;
        pairs.decided_from = of.ranking.reference;
        Ok(AmongCrowded { pairs, beyond })
    }

    /// The rarest features of those of `documents`, which ascend, that share one with another document:
    /// they are read again.
    fn prefixes(&self, rarity: &Rarity, documents: &[DocumentNumber]) -> Result<Prefixes, Error> {
        let (mut prefixes, mut next) = (Prefixes::new(self.work_dir), documents.iter());
        let check = self.check;
        let prefix = |list: &FeatureList| prefix(rarity, check, list, &mut Vec::new());
        self.progress.enter(Stage::Prefixes);
        self.features.prefixes(
            documents,
            check.weighs(),
            self.progress,
            &prefix,
            &mut |prefix| {
                let (size, before, shared) = prefix;
                let document = next.next().map_or(0, |document| narrow(document.0));
                if shared.is_empty() {
                    return Ok(());
                }
                prefixes.push(document, size, before, &shared)
            },
        )?;
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

/// The prefix of a document.
fn prefix(
    rarity: &Rarity,
    check: Check,
    list: &FeatureList,
    rarest: &mut Vec<u64>,
) -> PackedPrefix {
    rarity.prefix(list, check, rarest);
    let before = rarest.partition_point(|place| Rarity::level(*place) <= 1);
    let shared = packed(rarest.get(before..).unwrap_or_default());
    (narrow(list.len() as u64), narrow(before as u64), shared)
}
