//! Where the parts of an item stand in a row: its question, its choices, its answers, its context.

use crate::error::Error;
use nearprint_corpus::json_of_python;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt;

/// The names of the parts where nobody says others; the first that a row has a value in serves.
const QUESTION: [&str; 7] =
    ["question.stem", "question", "problem", "query", "prompt", "input", "text"];
const CHOICES: [&str; 4] = ["choices", "options", "endings", "question.choices"];
const ANSWER: [&str; 5] = ["answer", "answers", "solution", "target", "label"];
const CONTEXT: [&str; 3] = ["context", "passage", "article"];
/// The name of the id where nobody says another.
const ID: &str = "id";
/// Fields that a message names, more or less.
const PRESENT: usize = 100;
/// Members of an object that are its text, where it has one of them.
const TEXTS: [&str; 5] = ["text", "texts", "content", "value", "aliases"];

/// The fields of an eval set. What is empty has its usual names.
///
/// # Examples
/// ```
/// use nearprint_dedup::ItemFields;
///
/// let fields = ItemFields::parse("question=ctx,choices=endings.text")?;
/// assert_eq!((fields.question, fields.choices), (vec!["ctx".to_owned()], vec!["endings.text".to_owned()]));
/// assert!(ItemFields::parse("title=x").is_err());
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemFields {
    /// Fields of the question. Where only answers are named, these are what is looked for.
    pub question: Vec<String>,
    /// Fields of the choices.
    pub choices: Vec<String>,
    /// Fields of the answers.
    pub answer: Vec<String>,
    /// Fields of the text that the question is about.
    pub context: Vec<String>,
    /// The field by which rows are of one item; by default each row is an item, called by its `id`.
    pub id: Option<String>,
}

/// The fields that are named, as an error tells them.
impl fmt::Display for ItemFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.parts().map(|(part, name)| format!("{part}={name}"));
        let named: Vec<String> = named.chain(self.id.iter().map(|id| format!("id={id}"))).collect();
        match named.as_slice() {
            [] => f.write_str("the usual fields of items"),
            named => write!(f, "the fields of items {}", named.join(",")),
        }
    }
}

/// What a row says of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ItemRow {
    /// Its id, as JSON text.
    pub(crate) id: Option<String>,
    pub(crate) question: String,
    /// Its choices, and the answers that are none of them; none is empty, and each is there once.
    pub(crate) choices: Vec<String>,
    pub(crate) answers: Vec<String>,
    pub(crate) context: String,
}

impl ItemRow {
    /// Adds what another row of the same item says, which has a choice more.
    pub(crate) fn join(&mut self, other: Self) {
        let (answers, others) = (std::mem::take(&mut self.answers), other.answers);
        for choice in answers.into_iter().chain(other.choices).chain(others) {
            if !self.choices.contains(&choice) {
                self.choices.push(choice);
            }
        }
        if self.context.is_empty() {
            self.context = other.context;
        }
    }
}

impl ItemFields {
    /// The fields that a list such as `question=ctx,choices=endings` names. A part that comes several times has several
    /// fields.
    ///
    /// # Errors
    /// What is no such list.
    pub fn parse(list: &str) -> Result<Self, Error> {
        let mut fields = Self::default();
        for pair in list.split(',') {
            let named = pair.split_once('=').filter(|(_, name)| !name.trim().is_empty());
            let part = match named.map(|(part, _)| part.trim()) {
                Some("question") => &mut fields.question,
                Some("choices") => &mut fields.choices,
                Some("answer") => &mut fields.answer,
                Some("context") => &mut fields.context,
                _ => {
                    return Err(Error::Contamination {
                        problem: format!(
                            "{pair:?} names no field of an item: write question=FIELD, choices=FIELD, answer=FIELD or \
                             context=FIELD, with commas between them"
                        ),
                    });
                }
            };
            part.extend(named.map(|(_, name)| name.trim().to_owned()));
        }
        Ok(fields)
    }

