//! The text of a JSON string that has escapes, and the string of a text.

#![deny(clippy::indexing_slicing)]

use memchr::memchr;
use std::borrow::Cow;

/// The text of what stands between the quotes of a JSON string, which a parser has passed. `None` where half of a surrogate
/// pair is in it.
///
/// # Complexity
/// Linear: one pass, and one allocation of as many bytes as the string has.
pub(crate) fn unescaped(string: &str) -> Option<String> {
    let (mut text, mut rest) = (String::with_capacity(string.len()), string);
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at(at);
        text.push_str(plain);
        let (character, length) = of_escape(escape)?;
        text.push(character);
        rest = escape.get(length..)?;
    }
    text.push_str(rest);
    Some(text)
}

/// The character of the escape that a text begins with, and how many bytes it has (RFC 8259, section 7). `None` where that
/// is no escape, or half of a surrogate pair.
#[inline]
pub(crate) fn of_escape(escape: &str) -> Option<(char, usize)> {
    let character = match escape.as_bytes().get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return of_units(escape),
        other @ (b'"' | b'\\' | b'/') => char::from(*other),
        _ => return None,
    };
    Some((character, 2))
}

/// JSON in which every escape of half of a surrogate pair is that of U+FFFD; borrowed where there is none. What else is
/// wrong with it stays so.
///
/// # References
///
/// Infra Standard, section 4.6: "convert a string into a scalar value string".
pub(crate) fn whole(json: &str) -> Cow<'_, str> {
    let (mut whole, mut from, mut at) = (String::new(), 0, 0);
    let next = |at: usize| {
        let rest = json.get(at..)?;
        rest.get(memchr(b'\\', rest.as_bytes())?..)
    };
    while let Some(escape) = next(at) {
        at = json.len() - escape.len();
        at += match of_escape(escape) {
            Some((_, length)) => length,
            None if escape.starts_with("\\u") && unit(escape, 2).is_some() => {
                whole.push_str(json.get(from..at).unwrap_or_default());
                whole.push_str("\\ufffd");
                from = at + HALF;
                HALF
            }
            None => 1,
        };
    }
    if from == 0 {
        return Cow::Borrowed(json);
    }
    whole.push_str(json.get(from..).unwrap_or_default());
    Cow::Owned(whole)
}

/// The text of a JSON string, and whether half of a surrogate pair in it became U+FFFD.
pub(crate) fn string(json: &str) -> Result<(String, bool), serde_json::Error> {
    let whole = whole(json);
    Ok((serde_json::from_str(&whole)?, matches!(whole, Cow::Owned(_))))
}

/// Appends the JSON string of a text, with half of a surrogate pair for what is no character: [`string`] reads U+FFFD
/// there, and says so.
pub(crate) fn escaped(text: &[u8], json: &mut Vec<u8>) {
    json.push(b'"');
    let mut part = Vec::new();
    for chunk in text.utf8_chunks() {
        part.clear();
        // Neither a string nor memory can fail.
        let _written = serde_json::to_writer(&mut part, chunk.valid());
        json.extend_from_slice(part.get(1..part.len() - 1).unwrap_or_default());
        if !chunk.invalid().is_empty() {
            json.extend_from_slice(b"\\udfff");
        }
    }
    json.push(b'"');
}

/// JSON that is not UTF-8, with half of a surrogate pair in every string for what is no character there.
pub(crate) fn marked(json: &[u8]) -> String {
    let mut marked = String::with_capacity(json.len());
    for chunk in json.utf8_chunks() {
        marked.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            // No half that stands before makes a pair with it.
            marked.push_str("\\ufffd\\udfff");
        }
    }
    marked
}

/// Bytes of the escape of one unit of UTF-16.
const HALF: usize = 6;

/// The unit of UTF-16 whose digits begin at a byte.
fn unit(escape: &str, at: usize) -> Option<u16> {
    // A number may have a sign, and four digits of an escape have none.
    let digits = escape.get(at..at + 4).filter(|it| it.bytes().all(|it| it.is_ascii_hexdigit()));
    u16::from_str_radix(digits?, 16).ok()
}

/// The character of one unit of UTF-16, or of two.
fn of_units(escape: &str) -> Option<(char, usize)> {
    let first = unit(escape, 2)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((character, HALF));
    }
    let second = escape.get(6..8).filter(|it| *it == "\\u").and_then(|_| unit(escape, 8))?;
    let character = char::decode_utf16([first, second]).next()?.ok()?;
    Some((character, 12))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(500)))]
        #[test]
        fn texts_are_those_of_the_parser(
            parts in prop::collection::vec(
                prop_oneof![
                    r#"\\[nrtbf"/\\]"#,
                    r"\\u[0-9a-fA-F]{4}",
                    r"\\u[dD][89a-fA-F][0-9a-f]{2}",
                    r"\\ud83d\\ude0[0-9]",
                    "[ -!#-\\[\\]-~é日🙂]{0,9}",
                ],
                0..12,
            ),
        ) {
            let string = parts.concat();
            let expected: Option<String> = serde_json::from_str(&format!("\"{string}\"")).ok();
            prop_assert_eq!(unescaped(&string), expected.clone(), "{}", string);
            // Halves are of those that a parser refuses: it takes the rest, and what has none stays as it is.
            let json = format!("\"{string}\"");
            let (text, replaced) = super::string(&json).unwrap();
            prop_assert_eq!(replaced, expected.is_none(), "{}", string);
            prop_assert!(expected.is_none_or(|expected| expected == text), "{}", string);
        }
    }

    #[test]
    fn what_is_no_character_is_half_of_a_pair() {
        for (text, json, lossy) in [
            (&b"a\"\n\xc3\xa9"[..], "\"a\\\"\\n\u{e9}\"", "a\"\n\u{e9}"),
            (b"\xff\xfeb\xc3", "\"\\udfff\\udfffb\\udfff\"", "\u{fffd}\u{fffd}b\u{fffd}"),
        ] {
            let mut found = Vec::new();
            escaped(text, &mut found);
            assert_eq!(str::from_utf8(&found), Ok(json));
            let is_damaged = str::from_utf8(text).is_err();
            assert_eq!(super::string(json).unwrap(), (lossy.to_owned(), is_damaged));
        }
        let line = marked(b"{\"a\":\"\\ud83d\xff\",\"b\":\"\"}");
        assert_eq!(line, "{\"a\":\"\\ud83d\\ufffd\\udfff\",\"b\":\"\"}");
    }

    #[test]
    fn halves_of_pairs_are_replaced_and_nothing_else() {
        for (json, expected) in [
            (r#""a\ud800b""#, r#""a\ufffdb""#),
            (
                r#"{"\uDFFF":["\ud83d\ude00\ud83d","\\ud800"]}"#,
                r#"{"\ufffd":["\ud83d\ude00\ufffd","\\ud800"]}"#,
            ),
            (r#""\ud800\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud800\u00e9\n""#, r#""\ufffd\u00e9\n""#),
            (r#""\qd800 \ud80 \u+d80é\"#, r#""\qd800 \ud80 \u+d80é\"#),
        ] {
            assert_eq!(whole(json), expected);
            assert_eq!(matches!(whole(json), Cow::Borrowed(_)), json == expected);
        }
    }
}
