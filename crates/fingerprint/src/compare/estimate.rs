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
    let differs = cosine.clamp(-1.0, 1.0).acos() / PI;
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

/// The radius beside bands: within it are the fingerprints of all pairs of this Jaccard similarity but one in
/// 10 000. Pairs farther apart that meet in a band need not be looked at.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::estimate::filter_radius;
///
/// assert_eq!(filter_radius(0.8, 128), 36);
/// ```
#[must_use]
pub fn filter_radius(jaccard: f64, bits: u32) -> u32 {
    radius(jaccard, bits, 1.0 - 1e-4)
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
}
