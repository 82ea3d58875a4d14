//! Inputs and outputs in object storage and on web servers, against servers that these tests start.

use crate::bucket::Bucket;
use crate::nearprint::{repository, run, run_with};
use crate::room::{Room, gzip};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::thread;

/// Rows that no two are near of, of about a kilobyte each.
fn rows(count: u64) -> Vec<u8> {
    let mut rows = Vec::new();
    let mut state = 1_u64;
    for id in 0..count {
        write!(rows, "{{\"id\":{id},\"text\":\"").unwrap();
        for _ in 0..64 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            write!(rows, "{:x} ", state >> 8).unwrap();
        }
        rows.extend_from_slice(b"\"}\n");
    }
    rows
}

#[test]
fn a_bucket_is_read_and_written_as_a_folder_is() {
    let Some(bucket) = Bucket::start() else { return };
    let room = Room::new();
    let samples = repository().join("samples");
    for name in ["news.jsonl", "zh.jsonl", "ja.jsonl"] {
        let bytes = fs::read(samples.join(name)).unwrap();
        let folder = if name == "ja.jsonl" { "deep/" } else { "" };
        room.write(&format!("in/{folder}{name}.gz"), gzip(&bytes));
        bucket.put(&format!("in/{folder}{name}.gz"), &gzip(&bytes));
    }
    bucket.put("in/.hidden/x.jsonl", b"{broken");
    bucket.put("inner.jsonl", b"{broken");
    room.run(&["dedup", "in", "-o", "out", "--removed", "removed.jsonl"]).done();
    let args = [
        "dedup",
        "s3://corpus/in",
        "-o",
        "s3://corpus/out",
        "--removed",
        "s3://corpus/removed.jsonl",
    ];
    bucket.run(&room, &args).done();
    for name in ["out/news.jsonl.gz", "out/zh.jsonl.gz", "out/deep/ja.jsonl.gz", "removed.jsonl"] {
        assert_eq!(bucket.get(name), Some(room.read(name)), "{name}");
    }
    // A pattern, to one object; and the same object by the web.
    room.run(&["dedup", "in/z*.gz", "in/n*.gz", "-o", "two.jsonl"]).done();
    let args = [
        "dedup",
        "s3://corpus/in/z*.gz",
        &bucket.web("in/news.jsonl.gz"),
        "-o",
        "s3://corpus/two.jsonl",
    ];
    bucket.run(&room, &args).done();
    assert_eq!(bucket.get("two.jsonl"), Some(room.read("two.jsonl")));
    assert!(!bucket.has_uploads());

    let refused = |args: &[&str], message: &str| {
        let args = [&["dedup", "s3://corpus/in/news.jsonl.gz"], args].concat();
        bucket.run(&room, &args).refused(1, message);
    };
    refused(
        &["-o", "s3://corpus/two.jsonl"],
        "s3://corpus/two.jsonl exists; pass --force to replace it",
    );
    refused(
        &["-o", "s3://corpus/in/news.jsonl.gz", "--force"],
        "s3://corpus/in/news.jsonl.gz is the input s3://corpus/in/news.jsonl.gz; name another output",
    );
    refused(
        &["-o", "https://host/x.jsonl"],
        "https://host/x.jsonl: http and https are read-only; write to a file, s3://, gs:// or az://",
    );
    refused(&["s3://corpus/none", "-o", "x"], "no such file or folder: s3://corpus/none");
    refused(
        &["s3://corpus/in/*.csv", "-o", "x"],
        "no file matches the pattern s3://corpus/in/*.csv",
    );
    refused(
        &[&bucket.web("none"), "-o", "x"],
        &format!("no such file or folder: {}", bucket.web("none")),
    );
    refused(
        &["s3://corpus/in/*.gz", "-o", "x"],
        "s3://corpus/in/news.jsonl.gz is the same file as s3://corpus/in/news.jsonl.gz, and would be \
         read twice; name it once",
    );
    let args = ["dedup", "s3://corpus/in", "-o", "s3://corpus/in/out"];
    bucket.run(&room, &args).refused(
        1,
        "the output s3://corpus/in/out lies inside the input folder s3://corpus/in: the next run would \
         read it as input; name a place outside",
    );
}

#[test]
fn a_parquet_object_is_copied_and_read_as_a_file() {
    let Some(bucket) = Bucket::start() else { return };
    let room = crate::parquet::room("code");
    bucket.put("rows.parquet", &room.read("rows.parquet"));
    room.run(&["dedup", "rows.parquet", "-o", "file.jsonl"]).done();
    let args = ["dedup", "s3://corpus/rows.parquet", "-o", "object.jsonl", "--work-dir", "work"];
    bucket.run(&room, &args).done();
    assert_eq!(room.text("object.jsonl"), room.text("file.jsonl"));
}

