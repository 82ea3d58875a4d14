//! Parts of a corpus: no near-duplicates across, stable, balanced.

use nearprint_dedup::{
    CriteriaSpec, Dedup, InputSpec, JobSpec, Progress, Recall, Resources, SplitSpec, SplitSummary,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Texts of clusters of one to nine edited copies, of three languages; every 50th is empty.
fn rows(count: usize) -> Vec<String> {
    let row = |number: usize| {
        let (cluster, copy) = (number / 9, number % 9);
        let is_alone = cluster.is_multiple_of(3);
        let word = |at: usize| match (at * 7 + copy * 13) % 83 {
            0 => format!("edit{number}x{at}"),
            _ if is_alone => format!("alone{number}w{at}"),
            _ => format!("c{cluster}w{at}"),
        };
        let text = (0..60).map(word).collect::<Vec<_>>().join(" ");
        let text = if number % 50 == 49 { String::new() } else { text };
        let language = ["en", "de", "fr"][number * 13 % 29 % 3];
        format!("{{\"id\":\"d{number}\",\"text\":\"{text}\",\"lang\":\"{language}\"}}\n")
    };
    (0..count).map(row).collect()
}

struct Split {
    parts: Vec<Vec<String>>,
    summary: SplitSummary,
}

fn split(folder: &Path, rows: &[String], with: impl Fn(&mut SplitSpec)) -> Split {
    let [input, output] = ["in.jsonl", "out"].map(|name| folder.join(name));
    fs::write(&input, rows.concat()).unwrap();
    let mut spec = SplitSpec {
        job: JobSpec {
            input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
            criteria: CriteriaSpec { recall: Some(Recall::Exact), ..CriteriaSpec::default() },
            ..JobSpec::default()
        },
        parts: SplitSpec::parts_of("train=70,valid=20,test=10").unwrap(),
        output: output.clone(),
        ..SplitSpec::default()
    };
    with(&mut spec);
    let progress = Progress::default();
    let resources = Resources { force: true, threads: Some(2), ..Resources::default() };
    let summary = spec.open(&resources, &progress).unwrap().run(&progress).unwrap();
    let lines = |part| {
        let text = fs::read_to_string(output.join(format!("{part}.jsonl"))).unwrap();
        text.split_inclusive('\n').map(str::to_owned).collect()
    };
    Split { parts: ["train", "valid", "test"].map(lines).into(), summary }
}

#[test]
fn no_near_duplicates_are_in_different_parts() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(3000);
    for balanced in [false, true] {
        let Split { parts, summary } = split(folder.path(), &rows, |spec| spec.balanced = balanced);
        // Every record is in one part, as it came and in order.
        let all: usize = parts.iter().map(Vec::len).sum();
        let told: Vec<u64> = summary.parts.iter().map(|part| part.documents).collect();
        let found: Vec<u64> = parts.iter().map(|part| part.len() as u64).collect();
        assert_eq!((all, told), (3000, found));
        for part in &parts {
            let mut rest = rows.iter();
            assert!(part.iter().all(|row| rest.any(|other| other == row)));
        }
        // And no pair at the similarity crosses, by a comparison of all.
        let text = |row: &String| {
            serde_json::from_str::<Value>(row).unwrap()["text"].as_str().unwrap().to_owned()
        };
        let part_of: Vec<usize> =
            parts.iter().enumerate().flat_map(|(at, part)| part.iter().map(move |_| at)).collect();
        let texts: Vec<String> = parts.iter().flatten().map(text).collect();
        let mut crossing = 0;
        let dedup = Dedup::new().recall(Recall::Exact);
        let found = dedup
            .texts_and_pairs_by(
                texts.len(),
                |at| texts[at].as_str(),
                |pair| {
                    crossing += usize::from(part_of[pair.a] != part_of[pair.b]);
                },
            )
            .unwrap();
        assert!(found.summary().pairs.unwrap() > 1000 && crossing == 0, "{crossing}");
        let empty = |part: &Vec<String>| part.iter().any(|row| text(row).is_empty());
        assert_eq!(parts.iter().filter(|part| empty(part)).count(), 1);
    }
}

#[test]
fn the_largest_leak_is_told() {
    let folder = tempfile::tempdir().unwrap();
    // Twins of different similarity: each edit is in three triples.
    let row = |number: usize| {
        let (pair, edits) = (number / 2, number % 2 * (number / 2 % 7));
        let word = |at: usize| match at % 8 {
            3 if at / 8 < edits => format!("edit{number}x{at}"),
            _ => format!("p{pair}w{at}"),
        };
        let text = (0..60).map(word).collect::<Vec<_>>().join(" ");
        format!("{{\"id\":\"d{number}\",\"text\":\"{text}\"}}\n")
    };
    let rows: Vec<String> = (0..600).map(row).collect();
    for seed in 0..6 {
        let Split { parts, summary } = split(folder.path(), &rows, |spec| spec.seed = seed);
        let part_of: BTreeMap<&String, usize> = parts
            .iter()
            .enumerate()
            .flat_map(|(at, part)| part.iter().map(move |row| (row, at)))
            .collect();
        let text = |at: usize| {
            let row: Value = serde_json::from_str(&rows[at]).unwrap();
            row["text"].as_str().unwrap().to_owned()
        };
        let texts: Vec<String> = (0..rows.len()).map(text).collect();
        let mut largest = 0.0_f64;
        let all = Dedup::new().similarity(0.4).recall(Recall::Exact);
        all.texts_and_pairs_by(
            texts.len(),
            |at| texts[at].as_str(),
            |pair| {
                let crosses = part_of[&rows[pair.a]] != part_of[&rows[pair.b]];
                let similarity = pair.evidence.similarity().unwrap();
                assert!(!crosses || similarity < 0.8);
                if crosses {
                    largest = largest.max(similarity);
                }
            },
        )
        .unwrap();
        let leak = summary.largest_leak.unwrap();
        assert!(largest > 0.7 && (leak.similarity - largest).abs() < 1e-9, "{leak:?} {largest}");
        let number = |id: &Value| id.as_str().unwrap()[1..].parse::<usize>().unwrap();
        let (a, b) = (number(&leak.a), number(&leak.b));
        assert_eq!((a / 2, a + 1), (b / 2, b));
        let names = ["train", "valid", "test"];
        assert_eq!(names[part_of[&rows[a]]], leak.part_of_a);
        assert_eq!(names[part_of[&rows[b]]], leak.part_of_b);
        assert_ne!(leak.part_of_a, leak.part_of_b);
    }
    // Nothing is told where nothing crosses.
    let Split { summary, .. } = split(folder.path(), &rows[..2], |_| {});
    assert_eq!(summary.largest_leak, None);
}

