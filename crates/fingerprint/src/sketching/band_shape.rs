//! How many bands of how many rows a sketch has, which pairs they find, and how alike two sketches are.

use crate::error::BandError;
use nearprint_bits::Width;

/// Numbers of rows whose values fill the 40 bits of a band.
const ROWS: [u32; 4] = [4, 5, 8, 10];
/// Rows are as many as it takes until a band finds this many times fewer pairs than one of no rows
/// would.
const CONTRAST: f64 = 3.0;

/// The bands of a sketch: two sets are candidates where they agree in all rows of at least one band.
///
/// A row agrees with a probability of the Jaccard similarity of the sets, so a pair of similarity `s` is
/// found with probability `1 - (1 - s^rows)^bands` (Broder, "On the resemblance and containment of
/// documents", SEQUENCES 1997; Leskovec, Rajaraman, Ullman, "Mining of Massive Datasets", 3.4).
///
/// # Examples
/// ```
/// use nearprint_fingerprint::BandShape;
///
/// let shape = BandShape::for_similarity(0.8, 0.999)?;
/// assert_eq!((shape.bands(), shape.rows()), (18, 5));
/// assert!(shape.recall(0.8) > 0.999 && shape.recall(0.85) > 0.99996);
/// assert_eq!(shape.bytes(), 90);
/// # Ok::<(), nearprint_fingerprint::BandError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BandShape {
    bands: u32,
    rows: u32,
}

impl BandShape {
    /// The version of sketches: the same keys and shape give the same bytes in every release that says
    /// the same version.
    pub const VERSION: u32 = 1;
    /// The least similarity that bands look for: below it there would be too many of them.
    pub const LEAST_SIMILARITY: f64 = 0.3;
    /// The similarity of near-duplicates where nobody asks for another, here and in every program.
    pub const SIMILARITY: f64 = 0.8;
    /// The share of the pairs of exactly the similarity that bands find, where nobody asks for another.
    pub const RECALL: f64 = 0.999;
    /// The width of fingerprints beside bands, where nobody asks for another.
    pub const WIDTH: Width = Width::W128;
    /// Bytes of the key of a band.
    pub const KEY_BYTES: usize = 5;

    /// The fewest bands that find pairs of at least this Jaccard similarity with at least this
    /// probability, `recall`.
    ///
    /// Rows are few: a band of few rows is cheap to verify and finds more. There are about
    /// `ln 3 / -ln similarity` of them, so that pairs far below the similarity seldom meet.
    ///
    /// # Errors
    /// A similarity outside [`LEAST_SIMILARITY`](Self::LEAST_SIMILARITY) to 1; a recall that is not above
    /// 0 and below 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 1000")]
    pub fn for_similarity(similarity: f64, recall: f64) -> Result<Self, BandError> {
        if !(Self::LEAST_SIMILARITY..=1.0).contains(&similarity) {
            return Err(BandError::Similarity { similarity, least: Self::LEAST_SIMILARITY });
        }
        if !(recall > 0.0 && recall < 1.0) {
            return Err(BandError::Recall { recall });
        }
        let wanted = (CONTRAST.ln() / (1.0 / similarity).ln()).min(f64::from(ROWS[ROWS.len() - 1]));
        let distance = |rows: &u32| (f64::from(*rows) - wanted).abs();
        let rows = ROWS.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let rows = rows.unwrap_or(ROWS[0]);
        let agree = similarity.powi(rows.cast_signed());
        let bands = ((1.0 - recall).ln() / (1.0 - agree).ln()).ceil();
        Ok(Self { bands: (bands as u32).max(1), rows })
    }

    /// The number of bands.
    #[must_use]
    pub const fn bands(self) -> u32 {
        self.bands
    }

    /// The number of rows of each band.
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// Bytes of a sketch.
    #[must_use]
    pub const fn bytes(self) -> usize {
        Self::KEY_BYTES * self.bands as usize
    }

    /// The probability that a pair of this Jaccard similarity agrees in at least one band.
    #[must_use]
    pub fn recall(self, similarity: f64) -> f64 {
        let misses = 1.0 - similarity.clamp(0.0, 1.0).powi(self.rows.cast_signed());
        1.0 - misses.powi(self.bands.cast_signed())
    }

