//! The recipe, which states everything that decides the bits, and the built-in ones.

pub(crate) mod binding;
pub(crate) mod builtin;
pub(crate) mod canonical;
pub(crate) mod check;
pub(crate) mod chinese_words;
pub(crate) mod meaning;
pub(crate) mod recipe;
