//! Tokens of a text, each with its place there. Who makes them is [`crate::places::tokenizer`].

use crate::in_bounds::list_in;
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
    /// The tokens one behind the other, in UTF-8, and what lay between them.
    pub(crate) text: Vec<u8>,
    /// The bytes of each there: the first, and the one behind the last. They ascend.
    pub(crate) parts: Vec<(usize, usize)>,
    /// The bytes of the text that each was made of, likewise.
    pub(crate) places: Vec<(usize, usize)>,
    pub(crate) hashes: Vec<u64>,
    /// Whether tokens are hashed.
    pub(crate) is_hashed: bool,
}

/// Bytes that are copied at once: most tokens have fewer.
const COPIED: usize = 16;

impl PlacedTokens {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The token of that number, as the recipe makes it: in its normal form, its case mapped. The empty text behind the
    /// last.
    #[must_use]
    pub fn text(&self, number: usize) -> &str {
        let Some(&(start, end)) = self.parts.get(number) else { return "" };
        let token = std::str::from_utf8(list_in(&self.text, start..end));
        debug_assert!(token.is_ok(), "the case of a character is a character");
        token.unwrap_or_default()
    }

    /// Appends the bytes of the tokens of these numbers to `into`, `end` behind each. Before each token `each` is told where
    /// it begins there.
    ///
    /// # Complexity
    /// Linear in the bytes, without a call for each token of up to 16 bytes.
    pub fn append(
        &self,
        numbers: Range<usize>,
        end: u8,
        into: &mut Vec<u8>,
        mut each: impl FnMut(usize),
    ) {
        let parts = list_in(&self.parts, numbers);
        let ([first, ..], [.., last]) = (parts, parts) else { return };
        let mut at = into.len();
        // What is copied beyond a token is overwritten by the next, or cut off.
        into.resize(at + (last.1 - first.0) + parts.len() + COPIED, 0);
        for &(start, behind) in parts {
            each(at);
            let (from, length) = (list_in(&self.text, start..), behind - start);
            let to = into.get_mut(at..).unwrap_or_default();
            match (from.first_chunk::<COPIED>(), to.first_chunk_mut::<COPIED>()) {
                (Some(from), Some(to)) if length <= COPIED => *to = *from,
                _ => to.iter_mut().zip(&from[..length]).for_each(|(to, from)| *to = *from),
            }
            if let Some(behind) = to.get_mut(length) {
                *behind = end;
            }
            at += length + 1;
        }
        into.truncate(at);
    }

    /// The bytes of the text that the token of that number was made of; none behind the last.
    #[must_use]
    pub fn place(&self, number: usize) -> Range<usize> {
        let (start, end) = self.places.get(number).copied().unwrap_or_default();
        start..end
    }

    /// The XXH3-64 of each token, whatever hash the recipe has. Equal hashes hide unequal tokens where somebody means
    /// them to. None where they were not asked for.
    #[must_use]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Forgets all tokens; those that follow are hashed or not.
    pub(crate) fn begin(&mut self, is_hashed: bool) {
        self.text.clear();
        self.parts.clear();
        self.places.clear();
        self.hashes.clear();
        self.is_hashed = is_hashed;
    }

    /// Adds a token made of the bytes of `place`.
    pub(crate) fn push(&mut self, token: &str, place: Range<usize>) {
        let start = self.text.len();
        self.text.extend_from_slice(token.as_bytes());
        self.parts.push((start, self.text.len()));
        self.places.push((place.start, place.end));
        if self.is_hashed {
            self.hashes.push(xxh3_64(token.as_bytes()));
        }
    }
}
