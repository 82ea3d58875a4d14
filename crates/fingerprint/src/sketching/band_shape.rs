//! How many bands of how many rows a sketch has, and which pairs they find.

use crate::error::BandError;

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

    /// Bits that a row gives to the key of its band.
    pub(crate) const fn row_bits(self) -> u32 {
        8 * 5 / self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
