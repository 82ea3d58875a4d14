//! Texts that a row has in several parts: a conversation, or several fields.

use crate::documents::members::{Members, is_typed, members, word_in};
use crate::documents::part_kind::{INSTEAD, Kind, is_kept, place_among_texts, spelled, texts};
use crate::unescaped::string;
use serde_json::value::RawValue;

/// What stands between two parts.
pub(crate) const BETWEEN: &str = "\n";

/// The names of several fields, as `title,body` has them; none where it is one.
pub(crate) fn names(field: &str) -> Option<Vec<&str>> {
    field.contains(',').then(|| field.split(',').map(str::trim).collect())
}

/// A text that is put together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) text: String,
    /// [Which](part) of several fields it is of; none where it is of one.
    pub(crate) parts: u64,
    /// Whether half of a surrogate pair in it was replaced.
    pub(crate) replaced: bool,
}

/// The bit that stands for the field of this place among several; none for one behind the 64th.
pub(crate) fn part(place: usize) -> u64 {
    u32::try_from(place).ok().and_then(|place| 1_u64.checked_shl(place)).unwrap_or(0)
}

/// The text of the fields that a row has, one behind the other; those that it lacks and those that are null are left out.
/// `None` where it has none of them, and the name of one that is no text.
pub(crate) fn of_fields<'n>(
    names: &[&'n str],
    mut json: impl FnMut(&str) -> Option<String>,
) -> Result<Option<Joined>, &'n str> {
    let (mut said, mut parts, mut is_there) = (Said::default(), 0, false);
    for (place, name) in names.iter().enumerate() {
        let Some(json) = json(name) else { continue };
        is_there = true;
        parts |= part(place);
        said.field(&json).ok_or(*name)?;
    }
    Ok(is_there.then(|| said.joined(parts)))
}

/// What was said in a conversation, in its order: a list of texts, or of messages with a `content` (of OpenAI), a
/// `value` (of ShareGPT), a `text`, `parts` (of Gemini) or `blocks` (of LlamaIndex), of which the first counts that has
/// words. Who said it is left out, and so are parts of a content that are no text. `None` for any other JSON.
///
/// A content is a text, null, or a list of parts. What all who take part can read counts: texts, refusals, transcripts of
/// audio, documents, search results, and what tools answered (OpenAI API, "Create chat completion"; Anthropic API,
/// "Create a message"; Amazon Bedrock, "Converse"; AI SDK, "Tool messages"; Cohere API, "Chat"), data as they are written.
/// Thoughts, media, calls of tools and what is kept elsewhere do not count. Where a part has no words in the members of its
/// kind, those in a member of the kind's name, or in one such as `body`, `structuredContent` or `page_content`, count. If it has
/// two words under another name, it is `None`, and so is a part of an unknown kind without a `text`.
/// A message that calls a tool may have no content: it says nothing, as do null and a message of which only the role is
/// told. Answers, calls and thoughts may stand between messages. Words in a `message`, `body` or the like beside an empty
/// content are `None`. Half of a surrogate pair becomes U+FFFD.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::conversation;
///
/// let said = conversation(r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]"#);
/// assert_eq!(said.as_deref(), Some("Hi\nHo"));
/// let refused = r#"[{"role":"assistant","content":[{"type":"refusal","refusal":"No"}]}]"#;
/// assert_eq!(conversation(refused).as_deref(), Some("No"));
/// assert_eq!(conversation(r#"[{"role":"user","content":[]}]"#).as_deref(), Some(""));
/// assert_eq!(conversation("[1]"), None);
/// ```
#[must_use]
pub fn conversation(json: &str) -> Option<String> {
    Some(of_conversation(json)?.text)
}

/// The kind of the part that is in the way where [`conversation`] gives `None`: one that nobody knows, with words in it. Of a
/// part without a type it is the name of a member, and of a known kind both, such as `tool_result.note`.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::unknown_part;
///
/// let said = r#"[{"role":"user","content":[{"type":"callout","words":"Mind the gap"}]}]"#;
/// assert_eq!(unknown_part(said).as_deref(), Some("callout"));
/// assert_eq!(unknown_part(r#"[{"content":"Hi"}]"#), None);
/// ```
#[must_use]
pub fn unknown_part(json: &str) -> Option<String> {
    let mut said = Said::default();
    if said.conversation(json).is_some() { None } else { said.unknown }
}

