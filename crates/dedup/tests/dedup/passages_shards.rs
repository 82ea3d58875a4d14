//! A job over passages in shards, of any number and in any order, beside the same on one machine: the same bytes.

use nearprint_corpus::Tie;
use nearprint_dedup::{
    CutRule, Cuts, Error, InputSpec, KeepRule, Memory, PassageRule, PassageUnit, PassagesOutput,
    PassagesSpec, Progress, Resources, Step, Task,
};
use nearprint_fingerprint::{Unit, mix64};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};

/// Files of an input, some of which have no row, and of what it is compared with.
const FILES: usize = 9;
const AGAINST: usize = 2;

fn narrow(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

/// Writes files of rows that share passages, within themselves and with each other.
fn corpus(folder: &Path) {
    let mut seed = 1;
    let mut draw = |below: u64| {
        seed = mix64(seed + 1);
        seed % below
    };
    let passage = |number: u64| {
        let words = (0..6 + number % 9).map(|at| format!("w{}", mix64(number * 31 + at) % 60));
        words.collect::<Vec<_>>().join(" ")
    };
    for file in 0..FILES + AGAINST {
        let mut rows = String::new();
        for row in 0..(file * 7) % 23 {
            let mut text = String::new();
            for _ in 0..draw(5) {
                match draw(4) {
                    0 => text += &"ha ".repeat(narrow(draw(12))),
                    1 => text += &format!("alone{} stands here. ", draw(1000)),
                    _ => text += &(passage(draw(14)) + if draw(2) == 0 { ".\n" } else { ", é " }),
                }
            }
            // Some ids come again, and some rows have none.
            let id = if draw(9) == 0 { 7 } else { file * 100 + row };
            let source = ["a", "b", "c"][narrow(draw(3))];
            let row = serde_json::json!({
                "id": id, "text": text, "score": draw(5), "rank": row * 7 % 5, "from": source,
            });
            writeln!(rows, "{row}").unwrap();
        }
        let name = match file {
            0..FILES => format!("in/part-{file}.jsonl"),
            _ => format!("old/part-{file}.jsonl"),
        };
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, rows).unwrap();
    }
}

/// The job, whose outputs go to a folder of their own.
fn spec(folder: &Path, rule: PassageRule, cut: CutRule, annotate: bool, to: &str) -> PassagesSpec {
    let path = |name: &str| folder.join(to).join(name);
    let name = |name: &str| folder.join(name).display().to_string();
    let mut spec = PassagesSpec {
        input: InputSpec {
            inputs: vec![name("in")],
            against: vec![name("old")],
            ..InputSpec::default()
        },
        rule,
        cut,
        outputs: PassagesOutput {
            corpus: Some(path("cut/")),
            annotate,
            removed: Some(path("removed")),
            passages: Some(path("passages.jsonl")),
            summary: Some(path("summary.json")),
            source_field: (rule.copies > 1).then(|| "from".to_owned()),
            ..PassagesOutput::default()
        },
        ..PassagesSpec::default()
    };
    spec.reading.fields.score = rule.keep.is_by_score().then(|| "score".to_owned());
    spec.reading.fields.ties = [Some(Tie { field: "rank".to_owned(), is_least: true }), None, None];
    fs::create_dir_all(folder.join(to)).unwrap();
    spec
}

/// All files that were written, by their names, but for reports.
fn written(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().into(), fs::read(path).unwrap())).collect()
}

/// The figures that do not depend on how the job ran.
fn figures(path: &Path) -> serde_json::Value {
    let mut figures: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    for name in ["seconds", "peak_memory", "spilled", "lent", "threads"] {
        assert!(figures.as_object_mut().unwrap().remove(name).is_some());
    }
    figures
}

fn shuffled<T>(mut list: Vec<T>, seed: u64) -> Vec<T> {
    for at in (1..list.len()).rev() {
        list.swap(at, narrow(mix64(seed + at as u64) % (at as u64 + 1)));
    }
    list
}

