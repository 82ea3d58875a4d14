//! The candidate pairs, in order, on disk until they are verified.
//!
//! A [`CandidateSearch`](crate::search::candidate_search::CandidateSearch) finds them.

use crate::error::Error;
use crate::memory::spill::{Appender, List, Reader, Spill};
use crate::memory::spilled_sort::{Job, Room, sorted_of};
use crate::numbers::Rank;
use crate::progress::Work;
use crate::search::candidate_pair::CandidatePair;
use crate::search::equal_documents::EqualDocuments;
use std::path::Path;

/// Pairs of a join: documents of equal fingerprints, and pairs of the documents that stand for them.
///
/// Memory: 8 bytes a document whose fingerprint an earlier one has, and a block.
pub(crate) struct Candidates {
    /// Documents under the first of their fingerprint.
    pub(crate) equal: EqualDocuments,
    /// Pairs of two documents before this one, those of the reference, are there to be listed only.
    reference: Rank,
    spill: Spill,
    near: List,
}

/// Which pairs are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that say which documents stay.
    Deciding,
    /// All that are listed.
    Listed,
}

impl Candidates {
    /// The pairs that `find` emits, from any thread, in any order and as often as it likes, but for those
    /// that `keep` refuses: it is asked of each pair once, in order, when `find` has ended. Pairs of two documents
    /// before `reference` decide nothing, however pairs are found.
    ///
    /// Memory: `room`, beside what `find` takes; pairs that do not fit wait in a file in `dir`.
    pub(crate) fn gather(
        room: Room,
        dir: &Path,
        reference: Rank,
        find: &mut Job<'_, CandidatePair>,
        keep: &mut (dyn FnMut(&CandidatePair) -> bool + Send),
    ) -> Result<Self, Error> {
        let mut spill = Spill::new(dir, room.block);
        let mut near = Appender::default();
        let block = room.entries::<CandidatePair>();
        sorted_of(room, dir, find, &mut |pairs| {
            let mut kept = pairs.iter().filter(|pair| keep(pair));
            kept.try_for_each(|pair| near.push(*pair, block, &mut spill))
        })?;
        let near = near.finish(&mut spill)?;
        Ok(Self { equal: EqualDocuments::default(), reference, spill, near })
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> u64 {
        self.equal.listed().len() as u64 + self.near.len() as u64
    }

    /// The number of pairs but those of equal fingerprints.
    pub(crate) fn apart(&self) -> u64 {
        self.near.len() as u64
    }

    /// Whether a pair says which documents stay: one of two documents of the reference does not.
    pub(crate) fn decides(&self, a: Rank, b: Rank) -> bool {
        a.max(b) >= self.reference
    }

    /// Whether a pair does, or one of documents that these two stand for.
    fn may_decide(&self, CandidatePair { a, b, .. }: CandidatePair) -> bool {
        self.decides(a, b) || self.decides(self.last_of(a), self.last_of(b))
    }

    /// Hands every pair but those of equal fingerprints that are listed apart to `each`, by its first
    /// document, then its second; each is a part of `work`.
    pub(crate) fn near(
        &self,
        which: Which,
        work: &Work,
        each: &mut dyn FnMut(CandidatePair) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = Reader::<CandidatePair>::new(&self.spill, &self.near);
        while let Some(pair) = reader.next()? {
            if which == Which::Listed || self.may_decide(pair) {
                each(pair)?;
            }
            work.add(1);
        }
        Ok(())
    }

    /// Hands every pair of documents to `each`: pairs of equal fingerprints too, and those with
    /// everything that is near one of them.
    pub(crate) fn all(
        &self,
        which: Which,
        work: &Work,
        each: &mut dyn FnMut(CandidatePair) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut each = |pair: CandidatePair| match which {
            Which::Deciding if !self.decides(pair.a, pair.b) => Ok(()),
            _ => each(pair),
        };
        self.equal.pairs(|a, b| each(CandidatePair { a, b, distance: 0 }))?;
        self.near(which, work, &mut |CandidatePair { a, b, distance }| {
            let right = self.equal.of(b);
            self.equal.of(a).try_for_each(|x| {
                let mut right = right.clone();
                right.try_for_each(|y| each(CandidatePair { a: x.min(y), b: x.max(y), distance }))
            })
        })
    }

    /// The last document that a document of a pair stands for.
    fn last_of(&self, first: Rank) -> Rank {
        self.equal.of(first).last().unwrap_or(first)
    }

    /// Hands every document of a pair to `each`, as often as it likes.
    pub(crate) fn documents(&self, mut each: impl FnMut(Rank)) -> Result<(), Error> {
        self.equal.listed().iter().for_each(|(a, b)| [*a, *b].into_iter().for_each(&mut each));
        self.near(Which::Listed, &Work::default(), &mut |CandidatePair { a, b, .. }| {
            [a, b].into_iter().for_each(&mut each);
            Ok(())
        })
    }
}
