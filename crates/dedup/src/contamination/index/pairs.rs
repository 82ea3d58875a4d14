//! Which two tokens stand one behind the other in the items: a bitmap that stays in the cache next to the processor, and
//! refuses most runs of a document before one is looked for.

use crate::contamination::index::runs::all;
use crate::contamination::items::Items;
use crate::passages::rolling::enter;

/// Bits to a token of the items.
const BITS_OF_TOKEN: usize = 4;
/// Tokens of the items of which pairs are told apart: of more, the bitmap leaves the cache, and most pairs of a document
/// are among them.
const MOST_TOKENS: usize = 1 << 22;

/// Pairs of tokens of the items.
///
/// Memory: a byte a token of the items, 2 MiB at most.
#[derive(Default)]
pub(super) struct Pairs {
    /// None where all pairs may be there.
    bitmap: Vec<u64>,
    to_bit: u32,
}

impl Pairs {
    /// The pairs of all texts.
    ///
    /// # Complexity
    /// Linear in the tokens, and nothing for more than [`MOST_TOKENS`].
    pub(super) fn of(items: &Items) -> Self {
        let mut pairs = Self::new(items.all_words());
        if !pairs.bitmap.is_empty() {
            for sought in all(items) {
                let hash = |word: &u32| items.vocabulary.hash(*word);
                items.words(sought).windows(2).for_each(|pair| {
                    pairs.add(hash(&pair[0]), hash(&pair[1]));
                });
            }
        }
        pairs
    }

    /// No pair yet, of texts of so many tokens.
    pub(super) fn new(tokens: usize) -> Self {
        let bits = (tokens * BITS_OF_TOKEN).next_power_of_two().max(1 << 12);
        let words = if tokens <= MOST_TOKENS { bits / 64 } else { 0 };
        Self { bitmap: vec![0; words], to_bit: 64 - bits.trailing_zeros() }
    }

    /// Bytes of the pairs of so many tokens, at most.
    pub(super) fn bytes_of(tokens: usize) -> usize {
        tokens.min(MOST_TOKENS) * BITS_OF_TOKEN / 4 + (1 << 9)
    }

    /// Adds a pair of tokens with these hashes.
    pub(super) fn add(&mut self, first: u64, second: u64) {
        let bit = enter(first, second) >> self.to_bit;
        self.bitmap[crate::numbers::index(bit / 64)] |= 1 << (bit % 64);
    }

    /// Says of each token of a document but the last, in a bit, whether it may stand before the next in an item.
    pub(super) fn follow(&self, tokens: &[u64], into: &mut [u64]) {
        if self.bitmap.is_empty() {
            into.fill(u64::MAX);
            return;
        }
        for (start, follow) in (0..).step_by(64).zip(into) {
            let pairs = tokens.get(start..).unwrap_or_default().windows(2).take(64);
            *follow = (0..).zip(pairs).fold(0, |follow, (at, pair)| {
                let bit = enter(pair[0], pair[1]) >> self.to_bit;
                let is_there = self.bitmap[crate::numbers::index(bit / 64)] >> (bit % 64) & 1;
                follow | is_there << at
            });
        }
    }

    /// Bytes in memory.
    pub(super) fn held_bytes(&self) -> usize {
        self.bitmap.len() * 8
    }
}
