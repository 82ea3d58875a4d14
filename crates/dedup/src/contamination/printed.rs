//! Lists and dicts as Python prints them, which cells of tables hold where pandas wrote them: `['a', "b"]`,
//! `['a' 'b']` of NumPy, `{'text': array(['a'], dtype=object)}`.

use serde_json::{Map, Value};

/// Lists in lists, at most.
const DEEP: usize = 16;

/// What a text is the print of; `None` where it is of nothing or no list and no dict.
///
/// # Complexity
/// Linear.
pub(crate) fn printed(text: &str) -> Option<Value> {
    let mut rest = Rest { text };
    let value = rest.value(DEEP)?;
    (rest.is_end() && (value.is_array() || value.is_object())).then_some(value)
}

/// What of a text is not read yet.
struct Rest<'a> {
    text: &'a str,
}

impl Rest<'_> {
    /// Goes over a mark, if it comes.
    fn takes(&mut self, mark: &str) -> bool {
        let text = self.text.trim_start();
        let behind = text.strip_prefix(mark);
        self.text = behind.unwrap_or(text);
        behind.is_some()
    }

    fn is_end(&self) -> bool {
        self.text.trim_start().is_empty()
    }

    fn value(&mut self, deep: usize) -> Option<Value> {
        let deep = deep.checked_sub(1)?;
        if self.takes("array(") {
            let list = self.value(deep)?;
            let (settings, behind) = self.text.split_once(')')?;
            self.text = behind;
            return (settings.is_empty() || settings.trim_start().starts_with(',')).then_some(list);
        }
        if self.takes("[") {
            return self.list("]", deep);
        }
        if self.takes("(") {
            return self.list(")", deep);
        }
        if self.takes("{") {
            return self.dict(deep);
        }
        for quote in ['\'', '"'] {
            if self.text.starts_with(quote) {
                return self.quoted(quote).map(Value::String);
            }
        }
        self.word()
    }

    fn list(&mut self, end: &str, deep: usize) -> Option<Value> {
        let mut list = Vec::new();
        while !self.takes(end) {
            list.push(self.value(deep)?);
            // NumPy writes none.
            self.takes(",");
        }
        Some(Value::Array(list))
    }

    fn dict(&mut self, deep: usize) -> Option<Value> {
        let mut members = Map::new();
        while !self.takes("}") {
            let name = match self.value(deep)? {
                Value::String(name) => name,
                other => other.to_string(),
            };
            if !self.takes(":") {
                return None;
            }
            let value = self.value(deep)?;
            members.insert(name, value);
            if !self.takes(",") && !self.text.starts_with('}') {
                return None;
            }
        }
        Some(Value::Object(members))
    }

    /// A text in quotes.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut read = String::new();
        let mut chars = self.text.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => match chars.next()?.1 {
                    'n' => read.push('\n'),
                    't' => read.push('\t'),
                    'r' => read.push('\r'),
                    mark @ ('x' | 'u' | 'U') => {
                        let digits = match mark {
                            'x' => 2,
                            'u' => 4,
                            _ => 8,
                        };
                        let digits: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
                        read.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                    }
                    other => {
                        if !matches!(other, '\\' | '\'' | '"') {
                            read.push('\\');
                        }
                        read.push(other);
                    }
                },
                c if c == quote => {
                    self.text = self.text.get(at + c.len_utf8()..)?;
                    return Some(read);
                }
                c => read.push(c),
            }
        }
        None
    }

    /// A number or a name that Python has for a value.
    fn word(&mut self) -> Option<Value> {
        let end = self
            .text
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '+' | '-'))
            .unwrap_or(self.text.len());
        let (word, behind) = self.text.split_at_checked(end)?;
        self.text = behind;
        match word {
            "None" | "nan" => Some(Value::Null),
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            // NumPy writes `1.` for 1.0.
            number => serde_json::from_str::<serde_json::Number>(
                number.strip_suffix('.').unwrap_or(number),
            )
            .ok()
            .map(Value::Number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn prints_of_python_and_numpy_are_read() {
        for (text, value) in [
            ("['a' 'b']", json!(["a", "b"])),
            ("['a', \"it's\"]", json!(["a", "it's"])),
            ("['a'\n 'b c'\n \"d'e\"]", json!(["a", "b c", "d'e"])),
            ("('a', 'b',)", json!(["a", "b"])),
            ("[1 2. -3.5 None True]", json!([1, 2, -3.5, null, true])),
            (
                r"['it\'s', 'a\nb', '\\frac', '\pi', '\xe9\u00e9']",
                json!(["it's", "a\nb", "\\frac", "\\pi", "éé"]),
            ),
            (
                "{'text': array(['a', 'b'], dtype=object), 'label': array(['A', 'B'], dtype=object)}",
                json!({"text": ["a", "b"], "label": ["A", "B"]}),
            ),
            (
                "[{'text': 'a', 'label': 'A'}, {'text': 'b', 'label': 'B'}]",
                json!([{"text": "a", "label": "A"}, {"text": "b", "label": "B"}]),
            ),
            ("[]", json!([])),
            ("{}", json!({})),
        ] {
            assert_eq!(printed(text), Some(value), "{text}");
        }
    }

    #[test]
    fn other_texts_stay_texts() {
        for text in [
            "[Music]",
            "['a'",
            "['a'] b",
            "'a'",
            "7",
            "",
            "[a, b]",
            "{'a'}",
            "{'a': 1 'b': 2}",
            "[\\frac]",
            "['\\x']",
        ] {
            assert_eq!(printed(text), None, "{text}");
        }
        assert_eq!(printed(&"[".repeat(1 << 20)), None);
    }
}
