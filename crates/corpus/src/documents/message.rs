//! What the messages of a conversation say. Their parts are `message_part`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::members::{Members, Name, members};
use crate::documents::message_part::{has_prose, has_words, items};
use crate::documents::part_kind::{Kind, is_base64, is_file, spelled};
use crate::documents::python_literal::json_of_python;
use crate::documents::said::{NOTHING, Said};
use crate::finite::finite;
use crate::unescaped::string;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashSet;

/// Where messages tell who speaks.
const ROLES: [&str; 2] = ["role", "from"];

/// Where any message or event does.
const SPEAKERS: [&str; 7] = ["role", "from", "sender", "speaker", "author", "source", "user"];

/// What a message with a role says in, where a string is a list of such.
const TOLD: [&str; 5] = ["content", "parts", "tool_calls", "text", "value"];

/// How that begins: as a text, a list or null.
const TOLD_IN: [char; 3] = ['"', '[', 'n'];

/// The types of messages that LangChain holds.
const HELD: [&str; 6] = ["human", "ai", "system", "tool", "function", "chat"];

/// What messages say in.
const CONTENTS: [&str; 6] = ["content", "value", "text", "utterance", "parts", "blocks"];

/// What a list is that has neither texts nor these.
pub(crate) const NO_MESSAGES: &str = "an array that is no list of texts, nor of messages with a text or parts in content, value, \
    text, utterance, parts or blocks";

/// The same of a list that is a string.
pub(crate) const NO_MESSAGES_IN_STRING: &str = "a string of messages, of which one has no text or parts in content, value, text, \
    utterance, parts or blocks";

/// Where an object has a message, as libraries write it: one with a content.
const HOLDERS: [&str; 3] = ["data", "kwargs", "message"];

/// A question and its answer, which one object has.
const PAIRS: [[&str; 2]; 2] = [["human", "assistant"], ["user", "assistant"]];

/// What a message says in where nothing is said in a content, nor shown beside it; the last three of a tool alone: beside what
/// people and models say they tell how it went.
const ANSWERS: [&str; 7] =
    ["output", "answer", "transcript", "caption", "result", "response", "error"];

/// What was asked, beside which an answer alone is not all that a message says.
const ASKED: [&str; 6] = ["question", "prompt", "instruction", "query", "problem", "input"];

/// What a message may say in otherwise.
const ELSEWHERE: [&str; 4] = ["message", "body", "markdown", "data"];

/// Words in the names of fields that hold messages.
const FIELDS: [&str; 14] = [
    "messages",
    "conversation",
    "conversations",
    "chat",
    "chats",
    "dialog",
    "dialogs",
    "dialogue",
    "dialogues",
    "turns",
    "prompt",
    "completion",
    "chosen",
    "rejected",
];

/// What a message may have in the place of these, or beside them.
const OTHERS: [&str; 4] = ["refusal", "audio", "tool_calls", "function_call"];

/// What a message shows beside its content, and the kind of the parts there. Those of the last kind are messages.
const BESIDE: [(&str, &str); 14] = [
    ("instructions", "text"),
    ("attachments", "embed"),
    ("embeds", "embed"),
    ("poll", POLL),
    ("files", "file"),
    ("toolInvocations", "tool_invocation"),
    ("tool_invocations", "tool_invocation"),
    ("forwardedMessage", MESSAGE),
    ("forwarded_message", MESSAGE),
    ("message_snapshots", MESSAGE),
    ("reblog", MESSAGE),
    ("replies", MESSAGE),
    ("children", REPLY),
    ("comments", REPLY),
];

/// The kinds of what people answer, which strings are not: these are ids and remarks.
const REPLY: &str = "reply";
const POLL: &str = "poll";

/// What replies of forums say in.
const REPLIED: [&str; 2] = ["body", "message"];

/// The kind of messages in messages.
const MESSAGE: &str = "message";

