//! Batches: a line in, a line out, in order, while they come.

use crate::room::{Room, config};
use nearprint_fingerprint::mix64;
use nearprint_server::Config;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;

/// Lines of ready fingerprints that look random.
fn lines(ids: std::ops::Range<u64>) -> String {
    ids.fold(String::new(), |mut lines, id| {
        writeln!(lines, r#"{{"id":"{id}","fingerprint":"{:016x}"}}"#, mix64(id + 1)).unwrap();
        lines
    })
}

fn verdicts(rows: &[Value]) -> Vec<(&str, &str)> {
    rows.iter()
        .map(|row| (row["id"].as_str().unwrap_or("-"), row["verdict"].as_str().unwrap()))
        .collect()
}

#[test]
fn who_waits_for_a_word_before_it_sends_gets_it() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    let head = "POST /v1/batch?op=add HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\n";
    let line = "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n";
    client.send(format!("{head}Content-Length: {}\r\n\r\n", line.len()).as_bytes());
    assert_eq!(client.begin(), 100);
    client.send(line.as_bytes());
    let answer = client.answer();
    assert_eq!((answer.status, &answer.rows()[0]["verdict"]), (200, &json!("new")));
    // What is refused by its head is refused before anything is sent.
    let head = head.replace("op=add", "op=none");
    client.send(format!("{head}Content-Length: 1000\r\n\r\n").as_bytes());
    assert_eq!(client.begin(), 400);
}

#[test]
fn sketches_are_taken_from_the_owner_alone() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    client.batch("add", &lines(0..1));
    let row = String::from_utf8(client.get("/v1/export").body).unwrap();
    assert_eq!(client.batch("import", &row)[0]["verdict"], "exists");
    for op in ["check", "add", "delete"] {
        let path = format!("/v1/batch?op={op}&sketched=true");
        let refused = client.ask("POST", &path, "", row.as_bytes());
        assert_eq!(refused.status, 400, "{refused:?}");
    }
    let row: Value = serde_json::from_str(&row).unwrap();
    let refused = client.post("/v1/query", json!({ "sketched": row }));
    assert_eq!(refused.status, 422, "{refused:?}");
    // Nor does anybody else get more neighbours, or those beyond the largest radius.
    let code = &row["fingerprint"];
    for beyond in
        [json!({ "fingerprint": code, "limit": 1001 }), json!({ "fingerprint": code, "k": 17 })]
    {
        assert_eq!(client.post("/v1/query", beyond).status, 422);
    }
}

#[test]
fn lines_are_answered_in_their_order() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    let all = lines(0..5000);
    let rows = client.batch("check-and-add", &all);
    assert_eq!(rows.len(), 5000);
    for (id, row) in rows.iter().enumerate() {
        assert_eq!((&row["id"], &row["verdict"]), (&json!(id.to_string()), &json!("new")));
    }
    let seen = client.batch("check", &all);
    assert!(seen.iter().all(|row| row["near"] == json!({ "id": row["id"], "distance": 0 })));
    assert!(client.batch("add", &all).iter().all(|row| row["verdict"] == "exists"));
    let ids: String = (0..5000).rev().map(|id| format!("{{\"id\":\"{id}\"}}\n")).collect();
    let gone = client.batch("delete", &ids);
    assert!(gone.iter().all(|row| row["verdict"] == "deleted"));
    assert_eq!(gone[0]["id"], "4999");
    assert_eq!(client.get("/v1/stats").ok()["documents"], 0);
}

#[test]
fn a_line_that_will_not_do_is_answered_in_its_place() {
    let room = Room::new();
    let served = room.serve(Some("text"), Config { max_line: 1000, ..config() });
    let mut client = served.client();
    let long = "x".repeat(2000);
    let lines = [
        r#"{"id":"a","text":"one two three"}"#,
        "{",
        "",
        r#"{"id":"b","text":"one two three","colour":1}"#,
        r#"{"text":"one two three"}"#,
        &long,
        r#"{"id":"a","text":"something else altogether"}"#,
        r#"{"id":"c","fingerprint":"12"}"#,
        r#"{"id":"d","text":"one two three"}"#,
    ];
    let rows = client.batch("check-and-add", &lines.join("\n"));
    let expected = [
        ("a", "new"),
        ("-", "refused"),
        ("-", "refused"),
        ("-", "refused"),
        ("-", "refused"),
        ("a", "refused"),
        ("c", "refused"),
        ("d", "duplicate"),
    ];
    assert_eq!(verdicts(&rows), expected);
    let numbers: Vec<_> = rows.iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 4, 5, 6, 7, 8, 9], "the third line is blank");
    let errors: Vec<_> = rows.iter().filter_map(|row| row["error"].as_str()).collect();
    for (error, expected) in errors.iter().zip([
        "not JSON",
        "/colour: unknown field",
        "/id: a document needs an id to be stored",
        "more than 1000 bytes",
        "/id: id \"a\" is stored with another fingerprint",
        "/fingerprint: expected 16",
    ]) {
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(errors.len(), 6);
    let problems: Vec<_> = rows
        .iter()
        .filter(|row| row["verdict"] == "refused")
        .map(|row| (row["type"].as_str().unwrap(), row["status"].as_u64().unwrap()))
        .collect();
    let expected = [
        ("urn:nearprint:problem:body", 400),
        ("urn:nearprint:problem:field", 422),
        ("urn:nearprint:problem:field", 422),
        ("urn:nearprint:problem:too-large", 413),
        ("urn:nearprint:problem:conflict", 409),
        ("urn:nearprint:problem:field", 422),
    ];
    assert_eq!(problems, expected);
    let taken = rows.iter().filter(|row| row["verdict"] != "refused");
    assert!(taken.into_iter().all(|row| row.get("type").is_none() && row.get("status").is_none()));
}

