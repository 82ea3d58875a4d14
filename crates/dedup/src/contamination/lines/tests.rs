//! What stays of a text around an item, in every form in which choices and answers follow it.

use super::*;
use crate::contamination::judging::AnswerPlace;
use crate::passages::unit::PassageUnit;
use crate::passages::units::UnitReader;
use nearprint_fingerprint::{Digits, Recipe};

/// What a cut around a part of a text leaves; `own` is an answer of the item, of usual words.
fn cut(text: &str, part: &str, margin: Option<usize>, own: &str) -> String {
    cut_beside(text, part, margin, own, 0)
}

/// The same where so many other answers of the item stand nowhere.
fn cut_beside(text: &str, part: &str, margin: Option<usize>, own: &str, missing: usize) -> String {
    let reader = || UnitReader::new(&Recipe::default(), PassageUnit::Token, Digits::Keep);
    let (mut reader, mut of_own) = (reader().unwrap(), reader().unwrap());
    let units = reader.read(text);
    let own = of_own.read(own);
    let start = text.find(part).unwrap();
    let place = start..start + part.len();
    let token = units.tokens_before(place.end);
    let windows = units.hashes().windows(own.len()).enumerate().skip(token);
    let places = windows.filter(|(_, window)| *window == own.hashes()).map(|(at, _)| AnswerPlace {
        tokens: at..at + own.len(),
        answer: 0,
        is_rare: false,
        is_sure: false,
        others: Vec::new(),
    });
    let (places, longest) = (places.collect(), own.len());
    let behind = Behind { places, longest, missing, ..Behind::default() };
    let following = Following { of: ItemText { text, units: &units, behind: &behind }, start };
    let end = following.end(token, place.end);
    let mut widening = Widening::new(text, &units, margin);
    let gone = widening.around(place.clone(), end, &behind);
    // The lines that are known give the same.
    assert_eq!(widening.around(place, end, &behind), gone);
    assert_eq!(Part::of_list(&Part::list(&gone)), gone);
    left(text, &gone)
}

/// A text without some parts.
fn left(text: &str, parts: &[Part]) -> String {
    let mut left = text.to_owned();
    for part in parts.iter().rev() {
        let gone = part.bytes();
        left.replace_range(gone.start as usize..gone.end as usize, "");
    }
    left
}

#[test]
fn whole_lines_go() {
    let lines = |text: &str, part: &str| cut(text, part, None, "x");
    assert_eq!(lines("one\ntwo three\nfour\n", "three"), "one\nfour\n");
    assert_eq!(lines("one\r\ntwo three", "two"), "one");
    assert_eq!(lines("one two", "two"), "");
    assert_eq!(lines("é\né two é\né", "two"), "é\né");
    for end in ["\r", "\u{b}", "\u{85}", "\u{2028}", "\r\n"] {
        let text = ["one", "two three", "four"].join(end);
        assert_eq!(lines(&text, "three"), ["one", "four"].join(end), "{end:?}");
        assert_eq!(cut(&text, "two three", Some(0), "x"), ["one", "four"].join(end), "{end:?}");
    }
}

#[test]
fn a_place_within_the_lines_of_another_has_its_own_lines() {
    let text = "zero\nQuestion:\none two\nthree four\nfive six\nseven\n";
    let reader = UnitReader::new(&Recipe::default(), PassageUnit::Token, Digits::Keep);
    let mut reader = reader.unwrap();
    let units = reader.read(text);
    let behind = Behind::default();
    let mut widening = Widening::new(text, &units, None);
    for (from, to, lines) in [
        ("two", "five", "Question:\none two\nthree four\nfive six\n"),
        ("two", "two", "Question:\none two\n"),
        ("two", "three", "Question:\none two\nthree four\n"),
        ("three", "four", "three four\n"),
        ("four", "six", "three four\nfive six\n"),
        ("five", "seven", "five six\nseven\n"),
        ("six", "six", "five six\n"),
    ] {
        let place = text.find(from).unwrap()..text.find(to).unwrap() + to.len();
        let token = units.tokens_before(place.end);
        let following =
            Following { of: ItemText { text, units: &units, behind: &behind }, start: place.start };
        let end = following.end(token, place.end);
        let parts = widening.around(place, end, &behind);
        let gone = parts.iter().map(Part::bytes);
        let gone = gone.map(|gone| &text[gone.start as usize..gone.end as usize]);
        assert_eq!(gone.collect::<Vec<_>>(), [lines], "{from} to {to}");
    }
}