/// Where a part says which file it is.
const FILES: [&str; 12] = [
    "file",
    "file_id",
    "file_data",
    "source",
    "url",
    "data",
    "image_url",
    "image_file",
    "file_url",
    "audio_url",
    "video_url",
    "document_url",
];

/// Roles of who speaks in a conversation.
const SPEAKING: [&str; 12] = [
    "system",
    "developer",
    "user",
    "human",
    "assistant",
    "ai",
    "bot",
    "chatbot",
    "gpt",
    "model",
    "tool",
    "function",
];

/// What a message calls tools in.
const CALLS: [&str; 2] = ["tool_calls", "function_call"];

/// Parts of parts are read so deep: the document of a page that a tool fetched is four deep.
const DEPTH: usize = 16;

/// Messages in messages are read so deep, as replies to replies are: of Reddit, where a reply is four objects deep, to the
/// sixty-fourth reply.
const REPLIES: usize = 256;

impl Said {
    pub(crate) fn conversation(&mut self, json: &str) -> Option<()> {
        let turns: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        turns.into_iter().try_for_each(|turn| self.turn(turn.get(), DEPTH))
    }

    /// A text, null, a message or an item between messages. `None` for any other object: what it says may stand under another name.
    fn turn(&mut self, json: &str, depth: usize) -> Option<()> {
        if let Some((message, replaced)) = message_in(json) {
            self.replaced |= replaced;
            return self.turn(&message, depth);
        }
        if json.starts_with('"') {
            return self.text(json);
        }
        if json == "null" {
            return Some(());
        }
        let (message, before) = (members(json)?, self.texts.len());
        if is_thought(&message) {
            return Some(());
        }
        self.contents(&message, before, depth)?;
        let has = |name: &&str| message.contains_key(name.as_bytes());
        let mut names = CONTENTS.iter().chain(&OTHERS);
        let is_there = names.clone().any(has);
        // A column has null for each member that a row lacks.
        let is_message = names.any(|name| is_told(&message, name))
            || is_there && ROLES.iter().any(|name| is_told(&message, name));
        if !is_message && let Some(read) = self.other(&message, json, depth) {
            return read;
        }
        if is_there {
            self.beside(&message, before, depth)?;
            self.answers(&message, before, depth)?;
            if self.has_words(before) {
                return Some(());
            }
            self.unknown = elsewhere(&message).map(str::to_owned);
            // What else a message has may be what it says.
            let says_nothing = self.unknown.is_none() && (is_message || is_all(&message, &[]));
            return says_nothing.then_some(());
        }
        let is_of_none =
            |kind: &String| Kind::of(kind) == Kind::Unknown && !HELD.contains(&kind.as_str());
        self.unknown = word(&message, "type").filter(is_of_none);
        None
    }

    /// What a message says in its contents, its refusal and its audio.
    fn contents(&mut self, message: &Members<'_>, before: usize, depth: usize) -> Option<()> {
        let get = |name: &&str| message.get(name.as_bytes()).map(|value| value.get());
        let contents = || CONTENTS.iter().filter_map(get).filter(|json| *json != "null");
        let mut told = contents().filter(|json| !NOTHING.contains(json));
        // A number beside an empty content is what somebody counted.
        let content = told.next().filter(|json| json.starts_with(['"', '[', '{']));
        if let Some(content) = content.or_else(|| contents().next()) {
            self.content(content, depth)?;
        }
        // A content in which nothing is said gives way to the next. An object is none.
        for other in told.filter(|json| has_words(json) && !json.starts_with('{')) {
            if self.has_words(before) {
                break;
            }
            let so_far = self.texts.len();
            self.content(other, depth)?;
            if self.has_words(so_far) {
                self.texts.drain(before..so_far);
            }
        }
        if let Some(refusal) = get(&"refusal").filter(|json| json.starts_with('"')) {
            let so_far = self.texts.len();
            self.text(refusal)?;
            self.once(before, so_far);
        }
        let audio = get(&"audio").filter(|json| json.starts_with('{'));
        audio.map_or(Some(()), |audio| self.object(audio, Some("audio"), depth, false))
    }

