//! Within a bucket, to the fingerprints that agree with a key in more bits than the bucket's number has.
//!
//! Suffixes stand in the order of the keys. So those that agree in further leading bits stand side by
//! side, about where interpolation says.

use crate::segments::bucket_code::BucketCode;
use crate::segments::table_view::View;
use std::ops::Range;

/// Fingerprints of the largest bucket that is compared as a whole: comparing so many takes as long as
/// finding some of them.
pub(crate) const NARROWED: usize = 48;

/// How the buckets of a table are narrowed to a longer prefix.
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3: the fingerprints that match in the top bits, by
/// interpolation search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowing {
    bucket_bits: u32,
    /// Bits that are compared after those of the bucket.
    bits: u32,
    /// Where the top word of a key begins in a suffix, in bytes.
    offset: usize,
}

impl Narrowing {
    /// To the leading `prefix_bits` bits of the key, or the 64 of its top word if there are more, in a
    /// table of fingerprints of `words` words.
    pub(crate) fn new(code: &BucketCode, prefix_bits: u32, words: usize) -> Self {
        let bucket_bits = code.bucket_bits();
        let bits = prefix_bits.min(u64::BITS).saturating_sub(bucket_bits);
        Self { bucket_bits, bits, offset: 8 * (words - 1) }
    }

    /// Whether there are bits to compare.
    pub(crate) fn narrows(self) -> bool {
        self.bits > 0
    }

    /// About where in the bucket at `range` the fingerprints lie that agree with a key whose top word is
    /// `top`, were they spread evenly, with some room on either side.
    pub(crate) fn guess(self, range: &Range<usize>, top: u64) -> Range<usize> {
        let (from, to) = self.even(range, top);
        // Positions of n even draws scatter by less than half of the root of n.
        let slack = range.len().isqrt() / 2;
        let from = from.saturating_sub(slack).max(range.start);
        from..to.saturating_add(slack).clamp(from, range.end)
    }

    /// The fingerprints of the bucket at `range` that agree with a key whose top word is `top`.
    ///
    /// # Complexity
    /// A few steps if keys are spread evenly, `O(log n)` in any bucket of `n`.
    #[inline(never)]
    pub(crate) fn of(self, view: &View<'_>, range: &Range<usize>, top: u64) -> Range<usize> {
        let (from, to) = self.even(range, top);
        let wanted = self.compared(top);
        let bits = |position| self.compared(view.word(position, self.offset));
        let start = edge(range, from, |position| bits(position) < wanted);
        let rest = start..range.end;
        start..edge(&rest, to.max(start), |position| bits(position) <= wanted)
    }

    /// The bits of a top word that are compared.
    fn compared(self, top: u64) -> u64 {
        (top << self.bucket_bits).checked_shr(u64::BITS - self.bits).unwrap_or(0)
    }

    /// Where those that agree would begin and end, were they spread evenly.
    fn even(self, range: &Range<usize>, top: u64) -> (usize, usize) {
        let at = |compared: u64| {
            let before = (u128::from(compared) * range.len() as u128) >> self.bits;
            range.start + usize::try_from(before).unwrap_or(range.len())
        };
        let wanted = self.compared(top);
        (at(wanted), at(wanted + 1))
    }
}

/// The first position in `range` that is not `before`, where all those of which that is true come
/// first. Looks around `guess` first.
fn edge(range: &Range<usize>, guess: usize, before: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = *range;
    // Ever longer steps from the guess, until the edge lies between two of them.
    let mut at = guess.min(high.saturating_sub(1));
    let mut step = 2;
    while low < high {
        if before(at) {
            low = at + 1;
            if high < range.end || high - low <= step {
                break;
            }
            at = low + step;
        } else {
            high = at;
            if low > range.start || high - low <= step {
                break;
            }
            at = high - step;
        }
        step *= 2;
    }
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_edge_is_found_from_any_guess(len in 0_usize..300, start in 0_usize..9, at in 0_usize..300, guess in 0_usize..400) {
            let range = start..start + len;
            let at = start + at.min(len);
            prop_assert_eq!(edge(&range, (start + guess).min(range.end), |position| position < at), at);
        }

        #[test]
        fn a_bucket_is_narrowed_to_what_agrees(
            mut keys in prop::collection::vec(any::<u64>(), 1..200), crowded: bool, which in 0_usize..200,
            bucket_bits in 1_u32..28, more in 1_u32..40, miss: bool,
        ) {
            let code = BucketCode::plain(bucket_bits);
            let bits = bucket_bits + more;
            // All in the last bucket; crowded ones share further bits.
            let shared = if crowded { bits.min(60) } else { bucket_bits };
            keys.iter_mut().for_each(|key| *key = *key >> shared | !(u64::MAX >> shared));
            keys.sort_unstable();
            let suffix_bytes = (64 - bucket_bits).div_ceil(8) as usize;
            let mut padded: Vec<u8> =
                keys.iter().flat_map(|key| key.to_le_bytes().into_iter().take(suffix_bytes)).collect();
            padded.extend([0; 8]);
            let view = View::new(&[], 4, &padded, 8, suffix_bytes).unwrap();
            let compared = |key: u64| key >> (64 - bits.min(64));
            let wanted = keys[which % keys.len()] ^ u64::from(miss) << (64 - bits.min(64));
            let (narrowing, all) = (Narrowing::new(&code, bits, 1), 0..keys.len());
            let found = narrowing.of(&view, &all, wanted);
            let start = keys.partition_point(|key| compared(*key) < compared(wanted));
            let agreeing = keys.iter().filter(|key| compared(**key) == compared(wanted)).count();
            prop_assert_eq!(found, start..start + agreeing);
            let guess = narrowing.guess(&all, wanted);
            prop_assert!(guess.start <= guess.end && guess.end <= keys.len());
        }
    }
}
