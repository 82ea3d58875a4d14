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