#[test]
fn lines_are_answered_while_others_are_still_to_come() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    client.send(
        b"POST /v1/batch?op=add HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for id in 0..3 {
        let line = lines(id..id + 1);
        client.send(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes());
        if id == 0 {
            assert_eq!(client.begin(), 200);
        }
        let row: Value = serde_json::from_slice(&client.chunk().unwrap()).unwrap();
        assert_eq!((&row["id"], &row["verdict"]), (&json!(id.to_string()), &json!("new")));
        // What was answered is there for all.
        served.client().get(&format!("/v1/documents/{id}")).ok();
    }
    client.send(b"0\r\n\r\n");
    assert_eq!(client.chunk(), None);
}

#[test]
fn those_rows_are_answered_that_are_asked_for_and_then_their_counts() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    let three = "\n{\"id\":\"x\"}\n{\"id\":\"0\",\"fingerprint\":\"0000000000000000\"}\n";
    let lines = format!("{}{three}{}", lines(0..4), lines(3..5));
    let totals = |new: u64, exists: u64| {
        json!({ "lines": 9, "blank": 1, "new": new, "exists": exists, "duplicate": 0, "updated": 0,
                "deleted": 0, "absent": 0, "refused": 2 })
    };
    let mut ask = |rows: &str| client.batch(&format!("add&rows={rows}"), &lines);
    let new = ask("new");
    let found: Vec<_> = new.iter().map(|row| &row["line"]).collect();
    assert_eq!(found[..5], [&json!(1), &json!(2), &json!(3), &json!(4), &json!(9)]);
    assert_eq!(new[5..], [totals(5, 1)]);
    let refused = ask("refused");
    let found: Vec<_> = refused.iter().map(|row| &row["line"]).collect();
    assert_eq!((found[..2].to_vec(), &refused[2]), (vec![&json!(6), &json!(7)], &totals(0, 6)));
    assert_eq!(ask("none"), [totals(0, 6)]);
    let all = ask("all");
    assert_eq!((all.len(), &all[8]), (9, &totals(0, 6)));
    // One that is cut short says so whatever rows are asked for.
    let packed = zstd::encode_all(lines.as_bytes(), 3).unwrap();
    let head = "Content-Encoding: zstd\r\n";
    let half =
        client.ask("POST", "/v1/batch?op=check&rows=none", head, &packed[..packed.len() / 2]);
    let half = half.rows().remove(0);
    assert_eq!(
        (&half["lines"], &half["refused"], &half["status"]),
        (&json!(1), &json!(1), &json!(400))
    );
    assert_eq!(half["type"], "urn:nearprint:problem:body");
    assert!(half["error"].as_str().unwrap().contains("cut short"));
}

#[test]
fn who_reads_only_at_the_end_is_answered_where_few_rows_are_asked_for() {
    let room = Room::new();
    let served = room.serve(None, config());
    let stored = 0xffff_ffff_u64;
    // Far more than all buffers of the system between client and server take.
    let long = "x".repeat(4000);
    let body: String = (0..10_000)
        .map(|id| {
            let near = format!("{:016x}", stored ^ (1 << (id % 64)));
            json!({ "id": format!("{id}{long}"), "fingerprint": near }).to_string() + "\n"
        })
        .collect();
    let code = format!("{stored:016x}");
    served.client().post("/v1/add", json!({ "id": "a", "fingerprint": code })).ok();
    for rows in ["new", "refused", "none"] {
        let mut client = served.client();
        client.stream().set_write_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
        let length = body.len();
        let head = format!(
            "POST /v1/batch?op=check&rows={rows} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n"
        );
        client.send(head.as_bytes());
        client.send(body.as_bytes());
        let answer = client.answer().rows();
        assert_eq!(answer.len(), 1);
        assert_eq!(
            (&answer[0]["lines"], &answer[0]["duplicate"]),
            (&json!(10_000), &json!(10_000))
        );
    }
}