/// The same, with what became of it.
pub(crate) fn of_conversation(json: &str) -> Option<Joined> {
    let mut said = Said::default();
    said.conversation(json)?;
    Some(said.joined(0))
}

/// Where messages tell who speaks.
const ROLES: [&str; 2] = ["role", "from"];

/// What messages say in.
const CONTENTS: [&str; 5] = ["content", "value", "text", "parts", "blocks"];

/// What a message may say in beside a content in which nothing is said.
const ELSEWHERE: [&str; 4] = ["message", "body", "markdown", "data"];

/// What a message may have in the place of these, or beside them.
const OTHERS: [&str; 4] = ["refusal", "audio", "tool_calls", "function_call"];

/// What a message calls tools in.
const CALLS: [&str; 2] = ["tool_calls", "function_call"];

/// Strings that a part without a text says.
const STRINGS: [&str; 4] = ["refusal", "transcript", "stdout", "stderr"];

/// Objects that a part has these in.
const OBJECTS: [&str; 2] = ["audio", "input_audio"];

/// JSON that says nothing, wherever it stands.
const NOTHING: [&str; 4] = ["null", "\"\"", "[]", "{}"];

/// Parts of parts are read so deep: the document of a page that a tool fetched is four deep.
const DEPTH: usize = 16;

/// What was said so far. `None` stands for JSON that is not what it should be.
#[derive(Default)]
struct Said {
    texts: Vec<String>,
    replaced: bool,
    /// The kind of a part that nobody knows.
    unknown: Option<String>,
}

impl Said {
    fn joined(self, parts: u64) -> Joined {
        Joined { text: self.texts.join(BETWEEN), parts, replaced: self.replaced }
    }

    /// A string, null or a conversation.
    fn field(&mut self, json: &str) -> Option<()> {
        match json.as_bytes().first()? {
            b'n' => Some(()),
            b'"' => self.text(json),
            _ => self.conversation(json),
        }
    }

    fn text(&mut self, json: &str) -> Option<()> {
        let (text, replaced) = string(json).ok()?;
        self.replaced |= replaced;
        self.texts.push(text);
        Some(())
    }

    fn conversation(&mut self, json: &str) -> Option<()> {
        let turns: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        turns.into_iter().try_for_each(|turn| self.turn(turn.get()))
    }

    /// A text, null, a message or an item between messages. `None` for any other object: what it says may stand under another name.
    fn turn(&mut self, json: &str) -> Option<()> {
        if json.starts_with('"') {
            return self.text(json);
        }
        if json == "null" {
            return Some(());
        }
        let (message, before) = (members(json)?, self.texts.len());
        let get = |name: &&str| message.get(name.as_bytes()).map(|value| value.get());
        let contents = || CONTENTS.iter().filter_map(get).filter(|json| *json != "null");
        let mut told = contents().filter(|json| !NOTHING.contains(json));
        // A number beside an empty content is what somebody counted.
        let content = told.next().filter(|json| json.starts_with(['"', '[', '{']));
        if let Some(content) = content.or_else(|| contents().next()) {
            self.content(content, DEPTH)?;
        }
        // A content in which nothing is said gives way to the next. An object is none.
        for other in told.filter(|json| has_words(json) && !json.starts_with('{')) {
            if self.has_words(before) {
                break;
            }
            let so_far = self.texts.len();
            self.content(other, DEPTH)?;
            if self.has_words(so_far) {
                self.texts.drain(before..so_far);
            }
        }
        if let Some(refusal) = get(&"refusal").filter(|json| json.starts_with('"')) {
            let so_far = self.texts.len();
            self.text(refusal)?;
            self.once(before, so_far);
        }
        if let Some(audio) = get(&"audio").filter(|json| json.starts_with('{')) {
            self.object(audio, Some("audio"), DEPTH, false)?;
        }
        // What else a message has may be what it says.
        let says_nothing = || {
            let is_told = |json: &&str| *json != "null";
            let told = message.values().map(|value| value.get()).filter(is_told).count();
            let roles = || ROLES.iter().filter_map(get);
            roles().next().is_some() && roles().filter(is_told).count() == told
        };
        let is_message = CONTENTS.iter().chain(&OTHERS).any(|name| get(name).is_some());
        if is_message
            && !self.has_words(before)
            && let Some(name) = elsewhere(&message)
        {
            self.unknown = Some(name.to_owned());
            return None;
        }
        if is_message || says_nothing() {
            return Some(());
        }
        is_item(&message).then_some(())?;
        self.object(json, None, DEPTH, false)
    }

