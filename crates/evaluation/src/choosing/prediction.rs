//! What a setting would do, told from a survey.

use crate::choosing::going;
use crate::choosing::setting::Setting;
use crate::sampling::codes::within;
use crate::sampling::pairs::SeenPair;
use crate::sampling::survey::Survey;
use crate::statistics::estimate::Estimate;
use crate::statistics::interval::{Interval, wilson};
use crate::statistics::resampling::Resampling;
use nearprint_dedup::{Finding, Forecast};
use nearprint_fingerprint::Width;
use serde::Serialize;

/// Drawn documents whose fingerprints are compared with each other, and pairs of these, at most.
const AMONG: usize = 20_000;
const MOST_AMONG: usize = 1 << 24;
/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.96;

/// What a setting would do with the whole corpus.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The flags that ask for the setting.
    pub flags: String,
    /// How it finds pairs: `bands`, `exact` or `radius`.
    pub finding: &'static str,
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
    /// Pairs of at least [`Survey::LEAST`] that are compared feature by feature and do not pass, if no sketch filters
    /// them; `None` where every pair is found, as nobody knows how many more are compared.
    pub compared_in_vain: Option<f64>,
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
    /// Pairs that are rather found than not, each as a whole one.
    likely: f64,
    /// Pairs that are compared and do not pass.
    vain: f64,
    /// Standard deviation of the pairs that are right, where all of them are found together or not.
    spread: f64,
}

impl Prediction {
    /// What `setting` would do.
    pub(crate) fn of(setting: &Setting, survey: &Survey) -> Self {
        let tallies = tallies(setting, survey);
        let around = Around::of(setting, survey, &tallies);
        let figures = |weights: &[f64]| {
            let sum = |of: fn(&Tally) -> f64| -> f64 {
                tallies.iter().zip(weights).map(|(tally, weight)| weight * of(tally)).sum()
            };
            let right = sum(|tally| tally.right);
            vec![
                going::share(&around.near, weights, around.visible),
                right / sum(|tally| tally.alike),
                right / sum(|tally| tally.found),
            ]
        };
        let values = figures(&vec![1.0; tallies.len()]);
        let mut intervals = Resampling::new(tallies.len()).intervals(figures).into_iter();
        let with =
            |of: fn(&Tally) -> f64| float(tallies.iter().filter(|tally| of(tally) > 0.0).count());
        let is_checked = setting.likeness.verify().is_checked();
        let is_by_bands = matches!(setting.likeness.finding(), Finding::Bands(_));
        let seen = survey.share_drawn() * survey.visible * survey.read;
        let (beyond, unsure) = beyond_groups(survey, &around);
        let all = Chance { trials: float(tallies.len()), seen, narrow: 1e-3, beside: unsure };
        let alike = Chance {
            trials: with(|tally| tally.alike),
            seen,
            // Of pairs that bands find with a probability no two resamples are the same.
            narrow: if is_by_bands { 0.0 } else { 1e-9 },
            beside: luck(&tallies, seen),
        };
        let told = Chance {
            trials: with(|tally| tally.found),
            seen: if is_checked { seen } else { seen * survey.far_share },
            narrow: 1e-9,
            beside: 0.0,
        };
        let mut estimate = |chance: Chance, value: Option<&f64>| {
            let anything = Interval { low: 0.0, high: 1.0 };
            chance
                .estimate(value.copied().unwrap_or(f64::NAN), intervals.next().unwrap_or(anything))
        };
        let goes = estimate(all, values.first()).moved(beyond);
        let recall = estimate(alike, values.get(1));
        let precision = estimate(told, values.get(2));
        let certain = Estimate { value: 1.0, interval: Interval { low: 1.0, high: 1.0 } };
        let is_certain = |holds: bool, told| if holds { certain } else { told };
        let sum =
            |of: fn(&Tally) -> f64| tallies.iter().map(of).sum::<f64>() * survey.pairs_of_one();
        Self {
            flags: setting.flags(),
            finding: setting.likeness.finding().name(),
            similarity: setting.similarity,
            goes,
            recall: is_certain(setting.finds_all(), recall),
            precision: is_certain(setting.checks_all(), precision),
            pairs: sum(|tally| tally.found),
            compared_in_vain: (!setting.finds_all()).then(|| sum(|tally| tally.vain)),
            seconds: None,
            memory: None,
        }
    }