#[test]
fn an_output_of_many_parts_appears_whole_or_not_at_all() {
    let Some(bucket) = Bucket::start() else { return };
    let (room, mut rows) = (Room::new(), rows(40_000));
    assert!(rows.len() > 36 << 20);
    room.write("big.jsonl", &rows);
    let args =
        ["dedup", "big.jsonl", "-o", "s3://corpus/big.jsonl", "--summary", "s3://corpus/s.json"];
    bucket.run(&room, &args).done();
    assert!(bucket.get("big.jsonl").unwrap() == rows);
    assert!(String::from_utf8(bucket.get("s.json").unwrap()).unwrap().contains("\"kept\": 40000"));

    rows.extend_from_slice(b"{broken\n");
    room.write("big.jsonl", &rows);
    let args = ["fingerprint", "big.jsonl", "-o", "s3://corpus/prints.jsonl"];
    assert_eq!(bucket.run(&room, &args).code, Some(1));
    assert_eq!((bucket.get("prints.jsonl"), bucket.has_uploads()), (None, false));
}

#[test]
fn an_object_that_goes_or_changes_half_way_is_an_error() {
    let Some(bucket) = Bucket::start() else { return };
    let (room, rows) = (Room::new(), rows(48_000));
    for (goes, compressed) in [(true, false), (false, false), (true, true)] {
        let bytes = if compressed { gzip(&rows) } else { rows.clone() };
        bucket.put("big.jsonl", &bytes);
        let args = ["fingerprint", "s3://corpus/big.jsonl", "-o", "-", "--threads", "1", "-q"];
        let mut command = bucket.command(&room, &args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // It has begun to read, and cannot end while nobody takes what it writes.
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        lines.read_line(&mut String::new()).unwrap();
        if goes {
            bucket.delete("big.jsonl");
        } else {
            // As many bytes, the last of which are others.
            let end = bytes.len() - 8;
            bucket.put("big.jsonl", &[&bytes[..end], b"0000\"}\n "].concat());
        }
        lines.read_to_end(&mut Vec::new()).unwrap();
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let why = if goes {
            "it was deleted after it was listed"
        } else {
            "it changed since it was found: run again when no other program writes to it"
        };
        assert_eq!(said, format!("error: cannot read s3://corpus/big.jsonl: {why}\n"));
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn a_store_that_cannot_be_reached_is_told_with_the_environment() {
    let room = Room::new();
    let mut command = room.command(&["fingerprint", "az://container/x.jsonl", "-o", "-"]);
    command.env_clear();
    let run = run_with(command, "");
    let told = "error: cannot read az://container/x.jsonl: Generic MicrosoftAzure error: Account must be \
                specified; check AZURE_* in the environment\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), told));
}

/// Answers `requests` requests for this file with these bytes, whatever part of them is asked for.
fn serve(file: &'static str, bytes: &'static [u8], requests: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/{file}?token=secret", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().take(requests) {
            let mut stream = stream.unwrap();
            let mut request = String::new();
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            while lines.read_line(&mut request).unwrap() > 2 {}
            assert!(request.contains(&format!(" /{file}?token=secret ")), "{request}");
            let length = bytes.len();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            if !request.starts_with("HEAD") {
                stream.write_all(bytes).unwrap();
            }
        }
    });
    address
}

#[test]
fn a_web_server_that_knows_no_parts_is_read_too() {
    let room = Room::new();
    let address = serve("data.jsonl", b"{\"id\":1,\"text\":\"a b c\"}\n{\"text\":\"d e f\"}\n", 16);
    let run = run(&room.path(""), &["fingerprint", &address, "-o", "-", "-q"]).done();
    let ids: Vec<_> =
        crate::nearprint::rows(run.text()).iter().map(|row| row["id"].to_string()).collect();
    let name = address.strip_suffix("?token=secret").unwrap();
    assert_eq!(ids, ["1".to_owned(), format!("\"{name}:2\"")]);
    // What a server sends is a page, whatever its name says.
    for file in ["index.php", "feed.vue"] {
        let page = b"<title>{{News}}</title>\n<p>Hello <b>world</b></p>\n";
        let run = room.run(&["text", &serve(file, page, 16), "--recipe", "web"]).done();
        assert_eq!(run.text(), "Hello world\n", "{file}");
    }
}

#[test]
fn a_segment_in_a_bucket_is_compared_with() {
    let Some(bucket) = Bucket::start() else { return };
    let room = Room::new();
    let row = |id, text| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n");
    let (one, two) =
        ("the ferry leaves the old harbour at noon", "snow fell on the upper pastures");
    bucket.put("day1.jsonl", row(1, one).as_bytes());
    room.write("day2.jsonl", [row(2, one), row(3, two)].concat());
    let first = ["dedup", "s3://corpus/day1.jsonl", "-o", "kept.jsonl", "--index-out"];
    bucket.run(&room, &[&first[..], &["s3://corpus/day1.seg"]].concat()).done();
    let second = ["dedup", "day2.jsonl", "-o", "new.jsonl", "--against"];
    bucket.run(&room, &[&second[..], &["s3://corpus/day1.seg"]].concat()).done();
    assert_eq!(room.text("new.jsonl"), row(3, two));
    let absent = bucket.run(&room, &[&second[..], &["s3://corpus/none.seg", "--force"]].concat());
    absent.refused(1, "no such file or folder: s3://corpus/none.seg");
}
