//! Parquet as input: the same answers as from the rows as JSONL.

use crate::room::Room;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const ROWS: [(&str, i64, &str); 4] = [
    ("a", 0x7fff_0000_ffff_0000, "the quick brown fox jumps over the lazy dog"),
    ("b", -1, "a page about something else altogether, as it happens"),
    ("c", 0x7fff_0000_ffff_0001, "the quick brown fox jumps over the lazy dog"),
    ("d", 0x0123_4567_89ab_cdef, "no more than these few words are in the last of them"),
];

/// `rows.parquet` and `rows.jsonl` with the column `codes` for fingerprints.
pub(crate) fn room(codes: &str) -> Room {
    let schema = format!(
        "message rows {{ required byte_array id (UTF8); required int64 {codes}; \
         required byte_array text (UTF8); }}"
    );
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let texts = |text: fn(&(&'static str, i64, &'static str)) -> &'static str| {
        ROWS.iter().map(|row| ByteArray::from(text(row))).collect::<Vec<_>>()
    };
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&texts(|row| row.0), None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&ROWS.map(|row| row.1), None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&texts(|row| row.2), None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    let room = Room::new();
    room.write("rows.parquet", writer.into_inner().unwrap());
    let rows = ROWS.map(|(id, code, text)| {
        format!("{{\"id\":\"{id}\",\"{codes}\":\"{code:016x}\",\"text\":\"{text}\"}}\n")
    });
    room.write("rows.jsonl", rows.concat());
    room
}

#[test]
fn fingerprints_of_a_column_are_searched_as_those_of_rows() {
    let room = room("fingerprint");
    for verb in ["pairs", "clusters"] {
        let answer =
            |file| room.run(&[verb, file, "--fingerprints", "-k", "3"]).done().text().to_owned();
        assert_eq!(answer("rows.parquet"), answer("rows.jsonl"), "{verb}");
        assert!(answer("rows.parquet").contains("\"c\""));
    }
    for file in ["rows.parquet", "rows.jsonl"] {
        let segment = format!("{file}.seg");
        room.run(&["index", "build", file, "--fingerprints", "-k", "3", "-o", &segment]).done();
    }
    assert!(room.read("rows.parquet.seg") == room.read("rows.jsonl.seg"));
}

#[test]
fn texts_of_a_column_are_documents() {
    let room = room("n");
    let rows = |file| room.run(&["fingerprint", file]).done().text().to_owned();
    assert_eq!(rows("rows.parquet"), rows("rows.jsonl"));
    room.run(&["dedup", "rows.parquet", "-o", "kept.jsonl"]).done();
    assert_eq!(room.text("kept.jsonl").lines().count(), 3);
}

#[test]
fn rows_leave_as_parquet_as_they_came() {
    let room = room("n");
    for (output, file) in [("kept/", "kept/rows.parquet"), ("kept.parquet", "kept.parquet")] {
        room.run(&["dedup", "rows.parquet", "-o", output]).done();
        assert!(room.read(file).starts_with(b"PAR1") && room.read(file).ends_with(b"PAR1"));
        let rows = |file| room.run(&["dedup", file, "-o", "-", "-q"]).done().text().to_owned();
        assert_eq!(rows(file), rows("rows.parquet"), "{output}");
        assert_eq!(rows(file).lines().count(), 3);
    }
    let message = "x.parquet: its name says Parquet, and what is kept of rows.jsonl is written as JSONL; name a file \
                   that ends in .jsonl";
    room.refuses(&["dedup", "rows.jsonl", "-o", "x.parquet"], 1, message);
}

#[test]
fn a_damaged_file_is_named() {
    let room = room("n");
    let whole = room.read("rows.parquet");
    room.write("cut.parquet", &whole[..whole.len() - 9]);
    let message = room.run(&["fingerprint", "cut.parquet"]).stderr;
    assert!(message.contains("cut.parquet") && message.contains("Parquet"), "{message}");
}

#[test]
fn a_file_without_its_footer_is_skipped_wherever_rows_go() {
    let room = room("code");
    let whole = room.read("rows.parquet");
    room.write("in/a.parquet", &whole[..whole.len() / 2]);
    room.write("in/b.parquet", &whole);
    room.write(
        "evals.jsonl",
        "{\"question\":\"Which of these many words is the first of all?\"}\n",
    );
    let anywhere = ["out/", "out.parquet", "out.jsonl"];
    for (verb, outputs) in [
        (&["dedup"][..], &anywhere[..]),
        (&["dedup", "--annotate"], &anywhere),
        (&["dedup", "--copies"], &anywhere),
        (&["passages"], &anywhere),
        (&["passages", "--annotate"], &anywhere),
        (&["decontaminate", "--against", "evals.jsonl"], &anywhere),
        (&["split", "--parts", "a=50,b=50"], &anywhere[..1]),
    ] {
        for output in outputs {
            let args = [verb, &["in", "--force", "-o", output]].concat();
            assert_eq!(room.run(&args).code, Some(1), "{args:?}");
            let run = room.run(&[&args[..], &["--on-error", "skip"]].concat());
            assert!(run.stderr.contains("in/a.parquet"), "{args:?}: {}", run.stderr);
            run.done();
        }
    }
}

#[test]
fn a_note_in_columns_is_replaced_where_rows_become_json() {
    let room = room("code");
    let write = |input, output| room.run(&["dedup", input, "-o", output, "--annotate"]).done();
    write("rows.parquet", "noted.parquet");
    write("rows.parquet", "direct.jsonl");
    let run = write("noted.parquet", "again.jsonl");
    assert_eq!(room.text("again.jsonl"), room.text("direct.jsonl"));
    assert!(
        run.stderr.contains("4 rows with the note of an earlier run: replaced"),
        "{}",
        run.stderr
    );
}
