//! What every job opens before it reads: the folder of its stages, its outputs, and where its corpus goes.

use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::discovered::Discovered;
use crate::job::form::Form;
use crate::job::spec::{OutputSpec, Resources};
use crate::read::reading::Reading;
use crate::write::destination::Destination;
use crate::write::reports::Reports;
use nearprint_corpus::{OutputOptions, Outputs, Source};

/// Where a job writes.
pub(crate) struct Opened {
    /// Where survivors go.
    pub(crate) destination: Destination,
    pub(crate) reports: Reports,
}

impl OutputSpec {
    /// Where finished stages are kept; none where no folder is named for it, or the input is a stream.
    ///
    /// # Errors
    /// [`Error::ReadOnce`] for a stream of a run that is to be resumed; a folder that cannot be used.
    pub(crate) fn checkpoint(
        &self,
        sources: &[Source],
        with: &Resources,
    ) -> Result<Option<Checkpoint>, Error> {
        let (Some(output), Some(work_dir)) = (&self.survivors, &with.work_dir) else {
            return Ok(None);
        };
        match Discovered::refuse_streams(sources) {
            Err(_) if !with.resume => Ok(None),
            refused => {
                refused?;
                Checkpoint::open(work_dir, output, with.resume).map(Some)
            }
        }
    }

    /// Outputs, none of which is open. What a run left half-written that goes on here is removed.
    pub(crate) fn opened(
        &self,
        found: &Discovered,
        with: &Resources,
        checkpoint: Option<&Checkpoint>,
    ) -> Outputs {
        let resumed = checkpoint.is_some_and(Checkpoint::was_publishing);
        let force = with.force || resumed;
        let mut outputs = Outputs::new(&found.sources, OutputOptions { force });
        if with.resume {
            outputs.sweep();
        }
        outputs.protect(&found.against);
        if let Some(bytes) = self.shard_size {
            outputs.shard(bytes);
        }
        outputs
    }

    /// Opens where the corpus of these sources goes.
    ///
    /// # Errors
    /// Outputs that exist or cannot be written.
    pub(crate) fn destination(
        &self,
        form: Form,
        (reading, written): (&Reading, &[Source]),
        outputs: &mut Outputs,
    ) -> Result<Destination, Error> {
        let Some(output) = &self.survivors else { return Ok(Destination::Nowhere) };
        Ok(match form {
            Form::Nothing => Destination::Nowhere,
            Form::Folder => Destination::Folder(outputs.mirror(output, written)?),
            Form::Rows => {
                let is_read = |source: &&Source| !reading.skips_columns_of(source);
                let read: Vec<_> = written.iter().filter(is_read).cloned().collect();
                let like = if read.is_empty() { written } else { &read };
                Destination::Rows(outputs.rows(output, like)?)
            }
            Form::File => Destination::File(Box::new(outputs.survivors(output, written)?)),
        })
    }
}
