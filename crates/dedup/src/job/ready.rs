//! A job whose inputs and outputs are open: what cannot be done was refused before anything is read.

use crate::decide::audit::audited;
use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::discovered::Discovered;
use crate::job::forecast::Forecast;
use crate::job::resolved::Job;
use crate::job::spec::{JobSpec, OutputSpec, Page, Resources};
use crate::progress::Progress;
use crate::write::annotation::columns_of_files;
use crate::write::copies::{Copies, with_copies};
use crate::write::note::Note;
use crate::write::outcome::Outcome;
use crate::write::overview::View;
use crate::write::reports::Reports;
use crate::write::survivors::Destination;
use nearprint_corpus::{Compression, Output, Outputs, total_bytes};
use nearprint_rules::Criteria;
use std::path::PathBuf;

/// A job that is ready to run. [`JobSpec::open`] makes one.
pub struct ReadyJob {
    job: Job,
    destination: Destination,
    reports: Reports,
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
        let found = Discovered::find(&self.input, with)?;
        let checkpoint = self.outputs.checkpoint(&found.sources, with)?;
        let mut outputs = self.outputs.opened(&found, with, checkpoint.as_ref());
        let reports = self.reports(&mut outputs)?;
        let job = Job::new(self, with, found.spooled(&self.reading, with, progress)?)?;
        job.refuse()?;
        let written = job.input().written();
        if job.outputs.annotate {
            outputs.add_columns(columns_of_files::<Note<'_>>(written)?);
        } else if job.outputs.notes_copies() {
            outputs.add_columns(with_copies!(job.outputs, job.count_by.is_some() => BY, WEIGHS, {
                columns_of_files::<Copies<BY, WEIGHS>>(written)?
            }));
        }
        let destination = job.outputs.destination(job.form, job.input().written(), &mut outputs)?;
        Ok(ReadyJob { job, destination, reports, checkpoint })
    }

    fn reports(&self, outputs: &mut Outputs) -> Result<Reports, Error> {
        let OutputSpec { removed, pairs, clusters, summary, segment, page, .. } = &self.outputs;
        let segment = match segment {
            Some(path) => Some(outputs.create_compressed(path, Compression::Zstd)?),
            None => None,
        };
        let mut report = |path: &Option<PathBuf>| -> Result<Option<Output>, Error> {
            Ok(path.as_ref().map(|path| outputs.create(path)).transpose()?)
        };
        Ok(Reports {
            removed: report(removed)?,
            pairs: report(pairs)?,
            clusters: report(clusters)?,
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
        let Self { job, destination, reports, checkpoint } = self;
        let ran = job.run(destination, reports, checkpoint, progress);
        ran.map_err(|error| job.memory.named(error, job.longest_asked))
    }
}