    /// The same with what the job takes.
    pub(crate) fn costing(self, forecast: &Forecast) -> Self {
        Self { seconds: Some(forecast.seconds()), memory: Some(forecast.memory), ..self }
    }
}

/// What is left to chance of a figure.
#[derive(Clone, Copy, Debug)]
struct Chance {
    /// Documents that tell of it.
    trials: f64,
    /// The share of all that was seen.
    seen: f64,
    /// Below this width the interval of the resamples is not believed.
    narrow: f64,
    /// Half of the width of an interval for what the resamples know nothing of.
    beside: f64,
}

impl Chance {
    /// A figure with its interval: that of the resamples, and Wilson's where all of them say the same. It is narrower
    /// by what was seen of all: of a sample that is the whole corpus nothing is left to chance.
    fn estimate(self, value: f64, resampled: Interval) -> Estimate {
        let value = if value.is_nan() { 1.0 } else { value };
        let is_narrow = resampled.high - resampled.low < self.narrow;
        let Interval { low, high } = match is_narrow || value >= 1.0 {
            true => wilson(value.clamp(0.0, 1.0), self.trials),
            false => resampled,
        };
        let rest = (1.0 - self.seen).max(0.0).sqrt();
        let toward = |end: f64| (value + rest * (end - value)).clamp(0.0, 1.0);
        let interval = Interval { low: toward(low.min(value)), high: toward(high.max(value)) };
        Estimate { value, interval }.wider(self.beside)
    }
}

impl Estimate {
    /// The same with an error on both sides that is independent of what the interval knows: half of its width.
    fn wider(self, half: f64) -> Self {
        let Self { value, interval: Interval { low, high } } = self;
        let low = value - (value - low).hypot(half);
        let high = value + (high - value).hypot(half);
        Self { value, interval: Interval { low: low.max(0.0), high: high.min(1.0) } }
    }

    /// The same, moved by so much.
    fn moved(self, by: f64) -> Self {
        let moved = |one: f64| (one + by).clamp(0.0, 1.0);
        let Interval { low, high } = self.interval;
        Self { value: moved(self.value), interval: Interval { low: moved(low), high: moved(high) } }
    }
}

/// The near-duplicates of each drawn document, of which each is visible with some probability.
struct Around {
    near: Vec<f64>,
    /// The same in whole numbers, by which documents take turns: those of equal numbers in the order of the input,
    /// however certainly each is found.
    counts: Vec<f64>,
    visible: f64,
    /// The pairs among the drawn documents.
    among: Vec<(u32, u32)>,
}

impl Around {
    /// Those that were found, as `tallies` say. Of a radius alone those among the drawn documents, where these are a
    /// larger part of all than the part in which far pairs were looked for: a few far pairs that stand for many are no
    /// good measure of how many a single document has.
    fn of(setting: &Setting, survey: &Survey, tallies: &[Tally]) -> Self {
        let visible = survey.visible * survey.read;
        let mut among = among(setting, survey);
        let drawn = survey.share_drawn();
        let is_checked = setting.likeness.verify().is_checked();
        let is_known = !is_checked && tallies.len() <= AMONG && drawn >= survey.far_share;
        let near = || within(&survey.codes, setting.width, setting.likeness.k(), MOST_AMONG);
        let Some(near) = is_known.then(near).flatten() else {
            let each = |of: fn(&Tally) -> f64| -> Vec<f64> { tallies.iter().map(of).collect() };
            let (near, counts) = (each(|tally| tally.found), each(|tally| tally.likely));
            return Self { near, counts, visible, among };
        };
        among.extend(near);
        among.sort_unstable();
        among.dedup();
        let mut near = vec![0.0; tallies.len()];
        for one in among.iter().flat_map(|(a, b)| [a, b]) {
            near.get_mut(*one as usize).into_iter().for_each(|near| *near += 1.0);
        }
        Self { counts: near.clone(), near, visible: drawn * visible, among }
    }
}

