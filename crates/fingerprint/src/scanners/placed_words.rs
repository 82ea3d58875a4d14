//! Words read off a marked piece of text, as tokens with places.

use crate::hashing::hash::TokenHash;
use crate::hashing::xxh3_short::MARGIN;
use crate::in_bounds::text_in;
use crate::kernel::Kernel;
use crate::scanners::word_marks::{WordHashes, WordSink};
use crate::text::aligned_text::Places;
use crate::text::placed_tokens::PlacedTokens;

/// Appends every word with its place.
pub(crate) struct PlacedWords<'a> {
    /// What lies between the margins of the text that words are read off.
    pub(crate) piece: &'a str,
    /// Where the piece begins in the text as it came.
    pub(crate) base: usize,
    /// Where the parts of the piece come from; `None` where it is as it came, byte for byte.
    pub(crate) places: Option<Places<'a>>,
    pub(crate) into: &'a mut PlacedTokens,
}

impl WordSink for PlacedWords<'_> {
    #[inline(always)]
    fn take(&mut self, kernel: Kernel, text: &[u8], starts: &[u32], ends: &[u32]) {
        let Self { piece, base, places, into } = self;
        let hashes = &mut into.hashes;
        WordHashes { hash: TokenHash::Xxh3, hashes }.take(kernel, text, starts, ends);
        let words = starts.iter().zip(ends);
        for part in words.map(|(&start, &end)| start as usize - MARGIN..end as usize - MARGIN) {
            into.text.push_str(text_in(piece, part.clone()));
            into.ends.push(into.text.len());
            let place =
                places.as_mut().map_or_else(|| part.clone(), |places| places.of(part.clone()));
            into.places.push((*base + place.start, *base + place.end));
        }
    }
}
