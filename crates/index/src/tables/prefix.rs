//! The bits of a fingerprint that a table groups by, and the key that they make.
//!
//! [`crate::tables::join_tables`] chooses the bits.

use nearprint_bits::Fingerprint;

/// Bits of the longest prefix: no table has more buckets.
pub(crate) const MAX_BITS: u32 = 32;

/// A run of neighbouring bits within one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    word: usize,
    shift: u32,
    bits: u32,
}

/// The chosen bits, which a permuted table would bring to the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    runs: Vec<Run>,
    bits: u32,
}

impl Prefix {
    /// The prefix made of the bits at `positions` (bit 0 is the least significant), the leading
    /// bit of the key first. Positions beyond [`MAX_BITS`] are left out.
    pub(crate) fn new(positions: impl IntoIterator<Item = u32>) -> Self {
        let mut runs = Vec::<Run>::new();
        let mut bits = 0;
        for position in positions.into_iter().take(MAX_BITS as usize) {
            let (word, shift) = (position as usize / 64, position % 64);
            bits += 1;
            match runs.last_mut() {
                Some(run) if run.word == word && run.shift == shift + 1 => {
                    run.shift = shift;
                    run.bits += 1;
                }
                _ => runs.push(Run { word, shift, bits: 1 }),
            }
        }
        Self { runs, bits }
    }

    /// The number of bits: a table has `2^bits` buckets.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The value of the bits: the bucket of `code`, below `2^bits`.
    #[inline]
    pub(crate) fn key<const WORDS: usize>(&self, code: &Fingerprint<WORDS>) -> usize {
        let key = self.runs.iter().fold(0, |key, run| {
            key << run.bits | code.words()[run.word] >> run.shift & !(u64::MAX << run.bits)
        });
        #[expect(clippy::cast_possible_truncation, reason = "a key has 32 bits at most")]
        let key = key as usize;
        key
    }

    /// The prefix without its `first` leading bits.
    pub(crate) fn after(&self, first: u32) -> Self {
        Self::new(self.positions().skip(first as usize))
    }

    /// The prefix of its `bits` leading bits, or as many as there are.
    pub(crate) fn first(&self, bits: u32) -> Self {
        Self::new(self.positions().take(bits as usize))
    }

    /// The positions of its bits, the leading one first.
    fn positions(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flat_map(|run| {
            #[expect(clippy::cast_possible_truncation, reason = "a fingerprint has a few words")]
            let lowest = 64 * run.word as u32 + run.shift;
            (lowest..lowest + run.bits).rev()
        })
    }

    /// Writes the key of each of `codes` to `keys`.
    #[inline(always)]
    pub(crate) fn keys<const WORDS: usize>(
        &self,
        codes: &[Fingerprint<WORDS>],
        keys: &mut Vec<u32>,
    ) {
        keys.clear();
        keys.resize(codes.len(), 0);
        // One run after the other, so that the loop over the codes takes several at a time.
        for run in &self.runs {
            let (word, shift, mask) = (run.word, run.shift, !(u64::MAX << run.bits));
            for (key, code) in keys.iter_mut().zip(codes) {
                #[expect(clippy::cast_possible_truncation, reason = "a key has 32 bits at most")]
                let bits = (code.words()[word] >> shift & mask) as u32;
                *key = key.checked_shl(run.bits).unwrap_or(0) | bits;
            }
        }
    }

    /// The fingerprint in which exactly the bits of the prefix are set.
    pub(crate) fn mask<const WORDS: usize>(&self) -> Fingerprint<WORDS> {
        let mut words = [0; WORDS];
        for run in &self.runs {
            words[run.word] |= !(u64::MAX << run.bits) << run.shift;
        }
        Fingerprint::from_words(words)
    }
}

/// Whether `a` and `b` agree in every bit that is set in `mask`.
#[inline]
pub(crate) fn agree<const WORDS: usize>(
    a: &Fingerprint<WORDS>,
    b: &Fingerprint<WORDS>,
    mask: &Fingerprint<WORDS>,
) -> bool {
    let words = a.words().iter().zip(b.words()).zip(mask.words());
    words.fold(0, |rest, ((a, b), mask)| rest | (a ^ b) & mask) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn key_has_the_first_position_on_top() {
        let code = Fingerprint::from_words([1 << 63 | 0b10, 0b01]);
        let key = |positions: &[u32]| Prefix::new(positions.iter().copied()).key(&code);
        assert_eq!(key(&[64, 63, 62]), 0b110);
        assert_eq!(key(&[0, 1, 5]), 0b010);
        assert_eq!((key(&[]), Prefix::new(0..128).bits()), (0, 32));
    }

    proptest! {
        #[test]
        fn equal_keys_are_agreement_under_the_mask(
            a: [u64; 2],
            flip in 0_u32..128,
            positions in prop::collection::btree_set(0_u32..128, 0..32),
        ) {
            let prefix = Prefix::new(positions.iter().rev().copied());
            let (a, mut b) = (Fingerprint::from_words(a), a);
            b[flip as usize / 64] ^= 1 << (flip % 64);
            let b = Fingerprint::from_words(b);
            let mask: Fingerprint<2> = prefix.mask();
            prop_assert_eq!(prefix.bits() as usize, positions.len());
            prop_assert!((0..128).all(|bit| mask.bit(bit) == positions.contains(&bit)));
            prop_assert_eq!(prefix.key(&a) == prefix.key(&b), !positions.contains(&flip));
            for first in 0..=prefix.bits() {
                let rest = prefix.key(&a) & !(usize::MAX << (prefix.bits() - first));
                prop_assert_eq!(prefix.after(first).key(&a), rest);
                prop_assert_eq!(prefix.first(first).key(&a), prefix.key(&a) >> (prefix.bits() - first));
            }
            let mut keys = vec![7];
            prefix.keys(&[a, b], &mut keys);
            prop_assert_eq!(keys.iter().map(|key| *key as usize).collect::<Vec<_>>(), [a, b].map(|code| prefix.key(&code)));
            prop_assert_eq!(agree(&a, &b, &mask), !positions.contains(&flip));
        }
    }
}
