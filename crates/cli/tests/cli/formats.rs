//! The same in as out: survivors leave in the format and the compression in which they came.

use crate::room::Room;

/// Rows of which the second is a near-duplicate of the first.
const ROWS: &str = "{\"id\": 1, \"text\": \"The quick brown fox jumps over the lazy dog at noon.\"}\n\
     {\"id\": 2, \"text\": \"The quick brown fox jumps over the lazy dog at noon!\"}\n\
     {\"id\": 3, \"text\": \"Nothing of what the others say is said in this third one.\"}\n";

#[test]
fn every_compression_is_read_and_written() {
    let room = Room::new();
    room.write("rows.jsonl", ROWS);
    let kept: String = ROWS.split_inclusive('\n').step_by(2).collect();
    for (ending, magic) in [
        ("gz", &b"\x1f\x8b"[..]),
        ("zst", b"\x28\xb5\x2f\xfd"),
        ("bz2", b"BZh"),
        ("xz", b"\xfd7zXZ"),
    ] {
        let (packed, mirrored) =
            (format!("rows.jsonl.{ending}"), format!("out/rows.jsonl.{ending}"));
        room.run(&["dedup", "rows.jsonl", "-o", &packed, "--similarity", "1"]).done();
        room.run(&["dedup", &packed, "-o", "out/"]).done();
        assert!(room.read(&packed).starts_with(magic) && room.read(&mirrored).starts_with(magic));
        let run = room.run(&["dedup", &mirrored, "-o", "-", "-q"]).done();
        assert_eq!(run.text(), kept, "{ending}");
        let whole = room.read(&packed);
        room.write(&packed, &whole[..whole.len() - 3]);
        let run = room.run(&["dedup", &packed, "-o", "cut.jsonl"]);
        assert!(run.code == Some(1) && run.stderr.contains("ends early"), "{}", run.stderr);
        assert!(!room.path("cut.jsonl").exists());
    }
}
