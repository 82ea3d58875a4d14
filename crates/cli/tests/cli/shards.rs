//! `nearprint shard`: the same bytes as `nearprint dedup`, whatever the tasks.

use crate::bucket::Bucket;
use crate::nearprint::{rows, run_with};
use crate::room::Room;
use crate::{parquet, warc};
use std::fmt::Write as _;
use std::process::Stdio;

const STAGES: [&str; 6] = ["sketch", "join", "cluster", "gather", "solve", "write"];
/// Units of each stage with five input files: 18 bands by three and the contents, 4 shards.
const UNITS: [usize; 6] = [5, 7, 1, 5, 4, 5];
/// Files of the input behind the reference.
const FILES: [&str; 4] = ["a.jsonl", "b.jsonl", "c.jsonl", "d.csv"];

/// A row whose text is one of a few that others are near to, a copy of one, short or empty, or one page of a
/// template that hundreds share.
fn row(n: usize, seed: usize) -> String {
    let word = |name: &str, base: usize, at: usize| format!("{name}{base}x{at}");
    let template = |of: usize, edits: usize| {
        let changed = |at: usize| (at * 31 + n * 17 + seed).is_multiple_of(100 / edits);
        let one = |at: usize| match changed(at) {
            true => word("own", (n + seed) % 13, at),
            false => word("all", of, at),
        };
        (0..100).map(one).collect::<Vec<_>>().join(" ")
    };
    let text = match n % 12 {
        0 => String::new(),
        1 => format!("short {}", n % 5),
        2 => (0..60).map(|at| word("copied", n % 36, at)).collect::<Vec<_>>().join(" "),
        3 | 4 => {
            let one = |at: usize| word("near", if at == n % 60 { 1000 + n } else { n / 36 }, at);
            (0..60).map(one).collect::<Vec<_>>().join(" ")
        }
        5 => (0..50).map(|at| word("alone", n + 10_000 * seed, at)).collect::<Vec<_>>().join(" "),
        _ => template(usize::from(n % 12 == 11), 1 + n % 5),
    };
    // Some ids come again in another file.
    format!("{{\"id\":{},\"score\":{},\"text\":\"{text}\"}}", n + seed % 2 * 700, n * 7919 % 101)
}

/// A row of one of many groups of three, which share most of their words with all other groups: a group meets
/// others in crowded buckets alone.
fn in_boilerplate(n: usize, seed: usize) -> String {
    let one = |at: usize| match at {
        0..70 => format!("page{at}"),
        _ if at == 70 + n % 3 * 9 => format!("own{seed}x{n}"),
        _ => format!("group{seed}x{}x{at}", n / 3),
    };
    let text = (0..100).map(one).collect::<Vec<_>>().join(" ");
    format!("{{\"id\":{},\"score\":{n},\"text\":\"{text}\"}}\n", 10_000 * seed + n)
}

/// A reference and four files, of which one has no document.
fn room() -> Room {
    let room = Room::new();
    for (seed, (name, count)) in
        [("old/ref.jsonl", 150), ("in/a.jsonl", 700), ("in/b.jsonl", 0), ("in/c.jsonl", 900)]
            .into_iter()
            .enumerate()
    {
        let mut text = (0..count).fold(String::new(), |mut text, n| {
            writeln!(text, "{}", row(n, seed)).unwrap();
            text
        });
        if count > 500 {
            (0..1300).for_each(|n| text.push_str(&in_boilerplate(n, seed)));
            text.push_str("{\"id\":5,\"text\":null}\n");
        }
        room.write(name, text);
    }
    let table = rows(&(0..60).map(|n| row(n, 4) + "\n").collect::<String>());
    let cells = table.iter().map(|row| format!("{},{},{}\n", row["id"], row["score"], row["text"]));
    room.write("in/d.csv", "id,score,text\n".to_owned() + &cells.collect::<String>());
    room
}

const FLAGS: [&str; 6] = ["in", "--against", "old/ref.jsonl", "--on-error", "skip", "--threads"];