#[test]
fn a_margin_counts_characters_and_cuts_no_word() {
    let text = "first second third the item fourth, fifth sixth\nlast\n";
    for (margin, left) in [
        (0, "first second third  fourth, fifth sixth\nlast\n"),
        (1, "first second thirdfourth, fifth sixth\nlast\n"),
        (2, "first second , fifth sixth\nlast\n"),
        (10, "first  sixth\nlast\n"),
        (20, "last\n"),
        (24, ""),
        (999, ""),
    ] {
        assert_eq!(cut(text, "the item", Some(margin), "x"), left, "{margin}");
    }
    let lines = "before\r\nthe item\r\nbehind\r\n";
    assert_eq!(cut(lines, "the item", Some(0), "x"), "before\r\nbehind\r\n");
    assert_eq!(cut(lines, "the item", Some(1), "x"), "before\r\nbehind\r\n");
    assert_eq!(cut(lines, "the item", Some(3), "x"), "");
    assert_eq!(cut("é 一二三item四五六", "item", Some(1), "x"), "é 一二五六");
    assert_eq!(cut("item", "item", Some(0), "x"), "");
}

#[test]
fn a_long_line_behind_a_place_stays_wherever_its_characters_end() {
    for spaces in 1..5 {
        for rest in ["ж".repeat(300), "漢".repeat(300), " ".repeat(300) + "end"] {
            let left = format!("{}{rest}\nlast", " ".repeat(spaces));
            let text = format!("first\nitem{left}");
            assert_eq!(cut(&text, "item", Some(0), "x"), format!("first\n{left}"));
        }
    }
}

#[test]
fn a_long_line_of_choices_goes_to_its_end() {
    let choices = "B) forty two; ".repeat(20);
    for end in ["", ".", "**", "] },", "</li></ul></div>"] {
        let text = format!("one\nitem\n{choices}{end}\r\ntwo\n");
        for margin in [None, Some(0)] {
            assert_eq!(cut(&text, "item", margin, "forty two"), "one\ntwo\n", "{end}");
        }
    }
    let text = format!("item\n{choices}and more\ntwo\n");
    assert_eq!(cut(&text, "item", None, "forty two"), " and more\ntwo\n");
}

#[test]
fn a_label_above_goes() {
    for label in [
        "Question:",
        "**Question:**",
        "Question 7",
        "### question",
        "Q:",
        "问题：",
        "質問：",
        "**Question**",
        "Question 7 of 20:",
        "Q7:",
        "Question:\n",
        "> Question:\n>",
    ] {
        let text = format!("one\n{label}\nitem\ntwo\n");
        assert_eq!(cut(&text, "item", None, "x"), "one\ntwo\n", "{label}");
        assert_eq!(cut(&format!("{label}\nitem"), "item", None, "x"), "", "{label}");
    }
    for line in
        ["Question", "Questions:", "The question:", "Question: why?", "Question:\n\n", "7", "Q7"]
    {
        let text = format!("{line}\nitem\ntwo\n");
        assert_eq!(cut(&text, "item", None, "x"), format!("{line}\ntwo\n"), "{line}");
    }
}

#[test]
fn an_answer_behind_choices_of_others_stays() {
    for lines in [
        "2) another item\n   Answer: B\n",
        "- a riddle\n\nThe answer is yes.\n",
        "- milk\n- a plumber\n\n1. a third item\nAnswer: 126\n",
        "2. another item\nAnswer: forty two\n",
        "- a riddle\nAnswer:\nB\n",
    ] {
        let text = format!("item\n{lines}");
        assert_eq!(cut_beside(&text, "item", None, "forty two", 4), lines, "{lines}");
    }
    // What opens stays with what closes it.
    for (text, left) in [
        ("item\n```\nB) forty two\ncode\n```\n", "```\ncode\n```\n"),
        ("item\n\"choices\": [\n\"forty two\",\n\"six\"\n]\n", "\"choices\": [\n\"six\"\n]\n"),
        ("item\nB) forty two\n```\nAnswer: B\n", "```\nAnswer: B\n"),
        ("item\n</div>\n<ul>\n<li>forty two</li>\n</ul>\n", "</div>\n"),
    ] {
        assert_eq!(cut(text, "item", None, "forty two"), left, "{text}");
    }
    let changed = "item\nA) forty three\nB) forty two\nC) fifty\nAnswer: B\nend\n";
    assert_eq!(cut_beside(changed, "item", None, "forty two", 4), "end\n");
}