    /// What a message answers where it has said nothing so far. One that calls a tool says nothing.
    fn answers(&mut self, message: &Members<'_>, before: usize, depth: usize) -> Option<()> {
        if calls(message) || self.has_words(before) {
            return Some(());
        }
        let so_far = self.texts.len();
        let names = ANSWERS.iter().take(if is_of_person(message) { 4 } else { ANSWERS.len() });
        for name in names {
            let Some(json) = message.get(name.as_bytes()).map(|value| value.get()) else {
                continue;
            };
            let is_kept =
                || is_base64(json) || *name != "answer" && is_file(json) && !has_prose(json);
            let is_media = json.starts_with('"') && is_kept();
            // A tool may have failed behind what it wrote.
            let is_more = *name == "error";
            if !has_words(json) || is_media || self.has_words(so_far) && !is_more {
                continue;
            }
            let before_this = self.texts.len();
            if self.member(name, json, Some(Kind::Answer), depth).is_none() {
                // Numbers of whatever kind say nothing.
                if has_prose(json) {
                    return None;
                }
                self.texts.truncate(before_this);
                self.unknown = None;
            }
        }
        if self.has_words(so_far) {
            self.texts.drain(before..so_far);
            self.unknown = asked(message).map(str::to_owned);
        }
        self.unknown.is_none().then_some(())
    }

    /// An object without a content, where it is known what it is: one that tells no more than a role, an item between
    /// messages, what holds a message, or a question with its answer.
    fn other(&mut self, message: &Members<'_>, json: &str, depth: usize) -> Option<Option<()>> {
        let told = message.values().filter(|value| value.get() != "null").count();
        let roles = ROLES.iter().filter(|name| is_told(message, name)).count();
        let mut names = CONTENTS.iter().chain(&OTHERS).chain(&ROLES);
        if told == roles && names.any(|name| message.contains_key(name.as_bytes())) {
            return Some(Some(()));
        }
        if is_item(message) {
            return Some(self.object(json, None, depth, false));
        }
        if let Some(held) = held(message) {
            return Some(depth.checked_sub(1).and_then(|depth| self.turn(held, depth)));
        }
        let turns = pair(message)?;
        Some(turns.into_iter().try_for_each(|json| self.text(json)))
    }

    /// What a message shows beside its content, but for what it said there.
    fn beside(&mut self, message: &Members<'_>, before: usize, depth: usize) -> Option<()> {
        let so_far = self.texts.len();
        // Beside what is said in a conversation comments are remarks of others.
        let role = word(message, "role").unwrap_or_default().to_lowercase();
        let is_spoken = SPEAKING.contains(&role.as_str());
        for (name, kind) in
            BESIDE.into_iter().filter(|(name, _)| !(is_spoken && *name == "comments"))
        {
            let Some(json) = message.get(name.as_bytes()).map(|value| value.get()) else {
                continue;
            };
            // Each request repeats them.
            if name == "instructions"
                && self.instructions.replace(json.to_owned()).as_deref() == Some(json)
            {
                continue;
            }
            for item in items(json)? {
                if self.shown(item, kind, depth).is_none() {
                    self.unknown = None;
                }
            }
        }
        if self.texts.len() == so_far {
            return Some(());
        }
        let beside = self.texts.split_off(so_far);
        let new: Vec<String> = {
            let said: HashSet<&str> = self.texts.iter().skip(before).map(String::as_str).collect();
            let is_new = |text: &String| !text.is_empty() && !said.contains(text.as_str());
            beside.into_iter().filter(is_new).collect()
        };
        // An empty content gives way to words.
        if !new.is_empty() && !self.has_words(before) {
            self.texts.truncate(before);
        }
        self.texts.extend(new);
        Some(())
    }

