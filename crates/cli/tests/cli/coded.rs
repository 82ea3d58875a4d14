//! Arrow files whose texts are in dictionaries, which differ between the files (`coded-a.arrow`, `coded-b.arrow`, written by
//! pyarrow 26): the same answers as from plain columns.

use crate::nearprint::rows;
use crate::room::Room;

const FOX: &str = "The quick brown fox jumps over the lazy dog at noon and nobody says a word.";
const QUIZ: &str =
    "Which of the planets of our system turns around the sun in the shortest time of all?";

fn room() -> Room {
    let room = Room::new();
    room.write("a.arrow", include_bytes!("coded-a.arrow"));
    room.write("b.arrow", include_bytes!("coded-b.arrow"));
    room
}

/// Ids, texts and kinds of a file of rows.
fn told(room: &Room, file: &str) -> Vec<(u64, String, String)> {
    let run = room.run(&["dedup", file, "--equal", "bytes", "-o", "-", "-q"]).done();
    let text = |row: &serde_json::Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows(run.text())
        .iter()
        .map(|row| (row["id"].as_u64().unwrap(), text(row, "text"), text(row, "kind")))
        .collect()
}

fn expected(of: &[(u64, &str, &str)]) -> Vec<(u64, String, String)> {
    of.iter().map(|(id, text, kind)| (*id, (*text).to_owned(), (*kind).to_owned())).collect()
}

#[test]
fn an_estimate_over_all_of_a_file_is_exact() {
    let room = room();
    let run = ["passages", "a.arrow", "--length", "5", "-q"];
    let told = room.run(&[&run[..], &["--estimate", "--format", "json"]].concat()).done();
    room.run(&[&run[..], &["--summary", "s.json"]].concat()).done();
    let [told, found] = [told.text(), &room.text("s.json")]
        .map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
    for figure in ["tokens", "documents"] {
        assert_eq!(told[figure], found[figure], "{figure}");
    }
    assert_eq!(told["documents_range"], serde_json::json!([3, 3]));
}

#[test]
fn rows_of_files_with_other_dictionaries_go_to_one() {
    let room = room();
    let quiz = format!("Quiz: {QUIZ} Say it.\nMore.");
    let said = format!("It was said:\n{FOX}\nNobody knew why.");
    let all = expected(&[
        (1, FOX, "prose"),
        (2, &quiz, "quiz"),
        (3, "A third text of the first file.", "prose"),
        (4, &said, "quiz"),
        (5, "A fourth text that is in the second file.", "note"),
    ]);
    room.run(&["dedup", "a.arrow", "b.arrow", "-o", "out.arrow", "-q"]).done();
    assert_eq!(told(&room, "out.arrow"), all);
    room.run(&["dedup", "a.arrow", "b.arrow", "--annotate", "-o", "noted.arrow", "-q"]).done();
    assert_eq!(told(&room, "noted.arrow"), all);
    room.write("eval.jsonl", "{\"question\":\"What is in none of these files, and never was?\"}\n");
    let evals = ["--against", "eval.jsonl"];
    let args = ["decontaminate", "a.arrow", "b.arrow", "-o", "clean.arrow", "-q"];
    room.run(&[&args[..], &evals].concat()).done();
    assert_eq!(told(&room, "clean.arrow"), all);
}

#[test]
fn texts_in_dictionaries_are_cut() {
    let room = room();
    let cut = ["passages", "a.arrow", "b.arrow", "--length", "8", "-q"];
    room.run(&[&cut[..], &["-o", "out.arrow"]].concat()).done();
    room.run(&[&cut[..], &["-o", "out/"]].concat()).done();
    let texts = |file: &str| told(&room, file).into_iter().map(|row| row.1).collect::<Vec<_>>();
    let said = "It was said:\nNobody knew why.";
    assert_eq!((&*texts("out.arrow")[0], &*texts("out.arrow")[3]), (FOX, said));
    assert_eq!(texts("out/b.arrow")[0], said);
    room.write("eval.jsonl", format!("{{\"question\":\"{QUIZ}\"}}\n"));
    let evals = ["--against", "eval.jsonl", "--action", "cut", "-q"];
    let clean = |out: &str| {
        let args = ["decontaminate", "a.arrow", "b.arrow", "-o", out];
        room.run(&[&args[..], &evals].concat()).done();
    };
    clean("clean.arrow");
    clean("clean/");
    assert_eq!(texts("clean.arrow")[1], "More.");
    assert_eq!(texts("clean/a.arrow")[1], "More.");
}
