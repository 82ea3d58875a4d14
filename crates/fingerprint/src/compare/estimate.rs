//! What a Hamming distance says about the angle between two documents.
//!
//! Estimates only; the exact measures over features are in `similarity`.

use std::f64::consts::PI;

/// Estimated angle in radians between two feature vectors whose fingerprints of `bits` bits differ
/// in `distance` of them: `pi * distance / bits`.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::angle;
///
/// assert_eq!(angle(32, 64), std::f64::consts::FRAC_PI_2);
/// ```
///
/// # References
/// Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002, section 3: a
/// random hyperplane separates two vectors with probability theta / pi.
#[must_use]
pub fn angle(distance: u32, bits: u32) -> f64 {
    PI * f64::from(distance) / f64::from(bits)
}

/// Estimated cosine similarity: the cosine of [`angle`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::cosine;
///
/// assert_eq!(cosine(0, 64), 1.0);
/// assert!((cosine(3, 64) - 0.989).abs() < 0.001);
/// ```
#[must_use]
pub fn cosine(distance: u32, bits: u32) -> f64 {
    angle(distance, bits).cos()
}

/// The bounds of the 95 % interval of [`cosine`], the lower first.
///
/// Each bit differs with probability `p = theta / pi`, independently of the others, so that the
/// distance is binomial. Wilson's score interval of `p`, mapped by `cos(pi * p)`, bounds the cosine:
/// for `p0 = distance / bits` and `z = 1.96` the bounds of `p` are
/// `(p0 + z^2 / 2 bits -+ z sqrt(p0 (1 - p0) / bits + z^2 / 4 bits^2)) / (1 + z^2 / bits)`.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::cosine_interval;
///
/// let (low, high) = cosine_interval(3, 64);
/// assert!(low > 0.91 && low < 0.93 && high > 0.99 && high < 1.0);
/// let (low, high) = cosine_interval(12, 256);
/// assert!(low > 0.96 && high < 0.997, "more bits tell more");
/// ```
///
/// # References
/// Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927;
/// chosen over the normal interval, which says nothing at distance 0, as by Brown, Cai and DasGupta,
/// "Interval Estimation for a Binomial Proportion", Statistical Science 16, 2001.
#[must_use]
pub fn cosine_interval(distance: u32, bits: u32) -> (f64, f64) {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    let bits = f64::from(bits);
    let share = f64::from(distance) / bits;
    let centre = share + Z * Z / (2.0 * bits);
    let spread = Z * (share * (1.0 - share) / bits + Z * Z / (4.0 * bits * bits)).sqrt();
    let scale = 1.0 + Z * Z / bits;
    let cosine = |share: f64| (PI * share.clamp(0.0, 1.0)).cos();
    (cosine((centre + spread) / scale), cosine((centre - spread) / scale))
}

/// The probability that fingerprints of `bits` bits differ in at most `k` of them, for documents whose
/// sets of features are as large as each other and have this Jaccard similarity.
///
/// Of sets of one size, cosine is `2 J / (1 + J)`; the angle between them says with which probability
/// a bit differs, and how many of them do is binomial.
///
/// # Complexity
/// `O(k)`.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::recall;
///
/// assert_eq!(recall(1.0, 64, 0), 1.0);
/// let paper = recall(0.8, 64, 3);
/// assert!(paper > 0.005 && paper < 0.02, "the paper's radius is for far closer pages");
/// ```
///
/// # References
/// Charikar, STOC 2002, section 3, for the angle.
#[must_use]
pub fn recall(jaccard: f64, bits: u32, k: u32) -> f64 {
    let jaccard = jaccard.clamp(0.0, 1.0);
    recall_at_cosine(2.0 * jaccard / (1.0 + jaccard), bits, k)
}

/// The probability that fingerprints of `bits` bits differ in at most `k` of them, for documents whose weights
/// have this cosine: a bit differs with the probability `theta / pi` for the angle `theta` between them, and how
/// many do is binomial.
///
/// # Complexity
/// `O(k)`.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::recall_at_cosine;
///
/// let right_angle = recall_at_cosine(0.0, 2, 1);
/// assert!((right_angle - 0.75).abs() < 1e-12);
/// ```
///
/// # References
/// Charikar, STOC 2002, section 3, for the angle.
#[must_use]
pub fn recall_at_cosine(cosine: f64, bits: u32, k: u32) -> f64 {
    within(cosine.clamp(-1.0, 1.0).acos() / PI, bits, k)
}

