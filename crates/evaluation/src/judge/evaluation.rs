//! One recipe at one width beside labels.

use crate::error::Error;
use crate::found::by_radius::Codes;
use crate::found::by_search::{all_pairs, of_setting};
use crate::found::closest::{NearPair, Nearest};
use crate::judge::case::{Case, Cases};
use crate::judge::curve::{Axis, Curve};
use crate::judge::texts::Texts;
use crate::labels::gold::Gold;
use crate::labels::label::Label;
use crate::measures::cluster_score::ClusterScore;
use crate::measures::pair_score::{PairScore, of_tally};
use crate::measures::tally::Tally;
use foldhash::HashSet;
use nearprint_dedup::{Dedup, Found, Verify, text_of};
use nearprint_fingerprint::{
    AnyFingerprinter, DocumentPart, Fingerprinted, Recipe, Statistics, Weighting, Width,
};
use rayon::prelude::*;
use serde::Serialize;
use std::borrow::Cow;

/// What is judged, and how far.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The recipe, at its width.
    pub recipe: Recipe,
    /// The statistics that it takes.
    pub statistics: Option<Statistics>,
    /// Whether radii are judged, and up to which: `None` inside for [`radius`](Self::radius).
    pub radii: Option<Option<u32>>,
    /// The least similarity that is judged and its measure, where similarities are.
    pub similarities: Option<Verify>,
    /// The setting of `dedup` that is judged, where one is.
    pub dedup: Option<Dedup>,
    /// The most cases of each kind that are looked at: pairs that were missed, and pairs that are wrong.
    pub cases: usize,
    /// The most pairs that a curve is made of: it ends before there are more.
    pub pairs: usize,
}

/// How well a recipe finds what labels say.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Documents with too little in them to be near others by radius, but for equal ones.
    pub too_short: u64,
    /// Documents of the corpus that took no part, as no label is about them.
    pub unlabelled: u64,
    /// By radius.
    pub by_radius: Option<Curve>,
    /// By similarity, each pair compared exactly.
    pub by_similarity: Option<Curve>,
    /// A setting of `dedup`.
    pub dedup: Option<DedupScore>,
}

/// What `dedup` makes of a setting.
#[derive(Clone, Debug, Serialize)]
pub struct DedupScore {
    /// The pairs that it finds.
    pub pairs: PairScore,
    /// The clusters that it makes.
    pub clusters: ClusterScore,
    /// Documents that it keeps.
    pub kept: u64,
    /// Documents that it removes.
    pub removed: u64,
    /// Pairs that are the same and were not found, those of the least distance first.
    #[serde(skip)]
    pub missed: Vec<Case>,
    /// Pairs that were found and are not the same, those of the greatest distance first.
    #[serde(skip)]
    pub wrong: Vec<Case>,
}

/// Documents up to which a curve goes to a quarter of the width.
const FEW: usize = 50_000;

impl Evaluation {
    /// The most pairs of a curve, where nobody says.
    pub const PAIRS: usize = 5_000_000;

    /// Everything of a recipe that is judged where nobody says: radii, similarities from 0.5 on, and `dedup` as it is.
    #[must_use]
    pub fn new(recipe: Recipe) -> Self {
        let similarities = Some(Verify::suiting(recipe.weights, Self::SIMILARITY));
        Self {
            recipe,
            statistics: None,
            radii: Some(None),
            similarities,
            dedup: Some(Dedup::new()),
            cases: 0,
            pairs: Self::PAIRS,
        }
    }

    /// The least similarity that is judged, where nobody says.
    pub const SIMILARITY: f64 = 0.5;

    /// The greatest radius that is judged, where nobody says: a quarter of the width for up to 50 000 documents, and
    /// for more documents twice the default radius.
    #[must_use]
    pub fn radius(documents: usize, width: Width) -> u32 {
        if documents <= FEW { width.bits() / 4 } else { 2 * width.default_radius() }
    }

