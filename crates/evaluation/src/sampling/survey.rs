//! The survey: documents drawn uniformly, and all that is near them in the corpus.

use crate::error::Error;
use crate::sampling::codes::{Coder, Codes};
use crate::sampling::draw::{drawn, place};
use crate::sampling::near_index::{Hits, NearIndex};
use crate::sampling::pace::Pace;
use crate::sampling::pairs::{FarPair, SeenPair};
use crate::sampling::part::Part;
use foldhash::fast::FixedState;
use nearprint_corpus::{Reader, Source, total_bytes};
use nearprint_dedup::{
    ByReason, Error as DedupError, Likeness, Origin, Progress, Reading, RecordNumber, SeenRecord,
    Sketched, State,
};
use nearprint_fingerprint::{BandShape, DegenerateRule, Recipe, Width};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The part of the time that counting the records may take.
const COUNTING: u32 = 4;
/// Pairs that are held at most; more are thinned out.
const MOST_PAIRS: usize = 1 << 22;
/// Features of all drawn documents that are held at most.
const MOST_FEATURES: usize = 1 << 25;
/// Comparisons of fingerprints that are not near otherwise.
const FAR: f64 = 4e7;

/// What is looked at, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Documents that are drawn.
    pub documents: u64,
    /// What decides which.
    pub seed: u64,
    /// The time that the survey may take.
    pub budget: Duration,
}

/// What a survey saw.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Documents of the corpus; an estimate where not all of it was read.
    pub documents: u64,
    /// The share of the corpus that was read, by bytes: 1 but for a corpus that is too large for the time.
    pub read: f64,
    /// The share of the documents read that the drawn ones were compared with.
    pub visible: f64,
    /// The records of the drawn documents, ascending.
    pub drawn: Vec<RecordNumber>,
    /// Their fingerprints, where they may be near others.
    pub(crate) codes: Vec<Option<Codes>>,
    /// Drawn documents that may be near others: they have features.
    pub comparable: u64,
    /// Drawn documents whose equals alone are near them.
    pub(crate) short: u64,
    /// Pairs of at least [`Survey::LEAST`], each as often as a drawn document is in it.
    pub pairs: Vec<SeenPair>,
    /// Pairs below it whose fingerprints are within the widest radius.
    pub(crate) far: Vec<FarPair>,
    /// The share of the documents read that far pairs were looked for in.
    pub(crate) far_share: f64,
    /// Widths of fingerprints that were made.
    pub widths: Vec<Width>,
    /// The sources, in the order in which records are numbered.
    pub sources: Vec<Source>,
    /// A field that was asked for and that no document has which was looked at, where some were not.
    pub unseen: Option<String>,
    /// What cannot be read and was passed over, among all that the drawn documents were compared with.
    pub skipped: ByReason,
    /// Documents with an id that one before them has, among the same.
    pub repeated_ids: u64,
}

/// A drawn document.
struct Drawn {
    record: RecordNumber,
    state: State,
    keys: Vec<u64>,
    codes: Codes,
    alone: Option<Alone>,
}

/// A document that its features make near others, and its fingerprint does not: a single feature decides all bits.
#[derive(Clone, Copy, PartialEq)]
enum Alone {
    /// Documents of this content alone are its duplicates by fingerprints.
    Content(u128),
    /// None is.
    Apart,
}

impl Alone {
    fn of(sketched: &Sketched, rule: DegenerateRule) -> Option<Self> {
        match rule {
            _ if sketched.state != State::Full || !sketched.flags.dominant => None,
            DegenerateRule::Exact => Some(Self::Content(sketched.content_hash)),
            DegenerateRule::Apart => Some(Self::Apart),
            DegenerateRule::Join => None,
        }
    }

    /// How far apart such a document is from another by fingerprints: as far as none is, or not at all.
    fn distances(one: Self, other: Option<Self>) -> [u16; 3] {
        match one {
            Self::Content(_) if other == Some(one) => [0; 3],
            _ => [u16::MAX; 3],
        }
    }
}

/// What one document brought.
#[derive(Default)]
struct Met {
    place: u64,
    pairs: Vec<SeenPair>,
    far: Vec<FarPair>,
}

impl Survey {
    /// The least similarity that is looked for: bands find none below it.
    pub const LEAST: f64 = BandShape::LEAST_SIMILARITY;

