//! Labels and counted copies of a job in shards, of any number and in any order, beside the same on one machine: the same
//! bytes.

use crate::labels::{read, rows, write};
use nearprint_corpus::Tie;
use nearprint_dedup::{
    ClusterRule, CriteriaSpec, Cuts, InputSpec, JobSpec, KeepRule, LabelSpec, OutputSpec, Progress,
    Rehydrate, Resources, Step, Summary, Task,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::num::{NonZeroU8, NonZeroU16};
use std::path::Path;

/// Files of the input, one without a row.
const FILES: [&str; 4] = ["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl"];
/// Ids of what is only compared with begin here.
const OLD: u64 = 100_000;

/// Writes files of rows with labels and scores, and what they may be compared with. Every fourth is one of a `crowd`, if
/// there is one: pages that share most of their words, and are not near each other.
fn corpus(folder: &Path, count: usize, crowd: bool) {
    let mut all = rows(count + count / 5);
    for (number, row) in all.iter_mut().enumerate() {
        if crowd && number % 4 == 1 {
            let own = (0..20).map(|at| format!("own{number}x{at}"));
            let words = (0..90).map(|at| format!("all{at}")).chain(own);
            row["text"] = json!(words.collect::<Vec<_>>().join(" "));
        }
        row["score"] = json!(number * 7919 % 11);
        row["rank"] = json!(number * 13 % 7);
        row["lang"] = [json!("en"), Value::Null, json!("de")][number % 3].clone();
        if !number.is_multiple_of(9) {
            row["site"] = json!(if number % 8 < 6 { "x" } else { "null" });
        }
        if number >= count {
            row["id"] = json!(OLD + number as u64);
        }
    }
    let all: Vec<&Value> = all.iter().collect();
    let (new, old) = all.split_at(count);
    fs::create_dir_all(folder.join("in")).unwrap();
    let ends = [0, count / 2, count / 2, count / 6 * 5, count];
    for (name, range) in FILES.iter().zip(ends.windows(2)) {
        write(&folder.join("in").join(name), &new[range[0]..range[1]]);
    }
    write(&folder.join("old.jsonl"), old);
}

/// What is asked for beside the criteria.
#[derive(Clone, Copy, Debug)]
struct Asked<'a> {
    within: Option<&'a str>,
    across: Option<&'a str>,
    group_by: Option<&'a str>,
    copies: bool,
    count_by: Option<&'a str>,
    rehydrate: Option<&'a str>,
    annotate: bool,
    against: bool,
}

const NOTHING: Asked<'_> = Asked {
    within: None,
    across: None,
    group_by: None,
    copies: false,
    count_by: None,
    rehydrate: None,
    annotate: false,
    against: false,
};

/// The job, whose outputs go to a folder of their own.
fn spec(folder: &Path, criteria: CriteriaSpec, asked: Asked<'_>, to: &str) -> JobSpec {
    let path = |name: &str| folder.join(to).join(name);
    let name = |name: &str| folder.join(name).display().to_string();
    let field = |field: Option<&str>| field.map(str::to_owned);
    let rehydrate: Option<Rehydrate> = asked.rehydrate.map(|rule| rule.parse().unwrap());
    let mut spec = JobSpec {
        input: InputSpec {
            inputs: vec![name("in")],
            against: if asked.against { vec![name("old.jsonl")] } else { Vec::new() },
            ..InputSpec::default()
        },
        criteria,
        labels: LabelSpec {
            within: field(asked.within),
            across: field(asked.across),
            count_by: field(asked.count_by),
            group_by: field(asked.group_by),
            ..LabelSpec::default()
        },
        outputs: OutputSpec {
            survivors: Some(path("clean/")),
            removed: Some(path("removed")),
            clusters: Some(path("clusters")),
            pairs: Some(path("pairs")),
            summary: Some(path("summary.json")),
            copies: asked.copies,
            rehydrate,
            annotate: asked.annotate,
            ..OutputSpec::default()
        },
        ..JobSpec::default()
    };
    let by_score = criteria.keep.is_some_and(KeepRule::is_by_score);
    spec.reading.fields.score = by_score.then(|| "score".to_owned());
    spec.reading.fields.ties = [Some(Tie { field: "rank".to_owned(), is_least: true }), None, None];
    let _there = fs::remove_dir_all(folder.join(to));
    fs::create_dir_all(folder.join(to)).unwrap();
    spec
}