    /// An item of this kind that a message shows. `None` where some of it is not known, or lies too deep: the rest counts.
    fn shown(&mut self, item: &str, kind: &str, depth: usize) -> Option<()> {
        match item.as_bytes().first()? {
            b'{' if !matches!(kind, MESSAGE | REPLY) => self.object(item, Some(kind), depth, false),
            b'{' if self.within == REPLIES => None,
            b'{' => {
                self.within += 1;
                let told = match has_content(item) {
                    true => self.turn(item, DEPTH),
                    false => self.reply(item),
                };
                self.within -= 1;
                told
            }
            b'"' if matches!(kind, REPLY | POLL) => Some(()),
            b'"' if kind == "text" || has_prose(item) && !is_file(item) => self.text(item),
            _ => Some(()),
        }
    }

    /// A reply without a content, with those to it. One may be told by its id alone, or be held in `data` or `message`.
    fn reply(&mut self, json: &str) -> Option<()> {
        let (reply, before) = (members(json)?, self.texts.len());
        let get = |name: &str| reply.get(name.as_bytes()).map(|value| value.get());
        let mut holders = ["data", "message"].into_iter().filter_map(get);
        if let Some(held) = holders.find(|json| json.starts_with('{')) {
            return self.shown(held, REPLY, DEPTH);
        }
        let mut said = REPLIED.into_iter().filter_map(get).filter(|json| json.starts_with('"'));
        if let Some(said) = said.find(|json| has_words(json)) {
            self.text(said)?;
        }
        self.beside(&reply, before, DEPTH)
    }
}

/// The list of messages that a string is, in a field that is called as such. `None` for any other: it is a text, as is a list
/// of which one item does not tell who speaks and what. One that Python printed is a list too.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{conversation, messages_in};
///
/// let text = r#"[{"role":"user","content":"Hi"}]"#;
/// let said = messages_in("row.chat_messages", text).and_then(|list| conversation(&list));
/// assert_eq!(said.as_deref(), Some("Hi"));
/// let printed = "[{'role': 'user', 'content': 'Hi'}]";
/// assert_eq!(messages_in("messages", printed).as_deref(), Some(r#"[{"role":"user","content":"Hi"}]"#));
/// assert_eq!(messages_in("text", text), None);
/// assert_eq!(messages_in("messages", "[a note]"), None);
/// assert_eq!(messages_in("completion", r#"[{"type":"PERSON","text":"Ann"}]"#), None);
/// ```
#[must_use]
pub fn messages_in<'t>(field: &str, text: &'t str) -> Option<Cow<'t, str>> {
    let text = text.trim_ascii();
    let name = field.rsplit('.').next().unwrap_or(field);
    let is_called = || spelled(name).split('_').any(|word| FIELDS.contains(&word));
    let list = (text.starts_with('[') && is_called()).then(|| finite(text))?;
    if is_list(&list) {
        return Some(list);
    }
    let printed = json_of_python(text).filter(|list| is_list(list));
    printed.map(Cow::Owned)
}

/// Whether JSON is a list of messages beyond doubt, and has one.
fn is_list(json: &str) -> bool {
    let turns: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    let is_one = |turn: &&RawValue| members(turn.get()).is_some_and(|it| is_message(&it));
    !turns.is_empty() && turns.iter().all(is_one)
}

/// Whether an object is a message beyond doubt: it tells in a string who speaks, and has what is said or called; or it holds a
/// message as LangChain does.
fn is_message(message: &Members<'_>) -> bool {
    let get = |name: &str| message.get(name.as_bytes()).map(|value| value.get());
    let is_string = |name: &str| get(name).is_some_and(|json| json.starts_with('"'));
    let is_told = |name: &&str| get(name).is_some_and(|json| json.starts_with(TOLD_IN));
    let is_held = || {
        let is_of = word(message, "type").is_some_and(|kind| HELD.contains(&kind.as_str()));
        (is_of || get("lc").is_some()) && held(message).is_some()
    };
    is_string("role") && TOLD.iter().any(is_told)
        || is_string("from") && is_string("value")
        || is_held()
}

