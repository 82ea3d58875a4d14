//! One pass over a line of JSON: its wanted fields, and its text as it is meant. It takes fewer rows than a parser does,
//! and none that a parser refuses: what it leaves alone is for `row`, which has the messages.

#![deny(clippy::indexing_slicing)]

use crate::documents::fields::Fields;
use crate::documents::plain_run::{PlainRun, Portable};
use crate::documents::row::{Row, WANTED, wanted};
use crate::unescaped::of_escape;
use std::borrow::Cow;

/// Values inside of each other, at most.
const DEPTH: u32 = 100;

/// A row with a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PassedRow<'a> {
    pub(crate) row: Row<'a>,
    /// The text that the row has, without its escapes.
    pub(crate) text: Cow<'a, str>,
}

impl<'a> PassedRow<'a> {
    /// Reads a line in one pass, by the best instructions of the machine. `None` where it is to be read by
    /// [`Row::parse`]: it is no row, its text is no string or has half of a surrogate pair, a name has dots, or values
    /// are deep inside of each other.
    ///
    /// # Complexity
    /// Linear; one allocation where the text has escapes.
    pub(crate) fn read(line: &'a str, fields: &Fields) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            use crate::documents::plain_run::{Avx2, Avx512};
            if let Some(avx512) = Avx512::detect() {
                return avx512.run(|runs| Self::read_by(line, fields, runs));
            }
            if let Some(avx2) = Avx2::detect() {
                return avx2.run(|runs| Self::read_by(line, fields, runs));
            }
        }
        Self::read_by(line, fields, Portable)
    }

    #[inline(always)]
    fn read_by(line: &'a str, fields: &Fields, runs: impl PlainRun) -> Option<Self> {
        let names = wanted(fields);
        if names.iter().flatten().any(|name| name.contains('.')) {
            return None;
        }
        Pass { line, at: 0, runs }.row(&names)
    }
}

/// How far a line is read.
struct Pass<'a, R> {
    line: &'a str,
    at: usize,
    runs: R,
}

impl<'a, R: PlainRun> Pass<'a, R> {
    #[inline(always)]
    fn row(mut self, names: &[Option<&str>; WANTED]) -> Option<PassedRow<'a>> {
        let ([_, name_of_text, ..], mut found, mut text) = (names, [None; WANTED], None);
        self.skip_blanks();
        self.take(b'{')?;
        self.skip_blanks();
        let mut more = self.peek() != Some(b'}');
        if !more {
            self.at += 1;
        }
        while more {
            // Half of a surrogate pair is in no name.
            let key = self.text_if_any()?;
            let is = |name: &Option<&str>| name.is_some() && *name == key.as_deref();
            self.skip_blanks();
            self.take(b':')?;
            self.skip_blanks();
            let start = self.at;
            // Of a field that comes twice the last holds.
            match self.peek()? {
                b'"' if is(name_of_text) => text = self.text_if_any()?,
                _ => {
                    self.value(0)?;
                    if is(name_of_text) {
                        text = None;
                    }
                }
            }
            let json = self.line.get(start..self.at);
            for (found, _) in found.iter_mut().zip(names).filter(|(_, name)| is(name)) {
                *found = json;
            }
            more = self.goes_on(b'}')?;
        }
        self.skip_blanks();
        let row = Row::of(found);
        (self.at == self.line.len()).then_some(PassedRow { row, text: text? })
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Whether another member or element comes, before `end`.
    #[inline(always)]
    fn goes_on(&mut self, end: u8) -> Option<bool> {
        self.skip_blanks();
        let next = self.peek()?;
        self.at += 1;
        match next {
            b',' => {
                self.skip_blanks();
                Some(true)
            }
            _ => (next == end).then_some(false),
        }
    }

