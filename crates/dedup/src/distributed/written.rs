//! What a job in shards will write: refused at its making where it cannot.

use crate::distributed::work_folder::WorkFolder;
use crate::error::Error;
use nearprint_corpus::{OutputOptions, Outputs, Source};
use std::path::{Path, PathBuf};

/// What a job in shards will write.
pub(crate) struct Written<'a> {
    pub(crate) sources: &'a [Source],
    /// Those of them that are written.
    pub(crate) written: &'a [Source],
    /// Whether files that exist are replaced.
    pub(crate) force: bool,
    /// The folder of what stays.
    pub(crate) corpus: Option<&'a PathBuf>,
    /// Folders of parts.
    pub(crate) parts: Vec<&'a PathBuf>,
    /// Files that the last task writes.
    pub(crate) files: Vec<&'a PathBuf>,
}

impl Written<'_> {
    /// Refuses outputs that exist, that lie in the input, or that share a folder.
    pub(crate) fn check(&self, work: &Path) -> Result<(), Error> {
        let mut outputs = Outputs::new(self.sources, OutputOptions { force: self.force });
        // Tasks find the inputs anew, and make their outputs apart from each other.
        let mut taken = Vec::new();
        if let Some(corpus) = self.corpus {
            drop(outputs.mirror(corpus, self.written)?);
            taken.push(outputs.outside_inputs(corpus)?);
        }
        for path in self.parts.iter().map(|path| path.as_path()).chain([work]) {
            let place = outputs.outside_inputs(path)?;
            if taken.contains(&place) {
                let problem = "survivors, segments, each report and the files of the job need folders of their own";
                return Err(Error::Shards { path: path.to_owned(), problem: problem.to_owned() });
            }
            taken.push(place);
        }
        for path in &self.parts {
            if !WorkFolder::new(path)?.is_empty()? {
                let problem =
                    "parts of a report or segments go there, and it has files; name a new folder";
                return Err(Error::Shards {
                    path: path.to_path_buf(),
                    problem: problem.to_owned(),
                });
            }
        }
        for path in &self.files {
            drop(outputs.create(path)?);
        }
        Ok(())
    }
}