/// What dedup writes: each file, then the rows of what is removed and of clusters.
fn by_dedup(room: &Room, flags: &[&str]) -> Vec<Vec<u8>> {
    let reports = ["--removed", "removed.jsonl", "--clusters", "clusters.jsonl", "-o", "out/"];
    let quiet = ["2", "--quiet", "--force", "--summary", "summary.json"];
    let more = ["--pairs", "pairs.jsonl", "--index-out", "kept.seg"];
    let args = [&["dedup"], &FLAGS[..], &quiet, &reports, &more, flags].concat();
    room.run(&args).done();
    let summary: serde_json::Value = serde_json::from_str(&room.text("summary.json")).unwrap();
    let by_radius = flags.contains(&"-k");
    assert!(by_radius || summary["crowded"].as_u64() > Some(100), "{summary}");
    let written = FILES.map(|name| room.read(&format!("out/{name}")));
    let reports = ["removed.jsonl", "clusters.jsonl"].map(|name| room.read(name));
    let segment = segment(&room.read("kept.seg")).concat();
    let last = [sorted(room.text("pairs.jsonl")), figures(room, "summary.json"), segment];
    written.into_iter().chain(reports).chain(last).collect()
}

/// The head of a segment, and its rows.
fn segment(packed: &[u8]) -> [Vec<u8>; 2] {
    let rows = zstd::decode_all(packed).unwrap();
    let head = rows.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    [rows[..head].to_vec(), rows[head..].to_vec()]
}

/// Rows in an order of their own.
fn sorted(rows: String) -> Vec<u8> {
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.sort_unstable();
    rows.join("\n").into_bytes()
}

/// The figures of a run, without those of the process, and without warnings, which a job in shards has none of.
fn figures(room: &Room, name: &str) -> Vec<u8> {
    let mut figures: serde_json::Value = serde_json::from_str(&room.text(name)).unwrap();
    for of_process in ["seconds", "peak_memory", "threads"] {
        figures.as_object_mut().unwrap().remove(of_process).unwrap();
    }
    figures.as_object_mut().unwrap().remove("warnings");
    format!("{figures:#}").into_bytes()
}

/// The same of a job in shards.
fn by_shards(room: &Room) -> Vec<Vec<u8>> {
    let written = FILES.map(|name| room.read(&format!("clean/{name}")));
    let reports = ["removed", "clusters"].map(|folder| {
        (0..UNITS[5]).flat_map(|part| room.read(&format!("{folder}/{part:05}.jsonl"))).collect()
    });
    let parts = std::fs::read_dir(room.path("pairs")).unwrap();
    let pairs = parts.map(|part| std::fs::read_to_string(part.unwrap().path()).unwrap());
    let parts = (1..UNITS[5]).map(|part| room.read(&format!("segments/{part:05}.seg")));
    let segments: Vec<[Vec<u8>; 2]> = parts.map(|part| segment(&part)).collect();
    let head = segments[0][0].clone();
    assert!(segments.iter().all(|[other, _]| *other == head));
    let rows = segments.into_iter().flat_map(|[_, rows]| rows);
    let segment = head.into_iter().chain(rows).collect();
    let last = [sorted(pairs.collect()), figures(room, "figures.json"), segment];
    written.into_iter().chain(reports).chain(last).collect()
}

fn create(room: &Room, flags: &[&str]) {
    create_in(room, &[], flags);
}

fn create_in(room: &Room, cuts: &[&str], flags: &[&str]) {
    for folder in ["work", "clean", "removed", "clusters", "pairs", "segments"] {
        let _there = std::fs::remove_dir_all(room.path(folder));
    }
    let _there = std::fs::remove_file(room.path("figures.json"));
    let reports = ["--removed", "removed/", "--clusters", "clusters/", "-o", "clean/"];
    let more = ["--pairs", "pairs/", "--summary", "figures.json", "--index-out", "segments"];
    let create = [&["shard", "create"], cuts, &["work"]].concat();
    let args = [&create, &FLAGS[..], &["1"], &reports, &more, flags].concat();
    room.run(&args).done();
}

/// Runs the tasks of a stage in an order that is neither theirs nor its reverse.
fn stage(room: &Room, name: &str, tasks: usize) {
    for at in 0..tasks {
        let task = format!("{}/{tasks}", (at * 3 + 1) % tasks + 1);
        room.run(&["shard", name, "work", "--task", &task]).done();
    }
}

