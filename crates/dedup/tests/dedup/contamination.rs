//! The job compared with its plain twin, on random items and documents and at several threads.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of a test are small"
)]

mod item;
mod twin;

use item::Item;
use nearprint_dedup::{
    ContaminationOutput, ContaminationSpec, Decontamination, InputSpec, Progress, Resources,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use twin::{Twin, tokens};

/// Writes the items by sets, and the documents.
fn write(folder: &Path, items: &[Item], documents: &[Vec<String>]) -> Vec<String> {
    let mut sets = vec![String::new(); 2];
    for (number, item) in items.iter().enumerate() {
        let answers: Vec<String> = item.answers.iter().map(|answer| answer.join(" ")).collect();
        let row = json!({
            "id": number, "question": item.question.join(" "), "choices": answers,
            "context": item.context.join(" ")
        });
        sets[item.set] += &format!("{row}\n");
    }
    let rows = documents.iter().enumerate();
    let rows: String = rows
        .map(|(id, words)| format!("{}\n", json!({"id": id, "text": words.join(" ")})))
        .collect();
    fs::write(folder.join("in.jsonl"), rows).unwrap();
    let names = ["a.jsonl", "b.jsonl"].map(|name| folder.join(name).display().to_string());
    let mut there = Vec::new();
    for (name, rows) in names.into_iter().zip(sets).filter(|(_, rows)| !rows.is_empty()) {
        fs::write(&name, rows).unwrap();
        there.push(name);
    }
    there
}

fn run(folder: &Path, evals: &[String], threads: usize) -> Vec<Value> {
    let spec = ContaminationSpec {
        input: InputSpec {
            inputs: vec![folder.join("in.jsonl").display().to_string()],
            against: evals.to_vec(),
            ..InputSpec::default()
        },
        outputs: ContaminationOutput {
            removed: Some(folder.join("removed.jsonl")),
            ..ContaminationOutput::default()
        },
        ..ContaminationSpec::default()
    };
    let with = Resources { threads: Some(threads), force: true, ..Resources::default() };
    let progress = Progress::default();
    spec.open(&with, &progress).unwrap().run(&progress).unwrap();
    let rows = fs::read_to_string(folder.join("removed.jsonl")).unwrap();
    rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

fn check(mut items: Vec<Item>, documents: &[Vec<String>]) -> Result<usize, TestCaseError> {
    // Sets are read one after the other, and of equal items the first is told.
    items.sort_by_key(|item| item.set);
    let folder = tempfile::tempdir().unwrap();
    let evals = write(folder.path(), &items, documents);
    let mut distinct: Vec<Item> = Vec::new();
    let mut ids = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let is_known =
            distinct.iter().any(|known| Item { set: item.set, ..known.clone() } == *item);
        if !is_known {
            distinct.push(item.clone());
            ids.push(number);
        }
    }
    if distinct.iter().all(|item| item.question.is_empty() && item.context.is_empty()) {
        return Ok(0);
    }
    let twin = Twin::of(&distinct, documents);
    let mut expected = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let starts: Vec<usize> = document
            .iter()
            .scan(0, |at, word| {
                *at += word.len() + 1;
                Some(*at - word.len() - 1)
            })
            .collect();
        for (item, verdict, place, share) in twin.said(document) {
            let end = starts[place.end - 1] + document[place.end - 1].len();
            expected.push((number, ids[item], verdict.to_owned(), starts[place.start], end, share));
        }
    }
    for threads in [1, 3] {
        let found = run(folder.path(), &evals, threads);
        let number = |row: &Value, key: &str| row[key].as_u64().unwrap() as usize;
        let found: Vec<_> = found
            .iter()
            .map(|row| {
                let share = (row["share"].as_f64().unwrap() * 1000.0).round() as u32;
                let verdict = row["verdict"].as_str().unwrap().to_owned();
                let [id, item, start, end] =
                    ["id", "item", "start", "end"].map(|key| number(row, key));
                (id, item, verdict, start, end, share)
            })
            .collect();
        prop_assert_eq!(&found, &expected, "{} threads", threads);
    }
    Ok(expected.len())
}

const WORDS: [&str; 16] = [
    "the", "of", "a", "1", "22", "is", "red", "house", "tree", "which", "runs", "sum", "x", "was",
    "every", "zone",
];

fn words(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        4 => prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
        3 => (0..300_u32).prop_map(|number| format!("word{number}q")),
    ];
    prop::collection::vec(word, count)
}

