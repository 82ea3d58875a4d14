//! The search for near-duplicates, stage by stage: candidates, features, clusters.

use crate::decide::audit::audited;
use crate::decide::clustering::{AmongCrowded, Clustering};
use crate::decide::draw::Draw;
use crate::decide::following::Following;
use crate::decide::leaders::Bounds;
use crate::decide::matches::Matches;
use crate::decide::pair_histograms::PairHistograms;
use crate::error::Error;
use crate::memory::limits::Memory;
use crate::memory::shares;
use crate::memory::spilled_sort::Room;
use crate::numbers::{entry, set};
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::search_input::SearchInput;
use crate::search::band_search::BandSearch;
use crate::search::bytes_search::BytesSearch;
use crate::search::candidate_pair::CandidatePair;
use crate::search::candidate_search::{CandidateSearch, Searched};
use crate::search::candidates::Candidates;
use crate::search::crowds::Crowds;
use crate::search::equal_documents::EqualDocuments;
use crate::search::features::{AnySource, Features};
use crate::search::folded_pairs::FoldedPairs;
use crate::search::places::Places;
use crate::search::prefix_join::PrefixJoin;
use crate::search::prefix_search::{PrefixSearch, of_crowd};
use crate::search::radius_search::RadiusSearch;
use crate::search::ranking::Ranking;
use crate::search::spilled_join::LEAST;
use crate::search::verification::Verification;
use nearprint_fingerprint::BandShape;
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
    /// Whether candidates that the check refuses are listed.
    pub(crate) rejects: bool,
    pub(crate) memory: Memory,
    /// Where temporary files go.
    pub(crate) work_dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