#[test]
fn any_number_of_tasks_writes_what_dedup_writes() {
    let room = room();
    for (flags, tasks) in [
        (&[][..], 1),
        (&[], 2),
        (&["--keep", "last", "--cluster-rule", "connected"], 7),
        (&["--keep", "none", "--similarity", "0.7"], 2),
        (&["--keep-by", "score:max", "--featureless", "collapse"], 1),
        (&["--keep", "shortest", "-k", "6"], 1),
        (&["-k", "12", "--verify", "containment=0.8"], 2),
        (&["--annotate"], 2),
        (&["--count-by", "score", "--rehydrate", "weight:log", "--group-by", "score"], 2),
    ] {
        let expected = by_dedup(&room, flags);
        assert!(expected[4].len() > 10_000, "{flags:?}: few are removed");
        create(&room, flags);
        for name in STAGES {
            stage(&room, name, tasks);
        }
        assert!(by_shards(&room) == expected, "{flags:?} by {tasks} tasks");
    }
}

#[test]
fn what_is_new_is_compared_with_the_segments_of_earlier_days() {
    let room = room();
    let keep = ["-o", "old/kept.jsonl", "--index-out", "old/kept.seg", "--quiet"];
    room.run(&[&["dedup", "old/ref.jsonl"], &keep[..]].concat()).done();
    // The same day in shards leaves a segment of each file.
    let old = ["shard", "create", "old/work", "old/ref.jsonl", "-o", "old/kept/"];
    room.run(&[&old[..], &["--index-out", "old/seen"]].concat()).done();
    room.run(&["shard", "run", "old/work"]).done();
    assert!(segment(&room.read("old/seen/00000.seg")) == segment(&room.read("old/kept.seg")));
    let new = ["in", "--on-error", "skip", "--threads", "1", "--against"];
    let seen = "old/seen/*.seg";
    let written = [seen, "--removed", "removed.jsonl", "-o", "out/", "--quiet"];
    room.run(&[&["dedup"], &new[..], &written].concat()).done();
    let written = [seen, "--removed", "removed/", "-o", "clean/"];
    room.run(&[&["shard", "create", "work"], &new[..], &written].concat()).done();
    room.run(&["shard", "run", "work"]).done();
    for name in FILES {
        assert!(room.read(&format!("clean/{name}")) == room.read(&format!("out/{name}")), "{name}");
    }
    let removed = (0..UNITS[5]).map(|part| room.text(&format!("removed/{part:05}.jsonl")));
    let removed = removed.collect::<String>();
    assert!(removed == room.text("removed.jsonl"));
    // Some are near what was kept on an earlier day.
    let kept = rows(&room.text("old/kept.jsonl")).into_iter().map(|row| row["id"].to_string());
    let kept: Vec<String> = kept.collect();
    let near = rows(&removed).into_iter().filter(|row| kept.contains(&row["kept"].to_string()));
    assert!(near.count() > 100);
}

#[test]
fn the_number_of_parts_changes_nothing() {
    let room = room();
    for (cuts, flags, tasks) in [
        (["--ranges", "3"], &[][..], "2"),
        (["--ranges", "2"], &["--width", "256"], "2"),
        (["--ranges", "3"], &["--width", "64", "-k", "3"], "2"),
        (["--shards", "1"], &[], "1"),
        (["--shards", "64"], &[], "64"),
    ] {
        let expected = by_dedup(&room, flags);
        create_in(&room, &cuts, flags);
        room.run(&["shard", "run", "work", "--tasks", tasks]).done();
        assert!(by_shards(&room) == expected, "{cuts:?} {flags:?}");
    }
}

#[test]
fn tasks_that_are_killed_and_tasks_at_one_unit_do_no_harm() {
    let room = room();
    let expected = by_dedup(&room, &[]);
    create(&room, &[]);
    // Each is killed while it writes what comes behind that file.
    for done in [
        "sketch/00001",
        "join/00000",
        "cluster/00000",
        "gather/00001",
        "solve/00000",
        "write/00001",
    ] {
        let mut running =
            room.command(&["shard", "run", "work"]).stderr(Stdio::null()).spawn().unwrap();
        let file = room.path(&format!("work/{done}.parquet"));
        while !file.exists() && running.try_wait().unwrap().is_none() {}
        running.kill().unwrap();
        running.wait().unwrap();
        assert!(file.exists());
    }
    for stage in STAGES {
        std::fs::remove_file(room.path(&format!("work/{stage}/00000.parquet"))).unwrap();
        let both = [1, 2].map(|_| {
            let mut command = room.command(&["shard", stage, "work"]);
            command.stderr(Stdio::piped()).spawn().unwrap()
        });
        for one in both {
            let ended = one.wait_with_output().unwrap();
            assert!(ended.status.success(), "{stage}: {}", String::from_utf8_lossy(&ended.stderr));
        }
    }
    assert!(by_shards(&room) == expected);
}

