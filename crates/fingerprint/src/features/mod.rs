//! Texts to weighted features for recipes that ask for more than plain tokens.

pub(crate) mod analysis;
pub(crate) mod feature_list;
pub(crate) mod feature_set;
pub(crate) mod text_rank;
pub(crate) mod token_maker;
pub(crate) mod word_graph;
