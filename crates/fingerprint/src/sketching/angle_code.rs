//! Codes whose distance tells the angle between two lists of features, whatever their weights are. Fingerprints tell
//! it of many features of like weight only.

use crate::features::feature_list::FeatureList;
use nearprint_bits::{AnyFingerprint, Fingerprint, Width, mix64};
use std::sync::LazyLock;

/// Half of the equally likely values of a normal number: those above 0, ascending.
const HALF: usize = 1 << 11;
/// Sets codes apart from other hashes of the same keys.
const SEED: u64 = 0x616e_676c_6563_6f64;

static NORMAL: LazyLock<Box<[f32; HALF]>> = LazyLock::new(normal);

/// A code of features with their weights: two codes differ in a bit with the probability `theta / pi` for the angle
/// `theta` between the weights, and in each bit independently of the others.
///
/// Each bit is the sign of a weighted sum of one normal number a feature, so it is the side of a random plane on which
/// the weights are. A fingerprint sums signs in place of normal numbers. That comes to the same for many features of
/// like weight; but of (2.04, 1, 0.96) and (1.96, 1.04, 1), at an angle of 2.7 degrees, every fourth bit of a
/// fingerprint differs, since the first weight alone outweighs the others in one and not in the other.
///
/// Codes are for finding pairs that are compared exactly afterwards. They are no fingerprints of a recipe. Stores by a
/// cosine keep them, so they stay what they are from release to release.
///
/// # Complexity
/// Linear in the features: for each, 16 hashes and 64 additions to 64 bits.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{FeatureList, Width, angle_code};
///
/// let list = |x, y, z| FeatureList::weighted(vec![(1, x), (2, y), (3, z)]);
/// let code = |x, y, z| angle_code(&list(x, y, z), Width::W256);
/// let distance = code(2.04, 1.0, 0.96).distance(&code(1.96, 1.04, 1.0)).unwrap();
/// assert!(distance < 12, "{distance} of 256, of which 3.9 are expected");
/// assert_eq!(code(1.0, 2.0, 3.0), code(10.0, 20.0, 30.0), "the length does not matter");
/// assert_eq!(code(1.0, -2.0, 3.0).distance(&code(-1.0, 2.0, -3.0)), Some(256));
/// ```
///
/// # References
/// Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002, section 3: random hyperplanes have
/// normal coordinates.
#[must_use]
pub fn angle_code(list: &FeatureList, width: Width) -> AnyFingerprint {
    match width {
        Width::W64 => of_list::<1>(list).into(),
        Width::W128 => of_list::<2>(list).into(),
        Width::W256 => of_list::<4>(list).into(),
    }
}

fn of_list<const WORDS: usize>(list: &FeatureList) -> Fingerprint<WORDS> {
    let normal = &**NORMAL;
    let mut sums = [[0.0_f32; 64]; WORDS];
    let most = list.weights().iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
    for (at, key) in list.keys().iter().enumerate() {
        // Between -1 and 1: no sum overflows.
        let weight = match list.weights().get(at) {
            #[expect(clippy::cast_possible_truncation, reason = "rounded, between -1 and 1")]
            Some(weight) if most > 0.0 => (weight / most) as f32,
            Some(_) => continue,
            None => 1.0,
        };
        let mut hash = mix64(key ^ SEED);
        for sums in sums.as_flattened_mut().chunks_exact_mut(4) {
            hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let [a, b, c, d, e, f, g, h] = mix64(hash).to_le_bytes();
            let drawn = [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes);
            for (sum, drawn) in sums.iter_mut().zip(drawn) {
                let value = normal.get(usize::from(drawn) % HALF).copied().unwrap_or_default();
                *sum += if drawn < 1 << 15 { weight * value } else { -weight * value };
            }
        }
    }
    Fingerprint::from_words(
        sums.map(|sums| sums.iter().rev().fold(0, |word, &sum| word << 1 | u64::from(sum > 0.0))),
    )
}

