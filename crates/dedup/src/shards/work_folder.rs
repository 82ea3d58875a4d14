//! Where the files of a job in shards are: a local folder.

use crate::error::Error;
use crate::shards::step::Step;
use nearprint_corpus::replace;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The name of the plan.
const PLAN: &str = "plan.json";

/// The folder of a job: its plan, and a file for each unit that is done. All access to files goes through it.
#[derive(Clone, Debug)]
pub(crate) struct WorkFolder(PathBuf);

impl WorkFolder {
    /// The folder of that name, which need not be there.
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The path of the plan.
    pub(crate) fn plan(&self) -> PathBuf {
        self.0.join(PLAN)
    }

    /// The path of the file of a unit.
    pub(crate) fn unit(&self, step: Step, unit: usize) -> PathBuf {
        self.0.join(step.name()).join(format!("{unit:05}.parquet"))
    }

    /// Makes the folder, which holds no plan yet.
    pub(crate) fn create(&self) -> Result<(), Error> {
        if self.plan().exists() {
            let problem = "another job has its plan there; give another folder, or delete this one";
            return Err(Error::Shards { path: self.plan(), problem: problem.to_owned() });
        }
        let made =
            Step::ALL.iter().try_for_each(|step| fs::create_dir_all(self.0.join(step.name())));
        made.map_err(|source| Error::Io { path: self.0.clone(), source })
    }

    /// Whether a file is there.
    pub(crate) fn has(&self, path: &Path) -> bool {
        path.exists()
    }

    /// Opens a file.
    pub(crate) fn open(&self, path: &Path) -> Result<File, Error> {
        File::open(path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => {
                let problem =
                    "no such file; make the job with `create`, or run the stage of its name";
                Error::Shards { path: path.to_owned(), problem: problem.to_owned() }
            }
            _ => Error::Io { path: path.to_owned(), source },
        })
    }

    /// Writes a file whole, in the place of one that is there.
    pub(crate) fn write(
        &self,
        path: &Path,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Error> {
        replace(path, write).map_err(|source| Error::Io { path: path.to_owned(), source })
    }
}
