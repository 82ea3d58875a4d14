//! Orders of the bits of a fingerprint that bring what a table looks at to the top.

use nearprint_bits::Fingerprint;
use std::ops::Range;

/// A run of neighbouring bits of the fingerprint within one word: from `shift` up, `bits` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    word: usize,
    shift: u32,
    bits: u32,
}

/// A permutation of the bits of a fingerprint, given as the runs it is made of, the leading first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permutation {
    /// In the order of the permuted word, the leading one first; none crosses a word.
    runs: Vec<Run>,
    width: u32,
}

impl Permutation {
    /// The permutation of `width` bits that has the bits of `ranges` on top, in that order, and the
    /// others below in theirs. Positions count from the leading bit, 0.
    pub(crate) fn new(width: u32, ranges: &[Range<u32>]) -> Self {
        let top = ranges.iter().cloned().flatten();
        let rest = (0..width).filter(|bit| !ranges.iter().any(|range| range.contains(bit)));
        let mut runs = Vec::<Run>::new();
        for position in top.chain(rest) {
            let bit = width - 1 - position;
            let (word, shift) = (bit as usize / 64, bit % 64);
            match runs.last_mut() {
                Some(run) if run.word == word && run.shift == shift + 1 => {
                    run.shift = shift;
                    run.bits += 1;
                }
                _ => runs.push(Run { word, shift, bits: 1 }),
            }
        }
        Self { runs, width }
    }

    /// The permuted words, the least significant first.
    #[inline]
    pub(crate) fn apply<const WORDS: usize>(&self, code: &Fingerprint<WORDS>) -> [u64; WORDS] {
        let words = code.words();
        let mut out = [0; WORDS];
        let mut at = self.width;
        for run in &self.runs {
            at -= run.bits;
            put(&mut out, at, words[run.word] >> run.shift & ones(run.bits), run.bits);
        }
        out
    }

    /// The fingerprint that [`Self::apply`] gave `permuted` for.
    #[inline]
    pub(crate) fn invert<const WORDS: usize>(&self, permuted: &[u64; WORDS]) -> Fingerprint<WORDS> {
        let mut out = [0; WORDS];
        let mut at = self.width;
        for run in &self.runs {
            at -= run.bits;
            let (word, shift) = (at as usize / 64, at % 64);
            let mut bits = permuted[word] >> shift;
            if shift + run.bits > 64 {
                bits |= permuted[word + 1] << (64 - shift);
            }
            out[run.word] |= (bits & ones(run.bits)) << run.shift;
        }
        Fingerprint::from_words(out)
    }
}

#[inline]
const fn ones(bits: u32) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Sets the `bits` bits from `at` up, which are 0, to `value`.
#[inline]
fn put<const WORDS: usize>(words: &mut [u64; WORDS], at: u32, value: u64, bits: u32) {
    let (word, shift) = (at as usize / 64, at % 64);
    words[word] |= value << shift;
    if shift + bits > 64 {
        words[word + 1] |= value >> (64 - shift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "prefixes of one range")]
    fn a_leading_half_is_a_rotation() {
        let second = Permutation::new(64, &[32..64]);
        let code = Fingerprint::from(0x0123_4567_89ab_cdef_u64);
        assert_eq!(second.apply(&code), [0x89ab_cdef_0123_4567]);
        let wide = Fingerprint::from(0x0123_4567_89ab_cdef_1111_2222_3333_4444_u128);
        let third = Permutation::new(128, &[64..96]);
        assert_eq!(third.apply(&wide), [0x89ab_cdef_3333_4444, 0x1111_2222_0123_4567]);
    }

    proptest! {
        #[test]
        fn permutations_are_bijections_that_keep_distances(
            a: [u64; 4], b: [u64; 4],
            cuts in prop::collection::btree_set(1_u32..256, 1..9), kept: [bool; 9],
        ) {
            let cuts: Vec<_> = [0].into_iter().chain(cuts).chain([256]).collect();
            let mut blocks: Vec<_> = cuts.windows(2).map(|cut| cut[0]..cut[1]).collect();
            let mut kept = kept.into_iter();
            blocks.retain(|block| kept.next().unwrap_or(false) || block.start == 0);
            let permutation = Permutation::new(256, &blocks);
            let (a, b) = (Fingerprint::from_words(a), Fingerprint::from_words(b));
            let (pa, pb) = (permutation.apply(&a), permutation.apply(&b));
            prop_assert_eq!(permutation.invert(&pa), a);
            let distance = Fingerprint::from_words(pa).distance(&Fingerprint::from_words(pb));
            prop_assert_eq!(distance, a.distance(&b));
            let first = &blocks[0];
            for i in 0..first.end - first.start {
                prop_assert_eq!(pa[3] >> (63 - i.min(63)) & 1 == 1, a.bit(255 - (first.start + i.min(63))));
            }
        }
    }
}
