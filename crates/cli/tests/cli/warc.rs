//! Archives of crawls: pages out of responses, texts out of conversions, and archives back.

use crate::nearprint::{repository, rows, run_with};
use crate::room::{Room, gzip};
use serde_json::Value;

/// A record as crawlers write it.
pub(crate) fn record(kind: &str, content_type: &str, id: u32, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{id}>\r\n\
         WARC-Target-URI: http://example.org/{id}\r\nWARC-Date: {DATE}\r\n\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn page(id: u32, body: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
    record("response", "application/http; msgtype=response", id, &block)
}

/// When every record was captured.
const DATE: &str = "2026-01-31T09:30:00Z";

/// The id of the page of a number.
fn id(number: u32) -> String {
    format!("http://example.org/{number} {DATE}")
}

const FOX: &str =
    "The quick brown fox jumps over the lazy dog at noon, and sleeps until the evening";

/// A crawl of which the second page is a near-duplicate of the first.
pub(crate) fn crawl() -> Vec<String> {
    vec![
        record("warcinfo", "application/warc-fields", 0, "software: test\r\n"),
        page(1, &format!("<nav>Home</nav><p>{FOX}.</p>")),
        record("request", "application/http; msgtype=request", 1, "GET / HTTP/1.1\r\n\r\n"),
        page(2, &format!("<h1></h1><p>{FOX}!</p>")),
        record(
            "response",
            "application/http",
            3,
            "HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n",
        ),
        page(4, "<p>Nothing of what the others say is said in this third page of the crawl.</p>"),
    ]
}

#[test]
fn an_archive_loses_its_near_duplicates_and_nothing_else() {
    let room = Room::new();
    let members: Vec<u8> = crawl().iter().flat_map(|record| gzip(record.as_bytes())).collect();
    room.write("in/a.warc.gz", members);
    let flags = ["--removed", "removed.jsonl", "--summary", "s.json", "--force"];
    let dedup = |args: &[&str]| room.run(&[&["dedup"], args, &flags].concat());
    let run = dedup(&["in", "-o", "out/"]).done();
    assert!(run.stderr.contains("3 other archive records"), "{}", run.stderr);
    let said = "web archives: recipe web compares the main text of pages (--recipe names another)";
    assert_eq!(run.stderr.lines().next(), Some(said));
    let said = "0 with the URL of the kept page, 1 with another\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let mut kept = crawl();
    let removed = kept.remove(3);
    let row = &rows(&room.text("removed.jsonl"))[0];
    assert_eq!(
        (&row["id"], &row["record"], &row["host"]),
        (&id(2).into(), &"<urn:2>".into(), &"example.org".into())
    );
    assert_eq!(
        (&row["kept"], &row["kept_record"], &row["kept_host"]),
        (&id(1).into(), &"<urn:1>".into(), &"example.org".into())
    );
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!(
        (&summary["documents"], &summary["kept"], &summary["others"]),
        (&3.into(), &2.into(), &3.into())
    );
    assert_eq!((&summary["other_url"], &summary["recipe"]), (&1.into(), &"web".into()));
    let plain = dedup(&["out/a.warc.gz", "-o", "plain.warc", "--id-field", "WARC-Target-URI"]);
    plain.done();
    assert_eq!(room.text("plain.warc"), kept.concat());
    // Every record is a member of its own, which other readers go to.
    let written = room.read("out/a.warc.gz");
    let starts = written.windows(3).filter(|bytes| *bytes == b"\x1f\x8b\x08").count();
    assert!(starts >= kept.len(), "{starts} members of {}", kept.len());
    room.write("b.warc", removed);
    dedup(&["b.warc", "-o", "c.warc", "--against", "plain.warc", "--id-field", "WARC-Target-URI"])
        .done();
    assert_eq!(room.text("c.warc"), "");
    assert_eq!(rows(&room.text("removed.jsonl"))[0]["kept"], "http://example.org/1");
}

