//! A segment of the store: its file, mapped, and which of its documents are deleted.
#![expect(unsafe_code, reason = "mapping a file is a promise that nobody changes it")]

use crate::disk::dead::Dead;
use crate::disk::manifest;
use crate::disk::manifest::Entry;
use crate::error::Error;
use memmap2::Mmap;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Match, Neighbor, Segment};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A segment, open.
#[derive(Debug)]
pub(crate) struct StoredSegment<const WORDS: usize> {
    entry: Entry,
    path: PathBuf,
    segment: Segment<Mmap, WORDS>,
    dead: Dead,
    bytes: u64,
}

impl<const WORDS: usize> StoredSegment<WORDS> {
    /// Opens a segment of the store at `store`. `recipe` is the id of the recipe that the segment must have.
    ///
    /// # Errors
    /// The file is missing, or its footer shows that it is not the one that was written.
    pub(crate) fn open(store: &Path, entry: Entry, recipe: Option<u128>) -> Result<Self, Error> {
        let path = manifest::path(store, entry.file);
        let file = File::open(&path).map_err(Error::io(&path))?;
        // SAFETY: the map is read-only. The store writes segments under another name and never
        // changes one that has its final name, and its lock keeps other stores out. Nothing here can
        // prevent another program from shortening the file. Each read is checked against the length
        // of the map.
        let map = unsafe { Mmap::map(&file) }.map_err(Error::io(&path))?;
        let bytes = map.len() as u64;
        let told = |source| Error::Segment { path: path.clone(), source };
        let segment = Segment::open(map).map_err(told)?;
        if segment.recipe() != recipe || segment.documents() > entry.end - entry.first {
            let what = "the segment is not the one that was written here".to_owned();
            return Err(Error::Corrupt { path, what });
        }
        let dead = Dead::none(entry.first..entry.end);
        Ok(Self { entry, path, segment, dead, bytes })
    }

    /// Its entry in the manifest.
    pub(crate) fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Its file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Documents in it, deleted ones included.
    pub(crate) fn documents(&self) -> u64 {
        self.segment.documents()
    }

    /// Which documents are deleted.
    pub(crate) fn dead(&self) -> &Dead {
        &self.dead
    }

    /// Every fingerprint with its document, deleted ones included.
    pub(crate) fn entries(
        &self,
    ) -> impl Iterator<Item = Result<(Fingerprint<WORDS>, u64), Error>> + '_ {
        self.segment.entries().flat_map(|entry| {
            let (error, entry) = match entry {
                Ok(entry) => (None, Some(entry)),
                Err(source) => (Some(Err(self.told(source))), None),
            };
            let numbers = |(code, numbers)| std::iter::repeat(code).zip(numbers).map(Ok);
            error.into_iter().chain(entry.into_iter().flat_map(numbers))
        })
    }

    /// Its tables.
    pub(crate) fn segment(&self) -> &Segment<Mmap, WORDS> {
        &self.segment
    }

    /// The oldest document of a fingerprint that was found here, without deleted ones.
    pub(crate) fn oldest(&self, near: &Match<WORDS>) -> Result<Option<Neighbor>, Error> {
        let mut numbers = self.segment.documents_of(near).map_err(|error| self.told(error))?;
        let number = numbers.find(|number| !self.dead.has(*number));
        Ok(number.map(|doc| Neighbor { doc, distance: near.distance }))
    }

    /// Adds to `found` the documents of fingerprints that were found here, without deleted ones.
    pub(crate) fn documents_of(
        &self,
        matches: &[Match<WORDS>],
        found: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        let visit = |near: &Match<WORDS>, doc| {
            if !self.dead.has(doc) {
                found.push(Neighbor { doc, distance: near.distance });
            }
        };
        self.segment.documents_of_each(matches, visit).map_err(|error| self.told(error))
    }

    /// Reads the whole segment and compares every checksum.
    pub(crate) fn verify(&self) -> Result<(), Error> {
        self.segment.verify().map_err(|error| self.told(error))
    }

    /// An error of the index, with the file of the segment.
    pub(crate) fn told(&self, source: nearprint_index::Error) -> Error {
        Error::Segment { path: self.path.clone(), source }
    }
}
