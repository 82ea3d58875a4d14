//! All that decides the bits of a fingerprint, in one value with an id. The recipes that come with
//! the library are in [`crate::builtin`].

use crate::case::Case;
use crate::error::RecipeError;
use crate::hash::TokenHash;
use crate::normalize::Form;
use crate::shingle::MAX_SHINGLE;
use crate::sums::SignRule;
use crate::token::Split;
use crate::weight::Weighting;
use crate::width::Width;
use serde::{Deserialize, Serialize};
use std::fmt;
use xxhash_rust::xxh3::xxh3_128;

/// The order in which the signs of V become the bits of the fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BitOrder {
    /// Bit `i` of the hash decides bit `i` of the fingerprint.
    Same,
    /// Bit `i` of the hash decides bit `width - 1 - i`.
    Reversed,
}

/// A complete statement of how text becomes a fingerprint.
///
/// Equal recipes give bit-identical fingerprints on every platform and in every release; any
/// difference but in `name` and `description` is another [`RecipeId`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{builtin, recipe::Recipe, width::Width};
///
/// let text = builtin::recipe("text").unwrap();
/// let copy = Recipe::from_toml(&text.to_toml()).unwrap();
/// assert_eq!(copy.id(), text.id());
/// assert_ne!(text.with_width(Width::W128).id(), text.id());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// What people call it; no part of the id.
    pub name: String,
    /// What it is for; no part of the id.
    #[serde(default)]
    pub description: String,
    /// The version of the rules themselves: a change of bits is a new one.
    pub version: u32,
    /// Unicode normalisation form of the text.
    pub normalize: Form,
    /// What happens to upper-case letters.
    pub case: Case,
    /// The units that the text is cut into.
    pub split: Split,
    /// Tokens in a feature, 1 to 16.
    pub shingle: usize,
    /// What a feature's occurrences count for.
    pub weights: Weighting,
    /// The hash of a token.
    pub hash: TokenHash,
    /// Bits of the fingerprint.
    pub width: Width,
    /// When a bit is set.
    pub sign: SignRule,
    /// Which bit of the hash decides which bit of the fingerprint.
    pub bit_order: BitOrder,
}

/// The version of the rules that this library applies.
pub const RECIPE_VERSION: u32 = 1;

impl Recipe {
    /// Reads a recipe from TOML, every key of which must be known.
    ///
    /// # Errors
    /// Names the line and what was expected there; a shingle length or version out of range.
    pub fn from_toml(text: &str) -> Result<Self, RecipeError> {
        let recipe: Self = toml::from_str(text)
            .map_err(|e| RecipeError::Toml { message: e.to_string().trim_end().to_owned() })?;
        if recipe.version != RECIPE_VERSION {
            return Err(RecipeError::Version { found: recipe.version, known: RECIPE_VERSION });
        }
        if !(1..=MAX_SHINGLE).contains(&recipe.shingle) {
            return Err(RecipeError::Shingle { found: recipe.shingle, most: MAX_SHINGLE });
        }
        if recipe.hash == TokenHash::Python && recipe.shingle != 1 {
            return Err(RecipeError::PythonShingle);
        }
        Ok(recipe)
    }

    /// The recipe as TOML that [`Self::from_toml`] reads back.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The same recipe at another width.
    #[must_use]
    pub fn with_width(&self, width: Width) -> Self {
        Self { width, ..self.clone() }
    }

    /// The id: XXH3-128 of the canonical form.
    #[must_use]
    pub fn id(&self) -> RecipeId {
        RecipeId(xxh3_128(self.canonical().as_bytes()))
    }

    /// One `key = value` a line, keys in a fixed order, name and description left out.
    fn canonical(&self) -> String {
        let unnamed = Self { name: String::new(), description: String::new(), ..self.clone() };
        let toml = unnamed.to_toml();
        let lines = toml.lines().filter(|l| !l.starts_with("name") && !l.starts_with("descr"));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// How `other` differs, as `key: this, that` in words; empty where the bits are the same.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{builtin, width::Width};
    ///
    /// let text = builtin::recipe("text").unwrap();
    /// assert_eq!(text.differences(&text.with_width(Width::W128)), ["width = 64 here, 128 there"]);
    /// ```
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let (ours, theirs) = (self.canonical(), other.canonical());
        let pairs = ours.lines().zip(theirs.lines()).filter(|(a, b)| a != b);
        pairs
            .map(|(a, b)| {
                let there = b.split_once(" = ").map_or(b, |(_, value)| value);
                format!("{a} here, {there} there")
            })
            .collect()
    }
}

/// The identity of a recipe, stored wherever fingerprints are: 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecipeId(u128);

impl From<u128> for RecipeId {
    fn from(id: u128) -> Self {
        Self(id)
    }
}

impl From<RecipeId> for u128 {
    fn from(id: RecipeId) -> Self {
        id.0
    }
}

impl fmt::Display for RecipeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn every_setting_changes_the_id_and_names_do_not() {
        let text = builtin::recipe("text").unwrap();
        let named = Recipe { name: "x".into(), description: "y".into(), ..text.clone() };
        assert_eq!(named.id(), text.id());
        let others = [
            Recipe { version: 2, ..text.clone() },
            Recipe { normalize: Form::Nfc, ..text.clone() },
            Recipe { case: Case::Keep, ..text.clone() },
            Recipe { split: Split::Blanks, ..text.clone() },
            Recipe { shingle: 4, ..text.clone() },
            Recipe { weights: Weighting::Count, ..text.clone() },
            Recipe { hash: TokenHash::Fnv1a, ..text.clone() },
            Recipe { width: Width::W256, ..text.clone() },
            Recipe { sign: SignRule::NonNegative, ..text.clone() },
            Recipe { bit_order: BitOrder::Reversed, ..text.clone() },
        ];
        for other in others {
            assert_ne!(other.id(), text.id(), "{other:?}");
            assert_eq!(text.differences(&other).len(), 1, "{other:?}");
        }
    }

    #[test]
    fn a_wrong_recipe_says_what_is_wrong() {
        let toml = builtin::recipe("text").unwrap().to_toml();
        let error = |from: &str, to: &str| {
            Recipe::from_toml(&toml.replace(from, to)).unwrap_err().to_string()
        };
        assert!(error("case", "kase").contains("unknown field `kase`"));
        assert!(error("width = 64", "width = 65").contains("width 65 is not offered"));
        assert!(error("shingle = 3", "shingle = 17").contains("1 to 16"));
        assert!(error("version = 1", "version = 9").contains("version 9"));
        assert!(error("weights = \"log\"", "").contains("missing field `weights`"));
        assert!(error("\"xxh3\"", "\"python\"").contains("shingle = 1"));
    }
}
