//! Tokens of a text, each with its place there. Who makes them is [`crate::places::tokenizer`].

use crate::in_bounds::{entry_at, text_in};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// The tokens of a text in order, each with the bytes of the text that it was made of.
///
/// Places ascend and never overlap, and they start and end between characters. What lies between two of them belongs to
/// no token: white space, punctuation, characters that a reader does not see, words that the recipe leaves out. Where
/// several tokens are made of one character, as `1` and `2` of `½`, the first of them has its bytes, and those
/// behind it have a place that begins where the character ends.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Digits, PlacedTokens, Recipe, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new(&Recipe::default(), Digits::Keep)?;
/// let mut tokens = PlacedTokens::default();
/// let text = "A *bo\u{ad}ld* Ｃａｆｅ\u{301}.";
/// tokenizer.tokens(text, &mut tokens);
/// assert_eq!((tokens.len(), tokens.text(1), tokens.text(2)), (3, "bold", "café"));
/// assert_eq!((&text[tokens.place(1)], &text[tokens.place(2)]), ("bo\u{ad}ld", "Ｃａｆｅ\u{301}"));
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlacedTokens {
    /// The tokens one behind the other.
    pub(crate) text: String,
    /// Where each ends there.
    pub(crate) ends: Vec<usize>,
    /// The bytes of the text that each was made of: the first, and the one behind the last.
    pub(crate) places: Vec<(usize, usize)>,
    pub(crate) hashes: Vec<u64>,
}

impl PlacedTokens {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The token of that number, as the recipe makes it: in its normal form, its case mapped. The empty text behind the
    /// last.
    #[must_use]
    pub fn text(&self, number: usize) -> &str {
        let Some(&end) = self.ends.get(number) else { return "" };
        let start = number.checked_sub(1).map_or(0, |before| entry_at(&self.ends, before));
        text_in(&self.text, start..end)
    }

    /// The bytes of the text that the token of that number was made of; none behind the last.
    #[must_use]
    pub fn place(&self, number: usize) -> Range<usize> {
        let (start, end) = self.places.get(number).copied().unwrap_or_default();
        start..end
    }

    /// The XXH3-64 of each token, whatever hash the recipe has. Equal hashes hide unequal tokens where somebody means
    /// them to.
    #[must_use]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Forgets all tokens.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.places.clear();
        self.hashes.clear();
    }

    /// Adds a token made of the bytes of `place`.
    pub(crate) fn push(&mut self, token: &str, place: Range<usize>) {
        self.text.push_str(token);
        self.ends.push(self.text.len());
        self.places.push((place.start, place.end));
        self.hashes.push(xxh3_64(token.as_bytes()));
    }
}
