//! Every verb tells the same story about one corpus, and it is the story of the brute force: at any
//! width and radius, number of threads, compression, and way for the input to arrive.

use crate::corpus::made;
use crate::expectation::{Expectation, Printed, Verified, firsts};
use crate::labelled::unpacked;
use crate::nearprint::{command, repository, run, run_with};
use crate::room::{Room, gzip, zstd};
use std::collections::HashSet;
use std::fs;
use std::process::Stdio;

const REPORTS: [&str; 8] = [
    "-o",
    "kept.jsonl",
    "--removed",
    "removed.jsonl",
    "--pairs",
    "pairs.jsonl",
    "--clusters",
    "clusters.jsonl",
];

/// The clusters of `clusters`.
const CONNECTED: [&str; 2] = ["--cluster-rule", "connected"];

/// Checks every verb on the rows of `input`, whose ids are unique, against the brute force.
fn agree(input: &str, width: u32, k: u32) -> Expectation {
    let room = Room::new();
    room.write("in.jsonl", input);
    let (width, radius) = (width.to_string(), k.to_string());
    let sized = |args: &[&'static str]| -> Vec<String> {
        let flags = ["--width", &width, "-k", &radius];
        let flags = if args[0] == "fingerprint" { &flags[..2] } else { &flags[..] };
        args.iter().chain(flags).map(ToString::to_string).collect()
    };
    let go = |args: &[&'static str]| {
        let args = sized(args);
        room.run(&args.iter().map(String::as_str).collect::<Vec<_>>()).done()
    };
    let fingerprints = go(&["fingerprint", "in.jsonl"]);
    let printed = Printed::all(fingerprints.text());
    assert_eq!(printed.len(), input.lines().count());
    let expected = Expectation::new(&printed, k, |members| members[0]);

    let mut dedup = vec!["dedup", "in.jsonl", "--summary", "summary.json"];
    dedup.extend(CONNECTED);
    dedup.extend(REPORTS);
    go(&dedup);
    assert_eq!(room.text("pairs.jsonl"), expected.pairs);
    assert_eq!(room.text("clusters.jsonl"), expected.clusters);
    assert_eq!(room.text("removed.jsonl"), expected.removed);
    assert_eq!(room.text("kept.jsonl"), expected.lines(input));
    let summary: serde_json::Value = serde_json::from_str(&room.text("summary.json")).unwrap();
    assert_eq!(summary["documents"], printed.len());
    assert_eq!(summary["kept"], expected.survivors.len());
    assert_eq!(summary["removed"], expected.removed.lines().count());
    assert_eq!(summary["pairs"], expected.pairs.lines().count());
    assert_eq!(summary["clusters"], expected.groups);
    assert_eq!(summary["empty"], printed.iter().filter(|one| one.empty).count());
    assert_eq!(go(&["pairs", "in.jsonl"]).text(), expected.pairs);
    assert_eq!(go(&["clusters", "in.jsonl"]).text(), expected.clusters);

    // Fingerprints in the place of texts: as rows, told by the first or forced, and as raw words,
    // which say nothing of contents.
    room.write("codes.jsonl", fingerprints.text());
    assert_eq!(go(&["pairs", "codes.jsonl"]).text(), expected.pairs);
    assert_eq!(go(&["clusters", "codes.jsonl", "--fingerprints"]).text(), expected.clusters);
    let words = printed.iter().flat_map(|one| &one.words[..one.digits / 16]);
    room.write("codes.bin", words.flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
    let by_number: Vec<_> =
        (0..).zip(printed).map(|(n, p)| Printed { id: number(n), content: None, ..p }).collect();
    let expected_by_number = Expectation::new(&by_number, k, |members| members[0]);
    let format = match width.as_str() {
        "64" => "--input-format=u64",
        "128" => "--input-format=u128",
        _ => "--input-format=u256",
    };
    assert_eq!(go(&["pairs", "codes.bin", format]).text(), expected_by_number.pairs);
    assert_eq!(go(&["clusters", "codes.bin", format]).text(), expected_by_number.clusters);
    expected
}

#[test]
fn clusters_by_stars_are_those_of_dedup() {
    let room = Room::new();
    room.write("in.jsonl", unpacked("licences.jsonl.gz"));
    room.run(&["dedup", "in.jsonl", "-o", "kept.jsonl", "--clusters", "stars.jsonl"]).done();
    let star = ["clusters", "in.jsonl", "--cluster-rule", "star"];
    let run = room.run(&star).done();
    assert!(run.text() == room.text("stars.jsonl"));
    assert!(run.stderr.contains(" star clusters of 218 documents"), "{}", run.stderr);
    assert!(room.run(&["clusters", "in.jsonl"]).done().text().lines().count() > 218);
    // A radius alone connects, unless stars are asked for; fingerprints have no stars.
    let radius = ["-k", "3", "--width", "64"];
    room.run(
        &[&["dedup", "in.jsonl", "--clusters", "near.jsonl", "-o", "far.jsonl"], &radius[..]]
            .concat(),
    )
    .done();
    assert!(room.run(&[&star[..], &radius].concat()).done().text() == room.text("near.jsonl"));
    let printed = room.run(&["fingerprint", "in.jsonl"]).done();
    room.write("codes.jsonl", printed.text());
    room.run(&["clusters", "codes.jsonl", "--cluster-rule", "star"]).refused(
        2,
        "--cluster-rule star: the input holds fingerprints, whose pairs connect; give the texts, or leave it out",
    );
}

/// Chooses among the ascending positions of a cluster.
type Keep<'a> = &'a dyn Fn(&[usize]) -> usize;

fn number(n: u32) -> String {
    n.to_string()
}

fn sample(name: &str) -> String {
    fs::read_to_string(repository().join("samples").join(name)).unwrap()
}

#[test]
fn every_verb_agrees_with_the_brute_force_on_the_samples() {
    let mut pairs = 0;
    for name in ["news.jsonl", "zh.jsonl", "ja.jsonl"] {
        let input = sample(name);
        for (width, k) in [(64, 0), (64, 3), (64, 9), (64, 19), (128, 12), (256, 12), (256, 60)] {
            pairs += agree(&input, width, k).pairs.lines().count();
        }
    }
    assert!(pairs > 100, "{pairs} pairs show nothing");
}

#[test]
fn every_verb_agrees_with_the_brute_force_on_the_licences() {
    let input = unpacked("licences.jsonl.gz");
    let few = agree(&input, 64, 3);
    assert!(few.groups > 20 && few.pairs.lines().count() > 70, "{} clusters", few.groups);
    let many = agree(&input, 128, 12);
    assert!(many.pairs.lines().count() > few.pairs.lines().count());
}

#[test]
fn the_keep_rule_chooses_within_the_same_clusters() {
    let input = sample("news.jsonl");
    let room = Room::new();
    room.write("in.jsonl", &input);
    let fingerprints = room.run(&["fingerprint", "in.jsonl"]).done();
    let printed = Printed::all(fingerprints.text());
    let rows = crate::nearprint::rows(&input);
    let length = |at: &usize| rows[*at]["text"].as_str().unwrap().len();
    // Of equals `max_by_key` takes the last and `min_by_key` the first; the first is right.
    let longest = |members: &[usize]| *members.iter().rev().max_by_key(|at| length(at)).unwrap();
    let shortest = |members: &[usize]| *members.iter().min_by_key(|at| length(at)).unwrap();
    let rules: [(&str, Keep<'_>); 4] = [
        ("first", &|members| members[0]),
        ("last", &|members| members[members.len() - 1]),
        ("longest", &longest),
        ("shortest", &shortest),
    ];
    let mut removed = Vec::new();
    for (rule, keep) in rules {
        let expected = Expectation::new(&printed, 9, keep);
        let args = ["dedup", "in.jsonl", "-k9", "--width=64", "--force", "--keep", rule];
        room.run(&[&args[..], &REPORTS[..], &CONNECTED].concat()).done();
        assert_eq!(room.text("removed.jsonl"), expected.removed, "{rule}");
        assert_eq!(room.text("clusters.jsonl"), expected.clusters, "{rule}");
        assert_eq!(room.text("kept.jsonl"), expected.lines(&input), "{rule}");
        removed.push(expected.removed);
    }
    removed.sort();
    removed.dedup();
    assert_eq!(removed.len(), 4, "the sample does not tell the rules apart");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let room = Room::new();
    room.write("in.jsonl", made());
    let files = ["kept.jsonl", "removed.jsonl", "pairs.jsonl", "clusters.jsonl"];
    let answers = ["1", "2", "5"].map(|threads| {
        let radius = ["--width", "64", "-k3", "--threads", threads];
        let args = [&["dedup", "in.jsonl", "--force"], &radius[..], &REPORTS, &CONNECTED];
        room.run(&args.concat()).done();
        let fingerprints = room.run(&["fingerprint", "in.jsonl", "--threads", threads]).done();
        let pairs = room.run(&[&["pairs", "in.jsonl"], &radius[..]].concat()).done();
        let clusters = room.run(&[&["clusters", "in.jsonl"], &radius[..]].concat()).done();
        assert_eq!(pairs.text(), room.text("pairs.jsonl"));
        assert_eq!(clusters.text(), room.text("clusters.jsonl"));
        (files.map(|file| room.text(file)), fingerprints.stdout)
    });
    assert!(answers[0].0[1].lines().count() > 300, "too few copies were found");
    assert!(answers[0] == answers[1] && answers[0] == answers[2]);
}

#[test]
fn several_threads_write_what_one_writes() {
    let room = Room::new();
    let made = made();
    let lines: Vec<&str> = made.lines().collect();
    let (first, rest) = lines.split_at(1000);
    let (second, third) = rest.split_at(1000);
    // Without a line end, with blank lines, and with a row that several batches would go into.
    room.write("a.jsonl", first.join("\n"));
    room.write("b.jsonl", second.join("\n\n\r\n") + "\n");
    let long = format!("\n{{\"id\": \"long\", \"text\": \"{}\"}}\n", "long words ".repeat(60_000));
    room.write("c.jsonl", third.join("\n") + "\nno row\n" + &long + &third.join("\n"));
    let run = |output: &str, flags: &[&str]| {
        let args = ["dedup", "a.jsonl", "b.jsonl", "c.jsonl", "-o", output, "--on-error", "skip"];
        let run = room.run(&[&args[..], flags].concat()).done();
        assert!(run.stderr.contains("c.jsonl"), "{}", run.stderr);
    };
    // What is compressed is written by one thread.
    run("kept.jsonl.gz", &[]);
    let expected = unpacked(&room.path("kept.jsonl.gz").display().to_string());
    assert!(expected.lines().count() > 2000);
    for threads in ["1", "2", "7"] {
        run("kept.jsonl", &["--threads", threads, "--force"]);
        assert!(room.text("kept.jsonl") == expected, "{threads} threads");
    }
}

#[test]
fn the_made_corpus_agrees_with_the_brute_force() {
    let expected = agree(&made(), 64, 3);
    assert!(expected.groups > 250, "{} clusters", expected.groups);
}

#[test]
fn stars_of_verified_pairs_agree_with_the_brute_force() {
    let input = made();
    let rows = crate::nearprint::rows(&input);
    let texts: Vec<String> =
        rows.iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect();
    let length = |at: usize| texts[at].len();
    let central = |a: usize, b: usize, degrees: &[usize]| {
        (degrees[b], a) < (degrees[a], b) || degrees[a] == degrees[b] && a < b
    };
    let first = |a: usize, b: usize, _: &[usize]| a < b;
    let longest =
        |a: usize, b: usize, _: &[usize]| length(a) > length(b) || length(a) == length(b) && a < b;
    let room = Room::new();
    room.write("in.jsonl", &input);
    let mut answers = Vec::new();
    for (flags, width, k, least) in [
        // Bands miss no pair of these by chance, but those beyond the radius beside them.
        ("", "128", 36, 0.8),
        ("--keep first", "128", 36, 0.8),
        ("--keep longest --width 64", "64", 22, 0.8),
        ("--similarity 0.95", "128", 22, 0.95),
        ("--similarity 0.95 --memory 64M --threads 1", "128", 22, 0.95),
        ("-k 30 --width 256 --verify jaccard=0.7", "256", 30, 0.7),
    ] {
        let printed = room.run(&["fingerprint", "in.jsonl", "--width", width]).done();
        let printed = Printed::all(printed.text());
        let turn: &dyn Fn(usize, usize, &[usize]) -> bool = match flags.split(' ').nth(1) {
            Some("first") => &first,
            Some("longest") => &longest,
            _ => &central,
        };
        let expected = Verified::new(&printed, &texts, (k, least), turn);
        let flags: Vec<_> = flags.split_whitespace().collect();
        let args = [&["dedup", "in.jsonl", "--force"][..], &REPORTS[..], &flags].concat();
        room.run(&args).done();
        assert!(room.text("pairs.jsonl") == expected.pairs, "{flags:?}");
        assert!(room.text("clusters.jsonl") == expected.clusters, "{flags:?}");
        assert!(room.text("removed.jsonl") == expected.removed, "{flags:?}");
        let lines: Vec<_> = input.split_inclusive('\n').collect();
        let kept: String = expected.survivors.iter().map(|&at| lines[at]).collect();
        assert!(room.text("kept.jsonl") == kept, "{flags:?}");
        answers.push(expected.removed);
    }
    assert!(answers[0].lines().count() > 500 && answers[0] != answers[1]);
    assert!(answers[2] != answers[3]);
}

#[test]
fn a_reference_comes_before_all_others_and_is_not_written() {
    let input = made();
    let room = Room::new();
    let lines: Vec<_> = input.split_inclusive('\n').collect();
    let empty = "{\"id\":\"none\",\"text\":\"\"}\n";
    let (old, new) = lines.split_at(2000);
    room.write("old/1.jsonl", [&old[..700].concat(), empty].concat());
    room.write("old/2.jsonl", old[700..].concat());
    room.write("new.jsonl", [empty, &new.concat()].concat());
    room.write("both.jsonl", [&old.concat(), empty, &new.concat()].concat());
    for flags in ["--keep first", "--keep longest", "", "--keep last -k 3", "--width 64"] {
        let flags: Vec<_> = flags.split_whitespace().collect();
        let against = ["dedup", "new.jsonl", "--force", "--against", "old", "--summary", "s.json"];
        room.run(&[&against[..], &REPORTS[..], &flags].concat()).done();
        let [kept, removed, clusters] =
            ["kept.jsonl", "removed.jsonl", "clusters.jsonl"].map(|file| room.text(file));
        let ids = |rows: &str, field: &str| -> Vec<String> {
            let rows = crate::nearprint::rows(rows);
            rows.iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
        };
        // What stays and what goes are the new documents, each once, in their order.
        let (kept_ids, removed_ids) = (ids(&kept, "id"), ids(&removed, "id"));
        let mut expected = kept_ids.iter().map(String::as_str).peekable();
        let stays: String = room
            .text("new.jsonl")
            .split_inclusive('\n')
            .filter(|line| {
                let id = crate::nearprint::rows(line)[0]["id"].as_str().unwrap().to_owned();
                let stays = expected.next_if(|kept| *kept == id).is_some();
                assert_eq!(stays, !removed_ids.contains(&id), "{flags:?} {id}");
                stays
            })
            .collect();
        assert!(stays == kept, "{flags:?}");
        // Whoever has a near-duplicate in the reference goes because of one there.
        let of_old = |id: &String| id[1..].parse::<u32>().is_ok_and(|number| number < 2000);
        let because = ids(&removed, "kept");
        assert!(because.iter().filter(|id| of_old(id)).count() > 50, "{flags:?}");
        for row in crate::nearprint::rows(&room.text("pairs.jsonl")) {
            let [a, b] = ["a", "b"].map(|side| row[side].as_str().unwrap().to_owned());
            assert!(!of_old(&a) || of_old(&b) || removed_ids.contains(&b), "{flags:?} {a} {b}");
        }
        let summary: serde_json::Value = serde_json::from_str(&room.text("s.json")).unwrap();
        // One has no words.
        assert_eq!(summary["reference"], 2001);
        assert_eq!(summary["removed"], removed_ids.len());
        assert!(ids(&clusters, "id").iter().any(of_old));
        // Each that goes is a near-duplicate of the one because of which it goes.
        let pairs = crate::nearprint::rows(&room.text("pairs.jsonl"));
        let pairs: HashSet<_> =
            pairs.iter().map(|row| ["a", "b"].map(|id| row[id].to_string())).collect();
        let firsts = firsts(&[&old.concat(), &*new.concat()].concat());
        for (id, because) in removed_ids.iter().zip(&because) {
            let [a, b] = [because, id].map(|id| firsts[&format!("\"{id}\"")].clone());
            // Of two documents of the reference no pair is listed.
            let is_old = |id: &String| of_old(&id.trim_matches('"').to_owned());
            if a == b || is_old(&a) && is_old(&b) {
                continue;
            }
            let either = [[a.clone(), b.clone()], [b, a]];
            assert!(either.iter().any(|pair| pairs.contains(pair)), "{flags:?} {id} {because}");
        }
    }
    let taken = ["dedup", "new.jsonl", "-o", "old/1.jsonl", "--against", "old", "--force"];
    room.refuses(&taken, 1, "old/1.jsonl is the input old/1.jsonl; name another output");
}

#[test]
fn notes_say_what_the_reports_say_and_change_nothing_else() {
    let input = sample("news.jsonl");
    let room = Room::new();
    room.write("in.jsonl", &input);
    room.run(&[&["dedup", "in.jsonl"][..], &REPORTS].concat()).done();
    let noted = room.run(&["dedup", "in.jsonl", "-o", "-", "--annotate"]).done();
    let before = crate::nearprint::rows(&input);
    let mut removed = crate::nearprint::rows(&room.text("removed.jsonl")).into_iter();
    let clusters = crate::nearprint::rows(&room.text("clusters.jsonl"));
    let kept: String = noted
        .text()
        .split_inclusive('\n')
        .zip(input.split_inclusive('\n'))
        .zip(&before)
        .filter_map(|((line, original), before)| {
            let mut row = crate::nearprint::rows(line).remove(0);
            let note = row.as_object_mut().unwrap().remove("nearprint").unwrap();
            assert_eq!(&row, before);
            assert!(line.starts_with(original.trim_end().strip_suffix('}').unwrap()));
            let cluster = clusters.iter().find(|cluster| cluster["id"] == row["id"]);
            let number = cluster.map_or(serde_json::Value::Null, |row| row["cluster"].clone());
            assert_eq!(note["cluster"], number);
            if note["kept"] == true {
                return Some(original);
            }
            let gone = removed.next().unwrap();
            assert_eq!(gone["id"], row["id"]);
            for (field, of_note) in
                [("kept", "representative"), ("distance", "distance"), ("similarity", "similarity")]
            {
                assert_eq!(gone[field], note[of_note], "{line}");
            }
            None
        })
        .collect();
    assert_eq!(noted.text().lines().count(), before.len());
    assert_eq!((kept, removed.next()), (room.text("kept.jsonl"), None));
    room.run(&["dedup", "in.jsonl", "-o", "out/", "--annotate"]).done();
    assert_eq!(room.text("out/in.jsonl"), noted.text());
    room.write("texts/a.txt", "one text");
    room.write("texts/b.txt", "one text");
    let rows = room.run(&["dedup", "texts", "-o", "-", "--annotate"]).done();
    let rows = crate::nearprint::rows(rows.text());
    assert_eq!(rows[1]["nearprint"]["representative"], "texts/a.txt");
    room.refuses(
        &["dedup", "texts", "-o", "noted", "--annotate"],
        2,
        "--annotate: texts/a.txt is a document, not a row, so no field can be added; name one \
         output file, such as noted.jsonl",
    );
}

#[test]
fn survivors_are_the_same_however_the_input_arrives() {
    let input = made();
    let room = Room::new();
    room.write("in.jsonl", &input);
    room.write("in.jsonl.gz", gzip(input.as_bytes()));
    room.write("in.jsonl.zst", zstd(input.as_bytes()));
    let (half, rest) = input.split_at(input[..input.len() / 2].rfind('\n').unwrap() + 1);
    room.write("members.gz", [gzip(half.as_bytes()), gzip(rest.as_bytes())].concat());
    room.write("frames.zst", [zstd(half.as_bytes()), zstd(rest.as_bytes())].concat());
    room.write("parts/1.jsonl", half);
    room.write("parts/2.jsonl.gz", gzip(rest.as_bytes()));
    let before = room.names();
    let plain = room.run(&["dedup", "in.jsonl", "-o", "-"]).done();
    assert!(plain.stdout.len() < input.len() * 9 / 10);
    for given in ["in.jsonl.gz", "in.jsonl.zst", "members.gz", "frames.zst", "parts", "parts/*"] {
        let run = room.run(&["dedup", given, "-o", "-"]).done();
        assert!(run.stdout == plain.stdout, "{given}");
    }
    for piped in ["in.jsonl", "in.jsonl.gz", "in.jsonl.zst"] {
        let run = run_with(room.command(&["dedup", "-", "-o", "-"]), room.read(piped)).done();
        assert!(run.stdout == plain.stdout, "{piped} through a pipe");
    }
    assert_eq!(room.names(), before, "a copy of the standard input was left behind");
}

#[test]
fn a_named_pipe_is_read_like_a_file() {
    let input = sample("news.jsonl");
    let room = Room::new();
    room.write("in.jsonl", &input);
    let made = std::process::Command::new("mkfifo").arg(room.path("pipe")).status().unwrap();
    assert!(made.success());
    let child = room
        .command(&["dedup", "pipe", "-o", "-", "--input-format", "jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    fs::write(room.path("pipe"), &input).unwrap();
    let piped = crate::nearprint::Run::of(child.wait_with_output().unwrap()).done();
    assert_eq!(piped.text(), room.run(&["dedup", "in.jsonl", "-o", "-"]).done().text());
    assert_eq!(room.names(), ["in.jsonl", "pipe"]);
}

#[test]
fn outputs_are_compressed_as_their_names_ask() {
    let room = Room::new();
    room.write("in.jsonl", made());
    let plain = room.run(&["dedup", "in.jsonl", "-o", "-"]).done();
    room.run(&["dedup", "in.jsonl", "-o", "kept.jsonl.gz"]).done();
    room.run(&["dedup", "in.jsonl", "-o", "kept.jsonl.zst"]).done();
    let mut unpacked = Vec::new();
    let packed = room.read("kept.jsonl.gz");
    std::io::copy(&mut flate2::read::GzDecoder::new(&packed[..]), &mut unpacked).unwrap();
    assert!(unpacked == plain.stdout);
    assert!(zstd::decode_all(&room.read("kept.jsonl.zst")[..]).unwrap() == plain.stdout);
}

#[test]
fn survivors_of_unique_documents_are_the_input_byte_for_byte() {
    let odd = "{\"text\":\"the first row ends like those of Windows\"}\r\n\
               \t { \"more\" : [1, {\"text\":\"not this\"}],\t\"text\" :\"odd   spacing\\tand \
               \\u00e9scapes \\/ stay\" , \"n\": 1.50e+1 }  \n\
               {\"text\":\"\"}\n\
               {\"id\":null,\"text\":\"naïve 文書 🙂\"}\r\n\
               {\"id\":12345678901234567890.10,\"text\":\"numbers keep their digits\"}\n\
               {\"text\":\"the last row has no line end\"}";
    let room = Room::new();
    room.write("in.jsonl", odd);
    room.run(&["dedup", "in.jsonl", "-o", "kept.jsonl"]).done();
    assert_eq!(room.text("kept.jsonl"), odd);
    room.run(&["dedup", "in.jsonl", "-o", "kept/"]).done();
    assert_eq!(room.text("kept/in.jsonl"), odd);
    let piped = run_with(room.command(&["dedup", "-", "-o", "-"]), odd).done();
    assert_eq!(piped.text(), odd);
    let rows = room.run(&["fingerprint", "in.jsonl"]).done();
    let ids = crate::nearprint::rows(rows.text());
    let ids: Vec<_> = ids.iter().map(|row| row["id"].to_string()).collect();
    assert_eq!(ids[..4], [1, 2, 3, 4].map(|line| format!("\"in.jsonl:{line}\"")));
    assert!(rows.text().contains("{\"id\":12345678901234567890.10,"), "{}", rows.text());
}

#[test]
fn files_without_a_last_line_end_do_not_run_into_each_other() {
    let room = Room::new();
    let rows = ["the first file", "a second one", "and the third, which is last"]
        .map(|text| format!("{{\"text\":\"{text}\"}}"));
    for (at, row) in rows.iter().enumerate() {
        room.write(&format!("in/{at}.jsonl"), row);
    }
    room.run(&["dedup", "in", "-o", "kept.jsonl"]).done();
    assert_eq!(room.text("kept.jsonl"), rows.join("\n"));
}

#[test]
fn a_folder_that_mirrors_the_input_holds_the_same_survivors() {
    let room = Room::new();
    let parts = ["news.jsonl", "zh.jsonl", "ja.jsonl", "news.jsonl"].map(sample);
    for (at, part) in parts.iter().enumerate() {
        room.write(&format!("in/{at}.jsonl"), part);
    }
    let together = room.run(&["dedup", "in", "-o", "-"]).done();
    room.run(&["dedup", "in", "-o", "out"]).done();
    let files = ["out/0.jsonl", "out/1.jsonl", "out/2.jsonl", "out/3.jsonl"].map(|f| room.text(f));
    assert_eq!(files.concat(), together.text());
    // The last file repeats the first. Its empty document is never a duplicate.
    assert_eq!(crate::nearprint::rows(&files[3]).len(), 1);
}

#[test]
fn the_samples_give_the_same_from_anywhere() {
    let root = repository();
    let here = run(&root, &["pairs", "samples/zh.jsonl"]).done();
    let there = run_with(command(&root.join("samples"), &["pairs", "zh.jsonl"]), "").done();
    assert_eq!(here.text(), there.text());
}
