//! The features of some documents, kept on disk for exact comparison. Where they come from is the
//! affair of a [`FeatureSource`].

use crate::disk::state::{StateReader, StateWriter};
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, index};
use crate::progress::Progress;
use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::SpooledTempFile;

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
/// room for them; those used last are in memory.
///
/// Memory: 16 bytes a document and what is allowed for lists.
#[derive(Debug, Default)]
pub(crate) struct Features {
    /// None where there is no document.
    file: Option<SpooledTempFile>,
    dir: PathBuf,
    /// Ascending.
    documents: Vec<DocumentNumber>,
    /// Where the list of each begins and, one further, ends: in keys.
    starts: Vec<u64>,
    held: HashMap<DocumentNumber, Arc<[u64]>>,
    held_bytes: usize,
    budget: usize,
}

impl Features {
    /// Takes the features of `documents`, which ascend, from `source` and keeps them in `dir`; in
    /// memory as many as fit into `budget` bytes.
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
        let mut file = SpooledTempFile::new_in(budget / 2, dir);
        let (mut starts, mut end) = (Vec::with_capacity(documents.len() + 1), 0);
        let bytes = |keys: &[u64]| keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        source.features(&documents, progress, bytes, |bytes: Vec<u8>| {
            starts.push(end);
            end += bytes.len() as u64 / 8;
            let written = file.write_all(&bytes);
            written.map_err(|source| Error::Spill { dir: dir.to_path_buf(), source })
        })?;
        debug_assert_eq!(starts.len(), documents.len(), "a list for each document");
        starts.push(end);
        let (held, held_bytes) = (HashMap::new(), 0);
        let (file, budget) = (Some(file), budget / 2);
        Ok(Self { file, dir: dir.to_path_buf(), documents, starts, held, held_bytes, budget })
    }

    /// Puts in every list.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        state.numbers(self.documents.iter().map(|document| document.0))?;
        state.numbers(self.starts.iter().copied())?;
        let length = 8 * self.starts.last().copied().unwrap_or(0);
        match &mut self.file {
            Some(file) => {
                file.rewind()?;
                state.copy(file, length)
            }
            None => state.copy(&mut io::empty(), 0),
        }
    }

    /// What [`Self::save`] put in; lists are looked up in a file in `dir`.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path) -> io::Result<Self> {
        let documents = state.numbers()?.into_iter().map(DocumentNumber).collect();
        let starts = state.numbers()?;
        let mut file = SpooledTempFile::new_in(HELD, dir);
        state.copy(&mut file)?;
        let (file, dir) = (Some(file), dir.to_path_buf());
        Ok(Self { file, dir, documents, starts, budget: HELD, ..Self::default() })
    }

    /// The number of features of one of the documents.
    pub(crate) fn count(&self, document: DocumentNumber) -> usize {
        let [start, end] = self.place(document).unwrap_or_default();
        index(end - start)
    }

    /// The keys of the features of one of the documents, ascending.
    pub(crate) fn of(&mut self, document: DocumentNumber) -> Result<Arc<[u64]>, Error> {
        if let Some(list) = self.held.get(&document) {
            return Ok(Arc::clone(list));
        }
        let list = self.load(document)?;
        let bytes = size_of_val(&*list) + OF_LIST;
        if self.held_bytes + bytes > self.budget {
            self.held.clear();
            self.held_bytes = 0;
        }
        self.held_bytes += bytes;
        self.held.insert(document, Arc::clone(&list));
        Ok(list)
    }

    /// Where the list of a document begins and ends, in keys.
    fn place(&self, document: DocumentNumber) -> Option<[u64; 2]> {
        let at = self.documents.binary_search(&document).ok();
        debug_assert!(at.is_some(), "the features of document {document} were not taken");
        at.map(|at| [at, at + 1].map(|at| entry(&self.starts, at)))
    }

    fn load(&mut self, document: DocumentNumber) -> Result<Arc<[u64]>, Error> {
        let (place, Some(file)) = (self.place(document), &mut self.file) else {
            return Ok(Arc::default());
        };
        let [start, end] = place.unwrap_or_default();
        let mut bytes = vec![0; index(8 * (end - start))];
        let read = file.seek(SeekFrom::Start(8 * start));
        read.and_then(|_| file.read_exact(&mut bytes))
            .map_err(|source| Error::Spill { dir: self.dir.clone(), source })?;
        Ok(bytes.as_chunks::<8>().0.iter().map(|key| u64::from_le_bytes(*key)).collect())
    }
}
