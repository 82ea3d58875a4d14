//! What a setting would do, told from a survey.

use crate::choosing::going;
use crate::choosing::setting::Setting;
use crate::sampling::survey::Survey;
use crate::statistics::estimate::Estimate;
use crate::statistics::interval::{Interval, wilson};
use crate::statistics::resampling::Resampling;
use nearprint_dedup::Forecast;
use nearprint_fingerprint::Width;
use serde::Serialize;

/// What a setting would do with the whole corpus.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The flags that ask for the setting.
    pub flags: String,
    /// The similarity that recall and precision are told of.
    pub similarity: f64,
    /// The share of the documents that go.
    pub goes: Estimate,
    /// Of the pairs of at least the similarity, the share that is found.
    pub recall: Estimate,
    /// Of the pairs that are found, the share that has at least the similarity.
    pub precision: Estimate,
    /// Pairs that are found in the whole corpus.
    pub pairs: f64,
    /// Pairs that are compared feature by feature and do not pass, of at least [`Survey::LEAST`].
    pub compared_in_vain: f64,
    /// Seconds of the whole job, where that was forecast.
    pub seconds: Option<f64>,
    /// Bytes of memory that it takes.
    pub memory: Option<u64>,
}

/// What the pairs of one drawn document come to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Pairs of at least the similarity.
    alike: f64,
    /// Of these, those that are found.
    right: f64,
    /// Pairs that are found.
    found: f64,
    /// Pairs that are compared and do not pass.
    vain: f64,
}

impl Prediction {
    /// What `setting` would do.
    pub(crate) fn of(setting: &Setting, survey: &Survey) -> Self {
        let tallies = tallies(setting, survey);
        let visible = survey.visible * survey.read;
        let found: Vec<f64> = tallies.iter().map(|tally| tally.found).collect();
        let figures = |weights: &[f64]| {
            let sum = |of: fn(&Tally) -> f64| -> f64 {
                tallies.iter().zip(weights).map(|(tally, weight)| weight * of(tally)).sum()
            };
            let right = sum(|tally| tally.right);
            vec![
                going::share(&found, weights, visible),
                right / sum(|tally| tally.alike),
                right / sum(|tally| tally.found),
            ]
        };
        let values = figures(&vec![1.0; tallies.len()]);
        let intervals = Resampling::new(tallies.len()).intervals(figures);
        let with =
            |of: fn(&Tally) -> f64| float(tallies.iter().filter(|tally| of(tally) > 0.0).count());
        let trials = [float(tallies.len()), with(|tally| tally.alike), with(|tally| tally.found)];
        let mut estimates = values
            .iter()
            .zip(intervals)
            .zip(trials)
            .map(|((value, interval), trials)| estimate(*value, interval, trials, survey));
        let mut next = || {
            estimates
                .next()
                .unwrap_or(Estimate { value: 0.0, interval: Interval { low: 0.0, high: 1.0 } })
        };
        let [goes, recall, precision] = [next(), next(), next()];
        let certain = Estimate { value: 1.0, interval: Interval { low: 1.0, high: 1.0 } };
        let is_certain = |holds: bool, told| if holds { certain } else { told };
        let sum =
            |of: fn(&Tally) -> f64| tallies.iter().map(of).sum::<f64>() * survey.pairs_of_one();
        Self {
            flags: setting.flags(),
            similarity: setting.similarity,
            goes,
            recall: is_certain(setting.finds_all(), recall),
            precision: is_certain(setting.checks_all(), precision),
            pairs: sum(|tally| tally.found),
            compared_in_vain: sum(|tally| tally.vain),
            seconds: None,
            memory: None,
        }
    }

    /// The same with what the job takes.
    pub(crate) fn costing(self, forecast: &Forecast) -> Self {
        Self { seconds: Some(forecast.seconds()), memory: Some(forecast.memory), ..self }
    }
}

/// A figure with its interval: that of the resamples, and Wilson's where all of them say the same. Of a sample that is
/// the whole corpus nothing is left to chance.
fn estimate(value: f64, resampled: Interval, trials: f64, survey: &Survey) -> Estimate {
    let value = if value.is_nan() { 1.0 } else { value };
    let of_trials = wilson(value.clamp(0.0, 1.0), trials);
    let (low, high) = match resampled.high - resampled.low < 1e-9 || value >= 1.0 {
        true => (of_trials.low, of_trials.high),
        false => (resampled.low, resampled.high),
    };
    let rest = (1.0 - survey.share_drawn()).max(0.0).sqrt();
    let toward = |end: f64| (value + rest * (end - value)).clamp(0.0, 1.0);
    Estimate {
        value,
        interval: Interval { low: toward(low.min(value)), high: toward(high.max(value)) },
    }
}

fn tallies(setting: &Setting, survey: &Survey) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); survey.drawn.len()];
    let width = Width::ALL.iter().position(|width| *width == setting.width);
    let is_made = survey.widths.contains(&setting.width);
    let distance = |distances: &[u16; 3]| {
        width.filter(|_| is_made).and_then(|width| distances.get(width).copied())
    };
    for pair in &survey.pairs {
        let Some(tally) = tallies.get_mut(pair.drawn as usize) else { continue };
        let (looks, passes) = setting.finds(pair.similarity, distance(&pair.distances));
        let alike = f64::from(u8::from(pair.similarity >= setting.similarity));
        tally.alike += alike;
        if passes {
            tally.found += looks;
            tally.right += alike * looks;
        } else {
            tally.vain += looks;
        }
    }
    if setting.likeness.verify().is_checked() {
        return tallies;
    }
    // Each far pair stands for those that were not looked at.
    let of_far = survey.visible / survey.far_share.max(f64::MIN_POSITIVE);
    for pair in &survey.far {
        let is_within =
            distance(&pair.distances).is_some_and(|one| u32::from(one) <= setting.likeness.k());
        if let Some(tally) = tallies.get_mut(pair.drawn as usize).filter(|_| is_within) {
            tally.found += of_far;
        }
    }
    tallies
}

#[expect(clippy::cast_precision_loss, reason = "a count")]
fn float(count: usize) -> f64 {
    count as f64
}