/// The probability that at most `k` of `bits` bits differ, each of which differs with the probability `differs`.
fn within(differs: f64, bits: u32, k: u32) -> f64 {
    if differs <= 0.0 {
        return 1.0;
    }
    let odds = (differs / (1.0 - differs)).ln();
    let mut log = f64::from(bits) * (1.0 - differs).ln();
    let mut sum = 0.0;
    for distance in 0..=k.min(bits) {
        sum += log.exp();
        log += odds + f64::from(bits - distance).ln() - f64::from(distance + 1).ln();
    }
    sum.min(1.0)
}

/// The least radius at which [`recall`] is `least` or more.
///
/// # Complexity
/// `O(bits)` steps, each of [`recall`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::radius;
///
/// assert_eq!(radius(0.8, 64, 0.95), 15);
/// assert_eq!(radius(0.8, 128, 0.95), 26);
/// assert_eq!(radius(0.8, 256, 0.95), 48);
/// ```
#[must_use]
pub fn radius(jaccard: f64, bits: u32, least: f64) -> u32 {
    (0..bits).find(|k| recall(jaccard, bits, *k) >= least).unwrap_or(bits)
}

/// The least radius at which [`recall_at_cosine`] is `least` or more.
///
/// # Complexity
/// `O(bits)` steps, each of [`recall_at_cosine`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::radius_at_cosine;
///
/// assert_eq!(radius_at_cosine(1.0, 128, 0.999), 0);
/// assert_eq!(radius_at_cosine(0.9, 128, 0.999), 32);
/// ```
#[must_use]
pub fn radius_at_cosine(cosine: f64, bits: u32, least: f64) -> u32 {
    (0..bits).find(|k| recall_at_cosine(cosine, bits, *k) >= least).unwrap_or(bits)
}

/// The share of the pairs that the radius beside bands holds, at least.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::BESIDE_BANDS;
///
/// assert_eq!(BESIDE_BANDS, 0.9999);
/// ```
pub const BESIDE_BANDS: f64 = 1.0 - 1e-4;

/// The radius beside bands: within it are the fingerprints of all pairs of at least this Jaccard similarity but one in
/// 10 000, for sets of features of any sizes. Pairs farther apart that meet in a band need not be looked at.
///
/// Only for fingerprints in which every feature weighs the same: others do not tell the similarity of sets.
///
/// Of sets of few features a bit differs more often than their angle says, because their sums are often 0: of 4 and
/// of 5 features at a similarity of 0.8 with the probability 0.1875, where the angle says 0.148. So the radius is wider
/// than [`radius`] says.
///
/// # Complexity
/// Some 300 000 steps, whatever the width.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::{BESIDE_BANDS, filter_radius, radius};
///
/// assert_eq!((filter_radius(0.8, 128), radius(0.8, 128, BESIDE_BANDS)), (42, 36));
/// ```
#[must_use]
pub fn filter_radius(jaccard: f64, bits: u32) -> u32 {
    let jaccard = jaccard.clamp(0.0, 1.0);
    let angle = (2.0 * jaccard / (1.0 + jaccard)).acos();
    let shared = |a: f64, b: f64| jaccard * (a + b) / (1.0 - jaccard);
    holding(most_differing(angle, shared), bits)
}

/// As [`filter_radius`], for pairs of sets of at least this cosine: what they share, over the root of the product of
/// their sizes.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::{BESIDE_BANDS, filter_radius_at_cosine, radius_at_cosine};
///
/// assert_eq!(filter_radius_at_cosine(0.8, 128), 51);
/// assert_eq!(radius_at_cosine(0.8, 128, BESIDE_BANDS), 44);
/// ```
#[must_use]
pub fn filter_radius_at_cosine(cosine: f64, bits: u32) -> u32 {
    let cosine = cosine.clamp(0.0, 1.0);
    let square = cosine * cosine;
    let shared = |a: f64, b: f64| {
        let both = square * (a + b);
        let root = (both * both + 4.0 * (1.0 - square) * square * a * b).sqrt();
        (both + root) / (2.0 * (1.0 - square))
    };
    holding(most_differing(cosine.acos(), shared), bits)
}

