//! What is asked of a job, and what is taken where nothing is: the defaults of `nearprint dedup`.

use crate::error::Error;
use crate::memory::Memory;
use crate::progress::Progress;
use crate::read::sketch::Origin;
use crate::threads;
use nearprint_fingerprint::{Recipe, Statistics, Width};
use nearprint_rules::{ClusterRule, Criteria, Featureless, KeepRule, Likeness, Recall, Verify};
use std::path::PathBuf;
use std::sync::Arc;

/// What is asked of a job; `None` where nothing is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) recipe: Recipe,
    pub(crate) statistics: Option<Statistics>,
    pub(crate) width: Option<Width>,
    pub(crate) similarity: Option<f64>,
    pub(crate) recall: Option<Recall>,
    pub(crate) k: Option<u32>,
    pub(crate) verify: Option<Verify>,
    pub(crate) cluster_rule: ClusterRule,
    pub(crate) keep: Option<KeepRule>,
    pub(crate) featureless: Featureless,
    pub(crate) reference_texts: usize,
    pub(crate) fold_equal: bool,
    pub(crate) threads: Option<usize>,
    pub(crate) memory: Memory,
    pub(crate) work_dir: Option<PathBuf>,
    pub(crate) progress: Arc<Progress>,
}

impl Settings {
    /// What makes documents near-duplicates, and which of them stays.
    ///
    /// # Errors
    /// A radius over the width, a similarity that fingerprints of that width cannot tell, or a central
    /// document of connected clusters.
    pub(crate) fn criteria(&self) -> Result<Criteria, Error> {
        let width = self.chosen_width();
        let likeness = match (self.k, self.recall) {
            (Some(_), Some(_)) => return Err(nearprint_rules::Error::NoBands.into()),
            (Some(k), None) => Likeness::by_radius(k, width)?,
            (None, Some(Recall::Exact)) => {
                Likeness::by_features(self.verify.unwrap_or(self.sought()), width)?
            }
            (None, _) => Likeness::by_measure(self.sought(), &self.recipe.with_width(width))?,
        };
        let likeness = match self.verify {
            Some(verify) => likeness.verified_by(verify)?,
            None => likeness,
        };
        let likeness = match self.recall {
            Some(Recall::Share(share)) => likeness.recalling(share)?,
            _ => likeness,
        };
        likeness.check_chance()?;
        let cluster_rule = self.cluster_rule;
        if (cluster_rule, self.keep) == (ClusterRule::Connected, Some(KeepRule::Central)) {
            return Err(Error::CentralOfConnected);
        }
        let keep = self.keep.unwrap_or(KeepRule::of(cluster_rule));
        Ok(Criteria { likeness, cluster_rule, keep, featureless: self.featureless })
    }

    /// The similarity that pairs are found by, in the measure of the check; where that has none, in the one that
    /// suits the recipe.
    fn sought(&self) -> Verify {
        let similarity = self.similarity.unwrap_or(Likeness::SIMILARITY);
        match self.verify {
            Some(Verify::Jaccard(_)) => Verify::Jaccard(similarity),
            Some(Verify::Cosine(least)) => Verify::Cosine(self.similarity.unwrap_or(least)),
            Some(Verify::WeightedJaccard(least)) => {
                Verify::WeightedJaccard(self.similarity.unwrap_or(least))
            }
            _ => Verify::suiting(self.recipe.weights, similarity),
        }
    }

    /// Where fingerprints come from: the recipe at the width that was chosen.
    pub(crate) fn origin(&self) -> Result<Origin, Error> {
        let mut recipe = self.recipe.with_width(self.chosen_width());
        if let Some(statistics) = &self.statistics {
            recipe = recipe.bound_to_statistics(statistics)?;
        }
        Ok(Origin::Text { recipe: Box::new(recipe), statistics: self.statistics.clone() })
    }

    pub(crate) fn thread_count(&self) -> Result<usize, Error> {
        match self.threads {
            Some(0) => Err(Error::Threads { message: "at least one has to work".to_owned() }),
            Some(threads) => Ok(threads),
            None => Ok(threads::all()),
        }
    }

    /// The folder of temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.work_dir.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// The width that suits what is asked for. A radius is about the recipe's own fingerprints, of 64 bits unless it
    /// says otherwise: those that are written to a file.
    pub(crate) fn usual_width(&self) -> Width {
        match self.k {
            Some(_) => self.recipe.width,
            None => Likeness::usual_width(self.sought(), self.recipe.weights),
        }
    }

    fn chosen_width(&self) -> Width {
        let is_built_in = Recipe::builtin().contains(&self.recipe);
        let chosen = is_built_in.then(|| self.usual_width());
        self.width.or(chosen).unwrap_or(self.recipe.width)
    }
}
