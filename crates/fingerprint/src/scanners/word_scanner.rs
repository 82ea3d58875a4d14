//! Text to its words, as hashes or with their places: the fast path of [`Split::Words`]. Text is cut into pieces, each
//! marked with bit masks from which words are read off; what the masks cannot say (text that has to
//! be normalised, rare characters) goes through the library or the scanner of [`crate::text::token`].

use crate::hashing::hash::TokenHash;
use crate::hashing::xxh3_short::MARGIN;
use crate::in_bounds::{list_in, place_in, text_in};
use crate::kernel::Kernel;
use crate::scanners::char_table::{Becomes, CharTable};
use crate::scanners::placed_words::PlacedWords;
use crate::scanners::scan::{cut, decode};
use crate::scanners::word_marks::{WordHashes, WordMarks, WordReader, move_run};
use crate::scanners::word_masks::{BLOCK, WordMasks};
use crate::text::aligned_text::{AlignedText, Places};
use crate::text::case::Case;
use crate::text::char_class::CharClass;
use crate::text::digits::Digits;
use crate::text::form::TextForm;
use crate::text::placed_tokens::PlacedTokens;
use crate::text::token::Split;
use crate::text::visible::non_joiner_shows;

/// Bytes of working memory that are kept after a longer piece.
const KEPT: usize = 1 << 20;

/// Why a piece cannot be marked as it is.
enum Unfit {
    /// It has to be normalised first.
    Raw,
    /// It holds what only the library knows how to segment.
    Rare,
}

/// What is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Text in its form.
    Normal,
    /// Text as it comes.
    Raw,
    /// The same; bytes of words may be moved, so that one that gets shorter lies in a row.
    Movable,
}

/// Finds words under one form and one case. Holds working memory: keep one and reuse it.
#[derive(Clone, Debug)]
pub(crate) struct WordScanner {
    kernel: Kernel,
    form: TextForm,
    case: Case,
    digits: Digits,
    table: CharTable,
    /// The piece in the asked case, between margins.
    text: Vec<u8>,
    /// The marks of each block, between two that are empty.
    marks: Vec<WordMarks>,
    reader: WordReader,
    token: String,
}

impl WordScanner {
    pub(crate) fn new(kernel: Kernel, form: TextForm, case: Case) -> Self {
        Self {
            kernel,
            form,
            case,
            digits: Digits::Keep,
            table: CharTable::new(form, case),
            text: Vec::new(),
            marks: Vec::new(),
            reader: WordReader::new(kernel),
            token: String::new(),
        }
    }

    /// The same, for words whose digits are treated so.
    pub(crate) fn with_digits(self, digits: Digits) -> Self {
        Self { digits, ..self }
    }

