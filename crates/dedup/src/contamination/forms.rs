//! The forms in which a test puts items into documents: as they are, as the web wraps and marks them, and edited.

use crate::passages::units::UnitReader;
use icu_normalizer::DecomposingNormalizerBorrowed;
use nearprint_fingerprint::mix64;

/// Words that edits put in.
const FILLERS: [&str; 18] = [
    "system", "data", "value", "number", "people", "result", "other", "water", "file", "point",
    "time", "energy", "model", "page", "light", "small", "house", "group",
];
/// Characters of a line that is wrapped anew.
const LINE: usize = 38;
/// Letters of a word that Markdown makes bold.
const BOLD: usize = 7;

/// A form of an item in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Verbatim,
    Wrapped,
    CaseAndPunctuation,
    Unicode,
    Latex,
    Tenth,
    Fifth,
    QuestionOnly,
    Numbers,
}

/// Chance that comes out the same in every run.
pub(crate) struct Chance(u64);

impl Chance {
    /// That of a seed.
    pub(crate) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `below`, which is not 0.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        crate::numbers::index(mix64(self.0) % below.max(1) as u64)
    }

    /// One of some.
    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> Option<&'a T> {
        of.get(self.below(of.len())).copied()
    }
}

impl Form {
    pub(crate) const ALL: [Self; 9] = [
        Self::Verbatim,
        Self::Wrapped,
        Self::CaseAndPunctuation,
        Self::Unicode,
        Self::Latex,
        Self::Tenth,
        Self::Fifth,
        Self::QuestionOnly,
        Self::Numbers,
    ];

    /// What it is called.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Verbatim => "verbatim with choices",
            Self::Wrapped => "re-wrapped, Markdown",
            Self::CaseAndPunctuation => "case and punctuation",
            Self::Unicode => "Unicode forms",
            Self::Latex => "LaTeX marks",
            Self::Tenth => "10 % of words edited",
            Self::Fifth => "20 % of words edited",
            Self::QuestionOnly => "question only",
            Self::Numbers => "numbers changed",
        }
    }

    /// An item in this form, whose words are the tokens of `units`; `None` where it has nothing of this form, or no word
    /// left.
    pub(crate) fn of(
        self,
        question: &str,
        answers: &[String],
        chance: &mut Chance,
        units: &mut UnitReader,
    ) -> Option<String> {
        let whole = || whole(question, answers);
        let text = match self {
            Self::Verbatim => whole(),
            Self::Wrapped => wrapped(&whole()),
            Self::CaseAndPunctuation => other_marks(&whole(), chance),
            Self::Unicode => other_characters(&whole(), chance),
            Self::Latex => Some(latex(&whole())).filter(|text| *text != whole())?,
            Self::Tenth => edited(&whole(), 100, chance, units),
            Self::Fifth => edited(&whole(), 200, chance, units),
            Self::QuestionOnly => question.to_owned(),
            Self::Numbers => other_numbers(question, chance)?,
        };
        (units.read(&text).len() > 0).then_some(text)
    }
}

/// A question with its choices, or its answer.
fn whole(question: &str, answers: &[String]) -> String {
    match answers {
        [] => question.to_owned(),
        [answer] => format!("{question}\n{answer}"),
        choices => {
            let mut text = question.to_owned();
            for (letter, choice) in ('A'..='Z').zip(choices) {
                text.extend(["\n", &letter.to_string(), ". ", choice]);
            }
            text
        }
    }
}

/// Long words bold, lines wrapped anew, as a quotation.
fn wrapped(text: &str) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let is_long = word.chars().filter(|c| c.is_alphabetic()).count() >= BOLD;
        let word = if is_long { format!("**{word}**") } else { word.to_owned() };
        if !line.is_empty() && line.chars().count() + word.chars().count() >= LINE {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines.push(line);
    lines.iter().map(|line| format!("> {line}\n")).collect()
}

/// Other marks between words, and another case.
fn other_marks(text: &str, chance: &mut Chance) -> String {
    let mut other = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '\'') {
            other.push(c);
        } else {
            other.push_str(chance.one(&["", " ", " - ", "…"]).unwrap_or_default());
        }
    }
    if chance.below(2) == 0 {
        return other.to_uppercase();
    }
    let mut begins = true;
    let title = other.chars().flat_map(|c| {
        let first = std::mem::replace(&mut begins, !c.is_alphanumeric());
        let upper: String =
            if first { c.to_uppercase().collect() } else { c.to_lowercase().collect() };
        upper.chars().collect::<Vec<_>>()
    });
    title.collect()
}

/// Characters that look alike: quotes, blanks, hyphens and digits of other forms, some that nobody sees, accents apart.
fn other_characters(text: &str, chance: &mut Chance) -> String {
    let mut other = String::new();
    for c in text.chars() {
        other.push(match c {
            '\'' => '’',
            ' ' => '\u{a0}',
            '-' => '\u{2010}',
            '0'..='9' => char::from_u32(c as u32 + 0xfee0).unwrap_or(c),
            c => c,
        });
        if c.is_alphabetic() && chance.below(20) == 0 {
            other.push('\u{200b}');
        }
    }
    DecomposingNormalizerBorrowed::new_nfd().normalize(&other).into_owned()
}