#[test]
fn records_that_are_no_documents_are_told_once_and_on_the_page() {
    const REMARK: &str = "3 other archive records (written as they are)";
    let room = Room::new();
    room.write("a.warc", crawl().concat());
    let flags = ["--recipe", "web", "--report", "page.html", "--force"];
    let dedup = |talk: &[&str]| {
        room.run(&[&["dedup", "a.warc", "-o", "b.warc"], &flags[..], talk].concat()).done()
    };
    assert_eq!(dedup(&[]).stderr.matches(REMARK).count(), 1);
    assert!(room.text("page.html").contains(REMARK));
    assert_eq!(dedup(&["--quiet"]).stderr, "");
}

#[test]
fn a_page_names_the_hosts_of_captures() {
    let room = Room::new();
    let mirror = crawl().concat().replace("example.org/", "Mirror.example:8080/");
    room.write("a.warc", crawl().concat() + &mirror);
    room.run(&["dedup", "a.warc", "-o", "b.warc", "--report", "page.html"]).done();
    let page = room.text("page.html");
    for host in ["example.org", "mirror.example"] {
        assert!(page.contains(&format!("<bdi class=\"source\">{host}</bdi>")), "{host}\n{page}");
    }
}

#[test]
fn conversions_are_texts() {
    let room = Room::new();
    let texts =
        [FOX, "something else altogether, of which no word is in the others", &FOX.to_uppercase()];
    let wet: Vec<String> =
        (1..).zip(texts).map(|(id, text)| record("conversion", "text/plain", id, text)).collect();
    room.write("crawl.warc.wet", wet.concat());
    room.run(&["dedup", "crawl.warc.wet", "-o", "kept.warc.wet.bz2"]).done();
    room.run(&["dedup", "kept.warc.wet.bz2", "-o", "kept.warc.wet"]).done();
    assert_eq!(room.text("kept.warc.wet"), wet[..2].concat());
    let run = room.run(&["fingerprint", "crawl.warc.wet"]).done();
    assert_eq!(rows(run.text())[2]["id"], id(3));
    room.run(&["dedup", "crawl.warc.wet", "-o", "noted.warc", "--annotate"]).done();
    let noted = room.text("noted.warc");
    let gone = format!(
        "Nearprint-Cluster: 0\r\nNearprint-Kept: false\r\nNearprint-Representative: {}\r\n",
        id(1)
    );
    assert!(noted.contains(&gone) && noted.contains("\r\nNearprint-Kept: true\r\n\r\n"), "{noted}");
    room.run(&["dedup", "noted.warc", "-o", "again.warc", "--annotate"]).done();
    assert_eq!(room.text("again.warc"), noted);
    for (output, told) in [("x.jsonl", "JSONL"), ("x.wacz", "WACZ"), ("x.cdx.gz", "CDX")] {
        let message = format!(
            "{output}: its name says {told}, and what is kept of crawl.warc.wet is written as WARC; name a file that \
             ends in .warc"
        );
        room.refuses(&["dedup", "crawl.warc.wet", "-o", output, "--quiet"], 1, &message);
    }
}

#[test]
fn a_broken_record_is_named_or_counted() {
    let room = Room::new();
    let crawl = crawl();
    let wrong = crawl[3].replace("Content-Length: ", "Content-Length: 1");
    room.write("a.warc", [&crawl[1], &wrong, &crawl[5], &crawl[0][..90]].concat());
    let run = room.run(&["dedup", "a.warc", "-o", "b.warc", "--recipe", "web"]);
    let at = crawl[1].len();
    assert!(run.stderr.contains(&format!("a.warc, record at byte {at}: ")), "{}", run.stderr);
    assert!(run.code == Some(1) && !room.path("b.warc").exists());
    let skip = ["--on-error", "skip", "--recipe", "web"];
    let run = room.run(&[&["dedup", "a.warc", "-o", "b.warc"], &skip[..]].concat()).done();
    assert!(
        run.stderr.contains("2 skipped (warc-cut), the first: a.warc, record at byte"),
        "{}",
        run.stderr
    );
    assert_eq!(room.text("b.warc"), [crawl[1].as_str(), &crawl[5]].concat());
    let run = room.run(&["dedup", "a.warc", "-o", "c.warc", "--recipe", "text"]);
    assert!(run.code == Some(1) && run.stderr.contains("use --recipe web"), "{}", run.stderr);
    let whole = gzip(crawl.concat().as_bytes());
    room.write("t.warc.gz", [&whole[..], b"trailing bytes"].concat());
    let run = room.run(&["dedup", "t.warc.gz", "-o", "d.warc", "--recipe", "web"]);
    assert!(
        run.code == Some(1) && run.stderr.contains("t.warc.gz: the gzip data is damaged after")
    );
}