    /// The Jaccard similarity of two sets, as their sketches of this shape tell it: the share of rows that
    /// agree, less what agrees by chance. 0 where one is no such sketch.
    ///
    /// For a similarity `s` the standard error is at most `sqrt(s (1 - s) / (bands * rows))` for sets of any
    /// size: 0.042 at 0.8 and 90 rows.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{BandShape, BandSketcher};
    ///
    /// let shape = BandShape::for_similarity(0.8, 0.999)?;
    /// let mut sketcher = BandSketcher::new(shape);
    /// let mut sketch = |keys: std::ops::Range<u64>| {
    ///     let mut bytes = Vec::new();
    ///     sketcher.sketch(&keys.collect::<Vec<_>>(), &mut bytes);
    ///     bytes
    /// };
    /// let (a, b, c) = (sketch(0..100), sketch(10..110), sketch(200..300));
    /// assert_eq!(shape.similarity(&a, &a), 1.0);
    /// assert!((shape.similarity(&a, &b) - 90.0 / 110.0).abs() < 0.13);
    /// assert!(shape.similarity(&a, &c) < 0.1);
    /// # Ok::<(), nearprint_fingerprint::BandError>(())
    /// ```
    ///
    /// # References
    /// Li, König, "b-bit minwise hashing", WWW 2010, for what agrees by chance.
    #[must_use]
    pub fn similarity(self, a: &[u8], b: &[u8]) -> f64 {
        if a.len() != self.bytes() || b.len() != self.bytes() {
            return 0.0;
        }
        let (bits, rows) = (self.row_bits(), self.bands * self.rows);
        let of_row = (1_u64 << bits) - 1;
        let keys =
            |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |key, byte| key << 8 | u64::from(*byte));
        let bands = a.chunks_exact(Self::KEY_BYTES).zip(b.chunks_exact(Self::KEY_BYTES));
        let equal: u32 = bands
            .map(|(a, b)| {
                let differ = keys(a) ^ keys(b);
                let equal = (0..self.rows).filter(|row| differ >> (row * bits) & of_row == 0);
                u32::try_from(equal.count()).unwrap_or(0)
            })
            .sum();
        let chance = 1.0 / f64::from(1_u32 << bits);
        let share = f64::from(equal) / f64::from(rows);
        ((share - chance) / (1.0 - chance)).max(0.0)
    }

    /// The probability that the sketches of a pair of this Jaccard similarity [estimate](Self::similarity) it as
    /// `least` or more: what a verdict by sketches alone calls a near-duplicate. Rows of large sets agree independently
    /// of each other, so how many do is binomial; of small sets estimates are nearer to the similarity.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::BandShape;
    ///
    /// let shape = BandShape::for_similarity(0.8, 0.999)?;
    /// let at = |similarity| shape.estimated(similarity, 0.8);
    /// assert!((0.4..0.6).contains(&at(0.8)), "at the threshold it is no better than a coin");
    /// assert!(at(0.7) < 0.02 && at(0.9) > 0.99);
    /// # Ok::<(), nearprint_fingerprint::BandError>(())
    /// ```
    #[must_use]
    pub fn estimated(self, similarity: f64, least: f64) -> f64 {
        let rows = self.bands * self.rows;
        let chance = 1.0 / f64::from(1_u32 << self.row_bits());
        let share = |similarity: f64| chance + (1.0 - chance) * similarity.clamp(0.0, 1.0);
        let (agrees, wanted) = (share(similarity), share(least) * f64::from(rows) - 1e-9);
        if agrees >= 1.0 {
            return 1.0;
        }
        // From none of the rows on.
        let (odds, mut log) =
            ((agrees / (1.0 - agrees)).ln(), f64::from(rows) * (1.0 - agrees).ln());
        let mut sum = 0.0;
        for equal in 0..=rows {
            if f64::from(equal) >= wanted {
                sum += log.exp();
            }
            log += odds + f64::from(rows - equal).ln() - f64::from(equal + 1).ln();
        }
        sum.min(1.0)
    }

    /// Bits that a row gives to the key of its band.
    pub(crate) const fn row_bits(self) -> u32 {
        8 * 5 / self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_bits::mix64;

    #[test]
    fn sketches_tell_the_similarity_within_their_error() {
        for (similarity, recall) in [(0.5, 0.9), (0.7, 0.9), (0.8, 0.999), (0.9, 0.99)] {
            let shape = BandShape::for_similarity(similarity, recall).unwrap();
            let mut sketcher = crate::sketching::band_sketcher::BandSketcher::new(shape);
            for (shared, own) in [(0, 50), (30, 35), (80, 10), (700, 150), (95, 0)] {
                let mut sketch = |from: u64, trial: u64| {
                    let keys =
                        (0..shared).chain(from..from + own).map(|key| mix64(key ^ trial << 32));
                    let mut bytes = Vec::new();
                    sketcher.sketch(&keys.collect::<Vec<_>>(), &mut bytes);
                    bytes
                };
                let told: Vec<f64> = (1..=200)
                    .map(|trial| shape.similarity(&sketch(1000, trial), &sketch(5000, trial)))
                    .collect();
                let truth = shared as f64 / (shared + 2 * own) as f64;
                let mean = told.iter().sum::<f64>() / 200.0;
                let rows = f64::from(shape.bands() * shape.rows());
                // What agrees by chance varies too; an estimate is a whole number of rows, and never below 0.
                let chance = 0.5_f64.powi(shape.row_bits().cast_signed());
                let error = ((truth * (1.0 - truth) + chance) / rows).sqrt();
                assert!(
                    (mean - truth).abs() < 4.0 * error / 200_f64.sqrt() + chance / 4.0,
                    "{shape:?}: {mean} {truth}"
                );
                let far = told
                    .iter()
                    .filter(|one| (**one - truth).abs() > 3.0 * error + 1.0 / rows)
                    .count();
                assert!(far <= 5, "{shape:?}, {truth}: {far}");
            }
            assert_eq!(shape.similarity(&[0; 5], &[0; 5]), 0.0);
        }
    }

    #[test]
    fn as_many_estimates_reach_a_similarity_as_is_said() {
        const TRIALS: u64 = 300;
        for (least, recall) in [(0.5, 0.9), (0.8, 0.999), (0.9, 0.99)] {
            let shape = BandShape::for_similarity(least, recall).unwrap();
            let mut sketcher = crate::sketching::band_sketcher::BandSketcher::new(shape);
            for (shared, own) in [(2000, 180), (2000, 240), (2000, 300), (1200, 600)] {
                let mut sketch = |from: u64, trial: u64| {
                    let keys =
                        (0..shared).chain(from..from + own).map(|key| mix64(key ^ trial << 32));
                    let mut bytes = Vec::new();
                    sketcher.sketch(&keys.collect::<Vec<_>>(), &mut bytes);
                    bytes
                };
                let reached = (1..=TRIALS).filter(|trial| {
                    shape.similarity(&sketch(10_000, *trial), &sketch(50_000, *trial)) >= least
                });
                let truth = shared as f64 / (shared + 2 * own) as f64;
                let (told, found) = (shape.estimated(truth, least), reached.count() as f64);
                let error = (told * (1.0 - told) / TRIALS as f64).sqrt();
                let found = found / TRIALS as f64;
                assert!(
                    (found - told).abs() < 4.5 * error + 2e-3,
                    "{shape:?}, {truth}: {found} {told}"
                );
            }
        }
    }

    #[test]
    fn the_fewest_bands_reach_the_recall() {
        for similarity in [0.3, 0.45, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.999] {
            for recall in [0.5, 0.9, 0.99, 0.999, 0.9999] {
                let shape = BandShape::for_similarity(similarity, recall).unwrap();
                assert!(shape.recall(similarity) >= recall, "{similarity} {recall} {shape:?}");
                let fewer = BandShape { bands: shape.bands - 1, ..shape };
                assert!(fewer.recall(similarity) < recall, "{similarity} {recall} {shape:?}");
                assert_eq!(shape.row_bits() * shape.rows(), 40);
            }
        }
        let shape = |similarity, recall| {
            let BandShape { bands, rows } = BandShape::for_similarity(similarity, recall).unwrap();
            (bands, rows)
        };
        assert_eq!(shape(0.7, 0.999), (26, 4));
        assert_eq!(shape(0.8, 0.99), (12, 5));
        assert_eq!(shape(0.9, 0.999), (17, 10));
        assert_eq!(shape(1.0, 0.999), (1, 10));
    }

    #[test]
    fn what_no_bands_find_is_refused() {
        for similarity in [0.29, 1.01, f64::NAN, -1.0] {
            let error = BandShape::for_similarity(similarity, 0.9).unwrap_err();
            assert!(matches!(error, BandError::Similarity { .. }), "{similarity}");
        }
        for recall in [0.0, 1.0, 1.5, -0.1, f64::NAN] {
            let error = BandShape::for_similarity(0.8, recall).unwrap_err();
            assert!(matches!(error, BandError::Recall { .. }), "{recall}");
        }
    }
}
