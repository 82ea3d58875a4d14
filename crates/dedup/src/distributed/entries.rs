//! Entries: of documents in one of their bands a key, an address and the code of their sketch, as bytes.

use crate::error::Error;
use crate::numbers::entry;
use nearprint_fingerprint::Fingerprint128;

/// Bytes of the stamp, of a key and of an address.
const WORD: usize = 8;
/// Bytes of an entry.
const ENTRY: usize = 2 * WORD + Fingerprint128::BYTES;

/// What documents have in their bands, a row for each band.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// Documents of one key are looked at together.
    pub(crate) keys: Vec<u64>,
    /// The caller's names for the documents.
    addresses: Vec<u64>,
    codes: Vec<Fingerprint128>,
}

impl Entries {
    /// Appends a row.
    pub(crate) fn push(&mut self, key: u64, address: u64, code: Fingerprint128) {
        self.keys.push(key);
        self.addresses.push(address);
        self.codes.push(code);
    }

    /// Takes all rows out.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.addresses.clear();
        self.codes.clear();
    }

    /// Bytes of all rows.
    pub(crate) fn held_bytes(&self) -> usize {
        self.keys.len() * ENTRY
    }

    /// Some rows as bytes: the stamp of the job, keys, addresses, codes.
    pub(crate) fn bytes(
        &self,
        rows: impl ExactSizeIterator<Item = usize> + Clone,
        stamp: u64,
    ) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(WORD + rows.len() * ENTRY);
        let mut put = |word: u64| bytes.extend_from_slice(&word.to_le_bytes());
        put(stamp);
        rows.clone().for_each(|row| put(entry(&self.keys, row)));
        rows.clone().for_each(|row| put(entry(&self.addresses, row)));
        rows.for_each(|row| entry(&self.codes, row).words().iter().copied().for_each(&mut put));
        bytes
    }
}

/// The key and the address of each of the entries of such bytes; their codes are appended to `codes`.
///
/// # Errors
/// [`Error::Entries`] for the stamp of another job, and bytes that are cut short.
pub(crate) fn read<'a>(
    bytes: &'a [u8],
    stamp: u64,
    codes: &mut Vec<Fingerprint128>,
) -> Result<impl Iterator<Item = (u64, u64)> + 'a, Error> {
    let (own, entries) = bytes.split_at_checked(WORD).unwrap_or((&[], bytes));
    if own != stamp.to_le_bytes() || !entries.len().is_multiple_of(ENTRY) {
        return Err(Error::Entries { bytes: bytes.len() });
    }
    let (keys, rest) = entries.split_at(entries.len() / ENTRY * WORD);
    let (addresses, of_codes) = rest.split_at(keys.len());
    let mut of_codes = words(of_codes);
    codes.extend(std::iter::from_fn(|| {
        Some(Fingerprint128::from_words([of_codes.next()?, of_codes.next()?]))
    }));
    Ok(words(keys).zip(words(addresses)))
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
        let mut entries = Entries::default();
        let code = |at: u64| Fingerprint128::from_words([at, !at]);
        (0..6).for_each(|at| entries.push(at, at << 40, code(at)));
        assert_eq!(entries.held_bytes(), 6 * 32);
        let bytes = entries.bytes([5, 1, 3, 2].into_iter(), 7);
        let mut codes = Vec::new();
        let all: Vec<_> = read(&bytes, 7, &mut codes).unwrap().collect();
        assert_eq!(all, [5, 1, 3, 2].map(|at| (at, at << 40)));
        assert_eq!(codes, [5, 1, 3, 2].map(code));
        let is_refused =
            |bytes: &[u8], stamp| read(bytes, stamp, &mut Vec::new()).map(Iterator::count).is_err();
        assert!(is_refused(&bytes, 8));
        assert!(is_refused(&bytes[..bytes.len() - 1], 7));
        assert!(is_refused(&[], 7));
        entries.clear();
        assert_eq!(entries.held_bytes(), 0);
    }
}
