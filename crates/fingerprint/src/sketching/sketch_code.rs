//! 128 bits of a sketch, whose distance tells how alike two sets are: what keeps apart documents that agree in a band
//! by chance. How sketches are made is handled by `band_sketcher`.

use crate::sketching::band_shape::BandShape;
use nearprint_bits::Fingerprint128;

/// Bits of a code.
const BITS: usize = 128;

/// A key of a band as a number.
fn number([a, b, c, d, e]: [u8; BandShape::KEY_BYTES]) -> u64 {
    u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
}

impl BandShape {
    /// The code of a sketch of this shape: the lowest bit of each of its rows, then the next bit of each, until there
    /// are 128 or none is left.
    ///
    /// Two sets of the Jaccard similarity J agree in a row with the probability J. Else each bit of the row differs with
    /// the probability 1/2, as it is one of a hash. So the distance of two codes tells J as a fingerprint tells the
    /// angle: see [`code_recall`](Self::code_recall). A code costs nothing where there is a sketch.
    ///
    /// # Complexity
    /// A few steps a band.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{BandShape, BandSketcher};
    ///
    /// let shape = BandShape::for_similarity(0.8, 0.999)?;
    /// let mut sketcher = BandSketcher::new(shape);
    /// let mut code = |keys: std::ops::Range<u64>| {
    ///     let mut sketch = Vec::new();
    ///     sketcher.sketch(&keys.collect::<Vec<_>>(), &mut sketch);
    ///     shape.code(&sketch)
    /// };
    /// let radius = shape.code_radius(0.8, 0.9999);
    /// assert!(code(0..400).distance(&code(20..420)) <= radius, "a Jaccard similarity of 0.9");
    /// assert!(code(0..400).distance(&code(300..700)) > radius, "a Jaccard similarity of 0.14");
    /// # Ok::<(), nearprint_fingerprint::BandError>(())
    /// ```
    ///
    /// # References
    /// Li, König, "b-bit minwise hashing", WWW 2010.
    #[must_use]
    pub fn code(self, sketch: &[u8]) -> Fingerprint128 {
        let (keys, _) = sketch.as_chunks::<{ BandShape::KEY_BYTES }>();
        let (bits, rows) = (self.row_bits(), self.rows());
        let of_level = (0..rows).fold(0, |mask, row| mask | 1_u64 << (row * bits));
        let (mut code, mut at) = (0_u128, 0);
        for level in 0..bits {
            for key in keys {
                if at >= BITS {
                    break;
                }
                let spread = number(*key) >> level & of_level;
                code |= u128::from(gathered(spread, bits, rows)) << at;
                at += rows as usize;
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        Fingerprint128::from_words([code as u64, (code >> 64) as u64])
    }

    /// The probability that the codes of a pair of this Jaccard similarity differ in at most `radius` bits.
    ///
    /// Pairs that agree in a band are nearer to each other than that says, as it does not know of the band.
    ///
    /// # Complexity
    /// A few thousand steps; as many more as `radius` is greater.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::BandShape;
    ///
    /// let shape = BandShape::for_similarity(0.8, 0.999)?;
    /// let at = |similarity| shape.code_recall(similarity, 29);
    /// assert!(at(0.8) > 0.9999 && at(0.6) < 0.8 && at(0.3) < 1e-2);
    /// # Ok::<(), nearprint_fingerprint::BandError>(())
    /// ```
    #[must_use]
    pub fn code_recall(self, similarity: f64, radius: u32) -> f64 {
        self.distances(similarity, BITS.min(radius as usize)).iter().sum::<f64>().min(1.0)
    }

    /// The least radius within which the share `least` of the pairs of a Jaccard similarity have their codes.
    ///
    /// # Complexity
    /// As [`code_recall`](Self::code_recall).
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::BandShape;
    /// use nearprint_fingerprint::estimate::BESIDE_BANDS;
    ///
    /// let shape = BandShape::for_similarity(0.8, 0.999)?;
    /// let radius = shape.code_radius(0.8, BESIDE_BANDS);
    /// assert!(shape.code_recall(0.8, radius) >= BESIDE_BANDS);
    /// assert!(shape.code_recall(0.8, radius - 1) < BESIDE_BANDS);
    /// # Ok::<(), nearprint_fingerprint::BandError>(())
    /// ```
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "128")]
    pub fn code_radius(self, similarity: f64, least: f64) -> u32 {
        let mut within = 0.0;
        let distances = self.distances(similarity, BITS);
        let beyond = (0..).zip(distances).find(|(_, probability)| {
            within += probability;
            within >= least
        });
        beyond.map_or(BITS as u32, |(radius, _)| radius)
    }

    /// How probable each distance up to `most` is of the codes of a pair of this Jaccard similarity.
    fn distances(self, similarity: f64, most: usize) -> Vec<f64> {
        let (rows, bits) = ((self.bands() * self.rows()) as usize, self.row_bits() as usize);
        let equal = similarity.clamp(0.0, 1.0);
        let mut all = vec![0.0; most + 1];
        if let Some(none) = all.first_mut() {
            *none = 1.0;
        }
        // The first rows give a bit more than the others.
        let levels = BITS / rows;
        for (count, taken) in [(BITS % rows, levels + 1), (rows - BITS % rows, levels)] {
            let taken = taken.min(bits);
            let of_row: Vec<f64> = (0..=taken)
                .map(|differ| {
                    let differs = (1.0 - equal) * half_of(taken, differ);
                    if differ == 0 { equal + differs } else { differs }
                })
                .collect();
            for _ in 0..if taken == 0 { 0 } else { count } {
                for distance in (0..=most).rev() {
                    let before = all.get(distance.saturating_sub(taken)..=distance);
                    let before = before.unwrap_or_default().iter().rev();
                    let sum = before.zip(&of_row).map(|(before, of_row)| before * of_row).sum();
                    if let Some(probability) = all.get_mut(distance) {
                        *probability = sum;
                    }
                }
            }
        }
        all
    }
}

