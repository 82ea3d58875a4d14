//! From text to tokens, step by step: the plain definition that the scanners are tested against.

pub(crate) mod accents;
pub(crate) mod case;
pub(crate) mod char_class;
pub(crate) mod chinese;
pub(crate) mod code;
pub(crate) mod code_point_map;
pub(crate) mod dictionary;
pub(crate) mod grams;
pub(crate) mod korean;
pub(crate) mod language;
pub(crate) mod lexicon;
pub(crate) mod mixed;
pub(crate) mod normalize;
pub(crate) mod pieces;
pub(crate) mod stem;
pub(crate) mod stop_words;
pub(crate) mod token;
pub(crate) mod word_dictionary;
