//! HTML pages from end to end: what counts of them, what is written back, and pages that mean harm.

use crate::nearprint::{command, repository, rows, run_with};
use crate::room::Room;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;

/// A room with the pages of `samples/html` below `in`.
fn room() -> Room {
    let room = Room::new();
    for entry in fs::read_dir(repository().join("samples/html")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        room.write(&format!("in/{name}"), fs::read(path).unwrap());
    }
    room
}

#[test]
fn an_article_is_found_again_under_another_frame_and_a_frame_is_no_article() {
    let room = room();
    let distance = |a: &str, b: &str, html: &str| {
        let args = ["compare", a, b, "--recipe", "web", "--html", html, "--format", "json"];
        let run = room.run(&[&args[..], &["--width", "64"]].concat()).done();
        let answer: Value = serde_json::from_str(run.text()).unwrap();
        answer["distance"].as_u64().unwrap()
    };
    assert!(distance("in/mill.html", "in/mill-reprint.html", "main") <= 3);
    assert!(distance("in/mill.html", "in/mill-reprint.html", "full") > 6);
    assert!(distance("in/mill.html", "in/viaduct.html", "main") > 20);
}

#[test]
fn dedup_of_pages_writes_them_as_they_came() {
    let room = room();
    room.run(&["dedup", "in", "-o", "out/", "--recipe", "web", "-k", "3", "--width", "64", "-q"])
        .done();
    let mut kept: Vec<_> = fs::read_dir(room.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    assert_eq!(
        kept,
        ["cafe.html", "chaguan.html", "mill-reprint.html", "toshokan.html", "viaduct.html"]
    );
    for name in kept {
        let (before, after) = (format!("in/{name}"), format!("out/{name}"));
        assert_eq!(fs::read(room.path(&before)).unwrap(), fs::read(room.path(&after)).unwrap());
    }
}

#[test]
fn pages_in_one_file_are_rows_in_utf8_that_say_the_same() {
    let room = room();
    room.run(&["dedup", "in", "-o", "kept.jsonl", "--recipe", "web", "-q"]).done();
    let kept = rows(&room.text("kept.jsonl"));
    assert!(kept[1]["text"].as_str().unwrap().contains("老茶馆在停业一年之后"));
    let of_rows = room.run(&["fingerprint", "kept.jsonl", "--recipe", "web"]).done();
    let of_pages = room.run(&["fingerprint", "in/", "--recipe", "web"]).done();
    for row in of_rows.text().lines() {
        assert!(of_pages.text().contains(row), "{row}");
    }
}

#[test]
fn pages_in_utf_16_are_known_without_a_mark() {
    let room = Room::new();
    let page = "<!doctype html><title>Times</title><p>The ferry leaves at noon, \u{e9}t\u{e9} \u{732b}</p>";
    let text = |input: &str, stdin: &[u8]| {
        run_with(room.command(&["text", input, "--html", "full", "-q"]), stdin)
            .done()
            .text()
            .to_owned()
    };
    room.write("plain.html", page);
    let expected = text("plain.html", b"");
    assert!(expected.contains("\u{e9}t\u{e9} \u{732b}"), "{expected}");
    let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        for name in ["a.html", "b.htm", "page"] {
            room.write(name, &bytes);
            assert_eq!(text(name, b""), expected, "{name}");
        }
        assert_eq!(text("-", &bytes), expected);
        let dedup = ["dedup", "-", "-o", "out.jsonl", "--recipe", "web", "--force", "-q"];
        run_with(room.command(&dedup), bytes).done();
    }
}

/// A row does not say that its page is XML: it is written as HTML.
#[test]
fn pages_in_xml_are_rows_of_html_that_say_the_same() {
    let room = Room::new();
    let page = |words: &str| {
        format!(
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='a'/>\
             </head><body><p>{words}</p><p><![CDATA[1 < 2]]></p></body></html>"
        )
    };
    room.write("in/a.xhtml", page("The harbour master keeps a paper log of every vessel"));
    room.write("in/b.xht", page("A clerk copies it by hand into a bound ledger"));
    let text = |name: &str| room.run(&["text", name, "--recipe", "web"]).done().text().to_owned();
    assert!(text("in/a.xhtml").contains("1 < 2"), "{}", text("in/a.xhtml"));
    room.run(&["dedup", "in", "-o", "kept.jsonl", "--recipe", "web", "-q"]).done();
    let of_rows = room.run(&["fingerprint", "kept.jsonl", "--recipe", "web"]).done();
    let of_pages = room.run(&["fingerprint", "in", "--recipe", "web"]).done();
    assert_eq!(rows(of_rows.text()).len(), 2);
    for (row, page) in rows(of_rows.text()).iter().zip(rows(of_pages.text())) {
        assert_eq!(row["fingerprint"], page["fingerprint"]);
        assert!(row["flags"] != "empty", "{row}");
    }
}

#[test]
fn both_fingerprints_come_in_one_pass() {
    let room = room();
    let fingerprints = |flags: &[&str]| {
        let run = room.run(&[&["fingerprint", "in"], flags].concat()).done();
        rows(run.text())
    };
    let both = fingerprints(&["--recipe", "web", "--both"]);
    let main = fingerprints(&["--recipe", "web"]);
    let full = fingerprints(&["--recipe", "web", "--html", "full"]);
    assert_eq!(both.len(), 6);
    for ((both, main), full) in both.iter().zip(&main).zip(&full) {
        assert_eq!(both["fingerprint"], main["fingerprint"]);
        assert_eq!(both["fingerprint_full"], full["fingerprint"]);
        assert_ne!(both["fingerprint"], both["fingerprint_full"]);
    }
    let message = "--both: recipe text does not take the main text of HTML; pass --html main, or \
                   use --recipe web";
    room.refuses(&["fingerprint", "in", "--both"], 2, message);
}

