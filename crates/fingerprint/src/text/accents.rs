//! Accents: whether marks over letters tell words apart. Normal forms are in [`crate::text::normalize`].

use icu_normalizer::{
    ComposingNormalizer, ComposingNormalizerBorrowed, DecomposingNormalizer,
    DecomposingNormalizerBorrowed,
};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, Script};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfc();
const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizer::new_nfd();

/// What happens to the marks of Latin, Greek and Cyrillic letters. In other scripts marks are vowels
/// or other letters (Thai, Devanagari, the voiced Kana) and stay.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Accents, Recipe};
///
/// let recipe = Recipe { accents: Accents::Strip, ..Recipe::named("words")? };
/// let mut fingerprinter = recipe.fingerprinter::<1>()?;
/// let (with, without) = ("café crème brûlée", "cafe creme brulee");
/// assert_eq!(fingerprinter.fingerprint(with), fingerprinter.fingerprint(without));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Accents {
    /// They stay.
    #[default]
    Keep,
    /// They go: the text is decomposed (NFD), nonspacing marks after such a letter are left out, and
    /// the rest is composed again (NFC). Letters with a stroke, such as ø and ł, are letters of their
    /// own and stay.
    Strip,
}

impl Accents {
    /// `text` with or without its accents; borrowed where nothing changes.
    ///
    /// # Complexity
    /// Linear; ASCII is only checked.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Accents;
    ///
    /// assert_eq!(Accents::Strip.apply("Crème brûlée, Ёлка, が"), "Creme brulee, Елка, が");
    /// ```
    #[must_use]
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        if self == Self::Keep || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let mut over_letter = false;
        let bare: String = NFD
            .normalize(text)
            .chars()
            .filter(|&c| {
                if CodePointMapData::<GeneralCategory>::new().get(c)
                    == GeneralCategory::NonspacingMark
                {
                    return !over_letter;
                }
                over_letter = matches!(
                    CodePointMapData::<Script>::new().get(c),
                    Script::Latin | Script::Greek | Script::Cyrillic
                );
                true
            })
            .collect();
        Cow::Owned(NFC.normalize(&bare).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_latin_greek_and_cyrillic_go_and_others_stay() {
        for (text, bare) in [
            ("e\u{301}té Ångström", "ete Angstrom"),
            ("Ὀδυσσεύς", "Οδυσσευς"),
            ("ёлки и йод", "елки и иод"),
            ("smørrebrød łódź", "smørrebrød łodz"),
            ("がぎ ガ 한국어", "がぎ ガ 한국어"),
            ("ที่นี่ हिन्दी", "ที่นี่ हिन्दी"),
        ] {
            assert_eq!(Accents::Strip.apply(text), bare);
            assert_eq!(Accents::Keep.apply(text), text);
        }
    }
}
