//! The pairs within the radius, in order, on disk until they are verified.

use crate::disk::alike::Alike;
use crate::disk::spill::{Appender, Entry, List, Reader, Spill};
use crate::disk::spilled_join::SpilledJoin;
use crate::disk::spilled_sort::sorted_of;
use crate::error::Error;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::Pair;

/// Pairs of a join: documents of equal fingerprints, and pairs of the documents that stand for them.
///
/// Memory: 16 bytes a document whose fingerprint an earlier one has, and a block.
pub(crate) struct Candidates {
    /// Documents under the first of their fingerprint.
    pub(crate) equal: Alike,
    spill: Spill,
    near: List,
}

impl Candidates {
    /// Runs `join` over `entries`.
    pub(crate) fn find<const WORDS: usize>(
        join: &SpilledJoin,
        entries: impl IntoIterator<Item = Result<(Fingerprint<WORDS>, u64), Error>>,
    ) -> Result<Self, Error> {
        let mut spill = Spill::new(join.dir(), join.half_room().block);
        let (mut near, mut equal) = (Appender::<2>::default(), Vec::new());
        let (room, dir) = (join.half_room(), join.dir());
        let joining = |keep: &(dyn Fn(Entry<2>) + Sync)| {
            join.run(entries, |Pair { a, b, distance }| {
                keep((Fingerprint::from_words([b, a]), distance.into()));
            })
        };
        sorted_of(room, dir, joining, |(pair, distance)| {
            let [b, a] = *pair.words();
            if distance == 0 {
                equal.push((a, b));
                return Ok(());
            }
            near.push((pair, distance), room.entries::<2>(), &mut spill)
        })?;
        let near = near.finish(&mut spill)?;
        Ok(Self { equal: Alike::new(equal), spill, near })
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> u64 {
        self.equal.pairs().len() as u64 + self.near.len() as u64
    }

    /// Hands every pair at a distance above 0 to `each`, by its first document, then its second,
    /// with the distance.
    pub(crate) fn near(
        &self,
        mut each: impl FnMut(u64, u64, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = Reader::<2>::new(&self.spill, &self.near);
        while let Some((pair, distance)) = reader.next()? {
            let [b, a] = *pair.words();
            each(a, b, u32::try_from(distance).unwrap_or(u32::MAX))?;
        }
        Ok(())
    }

    /// Hands every pair of documents to `each`, those of equal fingerprints with all that is near one
    /// of them, with the distance.
    pub(crate) fn all(
        &self,
        each: &mut dyn FnMut((u64, u64, u32)) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for group in self.equal.groups() {
            for (at, a) in group.iter().enumerate() {
                group.iter().skip(at + 1).try_for_each(|b| each((*a, *b, 0)))?;
            }
        }
        self.near(|a, b, distance| {
            let right = self.equal.of(b);
            self.equal.of(a).try_for_each(|x| {
                right.clone().try_for_each(|y| each((x.min(y), x.max(y), distance)))
            })
        })
    }

    /// Every document of a pair, ascending.
    pub(crate) fn documents(&self) -> Result<Vec<u64>, Error> {
        let equal = self.equal.pairs().iter();
        let mut documents: Vec<u64> = equal.flat_map(|(a, b)| [*a, *b]).collect();
        let mut sorted = 0;
        self.near(|a, b, _| {
            documents.extend([a, b]);
            // Repetitions go as they come to be as many as the rest.
            if documents.len() >= 2 * sorted + 4096 {
                documents.sort_unstable();
                documents.dedup();
                sorted = documents.len();
            }
            Ok(())
        })?;
        documents.sort_unstable();
        documents.dedup();
        Ok(documents)
    }
}
