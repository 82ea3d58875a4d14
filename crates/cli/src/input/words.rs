//! Files of raw words, mapped: gone through as often as a segment asks, never held.

use crate::mapped::map;
use memmap2::Mmap;
use nearprint_corpus::{Compression, Source};
use nearprint_dedup::Error;
use nearprint_fingerprint::{AnyFingerprint, CodeList, Fingerprint, Width, at_width};
use nearprint_index::EachBlock;
use std::path::PathBuf;

/// Words that are handed over together.
const BLOCK: usize = 1 << 10;

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
        let codes = self.each().filter_map(AnyFingerprint::from_le_bytes).zip(0..);
        Box::new(codes.filter(|(code, _)| !code.is_zero()))
    }

    /// The same, some at a time.
    pub(crate) fn blocks(&self, each: &mut EachBlock<'_>) {
        let (mut list, mut number) = (CodeList::new(self.width), 0_u64);
        for bytes in self.files.iter().flat_map(|file| file.chunks(BLOCK * self.bytes())) {
            list.clear();
            let _whole = list.extend_from_le_bytes(bytes);
            let (codes, numbers) = at_width!(list.codes() => codes, {
                let codes = codes.iter().copied().zip(number..);
                let (codes, numbers): (Vec<_>, Vec<_>) =
                    codes.filter(|(code, _)| *code != Fingerprint::ZERO).unzip();
                (CodeList::from(codes), numbers)
            });
            if each(codes.codes(), &numbers).is_break() {
                return;
            }
            number += list.len() as u64;
        }
    }

    /// How many words are those of empty documents.
    pub(crate) fn empty(&self) -> u64 {
        self.each().filter(|word| word.iter().all(|byte| *byte == 0)).count() as u64
    }

    /// The bytes of each word.
    fn each(&self) -> impl Iterator<Item = &[u8]> {
        self.files.iter().flat_map(|file| file.chunks_exact(self.bytes()))
    }

    /// Bytes of a word.
    fn bytes(&self) -> usize {
        8 * self.width.words()
    }

    /// Words, those of empty documents too.
    pub(crate) fn count(&self) -> u64 {
        self.files.iter().map(|file| (file.len() / self.bytes()) as u64).sum()
    }
}
