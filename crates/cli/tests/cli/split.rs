//! Parts of a corpus.

use crate::labels::{FOX, room};
use crate::nearprint::{rows, run_with};
use crate::room::{Room, gzip};
use crate::warc::record;
use serde_json::{Value, json};

#[test]
fn a_split_tells_ids_that_repeat() {
    let room = Room::new();
    let row = |number: u32| {
        format!("{{\"id\":\"x\",\"text\":\"text {number} of {number} and {number}\"}}\n")
    };
    room.write("in.jsonl", (0..10).map(row).collect::<String>());
    let split = ["split", "in.jsonl", "-o", "parts/", "--parts", "a=50,b=50", "--force"];
    let said = "9 documents repeat an earlier id, the first is \"x\"";
    let line = format!("{said}: documents of one id are in one part\n");
    for balance in [&[][..], &["--balance"]] {
        let run = room.run(&[&split[..], balance].concat()).done();
        assert!(run.stderr.contains(&line), "{}", run.stderr);
        let mut parts =
            ["a", "b"].map(|part| rows(&room.text(&format!("parts/{part}.jsonl"))).len());
        parts.sort_unstable();
        assert_eq!(parts, [0, 10], "{balance:?}");
    }
}

#[test]
fn parts_of_an_earlier_run_are_named() {
    let room = Room::new();
    let row = |number: u32| format!("{{\"text\":\"alone w{number} x{number} y{number}\"}}\n");
    room.write("in/in.jsonl", (0..40).map(row).collect::<String>());
    // A path with the name of a part makes no folder.
    room.write("named/.keep", "");
    let split = |out: &str, flags: &[&str]| {
        let args = ["split", "in/in.jsonl", "-o", out, "--summary", "in/s.json", "--force"];
        room.run(&[&args[..], flags].concat()).done().stderr
    };
    let (three, two) = (["--parts", "a=50,b=30,c=20"], ["--parts", "a=50,b=50"]);
    let said = "not of this run";
    for (out, folder, others) in [
        ("parts/", "parts/", "c.jsonl, more.jsonl, notes.txt"),
        ("named/x-{part}.jsonl", "named", "x-c.jsonl"),
        // The input, and what the run writes besides, are no parts.
        ("in/", "in/", "c.jsonl, more.jsonl, notes.txt"),
    ] {
        let first = split(out, &three);
        assert!(!first.contains(said), "{first}");
        for more in ["notes.txt", "more.jsonl", ".hidden"] {
            room.write(&format!("{folder}/{more}"), "");
        }
        let second = split(out, &two);
        let line = format!("beside the parts, and {said}: {others} in {folder}\n");
        assert!(second.contains(&line), "{second}");
        assert!(!split(out, &[&two[..], &["-q"]].concat()).contains(said));
    }
}

