//! What a job will take, told from a part of its input. What a join of so many fingerprints takes is
//! computed by [`nearprint_index::planner`].

use crate::error::Error;
use crate::job::form::OutputSize;
use crate::job::needs::OF_RECORD;
use crate::job::resolved::Job;
use crate::job::sampling::{Amount, Part, Sampling, ratio, whole};
use crate::memory::limits::Memory;
use crate::progress::Progress;
use crate::read::by_reason::ByReason;
use crate::read::pipeline;
use crate::read::search_input::SearchInput;
use crate::read::sketch::Sketcher;
use crate::read::sketched::State;
use crate::read::sketched_batch::SketchedBatch;
use nearprint_corpus::{Batch, Reader, Source, total_bytes};
use nearprint_fingerprint::{BandShape, Width};
use nearprint_index::{Planner, Purpose, Request};
use nearprint_rules::{Finding, Likeness};
use serde::Serialize;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Bytes of a record that takes no memory worth a word.
const SHORT_RECORD: u64 = 1 << 20;
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
    /// Bytes written, if all documents stay, without what notes and copies add.
    pub output: u64,
    /// What these bytes are.
    pub output_size: OutputSize,
    /// Whether notes or copies come on top.
    pub output_noted: bool,
    /// What cannot be read and is passed over, of what was read.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub skipped: ByReason,
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
    sampling: Sampling,
    /// What was read of each part.
    pub(crate) read: Vec<Amount>,
    /// Bytes of the longest text, and of the largest batch.
    longest: u64,
    largest: u64,
    pub(crate) seconds: f64,
    /// What cannot be read and is passed over.
    pub(crate) skipped: ByReason,
}

impl Sample {
    /// Of parts that are still to be read.
    pub(crate) fn of(sampling: Sampling) -> Self {
        let read = vec![Amount::default(); sampling.parts.len()];
        Self { sampling, read, ..Self::default() }
    }

    /// The parts, each with how many batches of it are read, at most.
    pub(crate) fn parts(&self) -> Vec<(Part, usize)> {
        let parts = self.sampling.parts.iter();
        parts.map(|part| (part.clone(), self.sampling.batches(part))).collect()
    }

    /// Documents that were read.
    pub(crate) fn documents(&self) -> u64 {
        self.read.iter().map(|part| part.documents).sum()
    }

    /// Bytes that were read, as they lie on disk.
    pub(crate) fn bytes(&self) -> u64 {
        self.read.iter().map(|part| part.bytes).sum()
    }

    /// What that tells of all input.
    pub(crate) fn told(&self, of: impl Fn(&Amount) -> u64) -> u64 {
        self.sampling.told(&self.read, of)
    }

    /// The bytes of an output of sources of so many bytes, among `all`, and what they are. Where more is in sources than
    /// they have bytes, they are packed whatever their names, or in a narrower character set.
    pub(crate) fn output(&self, size: OutputSize, bytes: u64, all: u64) -> (u64, OutputSize) {
        let unpacked = self.told(|part| part.unpacked);
        let unpacked = whole(ratio(bytes, all.max(1)) * ratio(unpacked, 1));
        match size {
            OutputSize::Most if unpacked / 8 * 7 > bytes => (unpacked, OutputSize::Unpacked),
            OutputSize::Unpacked => (unpacked, size),
            OutputSize::Most | OutputSize::Packed => (bytes, size),
        }
    }

    /// The fewest and the most documents of all input.
    pub(crate) fn range(&self) -> [u64; 2] {
        self.sampling.range(&self.read)
    }

