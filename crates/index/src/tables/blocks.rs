//! Bits cut into blocks. [`crate::tables::family`] says which blocks make up a prefix.

use std::ops::Range;

/// A row of bits cut into blocks as even as can be, the longer blocks first.
///
/// # References
/// Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007, section 3.1:
/// 64 bits in 6 blocks of 11, 11, 11, 11, 10 and 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    bits: usize,
    count: usize,
}

impl Blocks {
    /// Cuts `bits` bits into `count` blocks; a count of 0 counts as 1.
    pub(crate) fn new(bits: usize, count: usize) -> Self {
        Self { bits, count: count.max(1) }
    }

    /// The block at `index` as a range of positions in the row, 0 being the leading bit.
    pub(crate) fn get(&self, index: usize) -> Range<usize> {
        let start = |i: usize| i * (self.bits / self.count) + i.min(self.bits % self.count);
        start(index)..start(index + 1)
    }

    /// Every block, the leading one first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let blocks = *self;
        (0..self.count).map(move |index| blocks.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_follow_each_other_and_differ_by_one_bit_at_most() {
        for (bits, count) in [(64, 1), (64, 5), (64, 7), (128, 11), (256, 64), (5, 8)] {
            let blocks: Vec<_> = Blocks::new(bits, count).iter().collect();
            assert_eq!(blocks.len(), count);
            assert!(blocks.windows(2).all(|w| w[0].end == w[1].start && w[0].len() >= w[1].len()));
            assert_eq!((blocks[0].start, blocks[count - 1].end), (0, bits));
            assert!(blocks[0].len() - blocks[count - 1].len() <= 1);
        }
    }

    #[test]
    fn five_blocks_are_those_of_the_paper() {
        let sizes: Vec<_> = Blocks::new(64, 5).iter().map(|block| block.len()).collect();
        assert_eq!(sizes, [13, 13, 13, 13, 12]);
    }
}
