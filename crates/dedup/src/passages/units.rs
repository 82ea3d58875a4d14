//! The units of a document, with their hashes, their bytes in the text, and the text that they are compared by.

use crate::passages::unit::PassageUnit;
use nearprint_fingerprint::{
    Digits, PlacedTokens, Recipe, RecipeError, Tokenizer, Unit, mix64, units,
};
use std::ops::Range;

/// Stands behind a token, and behind a unit of several, where texts are compared: bytes that UTF-8 does not have.
const TOKEN_END: u8 = 0xff;
const UNIT_END: u8 = 0xfe;

/// Cuts texts into units, for one thread.
///
/// Memory: some 40 bytes a token of the longest text.
pub(crate) struct UnitReader {
    tokenizer: Tokenizer,
    /// What of a text a unit is, where that is more than a token.
    unit: Option<Unit>,
    placed: PlacedTokens,
    segments: Vec<Range<usize>>,
    /// Of units of several tokens the first token of each, and behind the last the number of all; with their bytes.
    starts: Vec<usize>,
    spans: Vec<Range<usize>>,
    /// Hashes of units, where they are asked for and are not those of the tokens.
    hashes: Vec<u64>,
}

/// The units of a text.
#[derive(Clone, Copy)]
pub(crate) struct Units<'a> {
    placed: &'a PlacedTokens,
    /// Of units of several tokens the first token of each, and behind the last the number of all; with their bytes.
    joined: Option<(&'a [usize], &'a [Range<usize>])>,
    /// None where they were not asked for.
    hashes: &'a [u64],
}

impl UnitReader {
    /// # Errors
    /// A recipe whose tokens have no places, by name.
    pub(crate) fn new(
        recipe: &Recipe,
        unit: PassageUnit,
        digits: Digits,
    ) -> Result<Self, RecipeError> {
        Ok(Self {
            tokenizer: Tokenizer::new(recipe, digits)?,
            unit: unit.of_text(),
            placed: PlacedTokens::default(),
            segments: Vec::new(),
            starts: Vec::new(),
            spans: Vec::new(),
            hashes: Vec::new(),
        })
    }

    /// The units of a text.
    ///
    /// # Complexity
    /// Linear; no allocation but the growth of what is reused.
    pub(crate) fn read(&mut self, text: &str) -> Units<'_> {
        self.tokenizer.tokens(text, &mut self.placed);
        self.units(text)
    }

    /// The units of a text, without their hashes.
    ///
    /// # Complexity
    /// As [`Self::read`], in less time.
    pub(crate) fn read_without_hashes(&mut self, text: &str) -> Units<'_> {
        self.tokenizer.tokens_without_hashes(text, &mut self.placed);
        self.units(text)
    }

    /// The units of the tokens that were read.
    fn units(&mut self, text: &str) -> Units<'_> {
        let Some(unit) = self.unit else {
            let placed = &self.placed;
            return Units { placed, joined: None, hashes: placed.hashes() };
        };
        segments(text, unit, &mut self.segments);
        self.join();
        let Self { placed, starts, spans, hashes, .. } = self;
        Units { placed, joined: Some((starts, spans)), hashes }
    }

    /// The hashes of the units of a text alone, and how many tokens it has.
    ///
    /// # Complexity
    /// As [`Self::read`]; where units are tokens, in about half the time.
    pub(crate) fn hashes(&mut self, text: &str) -> (&[u64], usize) {
        if self.unit.is_none() {
            self.tokenizer.hashes(text, &mut self.hashes);
            return (&self.hashes, self.hashes.len());
        }
        let units = self.read(text);
        (units.hashes, units.tokens())
    }

    /// Joins the tokens of each segment to a unit.
    fn join(&mut self) {
        let Self { placed, segments, starts, spans, hashes, .. } = self;
        starts.clear();
        spans.clear();
        hashes.clear();
        let (of_tokens, mut token) = (placed.hashes(), 0);
        for segment in segments.iter() {
            let first = token;
            while token < placed.len() && placed.place(token).start < segment.end {
                token += 1;
            }
            if token > first {
                starts.push(first);
                spans.push(segment.clone());
                let of_unit = of_tokens.get(first..token);
                let hash = |hash: u64, of_token: &u64| mix64(hash ^ of_token).wrapping_add(1);
                hashes.extend(of_unit.map(|of_unit| of_unit.iter().fold(0, hash)));
            }
        }
        starts.push(token);
    }
}

