//! Intervals of figures whose observations come in groups: the bootstrap over groups.

use crate::statistics::interval::Interval;
use nearprint_fingerprint::mix64;
use rayon::prelude::*;

/// Draws of a bootstrap.
const DRAWS: u64 = 500;

/// `P(X <= x)` of a Poisson variable of mean 1, for `x` from 0.
const POISSON: [f64; 9] = [
    0.367_879_441_171_442_33,
    0.735_758_882_342_884_7,
    0.919_698_602_928_605_8,
    0.981_011_843_123_846_2,
    0.996_340_153_172_656_3,
    0.999_405_815_182_418_4,
    0.999_916_758_850_712,
    0.999_989_750_803_325_3,
    0.999_998_874_797_402,
];

/// A bootstrap over groups: pairs of one cluster are not independent, so whole clusters are drawn.
///
/// In each draw a group counts 0, 1 or more times: as often as a Poisson variable of mean 1 says, which is
/// how often a group comes when as many groups as there are are drawn with replacement, if they are many.
/// The draws are the same in every run.
///
/// # Examples
/// ```
/// use nearprint_evaluation::Resampling;
///
/// // Of 40 groups of 5 observations, 30 are right throughout.
/// let right = |weights: &[f64]| {
///     let right: f64 = weights[..30].iter().sum();
///     vec![right / weights.iter().sum::<f64>()]
/// };
/// let interval = Resampling::new(40).intervals(right)[0];
/// assert!((0.57..0.66).contains(&interval.low) && (0.84..0.93).contains(&interval.high));
/// ```
///
/// # References
/// Davison, Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8 (hierarchical data);
/// Chamandy et al., "Estimating Uncertainty for Massive Data Streams", 2012 (Poisson weights).
#[derive(Clone, Copy, Debug)]
pub struct Resampling {
    groups: usize,
}

impl Resampling {
    /// A bootstrap over so many groups.
    #[must_use]
    pub fn new(groups: usize) -> Self {
        Self { groups }
    }

    /// The interval of each figure that `figures` computes from the weights of the groups: from the 2.5 % to
    /// the 97.5 % point of its draws. A draw that cannot tell a figure gives NaN and does not count; where
    /// none can tell it, its interval is from 0 to 1. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// 500 times that of `figures`.
    pub fn intervals(&self, figures: impl Fn(&[f64]) -> Vec<f64> + Sync) -> Vec<Interval> {
        let draws: Vec<Vec<f64>> =
            (0..DRAWS).into_par_iter().map(|draw| figures(&self.weights(draw))).collect();
        let count = draws.first().map_or(0, Vec::len);
        (0..count)
            .map(|figure| {
                let values = draws.iter().filter_map(|draw| draw.get(figure).copied());
                let mut values: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
                values.sort_unstable_by(f64::total_cmp);
                if values.is_empty() {
                    return Interval { low: 0.0, high: 1.0 };
                }
                Interval { low: quantile(&values, 0.025), high: quantile(&values, 0.975) }
            })
            .collect()
    }

    /// How often each group counts in a draw.
    fn weights(&self, draw: u64) -> Vec<f64> {
        let seed = mix64(draw.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x6e65_6172);
        (0..self.groups as u64).map(|group| poisson(mix64(seed ^ mix64(group + 1)))).collect()
    }
}

/// A Poisson variable of mean 1 from a uniform word.
#[expect(clippy::cast_precision_loss, reason = "53 bits are taken")]
fn poisson(word: u64) -> f64 {
    let uniform = (word >> 11) as f64 / (1_u64 << 53) as f64;
    POISSON.partition_point(|below| *below <= uniform) as f64
}

/// A quantile of ascending values, between two of them by proportion.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few hundred values"
)]
fn quantile(values: &[f64], share: f64) -> f64 {
    let place = share * (values.len().saturating_sub(1)) as f64;
    let at = |index: usize| values.get(index).or(values.last()).copied().unwrap_or(f64::NAN);
    let below = place.floor() as usize;
    at(below) + (at(below + 1) - at(below)) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([1, 2, 4, 8], [0, 0.025, 0.5, 0.9, 1])
        let values = [1.0, 2.0, 4.0, 8.0];
        let found = [0.0, 0.025, 0.5, 0.9, 1.0].map(|share| quantile(&values, share));
        let expected = [1.0, 1.075, 3.0, 6.8, 8.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn weights_have_the_mean_and_the_variance_of_their_kind() {
        let all: Vec<f64> = (0..200).flat_map(|draw| Resampling::new(500).weights(draw)).collect();
        let mean = all.iter().sum::<f64>() / 1e5;
        let variance = all.iter().map(|weight| (weight - mean).powi(2)).sum::<f64>() / 1e5;
        assert!((mean - 1.0).abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn a_figure_that_no_draw_tells_may_be_anything() {
        let told = Resampling::new(3).intervals(|_| vec![f64::NAN, 0.5]);
        assert_eq!((told[0].low, told[0].high, told[1].low), (0.0, 1.0, 0.5));
    }
}