/// What is lost is counted, and what follows is read: of standard input as of a file.
#[test]
fn behind_a_damaged_member_standard_input_is_read_on() {
    let room = Room::new();
    let members: Vec<Vec<u8>> = [1, 2, 3]
        .map(|id| gzip(page(id, &format!("<p>{FOX} on page {id}.</p>")).as_bytes()))
        .into();
    let mut damaged = members[1].clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    let archive = [&members[0], &damaged, &members[2]].map(Vec::as_slice).concat();
    room.write("a.warc.gz", &archive);
    let named = ["--input-format", "warc"];
    for (verb, more) in [("text", &[][..]), ("text", &named), ("fingerprint", &[])] {
        let run = |input| {
            let args = [&[verb, input, "--html", "full", "--on-error", "skip"], more].concat();
            let run = run_with(room.command(&args), archive.clone()).done();
            (run.text().replace("stdin", "a.warc.gz"), run.stderr.replace("stdin", "a.warc.gz"))
        };
        let (of_file, said) = run("a.warc.gz");
        assert!(said.contains("1 skipped (damaged-member)"), "{said}");
        assert!(verb != "text" || of_file.contains("page 3"), "{of_file}");
        assert_eq!(run("-"), (of_file, said), "{verb}");
    }
}

#[test]
fn records_of_a_capture_go_with_its_response_unless_they_are_to_stay() {
    let named = |record: String, field: &str, id: &str| {
        record.replacen("Content-Type", &format!("{field}: <{id}>\r\nContent-Type"), 1)
    };
    // The first capture as Heritrix writes it, the second as wget does, both near-duplicates of page 1.
    let text = "application/warc-fields";
    let request = |id| record("request", "application/http", id, "GET / HTTP/1.1\r\n\r\n");
    let records = [
        record("warcinfo", text, 0, "software: test\r\n"),
        page(1, &format!("<p>{FOX}.</p>")),
        named(request(11), "WARC-Concurrent-To", "urn:1"),
        page(2, &format!("<p>{FOX}!</p>")),
        named(request(12), "WARC-Concurrent-To", "urn:2"),
        named(record("metadata", text, 22, "a: b\r\n"), "WARC-Refers-To", "urn:2"),
        request(13),
        named(page(3, &format!("<p>{FOX}?</p>")), "WARC-Concurrent-To", "urn:13"),
        request(14),
    ];
    let room = Room::new();
    room.write("in/a.warc", records.concat());
    room.write("in/b.warc", &records[0]);
    let run = |args: &[&str]| {
        room.run(
            &[&["dedup", "in", "--recipe", "web", "--force", "--keep", "first"], args].concat(),
        )
        .done()
    };
    run(&["-o", "all/", "--keep-requests"]);
    let stay = |at: &[usize]| at.iter().map(|at| records[*at].as_str()).collect::<String>();
    assert_eq!(room.text("all/a.warc"), stay(&[0, 1, 2, 4, 5, 6, 8]));
    for (output, file) in [("whole/", "whole/a.warc"), ("whole.warc", "whole.warc")] {
        let run = run(&["-o", output, "--summary", "s.json"]);
        let both = if file == output { &[0, 1, 2, 8, 0][..] } else { &[0, 1, 2, 8] };
        assert_eq!(room.text(file), stay(both), "{output}");
        let said = "7 other archive records (3 removed with their response)\n";
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert!(room.text("s.json").contains("\"others_removed\": 3,"));
    }
    assert_eq!(room.text("whole/b.warc"), records[0]);
    // Where every document is written, no record of a capture goes.
    run(&["-o", "noted/", "--annotate"]);
    let noted = room.text("noted/a.warc");
    assert_eq!(noted.matches("WARC-Type").count(), records.len());
    // Commands that ask for the default go on.
    run(&["-o", "named.warc", "--whole-captures"]);
    assert_eq!(room.text("named.warc"), room.text("whole.warc"));
}