    /// A text, or a list of parts that lie so deep in one another.
    fn content(&mut self, json: &str, depth: usize) -> Option<()> {
        if json.starts_with('"') {
            return self.text(json);
        }
        let parts: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        parts.into_iter().try_for_each(|part| self.part(part.get(), depth, false))
    }

    /// A text, null, or an object. What a tool answers as an object of no type may stand under any name.
    fn part(&mut self, json: &str, depth: usize, is_answer: bool) -> Option<()> {
        match json.as_bytes().first()? {
            b'"' => self.text(json),
            b'n' => Some(()),
            _ => self.object(json, None, depth, is_answer),
        }
    }

    /// A part of this kind, else of its type. One without a type is of the kinds that its members name.
    fn object(
        &mut self,
        json: &str,
        kind: Option<&str>,
        depth: usize,
        is_answer: bool,
    ) -> Option<()> {
        let (part, depth) = (members(json)?, depth.checked_sub(1)?);
        let get = |name: &str| part.get(name.as_bytes()).map(|value| value.get());
        let get = |name: &str| get(name).filter(|json| *json != "null");
        let word = |name: &str| get(name).and_then(|word| string(word).ok()).map(|(word, _)| word);
        // Of Pydantic AI and LlamaIndex. Other things have a kind too, and data of no type may say something.
        let told = || {
            let names = ["part_kind", "block_type", "kind"];
            let mut kinds = names.iter().filter_map(|name| word(name));
            let is_any = |kind: &str| matches!(kind, "data" | "context" | "section");
            // What says something is no media, whatever it is called.
            let is_media = |kind| matches!(kind, Kind::Media | Kind::Kept);
            let says = || part.iter().any(|(_, value)| has_prose(value.get()));
            kinds.find(|kind| match Kind::of(kind) {
                Kind::Unknown => false,
                known => !(is_any(kind) || is_media(known) && says()),
            })
        };
        let kind = kind.map(str::to_owned).or_else(|| word("type")).or_else(told);
        let known = match &kind {
            Some(kind) => Some(Kind::of(kind)),
            // A call as messages have it beside their content.
            None => get("arguments").map(|_| Kind::Call),
        };
        if known == Some(Kind::Thought) || get("thought") == Some("true") {
            return Some(());
        }
        let of_kind = known.unwrap_or(Kind::Answer).members();
        let is_elsewhere = || of_kind.iter().filter_map(|name| get(name)).any(has_words);
        // A text that is empty gives way to words.
        if let Some(text) = get("text").filter(|json| !NOTHING.contains(json) || !is_elsewhere()) {
            if text.starts_with('{') {
                return self.object(text, Some("text"), depth, false);
            }
            return self.text(text);
        }
        let (mut is_said, before) = (false, self.texts.len());
        let strings = STRINGS.iter().filter_map(|name| get(name));
        for text in strings.filter(|json| json.starts_with('"')) {
            self.text(text)?;
            is_said = true;
        }
        let objects = OBJECTS.iter().filter_map(|name| get(name));
        for audio in objects.filter(|json| json.starts_with('{')) {
            self.object(audio, Some("audio"), depth, false)?;
            is_said = true;
        }
        for name in of_kind {
            if let Some(json) = get(name) {
                if !is_kept(&part, known, name, json) {
                    let so_far = self.texts.len();
                    self.member(name, json, known, depth)?;
                    self.once(before, so_far);
                }
                is_said = true;
            }
        }
        if known.is_some_and(|kind| kind != Kind::Unknown) {
            let kind = kind.filter(|_| !self.has_words(before));
            return kind.map_or(Some(()), |kind| self.instead(&part, &kind, before, depth));
        }
        if is_said {
            return Some(());
        }
        let others = others(&part, Kind::Unknown);
        let texts = texts(&others, Kind::Answer);
        let texts = texts.into_iter().filter(|_| kind.is_none());
        let (text, _) = self.first(&part, known, texts, &others, depth)?;
        // A text of this name has the same beside it as an answer.
        let of = if text.is_some() { Kind::Answer } else { Kind::Unknown };
        // What else a part has may be what it says.
        for (name, value) in &part {
            let (name, json) = (name.to_string(), value.get());
            let is_data = is_answer && kind.is_none() && text.is_none();
            let is_told = has_words(json) || is_data && !NOTHING.contains(&json);
            let is_silent = || {
                let name = spelled(&name);
                let is_kept = || is_kept(&part, known, &name, json);
                Kind::of(&name).is_silent() && (place_among_texts(&name).is_none() || is_kept())
            };
            if of.has_beside(&name) || text.is_some_and(|text| spelled(&name) == text) {
                continue;
            }
            if kind.is_none() && json.starts_with('{') {
                self.object(json, Some(&name), depth, false)?;
            } else if is_told && !is_silent() {
                self.unknown = Some(kind.unwrap_or(name));
                return None;
            }
        }
        Some(())
    }

