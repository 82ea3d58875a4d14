//! Words read off a marked piece of text, as tokens with places.

use crate::hashing::hash::TokenHash;
use crate::hashing::xxh3_short::MARGIN;
use crate::kernel::Kernel;
use crate::scanners::word_marks::{WordHashes, WordSink};
use crate::text::aligned_text::Places;
use crate::text::placed_tokens::PlacedTokens;

/// Appends every word with its place.
pub(crate) struct PlacedWords<'a> {
    /// Where what lies between the margins of the text that words are read off, the piece, begins in that of `into`.
    pub(crate) at: usize,
    /// Where the piece begins in the text as it came.
    pub(crate) base: usize,
    /// Where the parts of the piece come from; `None` where it is as it came, byte for byte.
    pub(crate) places: Option<Places<'a>>,
    pub(crate) into: &'a mut PlacedTokens,
}

impl WordSink for PlacedWords<'_> {
    #[inline(always)]
    fn take(&mut self, kernel: Kernel, text: &[u8], starts: &[u32], ends: &[u32]) {
        let Self { at, base, places, into } = self;
        let PlacedTokens { parts, places: of_tokens, hashes, is_hashed, .. } = &mut **into;
        if *is_hashed {
            WordHashes { hash: TokenHash::Xxh3, hashes }.take(kernel, text, starts, ends);
        }
        let from = |base: usize| {
            let moved = move |place: &u32| base + *place as usize - MARGIN;
            starts.iter().zip(ends).map(move |(start, end)| (moved(start), moved(end)))
        };
        parts.extend(from(*at));
        match places {
            None => of_tokens.extend(from(*base)),
            Some(places) => of_tokens.extend(from(0).map(|(start, end)| {
                let place = places.of(start..end);
                (*base + place.start, *base + place.end)
            })),
        }
    }
}
