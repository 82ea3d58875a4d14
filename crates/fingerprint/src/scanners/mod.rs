//! Fast paths from text to hashes of tokens. Each gives what the plain steps of `text` give.

pub(crate) mod ascii_grams;
pub(crate) mod block_grams;
pub(crate) mod byte_masks;
pub(crate) mod char_scanner;
pub(crate) mod char_table;
pub(crate) mod gram_scanner;
pub(crate) mod mask_positions;
pub(crate) mod placed_words;
pub(crate) mod scan;
pub(crate) mod squeeze;
pub(crate) mod word_marks;
pub(crate) mod word_masks;
pub(crate) mod word_scanner;
