//! What a job that was killed goes on from: the outcome of each finished stage in a folder, with a
//! manifest. Each stage decides what it keeps, `state` how.

use crate::error::Error;
use crate::job::difference::difference;
use crate::job::temporary_folder::unusable;
use crate::memory::state::{StateReader, StateWriter};
use nearprint_corpus::replace;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The version of the files in the folder.
const VERSION: u32 = 10;
const MANIFEST: &str = "manifest.json";

/// A folder for the stages of one job, which no other process uses at the same time.
///
/// Each stage is a file, safe on disk before the manifest names it with its length and checksum; the
/// manifest itself is replaced as a whole. What is not named there is as if it were not there.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    dir: PathBuf,
    /// Whether stages of an earlier run may serve.
    resume: bool,
    manifest: Manifest,
    /// Folders that were made for this one, and are of no use without it: the innermost first.
    made: Vec<PathBuf>,
    /// Held as long as the job runs.
    _lock: File,
}

/// What is in the folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Manifest {
    version: u32,
    /// All that decides what the stages hold, field by field.
    job: Map<String, Value>,
    stages: Vec<Stage>,
    /// Whether outputs may have their final names already.
    publishing: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Stage {
    name: String,
    bytes: u64,
    checksum: u64,
}

impl Checkpoint {
    /// The folder for the job that writes `output`, in `work_dir`. With `resume` it goes on from
    /// there, otherwise it begins anew.
    ///
    /// # Errors
    /// [`Error::TemporaryFolder`] where `work_dir` takes no folder; [`Error::Checkpoint`] where the folder cannot be
    /// read, or another process uses it.
    pub(crate) fn open(work_dir: &Path, output: &Path, resume: bool) -> Result<Self, Error> {
        let output = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
        let name = xxh3_64(output.as_os_str().as_encoded_bytes());
        let dir = work_dir.join(format!("nearprint-{name:016x}"));
        let failed = |source: io::Error| told(&dir, &source);
        let missing = dir.ancestors().skip(1).take_while(|folder| !folder.exists());
        let missing = missing.filter(|folder| !folder.as_os_str().is_empty());
        let made = missing.map(Path::to_owned).collect();
        fs::create_dir_all(&dir).map_err(|source| unusable(work_dir, &source))?;
        let lock = File::create(dir.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Checkpoint {
                    dir,
                    problem: "another process writes the same output; wait until it ends"
                        .to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let manifest = match fs::read(dir.join(MANIFEST)) {
            Ok(json) => serde_json::from_slice::<Manifest>(&json)
                .ok()
                .filter(|manifest| resume && manifest.version == VERSION),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        let manifest = manifest.unwrap_or_default();
        Ok(Self { dir, resume, manifest, made, _lock: lock })
    }

    /// Whether an earlier run came so far that its outputs may be there.
    pub(crate) fn was_publishing(&self) -> bool {
        self.manifest.publishing
    }

    /// The stages that an earlier run finished.
    pub(crate) fn finished(&self) -> impl Iterator<Item = &str> {
        self.manifest.stages.iter().map(|stage| stage.name.as_str())
    }

    /// Says which job this is.
    ///
    /// # Errors
    /// [`Error::OtherJob`] where an earlier run, which is gone on from, was of another job.
    pub(crate) fn begin(&mut self, job: Map<String, Value>) -> Result<(), Error> {
        if self.resume && !self.manifest.stages.is_empty() {
            let other = difference(&self.manifest.job, &job);
            return other.map_or(Ok(()), |what| Err(Error::OtherJob { what }));
        }
        self.manifest = Manifest { version: VERSION, job, ..Manifest::default() };
        self.write()
    }

    /// A stage that an earlier run finished; `None` where none did, or its file is damaged, or gone with
    /// a run that was killed while it tidied up.
    pub(crate) fn load(&self, name: &str) -> Result<Option<StateReader>, Error> {
        let Some(stage) = self.manifest.stages.iter().find(|stage| stage.name == name) else {
            return Ok(None);
        };
        match StateReader::open(&self.dir.join(name), stage.bytes, stage.checksum) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => found.map_err(|source| told(&self.dir, &source)),
        }
    }

    /// Keeps a stage.
    pub(crate) fn save(
        &mut self,
        name: &str,
        put: impl FnOnce(&mut StateWriter) -> io::Result<()>,
    ) -> Result<(), Error> {
        let written = (|| {
            let mut writer = StateWriter::create(&self.dir.join(name))?;
            put(&mut writer)?;
            writer.finish()
        })();
        let (bytes, checksum) = written.map_err(|source| told(&self.dir, &source))?;
        self.manifest.stages.retain(|stage| stage.name != name);
        self.manifest.stages.push(Stage { name: name.to_owned(), bytes, checksum });
        self.write()
    }

    /// An empty folder for other files of the run: those of one that was killed are gone.
    pub(crate) fn scratch(&self) -> Result<PathBuf, Error> {
        let dir = self.dir.join("scratch");
        match fs::remove_dir_all(&dir) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(told(&dir, &error));
            }
            _ => {}
        }
        fs::create_dir(&dir).map_err(|source| told(&dir, &source))?;
        Ok(dir)
    }

