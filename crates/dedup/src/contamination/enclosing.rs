//! Lines that open what a later one closes: fences of code, brackets, lists of HTML and environments of LaTeX. Of such a pair
//! both go or both stay.

use crate::passages::line_breaks::first_line;
use std::ops::Range;

/// Tags that stand around nothing (HTML Standard, section 13.1.2 "Elements").
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Lines that open something which nothing behind them closes, and lines that only close what none of them opened.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    open: Vec<Open>,
    closing: Vec<Range<usize>>,
}

/// A line that opens something, and what closes it.
#[derive(Debug)]
struct Open {
    line: Range<usize>,
    closer: Closer,
}

/// What closes something.
#[derive(Debug)]
enum Closer {
    /// At least so many marks.
    Fence(String),
    /// A bracket of two, which opens and closes.
    Bracket(char, char),
    /// What opens and closes a tag or an environment, in small letters.
    Name { open: String, close: String },
}

impl Opened {
    /// Reads lines that stand behind those before.
    pub(crate) fn read(&mut self, text: &str, lines: Range<usize>) {
        let mut at = lines.start;
        while let Some(rest) = text.get(at..lines.end).filter(|rest| !rest.is_empty()) {
            let end = at + first_line(rest);
            self.take(bare(&rest[..end - at]), at..end);
            at = end;
        }
    }

    fn take(&mut self, line: &str, at: Range<usize>) {
        let line = line.to_ascii_lowercase();
        // Within a fence nothing else counts.
        let is_code = self.is_code();
        let from = if is_code { self.open.len() - 1 } else { 0 };
        let closed = self.open[from..].iter().rposition(|open| open.closer.is_in(&line));
        if let Some(closed) = closed {
            self.open.truncate(from + closed);
        }
        match Closer::of(&line) {
            _ if is_code => {}
            Some(closer) => self.open.push(Open { line: at, closer }),
            None if closed.is_none() && only_closes(&line) => self.closing.push(at),
            None => {}
        }
    }

    /// Whether a line only closes what is open; then it no longer is.
    pub(crate) fn ends_with(&mut self, line: &str) -> bool {
        let line = bare(line);
        let closed = self.open.iter().rposition(|open| open.closer.is_all_of(line));
        if let Some(closed) = closed {
            self.open.truncate(closed);
        }
        closed.is_some()
    }

    /// Whether a fence is open.
    pub(crate) fn is_code(&self) -> bool {
        self.open.last().is_some_and(|open| matches!(open.closer, Closer::Fence(_)))
    }

    /// All of these lines.
    pub(crate) fn lines(self) -> impl Iterator<Item = Range<usize>> {
        self.open.into_iter().map(|open| open.line).chain(self.closing)
    }
}

impl Closer {
    /// What closes what a line in small letters opens.
    fn of(line: &str) -> Option<Self> {
        if let Some(fence) = fence(line) {
            return Some(Self::Fence(fence.to_owned()));
        }
        let command = line.strip_prefix("\\begin{").and_then(|rest| rest.split_once('}'));
        let tag = line.strip_prefix('<').filter(|rest| rest.contains('>')).and_then(|rest| {
            let name = rest.split(['>', ' ', '\t']).next()?;
            is_around(name).then_some(name)
        });
        let closer = match (command, tag, line.chars().next_back()) {
            (Some((name, _)), ..) => {
                Self::Name { open: format!("\\begin{{{name}}}"), close: format!("\\end{{{name}}}") }
            }
            (_, Some(tag), _) => Self::Name { open: format!("<{tag}"), close: format!("</{tag}>") },
            (.., Some('[')) => Self::Bracket('[', ']'),
            (.., Some('{')) => Self::Bracket('{', '}'),
            _ => return None,
        };
        (closer.openings(line) > closer.closings(line)).then_some(closer)
    }

    /// Whether a line in small letters closes it.
    fn is_in(&self, line: &str) -> bool {
        let closings = self.closings(line);
        closings > 0 && closings > self.openings(line)
    }

    /// How often a line opens one more of its kind. A fence has none within it.
    fn openings(&self, line: &str) -> usize {
        match self {
            Self::Fence(_) => 0,
            Self::Bracket(open, _) => line.matches(*open).count(),
            Self::Name { open, .. } => {
                // `<p` begins `<pre>` too.
                let opens =
                    |rest: &&str| !open.starts_with('<') || rest.starts_with(['>', ' ', '\t']);
                line.split(open.as_str()).skip(1).filter(opens).count()
            }
        }
    }

