//! Texts that a row has in several parts: a conversation, or several fields.

use serde::Deserialize;
use serde_json::Value;

/// What stands between two parts.
pub(crate) const BETWEEN: &str = "\n";

/// The names of several fields, as `title,body` has them; none where it is one.
pub(crate) fn names(field: &str) -> Option<Vec<&str>> {
    field.contains(',').then(|| field.split(',').map(str::trim).collect())
}

/// A text of several fields, and [which](part) of these it is of.
pub(crate) type Joined = (String, u64);

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
    let (mut parts, mut found) = (None, 0);
    for (place, name) in names.iter().enumerate() {
        let Some(json) = json(name) else { continue };
        found |= part(place);
        let parts: &mut Vec<String> = parts.get_or_insert_default();
        match serde_json::from_str(&json) {
            Ok(Value::Null) => {}
            Ok(Value::String(text)) => parts.push(text),
            _ => parts.push(conversation(&json).ok_or(*name)?),
        }
    }
    Ok(parts.map(|parts| (parts.join(BETWEEN), found)))
}

/// What was said in a conversation, in its order: a list of texts, or of messages with a `content` (of OpenAI), a
/// `value` (of ShareGPT) or a `text`. Who said it is left out, and so are parts of a content that are no text. `None` for
/// any other JSON, and where nothing is said.
///
/// A content is a text, null, or a list of parts, of which those of a type `text` count.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::conversation;
///
/// let said = conversation(r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]"#);
/// assert_eq!(said.as_deref(), Some("Hi\nHo"));
/// assert_eq!(conversation("[1]"), None);
/// ```
#[must_use]
pub fn conversation(json: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Turn {
        Text(String),
        Message {
            #[serde(alias = "value", alias = "text")]
            content: Option<Content>,
        },
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Content {
        Text(String),
        Parts(Vec<Part>),
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Part {
        Text(String),
        Typed { text: Option<String> },
    }
    let turns: Vec<Turn> = serde_json::from_str(json).ok()?;
    let is_empty = turns.is_empty();
    let said = turns.into_iter().flat_map(|turn| match turn {
        Turn::Text(text) | Turn::Message { content: Some(Content::Text(text)) } => vec![text],
        Turn::Message { content: Some(Content::Parts(parts)) } => {
            let text = |part| match part {
                Part::Text(text) => Some(text),
                Part::Typed { text } => text,
            };
            parts.into_iter().filter_map(text).collect()
        }
        Turn::Message { content: None } => Vec::new(),
    });
    let said: Vec<String> = said.collect();
    (is_empty || !said.is_empty()).then(|| said.join(BETWEEN))
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
            ("[1]", None),
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
        let text = |text: &str, parts| Ok(Some((text.to_owned(), parts)));
        assert_eq!(of(&[("body", "\"b\""), ("title", "\"t\"")]), text("t\nb", 0b11));
        assert_eq!(of(&[("title", "null"), ("chat", "[\"c\"]")]), text("c", 0b101));
        assert_eq!(of(&[("title", "null")]), text("", 1));
        assert_eq!((super::part(63), super::part(64)), (1 << 63, 0));
        assert_eq!(of(&[]), Ok(None));
        assert_eq!(of(&[("title", "\"t\""), ("body", "7")]), Err("body"));
        assert_eq!(super::names("text"), None);
    }
}