    /// Whether something was said behind so many texts.
    fn has_words(&self, before: usize) -> bool {
        self.texts.iter().skip(before).any(|text| !text.is_empty())
    }

    /// Leaves out what the last member said where the one before it, of the same part or message, said the same.
    fn once(&mut self, before: usize, so_far: usize) {
        let (said, again) = self.texts.split_at(so_far);
        let is_again = said.get(before..).is_some_and(|said| said.ends_with(again));
        if is_again && self.has_words(so_far) {
            self.texts.truncate(so_far);
        }
    }

    /// What a part of a known kind says where the members of its kind have no words: the member of its own name, else the first that
    /// is called as words are. `None` where others have words.
    fn instead(
        &mut self,
        part: &Members<'_>,
        kind: &str,
        before: usize,
        depth: usize,
    ) -> Option<()> {
        let (known, own, so_far) = (Kind::of(kind), spelled(kind), self.texts.len());
        let others = others(part, known);
        let other = |wanted: &str| others.iter().find(|(name, _)| name == wanted).map(|it| it.1);
        if let Some(json) = other(&own).filter(|json| json.starts_with('{')) {
            // An image in an answer is one.
            let is_other = word_in(json, "type").is_some_and(|it| Kind::of(&it) != Kind::Unknown);
            let kind = Some(kind).filter(|_| known.is_silent() || !is_other);
            return self.object(json, kind, depth, false);
        }
        let names = [own.as_str()].into_iter().chain(INSTEAD.split_whitespace());
        // A tool's own part has its answer.
        let is_of_tool = matches!(own.as_str(), "tool" | "function");
        let names = names.filter(|_| !known.is_silent());
        let names = names.chain(is_of_tool.then_some("content"));
        let names = names.chain(texts(&others, known));
        let (said, is_read) = self.first(part, Some(known), names, &others, depth)?;
        if said.is_some() {
            self.texts.drain(before..so_far);
            return Some(());
        }
        let is_read = is_read || {
            let mut members = known.members().iter();
            members.any(|name| part.get(name.as_bytes()).is_some_and(|it| has_words(it.get())))
        };
        if is_read || known.is_silent() {
            return Some(());
        }
        let is_beside = |name: &str| known.has_beside(name) || Kind::of(name).is_silent();
        let told = others.iter().find(|(name, json)| has_prose(json) && !is_beside(name));
        let Some((name, _)) = told else { return Some(()) };
        self.unknown = Some(format!("{kind}.{name}"));
        None
    }

