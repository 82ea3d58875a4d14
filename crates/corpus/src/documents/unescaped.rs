//! The text of a JSON string that has escapes.

#![deny(clippy::indexing_slicing)]

use memchr::memchr;

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

/// The character of one unit of UTF-16, or of two.
fn of_units(escape: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        // A number may have a sign, and four digits of an escape have none.
        let digits =
            escape.get(at..at + 4).filter(|it| it.bytes().all(|it| it.is_ascii_hexdigit()));
        u16::from_str_radix(digits?, 16).ok()
    };
    let first = unit(2)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((character, 6));
    }
    let second = escape.get(6..8).filter(|it| *it == "\\u").and_then(|_| unit(8))?;
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
            prop_assert_eq!(unescaped(&string), expected, "{}", string);
        }
    }
}
