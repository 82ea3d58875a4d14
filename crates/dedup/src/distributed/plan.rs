//! What is decided once for all tasks of a job in shards.

use crate::distributed::work_folder::WorkFolder;
use crate::error::Error;
use crate::job::difference::difference;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::num::{NonZeroU8, NonZeroU16};
use xxhash_rust::xxh3::xxh3_128;

/// The version of the plan and of the files of units.
const VERSION: u32 = 6;
/// The version of this program.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// Bytes of input to a range of the keys of each band, which a task joins in memory.
const RANGE: u64 = 8 << 30;
/// Bytes of input to a shard, and shards at least and at most.
const SHARD: u64 = 1 << 30;
const SHARDS: std::ops::RangeInclusive<u64> = 4..=4096;
/// Bands that a unit of `join` takes one after the other, where each has one range: the unit reads fingerprints
/// once for all of them.
const TOGETHER: usize = 3;
/// Ranges at most: values of the first byte of a key.
const RANGES: u64 = 256;

/// Into how many parts a job is cut, where that is said and not told by its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Ranges of the keys of each band: the more, the less memory a unit of [`Step::Join`] takes. The default is a
    /// range for each 8 GiB of input.
    ///
    /// [`Step::Join`]: crate::Step::Join
    pub ranges: Option<NonZeroU8>,
    /// Shards, the units of [`Step::Solve`]. The default is one for each GiB of input, and 4 at least.
    ///
    /// [`Step::Solve`]: crate::Step::Solve
    pub shards: Option<NonZeroU16>,
}

/// The plan of a job in shards. Tasks never make their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    version: u32,
    /// The version of the program that made it.
    program: String,
    /// The arguments of the command, which every task reads again.
    pub(crate) args: Vec<String>,
    /// What decides the outcome: the rules, and each input with its version.
    job: Map<String, Value>,
    /// Parts of the keys of a band, and of contents.
    pub(crate) ranges: usize,
    /// Bands that a unit of `join` takes one after the other.
    pub(crate) together: usize,
    /// Parts of the components.
    pub(crate) shards: usize,
}

impl Plan {
    /// The plan of a job over so many bytes of input.
    pub(crate) fn new(args: Vec<String>, job: Map<String, Value>, bytes: u64, cuts: Cuts) -> Self {
        let narrow = |count: u64| usize::try_from(count).unwrap_or(1);
        let of_bytes = narrow((bytes / RANGE + 1).min(RANGES));
        let ranges = cuts.ranges.map_or(of_bytes, |ranges| ranges.get().into());
        let together = if ranges == 1 { TOGETHER } else { 1 };
        let of_bytes = narrow((bytes / SHARD).clamp(*SHARDS.start(), *SHARDS.end()));
        let shards = cuts.shards.map_or(of_bytes, |shards| shards.get().into());
        Self { version: VERSION, program: PROGRAM.to_owned(), args, job, ranges, together, shards }
    }

    /// The plan in a folder.
    ///
    /// # Errors
    /// No plan there, or one that cannot be read.
    pub(crate) fn load(folder: &WorkFolder) -> Result<Self, Error> {
        let (stored, path) = (folder.open(&folder.plan())?, folder.path(&folder.plan()));
        let text = stored.read(0..stored.bytes());
        let text = text.map_err(|source| Error::Io { path: path.clone(), source })?;
        let plan: Result<Self, _> = serde_json::from_slice(&text);
        let refused = |problem| Error::Shards { path: path.clone(), problem };
        let plan = plan.map_err(|error| {
            refused(format!(
                "not the plan of a job ({error}); create the job again in another folder"
            ))
        })?;
        if plan.version != VERSION || plan.program != PROGRAM {
            return Err(refused(format!(
                "nearprint {} made this plan, and this is {PROGRAM}; use one program for all tasks of a job",
                plan.program
            )));
        }
        Ok(plan)
    }

    /// Writes the plan.
    pub(crate) fn save(&self, folder: &WorkFolder) -> Result<(), Error> {
        folder.write(&folder.plan(), |file| file.write_all(self.text().as_bytes()))
    }

    /// Fails where this is not the job of the plan, as where an input changed.
    pub(crate) fn check(&self, folder: &WorkFolder, job: &Map<String, Value>) -> Result<(), Error> {
        let Some(other) = difference(&self.job, job) else { return Ok(()) };
        let problem = format!(
            "the job changed since it was made: {other}. Create the job again in another folder"
        );
        Err(Error::Shards { path: folder.path(&folder.plan()), problem })
    }

    /// The id of the job: a hash of the plan.
    pub(crate) fn id(&self) -> String {
        format!("{:032x}", xxh3_128(self.text().as_bytes()))
    }

    fn text(&self) -> String {
        // What the plan holds has names for keys, which cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