/// The message that a string of JSON is, which tells its role and has a content, and whether half of a surrogate pair was
/// replaced in it.
fn message_in(json: &str) -> Option<(String, bool)> {
    let (text, replaced) = json.starts_with("\"{").then(|| string(json).ok()).flatten()?;
    let text = finite(&text).into_owned();
    let is_message = members(&text).is_some_and(|it| {
        let get = |name: &str| it.get(name.as_bytes()).map(|value| value.get());
        word(&it, "role").is_some_and(|role| SPEAKING.contains(&role.to_lowercase().as_str()))
            && get("content").is_some_and(|json| json.starts_with(TOLD_IN))
    });
    is_message.then_some((text, replaced))
}

/// The one message that an object holds, beside which nothing is said.
fn held<'a>(message: &Members<'a>) -> Option<&'a str> {
    let get = |name: &str| message.get(name.as_bytes()).copied().map(RawValue::get);
    let is_message = |json: &str| {
        json.starts_with('{')
            && members(json).is_some_and(|it| it.contains_key(b"content".as_slice()))
    };
    let mut holders = HOLDERS.into_iter().filter(|name| get(name).is_some_and(is_message));
    let name = holders.next().filter(|_| holders.next().is_none())?;
    get(name).filter(|_| is_all(message, &[name]))
}

/// Whether no member but these has two words.
fn is_all(message: &Members<'_>, names: &[&str]) -> bool {
    let is_one = |name: &Name<'_>| names.iter().any(|known| name.is(known));
    message.iter().all(|(name, value)| is_one(name) || !has_prose(value.get()))
}

/// What is asked and answered in one object, behind what the system says, where nothing else is said in it.
fn pair<'a>(message: &Members<'a>) -> Option<Vec<&'a str>> {
    let get = |name: &str| message.get(name.as_bytes()).copied().map(RawValue::get);
    let text = |name: &str| get(name).filter(|json| json.starts_with('"'));
    let is_pair = |names: &&[&str; 2]| names.iter().all(|name| text(name).is_some());
    let [asked, answered] = PAIRS.iter().find(is_pair)?;
    let names = ["system", *asked, *answered].into_iter().filter(|name| text(name).is_some());
    let names: Vec<&str> = names.collect();
    is_all(message, &names).then(|| names.into_iter().filter_map(text).collect())
}

/// Whether a message has a member of this name that is not null.
fn is_told(message: &Members<'_>, name: &str) -> bool {
    message.get(name.as_bytes()).is_some_and(|value| value.get() != "null")
}

/// The string that a message has under this name.
fn word(message: &Members<'_>, name: &str) -> Option<String> {
    string(message.get(name.as_bytes())?.get()).ok().map(|(word, _)| word)
}

/// Whether a message is a thought, as models and their libraries write them: in the channel of these of Harmony, an item of
/// OpenAI's Responses API, and an event of AutoGen. What somebody says is none, whatever they call it.
fn is_thought(message: &Members<'_>) -> bool {
    let is = |name: &str, json: &str| {
        message.get(name.as_bytes()).is_some_and(|value| value.get() == json)
    };
    let is_sealed = || {
        let summary = message.get(b"summary".as_slice());
        summary.is_some_and(|value| value.get().starts_with('['))
            || is_told(message, "encrypted_content")
    };
    let is_of_api = || is_told(message, "id") || !is_told(message, "text") && is_sealed();
    let is_spoken = || SPEAKERS.iter().any(|name| is_told(message, name));
    is("type", "\"ThoughtEvent\"")
        || is("type", "\"reasoning\"") && is_of_api() && !is_spoken()
        || is("channel", "\"analysis\"") && is("role", "\"assistant\"")
}

