//! How much memory a job takes: what it was allowed, and what is left of that once the corpus was
//! read.

use crate::error::Error;
use crate::memory::shares;

/// Bytes a document that are taken after the reading, in place of its content: representatives,
/// turns and degrees.
const LATER: u64 = 8;
/// Bytes of the program itself: more where it checks itself.
const PROGRAM: u64 = if cfg!(debug_assertions) { 18 << 20 } else { 16 << 20 };
/// Bytes of an exact join where nobody says how much, at least.
const EXACT: usize = 128 << 20;
/// Bytes of the counts that tell rare features, where nobody says how much.
const RARITY: usize = 1 << 30;
/// Bytes that features may take where nobody says how much: the more, the fewer pairs are compared in full.
const FEATURES: usize = 8 << 20;
/// The same of features with their weights: the more, the fewer of them are read again.
const WEIGHTED: usize = 64 << 20;
/// Bytes of sorts where passages are looked for and nobody says how much.
const PASSAGES: usize = 1 << 30;
/// The fewest bytes of these.
const LEAST_OF_PASSAGES: usize = 4_000_000;
/// Bytes of a thread there beside those of any other job: the tokens of a text of a megabyte, with their places.
const PASSAGES_OF_THREAD: usize = 16_000_000;
/// Bytes of the batches under way and the workers' own, one thread more or less.
const THREAD: usize = 4_000_000;

/// Bytes of lists of files that are within what any process takes.
const SHORT_LISTS: usize = 2_000_000;

/// What a job may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// After the reading 16 bytes a document, and at least 16 MiB, for what joins, sorts and
    /// compares: all together at most 40 bytes a document, but for ids. Where documents are
    /// crowded, 4 bytes a document more, and 64 MiB or 8 bytes for each crowded one. Pairs that are found [exactly](crate::Finding::Prefixes) take 48 bytes a document
    /// more, or 128 MiB, the counts of their features and what crowded documents need. Features that are compared
    /// by their weights take 64 MiB, and those found by a cosine 8 bytes a document more for each 64 bits.
    #[default]
    Frugal,
    /// After the reading so many bytes for what joins, sorts and compares.
    Join(usize),
    /// So many bytes for the whole process: what else it holds leaves the job less room. What cannot keep to it is
    /// refused: files, windows and packed outputs before anything is read, documents that leave a join no room, a
    /// record of more than a megabyte for which there is no room where it stands.
    Process(usize),
}

impl Memory {
    /// The smallest that a process keeps to.
    #[must_use]
    pub const fn least(threads: usize) -> usize {
        24_000_000 + threads * THREAD
    }

    /// Bytes of the lists of files that a job on so many threads has room for; none where nobody says how much
    /// it may take.
    #[must_use]
    pub fn for_lists(self, threads: usize) -> Option<u64> {
        match self {
            Self::Process(given) => {
                Some(given.saturating_sub(Self::least(threads)).max(SHORT_LISTS) as u64)
            }
            Self::Frugal | Self::Join(_) => None,
        }
    }

    /// Refuses what no job on so many threads keeps to.
    pub(crate) fn check(self, threads: usize) -> Result<(), Error> {
        match self {
            Self::Process(given) if given < Self::least(threads) => {
                let what = format!("a run on {threads} threads");
                let needed = Self::least(threads) as u64;
                Err(Error::Memory { what, given: given as u64, needed })
            }
            _ => Ok(()),
        }
    }

    /// The fewest bytes that a job over passages on so many threads keeps to, which holds so many, and the most that it
    /// takes.
    pub(crate) fn of_passages(self, threads: usize, held: u64) -> [u64; 2] {
        let least = (Self::least(threads) + threads * PASSAGES_OF_THREAD) as u64 + held;
        let most = match self {
            Self::Process(given) => (given as u64).max(least),
            Self::Join(room) => least + room as u64,
            Self::Frugal => least + PASSAGES as u64,
        };
        [least, most]
    }

    /// Refuses what no search within texts, for `what`, on so many threads keeps to.
    pub(crate) fn check_search(self, what: &str, threads: usize) -> Result<(), Error> {
        let needed = Self::least(threads) + threads * PASSAGES_OF_THREAD;
        match self {
            Self::Process(given) if given < needed => {
                let what = format!("a search for {what} on {threads} threads");
                Err(Error::Memory { what, given: given as u64, needed: needed as u64 })
            }
            _ => Ok(()),
        }
    }

    /// Bytes for what is found where items of eval sets are looked for, which hold so many.
    ///
    /// # Errors
    /// [`Error::Memory`] where the items and what threads take is more than the process may take.
    pub(crate) fn beside_items(self, threads: usize, held: usize) -> Result<usize, Error> {
        match self {
            Self::Frugal => Ok(PASSAGES),
            Self::Join(bytes) => Ok(bytes),
            Self::Process(given) => {
                let taken = Self::least(threads) + threads * PASSAGES_OF_THREAD + held;
                given.checked_sub(taken).map(|left| left.max(LEAST_OF_PASSAGES)).ok_or_else(|| {
                    let what = "a search for the items of the eval sets".to_owned();
                    Error::Memory { what, given: given as u64, needed: taken as u64 }
                })
            }
        }
    }

