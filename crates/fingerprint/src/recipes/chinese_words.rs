//! The words of a Chinese text by a recipe: cut as jieba does it, chosen by part of speech and length. Stop
//! words are left to [`crate::features::token_maker`].

use crate::recipes::recipe::Recipe;
use crate::text::chinese;
use crate::text::keyword_filter::is_long;
use crate::text::segmenter::Segmenter;

/// Parts of speech that `jieba.analyse.textrank` takes.
const RANKED: [&str; 4] = ["ns", "n", "vn", "v"];

impl Recipe {
    /// Calls `emit` with each word of `text` that counts, as it stands there, and with its place among all that
    /// the text is cut into: runs of punctuation are words, too.
    pub(crate) fn chinese_words(&self, text: &str, emit: &mut dyn FnMut(usize, &str)) {
        let any = self.has_keywords();
        let least = self.least_length();
        let mut place = 0;
        let mut take = |word: &str, counts: bool| {
            let here = place;
            place += 1;
            if counts && (any || word.contains(char::is_alphanumeric)) && is_long(word, least) {
                emit(here, word);
            }
        };
        if !self.cuts_as_jieba() {
            return chinese::words(text, &mut |word| take(word, true));
        }
        let words = self.user_dictionary.as_ref().and_then(|file| file.content());
        let segmenter = match words {
            Some(words) => words.segmenter(),
            None => Segmenter::standard(),
        };
        let parts: Vec<&str> = match self.parts_of_speech.as_slice() {
            [] if self.ranks_as_jieba() => RANKED.to_vec(),
            given => given.iter().map(String::as_str).collect(),
        };
        if parts.is_empty() {
            segmenter.words(text, &mut |word| take(word, true));
        } else {
            segmenter.tagged(text, &mut |word, part| take(word, parts.contains(&part)));
        }
    }
}
