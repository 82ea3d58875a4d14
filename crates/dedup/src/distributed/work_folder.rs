//! Where the files of a job in shards are: a local folder, or one in object storage.

use crate::distributed::step::Step;
use crate::distributed::stored::Stored;
use crate::error::Error;
use nearprint_corpus::{ObjectFolder, replace};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The plan.
const PLAN: &str = "plan.json";
/// How files of units end.
const ENDING: &str = ".parquet";

/// The folder of a job: its plan, and a file for each unit that is done. All access to files goes through it.
#[derive(Clone, Debug)]
pub(crate) struct WorkFolder {
    path: PathBuf,
    /// The folder, where it is in object storage.
    objects: Option<ObjectFolder>,
}

impl WorkFolder {
    /// The folder of that name, which need not be there.
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        Ok(Self { path: path.to_owned(), objects: ObjectFolder::of_path(path)? })
    }

    /// The name of the plan.
    pub(crate) fn plan(&self) -> String {
        PLAN.to_owned()
    }

    /// The name of the file of a unit.
    pub(crate) fn unit(&self, step: Step, unit: usize) -> String {
        format!("{step}/{unit:05}{ENDING}")
    }

    /// The path of a file, for messages.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes the folder of a job of these stages, which holds no plan yet.
    pub(crate) fn create(&self, stages: &[Step]) -> Result<(), Error> {
        if self.has(PLAN)? {
            let problem = "another job has its plan there; give another folder, or delete this one";
            return Err(Error::Shards { path: self.path(PLAN), problem: problem.to_owned() });
        }
        if self.objects.is_some() {
            return Ok(());
        }
        let made =
            stages.iter().try_for_each(|step| fs::create_dir_all(self.path.join(step.name())));
        made.map_err(|source| Error::Io { path: self.path.clone(), source })
    }

    /// Whether a file is there.
    pub(crate) fn has(&self, name: &str) -> Result<bool, Error> {
        match &self.objects {
            Some(objects) => Ok(objects.bytes(name)?.is_some()),
            None => Ok(self.path(name).exists()),
        }
    }

    /// The units of a stage that are done, by one listing.
    pub(crate) fn done(&self, step: Step) -> Result<Vec<usize>, Error> {
        let number = |name: &String| name.strip_suffix(ENDING)?.parse().ok();
        Ok(self.names(step.name())?.iter().filter_map(number).collect())
    }

    /// Whether nothing is in the folder, or there is none.
    pub(crate) fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.names("")?.is_empty())
    }

    /// The names of what is in a folder of it.
    fn names(&self, folder: &str) -> Result<Vec<String>, Error> {
        match &self.objects {
            Some(objects) => Ok(objects.names(folder)?),
            None => self.local_names(folder),
        }
    }

    fn local_names(&self, folder: &str) -> Result<Vec<String>, Error> {
        let path = self.path(folder);
        let names = match fs::read_dir(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.and_then(|entries| {
                entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
            }),
        };
        names.map_err(|source| Error::Io { path, source })
    }

    /// Opens a file.
    pub(crate) fn open(&self, name: &str) -> Result<Stored, Error> {
        let opened = match &self.objects {
            Some(objects) => {
                objects.bytes(name)?.map(|bytes| Stored::of_object(objects, name, bytes))
            }
            None => match File::open(self.path(name)).and_then(Stored::of_file) {
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                opened => {
                    Some(opened.map_err(|source| Error::Io { path: self.path(name), source })?)
                }
            },
        };
        opened.ok_or_else(|| {
            let problem = "no such file; make the job with `create`, or run the stage of its name";
            Error::Shards { path: self.path(name), problem: problem.to_owned() }
        })
    }

    /// Writes a file whole, in the place of one that is there.
    pub(crate) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), Error> {
        match &self.objects {
            Some(objects) => Ok(objects.write(name, write)?),
            None => {
                let path = self.path(name);
                replace(&path, |file| write(file)).map_err(|source| Error::Io { path, source })
            }
        }
    }
}