    /// Notes what was read of each part, from a file or a copy of it, once all are read in so many seconds.
    pub(crate) fn end(&mut self, bytes_read: &[u64], seconds: f64) {
        let mut copied = 0;
        for ((read, (source, window)), part) in
            bytes_read.iter().zip(&self.sampling.parts).zip(&mut self.read)
        {
            // Of a file of columns some bytes are read twice, in small ones most. Records of a window begin there: some of
            // their bytes are behind it.
            let all = source.bytes().filter(|_| window.is_none());
            let read = all.map_or(*read, |all| all.min(*read));
            part.bytes = window.unwrap_or(read);
            copied += read;
        }
        // What is told of the bytes that were read is told of those of windows.
        self.seconds = seconds * ratio(self.bytes().max(1), copied.max(1));
    }
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
        let sample = self.sample(progress).map_err(|error| self.advised(error))?;
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
        let sample = self.sample(progress).map_err(|error| self.advised(error))?;
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
        let share = ratio(bytes, sample.bytes().max(1));
        let documents = sample.told(|part| part.documents);
        let documents_range = sample.range();
        let threads = self.reading.threads;
        let fingerprint_seconds = share * sample.seconds;
        let verified = likeness.verify().is_checked();
        let word_bytes = u64::from(width.bits()) / 8;
        let ids = match self.outputs.name_documents() {
            true => sample.told(|part| part.ids) + 8 * documents,
            false => 0,
        };
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
        let features = if verified { sample.told(|part| part.text) / FEATURE } else { 0 };
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
        // What is read in small parts fills neither the room of threads and sorts nor that of encoders and counts.
        let surely = (Memory::least(0) as u64 + self.needs.lists() + of_documents(fewest)) / 4 * 3;
        let least = match self.memory {
            Memory::Process(cap) => surely.min(cap as u64),
            Memory::Join(_) | Memory::Frugal => surely,
        };
        let written = self.sources.get(self.reference..).unwrap_or_default();
        let size = OutputSize::of(&self.outputs, self.form, written);
        let (output, output_size) = sample.output(size, total_bytes(written).unwrap_or(0), bytes);
        Ok(Forecast {
            sampled: sample.documents(),
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
            memory_range: [least, held(most, 2 * WORK + crowded)],
            disk: if self.check()?.weighs() { 16 } else { 8 } * features
                + match likeness.finding() {
                    Finding::Bands(bands) => documents * bands.bytes() as u64,
                    Finding::Radius => SPILLS * documents * (word_bytes + 8),
                    Finding::Bytes => 0,
                    Finding::Prefixes => PREFIX_BYTES * features + HEAD_BYTES * documents,
                },
            output,
            output_size,
            output_noted: OutputSize::is_noted(&self.outputs),
            skipped: sample.skipped.clone(),
        })
    }

    fn sample(&self, progress: &Progress) -> Result<Sample, Error> {
        let mut sample = Sample::of(Sampling::of(&self.sources, &self.work_dir)?);
        let parts = sample.parts();
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
            |source: &Source| Reader::new(std::slice::from_ref(source), self.reading.options);
        let readers: Vec<_> =
            parts.iter().map(|((source, _), most)| (reader(source), *most)).collect();
        let read: Vec<_> = readers.iter().map(|(reader, _)| reader.bytes_read()).collect();
        let (start, mut first, mut batches_read) = (Instant::now(), None, 0);
        pipeline::ordered(
            readers.into_iter().enumerate().flat_map(|(part, (reader, most))| {
                reader.take(most).map(move |batch| (part, batch))
            }),
            |(_, batch)| batch.as_ref().map_or(0, Batch::bytes),
            self.reading.threads,
            sketcher,
            |sketcher, (part, batch)| {
                let sketcher = sketcher.as_mut().map_err(|error| error.clone())?;
                Ok(match batch {
                    Ok(batch) => (part, batch.bytes() as u64, sketcher.sketch(&batch)),
                    Err(error) => (part, 0, SketchedBatch::unreadable(error.into())),
                })
            },
            |read: Result<_, Error>| {
                let (part, unpacked, mut sketch) = read?;
                let ends = |error: &Error| self.reading.ends_with(error);
                if let Some(at) = sketch.errors.iter().position(ends) {
                    return Err(sketch.errors.swap_remove(at));
                }
                sketch.errors.iter().for_each(|error| sample.skipped.add_error(error));
                let skipped = sketch.records.iter().filter(|r| r.state == State::Skipped);
                let documents = (sketch.records.len() - skipped.count()) as u64;
                let lengths = sketch.records.iter().map(|record| record.length);
                if let Some(of_part) = sample.read.get_mut(part) {
                    of_part.documents += documents;
                    of_part.unpacked += unpacked;
                    of_part.ids += sketch.ids.len() as u64;
                    of_part.text += lengths.clone().sum::<u64>();
                }
                sample.longest = sample.longest.max(lengths.max().unwrap_or(0));
                sample.largest = sample.largest.max(sketch.bytes);
                batches_read += 1;
                first.get_or_insert_with(Instant::now);
                progress.check()
            },
        )?;
        // What comes before the first batch, as recipes are read, comes once.
        let seconds = match first {
            Some(first) if batches_read > 1 => {
                first.elapsed().as_secs_f64() * ratio(batches_read, batches_read - 1)
            }
            _ => start.elapsed().as_secs_f64(),
        };
        let read: Vec<_> = read.iter().map(|read| read.load(Ordering::Relaxed)).collect();
        sample.end(&read, seconds);
        Ok(sample)
    }
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
    fn files_of_other_kinds_and_sizes_are_told_by_what_is_in_each() {
        // Documents of each file, their bytes, and the ending of its name. Windows are small in tests.
        let many = (0..60).map(|_| (1, 900, "txt"));
        let mixed = [(40_000, 60, "jsonl"), (300, 3000, "jsonl"), (2000, 200, "csv")];
        let large = [(20_000, 80, "jsonl"), (150, 9000, "jsonl")];
        let parts = (0..30).map(|at| (400 * (1 + at % 3), 90 * (3 - at % 3), "jsonl"));
        for files in [
            mixed.to_vec(),
            large.into_iter().chain(many.clone()).collect(),
            large.into_iter().chain(parts).chain(many).collect::<Vec<_>>(),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mut truth = 0;
            for (at, (documents, bytes, ending)) in files.iter().enumerate() {
                let text = |number: usize| format!("word{number} ").repeat(bytes / 9 + 1);
                let rows: String = match *ending {
                    "jsonl" => (0..*documents)
                        .map(|number| format!("{{\"text\":\"{}\"}}\n", text(number)))
                        .collect(),
                    "csv" => (0..*documents).fold("text\n".to_owned(), |rows, number| {
                        rows + &format!("{}\n", text(number))
                    }),
                    _ => text(at),
                };
                std::fs::write(folder.path().join(format!("{at:03}.{ending}")), rows).unwrap();
                truth += *documents as u64;
            }
            let inputs = vec![folder.path().display().to_string()];
            let input = InputSpec { inputs, ..InputSpec::default() };
            let (spec, progress) = (JobSpec { input, ..JobSpec::default() }, Progress::default());
            let job = spec.resolve(&Resources::default(), &progress).unwrap();
            let forecast = job.forecast(&progress).unwrap();
            let [fewest, most] = forecast.documents_range;
            assert!((fewest..=most).contains(&truth), "{truth} {forecast:?}");
            assert!(forecast.documents.abs_diff(truth) * 10 < truth, "{truth} {forecast:?}");
            assert!(forecast.sampled < truth, "{truth} {forecast:?}");
        }
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
