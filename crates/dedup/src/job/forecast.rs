//! What a job will take, told from a part of its input. What a join of so many fingerprints takes is
//! the affair of [`nearprint_index::planner`].

use crate::error::Error;
use crate::job::needs::OF_RECORD;
use crate::job::resolved::Job;
use crate::memory::limits::Memory;
use crate::progress::Progress;
use crate::read::pipeline;
use crate::read::search_input::SearchInput;
use crate::read::sketch::Sketcher;
use crate::read::sketched::State;
use nearprint_corpus::{Reader, Source, total_bytes};
use nearprint_fingerprint::{BandShape, Width};
use nearprint_index::{Planner, Purpose, Request};
use nearprint_rules::{Finding, Likeness};
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Sources of which a part is read, at most; and where they are small.
const SOURCES: usize = 8;
const SMALL_SOURCES: usize = 400;
/// Bytes of a small source, on average.
const SMALL: u64 = 1 << 18;
/// Bytes of a record that takes no memory worth a word.
const SHORT_RECORD: u64 = 1 << 20;
/// Batches that are read of all of them.
const BATCHES: usize = 256;
/// Windows into the sources that are read, where they can be looked into, and the bytes of each.
const WINDOWS: u64 = 32;
const WINDOW: u64 = if cfg!(test) { 1 << 12 } else { 1 << 20 };
/// Standard errors on each side of a range, and the least that a range has on each side, as a share.
const ERRORS: f64 = 3.0;
const NARROW: f64 = 0.01;
/// How many times as many documents there may be where only the heads of sources were read, or as few.
const OF_HEADS: f64 = 3.0;
/// Bytes that sorting and comparing take, at least, and those of leaders where documents are crowded. Measured.
const WORK: u64 = 8 << 20;
const CROWDED: u64 = 80 << 20;
/// The last reading with its writing, beside a first reading that makes fingerprints. Measured.
const WRITING: f64 = 0.25;
/// The reading for features and their comparison, beside a first reading, where a sixth of the documents are near
/// others. Measured.
const VERIFYING: f64 = 0.5;
/// Bytes of text to a feature: words of most languages are longer.
const FEATURE: u64 = 5;
/// Seconds of a document and band in the join by bands, on one thread: a bound taken from whole runs over a
/// million documents, which verify pairs too.
const OF_BAND: f64 = 60e-9;
/// The reading for rare features, beside a first reading. Fitted to whole runs.
const PREFIXES: f64 = 0.9;
/// Seconds of a feature in the join by prefixes, on one thread: fitted to whole runs, in which it
/// was a tenth of that and a little more.
const OF_FEATURE: f64 = 60e-9;
/// Bytes of a document, and of each of its features, in the file of rare features, at most.
const HEAD_BYTES: u64 = 16;
const PREFIX_BYTES: u64 = 5;
/// Bytes of the code of a sketch.
const OF_CODE: u64 = 16;
/// Bytes of a document in memory beside its fingerprint and the code of its sketch, and what is held however many there
/// are. Fitted to whole runs.
const OF_DOCUMENT: u64 = 14;
const BESIDE: u64 = 8 << 20;
/// The same for an exact join, beside its counts. Fitted to whole runs.
const OF_PREFIX: u64 = 20;
const BLOCK: u64 = 24 << 20;
/// Bytes that are read for a forecast, about.
const SAMPLE: u64 = 32 << 20;
/// How often the join writes what it reads, at most.
const SPILLS: u64 = 3;

/// What a job will take, as far as a part of its input tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Forecast {
    /// Documents that were read for it.
    pub sampled: u64,
    /// Documents of all input, about.
    pub documents: u64,
    /// The fewest and the most that there may be.
    pub documents_range: [u64; 2],
    /// Bytes of the input as it lies on disk.
    pub bytes: u64,
    /// Seconds to read and to make fingerprints.
    pub fingerprint_seconds: f64,
    /// Seconds of the join; within a radius, of fingerprints as even as random ones, which real ones are
    /// not.
    pub join_seconds: f64,
    /// Seconds to read candidates again and compare them, if they are some of the documents; 0 where nothing
    /// is verified.
    pub verify_seconds: f64,
    /// Seconds to write what stays.
    pub write_seconds: f64,
    /// Bytes of memory, about: the most where no document is like hundreds of others.
    pub memory: u64,
    /// The fewest and the most that it may take.
    pub memory_range: [u64; 2],
    /// Bytes of temporary files, if all documents are near others.
    pub disk: u64,
    /// Bytes written, if all documents stay; as the input lies on disk.
    pub output: u64,
}