#[test]
fn parquet_and_archives_leave_as_they_do_from_dedup() {
    let room = parquet::room("n");
    room.write("a.warc", warc::crawl().concat());
    room.write("b.warc", warc::crawl().concat().replace("<urn:", "<urn:b"));
    // Of pages that go, which stand in either file, and of one that stays.
    let revisits = ["<urn:2>", "<urn:b1>", "<urn:b2>", "<urn:1>"].map(|of| {
        let revisit = warc::record("revisit", "application/http", 60, "HTTP/1.1 200 OK\r\n\r\n");
        revisit.replace("WARC-Date", &format!("WARC-Refers-To: {of}\r\nWARC-Date"))
    });
    room.write("c.warc", revisits.concat() + &warc::crawl().concat().replace("<urn:", "<urn:c"));
    let web = ["--recipe", "web", "--keep", "first"];
    let counted = ["--recipe", "web", "--keep", "first", "--count-by", "host"];
    for (files, flags, revisits) in [
        (&["rows.jsonl", "rows.parquet"][..], &["--annotate"][..], 0),
        (&["a.warc", "b.warc", "c.warc"], &web, 3),
        (&["c.warc", "b.warc", "a.warc"], &counted, 4),
    ] {
        for folder in ["work", "clean", "out"] {
            let _there = std::fs::remove_dir_all(room.path(folder));
        }
        let summary = |name| ["--force", "--summary", name];
        room.run(&[&["dedup"], files, &["-o", "out/"], &summary("s.json"), flags].concat()).done();
        let create =
            [&["shard", "create", "work"], files, &["-o", "clean/"], &summary("f.json"), flags];
        room.run(&create.concat()).done();
        room.run(&["shard", "run", "work"]).done();
        for name in ["s.json", "f.json"] {
            let summary: serde_json::Value = serde_json::from_str(&room.text(name)).unwrap();
            assert_eq!(summary["revisits_of_removed"].as_u64().unwrap_or(0), revisits, "{name}");
        }
        for file in files {
            let [ours, expected] =
                ["clean", "out"].map(|folder| room.read(&format!("{folder}/{file}")));
            assert!(ours == expected && ours != room.read(file), "{file}");
        }
    }
}

#[test]
fn a_job_in_object_storage_is_that_of_a_folder() {
    let Some(bucket) = Bucket::start() else { return };
    let room = room();
    let expected = by_dedup(&room, &[]);
    let proxy = bucket.failing_now_and_then();
    let run = |args: &[&str]| {
        let mut command = bucket.command(&room, args);
        command.env("AWS_ENDPOINT_URL", &proxy);
        run_with(command, "")
    };
    let outputs = [
        ["-o", "s3://corpus/clean"],
        ["--removed", "s3://corpus/removed"],
        ["--clusters", "s3://corpus/clusters"],
        ["--pairs", "s3://corpus/pairs"],
        ["--summary", "s3://corpus/figures.json"],
        ["--index-out", "s3://corpus/segments"],
    ];
    let create = ["shard", "create", "s3://corpus/work"];
    let create = [&create, &FLAGS[..], &["1"], outputs.as_flattened()].concat();
    run(&create).done();
    let again = run(&create);
    assert!(again.stderr.contains("another job has its plan there"), "{}", again.stderr);
    for stage in STAGES {
        for task in ["2/2", "1/2"] {
            run(&["shard", stage, "s3://corpus/work", "--task", task]).done();
        }
    }
    let get = |name: &str| bucket.get(name).unwrap_or_else(|| panic!("{name}"));
    for name in FILES {
        room.write(&format!("clean/{name}"), get(&format!("clean/{name}")));
    }
    for (folder, parts) in [("removed", UNITS[5]), ("clusters", UNITS[5]), ("pairs", UNITS[4])] {
        for part in (0..parts).map(|part| format!("{folder}/{part:05}.jsonl")) {
            room.write(&part, get(&part));
        }
    }
    for part in (1..UNITS[5]).map(|part| format!("segments/{part:05}.seg")) {
        room.write(&part, get(&part));
    }
    room.write("figures.json", get("figures.json"));
    assert!(by_shards(&room) == expected && !bucket.has_uploads());
    bucket.delete("work/join/00003.parquet");
    let early = run(&["shard", "cluster", "s3://corpus/work"]);
    early.refused(3, "join is not complete: run it first. Units that are not done: 1 of 7: 3");
    let full = run(&[
        "shard",
        "create",
        "s3://corpus/new",
        "in",
        "-o",
        "s3://corpus/other",
        "--pairs",
        "s3://corpus/pairs",
    ]);
    assert!(full.code == Some(1) && full.stderr.contains("it has files"), "{}", full.stderr);
}