/// The least radius that holds [`BESIDE_BANDS`] of the pairs, where a bit differs with this probability.
fn holding(differs: f64, bits: u32) -> u32 {
    (0..bits).find(|k| within(differs, bits, *k) >= BESIDE_BANDS).unwrap_or(bits)
}

/// Features of one of two sets alone, at most in both together, that are looked at number by number.
const OWN: u16 = 64;
/// Of more, a bit differs at most so many times as often as the angle says.
const BEYOND: f64 = 1.01;

/// The greatest probability with which a bit differs, of two sets of any sizes that have at least as many features in
/// common as `shared` says of so many that only the one and only the other has. Of sets of many features it is their
/// `angle` over pi.
///
/// The bit of a set is the sign of a sum of as many signs as it has features, each of them by the toss of a coin.
fn most_differing(angle: f64, shared: impl Fn(f64, f64) -> f64) -> f64 {
    let tails: Vec<_> = (0..=OWN).map(tails).collect();
    let pairs = (0..=OWN).flat_map(|a| (a..=OWN - a).map(move |b| (a, b)));
    let sizes = pairs.flat_map(|(a, b)| {
        let least = (shared(a.into(), b.into()) - 1e-9).ceil().max(0.0);
        // What is even may be less likely than what is odd.
        [least, least + 1.0].map(|shared| (a, b, shared))
    });
    let sizes = sizes.filter(|(.., shared)| shared.is_finite());
    let differing = sizes.map(|(a, b, shared)| {
        let [of_a, of_b] =
            [a, b].map(|own| tails.get(usize::from(own)).map_or(&[][..], Vec::as_slice));
        differing(of_a, of_b, shared)
    });
    differing.fold(BEYOND * angle / PI, f64::max)
}

/// The probability that the sums of `shared` common signs and some of one's own are positive for one of two and not
/// for the other, by the [tails] of the own ones.
fn differing(of_a: &[f64], of_b: &[f64], shared: f64) -> f64 {
    // That so many heads, and with them as many tails more as there are own signs at most, make a sum above 0.
    let positive = |tails: &[f64], sum: i32| {
        let own = i32::try_from(tails.len()).unwrap_or(i32::MAX) - 2;
        let heads = (own - sum).div_euclid(2) + 1;
        let at = usize::try_from(heads.max(0)).unwrap_or(0);
        tails.get(at).copied().unwrap_or(0.0)
    };
    let own = i32::try_from(of_a.len().max(of_b.len())).unwrap_or(i32::MAX) - 2;
    let (mut sum, mut likely) =
        if shared % 2.0 == 0.0 { (0, even(shared)) } else { (1, odd(shared)) };
    let mut differ = 0.0;
    // A sum farther from 0 has the sign of what is shared.
    while sum <= own {
        let signs = if sum == 0 { 1 } else { 2 };
        for sum in [sum, -sum].into_iter().take(signs) {
            let (a, b) = (positive(of_a, sum), positive(of_b, sum));
            differ += likely * (a * (1.0 - b) + b * (1.0 - a));
        }
        let half = f64::from(sum) / 2.0;
        likely *= (shared / 2.0 - half).max(0.0) / (shared / 2.0 + half + 1.0);
        sum += 2;
    }
    differ
}

/// Of so many coins, the probability of at least 0, 1, 2... heads, to that of one more than there are.
fn tails(coins: u16) -> Vec<f64> {
    let mut heads = vec![1.0];
    for _ in 0..coins {
        let before = |at: usize| heads.get(at).copied().unwrap_or(0.0);
        heads = (0..=heads.len())
            .map(|at| 0.5 * (before(at) + at.checked_sub(1).map_or(0.0, before)))
            .collect();
    }
    let mut sum = 0.0;
    let mut tails: Vec<f64> = std::iter::once(0.0)
        .chain(heads.iter().rev().map(|one| {
            sum += one;
            sum
        }))
        .collect();
    tails.reverse();
    tails
}