    /// Bytes of the features of documents in candidates, of whose room `share` is a part; with their weights where
    /// they `weigh`.
    pub(crate) fn of_features(self, share: usize, weigh: bool) -> usize {
        let least = if weigh { WEIGHTED } else { FEATURES };
        if self == Self::Frugal { share.max(least) } else { share }
    }

    /// Bytes of leaders among crowded documents, at most, whose share of the room is so many: as many as they
    /// take, where nobody says how much.
    pub(crate) fn of_leaders(self, share: usize) -> usize {
        if self == Self::Frugal { usize::MAX } else { share }
    }

    /// Bytes of an exact join, whose share of the room is so many: where nobody says how much, four times
    /// as many, and as many as make most corpora one block.
    pub(crate) fn of_exact_join(self, share: usize) -> usize {
        if self == Self::Frugal { share.saturating_mul(4).max(EXACT) } else { share }
    }

    /// Bytes of the counts that tell rare features, at most.
    pub(crate) fn of_rarity(self) -> usize {
        match self {
            Self::Process(bytes) => shares::COUNTS.of(bytes),
            Self::Frugal | Self::Join(_) => RARITY,
        }
    }

    /// Bytes for what is sorted and compared where passages are looked for, beside so many that are held and what
    /// threads take.
    ///
    /// # Errors
    /// As for [`left`](Self::left).
    pub(crate) fn for_passages(self, threads: usize, held: usize) -> Result<usize, Error> {
        match self {
            Self::Frugal => Ok(PASSAGES),
            Self::Join(bytes) => Ok(bytes),
            Self::Process(_) => {
                let left = self.left(0, held, LEAST_OF_PASSAGES)?;
                let taken = threads * (THREAD + PASSAGES_OF_THREAD);
                Ok(left.saturating_sub(taken).max(LEAST_OF_PASSAGES))
            }
        }
    }

    /// What is left for the join of `documents` that hold `held` bytes, at least `least`. The system tells how much
    /// that is. Whether the job is refused is counted, so that it is the same at each run.
    ///
    /// # Errors
    /// [`Error::Memory`] where the documents and `least` are more than the process may take.
    pub(crate) fn left(self, documents: u64, held: usize, least: usize) -> Result<usize, Error> {
        let counted = held as u64 + PROGRAM;
        self.left_of(documents, counted, resident().unwrap_or(counted), least)
    }

    /// The same for a process that takes `now` bytes, of which `counted` were counted.
    fn left_of(self, documents: u64, counted: u64, now: u64, least: usize) -> Result<usize, Error> {
        let narrow = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let later = LATER.saturating_mul(documents);
        match self {
            Self::Frugal => Ok(narrow(documents.saturating_mul(16)).max(16 << 20)),
            Self::Join(bytes) => Ok(bytes),
            Self::Process(bytes) => {
                let (given, needed) =
                    (bytes as u64, counted.saturating_add(later).saturating_add(least as u64));
                if given < needed {
                    let what = format!("a corpus of {documents} documents");
                    return Err(Error::Memory { what, given, needed });
                }
                Ok(bytes.saturating_sub(narrow(now.saturating_add(later))).max(least))
            }
        }
    }
}

/// Bytes that this process takes now; `None` where the system does not tell.
fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// Greatest resident memory of this process so far, in bytes; `None` where the system does not
/// tell.
#[must_use]
pub(crate) fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_process_takes_is_not_left() {
        let now = 100 << 20;
        let taken = (100 << 20) + 8 * 1000;
        let left = |cap, least| Memory::Process(cap).left_of(1000, now, now, least);
        assert_eq!(left(taken + (64 << 20), 1 << 20).unwrap(), 64 << 20);
        assert_eq!(left(taken + (1 << 20), 1 << 20).unwrap(), 1 << 20);
        let error = left(taken + (1 << 20) - 1, 1 << 20).unwrap_err();
        let Error::Memory { what, given, needed } = error else { panic!("{error}") };
        assert_eq!(what, "a corpus of 1000 documents");
        assert_eq!((given, needed), (taken as u64 + (1 << 20) - 1, taken as u64 + (1 << 20)));
        assert_eq!(Memory::Frugal.left_of(10, now, now, 0).unwrap(), 16 << 20);
        assert_eq!(Memory::Frugal.left_of(10_000_000, now, now, 0).unwrap(), 160_000_000);
        assert_eq!(Memory::Join(5).left_of(10, now, now, 0).unwrap(), 5);
    }

    #[test]
    fn what_the_process_takes_at_the_moment_refuses_nothing() {
        let memory = Memory::Process((32 << 20) + 8 * 1000);
        let left = |now| memory.left_of(1000, 24 << 20, now, 1 << 20).unwrap();
        assert_eq!([20 << 20, 31 << 20, 40 << 20].map(left), [12 << 20, 1 << 20, 1 << 20]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_tells_what_the_process_takes() {
        // The program alone takes more than a quarter of a MiB, whatever other tests do.
        let least = 1 << 18;
        assert!(resident().unwrap() > least && peak().unwrap() > least);
        let left = Memory::Process(1 << 40).left(0, 0, 0).unwrap();
        assert!(left < (1 << 40) - (1 << 18), "{left}");
    }
}