    /// The fields that are named, of which no set has been seen.
    pub(crate) fn named(&self) -> NamedFields<'_> {
        let fields = self.parts().map(|(part, name)| (part, name, BTreeSet::new()));
        NamedFields { fields: fields.collect(), present: BTreeSet::new() }
    }

    /// The fields that are named, each with its part.
    fn parts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let Self { question, choices, answer, context, id: _ } = self;
        let parts = [
            ("question", question),
            ("choices", choices),
            ("answer", answer),
            ("context", context),
        ];
        parts
            .into_iter()
            .flat_map(|(part, names)| names.iter().map(move |name| (part, name.as_str())))
    }

    /// Whether only answers are named.
    fn has_answers_alone(&self) -> bool {
        let Self { question, choices, answer, context, .. } = self;
        !answer.is_empty() && question.is_empty() && choices.is_empty() && context.is_empty()
    }

    /// The names that a question may have, for a message.
    pub(crate) fn of_question(&self) -> Vec<&str> {
        let named = if self.has_answers_alone() { &self.answer } else { &self.question };
        names(named, &QUESTION)
    }

    /// What a row says. `None` where it has no field that a question is in.
    pub(crate) fn read(&self, row: &Map<String, Value>) -> Option<ItemRow> {
        let alone = self.has_answers_alone();
        let mut question = texts(row, &self.of_question())?;
        if alone {
            let choices = labelled(row);
            let of_choice = |answer: &mut String| {
                if let Some(choice) = pointed(answer, &choices) {
                    choice.clone_into(answer);
                }
            };
            question.iter_mut().for_each(of_choice);
        }
        let of = |named: &[String], usual: &[&'static str]| match alone {
            true => Vec::new(),
            false => texts(row, &names(named, usual)).unwrap_or_default(),
        };
        let (choices, given) = (of(&self.choices, &CHOICES), of(&self.answer, &ANSWER));
        let context = of(&self.context, &CONTEXT);
        let mut seen = Vec::new();
        let mut is_new = |text: &String| {
            let is_new = !text.trim().is_empty() && !seen.contains(text);
            if is_new {
                seen.push(text.clone());
            }
            is_new
        };
        let choices: Vec<String> = choices.into_iter().filter(&mut is_new).collect();
        // Of an answer that is the letter or the number of a choice the choice is the text.
        let points = |text: &String| may_point(text) && !choices.is_empty();
        let given = given.into_iter().filter(|text| !points(text));
        let answers = given.filter(&mut is_new).collect();
        let id = member(row, self.id.as_deref().unwrap_or(ID));
        let id = id.filter(|id| id.is_string() || id.is_number()).map(ToString::to_string);
        let (question, context) = (question.join("\n"), context.join("\n"));
        Some(ItemRow { id, question, choices, answers, context })
    }
}

/// Fields that were named, and which sets have them.
pub(crate) struct NamedFields<'a> {
    fields: Vec<(&'static str, &'a str, BTreeSet<u32>)>,
    /// Fields of rows that lack one of them.
    present: BTreeSet<String>,
}

impl NamedFields<'_> {
    /// Sees a row of a set.
    pub(crate) fn see(&mut self, set: u32, row: &Map<String, Value>) {
        for (_, name, sets) in &mut self.fields {
            if sets.contains(&set) {
                continue;
            }
            if member(row, name).is_some() {
                sets.insert(set);
            } else if self.present.len() < PRESENT {
                self.present.extend(row.keys().cloned());
            }
        }
    }

    /// The fields that some of these sets lack, with their names.
    ///
    /// # Errors
    /// A field that none of them has, unless that `may_be`.
    pub(crate) fn absent(
        &self,
        sets: &[String],
        may_be: bool,
    ) -> Result<Vec<(String, Vec<String>)>, String> {
        let mut absent = Vec::new();
        for (part, name, of) in &self.fields {
            if of.is_empty() && !may_be {
                let present: Vec<String> =
                    self.present.iter().map(|name| format!("{name:?}")).collect();
                return Err(format!(
                    "no row has the field {name:?} that is named as {part}={name}; existing fields: {}",
                    present.join(", ")
                ));
            }
            let lacking: Vec<String> = (0..)
                .zip(sets)
                .filter(|(set, _)| !of.contains(set))
                .map(|(_, name)| name.clone())
                .collect();
            if !lacking.is_empty() {
                absent.push(((*name).to_owned(), lacking));
            }
        }
        Ok(absent)
    }
}

/// The names of a part.
fn names<'a>(named: &'a [String], usual: &[&'a str]) -> Vec<&'a str> {
    match named {
        [] => usual.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    }
}

/// The texts of a part: of the fields that were named all, of the usual ones the first that has some; `None` where the
/// row has none of the fields.
fn texts(row: &Map<String, Value>, names: &[&str]) -> Option<Vec<String>> {
    let is_usual = [&QUESTION[..], &CHOICES, &ANSWER, &CONTEXT].contains(&names);
    let mut found = None;
    for name in names {
        let Some(value) = member(row, name) else { continue };
        let all: &mut Vec<String> = found.get_or_insert_default();
        gather(value, all);
        if is_usual && !all.is_empty() {
            break;
        }
    }
    found
}

/// Whether an answer is short enough for the letter or the number of a choice.
fn may_point(answer: &str) -> bool {
    answer.trim().chars().count() < 3
}

/// The choice that an answer is the label, the letter or the number of, from 0. `None` where it is the text of one itself.
fn pointed<'a>(answer: &str, choices: &'a [(Option<String>, String)]) -> Option<&'a str> {
    let answer = answer.trim();
    let is_label = |label: &String| label.trim().eq_ignore_ascii_case(answer);
    let labelled = choices.iter().find(|(label, _)| label.as_ref().is_some_and(is_label));
    let is_text = || choices.iter().any(|(_, text)| text.trim() == answer);
    let place = || match answer.as_bytes() {
        _ if is_text() => None,
        [letter] if letter.is_ascii_alphabetic() => {
            Some(usize::from(letter.to_ascii_lowercase() - b'a'))
        }
        _ => answer.parse().ok(),
    };
    let (_, text) = labelled.or_else(|| choices.get(place()?)).filter(|_| may_point(answer))?;
    (!text.trim().is_empty()).then_some(text)
}