/// How far what goes is from what groups tell in which all are near-duplicates of each other, as the drawn documents
/// show among themselves; and half of the width of an interval for it, nothing where all documents were drawn.
///
/// Where not all of a corpus is visible, the numbers of near-duplicates of single documents are not known: then
/// nothing is told.
fn beyond_groups(survey: &Survey, around: &Around) -> (f64, f64) {
    if survey.visible * survey.read < 1.0 {
        return (0.0, 0.0);
    }
    let beyond = going::beyond_groups(&around.among, &around.counts);
    (beyond, beyond.abs() * (1.0 - survey.share_drawn()).sqrt())
}

/// The pairs among the drawn documents that a setting finds, by their places, as far as they are alike.
fn among(setting: &Setting, survey: &Survey) -> Vec<(u32, u32)> {
    let distance = distances(setting, survey);
    let finds = |pair: &&SeenPair| {
        let (looks, passes) = setting.finds(pair.similarity, distance(&pair.distances));
        passes && is_likely(looks)
    };
    let place = |pair: &SeenPair| {
        let other = u32::try_from(survey.drawn.binary_search(&pair.other).ok()?).ok()?;
        (pair.drawn < other).then_some((pair.drawn, other))
    };
    survey.pairs.iter().filter(finds).filter_map(place).collect()
}

/// Whether a pair that is looked at with this probability is rather found than not.
fn is_likely(looks: f64) -> bool {
    looks >= 0.5
}

/// Half of the width of an interval for the share of pairs that bands find: they find each with a probability, and of
/// the pairs of a corpus there are not so many more than were `seen`. Those of one document are found together.
fn luck(tallies: &[Tally], seen: f64) -> f64 {
    let alike: f64 = tallies.iter().map(|tally| tally.alike).sum();
    let squares: f64 = tallies.iter().map(|tally| tally.spread * tally.spread).sum();
    // Both documents of a pair tell of it.
    let deviation = (2.0 * seen * squares).sqrt() / alike.max(1.0);
    NORMAL * deviation
}

/// The distance of a pair at the width of a setting, where it is known.
fn distances(setting: &Setting, survey: &Survey) -> impl Fn(&[u16; 3]) -> Option<u16> + use<> {
    let is_made = survey.widths.contains(&setting.width);
    let width = Width::ALL.iter().position(|width| *width == setting.width).filter(|_| is_made);
    move |distances| width.and_then(|width| distances.get(width).copied())
}

fn tallies(setting: &Setting, survey: &Survey) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); survey.drawn.len()];
    let distance = distances(setting, survey);
    for pair in &survey.pairs {
        let Some(tally) = tallies.get_mut(pair.drawn as usize) else { continue };
        let (looks, passes) = setting.finds(pair.similarity, distance(&pair.distances));
        let alike = f64::from(u8::from(pair.similarity >= setting.similarity));
        tally.alike += alike;
        if passes {
            tally.found += looks;
            tally.likely += f64::from(u8::from(is_likely(looks)));
            tally.right += alike * looks;
            tally.spread += alike * (looks * (1.0 - looks)).max(0.0).sqrt();
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
            tally.likely += of_far;
        }
    }
    tallies
}

