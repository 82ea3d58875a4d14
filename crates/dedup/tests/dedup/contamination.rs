//! The plain twin: every text of the items is held against every place of every document, without an index, a bitmap
//! or a hash. The job is compared with it on random items and documents, at several threads.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of a test are small"
)]

use nearprint_dedup::{
    ContaminationOutput, ContaminationSpec, Decontamination, InputSpec, Progress, Resources,
};
use nearprint_fingerprint::{Digits, PlacedTokens, Recipe, Tokenizer};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// An item: its set, its question, its choices, its context.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    set: usize,
    question: Vec<String>,
    answers: Vec<Vec<String>>,
    context: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Question,
    WithChoices,
    Context,
}

/// A text that is looked for, what each of its tokens weighs, and the items that have it.
struct Sought {
    kind: Kind,
    words: Vec<String>,
    weights: Vec<f32>,
    users: Vec<usize>,
    /// The first choice among the words.
    choices: usize,
}

#[derive(Clone, Debug)]
struct Found {
    sought: usize,
    share: f32,
    bits: f32,
    dense: f32,
    run: usize,
    run_bits: f32,
    tokens: Range<usize>,
}

/// What is said of a document: the item, the verdict, the place, the share in thousandths.
type Said = (usize, &'static str, Range<usize>, u32);

fn tokens(text: &str) -> Vec<String> {
    let mut placed = PlacedTokens::default();
    Tokenizer::new(&Recipe::default(), Digits::Keep).unwrap().tokens(text, &mut placed);
    (0..placed.len()).map(|at| placed.text(at).to_owned()).collect()
}

fn proof(word: &str) -> f32 {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    if word.is_ascii() && letters < 2 { 0.5 } else { 1.0 }
}

struct Twin {
    items: Vec<Item>,
    soughts: Vec<Sought>,
    weights: BTreeMap<String, f32>,
    /// Places of each run of four tokens.
    runs: BTreeMap<Vec<String>, usize>,
    /// Items that have each answer.
    same: BTreeMap<Vec<String>, usize>,
}

impl Twin {
    fn of(items: &[Item], documents: &[Vec<String>]) -> Self {
        let weight = |word: &String| {
            let with = documents.iter().filter(|document| document.contains(word)).count();
            let all = documents.len().max(1000) as f64 + 1.0;
            (all / (with as f64 + 1.0)).log2().max(0.05) as f32
        };
        let mut soughts: Vec<Sought> = Vec::new();
        let mut same = BTreeMap::new();
        let mut owners = Vec::new();
        let mut ordinals: BTreeMap<(&Vec<String>, usize), usize> = BTreeMap::new();
        let mut known_owners = BTreeMap::new();
        for (number, item) in items.iter().enumerate() {
            let mut put = |kind, words: Vec<String>| {
                if words.is_empty() {
                    return;
                }
                match soughts.iter_mut().find(|other| other.kind == kind && other.words == words) {
                    Some(known) => known.users.push(number),
                    None => soughts.push(Sought {
                        kind,
                        words,
                        weights: Vec::new(),
                        users: vec![number],
                        choices: match kind {
                            Kind::WithChoices => item.question.len(),
                            _ => usize::MAX,
                        },
                    }),
                }
            };
            put(Kind::Question, item.question.clone());
            if !item.question.is_empty() && item.question.len() < 12 && !item.answers.is_empty() {
                put(Kind::WithChoices, [&item.question[..], &item.answers.concat()].concat());
            }
            put(Kind::Context, item.context.clone());
            for answer in &item.answers {
                *same.entry(answer.clone()).or_insert(0) += 1;
            }
            owners.push(if item.question.len() < 12 {
                (number, Vec::new(), 0)
            } else {
                let ordinal = ordinals.entry((&item.question, item.set)).or_insert(0);
                *ordinal += 1;
                let key = (item.question.clone(), *ordinal);
                known_owners.entry(key.clone()).or_insert((usize::MAX, key.0, key.1)).clone()
            });
        }
        let mut places: BTreeMap<Vec<String>, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, sought) in soughts.iter().enumerate() {
            for (at, run) in sought.words.windows(4).enumerate() {
                places.entry(run.to_vec()).or_default().push((number, at));
            }
        }
        let mut shared: Vec<Vec<f32>> =
            soughts.iter().map(|sought| vec![f32::INFINITY; sought.words.len()]).collect();
        for of_run in places.values() {
            let mut whose = BTreeSet::new();
            for (sought, _) in of_run {
                match soughts[*sought].kind {
                    Kind::Context => drop(whose.insert((*sought, vec!["context".to_owned()], 0))),
                    _ => whose
                        .extend(soughts[*sought].users.iter().map(|item| owners[*item].clone())),
                }
            }
            for (sought, at) in of_run {
                for shared in &mut shared[*sought][*at..at + 4] {
                    *shared = shared.min(whose.len() as f32);
                }
            }
        }
        let mut weights = BTreeMap::new();
        for item in items {
            let all =
                item.question.iter().chain(item.answers.iter().flatten()).chain(&item.context);
            for word in all {
                weights.entry(word.clone()).or_insert_with(|| weight(word));
            }
        }
        for (sought, shared) in soughts.iter_mut().zip(shared) {
            let divided = sought.words.iter().zip(shared);
            sought.weights = divided
                .map(|(word, shared)| weights[word] / if shared.is_finite() { shared } else { 1.0 })
                .collect();
        }
        let runs = places.into_iter().map(|(run, places)| (run, places.len())).collect();
        Self { items: items.to_vec(), soughts, weights, runs, same }
    }

    fn answers(&self, item: usize) -> Vec<(&Vec<String>, f32)> {
        let bits = |answer: &Vec<String>| {
            let bits: f32 = answer.iter().map(|word| self.weights[word] * proof(word)).sum();
            bits / self.same[answer] as f32
        };
        self.items[item].answers.iter().map(|answer| (answer, bits(answer))).collect()
    }

    fn most_bits(&self, item: usize) -> f32 {
        let bits = |sought: &Sought| -> f32 {
            sought
                .words
                .iter()
                .zip(&sought.weights)
                .map(|(word, weight)| weight * proof(word))
                .sum()
        };
        let mut most = 0.0_f32;
        for sought in self.soughts.iter().filter(|sought| sought.users.contains(&item)) {
            match sought.kind {
                Kind::Question if sought.words.len() >= 4 => {
                    let answers: f32 = self.answers(item).iter().map(|(_, bits)| bits).sum();
                    most = most.max(bits(sought) + answers);
                }
                Kind::WithChoices => most = most.max(bits(sought)),
                _ => {}
            }
        }
        most
    }

    /// Aligns a text with some tokens.
    fn align(&self, sought: &Sought, place: &[String]) -> Option<Found> {
        let (m, n) = (sought.words.len(), place.len());
        let mut table = vec![vec![(0.0_f32, 0); n + 1]; m + 1];
        for i in 1..=m {
            for j in 1..=n {
                let (up, left) = (table[i - 1][j].0, table[i][j - 1].0);
                table[i][j] = if up >= left { (up, 1) } else { (left, 2) };
                if sought.words[i - 1] == place[j - 1] {
                    let more = if table[i - 1][j - 1].1 == 3 { 0.01 } else { 0.0 };
                    let pair = table[i - 1][j - 1].0 + sought.weights[i - 1] + more;
                    if pair >= table[i][j].0 {
                        table[i][j] = (pair, 3);
                    }
                }
            }
        }
        let (mut i, mut j, mut pairs) = (m, n, Vec::new());
        while i > 0 && j > 0 {
            match table[i][j].1 {
                3 => {
                    (i, j) = (i - 1, j - 1);
                    pairs.insert(0, (i, j));
                }
                1 => i -= 1,
                _ => j -= 1,
            }
        }
        let total: f32 = sought.weights.iter().sum();
        let (mut matched, mut bits, mut count, mut run, mut run_bits) = (0.0, 0.0, 0, 0, 0.0);
        let mut range: Option<Range<usize>> = None;
        let goes_on = |a: &(usize, usize), b: &(usize, usize)| {
            b.0 == a.0 + 1 && (b.1 == a.1 + 1 || b.1 == a.1 + 2 && b.0 >= sought.choices)
        };
        for pairs in pairs.chunk_by(goes_on).filter(|pairs| pairs.len() > 1) {
            let mut of_run = 0.0;
            for (word, _) in pairs {
                matched += sought.weights[*word];
                of_run += sought.weights[*word] * proof(&sought.words[*word]);
            }
            bits += of_run;
            count += pairs.len();
            let end = pairs[pairs.len() - 1].1 + 1;
            range = Some(range.map_or(pairs[0].1, |range| range.start)..end);
            if pairs.len() > run {
                (run, run_bits) = (pairs.len(), of_run);
            }
        }
        let tokens = range?;
        let dense = count as f32 / tokens.len() as f32;
        Some(Found { sought: 0, share: matched / total, bits, dense, run, run_bits, tokens })
    }

    /// What stands of a text in a document.
    fn find(&self, number: usize, document: &[String]) -> Vec<Found> {
        let sought = &self.soughts[number];
        let length = sought.words.len();
        let mut hits = Vec::new();
        for (at, run) in document.windows(4).enumerate() {
            for (word, other) in sought.words.windows(4).enumerate() {
                if run == other && self.runs[run] <= 32 {
                    hits.push((at, word));
                }
            }
        }
        let mut found: Vec<Found> = Vec::new();
        let mut rest = &hits[..];
        while let Some(first) = rest.first() {
            let reach = first.0 + length + length / 2 + 20;
            let (near, behind) = rest.split_at(rest.partition_point(|hit| hit.0 < reach));
            rest = behind;
            self.within(sought, near, 0..document.len(), document, &mut found);
        }
        found.sort_by(|a, b| {
            b.share
                .total_cmp(&a.share)
                .then((a.tokens.start, a.tokens.end).cmp(&(b.tokens.start, b.tokens.end)))
        });
        let mut kept: Vec<Found> = Vec::new();
        for next in found {
            if !kept.iter().any(|kept| overlap(&kept.tokens, &next.tokens)) {
                kept.push(Found { sought: number, ..next });
            }
        }
        kept
    }

    /// What stands within some tokens: at a place, and on both sides of it.
    fn within(
        &self,
        sought: &Sought,
        near: &[(usize, usize)],
        bounds: Range<usize>,
        document: &[String],
        found: &mut Vec<Found>,
    ) {
        if near.is_empty() {
            return;
        }
        let length = sought.words.len();
        let covered = |word: usize| near.iter().any(|hit| (hit.1..hit.1 + 4).contains(&word));
        let weight: f32 =
            (0..length).filter(|word| covered(*word)).map(|word| sought.weights[word]).sum();
        let total: f32 = sought.weights.iter().sum();
        let next = if weight < 0.25 * total {
            self.part(sought, near, total)
        } else {
            let slack = length / 5 + 5;
            let start = near.iter().map(|hit| hit.0.saturating_sub(hit.1)).min().unwrap();
            let end = near.iter().map(|hit| hit.0 + length - hit.1).max().unwrap();
            let start = start.saturating_sub(slack).max(bounds.start);
            let end = (end + slack).min(bounds.end);
            let aligned = self.align(sought, &document[start..end]);
            aligned
                .filter(|it| it.share >= 0.35 || is_part(it))
                .map(|it| Found { tokens: it.tokens.start + start..it.tokens.end + start, ..it })
        };
        let Some(next) = next else { return };
        let place = next.tokens.clone();
        found.push(next);
        let of = |keep: &dyn Fn(usize) -> bool| -> Vec<(usize, usize)> {
            near.iter().copied().filter(|hit| keep(hit.0)).collect()
        };
        let before = of(&|at| at + 4 <= place.start);
        let behind = of(&|at| at >= place.end);
        self.within(sought, &before, bounds.start..place.start, document, found);
        self.within(sought, &behind, place.end..bounds.end, document, found);
    }

    /// The longest run that goes on.
    fn part(&self, sought: &Sought, hits: &[(usize, usize)], total: f32) -> Option<Found> {
        let mut longest: Option<(usize, Range<usize>, usize)> = None;
        for (at, word) in hits {
            let mut run = 1;
            while hits.contains(&(at + run, word + run)) {
                run += 1;
            }
            // By the distance of both places, then the first.
            let before = longest.as_ref().is_some_and(|(length, range, other)| {
                (*length, *other as i64 - range.start as i64) >= (run, *word as i64 - *at as i64)
            });
            if !before {
                longest = Some((run, *at..at + run + 3, *word));
            }
        }
        let (run, tokens, word) = longest?;
        let words = word..word + run + 3;
        let matched: f32 = words.clone().map(|word| sought.weights[word]).sum();
        let bits: f32 = words.map(|word| sought.weights[word] * proof(&sought.words[word])).sum();
        let found = Found {
            sought: 0,
            share: matched / total,
            bits,
            dense: 1.0,
            run: run + 3,
            run_bits: bits,
            tokens,
        };
        (run >= 10 && is_part(&found)).then_some(found)
    }

    /// What is said of a document, by item, verdict and place.
    fn said(&self, document: &[String]) -> Vec<Said> {
        let all: Vec<Found> =
            (0..self.soughts.len()).flat_map(|number| self.find(number, document)).collect();
        let holds = |found: &Found, more: f32| {
            let words = self.soughts[found.sought].words.len() as f32;
            let asked = 0.6_f32 + 0.1 * (1.0 - ((words - 8.0) / 22.0).clamp(0.0, 1.0));
            let bits = found.bits + more;
            let stands = found.dense >= 0.4 && found.share >= asked.min(1.0);
            let whole = found.dense >= 0.4 && found.share >= 0.95;
            (stands && bits >= 30.0 || whole && bits >= 30.0 * (2.0 / 3.0), stands, whole)
        };
        let kind = |found: &Found| self.soughts[found.sought].kind;
        let contexts: Vec<&Found> =
            all.iter().filter(|it| kind(it) == Kind::Context && holds(it, 0.0).0).collect();
        let mut said: Vec<(Said, f32, f32, usize)> = Vec::new();
        for found in &all {
            for item in &self.soughts[found.sought].users {
                let hopeless = self.most_bits(*item) < 30.0 * (2.0 / 3.0);
                let (mut more, mut end) = (0.0, found.tokens.end);
                if kind(found) == Kind::Question {
                    let own: usize =
                        self.answers(*item).iter().map(|(answer, _)| answer.len()).sum();
                    let near = &document[end..(end + 60 + 3 * own).min(document.len())];
                    for (answer, bits) in self.answers(*item) {
                        if let Some(at) =
                            near.windows(answer.len()).position(|it| it == &answer[..])
                        {
                            more += bits;
                            end = end.max(found.tokens.end + at + answer.len());
                        }
                    }
                }
                let mut say = |verdict, end, bits| {
                    let share = (found.share * 1000.0).round() as u32;
                    let place = found.tokens.start..end;
                    said.push(((*item, verdict, place, share), found.share, bits, found.sought));
                };
                let bits = found.bits + more;
                match kind(found) {
                    Kind::Context if holds(found, 0.0).0 => say("context", end, bits),
                    Kind::Context => {}
                    _ if hopeless && holds(found, 0.0).2 => say("undecidable", end, bits),
                    _ if hopeless => {}
                    _ if holds(found, more).0 => say("contaminated", end, bits),
                    Kind::Question if is_part(found) => say("partial", found.tokens.end, bits),
                    _ => {}
                }
                let of_item = |it: &&&Found| self.soughts[it.sought].users.contains(item);
                if let Some(context) = contexts.iter().find(of_item)
                    && kind(found) == Kind::Question
                    && holds(found, 0.0).1
                    && holds(found, more + context.bits).0
                {
                    say("contaminated", end, bits + context.bits);
                }
            }
        }
        let rank = |verdict: &str| {
            ["undecidable", "context", "partial", "contaminated"]
                .iter()
                .position(|it| *it == verdict)
        };
        said.sort_by(|a, b| {
            (a.0.0, std::cmp::Reverse(rank(a.0.1)))
                .cmp(&(b.0.0, std::cmp::Reverse(rank(b.0.1))))
                .then(b.1.total_cmp(&a.1))
                .then(b.2.total_cmp(&a.2))
                .then((a.0.2.start, a.3).cmp(&(b.0.2.start, b.3)))
        });
        let mut kept: Vec<Said> = Vec::new();
        for (next, ..) in said {
            let is_known = kept.iter().filter(|kept| kept.0 == next.0).any(|kept| {
                overlap(&kept.2, &next.2) || next.1 == "context" && kept.1 == "contaminated"
            });
            if !is_known {
                kept.push(next);
            }
        }
        kept.sort_by_key(|said| (said.2.start, said.0, said.2.end));
        kept
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn is_part(found: &Found) -> bool {
    found.run >= 13 && found.run_bits >= 40.0
        || found.dense >= 0.4 && found.share >= 0.35 && found.bits >= 80.0
}

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