impl Search<'_> {
    /// Finds the near-duplicates among `documents`, which `ranking` ranks, by what the first reading
    /// left for the join; and all pairs, where they are `listed`. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Memory that is too small; those of features and temporary files.
    pub(crate) fn run(
        &self,
        documents: &Documents,
        search_input: SearchInput,
        ranking: Ranking,
        listed: bool,
    ) -> Result<(Matches, Option<FoldedPairs>), Error> {
        let is_across = documents.sides().is_some();
        let (likeness, all) = (self.criteria.likeness, (documents, ranking, listed || is_across));
        let (mut matches, pairs) = match search_input {
            SearchInput::Fingerprints { .. } => self.run_by(&RadiusSearch(likeness), None, all),
            SearchInput::Angles(codes) => self.run_by(&RadiusSearch(likeness), Some(codes), all),
            SearchInput::Sketches { columns, .. } => {
                self.run_by(&BandSearch(likeness), columns, all)
            }
            SearchInput::Rarity(rarity) => self.run_by(&PrefixSearch, rarity, all),
            SearchInput::Bytes => self.run_by(&BytesSearch, (), all),
        }?;
        if let Some(pairs) = pairs.as_ref().filter(|_| is_across) {
            self.decide_across(documents, &mut matches, pairs)?;
        }
        Ok((matches, pairs.filter(|_| listed)))
    }

    fn run_by<S: CandidateSearch>(
        &self,
        search: &S,
        input: S::Input,
        (documents, ranking, listed): (&Documents, Ranking, bool),
    ) -> Result<(Matches, Option<FoldedPairs>), Error> {
        let count = documents.len() as u64;
        let room = self.memory.left(count, documents.held_bytes(), 2 * LEAST)?;
        let crowds = Crowds::new(documents.len());
        let copied = if listed { ranking.copied() } else { Places::default() };
        let of = Searched {
            documents,
            ranking: &ranking,
            copied: &copied,
            check: self.check,
            features: self.features,
            memory: self.memory,
            room: shares::JOIN.of(room),
            work_dir: self.work_dir,
            progress: self.progress,
        };
        let candidates = self.candidates(search, input, &of, &crowds)?;
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
        let distance = documents.distances();
        let distance = &*distance;
        // Something else found the pairs, and fingerprints say how far apart they are.
        let likeness = &self.criteria.likeness;
        let by_other = likeness.finds_by_angle() || likeness.finding() != Finding::Radius;
        let mut clustering = Clustering {
            check: Verification {
                rule: self.check,
                features,
                order: &ranking.order,
                progress: self.progress,
                distance: by_other.then_some(distance),
                compared: 0,
            },
            candidates: &candidates,
            among_crowded: among_crowded.as_ref(),
            ranking: &ranking,
            keep: self.criteria.keep,
            equal_are_near: true,
            dir: self.work_dir,
            room: Room::within(shares::PAIRS.of(room)),
            accepted: PairHistograms::default(),
            levels: &documents.levels,
            crowded: Following::new(
                &crowds,
                &ranking.order,
                self.criteria.likeness.bands().map_or(1, BandShape::bands),
                distance,
                self.bounds(shares::LEADERS.of(room)),
            ),
        };
        self.progress.enter(Stage::Compare);
        let least = audited(&self.criteria.likeness).filter(|_| self.audit > 0);
        let beside = [listed, self.rejects, least.is_some()];
        let readings = 1 + beside.map(u64::from).iter().sum::<u64>();
        clustering.begin(readings);
        let mut roots = clustering.representatives(self.criteria.cluster_rule)?;
        // Lists look at these pairs once more.
        let compared = clustering.check.compared;
        let pairs = listed.then(|| clustering.pairs()).transpose()?;
        let rejected = self.rejects.then(|| clustering.rejected()).transpose()?;
        let audit = match least {
            Some(least) => {
                let share_found = |similarity| search.share_found(similarity);
                let verify = self.criteria.likeness.verify();
                let draw = Draw::new(verify, &share_found, self.audit, least);
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
            check: Verification { features, .. },
            crowded: Following { cut_short, .. },
            ..
        } = clustering;
        let crowded = crowds.documents().count() as u64;
        let found = Matches {
            candidates: candidates.len(),
            compared,
            crowded,
            cut_short: cut_short.documents().count() as u64,
            accepted,
            audit,
            roots,
            rule: self.check.rule(),
            features: self.check.is_checked().then_some(features),
            signer: None,
            known: Vec::new(),
            contents: None,
            rejected,
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

    /// The candidates of a search, which join crowded documents.
    fn candidates<S: CandidateSearch>(
        &self,
        search: &S,
        input: S::Input,
        of: &Searched<'_>,
        crowds: &Crowds,
    ) -> Result<Candidates, Error> {
        let (order, reference) = (&of.ranking.order, of.ranking.reference);
        let (mut input, mut equal) = (Some(input), Vec::new());
        let mut found = Candidates::gather(
            Room::within(shares::PAIRS_OF_JOIN.of(of.room)),
            self.work_dir,
            reference,
            &mut |emit| {
                input.take().map_or(Ok(()), |input| search.find(input, of, crowds, emit))?;
                self.progress.check()
            },
            &mut |pair| {
                if S::FOLDS_EQUAL && pair.distance == 0 {
                    equal.push((pair.a, pair.b));
                    return false;
                }
                if !crowds.are_there() {
                    return true;
                }
                let [a, b] = [pair.a, pair.b].map(|rank| order.document(rank));
                // Pairs of two documents of the reference join nothing.
                if pair.b >= reference {
                    crowds.join(a, b);
                }
                !(crowds.is_crowded(a) && crowds.is_crowded(b))
            },
        )?;
        found.equal = EqualDocuments::new(equal);
        Ok(found)
    }

    /// The pairs of two crowded documents of a component that may pass, by the features of these: a part of their
    /// index is in memory at a time. Of a component for which that takes too many steps there are none, unless pairs
    /// are `listed`.
    fn among_crowded(
        &self,
        of: &Searched<'_>,
        crowds: &Crowds,
        (features, listed): (&mut Features, bool),
        room: usize,
    ) -> Result<AmongCrowded, Error> {
        let crowd = crowds.by_component();
        let is_exact = self.criteria.likeness.finding() == Finding::Prefixes;
        let patience = if is_exact { u64::MAX } else { CONNECTED };
        let leaders = shares::LEADERS.of(room);
        let join = PrefixJoin::of(of, u64::MAX, leaders);
        let (none, mut beyond) = (Crowds::new(of.documents.len()), Vec::new());
        let place = (self.work_dir, shares::COUNTS_OF_LEADERS.of(leaders));
        let mut find = |emit: &(dyn Fn(&[CandidatePair]) + Sync)| {
            for crowd in crowd.chunk_by(|a, b| crowds.component(*a) == crowds.component(*b)) {
                let mut prefixes = of_crowd(crowd, features, self.check, place, self.progress)?;
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
        let pairs = Candidates::gather(
            Room::within(shares::PAIRS.of(room)),
            self.work_dir,
            of.ranking.reference,
            &mut find,
            &mut |_| true,
        )?;
        Ok(AmongCrowded { pairs, beyond })
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
