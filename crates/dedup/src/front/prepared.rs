//! A job whose inputs and outputs are open: what cannot be done was refused before anything is read.

use crate::error::{Error, Unannotated};
use crate::front::dedup_files::DedupFiles;
use crate::job::dedup_job::DedupJob;
use crate::job::forecast::Forecast;
use crate::job::needs::Needs;
use crate::matching::audit::audited;
use crate::memory::Memory;
use crate::progress::Progress;
use crate::read::reading::Reading;
use crate::read::segment_row::refuse_segments;
use crate::read::sketch::OnError;
use crate::report::note::Note;
use crate::report::overview::View;
use crate::report::reports::Reports;
use crate::report::summary::Summary;
use crate::report::survivors::Destination;
use crate::resume::checkpoint::Checkpoint;
use crate::shards::shards::Shards;
use nearprint_corpus::{
    Compression, Discovery, Error as Corpus, InputFormat, Output, OutputOptions, Outputs,
    PassedOver, Source, total_bytes,
};
use nearprint_fingerprint::Width;
use nearprint_rules::{Finding, Likeness};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often the copy of a stream is looked after.
const LOOK: Duration = Duration::from_millis(50);

/// A job over files that is ready to run. [`DedupFiles::prepare`] makes one.
pub struct Prepared {
    job: DedupJob,
    needs: Needs,
    destination: Destination,
    reports: Reports,
    checkpoint: Option<Checkpoint>,
    /// The longest record that was asked for.
    asked: usize,
}

impl Prepared {
    fn new(files: &DedupFiles, output: Option<&Path>) -> Result<Self, Error> {
        if files.audit > 0 && audited(&files.settings.criteria()?.likeness).is_none() {
            return Err(Error::NoAudit);
        }
        let (found, mut passed_over) = files.discover()?;
        let against = files.discover_against(&found, &mut passed_over)?;
        let checkpoint = output.map(|output| files.checkpoint(&found, output)).transpose()?;
        let checkpoint = checkpoint.flatten();
        let mut outputs = files.outputs(&found, &against, checkpoint.as_ref())?;
        let reports = files.reports(&mut outputs)?;
        let sources = files.spooled(&found)?;
        let job = DedupJob { passed_over, ..files.job(sources, against, output)? };
        let needs = files.needs(&job, output);
        needs.check(job.memory)?;
        let written = job.sources.get(job.reference..).unwrap_or_default();
        let destination = match output {
            None => Destination::Nowhere,
            Some(output) => {
                files.check_notes(written, output)?;
                files.destination(&mut outputs, written, output)?
            }
        };
        let asked = files.options.max_record_bytes;
        Ok(Self { job, needs, destination, reports, checkpoint, asked })
    }

    /// Bytes of all input as it lies on disk, where that is known.
    #[must_use]
    pub fn total_bytes(&self) -> Option<u64> {
        total_bytes(&self.job.sources)
    }

    /// The stages of an earlier run that this one goes on from, where stages are kept.
    #[must_use]
    pub fn finished_stages(&self) -> Option<Vec<&str>> {
        Some(self.checkpoint.as_ref()?.finished().collect())
    }

    /// What the job will take, told from a part of the input.
    ///
    /// # Errors
    /// Input that cannot be read.
    pub fn forecast(&self, progress: &Progress) -> Result<Forecast, Error> {
        self.job.forecast_with(&self.needs, self.reports.name_documents(), progress)
    }

    /// Runs the job. All outputs appear at its end, or none.
    ///
    /// # Errors
    /// See [`DedupJob::run`].
    pub fn run(self, progress: &Progress) -> Result<Summary, Error> {
        let Self { job, destination, reports, checkpoint, asked, .. } = self;
        let ran = job.run(destination, reports, checkpoint, progress);
        ran.map_err(|error| match (error, job.memory) {
            (Error::Corpus(Corpus::TooLong { place, limit }), Memory::Process(given))
                if limit < asked =>
            {
                Error::LongRecord { place, limit: limit as u64, given: given as u64 }
            }
            (error, _) => error,
        })
    }
}

