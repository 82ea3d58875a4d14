//! `dedup --annotate`: every document leaves, with a note of what became of it.

use crate::nearprint::rows;
use crate::parquet::room as parquet_room;
use crate::room::Room;
use serde_json::{Value, json};

/// A table of which the second row is a near-duplicate of the first.
const TABLE: &str = "id,text,note\r\n\
     a,\"The quick brown fox jumps\nover the lazy dog at noon.\",\"x, y\"\r\n\
     b,The quick brown fox jumps over the lazy dog at noon!,\r\n\
     c,\"Nothing of what the \"\"others\"\" say is said in this third one.\",z\r\n";

#[test]
fn a_note_is_written_in_columns() {
    let room = Room::new();
    room.write("in.tsv", TABLE.replace(',', "\t"));
    room.run(&["dedup", "in.tsv", "-o", "out.tsv", "--annotate"]).done();
    let text = room.text("out.tsv");
    let lines: Vec<&str> = text.split("\r\n").collect();
    let header: Vec<&str> = lines[0].split('\t').collect();
    let columns = [
        "nearprint_cluster",
        "nearprint_kept",
        "nearprint_representative",
        "nearprint_representative_file",
        "nearprint_representative_row",
        "nearprint_representative_reference",
        "nearprint_distance",
        "nearprint_similarity",
        "nearprint_measure",
    ];
    assert_eq!(header[3..], columns);
    assert!(lines[1].ends_with("\t\"x\t y\"\t0\ttrue\ta\t\t\t\t\t\t"), "{text}");
    assert!(lines[2].starts_with("b\t") && lines[2].contains("\t\t0\tfalse\ta\t\t\t\t"), "{text}");
    assert!(lines[3].ends_with("\tz\t\ttrue\t\t\t\t\t\t\t"), "{text}");
    room.run(&["dedup", "out.tsv", "-o", "again.tsv", "--annotate"]).done();
    assert_eq!(room.text("again.tsv"), text);
}

#[test]
fn where_ids_repeat_the_representative_has_its_place() {
    let room = Room::new();
    let (fox, snow) = ("the quick brown fox jumps over it", "snow fell on the upper pastures");
    for (name, texts) in [("1", [fox, snow]), ("2", [snow, fox])] {
        let row = |(id, text)| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n");
        room.write(&format!("{name}.jsonl"), (0..).zip(texts).map(row).collect::<String>());
        let cells = |(id, text)| format!("{id},{text}\n");
        let table: String = (0..).zip(texts).map(cells).collect();
        room.write(&format!("{name}.csv"), format!("id,text\n{table}"));
    }
    room.run(&["dedup", "1.jsonl", "2.jsonl", "-o", "noted.jsonl", "--annotate"]).done();
    let of = |at: usize| rows(&room.text("noted.jsonl"))[at]["nearprint"].clone();
    for (at, kept, row) in [(0, true, 1), (1, true, 2), (2, false, 2), (3, false, 1)] {
        let note = of(at);
        assert_eq!(note["kept"], kept, "{note}");
        let place = json!({"file": note["representative_file"], "row": note["representative_row"]});
        assert_eq!(place, json!({"file": "1.jsonl", "row": row}), "{note}");
    }
    room.run(&["dedup", "1.csv", "2.csv", "-o", "noted.csv", "--annotate"]).done();
    let text = room.text("noted.csv");
    assert!(text.ends_with(&format!("1,{fox},0,false,0,1.csv,1,,0,1.0000,jaccard\n")), "{text}");
}

/// The rows of a file of columns, of which none has a passage of so many words.
fn as_json(room: &Room, file: &str) -> Vec<Value> {
    rows(room.run(&["passages", file, "-o", "-", "-q", "--length", "1000"]).done().text())
}

