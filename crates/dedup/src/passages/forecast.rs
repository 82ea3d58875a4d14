//! What a job over passages will take, told from a part of its input, over which it is done.

use crate::error::Error;
use crate::job::discovered::Discovered;
use crate::job::forecast::{Sample, gain};
use crate::job::form::{Form, OutputSize};
use crate::job::needs::{Needs, named};
use crate::job::sampling::{Sampling, ratio, whole};
use crate::job::spec::{InputSpec, Resources};
use crate::memory::limits::Memory;
use crate::passages::job::OF_RECORD;
use crate::passages::spec::{PassagesOutput, PassagesSpec};
use crate::progress::Progress;
use crate::read::by_reason::ByReason;
use crate::read::reading::Reading;
use crate::read::segment_row::refuse_segments;
use crate::read::sketch::OnError;
use crate::read::ties::Ties;
use nearprint_corpus::{Fields, InvalidUtf8, Reader, Source, discover, total_bytes};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::slice;
use std::sync::atomic::Ordering;
use std::time::Instant;
use tempfile::TempDir;

/// Readings of the input, that which writes included.
const READINGS: f64 = 5.0;
/// What writing takes beside the first reading with its search for anchors.
const WRITING: f64 = 0.5;
/// Bytes of temporary files to a byte of text, at most.
const DISK: f64 = 1.5;

/// What a job over passages will take, as far as a part of its input tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PassagesForecast {
    /// Documents that were read for it.
    pub sampled: u64,
    /// Documents of all input, about; those to compare with included.
    pub documents: u64,
    /// The fewest and the most that there may be.
    pub documents_range: [u64; 2],
    /// Bytes of the input as it lies on disk.
    pub bytes: u64,
    /// Tokens of all input, about.
    pub tokens: u64,
    /// The share of the tokens that were read which goes because of others that were read. Of all input another share goes:
    /// there is more to repeat, and what was read may repeat more than the rest.
    pub cut_share_sampled: f64,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Bytes of memory, at most: what was allowed, if that is enough.
    pub memory: u64,
    /// The fewest bytes of memory that may be allowed.
    pub memory_least: u64,
    /// Bytes of temporary files, at most.
    pub disk: u64,
    /// Bytes written, if nothing goes, without what notes add.
    pub output: u64,
    /// What these bytes are.
    pub output_size: OutputSize,
    /// Whether notes or copies come on top.
    pub output_noted: bool,
    /// What cannot be read and is passed over, of what was read.
    #[serde(skip_serializing_if = "ByReason::is_empty")]
    pub skipped: ByReason,
}