#[test]
fn records_of_a_capture_go_with_a_contaminated_page() {
    let named = |record: String, id: &str| {
        let field = format!("WARC-Concurrent-To: <{id}>\r\nContent-Type");
        record.replacen("Content-Type", &field, 1)
    };
    let request = |id| record("request", "application/http", id, "GET / HTTP/1.1\r\n\r\n");
    let question = "Which of the seven planets turns around its own sun in the shortest time?";
    let records = [
        page(1, &format!("<p>{question}</p>")),
        named(request(11), "urn:1"),
        request(12),
        named(page(2, &format!("<p>{question}</p>")), "urn:12"),
        request(13),
        named(page(3, &format!("<p>{FOX}.</p>")), "urn:13"),
    ];
    // The page comes again as it was, and so does another.
    let revisits = ["<urn:1>", "<urn:3>"].map(|of| {
        let revisit = record("revisit", "application/http", 50, "HTTP/1.1 200 OK\r\n\r\n");
        revisit.replace("WARC-Date", &format!("WARC-Refers-To: {of}\r\nWARC-Date"))
    });
    let room = Room::new();
    room.write("a.warc", records.concat() + &revisits.concat());
    room.write("quiz.jsonl", format!("{{\"question\":\"{question}\"}}\n"));
    let args = ["decontaminate", "a.warc", "--against", "quiz.jsonl", "--summary", "s.json"];
    let run = room.run(&[&args[..], &["-o", "b.warc"]].concat()).done();
    assert_eq!(room.text("b.warc"), records[4..].concat() + &revisits.concat());
    for said in [
        "2 other archive records removed with the response\n",
        "1 revisit record refers to a removed response\n",
    ] {
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    for figure in ["\"others_removed\": 2,", "\"revisits_of_removed\": 1,"] {
        assert!(room.text("s.json").contains(figure), "{figure}");
    }
    let annotate = ["-o", "noted.warc", "--action", "annotate", "--force"];
    room.run(&[&args[..], &annotate].concat()).done();
    let all = records.len() + revisits.len();
    assert_eq!(room.text("noted.warc").matches("WARC-Type").count(), all);
    // Shards count those of another file too.
    room.write("c.warc", revisits.concat());
    let files = ["a.warc", "c.warc", "--against", "quiz.jsonl"];
    let create = ["shard", "create", "work", "--job", "decontaminate"];
    let outputs = ["-o", "clean/", "--summary", "f.json"];
    room.run(&[&create[..], &files, &outputs].concat()).done();
    room.run(&["shard", "run", "work"]).done();
    assert!(room.text("f.json").contains("\"revisits_of_removed\": 2,"));
}

#[test]
fn one_page_is_called_alike_by_every_verb() {
    let room = Room::new();
    let later =
        |number: u32| page(number, &format!("<p>{FOX}!</p>")).replace(DATE, "2026-02-01T00:00:00Z");
    room.write("a.warc", [crawl().concat(), later(1)].concat());
    let removed = ["--removed", "removed.jsonl", "--clusters", "clusters.jsonl"];
    let args = ["dedup", "a.warc", "-o", "b.warc", "--keep", "first"];
    let run = room.run(&[&args[..], &removed].concat()).done();
    let said = "; 1 with the URL of the kept page, 1 with another\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let again = "http://example.org/1 2026-02-01T00:00:00Z";
    let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&rows(&room.text("removed.jsonl"))), [id(2).as_str(), again]);
    let all = [id(1).as_str(), &id(2), &id(4), again].map(Value::from);
    for verb in ["fingerprint", "text"] {
        let flags: &[&str] = if verb == "text" { &["--format", "json"] } else { &[] };
        let run = room.run(&[&[verb, "a.warc"], flags].concat()).done();
        assert_eq!(ids(&rows(run.text())), all, "{verb}");
    }
    let pairs = rows(room.run(&["pairs", "a.warc", "--quiet"]).done().text());
    assert!(pairs.iter().any(|row| row["a"] == id(1) && row["b"] == id(2)), "{pairs:?}");
    assert!(
        pairs.iter().all(|row| row["a_host"] == "example.org" && row["b_host"] == "example.org")
    );
    let clusters = rows(room.run(&["clusters", "a.warc", "--quiet"]).done().text());
    assert_eq!(ids(&clusters), ids(&rows(&room.text("clusters.jsonl"))));
    room.run(&["store", "init", "seen", "--recipe", "web"]).done();
    room.run(&["store", "add", "seen", "a.warc"]).done();
    let stored = rows(room.run(&["store", "export", "seen"]).done().text());
    assert_eq!(stored.len(), 4);
    assert!(ids(&stored).iter().all(|id| all.contains(id)), "{stored:?}");
    // Hosts are a field of the head.
    let args = ["dedup", "a.warc", "-o", "c.warc", "--within", "host", "--count-by", "host"];
    room.run(&args).done();
    assert!(room.text("c.warc").contains("example.org\":3"), "{}", room.text("c.warc"));
}

