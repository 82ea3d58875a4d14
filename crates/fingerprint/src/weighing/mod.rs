//! What a corpus has taught: frequencies and phrases, and the weights that follow from them.

pub(crate) mod phrases;
pub(crate) mod sorted_keys;
pub(crate) mod statistics;
pub(crate) mod weigher;
