//! A line of a user dictionary, taken apart as jieba does it.

/// A word that a user adds to the dictionary, or removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UserWord<'a> {
    pub(crate) word: &'a str,
    /// `None` for the one that jieba suggests; 0 removes the word.
    pub(crate) frequency: Option<usize>,
    pub(crate) part_of_speech: Option<&'a str>,
}

impl<'a> UserWord<'a> {
    /// What jieba's `^(.+?)( [0-9]+)?( [a-z]+)?$` finds in a line; `None` for a frequency that is too large.
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
        let last = |text: &'a str, kind: fn(&u8) -> bool| {
            text.rsplit_once(' ').filter(|(before, last)| {
                !before.is_empty() && !last.is_empty() && last.bytes().all(|byte| kind(&byte))
            })
        };
        let (rest, part_of_speech) = match last(line, u8::is_ascii_lowercase) {
            Some((rest, part)) => (rest, Some(part)),
            None => (line, None),
        };
        let (word, frequency) = match last(rest, u8::is_ascii_digit) {
            Some((word, digits)) => (word, Some(digits)),
            None => (rest, None),
        };
        let frequency = match frequency.map(|digits| digits.trim_start_matches('0')) {
            Some(digits) if digits.len() > 15 => return None,
            Some("") => Some(0),
            Some(digits) => Some(digits.parse().ok()?),
            None => None,
        };
        Some(Self { word, frequency, part_of_speech })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `re.compile('^(.+?)( [0-9]+)?( [a-z]+)?$')` of jieba 0.42.1 takes lines apart.
    #[test]
    fn lines_are_taken_apart_as_jieba_does() {
        let found = |line| {
            let UserWord { word, frequency, part_of_speech } = UserWord::parse(line).unwrap();
            (word, frequency, part_of_speech.unwrap_or("-"))
        };
        assert_eq!(found("云计算 5"), ("云计算", Some(5), "-"));
        assert_eq!(found("区块链 10 nz"), ("区块链", Some(10), "nz"));
        assert_eq!(found("凱特琳 nz"), ("凱特琳", None, "nz"));
        assert_eq!(found("Edu Trust认证 2000"), ("Edu Trust认证", Some(2000), "-"));
        assert_eq!(found("a b c"), ("a b", None, "c"));
        assert_eq!(found("a 0 n"), ("a", Some(0), "n"));
        assert_eq!(found("a 5 6"), ("a 5", Some(6), "-"));
        assert_eq!(found("a 5 NZ"), ("a 5 NZ", None, "-"));
        assert_eq!(found("5 n"), ("5", None, "n"));
        assert_eq!(UserWord::parse("a 1234567890123456"), None);
    }
}