#[test]
fn with_a_margin_lines_that_stay_are_joined_to_none() {
    let list = "</div>\n<ul>\n<li>forty two</li>\n</ul>\n";
    for (text, margin, left) in [
        (format!("intro item\n{list}end\n"), 0, "intro \n</div>\nend\n"),
        (format!("item\n{list}end\n"), 0, "</div>\nend\n"),
        (format!("intro item\n{list}"), 0, "intro \n</div>\n"),
        (format!("intro\nitem\n{list}end\n"), 1, "intro\n</div>\n"),
        (format!("intro\nitem\n{list}end"), 1, "intro\n</div>"),
        ("<div>item</div>\nB) forty two\nend\n".to_owned(), 0, "<div></div>\nend\n"),
        ("intro\nitem</div>\nB) forty two\nend\n".to_owned(), 1, "intro\n"),
    ] {
        assert_eq!(cut(&text, "item", Some(margin), "forty two"), left, "{text}");
        let (text, left) = (text.replace('\n', "\r\n"), left.replace('\n', "\r\n"));
        assert_eq!(cut(&text, "item", Some(margin), "forty two"), left, "{text}");
    }
}

#[test]
fn quotes_that_an_item_opens_go_with_those_that_close_them() {
    for marks in ["\"\"\"", "'''"] {
        let item = format!("def item():\n    {marks}\n    ask");
        for behind in [
            "\n    QQQ\n",
            ".\n\n    QQQ\n    return forty two\n",
            ". QQQ\n",
            ".QQQ\n    return forty two\n",
        ] {
            let text = format!("import os\n{item}{}x = 1\n", behind.replace("QQQ", marks));
            for margin in [None, Some(0)] {
                let left = cut(&text, &item, margin, "return forty two");
                assert_eq!(left, "import os\nx = 1\n", "{text}");
            }
        }
        for lines in ["QQQ\nforty two\n", "QQQ doc QQQ\n", "two\n    QQQ\n"] {
            let lines = lines.replace("QQQ", marks);
            assert_eq!(cut(&format!("item\n{lines}"), "item", None, "x"), lines, "{lines}");
        }
        let closed = format!("{marks} item {marks}");
        let lines = format!("{marks}\ntwo\n{marks}\n");
        assert_eq!(cut(&format!("{closed}\n{lines}"), &closed, None, "x"), lines);
    }
}

#[test]
fn choices_with_labels_of_any_script_go() {
    for lines in [
        "А) forty two\nБ) forty two\nОтвет: Б",
        "Γ. forty two\nΑπάντηση: Γ",
        "가) forty two\n정답: 가",
        "أ) forty two\nالإجابة: أ",
        "क) forty two\nउत्तर: क",
        "ア）forty two\n正解：ア",
        "【甲】forty two\n乙、forty two\n丙．forty two\n答案：甲",
        "i) forty two\n(ii) forty two\nAnswer: ii)",
        "K) forty two\n- **L)** forty two\nAnswer: **K**",
        "<li>N. forty two</li>\n> M: forty two\nAnswer: M",
        "A1) forty two\nB12) forty two\nAnswer: A1",
    ] {
        let text = format!("one\nitem\n{lines}\ntwo\n");
        assert_eq!(cut(&text, "item", None, "forty two"), "one\ntwo\n", "{lines}");
        assert_eq!(cut(&text, "item", Some(0), "forty two"), "one\ntwo\n", "{lines}");
    }
    for line in [
        "К forty two",
        "see К) forty two",
        "水、forty two",
        "Q: forty two",
        "mix) forty two",
        "Ответ и",
        "и",
        "答案：水",
    ] {
        let left = format!("{line}\ntwo\n");
        assert_eq!(cut(&format!("item\n{left}"), "item", None, "forty two"), left, "{line}");
    }
}

