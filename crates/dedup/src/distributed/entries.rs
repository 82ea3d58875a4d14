//! Entries: of documents in one of their bands a key, an address and a fingerprint, as bytes.

use crate::error::Error;
use crate::numbers::entry;
use nearprint_fingerprint::{AnyFingerprint, CodeList, Width, at_width};

/// Bytes of the stamp, of a key and of an address.
const WORD: usize = 8;

/// What documents have in their bands, a row for each band.
#[derive(Debug)]
pub(crate) struct Entries {
    /// Documents of one key are looked at together.
    pub(crate) keys: Vec<u64>,
    /// The caller's names for the documents.
    addresses: Vec<u64>,
    codes: CodeList,
}

impl Entries {
    /// No entries yet, whose fingerprints will have a width.
    pub(crate) fn new(width: Width) -> Self {
        Self { keys: Vec::new(), addresses: Vec::new(), codes: CodeList::new(width) }
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, key: u64, address: u64, code: AnyFingerprint) {
        self.keys.push(key);
        self.addresses.push(address);
        self.codes.push_or_zero(code);
    }

    /// Takes all rows out.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.addresses.clear();
        self.codes.clear();
    }

    /// Bytes of all rows.
    pub(crate) fn held_bytes(&self) -> usize {
        self.keys.len() * of_entry(self.codes.width())
    }

    /// Some rows as bytes: the stamp of the job, keys, addresses, fingerprints.
    pub(crate) fn bytes(
        &self,
        rows: impl ExactSizeIterator<Item = usize> + Clone,
        stamp: u64,
    ) -> Vec<u8> {
        let of_rows = rows.len() * of_entry(self.codes.width());
        let mut bytes = Vec::with_capacity(WORD + of_rows);
        let mut put = |word: u64| bytes.extend_from_slice(&word.to_le_bytes());
        put(stamp);
        rows.clone().for_each(|row| put(entry(&self.keys, row)));
        rows.clone().for_each(|row| put(entry(&self.addresses, row)));
        at_width!(self.codes.codes() => codes, {
            rows.for_each(|row| entry(codes, row).words().iter().copied().for_each(&mut put));
        });
        bytes
    }
}

/// Bytes of an entry.
fn of_entry(width: Width) -> usize {
    (2 + width.words()) * WORD
}

/// The key and the address of each of the entries of such bytes; their fingerprints are appended to `codes`.
///
/// # Errors
/// [`Error::Entries`] for the stamp of another job, and bytes that are cut short.
pub(crate) fn read<'a>(
    bytes: &'a [u8],
    stamp: u64,
    codes: &mut CodeList,
) -> Result<impl Iterator<Item = (u64, u64)> + 'a, Error> {
    let of_entry = of_entry(codes.width());
    let (own, entries) = bytes.split_at_checked(WORD).unwrap_or((&[], bytes));
    if own != stamp.to_le_bytes() || !entries.len().is_multiple_of(of_entry) {
        return Err(Error::Entries { bytes: bytes.len() });
    }
    let (keys, rest) = entries.split_at(entries.len() / of_entry * WORD);
    let (addresses, of_codes) = rest.split_at(keys.len());
    codes.extend_from_le_bytes(of_codes);
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
    use nearprint_fingerprint::{Codes, Fingerprint};

    #[test]
    fn entries_come_back_and_others_are_refused() {
        let mut entries = Entries::new(Width::W128);
        let code = |at: u64| Fingerprint::from_words([at, !at]);
        (0..6).for_each(|at| entries.push(at, at << 40, code(at).into()));
        assert_eq!(entries.held_bytes(), 6 * 32);
        let bytes = entries.bytes([5, 1, 3, 2].into_iter(), 7);
        let mut codes = CodeList::new(Width::W128);
        let all: Vec<_> = read(&bytes, 7, &mut codes).unwrap().collect();
        assert_eq!(all, [5, 1, 3, 2].map(|at| (at, at << 40)));
        assert_eq!(codes.codes(), Codes::of(&[5, 1, 3, 2].map(code)));
        let is_refused = |bytes: &[u8], stamp, width| {
            read(bytes, stamp, &mut CodeList::new(width)).map(Iterator::count).is_err()
        };
        assert!(is_refused(&bytes, 8, Width::W128));
        assert!(is_refused(&bytes[..bytes.len() - 1], 7, Width::W128));
        assert!(is_refused(&bytes, 7, Width::W256));
        assert!(is_refused(&[], 7, Width::W128));
        entries.clear();
        assert_eq!(entries.held_bytes(), 0);
    }
}
