//! Text to the hashes of its characters: the fast path of [`Split::Characters`]. Text that has to be
//! normalised together with its neighbours goes through the library, piece by piece.
//!
//! [`Split::Characters`]: crate::text::token::Split::Characters

use crate::hashing::hash::TokenHash;
use crate::kernel::{Compiled, Kernel};
use crate::scanners::byte_masks::is_blank;
use crate::scanners::scan::{cut, decode};
use crate::text::case::Case;
use crate::text::code_point_map::CodePointMap;
use crate::text::form::TextForm;
use crate::text::normalize::joins_backwards;

/// What a character comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CharToken {
    /// A token of that hash.
    Hash(u64),
    /// White space.
    Blank,
    /// Unknown before the text around it is normalised.
    Raw,
}

/// How characters become tokens.
#[derive(Clone, Copy, Debug)]
struct Rules {
    form: TextForm,
    case: Case,
    hash: TokenHash,
}

/// Hashes characters by one recipe. Holds tables that grow with the text: keep one and reuse it.
#[derive(Clone, Debug)]
pub(crate) struct CharScanner {
    kernel: Kernel,
    rules: Rules,
    /// The hash of each ASCII character; all white space has the hash of a blank.
    ascii: [u64; 128],
    /// Characters of text that is normalised.
    normal: CodePointMap<CharToken>,
    /// Characters of text as it comes.
    raw: CodePointMap<CharToken>,
}

impl CharScanner {
    pub(crate) fn new(kernel: Kernel, form: TextForm, case: Case, hash: TokenHash) -> Self {
        let rules = Rules { form, case, hash };
        let ascii =
            std::array::from_fn(|i| match rules.normal(u8::try_from(i).unwrap_or(0).into()) {
                CharToken::Hash(hash) => hash,
                _ => rules.blank(),
            });
        Self { kernel, rules, ascii, normal: CodePointMap::default(), raw: CodePointMap::default() }
    }

    /// Appends the hash of every character of `text`, normalised and its case mapped; runs of white
    /// space are one blank, none at either end.
    ///
    /// # Complexity
    /// Linear.
    pub(crate) fn hashes(&mut self, text: &str, hashes: &mut Vec<u64>) {
        let mut after_blank = true;
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(cut(rest));
            rest = behind;
            let form = self.rules.form;
            // ASCII has a table of its own, which knows no form.
            let found = if form.leaves_ascii_of(piece) {
                self.piece(piece, !form.is_any(), after_blank, hashes)
            } else {
                None
            };
            after_blank = found.unwrap_or_else(|| {
                let normal = form.apply(piece);
                self.piece(&normal, false, after_blank, hashes).unwrap_or(after_blank)
            });
        }
        if after_blank {
            hashes.pop();
        }
    }

    /// Appends the hashes of a piece; returns whether a blank is the last, or, with nothing appended,
    /// `None` if the character must be normalised.
    fn piece(
        &mut self,
        text: &str,
        raw: bool,
        after_blank: bool,
        hashes: &mut Vec<u64>,
    ) -> Option<bool> {
        let Self { kernel, rules, ascii, normal, raw: unnormal } = self;
        let table = if raw { unnormal } else { normal };
        let bytes = text.as_bytes();
        kernel.run(Piece { bytes, rules: *rules, raw, ascii, table, after_blank, hashes })
    }
}

impl Rules {
    fn blank(self) -> u64 {
        self.hash.hash(" ")
    }

    /// What a character of normalised text comes to.
    fn normal(self, c: char) -> CharToken {
        if c.is_whitespace() {
            return CharToken::Blank;
        }
        CharToken::Hash(self.hash.hash(self.case.map(c).encode_utf8(&mut [0; 4])))
    }

    /// What a character of any text comes to.
    fn raw(self, c: char) -> CharToken {
        let normal = self.form.apply(c.encode_utf8(&mut [0; 4])).into_owned();
        let mut chars = normal.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) if !joins_backwards(only) => self.normal(only),
            _ => CharToken::Raw,
        }
    }
}

/// Bytes of ASCII that are hashed together where no blank follows another.
const SMOOTH: usize = 32;

/// Whether every byte is ASCII and a token.
#[inline(always)]
fn is_smooth(block: &[u8; SMOOTH], after_blank: bool) -> bool {
    let wide = block.iter().fold(0, |all, byte| all | byte) & 0x80;
    let pairs = block.iter().zip(&block[1..]);
    let rough = pairs.fold(0, |all, (&a, &b)| all | u8::from(is_blank(a) & is_blank(b)));
    (wide | rough == 0) & !(after_blank & is_blank(block[0]))
}