impl Forecast {
    /// Seconds from start to end.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.fingerprint_seconds + self.join_seconds + self.verify_seconds + self.write_seconds
    }
}

/// Seconds that the join of so many fingerprints takes on `threads`, were they uniform.
///
/// # Errors
/// `k` over the width.
pub fn join_seconds(documents: u64, width: u32, k: u32, threads: usize) -> Result<f64, Error> {
    if documents < 2 {
        return Ok(0.0);
    }
    let purpose = Purpose::Join;
    let planner = Planner::new(Request { documents, width, k, ids: true, memory: None, purpose })?;
    Ok(planner.choose()?.join_seconds() / gain(threads))
}

/// Seconds that the join by bands of so many documents takes on `threads`.
fn band_seconds(documents: u64, bands: BandShape, threads: usize) -> f64 {
    ratio(documents, 1) * f64::from(bands.bands()) * OF_BAND / gain(threads)
}

/// How many times faster so many threads are than one: a second thread is worth 0.8 of one. Measured.
#[expect(clippy::cast_precision_loss, reason = "a few")]
pub(crate) fn gain(threads: usize) -> f64 {
    0.8_f64.mul_add(threads.max(1) as f64 - 1.0, 1.0)
}

/// What was read of some sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) documents: u64,
    /// As it lies on disk.
    pub(crate) bytes: u64,
    /// The documents and bytes of each part that was read.
    pub(crate) parts: Vec<[u64; 2]>,
    /// Whether a part is the head of a source that goes on.
    pub(crate) of_heads: bool,
    ids: u64,
    /// Bytes of all texts.
    pub(crate) text: u64,
    /// Bytes of the longest, and of the largest batch.
    longest: u64,
    largest: u64,
    pub(crate) seconds: f64,
}

impl Job {
    /// What the job will take, as far as a part of its input tells. Writes nothing.
    ///
    /// # Complexity
    /// Fingerprints of 32 MB at most.
    ///
    /// # Errors
    /// Input that cannot be read; [`Error::NoText`]; `k` over the width.
    pub fn forecast(&self, progress: &Progress) -> Result<Forecast, Error> {
        let sample = self.sample(progress)?;
        self.forecast_of(&self.criteria.likeness, self.recipe()?.width, &sample)
    }

