//! Which document of a group stays.

use crate::nearprint::rows;
use crate::passages::rows_of;
use crate::room::Room;
use serde_json::{Value, json};

const ROWS: &str = "{\"id\":\"a\",\"text\":\"one two three four five six seven eight\",\"score\":2}\n\
    {\"id\":\"b\",\"text\":\"One two three four five six seven eight\",\"score\":\"10.5\",\"day\":\"2024-03-01\"}\n\
    {\"id\":\"x\",\"text\":\"nothing of the kind is said by this one here\",\"score\":1e9}\n\
    {\"id\":\"c\",\"text\":\"one, two, three, four, five, six, seven, eight\",\"score\":-1,\"day\":\"2023-12-31T23:59:59Z\"}\n\
    {\"id\":\"d\",\"text\":\"one two three four five six seven eight!\",\"score\":null}\n";
const TABLE: &str = "id,text,score\n\
    a,one two three four five six seven eight,3\n\
    b,One two three four five six seven eight,4\n\
    c,one two three four five six seven eight!,\n";

fn kept(room: &Room, flags: &[&str]) -> Vec<String> {
    room.run(&[&["dedup", "in.jsonl", "-o", "kept.jsonl", "--force"], flags].concat()).done();
    let rows = rows(&room.text("kept.jsonl"));
    rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_field_says_who_stays() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    room.write("in.csv", TABLE);
    assert_eq!(kept(&room, &["--keep-by", "score:max"]), ["b", "x"]);
    assert_eq!(kept(&room, &["--keep-by", "score:min"]), ["x", "c"]);
    assert_eq!(kept(&room, &["--keep-by", "day:max"]), ["b", "x"]);
    assert_eq!(kept(&room, &["--keep-by", "day:min"]), ["x", "c"]);
    assert_eq!(kept(&room, &["--keep-by", "score:max", "--cluster-rule", "connected"]), ["b", "x"]);
    room.run(&["dedup", "in.csv", "-o", "kept.csv", "--keep-by", "score:max"]).done();
    assert!(
        room.text("kept.csv").ends_with("score\nb,One two three four five six seven eight,4\n")
    );
    let summary = ["--summary", "s.json", "--keep-by", "score:min"];
    kept(&room, &summary);
    assert!(room.text("s.json").contains("\"keep\": \"score:min\""));
}

#[test]
fn later_fields_break_ties() {
    let room = Room::new();
    let row = |id: &str, a: u32, b: &str| {
        format!(
            "{{\"id\":\"{id}\",\"text\":\"one two three four five six seven\",\"a\":{a},\"b\":{b}}}\n"
        )
    };
    let all = [row("p", 1, "9"), row("q", 2, "null"), row("r", 2, "3"), row("s", 2, "5")];
    room.write("in.jsonl", all.concat());
    assert_eq!(kept(&room, &["--keep-by", "a:max"]), ["q"]);
    for both in ["a:max,b:min", "a:max, b:min"] {
        assert_eq!(kept(&room, &["--keep-by", both]), ["r"]);
    }
    let repeated = ["--keep-by", "a:max", "--keep-by", "b:max", "--summary", "s.json"];
    assert_eq!(kept(&room, &repeated), ["s"]);
    assert!(room.text("s.json").contains("\"keep\": \"a:max,b:max\""));
    room.write("in.csv", "id,text,a,b\np,a b c d,1,9\nr,a b c d,2,3\ns,a b c d,2,5\n");
    room.run(&["dedup", "in.csv", "-o", "kept.csv", "--keep-by", "a:max,b:max"]).done();
    assert!(room.text("kept.csv").ends_with("b\ns,a b c d,2,5\n"));
    let cut = ["passages", "in.jsonl", "-o", "cut.jsonl", "--length", "5", "--min-left", "1"];
    room.run(&[&cut[..], &["--keep-by", "a:max,b:max"]].concat()).done();
    assert_eq!(rows(&room.text("cut.jsonl")).len(), 1);
    assert!(room.text("cut.jsonl").contains("\"id\":\"s\""));
    room.refuses(
        &["dedup", "in.jsonl", "-o", "x.jsonl", "--keep-by", "a:max,b:max,c:max,d:max,e:max"],
        2,
        "--keep-by: 5 fields, and at most 4 are read",
    );
    room.refuses(
        &["dedup", "in.jsonl", "-o", "x.jsonl", "--keep-by", "a:max,z:max"],
        1,
        "no row has a value in the field \"z\"; the fields of the first are \"a\", \"b\", \"id\", \"text\"",
    );
}

