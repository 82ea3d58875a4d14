//! How clusters agree with labels: their pairs, the adjusted Rand index, B-cubed.

use crate::labels::gold::Gold;
use crate::labels::label::Label;
use crate::labels::labels::Unlisted;
use crate::measures::contingency::Contingency;
use crate::measures::pair_score::{PairScore, score};
use crate::measures::score::{Score, estimate, f1, figures};
use crate::measures::tally::{distinct, weight};
use crate::statistics::estimate::Estimate;
use crate::statistics::interval::wilson;
use crate::statistics::resampling::Resampling;
use foldhash::HashMap;
use serde::Serialize;

/// How well clusters agree with the labels.
///
/// # Examples
/// ```
/// use nearprint_evaluation::{ClusterScore, Gold, Labels, Unlisted};
///
/// let labels = [("a", "1"), ("b", "1"), ("c", "2"), ("d", "2")];
/// let labels = labels.map(|(id, cluster)| (id.to_owned(), cluster.to_owned()));
/// let ids = ["a", "b", "c", "d"].map(str::to_owned);
/// let gold = Gold::of(&Labels::of_clusters(labels)?, &ids, Unlisted::Different)?;
/// // sklearn.metrics.adjusted_rand_score([0, 0, 1, 1], [0, 0, 1, 2])
/// let score = ClusterScore::of(&[0, 0, 1, 2], &gold);
/// assert!((score.adjusted_rand.value - 0.571_428_571_428_571).abs() < 1e-12);
/// assert_eq!((score.b_cubed.precision.value, score.b_cubed.recall.value), (1.0, 0.75));
/// # Ok::<(), nearprint_evaluation::Error>(())
/// ```
///
/// # References
/// Hubert, Arabie, "Comparing Partitions", Journal of Classification 2 (1985), for the index; Amigó et al.,
/// "A Comparison of Extrinsic Clustering Evaluation Metrics", Information Retrieval 12 (2009), for B-cubed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClusterScore {
    /// Clusters of two documents or more.
    pub clusters: u64,
    /// Every two documents of one cluster, as pairs.
    pub pairs: PairScore,
    /// The adjusted Rand index. The groups of labels that are pairs are what those that are the same connect.
    pub adjusted_rand: Estimate,
    /// B-cubed precision, recall and F1 beside these groups, over documents.
    pub b_cubed: Score,
}

impl ClusterScore {
    /// Judges clusters: the number of the cluster of each document.
    ///
    /// # Complexity
    /// One sort, and 500 passes over groups, clusters and the pairs that are listed and in one cluster.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 documents")]
    pub fn of(clusters: &[u32], gold: &Gold) -> Self {
        let table = Contingency::of(clusters, gold);
        let cluster = |one: u32| clusters.get(one as usize);
        // Listed pairs that are in one cluster, but for those that contingency tells.
        let inside = gold.listed().filter(|((a, b), _)| cluster(*a) == cluster(*b));
        let mut counts = HashMap::default();
        for ((a, b), said) in inside {
            *counts.entry((said, gold.group(a), gold.group(b))).or_insert(0.0) += 1.0;
        }
        let mut inside: Vec<_> = counts.into_iter().collect();
        inside.sort_unstable_by_key(|one| one.0);
        let counted = |weights: &[f64], clustered: f64, both: f64| {
            let weighed = |label| -> f64 {
                let of = inside.iter().filter(|((said, ..), _)| *said == label);
                of.map(|((_, x, y), count)| {
                    let (of_x, of_y) = (weight(weights, *x), weight(weights, *y));
                    count * if x == y { of_x } else { of_x * of_y }
                })
                .sum()
            };
            match (gold.is_by_pairs(), gold.unlisted()) {
                (false, _) => (both, clustered),
                (true, Unlisted::Different) => {
                    (weighed(Label::Same), clustered - weighed(Label::Grey))
                }
                (true, Unlisted::Ignored) => {
                    let right = weighed(Label::Same);
                    (right, right + weighed(Label::Different))
                }
            }
        };
        let same: Vec<_> = gold.same().iter().map(|same| *same as f64).collect();
        let all = |weights: &[f64]| {
            let sums = table.sums(weights);
            let same: f64 = same.iter().zip(weights).map(|(same, weight)| same * weight).sum();
            let (right, found) = counted(weights, sums.clustered, sums.both);
            let [precision, recall] = table.cubed(weights);
            let [p, r, f] = figures(right, found, same);
            vec![p, r, f, sums.adjusted_rand(), precision, recall, f1(precision, recall)]
        };
        let drawn = Resampling::new(gold.sizes().len()).intervals(all);
        let once = vec![1.0; gold.sizes().len()];
        let sums = table.sums(&once);
        let (right, found) = counted(&once, sums.clustered, sums.both);
        let counts = [right, found - right].map(whole);
        let found_in = distinct(table.groups());
        let same_in = gold.same().iter().filter(|same| **same > 0).count() as u64;
        let groups = gold.sizes().len() as u64;
        let values = all(&once);
        let other = |at: usize, groups| {
            let value = values.get(at).copied().unwrap_or(f64::NAN);
            let interval = drawn.get(at).copied();
            estimate(value, interval.unwrap_or_else(|| wilson(value, 0.0)), groups)
        };
        Self {
            clusters: table.clusters(),
            pairs: score(counts, gold.same_pairs(), &drawn, [found_in, same_in]),
            adjusted_rand: other(3, same_in),
            b_cubed: Score {
                precision: other(4, groups),
                recall: other(5, groups),
                f1: other(6, groups),
            },
        }
    }
}

/// A count that was computed as a sum of weights of 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
fn whole(count: f64) -> u64 {
    count.round().max(0.0) as u64
}