    /// What the job would take by each of these in place of what was asked for, with fingerprints of these widths,
    /// as far as one look at the input tells.
    ///
    /// # Errors
    /// Those of [`forecast`](Self::forecast).
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{InputSpec, JobSpec, Likeness, Progress, Resources};
    /// use nearprint_fingerprint::Width;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let input = folder.path().join("in.jsonl");
    /// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"A, b, c, e!\"}\n")?;
    /// let near = (Likeness::by_radius(3, Width::W64)?, Width::W64);
    /// let input = InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() };
    /// let (spec, progress) = (JobSpec { input, ..JobSpec::default() }, Progress::default());
    /// let forecasts = spec.resolve(&Resources::default(), &progress)?.forecasts(&[near], &progress)?;
    /// assert_eq!(forecasts[0].documents, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forecasts(
        &self,
        asked: &[(Likeness, Width)],
        progress: &Progress,
    ) -> Result<Vec<Forecast>, Error> {
        let sample = self.sample(progress)?;
        asked.iter().map(|(likeness, width)| self.forecast_of(likeness, *width, &sample)).collect()
    }

    /// What the job would take by this likeness, as far as a sample tells.
    fn forecast_of(
        &self,
        likeness: &Likeness,
        width: Width,
        sample: &Sample,
    ) -> Result<Forecast, Error> {
        let bytes = total_bytes(&self.sources).unwrap_or(0);
        let share = ratio(bytes, sample.bytes.max(1));
        let scaled = |part: u64| whole(share * ratio(part, 1));
        let documents =
            if bytes == sample.bytes { sample.documents } else { scaled(sample.documents) };
        let documents_range = sample.range(bytes);
        let threads = self.reading.threads;
        let fingerprint_seconds = share * sample.seconds;
        let verified = likeness.verify().is_checked();
        let word_bytes = u64::from(width.bits()) / 8;
        let ids =
            if self.outputs.name_documents() { scaled(sample.ids) + 8 * documents } else { 0 };
        let signed = self.is_signed(self.asks_for_fingerprints());
        let codes = match likeness.finding() {
            Finding::Bands(_) if signed => OF_CODE + word_bytes,
            Finding::Bands(_) => OF_CODE,
            _ if likeness.finds_by_angle() => 2 * word_bytes,
            _ => word_bytes,
        };
        let of_documents = |number: u64| {
            let share = ratio(number, documents.max(1));
            whole(share * ratio(documents * (codes + OF_DOCUMENT) + ids, 1))
        };
        let beside = BESIDE + Memory::least(threads) as u64;
        let features = if verified { scaled(sample.text) / FEATURE } else { 0 };
        let counts = match likeness.finding() {
            Finding::Prefixes => {
                SearchInput::bytes_of_counts(bytes, self.memory) + documents * OF_PREFIX + BLOCK
            }
            _ => 0,
        };
        let longest = if sample.longest > SHORT_RECORD { sample.longest } else { 0 };
        let beside =
            beside + counts + self.needs.with_pages_of(sample.largest) + OF_RECORD * longest;
        let crowded = if verified { CROWDED } else { 0 };
        let held = |documents: u64, work: u64| {
            let held = of_documents(documents) + beside + work;
            match self.memory {
                Memory::Process(cap) => held.max(cap as u64),
                Memory::Join(room) => held + room as u64,
                Memory::Frugal => held,
            }
        };
        let [fewest, most] = documents_range;
        Ok(Forecast {
            sampled: sample.documents,
            documents,
            documents_range,
            bytes,
            fingerprint_seconds,
            join_seconds: match likeness.finding() {
                Finding::Bands(bands) => band_seconds(documents, bands, threads),
                Finding::Radius => join_seconds(documents, width.bits(), likeness.k(), threads)?,
                Finding::Bytes => 0.0,
                Finding::Prefixes => {
                    PREFIXES * fingerprint_seconds + ratio(features, 1) * OF_FEATURE / gain(threads)
                }
            },
            verify_seconds: if verified { VERIFYING * fingerprint_seconds } else { 0.0 },
            write_seconds: WRITING * fingerprint_seconds + self.needs.making_seconds(),
            memory: held(documents, WORK),
            memory_range: [held(fewest, 0) / 4 * 3, held(most, 2 * WORK + crowded)],
            disk: if self.check()?.weighs() { 16 } else { 8 } * features
                + match likeness.finding() {
                    Finding::Bands(bands) => documents * bands.bytes() as u64,
                    Finding::Radius => SPILLS * documents * (word_bytes + 8),
                    Finding::Bytes => 0,
                    Finding::Prefixes => PREFIX_BYTES * features + HEAD_BYTES * documents,
                },
            output: bytes,
        })
    }

    fn sample(&self, progress: &Progress) -> Result<Sample, Error> {
        let ((parts, batches), mut sample) =
            (sampled(&self.sources, &self.work_dir)?, Sample::default());
        let (likeness, memory) = (&self.criteria.likeness, self.memory);
        let signed = self.is_signed(self.asks_for_fingerprints());
        let task = SearchInput::new(likeness, signed, SAMPLE, memory, &self.work_dir).task();
        let sketcher = || {
            let Self { reading, .. } = self;
            let (fields, on_error) = (&reading.fields, reading.on_error);
            let sketcher = Sketcher::new(&reading.content, fields, on_error);
            sketcher.map(|sketcher| sketcher.with_task(&task))
        };
        // Opens nothing yet.
        let reader =
            |(source, _): &Part| Reader::new(std::slice::from_ref(source), self.reading.options);
        let readers: Vec<_> = parts.iter().map(reader).collect();
        let read: Vec<_> = readers.iter().map(Reader::bytes_read).collect();
        sample.parts = vec![[0; 2]; parts.len()];
        let (start, mut first, mut batches_read, mut copied) = (Instant::now(), None, 0, 0);
        pipeline::ordered(
            readers.into_iter().enumerate().flat_map(|(part, reader)| {
                reader.take(batches).map(move |batch| batch.map(|batch| (part, batch)))
            }),
            |batch| batch.as_ref().map_or(0, |(_, batch)| batch.bytes()),
            self.reading.threads,
            sketcher,
            |sketcher, batch| {
                let sketcher = sketcher.as_mut().map_err(|error| error.clone())?;
                let (part, batch) = batch?;
                Ok((part, sketcher.sketch(&batch)))
            },
            |read: Result<_, Error>| {
                let (part, mut sketch) = read?;
                let ends = |error: &Error| self.reading.ends_with(error);
                if let Some(at) = sketch.errors.iter().position(ends) {
                    return Err(sketch.errors.swap_remove(at));
                }
                let skipped = sketch.records.iter().filter(|r| r.state == State::Skipped);
                let documents = (sketch.records.len() - skipped.count()) as u64;
                if let Some([of_part, _]) = sample.parts.get_mut(part) {
                    *of_part += documents;
                }
                sample.documents += documents;
                sample.ids += sketch.ids.len() as u64;
                let lengths = sketch.records.iter().map(|record| record.length);
                sample.text += lengths.clone().sum::<u64>();
                sample.longest = sample.longest.max(lengths.max().unwrap_or(0));
                sample.largest = sample.largest.max(sketch.bytes);
                batches_read += 1;
                first.get_or_insert_with(Instant::now);
                progress.check()
            },
        )?;
        // What comes before the first batch, as recipes are read, comes once.
        sample.seconds = match first {
            Some(first) if batches_read > 1 => {
                first.elapsed().as_secs_f64() * ratio(batches_read, batches_read - 1)
            }
            _ => start.elapsed().as_secs_f64(),
        };
        for ((read, (source, window)), [_, bytes]) in read.iter().zip(&parts).zip(&mut sample.parts)
        {
            let read = read.load(Ordering::Relaxed);
            copied += read;
            // Records of a window begin there: some of their bytes are behind it.
            *bytes = window.unwrap_or(read);
            sample.of_heads |= window.is_none() && source.bytes().is_some_and(|all| read < all);
        }
        sample.bytes = sample.parts.iter().map(|[_, bytes]| bytes).sum();
        // What is told of the bytes that were read is told of those of windows.
        sample.seconds *= ratio(sample.bytes.max(1), copied.max(1));
        Ok(sample)
    }
}

