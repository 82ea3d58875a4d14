//! How clusters that were found lie across the groups of the labels.

use crate::labels::gold::Gold;
use crate::measures::tally::weight;

/// The documents of each cluster of two or more by their groups, and the groups themselves.
#[derive(Clone, Debug)]
pub(crate) struct Contingency {
    /// Of each cluster its groups with how many of its documents are in each.
    clusters: Vec<Vec<(u32, f64)>>,
    /// The documents of each group.
    sizes: Vec<f64>,
    /// B-cubed precision and recall, summed over the documents of each group.
    cubed: Vec<[f64; 2]>,
}

/// Sums of pairs where groups count so often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums {
    /// Pairs in one cluster and one group.
    pub(crate) both: f64,
    /// Pairs in one cluster.
    pub(crate) clustered: f64,
    /// Pairs in one group.
    pub(crate) grouped: f64,
    /// All pairs.
    pub(crate) all: f64,
}

impl Contingency {
    /// The table of documents that are in clusters of these numbers.
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 documents")]
    pub(crate) fn of(clusters: &[u32], gold: &Gold) -> Self {
        let mut members: Vec<_> = clusters.iter().copied().zip(0_u32..).collect();
        members.sort_unstable();
        let sizes: Vec<_> = gold.sizes().iter().map(|size| *size as f64).collect();
        let mut cubed = vec![[0.0; 2]; sizes.len()];
        let mut found = Vec::new();
        for cluster in members.chunk_by(|a, b| a.0 == b.0) {
            let mut groups: Vec<_> = cluster.iter().map(|(_, one)| gold.group(*one)).collect();
            groups.sort_unstable();
            let parts = groups.chunk_by(|a, b| a == b);
            let parts = parts.filter_map(|part| Some((*part.first()?, part.len() as f64)));
            let parts: Vec<_> = parts.collect();
            for (group, count) in &parts {
                if let Some([precision, recall]) = cubed.get_mut(*group as usize) {
                    *precision += count * count / cluster.len() as f64;
                    *recall += count * count / weight(&sizes, *group).max(1.0);
                }
            }
            if cluster.len() > 1 {
                found.push(parts);
            }
        }
        Self { clusters: found, sizes, cubed }
    }

    /// Clusters of two documents or more.
    pub(crate) fn clusters(&self) -> u64 {
        self.clusters.len() as u64
    }

    /// The groups that have a document in such a cluster.
    pub(crate) fn groups(&self) -> impl Iterator<Item = u32> + '_ {
        self.clusters.iter().flatten().map(|(group, _)| *group)
    }

    pub(crate) fn sums(&self, weights: &[f64]) -> Sums {
        let (mut both, mut clustered) = (0.0, 0.0);
        for parts in &self.clusters {
            let (mut sum, mut squares, mut within) = (0.0, 0.0, 0.0);
            for (group, count) in parts {
                let weight = weight(weights, *group);
                sum += weight * count;
                squares += (weight * count).powi(2);
                within += weight * pairs(*count);
            }
            both += within;
            clustered += within + (sum * sum - squares) / 2.0;
        }
        let weighed = |of: fn(f64) -> f64| -> f64 {
            self.sizes.iter().zip(weights).map(|(size, weight)| weight * of(*size)).sum()
        };
        Sums { both, clustered, grouped: weighed(pairs), all: pairs(weighed(|size| size)) }
    }

    /// B-cubed precision and recall: of each document the share of its cluster that is of its group, and the
    /// share of its group that is in its cluster, on average over documents.
    pub(crate) fn cubed(&self, weights: &[f64]) -> [f64; 2] {
        let (mut documents, mut precision, mut recall) = (0.0, 0.0, 0.0);
        for ((size, [p, r]), weight) in self.sizes.iter().zip(&self.cubed).zip(weights) {
            documents += weight * size;
            precision += weight * p;
            recall += weight * r;
        }
        [precision / documents, recall / documents]
    }
}

impl Sums {
    /// The adjusted Rand index: 1 for equal clusterings, 0 on average for random ones of these sizes.
    pub(crate) fn adjusted_rand(&self) -> f64 {
        let Self { both, clustered, grouped, all } = *self;
        let expected = clustered * grouped / all;
        let most = f64::midpoint(clustered, grouped);
        if (most - expected).abs() < 1e-12 { 1.0 } else { (both - expected) / (most - expected) }
    }
}

/// The pairs among so many documents.
fn pairs(documents: f64) -> f64 {
    (documents * (documents - 1.0) / 2.0).max(0.0)
}
