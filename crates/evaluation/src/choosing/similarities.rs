//! How similar documents are to the one that is nearest to them, and the valley between those that have a
//! near-duplicate and those that have none.

use crate::sampling::survey::Survey;
use crate::statistics::interval::Interval;
use crate::statistics::resampling::Resampling;
use nearprint_dedup::Likeness;
use serde::Serialize;

/// Steps of similarity between the least that is looked for and 1.
const STEPS: usize = 70;
const STEP: f64 = 0.01;
/// The standard deviation of the smoothing, in steps.
const SMOOTH: f64 = 2.5;
/// A valley is at most this high beside the lower one of the hills around it.
const DEPTH: f64 = 0.5;
/// Where a valley may be.
const FROM: f64 = 0.4;
const TO: f64 = 0.97;

/// The distribution of similarities.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Similarities {
    /// Where the first step begins.
    pub from: f64,
    /// The width of a step.
    pub step: f64,
    /// The share of all documents whose nearest document is this similar, for each step.
    pub nearest: Vec<f64>,
    /// Pairs of documents of the whole corpus, an estimate, for each step.
    pub pairs: Vec<f64>,
    /// Where there is a valley in `nearest`.
    pub valley: Option<Valley>,
}

/// A similarity that few documents have to the nearest one, between others that more have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Valley {
    /// Where it is deepest.
    pub similarity: f64,
    /// Where it is with a confidence of 95 %.
    pub interval: Interval,
}

impl Valley {
    /// A valley that may lie anywhere in more than this suggests nothing.
    const WIDEST: f64 = 0.1;

    /// Whether its place is known well enough to go by.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        // Half a step more, as ends are rounded.
        self.interval.high - self.interval.low <= Self::WIDEST + STEP / 2.0
    }
}

impl Similarities {
    /// The similarity that documents suggest: where a clear valley is.
    #[must_use]
    pub fn suggested(&self) -> Option<f64> {
        self.valley.filter(Valley::is_clear).map(|valley| valley.similarity)
    }

    /// That similarity, or where documents suggest none, [`Likeness::SIMILARITY`].
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.suggested().unwrap_or(Likeness::SIMILARITY)
    }

    pub(crate) fn of(survey: &Survey) -> Self {
        let mut nearest: Vec<Option<f64>> = vec![None; survey.drawn.len()];
        let mut pairs = vec![0.0; STEPS];
        let of_pair = survey.pairs_of_one();
        for pair in &survey.pairs {
            if let Some(nearest) = nearest.get_mut(pair.drawn as usize) {
                *nearest =
                    Some(nearest.map_or(pair.similarity, |one: f64| one.max(pair.similarity)));
            }
            if let Some(count) = pairs.get_mut(step(pair.similarity)) {
                *count += of_pair;
            }
        }
        let steps: Vec<Option<usize>> = nearest.into_iter().map(|one| one.map(step)).collect();
        let all = vec![1.0; steps.len()];
        let counts = counted(&steps, &all);
        let of_each = 1.0 / float(steps.len().max(1));
        Self {
            from: Survey::LEAST,
            step: STEP,
            nearest: counts.iter().map(|count| count * of_each).collect(),
            pairs,
            valley: valley_of(&steps, &counts),
        }
    }
}

/// The valley, where it stands in nearly every resample too.
fn valley_of(steps: &[Option<usize>], counts: &[f64]) -> Option<Valley> {
    let similarity = valley(counts)?;
    let figures = |weights: &[f64]| {
        let found = valley(&counted(steps, weights));
        vec![found.map_or(0.0, |_| 1.0), found.unwrap_or(f64::NAN)]
    };
    match Resampling::new(steps.len()).intervals(figures).as_slice() {
        [there, place] if there.low > 0.5 => {
            let interval = Interval {
                low: rounded(place.low.min(similarity)),
                high: rounded(place.high.max(similarity)),
            };
            Some(Valley { similarity: rounded(similarity), interval })
        }
        _ => None,
    }
}

/// Documents of each step, each with its weight.
fn counted(steps: &[Option<usize>], weights: &[f64]) -> Vec<f64> {
    let mut counts = vec![0.0; STEPS];
    for (step, weight) in steps.iter().zip(weights) {
        if let Some(count) = step.and_then(|step| counts.get_mut(step)) {
            *count += weight;
        }
    }
    counts
}