/// The probability that so many signs, an even number, sum to 0.
fn even(signs: f64) -> f64 {
    let half = signs / 2.0;
    if half <= 32.0 {
        let mut likely = 1.0;
        let mut pairs = 1.0;
        while pairs <= half {
            likely *= 1.0 - 0.5 / pairs;
            pairs += 1.0;
        }
        return likely;
    }
    // Stirling's series, right to 1e-9 from here on.
    let step = 1.0 / half;
    (PI * half).sqrt().recip()
        * (1.0 - step / 8.0 + step * step / 128.0 + 5.0 * step * step * step / 1024.0)
}

/// The probability that so many signs, an odd number, sum to 1; to -1 they sum as often.
fn odd(signs: f64) -> f64 {
    even(signs - 1.0) * signs / (signs + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published values of the Wilson interval: 0 of 10 and 5 of 10 and 1 of 29.
    #[test]
    fn the_interval_is_wilsons() {
        for (distance, bits, low, high) in
            [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (1, 29, 0.0061, 0.1718)]
        {
            let (least, most) = cosine_interval(distance, bits);
            assert!((most - (PI * low).cos()).abs() < 2e-4, "{distance} of {bits}: {most}");
            assert!((least - (PI * high).cos()).abs() < 2e-4, "{distance} of {bits}: {least}");
        }
    }

    /// Of binomial distances, at least about 95 % have the true cosine in their interval.
    #[test]
    fn the_interval_holds_the_cosine_as_often_as_it_says() {
        for (bits, share) in [(64, 0.05), (64, 0.25), (128, 0.1), (256, 0.02)] {
            let truth = (PI * share).cos();
            let mut probability = (1.0_f64 - share).powi(bits);
            let mut covered = 0.0;
            for distance in 0..=bits {
                let (low, high) = cosine_interval(distance.unsigned_abs(), bits.unsigned_abs());
                if low <= truth && truth <= high {
                    covered += probability;
                }
                probability *=
                    f64::from(bits - distance) / f64::from(distance + 1) * share / (1.0 - share);
            }
            assert!((0.92..0.99).contains(&covered), "{bits} bits, {share}: {covered}");
        }
    }

    /// The distances of all `bits`-bit words to one, weighed by their probability, counted out.
    #[test]
    fn recall_is_a_sum_over_all_outcomes() {
        let differs = (2.0_f64 * 0.6 / 1.6).acos() / PI;
        for k in 0..=10 {
            let of = |word: u32| {
                let ones = word.count_ones().cast_signed();
                differs.powi(ones) * (1.0 - differs).powi(10 - ones)
            };
            let near = (0..1_u32 << 10).filter(|word| word.count_ones() <= k);
            let counted: f64 = near.map(of).sum();
            assert!((recall(0.6, 10, k) - counted).abs() < 1e-9, "{k}");
        }
    }

    #[test]
    fn a_radius_is_the_least_that_recalls_enough() {
        for bits in [64, 128, 256] {
            for jaccard in [0.0, 0.5, 0.8, 0.95, 1.0] {
                let k = radius(jaccard, bits, 0.95);
                assert!(k == bits || recall(jaccard, bits, k) >= 0.95, "{bits} bits, {jaccard}");
                assert!(k == 0 || recall(jaccard, bits, k - 1) < 0.95, "{bits} bits, {jaccard}");
            }
        }
    }

    #[test]
    fn opposite_fingerprints_are_opposite_vectors() {
        assert!((cosine(128, 128) + 1.0).abs() < 1e-12);
        assert!(cosine(64, 128).abs() < 1e-12);
    }

    /// The probability that a bit of two sets differs, by the definition: every outcome of `c` common signs and of
    /// `a` and `b` own ones, by how many of each are positive.
    fn by_outcomes(a: u32, b: u32, c: u32) -> f64 {
        let likely = |of: u32, heads: u32| {
            let ways =
                (0..heads).fold(1.0, |ways, at| ways * f64::from(of - at) / f64::from(at + 1));
            ways / 2_f64.powi(of.cast_signed())
        };
        let mut differ = 0.0;
        for common in 0..=c {
            for of_a in 0..=a {
                for of_b in 0..=b {
                    let is_set = |own: u32, heads: u32| 2 * (common + heads) > c + own;
                    if is_set(a, of_a) != is_set(b, of_b) {
                        differ += likely(c, common) * likely(a, of_a) * likely(b, of_b);
                    }
                }
            }
        }
        differ
    }

    #[test]
    fn a_bit_of_two_sets_differs_as_often_as_all_outcomes_say() {
        for (a, b, c) in [
            (0, 1, 4),
            (0, 1, 5),
            (1, 1, 8),
            (3, 0, 12),
            (2, 5, 7),
            (0, 0, 3),
            (4, 4, 0),
            (1, 0, 0),
        ] {
            let found = differing(&tails(a), &tails(b), c.into());
            let expected = by_outcomes(a.into(), b.into(), c);
            assert!((found - expected).abs() < 1e-12, "{a} {b} {c}: {found} {expected}");
        }
        assert!((differing(&tails(0), &tails(1), 4.0) - 0.1875).abs() < 1e-12);
        // What Stirling's series says is what the product says.
        let product = (1..=40).fold(1.0, |likely, pairs| likely * (1.0 - 0.5 / f64::from(pairs)));
        assert!((even(80.0) - product).abs() < 1e-9);
    }

    #[test]
    fn the_radius_beside_bands_holds_pairs_of_all_sizes() {
        for hundredths in [30, 45, 50, 67, 70, 75, 80, 85, 90, 95, 100] {
            let least = f64::from(hundredths) / 100.0;
            let radii = [64, 128, 256].map(|bits| (bits, filter_radius(least, bits)));
            let mut most = (0.0, 0, 0, 0);
            for (a, b) in (1..=24_u32).flat_map(|b| (1..=b).map(move |a| (a, b))) {
                let reaches = |c: &u32| 100 * c >= hundredths * (a + b - c);
                if let Some(c) = (0..=a).find(reaches) {
                    let differs = by_outcomes(a - c, b - c, c);
                    if differs > most.0 {
                        most = (differs, a, b, c);
                    }
                    for (bits, k) in radii {
                        let held = within(differs, bits, k);
                        assert!(held >= BESIDE_BANDS - 1e-9, "{least} {bits} {a} {b} {c}: {held}");
                    }
                }
            }
            // It is no wider than the worst of these pairs, or those of many features, need.
            let angle = (2.0 * least / (1.0 + least)).acos() / PI;
            for (bits, k) in radii {
                assert!(
                    k == 0 || within(most.0.max(1.02 * angle), bits, k - 1) < BESIDE_BANDS,
                    "{least} {bits} {most:?}"
                );
            }
        }
        for bits in [64, 128, 256] {
            // A cosine of sets is at least as near as the Jaccard similarity that it comes with.
            for tenths in 6..=9_u8 {
                let cosine = f64::from(tenths) / 10.0;
                let jaccard = cosine * cosine;
                assert!(filter_radius_at_cosine(cosine, bits) <= filter_radius(jaccard, bits));
            }
            assert_eq!((filter_radius_at_cosine(1.0, bits), filter_radius(1.0, bits)), (0, 0));
        }
    }

    /// Of sets with more features of their own than are looked at, a bit differs no more often than of some that are.
    #[test]
    fn what_is_not_looked_at_is_no_worse() {
        for thousandths in (300..=990).step_by(7) {
            let least = f64::from(thousandths) / 1000.0;
            let angle = (2.0 * least / (1.0 + least)).acos();
            let shared = |a: f64, b: f64| least * (a + b) / (1.0 - least);
            let most = most_differing(angle, shared);
            for (a, b) in [(0, 65), (32, 33), (0, 66), (20, 47), (0, 99), (50, 51)] {
                let differs =
                    differing(&tails(a), &tails(b), (shared(a.into(), b.into()) - 1e-9).ceil());
                assert!(differs <= most, "{least} {a} {b}: {differs} {most}");
            }
        }
    }
}
