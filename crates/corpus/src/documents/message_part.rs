//! What the parts of a message say. Kinds of parts are `part_kind`'s, messages are `message`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::members::{Members, is_typed, members, word_in};
use crate::documents::part_kind::{INSTEAD, Kind, is_kept, place_among_texts, spelled, texts};
use crate::documents::said::{NOTHING, Said};
use crate::unescaped::string;
use serde_json::value::RawValue;

/// Strings that a part without a text says.
const STRINGS: [&str; 4] = ["refusal", "transcript", "stdout", "stderr"];

/// Objects that a part has these in.
const OBJECTS: [&str; 2] = ["audio", "input_audio"];

/// What options of polls are called in.
const LABELS: [&str; 5] = ["text", "title", "label", "option", "name"];

impl Said {
    /// A text, a list of parts that lie so deep in one another, or one part, which may be held as ChatGPT exports it.
    pub(crate) fn content(&mut self, json: &str, depth: usize) -> Option<()> {
        if json.starts_with('"') {
            return self.text(json);
        }
        if json.starts_with('{') {
            let part = members(json)?;
            let get = |name: &str| {
                let value = part.get(name.as_bytes()).map(|value| value.get());
                value.filter(|json| *json != "null")
            };
            if get("type").is_some() {
                return self.part(json, depth, false);
            }
            let (kind, _) = string(get("content_type")?).ok()?;
            if Kind::of(&kind) == Kind::Thought {
                return Some(());
            }
            let parts = get("parts").filter(|json| json.starts_with('['));
            return match (parts, get("text")) {
                (Some("[]") | None, Some(text)) => self.text(text),
                (parts, _) => self.content(parts?, depth.checked_sub(1)?),
            };
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
    pub(crate) fn object(
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
        let says = |known: Kind| {
            let is_told = |name: &str, json: &str| !known.is_beside(name) && has_prose(json);
            part.iter().any(|(name, value)| is_told(&name.to_string(), value.get()))
        };
        // Of Pydantic AI, LlamaIndex and ChatGPT. Other things have a kind too, and data of no type may say something.
        let told = || {
            let names = ["part_kind", "block_type", "kind", "content_type"];
            let mut kinds =
                names.iter().filter_map(|name| word(name)).filter(|kind| !kind.contains('/'));
            let is_any = |kind: &str| matches!(kind, "data" | "context" | "section");
            // What says something is no media, whatever it is called.
            let is_media = |kind| matches!(kind, Kind::Media | Kind::Kept | Kind::Sign);
            kinds.find(|kind| match Kind::of(kind) {
                Kind::Unknown => false,
                known => !(is_any(kind) || is_media(known) && says(known)),
            })
        };
        let kind = kind.map(str::to_owned).or_else(|| word("type")).or_else(told);
        let known = match &kind {
            Some(kind) => Some(match Kind::of(kind) {
                Kind::Sign if says(Kind::Sign) => Kind::Document,
                Kind::Sign => Kind::Kept,
                known => known,
            }),
            // A call as messages have it beside their content.
            None => get("arguments").map(|_| Kind::Call),
        };
        if known == Some(Kind::Thought) || get("thought") == Some("true") {
            return Some(());
        }
        let of_kind = known.unwrap_or(Kind::Answer).members();
        let is_elsewhere = || of_kind.iter().filter_map(|name| get(name)).any(has_words);
        // A text that is empty gives way to words.
        let text = get("text").filter(|json| !NOTHING.contains(json) || !is_elsewhere());
        // Beside that of an embed is what stands above and below it.
        if let Some(text) = text.filter(|_| known != Some(Kind::Embed)) {
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
        if let Some(known) = known.filter(|kind| *kind != Kind::Unknown) {
            let kind = kind.filter(|_| !self.has_words(before));
            return kind.map_or(Some(()), |kind| self.instead(&part, &kind, known, before, depth));
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

    /// What a part of a known kind says where the members of its kind have no words: the member of its own name, else the first that
    /// is called as words are. `None` where others have words.
    fn instead(
        &mut self,
        part: &Members<'_>,
        kind: &str,
        known: Kind,
        before: usize,
        depth: usize,
    ) -> Option<()> {
        let (own, so_far) = (spelled(kind), self.texts.len());
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
        let told = others.iter().find(|(name, json)| has_prose(json) && !known.is_beside(name));
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
        let mut tried = Vec::new();
        for name in names {
            // A member without words has none when it is read once more.
            if tried.contains(&name) {
                continue;
            }
            tried.push(name);
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
    pub(crate) fn member(
        &mut self,
        name: &str,
        json: &str,
        of: Option<Kind>,
        depth: usize,
    ) -> Option<()> {
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
            "results" => self.found(json),
            "options" | "answers" | "choices" if of == Some(Kind::Embed) => {
                // Of options that nobody knows the others count.
                for item in items(json)? {
                    if self.option(item, depth).is_none() {
                        self.unknown = None;
                    }
                }
                Some(())
            }
            "fields" if of == Some(Kind::Embed) => {
                let mut fields = items(json)?.into_iter().filter(|item| item.starts_with('{'));
                fields.try_for_each(|field| self.object(field, Some("embed"), depth, false))
            }
            "json" | "data" | "result" | "response" | "error" | "reason" | "structured_content" => {
                self.data(json)
            }
            _ if matches!(of, Some(Kind::Call | Kind::Data))
                && !matches!(name, "outputs" | "content") =>
            {
                self.data(json)
            }
            _ => self.held(json, depth, matches!(of, Some(Kind::Answer | Kind::Call))),
        }
    }

    /// What people may choose in a poll, under whatever name.
    fn option(&mut self, json: &str, depth: usize) -> Option<()> {
        let is_object = json.starts_with('{');
        let label = members(json).filter(|_| is_object).and_then(|option| {
            let get = |name: &str| option.get(name.as_bytes()).map(|value| value.get());
            let mut labels = LABELS.into_iter().filter_map(get);
            labels.find(|json| json.starts_with(['"', '[']))
        });
        match label {
            Some(label) => self.content(label, depth),
            None => self.held_part(json, depth, false),
        }
    }

    /// What a search found: the texts alone where each has one, else all as it is written.
    fn found<'a>(&mut self, json: &'a str) -> Option<()> {
        let found: Vec<&'a RawValue> = serde_json::from_str(json).unwrap_or_default();
        let text = |it: &'a RawValue| {
            let text = members(it.get())?.get(b"text".as_slice()).copied()?;
            Some(text.get()).filter(|json| json.starts_with('"'))
        };
        let texts: Option<Vec<&str>> = found.into_iter().map(text).collect();
        match texts.filter(|texts| !texts.is_empty()) {
            Some(texts) => texts.into_iter().try_for_each(|json| self.text(json)),
            None => self.data(json),
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

/// The members with words of a part, but for those that its kind says something in, by their spelled names.
fn others<'a>(part: &Members<'a>, of: Kind) -> Vec<(String, &'a str)> {
    let with_words = part.iter().map(|(name, value)| (name.to_string(), value.get()));
    let with_words = with_words.filter(|(_, json)| has_words(json));
    let others = with_words.filter(|(name, _)| !of.members().contains(&name.as_str()));
    others.map(|(name, json)| (spelled(&name), json)).collect()
}

/// The items of a list; of what is none, that.
pub(crate) fn items(json: &str) -> Option<Vec<&str>> {
    if !json.starts_with('[') {
        return Some(vec![json]);
    }
    let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// Whether a string of this JSON has words with a blank between them, or is in a script without blanks. Ids, paths,
/// addresses and numbers have none.
pub(crate) fn has_prose(json: &str) -> bool {
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
pub(crate) fn has_words(json: &str) -> bool {
    json.starts_with(['"', '[', '{']) && json.contains('"') && json != "\"\""
}
