//! Which document stays by several fields: beside a plain sort.

use crate::labels::{read, write};
use nearprint_corpus::{Fields, Tie};
use nearprint_dedup::{
    CriteriaSpec, InputSpec, JobSpec, KeepRule, OutputSpec, Progress, ReadingSpec, Resources,
};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Equal texts in groups of nine, with values that are often equal or missing.
fn rows() -> Vec<Value> {
    let row = |number: usize| {
        let words = (0..30).map(|at| format!("g{}w{at}", number / 9)).collect::<Vec<_>>();
        let mut row = json!({"id": number, "text": words.join(" ")});
        for (name, value) in ["a", "b", "c"].into_iter().zip([7919, 104_729, 1_299_709]) {
            let value = (number * value + number * number / 7) % 97 % 3;
            if value > 0 {
                row[name] = json!(value);
            }
        }
        row
    };
    (0..450).map(row).collect()
}

#[test]
fn later_fields_break_ties_and_the_input_breaks_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in.jsonl", "out.jsonl"].map(|name| folder.path().join(name));
    let rows = rows();
    write(&input, &rows.iter().collect::<Vec<_>>());
    let mut all = BTreeSet::new();
    for (keep, ties) in [
        (KeepRule::Highest, vec![]),
        (KeepRule::Highest, vec![("b", false)]),
        (KeepRule::Highest, vec![("b", true)]),
        (KeepRule::Lowest, vec![("c", false), ("b", true)]),
        (KeepRule::Lowest, vec![("b", true), ("c", true), ("id", false)]),
    ] {
        let mut named = ties
            .iter()
            .map(|(field, is_least)| Tie { field: (*field).to_owned(), is_least: *is_least });
        let fields = Fields {
            score: Some("a".to_owned()),
            ties: std::array::from_fn(|_| named.next()),
            ..Fields::default()
        };
        let job = JobSpec {
            input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
            reading: ReadingSpec { fields, ..ReadingSpec::default() },
            criteria: CriteriaSpec { keep: Some(keep), ..CriteriaSpec::default() },
            outputs: OutputSpec { survivors: Some(output.clone()), ..OutputSpec::default() },
            ..JobSpec::default()
        };
        let progress = Progress::default();
        let with = Resources { force: true, ..Resources::default() };
        let summary = job.open(&with, &progress).unwrap().run(&progress).unwrap().summary;
        let found: Vec<u64> = read(&output).iter().map(|row| row["id"].as_u64().unwrap()).collect();
        let worth = |row: &Value, field: &str, is_least: bool| {
            let value = row[field].as_i64();
            // What has no value comes last, whichever end is first.
            value.map_or((false, 0), |value| (true, if is_least { -value } else { value }))
        };
        let first = ("a", keep == KeepRule::Lowest);
        let key = |row: &Value| -> Vec<_> {
            let all = std::iter::once(&first).chain(&ties);
            all.map(|(field, is_least)| Reverse(worth(row, field, *is_least))).collect()
        };
        let best =
            |group: &[Value]| group.iter().min_by_key(|row| key(row)).unwrap()["id"].as_u64();
        let mut expected: Vec<u64> = rows.chunks(9).filter_map(best).collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{keep:?} {ties:?}");
        let end = |is_least| if is_least { "min" } else { "max" };
        let named = std::iter::once(&first).chain(&ties);
        let named: Vec<_> =
            named.map(|(field, is_least)| format!("{field}:{}", end(*is_least))).collect();
        assert_eq!(summary.keep, named.join(","));
        all.insert(found);
    }
    assert_eq!(all.len(), 5);
}
