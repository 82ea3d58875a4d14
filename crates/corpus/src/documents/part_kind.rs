//! The kinds of parts that messages have, and where each has its words.

#![deny(clippy::indexing_slicing)]

use crate::documents::members::Members;
use crate::unescaped::string;

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
    /// What a message shows beside its content, such as a page that it links to, or what it asks all.
    Embed,
    /// What people see as a sign, such as the label of a button in Slack. In more than one word it says something.
    Sign,
    /// Any other.
    Unknown,
}

/// Words in the names of kinds, and the members that say something beside a `text`.
const KINDS: [(Kind, &str, &[&str]); 8] = [
    (Kind::Thought, "thinking reasoning thought think", &[]),
    (
        Kind::Answer,
        "result response output error log approval",
        &["content", "json", "output", "result", "response", "error", "errorText", "lines"],
    ),
    (
        Kind::Document,
        "text markdown message prompt system developer document resource compaction denied",
        &["data", "value", "content", "document", "source", "resource", "context", "reason"],
    ),
    (Kind::Data, "json return", &["json", "value", "data", "content"]),
    (
        Kind::Call,
        "tool call executable args argument function",
        &[
            "output",
            "outputs",
            "result",
            "results",
            "response",
            "error",
            "errorText",
            "approval",
            "toolInvocation",
        ],
    ),
    (
        Kind::Media,
        "image picture img photo pil audio sound speech voice video frame media screenshot pdf base64 blob binary",
        &[],
    ),
    (
        Kind::Kept,
        "file path byte url uri upload link source reference citation attachment page inline standard custom timeseries cache",
        &["content"],
    ),
    (
        Kind::Embed,
        "embed poll",
        &[
            "pretext",
            "title",
            "question",
            "answers",
            "options",
            "choices",
            "explanation",
            "text",
            "description",
            "value",
            "content",
            "extracted_content",
            "fields",
            "blocks",
        ],
    ),
];

/// Names that are of another kind than their words.
const NAMES: [(Kind, &str); 4] = [
    (Kind::Document, "content context section text_file"),
    // Errors that a tool found in its call.
    (Kind::Data, "retry_prompt"),
    (Kind::Kept, "data"),
    (Kind::Sign, "emoji color broadcast date button actions"),
];

/// Members that say something where those of the kind do not, by their spelled names: the first that has words.
pub(crate) const INSTEAD: &str = "markdown body message error_message value data structured_content result results \
    output outputs response elements fields blocks parts pages reason instructions model_identity fallback";

/// The last words of names of texts, such as `page_content`: of several texts that of the first of these counts.
const TEXTS: &str =
    "content text body transcript transcription caption snippet summary description preview";

/// The last words of names of members that stand beside what parts of any kind say.
const BESIDE: &str = "type id control format detail mime filename";

/// The same of parts of a known kind: what these are called, where and when they are from, how they ended, and what was asked.
const BESIDE_KNOWN: &str = "ids kind name names title status state outcome code scheduling meta metadata options extras config \
    attributes annotations qualifiers tags label labels logprobs usage signature encoding language lang locale role \
    author authors creator owner team user users channel thread publisher site server cwd env environment repo branch \
    section topic topics category categories license region style published created updated modified size age latency \
    sender caller origin provider model version index position location date time timestamp at duration cutoff \
    input parameters query queries command footer";

/// What a document that is told by its data has beside them.
const MIME: [&str; 8] = [
    "mime_type",
    "mimeType",
    "mimetype",
    "document_mimetype",
    "media_type",
    "mediaType",
    "content_type",
    "contentType",
];

/// How strings begin that say where something is, or hold its bytes.
const ADDRESSES: [&str; 3] = ["\"data:", "\"http://", "\"https://"];

impl Kind {
    /// The kind of this name, such as `tool_call_response` or `imageUrl`. The last word that is known decides, but for thoughts.
    pub(crate) fn of(name: &str) -> Self {
        let spelled = spelled(name);
        let of = |word: &str| {
            let is = |known: &str| matches!(word.strip_prefix(known), Some("" | "s"));
            KINDS.iter().find(|(_, words, _)| words.split(' ').any(is)).map(|(kind, ..)| *kind)
        };
        let kinds: Vec<Self> = spelled.split('_').filter_map(of).collect();
        let named = NAMES.iter().find(|(_, names)| names.split(' ').any(|known| known == spelled));
        match (named, kinds.last()) {
            _ if kinds.contains(&Self::Thought) => Self::Thought,
            (Some((kind, _)), _) => *kind,
            // Of the AI SDK: data of a program, of any kind.
            _ if name.starts_with("data-") => Self::Kept,
            // What made or called for media has these.
            (None, Some(Self::Answer | Self::Call)) if kinds.contains(&Self::Media) => Self::Media,
            (None, Some(kind)) => *kind,
            (None, None) => Self::Unknown,
        }
    }

    /// The members that say something.
    pub(crate) fn members(self) -> &'static [&'static str] {
        let row = KINDS.iter().find(|(kind, ..)| *kind == self);
        row.map(|(.., members)| *members).unwrap_or_default()
    }

    /// Whether a member of this name says nothing.
    pub(crate) fn is_silent(self) -> bool {
        matches!(self, Self::Thought | Self::Call | Self::Media | Self::Kept | Self::Sign)
    }

    /// Whether a member of this name stands beside what a part of this kind says.
    pub(crate) fn has_beside(self, name: &str) -> bool {
        let spelled = spelled(name);
        let last = spelled.rsplit('_').next().unwrap_or_default();
        let is_in = |words: &str| words.split_whitespace().any(|word| word == last);
        let is_of = |word: &str| matches!(word, "encrypted" | "display" | "cited" | "location");
        let is_in_known = || is_in(BESIDE_KNOWN) || spelled.split('_').any(is_of);
        is_in(BESIDE) || self != Self::Unknown && is_in_known()
    }

    /// The same, or says nothing by its name.
    pub(crate) fn is_beside(self, name: &str) -> bool {
        self.has_beside(name) || Self::of(name).is_silent()
    }
}