/// The lowest place of the smoothed counts beside the lower one of the hills around it, if it is low enough.
fn valley(counts: &[f64]) -> Option<f64> {
    let smooth = smoothed(counts);
    let height = |at: usize| {
        let (left, right) = smooth.split_at_checked(at)?;
        let hill = |side: &[f64]| side.iter().copied().fold(0.0, f64::max);
        let lower = hill(left).min(hill(right));
        Some(smooth.get(at)? / lower).filter(|height| height.is_finite())
    };
    let places = (0..STEPS).filter(|at| (FROM..=TO).contains(&middle(*at)));
    let heights: Vec<(usize, f64)> = places.filter_map(|at| Some((at, height(at)?))).collect();
    let least = heights.iter().map(|(_, height)| *height).fold(f64::INFINITY, f64::min);
    if least > DEPTH {
        return None;
    }
    // The middle of a bottom that is even.
    let even: Vec<usize> =
        heights.iter().filter(|(_, height)| *height <= least + 1e-9).map(|(at, _)| *at).collect();
    even.get(even.len() / 2).map(|at| middle(*at))
}

fn smoothed(counts: &[f64]) -> Vec<f64> {
    let weight = |a: usize, b: usize| (-0.5 * ((float(a) - float(b)) / SMOOTH).powi(2)).exp();
    let value = |at: usize| {
        // At the ends a part of the weights is missing.
        let all: f64 = (0..counts.len()).map(|other| weight(at, other)).sum();
        counts.iter().enumerate().map(|(other, count)| weight(at, other) * count).sum::<f64>() / all
    };
    (0..counts.len()).map(value).collect()
}

/// The step of a similarity; equal documents are in the last one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a hundred")]
fn step(similarity: f64) -> usize {
    (((similarity - Survey::LEAST) / STEP + 1e-9) as usize).min(STEPS - 1)
}

fn middle(step: usize) -> f64 {
    Survey::LEAST + STEP * (float(step) + 0.5)
}

/// To hundredths.
fn rounded(similarity: f64) -> f64 {
    (100.0 * similarity).round() / 100.0
}

#[expect(clippy::cast_precision_loss, reason = "a few")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Documents whose nearest ones are around `a` and around `b`, evenly spread.
    fn around(a: f64, b: f64) -> Vec<Option<usize>> {
        let spread =
            |center: f64| (0..400).map(move |at| center + 0.08 * (f64::from(at) / 400.0 - 0.5));
        spread(a).chain(spread(b)).map(|one| Some(step(one.min(1.0)))).collect()
    }

    #[test]
    fn a_valley_is_found_between_two_hills_and_nowhere_else() {
        let steps = around(0.45, 0.9);
        let counts = counted(&steps, &vec![1.0; steps.len()]);
        let found = valley_of(&steps, &counts).unwrap();
        assert!((0.6..0.75).contains(&found.similarity), "{found:?}");
        assert!(found.interval.low <= found.similarity && found.similarity <= found.interval.high);
        let one = around(0.9, 0.9);
        assert_eq!(valley_of(&one, &counted(&one, &vec![1.0; one.len()])), None);
        let none = vec![None; 50];
        assert_eq!(valley_of(&none, &counted(&none, &[1.0; 50])), None);
        // Three documents on one side are no hill that resamples show.
        let few: Vec<_> = around(0.9, 0.9).into_iter().chain([Some(5); 2]).collect();
        assert_eq!(valley_of(&few, &counted(&few, &vec![1.0; few.len()])), None);
    }

    #[test]
    fn a_valley_of_no_certain_place_suggests_nothing() {
        let at = |low, high| Similarities {
            from: 0.3,
            step: STEP,
            nearest: Vec::new(),
            pairs: Vec::new(),
            valley: Some(Valley { similarity: 0.51, interval: Interval { low, high } }),
        };
        assert_eq!(at(0.49, 0.81).threshold(), Likeness::SIMILARITY);
        assert_eq!((at(0.49, 0.81).suggested(), at(0.49, 0.59).suggested()), (None, Some(0.51)));
        assert_eq!((at(0.49, 0.59).threshold(), at(0.49, 0.6).threshold()), (0.51, 0.8));
    }

    #[test]
    fn steps_hold_what_they_begin_with() {
        assert_eq!((step(0.3), step(0.31), step(0.999), step(1.0)), (0, 1, 69, 69));
        assert!((middle(0) - 0.305).abs() < 1e-12);
    }
}