#[test]
fn nothing_is_written_over_inputs_and_other_outputs() {
    let room = Room::new();
    for name in ["in/00000.jsonl", "in/00001.jsonl"] {
        room.write(name, row(3, 1) + "\n");
    }
    let files = ["in/00000.jsonl", "in/00001.jsonl"];
    for (work, inputs, outputs, said) in [
        ("work", &["in"][..], &["clean/", "--removed", "in"][..], "inside"),
        ("work", &files, &["clean/", "--removed", "in", "--force"], "it has files"),
        ("work", &["in"], &["clean/", "--removed", "clean"], "folders of their own"),
        (
            "work",
            &["in"],
            &["clean/", "--removed", "new", "--clusters", "./new/"],
            "folders of their own",
        ),
        ("in/work", &["in"], &["clean/"], "inside"),
        (
            "work",
            &["in"],
            &["clean/", "--summary", "in/00000.jsonl", "--force"],
            "name another output",
        ),
    ] {
        let args = [&["shard", "create", work], inputs, &["-o"], outputs].concat();
        let refused = room.run(&args);
        assert!(
            refused.code == Some(1) && refused.stderr.contains(said),
            "{args:?}: {}",
            refused.stderr
        );
        assert!(!room.path("work").exists() && !room.path("in/work").exists());
        assert_eq!(room.text("in/00001.jsonl"), row(3, 1) + "\n");
    }
}

#[test]
fn a_run_goes_on_with_the_units_that_are_missing() {
    let room = room();
    let expected = by_dedup(&room, &[]);
    create(&room, &[]);
    stage(&room, "sketch", 2);
    let again = room.run(&["shard", "sketch", "work"]).done();
    assert_eq!(again.stderr, "sketch: 0 units done\n");
    std::fs::remove_file(room.path("work/sketch/00002.parquet")).unwrap();
    let early = room.run(&["shard", "join", "work"]);
    early.refused(3, "sketch is not complete: run it first. Units that are not done: 1 of 5: 2");
    let missing = room.run(&["shard", "status", "work", "--format", "json"]).done();
    let missing: serde_json::Value = serde_json::from_str(missing.text()).unwrap();
    assert_eq!(missing[0]["missing"], serde_json::json!([2]));
    assert_eq!(
        missing.as_array().unwrap().iter().map(|stage| &stage["units"]).collect::<Vec<_>>(),
        UNITS
    );
    let ran = room.run(&["shard", "run", "work", "--tasks", "3"]).done();
    assert!(by_shards(&room) == expected);
    // What `dedup` says at its end.
    for said in [" documents read", " removed: ", " kept ("] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let status = room.run(&["shard", "status", "work", "--format", "json"]).done();
    let status: serde_json::Value = serde_json::from_str(status.text()).unwrap();
    // The groups of the template are the largest component.
    let found = serde_json::json!({ "count": 36, "documents": 4107, "largest": 2600 });
    assert_eq!(status[2]["components"], found);
    let told = room.run(&["shard", "status", "work"]).done();
    let sentence = "36 components of 4,107 documents, the largest of 2,600: unit 0 of solve\n";
    assert!(told.text().contains(sentence), "{}", told.text());
    // The same unit again is the same file.
    let solved = room.read("work/solve/00000.parquet");
    std::fs::remove_file(room.path("work/solve/00000.parquet")).unwrap();
    std::fs::remove_file(room.path("work/write/00001.parquet")).unwrap();
    room.run(&["shard", "run", "work"]).done();
    assert!(room.read("work/solve/00000.parquet") == solved && by_shards(&room) == expected);
}

