//! What a Hamming distance says about the angle between two documents.
//!
//! Estimates only; the exact measures over features are in [`crate::similarity`].

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_fingerprints_are_opposite_vectors() {
        assert!((cosine(128, 128) + 1.0).abs() < 1e-12);
        assert!(cosine(64, 128).abs() < 1e-12);
    }
}
