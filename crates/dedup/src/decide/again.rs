//! Near-duplicates decided again, from pairs that an earlier search kept: by another similarity, cluster rule or order,
//! within other groups, and without a text.

use crate::decide::clustering::Clustering;
use crate::decide::following::Following;
use crate::decide::heads::Heads;
use crate::decide::leaders::Bounds;
use crate::decide::matches::Matches;
use crate::decide::pair_histograms::PairHistograms;
use crate::error::Error;
use crate::memory::limits::Memory;
use crate::memory::shares;
use crate::memory::spilled_sort::Room;
use crate::numbers::{Rank, entry, narrow, set};
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::search::candidate_pair::{CandidatePair, TOGETHER};
use crate::search::candidates::Candidates;
use crate::search::crowds::Crowds;
use crate::search::exact::Exact;
use crate::search::features::Features;
use crate::search::kept_pairs::{KeptPair, PairList};
use crate::search::ranking::Ranking;
use crate::search::spilled_join::LEAST;
use crate::search::verification::Verification;
use nearprint_rules::{ClusterRule, Criteria, Verify};
use std::path::Path;

/// Documents with the pairs of them that were kept, and what decides about them.
///
/// No document is crowded here: all pairs are there.
pub(crate) struct Again<'a> {
    /// What decides; its check is by the similarity that is asked for now.
    pub(crate) criteria: Criteria,
    pub(crate) documents: &'a Documents,
    pub(crate) ranking: &'a Ranking,
    pub(crate) heads: &'a Heads,
    pub(crate) pairs: &'a dyn PairList,
    /// What pairs must reach; all pass where there is none.
    pub(crate) least: Option<Verify>,
    pub(crate) memory: Memory,
    /// Where temporary files go.
    pub(crate) work_dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

/// The representative of each document by their ranks, and how many pairs decided.
pub(crate) struct Decided {
    pub(crate) roots: Vec<Rank>,
    pub(crate) pairs: u64,
}

impl Again<'_> {
    /// The representatives. Runs on rayon's current pool.
    ///
    /// Memory: what a search takes for its pairs; they wait on disk where there is no room.
    ///
    /// # Errors
    /// Memory that is too small; those of the file, and of temporary files.
    pub(crate) fn decide(&self) -> Result<Decided, Error> {
        let Self { documents, ranking, work_dir, progress, .. } = *self;
        let held = documents.held_bytes() + self.heads.held_bytes();
        let room = self.memory.left(documents.len() as u64, held, 2 * LEAST)?;
        progress.enter(Stage::Compare);
        let candidates = Candidates::gather(
            Room::within(shares::JOIN.of(room)),
            work_dir,
            ranking.reference,
            &mut |emit| {
                let mut waiting = Vec::with_capacity(TOGETHER);
                self.each(self.least, &mut |a, b, _| {
                    waiting.push(CandidatePair { a, b, distance: 0 });
                    if waiting.len() == TOGETHER {
                        emit(&waiting);
                        waiting.clear();
                        progress.check()?;
                    }
                    Ok(())
                })?;
                emit(&waiting);
                Ok(())
            },
            &mut |_| true,
        )?;
        let crowds = Crowds::new(documents.len());
        let mut clustering = Clustering {
            check: Verification {
                rule: Verify::None.into(),
                features: Features::default(),
                order: &ranking.order,
                progress,
                distance: None,
                compared: 0,
            },
            candidates: &candidates,
            among_crowded: None,
            ranking,
            keep: self.criteria.keep,
            equal_are_near: documents.sides().is_none(),
            dir: work_dir,
            room: Room::within(shares::PAIRS.of(room)),
            accepted: PairHistograms::default(),
            levels: &documents.levels,
            crowded: Following::new(&crowds, &ranking.order, 1, &|_, _| 0, Bounds::linear(0)),
        };
        clustering.begin(1);
        let mut roots = clustering.representatives(self.criteria.cluster_rule)?;
        let stays_alone = self.heads_alone(&roots);
        for (rank, first) in ranking.exact.iter() {
            let root = entry(&roots, first.index());
            set(&mut roots, rank.index(), if stays_alone(first, root) { rank } else { root });
        }
        Ok(Decided { roots, pairs: candidates.len() })
    }

    /// The similarity of each document and its representative, by rank: NaN where no pair that was kept says it.
    ///
    /// # Errors
    /// Those of the file.
    pub(crate) fn known(&self, roots: &[Rank]) -> Result<Vec<f64>, Error> {
        let mut known = vec![f64::NAN; roots.len()];
        let mut waiting = 0;
        self.each(None, &mut |a, b, similarity| {
            for (one, other) in [(a, b), (b, a)] {
                if entry(roots, one.index()) == other {
                    set(&mut known, one.index(), similarity);
                }
            }
            waiting += 1;
            if waiting % TOGETHER == 0 { self.progress.check() } else { Ok(()) }
        })?;
        Ok(known)
    }

    /// What was decided, for reports, with the similarities that `known` has of documents and their representatives.
    pub(crate) fn matches(
        ranking: Ranking,
        Decided { roots, pairs }: Decided,
        (candidates, known): (u64, Vec<f64>),
        (rule, contents): (Verify, Option<Exact>),
    ) -> Matches {
        Matches {
            exact: ranking.exact,
            candidates,
            compared: pairs,
            crowded: 0,
            cut_short: 0,
            accepted: PairHistograms::default(),
            audit: None,
            order: ranking.order,
            roots,
            rule,
            features: None,
            signer: None,
            known,
            contents,
            rejected: None,
        }
    }

    /// Whether the document that stands for others of its content says nothing of these: where documents are compared
    /// across labels these are compared with the same documents, and not with it. In a star they stay with it; where
    /// documents are connected they are connected with it if it is with any.
    fn heads_alone(&self, roots: &[Rank]) -> impl Fn(Rank, Rank) -> bool + use<> {
        let (is_across, rule) = (self.documents.sides().is_some(), self.criteria.cluster_rule);
        let mut leads = Vec::new();
        if is_across && rule == ClusterRule::Connected {
            leads = vec![false; roots.len()];
            for (rank, root) in Rank::all(narrow(roots.len() as u64)).zip(roots) {
                if rank != *root {
                    set(&mut leads, root.index(), true);
                }
            }
        }
        move |first, root| {
            is_across && first == root && !leads.get(root.index()).copied().unwrap_or(false)
        }
    }

    /// Hands the documents of each pair that passes a check, if there is one, to `each`, the first one first, with their
    /// similarity.
    pub(crate) fn each(
        &self,
        least: Option<Verify>,
        each: &mut dyn FnMut(Rank, Rank, f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.pairs.each(&mut |KeptPair { documents, similarity }| {
            if least.is_some_and(|least| !least.reaches(similarity)) {
                return Ok(());
            }
            let mut done = Ok(());
            self.heads.pairs(documents, self.documents, &self.ranking.order, &mut |a, b| {
                if done.is_ok() {
                    done = each(a, b, similarity);
                }
            });
            done
        })?;
        let mut done = Ok(());
        if self.documents.sides().is_some() {
            self.heads.equal(&mut |a, b| {
                if done.is_ok() {
                    done = each(a, b, 1.0);
                }
            });
        }
        done
    }
}