#[test]
fn an_answer_below_goes() {
    for answer in [
        "Answer: B",
        "The correct answer is (C).",
        "**Answer:** D",
        "answer: 3",
        "Answer: True",
        "答案：B",
        "Ans. A and C",
        "Antwort: A",
        "\nAnswer: B",
        "Answer:\nB",
        "Answer: B) forty two",
        "Answer:\n\nForty-two",
        "Forty two!",
        "Choose:\nB) forty two",
        "0) forty two",
        "Choices:\nB) forty two\nAnswer: B",
        "Answer choices:\nB) forty two\nAnswer:\nB",
        "Answers:\nB) forty two",
        "Answers: A) forty two\nB) forty two",
        "Answer choices: A) forty two B) forty two\nC) forty two",
        "A) forty two (correct)\nB) forty two",
        "- [ ] forty two\n- [x] forty two\n2. [X] forty two",
        "---\n☐ forty two\n☑ forty two",
        "---\n<li>forty two</li>\n<LI>forty two</LI>",
        "<p><label><input type=\"radio\" name=\"q\"> forty two</label></p>",
        "A) forty two<br>\nB) forty two<br/>",
        "<p>\nforty two</p>",
        "---\n\\item forty two\n\\item[B)] forty two",
        "\\choice forty two\n\\CorrectChoice forty two",
        "答案选项：\nB) forty two",
        "Pick one.\nOptions:\nB) forty two",
        "\n\n\nB) forty two",
        "\n\n## Options\n\nB) forty two",
        "\n\n\n\nOptions:\n\n\n- forty two\n\n\nAnswer: B",
        "**Options**\nforty two",
        "Choice 0\nforty two",
        "Choice:\nB",
        "选项：\nB",
        "B) forty two\nOption:\nA",
        "B) forty two\nOption B",
        "forty two\nOptions:\nB) forty two",
        "Key:\nB",
        "Correct: B",
        "Correct option B",
        "---\nB) forty two",
        "\n| A | forty two |\n|---|---|\n| B | forty two |",
        "\n```\nB) forty two\n```",
        "```text\nB) forty two\n```\n\nAnswer: B",
        "\"choices\": [\n\"forty two\"\n],\n\"answer\": 0",
        "<ul>\n<li>forty two</li>\n</ul>",
        "<ul>\n<li>\nforty two\n</li>\n<li>\nforty two\n</li>\n</ul>\n<p>Answer: B</p>",
        "<div id=\"q\">\n<div>forty two</div>\n</div>\n<p>Answer: B</p>",
        "\\begin{choices}\n\\choice forty two\n\\end{choices}",
        ">\n> B) forty two\n>\n> Answer: B",
    ] {
        let text = format!("one\nitem\n{answer}\ntwo\n");
        assert_eq!(cut(&text, "item", None, "forty two"), "one\ntwo\n", "{answer}");
        assert_eq!(cut(&text, "item", Some(0), "forty two"), "one\ntwo\n", "{answer}");
        let last = format!("one\nitem\n{answer}");
        assert_eq!(cut(&last, "item", None, "forty two"), "one", "{answer}");
    }
    for answer in [
        "Answer: one two\nthree\n#### 7",
        "Answer:\none two\nthree\n#### 7",
        "Solution: one\ntwo three 7",
        "Answer: one two\n\nthree 7",
    ] {
        let text = format!("item\n{answer}\nthree\n7\n");
        for margin in [None, Some(0)] {
            let left = cut(&text, "item", margin, "one two three 7");
            assert_eq!(left, "three\n7\n", "{answer}");
        }
    }
    for line in [
        "Answer the next one",
        "7",
        "(b)",
        "The best",
        "A man is here",
        "\n\n\nAnswer: B",
        "\n\n\nforty two",
        "\n\n\nThe best\n- forty two",
        "and",
        "---\nAnswer: B",
        "---\nforty two",
        "---",
        "And:\nB",
        "5 and 6",
        "Answers",
        "Option 1",
        "Option 1:",
        "## Options:\n\n- verbose",
        "Pick one.\nOptions:\nB",
        "The best 10",
        "Key:\n\nred is hot",
        "Label:",
        "Answer: forty two and more",
        "<li>forty two or more</li>",
        "- f[x] forty two",
        "if x <p and forty two",
        "<div id=\"forty two\">",
        "<li value=\"forty two\">tea</li>",
        "\\begin{tasks}[c](forty two)",
        "\\item[forty two]",
        "</div>\n<h2>Things</h2>\n<ul>\n<li>forty two</li>",
    ] {
        let left = format!("{line}\ntwo\n");
        assert_eq!(cut(&format!("item\n{left}"), "item", None, "forty two"), left, "{line}");
    }
    // Markup is the item's where it has no other words.
    assert_eq!(cut("item\n<p class=\"x\">\ntwo\n", "item", None, "p class x"), "two\n");
    let tag = " <br clear=\"forty two\"> tea\n";
    assert_eq!(cut(&format!("item{tag}"), "item", Some(0), "forty two"), tag);
    assert_eq!(cut("one item Answer: B\ntwo", "item", Some(0), "x"), "one \ntwo");
    assert_eq!(cut("item and more\nAnswer: B\n", "item", Some(0), "x"), " and more\nAnswer: B\n");
    assert_eq!(cut("item\nAnswer: B\nC.\nD.\n", "item", None, "x"), "C.\nD.\n");
    // A mark behind the item hides no answer.
    for mark in ["?", ".", "？", ":**"] {
        let text = format!("one\nitem{mark}\nAnswer: B\ntwo\n");
        assert_eq!(cut(&text, "item", Some(0), "x"), "one\ntwo\n", "{mark}");
        let text = format!("one\nitem{mark}\ntwo\n");
        assert_eq!(cut(&text, "item", Some(0), "x"), format!("one\n{mark}\ntwo\n"), "{mark}");
    }
}