    /// The first of these names under which a part of this kind has words, and whether any of them was there.
    fn first<'n>(
        &mut self,
        part: &Members<'_>,
        known: Option<Kind>,
        names: impl Iterator<Item = &'n str>,
        others: &[(String, &str)],
        depth: usize,
    ) -> Option<(Option<&'n str>, bool)> {
        let (so_far, mut is_read) = (self.texts.len(), false);
        for name in names {
            let Some((_, json)) = others.iter().find(|(other, _)| other == name) else { continue };
            if !is_kept(part, known, name, json) {
                self.member(name, json, known, depth)?;
            }
            if self.has_words(so_far) {
                return Some((Some(name), is_read));
            }
            is_read = true;
        }
        Some((None, is_read))
    }

    /// What a member of this name has, of a part of this kind.
    fn member(&mut self, name: &str, json: &str, of: Option<Kind>, depth: usize) -> Option<()> {
        let is_object = json.starts_with('{');
        match name {
            "document" | "source" | "resource" | "approval" | "toolInvocation"
                if is_object && !is_typed(json) =>
            {
                self.object(json, Some(name), depth, false)
            }
            // An address, a count, or whether there is one.
            "source" | "approval" if !is_object => Some(()),
            "results" if NOTHING.contains(&json) => Some(()),
            "error" if of == Some(Kind::Call) && NOTHING.contains(&json) => Some(()),
            "lines" if !json.starts_with('[') => Some(()),
            "content" if of == Some(Kind::Data) => self.returned(json),
            "error" | "reason" if !is_object && !json.starts_with('"') => Some(()),
            "json" | "data" | "result" | "response" | "error" | "reason" | "results"
            | "structured_content" => self.data(json),
            _ if matches!(of, Some(Kind::Call | Kind::Data))
                && !matches!(name, "outputs" | "content") =>
            {
                self.data(json)
            }
            _ => self.held(json, depth, matches!(of, Some(Kind::Answer | Kind::Call))),
        }
    }

    /// What a tool returned, each as it is written. Media among it have a kind.
    fn returned(&mut self, json: &str) -> Option<()> {
        if !json.starts_with('[') {
            return self.data(json);
        }
        let all: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        let is_media =
            |json: &&str| word_in(json, "kind").is_some_and(|it| Kind::of(&it).is_silent());
        let mut others = all.into_iter().map(RawValue::get).filter(|json| !is_media(json));
        others.try_for_each(|json| self.data(json))
    }

    /// A text, or other JSON as it is written.
    fn data(&mut self, json: &str) -> Option<()> {
        if json.starts_with('"') {
            return self.text(json);
        }
        self.texts.push(json.to_owned());
        Some(())
    }

    /// What a document, a result or an answer of a tool has as its content: parts, or one.
    fn held(&mut self, content: &str, depth: usize, is_answer: bool) -> Option<()> {
        if !content.starts_with('[') {
            return self.held_part(content, depth, is_answer);
        }
        let parts: Vec<&RawValue> = serde_json::from_str(content).ok()?;
        parts.into_iter().try_for_each(|part| self.held_part(part.get(), depth, is_answer))
    }

    /// A part, or a number, true or false as it is written.
    fn held_part(&mut self, json: &str, depth: usize, is_answer: bool) -> Option<()> {
        match json.as_bytes().first()? {
            b'"' | b'n' | b'{' => self.part(json, depth, is_answer),
            b'[' => (!is_answer && !has_words(json)).then_some(()),
            _ => self.data(json),
        }
    }
}

/// Whether this stands between messages and is a part, as answers, calls and thoughts are in OpenAI's Responses API. Calls
/// and thoughts have an id there: a list of tools is no conversation.
fn is_item(item: &Members<'_>) -> bool {
    let word = |name: &str| string(item.get(name.as_bytes())?.get()).ok();
    let has_id = || word("id").or_else(|| word("call_id")).is_some();
    word("type").is_some_and(|(kind, _)| match Kind::of(&kind) {
        Kind::Answer => true,
        Kind::Call | Kind::Thought => has_id(),
        _ => false,
    })
}

