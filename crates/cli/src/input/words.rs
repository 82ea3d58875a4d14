//! Files of raw words, mapped: gone through as often as a segment asks, never held.

use crate::mapped::map;
use memmap2::Mmap;
use nearprint_corpus::{Compression, Source};
use nearprint_dedup::Error;
use nearprint_fingerprint::{AnyFingerprint, Fingerprint, Width, at_width};
use std::path::PathBuf;

/// The words of some files, one after the other.
pub(crate) struct Words {
    files: Vec<Mmap>,
    width: Width,
}

impl Words {
    /// Maps `sources`; `None` where one is compressed or a stream, and has to be read.
    pub(crate) fn map(sources: &[Source], width: Width) -> anyhow::Result<Option<Self>> {
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
            if !file.len().is_multiple_of(8 * width.words()) {
                let (path, bytes) = (PathBuf::from(source.name()), file.len() as u64);
                return Err(Error::RawLength { path, bytes, width: width.bits() }.into());
            }
            files.push(file);
        }
        Ok(Some(Self { files, width }))
    }

    /// Every fingerprint with its number; those of empty documents, 0, are left out.
    pub(crate) fn entries(&self) -> Box<dyn Iterator<Item = (AnyFingerprint, u64)> + '_> {
        fn boxed<const WORDS: usize>(
            words: &Words,
        ) -> Box<dyn Iterator<Item = (AnyFingerprint, u64)> + '_> {
            Box::new(words.iter::<WORDS>().map(|(code, number)| (code.into(), number)))
        }
        at_width!(self.width, boxed(self))
    }

    /// The same of fingerprints that have `WORDS` words.
    pub(crate) fn iter<const WORDS: usize>(
        &self,
    ) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> {
        let words =
            self.files.iter().flat_map(|file| file.chunks_exact(Fingerprint::<WORDS>::BYTES));
        let codes = words.flat_map(Fingerprint::from_le_bytes).zip(0..);
        codes.filter(|(code, _)| *code != Fingerprint::ZERO)
    }

    /// Words, those of empty documents too.
    pub(crate) fn count(&self) -> u64 {
        self.files.iter().map(|file| (file.len() / (8 * self.width.words())) as u64).sum()
    }
}