#[test]
fn what_is_no_score_is_refused_or_skipped() {
    let room = Room::new();
    room.write("in.jsonl", [ROWS, "{\"text\":\"more words\",\"score\":\"high\"}\n"].concat());
    room.refuses(
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--keep-by", "score:max"],
        1,
        "in.jsonl:6: the field \"score\" must be a number, true or false, a time, or a date such as \
         2024-12-31 or 2024-12-31T23:59:59Z, found \"high\"",
    );
    assert_eq!(kept(&room, &["--keep-by", "score:max", "--on-error", "skip"]), ["b", "x"]);
    let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--keep-by", "score"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("use FIELD:max or FIELD:min, such as score:max"), "{}", run.stderr);
}

#[test]
fn a_number_that_is_not_compared_exactly_is_refused() {
    let room = Room::new();
    let row = |score: &str| format!("{{\"text\":\"one two three four\",\"score\":{score}}}\n");
    let digits = "123456789012345678901234567890123456";
    // What is cut says so, and closes its quote.
    room.write("in.jsonl", [row("1"), row(&format!("\"{digits}{digits}\""))].concat());
    room.refuses(
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--keep-by", "score:max"],
        1,
        &format!("in.jsonl:2: the field \"score\" holds \"{digits}123...\", and numbers are compared to 35 digits, from 5e-324 to 1.7e308; round it, or write inf"),
    );
    for wrong in ["1e400", "\"-1e309\"", "2e-324", digits, &format!("0.{digits}")] {
        room.write("in.jsonl", [row("1"), row(wrong)].concat());
        room.refuses(
            &["dedup", "in.jsonl", "-o", "out.jsonl", "--keep-by", "score:max"],
            1,
            &format!("in.jsonl:2: the field \"score\" holds {wrong}, and numbers are compared to 35 digits, from 5e-324 to 1.7e308; round it, or write inf"),
        );
        room.write(
            "in.csv",
            format!("text,score\na b c d,1\na b c d,{}\n", wrong.trim_matches('"')),
        );
        let table = room.run(&["dedup", "in.csv", "-o", "out.csv", "--keep-by", "score:max"]);
        assert_eq!(table.code, Some(1));
        assert!(table.stderr.contains("in.csv:3: the field \"score\" holds"), "{}", table.stderr);
    }
    // The last of 35 digits decides, also next to a power of two.
    for [less, more] in [
        ["9903520314283042199192993792.0000001", "9903520314283042199192993792.0000002"],
        ["0.00012345678901234567890123456789012345", "0.00012345678901234567890123456789012346"],
        ["-inf", "-1.7e308"],
        ["0", "5e-324"],
    ] {
        room.write(
            "in.csv",
            format!("id,text,score\na,a b c d,{less}\nb,a b c d,{more}\nc,a b c d,{less}\n"),
        );
        for (rule, id) in [("score:max", "b"), ("score:min", "a")] {
            room.run(&["dedup", "in.csv", "-o", "kept.csv", "--force", "--keep-by", rule]).done();
            assert_eq!(room.text("kept.csv").lines().nth(1).and_then(|row| row.get(..1)), Some(id));
        }
    }
}