impl PassagesSpec {
    /// What the job will take, as far as a part of its input tells. Writes nothing but temporary files.
    ///
    /// # Complexity
    /// The job over 32 MB at most.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), but for outputs; a stream, which can be read only once.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{InputSpec, PassagesSpec, Progress, Resources};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let input = folder.path().join("in.jsonl");
    /// std::fs::write(&input, format!("{{\"text\":\"{}\"}}\n", "one two three ".repeat(40)).repeat(2))?;
    /// let input = InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() };
    /// let spec = PassagesSpec { input, ..PassagesSpec::default() };
    /// let forecast = spec.forecast(&Resources::default(), &Progress::default())?;
    /// assert_eq!((forecast.documents, forecast.tokens), (2, 240));
    /// assert!(forecast.cut_share_sampled > 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forecast(
        &self,
        with: &Resources,
        progress: &Progress,
    ) -> Result<PassagesForecast, Error> {
        self.check_recipe()?;
        let found = Discovered::find(&self.input, with)?;
        refuse_segments(&found.against)?;
        Discovered::refuse_streams(&found.against)?;
        Discovered::refuse_streams(&found.sources)?;
        let asked = Resources { memory: Memory::Frugal, ..with.clone() };
        let form = Form::of(&self.outputs.as_outputs(), &found.sources);
        let (mut reading, sources, _) = self.reading_over(&found, &asked, form)?;
        // Memory that is too little for the job is told; a record that ends the job for want of memory ends this too.
        let (outputs, reference) = (self.outputs.as_outputs(), found.against.len());
        let needs = Needs::of(&reading, &sources, reference, &outputs, form, with.memory);
        let room = needs.record_room(with.memory, OF_RECORD);
        if let Some(room) = room {
            reading.options = reading.options.with_memory_for(room.longest);
        }
        let dir = with.temporary()?;
        let spill = |source| Error::Spill { dir: dir.clone(), source };
        let folder = TempDir::with_prefix_in("nearprint-sample-", &dir).map_err(spill)?;
        let rows = folder.path().join("rows.jsonl");
        let mut file = BufWriter::new(File::create(&rows).map_err(spill)?);
        let mut put = |row: &str| writeln!(file, "{row}").map_err(spill);
        let sample = read(&sources, &reading, folder.path(), progress, &mut put)
            .map_err(|error| named(room, error, self.reading.options.max_record_bytes))?;
        file.flush().map_err(spill)?;
        let (own, seconds, cut_share_sampled, tokens) = self.over(&rows, with, progress)?;
        let bytes = total_bytes(&sources).unwrap_or(0);
        let share = ratio(bytes, sample.bytes().max(1));
        let threads = reading.threads;
        // The job reads rows of JSON here, and there what there is.
        let beside = (sample.seconds - own).max(0.0) * READINGS / gain(threads);
        let documents = sample.told(|part| part.documents);
        let ties = Ties::of(self.rule.keep, &self.reading.fields).len() as u64;
        let ranked = u64::from(self.rule.keep.worth(0, None).is_some()) * 8 * (1 + ties);
        let said = u64::from(!reading.fields.labels.is_empty()) * 4;
        let [memory_least, memory] = with.memory.of_passages(threads, documents * (ranked + said));
        let size = OutputSize::of(&outputs, form, &found.sources);
        let written = total_bytes(&found.sources).unwrap_or(0);
        let (output, output_size) = sample.output(size, written, bytes);
        Ok(PassagesForecast {
            sampled: sample.documents(),
            documents,
            documents_range: sample.range(),
            bytes,
            tokens: whole(share * ratio(tokens, 1)),
            cut_share_sampled,
            seconds: share * (seconds + beside),
            memory,
            memory_least,
            disk: whole(ratio(sample.told(|part| part.text), 1) * DISK),
            output,
            output_size,
            output_noted: OutputSize::is_noted(&outputs),
            skipped: sample.skipped,
        })
    }

    /// Does the job over rows: seconds to read them, and those of the job, the share of tokens that goes, and their number.
    fn over(
        &self,
        rows: &Path,
        with: &Resources,
        progress: &Progress,
    ) -> Result<(f64, f64, f64, u64), Error> {
        let sources = discover(&[rows.display().to_string()], None)?;
        let mut spec = self.clone();
        spec.recipe.content = nearprint_fingerprint::DocumentPart::Text;
        spec.input = InputSpec { sources: sources.clone(), ..InputSpec::default() };
        let Fields { score, ties, .. } = self.reading.fields.clone();
        spec.reading.fields = Fields { score, ties, ..Fields::default() };
        spec.outputs =
            PassagesOutput { offsets: self.outputs.offsets, ..PassagesOutput::default() };
        let reading = spec.reading_with(with.thread_count()?);
        let dir = with.temporary()?;
        let again = read(&sources, &reading, &dir, progress, &mut |_| Ok(()))?;
        let with =
            Resources { work_dir: None, resume: false, memory: Memory::Frugal, ..with.clone() };
        let summary = spec.open(&with, progress)?.run(progress)?;
        let seconds = summary.seconds.total + WRITING * summary.seconds.anchors;
        let cut = ratio(summary.cut_tokens, summary.tokens.max(1));
        Ok((again.seconds, seconds, cut, summary.tokens))
    }
}

/// Reads a part of some sources, and hands a row for each document to `put`.
fn read(
    sources: &[Source],
    reading: &Reading,
    dir: &Path,
    progress: &Progress,
    put: &mut dyn FnMut(&str) -> Result<(), Error>,
) -> Result<Sample, Error> {
    let mut sample = Sample::of(Sampling::of(sources, dir)?);
    let (parts, mut read, start) = (sample.parts(), Vec::new(), Instant::now());
    let mut pass_over = |error: nearprint_corpus::Error| {
        let error = Error::from(error);
        if reading.ends_with(&error) {
            return Err(error);
        }
        sample.skipped.add_error(&error);
        Ok(())
    };
    let invalid = match reading.on_error {
        OnError::Fail => InvalidUtf8::Fail,
        OnError::Skip => InvalidUtf8::Replace,
    };
    for (((source, _), most), part) in parts.iter().zip(&mut sample.read) {
        let reader = Reader::new(slice::from_ref(source), reading.options);
        let bytes_read = reader.bytes_read();
        for batch in reader.take(*most) {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => {
                    pass_over(error)?;
                    continue;
                }
            };
            part.unpacked += batch.bytes() as u64;
            for record in batch.records() {
                let document = match record.document(&reading.fields, invalid) {
                    Ok(document) => document,
                    Err(error) => {
                        pass_over(error)?;
                        continue;
                    }
                };
                part.documents += 1;
                part.text += document.text.len() as u64;
                let mut row = serde_json::json!({ "text": document.text });
                let Fields { score: name, ties, .. } = &reading.fields;
                let names = name.iter().chain(ties.iter().flatten().map(|tie| &tie.field));
                let scores = name.iter().map(|_| document.score).chain(document.ties);
                for (name, score) in names.zip(scores) {
                    if let Some(score) = score {
                        row[name] = u64::try_from(score.order() >> 76).unwrap_or(0).into();
                    }
                }
                put(&row.to_string())?;
            }
            progress.check()?;
        }
        read.push(bytes_read.load(Ordering::Relaxed));
    }
    sample.end(&read, start.elapsed().as_secs_f64());
    Ok(sample)
}