#[test]
fn a_document_without_an_id_is_in_one_part_under_any_path() {
    let room = Room::new();
    let row =
        |number: u32| format!("{{\"text\":\"alone w{number} x{number} y{number} z{number}\"}}\n");
    let text: String = (0..60).map(row).collect();
    room.write("in.jsonl", &text);
    room.write("again/in.jsonl.gz", gzip(text.as_bytes()));
    // Others before it and in another file move nothing.
    room.write("more/0.jsonl", (60..80).map(row).collect::<String>());
    room.write("more/1.jsonl", &text);
    let absolute = room.arg("in.jsonl");
    let part = |input: &str, stdin: &str| {
        let out = "{part}.jsonl";
        let args = [
            "split",
            input,
            "-o",
            out,
            "--parts",
            "a=50,b=50",
            "--force",
            "--input-format",
            "jsonl",
        ];
        let args = if input == "-" { &args[..] } else { &args[..7] };
        run_with(room.command(args), stdin).done();
        let lines = room.text("a.jsonl");
        lines.lines().filter(|line| text.contains(*line)).map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = part("in.jsonl", "");
    assert!((10..50).contains(&expected.len()), "{}", expected.len());
    for input in ["./in.jsonl", absolute.as_str(), "again/in.jsonl.gz", "more", "-"] {
        let mut found = part(input, if input == "-" { &text } else { "" });
        found.sort();
        let mut expected = expected.clone();
        expected.sort();
        assert_eq!(found, expected, "{input}");
    }
}

#[test]
fn parts_of_what_no_name_tells_are_called_by_its_format() {
    let room = Room::new();
    let table = "id,text\n1,one two three four\n2,five six seven eight\n";
    let archive: String = (0..2)
        .map(|id| record("conversion", "text/plain", id, &format!("text {id} of {id} and {id}")))
        .collect();
    let split = |input: &str, flags: &[&str], stdin: &[u8]| {
        let args = ["split", input, "-o", "parts/", "--parts", "a=50,b=50", "--force", "-q"];
        run_with(room.command(&[&args[..], flags].concat()), stdin).done();
    };
    let both = |ending: &str| {
        let parts = ["a", "b"].map(|part| format!("parts/{part}{ending}"));
        let bytes = parts.map(|part| room.read(&part));
        std::fs::remove_dir_all(room.path("parts")).unwrap();
        bytes.concat()
    };
    split("-", &[], table.as_bytes());
    assert!(String::from_utf8(both(".csv")).unwrap().contains("five six"));
    split("-", &["--input-format", "csv"], table.as_bytes());
    both(".csv");
    split("-", &[], archive.as_bytes());
    assert_eq!(both(".warc").len(), archive.len());
    split("-", &[], gzip(archive.as_bytes()).as_slice());
    assert_eq!(both(".warc").len(), archive.len());
    // So are those of a file whose name tells nothing.
    room.write("part-0000", table);
    split("part-0000", &[], b"");
    both(".csv");
    room.write("part-0000.gz", gzip(archive.as_bytes()));
    split("part-0000.gz", &[], b"");
    both(".warc.gz");
    // Nothing is read where nothing can be written.
    let args = ["split", "-", "-o", "parts.csv", "--parts", "a=50,b=50"];
    let run = run_with(room.command(&args), table);
    assert!(run.code == Some(2) && run.stderr.contains("parts.csv is one file"), "{}", run.stderr);
}

#[test]
fn an_empty_part_and_a_leak_that_was_not_found_are_said() {
    let room = Room::new();
    room.write("in.jsonl", "{\"id\":1,\"text\":\"one two three four\"}\n{\"id\":2,\"text\":\"five six seven eight\"}\n");
    let split = [
        "split",
        "in.jsonl",
        "-o",
        "parts/",
        "--parts",
        "a=0.999,b=0.001",
        "--summary",
        "s.json",
        "--force",
    ];
    let run = room.run(&split).done();
    assert!(run.stderr.contains(
        "a: 2 documents (100.0 %, asked for 99.9 %)\nb: 0 documents (0.0 %, asked for 0.1 %)\n"
    ));
    assert!(
        run.stderr.contains(
            "a part is empty: --balance gives parts their sizes, if there are groups enough\n"
        ),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("closest pair"), "{}", run.stderr);
    let row = |number: u32| {
        format!("{{\"id\":{number},\"text\":\"w{number} x{number} y{number} z{number}\"}}\n")
    };
    room.write("in.jsonl", (0..40).map(row).collect::<String>());
    let run = room.run(&[&split[..4], &["--balance"], &split[6..]].concat()).done();
    let said = "closest pair across parts, among those compared below 0.8: none; others may be across parts\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let told: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!((&told["compared_below"], &told["largest_leak"]), (&json!(0.8), &Value::Null));
    room.refuses(
        &["split", "in.jsonl", "-o", "new.jsonl"],
        2,
        "--output: new.jsonl is one file, and there are 3 parts: name a folder, or a path with {part} in it, such as \
         out/{part}.jsonl",
    );
}

#[test]
fn the_closest_pair_that_was_compared_is_not_called_the_closest_of_all() {
    let room = Room::new();
    let row = |number: u32| {
        let word = |at: u32| match at {
            0..85 => format!("s{}x{at}", number / 2),
            _ => format!("o{number}x{at}"),
        };
        let words: Vec<_> = (0..100).map(word).collect();
        json!({"id": number, "text": words.join(" ")}).to_string() + "\n"
    };
    room.write("in.jsonl", (0..80).map(row).collect::<String>());
    let run = room.run(&["split", "in.jsonl", "-o", "parts/", "--parts", "a=50,b=50"]).done();
    let closest = run.stderr.lines().find(|line| line.starts_with("closest pair")).unwrap();
    assert!(closest.contains("compared below 0.8: 0.7345 ("), "{closest}");
    assert!(closest.ends_with("); others may be closer"), "{closest}");
}

#[test]
fn a_corpus_is_split() {
    let room = room();
    let run = room
        .run(&[
            "split",
            "in.jsonl",
            "-o",
            "parts",
            "--parts",
            "train=50,test=50",
            "--assignments",
            "a.jsonl",
        ])
        .done();
    assert!(run.stderr.contains("8 documents, 2 clusters of near-duplicates"), "{}", run.stderr);
    let part = |name: &str| rows(&room.text(&format!("parts/{name}.jsonl")));
    let all = [part("train"), part("test")];
    assert_eq!(all.iter().map(Vec::len).sum::<usize>(), 8);
    for rows in &all {
        assert!([0, 5].contains(&rows.iter().filter(|row| row["text"] == FOX).count()));
    }
    let assigned = rows(&room.text("a.jsonl"));
    assert!(assigned.iter().all(|row| {
        let part = part(row["part"].as_str().unwrap());
        part.iter().any(|other| other["id"] == row["id"])
    }));
    room.run(&["split", "in.csv", "-o", "{part}.csv", "--parts", "a=0.5,b=0.5", "--balance"])
        .done();
    assert!(
        room.text("a.csv").starts_with("id,dump,text\n")
            && room.text("b.csv").starts_with("id,dump,text\n")
    );
    room.refuses(
        &["split", "in.csv", "-o", "p", "--parts", "a=50,b=40"],
        2,
        "--parts: the shares add up to 90, not to 100 or 1",
    );
    room.refuses(&["split", "in.csv", "-o", "in.jsonl"], 2, "--output: in.jsonl is one file, and there are 3 parts: name a folder, or a path with {part} in it, such as \
         out/{part}.jsonl");
}

#[test]
fn all_pairs_of_a_check_are_found_too() {
    let room = room();
    let said = |flags: &[&str]| {
        let args = ["split", "in.jsonl", "-o", "parts/", "--parts", "a=50,b=50", "--force"];
        room.run(&[&args[..], flags].concat()).done().stderr
    };
    for rule in ["jaccard=0.5", "containment=0.5", "cosine=0.8"] {
        let by_check = said(&["--verify", rule]);
        assert!(by_check.contains("by their rarest features"), "{rule}: {by_check}");
    }
    for flags in
        [&["--verify", "none"][..], &["-k", "3"], &["--verify", "jaccard=0.5", "--recall", "0.9"]]
    {
        let other = said(flags);
        assert!(!other.contains("by their rarest features"), "{flags:?}: {other}");
    }
}

#[test]
fn a_split_leaves_no_folder_without_a_file() {
    let room = Room::new();
    room.write("in.jsonl", "{\"id\":1,\"text\":\"one two three\"}\n{broken\n");
    let split = ["split", "in.jsonl", "-o", "new/parts", "-q", "--parts", "a=50,b=50"];
    for more in [&[][..], &["--stratify", "none", "--on-error", "skip"], &["--memory", "1M"]] {
        let before = room.contents();
        assert_eq!(room.run(&[&split[..], more].concat()).code, Some(1), "{more:?}");
        assert_eq!(room.contents(), before, "{more:?}");
    }
    // Of whole files a part may get none.
    room.write("pages/one.txt", "one two three four five six");
    room.write("pages/two.txt", "one two three four five six");
    room.run(&["split", "pages", "-o", "parts", "-q", "--parts", "a=50,b=50"]).done();
    let parts: Vec<_> = room.names().into_iter().filter(|name| name.starts_with("parts")).collect();
    assert_eq!(parts.len(), 4, "one part has both: {parts:?}");
    room.run(&[&split[..], &["--on-error", "skip"]].concat()).done();
    assert!(room.path("new/parts/a.jsonl").exists() && room.path("new/parts/b.jsonl").exists());
}

/// A file of documents, of which every one of the second half holds one of the first, in so much more text that the two
/// are no near-duplicates.
fn within_others() -> Room {
    let room = Room::new();
    let words = |seed: usize, count: usize| -> String {
        (0..count).map(|at| format!("w{seed}x{at} ")).collect()
    };
    let own = |id: usize| words(id, 60);
    let text = |id: usize| match id {
        0..30 => own(id),
        id => format!("{}{}", own(id - 30), words(id, 300)),
    };
    let row = |id: usize| json!({ "id": id, "text": text(id) }).to_string() + "\n";
    room.write("in.jsonl", (0..60).map(row).collect::<String>());
    room
}

#[test]
fn a_check_finds_documents_that_stand_in_longer_ones() {
    let room = within_others();
    let split = ["split", "in.jsonl", "-o", "parts/", "--parts", "a=50,b=25,c=25"];
    let run = room.run(&[&split[..], &["--check", "leaks.jsonl"]].concat()).done();
    let part_of = |id: &Value| {
        let is_in = |part: &&str| {
            rows(&room.text(&format!("parts/{part}.jsonl"))).iter().any(|row| row["id"] == *id)
        };
        ["a", "b", "c"].into_iter().find(is_in).unwrap()
    };
    let mut expected: Vec<usize> = (0..30)
        .filter(|id| part_of(&json!(id)) != "a" && part_of(&json!(id + 30)) == "a")
        .collect();
    let leaks = rows(&room.text("leaks.jsonl"));
    let whole = leaks.iter().filter(|row| row["verdict"] == "contaminated");
    let mut found: Vec<usize> = Vec::new();
    for row in whole {
        assert_eq!(row["eval"], part_of(&row["item"]), "{row}");
        found.push(usize::try_from(row["item"].as_u64().unwrap()).unwrap());
    }
    found.sort_unstable();
    expected.sort_unstable();
    assert!(expected.len() > 3, "{expected:?}");
    assert_eq!(found, expected);
    let said = format!("check: {} of ", expected.len());
    assert!(run.stderr.contains(&said), "{}", run.stderr);
    let again = [&split[..], &["--force", "--check"]].concat();
    room.run(&[&again[..], &["other.jsonl"]].concat()).done();
    // No file of the run is lost.
    let before = room.text("in.jsonl");
    for (report, more) in [
        ("in.jsonl", &[][..]),
        ("twice.jsonl", &["--assignments", "twice.jsonl"]),
        ("none/leaks.jsonl", &[]),
    ] {
        let refused = room.run(&[&again[..], &[report], more].concat());
        assert!(refused.code == Some(1) || refused.code == Some(2), "{}", refused.stderr);
        assert_eq!(room.text("in.jsonl"), before);
    }
    // Files of another run lie beside those of this one, and a part may have no document of a file.
    let lines: Vec<&str> = before.lines().collect();
    room.write("two/1.jsonl", lines[..2].join("\n") + "\n");
    room.write("two/2.jsonl", lines[2..].join("\n") + "\n");
    room.write("folders/a/3.jsonl", before.clone());
    room.write("folders/b/3.jsonl", before.clone());
    let folders = [
        "split",
        "two",
        "-o",
        "folders/",
        "--parts",
        "a=50,b=25,c=25",
        "--force",
        "--check",
        "f.jsonl",
    ];
    let run_of_two = room.run(&folders).done();
    assert!(run_of_two.stderr.contains(&said), "{}", run_of_two.stderr);
    assert_eq!(rows(&room.text("f.jsonl")).len(), leaks.len());
    // Tables keep their delimiters.
    let table = before.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let table = table.map(|row| format!("{};{}\n", row["id"], row["text"].as_str().unwrap()));
    room.write("t.csv", format!("id;text\n{}", table.collect::<String>()));
    let tables =
        ["split", "t.csv", "-o", "t.{part}.csv", "--parts", "a=50,b=25,c=25", "--check", "t.jsonl"];
    room.run(&[&tables[..], &["--delimiter", ";"]].concat()).done();
    let of_table = rows(&room.text("t.jsonl"));
    assert!(of_table.iter().any(|row| row["verdict"] == "contaminated"), "{of_table:?}");
    room.write("page.jsonl", "{\"text\":\"<p>a</p>\"}\n");
    let of_pages = ["split", "page.jsonl", "--html", "full", "-o", "p/", "--check", "no.jsonl"];
    let refused = room.run(&of_pages);
    assert!(
        refused.code == Some(2) && refused.stderr.contains("as they are"),
        "{}",
        refused.stderr
    );
    room.write("page.txt", "a text");
    let of_texts = ["split", "page.txt", "-o", "t/", "--check", "no.jsonl"];
    let said = "--check: page.txt has no rows, and documents are looked for by rows of JSONL, CSV, TSV, Parquet or Arrow";
    room.run(&of_texts).refused(2, said);
    assert!(!room.path("t").exists() && !room.path("no.jsonl").exists());
}

#[test]
fn a_check_that_fails_leaves_no_parts() {
    let room = within_others();
    let split = ["split", "in.jsonl", "-o", "parts/", "--parts", "a=50,b=25,c=25", "--check"];
    let little = ["leaks.jsonl", "--threads", "2", "--memory", "40M"];
    let run = room.run(&[&split[..], &little].concat());
    let said = "a search for items of eval sets on 2 threads takes more memory than the 40 MB allowed; allow 64 MB";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
    assert!(!room.path("parts").exists() && !room.path("leaks.jsonl").exists());
    if cfg!(target_os = "linux") {
        let run = room.run(&[&split[..], &["/dev/full"]].concat());
        assert!(run.code == Some(1) && run.stderr.contains("/dev/full"), "{}", run.stderr);
        assert!(!room.path("parts").exists());
    }
    // What stood there stays.
    room.run(&[&split[..], &["leaks.jsonl"]].concat()).done();
    let before = room.text("parts/a.jsonl");
    if cfg!(target_os = "linux") {
        let run = room.run(&[&split[..], &["/dev/full", "--force", "--seed", "7"]].concat());
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert_eq!(room.text("parts/a.jsonl"), before);
    }
}

#[test]
fn a_check_has_nothing_to_look_for_in_parts_without_words_and_takes_rows_without_a_field() {
    let room = Room::new();
    let row = |id: usize| json!({ "id": id, "text": ".".repeat(id + 1) }).to_string() + "\n";
    room.write("dots.jsonl", (0..40).map(row).collect::<String>());
    let parts = ["--parts", "a=50,b=50", "--check", "leaks.jsonl"];
    let run = room.run(&[&["split", "dots.jsonl", "-o", "dots/"][..], &parts].concat()).done();
    let said = "check: no document of the other parts has a word, and there is nothing to look for; leaks.jsonl is not written";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(room.path("dots/b.jsonl").exists() && !room.path("leaks.jsonl").exists());
    // Ids alone decide which part a document is in.
    let in_first = rows(&room.text("dots/a.jsonl"));
    let in_first = |id: usize| in_first.iter().any(|row| row["id"] == id);
    let row = |id: usize| {
        let text = (0..9).map(|at| format!("w{id}x{at} ")).collect::<String>();
        let mut row = json!({ "id": id, "text": text });
        if in_first(id) {
            row["title"] = json!(format!("title {id}"));
        }
        row.to_string() + "\n"
    };
    room.write("in.jsonl", (0..40).map(row).collect::<String>());
    let titles = ["split", "in.jsonl", "-o", "titles/", "--text-field", "title,text"];
    let run = room.run(&[&titles[..], &parts].concat()).done();
    assert!(run.stderr.contains("check: 0 of "), "{}", run.stderr);
    assert!(rows(&room.text("titles/b.jsonl")).iter().all(|row| row["title"].is_null()));
}