/// Formulas and numbers between the marks of LaTeX.
fn latex(text: &str) -> String {
    let mut other = String::new();
    let (mut is_open, mut in_number) = (false, false);
    for c in text.chars() {
        if in_number != c.is_ascii_digit() {
            other.push_str(if in_number { "\\)" } else { "\\(" });
            in_number = !in_number;
        }
        match c {
            '$' => {
                other.push_str(if is_open { "\\)" } else { "\\(" });
                is_open = !is_open;
            }
            '%' => other.push_str("\\%"),
            c => other.push(c),
        }
    }
    if in_number {
        other.push_str("\\)");
    }
    other
}

/// So many of a thousand tokens edited: replaced, taken out, or with another behind them. Where words are characters,
/// another one of the text takes their place.
fn edited(text: &str, rate: usize, chance: &mut Chance, units: &mut UnitReader) -> String {
    let units = units.read(text);
    let places: Vec<_> = (0..units.len()).map(|unit| units.span(unit..unit + 1)).collect();
    let token = |at: usize| text.get(places[at].clone()).unwrap_or_default();
    let (mut other, mut end) = (String::new(), 0);
    for (at, place) in places.iter().enumerate() {
        other.push_str(text.get(end..place.start).unwrap_or_default());
        end = place.end;
        let x = chance.below(1000);
        let is_word = token(at).is_ascii();
        let filler = match is_word {
            true => chance.one(&FILLERS).unwrap_or_default(),
            false => token(chance.below(places.len())),
        };
        if x < rate * 6 / 10 {
            other.push_str(filler);
        } else if x >= rate * 8 / 10 {
            other.push_str(token(at));
            if x < rate {
                other.push_str(if is_word { " " } else { "" });
                other.push_str(filler);
            }
        }
    }
    other.push_str(text.get(end..).unwrap_or_default());
    other
}

/// Every number another one; `None` where there is none.
fn other_numbers(text: &str, chance: &mut Chance) -> Option<String> {
    let mut other = String::new();
    let mut has_some = false;
    for part in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        if !digits.is_empty() {
            has_some = true;
            let number: u64 = digits.get(..digits.len().min(6)).unwrap_or(digits).parse().ok()?;
            other.push_str(&(number + 1 + chance.below(9) as u64).to_string());
        }
        other.push_str(part.get(digits.len()..).unwrap_or_default());
    }
    has_some.then_some(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::unit::PassageUnit;
    use nearprint_fingerprint::{Digits, Recipe};

    fn units() -> UnitReader {
        UnitReader::new(&Recipe::default(), PassageUnit::Token, Digits::Keep).unwrap()
    }

    #[test]
    fn forms_change_what_they_say_and_no_more() {
        let question = "It's said: 12 trains-cost $x$ dollars, or 5 %?";
        let answers = ["one".to_owned(), "two".to_owned()];
        let form =
            |form: Form| form.of(question, &answers, &mut Chance::of(1), &mut units()).unwrap();
        assert_eq!(form(Form::Verbatim), format!("{question}\nA. one\nB. two"));
        assert_eq!(form(Form::QuestionOnly), question);
        assert!(
            form(Form::Wrapped).starts_with("> It's said: 12 **trains-cost** $x$\n> **dollars,**")
        );
        assert!(
            form(Form::Latex).contains("\\(12\\) trains-cost \\(x\\) dollars, or \\(5\\) \\%?")
        );
        assert!(form(Form::Unicode).contains('\u{a0}') && form(Form::Unicode).contains("１２"));
        assert!(!form(Form::CaseAndPunctuation).contains(':'));
        let numbers = form(Form::Numbers);
        assert!(!numbers.contains("12") && numbers.contains(" trains-cost $x$ dollars, or "));
        assert_eq!(form(Form::Tenth), form(Form::Tenth));
        let none = |form: Form, text| form.of(text, &[], &mut Chance::of(1), &mut units());
        assert_eq!(none(Form::Numbers, "no number"), None);
        assert_eq!(none(Form::Latex, "no number"), None);
        assert_eq!(none(Form::Verbatim, "?!"), None);
    }

    #[test]
    fn so_many_words_are_edited_in_every_script() {
        let long = "word ".repeat(2000);
        let left = edited(&long, 200, &mut Chance::of(3), &mut units()).matches("word").count();
        assert!((1600..1760).contains(&left), "{left}");
        // Of different characters about a fifth is edited, not all or none of the text.
        let text: String = ('\u{4e00}'..'\u{5000}').collect();
        let other = edited(&text, 200, &mut Chance::of(5), &mut units());
        let kept = text
            .chars()
            .zip(text.chars().skip(1))
            .filter(|(a, b)| other.contains(&format!("{a}{b}")));
        let kept = kept.count();
        assert!((310..390).contains(&kept), "{kept} of 511 pairs");
    }
}
