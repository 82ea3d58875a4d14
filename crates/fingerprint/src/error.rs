//! What can go wrong while fingerprints and recipes are read. Imports no sibling.

use thiserror::Error;

/// A fingerprint or a width that could not be read from text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text has the wrong length for its width.
    #[error("expected {expected} hexadecimal digits, found {found} characters")]
    Digits {
        /// Digits that the width needs.
        expected: usize,
        /// Bytes that were there.
        found: usize,
    },
    /// A character is no hexadecimal digit.
    #[error("expected hexadecimal digits (0-9, a-f)")]
    NotHex,
    /// The width is not offered.
    #[error("width {found} is not offered: use 64, 128 or 256")]
    Width {
        /// What was asked for.
        found: String,
    },
}

/// A recipe that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The text is no TOML, or a key is unknown, missing or has a value that is not offered.
    #[error("{message}")]
    Toml {
        /// Line, column and what was expected there.
        message: String,
    },
    /// The recipe asks for rules of another version.
    #[error("the recipe has version {found}; this release knows version {known}")]
    Version {
        /// Version in the recipe.
        found: u32,
        /// Version of this library.
        known: u32,
    },
    /// The shingle length is out of range.
    #[error("shingle = {found}: use a length of 1 to {most}")]
    Shingle {
        /// Length in the recipe.
        found: usize,
        /// Longest one offered.
        most: usize,
    },
    /// The Python hash has no way to join tokens.
    #[error("hash = \"python\" hashes single tokens only: use shingle = 1 with it")]
    PythonShingle,
    /// A fingerprinter of one width was asked for with a recipe of another.
    #[error("the recipe makes fingerprints of {recipe} bits, not of {asked}")]
    Width {
        /// Width in the recipe.
        recipe: u32,
        /// Width that was asked for.
        asked: u32,
    },
}
