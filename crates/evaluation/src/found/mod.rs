//! Pairs that a recipe finds, by how near they are. Whether they are right is handled by `measures`.

pub(crate) mod by_radius;
pub(crate) mod by_search;
pub(crate) mod closest;
pub(crate) mod equals;
pub(crate) mod level;