/// A part of a source: a window of so many bytes, or its head.
type Part = (Source, Option<u64>);

/// Parts of sources that are read for a forecast, and the batches of each at most.
pub(crate) fn sampled(sources: &[Source], dir: &Path) -> Result<(Vec<Part>, usize), Error> {
    let many = sources.len() as u64;
    let are_small = total_bytes(sources).is_some_and(|bytes| bytes / many.max(1) < SMALL);
    let most = if are_small { SMALL_SOURCES } else { SOURCES };
    let step = sources.len().div_ceil(most).max(1);
    let batches = (BATCHES / sources.len().clamp(1, most)).max(1);
    let picked: Vec<&Source> = sources.iter().step_by(step).collect();
    let mut parts = Vec::new();
    let of_each = (WINDOWS / picked.len().max(1) as u64).max(1);
    for source in picked {
        let windows = source.windows(of_each, WINDOW, dir)?;
        if windows.is_empty() {
            parts.push((source.clone(), None));
        }
        parts.extend(windows.into_iter().map(|window| (window, Some(WINDOW))));
    }
    Ok((parts, batches))
}

impl Sample {
    /// The fewest and the most documents that so many bytes hold, by how much the parts differ.
    pub(crate) fn range(&self, all: u64) -> [u64; 2] {
        if all == self.bytes {
            return [self.documents; 2];
        }
        let (count, share) = (self.parts.len() as u64, ratio(all, self.bytes.max(1)));
        let density = ratio(self.documents, self.bytes.max(1));
        let residual =
            |[documents, bytes]: &[u64; 2]| ratio(*documents, 1) - density * ratio(*bytes, 1);
        let residuals: Vec<f64> = self.parts.iter().map(residual).collect();
        // Parts beside each other are alike, so it is by these that what is between them may differ.
        let squares: f64 = residuals
            .iter()
            .zip(residuals.iter().skip(1))
            .map(|(one, next)| (next - one).powi(2) / 2.0)
            .sum();
        let about = share * ratio(self.documents, 1);
        let error = ERRORS * share * (squares * ratio(count, count.max(2) - 1)).sqrt();
        let error = error.max(NARROW * about);
        let [low, high] = [about - error, about + error];
        let heads = if self.of_heads { OF_HEADS } else { 1.0 };
        [whole((low / heads).max(ratio(self.documents, 1))), whole(high * heads)]
    }
}

