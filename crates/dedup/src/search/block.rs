//! Some documents under the features of their prefixes, and what a thread knows of them.

use crate::error::Error;
use crate::memory::prefixes::{Prefix, Prefixes};
use crate::numbers::{DocumentNumber, entry, index, narrow};
use crate::progress::Progress;
use crate::search::lengths::LOCAL_BITS;
use rayon::prelude::*;

/// Some documents under the features of their prefixes.
#[derive(Default)]
pub(super) struct Block {
    pub(super) documents: Vec<Indexed>,
    /// By feature, then by the number of the document's features.
    pub(super) postings: Vec<Posting>,
    /// Where the postings begin whose features have the same first bits.
    pub(super) starts: Vec<u32>,
    /// Bits of a feature that are not among these.
    pub(super) shift: u32,
}

/// A document of a block.
#[derive(Clone, Copy)]
pub(super) struct Indexed {
    pub(super) document: u32,
    pub(super) size: u32,
    /// Its features up to the end of its prefix, and the place of the last.
    pub(super) length: u32,
    pub(super) last: u64,
}

/// A feature of a document of a block.
#[derive(Clone, Copy)]
pub(super) struct Posting {
    /// The feature, and behind it the document's place in the block.
    pub(super) feature: u64,
    /// The number of the document's features.
    pub(super) size: u32,
    /// Those before this one.
    pub(super) before: u32,
}

/// What one thread knows of the documents of a block beside the one that is looked for.
#[derive(Default)]
pub(super) struct Overlaps {
    pub(super) of: Vec<Shared>,
    /// Those that share a feature.
    pub(super) touched: Vec<usize>,
    /// Pairs of documents that wait to be emitted.
    pub(super) found: Vec<[DocumentNumber; 2]>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Shared {
    /// Features in both prefixes.
    pub(super) count: u32,
    /// Features of the document in the block up to the last of these.
    pub(super) up_to: u32,
    /// Whether the pair cannot pass.
    pub(super) is_out: bool,
}

impl Posting {
    /// The feature and the number of the document's features.
    pub(super) fn key(&self) -> (u64, u32) {
        (self.feature >> LOCAL_BITS, self.size)
    }

    /// The document's place in the block.
    pub(super) fn local(&self) -> usize {
        index(self.feature & ((1 << LOCAL_BITS) - 1))
    }
}

impl Block {
    /// Fills it by `put` with documents from the one at `first` on, as many as `room` bytes hold: at least one, if there
    /// is one. Returns how many were put, or passed over by `put`.
    ///
    /// # Errors
    /// Those of the prefixes; [`Error::Interrupted`].
    pub(super) fn fill(
        &mut self,
        prefixes: &mut Prefixes,
        first: u64,
        room: usize,
        progress: &Progress,
        put: &mut dyn FnMut(&mut Self, &Prefix<'_>),
    ) -> Result<u64, Error> {
        self.documents.clear();
        self.postings.clear();
        let (mut at, mut taken, mut is_full) = (0, 0, false);
        prefixes.each(&mut |documents| {
            progress.check()?;
            for prefix in documents {
                if at >= first && !is_full {
                    put(self, prefix);
                    taken += 1;
                    is_full = self.bytes() >= room || self.documents.len() >> LOCAL_BITS > 0;
                }
                at += 1;
            }
            Ok(())
        })?;
        self.order();
        Ok(taken)
    }

    /// Bytes that it takes with what threads know of its documents.
    pub(super) fn bytes(&self) -> usize {
        let of_document = size_of::<Indexed>() + rayon::current_num_threads() * size_of::<Shared>();
        let of_posting = size_of::<Posting>() + size_of::<u32>();
        self.documents.len() * of_document + self.postings.len() * of_posting
    }

    /// Sorts the postings and notes where those of a feature are.
    pub(super) fn order(&mut self) {
        self.postings.par_sort_unstable_by_key(|one| (one.key(), one.feature, one.before));
        let bits = self.postings.len().max(2).ilog2();
        self.shift = u64::BITS - bits;
        self.starts.clear();
        self.starts.reserve(2 + (1 << bits));
        for (at, posting) in (0..).zip(&self.postings) {
            let first = index(posting.feature >> self.shift);
            self.starts.resize((first + 1).max(self.starts.len()), at);
        }
        self.starts.resize(1 + (1 << bits), narrow(self.postings.len() as u64));
    }

    /// The postings of a feature, of documents with so many features and more.
    pub(super) fn list(&self, feature: u64, least_size: u32) -> impl Iterator<Item = &Posting> {
        let first = index(feature >> self.shift);
        let [start, end] = [first, first + 1].map(|at| entry(&self.starts, at) as usize);
        let list = self.postings.get(start..end).unwrap_or_default();
        let key = feature >> LOCAL_BITS;
        let from = list.partition_point(|one| one.key() < (key, least_size));
        list.get(from..).unwrap_or_default().iter().take_while(move |one| one.key().0 == key)
    }
}