#[test]
fn pages_are_no_text_unless_that_is_asked_for() {
    let room = room();
    let message = "in/cafe.html: an HTML page, and the recipe takes plain text; pass --html main \
                   or --html full, use --recipe web, or pass --input-format text to treat tags as \
                   text";
    room.refuses(&["fingerprint", "in/cafe.html"], 1, message);
    room.refuses(&["compare", "in/cafe.html", "in/mill.html"], 1, message);
    let skipped = room.run(&["pairs", "in", "--on-error", "skip"]).done();
    assert!(skipped.stderr.contains("\n6 skipped (html-as-text), the first: in/cafe.html"));
    room.run(&["fingerprint", "in/mill.html", "--input-format", "text"]).done();
    room.run(&["fingerprint", "in/mill.html", "--html", "main"]).done();
}

#[test]
fn a_recipe_with_html_has_an_id_of_its_own() {
    let room = room();
    let id = |flags: &[&str]| {
        let pages = ["compare", "in/mill.html", "in/viaduct.html", "--format", "json"];
        let run = room.run(&[&pages, flags].concat()).done();
        serde_json::from_str::<Value>(run.text()).unwrap()["recipe_id"].clone()
    };
    assert_ne!(id(&["--recipe", "web"]), id(&["--recipe", "web", "--html", "full"]));
    assert_eq!(id(&["--recipe", "web"]), id(&["--recipe", "web", "--html", "main"]));
}

#[test]
fn pages_without_main_text_and_hostile_ones_are_counted() {
    let room = Room::new();
    room.write("in/deep.html", "<div>".repeat(100_000) + "some words here");
    room.write("in/small.html", "<p>gone fishing today");
    let dedup = ["dedup", "in", "-o", "out/", "--recipe", "web", "--summary", "summary.json"];
    let run = room.run(&dedup).done();
    assert!(run.stderr.contains(
        "1 page too large, too deep or too complex to search for the main text: all text was used\n\
         1 page with little or no main text: all text was used\n"
    ));
    let summary: Value = serde_json::from_str(&room.text("summary.json")).unwrap();
    assert_eq!(
        summary["pages"],
        json!({
            "too_costly": 1, "without_main_text": 1, "little_main_text": 0, "doubtful_main_text": 0
        })
    );
}

#[test]
fn a_decompression_bomb_is_refused_in_bounded_memory() {
    let room = Room::new();
    let zeros = vec![b' '; 1 << 20];
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut zstd = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    for _ in 0..300 {
        gzip.write_all(&zeros).unwrap();
        zstd.write_all(&zeros).unwrap();
    }
    room.write("in/a.html.gz", gzip.finish().unwrap());
    room.write("in/b.html.zst", zstd.finish().unwrap());
    room.write("in/c.html", "<p>an honest page of few words");
    let message = "in/a.html.gz: the record is longer than 4 MB; raise the limit with --max-record";
    let web = ["--recipe", "web", "--max-record", "4M"];
    room.refuses(&[&["fingerprint", "in"], &web[..]].concat(), 1, message);
    let skip = ["dedup", "in", "-o", "out/", "--summary", "s.json", "--on-error", "skip"];
    room.run(&[&skip[..], &web].concat()).done();
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!(
        (&summary["kept"], &summary["skipped"]["reasons"]["too-long"]),
        (&1.into(), &2.into())
    );
    if let Some(peak) = summary["peak_memory"].as_u64() {
        assert!(peak < 150_000_000, "{peak} bytes for 600 MB of blanks");
    }
}

#[test]
fn a_page_comes_by_standard_input() {
    let room = room();
    let args = ["fingerprint", "-", "--input-format", "html", "--recipe", "web"];
    let page = fs::read(room.path("in/mill.html")).unwrap();
    let piped = run_with(command(&room.path("."), &args), page).done();
    let named = room.run(&["fingerprint", "in/mill.html", "--recipe", "web"]).done();
    assert_eq!(rows(piped.text())[0]["fingerprint"], rows(named.text())[0]["fingerprint"]);
}

#[test]
fn a_page_is_read_in_the_character_set_that_is_asked_for_by_every_verb() {
    let room = Room::new();
    let text = "le café du pont rouvre ses portes après dix-huit mois de travaux";
    let latin: Vec<u8> = text.chars().map(|letter| u8::try_from(letter).unwrap()).collect();
    // The page says the wrong one.
    room.write("a.html", [b"<meta charset=utf-8><p>", &latin[..]].concat());
    room.write("b.html", format!("<meta charset=utf-8><p>{text}"));
    room.write("text.txt", latin);
    let run = |args: &[&str]| {
        let flags = ["--html", "full", "--encoding", "latin1"];
        room.run(&[args, &flags].concat()).done()
    };
    assert_eq!(run(&["text", "a.html"]).text(), format!("{text}\n"));
    run(&["dedup", "a.html", "-o", "a.jsonl"]);
    assert!(room.text("a.jsonl").contains("caf\u{e9} du pont"), "{}", room.text("a.jsonl"));
    let own = room.run(&["fingerprint", "b.html", "--html", "full"]).done();
    let named = run(&["fingerprint", "a.html"]);
    assert_eq!(named.text().replace("a.html", "b.html"), own.text());
    let compared = run(&["compare", "a.html", "text.txt"]);
    assert!(compared.text().contains("Jaccard      1.0000"), "{}", compared.text());
}
