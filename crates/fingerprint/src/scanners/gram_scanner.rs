//! Text to the XXH3 hashes of its runs of characters: the fast path of [`crate::text::grams`]. Text is cut
//! into pieces, white space is squeezed, and windows over the bytes of a piece are hashed where they
//! lie, those of ASCII without looking for characters.

use crate::hashing::xxh3_short::{self, MARGIN};
use crate::kernel::{Compiled, Kernel};
use crate::scanners::ascii_grams;
use crate::scanners::block_grams;
use crate::scanners::byte_masks::{BLOCK, begins, is_begin};
use crate::scanners::scan::cut;
use crate::scanners::squeeze::{SLACK, Squeeze};
use crate::text::case::Case;
use crate::text::form::TextForm;
use crate::text::grams::grams;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of working memory that are kept after a longer piece.
const KEPT: usize = 1 << 20;

/// Hashes runs of characters under one form and one case. Holds working memory: keep one and reuse it.
#[derive(Clone, Debug)]
pub(crate) struct GramScanner {
    kernel: Kernel,
    form: TextForm,
    case: Case,
    /// Characters of a run.
    length: usize,
    /// The characters before the piece that its first runs begin with, and the piece, between margins.
    buffer: Vec<u8>,
    scratch: String,
}

impl GramScanner {
    pub(crate) fn new(kernel: Kernel, form: TextForm, case: Case, length: usize) -> Self {
        Self { kernel, form, case, length, buffer: Vec::new(), scratch: String::new() }
    }

    /// Appends the hash of every run of characters of `text`, normalised and its case mapped.
    ///
    /// # Complexity
    /// Linear; for ASCII and four to eight characters some two bytes a nanosecond.
    pub(crate) fn hashes(&mut self, text: &str, hashes: &mut Vec<u64>) {
        let first = hashes.len();
        let (mut rest, mut end, mut after_blank) = (text, MARGIN, true);
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(cut(rest));
            rest = behind;
            (end, after_blank) = self.fill(piece, end, after_blank);
            let Self { kernel, length, buffer, .. } = self;
            let (kernel, length) = (*kernel, *length);
            kernel.run(Windows { kernel, buffer, end, length, hashes });
            end = self.keep_last(end);
            if self.buffer.len() > KEPT {
                self.buffer = self.buffer.get(..end).unwrap_or_default().to_vec();
            }
        }
        if hashes.len() - first < 2 {
            // Too short for a run, perhaps only after the blank at the end was removed.
            hashes.truncate(first);
            let Self { form, case, length, scratch, .. } = self;
            grams(&form.apply(text), *length, *case, scratch, |gram| {
                hashes.push(xxh3_64(gram.as_bytes()));
            });
        } else if after_blank {
            hashes.pop();
        }
    }

    /// Writes a piece to the buffer from `at` on, normalised, its case mapped and its white space
    /// squeezed; returns where it ends, and whether in a blank.
    fn fill(&mut self, piece: &str, at: usize, after_blank: bool) -> (usize, bool) {
        let Self { kernel, form, case, buffer, scratch, .. } = self;
        let normal = form.apply(piece);
        let mut text: &str = &normal;
        if *case != Case::Keep && !text.is_ascii() {
            scratch.clear();
            case.map_into(text, scratch);
            text = scratch;
        }
        buffer.resize(at.max(MARGIN) + text.len() + SLACK.max(2 * BLOCK), 0);
        let (lower, out) = (*case != Case::Keep, buffer.get_mut(at..).unwrap_or_default());
        let (written, after_blank) =
            kernel.run(Squeeze { kernel: *kernel, text: text.as_bytes(), lower, after_blank, out });
        let end = at + written;
        // Behind the text every byte is a character, so that its last runs end somewhere.
        if let Some(behind) = buffer.get_mut(end..) {
            behind.fill(0);
        }
        (end, after_blank)
    }

    /// Moves the last characters that begin runs of the next piece to the start of the buffer, and
    /// returns where they end.
    fn keep_last(&mut self, end: usize) -> usize {
        let (mut start, mut wanted) = (end, self.length - 1);
        while start > MARGIN && wanted > 0 {
            start -= 1;
            wanted -= usize::from(self.buffer.get(start).is_some_and(|&byte| is_begin(byte)));
        }
        self.buffer.copy_within(start..end, MARGIN);
        MARGIN + end - start
    }
}

/// Hashes the runs of the text that ends at `end` in the buffer.
struct Windows<'a> {
    kernel: Kernel,
    buffer: &'a [u8],
    end: usize,
    length: usize,
    hashes: &'a mut Vec<u64>,
}

#[expect(unsafe_code, reason = "hashes are written behind the end of a vector, and then counted")]
impl Compiled for Windows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let first = self.hashes.len();
        // No character is less than a byte, and whole blocks are written.
        self.hashes.reserve(self.end - MARGIN + BLOCK);
        let (mut at, mut count) = (MARGIN, 0);
        while at < self.end {
            let Self { kernel, buffer, end, length, hashes } = &mut self;
            let out = hashes.spare_capacity_mut().get_mut(count..).unwrap_or_default();
            let (to, number) = block_grams::hashes(*kernel, buffer, at, *end, *length, out);
            // Behind the text every byte is a character.
            count += number - to.saturating_sub(*end);
            at = to;
            if at < self.end {
                let (to, number) = self.of_few(at, count);
                (at, count) = (to, count + number);
            }
        }
        // The last characters begin runs that the text does not hold.
        let runs = count.saturating_sub(self.length - 1);
        // SAFETY: `count` hashes were written in a row, each to the spare capacity.
        unsafe { self.hashes.set_len(first + runs) };
    }
}