impl Units<'_> {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.joined.map_or(self.placed.len(), |(_, spans)| spans.len())
    }

    /// A hash of each.
    pub(crate) fn hashes(&self) -> &[u64] {
        self.hashes
    }

    /// A token as it is compared.
    pub(crate) fn token(&self, number: usize) -> &str {
        self.placed.text(number)
    }

    /// The bytes of the text from the first unit of a range, which is not empty, to its last.
    pub(crate) fn span(&self, units: Range<usize>) -> Range<usize> {
        let (first, last) = (units.start, units.end - 1);
        match self.joined {
            None => self.placed.place(first).start..self.placed.place(last).end,
            Some((_, spans)) => spans[first].start..spans[last].end,
        }
    }

    /// Tokens of the text.
    pub(crate) fn tokens(&self) -> usize {
        self.placed.len()
    }

    /// Tokens that begin before a byte of the text.
    ///
    /// # Complexity
    /// `O(log n)` for `n` tokens.
    pub(crate) fn tokens_before(&self, byte: usize) -> usize {
        let (mut low, mut high) = (0, self.placed.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.placed.place(middle).start < byte {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The last token that begins before a byte of the text.
    pub(crate) fn token_before(&self, byte: usize) -> Option<Range<usize>> {
        self.tokens_before(byte).checked_sub(1).map(|last| self.placed.place(last))
    }

    /// Where the token ends that is before a byte at which one begins, 0 if it is the first.
    pub(crate) fn gap_before(&self, byte: usize) -> usize {
        self.tokens_before(byte)
            .checked_sub(1)
            .map_or(0, |last| self.placed.place(last).end.min(byte))
    }

    /// Where the token begins that is behind a byte; `length`, that of the text, if there is none.
    pub(crate) fn gap_behind(&self, byte: usize, length: usize) -> usize {
        match self.tokens_before(byte) {
            next if next < self.placed.len() => self.placed.place(next).start,
            _ => length,
        }
    }

    /// Appends the text that the units of a range are compared by: units are equal exactly if it is, and where one
    /// begins with another's, their first units are.
    pub(crate) fn push_text(&self, units: Range<usize>, into: &mut Vec<u8>) {
        self.push_texts(units, into, |_| ());
    }

    /// The same; before each unit `each` is told where its text begins in `into`.
    pub(crate) fn push_texts(
        &self,
        units: Range<usize>,
        into: &mut Vec<u8>,
        mut each: impl FnMut(usize),
    ) {
        let Some((starts, _)) = self.joined else {
            return self.placed.append(units, TOKEN_END, into, each);
        };
        for unit in units {
            each(into.len());
            self.placed.append(starts[unit]..starts[unit + 1], TOKEN_END, into, |_| ());
            into.push(UNIT_END);
        }
    }
}

/// Puts the lines, sentences or paragraphs of a text into `into`, in their order, each without the white space around
/// it. None is empty.
pub(crate) fn segments(text: &str, unit: Unit, into: &mut Vec<Range<usize>>) {
    into.clear();
    into.extend(units(text, unit).filter_map(|place| {
        let all = text.get(place.clone()).unwrap_or_default();
        let start = place.start + (all.len() - all.trim_start().len());
        let length = all.trim().len();
        (length > 0).then_some(start..start + length)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, unit: PassageUnit, digits: Digits) -> Vec<(String, Vec<u8>)> {
        let mut reader = UnitReader::new(&Recipe::default(), unit, digits).unwrap();
        let units = reader.read(text);
        assert_eq!(units.hashes().len(), units.len());
        let each = (0..units.len()).map(|at| {
            let mut compared = Vec::new();
            units.push_text(at..at + 1, &mut compared);
            (text[units.span(at..at + 1)].to_owned(), compared)
        });
        each.collect()
    }

    #[test]
    fn units_have_their_bytes_and_their_tokens() {
        let text = "- One two.\n\n***\nThree 3rd.  One TWO";
        let lines = texts(text, PassageUnit::Line, Digits::Keep);
        let spans: Vec<_> = lines.iter().map(|(span, _)| span.as_str()).collect();
        assert_eq!(spans, ["- One two.", "Three 3rd.  One TWO"]);
        assert_eq!(lines[0].1, b"one\xfftwo\xff\xfe");
        let sentences = texts(text, PassageUnit::Sentence, Digits::Keep);
        assert_eq!(sentences.len(), 3);
        assert_eq!(sentences[0].1, sentences[2].1);
        assert_eq!(texts(text, PassageUnit::Token, Digits::Keep).len(), 6);
        assert_eq!(
            texts(text, PassageUnit::Token, Digits::Keep)[1],
            ("two".to_owned(), b"two\xff".to_vec())
        );
    }

    #[test]
    fn digits_are_one_where_that_is_asked_for() {
        let hashes = |text: &str, digits| {
            let mut reader =
                UnitReader::new(&Recipe::default(), PassageUnit::Line, digits).unwrap();
            reader.read(text).hashes().to_vec()
        };
        let text = "in 2019, 3\nin 2026, 7\nin 20, 7";
        let one = hashes(text, Digits::One);
        assert_eq!(one[0], one[1]);
        assert_ne!(one[1], one[2]);
        let kept = hashes(text, Digits::Keep);
        assert_ne!(kept[0], kept[1]);
        let texts = texts(text, PassageUnit::Line, Digits::One);
        assert_eq!(texts[0].1, texts[1].1);
    }
}