#[expect(clippy::cast_precision_loss, reason = "a forecast")]
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a forecast, above 0")]
pub(crate) fn whole(number: f64) -> u64 {
    number.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::spec::{InputSpec, JobSpec, Resources};

    #[test]
    fn documents_are_counted_all_over_a_file() {
        // The first documents of the file are short, the others forty times as long.
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("in.jsonl");
        let row = |number: usize| {
            let text = format!("word{number} ").repeat(if number < 4000 { 5 } else { 200 });
            format!("{{\"text\":\"{text}\"}}\n")
        };
        std::fs::write(&input, (0..5000).map(row).collect::<String>()).unwrap();
        let inputs = vec![input.display().to_string()];
        let input = InputSpec { inputs, ..InputSpec::default() };
        let (spec, progress) = (JobSpec { input, ..JobSpec::default() }, Progress::default());
        let job = spec.resolve(&Resources::default(), &progress).unwrap();
        let forecast = job.forecast(&progress).unwrap();
        let [fewest, most] = forecast.documents_range;
        assert!((fewest..=most).contains(&5000) && most < 12_000, "{forecast:?}");
        assert!(forecast.sampled < 1500 && forecast.documents > fewest, "{forecast:?}");
    }

    #[test]
    fn a_range_is_as_wide_as_the_parts_differ() {
        let of = |parts: &[[u64; 2]]| Sample {
            documents: parts.iter().map(|[documents, _]| documents).sum(),
            bytes: parts.iter().map(|[_, bytes]| bytes).sum(),
            parts: parts.to_vec(),
            ..Sample::default()
        };
        // All was read; all parts are the same; one has three times as many.
        assert_eq!(of(&[[7, 90]]).range(90), [7, 7]);
        assert_eq!(of(&[[100, 50]; 4]).range(2000), [3960, 4040]);
        let [low, high] = of(&[[100, 50], [100, 50], [100, 50], [300, 50]]).range(2000);
        assert!((1050..1150).contains(&low) && (10_850..10_950).contains(&high), "{low} {high}");
        let heads = Sample { of_heads: true, ..of(&[[100, 50]; 4]) };
        assert_eq!(heads.range(2000), [1320, 12_120]);
    }

    #[test]
    fn wider_radii_and_more_documents_take_longer_and_threads_help() {
        let join = |documents, k, threads| join_seconds(documents, 128, k, threads).unwrap();
        assert!(join(10_000_000, 26, 2) > 50.0 * join(1_000_000, 26, 2));
        assert!(join(1_000_000, 26, 2) > 5.0 * join(1_000_000, 6, 2));
        assert!(join(1_000_000, 26, 1) > 1.5 * join(1_000_000, 26, 2));
        assert_eq!(join(1, 26, 1), 0.0);
        assert!(join_seconds(10, 64, 65, 1).is_err());
    }
}
