//! Entries: of documents in one of their bands a key, an address and a fingerprint, as bytes.

use crate::error::Error;
use nearprint_fingerprint::Fingerprint;

/// Bytes of the stamp, of a key and of an address.
const WORD: usize = 8;

/// What a document has in a band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry<const WORDS: usize> {
    /// Documents of one key are looked at together.
    pub(crate) key: u64,
    /// The caller's name for the document.
    pub(crate) address: u64,
    pub(crate) code: Fingerprint<WORDS>,
}

/// Entries as bytes: the stamp of the job, keys, addresses, fingerprints.
pub(crate) fn bytes<const WORDS: usize>(
    entries: impl ExactSizeIterator<Item = Entry<WORDS>> + Clone,
    stamp: u64,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(WORD + entries.len() * size_of::<Entry<WORDS>>());
    let mut put = |word: u64| bytes.extend_from_slice(&word.to_le_bytes());
    put(stamp);
    entries.clone().for_each(|entry| put(entry.key));
    entries.clone().for_each(|entry| put(entry.address));
    entries.for_each(|entry| entry.code.words().iter().copied().for_each(&mut put));
    bytes
}

/// The entries of such bytes.
///
/// # Errors
/// [`Error::Entries`] for the stamp of another job, and bytes that are cut short.
pub(crate) fn read<const WORDS: usize>(
    bytes: &[u8],
    stamp: u64,
) -> Result<impl Iterator<Item = Entry<WORDS>> + '_, Error> {
    let of_entry = (2 + WORDS) * WORD;
    let (own, entries) = bytes.split_at_checked(WORD).unwrap_or((&[], bytes));
    if own != stamp.to_le_bytes() || !entries.len().is_multiple_of(of_entry) {
        return Err(Error::Entries { bytes: bytes.len() });
    }
    let count = entries.len() / of_entry;
    let (keys, rest) = entries.split_at(count * WORD);
    let (addresses, codes) = rest.split_at(count * WORD);
    let codes = codes.chunks_exact(WORDS * WORD);
    Ok(words(keys).zip(words(addresses)).zip(codes).map(|((key, address), code)| {
        let mut own = [0; WORDS];
        own.iter_mut().zip(words(code)).for_each(|(own, word)| *own = word);
        Entry { key, address, code: Fingerprint::from_words(own) }
    }))
}

/// The words of some bytes.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let (words, _) = bytes.as_chunks::<WORD>();
    words.iter().map(|word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_and_others_are_refused() {
        let entry = |at: u64| Entry {
            key: at,
            address: at << 40,
            code: Fingerprint::from_words([at, !at]),
        };
        let entries = [0, 1, 2, 3, 4].map(entry);
        let bytes = bytes(entries.iter().copied(), 7);
        let all: Vec<Entry<2>> = read(&bytes, 7).unwrap().collect();
        assert_eq!(all, entries);
        assert!(read::<2>(&bytes, 8).is_err());
        assert!(read::<2>(&bytes[..bytes.len() - 1], 7).is_err());
        assert!(read::<4>(&bytes, 7).is_err());
        assert!(read::<2>(&[], 7).is_err());
    }
}
