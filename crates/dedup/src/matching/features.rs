//! The features of some documents, kept on disk for exact comparison. Where they come from is the
//! affair of a [`FeatureSource`].

use crate::disk::lists::{Lists, ListsWriter};
use crate::disk::state::{StateReader, StateWriter};
use crate::error::Error;
use crate::matching::outlines::Outlines;
use crate::matching::places::Places;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::rules::verify::Verify;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Bytes of lists that are held where they come from a checkpoint, to be looked up for reports alone.
const HELD: usize = 4 << 20;
/// Bytes a list of features takes in memory beside its keys.
const OF_LIST: usize = 64;

/// Where the features of documents come from: files that are read once more, or texts in memory.
pub(crate) trait FeatureSource {
    /// Hands what `make` makes of the keys of the features of each of `documents`, which ascend, to
    /// `keep`, in their order; the keys of each ascend. Makes it on the threads of the job.
    ///
    /// # Errors
    /// Documents that are not there any more as they were; the first error of `keep`.
    fn features<T: Send>(
        &self,
        documents: &[DocumentNumber],
        progress: &Progress,
        make: impl Fn(&[u64]) -> T + Sync,
        keep: impl FnMut(T) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// Lists of feature keys, one a document, in a temporary file without a name as far as memory has no
/// room for them; those used last are in memory, and an [outline](Outlines) of each.
///
/// Memory: 4 bytes a document and what is allowed for lists.
#[derive(Debug, Default)]
pub(crate) struct Features {
    places: Places,
    lists: Lists,
    outlines: Outlines,
    /// Lists that were used last.
    held: HashMap<DocumentNumber, Arc<[u64]>>,
    held_bytes: usize,
    /// Bytes of those, at most.
    budget: usize,
}

/// The lists of some documents in memory.
#[derive(Debug, Default)]
pub(crate) struct Block<'a> {
    documents: &'a [DocumentNumber],
    lists: Vec<Vec<u64>>,
}

impl Features {
    /// Takes the features of `documents`, which ascend, from `source` and keeps them in `dir`; in
    /// memory what fits into `budget` bytes.
    ///
    /// # Errors
    /// Those of the source; the disk's.
    pub(crate) fn take(
        source: &impl FeatureSource,
        documents: Vec<DocumentNumber>,
        dir: &Path,
        budget: usize,
        progress: &Progress,
    ) -> Result<Self, Error> {
        // Half for outlines, a quarter for blocks, an eighth for lists of the file and for those used last.
        let mut outlines = Outlines::new(documents.len(), budget / 2);
        let mut lists = ListsWriter::new(dir, budget / 8);
        source.features(&documents, progress, <[u64]>::to_vec, |keys| {
            outlines.push(&keys);
            lists.push(&keys)
        })?;
        let (places, lists) = (Places::of(documents), lists.finish()?);
        Ok(Self { places, lists, outlines, budget: budget / 8, ..Self::default() })
    }

    /// Puts in every list.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        let documents: Vec<_> = self.places.documents().collect();
        state.numbers(documents.iter().map(|document| document.0))?;
        self.lists.save(state)
    }

    /// What [`Self::save`] put in; lists are looked up in a file in `dir`.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path) -> io::Result<Self> {
        let places = Places::of(state.numbers()?.into_iter().map(DocumentNumber));
        let lists = Lists::restore(state, dir, HELD)?;
        Ok(Self { places, lists, budget: HELD, ..Self::default() })
    }

    /// The number of features of one of the documents.
    pub(crate) fn count(&self, document: DocumentNumber) -> usize {
        self.lists.length(self.places.place(document))
    }

    /// Whether two of the documents may pass by a rule: what does not is told by outlines, for the most
    /// part.
    pub(crate) fn may_pass(&self, rule: Verify, a: DocumentNumber, b: DocumentNumber) -> bool {
        let [a, b] = [a, b].map(|document| self.places.place(document));
        let [of_a, of_b] = [a, b].map(|at| self.lists.length(at));
        let shared = (of_a + of_b - self.outlines.apart(a, b)) / 2;
        shared.min(of_a).min(of_b) >= rule.least_shared(of_a, of_b)
    }

    /// The keys of the features of one of the documents, ascending.
    pub(crate) fn of(&mut self, document: DocumentNumber) -> Result<Arc<[u64]>, Error> {
        if let Some(list) = self.held.get(&document) {
            return Ok(Arc::clone(list));
        }
        let list: Arc<[u64]> = self.lists.read(self.places.place(document))?.into();
        let bytes = size_of_val(&*list) + OF_LIST;
        if self.held_bytes + bytes > self.budget {
            self.held.clear();
            self.held_bytes = 0;
        }
        self.held_bytes += bytes;
        self.held.insert(document, Arc::clone(&list));
        Ok(list)
    }

    /// The keys of the features of some of the documents, which ascend; `None` where there is no room for
    /// all, unless there are two documents at most. Reads on rayon's current pool.
    pub(crate) fn block<'a>(
        &self,
        documents: &'a [DocumentNumber],
    ) -> Result<Option<Block<'a>>, Error> {
        let bytes = |document: &DocumentNumber| 8 * self.count(*document) + OF_LIST;
        if documents.len() > 2 && documents.iter().map(bytes).sum::<usize>() > 2 * self.budget {
            return Ok(None);
        }
        let list = |document: &DocumentNumber| self.lists.read(self.places.place(*document));
        let lists = documents.par_iter().map(list).collect::<Result<_, _>>()?;
        Ok(Some(Block { documents, lists }))
    }
}

impl Block<'_> {
    /// The keys of the features of one of the documents, ascending.
    pub(crate) fn of(&self, document: DocumentNumber) -> &[u64] {
        let at = self.documents.binary_search(&document).ok();
        debug_assert!(at.is_some(), "document {document} is in the block");
        at.and_then(|at| self.lists.get(at)).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The features of each document.
    pub(crate) struct Lists(pub(crate) Vec<Vec<u64>>);

    impl FeatureSource for Lists {
        fn features<T: Send>(
            &self,
            documents: &[DocumentNumber],
            _: &Progress,
            make: impl Fn(&[u64]) -> T + Sync,
            mut keep: impl FnMut(T) -> Result<(), Error>,
        ) -> Result<(), Error> {
            documents.iter().try_for_each(|document| keep(make(&self.0[document.index()])))
        }
    }
}
