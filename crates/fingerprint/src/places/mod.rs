//! Tokens with their places in the text as it came, and the lines, sentences and paragraphs there.

pub(crate) mod tokenizer;
pub(crate) mod unit;
