//! The recipe, which states everything that decides the bits, and the built-in ones.

pub(crate) mod builtin;
pub(crate) mod recipe;
