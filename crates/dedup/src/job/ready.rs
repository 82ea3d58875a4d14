//! A job whose inputs and outputs are open: what cannot be done was refused before anything is read.

use crate::decide::audit::audited;
use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::discovered::Discovered;
use crate::job::forecast::Forecast;
use crate::job::opening::Opened;
use crate::job::resolved::Job;
use crate::job::spec::{JobSpec, OutputSpec, Page, Resources};
use crate::progress::Progress;
use crate::write::outcome::Outcome;
use crate::write::overview::View;
use crate::write::reports::Reports;
use nearprint_corpus::{Compression, Output, Outputs, Source, total_bytes};
use nearprint_rules::{Criteria, Finding, Verify};
use std::path::PathBuf;

/// A job that is ready to run. [`JobSpec::open`] makes one.
pub struct ReadyJob {
    job: Job,
    opened: Opened,
    checkpoint: Option<Checkpoint>,
}

impl JobSpec {
    /// The job over the files that are there: with their formats and versions, but without anything opened for
    /// writing.
    ///
    /// # Errors
    /// What is asked for and makes no sense; input that cannot be found, or read only once.
    pub fn resolve(&self, with: &Resources, progress: &Progress) -> Result<Job, Error> {
        self.criteria()?;
        let found = Discovered::find(&self.input, with)?;
        Discovered::refuse_streams(&found.sources)?;
        Job::new(self, with, found.spooled(&self.reading, with, progress)?)
    }

    /// The job with its inputs and outputs open. In this order: refuses what makes no sense, finds the input, opens
    /// what is written but for survivors, copies streams, fixes what the job may take, refuses what the files make
    /// impossible, and opens survivors.
    ///
    /// # Errors
    /// Those of [`resolve`](Self::resolve), but for input that can be read only once; outputs that exist; memory that
    /// is too little; [`Error::Unannotated`]; [`Error::ReadOnce`] for a stream of a run that is to be resumed.
    pub fn open(&self, with: &Resources, progress: &Progress) -> Result<ReadyJob, Error> {
        let Criteria { likeness, .. } = self.criteria()?;
        if self.outputs.audit > 0 && audited(&likeness).is_none() {
            return Err(Error::NoAudit);
        }
        // Why no pair has a similarity that decides; none where pairs have.
        let unmeasured = match (likeness.verify(), likeness.finding()) {
            (Verify::Jaccard(_) | Verify::Cosine(_) | Verify::WeightedJaccard(_), _) => None,
            (Verify::Containment(_), _) => {
                Some("this job decides by containment: check another measure, such as jaccard=0.8")
            }
            (Verify::None, Finding::Bytes) => {
                Some("this job compares bytes: leave out equal bytes")
            }
            (Verify::None, _) => {
                Some("this job compares fingerprints alone: add a check, such as jaccard=0.8")
            }
        };
        for (asked, what) in [
            (&self.outputs.decisions, "decisions are made again"),
            (&self.outputs.rejected, "candidates are refused"),
        ] {
            if let Some(why) = unmeasured.filter(|_| asked.is_some()) {
                let problem = format!("{what} by the similarity of pairs, and {why}");
                return Err(Error::Undecidable { problem });
            }
        }
        let found = Discovered::find(&self.input, with)?;
        let checkpoint = self.outputs.checkpoint(&found.sources, with)?;
        let mut outputs = self.outputs.opened(&found, with, checkpoint.as_ref());
        let reports = self.reports(&mut outputs)?;
        let (found, mut spec) = (found.spooled(&self.reading, with, progress)?, self.clone());
        found.suit(&self.input, &mut spec.fingerprints.recipe);
        let mut job = Job::new(&spec, with, found)?;
        job.refuse()?;
        let destination = job.destination(&mut outputs)?;
        Ok(ReadyJob { job, opened: Opened { destination, reports }, checkpoint })
    }

    /// Opens the reports.
    pub(crate) fn reports(&self, outputs: &mut Outputs) -> Result<Reports, Error> {
        let OutputSpec {
            removed,
            pairs,
            rejected,
            clusters,
            kept,
            decisions,
            summary,
            segment,
            page,
            ..
        } = &self.outputs;
        let mut packed = |path: &Option<PathBuf>, compression| -> Result<Option<Output>, Error> {
            let path = path.as_ref();
            Ok(path.map(|path| outputs.create_compressed(path, compression)).transpose()?)
        };
        let segment = packed(segment, Compression::Zstd)?;
        let decisions = packed(decisions, Compression::None)?;
        let mut report = |path: &Option<PathBuf>| -> Result<Option<Output>, Error> {
            Ok(path.as_ref().map(|path| outputs.create(path)).transpose()?)
        };
        Ok(Reports {
            removed: report(removed)?,
            pairs: report(pairs)?,
            rejected: report(rejected)?,
            clusters: report(clusters)?,
            kept: report(kept)?,
            decisions,
            summary: report(summary)?,
            segment,
            view: match page {
                Some(Page { path, render }) => {
                    Some(View { output: outputs.create(path)?, render: *render })
                }
                None => None,
            },
        })
    }
}

impl ReadyJob {
    /// The files of the input, streams copied.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        self.job.input().written()
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

    /// What the job will take, as far as a part of its input tells.
    ///
    /// # Errors
    /// Input that cannot be read.
    pub fn forecast(&self, progress: &Progress) -> Result<Forecast, Error> {
        self.job.forecast(progress)
    }

    /// Runs the job on its threads. All outputs appear at its end, or none. With a folder for it each finished stage
    /// is kept there until the end, and the job goes on from those that an earlier run kept.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output; then nothing appears under a final name.
    /// [`Error::OtherJob`] where the stages that were kept are those of another job.
    pub fn run(self, progress: &Progress) -> Result<Outcome, Error> {
        let Self { job, opened, checkpoint } = self;
        let ran = job.run(opened, checkpoint, progress);
        ran.map_err(|error| job.advised(error))
    }
}