#[test]
fn files_that_are_not_those_of_the_job_are_refused() {
    let room = room();
    create(&room, &[]);
    room.run(&["shard", "sketch", "work"]).done();
    let sketch = room.read("work/sketch/00001.parquet");
    // Cut short, changed, of another unit, of another job.
    room.write("work/sketch/00001.parquet", &sketch[..sketch.len() / 2]);
    let cut = room.run(&["shard", "join", "work"]);
    assert!(
        cut.code == Some(1) && cut.stderr.contains("00001.parquet: cut short or damaged"),
        "{}",
        cut.stderr
    );
    assert!(cut.stderr.contains("Delete the file and run sketch again"), "{}", cut.stderr);
    room.write("work/sketch/00001.parquet", room.read("work/sketch/00003.parquet"));
    let other = room.run(&["shard", "join", "work"]);
    assert!(other.stderr.contains("it is unit 3 of sketch of job"), "{}", other.stderr);
    let mut changed = sketch.clone();
    changed[sketch.len() / 3] ^= 1;
    room.write("work/sketch/00001.parquet", changed);
    let damaged = room.run(&["shard", "run", "work"]);
    assert!(
        damaged.code == Some(1)
            && damaged.stderr.contains("00001.parquet: ")
            && (damaged.stderr.contains("checksum") || damaged.stderr.contains("damaged")),
        "{}",
        damaged.stderr
    );
    create(&room, &["--similarity", "0.9"]);
    room.write("work/sketch/00001.parquet", sketch);
    let other = room.run(&["shard", "sketch", "work"]);
    assert!(
        other.code == Some(1) && other.stderr.contains("00001.parquet: it is"),
        "{}",
        other.stderr
    );
}

#[test]
fn what_changed_or_cannot_be_done_is_refused() {
    let room = room();
    create(&room, &[]);
    room.run(&["shard", "sketch", "work"]).done();
    let twice = room.run(&["shard", "create", "work", "in", "-o", "other/"]);
    assert!(
        twice.code == Some(1) && twice.stderr.contains("another job has its plan there"),
        "{}",
        twice.stderr
    );
    room.write("reports/old.jsonl", "");
    let report = ["shard", "create", "new", "in", "-o", "other/", "--removed", "reports"];
    let full = room.run(&report);
    assert!(full.code == Some(1) && full.stderr.contains("it has files"), "{}", full.stderr);
    room.write("in/c.jsonl", row(5, 5) + "\n");
    let changed = room.run(&["shard", "join", "work"]);
    assert!(changed.code == Some(1), "{}", changed.stderr);
    assert!(changed.stderr.contains("input: in/c.jsonl changed since"), "{}", changed.stderr);
    for (flags, said) in [
        (&["--recall", "exact"][..], "find pairs exactly"),
        (&["--verify", "containment=0.8"], "a containment"),
        (&["--index-out", "kept.seg"], "name a folder"),
        (&["--no-such-flag"], "--no-such-flag"),
    ] {
        let args = [&["shard", "create", "new", "in", "-o", "other/"], flags].concat();
        let refused = room.run(&args);
        assert!(refused.code == Some(2) && refused.stderr.contains(said), "{}", refused.stderr);
        assert!(!room.path("new").exists());
    }
    assert_eq!(room.run(&["shard", "join", "work", "--task", "3/2"]).code, Some(2));
    assert_eq!(room.run(&["shard", "join", "nowhere"]).code, Some(1));
}

#[test]
fn one_document_many_times_is_quick() {
    let room = Room::new();
    let line = row(6, 1) + "\n";
    room.write("in/a.jsonl", line.repeat(50_000));
    room.write("in/b.jsonl", line.repeat(50_000));
    room.run(&["shard", "create", "work", "in", "-o", "clean/"]).done();
    room.run(&["shard", "run", "work"]).done();
    let [a, b] = ["a", "b"].map(|name| room.read(&format!("clean/{name}.jsonl")));
    assert_eq!((String::from_utf8(a).unwrap(), b), (line, Vec::new()));
    // In a band all are one: no link is written.
    let rows = room.read("work/join/00000.parquet").len();
    assert!(rows < 2000, "{rows} bytes of links");
}
