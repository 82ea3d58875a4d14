//! Scores over radii or similarities, from the strictest to the loosest.

use crate::found::closest::Nearest;
use crate::found::level::threshold;
use crate::labels::gold::Gold;
use crate::measures::cluster_score::ClusterScore;
use crate::measures::pair_score::{PairScore, by_step};
use nearprint_index::UnionFind;
use serde::Serialize;

/// What a point of a curve asks of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// Fingerprints that differ in at most so many bits.
    K(u32),
    /// A similarity of at least this, in the measure of the curve.
    Similarity(f64),
}

/// What a curve goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    Radius,
    /// A similarity in this measure.
    Similarity(&'static str),
}

/// The scores at one limit.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The limit.
    #[serde(flatten)]
    pub limit: Limit,
    /// All pairs that keep to it.
    pub pairs: PairScore,
    /// What these pairs connect.
    pub clusters: ClusterScore,
}

/// Scores at each limit, the strictest first.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// What its similarities are: `jaccard`, `cosine` or `weighted-jaccard`; `None` of a curve by radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<&'static str>,
    /// The points.
    pub points: Vec<Point>,
    /// Whether the curve ends before the limit that was asked for, as too many pairs keep to looser ones.
    pub cut: bool,
}

impl Curve {
    pub(crate) fn of(nearest: &Nearest, axis: Axis, cut: bool, gold: &Gold) -> Self {
        let count = u32::try_from(gold.documents()).unwrap_or(u32::MAX);
        let sets = UnionFind::new(count);
        let mut pairs = nearest.pairs.iter().peekable();
        let mut clusters: Option<ClusterScore> = None;
        let points = (0..nearest.end).zip(by_step(nearest, gold)).map(|(step, of_pairs)| {
            let mut joined = false;
            while let Some(pair) = pairs.next_if(|pair| pair.level == step) {
                joined |= sets.find(pair.a) != sets.find(pair.b);
                sets.union(pair.a, pair.b);
            }
            let of_clusters = match clusters {
                Some(before) if !joined => before,
                _ => {
                    let numbers: Vec<_> = (0..count).map(|one| sets.find(one)).collect();
                    ClusterScore::of(&numbers, gold)
                }
            };
            clusters = Some(of_clusters);
            let limit = match axis {
                Axis::Radius => Limit::K(step.into()),
                Axis::Similarity(_) => Limit::Similarity(threshold(step)),
            };
            Point { limit, pairs: of_pairs, clusters: of_clusters }
        });
        let points = points.collect();
        let measure = match axis {
            Axis::Radius => None,
            Axis::Similarity(measure) => Some(measure),
        };
        Self { measure, points, cut }
    }

    /// The point of the best F1 of pairs; the strictest of equals.
    #[must_use]
    pub fn best(&self) -> Option<&Point> {
        let f1 = |point: &Point| point.pairs.score.f1.value;
        self.points.iter().reduce(|best, one| if f1(one) > f1(best) { one } else { best })
    }
}