    /// Reads a corpus three times: counts its records, reads those that are drawn, and compares each with all others.
    ///
    /// Every set of so many documents is drawn with the same probability. Each drawn document is compared exactly with
    /// every document that is visible: all, or a fair part of them where the time ends before. The same seed gives the
    /// same survey where the time does not matter. Runs on the threads of the reading.
    ///
    /// # Complexity
    /// Three sequential readings and the features of every document that is visible. Memory: the features of the drawn
    /// documents, up to 256 MB, 48 bytes a pair, up to 200 MB, and 8 bytes an id.
    ///
    /// # Errors
    /// [`Error::FewDocuments`] for a corpus of fewer than two documents; [`Error::Budget`] where the time ends before
    /// anything was compared; records that cannot be read; [`Error::Dedup`] where the job was interrupted.
    pub fn take(
        reading: &Reading,
        sources: &[Source],
        sampling: Sampling,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let Origin::Text { recipe, .. } = &reading.content else {
            return Err(Error::Dedup(DedupError::NoText));
        };
        let sources = in_random_order(sources, sampling.seed);
        let work = Work { reading, sources, sampling, progress, recipe, start: Instant::now() };
        work.survey()
    }
}

/// The sources in an order that depends on nothing but the seed, so that a part of them is a fair one.
fn in_random_order(sources: &[Source], seed: u64) -> Vec<Source> {
    let mut places: Vec<_> =
        (0..).zip(sources).map(|(at, source)| (place(at, seed), source)).collect();
    places.sort_by_key(|(place, _)| *place);
    places.into_iter().map(|(_, source)| source.clone()).collect()
}

/// A survey while it is taken.
struct Work<'a> {
    reading: &'a Reading,
    sources: Vec<Source>,
    sampling: Sampling,
    progress: &'a Progress,
    recipe: &'a Recipe,
    start: Instant,
}