#[test]
fn dates_of_any_precision_have_an_order_and_none_with_numbers() {
    let room = Room::new();
    let row = |id: &str, when: &str| {
        format!("{{\"id\":\"{id}\",\"text\":\"one two three four\",\"when\":{when}}}\n")
    };
    let write = |values: &[(&str, &str)]| {
        room.write("in.jsonl", values.iter().map(|(id, when)| row(id, when)).collect::<String>());
        let cells =
            values.iter().map(|(id, when)| format!("{id},a b c d,{}\n", when.trim_matches('"')));
        room.write("in.csv", format!("id,text,when\n{}", cells.collect::<String>()));
    };
    write(&[
        ("a", "\"2020-02-29T12:00:00Z\""),
        ("b", "2020"),
        ("c", "\"2019-12-31T23:59:59.5Z\""),
        ("d", "\"2020-03\""),
        ("e", "\"2020-02\""),
    ]);
    for (rule, id) in [("when:max", "d"), ("when:min", "c")] {
        assert_eq!(kept(&room, &["--keep-by", rule]), [id]);
        room.run(&["dedup", "in.csv", "-o", "kept.csv", "--force", "--keep-by", rule]).done();
        assert!(room.text("kept.csv").contains(&format!("\n{id},")), "{rule}");
    }
    write(&[("a", "2020"), ("b", "1999"), ("c", "100000"), ("d", "-7")]);
    assert_eq!(kept(&room, &["--keep-by", "when:max"]), ["c"]);
    for number in ["1709210096", "\"12:00\"", "\"7ms\"", "true", "202"] {
        write(&[("a", "\"2020-02-29\""), ("b", "2020"), ("c", number)]);
        let said = |date: &str, number: &str| {
            format!(
                "the field \"when\" is a date in {date}, and a number or a time in {number}: these have no order; write all \
                 as dates, such as 2024-12-31 or 2024, or all as numbers"
            )
        };
        for verb in ["dedup", "passages"] {
            let run = |name| [verb, name, "-o", "x", "--keep-by", "when:min"];
            room.refuses(&run("in.jsonl"), 1, &said("in.jsonl:1", "in.jsonl:3"));
            room.refuses(&run("in.csv"), 1, &said("in.csv:2", "in.csv:4"));
        }
        // Of several files, of which each has values of one sort alone.
        room.write("more/a.jsonl", row("a", "\"2020-02-29\""));
        room.write("more/b.jsonl", row("c", number));
        let files = ["dedup", "more", "-o", "out/", "--keep-by", "when:max"];
        room.refuses(&files, 1, &said("more/a.jsonl:1", "more/b.jsonl:1"));
    }
}

#[test]
fn what_is_no_number_is_no_value() {
    let room = Room::new();
    let row = |id: &str, score: &str| {
        format!("{{\"id\":\"{id}\",\"text\":\"one two three four\",\"score\":{score}}}\n")
    };
    room.write("in.jsonl", [row("a", "\"NaN\""), row("b", "7"), row("c", "null")].concat());
    for rule in ["score:max", "score:min"] {
        assert_eq!(kept(&room, &["--keep-by", rule]), ["b"]);
    }
    room.write("in.jsonl", [row("a", "NaN"), row("b", "7"), row("c", "-Infinity")].concat());
    assert_eq!(kept(&room, &["--keep-by", "score:max"]), ["b"]);
    let flags = ["dedup", "in.jsonl", "-o", "kept.jsonl", "--force", "--keep-by", "score:min"];
    room.run(&flags).done();
    assert_eq!(room.text("kept.jsonl"), row("c", "-Infinity"));
    room.write("in.csv", "id,text,score\na,a b c d,NaN\nb,a b c d,-7\nc,a b c d,\n");
    room.run(&["dedup", "in.csv", "-o", "kept.csv", "--keep-by", "score:max"]).done();
    assert!(room.text("kept.csv").ends_with("score\nb,a b c d,-7\n"));
    room.write("in.jsonl", [row("a", "\"NaN\""), row("c", "null")].concat());
    room.refuses(
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--keep-by", "score:max"],
        1,
        "no row has a value in the field \"score\"; the fields of the first are \"id\", \"score\", \"text\"",
    );
}