#[test]
fn any_number_of_shards_in_any_order_writes_what_one_machine_does() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path();
    corpus(folder);
    let rule = PassageRule { length: Some(4), ..PassageRule::default() };
    let jobs = [
        (rule, CutRule::default(), false),
        (
            PassageRule { keep: KeepRule::Longest, inside: false, ..rule },
            CutRule { min_left: 6, whole: Some(Unit::Sentence), joint: Some("[]".to_owned()) },
            false,
        ),
        (PassageRule { keep: KeepRule::Highest, copies: 3, ..rule }, CutRule::default(), false),
        (PassageRule { keep: KeepRule::Nothing, ..rule }, CutRule::default(), true),
        (
            PassageRule {
                unit: PassageUnit::Sentence,
                length: Some(1),
                keep: KeepRule::Last,
                ..rule
            },
            CutRule::default(),
            false,
        ),
    ];
    // So many more shards where each test has more cases.
    let many = u8::try_from(nearprint_testing::cases(20).min(255)).unwrap();
    for (number, (rule, cut, annotate)) in jobs.into_iter().enumerate() {
        let with = Resources { threads: Some(2), ..Resources::default() };
        let progress = Progress::default();
        let alone = format!("alone{number}");
        let mut job = spec(folder, rule, cut.clone(), annotate, &alone);
        job.outputs.removed = Some(folder.join(&alone).join("removed.jsonl"));
        let summary = job.open(&with, &progress).unwrap().run(&progress).unwrap();
        assert!(summary.cuts > 20 && summary.passages > Some(5) && summary.repeated_ids > 0);
        for ranges in [1, 3, many] {
            let to = format!("shards{number}-{ranges}");
            let work = folder.join(format!("work{number}-{ranges}"));
            let memory = if ranges == 3 { Memory::Join(1 << 20) } else { Memory::Frugal };
            let with = Resources { memory, ..with.clone() };
            // Every task finds the job anew.
            let shards =
                || spec(folder, rule, cut.clone(), annotate, &to).shards(&with, &work).unwrap();
            let ranges = NonZeroU8::new(ranges);
            shards().create(Vec::new(), Cuts { ranges, ..Cuts::default() }).unwrap();
            let mut step = Some(Step::Anchors);
            while let Some(now) = step {
                let job = shards();
                let units =
                    job.status().unwrap().into_iter().find(|it| it.step == now).unwrap().units;
                let tasks: Vec<String> =
                    (1..=units).map(|task| format!("{task}/{units}")).collect();
                let tasks = shuffled(tasks, 7 * number as u64 + u64::from(ranges.unwrap().get()));
                let each = tasks.iter().map(|task| task.parse::<Task>().unwrap());
                let done: usize = each.map(|task| job.run(now, task, &progress).unwrap()).sum();
                assert_eq!(done, units, "{now}");
                // What is done is not done again.
                assert_eq!(shards().run(now, Task::WHOLE, &progress).unwrap(), 0);
                step = job.next(now).unwrap();
            }
            let [alone, to] = [&alone, &to].map(|name| folder.join(name));
            assert_eq!(written(&to.join("cut")), written(&alone.join("cut")), "{rule:?}");
            let parts: Vec<u8> = written(&to.join("removed")).into_values().flatten().collect();
            assert_eq!(parts, fs::read(alone.join("removed.jsonl")).unwrap(), "{rule:?}");
            let passages =
                [&to, &alone].map(|folder| fs::read(folder.join("passages.jsonl")).unwrap());
            assert_eq!(passages[0], passages[1], "{rule:?}");
            let [ours, theirs] = [&to, &alone].map(|folder| figures(&folder.join("summary.json")));
            assert_eq!(ours, theirs, "{rule:?}");
        }
    }
}

#[test]
fn stages_come_in_their_order_and_what_cannot_be_divided_is_refused() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path();
    corpus(folder);
    let rule = PassageRule { length: Some(4), ..PassageRule::default() };
    let job = spec(folder, rule, CutRule::default(), false, "out");
    let (with, progress) = (Resources::default(), Progress::default());
    let shards = job.shards(&with, folder.join("work")).unwrap();
    shards.create(Vec::new(), Cuts::default()).unwrap();
    let early = shards.run(Step::Windows, Task::WHOLE, &progress).unwrap_err();
    assert!(matches!(early, Error::Unready { stage: "repeats", .. }), "{early}");
    assert!(matches!(shards.create(Vec::new(), Cuts::default()), Err(Error::Shards { .. })));
    let refused = |change: &dyn Fn(&mut PassagesSpec)| {
        let mut job = job.clone();
        change(&mut job);
        match job.shards(&with, folder.join("other")) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    };
    let near = |job: &mut PassagesSpec| {
        job.rule = PassageRule {
            unit: PassageUnit::Line,
            similarity: Some(0.9),
            ..PassageRule::default()
        };
        job.outputs.passages = None;
    };
    assert!(refused(&near).contains("near-duplicate"), "{}", refused(&near));
    let file = |job: &mut PassagesSpec| job.outputs.corpus = Some(folder.join("one.jsonl"));
    assert!(refused(&file).contains("one file and not a folder"));
    shards.run(Step::Anchors, Task::WHOLE, &progress).unwrap();
    fs::write(folder.join("in/part-3.jsonl"), "{\"text\":\"other\"}\n").unwrap();
    let changed = job.shards(&with, folder.join("work")).unwrap().status().unwrap_err();
    assert!(changed.to_string().contains("the job changed since it was made"), "{changed}");
}