impl Work<'_> {
    fn survey(self) -> Result<Survey, Error> {
        let mut skipped = ByReason::default();
        let (records, read) = self.count(&mut skipped)?;
        if records < 2 {
            return Err(Error::FewDocuments { documents: records, skipped });
        }
        let numbers = drawn(self.sampling.documents, records, self.sampling.seed);
        let mut drawn = self.draw(&numbers, &mut skipped)?;
        let documents = scaled(records, drawn.len(), numbers.len(), read);
        let too_many = drawn.iter().map(|drawn| drawn.keys.len()).sum::<usize>() / MOST_FEATURES;
        if too_many > 0 {
            let part = u64::MAX / (too_many as u64 + 1);
            drawn.retain(|drawn| place(drawn.record.0, !self.sampling.seed) <= part);
        }
        if drawn.len() < 2 {
            return Err(Error::FewDocuments { documents: drawn.len() as u64, skipped });
        }
        let full = |drawn: &&Drawn| drawn.state == State::Full;
        let short = |drawn: &&Drawn| matches!(drawn.state, State::Exact(_));
        let mut survey = Survey {
            documents,
            read,
            visible: 1.0,
            comparable: drawn.iter().filter(full).count() as u64,
            short: drawn.iter().filter(short).count() as u64,
            drawn: drawn.iter().map(|drawn| drawn.record).collect(),
            codes: drawn
                .iter()
                .map(|drawn| (full(&drawn) && drawn.alone.is_none()).then_some(drawn.codes))
                .collect(),
            pairs: Vec::new(),
            far: Vec::new(),
            far_share: (FAR / (drawn.len() as f64 * records as f64)).min(1.0),
            widths: Coder::widths(self.recipe),
            sources: Vec::new(),
            unseen: None,
            skipped: ByReason::default(),
            repeated_ids: 0,
        };
        if survey.comparable + survey.short == 0 {
            return Err(Error::Featureless { looked_at: drawn.len() as u64, documents });
        }
        self.meet(&drawn, records, &mut survey)?;
        survey.sources = self.sources;
        Ok(survey)
    }

    /// The records of the corpus, or of the part of it that a quarter of the time is enough for, and the share
    /// that this is. Adds what cannot be read.
    fn count(&self, skipped: &mut ByReason) -> Result<(u64, f64), Error> {
        let reader = Reader::new(&self.sources, self.reading.options);
        let bytes_read = reader.bytes_read();
        let (mut records, mut ended) = (0, false);
        for batch in reader {
            match batch {
                Ok(batch) => records += batch.len() as u64,
                Err(error) => {
                    let error = error.into();
                    if self.reading.ends_with(&error) {
                        return Err(error.into());
                    }
                    skipped.add_error(&error);
                }
            }
            if self.progress.is_cancelled() {
                return Err(DedupError::Interrupted.into());
            }
            if self.start.elapsed() > self.sampling.budget / COUNTING {
                ended = true;
                break;
            }
        }
        let (read, all) = (bytes_read.load(Ordering::Relaxed), total_bytes(&self.sources));
        Ok((records, if ended { share(read, all.unwrap_or(read)) } else { 1.0 }))
    }

    /// Reads the records of these numbers, which ascend: those that are documents. Sets what cannot be read.
    fn draw(&self, numbers: &[u64], skipped: &mut ByReason) -> Result<Vec<Drawn>, Error> {
        let last = numbers.last().copied().unwrap_or(0);
        let (mut drawn, mut done) = (Vec::with_capacity(numbers.len()), false);
        *skipped = ByReason::default();
        let make = |coder: &mut Option<Coder>, seen: SeenRecord<'_>| {
            let codes = coder.as_mut().map(|coder| coder.codes(&seen)).unwrap_or_default();
            let state = seen.sketched.state;
            let alone = Alone::of(seen.sketched, self.recipe.degenerate);
            let drawn =
                Drawn { record: seen.record, state, keys: seen.keys.to_vec(), codes, alone };
            (state != State::Skipped).then_some(drawn)
        };
        let looked = self.reading.look(
            &self.sources,
            |record| numbers.binary_search(&record.0).is_ok(),
            self.progress,
            || Coder::new(self.recipe).ok(),
            make,
            |batch, of_batch, _| {
                skipped.merge(of_batch);
                drawn.extend(batch.into_iter().flatten());
                done = drawn.last().is_some_and(|drawn: &Drawn| drawn.record.0 >= last);
                // What is behind the last of them is not read.
                if done { Err(DedupError::Interrupted) } else { Ok(()) }
            },
        );
        match looked {
            Err(_) if done => Ok(drawn),
            other => other.map(|_| drawn).map_err(Error::from),
        }
    }

    /// Compares the drawn documents with all of the `records` that are visible.
    fn meet(&self, drawn: &[Drawn], records: u64, survey: &mut Survey) -> Result<(), Error> {
        let keys: Vec<Vec<u64>> = drawn.iter().map(|drawn| drawn.keys.clone()).collect();
        let index = NearIndex::new(&keys, Survey::LEAST);
        let mut short: HashMap<u64, Vec<u32>, FixedState> = HashMap::default();
        for (at, drawn) in (0..).zip(drawn) {
            if let State::Exact(hash) = drawn.state {
                short.entry(hash).or_default().push(at);
            }
        }
        let pace = Pace::until(self.start + self.sampling.budget);
        if Instant::now() >= self.start + self.sampling.budget {
            return Err(self.too_short());
        }
        let (seed, far, is_part) = (self.sampling.seed, Far::of(survey), survey.read < 1.0);
        let make = |(coder, hits): &mut (Option<Coder>, Hits), seen: SeenRecord<'_>| {
            let mut met = Met { place: place(seen.record.0, seed), ..Met::default() };
            let mut near = |at: u32, similarity: f64| {
                met.pairs.push(SeenPair {
                    drawn: at,
                    other: seen.record,
                    similarity,
                    distances: [0; 3],
                })
            };
            match seen.sketched.state {
                State::Full => index.near(seen.keys, hits, near),
                State::Exact(hash) => {
                    short.get(&hash).into_iter().flatten().for_each(|at| near(*at, 1.0))
                }
                _ => {}
            }
            met.pairs.retain(|pair| is_other(drawn, pair));
            let alone = Alone::of(seen.sketched, self.recipe.degenerate);
            let is_full = seen.sketched.state == State::Full;
            let looks_far = far.part.holds(met.place) && is_full && alone.is_none();
            if !looks_far && met.pairs.is_empty() {
                return met;
            }
            let codes = coder.as_mut().map(|coder| coder.codes(&seen)).unwrap_or_default();
            for pair in &mut met.pairs {
                if let Some(own) = drawn.get(pair.drawn as usize) {
                    pair.distances = match (own.alone, alone) {
                        (None, None) => own.codes.distances(&codes),
                        (Some(one), other) | (other, Some(one)) => Alone::distances(one, other),
                    };
                }
            }
            if looks_far {
                far.look(drawn, seen.record, &codes, &mut met);
            }
            met
        };
        let (mut since, mut done, mut ended) = (pace.start(), 0_u64, false);
        let (mut held, mut held_far) = (Vec::<(u64, SeenPair)>::new(), Vec::new());
        let mut ids = Vec::<u64>::new();
        let looked = self.reading.look(
            &self.sources,
            |record| record.0 < records && pace.visible().holds(place(record.0, seed)),
            self.progress,
            || (Coder::new(self.recipe).ok(), Hits::default()),
            |state, seen| {
                let record = seen.record.0;
                (record, make(state, seen))
            },
            |batch, skipped, of_batch| {
                survey.skipped.merge(skipped);
                ids.extend_from_slice(of_batch);
                for (record, met) in batch {
                    done = done.max(record + 1);
                    held_far.extend(met.far.into_iter().map(|pair| (met.place, pair)));
                    held.extend(met.pairs.into_iter().map(|pair| (met.place, pair)));
                }
                if held_far.len() > MOST_PAIRS {
                    far.part.halve();
                    held_far.retain(|(place, _)| far.part.holds(*place));
                }
                if held.len() > MOST_PAIRS {
                    pace.visible().halve();
                    held.retain(|(place, _)| pace.visible().holds(*place));
                }
                let in_time = pace.keep(&mut since, share(done, records));
                ended = !in_time || (is_part && done >= records);
                if ended { Err(DedupError::Interrupted) } else { Ok(()) }
            },
        );
        match looked {
            Err(DedupError::Interrupted) if ended => {}
            other => survey.unseen = other?,
        }
        let stated = ids.len();
        ids.sort_unstable();
        ids.dedup();
        survey.repeated_ids = (stated - ids.len()) as u64;
        let seen = if ended { share(done, records) } else { 1.0 };
        if seen * pace.visible().share() < 1e-4 {
            return Err(self.too_short());
        }
        survey.visible = pace.visible().share() * seen;
        survey.far_share = far.part.share().min(pace.visible().share()) * seen;
        held.retain(|(place, _)| pace.visible().holds(*place));
        held_far.retain(|(place, _)| pace.visible().holds(*place));
        survey.pairs = held.into_iter().map(|(_, pair)| pair).collect();
        survey.far = held_far.into_iter().map(|(_, pair)| pair).collect();
        survey.pairs.sort_unstable_by_key(|pair| (pair.drawn, pair.other));
        survey.far.sort_unstable_by_key(|pair| (pair.drawn, pair.distances));
        Ok(())
    }

    fn too_short(&self) -> Error {
        Error::Budget { given: self.sampling.budget, took: self.start.elapsed() }
    }
}