#[test]
fn none_of_a_group_stays_where_that_is_asked_for() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let reports = ["--keep", "none", "--removed", "removed.jsonl", "--summary", "s.json"];
    assert_eq!(kept(&room, &reports), ["x"]);
    let removed = rows(&room.text("removed.jsonl"));
    let near: Vec<_> = removed.iter().map(|row| (&row["id"], &row["kept"], &row["near"])).collect();
    assert_eq!(near.len(), 4);
    assert!(near.iter().all(|(id, kept, near)| kept.is_null() && near.is_string() && id != near));
    assert!(room.text("s.json").contains("\"removed\": 4,"));
    // Each of equal documents is one of those that another equals.
    room.write(
        "equal.jsonl",
        (0..30)
            .map(|id| format!("{{\"id\":{id},\"text\":\"one two three four\"}}\n"))
            .collect::<String>(),
    );
    let equal = ["dedup", "equal.jsonl", "-o", "none.jsonl", "--keep", "none"];
    let run = room.run(&equal).done();
    assert!(
        run.stderr.contains("30 removed: 30 exact duplicates, 0 near-duplicates\n"),
        "{}",
        run.stderr
    );
    // What is beside the document that is kept is nowhere where none is.
    for counts in [
        &["--copies"][..],
        &["--count-by", "id"],
        &["--rehydrate", "all"],
        &["--rehydrate", "weight:log"],
    ] {
        room.run(&[&equal[..], &["--force"], counts].concat()).refused(
            2,
            "--keep: copies are counted beside the document of a cluster that is kept, and --keep none keeps none: leave out one of \
             the two",
        );
    }
    let all = kept(&room, &["--keep", "none", "--annotate", "--cluster-rule", "connected"]);
    assert_eq!(all, ["a", "b", "x", "c", "d"]);
    let notes = rows(&room.text("kept.jsonl"));
    let stays: Vec<_> = notes.iter().map(|row| row["nearprint"]["kept"] == true).collect();
    assert_eq!(stays, [false, false, true, false, false]);
    // A note names the document that its figures are of, as a row of --removed does.
    assert!(notes.iter().all(|row| row["nearprint"]["representative"] != row["id"]), "{notes:?}");
    // Each is near the next one alone: the last is in the star of no other.
    let words: Vec<String> = (0..28).map(|at| format!("w{at}")).collect();
    let chain = [("a", 0), ("b", 2), ("c", 4), ("d", 6)].map(|(id, from)| {
        format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", words[from..from + 22].join(" "))
    });
    room.write("in.jsonl", chain.concat());
    assert_eq!(kept(&room, &["--keep", "none"]), ["d"]);
    assert!(kept(&room, &["--keep", "none", "--cluster-rule", "connected"]).is_empty());
}

#[test]
fn what_others_lose_is_left_however_little_stays_with_it() {
    let room = Room::new();
    let tokens = |word: &str, count: usize| {
        (0..count).map(|at| format!("{word}{at}")).collect::<Vec<_>>().join(" ")
    };
    let [long, short] = [tokens("long", 12), tokens("short", 8)];
    let flags = ["passages", "in.jsonl", "-q", "--removed", "cuts.jsonl", "--min-left", "20"];
    for (between, rule) in
        [(" ", &["--length", "8"][..]), ("\n", &["--unit", "line", "--similarity", "0.5"])]
    {
        let texts = [
            format!("{long} alone"),
            // Loses the one, and has the other for the third, of which little is left too.
            format!("{long}{between}{short}"),
            format!("{long}{between}{short} end"),
            // Has nothing for others.
            format!("{long} end"),
        ];
        room.write("in.jsonl", rows_of(&texts.each_ref().map(String::as_str)));
        room.run(&[&flags[..], &["-o", "out.jsonl", "--force"], rule].concat()).done();
        let left = rows(&room.text("out.jsonl"));
        let ids: Vec<&Value> = left.iter().map(|row| &row["id"]).collect();
        assert_eq!(ids, [0, 1], "{rule:?}");
        assert_eq!(left[1]["text"].as_str().unwrap().trim(), short, "{rule:?}");
        let cuts = rows(&room.text("cuts.jsonl"));
        let kept: Vec<&Value> =
            cuts.iter().filter_map(|row| Some(&row.get("kept")?["id"])).collect();
        assert!(kept.contains(&&json!(1)) && kept.iter().all(|id| ids.contains(id)), "{cuts:?}");
        assert_eq!(cuts.iter().filter(|row| row.get("left").is_some()).count(), 2, "{cuts:?}");
    }
}
