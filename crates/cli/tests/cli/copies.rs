//! Copies that are counted beside survivors, and where notes of them go.

use crate::labels::{FOX, SNOW, room};
use crate::nearprint::rows;
use crate::parquet::room as parquet_room;
use crate::room::Room;
use crate::warc::crawl;
use serde_json::json;

#[test]
fn survivors_say_how_many_documents_they_stand_for() {
    let room = room();
    room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--count-by", "dump"]).done();
    let found: Vec<_> = rows(&room.text("out.jsonl"))
        .into_iter()
        .map(|row| (row["id"].clone(), row["nearprint"].clone(), row["nearprint_note"].clone()))
        .collect();
    let fox = json!({"copies": 5, "sources": {"b": 2, "null": 2, "a": 1}});
    let snow = json!({"copies": 2, "sources": {"b": 2}});
    let empty = json!({"copies": 1, "sources": {"a": 1}});
    let mine = json!("mine");
    assert_eq!(
        found,
        [(json!(0), mine.clone(), fox), (json!(1), mine.clone(), snow), (json!(5), mine, empty)]
    );
    room.run(&[
        "dedup",
        "in.csv",
        "-o",
        "out.csv",
        "--count-by",
        "dump",
        "--rehydrate",
        "weight:log",
    ])
    .done();
    assert_eq!(
        room.text("out.csv"),
        format!(
            "id,dump,text,nearprint_copies,nearprint_weight,nearprint_sources,nearprint_other_sources\n\
             0,a,{FOX},5,3.3219,\"{{\"\"a\"\":1,\"\"b\"\":2,\"\"null\"\":2}}\",\n\
             1,b,{SNOW},2,2.0000,\"{{\"\"b\"\":2}}\",\n5,a,,1,1.0000,\"{{\"\"a\"\":1}}\",\n"
        )
    );
    room.run(&["dedup", "in.csv", "-o", "twice.csv", "--rehydrate", "2"]).done();
    let ids = |name: &str| {
        let text = room.text(name);
        text.lines().skip(1).map(|line| line[..1].to_owned()).collect::<Vec<_>>().concat()
    };
    assert_eq!(ids("twice.csv"), "00115");
}

#[test]
fn a_later_run_counts_anew_in_the_place_of_what_an_earlier_one_wrote() {
    let room = room();
    let parquet = parquet_room("dump");
    for file in ["coded-a.arrow", "coded-b.arrow"] {
        let bytes = std::fs::read(format!("{}/tests/cli/{file}", env!("CARGO_MANIFEST_DIR")));
        room.write(file, bytes.unwrap());
    }
    room.write("a.warc", crawl().concat());
    let counted = ["--count-by", "dump", "--rehydrate", "weight:all"];
    let by_host = ["--count-by", "host", "--rehydrate", "weight:all"];
    let weighed = ["--copies", "--rehydrate", "weight:all"];
    for (room, input, ending, more) in [
        (&room, "in.csv", "csv", &counted[..]),
        (&room, "in.jsonl", "jsonl", &counted),
        (&room, "coded-a.arrow", "arrow", &weighed),
        (&room, "coded-b.arrow", "arrow", &weighed),
        (&room, "a.warc", "warc", &by_host),
        (&parquet, "rows.parquet", "parquet", &counted),
    ] {
        let run = |from: &str, to: &str, flags: &[&str]| {
            room.run(&[&["dedup", from, "-o", to, "--force"], flags].concat()).done()
        };
        let [more_of, plain, again, expected] =
            ["more", "plain", "again", "expected"].map(|stem| format!("{stem}.{ending}"));
        run(input, &more_of, more);
        run(input, &plain, &["--copies"]);
        run(&plain, &expected, &["--copies"]);
        let said = run(&more_of, &again, &["--copies"]).stderr;
        assert!(said.contains("with the note of an earlier run: replaced"), "{input}: {said}");
        if ending == "parquet" {
            let read = |file: &str| rows(room.run(&["dedup", file, "-o", "-", "-q"]).done().text());
            assert_eq!(read(&again), read(&expected));
        } else {
            assert!(room.read(&again) == room.read(&expected), "{input}: {}", room.text(&again));
        }
    }
    // What was no note of an earlier run stays.
    room.write("own.csv", format!("id,nearprint_weight,text\n0,7,{FOX}\n"));
    room.run(&["dedup", "own.csv", "-o", "noted.csv", "--copies"]).done();
    let noted = format!("id,nearprint_weight,text,nearprint_copies\n0,7,{FOX},1\n");
    assert_eq!(room.text("noted.csv"), noted);
    room.run(&["dedup", "own.csv", "-o", "w.csv", "--rehydrate", "weight:all"]).done();
    let header = "id,nearprint_weight,text,nearprint_note_copies,nearprint_note_weight\n";
    assert!(room.text("w.csv").starts_with(header), "{}", room.text("w.csv"));
}

