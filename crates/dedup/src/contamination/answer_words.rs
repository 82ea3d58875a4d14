//! Words that stand beside a question, a choice or an answer, such as `Answer:`. Of scripts without spaces each character is a
//! word.

/// Words that say that the answer comes.
const ANSWER: [&str; 56] = [
    "answer",
    "answers",
    "ans",
    "solution",
    "key",
    "label",
    "target",
    "correct",
    "right",
    "best",
    "final",
    "correct_answer",
    "answer_idx",
    "answer_index",
    "antwort",
    "lösung",
    "réponse",
    "respuesta",
    "solución",
    "resposta",
    "gabarito",
    "solução",
    "risposta",
    "soluzione",
    "antwoord",
    "svar",
    "svaret",
    "vastaus",
    "odpowiedź",
    "odpověď",
    "відповідь",
    "ответ",
    "решение",
    "válasz",
    "răspuns",
    "cevap",
    "απάντηση",
    "जवाब",
    "उत्तर",
    "الإجابة",
    "الجواب",
    "jawaban",
    "đáp",
    "án",
    "정답",
    "정답은",
    "답",
    "답은",
    "答",
    "案",
    "え",
    "正",
    "确",
    "確",
    "解",
    "回",
];
/// Words that say that a choice comes.
const CHOICE: [&str; 9] = ["option", "options", "choice", "choices", "选", "選", "择", "项", "項"];
/// Words that say that a question comes.
const QUESTION: [&str; 18] = [
    "question",
    "q",
    "frage",
    "pregunta",
    "pergunta",
    "domanda",
    "vraag",
    "fråga",
    "pytanie",
    "otázka",
    "вопрос",
    "питання",
    "soru",
    "问题",
    "問題",
    "質問",
    "题目",
    "질문",
];
/// Words of these that also head other things, such as `Option 1`, `Key:` or `The best 10`.
const HEADING: [&str; 11] = [
    "key", "label", "target", "correct", "right", "best", "final", "option", "options", "choice",
    "choices",
];
/// Words that say which answer it is, or whose.
const WHICH: [&str; 42] = [
    "your",
    "my",
    "suggested",
    "official",
    "expected",
    "sample",
    "verified",
    "accepted",
    "richtige",
    "korrekte",
    "bonne",
    "correcte",
    "correcta",
    "correta",
    "certa",
    "corretta",
    "esatta",
    "giusta",
    "juiste",
    "rätt",
    "poprawna",
    "prawidłowa",
    "správná",
    "правильный",
    "верный",
    "правильна",
    "doğru",
    "kunci",
    "सही",
    "الصحيحة",
    "الصحيح",
    "올바른",
    "参",
    "參",
    "考",
    "标",
    "標",
    "准",
    "準",
    "故",
    "应",
    "應",
];
/// Words between these.
const GLUE: [&str; 15] =
    ["the", "a", "an", "and", "or", "und", "oder", "et", "ou", "y", "die", "la", "le", "el", "het"];
/// Verbs among these.
const VERBS: [&str; 14] =
    ["is", "are", "ist", "es", "est", "é", "è", "är", "是", "为", "為", "は", "で", "す"];
/// Answers that are words.
const TRUTHS: [&str; 4] = ["true", "false", "yes", "no"];
/// Tags of HTML and commands of LaTeX before a choice.
const MARKS: [&str; 8] =
    ["li", "label", "option", "input", "item", "choice", "correctchoice", "task"];
/// Others around choices and answers, and around all choices.
const AROUND: [&str; 9] = ["boxed", "br", "p", "em", "strong", "span", "td", "tr", "begin"];
const BLOCKS: [&str; 8] = ["ul", "ol", "div", "table", "tbody", "select", "form", "end"];
/// More letters than these have.
const LONGEST: usize = 16;
/// Ideographs that count.
const COUNTING: &str = "甲乙丙丁戊己庚辛壬癸一二三四五六七八九十";
/// Roman numbers of more than a letter.
const ROMAN: [&str; 9] = ["ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii"];
/// The largest number of a choice, where they have no letters. The first is 0 or 1.
const MOST: u32 = 10;

/// Whether a word in small letters says that the answer comes.
pub(crate) fn says_answer(word: &str) -> bool {
    ANSWER.contains(&word)
}

/// Whether it says that several choices come.
pub(crate) fn lists_choices(word: &str) -> bool {
    matches!(word, "answers" | "options" | "choices" | "选" | "選" | "择" | "项" | "項")
}

/// Whether it says that an answer comes, or a choice.
pub(crate) fn names(word: &str) -> bool {
    says_answer(word) || CHOICE.contains(&word)
}

/// Whether a line of such words may be a heading of something else. One that has a verb states something.
pub(crate) fn may_head(word: &str) -> bool {
    HEADING.contains(&word) || WHICH.contains(&word) || GLUE.contains(&word)
}

