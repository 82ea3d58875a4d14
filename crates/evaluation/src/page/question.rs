//! A pair that a person is asked about, drawn from a band of similarity.

use crate::sampling::draw::place;
use crate::sampling::survey::Survey;
use nearprint_dedup::RecordNumber;
use serde::Serialize;
use std::collections::BTreeMap;

/// Bands of similarity from the least that is asked about to 1, of this width.
const BAND: f64 = 0.02;
/// How far below the similarity to take, and above it, pairs are asked about.
const AROUND: f64 = 0.3;

/// A pair of documents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Question {
    /// The record of the one that comes first.
    pub a: RecordNumber,
    /// The record of the other.
    pub b: RecordNumber,
    /// The Jaccard similarity of their features.
    pub similarity: f64,
    /// How many pairs of the whole corpus it stands for: those of its band, over those that were drawn.
    pub weight: f64,
}

impl Survey {
    /// At most `count` pairs within 0.3 of a similarity, as many from each band of similarity as there are, so that
    /// also rare similarities are asked about; each band's are drawn at random, the same for the same seed.
    ///
    /// # Complexity
    /// One sort of the pairs that were seen.
    #[must_use]
    pub fn questions(&self, count: usize, around: f64, seed: u64) -> Vec<Question> {
        let mut bands: BTreeMap<u32, Vec<(u64, Question)>> = BTreeMap::new();
        let mut seen: BTreeMap<u32, f64> = BTreeMap::new();
        for pair in &self.pairs {
            let Some(drawn) = self.drawn.get(pair.drawn as usize) else { continue };
            if (pair.similarity - around).abs() > AROUND {
                continue;
            }
            let band = band(pair.similarity);
            *seen.entry(band).or_default() += self.pairs_of_one();
            let (a, b) = (*drawn.min(&pair.other), *drawn.max(&pair.other));
            let order = place(a.0, seed ^ place(b.0, seed));
            let question = Question { a, b, similarity: pair.similarity, weight: 0.0 };
            bands.entry(band).or_default().push((order, question));
        }
        for drawn in bands.values_mut() {
            drawn.sort_by_key(|(order, question)| (*order, question.a, question.b));
            // Of a pair of two drawn documents each saw the other.
            drawn.dedup_by_key(|(_, question)| (question.a, question.b));
        }
        let most = most_of_each(bands.values().map(Vec::len), count);
        let mut questions: Vec<Question> = Vec::new();
        for (band, drawn) in bands {
            let taken = drawn.len().min(most);
            let weight = seen.get(&band).copied().unwrap_or(0.0) / float(taken.max(1));
            questions
                .extend(drawn.into_iter().take(taken).map(|(_, one)| Question { weight, ..one }));
        }
        questions.sort_by(|a, b| {
            a.similarity.total_cmp(&b.similarity).then(a.a.cmp(&b.a)).then(a.b.cmp(&b.b))
        });
        questions
    }
}

/// How many are taken of each band, so that they are not more than `count` together.
fn most_of_each(sizes: impl Iterator<Item = usize> + Clone, count: usize) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high).div_ceil(2);
        let together: usize = sizes.clone().map(|size| size.min(middle)).sum();
        if together <= count { low = middle } else { high = middle - 1 }
    }
    low
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a hundred")]
fn band(similarity: f64) -> u32 {
    (similarity / BAND + 1e-9) as u32
}

#[expect(clippy::cast_precision_loss, reason = "a count")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::pairs::SeenPair;

    /// 10 documents, all drawn; a pair of each two of them.
    fn survey() -> Survey {
        let drawn: Vec<RecordNumber> = (0..10).map(RecordNumber).collect();
        let mut pairs = Vec::new();
        for (at, a) in (0..).zip(&drawn) {
            for b in drawn.iter().filter(|b| *b != a) {
                let similarity = if a.0.min(b.0) == 0 { 0.61 } else { 0.91 };
                pairs.push(SeenPair { drawn: at, other: *b, similarity, distances: [0; 3] });
            }
        }
        Survey {
            documents: 10,
            read: 1.0,
            visible: 1.0,
            comparable: 10,
            short: 0,
            drawn,
            pairs,
            codes: Vec::new(),
            far: Vec::new(),
            far_share: 1.0,
            widths: Vec::new(),
            sources: Vec::new(),
            unseen: None,
            skipped: nearprint_dedup::ByReason::default(),
            repeated_ids: 0,
        }
    }

    #[test]
    fn each_band_gives_as_many_and_weights_undo_the_drawing() {
        let survey = survey();
        let asked = survey.questions(12, 0.8, 5);
        let of = |similarity: f64| asked.iter().filter(move |one| one.similarity == similarity);
        // 9 pairs of 0.61 and 36 of 0.91.
        assert_eq!((of(0.61).count(), of(0.91).count()), (6, 6));
        assert!((of(0.61).map(|one| one.weight).sum::<f64>() - 9.0).abs() < 1e-9);
        assert!((of(0.91).map(|one| one.weight).sum::<f64>() - 36.0).abs() < 1e-9);
        assert!(asked.iter().all(|one| one.a < one.b));
        assert_eq!(survey.questions(12, 0.8, 5), asked);
        assert_ne!(survey.questions(12, 0.8, 6), asked);
        assert_eq!(survey.questions(100, 0.8, 5).len(), 45);
        assert_eq!(survey.questions(100, 1.0, 5).len(), 36, "0.61 is too far from 1");
    }
}