    fn closings(&self, line: &str) -> usize {
        match self {
            Self::Fence(_) => usize::from(self.is_all_of(line)),
            Self::Bracket(_, close) => line.matches(*close).count(),
            Self::Name { close, .. } => line.matches(close.as_str()).count(),
        }
    }

    /// Whether a line does nothing but close it.
    fn is_all_of(&self, line: &str) -> bool {
        match self {
            Self::Bracket(_, close) => {
                line.trim_end_matches([',', ';']).strip_prefix(*close) == Some("")
            }
            Self::Name { close, .. } => line.eq_ignore_ascii_case(close),
            Self::Fence(open) => {
                fence(line).is_some_and(|marks| marks == line && marks.starts_with(open))
            }
        }
    }
}

/// Whether a line does nothing but close something, other than a fence: that may also open one.
fn only_closes(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let name = line.strip_prefix("</").and_then(|rest| rest.strip_suffix('>'));
    matches!(line.trim_end_matches([',', ';']), "]" | "}")
        || name.is_some_and(is_around)
        || line.starts_with("\\end{") && line.find('}') == Some(line.len() - 1)
}

/// Whether a tag of this name, in small letters, stands around something.
fn is_around(name: &str) -> bool {
    name.starts_with(|char: char| char.is_ascii_alphabetic())
        && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '-')
        && !VOID.contains(&name)
}

/// A line without blanks, the break and the marks of a quotation.
fn bare(line: &str) -> &str {
    line.trim_start_matches(|char: char| char.is_whitespace() || char == '>').trim_end()
}

/// The marks of a fence that a line begins with.
fn fence(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|char| matches!(char, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let marks = line.strip_suffix(rest)?;
    (marks.len() >= 3 && !rest.contains(mark)).then_some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines at the end of a text to which another is missing, and whether another line closes one.
    fn open(text: &str, next: &str) -> (Vec<String>, bool) {
        let mut opened = Opened::default();
        opened.read(text, 0..text.len());
        let ends = opened.ends_with(next);
        (opened.lines().map(|line| text[line].trim_end().to_owned()).collect(), ends)
    }

    #[test]
    fn what_a_line_opens_another_closes() {
        for (first, last) in [
            ("```", "```"),
            ("> ~~~~text", "> ~~~~~"),
            ("\"choices\": [", "],"),
            ("  options = {", "  };"),
            ("<UL class=\"a\">", "</ul>"),
            ("<dd>", "</dd>"),
            ("<optgroup\tlabel=\"a\">", "</optgroup>"),
            ("<h2>", "</h2>"),
            ("\\begin{choices}[x]", "\\end{choices}"),
        ] {
            assert_eq!(open(&format!("{first}\nB) two\n"), last), (vec![], true), "{first}");
            let other = (vec![first.to_owned()], false);
            assert_eq!(open(&format!("{first}\nB) two\n"), "end"), other, "{first}");
            if !last.starts_with(['`', '>']) {
                assert_eq!(open(last, last), (vec![last.to_owned()], false), "{last}");
            }
            assert_eq!(
                open(&format!("{first}\nB) two\n{last}\n"), last),
                (vec![], false),
                "{first}"
            );
        }
    }

    #[test]
    fn tags_of_one_name_stand_within_each_other() {
        for (first, inner, last) in [
            ("<div class=\"o\">", "<DIV>two</DIV>", "</div>"),
            ("<ul>", "<li>two <ul><li>three</li></ul></li>", "</ul>"),
            ("<tr>", "<td>two</td>\n</tr><tr>", "</tr>"),
            ("<p>", "<pre>two</pre>", "</p>"),
            ("\\begin{center}", "\\begin{center}two\\end{center}", "\\end{center}"),
        ] {
            let text = format!("{first}\n{inner}\n");
            assert_eq!(open(&text, last), (vec![], true), "{text}");
            assert_eq!(open(&format!("{text}{last}\n"), last), (vec![], false), "{text}");
        }
    }

    #[test]
    fn what_one_line_closes_itself_is_not_open() {
        for line in
            ["- [ ] two", "```two```", "<ul><li>two</li></ul>", "} else {", "a [0, 1)", "two"]
        {
            assert_eq!(open(line, "```"), (vec![], false), "{line}");
        }
        // Within code brackets are its own; a shorter fence closes none.
        assert_eq!(open("````\n[\n```\n", "]"), (vec!["````".to_owned()], false));
        assert_eq!(open("[\n\"two\"],\n", "]"), (vec![], false));
    }
}