/// The choices of a row in the usual fields, as answers point to them: each with its label, where it has one.
fn labelled(row: &Map<String, Value>) -> Vec<(Option<String>, String)> {
    let values = CHOICES.iter().filter_map(|name| member(row, name));
    let label = |value: &Value| match value {
        Value::String(label) => Some(label.clone()),
        Value::Number(label) => Some(label.to_string()),
        _ => None,
    };
    let text = |value: &Value| {
        let mut all = Vec::new();
        gather(value, &mut all);
        all.join("\n")
    };
    let of = |value: &Value| match value {
        Value::Array(list) => {
            let choice = |one: &Value| (one.get("label").and_then(label), text(one));
            list.iter().map(choice).collect()
        }
        Value::Object(members) => match (members.get("text"), members.get("label")) {
            (Some(Value::Array(texts)), labels) => {
                let of = |at: usize| labels.and_then(|all| all.get(at)).and_then(label);
                texts.iter().enumerate().map(|(at, one)| (of(at), text(one))).collect()
            }
            _ => members.iter().map(|(name, value)| (Some(name.clone()), text(value))).collect(),
        },
        _ => Vec::new(),
    };
    let mut all = values.map(|value| match value {
        Value::String(printed) => listed(printed).as_ref().map_or_else(Vec::new, of),
        value => of(value),
    });
    all.find(|choices: &Vec<_>| !choices.is_empty()).unwrap_or_default()
}