    /// What stands for itself from here on.
    #[inline(always)]
    fn plain(&mut self) -> &'a str {
        let rest = self.line.as_bytes().get(self.at..).unwrap_or_default();
        let start = self.at;
        self.at += self.runs.plain_run(rest);
        // A byte that ends a run is a character.
        self.line.get(start..self.at).unwrap_or_default()
    }

    /// A string, without its escapes.
    #[inline(always)]
    fn text(&mut self) -> Option<Cow<'a, str>> {
        self.take(b'"')?;
        let plain = self.plain();
        if self.peek()? == b'"' {
            self.at += 1;
            return Some(Cow::Borrowed(plain));
        }
        let mut text = String::with_capacity(plain.len() + self.line.len() - self.at);
        text.push_str(plain);
        while self.peek()? == b'\\' {
            let escape = self.line.get(self.at..)?;
            let (character, length) = of_escape(escape)?;
            text.push(character);
            self.at += length;
            text.push_str(self.plain());
        }
        self.take(b'"')?;
        Some(Cow::Owned(text))
    }

    /// A string, without its escapes; passed where half of a surrogate pair is in it.
    #[inline(always)]
    fn text_if_any(&mut self) -> Option<Option<Cow<'a, str>>> {
        let start = self.at;
        if let Some(text) = self.text() {
            return Some(Some(text));
        }
        self.at = start;
        self.skip_string()?;
        Some(None)
    }

    /// Passes a string. Half of a surrogate pair does no harm in it.
    #[inline(always)]
    fn skip_string(&mut self) -> Option<()> {
        self.take(b'"')?;
        self.plain();
        while self.peek()? == b'\\' {
            self.at += 1;
            match self.peek()? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                b'u' => {
                    let digits = self.line.as_bytes().get(self.at + 1..self.at + 5)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    self.at += 5;
                }
                _ => return None,
            }
            self.plain();
        }
        self.take(b'"')
    }

    /// Passes a value, which is inside of so many others.
    fn value(&mut self, depth: u32) -> Option<()> {
        match self.peek()? {
            b'"' => self.skip_string(),
            b'{' | b'[' if depth == DEPTH => None,
            b'{' => {
                self.at += 1;
                self.skip_blanks();
                if self.peek()? == b'}' {
                    return self.take(b'}');
                }
                loop {
                    self.skip_string()?;
                    self.skip_blanks();
                    self.take(b':')?;
                    self.skip_blanks();
                    self.value(depth + 1)?;
                    if !self.goes_on(b'}')? {
                        return Some(());
                    }
                }
            }
            b'[' => {
                self.at += 1;
                self.skip_blanks();
                if self.peek()? == b']' {
                    return self.take(b']');
                }
                loop {
                    self.value(depth + 1)?;
                    if !self.goes_on(b']')? {
                        return Some(());
                    }
                }
            }
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let is_there = self.line.get(self.at..)?.starts_with(word);
        is_there.then(|| self.at += word.len())
    }

    fn number(&mut self) -> Option<()> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;

    fn fields() -> Fields {
        let (tag, score) = (Some("lang".to_owned()), Some("score".to_owned()));
        Fields { tag, score, labels: vec!["dump".to_owned()], ..Fields::default() }
    }

    /// What the parser and the pass have of a line by every kind of instructions: the pass has no more, and the same.
    fn check(line: &str, fields: &Fields) -> Result<bool, TestCaseError> {
        let passed = PassedRow::read(line, fields);
        prop_assert_eq!(&passed, &PassedRow::read_by(line, fields, Portable), "{}", line);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = crate::documents::plain_run::Avx2::detect() {
            let by_avx2 = avx2.run(|runs| PassedRow::read_by(line, fields, runs));
            prop_assert_eq!(&passed, &by_avx2, "{}", line);
        }
        let parsed = Row::parse(line, fields).ok();
        let text = parsed.as_ref().and_then(|row| serde_json::from_str::<String>(row.text?).ok());
        if let Some(PassedRow { row, text: of_pass }) = &passed {
            prop_assert_eq!(Some(row), parsed.as_ref(), "{}", line);
            prop_assert_eq!(Some(&**of_pass), text.as_deref(), "{}", line);
        }
        let is_left = parsed.is_none() || text.is_none();
        prop_assert!(passed.is_some() || is_left, "the pass leaves a row to the parser: {}", line);
        Ok(passed.is_some())
    }

    /// Strings as they stand in a row, of plain bytes, of escapes, of pairs of surrogates and halves of them.
    fn string() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            6 => "[ -!#-\\[\\]-~é日🙂]{0,40}",
            2 => r#"\\[nrtbf"/\\]"#,
            1 => r"\\u[0-9a-fA-F]{4}",
            1 => r"\\ud83d\\ude0[0-9]",
        ];
        prop::collection::vec(part, 0..8).prop_map(|parts| format!("\"{}\"", parts.concat()))
    }

    fn value() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            string(),
            Just("null".to_owned()),
            Just("true".to_owned()),
            Just("false".to_owned()),
            "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,4})?",
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            let list = prop::collection::vec(inner.clone(), 0..4);
            let object = prop::collection::vec((string(), inner), 0..4);
            prop_oneof![
                list.prop_map(|all| format!("[ {} ]", all.join(" ,"))),
                object.prop_map(|all| {
                    let members: Vec<_> = all.iter().map(|(k, v)| format!("{k} :{v}")).collect();
                    format!("{{{}}}", members.join(", "))
                }),
            ]
        })
    }

    fn row() -> impl Strategy<Value = String> {
        let key = prop_oneof![
            Just("\"id\"".to_owned()),
            Just("\"lang\"".to_owned()),
            Just("\"score\"".to_owned()),
            Just(r#""d\u0075mp""#.to_owned()),
            string(),
        ];
        let member = (key, value()).prop_map(|(key, value)| format!("{key}: {value}"));
        let text = string().prop_map(|text| format!(r#""text":{text}"#));
        let members = prop::collection::vec(prop_oneof![3 => member, 2 => text], 0..6);
        (members, "[ \t]{0,2}")
            .prop_map(|(all, blank)| format!("{blank}{{{}}}{blank}", all.join(",")))
    }

    /// Bytes that mean something in JSON, and some that do not.
    const DAMAGE: &[u8] = b"\"\\{}[]:,0-.eEu+nt /x\x01\x1f\x7f";

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(2000)))]
        #[test]
        fn rows_are_read_as_the_parser_reads_them(line in row()) {
            check(&line, &fields())?;
        }

        #[test]
        fn no_damaged_row_is_taken_that_the_parser_refuses(
            line in row(),
            damage in prop::collection::vec((any::<Index>(), prop::sample::select(DAMAGE), 0..4_u8), 1..4),
        ) {
            let mut line = line.into_bytes();
            for (at, byte, what) in damage {
                let at = at.index(line.len().max(1));
                match what {
                    0 => line.iter_mut().skip(at).take(1).for_each(|one| *one = byte),
                    1 if at < line.len() => drop(line.remove(at)),
                    2 => line.truncate(at),
                    _ => line.insert(at.min(line.len()), byte),
                }
            }
            if let Ok(line) = String::from_utf8(line) {
                check(&line, &fields())?;
            }
        }
    }

    #[test]
    fn usual_rows_are_taken_and_others_are_left_to_the_parser() {
        let taken = |line: &str| check(line, &fields()).unwrap();
        let long = "word ".repeat(100);
        assert!(taken(r#"{"id":1,"text":"a b","meta":{"x":[1,2.5e-3,null,{}],"y":[]}}"#));
        assert!(taken(&format!(r#" {{ "text" : "{long}\n\"{long}\" \u00e9\ud83d\ude00" }} "#)));
        assert!(taken(r#"{"text":1,"text":"\ud800","text":"the last"}"#));
        assert!(taken(r#"{"other":"\ud800","\ud800":0,"text":""}"#));
        for left in [
            "",
            "[]",
            "{}",
            r#"{"text":"a"} x"#,
            r#"{"text":"a",}"#,
            r#"{"text":"\ud800"}"#,
            r#"{"text":"\ude00\ud83d"}"#,
            r#"{"text":null}"#,
            r#"{"text":"a","text":7}"#,
            r#"{"text":"a","n":01}"#,
            r#"{"text":"a","n":1.}"#,
            r#"{"text":"a","n":[1,]}"#,
            r#"{"text":"a\x"}"#,
            r#"{"text":"\u+041"}"#,
            r#"{"\u+041":1,"text":"a"}"#,
            r#"{"text":"\u004"}"#,
            "{\"text\":\"a\tb\"}",
        ] {
            assert!(!taken(left), "{left}");
        }
        let nested = Fields { text: "doc.text".to_owned(), ..fields() };
        assert!(!check(r#"{"doc":{"text":"a"}}"#, &nested).is_ok_and(|taken| taken));
        let deep = format!(r#"{{"text":"a","x":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        assert_eq!(PassedRow::read(&deep, &fields()), None);
    }
}