#[test]
fn a_row_has_its_note_by_the_first_name_that_is_free_in_it() {
    const SAID: &str =
        "1 row already with a field of the note's name: the note is in nearprint_note";
    let room = Room::new();
    let row =
        |id: u32, text: &str, more: &str| format!("{{\"id\":{id},\"text\":\"{text}\"{more}}}\n");
    room.write(
        "in/a.jsonl",
        [row(1, FOX, ""), row(2, SNOW, ",\"nearprint_note\":{\"copies\":9}")].concat(),
    );
    room.write(
        "in/b.jsonl",
        [row(3, FOX, ""), row(4, "no fox and no snow is here", ",\"nearprint\":\"mine\"")].concat(),
    );
    for flags in [&["--copies"][..], &["--count-by", "id"]] {
        for folder in ["out", "work", "clean"] {
            let _there = std::fs::remove_dir_all(room.path(folder));
        }
        let run =
            room.run(&[&["dedup", "in", "-o", "out/", "--keep", "first"], flags].concat()).done();
        assert!(run.stderr.contains(SAID), "{}", run.stderr);
        let all: Vec<_> = ["a", "b"]
            .iter()
            .flat_map(|file| rows(&room.text(&format!("out/{file}.jsonl"))))
            .collect();
        let (last, others) = all.split_last().unwrap();
        // What was by another name was a note too.
        assert!(
            others.len() > 1 && others.iter().all(|row| row["nearprint"].is_object()),
            "{all:?}"
        );
        assert!(others.iter().all(|row| row.get("nearprint_note").is_none()), "{all:?}");
        assert_eq!(last["nearprint"], "mine");
        assert!(last["nearprint_note"].is_object(), "{last}");
        let create = ["shard", "create", "work", "in", "-o", "clean/", "--keep", "first"];
        room.run(&[&create, flags].concat()).done();
        room.run(&["shard", "run", "work"]).done();
        for file in ["a.jsonl", "b.jsonl"] {
            let [ours, expected] = ["clean", "out"].map(|of| room.text(&format!("{of}/{file}")));
            assert_eq!(ours, expected);
        }
    }
    room.write(
        "evals.jsonl",
        "{\"question\":\"Which river is the longest of all in the world?\"}\n",
    );
    for verb in [
        &["dedup", "--annotate"][..],
        &["passages", "--length", "5", "--annotate"],
        &["decontaminate", "--against", "evals.jsonl", "--action", "annotate"],
    ] {
        room.run(&[verb, &["in", "-o", "noted/", "--force"]].concat()).done();
        let all: Vec<_> = ["a", "b"]
            .iter()
            .flat_map(|file| rows(&room.text(&format!("noted/{file}.jsonl"))))
            .collect();
        for row in &all {
            let has_own = row["id"] == 4;
            assert_eq!(row["nearprint"] == "mine", has_own, "{verb:?} {row}");
            let name = if has_own { "nearprint_note" } else { "nearprint" };
            assert!(row[name].is_object(), "{verb:?} {row}");
        }
    }
}

#[test]
fn a_header_by_the_name_of_a_note_stays() {
    let room = Room::new();
    let headed = |of: &str| {
        let mut records = crawl();
        records[5] = records[5].replacen("\r\n", &format!("\r\n{of}\r\n"), 1);
        records.concat()
    };
    let args = ["dedup", "a.warc", "-o", "b.warc", "--force", "--recipe", "web", "--copies"];
    for own in ["Nearprint-Copies: many", "NEARPRINT-COPIES:\r\n 0", "nearprint-copies: {\"a\":1}"]
    {
        room.write("a.warc", headed(own));
        let run = room.run(&args).done();
        let said = "1 row already with a field of the note's name: the note is in nearprint_note";
        assert!(run.stderr.contains(said), "{own}: {}", run.stderr);
        let noted = room.text("b.warc");
        assert!(noted.contains(&format!("\r\n{own}\r\n")), "{noted}");
        assert_eq!(noted.matches("\r\nNearprint-Note-Copies: ").count(), 2, "{noted}");
        room.run(&["dedup", "b.warc", "-o", "c.warc", "--force", "--recipe", "web", "--copies"])
            .done();
        assert_eq!(room.text("c.warc").matches("\r\nNearprint-Note-Copies: 1\r\n").count(), 2);
    }
    // Headers of other names are nobody's note.
    room.write("a.warc", headed("Nearprint-Kept: yes\r\nNearprint-Weight: 3"));
    room.run(&args).done();
    let noted = room.text("b.warc");
    assert!(noted.contains("\r\nNearprint-Kept: yes\r\nNearprint-Weight: 3\r\n"));
    assert_eq!(noted.matches("\r\nNearprint-Copies: ").count(), 2, "{noted}");
    // Those of a note are replaced, counted and said.
    room.write("a.warc", headed("Nearprint-Copies: 7\r\nNearprint-Weight: 3"));
    let run = room.run(&args).done();
    assert!(
        run.stderr.contains("1 row with the note of an earlier run: replaced"),
        "{}",
        run.stderr
    );
    let noted = room.text("b.warc");
    assert!(!noted.contains("Nearprint-Copies: 7") && !noted.contains("Nearprint-Weight"));
}