/// The field of a row: of that name, or inside of the field before its first dot. What is inside of null is null.
fn member<'a>(row: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(value) = row.get(path) {
        return Some(value);
    }
    let (outer, inner) = path.split_once('.')?;
    match row.get(outer)? {
        Value::Object(members) => member(members, inner),
        null @ Value::Null => Some(null),
        // Such as `references.0.text`.
        Value::Array(list) => {
            let (at, rest) =
                inner.split_once('.').map_or((inner, None), |(at, rest)| (at, Some(rest)));
            let value = list.get(at.parse::<usize>().ok()?)?;
            match (rest, value) {
                (None, value) => Some(value),
                (Some(rest), Value::Object(members)) => member(members, rest),
                (Some(_), Value::Null) => Some(value),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Adds the texts in a value: those of lists, of `{"text": [...], "label": [...]}`, of messages and of `{"A": "..."}`.
fn gather(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Bool(truth) => into.push(truth.to_string()),
        Value::Number(number) => into.push(number.to_string()),
        Value::String(text) => match listed(text) {
            Some(list) => gather(&list, into),
            None if text.trim().is_empty() => {}
            None => into.push(text.clone()),
        },
        Value::Array(list) => list.iter().for_each(|value| gather(value, into)),
        Value::Object(members) => {
            let mut known = TEXTS.iter().filter_map(|name| members.get(*name)).peekable();
            if known.peek().is_some() {
                known.for_each(|value| gather(value, into));
            } else {
                members.values().for_each(|value| gather(value, into));
            }
        }
    }
}

/// The list or object that a text is the JSON of, or the print of in Python, as cells of tables have it.
fn listed(text: &str) -> Option<Value> {
    let text = text.trim();
    let is_list = text.starts_with('[') && text.ends_with(']');
    let is_object = text.starts_with('{') && text.ends_with('}');
    match is_list || is_object {
        true => serde_json::from_str(text)
            .ok()
            .or_else(|| serde_json::from_str(&json_of_python(text)?).ok()),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(fields: &str, row: &Value) -> Option<ItemRow> {
        let fields = match fields {
            "" => ItemFields::default(),
            fields => ItemFields::parse(fields).unwrap(),
        };
        fields.read(row.as_object().unwrap())
    }

    #[test]
    fn the_forms_of_known_sets_are_read() {
        for (fields, row, question, answers, context) in [
            (
                "",
                json!({"id": 7, "question": "Q", "choices": ["one", "two", "one"], "answer": 1}),
                "Q",
                &["one", "two"][..],
                "",
            ),
            (
                "",
                json!({"question": "Q", "choices": {"text": ["one", "two"], "label": ["A", "B"]}, "answer": "B"}),
                "Q",
                &["one", "two"],
                "",
            ),
            ("", json!({"problem": "P", "solution": "42"}), "P", &["42"], ""),
            ("", json!({"prompt": "Do it.", "problem": "P", "input": "I"}), "P", &[], ""),
            (
                "",
                json!({"question": {"stem": "S", "choices": [{"text": "x", "label": "A"}, {"text": "y", "label": "B"}]}, "answerKey": "A"}),
                "S",
                &["x", "y"],
                "",
            ),
            ("", json!({"question": "Q", "choices": "['x' 'it is']"}), "Q", &["x", "it is"], ""),
            (
                "",
                json!({"question": "Q", "choices": "{'text': array(['x', \"y's\"], dtype=object), 'label': array(['A', 'B'], dtype=object)}"}),
                "Q",
                &["x", "y's"],
                "",
            ),
            (
                "",
                json!({"question": "", "prompt": "P", "options": {"A": "x", "B": "y"}}),
                "P",
                &["x", "y"],
                "",
            ),
            (
                "",
                json!({"context": "C", "question": "Q", "answers": {"text": ["a"], "answer_start": [3]}}),
                "Q",
                &["a"],
                "C",
            ),
            (
                "question=ctx",
                json!({"ctx": "A man", "endings": ["sits", "runs"]}),
                "A man",
                &["sits", "runs"],
                "",
            ),
            ("question=a.b,question=a.c", json!({"a": {"b": "x", "c": "y"}}), "x\ny", &[], ""),
            ("question=q.1.text", json!({"q": [{"text": "x"}, {"text": "y"}]}), "y", &[], ""),
            (
                "answer=answer",
                json!({"question": "Q", "answer": "the answer"}),
                "the answer",
                &[],
                "",
            ),
            (
                "choices=A,choices=B",
                json!({"question": "Q", "A": "x", "B": "y", "answer": "A"}),
                "Q",
                &["x", "y"],
                "",
            ),
            (
                "",
                json!({"question": "Q", "choices": "[\"x\", \"y\"]", "answer": "0"}),
                "Q",
                &["x", "y"],
                "",
            ),
            (
                "",
                json!({"question": "Q", "choices": [null, " "], "answer": "long one"}),
                "Q",
                &["long one"],
                "",
            ),
            (
                "",
                json!({"prompt": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}]}),
                "Hi\nYes",
                &[],
                "",
            ),
        ] {
            let found = read(fields, &row).unwrap_or_else(|| panic!("{row}"));
            assert_eq!(
                (found.question.as_str(), found.context.as_str()),
                (question, context),
                "{row}"
            );
            assert_eq!([found.choices, found.answers].concat(), answers, "{row}");
        }
        let lettered = json!({"text": ["x y", "z"], "label": ["1", "2"]});
        let listed = json!([{"text": "x", "label": "P"}, {"text": "y", "label": "A"}]);
        for (choices, answer, expected) in [
            (json!(["the first", "the second"]), json!(0), "the first"),
            (json!(["the first", "the second"]), json!(" B "), "the second"),
            (json!("['x' 'it is']"), json!("1"), "it is"),
            (json!(["x", null, "z"]), json!(["a", "C"]), "x\nz"),
            (lettered, json!(2), "z"),
            (listed, json!("A"), "y"),
            (json!({"A": "x", "B": "y"}), json!("b"), "y"),
            // An answer is a choice itself, none, or a text.
            (json!(["5", "1"]), json!(1), "1"),
            (json!(["x", "y"]), json!(7), "7"),
            (json!(["x", "y"]), json!("one of them"), "one of them"),
            (json!(null), json!("A"), "A"),
        ] {
            for row in [
                json!({"question": "Q", "choices": choices, "answer": answer}),
                json!({"question": {"stem": "Q", "choices": choices}, "answer": answer}),
            ] {
                let found = read("answer=answer", &row).unwrap_or_else(|| panic!("{row}"));
                assert_eq!(found.question, expected, "{row}");
                assert_eq!([found.choices, found.answers].concat(), [""; 0], "{row}");
            }
        }
        assert_eq!(read("", &json!({"id": 7, "question": "Q"})).unwrap().id.as_deref(), Some("7"));
        assert_eq!(read("", &json!({"body": "Q"})), None);
        assert_eq!(read("", &json!({"question": null})).unwrap().question, "");
        assert!(ItemFields::parse("question").is_err() && ItemFields::parse("question=").is_err());
    }
}
