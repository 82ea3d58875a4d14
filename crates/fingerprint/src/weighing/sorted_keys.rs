//! A sorted list of 64-bit keys, read in place over any bytes.

use std::sync::Arc;

/// Bytes that outlive whoever reads them.
pub(crate) type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// `number` keys of 8 little-endian bytes each, ascending, from byte `at` on. Keys are hashes: spread
/// evenly.
#[derive(Clone)]
pub(crate) struct SortedKeys {
    bytes: SharedBytes,
    at: usize,
    number: usize,
}

impl SortedKeys {
    /// The keys that lie in `bytes`. Of bytes that hold fewer, or not in order, answers are wrong and
    /// nothing is read outside.
    pub(crate) fn new(bytes: SharedBytes, at: usize, number: usize) -> Self {
        Self { bytes, at, number }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.number
    }

    /// Every key, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        let data = (*self.bytes).as_ref();
        (0..self.number).map(move |place| u64_at(data, self.at + 8 * place))
    }

    /// Where `key` stands: a guess by its value, then steps that double, then halving.
    ///
    /// # Complexity
    /// `O(log log n)` expected, since keys are hashes.
    pub(crate) fn find(&self, key: u64) -> Option<usize> {
        let data = (*self.bytes).as_ref();
        let at = |place: usize| u64_at(data, self.at + 8 * place);
        let guess = (u128::from(key) * self.number as u128) >> 64;
        let guess = usize::try_from(guess).unwrap_or(0).min(self.number.checked_sub(1)?);
        let mut step = 1;
        let (mut low, mut high) = (guess, guess + 1);
        while low > 0 && at(low) > key {
            low = low.saturating_sub(step);
            step *= 2;
        }
        while high < self.number && at(high) <= key {
            high = (high + step).min(self.number);
            step *= 2;
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if at(middle) <= key { low = middle } else { high = middle }
        }
        (at(low) == key).then_some(low)
    }
}

/// The number at byte `at` of `data`; 0 where it ends before.
pub(crate) fn u64_at(data: &[u8], at: usize) -> u64 {
    data.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