#[expect(clippy::cast_precision_loss, reason = "a count")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::codes::Codes;
    use nearprint_dedup::RecordNumber;
    use nearprint_fingerprint::{Fingerprint, Recipe};

    /// The first `drawn` of 40 documents in ten chains of four; each is near those beside it.
    fn chains(drawn: u32) -> Survey {
        let near = |at: u32| {
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            beside.filter(move |other| *other < 40 && at / 4 == other / 4)
        };
        let pair = |drawn, other: u32| SeenPair {
            drawn,
            other: RecordNumber(other.into()),
            similarity: 0.8,
            distances: [0; 3],
        };
        Survey {
            documents: 40,
            read: 1.0,
            visible: 1.0,
            drawn: (0..drawn.into()).map(RecordNumber).collect(),
            codes: vec![None; drawn as usize],
            comparable: drawn.into(),
            short: 0,
            pairs: (0..drawn).flat_map(|at| near(at).map(move |other| pair(at, other))).collect(),
            far: Vec::new(),
            far_share: 1.0,
            widths: vec![Width::W128],
            sources: Vec::new(),
            unseen: None,
            skipped: nearprint_dedup::ByReason::default(),
            repeated_ids: 0,
        }
    }

    #[test]
    fn what_goes_of_chains_is_what_dedup_removes() {
        let recipe = Recipe::default().with_width(Width::W128);
        let setting = Setting::by_similarity(0.8, &recipe).unwrap();
        // Of each chain the second one stays and takes those beside it; the last one stays. As groups
        // 1/2 + 2/3 + 2/3 + 1/2 of four were told to go.
        let whole = Prediction::of(&setting, &chains(40));
        assert!((whole.goes.value - 0.5).abs() < 0.002, "{:?}", whole.goes);
        assert!(whole.goes.interval.high - whole.goes.interval.low < 1e-9, "{:?}", whole.goes);
        let part = Prediction::of(&setting, &chains(20));
        assert!((part.goes.value - 0.5).abs() < 0.002, "{:?}", part.goes);
        assert!(part.goes.interval.high - part.goes.value > 0.05, "{:?}", part.goes);
    }

    #[test]
    fn documents_take_turns_by_how_many_are_near_however_certainly() {
        let recipe = Recipe::default().with_width(Width::W128);
        let setting = Setting::by_similarity(0.8, &recipe).unwrap();
        // A chain of five: the second and the fourth stay. The pairs of the third are found with more certainty.
        let sides: [(u32, u32, f64); 4] = [(0, 1, 0.8), (1, 2, 0.95), (2, 3, 0.95), (3, 4, 0.8)];
        let pairs = sides.into_iter().flat_map(|(a, b, similarity)| {
            [(a, b), (b, a)].map(|(drawn, other)| SeenPair {
                drawn,
                other: RecordNumber(other.into()),
                similarity,
                distances: [0; 3],
            })
        });
        let survey = Survey { pairs: pairs.collect(), ..chains(40) };
        let goes = Prediction::of(&setting, &survey).goes.value;
        assert!((goes - 3.0 / 40.0).abs() < 0.001, "{goes}");
        // How many more an exact search compares is not known.
        let exact = Setting::exact(0.8, &recipe).unwrap();
        let vain = [setting, exact].map(|one| Prediction::of(&one, &survey).compared_in_vain);
        assert_eq!(vain, [Some(0.0), None]);
    }

    #[test]
    fn pairs_that_share_nothing_make_stars_of_a_radius_too() {
        // Nine documents are 13 bits from the first one, 26 from each other, and thirty are near nothing.
        let code = |bits: [u64; 2]| {
            Some(Codes { usual: Fingerprint::from_words(bits), ..Codes::default() })
        };
        let mut codes = vec![None; 40];
        codes[0] = code([0, 0]);
        for at in 0..9 {
            let bits = 0x1fff << (14 * (at % 4));
            codes[at + 1] = code(match at / 4 {
                0 => [bits, 0],
                1 => [0, bits],
                _ => [0x3f << 56, 0x7f << 56],
            });
        }
        let survey = Survey { pairs: Vec::new(), codes, ..chains(40) };
        let goes = |k| {
            let setting = Setting::by_radius(k, Width::W128, 0.8).unwrap();
            Prediction::of(&setting, &survey).goes.value
        };
        assert!((goes(13) - 9.0 / 40.0).abs() < 1e-9, "{}", goes(13));
        assert!(goes(12).abs() < 1e-9, "{}", goes(12));
    }

    #[test]
    fn bands_may_miss_pairs_also_where_every_document_was_looked_at() {
        let recipe = Recipe::default().with_width(Width::W128);
        let setting = Setting::by_similarity(0.8, &recipe).unwrap();
        let recall = Prediction::of(&setting, &chains(40)).recall;
        // 30 pairs, each found with 0.999: one that is missed is 0.033.
        let half = 1.96 * (0.001_f64 / 30.0).sqrt();
        let Interval { low, high } = recall.interval;
        assert!((0.998..0.9995).contains(&recall.value) && high > recall.value, "{recall:?}");
        assert!((recall.value - low - half).abs() < 0.005, "{recall:?} {half}");
    }
}
