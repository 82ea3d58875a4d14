//! The keys of a set's bands, from the keys of its features.

use crate::hashing::hash::fold_multiply;
use crate::sketching::band_shape::BandShape;
use nearprint_bits::mix64;

/// A coordinate that no feature has reached.
const EMPTY: u32 = u32::MAX;
/// Bits of a value behind those of its throw: an earlier throw has the smaller values.
const FRACTION: u32 = 26;
/// Throws, two to a product. After them each coordinate that is empty takes all features by itself.
const THROWS: usize = 62;
/// Expected empty coordinates after one throw, below which the second is made only if it is needed.
const FEW: f64 = 0.1;

/// Makes sketches of one shape. Holds working memory: keep one a thread and reuse it.
///
/// A sketch has `bands * rows` coordinates. Two sketches agree in a coordinate with a probability of the
/// Jaccard similarity of their sets, for sets of any size. Each throw sends every feature to one
/// coordinate; throws follow each other until each coordinate has a value, and a later throw fills only
/// coordinates that are still empty. So one hash a feature is enough for large sets.
///
/// The key of a band has 40 bits: of each of its rows the same number of bits of a hash of its value,
/// side by side (b-bit minwise hashing). Bands of sets that share nothing agree with a probability of
/// 2^-40.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{BandShape, BandSketcher};
///
/// let shape = BandShape::for_similarity(0.8, 0.999)?;
/// let mut sketcher = BandSketcher::new(shape);
/// let mut sketch = |keys: &[u64]| {
///     let mut bytes = Vec::new();
///     sketcher.sketch(keys, &mut bytes);
///     bytes
/// };
/// let a = sketch(&[3, 1, 4, 1, 5, 9, 2, 6]);
/// assert_eq!(a, sketch(&[9, 6, 5, 4, 3, 2, 1]), "neither order nor repetition matters");
/// assert_eq!(a.len(), shape.bytes());
/// # Ok::<(), nearprint_fingerprint::BandError>(())
/// ```
///
/// # References
/// Dahlgaard, Knudsen, Thorup, "Fast similarity sketching", FOCS 2017. Li, König, "b-bit minwise
/// hashing", WWW 2010.
#[derive(Clone, Debug)]
pub struct BandSketcher {
    shape: BandShape,
    /// A seed and a multiplier of each product of two throws; then one for each coordinate.
    seeds: Vec<(u64, u64)>,
    coordinates: Vec<u32>,
    /// Sets of so many features and more fill nearly all coordinates in one throw.
    many: usize,
}

impl BandSketcher {
    /// A sketcher of this shape.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand")]
    pub fn new(shape: BandShape) -> Self {
        let count = (shape.bands() * shape.rows()) as usize;
        let width = f64::from(shape.bands() * shape.rows());
        Self {
            shape,
            seeds: (0..(THROWS / 2 + count) as u64).map(seed).collect(),
            coordinates: vec![EMPTY; count],
            many: (width * (width / FEW).ln()) as usize,
        }
    }

    /// The shape of its sketches.
    #[must_use]
    pub const fn shape(&self) -> BandShape {
        self.shape
    }

    /// Appends the sketch of the set of these feature keys, [`BandShape::bytes`] bytes, to `bytes`: the
    /// key of one band after the other, 5 bytes each, little-endian. All are 0 for the empty set.
    ///
    /// # Complexity
    /// For `n` keys and `m` coordinates `O(n + m ln m)` expected; at most `O(n m)`.
    pub fn sketch(&mut self, keys: &[u64], bytes: &mut Vec<u8>) {
        if keys.is_empty() {
            bytes.resize(bytes.len() + self.shape.bytes(), 0);
            return;
        }
        self.fill(keys);
        let (rows, bits) = (self.shape.rows() as usize, self.shape.row_bits());
        for band in self.coordinates.chunks_exact(rows) {
            let key = band.iter().fold(0, |key, value| key << bits | u64::from(row(*value, bits)));
            let [a, b, c, d, e, ..] = key.to_le_bytes();
            bytes.extend([a, b, c, d, e]);
        }
    }

    /// Gives each coordinate its value.
    fn fill(&mut self, keys: &[u64]) {
        let Self { seeds, coordinates, many, .. } = self;
        let (products, own) = seeds.split_at(THROWS / 2);
        coordinates.fill(EMPTY);
        for (throw, seed) in (0..).step_by(2).zip(products) {
            if throw == 0 && keys.len() >= *many {
                once(keys, *seed, coordinates);
                if !coordinates.contains(&EMPTY) {
                    return;
                }
            }
            twice(keys, *seed, throw, coordinates);
            if !coordinates.contains(&EMPTY) {
                return;
            }
        }
        for (value, seed) in coordinates.iter_mut().zip(own) {
            if *value == EMPTY {
                let values = keys.iter().map(|key| least(product(*key, *seed)));
                *value = values.min().unwrap_or(EMPTY);
            }
        }
    }
}