/// Whether a pair is not a document with itself.
fn is_other(drawn: &[Drawn], pair: &SeenPair) -> bool {
    drawn.get(pair.drawn as usize).is_some_and(|drawn| drawn.record != pair.other)
}

/// Looks for fingerprints that are near although their documents are not.
struct Far {
    /// The documents that are looked at.
    part: Part,
    /// The widest radius that may be asked for at each width, plus one; 0 where no fingerprints are made.
    below: [u16; 3],
}

impl Far {
    fn of(survey: &Survey) -> Self {
        let below = Width::ALL.map(|width| match survey.widths.contains(&width) {
            true => u16::try_from(widest(width) + 1).unwrap_or(0),
            false => 0,
        });
        Self { part: Part::of(survey.far_share), below }
    }

    fn look(&self, drawn: &[Drawn], record: RecordNumber, codes: &Codes, met: &mut Met) {
        let near: Vec<u32> = met.pairs.iter().map(|pair| pair.drawn).collect();
        for (at, own) in (0..).zip(drawn) {
            let is_far = own.state == State::Full && own.alone.is_none() && own.record != record;
            if !is_far || near.contains(&at) {
                continue;
            }
            let distances = own.codes.distances(codes);
            if distances.iter().zip(&self.below).any(|(distance, below)| distance < below) {
                met.far.push(FarPair { drawn: at, distances });
            }
        }
    }
}

/// The widest radius at which fingerprints alone may decide.
pub(crate) fn widest(width: Width) -> u32 {
    let is_told =
        |k: &u32| Likeness::by_radius(*k, width).is_ok_and(|near| near.check_chance().is_ok());
    (0..=width.bits() / 2).take_while(is_told).last().unwrap_or(0)
}

#[expect(clippy::cast_precision_loss, reason = "a share")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// The documents among so many records, as a draw tells, of a corpus of which a share was read.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an estimate above 0"
)]
fn scaled(records: u64, documents: usize, drawn: usize, read: f64) -> u64 {
    if documents == drawn && read >= 1.0 {
        return records;
    }
    (records as f64 * documents as f64 / drawn.max(1) as f64 / read.max(1e-9)).round() as u64
}
