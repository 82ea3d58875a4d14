//! A segment of the store: its file, mapped, and which of its documents are deleted.
#![expect(unsafe_code, reason = "mapping a file is a promise that nobody changes it")]

use crate::disk::band_table::BandTable;
use crate::disk::dead::Dead;
use crate::disk::manifest;
use crate::disk::manifest::Entry;
use crate::error::Error;
use crate::invariant::invariant;
use crate::rules::Rules;
use memmap2::Mmap;
use nearprint_bits::AnyFingerprint;
use nearprint_fingerprint::{Fingerprint, Width};
use nearprint_index::{Match, Neighbor, Segment};
use std::any::Any;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// A segment, open.
#[derive(Debug)]
pub(crate) struct StoredSegment {
    entry: Entry,
    path: PathBuf,
    tables: Tables,
    dead: Dead,
    bytes: u64,
    /// Whether another segment stands for it, so that its file may be gone.
    is_replaced: AtomicBool,
}

/// What is in the file of a segment.
#[derive(Debug)]
enum Tables {
    /// Fingerprints, for radii up to the store's.
    W64(Segment<Mmap, 1>),
    W128(Segment<Mmap, 2>),
    W256(Segment<Mmap, 4>),
    /// Sketches by their bands.
    Bands(BandTable<Mmap>),
}

/// Evaluates `$codes` with the fingerprints of a segment as `$segment`, or `$bands` with its table of bands.
macro_rules! tables {
    ($tables:expr, $segment:ident => $codes:expr, $table:ident => $bands:expr) => {
        match $tables {
            Tables::W64($segment) => $codes,
            Tables::W128($segment) => $codes,
            Tables::W256($segment) => $codes,
            Tables::Bands($table) => $bands,
        }
    };
}

impl StoredSegment {
    /// Opens a segment of the store at `store`. `recipe` is the id of the recipe that the segment must have. It is one
    /// of sketches, where the rules have a shape of these.
    ///
    /// # Errors
    /// The file is missing, or its footer shows that it is not the one that was written.
    pub(crate) fn open(
        store: &Path,
        entry: Entry,
        recipe: Option<u128>,
        rules: &Rules,
    ) -> Result<Self, Error> {
        let path = manifest::path(store, entry.file);
        let file = File::open(&path).map_err(Error::io(&path))?;
        // SAFETY: the map is read-only. The store writes segments under another name and never
        // changes one that has its final name, and its lock keeps other stores out. Nothing here can
        // prevent another program from shortening the file. Each read is checked against the length
        // of the map.
        let map = unsafe { Mmap::map(&file) }.map_err(Error::io(&path))?;
        let bytes = map.len() as u64;
        let told = |source| Error::Segment { path: path.clone(), source };
        let tables = match (rules.bands, rules.width) {
            (None, Width::W64) => Tables::W64(Segment::open(map).map_err(told)?),
            (None, Width::W128) => Tables::W128(Segment::open(map).map_err(told)?),
            (None, Width::W256) => Tables::W256(Segment::open(map).map_err(told)?),
            (Some(shape), width) => {
                let told = |what| Error::Corrupt { path: path.clone(), what };
                Tables::Bands(BandTable::open(map, shape, width.words()).map_err(told)?)
            }
        };
        let (found, first) = tables!(
            &tables,
            segment => (segment.recipe(), entry.first),
            table => (table.footer().recipe, table.footer().first)
        );
        let dead = Dead::none(entry.first..entry.end);
        let is_replaced = AtomicBool::new(false);
        let segment = Self { entry, path, tables, dead, bytes, is_replaced };
        let Entry { first: begins, end, .. } = segment.entry;
        if found != recipe || first != begins || segment.documents() > end - begins {
            let what = "the segment is not the one that was written here".to_owned();
            return Err(Error::Corrupt { path: segment.path, what });
        }
        Ok(segment)
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
        tables!(&self.tables, segment => segment.documents(), table => table.footer().documents)
    }

    /// Which documents are deleted.
    pub(crate) fn dead(&self) -> &Dead {
        &self.dead
    }