/// The seed and the multiplier of a product.
fn seed(number: u64) -> (u64, u64) {
    let seed = mix64(number.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15));
    (seed, mix64(seed) | 1)
}

#[inline(always)]
const fn product(key: u64, (seed, multiplier): (u64, u64)) -> u64 {
    fold_multiply(key ^ seed, multiplier)
}

/// The coordinate among `count` of 32 random bits of a throw, and the value there.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the two halves of the product")]
const fn place(random: u32, throw: u32, count: u64) -> (usize, u32) {
    let scaled = random as u64 * count;
    ((scaled >> 32) as usize, throw << FRACTION | scaled as u32 >> (32 - FRACTION))
}

/// The value of a key where all keys go to one coordinate: behind those of all throws.
#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn least(random: u64) -> u32 {
    (THROWS as u32) << FRACTION | random as u32 >> (32 - FRACTION)
}

/// The bits of a row: of a hash, as the values of large sets are all small.
const fn row(value: u32, bits: u32) -> u32 {
    value.wrapping_mul(0x9e37_79b1) >> (32 - bits)
}

#[inline(always)]
fn lower(values: &mut [u32], (at, value): (usize, u32)) {
    if let Some(least) = values.get_mut(at) {
        *least = value.min(*least);
    }
}

/// The first throw alone.
#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn once(keys: &[u64], seed: (u64, u64), values: &mut [u32]) {
    let count = values.len() as u64;
    for key in keys {
        lower(values, place(product(*key, seed) as u32, 0, count));
    }
}

