//! Files of raw words, mapped: gone through as often as a segment asks, never held.

use crate::mapped::map;
use memmap2::Mmap;
use nearprint_corpus::{Compression, Source};
use nearprint_dedup::Error;
use nearprint_fingerprint::Fingerprint;
use std::path::PathBuf;

/// The words of some files, one after the other.
pub(crate) struct Words(Vec<Mmap>);

impl Words {
    /// Maps `sources`; `None` where one is compressed or a stream, and has to be read.
    pub(crate) fn map<const WORDS: usize>(sources: &[Source]) -> anyhow::Result<Option<Self>> {
        let mut files = Vec::new();
        for source in sources {
            let Some(path) = source.path().filter(|_| !source.is_stream()) else {
                return Ok(None);
            };
            let file = map(path)?;
            let head = file.get(..Compression::MAGIC_BYTES).unwrap_or(&file);
            if Compression::of_content(head) != Compression::None {
                return Ok(None);
            }
            if !file.len().is_multiple_of(Fingerprint::<WORDS>::BYTES) {
                let (path, bytes) = (PathBuf::from(source.name()), file.len() as u64);
                return Err(
                    Error::RawLength { path, bytes, width: Fingerprint::<WORDS>::BITS }.into()
                );
            }
            files.push(file);
        }
        Ok(Some(Self(files)))
    }

    /// Every fingerprint with its number; those of empty documents, 0, are left out.
    pub(crate) fn iter<const WORDS: usize>(
        &self,
    ) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> {
        let words = self.0.iter().flat_map(|file| file.chunks_exact(Fingerprint::<WORDS>::BYTES));
        let codes = words.flat_map(Fingerprint::from_le_bytes).zip(0..);
        codes.filter(|(code, _)| *code != Fingerprint::ZERO)
    }

    /// Words, those of empty documents too.
    pub(crate) fn count<const WORDS: usize>(&self) -> u64 {
        self.0.iter().map(|file| (file.len() / Fingerprint::<WORDS>::BYTES) as u64).sum()
    }
}