/// Whether the name with which the inside of a tag or a command begins is that of markup around choices.
pub(crate) fn is_markup(inside: &str) -> bool {
    let name = name_of(inside.strip_prefix('/').unwrap_or(inside));
    MARKS.iter().chain(&AROUND).chain(&BLOCKS).any(|it| *it == name)
}

/// Whether a command of LaTeX without its backslash ends within an argument, as `begin{tasks}(2` and `item[4` do.
pub(crate) fn is_in_argument(command: &str) -> bool {
    let Some((_, mut rest)) = command.strip_prefix("begin{").and_then(|it| it.split_once('}'))
    else {
        let rest = command.trim_start_matches(|char: char| char.is_ascii_alphabetic());
        let is_item = MARKS.contains(&name_of(command).as_str());
        return is_item && rest.starts_with('[') && !rest.contains(']');
    };
    loop {
        let close = match rest.chars().next() {
            Some('{') => '}',
            Some('[') => ']',
            Some('(') => ')',
            _ => return false,
        };
        match rest.split_once(close) {
            Some((_, behind)) => rest = behind,
            None => return true,
        }
    }
}

/// Whether a line of markup ends what stands around all choices, such as `</ul>` or `\end{choices}`.
pub(crate) fn ends_block(line: &str) -> bool {
    let name =
        line.strip_prefix("</").or(line.strip_prefix('\\').filter(|it| it.starts_with("end")));
    name.is_some_and(|name| BLOCKS.contains(&name_of(name).as_str()))
}

/// Whether a line begins with a tag or a command before a choice.
pub(crate) fn begins_item(line: &str) -> bool {
    line.strip_prefix(['<', '\\']).is_some_and(|rest| MARKS.contains(&name_of(rest).as_str()))
}

/// The letters that a text begins with, in small letters; of more than these names have, some.
fn name_of(text: &str) -> String {
    let letters = text.chars().take(LONGEST).take_while(char::is_ascii_alphabetic);
    letters.map(|char| char.to_ascii_lowercase()).collect()
}

/// Whether a line is blank, in a quotation too.
pub(crate) fn is_empty(line: &str) -> bool {
    line.chars().all(|char| char.is_whitespace() || char == '>')
}

/// Whether a line only says that a question comes, such as `Question 7 of 20:`, `Q7:` or `**Question**`.
pub(crate) fn labels_question(line: &str) -> bool {
    let is_mark = |char: char| char.is_whitespace() || "#*_>-.):：".contains(char);
    let mut words = line.split(is_mark).filter(|word| !word.is_empty());
    let Some(first) = words.next().map(str::to_lowercase) else {
        return false;
    };
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
    // `Q3 2024` is a quarter.
    let is_question = QUESTION.contains(&first.as_str())
        || line.contains([':', '：']) && first.strip_prefix('q').is_some_and(is_number);
    let rest: Vec<&str> = words.collect();
    let is_numbered = match rest[..] {
        [number] => is_number(number),
        [number, of, all] => is_number(number) && of == "of" && is_number(all),
        _ => false,
    };
    let is_label = rest.is_empty() && (line.contains(['#', ':', '：']) || line.contains("**"));
    is_question && (is_numbered || is_label)
}

/// Whether it stands beside an answer, and is none.
pub(crate) fn is_beside(word: &str) -> bool {
    names(word) || [&WHICH[..], &GLUE, &VERBS].iter().any(|words| words.contains(&word))
}

/// Whether it is the letter of a choice.
pub(crate) const fn is_letter(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'j'])
}

/// Whether it is the letter or the number of a choice.
pub(crate) fn is_mark(word: &str) -> bool {
    is_letter(word) || word.parse().is_ok_and(|number: u32| number <= MOST)
}

/// Whether it is the letter or the number of a choice where a mark stands beside it: a letter of any script, a Roman number,
/// or a letter with a number such as `a1`.
pub(crate) fn is_label(word: &str) -> bool {
    let mut chars = word.chars();
    let is_one = match (chars.next(), chars.next()) {
        (Some(char), None) => {
            char.is_alphabetic() && (!is_ideograph(char) || COUNTING.contains(char))
        }
        _ => false,
    };
    // `Q:` says that a question comes.
    let is_letter_of_any = is_one && !is_beside(word) && !QUESTION.contains(&word);
    let number = word.strip_prefix(|char: char| char.is_ascii_lowercase() && char != 'q');
    let is_numbered = number.is_some_and(|rest| {
        matches!(rest.len(), 1 | 2) && rest.bytes().all(|byte| byte.is_ascii_digit())
    });
    is_letter_of_any || ROMAN.contains(&word) || is_numbered
}

/// Whether a character is a word of its own in Chinese and Japanese.
const fn is_ideograph(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether it may be all that an answer is.
pub(crate) fn is_short_answer(word: &str) -> bool {
    is_letter(word) || TRUTHS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether it may stand between a question and an answer of it, or between two.
pub(crate) fn leads(word: &str) -> bool {
    is_beside(word) || is_mark(word)
}
