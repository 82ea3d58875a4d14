//! Which anchors repeat, nearly: one that does is always known, and few others are taken for such.

use nearprint_fingerprint::mix64;

/// Bits of a key where memory has room.
const BITS: u64 = 14;
/// Bytes of a line of the cache.
const LINE: usize = 64;

/// A Bloom filter that keeps the six bits of a key within a line of the cache. What it lets through wrongly costs a
/// record, and changes no answer.
pub(crate) struct Filter {
    lines: Vec<[u64; 8]>,
}

impl Filter {
    /// A filter for so many keys within so many bytes.
    pub(crate) fn new(keys: u64, most: usize) -> Self {
        let lines = usize::try_from(keys.saturating_mul(BITS) / 512 + 1).unwrap_or(usize::MAX);
        Self { lines: vec![[0; 8]; lines.min(most / LINE).max(1)] }
    }

    /// The line of a key, and its bits.
    fn place(&self, key: u64) -> (usize, u64) {
        // Anchors are least hashes: their first bits are mostly zeros.
        let key = mix64(key ^ 0x1234_5678_9abc_def1);
        let line = (u128::from(key) * self.lines.len() as u128) >> 64;
        (usize::try_from(line).unwrap_or(0), mix64(key))
    }

    pub(crate) fn insert(&mut self, key: u64) {
        let (line, bits) = self.place(key);
        if let Some(line) = self.lines.get_mut(line) {
            for (word, bit) in of(bits) {
                line[word] |= bit;
            }
        }
    }

    pub(crate) fn has(&self, key: u64) -> bool {
        let (line, bits) = self.place(key);
        self.lines
            .get(line)
            .is_some_and(|line| of(bits).into_iter().all(|(word, bit)| line[word] & bit != 0))
    }
}

/// The words of a line with the bit of each.
fn of(bits: u64) -> [(usize, u64); 6] {
    std::array::from_fn(|at| (at + usize::from(bits >> 60 & 1 == 1), 1 << (bits >> (6 * at) & 63)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_known_and_few_others() {
        for (most, share) in [(1 << 20, 0.02), (2 << 10, 0.95), (0, 1.0)] {
            let mut filter = Filter::new(10_000, most);
            assert!(filter.lines.len() * LINE <= most.max(LINE));
            let keys = || (0..10_000).map(|key| mix64(key) >> 12);
            keys().for_each(|key| filter.insert(key));
            assert!(keys().all(|key| filter.has(key)));
            let wrong = (10_000..20_000).filter(|key| filter.has(mix64(*key) >> 12)).count();
            assert!(wrong as f64 <= share * 10_000.0, "{wrong} within {most}");
        }
    }
}