    /// Appends the hash of every word of `text`, normalised and its case mapped.
    ///
    /// # Complexity
    /// Linear; of the order of a byte a cycle for ASCII.
    pub(crate) fn hashes(&mut self, text: &str, hash: TokenHash, hashes: &mut Vec<u64>) {
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(cut(rest));
            rest = behind;
            match self.mark(piece, Source::Movable) {
                Ok(()) => self.read(hash, hashes),
                Err(Unfit::Rare) => self.hash_slowly(&self.form.apply(piece), hash, hashes),
                Err(Unfit::Raw) => {
                    let normal = self.form.apply(piece);
                    match self.mark(&normal, Source::Normal) {
                        Ok(()) => self.read(hash, hashes),
                        Err(_) => self.hash_slowly(&normal, hash, hashes),
                    }
                }
            }
            self.forget_long();
        }
    }

    /// Appends every word of `text`, normalised and its case mapped, with its place. `aligned` brings text to the same
    /// form.
    ///
    /// # Complexity
    /// As [`Self::hashes`], and a copy of the words.
    pub(crate) fn placed(
        &mut self,
        text: &str,
        aligned: &mut AlignedText,
        into: &mut PlacedTokens,
    ) {
        let mut base = 0;
        while base < text.len() {
            let piece = text_in(text, base..);
            let piece = text_in(piece, ..cut(piece));
            match self.mark(piece, Source::Raw) {
                Ok(()) => self.place(piece.len(), base, None, into),
                Err(unfit) => {
                    let (normal, places) = aligned.align(piece);
                    match unfit {
                        Unfit::Raw if self.mark(normal, Source::Normal).is_ok() => {
                            self.place(normal.len(), base, Some(places), into);
                        }
                        _ => self.place_slowly(normal, base, places, into),
                    }
                }
            }
            self.forget_long();
            base += piece.len();
        }
    }

    fn forget_long(&mut self) {
        if self.text.len() > KEPT {
            (self.text, self.marks) = (Vec::new(), Vec::new());
        }
    }

    #[inline(never)]
    fn read(&mut self, hash: TokenHash, hashes: &mut Vec<u64>) {
        self.map_digits();
        self.reader.read(&self.text, &self.marks, WordHashes { hash, hashes });
    }

    /// Maps the digits of the piece that is marked. They are those of ASCII: there are no others in it.
    fn map_digits(&mut self) {
        if self.digits == Digits::One {
            for byte in &mut self.text {
                *byte = if byte.is_ascii_digit() { b'0' } else { *byte };
            }
        }
    }

    /// Appends the words of the piece of so many bytes that is marked, which lies at `base`; its `places` unless it is
    /// as it came.
    fn place(
        &mut self,
        bytes: usize,
        base: usize,
        places: Option<Places<'_>>,
        into: &mut PlacedTokens,
    ) {
        self.map_digits();
        let Self { reader, text, marks, .. } = self;
        let at = into.text.len();
        into.text.extend_from_slice(list_in(text, MARGIN..MARGIN + bytes));
        reader.read(text, marks, PlacedWords { at, base, places, into });
    }

    fn place_slowly(
        &mut self,
        normal: &str,
        base: usize,
        mut places: Places<'_>,
        into: &mut PlacedTokens,
    ) {
        let Self { case, digits, token, .. } = self;
        Split::Words.parts_in(None, normal, |part| {
            Split::Words.token_of(part, *case, token);
            let place = places.of(place_in(normal, part));
            into.push(&digits.apply(token), base + place.start..base + place.end);
        });
    }

    fn hash_slowly(&mut self, normal: &str, hash: TokenHash, hashes: &mut Vec<u64>) {
        let Self { case, digits, token, .. } = self;
        Split::Words.tokens(normal, *case, token, |token| {
            hashes.push(hash.hash(&digits.apply(token)));
        });
    }

    /// Marks every byte of a piece.
    fn mark(&mut self, piece: &str, source: Source) -> Result<(), Unfit> {
        let bytes = piece.as_bytes();
        let source = if self.form.is_any() { Source::Normal } else { source };
        if u32::try_from(bytes.len()).is_err() {
            return Err(Unfit::Rare);
        }
        let blocks = bytes.len() / BLOCK + 1;
        self.text.resize(blocks * BLOCK + 2 * MARGIN, 0);
        self.marks.clear();
        self.marks.push(WordMarks::default());
        let (whole, rest) = bytes.as_chunks::<BLOCK>();
        let mut last = [b' '; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let targets = self.text[MARGIN..].as_chunks_mut::<BLOCK>().0;
        let lower = self.case != Case::Keep;
        let (mut leads, mut spilled) = (0, 0);
        for (block, target) in whole.iter().chain([&last]).zip(targets) {
            let masks = WordMasks::of(self.kernel, block, target, lower);
            leads |= masks.leads;
            self.marks.push(WordMarks {
                letters: masks.letters,
                digits: masks.digits,
                joiners: masks.joiners,
                mid_letters: masks.mid_letters,
                mid_numbers: masks.mid_numbers,
                solo: masks.solos | masks.solos << 1 | masks.solos << 2 | spilled,
                solo_starts: masks.solos,
                leads: masks.leads,
            });
            spilled = masks.solos >> 63 | masks.solos >> 62;
        }
        self.marks.push(WordMarks::default());
        if leads != 0 { self.mark_wide(piece, source) } else { Ok(()) }
    }

    /// Marks the characters that no mask knew. Not inlined: ASCII has none, and the loop before has few registers.
    #[inline(never)]
    fn mark_wide(&mut self, piece: &str, source: Source) -> Result<(), Unfit> {
        for block in 0..=piece.len() / BLOCK {
            let mut leads = self.marks[block + 1].leads;
            while leads != 0 {
                let at = block * BLOCK + leads.trailing_zeros() as usize;
                leads &= leads - 1;
                self.mark_char(piece, at, source)?;
            }
        }
        Ok(())
    }

    fn mark_char(&mut self, piece: &str, at: usize, source: Source) -> Result<(), Unfit> {
        let (bytes, raw) = (piece.as_bytes(), source != Source::Normal);
        let (c, length) = match bytes[at] {
            ascii @ 0..0x80 => (char::from(ascii), 1),
            _ => decode(bytes, at),
        };
        let facts = self.table.get(c);
        let class = match facts.raw_class {
            _ if !raw => facts.class,
            Some(class) => class,
            None if is_seen(piece, at, c, facts.becomes)? => facts.class,
            None => return self.leave_out(bytes, at, length, source),
        };
        match class {
            CharClass::Other | CharClass::Space => return Ok(()),
            CharClass::Letter => self.set(at, length, |marks| &mut marks.letters),
            // It may become one of ASCII, which is shorter.
            CharClass::Digit if self.digits == Digits::One => return Err(Unfit::Rare),
            CharClass::Digit => self.set(at, length, |marks| &mut marks.digits),
            CharClass::Solo => {
                self.set(at, length, |marks| &mut marks.solo);
                self.set(at, 1, |marks| &mut marks.solo_starts);
            }
            CharClass::SoloMark => {
                if self.is_set(at, |marks| marks.solo) {
                    self.set(at, length, |marks| &mut marks.solo);
                }
            }
            CharClass::Extend => {
                if self.is_set(at, |marks| marks.solo) {
                    self.set(at, length, |marks| &mut marks.solo);
                } else if self.is_set(at, |marks| marks.letters) {
                    self.set(at, length, |marks| &mut marks.letters);
                } else if self.is_set(at, |marks| marks.digits) {
                    self.set(at, length, |marks| &mut marks.digits);
                } else if self.is_set(at, |marks| marks.joiners) {
                    self.set(at, length, |marks| &mut marks.joiners);
                } else if self.is_set(at, |marks| marks.mid_letters | marks.mid_numbers) {
                    return Err(Unfit::Rare);
                }
            }
            CharClass::MidLetter | CharClass::MidNum | CharClass::MidAny => {
                let between = match class {
                    _ if self.is_set(at, |marks| marks.letters) => CharClass::Letter,
                    _ if self.is_set(at, |marks| marks.digits) => CharClass::Digit,
                    _ => return Ok(()),
                };
                let fits = match between {
                    CharClass::Letter => class != CharClass::MidNum,
                    _ => class != CharClass::MidLetter,
                };
                let after =
                    if fits { self.class_at(bytes, at + length, raw)? } else { CharClass::Space };
                if matches!(after, CharClass::Extend | CharClass::Rare) {
                    return Err(Unfit::Rare);
                }
                if after == between {
                    if raw && let Becomes::Sign(sign) = facts.becomes {
                        return self.set_sign(at, length, sign, source);
                    }
                    self.set(at, length, |marks| &mut marks.joiners);
                }
            }
            CharClass::Joiner | CharClass::Rare => return Err(Unfit::Rare),
        }
        if let Some(mapped) = facts.mapped
            && let Some(target) = self.text.get_mut(MARGIN + at..MARGIN + at + length)
        {
            mapped.encode_utf8(target);
        }
        Ok(())
    }

    /// The class of the character there; `raw` where it may have to be normalised.
    fn class_at(&mut self, bytes: &[u8], at: usize, raw: bool) -> Result<CharClass, Unfit> {
        let Some(first) = bytes.get(at) else { return Ok(CharClass::Space) };
        Ok(match first {
            b'A'..=b'Z' | b'a'..=b'z' => CharClass::Letter,
            b'0'..=b'9' => CharClass::Digit,
            0x80.. if raw => self.table.get(decode(bytes, at).0).raw_class.ok_or(Unfit::Raw)?,
            0x80.. => self.table.get(decode(bytes, at).0).class,
            // A control may be nothing.
            &ascii if raw => self.table.get(ascii.into()).raw_class.ok_or(Unfit::Raw)?,
            _ => CharClass::Other,
        })
    }

    /// Goes on as if the character there were not in the text.
    fn leave_out(
        &mut self,
        bytes: &[u8],
        at: usize,
        length: usize,
        source: Source,
    ) -> Result<(), Unfit> {
        if self.is_set(at, |marks| marks.solo) {
            use CharClass::{Extend, SoloMark};
            let after = self.class_at(bytes, at + length, true)?;
            return if matches!(after, Extend | SoloMark) { Err(Unfit::Raw) } else { Ok(()) };
        }
        self.close_up(at, length, source)
    }

    /// Writes a sign that joins what stands around it in place of the character there.
    fn set_sign(
        &mut self,
        at: usize,
        length: usize,
        sign: char,
        source: Source,
    ) -> Result<(), Unfit> {
        let less = length - sign.len_utf8();
        self.close_up(at, less, source)?;
        self.set(at + less, length - less, |marks| &mut marks.joiners);
        if let Some(target) = self.text.get_mut(MARGIN + at + less..MARGIN + at + length) {
            sign.encode_utf8(target);
        }
        Ok(())
    }

    /// Moves what may be in a word and ends there by so many bytes to the right, with its marks.
    fn close_up(&mut self, at: usize, by: usize, source: Source) -> Result<(), Unfit> {
        if by == 0 || !self.is_set(at, WordMarks::joined) {
            return Ok(());
        }
        if source != Source::Movable {
            return Err(Unfit::Raw);
        }
        let run = move_run(&mut self.marks, at, by).ok_or(Unfit::Raw)?;
        let at = MARGIN + at;
        self.text.copy_within(at - run..at, at - run + by);
        Ok(())
    }

    /// Whether a mark is set on the byte before `at`.
    fn is_set(&self, at: usize, mark: impl Fn(&WordMarks) -> u64) -> bool {
        // The first block of marks is an empty one before the text.
        let before = at + BLOCK - 1;
        mark(&self.marks[before / BLOCK]) >> (before % BLOCK) & 1 == 1
    }

    /// Sets a mark on `length` bytes, at most a block.
    fn set(&mut self, at: usize, length: usize, mark: impl Fn(&mut WordMarks) -> &mut u64) {
        let ones = u64::MAX >> (BLOCK - length);
        let (block, bit) = (at / BLOCK + 1, at % BLOCK);
        *mark(&mut self.marks[block]) |= ones << bit;
        if bit + length > BLOCK {
            *mark(&mut self.marks[block + 1]) |= ones >> (BLOCK - bit);
        }
    }
}

