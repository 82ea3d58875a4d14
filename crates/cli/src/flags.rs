//! Flags that several verbs share, and what they mean together. No file of documents is opened here.

mod advice;
pub(crate) mod age;
pub(crate) mod endings;
mod expanded;
pub(crate) mod folding;
pub(crate) mod heading;
pub(crate) mod ids;
pub(crate) mod input;
pub(crate) mod items;
pub(crate) mod keeping;
pub(crate) mod likeness;
pub(crate) mod names;
pub(crate) mod number;
pub(crate) mod output;
pub(crate) mod plot;
pub(crate) mod radius;
pub(crate) mod reach;
mod reached;
pub(crate) mod recipe;
pub(crate) mod recipe_files;
pub(crate) mod run;
pub(crate) mod size;
pub(crate) mod statistics;
pub(crate) mod survivors;
pub(crate) mod target;
pub(crate) mod within;