/// The middles of `HALF` equally likely parts of the normal distribution above 0. Additions and multiplications alone,
/// so that every machine has the same.
fn normal() -> Box<[f32; HALF]> {
    /// Parts of 1 between which the density is integrated.
    const STEP: f64 = 1.0 / 1024.0;
    let parts = f64::from(u16::try_from(HALF).unwrap_or(u16::MAX));
    let mut values = Box::new([0.0; HALF]);
    // Twice the density at 0 is the root of 2 / pi.
    let (mut x, mut density, mut area) = (0.0, (2.0 / std::f64::consts::PI).sqrt(), 0.0);
    let mut target = 0.5 / parts;
    for value in values.iter_mut() {
        loop {
            // The density falls by e^-(x h + h^2 / 2) over a step h.
            let falls = STEP * (x + STEP / 2.0);
            let next = density
                * (1.0 - falls * (1.0 - falls / 2.0 * (1.0 - falls / 3.0 * (1.0 - falls / 4.0))));
            let slice = STEP * (density + next) / 2.0;
            if area + slice >= target {
                #[expect(clippy::cast_possible_truncation, reason = "rounded, below 4")]
                let middle = (x + STEP * (target - area) / slice) as f32;
                *value = middle;
                break;
            }
            (x, density, area) = (x + STEP, next, area + slice);
        }
        target += 1.0 / parts;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Known quantiles of the normal distribution: where 0.75, 0.9, 0.975 and 0.99 of it are below.
    #[test]
    fn the_values_are_those_of_the_normal_distribution() {
        for (below, quantile) in
            [(0.75, 0.674_49), (0.9, 1.281_55), (0.975, 1.959_96), (0.99, 2.326_35)]
        {
            let above = NORMAL.iter().filter(|value| f64::from(**value) > quantile).count();
            let expected = HALF as f64 * 2.0 * (1.0 - below);
            assert!((above as f64 - expected).abs() <= 1.0, "{above} above {quantile}: {expected}");
        }
        let square: f64 = NORMAL.iter().map(|value| f64::from(*value).powi(2)).sum();
        assert!((square / HALF as f64 - 1.0).abs() < 2e-3, "{square}");
        assert!(NORMAL.is_sorted_by(|a, b| a < b) && NORMAL[0] > 0.0);
    }

    /// Of pairs of vectors of every kind, few and heavy weights among them, bits differ as the angle says.
    #[test]
    fn bits_differ_as_the_angle_says_whatever_the_weights_are() {
        let kinds: [&[f64]; 9] = [
            &[1.0, 0.0],
            &[1.0, 1.0],
            &[1.0, 1.0, 1.0, 1.0],
            &[2.04, 1.0, 0.96],
            &[10.0, 1.0, 2.0],
            &[100.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            &[1.0, -1.0, 0.5, -0.5],
            &[5.0, 5.0, 0.1, 0.1, 0.1],
            &[1.0; 40],
        ];
        let mut seed = 0;
        for weights in kinds {
            for degrees in [5.0_f64, 25.0, 60.0, 120.0] {
                let (mut differ, trials) = (0, 1000);
                for _ in 0..trials {
                    // Another vector at this angle, and other keys each time.
                    let other: Vec<f64> = weights
                        .iter()
                        .map(|_| {
                            seed += 1;
                            (mix64(seed) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
                        })
                        .collect();
                    let dot =
                        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
                    let along = dot(weights, &other) / dot(weights, weights);
                    let across: Vec<_> =
                        other.iter().zip(weights).map(|(y, x)| y - along * x).collect();
                    let scale = (dot(weights, weights) / dot(&across, &across)).sqrt();
                    let (sine, cosine) = degrees.to_radians().sin_cos();
                    let turned =
                        weights.iter().zip(&across).map(|(x, y)| cosine * x + scale * sine * y);
                    let list = |weights: &mut dyn Iterator<Item = f64>| {
                        FeatureList::weighted(
                            (0..).map(|at| mix64(seed << 8 | at)).zip(weights).collect(),
                        )
                    };
                    let (a, b) = (list(&mut weights.iter().copied()), list(&mut { turned }));
                    assert!((a.cosine(&b) - cosine).abs() < 1e-9);
                    differ += of_list::<4>(&a).distance(&of_list::<4>(&b));
                }
                let expected = 256.0 * f64::from(trials) * degrees.to_radians() / PI;
                let error = (expected * (1.0 - degrees / 180.0)).sqrt();
                assert!(
                    (f64::from(differ) - expected).abs() < 4.0 * error + 0.004 * expected,
                    "{weights:?}, {degrees}: {differ}, expected {expected}"
                );
            }
        }
    }

    #[test]
    fn weights_at_the_ends_of_the_range_have_codes_and_none_has_zero() {
        for weight in [f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            let list = |x: f64, y: f64| FeatureList::weighted(vec![(1, x), (2, y)]);
            assert_eq!(
                of_list::<1>(&list(weight, -weight)),
                of_list::<1>(&list(1.0, -1.0)),
                "{weight:e}"
            );
        }
        assert_eq!(of_list::<4>(&FeatureList::default()), Fingerprint::ZERO);
        assert_eq!(of_list::<4>(&FeatureList::weighted(vec![(1, 0.0)])), Fingerprint::ZERO);
    }
}
