//! What a conversation says, as far as it is read. Which messages and parts say something is `message`'s and `message_part`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::without_nulls::without_nulls;
use crate::unescaped::string;

/// JSON that says nothing, wherever it stands.
pub(crate) const NOTHING: [&str; 4] = ["null", "\"\"", "[]", "{}"];

/// What was said so far. `None` stands for JSON that is not what it should be.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) texts: Vec<String>,
    pub(crate) replaced: bool,
    /// The kind of a part that nobody knows.
    pub(crate) unknown: Option<String>,
    /// The JSON of the last instructions.
    pub(crate) instructions: Option<String>,
    /// Messages that the one that is read stands in.
    pub(crate) within: usize,
}

impl Said {
    pub(crate) fn text(&mut self, json: &str) -> Option<()> {
        let (text, replaced) = string(json).ok()?;
        self.replaced |= replaced;
        self.texts.push(text);
        Some(())
    }

    /// A text, or other JSON as it is written, without members that are null.
    pub(crate) fn data(&mut self, json: &str) -> Option<()> {
        if json.starts_with('"') {
            return self.text(json);
        }
        let told = without_nulls(json);
        if told == json || !NOTHING.contains(&&*told) {
            self.texts.push(told.into_owned());
        }
        Some(())
    }

    /// Whether something was said behind so many texts.
    pub(crate) fn has_words(&self, before: usize) -> bool {
        self.texts.iter().skip(before).any(|text| !text.trim().is_empty())
    }

    /// Leaves out what the last member said where the one before it, of the same part or message, said the same.
    pub(crate) fn once(&mut self, before: usize, so_far: usize) {
        let (said, again) = self.texts.split_at(so_far);
        let is_again = said.get(before..).is_some_and(|said| said.ends_with(again));
        if is_again && self.has_words(so_far) {
            self.texts.truncate(so_far);
        }
    }
}