/// All that was written: survivors by file, reports, and figures that do not depend on how the job ran.
fn written(folder: &Path) -> Vec<String> {
    let text = |path: &Path| match path.is_dir() {
        false => fs::read_to_string(path).unwrap(),
        true => {
            let mut parts: Vec<_> =
                fs::read_dir(path).unwrap().map(|part| part.unwrap().path()).collect();
            parts.sort();
            parts.iter().map(|part| fs::read_to_string(part).unwrap()).collect()
        }
    };
    let mut pairs: Vec<String> = text(&folder.join("pairs")).lines().map(str::to_owned).collect();
    pairs.sort_unstable();
    let mut figures: Value = serde_json::from_str(&text(&folder.join("summary.json"))).unwrap();
    for of_process in ["seconds", "peak_memory", "threads"] {
        figures.as_object_mut().unwrap().remove(of_process).unwrap();
    }
    figures.as_object_mut().unwrap().remove("warnings");
    let survivors = FILES.map(|name| text(&folder.join("clean").join(name)));
    let reports = ["removed", "clusters"].map(|name| text(&folder.join(name)));
    survivors.into_iter().chain(reports).chain([pairs.join("\n"), figures.to_string()]).collect()
}

/// Into how many ranges, shards and tasks the job is cut; tasks are done in an order of their own.
type Parts = (u8, u16, usize);

/// The job on one machine and in shards, which write the same.
fn compared(folder: &Path, criteria: CriteriaSpec, asked: Asked<'_>, parts: Parts) -> Summary {
    let progress = Progress::default();
    let with = Resources { threads: Some(2), ..Resources::default() };
    let whole = spec(folder, criteria, asked, "whole");
    let summary = whole.open(&with, &progress).unwrap().run(&progress).unwrap().summary;
    let expected = written(&folder.join("whole"));
    let work = folder.join("work");
    let _there = fs::remove_dir_all(&work);
    let (ranges, shards, tasks) = parts;
    let cuts = Cuts { ranges: NonZeroU8::new(ranges), shards: NonZeroU16::new(shards) };
    let job = spec(folder, criteria, asked, "parts").shards(&with, &work).unwrap();
    job.create(Vec::new(), cuts).unwrap();
    for step in Step::ALL {
        for at in 0..tasks {
            let task: Task = format!("{}/{tasks}", (at * 7 + 1) % tasks + 1).parse().unwrap();
            job.run(step, task, &progress).unwrap();
        }
    }
    for (at, (found, expected)) in written(&folder.join("parts")).iter().zip(&expected).enumerate()
    {
        let differs =
            found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        assert!(found == expected, "output {at} of {criteria:?}, {asked:?}: {differs:?}");
    }
    summary
}

/// The survivors of a job in shards.
fn survivors(folder: &Path) -> Vec<Value> {
    FILES.iter().flat_map(|name| read(&folder.join("parts/clean").join(name))).collect()
}

#[test]
fn labels_and_copies_in_any_number_of_shards_are_those_of_one_machine() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path();
    corpus(folder, 700, false);
    let (dump, site) = (Some("meta.dump"), Some("site"));
    let compares = [(None, None), (dump, None), (None, dump), (site, dump)];
    let counts = [
        NOTHING,
        Asked { copies: true, ..NOTHING },
        Asked { copies: true, count_by: dump, group_by: site, ..NOTHING },
        Asked { copies: true, count_by: site, rehydrate: Some("weight:sqrt"), ..NOTHING },
        Asked { rehydrate: Some("3"), group_by: dump, ..NOTHING },
        Asked { annotate: true, group_by: dump, ..NOTHING },
        Asked { copies: true, count_by: dump, against: true, ..NOTHING },
    ];
    let keeps = [
        KeepRule::Central,
        KeepRule::First,
        KeepRule::Last,
        KeepRule::Longest,
        KeepRule::Shortest,
        KeepRule::Highest,
        KeepRule::Nothing,
    ];
    let parts = [(1, 4, 1), (3, 1, 2), (2, 7, 5)];
    let mut kept = Vec::new();
    for (number, (within, across)) in compares.into_iter().enumerate() {
        for (at, asked) in counts.into_iter().enumerate() {
            let keep = keeps[(at + 2 * number) % keeps.len()];
            let connects = keep != KeepRule::Central && (at + number).is_multiple_of(2);
            let cluster_rule = if connects { ClusterRule::Connected } else { ClusterRule::Star };
            let criteria =
                CriteriaSpec { keep: Some(keep), cluster_rule, ..CriteriaSpec::default() };
            let asked = Asked { within, across, ..asked };
            // Where none of a cluster stays there is nothing to count copies beside.
            let uncounted = Asked { copies: false, count_by: None, rehydrate: None, ..asked };
            let asked = if keep == KeepRule::Nothing { uncounted } else { asked };
            let summary = compared(folder, criteria, asked, parts[(at + number) % parts.len()]);
            assert!(summary.removed > 20, "{criteria:?} {asked:?}");
            kept.push((at, summary.kept));
        }
    }
    kept.sort_unstable();
    kept.dedup();
    assert!(kept.len() > 20, "what is asked for changes something: {kept:?}");
}