fn item() -> impl Strategy<Value = Item> {
    let context = prop_oneof![3 => Just(Vec::new()), 1 => words(20..40)];
    let answers = prop::collection::vec(words(1..4), 0..4);
    (0..2_usize, words(1..45), answers, context).prop_map(
        |(set, question, mut answers, context)| {
            let mut seen = Vec::new();
            answers.retain(|answer| {
                !seen.contains(answer) && {
                    seen.push(answer.clone());
                    true
                }
            });
            Item { set, question, answers, context }
        },
    )
}

/// What becomes of an item in a document: the part that stays, words that are changed, and what is behind it.
fn planted(item: &Item, part: u8, change: usize) -> Vec<String> {
    let mut text = match part % 6 {
        0 => item.question[..item.question.len() / 2].to_vec(),
        1 => item.question.clone(),
        2 => [item.context.clone(), item.question.clone()].concat(),
        3 => item.context.clone(),
        4 => {
            let letters = ["a", "b", "c", "d"].map(str::to_owned);
            let choices = letters.into_iter().zip(&item.answers);
            let choices = choices.map(|(letter, answer)| [vec![letter], answer.clone()].concat());
            [item.question.clone(), choices.collect::<Vec<_>>().concat()].concat()
        }
        _ => [item.question.clone(), item.answers.concat()].concat(),
    };
    if change > 0 {
        for at in (0..text.len()).step_by(change + 3) {
            text[at] = format!("other{at}z");
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(60)))]
    #[test]
    fn what_is_found_is_what_the_definition_says(
        mut items in prop::collection::vec(item(), 1..12),
        again in prop::collection::vec((0..12_usize, 0..2_usize), 0..3),
        plants in prop::collection::vec((0..12_usize, any::<u8>(), 0..6_usize, 0..8_usize, words(0..12)), 0..20),
        mut documents in prop::collection::vec(words(0..60), 1..8),
    ) {
        for (at, set) in again {
            let item = items[at % items.len()].clone();
            items.push(Item { set, ..item });
        }
        for (item, part, change, document, noise) in plants {
            let at = document % documents.len();
            documents[at].extend(planted(&items[item % items.len()], part, change));
            documents[at].extend(noise);
        }
        check(items, &documents)?;
    }
}

#[test]
fn the_twin_finds_much() {
    let words = |from: usize, count: usize| -> Vec<String> {
        (from..from + count).map(|at| format!("word{at}q")).collect()
    };
    let items: Vec<Item> = (0..40)
        .map(|at| Item {
            set: at % 2,
            question: words(at * 20, 5 + at),
            answers: vec![words(at * 7, 1 + at % 3)],
            context: if at % 4 == 0 { words(at * 50, 30) } else { Vec::new() },
        })
        .collect();
    let documents: Vec<Vec<String>> = (0..40)
        .map(|at| {
            let item = &items[(at * 7) % items.len()];
            [words(5000 + at, 20), planted(item, u8::try_from(at).unwrap(), at % 5), words(9000, 9)]
                .concat()
        })
        .collect();
    let found = check(items, &documents).unwrap();
    assert!(found > 20, "{found}");
}

#[test]
fn tokens_of_the_twin_are_words() {
    assert_eq!(tokens("word1q the 22 x"), ["word1q", "the", "22", "x"]);
}

#[test]
fn a_builder_does_what_the_command_does() {
    let folder = tempfile::tempdir().unwrap();
    let question: Vec<String> = (0..14).map(|at| format!("word{at}q")).collect();
    let item =
        Item { set: 0, question: question.clone(), answers: Vec::new(), context: Vec::new() };
    let evals = write(folder.path(), &[item], &[question, vec!["other".to_owned()]]);
    let job = Decontamination::against(evals)
        .files([folder.path().join("in.jsonl").display().to_string()])
        .items(folder.path().join("items.jsonl"));
    let summary = job.write(folder.path().join("out.jsonl")).unwrap();
    assert_eq!((summary.removed, summary.kept, summary.contaminated), (1, 1, 1));
    let out = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    assert_eq!(out, "{\"id\":1,\"text\":\"other\"}\n");
    let items = fs::read_to_string(folder.path().join("items.jsonl")).unwrap();
    assert!(items.contains("\"best_share\":1.000,\"best_id\":0"), "{items}");
}