impl DedupFiles {
    /// Runs the job and writes what stays to `output`, byte for byte as it came: to a file, or to a
    /// folder that mirrors the input.
    ///
    /// The output is a folder where it is one already, where it ends in `/`, and where it has no
    /// extension and the input is several files, texts or pages. All outputs appear at the end, or none.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output, and with what was asked for.
    pub fn write(&self, output: impl AsRef<Path>) -> Result<Summary, Error> {
        self.prepare(output.as_ref())?.run(&self.settings.progress)
    }

    /// Runs the job for its reports alone: nothing is written of what stays.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Dedup;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [input, pairs] = ["in.jsonl", "pairs.jsonl"].map(|name| folder.path().join(name));
    /// std::fs::write(&input, "{\"id\":7,\"text\":\"a b c d\"}\n{\"id\":8,\"text\":\"A, b, c, d!\"}\n")?;
    /// let summary = Dedup::new().files([input.display().to_string()]).pairs(&pairs).report()?;
    /// assert_eq!((summary.pairs, summary.removed), (Some(1), 1));
    /// assert_eq!(
    ///     std::fs::read_to_string(&pairs)?,
    ///     "{\"a\":7,\"b\":8,\"distance\":0,\"similarity\":1.0000,\"measure\":\"jaccard\"}\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self) -> Result<Summary, Error> {
        self.prepare_reports()?.run(&self.settings.progress)
    }

    /// Opens inputs and reports, as [`prepare`](Self::prepare) does.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare).
    pub fn prepare_reports(&self) -> Result<Prepared, Error> {
        Prepared::new(self, None)
    }

    /// What [`write`](Self::write) to `output` will take, told from a part of the input; without an output
    /// what the job takes but for packing and naming what it writes. Writes nothing.
    ///
    /// # Errors
    /// Input that cannot be read, or only once.
    pub fn forecast(&self, output: Option<&Path>, progress: &Progress) -> Result<Forecast, Error> {
        let (job, named) = self.forecast_job(output)?;
        job.forecast_with(&self.needs(&job, output), named, progress)
    }

    /// What the job would take by each of these in place of what was asked for, with fingerprints of these widths,
    /// told from one look at the input.
    ///
    /// # Errors
    /// Those of [`forecast`](Self::forecast).
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{Dedup, Likeness, Progress};
    /// use nearprint_fingerprint::Width;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let input = folder.path().join("in.jsonl");
    /// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"A, b, c, e!\"}\n")?;
    /// let near = (Likeness::by_radius(3, Width::W64)?, Width::W64);
    /// let files = Dedup::new().files([input.display().to_string()]);
    /// let forecasts = files.forecasts(&[near], &Progress::default())?;
    /// assert_eq!(forecasts[0].documents, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forecasts(
        &self,
        asked: &[(Likeness, Width)],
        progress: &Progress,
    ) -> Result<Vec<Forecast>, Error> {
        let (job, named) = self.forecast_job(None)?;
        job.forecasts(asked, (&self.needs(&job, None), named), progress)
    }

    /// The job of which a forecast is made, and whether its reports name documents.
    fn forecast_job(&self, output: Option<&Path>) -> Result<(DedupJob, bool), Error> {
        let (sources, mut passed_over) = self.discover()?;
        let against = self.discover_against(&sources, &mut passed_over)?;
        if let Some(stream) = sources.iter().find(|source| source.is_stream()) {
            return Err(Error::ReadOnce { name: stream.name().to_owned() });
        }
        let named = self.removed.is_some() || self.pairs.is_some() || self.clusters.is_some();
        let named = named || self.audit > 0;
        Ok((self.job(sources, against, output)?, named))
    }

    /// Opens inputs and outputs, and refuses what cannot be done, before anything is read.
    ///
    /// # Errors
    /// Those of [`write`](Self::write), but for those of reading and writing.
    pub fn prepare(&self, output: &Path) -> Result<Prepared, Error> {
        Prepared::new(self, Some(output))
    }

    /// The job in shards, whose tasks share the folder `work`: what stays goes to the folder `output`, reports and
    /// segments to folders of a part for each input file.
    ///
    /// # Errors
    /// [`Error::Undivided`] for what such a job cannot do; those of [`prepare`](Self::prepare).
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{Cuts, Dedup, Progress, Step, Task};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [input, work, output] = ["in.jsonl", "work", "out/"].map(|name| folder.path().join(name));
    /// std::fs::write(&input, "{\"id\":7,\"text\":\"a b c d\"}\n{\"id\":8,\"text\":\"A, b, c, d!\"}\n")?;
    /// let files = Dedup::new().files([input.display().to_string()]);
    /// let shards = files.shards(&work, &output)?;
    /// shards.create(Vec::new(), Cuts::default())?;
    /// for step in Step::ALL {
    ///     shards.run(step, Task::WHOLE, &Progress::default())?;
    /// }
    /// let kept = std::fs::read_to_string(output.join("in.jsonl"))?;
    /// assert_eq!(kept, "{\"id\":7,\"text\":\"a b c d\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shards(
        &self,
        work: impl Into<PathBuf>,
        output: impl Into<PathBuf>,
    ) -> Result<Shards, Error> {
        let (sources, mut passed_over) = self.discover()?;
        let streams = self.against_sources.iter().chain(&sources).find(|source| source.is_stream());
        if let Some(stream) = streams {
            return Err(Error::ReadOnce { name: stream.name().to_owned() });
        }
        let against = self.discover_against(&sources, &mut passed_over)?;
        let (folder, output) = (work.into(), output.into());
        let is_exact = self.settings.criteria()?.likeness.finding() == Finding::Prefixes;
        for (asked, what) in [
            (is_exact, "find pairs exactly, by their rarest features"),
            (!is_folder(&output, &sources), "write one file and not a folder of files"),
            (self.page.is_some(), "write a report for people"),
            (self.audit > 0, "draw pairs around the similarity"),
            (self.shard_size.is_some(), "cut survivors into files of a size"),
        ] {
            if asked {
                return Err(Error::Undivided { what });
            }
        }
        self.check_notes(&sources, &output)?;
        let job = DedupJob { passed_over, ..self.job(sources, against, Some(&output))? };
        self.needs(&job, Some(&output)).check(job.memory)?;
        Ok(Shards {
            job,
            folder,
            survivors: output,
            removed: self.removed.clone(),
            clusters: self.clusters.clone(),
            pairs: self.pairs.clone(),
            segments: self.index_out.clone(),
            summary: self.summary.clone(),
            force: self.force,
        })
    }

    /// How files are found for which there is room.
    fn discovery(&self) -> Result<Discovery, Error> {
        let threads = self.settings.thread_count()?;
        Ok(Discovery::new().room(self.settings.memory.for_lists(threads)))
    }

    /// The sources, and what was passed over.
    fn discover(&self) -> Result<(Vec<Source>, Vec<PassedOver>), Error> {
        let (mut sources, mut passed_over) = (self.sources.clone(), self.passed_over.clone());
        if sources.is_empty() || !self.inputs.is_empty() {
            let found = self.discovery()?.format(self.format).find(&self.inputs)?;
            sources.extend(found.0);
            passed_over.extend(found.1);
        }
        refuse_segments(&sources)?;
        Ok((sources, passed_over))
    }

    /// The sources to compare with, of which none is a stream; what was passed over is added. Of standard
    /// input there is one reader.
    fn discover_against(
        &self,
        found: &[Source],
        passed_over: &mut Vec<PassedOver>,
    ) -> Result<Vec<Source>, Error> {
        let mut sources = self.against_sources.clone();
        if !self.against.is_empty() {
            let discovery = self.discovery()?.format(self.format).with_segments();
            let found = discovery.find(&self.against)?;
            sources.extend(found.0);
            passed_over.extend(found.1);
        }
        let is_stdin = |source: &Source| source.is_stream() && source.path().is_none();
        if found.iter().any(is_stdin) && sources.iter().any(is_stdin) {
            return Err(nearprint_corpus::Error::StdinTwice.into());
        }
        self.spooled(&sources)
    }

    /// The sources with standard input and pipes copied to files, so that they can be read twice.
    fn spooled(&self, sources: &[Source]) -> Result<Vec<Source>, Error> {
        let (folder, progress) = (self.settings.temporary(), &self.settings.progress);
        let longest = (self.on_error == OnError::Fail).then_some(self.options.max_record_bytes);
        sources.iter().map(|source| spooled(source, &folder, longest, progress)).collect()
    }

    /// What a job takes that writes to `output`.
    fn needs(&self, job: &DedupJob, output: Option<&Path>) -> Needs {
        let written = job.sources.get(job.reference..).unwrap_or_default();
        let folder = output.filter(|output| is_folder(output, written));
        // Of a folder one file is written at a time, packed as its source is.
        let packed = written
            .iter()
            .find(|source| Compression::of_name(source.relative()) == Compression::Xz);
        let survivors = match folder {
            Some(_) => packed.or(written.first()).map(Source::relative),
            None => output,
        };
        let reports = [&self.removed, &self.pairs, &self.clusters, &self.summary];
        let reports = reports.into_iter().flatten().map(PathBuf::as_path);
        let mirrored = if folder.is_some() { written.len() } else { 0 };
        let noted = self.annotate
            && match folder {
                Some(_) => {
                    written.iter().any(|it| it.format().is_some_and(InputFormat::is_columns))
                }
                None => output.is_some_and(is_columns),
            };
        let outputs = survivors.into_iter().chain(reports);
        let needs = Needs::of(&job.reading, &job.sources, outputs, mirrored);
        if noted { needs.with_notes() } else { needs }
    }

    /// The job over `sources`, compared with those of `against` too, that writes to `output`. Under a cap on
    /// memory it reads no record for which there is no room, unless bad records are skipped: nothing is left
    /// out because of memory.
    fn job(
        &self,
        sources: Vec<Source>,
        against: Vec<Source>,
        output: Option<&Path>,
    ) -> Result<DedupJob, Error> {
        let reading = Reading {
            content: self.settings.origin()?,
            fields: self.fields.clone(),
            on_error: self.on_error,
            options: self.options,
            threads: self.settings.thread_count()?,
        };
        let mut job = DedupJob {
            reading,
            reference: against.len(),
            sources: [against, sources].concat(),
            passed_over: Vec::new(),
            criteria: self.settings.criteria()?,
            annotate: self.annotate,
            whole_captures: self.whole_captures,
            fold_equal: self.settings.fold_equal,
            memory: self.settings.memory,
            work_dir: self.settings.temporary(),
        };
        if self.on_error == OnError::Fail
            && let Some(longest) = self.needs(&job, output).longest_record(job.memory)
        {
            let options = &mut job.reading.options;
            options.max_record_bytes = options.max_record_bytes.min(longest);
        }
        Ok(job)
    }

    /// Where finished stages are kept; none where no folder is named for it, or the input is a stream.
    fn checkpoint(&self, sources: &[Source], output: &Path) -> Result<Option<Checkpoint>, Error> {
        let Some(work_dir) = &self.settings.work_dir else { return Ok(None) };
        match sources.iter().find(|source| source.is_stream()) {
            Some(stream) if self.resume => Err(Error::ReadOnce { name: stream.name().to_owned() }),
            Some(_) => Ok(None),
            None => Checkpoint::open(work_dir, output, self.resume).map(Some),
        }
    }

    fn outputs(
        &self,
        found: &[Source],
        against: &[Source],
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Outputs, Error> {
        let resumed = checkpoint.is_some_and(Checkpoint::was_publishing);
        let mut outputs = Outputs::new(found, OutputOptions { force: self.force || resumed });
        if self.resume {
            outputs.sweep();
        }
        outputs.protect(against);
        if let Some(bytes) = self.shard_size {
            outputs.shard(bytes);
        }
        if self.annotate {
            outputs.add_columns(&Note::COLUMNS);
        }
        Ok(outputs)
    }

    fn reports(&self, outputs: &mut Outputs) -> Result<Reports, Error> {
        let segment = match &self.index_out {
            Some(path) => Some(outputs.create_compressed(path, Compression::Zstd)?),
            None => None,
        };
        let mut report = |path: &Option<PathBuf>| -> Result<Option<Output>, Error> {
            Ok(path.as_ref().map(|path| outputs.create(path)).transpose()?)
        };
        Ok(Reports {
            removed: report(&self.removed)?,
            pairs: report(&self.pairs)?,
            clusters: report(&self.clusters)?,
            summary: report(&self.summary)?,
            segment,
            audit: self.audit,
            view: match &self.page {
                Some((path, render)) => {
                    report(&Some(path.clone()))?.map(|output| View { output, render: *render })
                }
                None => None,
            },
        })
    }

    /// Refuses notes where survivors have no place for them.
    fn check_notes(&self, sources: &[Source], output: &Path) -> Result<(), Error> {
        let refuse = |is_wrong: &dyn Fn(&Source) -> bool, problem| match sources
            .iter()
            .find(|source| is_wrong(source))
        {
            Some(source) => Err(Error::Unannotated { name: source.name().to_owned(), problem }),
            None => Ok(()),
        };
        if !self.annotate {
            return Ok(());
        }
        let bare = |format: InputFormat| format.is_lines() || format.is_archive();
        refuse(&|source| source.format().is_some_and(bare), Unannotated::NoFields)?;
        let folder = is_folder(output, sources);
        if folder && self.shard_size.is_none() {
            let is_whole = |source: &Source| source.format().is_some_and(InputFormat::is_whole);
            refuse(&is_whole, Unannotated::WholeFile)?;
        }
        Ok(())
    }

    fn destination(
        &self,
        outputs: &mut Outputs,
        sources: &[Source],
        output: &Path,
    ) -> Result<Destination, Error> {
        if is_folder(output, sources) {
            if self.shard_size.is_some() {
                return Err(Error::ShardedFolder { folder: output.to_owned() });
            }
            return Ok(Destination::Folder(outputs.mirror(output, sources)?));
        }
        Ok(if is_columns(output) {
            Destination::Rows(outputs.rows(output, sources)?)
        } else {
            Destination::File(outputs.survivors(output, sources)?)
        })
    }
}