    /// Judges `texts` by `gold`, whose documents they are. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// That of a join within the radius, of an exact search at the similarity, and of a `dedup`.
    ///
    /// # Errors
    /// A recipe that cannot be used or takes features; documents that all have too little in them; a measure of no
    /// curve; those of the search.
    pub fn run(&self, texts: &Texts, gold: &Gold) -> Result<Judged, Error> {
        if self.recipe.weights == Weighting::Given {
            return Err(Error::Features { name: self.recipe.name.clone() });
        }
        let recipe = texts.recipe(&self.recipe);
        let fingerprinter = AnyFingerprinter::new(&recipe, self.statistics.as_ref())?;
        // Of pages the part that is fingerprinted; the search finds it itself.
        let parts: Vec<Cow<'_, str>> = match recipe.content {
            DocumentPart::Text => texts.texts().iter().map(|text| text.as_str().into()).collect(),
            _ => texts.texts().par_iter().map(|text| text_of(&recipe, text)).collect(),
        };
        let all: Vec<Fingerprinted> = parts
            .par_iter()
            .with_min_len(16)
            .map_init(|| fingerprinter.clone(), |own, text| own.fingerprint_in(text, None))
            .collect();
        let codes = Codes::of(&all, &recipe);
        if codes.none_is_near() {
            return Err(Error::TooShort { documents: texts.len(), recipe: recipe.name });
        }
        let by_radius = match self.radii {
            Some(asked) => {
                let k = asked.unwrap_or_else(|| Self::radius(texts.len(), recipe.width));
                Some(curve_of(&codes, k, self.pairs, gold)?)
            }
            None => None,
        };
        let with_recipe = |dedup: Dedup| {
            let dedup = dedup.recipe(recipe.clone()).width(recipe.width);
            match &self.statistics {
                Some(statistics) => dedup.statistics(statistics.clone()),
                None => dedup,
            }
        };
        let by_similarity = match self.similarities {
            Some(least) => {
                let dedup = with_recipe(Dedup::new()).threads(rayon::current_num_threads());
                let all = all_pairs(&dedup, texts.texts(), least, self.pairs)?;
                let measure = least.measure().name();
                let axis = Axis::Similarity(measure);
                Some(Curve::of(&all.nearest, axis, all.cut, gold))
            }
            None => None,
        };
        let dedup = match &self.dedup {
            Some(dedup) => {
                let dedup = with_recipe(dedup.clone());
                let likeness = dedup.criteria()?.likeness;
                let (found, made) = of_setting(&dedup, texts.texts(), self.pairs)?;
                let cases = Cases {
                    ids: texts.ids(),
                    parts: &parts,
                    codes: &codes,
                    fingerprinter,
                    likeness,
                };
                Some(self.setting(&found, &made, cases, gold))
            }
            None => None,
        };
        let (too_short, unlabelled) = (codes.too_short(), texts.unlabelled());
        Ok(Judged { too_short, unlabelled, by_radius, by_similarity, dedup })
    }

    /// Judges fingerprints that are there, by radius alone.
    ///
    /// # Errors
    /// A radius over the width; too many equal fingerprints.
    pub fn stored(codes: &Codes, radius: Option<u32>, gold: &Gold) -> Result<Judged, Error> {
        let k = radius.unwrap_or_else(|| Self::radius(gold.documents(), codes.width()));
        let by_radius = Some(curve_of(codes, k, Self::PAIRS, gold)?);
        let too_short = codes.too_short();
        Ok(Judged { too_short, unlabelled: 0, by_radius, by_similarity: None, dedup: None })
    }

    fn setting(
        &self,
        found: &Nearest,
        made: &Found,
        mut cases: Cases<'_>,
        gold: &Gold,
    ) -> DedupScore {
        let (mut tally, mut wrong) = (Tally::default(), Vec::new());
        for NearPair { a, b, .. } in &found.pairs {
            tally.add(*a, *b, gold);
            if gold.label(*a, *b) == Label::Different {
                wrong.push((*a, *b));
            }
        }
        let seen: HashSet<_> = found.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        let mut missed = Vec::new();
        gold.for_each_same(|a, b| {
            let pair = (a.min(b), a.max(b));
            // So many are looked at that the nearest can be told from them.
            if !seen.contains(&pair) && missed.len() < LOOKED_AT {
                missed.push(pair);
            }
        });
        let nearness = |pair: &(u32, u32)| (cases.codes.distance(pair.0, pair.1), *pair);
        missed.sort_unstable_by_key(nearness);
        wrong.sort_unstable_by_key(|pair| std::cmp::Reverse(nearness(pair)));
        let mut looked_at = |pairs: &[(u32, u32)], found| -> Vec<Case> {
            let pairs = pairs.iter().take(self.cases);
            pairs.map(|(a, b)| cases.of(*a, *b, found)).collect()
        };
        let (missed, wrong) = (looked_at(&missed, false), looked_at(&wrong, true));
        // Documents without a cluster are each in one of their own, behind the numbers of the others.
        let own = u32::try_from(made.summary().clusters).unwrap_or(u32::MAX);
        let numbers = (0..gold.documents()).zip(own..);
        let numbers = numbers.map(|(at, own)| made.cluster_of(at).unwrap_or(own));
        DedupScore {
            pairs: of_tally(&tally, gold),
            clusters: ClusterScore::of(&numbers.collect::<Vec<_>>(), gold),
            kept: made.kept().len() as u64,
            removed: made.removed().len() as u64,
            missed,
            wrong,
        }
    }
}

/// Pairs that were missed among which the nearest are looked for.
const LOOKED_AT: usize = 1_000_000;

fn curve_of(codes: &Codes, k: u32, most: usize, gold: &Gold) -> Result<Curve, Error> {
    let found = codes.within(k, most)?;
    let cut = u32::from(found.end) <= k;
    Ok(Curve::of(&found, Axis::Radius, cut, gold))
}
