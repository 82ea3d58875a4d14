//! The kinds of parts that messages have, and where each has its words.

#![deny(clippy::indexing_slicing)]

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Thoughts, which do not count, whatever they have.
    Thought,
    /// What a tool or a search answered.
    Answer,
    /// A text or a document.
    Document,
    /// Data, as they are written.
    Data,
    /// A call of a tool, with its answer where both are one part.
    Call,
    /// Media.
    Media,
    /// What is kept elsewhere, and what is of one vendor alone.
    Kept,
    /// Any other.
    Unknown,
}

/// Words in the names of kinds, and the members that say something beside a `text`.
const KINDS: [(Kind, &str, &[&str]); 7] = [
    (Kind::Thought, "thinking reasoning thought think", &[]),
    (
        Kind::Answer,
        "result response output error",
        &["content", "json", "output", "result", "response", "error", "errorText", "lines"],
    ),
    (
        Kind::Document,
        "text document resource compaction denied",
        &["data", "value", "content", "document", "source", "resource", "reason"],
    ),
    (Kind::Data, "json", &["json", "value", "data"]),
    (
        Kind::Call,
        "tool call executable args function approval",
        &["output", "result", "response", "errorText", "toolInvocation"],
    ),
    (
        Kind::Media,
        "image picture img photo pil audio sound speech voice video frame media screenshot pdf base64 blob",
        &[],
    ),
    (
        Kind::Kept,
        "file path byte url uri upload link source reference citation attachment page inline standard custom timeseries cache",
        &["content"],
    ),
];

/// The last words of names of members that stand beside what parts of any kind say.
const BESIDE: [&str; 7] = ["type", "id", "control", "format", "detail", "mime", "filename"];

impl Kind {
    /// The kind of this name, such as `tool_call_response` or `imageUrl`. The last word that is known decides, but for thoughts.
    pub(crate) fn of(name: &str) -> Self {
        let spelled = spelled(name);
        let of = |word: &str| {
            let is = |known: &str| matches!(word.strip_prefix(known), Some("" | "s"));
            KINDS.iter().find(|(_, words, _)| words.split(' ').any(is)).map(|(kind, ..)| *kind)
        };
        let kinds: Vec<Self> = spelled.split('_').filter_map(of).collect();
        match kinds.last() {
            _ if kinds.contains(&Self::Thought) => Self::Thought,
            // Of the AI SDK: data of a program, of any kind.
            _ if name.starts_with("data-") => Self::Kept,
            _ if name == "content" => Self::Document,
            _ if name == "data" => Self::Kept,
            // What made or called for media has these.
            Some(Self::Answer | Self::Call) if kinds.contains(&Self::Media) => Self::Media,
            Some(kind) => *kind,
            None => Self::Unknown,
        }
    }

    /// The members that say something.
    pub(crate) fn members(self) -> &'static [&'static str] {
        let row = KINDS.iter().find(|(kind, ..)| *kind == self);
        row.map(|(.., members)| *members).unwrap_or_default()
    }

    /// Whether a member of this name says nothing.
    pub(crate) fn is_silent(self) -> bool {
        matches!(self, Self::Thought | Self::Call | Self::Media | Self::Kept)
    }
}

/// Whether a member of this name stands beside what a part says.
pub(crate) fn is_beside(name: &str) -> bool {
    spelled(name).rsplit('_').next().is_some_and(|word| BESIDE.contains(&word))
}

/// A name in small letters, its words separated by `_`.
fn spelled(name: &str) -> String {
    let (mut spelled, mut last) = (String::with_capacity(name.len() + 2), '_');
    for character in name.chars() {
        if character.is_uppercase() && (last.is_lowercase() || last.is_numeric()) {
            spelled.push('_');
        }
        let is_of_word = character.is_alphanumeric();
        spelled.push(if is_of_word { character.to_ascii_lowercase() } else { '_' });
        last = character;
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_whole_words() {
        for (name, kind) in [
            ("tool_call_response", Kind::Answer),
            ("function-call-output", Kind::Answer),
            ("searchResult", Kind::Answer),
            ("error-text", Kind::Document),
            ("error-json", Kind::Data),
            ("content", Kind::Document),
            ("developer_content", Kind::Unknown),
            ("tool-weather", Kind::Call),
            ("tool_use", Kind::Call),
            ("output_audio", Kind::Media),
            ("videoUrl", Kind::Kept),
            ("base64Images", Kind::Media),
            ("image/PNG", Kind::Media),
            ("image_generation_call", Kind::Media),
            ("audio_response", Kind::Media),
            ("data-weather", Kind::Kept),
            ("inline_data", Kind::Kept),
            ("reasoning_text", Kind::Thought),
            ("callout", Kind::Unknown),
            ("profile", Kind::Unknown),
            ("", Kind::Unknown),
        ] {
            assert_eq!(Kind::of(name), kind, "{name}");
        }
        assert!(is_beside("mimeType") && is_beside("id") && !is_beside("paid"));
    }
}
