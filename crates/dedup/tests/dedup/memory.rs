//! Jobs that spill to disk, against jobs that do not.

use nearprint_dedup::{ClusterRule, Dedup, Error, KeepRule, Memory, Recall, Verify};
use nearprint_fingerprint::Width;
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
    dedup: &Dedup,
    memory: Memory,
    threads: usize,
) -> Result<Vec<String>, Error> {
    let names = ["kept.jsonl", "removed.jsonl", "pairs.jsonl", "clusters.jsonl"];
    let [kept, removed, pairs, clusters] = names.map(|name| room.join(name));
    let job = dedup.clone().memory(memory).threads(threads).force(true);
    let job = job.files([room.join("in.jsonl").display().to_string()]);
    let summary = job.removed(removed).pairs(pairs).clusters(clusters).write(kept)?;
    assert!(summary.removed > 500 && summary.candidates > 1000, "{summary:?}");
    Ok(names.map(|name| fs::read_to_string(room.join(name)).unwrap()).to_vec())
}

#[test]
fn what_is_written_does_not_depend_on_memory() {
    let room = tempfile::tempdir().unwrap();
    fs::write(room.path().join("in.jsonl"), corpus(4000)).unwrap();
    let job = Dedup::new().width(Width::W128).keep(KeepRule::First).verify(Verify::Jaccard(0.6));
    let radius = job.clone().k(26);
    let connected = radius.clone().cluster_rule(ClusterRule::Connected);
    let exact = job.recall(Recall::Exact);
    for how in [&radius, &connected, &exact] {
        let free = outcome(room.path(), how, Memory::Join(1 << 30), 2).unwrap();
        for (memory, threads) in
            [(Memory::Join(256 << 10), 1), (Memory::Join(300 << 10), 2), (Memory::Frugal, 2)]
        {
            let bounded = outcome(room.path(), how, memory, threads).unwrap();
            assert!(bounded == free, "{how:?} {memory:?}");
        }
    }
    let megabyte = outcome(room.path(), &radius, Memory::Process(1 << 20), 2);
    let error = megabyte.unwrap_err();
    let Error::Memory { what, given, needed } = error else { panic!("{error}") };
    assert_eq!((what.as_str(), given, needed), ("a run on 2 threads", 1 << 20, 32_000_000));
}