#[test]
fn rows_of_parquet_get_columns_beside_their_own() {
    let room = parquet_room("n");
    for (output, file) in [("noted/", "noted/rows.parquet"), ("noted.parquet", "noted.parquet")] {
        room.run(&["dedup", "rows.parquet", "-o", output, "--annotate"]).done();
        let noted = room.run(&["dedup", "rows.parquet", "-o", "-", "-q", "--annotate"]).done();
        let (before, after) = (rows(noted.text()), as_json(&room, file));
        assert_eq!((before.len(), after.len()), (4, 4));
        for (before, after) in before.iter().zip(&after) {
            for own in ["id", "n", "text"] {
                assert_eq!(before[own], after[own], "{own}");
            }
            let note = &before["nearprint"];
            for key in ["cluster", "kept", "representative", "distance", "similarity", "measure"] {
                assert_eq!(note[key], after[format!("nearprint_{key}")], "{key} of {before}");
            }
        }
        assert_eq!(after[2]["nearprint_representative"], "a");
        assert_eq!(after[2]["nearprint_kept"], false);
        assert_eq!(after[1]["nearprint_cluster"], Value::Null);
        // A second note replaces the first.
        room.run(&["dedup", file, "-o", "again.parquet", "--annotate", "--force"]).done();
        assert_eq!(as_json(&room, "again.parquet"), after);
    }
}

#[test]
fn columns_say_that_a_representative_is_of_the_reference() {
    let room = parquet_room("n");
    room.write("in.csv", TABLE);
    room.write("ref.csv", TABLE);
    let run = |args: &[&str]| {
        let run = room.run(&[&["dedup", "--annotate", "-q", "-o", "-"][..], args].concat()).done();
        run.text().to_owned()
    };
    let noted = run(&["in.csv", "--against", "ref.csv"]);
    assert!(noted.contains(",0,false,a,ref.csv,1,true,0,1.0000,jaccard\r\n"), "{noted}");
    let args = ["dedup", "rows.parquet", "--annotate", "-o", "out.parquet"];
    room.run(&[&args[..], &["--against", "rows.jsonl"]].concat()).done();
    let row = &as_json(&room, "out.parquet")[0];
    assert_eq!(row["nearprint_representative_reference"], true, "{row}");
    assert_eq!(row["nearprint_kept"], false, "{row}");
    // Nothing is said where nothing is of a reference.
    assert!(run(&["in.csv"]).contains(",0,false,a,,,,"), "{noted}");
}

#[test]
fn where_ids_repeat_rows_of_parquet_tell_the_place() {
    let room = parquet_room("n");
    room.write("more.parquet", room.read("rows.parquet"));
    let args = ["dedup", "rows.parquet", "more.parquet", "-o", "noted.parquet", "--annotate"];
    room.run(&args).done();
    let row = &as_json(&room, "noted.parquet")[5];
    let place = [&row["nearprint_representative_file"], &row["nearprint_representative_row"]];
    assert_eq!(place, [&json!("rows.parquet"), &json!(2)], "{row}");
}

#[test]
fn columns_by_the_names_of_a_note_stay_and_an_earlier_note_goes_wherever_it_stands() {
    let room = Room::new();
    let own = "nearprint_kept,id,text\nmine,1,the quick brown fox jumps\nmine,2,the quick brown fox jumps\n";
    room.write("own.csv", own);
    let run = room.run(&["dedup", "own.csv", "-o", "noted.csv", "--annotate"]).done();
    let said = "1 kept (50.0 %), 2 rows written to noted.csv\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let noted = room.text("noted.csv");
    let header = "nearprint_kept,id,text,nearprint_note_cluster,nearprint_note_kept,nearprint_note_representative,";
    assert!(
        noted.starts_with(header)
            && noted.contains("\nmine,2,the quick brown fox jumps,0,false,1,"),
        "{noted}"
    );
    let said = "2 rows already with a field of the note's name: the note is in nearprint_note";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    room.run(&["dedup", "noted.csv", "-o", "again.csv", "--annotate"]).done();
    assert_eq!(room.text("again.csv"), noted);
    // Another program moved columns, and has its own quotes.
    room.write(
        "in.csv",
        "id;text;n\n1;'the quick; brown fox jumps';x\n'2;3';the quick brown fox jumps over;y\n",
    );
    let dialect = ["--annotate", "--quote", "'", "--delimiter", ";"];
    room.run(&[&["dedup", "in.csv", "-o", "one.csv"][..], &dialect].concat()).done();
    let first = room.text("one.csv");
    let moved: String = first
        .lines()
        .map(|line| {
            let (own, note) = line.rsplit_once(';').unwrap();
            format!("{note};{own}\n")
        })
        .collect();
    room.write("moved.csv", moved);
    room.run(&[&["dedup", "moved.csv", "-o", "two.csv"][..], &dialect].concat()).done();
    assert_eq!(room.text("two.csv"), first);
    // All names are taken.
    let taken = "nearprint_kept,nearprint_note_kept,nearprint_note_2_kept,text\n1,2,3,words\n";
    room.write("taken.csv", taken);
    let run = room.run(&["dedup", "taken.csv", "-o", "taken-out.csv", "--annotate"]);
    assert!(
        run.code != Some(0) && run.stderr.contains("its own columns have all names"),
        "{}",
        run.stderr
    );
    assert!(!room.path("taken-out.csv").exists());
}

