//! The features of some documents, kept on disk for exact comparison. A [`FeatureSource`] reads them.

use crate::error::Error;
use crate::memory::lists::{ListBatch, Lists, StoredBatch};
use crate::memory::shares;
use crate::memory::spool::Spool;
use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::search::outlines::Outlines;
use crate::search::places::Places;
use nearprint_fingerprint::FeatureList;
use nearprint_rules::Check;
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
    /// Hands what `make` makes of the features of `documents`, which ascend, to `keep`, in their order; with their weights
    /// where `weighs` asks for them. Makes it on the threads of the job, of some documents at a time that follow each
    /// other.
    ///
    /// # Errors
    /// Documents that are not there any more as they were; the first error of `keep`.
    fn features<T: Send>(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: impl Fn(&mut dyn Iterator<Item = FeatureList>) -> T + Sync,
        keep: impl FnMut(T) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// A [`FeatureSource`] of whichever kind, for what is made of features here: a search is compiled once for all kinds.
pub(crate) trait AnySource {
    /// [`FeatureSource::features`] of lists that are put aside.
    fn stored(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: &(dyn Fn(&mut dyn Iterator<Item = FeatureList>) -> Stored + Sync),
        keep: &mut dyn FnMut(Stored) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// [`FeatureSource::features`] of prefixes.
    fn prefixes(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: &(dyn Fn(&mut dyn Iterator<Item = FeatureList>) -> Vec<PackedPrefix> + Sync),
        keep: &mut dyn FnMut(Vec<PackedPrefix>) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

impl<F: FeatureSource> AnySource for F {
    fn stored(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: &(dyn Fn(&mut dyn Iterator<Item = FeatureList>) -> Stored + Sync),
        keep: &mut dyn FnMut(Stored) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.features(documents, weighs, progress, make, keep)
    }

    fn prefixes(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: &(dyn Fn(&mut dyn Iterator<Item = FeatureList>) -> Vec<PackedPrefix> + Sync),
        keep: &mut dyn FnMut(Vec<PackedPrefix>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.features(documents, weighs, progress, make, keep)
    }
}

/// The outlines of some lists, and the lists as they were put aside.
pub(crate) type Stored = Result<(Vec<u8>, StoredBatch), Error>;

/// The prefix of a document: the number of its features, how many of the rarest no other document has, and the rest
/// of the prefix, packed.
pub(crate) type PackedPrefix = (u32, u32, Vec<u8>);

/// A list of features as numbers of 8 bytes, the lowest first: the keys, and behind all of these the bits of the weights,
/// where it has some.
pub(crate) fn packed(list: &FeatureList) -> impl Iterator<Item = u8> + '_ {
    let weights = list.weights().iter().map(|weight| weight.to_bits());
    list.keys().iter().copied().chain(weights).flat_map(u64::to_le_bytes)
}

/// The list of these numbers, which have weights among them where it `weighs`.
pub(crate) fn unpacked(mut numbers: Vec<u64>, weighs: bool) -> FeatureList {
    let keys = if weighs { numbers.len() / 2 } else { numbers.len() };
    let weights = numbers.iter().skip(keys).map(|bits| f64::from_bits(*bits)).collect();
    numbers.truncate(keys);
    FeatureList::of(numbers, weights)
}

/// Lists of features, one a document, in a temporary file without a name as far as memory has no
/// room for them; those used last are in memory, and an [outline](Outlines) of each that has no weights.
///
/// Memory: 4 bytes a document and what is allowed for lists.
#[derive(Debug, Default)]
pub(crate) struct Features {
    places: Places,
    lists: Lists,
    /// Whether they have weights.
    weighs: bool,
    outlines: Outlines,
    /// Lists that were used last.
    held: HashMap<DocumentNumber, Arc<FeatureList>>,
    held_bytes: usize,
    /// Bytes of those, at most.
    budget: usize,
}

/// The lists of some documents in memory.
#[derive(Debug, Default)]
pub(crate) struct Block<'a> {
    documents: &'a [DocumentNumber],
    lists: Vec<FeatureList>,
}

impl Features {
    /// Takes the features of `documents`, which ascend, from `source` and keeps them in `dir`, with their weights
    /// where they `weigh`; in memory what fits into `budget` bytes.
    ///
    /// # Errors
    /// Those of the source; the disk's.
    pub(crate) fn take(
        source: &dyn AnySource,
        documents: Vec<DocumentNumber>,
        weighs: bool,
        (dir, budget): (&Path, usize),
        progress: &Progress,
    ) -> Result<Self, Error> {
        // Outlines of features with weights tell nothing.
        let (for_outlines, part) = match weighs {
            true => (0, shares::LISTS_WITH_WEIGHTS.of(budget)),
            false => (shares::OUTLINES.of(budget), shares::LISTS.of(budget)),
        };
        let mut outlines = Outlines::new(documents.len(), for_outlines);
        let (mut lists, spool) = (Lists::new(dir), Spool::new(dir, part));
        let shape = outlines.shape();
        let make = |features: &mut dyn Iterator<Item = FeatureList>| {
            let (mut of_batch, mut batch) = (Vec::new(), ListBatch::default());
            features.for_each(|list| {
                shape.outline(list.keys(), &mut of_batch);
                batch.push(packed(&list));
            });
            Ok((of_batch, batch.store(&spool)?))
        };
        source.stored(&documents, weighs, progress, &make, &mut |stored| {
            let (of_batch, batch) = stored?;
            outlines.push(&of_batch);
            lists.push(batch);
            Ok(())
        })?;
        let places = Places::of(documents);
        Ok(Self { places, lists, weighs, outlines, budget: part, ..Self::default() })
    }

    /// Puts in every list.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        let documents: Vec<_> = self.places.documents().collect();
        state.numbers(documents.iter().map(|document| document.0))?;
        self.lists.save(state)
    }

    /// What [`Self::save`] put in, of lists that `weigh` as those did; they are looked up in a file in `dir`.
    pub(crate) fn restore(state: &mut StateReader, weighs: bool, dir: &Path) -> io::Result<Self> {
        let places = Places::of(state.numbers()?.into_iter().map(DocumentNumber));
        let lists = Lists::restore(state, dir, HELD)?;
        Ok(Self { places, lists, weighs, budget: HELD, ..Self::default() })
    }

    /// The number of features of one of the documents.
    pub(crate) fn count(&self, document: DocumentNumber) -> usize {
        self.count_at(self.places.place(document))
    }

    fn count_at(&self, place: usize) -> usize {
        let numbers = self.lists.length(place);
        if self.weighs { numbers / 2 } else { numbers }
    }

    /// Whether two of the documents may pass by a rule: what does not is told by outlines, for the most
    /// part.
    pub(crate) fn may_pass(&self, rule: Check, a: DocumentNumber, b: DocumentNumber) -> bool {
        let [a, b] = [a, b].map(|document| self.places.place(document));
        let [of_a, of_b] = [a, b].map(|at| self.count_at(at));
        let shared = (of_a + of_b - self.outlines.apart(a, b)) / 2;
        shared.min(of_a).min(of_b) >= rule.least_shared(of_a, of_b)
    }

    /// The features of one of the documents.
    pub(crate) fn of(&mut self, document: DocumentNumber) -> Result<Arc<FeatureList>, Error> {
        if let Some(list) = self.held.get(&document) {
            return Ok(Arc::clone(list));
        }
        let list = self.read(document)?;
        self.hold(document, Arc::clone(&list));
        Ok(list)
    }

    /// Hands what `make` makes of the features of each of `documents` to `keep`, in their order, and holds the lists that
    /// there is room for. Reads and makes on rayon's current pool.
    ///
    /// # Errors
    /// The disk's, and the first of `keep`.
    pub(crate) fn each<T: Send>(
        &mut self,
        documents: &[DocumentNumber],
        make: impl Fn(&FeatureList) -> T + Sync,
        mut keep: impl FnMut(DocumentNumber, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = documents;
        while !rest.is_empty() {
            let (together, behind) = rest.split_at(self.fitting(rest));
            rest = behind;
            let made = |document: &DocumentNumber| {
                let held = self.held.get(document).map(Arc::clone);
                let list = held.map_or_else(|| self.read(*document), Ok)?;
                let made = make(&list);
                Ok((list, made))
            };
            let made: Vec<_> = together.par_iter().map(made).collect::<Result<_, Error>>()?;
            for (document, (list, made)) in together.iter().zip(made) {
                self.hold(*document, list);
                keep(*document, made)?;
            }
        }
        Ok(())
    }

    fn read(&self, document: DocumentNumber) -> Result<Arc<FeatureList>, Error> {
        let numbers = self.lists.read(self.places.place(document))?;
        Ok(Arc::new(unpacked(numbers, self.weighs)))
    }

    /// Holds a list in place of others where there is no room beside these.
    fn hold(&mut self, document: DocumentNumber, list: Arc<FeatureList>) {
        let bytes = self.bytes(&document);
        if self.held.contains_key(&document) {
            return;
        }
        if self.held_bytes + bytes > self.budget {
            self.held.clear();
            self.held_bytes = 0;
        }
        self.held_bytes += bytes;
        self.held.insert(document, list);
    }

    /// Bytes that the list of a document takes in memory.
    fn bytes(&self, document: &DocumentNumber) -> usize {
        8 * self.lists.length(self.places.place(*document)) + OF_LIST
    }

    /// How many of these documents there is room for at a time: one at least.
    fn fitting(&self, documents: &[DocumentNumber]) -> usize {
        let mut left = self.budget;
        let fits = |document: &&DocumentNumber| {
            let rest = left.checked_sub(self.bytes(document));
            left = rest.unwrap_or_default();
            rest.is_some()
        };
        documents.iter().take_while(fits).count().clamp(1, documents.len())
    }

    /// The features of some of the documents, which ascend; `None` where there is no room for
    /// all, unless there are two documents at most. Reads on rayon's current pool.
    pub(crate) fn block<'a>(
        &self,
        documents: &'a [DocumentNumber],
    ) -> Result<Option<Block<'a>>, Error> {
        let bytes = documents.iter().map(|document| self.bytes(document)).sum::<usize>();
        if documents.len() > 2 && bytes > 2 * self.budget {
            return Ok(None);
        }
        let list = |document: &DocumentNumber| {
            let numbers = self.lists.read(self.places.place(*document))?;
            Ok(unpacked(numbers, self.weighs))
        };
        let lists = documents.par_iter().map(list).collect::<Result<_, Error>>()?;
        Ok(Some(Block { documents, lists }))
    }
}

impl Block<'_> {
    /// The features of one of the documents.
    pub(crate) fn of(&self, document: DocumentNumber) -> Option<&FeatureList> {
        let at = self.documents.binary_search(&document).ok();
        assert!(at.is_some(), "document {document} is in the block");
        at.and_then(|at| self.lists.get(at))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The features of each document, which all weigh the same.
    pub(crate) struct Lists(pub(crate) Vec<Vec<u64>>);

    /// The features of each document with their weights.
    pub(crate) struct Weighted(pub(crate) Vec<FeatureList>);

    impl FeatureSource for Weighted {
        fn features<T: Send>(
            &self,
            documents: &[DocumentNumber],
            weighs: bool,
            _: &Progress,
            make: impl Fn(&mut dyn Iterator<Item = FeatureList>) -> T + Sync,
            mut keep: impl FnMut(T) -> Result<(), Error>,
        ) -> Result<(), Error> {
            assert!(weighs);
            let list = |document: &DocumentNumber| self.0[document.index()].clone();
            documents.chunks(3).try_for_each(|some| keep(make(&mut some.iter().map(list))))
        }
    }

    impl FeatureSource for Lists {
        fn features<T: Send>(
            &self,
            documents: &[DocumentNumber],
            weighs: bool,
            _: &Progress,
            make: impl Fn(&mut dyn Iterator<Item = FeatureList>) -> T + Sync,
            mut keep: impl FnMut(T) -> Result<(), Error>,
        ) -> Result<(), Error> {
            assert!(!weighs);
            let list =
                |document: &DocumentNumber| FeatureList::of_set(self.0[document.index()].clone());
            documents.chunks(3).try_for_each(|some| keep(make(&mut some.iter().map(list))))
        }
    }

    #[test]
    fn lists_are_handed_on_in_order_in_any_memory() {
        let (dir, progress) = (tempfile::tempdir().unwrap(), Progress::default());
        let source = Lists((0..40).map(|size| (0..size).collect()).collect());
        let documents: Vec<_> = (0..40).map(DocumentNumber).collect();
        for budget in [0, 200, 2000, 1 << 20] {
            let room = (dir.path(), budget);
            let mut features =
                Features::take(&source, documents.clone(), false, room, &progress).unwrap();
            // Some are held, and each is asked for twice.
            let asked: Vec<_> = documents.iter().chain(documents.iter().rev()).copied().collect();
            features.of(DocumentNumber(7)).unwrap();
            let mut found = Vec::new();
            let make = |list: &FeatureList| list.keys().to_vec();
            let keep = |document: DocumentNumber, keys| {
                found.push((document, keys));
                Ok(())
            };
            features.each(&asked, make, keep).unwrap();
            let expected = asked.iter().map(|it| (*it, source.0[it.index()].clone()));
            assert_eq!(found, expected.collect::<Vec<_>>());
            let held: usize = features.held.keys().map(|it| features.bytes(it)).sum();
            assert_eq!(held, features.held_bytes);
            assert!(held <= features.budget || features.held.len() == 1);
            let refused = features.each(&asked, |_| (), |_, ()| Err(Error::Interrupted));
            assert!(matches!(refused, Err(Error::Interrupted)));
        }
    }
}
