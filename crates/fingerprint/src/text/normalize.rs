//! Unicode normalisation forms. Case is in [`crate::text::case`].

use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfc();
const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfkc();

/// The form that text is brought to before anything else (UAX #15).
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{NormalForm, Recipe};
///
/// let recipe = Recipe { normalize: NormalForm::Nfc, ..Recipe::named("words")? };
/// let mut fingerprinter = recipe.fingerprinter::<1>()?;
/// let (composed, decomposed) = ("caf\u{e9} au lait", "cafe\u{301} au lait");
/// assert_eq!(fingerprinter.fingerprint(composed), fingerprinter.fingerprint(decomposed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormalForm {
    /// Text stays as it is.
    Keep,
    /// Canonical composition.
    Nfc,
    /// Compatibility composition: full-width letters, ligatures and superscripts become plain.
    #[default]
    Nfkc,
}

impl NormalForm {
    /// `text` in this form; borrowed if `text` has this form already.
    ///
    /// # Complexity
    /// Linear; text that is ASCII or already normal is only checked.
    #[must_use]
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Keep => Cow::Borrowed(text),
            Self::Nfc | Self::Nfkc if text.is_ascii() => Cow::Borrowed(text),
            Self::Nfc => NFC.normalize(text),
            Self::Nfkc => NFKC.normalize(text),
        }
    }

    /// Bytes at the start of `text` that have this form, cut where the form of the rest does not depend on them.
    pub(crate) fn normal_bytes(self, text: &str) -> usize {
        let normalizer = match self {
            Self::Keep => return text.len(),
            Self::Nfc | Self::Nfkc if text.is_ascii() => return text.len(),
            Self::Nfc => NFC,
            Self::Nfkc => NFKC,
        };
        normalizer.split_normalized(text).0.len()
    }
}

/// Whether a character may be composed with or ordered among those before it, so that normalising
/// takes its neighbours: marks, the vowels and final consonants of Hangul, a vowel of Kirat Rai.
pub(crate) fn joins_backwards(c: char) -> bool {
    matches!(c, '\u{1160}'..='\u{11ff}' | '\u{16d67}')
        || GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use icu_normalizer::properties::{
        CanonicalCombiningClassMapBorrowed, CanonicalDecompositionBorrowed, Decomposed,
    };

    #[test]
    fn compatibility_forms_become_plain() {
        assert_eq!(NormalForm::Nfkc.apply("Ｎｅａｒ ﬁｎｅ ½"), "Near fine 1⁄2");
        assert_eq!(NormalForm::Nfc.apply("e\u{301} ﬁ"), "é ﬁ");
        assert_eq!(NormalForm::Keep.apply("e\u{301}"), "e\u{301}");
    }

    #[test]
    fn characters_that_do_not_join_backwards_neither_compose_nor_reorder() {
        let order = CanonicalCombiningClassMapBorrowed::new();
        let parts = CanonicalDecompositionBorrowed::new();
        for c in '\0'..=char::MAX {
            assert!(order.get_u8(c) == 0 || joins_backwards(c), "{c:?}");
            if let Decomposed::Expansion(_, second) = parts.decompose(c) {
                assert!(joins_backwards(second), "{c:?} {second:?}");
            }
        }
    }

    #[test]
    fn normal_text_is_borrowed() {
        assert!(matches!(NormalForm::Nfkc.apply("déjà vu 上海"), Cow::Borrowed(_)));
    }
}
