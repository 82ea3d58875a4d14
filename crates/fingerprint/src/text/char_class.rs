//! What the word scanner needs to know of a character. The rules that use it are in
//! [`crate::text::token`].

use icu_properties::CodePointMapData;
use icu_properties::props::{LineBreak, Script, WordBreak};
use std::sync::LazyLock;

/// The part a character plays in word segmentation (UAX #29, table 3, joined where the rules do
/// not tell values apart).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum CharClass {
    /// Neither part of a word nor able to join what stands around it.
    Other,
    /// White space and controls: no rule but WB4 looks across it.
    Space,
    /// `ALetter`.
    Letter,
    /// `Numeric`.
    Digit,
    /// `ExtendNumLet`, such as the underscore.
    Joiner,
    /// `MidLetter`: inside a word only between letters.
    MidLetter,
    /// `MidNum`: only between digits.
    MidNum,
    /// `MidNumLet` and the apostrophe: between two letters or two digits.
    MidAny,
    /// `Extend` and `Format`: belongs to the character before it.
    Extend,
    /// A character of a script written without spaces: a token by itself.
    Solo,
    /// A combining mark of such a script: belongs to the [`CharClass::Solo`] before it, else to none.
    SoloMark,
    /// `Hebrew_Letter` and the zero-width joiner: rules of their own, left to the library.
    Rare,
}

/// Classes of the Basic Multilingual Plane, one byte a code point.
static PLANE: LazyLock<Vec<CharClass>> = LazyLock::new(|| {
    (0..0x1_0000).map(|point| char::from_u32(point).map_or(CharClass::Other, class_of)).collect()
});

/// Class look-ups; holds the table so that a scan asks for it once.
#[derive(Clone, Copy)]
pub(crate) struct CharClasses(&'static [CharClass]);

impl CharClasses {
    pub(crate) fn new() -> Self {
        Self(&PLANE)
    }

    #[inline]
    pub(crate) fn get(self, c: char) -> CharClass {
        self.0.get(c as usize).copied().unwrap_or_else(|| class_of(c))
    }
}

/// The class of a character, without a table.
pub(crate) fn class_of(c: char) -> CharClass {
    match CodePointMapData::<WordBreak>::new().get(c) {
        WordBreak::Numeric => CharClass::Digit,
        WordBreak::Extend if written_without_spaces(c) => CharClass::SoloMark,
        WordBreak::Extend | WordBreak::Format => CharClass::Extend,
        WordBreak::Katakana => CharClass::Solo,
        WordBreak::HebrewLetter | WordBreak::ZWJ => CharClass::Rare,
        WordBreak::ExtendNumLet => CharClass::Joiner,
        WordBreak::MidLetter => CharClass::MidLetter,
        WordBreak::MidNum => CharClass::MidNum,
        WordBreak::MidNumLet | WordBreak::SingleQuote => CharClass::MidAny,
        WordBreak::CR | WordBreak::LF | WordBreak::Newline | WordBreak::WSegSpace => {
            CharClass::Space
        }
        _ if written_without_spaces(c) => CharClass::Solo,
        WordBreak::ALetter => CharClass::Letter,
        _ if c.is_whitespace() => CharClass::Space,
        _ => CharClass::Other,
    }
}

/// Han, Hiragana and the scripts that UAX #14 calls complex (Thai, Lao, Khmer, Myanmar and kin).
fn written_without_spaces(c: char) -> bool {
    matches!(CodePointMapData::<Script>::new().get(c), Script::Han | Script::Hiragana)
        || CodePointMapData::<LineBreak>::new().get(c) == LineBreak::ComplexContext
}
