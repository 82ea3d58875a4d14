//! The page of `dedup --report` as text; `scripts/check-report` looks at it in a browser.

use crate::nearprint::{repository, run};
use crate::room::Room;

fn page(room: &Room, name: &str, flags: &[&str]) -> String {
    let (kept, report) = (room.arg(&format!("{name}.jsonl")), room.arg(&format!("{name}.html")));
    let inputs = ["samples/news.jsonl", "samples/zh.jsonl", "samples/ja.jsonl"];
    let args = [&["dedup", "-q", "-o", &kept, "--report", &report], &inputs[..], flags].concat();
    run(&repository(), &args).done();
    room.text(&format!("{name}.html"))
}

#[test]
fn a_page_needs_nothing_else_and_is_the_same_every_time() {
    let room = Room::new();
    let one = page(&room, "one", &["--threads", "1"]);
    assert_eq!(one, page(&room, "three", &["--threads", "3", "--memory", "64M"]));
    // One script, of the page itself, which its policy names by its hash.
    assert!(one.matches("<script").count() == 1 && one.contains("script-src 'sha256-"), "{one}");
    for outside in ["src=", "url(", "@import", "=\"http", "=\"//"] {
        assert!(!one.contains(outside), "{outside}");
    }
    assert!(one.len() < 300_000, "{} bytes", one.len());
    assert!(one.contains("samples/zh.jsonl") && one.contains("Similarities of pairs"));
}

#[test]
fn a_page_follows_what_was_asked_for() {
    let room = Room::new();
    let bits = page(&room, "bits", &["-k", "3", "--width", "64", "--cluster-rule", "connected"]);
    assert!(!bits.contains("Similarities of pairs") && bits.contains("estimated cosine"));
    let against = page(&room, "against", &["--against", "samples/text"]);
    assert!(against.contains("<small>reference</small>"));
    let none = page(&room, "none", &["--keep", "none"]);
    assert!(none.contains("none of a cluster is kept") && !none.contains("<span>kept</span>"));
    let last = page(&room, "last", &["--keep", "last", "--cluster-rule", "connected"]);
    assert!(last.contains("Similarities of pairs"));
}

#[test]
fn a_page_appears_with_the_survivors_or_not_at_all() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"a b c\"}\n");
    room.write("page.html", "mine");
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--report", "page.html"];
    room.run(&args).refused(1, "page.html exists; pass --force to replace it");
    let args = [&args[..], &["--force"]].concat();
    room.write("in.jsonl", "{\"text\":\"a b c\"}\n{broken\n");
    assert_eq!(room.run(&args).code, Some(1));
    assert_eq!((room.text("page.html"), room.names().len()), ("mine".to_owned(), 2));
    room.write("in.jsonl", "");
    room.run(&args).done();
    assert!(room.text("page.html").contains("There is no cluster"));
}