/// The probability that so many of some tosses of a coin are heads.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "ten at most"
)]
fn half_of(tosses: usize, heads: usize) -> f64 {
    let ways = (1..=heads).fold(1.0, |ways, at| ways * (tosses + 1 - at) as f64 / at as f64);
    ways * 0.5_f64.powi(tosses as i32)
}

/// The bits of `spread` at the multiples of `bits`, side by side: so many `rows`.
fn gathered(spread: u64, bits: u32, rows: u32) -> u64 {
    if rows < bits {
        // Each is sent to its place by one of the terms, and no two terms meet.
        let terms = (0..rows).fold(0, |terms, row| terms | 1_u64 << (row * (bits - 1)));
        return spread.wrapping_mul(terms) >> ((rows - 1) * (bits - 1)) & ((1 << rows) - 1);
    }
    (0..rows).fold(0, |gathered, row| gathered | (spread >> (row * bits) & 1) << row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketching::band_sketcher::BandSketcher;
    use nearprint_bits::mix64;
    use proptest::prelude::*;

    fn shapes() -> Vec<BandShape> {
        let settings =
            [(0.8, 0.999), (0.5, 0.9), (0.7, 0.99), (0.9, 0.999), (1.0, 0.9), (0.3, 0.99)];
        let shape = |(similarity, recall)| BandShape::for_similarity(similarity, recall).unwrap();
        settings.map(shape).into()
    }

    /// The definition, a row and a bit after the other.
    fn plain(shape: BandShape, sketch: &[u8]) -> Fingerprint128 {
        let (bits, rows) = (shape.row_bits(), shape.rows());
        let keys = sketch.chunks(5).map(|key| number(key.try_into().unwrap()));
        let rows: Vec<u64> =
            keys.flat_map(|key| (0..rows).map(move |row| key >> (row * bits))).collect();
        let all = (0..bits).flat_map(|level| rows.iter().map(move |row| row >> level & 1));
        let mut words = [0; 2];
        for (at, bit) in all.take(BITS).enumerate() {
            words[at / 64] |= bit << (at % 64);
        }
        Fingerprint128::from_words(words)
    }

    proptest! {
        #[test]
        fn a_code_is_that_of_the_definition(
            shape in prop::sample::select(shapes()),
            seed in any::<u64>(),
        ) {
            let sketch: Vec<u8> = (0..shape.bytes() as u64)
                .map(|at| mix64(seed.wrapping_add(at)).to_le_bytes()[0])
                .collect();
            prop_assert_eq!(shape.code(&sketch), plain(shape, &sketch));
        }
    }

    /// Codes of pairs of sets of a known similarity, of few features and of many, differ as often as the law says: the
    /// mean and the spread of their distances, and how many are within the radius.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
    fn codes_differ_as_their_law_says() {
        const PAIRS: u32 = 1000;
        for (shape, of) in shapes().into_iter().zip([0.8, 0.5, 0.7, 0.9, 1.0, 0.3]) {
            let mut sketcher = BandSketcher::new(shape);
            for (shared, own) in [(8_u64, 1_u64), (80, 10), (400, 50), (60, 30), (20, 40)] {
                let mut code = |from: u64, pair: u32| {
                    let keys = (0..shared).chain(from..from + own);
                    let keys: Vec<u64> =
                        keys.map(|key| mix64(key ^ u64::from(pair + 1) << 32)).collect();
                    let mut sketch = Vec::new();
                    sketcher.sketch(&keys, &mut sketch);
                    shape.code(&sketch)
                };
                let told: Vec<f64> = (0..PAIRS)
                    .map(|pair| f64::from(code(1000, pair).distance(&code(5000, pair))))
                    .collect();
                let similarity = shared as f64 / (shared + 2 * own) as f64;
                let law = shape.distances(similarity, BITS);
                assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                let expected: f64 = (0_u32..).zip(&law).map(|(at, p)| f64::from(at) * p).sum();
                let spread: f64 =
                    (0_u32..).zip(&law).map(|(at, p)| (f64::from(at) - expected).powi(2) * p).sum();
                let pairs = f64::from(PAIRS);
                let mean = told.iter().sum::<f64>() / pairs;
                let error = (spread / pairs).sqrt();
                assert!((mean - expected).abs() < 4.5 * error, "{shape:?}: {mean}, {expected}");
                let varies = told.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / pairs;
                assert!(varies < spread * 1.2 + 0.1, "{shape:?}: variance {varies}, {spread}");
                if similarity >= of {
                    let radius = f64::from(shape.code_radius(of, 0.9999));
                    let beyond = told.iter().filter(|one| **one > radius).count();
                    assert!(beyond <= 3, "{shape:?}, {similarity}: {beyond} of {PAIRS}");
                }
            }
        }
    }

    #[test]
    fn equal_sets_have_equal_codes_and_a_radius_of_none_suffices() {
        for shape in shapes() {
            assert_eq!(shape.code_radius(1.0, 1.0), 0);
            assert_eq!(shape.code_recall(1.0, 0), 1.0);
            assert!(shape.code_radius(0.0, 0.9) > shape.code_radius(0.9, 0.9));
        }
    }
}