/// Whether a character that has no class before it is normalised is seen as itself, or as nothing.
fn is_seen(piece: &str, at: usize, c: char, becomes: Becomes) -> Result<bool, Unfit> {
    match becomes {
        Becomes::Nothing => Ok(false),
        Becomes::Other if c == '\u{200c}' => {
            let (before, from) = piece.split_at(at);
            non_joiner_shows(before, text_in(from, c.len_utf8()..)).ok_or(Unfit::Raw)
        }
        _ => Err(Unfit::Raw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::NormalForm;
    use proptest::prelude::*;

    /// By the scanner that follows the annex character by character.
    fn slowly(form: TextForm, case: Case, text: &str) -> Vec<u64> {
        let mut hashes = Vec::new();
        Split::Words.tokens(&form.apply(text), case, &mut String::new(), |token| {
            hashes.push(TokenHash::Xxh3.hash(token));
        });
        hashes
    }

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        for kernel in Kernel::all() {
            for form in TextForm::ALL {
                for case in [Case::Keep, Case::Lower, Case::Fold] {
                    let mut scanner = WordScanner::new(kernel, form, case);
                    let mut found = Vec::new();
                    // Twice: a scanner is made to be used again.
                    scanner.hashes(text, TokenHash::Xxh3, &mut found);
                    found.clear();
                    scanner.hashes(text, TokenHash::Xxh3, &mut found);
                    prop_assert_eq!(found, slowly(form, case, text), "{:?} {:?}", form, case);
                }
            }
        }
        Ok(())
    }

    fn matching(regex: String) -> impl Strategy<Value = String> {
        prop::string::string_regex(&regex).unwrap()
    }

    const MIXED: &str = "[aZéÉ÷ßя1_'.,:;·’…，：１Ａ\u{301}\u{ad}\u{200c}\u{200d}\u{200b}\u{640}\u{fe0f}\0\u{f}\u{7f}ʼ“–\u{202f} \n\u{a0}א\"ש上丁龍䷀か\u{3099}\u{3040}゛ｶﾞカーก\u{e35}\u{e33}ำ한\u{1161}🇫🇷👨İẞﬁ½٣ويخक\u{94d}\u{1d400}\u{20000}ŉ⁗⁻\u{fe77}\u{fcf2}-]";

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(300)))]
        #[test]
        fn short_text_is_hashed_as_by_the_annex(text in matching(format!("{MIXED}{{0,40}}"))) {
            agrees(&text)?;
        }

        #[test]
        fn words_across_blocks_are_hashed_as_by_the_annex(
            text in matching(format!("([a-zA-Z0-9_'.,: ]{{20,63}}{MIXED}{{0,3}}){{0,6}}"))
        ) {
            agrees(&text)?;
        }

        #[test]
        fn any_text_is_hashed_as_by_the_annex(text: String) {
            agrees(&text)?;
        }
    }

    #[test]
    fn text_of_many_pieces_is_hashed_as_by_the_annex() {
        for part in [
            "near-print's ",
            "指纹",
            "слово, ",
            "x",
            "ab.",
            "カ",
            "か\u{3099}一",
            "ก\u{e35}",
            "１，０ é ",
            "λόγος ",
        ] {
            for length in [1000, 4000] {
                agrees(&part.repeat(length)).unwrap();
            }
        }
    }

    #[test]
    fn what_stands_between_letters_is_told_by_what_those_are_normalised_to() {
        for text in ["a·ʼ", "a：ʼb", "1；ʼ", "a·Ａ", "a·\u{ad}b", "a·\0b", "a’ʼ", "a·é"]
        {
            agrees(text).unwrap();
        }
    }

    #[test]
    fn what_is_left_out_brings_together_what_stands_around_it() {
        for text in [
            "カ\u{200b}\u{ff9e}b",
            "か\u{200b}カ",
            "ي\u{640}\u{200c}خ",
            "ي\u{200c}خ ي\u{200c} x\u{200c}y",
            "क\u{94d}\u{200c}ष",
            "a\u{ad}.b a.\u{ad}b 1\u{feff},2",
        ] {
            agrees(text).unwrap();
        }
    }

    #[test]
    fn words_that_get_shorter_are_hashed_as_by_the_annex() {
        let kernel = Kernel::detect();
        let form = TextForm { normal: NormalForm::Nfkc, visible: true };
        let mut scanner = WordScanner::new(kernel, form, Case::Lower);
        for sign in ["’", "\u{ad}", "\u{200b}", "\0", "ʼ", "：", "\u{200c}", "\u{640}"] {
            for start in [0, 1, 61, 63, 64, 126] {
                for length in [0, 1, 2, 3, 15, 16, 17, 62, 63, 64, 65, 130] {
                    let word: String = "aB3_.,".chars().cycle().take(length).collect();
                    let text = format!(
                        "{} {word}{sign}d x{word}é{sign}y{sign}z上{sign} e",
                        ".".repeat(start)
                    );
                    let mut found = Vec::new();
                    scanner.hashes(&text, TokenHash::Xxh3, &mut found);
                    assert_eq!(found, slowly(form, Case::Lower, &text), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn joiners_alone_are_no_word_where_the_reader_pauses() {
        for at in 4090..4100 {
            agrees(&format!("{}____{}", ";".repeat(at), ";".repeat(200))).unwrap();
        }
    }
}