#[test]
fn every_format_has_a_place_for_copies() {
    let room = parquet_room("code");
    room.run(&["dedup", "rows.parquet", "-o", "out.parquet", "--copies"]).done();
    room.run(&["dedup", "out.parquet", "-o", "out.jsonl"]).done();
    let copies: Vec<_> = rows(&room.text("out.jsonl"))
        .into_iter()
        .map(|row| (row["id"].clone(), row["nearprint_copies"].clone()))
        .collect();
    assert_eq!(copies, [(json!("a"), json!(2)), (json!("b"), json!(1)), (json!("d"), json!(1))]);
    room.write("a.warc", crawl().concat());
    let flags = ["--recipe", "web", "--count-by", "WARC-Type"];
    room.run(&[&["dedup", "a.warc", "-o", "b.warc"], &flags[..]].concat()).done();
    let mut kept = crawl();
    kept.remove(3);
    let noted = |record: &str, copies: u32| {
        let head = format!(
            "\r\nNearprint-Copies: {copies}\r\nNearprint-Sources: {{\"response\":{copies}}}\r\n\r\n"
        );
        record.replacen("\r\n\r\n", &head, 1)
    };
    kept[1] = noted(&kept[1], 2);
    kept[4] = noted(&kept[4], 1);
    assert_eq!(room.text("b.warc"), kept.concat());
    room.run(&[&["dedup", "b.warc", "-o", "twice.warc"], &flags[..]].concat()).done();
    assert_eq!(room.text("twice.warc").matches("Nearprint-Copies").count(), 2);
    // What was written is read again, with its field as a label.
    let by = ["--recipe", "web", "--within", "Nearprint-Copies"];
    room.run(&[&["dedup", "b.warc", "-o", "c.warc"], &by[..]].concat()).done();
    assert_eq!(room.text("c.warc"), room.text("b.warc"));
    room.write("one.txt", "one two three");
    room.refuses(
        &["dedup", "one.txt", "-o", "texts/", "--copies"],
        2,
        "--copies: one.txt is a document, not a row, so no field can be added; name one output file, such \
         as noted.jsonl",
    );
}

#[test]
fn copies_of_more_than_a_hundred_sources_add_up() {
    let room = Room::new();
    let row = |at: usize| format!("{at},s{},{FOX}\n", at % 130);
    room.write("in.csv", format!("id,site,text\n{}", (0..260).map(row).collect::<String>()));
    room.run(&["dedup", "in.csv", "-o", "out.csv", "--count-by", "site"]).done();
    let text = room.text("out.csv");
    assert!(
        text.starts_with(
            "id,site,text,nearprint_copies,nearprint_sources,nearprint_other_sources\n"
        ),
        "{text}"
    );
    assert!(text.lines().nth(1).unwrap().ends_with(",60"), "{text}");
    room.run(&[
        "dedup",
        "in.csv",
        "-o",
        "out.csv",
        "--count-by",
        "id",
        "--within",
        "id",
        "--force",
    ])
    .done();
    assert!(room.text("out.csv").lines().skip(1).all(|line| line.ends_with("}\",")));
}

#[test]
fn a_file_that_is_one_document_is_not_written_several_times() {
    let room = Room::new();
    for name in ["a", "b", "c"] {
        room.write(&format!("in/{name}.txt"), "one text of several words, in three files");
    }
    let refused = room.run(&["dedup", "in", "-o", "out/", "--rehydrate", "all"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused
            .stderr
            .contains("a.txt is a document, and written several times it is one longer text"),
        "{}",
        refused.stderr
    );
    assert!(!room.path("out").exists());
    // As rows they are.
    room.run(&["dedup", "in", "-o", "out.jsonl", "--rehydrate", "all"]).done();
    assert_eq!(room.text("out.jsonl").lines().count(), 3);
}
