//! What all questions of a file begin or end with: an instruction, which is no part of any of them.

use std::collections::HashSet;
use std::ops::Range;

/// Different questions that it is seen in, at least.
const LEAST: usize = 3;
/// Marks that end a sentence or an instruction where a blank is behind them, and those that do without.
const ENDS: [char; 4] = ['.', '!', '?', ':'];
const WIDE_ENDS: [char; 4] = ['。', '！', '？', '：'];

/// What questions have in common, up to the end of a sentence or a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    before: String,
    behind: String,
}

impl Header {
    /// What all of these have in common.
    ///
    /// # Complexity
    /// Linear in the text.
    pub(crate) fn of<'a>(questions: impl Iterator<Item = &'a str>) -> Self {
        let questions: HashSet<&str> = questions.filter(|it| !it.trim().is_empty()).collect();
        let Some(first) = questions.iter().next().copied().filter(|_| questions.len() >= LEAST)
        else {
            return Self::default();
        };
        let common = |a: &str, b: &str| -> usize {
            let pairs = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
            pairs.map(|(c, _)| c.len_utf8()).sum()
        };
        let from_end = |a: &str, b: &str| -> usize {
            let pairs = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b);
            pairs.map(|(c, _)| c.len_utf8()).sum()
        };
        let most = questions.iter().map(|other| common(first, other)).min().unwrap_or(0);
        let before = first.get(..most).unwrap_or_default();
        let before = before.get(..last_end(before)).unwrap_or_default();
        let rest = |question: &'a str| question.strip_prefix(before).unwrap_or(question);
        let of_rest = questions.iter().map(|other| from_end(rest(first), rest(other))).min();
        let behind = first.get(first.len() - of_rest.unwrap_or(0)..).unwrap_or_default();
        let behind = behind.get(first_end(behind)..).unwrap_or_default();
        Self { before: before.to_owned(), behind: behind.to_owned() }
    }

    /// The part of a question that is its own; all of one that has no more than this.
    pub(crate) fn own(&self, question: &str) -> Range<usize> {
        let start = if question.starts_with(&self.before) { self.before.len() } else { 0 };
        let rest = question.get(start..).unwrap_or_default();
        let end = question.len() - if rest.ends_with(&self.behind) { self.behind.len() } else { 0 };
        let own = question.get(start..end).unwrap_or_default();
        if own.chars().any(char::is_alphanumeric) { start..end } else { 0..question.len() }
    }
}

/// Where the last sentence or line of a text ends.
fn last_end(text: &str) -> usize {
    ends(text).last().unwrap_or(0)
}

/// Where the first one ends, and its length where none does.
fn first_end(text: &str) -> usize {
    ends(text).next().unwrap_or(text.len())
}

/// Behind every sentence and every line.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, c)| {
        let is_end =
            c == '\n' || WIDE_ENDS.contains(&c) || c.is_whitespace() && ENDS.contains(&before);
        before = c;
        is_end.then_some(at + c.len_utf8())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own<'a>(questions: &[&'a str]) -> Vec<&'a str> {
        let header = Header::of(questions.iter().copied());
        questions.iter().map(|question| &question[header.own(question)]).collect()
    }

    #[test]
    fn an_instruction_is_no_part_of_a_question() {
        for (before, behind) in [
            ("Answer the following multiple choice question. ", ""),
            ("Q: one?\nA: two\n\nQ: ", "\nA:"),
            ("Question: ", "\nAnswer with yes or no."),
            ("请回答下面的问题。", "\n答案："),
        ] {
            let questions = ["What is osmosis?", "Who was it then?", "Why"]
                .map(|question| format!("{before}{question}{behind}"));
            let questions = questions.each_ref().map(String::as_str);
            let expected = ["What is osmosis?", "Who was it then?", "Why"];
            let own = own(&questions).into_iter().map(str::trim);
            assert_eq!(own.collect::<Vec<_>>(), expected, "{before}");
        }
    }

    #[test]
    fn words_that_many_questions_begin_with_stay() {
        for questions in [
            [
                "What is the capital of France?",
                "What is the capital of Spain?",
                "What is the capital of Chad?",
            ],
            ["One sentence. The same", "One sentence. The same", "One sentence. Another"],
            ["", "Read this. A", "Read this. B"],
        ] {
            assert_eq!(own(&questions), questions);
        }
        // One that is nothing else stays whole.
        let questions = ["Read this. ", "Read this. A", "Read this. B", "Read this. C"];
        assert_eq!(own(&questions), ["Read this. ", "A", "B", "C"]);
        assert_eq!(Header::of(questions.into_iter()).own("Another A"), 0..9);
    }
}
