//! What a run may write: the refusals that keep inputs, earlier results and the run's own outputs
//! from being overwritten. Writing is `output`'s and `mirror`'s.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::identity::{FileIdentity, resolve};
use crate::mirror::{Mirror, Slot};
use crate::new_folders::NewFolders;
use crate::output::{Output, Target};
use crate::source::Source;

/// How outputs are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputOptions {
    /// Replace files that exist. Inputs are never replaced.
    pub force: bool,
}

/// Makes the outputs of one run.
///
/// Made before the first reading, outputs refuse early. Nothing appears under a final name until it
/// is committed.
pub struct Outputs {
    options: OutputOptions,
    sources: Vec<Source>,
    inputs: HashMap<FileIdentity, String>,
    taken: HashSet<PathBuf>,
}

impl Outputs {
    /// Outputs of a run over these sources.
    pub fn new(sources: &[Source], options: OutputOptions) -> Outputs {
        Outputs {
            options,
            sources: sources.to_vec(),
            inputs: identified(sources).collect(),
            taken: HashSet::new(),
        }
    }

    /// Keeps further files from being replaced, as inputs are.
    pub fn protect(&mut self, sources: &[Source]) {
        self.inputs.extend(identified(sources));
    }

    /// Begins one output file; `-` is standard output.
    ///
    /// # Errors
    ///
    /// Refuses a path that is an input, whatever links lead there and even with force; that is
    /// another output; that exists, without force; that is a folder or has none. A pipe or a device
    /// such as `/dev/null` is no file that could be lost, and is written.
    pub fn create(&mut self, path: &Path) -> Result<Output, Error> {
        if path == Path::new("-") {
            self.take(path, path)?;
            return Output::open(path, Target::Stdout);
        }
        let target = self.claim(path)?;
        if let Target::File { path: real, .. } = &target
            && !real.parent().is_some_and(Path::is_dir)
        {
            return Err(Error::OutputFolderMissing { path: path.display().to_string() });
        }
        Output::open(path, target)
    }

    /// Begins an output folder, created if need be, in which every source has a file of its own
    /// [relative](Source::relative) name.
    ///
    /// # Errors
    ///
    /// Refuses a folder that is or lies inside an input folder, and whatever
    /// [`create`](Self::create) refuses, for every file to come.
    pub fn mirror(&mut self, folder: &Path) -> Result<Mirror, Error> {
        let path = || folder.display().to_string();
        let failed = |source| Error::Write { path: path(), source };
        if fs::metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(Error::OutputNotFolder { path: path() });
        }
        let real = resolve(folder).map_err(failed)?;
        let input_folders: BTreeSet<&Path> =
            self.sources.iter().filter_map(Source::folder).collect();
        if let Some(input) = input_folders.into_iter().find(|input| real.starts_with(input)) {
            let input = input.display().to_string();
            return Err(Error::OutputInsideInput { path: path(), input });
        }
        let mut slots = Vec::with_capacity(self.sources.len());
        for index in 0..self.sources.len() {
            let Some(source) = self.sources.get(index) else { continue };
            let (path, format) = (folder.join(source.relative()), source.format());
            let target = self.claim(&path)?;
            slots.push(Slot { path, target, format });
        }
        let mut folders = NewFolders::default();
        folders.create(folder).map_err(failed)?;
        Ok(Mirror::new(slots, folders))
    }

    /// Reserves a path and says how it is to be written.
    fn claim(&mut self, path: &Path) -> Result<Target, Error> {
        let name = || path.display().to_string();
        let failed = |source| Error::Write { path: name(), source };
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Error::OutputIsFolder { path: name() });
            }
            Ok(metadata) if metadata.is_file() => {
                let identity = FileIdentity::of(path).map_err(failed)?;
                if let Some(input) = self.inputs.get(&identity) {
                    return Err(Error::OutputIsInput { path: name(), input: input.clone() });
                }
                if !self.options.force {
                    return Err(Error::OutputExists { path: name() });
                }
            }
            Ok(_) => return Ok(Target::Device),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let real = resolve(path).map_err(failed)?;
        self.take(&real, path)?;
        Ok(Target::File { path: real, replace: self.options.force })
    }

    fn take(&mut self, real: &Path, path: &Path) -> Result<(), Error> {
        if self.taken.insert(real.to_owned()) {
            Ok(())
        } else {
            Err(Error::OutputTwice { path: path.display().to_string() })
        }
    }
}

/// The files among `sources`, with their names.
fn identified(sources: &[Source]) -> impl Iterator<Item = (FileIdentity, String)> + '_ {
    sources.iter().filter_map(|source| {
        let identity = FileIdentity::of(source.path()?).ok()?;
        Some((identity, source.name().to_owned()))
    })
}