#[test]
fn a_record_without_a_document_is_in_one_part_of_a_split() {
    let room = Room::new();
    let mut records = crawl();
    let text = |n: u32| (0..30).map(|at| format!("w{n}x{at}")).collect::<Vec<_>>().join(" ");
    records.extend((10..40).map(|n| page(n, &format!("<p>{}.</p>", text(n)))));
    records.push(record("revisit", "application/http", 50, "HTTP/1.1 200 OK\r\n\r\n"));
    room.write("a.warc", records.concat());
    let run = room.run(&["split", "a.warc", "-o", "parts/", "--parts", "train=50,test=50"]).done();
    let parts = ["train", "test"].map(|part| room.text(&format!("parts/{part}.warc")));
    for (kind, counts) in [("warcinfo", [1, 1]), ("revisit", [1, 0])] {
        let kind = format!("WARC-Type: {kind}");
        assert_eq!([&parts[0], &parts[1]].map(|part| part.matches(&kind).count()), counts);
    }
    assert_eq!([&parts[0], &parts[1]].map(|part| part.matches("404 No").count()), [1, 0]);
    let said = "3 records of archives without a document of their own, such as errors and revisits: all in train";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let all: usize = parts.iter().map(|part| part.matches("WARC-Type: response").count()).sum();
    assert_eq!(all, 30 + 4, "each response is in one part");
}

#[test]
fn revisits_of_a_removed_response_are_counted() {
    let room = Room::new();
    let revisit = |number: u32, fields: &str| {
        let record = record("revisit", "application/http", number, "HTTP/1.1 200 OK\r\n\r\n");
        record.replace("WARC-Date", &format!("{fields}WARC-Date"))
    };
    let by_place = |number: u32| {
        let url = format!("WARC-Refers-To-Target-URI: http://example.org/{number}\r\n");
        format!("{url}WARC-Refers-To-Date: {DATE}\r\n")
    };
    // Page 2 goes. A revisit may stand in another file, before the response or behind it.
    room.write("in/a.warc", revisit(50, "WARC-Refers-To: <urn:2>\r\n"));
    room.write("in/b.warc", crawl().concat() + &revisit(51, "WARC-Refers-To: <urn:1>\r\n"));
    let behind = [revisit(52, &by_place(2)), revisit(53, &by_place(1)), revisit(54, "")];
    room.write("in/c.warc", behind.concat());
    let args = ["dedup", "in", "-o", "out/", "--keep", "first", "--summary", "s.json", "--force"];
    let run = room.run(&args).done();
    assert!(
        run.stderr.contains("2 revisit records refer to removed responses\n"),
        "{}",
        run.stderr
    );
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!(summary["revisits_of_removed"], 2);
    let run = room.run(&[&args[..], &["--exclude", "c.warc"]].concat()).done();
    assert!(
        run.stderr.contains("1 revisit record refers to a removed response\n"),
        "{}",
        run.stderr
    );
    // With notes every response is written.
    let run = room.run(&[&args[..], &["--annotate"]].concat()).done();
    assert!(!run.stderr.contains("revisit record"), "{}", run.stderr);
}

#[test]
fn a_file_that_is_no_archive_is_named_where_the_recipe_is_not_that_of_archives() {
    let room = Room::new();
    room.write("in/a.warc", crawl().concat());
    room.write("in/notes.txt", "text");
    let run = room.run(&["dedup", "in", "-o", "out/"]);
    let said = "in/notes.txt is no web archive, so recipe text compares all; name --recipe web for the archives, or leave \
                the file out (in folders by --exclude)\n";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    room.run(&["dedup", "in", "-o", "out/", "--exclude", "notes.*"]).done();
}