#[test]
fn crowds_and_other_ways_to_find_pairs_fare_within_and_across_labels() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path();
    corpus(folder, 4000, true);
    let radius = CriteriaSpec { k: Some(3), ..CriteriaSpec::default() };
    let bytes = CriteriaSpec { equal_bytes: true, ..CriteriaSpec::default() };
    let (dump, site) = (Some("meta.dump"), Some("site"));
    let counted = Asked { copies: true, count_by: dump, ..NOTHING };
    for (criteria, within, across, parts) in [
        (CriteriaSpec::default(), site, None, (1, 5, 4)),
        (CriteriaSpec::default(), None, dump, (2, 3, 2)),
        (radius, site, None, (1, 4, 2)),
        (radius, None, dump, (1, 4, 1)),
        (bytes, dump, None, (2, 4, 2)),
        (bytes, None, dump, (1, 2, 1)),
    ] {
        let summary = compared(folder, criteria, Asked { within, across, ..counted }, parts);
        let by_bands = criteria.k.is_none() && !criteria.equal_bytes;
        assert!(!by_bands || summary.crowded > 200, "{}", summary.crowded);
    }
}

#[test]
fn copies_of_all_shards_add_up_to_the_input() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path();
    corpus(folder, 1200, false);
    let inputs: Vec<Value> =
        FILES.iter().flat_map(|name| read(&folder.join("in").join(name))).collect();
    let (site, dump) = (Some("site"), Some("meta.dump"));
    for (within, across, against) in
        [(None, None, false), (site, None, false), (site, dump, false), (None, None, true)]
    {
        let counted = Asked { copies: true, count_by: Some("lang"), group_by: dump, ..NOTHING };
        let asked = Asked { within, across, against, ..counted };
        compared(folder, CriteriaSpec::default(), asked, (2, 5, 4));
        let found = survivors(folder);
        let copies = |row: &Value| row["nearprint"]["copies"].as_u64().unwrap();
        // What goes because of a document that is only compared with has no survivor here.
        let parts =
            (0..=FILES.len()).map(|part| folder.join(format!("parts/removed/{part:05}.jsonl")));
        let removed = parts.filter(|part| part.exists()).flat_map(|part| read(&part));
        let gone: Vec<u64> = removed
            .filter(|row| row["kept"].as_u64() >= Some(OLD))
            .map(|row| row["id"].as_u64().unwrap())
            .collect();
        assert_eq!(gone.is_empty(), !against);
        let total = found.iter().map(copies).sum::<u64>() + gone.len() as u64;
        assert_eq!(total, inputs.len() as u64);
        let mut totals: BTreeMap<String, u64> = BTreeMap::new();
        for row in &found {
            for (label, count) in row["nearprint"]["sources"].as_object().unwrap() {
                *totals.entry(label.clone()).or_default() += count.as_u64().unwrap();
            }
        }
        let stays = |row: &&Value| !gone.contains(&row["id"].as_u64().unwrap());
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        for row in inputs.iter().filter(stays) {
            let lang = row["lang"].as_str().unwrap_or("null");
            *expected.entry(lang.to_owned()).or_default() += 1;
        }
        assert_eq!(totals, expected);
    }
}

#[test]
fn a_label_that_is_a_list_or_nowhere_is_an_error_in_shards() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path();
    fs::create_dir_all(folder.join("in")).unwrap();
    let rows = "{\"text\":\"a b c d\",\"dump\":\"x\"}\n{\"text\":\"e f g h\",\"dump\":[1]}\n";
    fs::write(folder.join("in/a.jsonl"), rows).unwrap();
    let message = |field: &str| {
        let asked = Asked { within: Some(field), ..NOTHING };
        let job = spec(folder, CriteriaSpec::default(), asked, "parts");
        let work = folder.join(format!("work-{field}"));
        let job = job.shards(&Resources::default(), work).unwrap();
        job.create(Vec::new(), Cuts::default()).unwrap();
        let progress = Progress::default();
        let failed =
            Step::ALL.into_iter().find_map(|step| job.run(step, Task::WHOLE, &progress).err());
        failed.unwrap().to_string()
    };
    assert!(
        message("dump").contains("a.jsonl:2: the field \"dump\" must be"),
        "{}",
        message("dump")
    );
    let missing = message("dmup");
    assert!(missing.contains("\"dmup\"") && missing.contains("\"dump\""), "{missing}");
}