/// The members with words of a part, but for those that its kind says something in, by their spelled names.
fn others<'a>(part: &Members<'a>, of: Kind) -> Vec<(String, &'a str)> {
    let with_words = part.iter().map(|(name, value)| (name.to_string(), value.get()));
    let with_words = with_words.filter(|(_, json)| has_words(json));
    let others = with_words.filter(|(name, _)| !of.members().contains(&name.as_str()));
    others.map(|(name, json)| (spelled(&name), json)).collect()
}

/// The member in which a message may say something beside a content without words. One that calls a tool says nothing.
fn elsewhere(message: &Members<'_>) -> Option<&'static str> {
    let get = |name: &str| message.get(name.as_bytes()).map(|value| value.get());
    let is_told = |name: &str| get(name).is_some_and(|json| !NOTHING.contains(&json));
    if CALLS.into_iter().any(is_told) {
        return None;
    }
    // An object is of any kind, but for one with a content.
    let has_content = |json: &str| {
        let object = members(json);
        let content = |name: &str| object.as_ref()?.get(name.as_bytes()).map(|it| it.get());
        ["content", "text"].into_iter().filter_map(content).any(has_words)
    };
    ELSEWHERE.into_iter().find(|name| match get(name) {
        Some(json) if json.starts_with('{') => has_content(json),
        Some(json) => has_words(json) && *name != "data",
        None => false,
    })
}

/// Whether a string of this JSON has words with a blank between them, or is in a script without blanks. Ids, paths,
/// addresses and numbers have none.
fn has_prose(json: &str) -> bool {
    let is_unspaced = |character: char| character >= '\u{e00}' && character.is_alphabetic();
    let is_prose = |text: &str| {
        let words = text.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
        text.contains(is_unspaced) || words.count() > 1
    };
    let mut is_escaped = false;
    let is_quote = |character: char| {
        let was_escaped = is_escaped;
        is_escaped = character == '\\' && !was_escaped;
        character == '"' && !was_escaped
    };
    // What is between two quotes is a string, and what is between two strings is none.
    let mut strings = json.split(is_quote).skip(1).step_by(2);
    strings.any(|text| string(&format!("\"{text}\"")).is_ok_and(|(text, _)| is_prose(&text)))
}

/// Whether a member may say something: a list of numbers says nothing.
fn has_words(json: &str) -> bool {
    json.starts_with(['"', '[', '{']) && json.contains('"') && json != "\"\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_lie_too_deep_are_no_text() {
        let of = |depth: usize| {
            let (open, close) = ("[{\"type\":\"tool_result\",\"content\":", "}]");
            let parts = format!("{}\"a\"{}", open.repeat(depth), close.repeat(depth));
            conversation(&format!("[{{\"content\":{parts}}}]"))
        };
        assert_eq!(of(DEPTH).as_deref(), Some("a"));
        assert_eq!(of(DEPTH + 1), None);
        assert_eq!(of(100_000), None);
    }

    #[test]
    fn fields_are_joined_where_they_are_there() {
        let names = names("title, body,chat").unwrap();
        let of = |fields: &[(&str, &str)]| {
            of_fields(&names, |name| {
                let found = fields.iter().find(|(field, _)| *field == name);
                found.map(|(_, json)| (*json).to_owned())
            })
        };
        let text =
            |text: &str, parts| Ok(Some(Joined { text: text.to_owned(), parts, replaced: false }));
        assert_eq!(of(&[("body", "\"b\""), ("title", "\"t\"")]), text("t\nb", 0b11));
        assert_eq!(of(&[("title", "null"), ("chat", "[\"c\"]")]), text("c", 0b101));
        assert_eq!(of(&[("title", "null")]), text("", 1));
        assert_eq!((super::part(63), super::part(64)), (1 << 63, 0));
        let halves = of(&[("title", "\"a \\ud800\""), ("body", "\"ok\"")]).unwrap().unwrap();
        let expected = Joined { text: "a \u{fffd}\nok".to_owned(), parts: 0b11, replaced: true };
        assert_eq!(halves, expected);
        assert_eq!(of(&[]), Ok(None));
        assert_eq!(of(&[("title", "\"t\""), ("body", "7")]), Err("body"));
        assert_eq!(super::names("text"), None);
    }
}
