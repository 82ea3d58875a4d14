//! JSON of lists and dicts that Python printed: pandas writes columns of these so to tables, `['a', "b"]`, and those of NumPy
//! without commas, `{'text': array(['a' 'b'], dtype=object)}`.

#![deny(clippy::indexing_slicing)]

/// Values that JSON has by other names, or not.
const VALUES: [(&str, &str); 8] = [
    ("None", "null"),
    ("True", "true"),
    ("False", "false"),
    ("nan", "null"),
    ("inf", "null"),
    ("-inf", "null"),
    ("NaT", "null"),
    ("<NA>", "null"),
];

/// Classes of values that say nothing: moments, numbers and ids.
const SILENT: [&str; 17] = [
    "datetime",
    "date",
    "time",
    "timedelta",
    "Timestamp",
    "Timedelta",
    "datetime64",
    "Decimal",
    "UUID",
    "float64",
    "float32",
    "float16",
    "int64",
    "int32",
    "int8",
    "bool_",
    "ObjectId",
];

/// Lists and dictionaries lie so deep in each other, at most.
const DEPTH: usize = 64;

/// The JSON of a list or a dict as `str()` of Python writes it. `None` for any other text. What says nothing in JSON, such as
/// moments, is null.
///
/// # Complexity
/// Linear in the text.
///
/// # References
/// The Python Language Reference, section 2.4, of which `repr` uses the escapes.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::json_of_python;
///
/// assert_eq!(json_of_python("['a', None]").as_deref(), Some("[\"a\",null]"));
/// assert_eq!(json_of_python("[a note]"), None);
/// ```
#[must_use]
pub fn json_of_python(text: &str) -> Option<String> {
    let text = text.trim();
    let is_one = text.starts_with(['[', '{', '(']) || text.starts_with("array(");
    let json = String::with_capacity(if is_one { text.len() } else { 0 });
    let mut literal = Literal { rest: text, json };
    is_one.then(|| literal.value(DEPTH))??;
    literal.rest.is_empty().then_some(literal.json)
}

/// What is left of a text, and the JSON of what stands before it.
struct Literal<'a> {
    rest: &'a str,
    json: String,
}