#[test]
fn archives_take_the_recipe_of_pages_from_standard_input_and_by_their_places() {
    let room = Room::new();
    room.write("a.warc", crawl().concat());
    room.write("a.warc.gz", gzip(crawl().concat().as_bytes()));
    let whole = room.run(&["fingerprint", "a.warc"]).done();
    for name in ["a.warc", "a.warc.gz"] {
        for verb in [
            &["fingerprint", "-"][..],
            &["text", "-"],
            &["pairs", "-"],
            &["dedup", "-", "-o", "kept.warc", "--force"],
            &["split", "-", "-o", "{part}.warc", "--force"],
            &["passages", "-", "--removed", "r.jsonl", "--force"],
            &["tune", "-"],
        ] {
            let run = run_with(room.command(verb), room.read(name));
            let refused = "no document that was looked at";
            let is_done = run.code == Some(0) || run.stderr.contains(refused);
            assert!(is_done && run.stderr.contains("recipe web"), "{verb:?}\n{}", run.stderr);
            if verb[0] == "fingerprint" {
                let own = |rows: &str| rows.replace("stdin", name);
                assert_eq!(own(run.text()), whole.text());
            }
        }
        let compared = room.run(&["compare", &format!("{name}:1"), "a.warc:2"]).done();
        let named = ["compare", &format!("{name}:1"), "a.warc:2", "--recipe", "web"];
        assert_eq!(compared.text(), room.run(&named).done().text());
    }
    // Beside a text they are pages as before: a recipe is to be named.
    room.write("a.txt", FOX);
    assert_eq!(room.run(&["compare", "a.warc:1", "a.txt"]).code, Some(1));
}