/// The bytes there, where their runs can be hashed without looking for characters.
#[inline(always)]
fn ascii(buffer: &[u8], at: usize, length: usize) -> Option<&[u8; ascii_grams::REACH]> {
    let bytes = buffer.get(at..)?.first_chunk::<{ ascii_grams::REACH }>()?;
    let ascii = bytes[..ascii_grams::RUNS + 8].iter().fold(0, |all, byte| all | byte) < 0x80;
    (ascii && (4..=8).contains(&length)).then_some(bytes)
}

impl Windows<'_> {
    /// Writes the hashes of the runs that begin in a row of ASCII, or up to the next one, from `count` on,
    /// and returns where they end, and how many there are.
    #[inline(always)]
    fn of_few(&mut self, at: usize, count: usize) -> (usize, usize) {
        let Self { kernel, buffer, end, length, hashes } = self;
        let out = hashes.spare_capacity_mut().get_mut(count..).and_then(<[_]>::first_chunk_mut);
        if let (Some(bytes), Some(out)) = (ascii(buffer, at, *length), out) {
            ascii_grams::hashes(*kernel, bytes, *length, out);
            return (at + ascii_grams::RUNS, ascii_grams::RUNS.min(*end - at));
        }
        let mut to = at;
        while to < *end && ascii(buffer, to, *length).is_none() {
            to += ascii_grams::RUNS;
        }
        (to, self.of_characters(at, to.min(self.end), count))
    }

    /// Writes the hashes of the runs that begin at the characters from `from` to `to`, from `count` on,
    /// and returns how many there are.
    #[inline(always)]
    fn of_characters(&mut self, from: usize, to: usize, count: usize) -> usize {
        let Self { kernel, buffer, length, hashes, .. } = self;
        let starts = Characters { kernel: *kernel, buffer, block: from, begins: 0, next: from };
        let (mut starts, mut ends) = (starts, starts);
        for _ in 0..*length {
            ends.next();
        }
        let mut number = 0;
        for out in hashes.spare_capacity_mut().get_mut(count..).unwrap_or_default() {
            let (Some(start), Some(end)) = (starts.next(), ends.next()) else { break };
            if start >= to {
                break;
            }
            out.write(xxh3_short::hash_run(buffer, start, end));
            number += 1;
        }
        number
    }
}

/// Where the characters of a text begin.
#[derive(Clone, Copy)]
struct Characters<'a> {
    kernel: Kernel,
    buffer: &'a [u8],
    /// Where the bytes lie that `begins` speaks of.
    block: usize,
    /// Those of them that begin characters that were not given.
    begins: u64,
    /// Where the bytes lie that come after.
    next: usize,
}

impl Characters<'_> {
    /// Where the next one does; `None` behind the buffer.
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.begins == 0 {
            let block = self.buffer.get(self.next..)?.first_chunk()?;
            self.begins = begins(self.kernel, block);
            self.block = self.next;
            self.next += BLOCK;
        }
        let at = self.block + self.begins.trailing_zeros() as usize;
        self.begins &= self.begins - 1;
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        for kernel in Kernel::all() {
            for form in TextForm::ALL {
                for case in [Case::Keep, Case::Lower, Case::Fold] {
                    for length in [2, 3, 4, 5, 8, 9, 16] {
                        let mut expected = Vec::new();
                        let normal = form.apply(text);
                        grams(&normal, length, case, &mut String::new(), |gram| {
                            expected.push(xxh3_64(gram.as_bytes()));
                        });
                        let mut scanner = GramScanner::new(kernel, form, case, length);
                        for _ in 0..2 {
                            let mut found = vec![7];
                            scanner.hashes(text, &mut found);
                            prop_assert_eq!(
                                &found[1..],
                                &expected,
                                "{:?} {:?} {}",
                                form,
                                case,
                                length
                            );
                        }
                    }
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn mixed_text_is_hashed_run_by_run(
            text in "[ \t\n\u{a0}\u{3000}\u{85}\u{1680}\u{2003}\u{2028}\u{202f}\u{205f}\u{1c}aZéİẞ\u{301}´上Ａ，…。’ﬁカｶ\u{ff9e}한\u{1161}\u{1d400}👨\u{200d}\u{200b}\0\u{7f}–ŉ⁗⁻\u{fe77}\u{fcf2}]{0,40}"
        ) {
            agrees(&text)?;
        }

        #[test]
        fn any_text_is_hashed_run_by_run(text: String) {
            agrees(&text)?;
        }

        #[test]
        fn runs_across_blocks_are_hashed_as_others(
            text in "([a-zA-Z ,]{50,70}[ é上\u{3000}👨]{0,3}){0,4}"
        ) {
            agrees(&text)?;
        }
    }

    #[test]
    fn texts_of_every_length_and_of_many_pieces_are_hashed() {
        for part in ["a", "ab ", " \n", "指", "é\u{301} ", "👨", "a上"] {
            for length in 0..150 {
                agrees(&part.repeat(length)).unwrap();
            }
            for length in [1500, 5000] {
                agrees(&format!("  {}  ", part.repeat(length))).unwrap();
            }
        }
    }
}
