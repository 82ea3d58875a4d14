//! An id that is written in two ways, as Python's `json.dumps` escapes what others write as it is.

use crate::nearprint::rows;
use crate::room::Room;

const PLAIN: &str = "größe/1";
const ESCAPED: &str = "gr\\u00f6\\u00dfe\\/1";

fn row(id: &str, text: &str) -> String {
    format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")
}

#[test]
fn ids_are_told_apart_by_what_they_say_and_keep_their_bytes() {
    let room = Room::new();
    let (one, two) = ("the ferry leaves at noon from here", "snow fell on the upper pastures");
    let three = row(ESCAPED, one);
    room.write("in.jsonl", [row(PLAIN, one), row(ESCAPED, two), three.clone()].concat());
    let said = "2 documents repeat an earlier id";
    let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "removed.jsonl"];
    let run = room.run(&dedup).done();
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(room.text("out.jsonl"), row(PLAIN, one) + &row(ESCAPED, two));
    let removed = room.text("removed.jsonl");
    assert!(removed.contains(ESCAPED) && rows(&removed)[0]["row"] == 3, "{removed}");
    let run = room.run(&["passages", "in.jsonl", "-o", "cut.jsonl"]).done();
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn documents_of_one_id_are_in_one_part_however_it_is_written() {
    let room = Room::new();
    let row = |at: usize| {
        let text = (0..9).map(|word| format!("n{at}w{word}")).collect::<Vec<_>>().join(" ");
        row([PLAIN, ESCAPED][at % 2], &text)
    };
    room.write("in.jsonl", (0..20).map(row).collect::<String>());
    for balance in [&[][..], &["--balance"]] {
        let split = ["split", "in.jsonl", "-o", "parts/", "--parts", "a=50,b=50", "--force"];
        let run = room.run(&[&split[..], balance].concat()).done();
        let said = "19 documents repeat an earlier id, the first is \"größe/1\"";
        assert!(run.stderr.contains(said), "{}", run.stderr);
        let mut parts = ["a", "b"].map(|part| room.text(&format!("parts/{part}.jsonl")));
        parts.sort_by_key(String::len);
        assert_eq!(parts.map(|part| part.lines().count()), [0, 20], "{balance:?}");
    }
}

#[test]
fn a_document_is_found_by_any_form_of_its_id() {
    let room = Room::new();
    let texts = ["one two three four five", "one two three four six"];
    room.write("escaped.jsonl", row(ESCAPED, texts[0]) + &row("ma\\u00df", texts[1]));
    room.write("plain.jsonl", row(PLAIN, texts[0]) + &row("maß", texts[1]));
    for file in ["escaped.jsonl", "plain.jsonl"] {
        for id in [PLAIN, &format!("\"{ESCAPED}\"")] {
            room.run(&["compare", id, "maß", "--in", file]).done();
        }
    }
}

#[test]
fn documents_of_one_id_are_named_by_their_places() {
    let room = Room::new();
    let texts = [
        "the ferry leaves the harbour at noon on every day but Sunday and returns",
        "the ferry leaves the harbour at noon on every day but Sunday and returns early",
        "snow fell on the upper pastures again",
        "the ferry leaves the harbour at noon on every day but Sunday and returns",
    ];
    let rows = || ["a", "a", "a", "b"].into_iter().zip(texts);
    room.write("in.jsonl", rows().map(|(id, text)| row(id, text)).collect::<String>());
    let table: String = rows().map(|(id, text)| format!("{id},{text}\n")).collect();
    room.write("in.csv", format!("id,text\n{table}"));
    // The header of a table is a line.
    for (file, first) in [("in.jsonl", 1), ("in.csv", 2)] {
        let place = |row: usize| format!("{file}:{}", first + row);
        let said = format!("3 documents have the id a: name one by its line, such as {}", place(0));
        let compare = |a: &str, b: &str| room.run(&["compare", a, b, "--in", file]);
        for [a, b] in [["a", "a"], ["a", "b"], ["b", "a"]] {
            compare(a, b).refused(2, &format!("--in: {said}"));
        }
        room.refuses(&["explain", file, "--id", "a"], 2, &said);
        room.run(&["explain", file, "--id", "b"]).done();
        let verdict = |a: &str, b: &str| compare(a, b).done().text().to_owned();
        let equal = verdict(&place(0), "b");
        assert!(equal.starts_with("verdict      in one group: their content is equal"), "{equal}");
        let near = verdict(&place(0), &place(1));
        assert!(near.starts_with("verdict      in one group: they are near-"), "{near}");
        assert!(near.contains("\"row\":2"), "{near}");
        let far = verdict(&place(2), "b");
        assert!(far.starts_with("verdict      not near-duplicates"), "{far}");
        let one = verdict(&place(2), &place(2));
        assert!(one.starts_with("verdict      the same: they are one document"), "{one}");
        compare(&place(9), "b")
            .refused(2, &format!("--in: {}: no such row; the file has 4", place(9)));
        // `row` of reports counts rows, not lines.
        assert_eq!(near.contains("\"row\":2} (line 3) is "), file == "in.csv", "{near}");
        // The same file by other paths.
        let absolute = room.path(file).display().to_string();
        for path in [format!("./{file}"), format!(".//{file}"), absolute] {
            assert_eq!(verdict(&format!("{path}:{first}"), "b"), equal, "{path}");
        }
    }
    room.write("gap.jsonl", row("a", texts[0]) + "\n" + &row("a", texts[1]));
    let run = room.run(&["compare", "gap.jsonl:2", "gap.jsonl:1", "--in", "gap.jsonl"]);
    let said =
        "gap.jsonl:2: no such row; the file has 2; rows are named by their lines, the first by 1";
    run.refused(2, &format!("--in: {said}"));
    let run = room.run(&[
        "compare",
        "gap.jsonl:3",
        "gap.jsonl:1",
        "--in",
        "gap.jsonl",
        "--format",
        "json",
    ]);
    let told: serde_json::Value = serde_json::from_str(run.done().text()).unwrap();
    assert_eq!(
        (&told["documents"][0]["id"]["row"], &told["documents"][0]["line"]),
        (&2.into(), &3.into())
    );
    // What is damaged behind the document that is named is of no matter.
    room.write("cut.jsonl", row("a", texts[0]) + "{\n");
    room.run(&["explain", "cut.jsonl", "--id", "a"]).done();
}
