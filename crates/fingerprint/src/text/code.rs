//! Source code to tokens, whatever its language: identifiers, numbers and operators. White space is
//! none of them, so that layout does not matter; comments and strings are read as the code is.

/// Operators of several characters, the longest first: one token each.
const OPERATORS: [&str; 42] = [
    ">>>=", "===", "!==", "**=", "//=", "<<=", ">>=", "...", "..=", "<=>", "&&=", "||=", "??=",
    "->*", "->", "=>", "::", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "//", "/*", "*/", "..", ":=", "??",
];

/// Calls `emit` with every token of `text` in order.
pub(crate) fn tokens(text: &str, mut emit: impl FnMut(&str)) {
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            word_length(rest, first.is_ascii_digit())
        } else {
            let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
            operator.map_or(first.len_utf8(), |operator| operator.len())
        };
        let (token, after) = rest.split_at(length);
        emit(token);
        rest = after.trim_start();
    }
}

/// Bytes of the identifier or number at the start of `rest`. A number has its point and the sign of
/// its exponent: `1.5e-3`.
fn word_length(rest: &str, number: bool) -> usize {
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let next = || rest.get(at + c.len_utf8()..).and_then(|after| after.chars().next());
        let digit_follows = || next().is_some_and(|c| c.is_ascii_digit());
        let joins = is_word(c)
            || number && c == '.' && digit_follows()
            || number
                && !hexadecimal
                && matches!(c, '+' | '-')
                && matches!(before, 'e' | 'E')
                && digit_follows();
        if !joins {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// Whether a character belongs to an identifier or a number. Marks, as in `e\u{301}`, do.
fn is_word(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        tokens(text, |token| out.push(token.to_owned()));
        out
    }

    #[test]
    fn identifiers_numbers_and_operators_are_tokens() {
        assert_eq!(
            found("for (int i=0; i<=maxSize; ++i) { $x_1 += 1.5e-3*0xFF; }").join(" "),
            "for ( int i = 0 ; i <= maxSize ; ++ i ) { $x_1 += 1.5e-3 * 0xFF ; }"
        );
        assert_eq!(
            found("0..n a.b 1.f() x-1 0xe-1").join(" "),
            "0 .. n a . b 1 . f ( ) x - 1 0xe - 1"
        );
        assert_eq!(found("größe≠字数 \"é\""), ["größe", "≠", "字数", "\"", "é", "\""]);
    }

    #[test]
    fn layout_does_not_matter() {
        let code = "fn f(a:&str)->u8{a.len()as u8}";
        assert_eq!(found(code), found("fn f ( a : & str )\n\t-> u8\r\n{ a.len() as u8 }\n"));
        assert!(found(" \n ").is_empty());
    }
}