#[test]
fn columns_of_parquet_by_the_names_of_a_note_stay() {
    let room = parquet_room("nearprint_cluster");
    for (output, file) in [("noted/", "noted/rows.parquet"), ("noted.parquet", "noted.parquet")] {
        let run = room.run(&["dedup", "rows.parquet", "-o", output, "--annotate"]).done();
        assert!(
            run.stderr.contains("4 rows already with a field of the note's name"),
            "{}",
            run.stderr
        );
        let noted = room.run(&["dedup", "rows.parquet", "-o", "-", "-q", "--annotate"]).done();
        let (before, after) = (rows(noted.text()), as_json(&room, file));
        assert_eq!(after.len(), 4);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before["nearprint_cluster"], after["nearprint_cluster"]);
            assert_eq!(before["nearprint"]["kept"], after["nearprint_note_kept"]);
        }
        room.run(&["dedup", file, "-o", "again.parquet", "--annotate", "--force"]).done();
        assert_eq!(as_json(&room, "again.parquet"), after);
    }
}

#[test]
fn a_column_of_copies_stays_unless_it_is_a_note_in_each_row() {
    const REPLACED: &str = "2 rows with the note of an earlier run: replaced";
    const RENAMED: &str =
        "2 rows already with a field of the note's name: the note is in nearprint_note";
    let room = Room::new();
    let (fox, snow) = ("the quick brown fox jumps", "snow fell on the upper pastures");
    for (cells, is_note) in [
        (["3", "99"], true),
        (["3", "0"], false),
        (["3", "many"], false),
        (["2.5", "3"], false),
        (["3", ""], false),
    ] {
        for (name, d) in [("csv", ","), ("tsv", "\t")] {
            let [input, output] = ["in", "out"].map(|stem| format!("{stem}.{name}"));
            let [a, b] = cells;
            let header = format!("id{d}text{d}nearprint_copies");
            room.write(&input, format!("{header}\n1{d}{fox}{d}{a}\n2{d}{snow}{d}{b}\n"));
            let args =
                ["dedup", &input, "-o", &output, "--copies", "--summary", "s.json", "--force"];
            let run = room.run(&args).done();
            let expected = match is_note {
                true => format!("{header}\n1{d}{fox}{d}1\n2{d}{snow}{d}1\n"),
                false => format!(
                    "{header}{d}nearprint_note_copies\n1{d}{fox}{d}{a}{d}1\n2{d}{snow}{d}{b}{d}1\n"
                ),
            };
            assert_eq!(room.text(&output), expected);
            let said = [REPLACED, RENAMED].map(|remark| run.stderr.contains(remark));
            assert_eq!(said, [is_note, !is_note], "{cells:?} {}", run.stderr);
            let told: Value = serde_json::from_str(&room.text("s.json")).unwrap();
            let counts =
                ["notes_replaced", "notes_renamed"].map(|one| told[one].as_u64().unwrap_or(0));
            assert_eq!(counts, if is_note { [2, 0] } else { [0, 2] });
        }
    }
    let row =
        |id: u32, text, own| format!("{{\"id\":{id},\"text\":\"{text}\",\"nearprint\":{own}}}\n");
    let all = [row(1, fox, "{\"copies\":99}"), row(2, snow, "{\"copies\":0}")];
    room.write("in.jsonl", all.concat());
    let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--copies"]).done();
    let noted = rows(&room.text("out.jsonl"));
    assert_eq!(noted[0]["nearprint"], json!({"copies": 1}));
    assert_eq!(noted[1]["nearprint"], json!({"copies": 0}));
    assert_eq!(noted[1]["nearprint_note"], json!({"copies": 1}));
    for remark in [REPLACED, RENAMED] {
        let one = remark.replace("2 rows", "1 row");
        assert!(run.stderr.contains(&one), "{one}: {}", run.stderr);
    }
    // Of these numbers one is below 1.
    let room = parquet_room("nearprint_copies");
    let run = room.run(&["dedup", "rows.parquet", "-o", "out.parquet", "--copies"]).done();
    assert!(run.stderr.contains(&RENAMED.replace('2', "3")), "{}", run.stderr);
    let run = room.run(&["dedup", "out.parquet", "-o", "again.parquet", "--copies"]).done();
    assert!(run.stderr.contains(&RENAMED.replace('2', "3")), "{}", run.stderr);
    assert!(run.stderr.contains(&REPLACED.replace('2', "3")), "{}", run.stderr);
    let read = rows(room.run(&["dedup", "again.parquet", "-o", "-", "-q"]).done().text());
    assert_eq!(
        (&read[1]["nearprint_copies"], &read[1]["nearprint_note_copies"]),
        (&json!(-1), &json!(1))
    );
    for file in ["coded-a.arrow", "coded-b.arrow"] {
        room.write(
            file,
            std::fs::read(format!("{}/tests/cli/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap(),
        );
        room.run(&["dedup", file, "-o", "out.arrow", "--copies", "--force"]).done();
        let run =
            room.run(&["dedup", "out.arrow", "-o", "again.arrow", "--copies", "--force"]).done();
        assert!(run.stderr.contains("with the note of an earlier run: replaced"), "{}", run.stderr);
        assert_eq!(room.read("again.arrow"), room.read("out.arrow"));
    }
}

#[test]
fn tables_of_one_output_have_notes_in_the_same_columns() {
    let room = Room::new();
    let texts = ["the quick brown fox jumps over", "snow fell on the upper pastures"];
    for (column, note, other, args) in [
        ("copies", "3", "hello", vec!["dedup", "--copies"]),
        ("passages", "[]", "mine", vec!["passages", "--length", "5", "--annotate"]),
    ] {
        for (name, d) in [("csv", ","), ("tsv", "\t")] {
            for cells in [[note, other], [other, note]] {
                let header = format!("id{d}text{d}nearprint_{column}");
                let files = ["a", "b"].map(|stem| format!("{stem}.{name}"));
                for ((file, text), cell) in files.iter().zip(texts).zip(cells) {
                    room.write(file, format!("{header}\n1{d}{text}{d}{cell}\n"));
                }
                let output = format!("out.{name}");
                let inputs = [&files[0], &files[1], "-o", &output, "--force"];
                room.run(&[&args[..], &inputs].concat()).done();
                let written = room.text(&output);
                let lines: Vec<&str> = written.lines().collect();
                assert_eq!(lines[0], format!("{header}{d}nearprint_note_{column}"));
                for (line, cell) in lines[1..].iter().zip(cells) {
                    assert_eq!(line.split(d).nth(2), Some(cell), "{written}");
                    assert_eq!(line.split(d).count(), 4, "{written}");
                }
            }
        }
    }
}

#[test]
fn rows_of_parquet_are_written_several_times() {
    let room = parquet_room("n");
    for (flags, ids) in [
        (vec!["--rehydrate", "all"], "aabd"),
        (vec!["--rehydrate", "2", "--copies"], "aabd"),
        (vec!["--rehydrate", "2", "--keep", "longest", "--recall", "exact"], "aabd"),
    ] {
        let args = ["dedup", "rows.parquet", "-o", "out.parquet", "--force"];
        room.run(&[&args[..], &flags].concat()).done();
        let read = rows(room.run(&["fingerprint", "out.parquet"]).done().text());
        let found: String = read.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(found, ids, "{flags:?}");
    }
}

#[test]
fn notes_of_passages_leave_columns_of_their_name() {
    let room = Room::new();
    let text = "one two three four five six seven eight nine ten";
    room.write(
        "in.csv",
        format!("id,text,nearprint_passages\n1,{text},chapter 1\n2,{text},chapter 2\n"),
    );
    let passages = |input: &str, output: &str| {
        let args = ["passages", input, "-o", output, "--length", "5", "--annotate"];
        room.run(&args).done()
    };
    let run = passages("in.csv", "out.csv");
    let noted = room.text("out.csv");
    assert!(noted.starts_with("id,text,nearprint_passages,nearprint_note_passages\n"), "{noted}");
    assert!(noted.contains("chapter 2,"), "{noted}");
    assert!(
        run.stderr.contains("2 rows already with a field of the note's name"),
        "{}",
        run.stderr
    );
    let run = passages("out.csv", "again.csv");
    assert_eq!(room.text("again.csv"), noted);
    assert!(run.stderr.contains("2 rows with the note of an earlier run"), "{}", run.stderr);
}