    /// Every fingerprint with its document, deleted ones included; none by similarity, and in code of another width.
    pub(crate) fn entries<const WORDS: usize>(
        &self,
    ) -> impl Iterator<Item = Result<(Fingerprint<WORDS>, u64), Error>> + '_ {
        let codes = self.codes::<WORDS>().into_iter();
        codes.flat_map(Segment::entries).flat_map(|entry| {
            let (error, entry) = match entry {
                Ok(entry) => (None, Some(entry)),
                Err(source) => (Some(Err(self.told(source))), None),
            };
            let numbers = |(code, numbers)| std::iter::repeat(code).zip(numbers).map(Ok);
            error.into_iter().chain(entry.into_iter().flat_map(numbers))
        })
    }

    /// Calls `visit` with every fingerprint and its document, deleted ones included; with none by similarity.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(AnyFingerprint, u64)) -> Result<(), Error> {
        fn each<const WORDS: usize>(
            segment: &StoredSegment,
            visit: &mut dyn FnMut(AnyFingerprint, u64),
        ) -> Result<(), Error> {
            for entry in segment.entries::<WORDS>() {
                let (code, number) = entry?;
                visit(code.into(), number);
            }
            Ok(())
        }
        match &self.tables {
            Tables::W64(_) => each::<1>(self, visit),
            Tables::W128(_) => each::<2>(self, visit),
            Tables::W256(_) => each::<4>(self, visit),
            Tables::Bands(_) => Ok(()),
        }
    }

    /// Its tables of fingerprints; `None` by similarity, and in code of another width.
    pub(crate) fn codes<const WORDS: usize>(&self) -> Option<&Segment<Mmap, WORDS>> {
        let codes: &dyn Any = tables!(&self.tables, segment => segment, _table => return None);
        codes.downcast_ref()
    }

    /// Its table of bands; `None` within a radius.
    pub(crate) fn bands(&self) -> Option<&BandTable<Mmap>> {
        match &self.tables {
            Tables::Bands(table) => Some(table),
            Tables::W64(_) | Tables::W128(_) | Tables::W256(_) => None,
        }
    }

    /// The oldest document of a fingerprint that was found here, without deleted ones.
    pub(crate) fn oldest<const WORDS: usize>(
        &self,
        near: &Match<WORDS>,
    ) -> Result<Option<Neighbor>, Error> {
        let Some(segment) = invariant(self.codes(), &self.path) else { return Ok(None) };
        let mut numbers = segment.documents_of(near).map_err(|error| self.told(error))?;
        let number = numbers.find(|number| !self.dead.has(*number));
        Ok(number.map(|doc| Neighbor { doc, distance: near.distance }))
    }

    /// Adds to `found` the documents of fingerprints that were found here, without deleted ones.
    pub(crate) fn documents_of<const WORDS: usize>(
        &self,
        matches: &[Match<WORDS>],
        found: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        let visit = |near: &Match<WORDS>, doc| {
            if !self.dead.has(doc) {
                found.push(Neighbor { doc, distance: near.distance });
            }
        };
        let Some(segment) = invariant(self.codes(), &self.path) else { return Ok(()) };
        segment.documents_of_each(matches, visit).map_err(|error| self.told(error))
    }

    /// Reads the whole segment and compares every checksum.
    pub(crate) fn verify(&self) -> Result<(), Error> {
        self.verify_by(&mut |_| ControlFlow::Continue(())).map(drop)
    }

    /// As [`Self::verify`], a piece at a time: calls `went` with the bytes of each, and ends where it breaks off.
    pub(crate) fn verify_by(
        &self,
        went: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        // What is mapped outlives its name, which is gone first where the segment was replaced meanwhile.
        if !self.path.exists() && !self.is_replaced.load(Ordering::Acquire) {
            return Err(self.damaged("the file is gone".to_owned()));
        }
        tables!(
            &self.tables,
            segment => segment.verify_by(went).map_err(|error| self.told(error)),
            table => table.verify_by(went).map_err(|what| self.damaged(what))
        )
    }

    /// Removes its file: another segment stands for it. Who still reads this one has it mapped. A file that cannot be
    /// removed now is removed when the store is next opened.
    pub(crate) fn replaced(&self) {
        self.is_replaced.store(true, Ordering::Release);
        let _left = std::fs::remove_file(&self.path);
    }

    /// An error of its table of bands, with its file.
    pub(crate) fn damaged(&self, what: String) -> Error {
        Error::Corrupt { path: self.path.clone(), what }
    }

    /// An error of the index, with the file of the segment.
    pub(crate) fn told(&self, source: nearprint_index::Error) -> Error {
        Error::Segment { path: self.path.clone(), source }
    }
}
