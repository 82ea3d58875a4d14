//! The verbs `index` and `plan`: answers against all distances, and what is refused.

use crate::nearprint::{Run, repository, rows};
use crate::room::Room;
use serde_json::Value;

/// Words that are even enough, the same in every run.
fn words(count: u64) -> Vec<u64> {
    let mix = |mut word: u64| {
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    };
    (1..=count).map(|i| mix(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect()
}

fn raw(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// 3000 codes with an empty document and a repeated one, and queries at known distances.
fn codes() -> (Vec<u64>, Vec<u64>) {
    let mut codes = words(3000);
    codes[7] = 0;
    codes[9] = codes[8];
    codes[11] = codes[10] ^ 3;
    let queries =
        vec![codes[10], codes[8] ^ 1, codes[500] ^ 7, codes[600] ^ 0xf0, 0xffff, codes[11] ^ 4];
    (codes, queries)
}

/// The rows that the queries should get, by all distances.
fn expected(codes: &[u64], queries: &[u64], k: u32) -> String {
    let mut rows = String::new();
    for (query, word) in queries.iter().enumerate() {
        let docs = codes.iter().enumerate().filter(|(_, code)| **code != 0);
        let near = docs.map(|(doc, code)| ((code ^ word).count_ones(), doc));
        let mut near: Vec<_> = near.filter(|(distance, _)| *distance <= k).collect();
        near.sort_unstable();
        for (distance, doc) in near {
            rows += &format!("{{\"query\":{query},\"doc\":{doc},\"distance\":{distance}}}\n");
        }
    }
    rows
}

/// A room with `codes.bin`, `queries.bin` and `codes.seg` built from them with `flags`.
fn room(flags: &[&str]) -> (Room, Vec<u64>, Vec<u64>) {
    let (room, (codes, queries)) = (Room::new(), codes());
    room.write("codes.bin", raw(&codes));
    room.write("queries.bin", raw(&queries));
    let build = ["index", "build", "codes.bin", "--input-format", "u64", "-o", "codes.seg"];
    room.run(&[&build, flags].concat()).done();
    (room, codes, queries)
}

fn ask(room: &Room, flags: &[&str]) -> Run {
    let ask = ["index", "query", "codes.seg", "queries.bin", "--input-format", "u64"];
    room.run(&[&ask, flags].concat())
}

#[test]
fn every_plan_gives_the_answers_of_all_distances() {
    for plan in ["parts-1", "parts-2", "parts-4", "paper-4", "paper-10", "paper-16", "cover-6"] {
        let (room, codes, queries) = room(&["--plan", plan]);
        for k in ["0", "2", "3"] {
            let rows = expected(&codes, &queries, k.parse().unwrap());
            assert_eq!(ask(&room, &["-k", k]).done().text(), rows, "{plan}, k = {k}");
        }
        assert_eq!(ask(&room, &[]).done().text(), expected(&codes, &queries, 3), "{plan}");
        room.run(&["index", "verify", "codes.seg"]).done();
    }
}

#[test]
fn a_segment_without_tables_answers_at_its_radius() {
    // 20 of 64 bits and few fingerprints: a scan without anybody's asking.
    for (flags, k) in [(&["-k", "20"][..], 20), (&["-k", "3", "--plan", "scan"], 3)] {
        for ids in [&[][..], &["--no-ids"]] {
            let (room, codes, queries) = room(&[flags, ids].concat());
            let stats = room.run(&["index", "stats", "codes.seg"]).done();
            let told = [
                &format!("\nradius        built for k up to {k}, answers any\n")[..],
                "\nplan          scan\ntables        none: queries are compared with everything\n",
            ];
            assert!(told.iter().all(|line| stats.text().contains(line)), "{}", stats.text());
            let json = room.run(&["index", "stats", "codes.seg", "--format", "json"]).done();
            let json: Value = serde_json::from_str(json.text()).unwrap();
            assert_eq!((&json["k"], &json["plan"]), (&k.into(), &"scan".into()));
            let verified = room.run(&["index", "verify", "codes.seg"]).done();
            assert!(verified.stderr.contains("256 queries one by one and together found the same"));
            let rows = |k: u32| expected(&codes, &queries, k).lines().count();
            for (asked, within) in [
                (&[][..], k),
                (&["--scan"], k),
                (&["-k", "2"], 2),
                (&["-k", "22"], 22),
                (&["-k", "22", "--scan"], 22),
            ] {
                let run = ask(&room, asked).done();
                assert!(run.stderr.contains(&format!(" within {within} bits to 6 queries")));
                if ids.is_empty() {
                    assert_eq!(run.text(), expected(&codes, &queries, within), "{asked:?}");
                } else {
                    // Two of the codes are equal, and are one answer.
                    let all = run.text().lines().count();
                    assert!(all < rows(within) && all + 6 >= rows(within), "{asked:?}");
                }
            }
            assert_eq!(ask(&room, &["--any"]).done().text().lines().count(), {
                queries
                    .iter()
                    .filter(|query| {
                        codes.iter().any(|c| *c != 0 && (*c ^ **query).count_ones() <= k)
                    })
                    .count()
            });
        }
    }
    let (room, _, queries) = room(&[]);
    // What an earlier release built without tables does not tell its radius.
    let golden = repository().join("crates/index/tests/golden/version-1-untold.seg");
    room.write("old.seg", std::fs::read(golden).unwrap());
    room.write("queries.bin", raw(&queries));
    let old = ["index", "query", "old.seg", "queries.bin", "--input-format", "u64"];
    room.refuses(
        &old,
        2,
        "old.seg: an earlier release built it without tables, and did not record the radius: pass -k K, with \
         --scan above 0, or build it again",
    );
    room.run(&[&old[..], &["-k", "0"]].concat()).done();
    let all = room.run(&[&old[..], &["-k", "64", "--scan"]].concat()).done();
    assert_eq!(all.text().lines().count(), 6 * 42);
    let stats = room.run(&["index", "stats", "old.seg"]).done();
    assert!(stats.text().contains("radius        not recorded: an earlier release built it"));
}

#[test]
fn a_scan_and_a_stream_answer_as_the_tables_do() {
    let (room, codes, queries) = room(&[]);
    for k in ["3", "5", "22"] {
        let rows = expected(&codes, &queries, k.parse().unwrap());
        assert_eq!(ask(&room, &["--scan", "-k", k]).done().text(), rows, "scan, k = {k}");
        let stream = ["index", "query", "--stream", "codes.bin", "queries.bin"];
        for memory in [&[][..], &["--memory", "1M"]] {
            let run = [&stream[..], &["--input-format", "u64", "-k", k], memory].concat();
            assert_eq!(room.run(&run).done().text(), rows, "stream, k = {k}, {memory:?}");
        }
    }
    room.refuses(
        &["index", "query", "codes.seg", "queries.bin", "--input-format", "u64", "--memory", "1M"],
        2,
        "--memory is for --stream: a segment is mapped, and its answers are not held",
    );
}

#[test]
fn answers_stop_where_they_are_told() {
    let (room, codes, queries) = room(&[]);
    let all = expected(&codes, &queries, 3);
    let first_rows = |limit: usize| -> String {
        let of = |query: usize| {
            let start = format!("{{\"query\":{query},");
            all.split_inclusive('\n').filter(move |row| row.starts_with(&start)).take(limit)
        };
        (0..queries.len()).flat_map(of).collect()
    };
    for limit in ["0", "1", "2"] {
        let rows = first_rows(limit.parse().unwrap());
        for way in [&["--limit", limit][..], &["--limit", limit, "--scan"]] {
            assert_eq!(ask(&room, way).done().text(), rows);
        }
        let stream = ["index", "query", "--stream", "codes.bin", "queries.bin", "--limit", limit];
        let run = room.run(&[&stream[..], &["--input-format", "u64", "-k", "3"]].concat());
        assert_eq!(run.done().text(), rows, "stream");
    }
    let any = rows(ask(&room, &["--any"]).done().text());
    let asked: Vec<_> = any.iter().map(|row| row["query"].as_u64().unwrap()).collect();
    assert_eq!(asked, [0, 1, 2, 5]);
    assert!(any.iter().all(|row| all.contains(&format!("\"doc\":{},", row["doc"]))));
}

#[test]
fn threads_and_outputs_change_no_answer() {
    let (room, codes, _) = room(&[]);
    // More queries than are answered together.
    let many: Vec<u64> = codes.iter().cycle().take(21_000).map(|code| code ^ 2).collect();
    room.write("queries.bin", raw(&many));
    let one = ask(&room, &["--threads", "1", "--quiet"]).done();
    assert!(one.stderr.is_empty());
    let number = one.text().lines().filter(|row| row.ends_with("\"distance\":1}")).count();
    assert!(number >= 20_986, "{number}");
    let near = ask(&room, &["--threads", "3", "-o", "near.jsonl.gz"]).done();
    assert!(near.stdout.is_empty());
    let mut text = String::new();
    let file = std::fs::File::open(room.path("near.jsonl.gz")).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).unwrap();
    assert!(text == one.text());
}

#[test]
fn a_segment_without_ids_answers_with_fingerprints() {
    for plan in ["parts-2", "paper-20"] {
        let (room, mut codes, queries) = room(&["--plan", plan, "--no-ids"]);
        codes.retain(|code| *code != 0);
        codes.sort_unstable();
        codes.dedup();
        let (mut all, mut firsts) = (String::new(), 0);
        for (query, word) in queries.iter().enumerate() {
            let mut near: Vec<_> =
                codes.iter().map(|code| ((code ^ word).count_ones(), code)).collect();
            near.retain(|(distance, _)| *distance <= 3);
            near.sort_unstable();
            firsts += usize::from(!near.is_empty());
            for (distance, code) in near {
                all += &format!(
                    "{{\"query\":{query},\"fingerprint\":\"{code:016x}\",\"distance\":{distance}}}\n"
                );
            }
        }
        for way in [&[][..], &["--scan", "-k", "3"]] {
            let run = ask(&room, way).done();
            assert_eq!(run.text(), all, "{plan}");
            let found =
                format!("{} distinct fingerprints within 3 bits to 6 queries", all.lines().count());
            assert!(run.stderr.contains(&found), "{}", run.stderr);
        }
        let any = ask(&room, &["--any"]).done();
        assert!(
            any.text().lines().count() == firsts && any.text().lines().all(|row| all.contains(row))
        );
        assert_eq!(ask(&room, &["--limit", "1"]).done().text().lines().count(), firsts);
        room.run(&["index", "verify", "codes.seg"]).done();
        let stats = room.run(&["index", "stats", "codes.seg"]).done();
        let told =
            ["documents     2,999, without their numbers\n", &format!("\nplan          {plan}\n")];
        assert!(told.iter().all(|line| stats.text().contains(line)), "{}", stats.text());
        let stats = room.run(&["index", "stats", "codes.seg", "--format", "json"]).done();
        let stats: Value = serde_json::from_str(stats.text()).unwrap();
        assert_eq!((&stats["plan"], &stats["ids"]), (&plan.into(), &false.into()));
        assert_eq!(stats["id_bytes"], 0);
    }
}

#[test]
fn a_scan_for_lack_of_memory_says_what_would_be_faster() {
    let room = Room::new();
    room.write("wide.bin", raw(&words(200_000)));
    let build = ["index", "build", "wide.bin", "--input-format", "u128", "-k", "26", "-o"];
    let tight = room.run(&[&build[..], &["scan.seg", "--memory", "4M"]].concat()).done();
    let note = "scan answers a query in 850.0 us; parts-";
    assert!(
        tight.stderr.contains(note) && tight.stderr.contains(": pass --plan parts-"),
        "{}",
        tight.stderr
    );
    let how = "no tables: each query is compared with all 100,000 distinct fingerprints\n";
    assert!(tight.stderr.contains(how), "{}", tight.stderr);
    // Nobody asked for little: tables, and nothing to say.
    let free = room.run(&[&build[..], &["tables.seg"]].concat()).done();
    assert!(
        free.stderr.contains("plan parts-") && !free.stderr.contains("would answer"),
        "{}",
        free.stderr
    );

    let docs = ["plan", "--docs", "50M", "--width", "128", "-k", "26"];
    let tight = room.run(&[&docs[..], &["--memory", "2G"]].concat()).done();
    let note = "\nnote: scan answers a query in 425.0 ms; parts-7 would answer in 1.5 ms and take 5.11 GB in \
                place of 917 MB: pass --memory 5110M\n";
    assert!(tight.text().contains("\n* scan ") && tight.text().contains(note), "{}", tight.text());
    let free = room.run(&docs).done();
    assert!(
        free.text().contains("\n* parts-7 ") && !free.text().contains("note:"),
        "{}",
        free.text()
    );
}

#[test]
fn texts_answer_by_their_ids_and_row_numbers() {
    let room = Room::new();
    room.write(
        "corpus.jsonl",
        "{\"id\":\"x\",\"text\":\"the ferry leaves the harbour at noon\"}\n{\"text\":\"\"}\n\
         {\"id\":\"y\",\"text\":\"snow fell on the upper pastures during the night\"}\n",
    );
    let queries = "{\"id\":\"new\",\"text\":\"Snow fell on the upper pastures during the night\"}\n\
                   {\"text\":\"a word that nobody wrote\"}\n";
    room.write("new.jsonl", queries);
    room.run(&["index", "build", "corpus.jsonl", "-o", "corpus.seg"]).done();
    let near = room.run(&["index", "query", "corpus.seg", "new.jsonl"]).done();
    assert_eq!(near.text(), "{\"query\":\"new\",\"doc\":2,\"distance\":0}\n");
    let stats = room.run(&["index", "stats", "corpus.seg", "--format", "json"]).done();
    let stats: Value = serde_json::from_str(stats.text()).unwrap();
    assert_eq!((&stats["documents"], &stats["k"]), (&Value::from(2), &Value::from(3)));
    let list = room.run(&["recipe", "list"]).done();
    let id = stats["recipe_id"].as_str().unwrap();
    assert!(list.text().contains(&format!("text             64 bits  {id}")), "{}", list.text());
    let table = room.run(&["index", "stats", "corpus.seg"]).done();
    assert!(table.text().contains(&format!("recipe        text at 64 bits ({id})")));
    // Stored fingerprints know no recipe, and may be asked.
    let run = room.run(&["fingerprint", "new.jsonl", "-o", "rows.jsonl"]);
    run.done();
    let near = room.run(&["index", "query", "corpus.seg", "rows.jsonl"]).done();
    assert_eq!(near.text(), "{\"query\":\"new\",\"doc\":2,\"distance\":0}\n");

    let words = list.text().lines().find(|line| line.starts_with("words")).unwrap();
    let other = words.split_whitespace().last().unwrap();
    room.refuses(
        &["index", "query", "corpus.seg", "new.jsonl", "--recipe", "words"],
        2,
        &format!(
            "corpus.seg was built by the recipe text at 64 bits ({id}), the queries would be made \
             by words at 64 bits ({other}), and their distances mean nothing: shingle = 3 in the \
             index, 1 in the queries, weights = \"set\" in the index, \"log\" in the queries; pass --recipe text --width 64"
        ),
    );
    room.refuses(
        &["index", "query", "corpus.seg", "new.jsonl", "--width", "128"],
        2,
        "corpus.seg holds fingerprints of 64 bits, the queries have 128: pass --width 64",
    );
}

#[test]
fn questions_that_a_segment_cannot_answer_are_refused() {
    let (room, _, _) = room(&[]);
    let ask = ["index", "query", "codes.seg", "queries.bin", "--input-format"];
    let refuses =
        |flags: &[&str], code, message| room.refuses(&[&ask, flags].concat(), code, message);
    refuses(
        &["u64", "-k", "4"],
        2,
        "-k 4: codes.seg has tables for k up to 3; build it with -k 4, or pass --scan to compare \
         with everything",
    );
    refuses(
        &["u64", "-k", "65"],
        2,
        "-k 65 is more than the 64 bits of a fingerprint; use 0 to 64, or of texts --width 256",
    );
    refuses(
        &["u128"],
        2,
        "codes.seg holds fingerprints of 64 bits, the queries have 128: build a segment of that \
         width",
    );
    room.refuses(
        &["index", "query", "codes.seg"],
        2,
        "no queries: after the segment codes.seg, name files of queries, or - for standard input",
    );
    room.write("cut.bin", [1; 17]);
    let cut = "cut.bin: 17 bytes are not a whole number of 64-bit fingerprints (8 bytes each); is the \
               file cut short, or of another width?";
    room.refuses(&["index", "query", "codes.seg", "cut.bin", "--input-format", "u64"], 1, cut);
    let stream = ["index", "query", "--stream", "cut.bin", "queries.bin", "--input-format", "u64"];
    room.refuses(&stream, 1, cut);
    room.refuses(&["index", "build", "cut.bin", "--input-format", "u64", "-o", "new.seg"], 1, cut);
}

#[test]
fn a_file_that_is_no_sound_segment_is_refused() {
    let (room, _, _) = room(&[]);
    let segment = room.read("codes.seg");
    let mut later = segment.clone();
    later[segment.len() - 12] = 9;
    room.write("later.seg", later);
    room.write("cut.seg", &segment[..segment.len() - 5]);
    room.write("empty.seg", "");
    let none = "not a nearprint segment, or truncated: the footer is missing";
    let later = "a segment of version 9; this release reads versions 1 to 3: build it again";
    for (name, problem) in [("cut.seg", none), ("empty.seg", none), ("later.seg", later)] {
        let message = format!("{name}: {problem}");
        room.refuses(&["index", "stats", name], 1, &message);
        room.refuses(&["index", "verify", name], 1, &message);
        let ask = ["index", "query", name, "queries.bin", "--input-format", "u64"];
        room.refuses(&ask, 1, &message);
    }
    room.refuses(&["index", "stats", "no.seg"], 1, "no such file or folder: no.seg");

    let mut broken = segment;
    broken[9000] ^= 4;
    room.write("broken.seg", broken);
    let damaged = "the segment is damaged in a table; build it again or restore a copy";
    room.refuses(&["index", "verify", "broken.seg"], 1, &format!("broken.seg: {damaged}"));
}

#[test]
fn a_segment_is_written_as_outputs_are() {
    let (room, _, _) = room(&[]);
    let build = ["index", "build", "codes.bin", "--input-format", "u64", "-o"];
    let refuses = |flags: &[&str], code, message: &str| {
        room.refuses(&[&build, flags].concat(), code, message);
    };
    refuses(&["codes.seg"], 1, "codes.seg exists; pass --force to replace it");
    refuses(&["codes.bin", "--force"], 1, "codes.bin is the input codes.bin; name another output");
    for name in ["-", "new.seg.gz"] {
        let message = format!(
            "-o {name}: a segment is a plain file on disk; name one that does not end in .gz, \
             .zst, .bz2 or .xz"
        );
        refuses(&[name], 2, &message);
    }
    let before = room.read("codes.seg");
    room.run(&[&build[..], &["codes.seg", "--force", "--threads", "1"]].concat()).done();
    assert!(before == room.read("codes.seg"));
    assert_eq!(room.names(), ["codes.bin", "codes.seg", "queries.bin"]);
    // Compressed words are read instead of mapped, and make the same segment.
    room.write("codes.bin.zst", crate::room::zstd(&room.read("codes.bin")));
    let build = ["index", "build", "codes.bin.zst", "--input-format", "u64", "-o", "same.seg"];
    room.run(&build).done();
    assert!(before == room.read("same.seg"));
}

#[test]
fn memory_too_small_says_what_would_do() {
    let (room, _, _) = room(&[]);
    let build = ["index", "build", "codes.bin", "--input-format", "u64", "-o", "new.seg"];
    let refuses = |flags: &[&str], code, message: &str| {
        room.refuses(&[&build, flags].concat(), code, message);
    };
    refuses(
        &["--memory", "20K"],
        1,
        "no plan for 3000 fingerprints of 64 bits and k = 3 fits into 20 kB: the smallest, parts-1, \
         takes 29 kB; allow that much, or take fewer fingerprints at a time",
    );
    let small = room.run(&[&build[..], &["--memory", "32K"]].concat());
    assert_eq!(small.code, Some(2));
    let needed = small.stderr.split(" takes ").nth(1).and_then(|rest| rest.split(',').next());
    let enough = needed.unwrap().to_owned();
    let small = ["--plan", "parts-1", "--memory", &enough, "-o", "small.seg"];
    room.run(&[&build[..5], &small].concat()).done();
    let stats = room.run(&["index", "stats", "small.seg"]).done();
    assert!(stats.text().contains("tables        1, buckets of 8 bits"), "{}", stats.text());
    refuses(
        &["--plan", "paper-11"],
        1,
        "no plan paper-11 for 64 bits and k = 3; there are cover-5, cover-6, cover-8, cover-11, \
         cover-12, cover-14, cover-20, paper-4, paper-10, paper-16, paper-20, paper-35, paper-56, \
         parts-1, parts-2, parts-3, parts-4, scan",
    );
}

#[test]
fn a_plan_is_chosen_explained_and_warned_about() {
    let room = Room::new();
    let plan = |flags: &[&str]| {
        let run = room.run(&[&["plan", "--format", "json", "--docs"], flags].concat()).done();
        serde_json::from_str::<Value>(run.text()).unwrap()
    };
    let answer = plan(&["100M"]);
    assert_eq!(
        (&answer["choice"]["plan"], &answer["documents"]),
        (&"parts-2".into(), &100_000_000.into())
    );
    assert!(answer["warning"].is_null());
    let per = answer["choice"]["bytes"].as_f64().unwrap() / 1e8;
    assert!((15.0..16.0).contains(&per), "{per}");
    let bits = |name: &str| {
        let plans = answer["plans"].as_array().unwrap();
        plans.iter().find(|plan| plan["plan"] == name).unwrap()["key_bits"].clone()
    };
    for (name, expected) in [
        ("paper-4", [16, 16]),
        ("paper-10", [25, 26]),
        ("paper-16", [28, 28]),
        ("paper-20", [31, 33]),
    ] {
        assert_eq!(bits(name), Value::from(expected.to_vec()), "{name}");
    }
    let many = plan(&["8e9", "-k", "8", "--memory", "200G", "--job", "query"]);
    let warning = many["warning"].as_str().unwrap();
    assert!(warning.contains("use fingerprints of 128 bits with -k 16, or -k 5"), "{warning}");
    assert!((many["chance_matches_a_query"].as_f64().unwrap() - 2.23).abs() < 0.01);
    assert_eq!(plan(&["1M", "-k", "40"])["choice"]["plan"], "scan");
    assert!(plan(&["1M", "--all"])["plans"].as_array().unwrap().len() > 15);

    // The paper's tables over 2^34 fingerprints, and four tables of 16 bits over 2^26.
    for (name, tables, candidates) in [
        ("paper-20", 20, 88.0),
        ("paper-16", 16, 1024.0),
        ("paper-10", 10, 3584.0),
        ("paper-4", 4, 1_048_576.0),
    ] {
        let shown = plan(&["17179869184", "--show", name]);
        let each = shown["each_table"].as_array().unwrap();
        assert_eq!(
            (each.len(), shown["candidates"].as_f64()),
            (tables, Some(candidates)),
            "{name}"
        );
        let bits = |table: &Value| table["key_bits"].as_f64().unwrap();
        let expected = |table: &Value| Some((34.0 - bits(table)).exp2());
        assert!(each.iter().all(|table| table["candidates"].as_f64() == expected(table)), "{name}");
    }
    let shown = room.run(&["plan", "--docs", "17179869184", "--show", "paper-20"]).done();
    for line in [
        "paper-20 for 17,179,869,184 fingerprints of 64 bits, k = 3\n",
        "\n      1        33       0         1           2  0-10 11-21 22-32\n",
        "\n    all                          20          88\n",
    ] {
        assert!(shown.text().contains(line), "{}", shown.text());
    }
    let four = room.run(&["plan", "--docs", "67108864"]).done();
    let row = four.text().lines().find(|line| line.contains(" paper-4 ")).unwrap();
    assert!(row.contains("4,096"), "{}", four.text());
    let small = plan(&["8G", "--no-ids", "--memory", "64G"]);
    let bytes = small["choice"]["bytes"].as_u64().unwrap();
    assert!((40_000_000_000..64_000_000_000).contains(&bytes), "{bytes}");
    let unknown = room.run(&["plan", "--docs", "1M", "--show", "paper-11"]);
    assert!(unknown.code == Some(1) && unknown.stderr.contains("no plan paper-11 for 64 bits"));

    let table = room.run(&["plan", "--docs", "8e9", "-k", "8"]).done();
    assert!(table.text().starts_with("8,000,000,000 fingerprints of 64 bits, k = 8, at most "));
    assert!(table.text().contains("\n* parts-2 ") && table.text().contains("\nwarning: at k = 8 "));
    room.refuses(
        &["plan", "--docs", "1M", "--memory", "1M"],
        1,
        "no plan for 1000000 fingerprints of 64 bits and k = 3 fits into 1000 kB: the smallest, \
         parts-1, takes 9263 kB; allow that much, or take fewer fingerprints at a time",
    );
    let run = room.run(&["plan", "--docs", "many"]);
    assert!(run.code == Some(2) && run.stderr.contains("such as 8000000, 8M or 8e9"));
}
