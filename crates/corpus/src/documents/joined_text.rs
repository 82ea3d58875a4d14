//! Texts that a row has in several parts: a conversation, or several fields.

use crate::documents::members::{Members, members};
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
/// `value` (of ShareGPT) or a `text`, of which the first counts that is not null. Who said it is left out, and so are
/// parts of a content that are no text. `None` for any other JSON.
///
/// A content is a text, null, or a list of parts, of which those of a type `text` count, and what a `tool_result` has as
/// its own content (Anthropic API, "Tool use"). A message that calls a tool
/// may have none: it says nothing (OpenAI API, "Create chat completion"), as do null and a message of which only the role
/// is told. Half of a surrogate pair becomes U+FFFD.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::conversation;
///
/// let said = conversation(r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]"#);
/// assert_eq!(said.as_deref(), Some("Hi\nHo"));
/// assert_eq!(conversation(r#"[{"role":"user","content":[]}]"#).as_deref(), Some(""));
/// assert_eq!(conversation("[1]"), None);
/// ```
#[must_use]
pub fn conversation(json: &str) -> Option<String> {
    Some(of_conversation(json)?.text)
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
const CONTENTS: [&str; 3] = ["content", "value", "text"];

/// What a message may have in the place of these.
const CALLS: [&str; 2] = ["tool_calls", "function_call"];

/// The types of parts that hold what a tool answered.
const RESULTS: [&str; 2] = ["tool_result", "mcp_tool_result"];

/// What was said so far. `None` stands for JSON that is not what it should be.
#[derive(Default)]
struct Said {
    texts: Vec<String>,
    replaced: bool,
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

    /// A text, null or a message. `None` for any other object: what it says may stand under another name.
    fn turn(&mut self, json: &str) -> Option<()> {
        if json.starts_with('"') {
            return self.text(json);
        }
        if json == "null" {
            return Some(());
        }
        let message = members(json)?;
        let get = |name: &&str| message.get(name.as_bytes()).map(|value| value.get());
        if let Some(content) = CONTENTS.iter().filter_map(get).find(|json| *json != "null") {
            self.content(content, Self::result)?;
        }
        // What else a message has may be what it says.
        let says_nothing = || {
            let is_told = |json: &&str| *json != "null";
            let told = message.values().map(|value| value.get()).filter(is_told).count();
            let roles = || ROLES.iter().filter_map(get);
            roles().next().is_some() && roles().filter(is_told).count() == told
        };
        let is_message = CONTENTS.iter().chain(&CALLS).any(|name| get(name).is_some());
        (is_message || says_nothing()).then_some(())
    }

    /// A text, or a list of parts; `other` takes those without a text.
    fn content(
        &mut self,
        json: &str,
        other: impl Fn(&mut Self, &Members<'_>) -> Option<()>,
    ) -> Option<()> {
        if json.starts_with('"') {
            return self.text(json);
        }
        let parts: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        parts.into_iter().map(RawValue::get).try_for_each(|part| match part.as_bytes().first() {
            Some(b'"') => self.text(part),
            Some(b'n') => Some(()),
            _ => {
                let part = members(part)?;
                match part.get(b"text".as_slice()).map(|text| text.get()) {
                    None | Some("null") => other(self, &part),
                    Some(text) => self.text(text),
                }
            }
        })
    }

    /// What a tool answered, if the part is such a result. In one there is no other.
    fn result(&mut self, part: &Members<'_>) -> Option<()> {
        let get = |name: &str| part.get(name.as_bytes()).map(|value| value.get());
        let kind = get("type").and_then(|kind| string(kind).ok());
        if !kind.is_some_and(|(kind, _)| RESULTS.contains(&kind.as_str())) {
            return Some(());
        }
        match get("content") {
            None | Some("null") => Some(()),
            Some(content) => self.content(content, |_, _| Some(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_joined_in_its_order() {
        for (json, said) in [
            ("[]", Some("")),
            ("[\"a\",\"b\"]", Some("a\nb")),
            (
                "[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"assistant\",\"content\":null},\
                 {\"from\":\"gpt\",\"value\":\"Ho\"},{\"text\":\"!\"}]",
                Some("Hi\nHo\n!"),
            ),
            (
                "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"See\"},\
                 {\"type\":\"image_url\",\"image_url\":{\"url\":\"x\"}},\"this\"]}]",
                Some("See\nthis"),
            ),
            // Of several that are there the first counts that is not null.
            (
                "[{\"content\":\"Hi\",\"value\":null},{\"text\":\"x\",\"content\":\"Ho\"}]",
                Some("Hi\nHo"),
            ),
            ("[{\"content\":null,\"text\":\"Hi\"}]", Some("Hi")),
            // Nothing is said.
            (
                "[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":1e999}]}]",
                Some(""),
            ),
            ("[{\"role\":\"assistant\",\"tool_calls\":[]}]", Some("")),
            ("[{\"content\":[]}]", Some("")),
            ("[{\"content\":\"\"}]", Some("")),
            ("[{\"content\":[{\"type\":\"image_url\",\"image_url\":{}}]}]", Some("")),
            // A tool's answer counts as a message of its own would.
            ("[{\"content\":[{\"type\":\"tool_result\",\"content\":\"sunny\"}]}]", Some("sunny")),
            (
                "[{\"content\":[{\"type\":\"tool_result\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},\
                 {\"type\":\"image\",\"source\":{}},\"b\"]},{\"type\":\"text\",\"text\":\"c\"}]}]",
                Some("a\nb\nc"),
            ),
            (
                "[{\"content\":[{\"type\":\"mcp_tool_result\",\"content\":[{\"text\":\"a\"}]}]}]",
                Some("a"),
            ),
            (
                "[{\"content\":[{\"type\":\"tool_result\",\"text\":null,\"content\":\"a\"}]}]",
                Some("a"),
            ),
            ("[{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"x\"}]}]", Some("")),
            ("[{\"content\":[{\"type\":\"tool_result\",\"content\":null}]}]", Some("")),
            ("[{\"content\":[{\"type\":\"tool_result\",\"content\":7}]}]", None),
            ("[{\"content\":[{\"type\":\"tool_use\",\"content\":\"a\"}]}]", Some("")),
            ("[{\"content\":[{\"type\":\"text\",\"text\":null}]}]", Some("")),
            // No character of what nobody reads does harm.
            ("[{\"\\ud800\":1,\"role\":\"\\udfff\",\"content\":\"a\"}]", Some("a")),
            ("[{\"content\":\"a\\ud800\"},\"\\udfffb\"]", Some("a\u{fffd}\n\u{fffd}b")),
            ("[{\"role\":\"user\"}]", Some("")),
            ("[{\"from\":\"gpt\"},{\"from\":\"human\",\"value\":\"Hi\"}]", Some("Hi")),
            ("[{\"role\":\"user\",\"name\":null}]", Some("")),
            ("[{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]}]", None),
            ("[{\"from\":\"user\",\"message\":\"a\"}]", None),
            ("[{\"content\":\"Hi\"},{\"role\":\"user\",\"message\":\"a\"}]", None),
            ("[{\"role\":\"user\",\"message\":\"a\"},{\"content\":\"Hi\"},\"b\"]", None),
            ("[\"a\",null,\"b\"]", Some("a\nb")),
            ("[null]", Some("")),
            ("[{\"content\":[null,{\"text\":\"a\"}]}]", Some("a")),
            ("[1]", None),
            ("[null,1]", None),
            ("[{\"content\":7}]", None),
            ("[{\"content\":{\"text\":\"a\"}}]", None),
            ("[{\"content\":[{\"text\":7}]}]", None),
            ("[{\"content\":[7]}]", None),
            ("{\"content\":\"a\"}", None),
            ("[[\"a\"]]", None),
            ("[{\"a\":1}]", None),
        ] {
            assert_eq!(conversation(json).as_deref(), said, "{json}");
        }
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
