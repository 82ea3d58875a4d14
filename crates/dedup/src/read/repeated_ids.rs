//! How many documents have an id that one before them has.

use crate::error::Error;
use crate::memory::spill::{Appender, Spill};
use rayon::prelude::*;
use std::path::Path;

/// Parts of the ids, by the first bits of their hashes; one of them is in memory at a time.
const PARTS: u64 = 16;
/// Ids of a block.
const BLOCK: usize = 1 << 12;

/// Hashes of ids, on disk where there is a folder for them.
///
/// Memory: half a byte an id where they are on disk, else 8 bytes.
pub(crate) struct RepeatedIds {
    spill: Spill,
    parts: Vec<Appender<u64>>,
}

impl RepeatedIds {
    /// No ids yet; their file will be in `dir`, where that is given.
    pub(crate) fn new(dir: Option<&Path>) -> Self {
        let spill = match dir {
            Some(dir) => Spill::new(dir, 1 << 20),
            None => Spill::new(Path::new(""), usize::MAX),
        };
        Self { spill, parts: (0..PARTS).map(|_| Appender::default()).collect() }
    }

    /// Takes the hash of an id.
    pub(crate) fn push(&mut self, hash: u64) -> Result<(), Error> {
        let part = usize::try_from(hash >> 60).ok().and_then(|part| self.parts.get_mut(part));
        part.map_or(Ok(()), |part| part.push(hash, BLOCK, &mut self.spill))
    }

    /// Hands all hashes to `each`, in no order.
    pub(crate) fn for_each(
        mut self,
        mut each: impl FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.parts.into_iter().try_for_each(|part| {
            let part = part.finish(&mut self.spill)?;
            self.spill.for_each(&part, &mut each)
        })
    }

    /// The number of ids that were there before. Sorts on rayon's current pool.
    pub(crate) fn count(mut self) -> Result<u64, Error> {
        let (mut repeated, mut hashes) = (0, Vec::new());
        for part in self.parts {
            let part = part.finish(&mut self.spill)?;
            hashes.clear();
            self.spill.for_each(&part, |hash: u64| {
                hashes.push(hash);
                Ok(())
            })?;
            hashes.par_sort_unstable();
            hashes.dedup();
            repeated += (part.len() - hashes.len()) as u64;
        }
        Ok(repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::mix64;

    #[test]
    fn an_id_counts_each_time_it_comes_again() {
        let dir = tempfile::tempdir().unwrap();
        for dir in [None, Some(dir.path())] {
            let mut ids = RepeatedIds::new(dir);
            // 200 000 ids, of which the first 1000 come twice more.
            for id in (0..200_000).chain(0..1000).chain(0..1000) {
                ids.push(mix64(id)).unwrap();
            }
            assert_eq!(ids.count().unwrap(), 2000);
            assert_eq!(RepeatedIds::new(dir).count().unwrap(), 0);
        }
    }
}