#[test]
fn a_document_stays_in_its_part_when_others_come_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(4000);
    let part_of = |split: &Split| {
        let of = |(at, part): (usize, &Vec<String>)| {
            part.iter().map(move |row| (row.clone(), at)).collect::<Vec<_>>()
        };
        split.parts.iter().enumerate().flat_map(of).collect::<BTreeMap<String, usize>>()
    };
    let few = part_of(&split(folder.path(), &rows[..2000], |_| {}));
    let many = part_of(&split(folder.path(), &rows, |_| {}));
    assert!(few.iter().all(|(row, part)| many[row] == *part));
    let other = part_of(&split(folder.path(), &rows, |spec| spec.seed = 1));
    let moved = many.iter().filter(|(row, part)| other[*row] != **part).count();
    assert!(moved > 1000, "{moved}");
}

#[test]
fn a_large_cluster_leaves_balanced_parts_their_shares() {
    let folder = tempfile::tempdir().unwrap();
    let row = |number: usize| {
        let text = match number {
            0..100 => "the ferry crosses the sound at noon and at night in all weather".to_owned(),
            _ => (0..12).map(|at| format!("n{number}w{at}")).collect::<Vec<_>>().join(" "),
        };
        format!("{{\"id\":\"d{number}\",\"text\":\"{text}\"}}\n")
    };
    let rows: Vec<String> = (0..400).map(row).collect();
    for seed in 0..5 {
        let Split { summary, .. } = split(folder.path(), &rows, |spec| {
            spec.parts = SplitSpec::parts_of("train=74,valid=25,test=1").unwrap();
            (spec.balanced, spec.seed) = (true, seed);
        });
        let sizes: Vec<u64> = summary.parts.iter().map(|part| part.documents).collect();
        assert_eq!(sizes, [296, 100, 4], "{seed}");
    }
}

#[test]
fn ids_that_repeat_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let row = |number: usize| {
        let text = (0..12).map(|at| format!("n{number}w{at}")).collect::<Vec<_>>().join(" ");
        let id = if number < 3 { number } else { 3 + number % 2 };
        format!("{{\"id\":\"d{id}\",\"text\":\"{text}\"}}\n")
    };
    let rows: Vec<String> = (0..40).map(row).collect();
    let told = |balanced| split(folder.path(), &rows, |spec| spec.balanced = balanced).summary;
    let found = [false, true].map(|balanced| {
        let summary = told(balanced);
        (summary.repeated_ids, summary.repeated_id)
    });
    assert_eq!(found, [(35, Some("d4".into())), (35, Some("d4".into()))]);
    for balanced in [false, true] {
        let Split { parts, .. } = split(folder.path(), &rows, |spec| spec.balanced = balanced);
        let id = |row: &String| serde_json::from_str::<Value>(row).unwrap()["id"].clone();
        for one in ["d3", "d4"] {
            let has = |part: &&Vec<String>| part.iter().any(|row| id(row) == one);
            assert_eq!(parts.iter().filter(has).count(), 1, "{one}");
        }
    }
    let unique = split(folder.path(), &rows[..5], |_| {}).summary;
    assert_eq!((unique.repeated_ids, unique.repeated_id), (0, None));
}

#[test]
fn balanced_parts_have_their_sizes_and_strata() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(3000);
    let shares = [0.7, 0.2, 0.1];
    let Split { summary, .. } = split(folder.path(), &rows, |spec| spec.balanced = true);
    // Empty texts are the largest cluster.
    for (part, share) in summary.parts.iter().zip(shares) {
        let off = (part.documents as f64 - share * 3000.0).abs();
        assert!(off <= summary.largest_cluster as f64, "{part:?}");
    }
    let Split { summary, .. } =
        split(folder.path(), &rows, |spec| spec.stratify = Some("lang".to_owned()));
    let all: u64 = summary.parts.iter().flat_map(|part| part.strata.values()).sum();
    assert_eq!(all, 3000);
    for language in ["en", "de", "fr"] {
        let of: u64 = summary.parts.iter().map(|part| part.strata[language]).sum();
        for (part, share) in summary.parts.iter().zip(shares) {
            let actual = part.strata[language] as f64 / of as f64;
            assert!((actual - share).abs() < 0.05, "{language} {part:?}");
        }
    }
}