    /// Outputs get their final names from here on.
    pub(crate) fn publishing(&mut self) -> Result<(), Error> {
        self.manifest.publishing = true;
        self.write()
    }

    /// The job is done: nothing is kept. The manifest, which says so, goes last.
    pub(crate) fn remove(self) -> Result<(), Error> {
        for stage in &self.manifest.stages {
            let path = self.dir.join(&stage.name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(told(&path, &error));
                }
                _ => {}
            }
        }
        fs::remove_dir_all(&self.dir).map_err(|source| told(&self.dir, &source))
    }

    /// What an error of a stage's file means.
    pub(crate) fn failed(&self, source: &io::Error) -> Error {
        told(&self.dir, source)
    }

    fn write(&self) -> Result<(), Error> {
        let replaced = replace(&self.dir.join(MANIFEST), |file| {
            Ok(serde_json::to_writer_pretty(file, &self.manifest)?)
        });
        replaced.map_err(|source| told(&self.dir, &source))
    }
}

impl Drop for Checkpoint {
    /// Leaves nothing of a run that ended before its first stage did.
    fn drop(&mut self) {
        if self.manifest.stages.is_empty() && !self.manifest.publishing {
            // What is gone already need not go.
            let _removed = fs::remove_dir_all(&self.dir);
            self.made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
        }
    }
}

fn told(dir: &Path, source: &io::Error) -> Error {
    let problem = format!("the finished stages of the run could not be kept here: {source}");
    Error::Checkpoint { dir: dir.to_owned(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn job(k: u32, sources: &Value) -> Map<String, Value> {
        let json = json!({"k": k, "sources": sources});
        json.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told_with_the_cause() {
        let room = tempfile::tempdir().unwrap();
        let file = room.path().join("file");
        fs::write(&file, "").unwrap();
        let told = Checkpoint::open(&file, Path::new("out"), false).unwrap_err().to_string();
        let file = file.display();
        let expected = format!("{file}: no folder for temporary files: {file} is a file; name");
        assert!(told.starts_with(&expected), "{told}");
    }

    #[test]
    fn files_of_a_run_that_was_killed_are_gone() {
        let room = tempfile::tempdir().unwrap();
        let open = || Checkpoint::open(room.path(), Path::new("out"), true).unwrap();
        fs::write(open().scratch().unwrap().join("units"), "texts").unwrap();
        let again = open();
        assert_eq!(fs::read_dir(again.scratch().unwrap()).unwrap().count(), 0);
        again.remove().unwrap();
        assert_eq!(fs::read_dir(room.path()).unwrap().count(), 0);
    }

    #[test]
    fn stages_are_found_again_by_the_same_job_only() {
        let room = tempfile::tempdir().unwrap();
        let open = |resume| Checkpoint::open(room.path(), Path::new("out"), resume);
        let files = json!([["a", 1], ["b", 2]]);
        let mut first = open(false).unwrap();
        first.begin(job(3, &files)).unwrap();
        assert!(first.load("one").unwrap().is_none());
        first.save("one", |writer| writer.value(&7)).unwrap();
        let taken = open(true).unwrap_err().to_string();
        assert!(taken.contains("another process"), "{taken}");
        drop(first);
        let mut again = open(true).unwrap();
        again.begin(job(3, &files)).unwrap();
        assert_eq!(again.finished().collect::<Vec<_>>(), ["one"]);
        assert_eq!(again.load("one").unwrap().unwrap().value::<u32>().unwrap(), 7);
        let other = again.begin(job(4, &files)).unwrap_err().to_string();
        assert!(other.contains("k: it was 3, now it is 4"), "{other}");
        let other = again.begin(job(3, &json!([["a", 1], ["b", 5]]))).unwrap_err().to_string();
        assert!(other.contains("sources: b changed since"), "{other}");
        drop(again);
        let stage = fs::read_dir(room.path()).unwrap().next().unwrap().unwrap().path().join("one");
        for damage in [|stage: &Path| fs::write(stage, "x"), |stage: &Path| fs::remove_file(stage)]
        {
            damage(&stage).unwrap();
            let mut damaged = open(true).unwrap();
            damaged.begin(job(3, &files)).unwrap();
            assert!(damaged.load("one").unwrap().is_none());
        }
        let mut anew = open(false).unwrap();
        anew.begin(job(4, &files)).unwrap();
        assert_eq!(anew.finished().count(), 0);
        anew.remove().unwrap();
        assert_eq!(fs::read_dir(room.path()).unwrap().count(), 0);
    }
}
