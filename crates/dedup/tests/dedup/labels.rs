//! Documents that are compared within a label, and copies that are counted: beside runs over each label alone.

use nearprint_dedup::{
    ClusterRule, CriteriaSpec, Dedup, InputSpec, JobSpec, KeepRule, LabelSpec, Memory, OutputSpec,
    Progress, Recall, Resources, Summary, TextLabels,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Edited and equal copies, crowds of pages that share most of their words, short and empty texts; each with a label of
/// several kinds, or none.
pub(crate) fn rows(count: usize) -> Vec<Value> {
    let text = |number: usize| {
        let group = (number % 11).min(6);
        let word = |at: usize| match (at * 7 + number * 13) % 97 {
            0 if number.is_multiple_of(3) => format!("edit{number}x{at}"),
            _ => format!("g{group}w{at}"),
        };
        match group {
            0 => ["", "one two", "One; two!"][number / 11 % 3].to_owned(),
            1 => {
                let own = (0..20).map(|at| format!("own{number}x{at}"));
                (0..90).map(|at| format!("all{at}")).chain(own).collect::<Vec<_>>().join(" ")
            }
            _ => (0..60).map(word).collect::<Vec<_>>().join(" "),
        }
    };
    let label = |number: usize| match number * 31 % 7 {
        0 => json!("a"),
        1 | 2 => json!("b"),
        3 => json!(7),
        4 => json!(true),
        5 => Value::Null,
        _ if number.is_multiple_of(5) => json!("null"),
        _ => json!("7"),
    };
    let row = |number: usize| {
        let mut row = json!({"id": number, "text": text(number), "meta": {"dump": label(number)}});
        if row["meta"]["dump"].is_null() && number.is_multiple_of(2) {
            row["meta"] = json!({});
        }
        row
    };
    (0..count).map(row).collect()
}

/// What a label of a row is to the job: a text and a number that read alike are one.
pub(crate) fn label(row: &Value) -> String {
    match &row["meta"]["dump"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What the row is counted under: a text that reads as what rows without a label are counted under is in quotes.
pub(crate) fn source(row: &Value) -> String {
    match &row["meta"]["dump"] {
        Value::String(text) if text == "null" => "\"null\"".to_owned(),
        _ => label(row),
    }
}

pub(crate) fn write(path: &Path, rows: &[&Value]) {
    fs::write(path, rows.iter().map(|row| format!("{row}\n")).collect::<String>()).unwrap();
}

pub(crate) fn read(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn run(folder: &Path, rows: &[&Value], spec: &JobSpec, memory: Memory) -> (Vec<Value>, Summary) {
    let [input, output] = ["in.jsonl", "out.jsonl"].map(|name| folder.join(name));
    write(&input, rows);
    let spec = JobSpec {
        input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
        outputs: OutputSpec { survivors: Some(output.clone()), ..spec.outputs.clone() },
        ..spec.clone()
    };
    let progress = Progress::default();
    let with = Resources { memory, force: true, threads: Some(2), ..Resources::default() };
    let outcome = spec.open(&with, &progress).unwrap().run(&progress).unwrap();
    (read(&output), outcome.summary)
}

#[test]
fn within_a_label_is_each_label_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(4000);
    let all: Vec<&Value> = rows.iter().collect();
    let mut by_label: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    rows.iter().for_each(|row| by_label.entry(source(row)).or_default().push(row));
    let by = |similarity, recall, k| CriteriaSpec { similarity, recall, k, ..Default::default() };
    for (criteria, cluster_rule, keep, memory) in [
        (by(None, None, None), ClusterRule::Star, None, Memory::Frugal),
        (by(None, Some(Recall::Exact), None), ClusterRule::Star, None, Memory::Frugal),
        (by(Some(0.7), Some(Recall::Exact), None), ClusterRule::Connected, None, Memory::Frugal),
        (by(Some(0.9), None, None), ClusterRule::Connected, None, Memory::Join(1 << 17)),
        (by(None, None, None), ClusterRule::Star, Some(KeepRule::Longest), Memory::Frugal),
        (by(None, None, None), ClusterRule::Star, Some(KeepRule::Nothing), Memory::Frugal),
        (by(None, None, Some(3)), ClusterRule::Star, None, Memory::Frugal),
        (by(None, None, Some(3)), ClusterRule::Connected, None, Memory::Join(1 << 17)),
        (
            CriteriaSpec { equal_bytes: true, ..Default::default() },
            ClusterRule::Star,
            None,
            Memory::Frugal,
        ),
    ] {
        let criteria = CriteriaSpec { cluster_rule, keep, ..criteria };
        let alone = JobSpec { criteria, ..JobSpec::default() };
        let mut expected: Vec<Value> = Vec::new();
        for rows in by_label.values() {
            expected.extend(run(folder.path(), rows, &alone, memory).0);
        }
        expected.sort_by_key(|row| row["id"].as_u64());
        let labels = LabelSpec { within: Some("meta.dump".to_owned()), ..LabelSpec::default() };
        let within = JobSpec { labels, ..alone.clone() };
        let (found, _) = run(folder.path(), &all, &within, memory);
        assert_eq!(found, expected, "{criteria:?}");
        let (together, _) = run(folder.path(), &all, &alone, memory);
        // Where no document of a cluster stays, those that are near one of another label go, too.
        let is_less = together.len() < found.len();
        assert!(is_less || keep == Some(KeepRule::Nothing), "{criteria:?}");
    }
}

#[test]
fn copies_add_up_to_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(3000);
    let all: Vec<&Value> = rows.iter().collect();
    for (within, keep) in [(None, None), (Some("meta.dump"), Some(KeepRule::Longest))] {
        let criteria = CriteriaSpec { keep, ..CriteriaSpec::default() };
        let labels = LabelSpec {
            within: within.map(str::to_owned),
            count_by: Some("meta.dump".to_owned()),
            ..LabelSpec::default()
        };
        let counted = JobSpec {
            criteria,
            labels,
            outputs: OutputSpec { copies: true, ..OutputSpec::default() },
            ..JobSpec::default()
        };
        let (found, summary) = run(folder.path(), &all, &counted, Memory::Frugal);
        let copies = |row: &Value| row["nearprint"]["copies"].as_u64().unwrap();
        assert_eq!(found.iter().map(copies).sum::<u64>(), 3000);
        assert_eq!(summary.kept, found.len() as u64);
        let mut totals: BTreeMap<String, u64> = BTreeMap::new();
        for row in &found {
            let sources = row["nearprint"]["sources"].as_object().unwrap();
            let of_sources: u64 = sources.values().map(|count| count.as_u64().unwrap()).sum();
            assert_eq!(of_sources, copies(row), "{row}");
            if within.is_some() {
                assert_eq!(sources.keys().collect::<Vec<_>>(), [&source(row)]);
            }
            for (label, count) in sources {
                *totals.entry(label.clone()).or_default() += count.as_u64().unwrap();
            }
        }
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        for row in &rows {
            *expected.entry(source(row)).or_default() += 1;
        }
        assert!(expected["null"] > 0 && expected["\"null\""] > 0);
        assert_eq!(totals, expected);
        for (rule, most) in [("all", u64::MAX), ("3", 3), ("sqrt", u64::MAX)] {
            let outputs = OutputSpec { rehydrate: rule.parse().ok(), ..counted.outputs.clone() };
            let (again, _) =
                run(folder.path(), &all, &JobSpec { outputs, ..counted.clone() }, Memory::Frugal);
            let times = |row: &Value| match rule {
                "sqrt" => copies(row).isqrt(),
                _ => copies(row).min(most),
            };
            let expected: Vec<&Value> =
                found.iter().flat_map(|row| (0..times(row)).map(move |_| row)).collect();
            assert!(again.iter().eq(expected), "{rule}");
            if rule == "all" {
                assert_eq!(again.len(), 3000);
            }
        }
    }
}

#[test]
fn a_label_that_is_a_list_or_nowhere_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.jsonl");
    fs::write(
        &input,
        "{\"text\":\"a b c d\",\"dump\":\"x\"}\n{\"text\":\"e f g h\",\"dump\":[1]}\n",
    )
    .unwrap();
    let message = |field: &str| {
        let spec = JobSpec {
            input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
            labels: LabelSpec { within: Some(field.to_owned()), ..LabelSpec::default() },
            ..JobSpec::default()
        };
        let progress = Progress::default();
        let job = spec.open(&Resources::default(), &progress).unwrap();
        job.run(&progress).unwrap_err().to_string()
    };
    assert!(
        message("dump").contains("in.jsonl:2: the field \"dump\" must be"),
        "{}",
        message("dump")
    );
    let missing = message("dmup");
    assert!(missing.contains("\"dmup\"") && missing.contains("\"dump\""), "{missing}");
}

#[test]
fn labelled_texts_in_memory_fare_as_rows_do() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(1500);
    let all: Vec<&Value> = rows.iter().collect();
    let texts: Vec<&str> = rows.iter().map(|row| row["text"].as_str().unwrap()).collect();
    let own = |row: &Value| (!row["meta"]["dump"].is_null()).then(|| label(row));
    let labels: Vec<Option<String>> = rows.iter().map(own).collect();
    let mut sizes = Vec::new();
    for (within, across, cluster_rule) in [
        (false, false, ClusterRule::Star),
        (true, false, ClusterRule::Star),
        (false, true, ClusterRule::Star),
        (true, false, ClusterRule::Connected),
        (false, true, ClusterRule::Connected),
    ] {
        let field = |asked: bool| asked.then(|| "meta.dump".to_owned());
        let criteria = CriteriaSpec { cluster_rule, ..CriteriaSpec::default() };
        let spec =
            LabelSpec { within: field(within), across: field(across), ..LabelSpec::default() };
        let of_rows = JobSpec { criteria, labels: spec, ..JobSpec::default() };
        let (kept, summary) = run(folder.path(), &all, &of_rows, Memory::Frugal);
        let kept: Vec<u64> = kept.iter().map(|row| row["id"].as_u64().unwrap()).collect();
        let of = |asked: bool| asked.then(|| labels.clone());
        let labelled = TextLabels { within: of(within), across: of(across) };
        let found = Dedup::from(of_rows).text_labels(labelled).texts(&texts).unwrap();
        assert!(found.kept().iter().map(|at| *at as u64).eq(kept), "{within} {across}");
        assert_eq!(found.summary().exact, summary.exact);
        assert_eq!(found.summary().settings, summary.settings);
        assert_eq!(found.summary().of_reference, summary.of_reference);
        sizes.push(found.kept().len());
        let empty: Vec<usize> = (0..1500).filter(|at| found.is_featureless(*at)).collect();
        assert_eq!(empty, (0..1500).filter(|at| texts[*at].is_empty()).collect::<Vec<_>>());
    }
    assert!(sizes[0] < sizes[1] && sizes[0] < sizes[2] && sizes[1] != sizes[2], "{sizes:?}");
    let few = TextLabels { within: Some(vec![None]), ..TextLabels::default() };
    let told = Dedup::new().text_labels(few).texts(&texts).unwrap_err();
    assert!(told.to_string().contains("as many labels as texts"), "{told}");
}