/// Both throws of a product: a value of the first is smaller than any of the second.
#[expect(clippy::cast_possible_truncation, reason = "the two halves")]
fn twice(keys: &[u64], seed: (u64, u64), throw: u32, values: &mut [u32]) {
    let count = values.len() as u64;
    for key in keys {
        let random = product(*key, seed);
        lower(values, place(random as u32, throw, count));
        lower(values, place((random >> 32) as u32, throw + 1, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The definition, a throw after the other.
    fn coordinates(shape: BandShape, keys: &[u64]) -> Vec<u32> {
        let count = (shape.bands() * shape.rows()) as usize;
        let mut filled = vec![EMPTY; count];
        for throw in 0..62 {
            let mut thrown = vec![EMPTY; count];
            for key in keys {
                let random = product(*key, seed(u64::from(throw) / 2)) >> (32 * (throw % 2));
                let random = u32::try_from(random & 0xffff_ffff).unwrap();
                let (at, value) = place(random, throw, count as u64);
                thrown[at] = thrown[at].min(value);
            }
            for (value, thrown) in filled.iter_mut().zip(thrown) {
                *value = if *value == EMPTY { thrown } else { *value };
            }
        }
        for (at, value) in filled.iter_mut().enumerate().filter(|(_, value)| **value == EMPTY) {
            let values = keys.iter().map(|key| least(product(*key, seed(31 + at as u64))));
            *value = values.min().unwrap();
        }
        filled
    }

    fn keys(from: u64, count: u64) -> Vec<u64> {
        (from..from + count).map(|i| mix64(i ^ 0x5eed)).collect()
    }

    fn sketch(sketcher: &mut BandSketcher, keys: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        sketcher.sketch(keys, &mut bytes);
        bytes
    }

    fn shapes() -> [BandShape; 4] {
        [(0.5, 0.9), (0.8, 0.999), (0.9, 0.99), (0.3, 0.5)]
            .map(|(similarity, recall)| BandShape::for_similarity(similarity, recall).unwrap())
    }

    #[test]
    fn coordinates_are_those_of_the_definition_at_every_size() {
        for shape in shapes() {
            let mut sketcher = BandSketcher::new(shape);
            for size in [1, 2, 3, 10, 95, 300, 609, 610, 1000, 5000] {
                let keys = keys(size << 20, size);
                sketcher.fill(&keys);
                assert_eq!(sketcher.coordinates, coordinates(shape, &keys), "{shape:?}, {size}");
            }
        }
    }

    proptest! {
        #[test]
        fn neither_order_nor_repetition_matters(
            keys in prop::collection::vec(0_u64..300, 1..1500).prop_shuffle(),
            shape in prop::sample::select(shapes().to_vec()),
        ) {
            let distinct: BTreeSet<u64> = keys.iter().copied().collect();
            let distinct: Vec<u64> = distinct.into_iter().collect();
            let mut sketcher = BandSketcher::new(shape);
            let found = sketch(&mut sketcher, &keys);
            prop_assert_eq!(found.len(), shape.bytes());
            prop_assert_eq!(found, sketch(&mut sketcher, &distinct));
        }
    }

    /// Pairs of sets with a known Jaccard similarity agree in a coordinate as often as that says, for
    /// sets far smaller and far larger than the sketch; and the number of coordinates in which a pair
    /// agrees varies no more than that of independent ones would.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
    fn coordinates_agree_with_the_probability_of_the_similarity() {
        let shape = BandShape::for_similarity(0.8, 0.999).unwrap();
        let mut sketcher = BandSketcher::new(shape);
        let count = sketcher.coordinates.len();
        for (size, shared, pairs) in [
            (5_u32, 4, 4000_u32),
            (9, 8, 4000),
            (45, 40, 3000),
            (90, 80, 3000),
            (900, 800, 600),
            (40, 10, 2000),
        ] {
            let similarity = f64::from(shared) / f64::from(2 * size - shared);
            let (mut sum, mut squares) = (0.0, 0.0);
            for pair in 0..pairs {
                let from = u64::from(pair) << 32 | u64::from(size) << 20;
                let all = keys(from, u64::from(2 * size - shared));
                let [size, shared] = [size, shared].map(|size| usize::try_from(size).unwrap());
                sketcher.fill(&all[..size]);
                let a = sketcher.coordinates.clone();
                sketcher.fill(&all[size - shared..]);
                let equal = a.iter().zip(&sketcher.coordinates).filter(|(a, b)| a == b).count();
                sum += equal as f64;
                squares += (equal * equal) as f64;
            }
            let (pairs, coordinates) = (f64::from(pairs), count as f64);
            let mean = sum / pairs;
            let variance = squares / pairs - mean * mean;
            let binomial = coordinates * similarity * (1.0 - similarity);
            let off = (mean - coordinates * similarity) / (binomial / pairs).sqrt();
            assert!(off.abs() < 4.0, "{size}: {mean} of {coordinates}, {off} sigma off");
            // The variance of a variance of so many pairs.
            let most = binomial * (1.0 + 4.0 * (2.0 / pairs).sqrt());
            assert!(variance < most, "{size}: variance {variance}, binomial {binomial}");
        }
    }

    /// Pairs of exactly the similarity are found as often as the shape says, less what chance allows.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
    fn bands_find_pairs_at_the_similarity() {
        let shape = BandShape::for_similarity(0.8, 0.99).unwrap();
        let mut sketcher = BandSketcher::new(shape);
        for (size, shared, pairs) in [(9_u64, 8_u64, 6000_u64), (90, 80, 6000), (900, 800, 1000)] {
            let mut found = 0;
            for pair in 0..pairs {
                let all = keys(pair << 32 | size << 20, 2 * size - shared);
                let [size, shared] = [size, shared].map(|size| usize::try_from(size).unwrap());
                let a = sketch(&mut sketcher, &all[..size]);
                let b = sketch(&mut sketcher, &all[size - shared..]);
                found += u64::from(a.chunks(5).zip(b.chunks(5)).any(|(a, b)| a == b));
            }
            let (recall, pairs) = (shape.recall(0.8), pairs as f64);
            let least = recall * pairs - 4.0 * (pairs * recall * (1.0 - recall)).sqrt();
            assert!(found as f64 >= least, "{size}: {found} of {pairs}, {least} expected");
        }
    }

    /// Sets that share nothing agree in no band but by chance.
    #[test]
    fn sets_that_share_nothing_meet_in_no_band() {
        for shape in shapes() {
            let mut sketcher = BandSketcher::new(shape);
            let mut seen = BTreeSet::new();
            let mut of = |number: u64| sketch(&mut sketcher, &keys(number << 32, 1 + number % 700));
            for number in 0..500 {
                for (band, key) in of(number).chunks(5).enumerate() {
                    assert!(seen.insert((band, key.to_vec())), "{shape:?}, {number}, band {band}");
                }
            }
        }
    }

    #[test]
    fn the_empty_set_has_a_sketch_of_zeros() {
        let mut sketcher = BandSketcher::new(shapes()[0]);
        sketch(&mut sketcher, &[1, 2, 3]);
        assert_eq!(sketch(&mut sketcher, &[]), vec![0; shapes()[0].bytes()]);
    }
}
