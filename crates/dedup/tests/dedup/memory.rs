//! Jobs that spill to disk, against jobs that do not.

use nearprint_corpus::{Fields, OutputOptions, Outputs, ReadOptions, discover};
use nearprint_dedup::{
    ClusterRule, Criteria, DedupJob, Destination, Error, KeepRule, Likeness, Memory, OnError,
    Origin, Progress, Reading, Reports, Verify,
};
use nearprint_fingerprint::{Recipe, Width};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Texts of thirty words of their own in groups of eight; in each a few words are others.
fn corpus(documents: u32) -> String {
    let mut rows = String::new();
    for document in 0..documents {
        let group = document / 8;
        let words = (0..30).map(|at| {
            let changed = (document * 7 + at * 13) % 97 < document % 8;
            format!("w{}", if changed { document * 31 + at } else { group * 1000 + at })
        });
        let text = words.collect::<Vec<_>>().join(" ");
        writeln!(rows, "{{\"id\":{document},\"text\":\"{text}\"}}").unwrap();
    }
    rows
}

/// What a job writes: survivors, and every report but the summary.
fn outcome(
    room: &Path,
    (likeness, rule): (Likeness, ClusterRule),
    memory: Memory,
    threads: usize,
) -> Result<Vec<String>, Error> {
    let sources = discover(&[room.join("in.jsonl").display().to_string()], None).unwrap();
    let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
    let names = ["kept.jsonl", "removed.jsonl", "pairs.jsonl", "clusters.jsonl"];
    let mut create = |name: &str| outputs.create(&room.join(name)).unwrap();
    let survivors = Destination::File(create(names[0]));
    let [removed, pairs, clusters] = [1, 2, 3].map(|at| Some(create(names[at])));
    let reports = Reports { removed, pairs, clusters, ..Reports::default() };
    let recipe = Recipe::named("text").unwrap().with_width(Width::W128);
    let job = DedupJob {
        reading: Reading {
            content: Origin::from(recipe),
            fields: Fields::default(),
            on_error: OnError::Fail,
            options: ReadOptions::default(),
            threads,
        },
        sources,
        reference: 0,
        passed_over: Vec::new(),
        criteria: Criteria { cluster_rule: rule, keep: KeepRule::First, ..Criteria::new(likeness) },
        annotate: false,
        whole_captures: false,
        fold_equal: false,
        memory,
        work_dir: room.to_path_buf(),
    };
    let summary = job.run(survivors, reports, None, &Progress::default())?;
    assert!(summary.removed > 500 && summary.candidates > 1000, "{summary:?}");
    Ok(names.map(|name| fs::read_to_string(room.join(name)).unwrap()).to_vec())
}

#[test]
fn what_is_written_does_not_depend_on_memory() {
    let room = tempfile::tempdir().unwrap();
    fs::write(room.path().join("in.jsonl"), corpus(4000)).unwrap();
    let verify = Verify::Jaccard(0.6);
    let radius = Likeness::by_radius(26, Width::W128).unwrap().verified_by(verify).unwrap();
    let exact = Likeness::by_features(verify, Width::W128).unwrap();
    for how in
        [(radius, ClusterRule::Star), (radius, ClusterRule::Connected), (exact, ClusterRule::Star)]
    {
        let free = outcome(room.path(), how, Memory::Join(1 << 30), 2).unwrap();
        for (memory, threads) in
            [(Memory::Join(256 << 10), 1), (Memory::Join(300 << 10), 2), (Memory::Frugal, 2)]
        {
            let bounded = outcome(room.path(), how, memory, threads).unwrap();
            assert!(bounded == free, "{how:?} {memory:?}");
        }
    }
    let how = (radius, ClusterRule::Star);
    let megabyte = outcome(room.path(), how, Memory::Process(1 << 20), 2);
    let error = megabyte.unwrap_err();
    let Error::Memory { what, given, needed } = error else { panic!("{error}") };
    assert_eq!((what.as_str(), given, needed), ("a run on 2 threads", 1 << 20, 32_000_000));
}
