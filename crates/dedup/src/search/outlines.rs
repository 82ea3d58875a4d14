//! Outlines of sets of keys: how much two sets share at most, from a few bits of each.

use crate::numbers::index;

/// Words of an outline, at most.
const MOST: usize = 16;

/// The outlines of some sets, each of as many bits: every key of a set turns one of them over.
///
/// A key of both sets turns the same bit in both. So where two outlines differ in `d` bits, at least `d`
/// keys are in one of the sets alone.
///
/// Memory: what is allowed for them, and at most 64 bytes a set.
///
/// # References
/// Sandes, Teodoro, Melo, "Bitmap filter: speeding up exact set similarity joins with bitwise
/// operations", Information Systems 88, 2020.
#[derive(Debug, Default)]
pub(crate) struct Outlines {
    /// Words of each.
    width: usize,
    words: Vec<u32>,
}

/// Makes outlines, on any thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutlineShape {
    width: usize,
}

impl OutlineShape {
    /// Appends the outline of a set.
    pub(crate) fn outline(self, keys: &[u64], bytes: &mut Vec<u8>) {
        let mut words = [0_u32; MOST];
        let bits = 32 * self.width as u64;
        let keys = if bits == 0 { &[] } else { keys };
        for key in keys {
            let bit = ((key >> 32) * bits) >> 32;
            if let Some(word) = words.get_mut(index(bit / 32)) {
                *word ^= 1 << (bit % 32);
            }
        }
        bytes.extend(words.iter().take(self.width).flat_map(|word| word.to_le_bytes()));
    }
}

impl Outlines {
    /// No outlines yet, but room for those of so many sets in `bytes`.
    pub(crate) fn new(sets: usize, bytes: usize) -> Self {
        let width = (bytes / size_of::<u32>() / sets.max(1)).min(MOST);
        Self { width, words: Vec::with_capacity(width * sets) }
    }

    /// What makes outlines for these.
    pub(crate) fn shape(&self) -> OutlineShape {
        OutlineShape { width: self.width }
    }

    /// Appends the outline of a set, as [`OutlineShape::outline`] makes it.
    pub(crate) fn push(&mut self, outline: &[u8]) {
        let (words, _) = outline.as_chunks::<4>();
        self.words.extend(words.iter().map(|word| u32::from_le_bytes(*word)));
    }

    /// Keys that are in one of two sets alone, at least, by the places of the sets.
    pub(crate) fn apart(&self, a: usize, b: usize) -> usize {
        let outline = |at: usize| self.words.get(at * self.width..).unwrap_or_default();
        let words = outline(a).iter().zip(outline(b)).take(self.width);
        words.map(|(a, b)| (a ^ b).count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::mix64;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn outlines(sets: &[Vec<u64>], bytes: usize) -> Outlines {
        let mut outlines = Outlines::new(sets.len(), bytes);
        let (shape, mut outline) = (outlines.shape(), Vec::new());
        for set in sets {
            outline.clear();
            shape.outline(set, &mut outline);
            outlines.push(&outline);
        }
        assert!(size_of_val(outlines.words.as_slice()) <= bytes);
        outlines
    }

    proptest! {
        #[test]
        fn sets_are_at_least_so_far_apart(
            a in prop::collection::btree_set((0_u64..300).prop_map(mix64), 0..200),
            b in prop::collection::btree_set((0_u64..300).prop_map(mix64), 0..200),
            bytes in 0_usize..300,
        ) {
            let apart = a.symmetric_difference(&b).count();
            let sets = [a, b].map(|set: BTreeSet<u64>| set.into_iter().collect::<Vec<_>>());
            let outlines = outlines(&sets, bytes);
            prop_assert!(outlines.apart(0, 1) <= apart && outlines.apart(1, 1) == 0);
        }
    }

    #[test]
    fn a_few_bytes_tell_most_of_what_sets_do_not_share() {
        // 100 keys each, of which every two sets share 75.
        let keys = |set: u64| (0..75).chain(1000 * set..1000 * set + 25).map(mix64).collect();
        let sets: Vec<Vec<u64>> = (1..=200).map(keys).collect();
        for (bytes, least) in [(8, 20), (16, 28), (64, 40)] {
            let outlines = outlines(&sets, bytes * sets.len());
            let mean = (1..200).map(|at| outlines.apart(0, at)).sum::<usize>() / 199;
            assert!((least..=50).contains(&mean), "{bytes} bytes: {mean}");
        }
    }
}