#[test]
fn documents_are_replaced_line_by_line() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    client.batch("add", &lines(0..3));
    let put = "{\"id\":\"0\",\"fingerprint\":\"00000000000000ff\"}\n";
    let rows = client.batch("put", &format!("{put}{}{put}", lines(3..4)));
    assert_eq!(verdicts(&rows), [("0", "updated"), ("3", "new"), ("0", "exists")]);
    assert_eq!(client.get("/v1/documents/0").ok()["fingerprint"], "00000000000000ff");
    assert_eq!(client.get("/v1/stats").ok()["documents"], 4);
    // A near-duplicate of another document is told, one of the document itself is not.
    let near = |id: &str, code: &str| json!({ "id": id, "fingerprint": code }).to_string() + "\n";
    let lines = [
        near("0", "00000000000000fe"),
        near("9", "00000000000000ff"),
        near("3", "00000000000000ff"),
        near("0", "00ff00ff00ff00ff"),
        near("9", "00000000000000ff"),
    ];
    let rows = client.batch("check-and-put", &lines.concat());
    let expected =
        [("0", "updated"), ("9", "duplicate"), ("3", "duplicate"), ("0", "updated"), ("9", "new")];
    assert_eq!(verdicts(&rows), expected);
    assert_eq!(rows[1]["near"], json!({ "id": "0", "distance": 1 }));
    let one = json!({ "id": "3", "fingerprint": "00000000000000ff" });
    let told = client.post("/v1/check-and-put", &one).ok();
    assert_eq!((&told["verdict"], &told["near"]["id"]), (&json!("duplicate"), &json!("9")));
    let other = json!({ "id": "3", "fingerprint": "00ffff0000ffff00" });
    assert_eq!(client.post("/v1/check-and-put", &other).ok()["verdict"], "updated");
}

#[test]
fn parameters_that_are_not_known_are_refused_everywhere() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    for (method, path) in [
        ("POST", "/v1/batch?op=check&colour=red"),
        ("POST", "/v1/batch?op=check&op=add"),
        ("POST", "/v1/batch?op=check&rows=some"),
        ("POST", "/v1/batch?op=check&x"),
        ("POST", "/v1/batch?rows=none"),
        ("GET", "/v1/clusters?limits=3"),
        ("POST", "/v1/check?k=3"),
        ("GET", "/v1/stats?x=1"),
        ("GET", "/v1/documents/a?x"),
        ("GET", "/healthz?x"),
    ] {
        client.ask(method, path, "", b"").problem(400, None);
    }
    assert_eq!(client.get("/healthz?").status, 200);
    assert_eq!(client.get("/?from=elsewhere").status, 200);
}

#[test]
fn who_does_not_read_answers_is_not_read_from() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    client.send(
        b"POST /v1/batch?op=check HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    let line = lines(0..1000);
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    client.stream().set_write_timeout(Some(std::time::Duration::from_secs(1))).unwrap();
    let mut sent = 0;
    // Until the buffers of the system are full, and no further.
    while client.stream().write_all(chunk.as_bytes()).is_ok() {
        sent += chunk.len();
        assert!(sent < 256 << 20, "the server takes in without end");
    }
    served.client().get("/healthz");
}

#[test]
fn batches_come_compressed_too_and_only_so_many_at_a_time() {
    let room = Room::new();
    let served = room.serve(None, Config { max_batches: 1, ..config() });
    let mut client = served.client();
    let all = lines(0..3000);
    let packed = zstd::encode_all(all.as_bytes(), 3).unwrap();
    let answer = client.ask("POST", "/v1/batch?op=add", "Content-Encoding: zstd\r\n", &packed);
    assert_eq!(answer.rows().len(), 3000);
    let half =
        client.ask("POST", "/v1/batch?op=check", "Content-Encoding: zstd\r\n", &packed[..900]);
    let rows = half.rows();
    assert_eq!(rows.last().unwrap()["verdict"], "refused");
    assert!(rows.last().unwrap()["error"].as_str().unwrap().contains("cut short"));

    let mut open = served.client();
    open.send(
        b"POST /v1/batch?op=check HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    assert_eq!(open.begin(), 200);
    let busy = client.ask("POST", "/v1/batch?op=check", "", b"");
    assert!(busy.problem(503, None).contains("batches"));
    assert_eq!(busy.header("retry-after"), Some("1"));
    open.send(b"0\r\n\r\n");
    assert_eq!(open.chunk(), None);
    assert_eq!(client.batch("check", ""), Vec::<Value>::new());
    client.ask("POST", "/v1/batch", "", b"").problem(400, None);
    client.ask("POST", "/v1/batch?op=drop", "", b"").problem(400, None);
}
