//! Texts that a row has in several parts: a conversation, or several fields.

use crate::documents::message::messages_in;
use crate::documents::said::Said;
use crate::unescaped::string;

/// What stands between two parts.
const BETWEEN: &str = "\n";

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
        said.field(name, &json).ok_or(*name)?;
    }
    Ok(is_there.then(|| said.joined(parts)))
}

/// What was said in a conversation, in its order: a list of texts, or of messages with a `content` (of OpenAI), a
/// `value` (of ShareGPT), a `text`, an `utterance`, `parts` (of Gemini) or `blocks` (of LlamaIndex), of which the first counts
/// that has words. A message may be held in `data` or `kwargs` (of LangChain), and a pair such as `human` and `assistant` is
/// two, where nothing else is said beside these. Who said it is left out, and so are parts of a content that are no text. `None` for any other JSON.
///
/// A content is a text, null, a part, or a list of parts. What all who take part can read counts: texts, refusals, transcripts of
/// audio, documents, search results, and what tools answered (OpenAI API, "Create chat completion"; Anthropic API,
/// "Create a message"; Amazon Bedrock, "Converse"; AI SDK, "Tool messages"; Cohere API, "Chat"), data as they are written.
/// So does what stands beside a content and is not in it: attachments, embeds, files, answers of tools and messages in it, as far
/// as their members are known.
/// Thoughts, be they parts or messages, media, calls of tools and what is kept elsewhere do not count.
///
/// Where a part has no words in the members of its kind, those in a member of the kind's name, or in one such as `body`,
/// `structuredContent` or `page_content`, count. If it has two words under another name, it is `None`, and so is a part of an
/// unknown kind without a `text`. A message that calls a tool may have no content: it says nothing, as do null and a message
/// of which only the role is told. Answers, calls, media and thoughts may stand between messages. Words in a `message`, `body`
/// or the like beside an empty content are `None`. Half of a surrogate pair becomes U+FFFD.
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

/// Whether half of a surrogate pair becomes U+FFFD in what [`conversation`] gives.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::has_half_pair;
///
/// assert!(has_half_pair(r#"[{"role":"user","content":"a\ud800"}]"#));
/// assert!(!has_half_pair(r#"[{"role":"user","content":"a\ufffd"}]"#));
/// ```
#[must_use]
pub fn has_half_pair(json: &str) -> bool {
    of_conversation(json).is_some_and(|said| said.replaced)
}

/// As [`conversation`], with what became of it.
pub(crate) fn of_conversation(json: &str) -> Option<Joined> {
    let mut said = Said::default();
    said.conversation(json)?;
    Some(said.joined(0))
}

impl Said {
    fn joined(self, parts: u64) -> Joined {
        Joined { text: self.texts.join(BETWEEN), parts, replaced: self.replaced }
    }

    /// A string, null or a conversation, in a field of this name.
    fn field(&mut self, name: &str, json: &str) -> Option<()> {
        match json.as_bytes().first()? {
            b'n' => Some(()),
            b'"' => {
                let (text, replaced) = string(json).ok()?;
                self.replaced |= replaced;
                if let Some(list) = messages_in(name, &text) {
                    return self.conversation(&list);
                }
                self.texts.push(text);
                Some(())
            }
            _ => self.conversation(json),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
