//! Pairs with their similarities in a file that an earlier run wrote, read as often as they are asked for. The rest of
//! that file is handled by `job/decisions_file.rs`.

use crate::error::Error;
use crate::memory::spool::read_at;
use crate::numbers::{index, narrow};
use crate::search::folded_pairs::FoldedPairs;
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// Bytes that are read at a time: of whole pairs.
const READ: usize = KeptPair::BYTES << 16;

/// Two documents and how similar they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeptPair {
    /// The number of the document that comes first in the input, and that of the other. Of equal documents the first one
    /// stands for all.
    pub(crate) documents: [u32; 2],
    pub(crate) similarity: f64,
}

/// Where pairs lie in a file.
#[derive(Debug)]
pub(crate) struct KeptPairs {
    path: PathBuf,
    file: File,
    /// The first byte of the first pair, and how many pairs there are.
    at: u64,
    count: u64,
    /// The number of documents.
    documents: u64,
}

/// Pairs that are read as often as they are asked for.
pub(crate) trait PairList {
    /// Hands every pair to `each`, by the first document, then the second.
    ///
    /// # Errors
    /// The disk's; the first of `each`.
    fn each(&self, each: &mut dyn FnMut(KeptPair) -> Result<(), Error>) -> Result<(), Error>;
}

impl PairList for FoldedPairs {
    fn each(&self, each: &mut dyn FnMut(KeptPair) -> Result<(), Error>) -> Result<(), Error> {
        self.near(&mut |documents, similarity| {
            let documents = documents.map(|document| narrow(document.0));
            each(KeptPair { documents, similarity })
        })
    }
}

impl KeptPair {
    /// Bytes in a file.
    pub(crate) const BYTES: usize = 16;

    /// Appends its bytes.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        self.documents.iter().for_each(|document| bytes.extend(document.to_le_bytes()));
        bytes.extend(self.similarity.to_bits().to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (ends, _) = bytes.as_chunks::<4>();
        let (halves, _) = bytes.as_chunks::<8>();
        let documents = [0, 1].map(|at| u32::from_le_bytes(ends[at]));
        Self { documents, similarity: f64::from_bits(u64::from_le_bytes(halves[1])) }
    }
}

impl KeptPairs {
    /// Those that lie at so many bytes of a file, in as many bytes, of so many documents.
    ///
    /// # Errors
    /// A file that cannot be opened; bytes that are no whole number of pairs.
    pub(crate) fn open(
        path: PathBuf,
        (at, length): (u64, u64),
        documents: u64,
    ) -> Result<Self, Error> {
        let count = length / KeptPair::BYTES as u64;
        if count * KeptPair::BYTES as u64 != length {
            let problem = format!("damaged: {length} bytes are not a whole number of pairs");
            return Err(Error::Decisions { path, problem });
        }
        let file = File::open(&path);
        let file = file.map_err(|source| Error::Io { path: path.clone(), source })?;
        Ok(Self { path, file, at, count, documents })
    }

    /// The number of pairs.
    pub(crate) const fn len(&self) -> u64 {
        self.count
    }

    fn unknown(&self, KeptPair { documents: [a, b], similarity }: KeptPair) -> Error {
        let problem = format!(
            "damaged: a pair of the documents {a} and {b} with the similarity {similarity} is not one of {} documents",
            self.documents
        );
        Error::Decisions { path: self.path.clone(), problem }
    }
}

/// A pair that names no two documents, or has no similarity, is an error too.
impl PairList for KeptPairs {
    fn each(&self, each: &mut dyn FnMut(KeptPair) -> Result<(), Error>) -> Result<(), Error> {
        let failed = |source: io::Error| Error::Io { path: self.path.clone(), source };
        let (mut bytes, end) = (Vec::new(), self.count * KeptPair::BYTES as u64);
        for from in (0..end).step_by(READ) {
            bytes.resize(READ.min(index(end - from)), 0);
            read_at(&self.file, self.at + from, &mut bytes).map_err(failed)?;
            for pair in bytes.chunks_exact(KeptPair::BYTES).map(KeptPair::read) {
                let [a, b] = pair.documents;
                let is_pair = a < b && u64::from(b) < self.documents;
                if !is_pair || !pair.similarity.is_finite() {
                    return Err(self.unknown(pair));
                }
                each(pair)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn pairs(path: &std::path::Path, pairs: &[KeptPair], documents: u64) -> KeptPairs {
        let mut bytes = b"head".to_vec();
        pairs.iter().for_each(|pair| pair.write(&mut bytes));
        fs::write(path, &bytes).unwrap();
        KeptPairs::open(path.to_owned(), (4, bytes.len() as u64 - 4), documents).unwrap()
    }

    #[test]
    fn pairs_come_back_block_by_block_and_unknown_documents_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pairs");
        let count = u32::try_from(READ / KeptPair::BYTES).unwrap() + 3;
        let of = |a: u32| KeptPair { documents: [a, a + 1], similarity: f64::from(a).recip() };
        let written: Vec<_> = (1..=count).map(of).collect();
        let read = |kept: &KeptPairs| {
            let mut found = Vec::new();
            kept.each(&mut |pair| {
                found.push(pair);
                Ok(())
            })
            .map(|()| found)
        };
        let kept = pairs(&path, &written, u64::from(count) + 2);
        assert_eq!((kept.len(), read(&kept).unwrap()), (u64::from(count), written.clone()));
        let told = read(&pairs(&path, &written, u64::from(count) + 1)).unwrap_err().to_string();
        assert!(told.contains(&format!("is not one of {} documents", count + 1)), "{told}");
        for wrong in [
            KeptPair { documents: [2, 2], similarity: 0.9 },
            KeptPair { documents: [3, 2], similarity: 0.9 },
            KeptPair { documents: [2, 3], similarity: f64::NAN },
        ] {
            assert!(read(&pairs(&path, &[wrong], 9)).is_err(), "{wrong:?}");
        }
        let cut = KeptPairs::open(path, (4, 15), 9).unwrap_err().to_string();
        assert!(cut.contains("15 bytes are not a whole number of pairs"), "{cut}");
    }
}
