//! Digits: whether they tell tokens apart.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What happens to the digits of tokens with places.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Digits, PlacedTokens, Recipe, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new(&Recipe::default(), Digits::One)?;
/// let mut tokens = PlacedTokens::default();
/// tokenizer.tokens("1,250 on page 7", &mut tokens);
/// assert_eq!((tokens.text(0), tokens.text(3)), ("0,000", "0"));
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Digits {
    /// They stay.
    #[default]
    Keep,
    /// Each decimal digit of any script (Unicode category `Nd`) becomes 0.
    One,
}

impl Digits {
    /// A token by this rule.
    pub(crate) fn apply(self, token: &str) -> Cow<'_, str> {
        if self == Self::Keep || !token.contains(is_digit) {
            return Cow::Borrowed(token);
        }
        Cow::Owned(token.chars().map(|c| if is_digit(c) { '0' } else { c }).collect())
    }
}

fn is_digit(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new();
    if c.is_ascii() {
        c.is_ascii_digit()
    } else {
        category.get(c) == GeneralCategory::DecimalNumber
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::char_class::{CharClass, class_of};

    #[test]
    fn digits_of_all_scripts_are_one_and_other_numbers_stay() {
        assert_eq!(Digits::One.apply("a1,٣५𝟗"), "a0,000");
        assert_eq!(Digits::One.apply("½Ⅷ²三"), "½Ⅷ²三");
        assert_eq!(Digits::Keep.apply("a1"), "a1");
    }

    #[test]
    fn the_scanner_of_words_meets_every_digit_as_one() {
        for c in ('\0'..=char::MAX).filter(|&c| is_digit(c)) {
            assert_eq!(class_of(c), CharClass::Digit, "{c:?}");
        }
    }
}
