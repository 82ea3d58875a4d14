//! How far apart near-duplicate pairs are, and how similar: counters, however many pairs there are.

use serde::{Deserialize, Serialize};

/// Counts of the pairs that were accepted: within the radius and past the check, of documents whose
/// contents differ.
///
/// Where clusters are stars these are all near-duplicate pairs; where they are what is connected,
/// the pairs that joined them.
///
/// Memory: a counter for each distance up to the greatest, and [`PARTS`](Self::PARTS) more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairHistograms {
    /// Pairs at each distance, from 0 on.
    pub distances: Vec<u64>,
    /// Pairs by their similarity in the measure of the check, in [`PARTS`](Self::PARTS) equal parts from 0 to 1, of which
    /// the last holds 1 too; empty where pairs are not verified.
    pub similarities: Vec<u64>,
}

impl PairHistograms {
    /// Into how many parts the similarities from 0 to 1 are cut.
    pub const PARTS: usize = 100;

    /// Counts a pair, with its similarity where it was verified.
    pub(crate) fn add(&mut self, distance: u32, similarity: Option<f64>) {
        count(&mut self.distances, distance as usize);
        if let Some(similarity) = similarity {
            #[expect(clippy::cast_precision_loss, reason = "a hundred")]
            let parts = Self::PARTS as f64;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a similarity is from 0 to 1, and what is not is held there"
            )]
            let part = (similarity.clamp(0.0, 1.0) * parts) as usize;
            self.similarities.resize(Self::PARTS, 0);
            count(&mut self.similarities, part.min(Self::PARTS - 1));
        }
    }

    /// The number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.distances.iter().sum()
    }
}

/// Adds 1 to the counter at `at`, which comes into being with those before it.
fn count(counters: &mut Vec<u64>, at: usize) {
    if counters.len() <= at {
        counters.resize(at + 1, 0);
    }
    if let Some(counter) = counters.get_mut(at) {
        *counter += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_counted_in_its_part() {
        let mut pairs = PairHistograms::default();
        for (distance, similarity) in [(3, 0.805), (0, 1.0), (3, 0.8), (1, 0.0)] {
            pairs.add(distance, Some(similarity));
        }
        assert_eq!((pairs.distances.as_slice(), pairs.pairs()), (&[1, 1, 0, 2][..], 4));
        assert_eq!(pairs.similarities.len(), PairHistograms::PARTS);
        assert_eq!([0, 79, 80, 99].map(|part| pairs.similarities[part]), [1, 0, 2, 1]);
        let mut unverified = PairHistograms::default();
        unverified.add(2, None);
        assert!(unverified.similarities.is_empty());
    }
}
