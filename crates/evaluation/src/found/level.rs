//! How near a pair is, in steps from the nearest on: bits that differ, or hundredths of similarity that lack.

/// The step of a similarity from 0 to 1: `i` for the first of the thresholds 1, 0.99, 0.98, ... that it reaches,
/// numbered from 0.
///
/// One that is less than 10^-12 below a threshold reaches it, as in the search.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
pub(crate) fn of_similarity(similarity: f64) -> u16 {
    let about = ((1.0 - similarity.clamp(0.0, 1.0)) * 100.0).floor() as u16;
    let about = about.saturating_sub(1);
    (about..100).find(|step| similarity >= threshold(*step) - ROUNDING).unwrap_or(100)
}

/// The steps whose similarity is `least` or more.
#[must_use]
pub(crate) fn steps_from(least: f64) -> u16 {
    (0..=100).find(|step| threshold(*step) < least - ROUNDING).unwrap_or(101)
}

/// How far a similarity may be below what it reaches.
pub(crate) const ROUNDING: f64 = 1e-12;

/// The similarity of a step.
#[must_use]
pub(crate) fn threshold(step: u16) -> f64 {
    f64::from(100_u16.saturating_sub(step)) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_is_of_the_first_threshold_that_it_reaches() {
        let steps = [1.0, 0.999, 0.99, 0.8, 0.799_999, 0.57, 0.001, 0.0].map(of_similarity);
        assert_eq!(steps, [0, 1, 1, 20, 21, 43, 100, 100]);
        for step in 0..=100 {
            assert_eq!(of_similarity(threshold(step)), step);
            assert_eq!(steps_from(threshold(step)), step + 1);
        }
        assert_eq!(of_similarity(0.8 - 1e-14), 20);
        assert_eq!((steps_from(0.505), steps_from(0.0)), (50, 101));
    }
}
