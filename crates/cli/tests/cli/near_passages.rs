//! `nearprint passages --similarity`: near-duplicate lines and paragraphs are cut, and what that cannot have is refused.

use crate::nearprint::rows;
use crate::passages::{room, rows_of};
use crate::room::Room;
use serde_json::json;

#[test]
fn paragraphs_that_are_near_duplicates_go() {
    let room = Room::new();
    let one = "All rights reserved. You may copy this page for any purpose and without fee, as long as this notice stands on it.";
    let two = one.replace("page", "manual");
    let corpus = rows_of(&[
        &format!("First.\n\n{one}\n\nOne."),
        &format!("Second.\n\n{two}\n\nTwo."),
        &format!("Third.\n\n{one}"),
    ]);
    room.write("in.jsonl", corpus);
    let near = ["--unit", "paragraph", "--similarity", "0.6"];
    let flags = ["passages", "in.jsonl", "-o", "out.jsonl", "--removed", "cuts.jsonl"];
    room.run(&[&flags[..], &near].concat()).done();
    let first = format!("First.\n\n{one}\n\nOne.");
    assert_eq!(room.text("out.jsonl"), rows_of(&[&first, "Second.\n\n\nTwo.", "Third.\n"]));
    let cuts = rows(&room.text("cuts.jsonl"));
    assert_eq!(cuts.len(), 2, "{cuts:?}");
    let end = 8 + one.chars().count();
    let kept = json!({"id": 0, "start": 8, "end": end});
    assert_eq!(
        (&cuts[0]["id"], &cuts[0]["kept"], &cuts[0]["copies"]),
        (&json!(1), &kept, &json!(3))
    );
    assert_eq!((&cuts[1]["id"], &cuts[1]["kept"]), (&json!(2), &kept));
    assert_eq!(cuts[1]["similarity"], json!(1.0));
    let similarity = cuts[0]["similarity"].as_f64().unwrap();
    assert!((0.6..1.0).contains(&similarity) && cuts[0]["measure"] == "jaccard", "{cuts:?}");

    // Only equal passages are listed.
    let report = ["passages", "in.jsonl", "--report", "page.html", "--summary", "s.json"];
    let told = room.run(&[&report[..], &near].concat()).done().stderr;
    let page = room.text("page.html");
    for said in ["passages repeat", "No passage repeats", "distinct passages", "#most"] {
        assert!(!told.contains(said) && !page.contains(said), "{said}: {told}");
    }
    assert!(room.text("s.json").contains("\"passages\": null"));

    // What an archive has goes too, and what is near it.
    room.write("archive.jsonl", rows_of(&[one]));
    let against = ["passages", "in.jsonl", "-o", "rest.jsonl", "--against", "archive.jsonl"];
    room.run(&[&against[..], &near].concat()).done();
    assert_eq!(
        room.text("rest.jsonl"),
        rows_of(&["First.\n\n\nOne.", "Second.\n\n\nTwo.", "Third.\n"])
    );

    // At a similarity of 1 what is equal goes, and no more.
    let equal = ["passages", "in.jsonl", "-o", "equal.jsonl", "--unit", "paragraph"];
    room.run(&[&equal[..], &["--similarity", "1"]].concat()).done();
    let second = format!("Second.\n\n{two}\n\nTwo.");
    assert_eq!(room.text("equal.jsonl"), rows_of(&[&first, &second, "Third.\n"]));
}

#[test]
fn what_a_similarity_cannot_have_is_refused() {
    let room = room();
    let refused = [
        (
            &["--unit", "sentence"][..],
            "--similarity compares single lines or paragraphs; add --unit line or --unit paragraph, without --length",
        ),
        (
            &["--unit", "line", "--length", "2"],
            "--similarity compares single lines or paragraphs; add --unit line or --unit paragraph, without --length",
        ),
        (
            &["--unit", "line", "--inside", "keep"],
            "--similarity finds what repeats inside a document too; leave out --inside keep",
        ),
        (
            &["--unit", "line", "--copies", "3"],
            "--similarity cannot count the documents that contain a unit; leave out --copies",
        ),
        (
            &["--unit", "line", "--digits", "one"],
            "--similarity compares the features of the recipe, which has digits as they are; leave out --digits one",
        ),
        (
            &["--unit", "line", "--passages", "p.jsonl"],
            "--similarity has no passages that are equal to be listed; leave out --passages",
        ),
    ];
    for (flags, message) in refused {
        let base = ["passages", "in.jsonl", "-o", "out.jsonl", "--similarity", "0.9"];
        room.refuses(&[&base[..], flags].concat(), 2, message);
    }
    // Before anything is read.
    room.write("bad.jsonl", "{");
    for (similarity, message) in
        [("2", "use a number from 0 to 1"), ("0.1", "a similarity is from 0.3 to 1")]
    {
        let flags = ["--unit", "line", "--similarity", similarity];
        let run = room.run(&[&["passages", "bad.jsonl", "-o", "out.jsonl"], &flags[..]].concat());
        assert!(run.code != Some(0) && run.stderr.contains(message), "{}", run.stderr);
    }
}