impl Literal<'_> {
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        rest.inspect(|rest| self.rest = rest).is_some()
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        for (name, json) in VALUES {
            if self.takes(name) {
                self.json.push_str(json);
                return Some(());
            }
        }
        if self.takes("array(") {
            self.value(depth)?;
            return self.call();
        }
        if self.takes("[") {
            return self.items(']', depth);
        }
        if self.takes("(") {
            return self.items(')', depth);
        }
        if self.takes("{") {
            return self.members(depth);
        }
        let begun = self.rest.trim_start();
        match begun.chars().next()? {
            '\'' | '"' => self.string(),
            first if first.is_ascii_alphabetic() => {
                let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_');
                let rest = begun.trim_start_matches(is_name);
                let name = begun.strip_suffix(rest)?;
                if name == "b" {
                    self.rest = rest;
                    return self.says_nothing(|it| it.quoted().map(|_| ()));
                }
                self.rest = rest.strip_prefix('(')?;
                match name.rsplit('.').next()? {
                    "str_" => {
                        self.value(depth)?;
                        self.takes(")").then_some(())
                    }
                    // What any other class holds may say something.
                    class if SILENT.contains(&class) => self.says_nothing(Self::call),
                    _ => None,
                }
            }
            _ => self.number(),
        }
    }

    /// A value that says nothing, read so.
    fn says_nothing(&mut self, read: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.json.push_str("null");
        read(self)
    }

    /// What is left of a call, up to its end: further arguments say nothing.
    fn call(&mut self) -> Option<()> {
        let mut open = 1;
        while open > 0 {
            match self.rest.chars().next()? {
                '\'' | '"' => {
                    self.quoted()?;
                    continue;
                }
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            let mut characters = self.rest.chars();
            characters.next();
            self.rest = characters.as_str();
        }
        Some(())
    }

    /// Items up to `end`. NumPy writes no commas between them.
    fn items(&mut self, end: char, depth: usize) -> Option<()> {
        self.json.push('[');
        let mut is_first = true;
        while !self.takes(end.encode_utf8(&mut [0; 4])) {
            if !is_first {
                self.json.push(',');
            }
            is_first = false;
            self.value(depth)?;
            self.takes(",");
        }
        self.json.push(']');
        Some(())
    }

    fn members(&mut self, depth: usize) -> Option<()> {
        self.json.push('{');
        let mut is_first = true;
        while !self.takes("}") {
            if !is_first {
                self.json.push(',');
            }
            is_first = false;
            self.name(depth)?;
            if !self.takes(":") {
                return None;
            }
            self.json.push(':');
            self.value(depth)?;
            if !self.takes(",") {
                self.json.push('}');
                return self.takes("}").then_some(());
            }
        }
        self.json.push('}');
        Some(())
    }

    /// The name of a member: a number is one as it is written.
    fn name(&mut self, depth: usize) -> Option<()> {
        if self.rest.trim_start().starts_with(['\'', '"']) {
            return self.string();
        }
        let start = self.json.len();
        self.value(depth)?;
        let name = self.json.split_off(start);
        self.json.push_str(&serde_json::to_string(&name).ok()?);
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let text = self.quoted()?;
        self.json.push_str(&serde_json::to_string(&text).ok()?);
        Some(())
    }

    /// The text of a string. Half of a surrogate pair becomes U+FFFD.
    fn quoted(&mut self) -> Option<String> {
        let begun = self.rest.trim_start();
        let quote = begun.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        let (mut text, mut characters) = (String::new(), begun.get(1..)?.chars());
        loop {
            match characters.next()? {
                character if character == quote => break,
                '\\' => {
                    let read = match characters.next()? {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        same @ ('\\' | '\'' | '"') => same,
                        'x' => Self::coded(&mut characters, 2)?,
                        'u' => Self::coded(&mut characters, 4)?,
                        'U' => Self::coded(&mut characters, 8)?,
                        other => {
                            // As Python reads it.
                            text.push('\\');
                            other
                        }
                    };
                    text.push(read);
                }
                character => text.push(character),
            }
        }
        self.rest = characters.as_str();
        Some(text)
    }

    /// The character of so many hexadecimal digits.
    fn coded(characters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
        let code = (0..digits)
            .try_fold(0, |code, _| Some(code * 16 + characters.next()?.to_digit(16)?))?;
        char::from_u32(code).or(Some(char::REPLACEMENT_CHARACTER))
    }

    fn number(&mut self) -> Option<()> {
        let begun = self.rest.trim_start();
        let is_of_it = |character: char| {
            character.is_ascii_digit() || matches!(character, '+' | '-' | '.' | 'e' | 'E')
        };
        let length = begun.find(|character| !is_of_it(character)).unwrap_or(begun.len());
        let (number, rest) = begun.split_at(length);
        // NumPy writes `1.` for 1.0.
        let number: serde_json::Number =
            serde_json::from_str(number.strip_suffix('.').unwrap_or(number)).ok()?;
        self.rest = rest;
        self.json.push_str(&number.to_string());
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_python_printed_are_json() {
        for (text, json) in [
            (
                r#"[{'role': 'user', 'content': 'a "b"'}, {'role': "it's", 'n': None}]"#,
                r#"[{"role":"user","content":"a \"b\""},{"role":"it's","n":null}]"#,
            ),
            // As NumPy prints it.
            (
                "[{'a': 'x'}\n {'a': array(['y', 'z'], dtype=object)}]",
                r#"[{"a":"x"},{"a":["y","z"]}]"#,
            ),
            (
                r"[{'a': 'x\n\t\\\'\xe9\u2019\U0001f600', 'b': (1, -2.5, True)}]",
                "[{\"a\":\"x\\n\\t\\\\'é’😀\",\"b\":[1,-2.5,true]}]",
            ),
            ("['a'\n 'b c'\n \"d'e\"]", r#"["a","b c","d'e"]"#),
            ("('a', 'b',)", r#"["a","b"]"#),
            ("[1 2. -3.5 None True]", "[1,2,-3.5,null,true]"),
            (r"['it\'s', '\\frac', '\pi', '\xe9\u00e9']", r#"["it's","\\frac","\\pi","éé"]"#),
            ("{'text': array(['a', 'b'], dtype=object), 7: 'c'}", r#"{"text":["a","b"],"7":"c"}"#),
            ("[]", "[]"),
            ("{}", "{}"),
            (" [{'a': nan, 'b': [], 'c': {}}] ", r#"[{"a":null,"b":[],"c":{}}]"#),
            (
                "[{'a': datetime.datetime(2024, 1, 1, tzinfo=f(')'), tz=<UTC>), 'b': Timestamp('x'), 'c': 1., 'd': b'y', 'e': 'z'}]",
                r#"[{"a":null,"b":null,"c":1,"d":null,"e":"z"}]"#,
            ),
            (
                "[{'a': np.str_('x'), 'b': np.float64(0.5), 'c': NaT, 'd': <NA>}]",
                r#"[{"a":"x","b":null,"c":null,"d":null}]"#,
            ),
            ("[{'a': array(['x'], dtype='<U15'), 'b': -inf}]", r#"[{"a":["x"],"b":null}]"#),
            (r"[{'a': 'x\ud83d'}]", "[{\"a\":\"x\u{fffd}\"}]"),
        ] {
            assert_eq!(json_of_python(text).as_deref(), Some(json), "{text}");
        }
        for text in [
            "",
            "[Music]",
            "[date]",
            "'a'",
            "7",
            "[a, b]",
            "{'a'}",
            r"[\frac]",
            r"['\x']",
            "[{'a': 'x'}] and more",
            "[{'a': 'x'",
            "[{'a': x}]",
            "[{'a' 'x'}]",
            "[{'a': 'x' 'b': 1}]",
            "[{'a': UUID(x}]",
            "[{'a': Message(text='x')}]",
            "[{'a': 1.2.3}]",
        ] {
            assert_eq!(json_of_python(text), None, "{text}");
        }
        let deep = |depth: usize| format!("[{{'a': {}{}}}]", "[".repeat(depth), "]".repeat(depth));
        assert!(json_of_python(&deep(60)).is_some());
        assert_eq!(json_of_python(&deep(100_000)), None);
    }
}
