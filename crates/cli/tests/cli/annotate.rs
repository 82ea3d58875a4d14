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
        "nearprint_distance",
        "nearprint_similarity",
        "nearprint_measure",
    ];
    assert_eq!(header[3..], columns);
    assert!(lines[1].ends_with("\t\"x\t y\"\t0\ttrue\ta\t\t\t\t\t"), "{text}");
    assert!(lines[2].starts_with("b\t") && lines[2].contains("\t\t0\tfalse\ta\t\t\t"), "{text}");
    assert!(lines[3].ends_with("\tz\t\ttrue\t\t\t\t\t\t"), "{text}");
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
    assert!(text.ends_with(&format!("1,{fox},0,false,0,1.csv,1,0,1.0000,jaccard\n")), "{text}");
}

#[test]
fn rows_of_parquet_get_columns_beside_their_own() {
    let room = parquet_room("n");
    for (output, file) in [("noted/", "noted/rows.parquet"), ("noted.parquet", "noted.parquet")] {
        room.run(&["dedup", "rows.parquet", "-o", output, "--annotate"]).done();
        let json = |file| {
            let run = room.run(&["dedup", file, "-o", "-", "-q", "--annotate"]).done();
            rows(run.text())
        };
        let (before, after) = (json("rows.parquet"), json(file));
        assert_eq!((before.len(), after.len()), (4, 4));
        for (before, after) in before.iter().zip(&after) {
            for own in ["id", "n", "text", "nearprint"] {
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
        assert_eq!(json("again.parquet"), after);
    }
}

#[test]
fn where_ids_repeat_rows_of_parquet_tell_the_place() {
    let room = parquet_room("n");
    room.write("more.parquet", room.read("rows.parquet"));
    let args = ["dedup", "rows.parquet", "more.parquet", "-o", "noted.parquet", "--annotate"];
    room.run(&args).done();
    let run = room.run(&["dedup", "noted.parquet", "-o", "-", "-q", "--annotate"]).done();
    let row = &rows(run.text())[5];
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
    let said = "2 rows already with a field nearprint: the note is in nearprint_note";
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
        assert!(run.stderr.contains("4 rows already with a field nearprint"), "{}", run.stderr);
        let json = |file: &str| {
            rows(room.run(&["dedup", file, "-o", "-", "-q", "--annotate"]).done().text())
        };
        let (before, after) = (json("rows.parquet"), json(file));
        assert_eq!(after.len(), 4);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before["nearprint_cluster"], after["nearprint_cluster"]);
            assert_eq!(before["nearprint"]["kept"], after["nearprint_note_kept"]);
        }
        room.run(&["dedup", file, "-o", "again.parquet", "--annotate", "--force"]).done();
        assert_eq!(json("again.parquet"), after);
    }
}