#[test]
fn a_field_that_no_archive_has_is_named_with_those_that_are_there() {
    let room = Room::new();
    room.write("a.warc", crawl().concat());
    let run = room.run(&["dedup", "a.warc", "-o", "b.warc", "--keep-by", "date:max"]);
    let said = "no row has a value in the field \"date\"; records of archives have their headers, such as WARC-Date";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn lines_that_are_no_errors_are_those_of_the_documentation() {
    let page_of_messages = std::fs::read_to_string(repository().join("docs/messages.md")).unwrap();
    let (_, table) = page_of_messages.split_once("## Lines that are not errors").unwrap();
    let shown = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let shown: Vec<&str> = shown.map(|(line, _)| line.split("...").next().unwrap()).collect();
    assert!(shown.len() > 6, "{shown:?}");
    let room = Room::new();
    let revisit = |number: u32| {
        let record = record("revisit", "application/http", number, "HTTP/1.1 200 OK\r\n\r\n");
        record.replace("WARC-Date", "WARC-Refers-To: <urn:2>\r\nWARC-Date")
    };
    let cut = page(60, "<p>cut</p>");
    let records = [crawl().concat(), revisit(50), revisit(51), page(52, "<p></p>")];
    room.write("a.warc", records.concat() + &cut[..cut.len() - 9]);
    room.write("old.warc", crawl()[4..].concat());
    let args = ["dedup", "a.warc", "-o", "b.warc", "--keep", "first", "--on-error", "skip"];
    let run = room.run(&[&args[..], &["--against", "old.warc"]].concat()).done();
    // What only rows and folders have.
    let row = |id: u32, text: &str| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n");
    let ferry = "the ferry leaves the harbour at noon on every day but one and returns";
    room.write("a.jsonl", row(1, ferry).repeat(20) + &row(2, "snow fell on the pastures"));
    room.write("pictures/page.jsonl", row(3, "a page of its own with other words"));
    room.write("pictures/a.png", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    room.write("pictures/b.png", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    let of_rows = room.run(&["dedup", "a.jsonl", "pictures", "-o", "kept.jsonl"]).done();
    let told = run.stderr + &of_rows.stderr;
    // Any number is one of these; of documents that are not compared with all `remarks` has a test.
    let plain = |text: &str| text.replace(|digit: char| digit.is_ascii_digit(), "#");
    for line in shown.into_iter().filter(|line| *line != "not compared with all documents") {
        assert!(plain(&told).contains(&plain(line)), "{line}\n{told}");
    }
}

#[test]
fn fields_of_heads_say_which_capture_stays() {
    let room = Room::new();
    let at = |record: String, field: &str| {
        let record = record.replace(DATE, "2024-05-01T00:00:00Z");
        record.replacen("Content-Type", &format!("{field}\r\nContent-Type"), 1)
    };
    let texts = |id: u32, field: &str| {
        at(record("conversion", "text/plain", id, &format!("{FOX}.")), field)
    };
    let at = |id: u32, field: &str| at(page(id, &format!("<p>{FOX}.</p>")), field);
    let dated = |record: String, date: &str| record.replace("2024-05-01T00:00:00Z", date);
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{FOX}.</p>");
    let arc =
        format!("http://a.example/5 192.0.2.7 20210102030410 text/html {}\n{block}\n", block.len());
    room.write(
        "in/a.warc",
        [
            dated(at(1, "X-Rank: 2"), "2024-05-01T00:00:00.5Z"),
            dated(at(2, "x-rank: 3"), "2024-05-01T00:00:00.25Z"),
            at(3, "X-Rank:"),
        ]
        .concat(),
    );
    room.write("in/b.arc", arc);
    room.write("in/c.wet", texts(4, "X-Rank: 2"));
    for (rule, kept) in [
        ("WARC-Date:max", "org/1 2024-05-01T00:00:00.5Z"),
        ("warc-date:min", "example/5 2021-01-02T03:04:10Z"),
        ("Archive-date:max", "example/5 2021-01-02T03:04:10Z"),
        ("X-Rank:max", "org/2 2024-05-01T00:00:00.25Z"),
        ("X-Rank:min", "org/1 2024-05-01T00:00:00.5Z"),
        ("X-Rank:min,WARC-Date:min", "org/4 2024-05-01T00:00:00Z"),
    ] {
        let args =
            ["dedup", "in", "-o", "out/", "--clusters", "c.jsonl", "--force", "--keep-by", rule];
        room.run(&args).done();
        let rows = rows(&room.text("c.jsonl"));
        assert_eq!(rows.len(), 5, "{rule}");
        for row in rows {
            let found = row["representative"].as_str().unwrap();
            assert!(found.ends_with(kept), "{rule}: {found}");
        }
    }
    room.write("d.warc", [at(1, "X-Rank: soon"), at(2, "X-Rank: 1")].concat());
    room.refuses(
        &["dedup", "d.warc", "-o", "e.warc", "--recipe", "web", "--keep-by", "X-Rank:max"],
        1,
        "d.warc, record at byte 0: the field \"X-Rank\" must be a number, true or false, a time, or a date such as 2024-12-31 or \
         2024-12-31T23:59:59Z, found soon",
    );
}

/// A body that does not unpack has no byte that was replaced.
#[test]
fn bodies_that_do_not_unpack_are_said_apart() {
    let room = Room::new();
    let page = format!("<p>{FOX}</p>");
    let sent = |body: &[u8]| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n\r\n";
        let block = [head.as_bytes(), body].concat();
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:1>\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n",
            block.len()
        );
        [record.as_bytes(), &block, b"\r\n\r\n"].concat()
    };
    let packed = gzip(page.as_bytes());
    let mut damaged = packed.clone();
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    for (body, is_cut) in [
        ([&packed[..], b"\r\n"].concat(), false),
        (packed[..packed.len() - 8].to_vec(), true),
        (damaged, true),
    ] {
        room.write("a.warc", sent(&body));
        let flags = ["--html", "full", "--format", "json"];
        let run = room.run(&[&["text", "a.warc"][..], &flags].concat()).done();
        assert_eq!(rows(run.text())[0]["text"], FOX);
        let dedup = ["dedup", "a.warc", "-o", "out.warc", "--summary", "s.json", "--force"];
        let deduped = room.run(&dedup).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["pages"]["cut"], if is_cut { Value::from(1) } else { Value::Null });
        assert_eq!(summary["replaced_utf8"], 0);
        for said in [run.stderr, deduped.stderr] {
            let cut = said.contains("1 document cut off or damaged in the archive, read in part");
            assert_eq!((cut, said.contains("UTF-8")), (is_cut, false), "{said}");
        }
    }
}