struct Piece<'a> {
    bytes: &'a [u8],
    rules: Rules,
    /// Whether the piece may have to be normalised.
    raw: bool,
    ascii: &'a [u64; 128],
    /// What characters beyond ASCII come to.
    table: &'a mut CodePointMap<CharToken>,
    after_blank: bool,
    hashes: &'a mut Vec<u64>,
}

impl Compiled for Piece<'_> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run(self) -> Option<bool> {
        let Self { bytes, rules, raw, ascii, table, mut after_blank, hashes } = self;
        let blank = ascii[usize::from(b' ')];
        let start = hashes.len();
        // No character is less than a byte.
        hashes.resize(start + bytes.len(), 0);
        let out = &mut hashes[start..];
        let (mut at, mut kept, mut looked_at) = (0, 0, 0);
        while let Some(&byte) = bytes.get(at) {
            if at >= looked_at {
                looked_at = at + SMOOTH;
                if let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<SMOOTH>)
                    && is_smooth(block, after_blank)
                    && let Some(target) = out.get_mut(kept..kept + SMOOTH)
                {
                    for (hash, byte) in target.iter_mut().zip(block) {
                        *hash = ascii[usize::from(byte & 0x7f)];
                    }
                    after_blank = is_blank(block[SMOOTH - 1]);
                    (at, kept) = (at + SMOOTH, kept + SMOOTH);
                    continue;
                }
            }
            let (hash, is_blank);
            if byte < 0x80 {
                hash = ascii[usize::from(byte)];
                is_blank = crate::scanners::byte_masks::is_blank(byte);
                at += 1;
            } else {
                let (c, length) = decode(bytes, at);
                at += length;
                (hash, is_blank) =
                    match table.get(c, |c| if raw { rules.raw(c) } else { rules.normal(c) }) {
                        CharToken::Hash(hash) => (hash, false),
                        CharToken::Blank => (blank, true),
                        CharToken::Raw => {
                            hashes.truncate(start);
                            return None;
                        }
                    };
            }
            out[kept] = hash;
            // Bit by bit: where words end is not foreseen.
            kept += usize::from(!(is_blank & after_blank));
            after_blank = is_blank;
        }
        hashes.truncate(start + kept);
        Some(after_blank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::token::Split;
    use proptest::prelude::*;

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        let hash = TokenHash::Xxh3;
        for kernel in Kernel::all() {
            for form in TextForm::ALL {
                for case in [Case::Keep, Case::Lower, Case::Fold] {
                    let mut expected = Vec::new();
                    Split::Characters.tokens(
                        &form.apply(text),
                        case,
                        &mut String::new(),
                        |token| {
                            expected.push(hash.hash(token));
                        },
                    );
                    let mut scanner = CharScanner::new(kernel, form, case, hash);
                    for _ in 0..2 {
                        let mut found = Vec::new();
                        scanner.hashes(text, &mut found);
                        prop_assert_eq!(&found, &expected, "{:?} {:?}", form, case);
                    }
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn mixed_text_is_hashed_character_by_character(
            text in "[ \t\n\u{a0}\u{3000}\u{85}\u{1c}aZéİẞ\u{301}上Ａ，…ﬁカｶ\u{ff9e}한\u{1161}\u{1d400}👨\u{200d}\u{200b}\0\u{7f}’–ŉ⁗⁻\u{fe77}\u{fcf2}]{0,40}"
        ) {
            agrees(&text)?;
        }

        #[test]
        fn any_text_is_hashed_character_by_character(text: String) {
            agrees(&text)?;
        }
    }

    #[test]
    fn two_blanks_are_one_wherever_they_are() {
        for at in 0..3 * SMOOTH {
            for blanks in [" ", "  ", "\u{3000} ", " \u{a0}", "é "] {
                agrees(&format!("{}{blanks}{}", "a".repeat(at), "b".repeat(2 * SMOOTH))).unwrap();
            }
        }
    }

    #[test]
    fn blanks_are_joined_across_pieces() {
        for part in ["ab ", " \n", "指纹", "é\u{301} ", "x"] {
            for length in [1500, 5000] {
                agrees(&part.repeat(length)).unwrap();
                agrees(&format!("  {}  ", part.repeat(length))).unwrap();
            }
        }
    }
}