/// A source that can be read twice. Whoever writes a stream may take their time: it is copied beside this
/// thread, which looks whether the job is to end.
fn spooled(
    source: &Source,
    folder: &Path,
    longest: Option<usize>,
    progress: &Progress,
) -> Result<Source, Error> {
    if !source.is_stream() {
        return Ok(source.spooled(folder, longest)?);
    }
    let (done, copied) = channel();
    let (source, folder) = (source.clone(), folder.to_owned());
    let copying = thread::spawn(move || {
        // Nobody waits for it any more where the job has ended.
        let _sent = done.send(source.spooled(&folder, longest));
    });
    loop {
        match copied.recv_timeout(LOOK) {
            Ok(copy) => return Ok(copy?),
            Err(RecvTimeoutError::Timeout) => progress.check()?,
            Err(RecvTimeoutError::Disconnected) => {
                if let Err(panic) = copying.join() {
                    std::panic::resume_unwind(panic);
                }
                return Err(Error::Interrupted);
            }
        }
    }
}

/// Whether survivors go to a folder that mirrors the input.
fn is_folder(output: &Path, sources: &[Source]) -> bool {
    let is_whole = |source: &Source| source.format().is_some_and(InputFormat::is_whole);
    let many = || sources.len() > 1 || sources.iter().any(is_whole);
    output != Path::new("-")
        && (output.is_dir()
            || output.to_string_lossy().ends_with('/')
            || output.extension().is_none() && !output.exists() && many())
}

/// Whether an output of this name holds rows of columns.
fn is_columns(path: &Path) -> bool {
    InputFormat::of_name(path).is_some_and(InputFormat::is_columns)
}
