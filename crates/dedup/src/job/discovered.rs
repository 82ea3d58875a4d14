//! The files of a job, as they were found.

use crate::error::Error;
use crate::job::spec::{InputSpec, ReadingSpec, Resources};
use crate::progress::Progress;
use crate::read::not_read::NotRead;
use crate::read::segment_row::refuse_segments;
use crate::read::sketch::OnError;
use nearprint_corpus::{Discovery, InputFormat, Source, refuse_shared};
use nearprint_fingerprint::Recipe;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often the copy of a stream is looked after.
const LOOK: Duration = Duration::from_millis(50);

/// The files of a job.
pub(crate) struct Discovered {
    pub(crate) sources: Vec<Source>,
    /// Those to compare with.
    pub(crate) against: Vec<Source>,
    /// What was found and is no source.
    pub(crate) passed_over: NotRead,
}

impl Discovered {
    /// Finds the files that are asked for; none is read. Of standard input there is one reader.
    pub(crate) fn find(input: &InputSpec, with: &Resources) -> Result<Self, Error> {
        let threads = with.thread_count()?;
        let InputSpec { inputs, format, dialect, against: named, .. } = input;
        let room = with.memory.for_lists(threads);
        let discovery = || Discovery::new().room(room).dialect(*dialect);
        let (mut sources, mut against) = (input.sources.clone(), input.against_sources.clone());
        let mut passed_over = NotRead {
            ours: input.passed_over.clone(),
            reference: input.against_passed_over.clone(),
        };
        if sources.is_empty() || !inputs.is_empty() {
            let (found, over) = discovery().format(*format).find(inputs)?;
            sources.extend(found);
            passed_over.ours.extend(over);
        }
        refuse_segments(&sources)?;
        if !named.is_empty() {
            let (found, over) = discovery().format(*format).with_segments().find(named)?;
            against.extend(found);
            passed_over.reference.extend(over);
        }
        let is_stdin = |source: &Source| source.is_stream() && source.path().is_none();
        if sources.iter().any(is_stdin) && against.iter().any(is_stdin) {
            return Err(nearprint_corpus::Error::StdinTwice.into());
        }
        refuse_shared(&sources, &against)?;
        Ok(Self { sources, against, passed_over })
    }

    /// Files that an earlier job read, by their names: those to compare with, and all others.
    pub(crate) fn named((against, sources): (Vec<Source>, Vec<Source>)) -> Self {
        Self { sources, against, passed_over: NotRead::default() }
    }

    /// Puts the recipe of archives in the place of a job's where the input, of which streams are copied, is archives.
    pub(crate) fn suit(&self, input: &InputSpec, recipe: &mut Recipe) {
        let is_archive = |source: &Source| source.format().is_some_and(InputFormat::is_archive);
        let are_archives = !self.sources.is_empty() && self.sources.iter().all(is_archive);
        if let Some(own) = input.archives_recipe.as_ref().filter(|_| are_archives) {
            recipe.clone_from(own);
        }
    }

    /// Refuses sources that cannot be read more than once.
    pub(crate) fn refuse_streams(sources: &[Source]) -> Result<(), Error> {
        match sources.iter().find(|source| source.is_stream()) {
            Some(stream) => Err(Error::ReadOnce { name: stream.name().to_owned() }),
            None => Ok(()),
        }
    }

    /// The same with standard input and pipes copied to files, so that they can be read twice.
    pub(crate) fn spooled(
        self,
        reading: &ReadingSpec,
        with: &Resources,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let folder = with.temporary()?;
        let longest =
            (reading.on_error == OnError::Fail).then_some(reading.options.max_record_bytes);
        let all = |sources: Vec<Source>| -> Result<Vec<Source>, Error> {
            sources.iter().map(|source| spooled(source, &folder, longest, progress)).collect()
        };
        // What is compared with comes first, as it is read first.
        let against = all(self.against)?;
        Ok(Self { against, sources: all(self.sources)?, passed_over: self.passed_over })
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
        // The receiver is gone where the job has ended.
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