/// Whether this stands between messages and is a part, as answers, calls, media and thoughts are in OpenAI's Responses API, or
/// a part of the one message that a row is. A list of tools is no conversation: calls and files have an id or tell what they are.
fn is_item(item: &Members<'_>) -> bool {
    let has = |name: &&str| item.contains_key(name.as_bytes());
    let has_id = || ["id", "call_id", "toolCallId"].iter().any(|name| word(item, name).is_some());
    let is_spoken = || SPEAKERS.iter().any(|name| is_told(item, name));
    // What says something under another name is no such part.
    let is_silent = |known: Kind| {
        let is_told = |name: &Name<'_>| {
            known.is_beside(&name.to_string())
                || name.is("action")
                || known.members().iter().any(|member| name.is(member))
        };
        item.iter().all(|(name, value)| is_told(name) || !has_prose(value.get()))
    };
    word(item, "type").is_some_and(|kind| match Kind::of(&kind) {
        Kind::Answer => true,
        Kind::Unknown => false,
        _ if has_id() => true,
        Kind::Media => is_silent(Kind::Media),
        Kind::Thought => !is_spoken() && is_silent(Kind::Thought),
        Kind::Kept => FILES.iter().any(has) && is_silent(Kind::Kept),
        known => kind.ends_with("_call") && is_silent(known),
    })
}

/// Whether an object is a message by its content.
fn has_content(json: &str) -> bool {
    let is_there = |it: &Members<'_>, name: &str| {
        it.get(name.as_bytes()).is_some_and(|value| !NOTHING.contains(&value.get()))
    };
    members(json).is_some_and(|it| CONTENTS.iter().any(|name| is_there(&it, name)))
}

/// The member in which a message has what was asked: of who speaks in a conversation, or of nobody. What a tool was asked is its
/// call.
fn asked(message: &Members<'_>) -> Option<&'static str> {
    let is_told = |name: &&str| is_told(message, name);
    let is_of_nobody = || !SPEAKERS.iter().chain(&["type", "name"]).any(is_told);
    let get = |name: &str| message.get(name.as_bytes()).map(|value| value.get());
    let is_asked = |name: &&str| get(name).is_some_and(has_prose);
    ASKED.into_iter().find(is_asked).filter(|_| is_of_person(message) || is_of_nobody())
}

/// Whether a message is of who speaks in a conversation, and of no tool.
fn is_of_person(message: &Members<'_>) -> bool {
    let roles = ROLES.iter().filter_map(|name| word(message, name));
    roles.map(|role| role.to_lowercase()).any(|role| {
        SPEAKING.contains(&role.as_str()) && !matches!(role.as_str(), "tool" | "function")
    })
}

/// Whether a message calls a tool.
fn calls(message: &Members<'_>) -> bool {
    let get = |name: &str| message.get(name.as_bytes()).map(|value| value.get());
    CALLS.into_iter().filter_map(get).any(|json| !NOTHING.contains(&json))
}

/// The member in which a message may say something beside a content without words. One that calls a tool says nothing.
fn elsewhere(message: &Members<'_>) -> Option<&'static str> {
    let get = |name: &str| message.get(name.as_bytes()).map(|value| value.get());
    if calls(message) {
        return None;
    }
    // An object is of any kind, but for one with a content.
    let has_words_in = |json: &str| {
        let object = members(json);
        let content = |name: &str| object.as_ref()?.get(name.as_bytes()).map(|it| it.get());
        ["content", "text"].into_iter().filter_map(content).any(has_words)
    };
    ELSEWHERE.into_iter().find(|name| match get(name) {
        Some(json) if json.starts_with('{') => has_words_in(json),
        Some(json) => has_words(json) && *name != "data",
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_lie_too_deep_are_no_text() {
        let of = |depth: usize| -> Option<Vec<String>> {
            let (open, close) = ("[{\"type\":\"tool_result\",\"content\":", "}]");
            let parts = format!("{}\"a\"{}", open.repeat(depth), close.repeat(depth));
            let mut said = Said::default();
            said.conversation(&format!("[{{\"content\":{parts}}}]"))?;
            Some(said.texts)
        };
        assert_eq!(of(DEPTH), Some(vec!["a".to_owned()]));
        assert_eq!(of(DEPTH + 1), None);
        assert_eq!(of(100_000), None);
    }
}