/// The place in [`TEXTS`] of the last word of this name. Thoughts and what is encrypted are no texts.
pub(crate) fn place_among_texts(name: &str) -> Option<usize> {
    let spelled = spelled(name);
    let is_sealed = spelled.split('_').any(|word| matches!(word, "encrypted" | "base64"));
    let last =
        spelled.rsplit('_').next().filter(|_| !is_sealed && Kind::of(name) != Kind::Thought)?;
    TEXTS.split(' ').position(|word| matches!(last.strip_prefix(word), Some("" | "s")))
}

/// The names of texts among these members of a part of this kind, spelled, the likeliest first. An object is no text. Beside
/// media, and what is kept elsewhere, a text says of what it is: `file_content`.
pub(crate) fn texts<'n>(others: &'n [(String, &str)], of: Kind) -> Vec<&'n str> {
    let is_kept = |kind: Kind| matches!(kind, Kind::Media | Kind::Kept);
    let is_of_kept =
        |name: &str| name.rsplit_once('_').is_some_and(|(of, _)| is_kept(Kind::of(of)));
    let is_text = |name: &str| match of {
        Kind::Thought | Kind::Call => false,
        Kind::Media | Kind::Kept => is_of_kept(name) || matches!(name, "plain_text" | "preview"),
        _ => true,
    };
    let names = others.iter().filter(|(name, json)| !json.starts_with('{') && is_text(name));
    let mut texts: Vec<(usize, &str)> =
        names.filter_map(|(name, _)| Some((place_among_texts(name)?, name.as_str()))).collect();
    texts.sort_unstable();
    texts.into_iter().map(|(_, name)| name).collect()
}

/// Whether a string can be told as bytes in base64: so long, of its characters, line ends and padding aside, and with letters
/// of both cases and digits, which a long word, a sequence or a rule of dashes lacks.
pub(crate) fn is_base64(json: &str) -> bool {
    let text = json.trim_matches('"').replace("\\n", "").replace("\\r", "");
    let is_of_it = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte);
    let has = |is: fn(&u8) -> bool| text.as_bytes().iter().any(is);
    text.len() >= 40
        && text.bytes().all(is_of_it)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

/// Whether a string is the name or the address of a file.
pub(crate) fn is_file(json: &str) -> bool {
    let text = json.trim_matches('"').trim();
    let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_ending = (2..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_ending || text.split_whitespace().next().is_some_and(|word| word.contains("://"))
}

/// Whether this member of a part has the bytes of media, or says where a document is or what a file is called.
pub(crate) fn is_kept(part: &Members<'_>, known: Option<Kind>, name: &str, json: &str) -> bool {
    let has_mime = |is: fn(&str) -> bool| {
        let mimes = MIME.iter().filter_map(|name| part.get(name.as_bytes()));
        mimes.filter_map(|mime| string(mime.get()).ok()).any(|(mime, _)| is(&mime))
    };
    let is_media = || has_mime(|mime| Kind::of(mime) == Kind::Media);
    let is_address = || ADDRESSES.iter().any(|begun| json.starts_with(begun));
    match (name, known) {
        ("data", _) if has_mime(|mime| !mime.starts_with("text/")) => true,
        ("data", Some(Kind::Document | Kind::Embed)) => {
            let may_be_file = || MIME.iter().any(|name| part.contains_key(name.as_bytes()));
            let is_padded = || json.ends_with("=\"") && may_be_file();
            is_address() || !has_mime(|_| true) && (is_base64(json) || is_padded())
        }
        ("document" | "source" | "resource", Some(Kind::Document)) => is_address(),
        ("content", Some(Kind::Kept | Kind::Embed)) => {
            json.starts_with("\"data:") || is_base64(json) || is_media()
        }
        ("title", Some(Kind::Embed)) => is_file(json) || is_media(),
        _ if name.contains('_') && place_among_texts(name).is_some() => {
            is_address() || is_base64(json)
        }
        _ => false,
    }
}

/// A name in small letters, its words separated by `_`.
pub(crate) fn spelled(name: &str) -> String {
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
            ("text_file", Kind::Document),
            ("tool-return", Kind::Data),
            ("user-prompt", Kind::Document),
            ("mcp_approval_response", Kind::Answer),
            ("error-json", Kind::Data),
            ("content", Kind::Document),
            ("developer_content", Kind::Document),
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
            ("section", Kind::Document),
            ("url_context", Kind::Kept),
            ("emoji", Kind::Sign),
            ("update", Kind::Unknown),
            ("callout", Kind::Unknown),
            ("profile", Kind::Unknown),
            ("", Kind::Unknown),
        ] {
            assert_eq!(Kind::of(name), kind, "{name}");
        }
        let has = |name: &str| Kind::Unknown.has_beside(name);
        assert!(has("mimeType") && has("id") && !has("paid") && !has("toolName"));
        let has = |name: &str| Kind::Answer.has_beside(name);
        assert!(has("mimeType") && has("toolName") && has("encrypted_content") && !has("note"));
    }
}
