//! Long tasks that an administrator begins, and all documents as rows.

use crate::client::Client;
use crate::room::{Room, config};
use nearprint_fingerprint::Fingerprint;
use nearprint_server::Config;
use nearprint_store::{Document, Store, Write};
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

/// How a task ended; waits for its end.
fn ended(client: &mut Client, path: &str) -> Value {
    loop {
        let state = client.get(path).ok();
        if state["running"].is_null() {
            return state;
        }
        sleep(Duration::from_millis(5));
    }
}

/// Stores documents, some at a time: a client that sends all of a long batch before it reads is not read from.
fn add(client: &mut Client, ids: impl Iterator<Item = String>) {
    let line = |(at, id): (u64, String)| {
        let code = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let row =
            json!({ "id": id, "fingerprint": format!("{code:016x}"), "metadata": { "at": at } });
        row.to_string() + "\n"
    };
    let lines: Vec<String> = (1..).zip(ids).map(line).collect();
    for lines in lines.chunks(1000) {
        assert!(client.batch("add", &lines.concat()).iter().all(|row| row["verdict"] == "new"));
    }
}

#[test]
fn a_task_tells_how_far_it_is_and_how_it_ended() {
    let room = Room::new();
    let config = Config { snapshots: Some(room.path("snapshots")), ..config() };
    let served = room.serve(None, config);
    let mut client = served.client();
    let nothing = json!({ "running": null, "failed": null, "ended": null });
    for path in ["/v1/compact", "/v1/verify", "/v1/snapshots"] {
        assert_eq!(client.get(path).ok(), nothing);
    }
    add(&mut client, (0..500).map(|id| id.to_string()));
    for (path, body) in [
        ("/v1/compact", json!({})),
        ("/v1/verify", json!({})),
        ("/v1/snapshots", json!({ "name": "a" })),
    ] {
        let begun = client.post(path, body);
        assert_eq!(begun.status, 202, "{}", begun.text());
        let begun = begun.json();
        let state = ended(&mut client, path);
        assert!(state["failed"].is_null() && state["ended"]["seconds"].is_f64(), "{state}");
        assert!(begun["running"].is_null() || begun["running"]["begun"] == state["ended"]["begun"]);
    }
    assert_eq!(client.get("/v1/verify").ok()["ended"]["documents"], 500);
    // A body that comes later than its head belongs to its request.
    for path in ["/v1/compact", "/v1/verify"] {
        let head = format!("POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n");
        client.send(head.as_bytes());
        std::thread::sleep(std::time::Duration::from_millis(50));
        client.send(b"{}");
        assert_eq!(client.answer().status, 202);
        ended(&mut client, path);
    }
    assert_eq!(client.get("/v1/verify").ok()["ended"]["segments"], 1);
    let ended_well = client.get("/v1/snapshots").ok();
    assert_eq!(ended_well["ended"]["name"], "a");
    let begun = ended_well["ended"]["begun"].as_u64().unwrap() / 1000;
    let figure = format!("nearprint_last_snapshot_timestamp_seconds {begun}\n");
    assert!(client.get("/metrics").text().contains(&figure), "{figure}");
    assert_eq!(Store::open(room.path("snapshots/a")).unwrap().len(), 500);
    // A failure is told until a task ends well, and takes nothing from the last one that did.
    assert_eq!(client.post("/v1/snapshots", json!({ "name": "a" })).status, 202);
    let state = ended(&mut client, "/v1/snapshots");
    assert!(state["failed"]["reason"].as_str().unwrap().contains("snapshots/a"), "{state}");
    assert_eq!(state["ended"]["documents"], 500);
    assert_eq!(client.post("/v1/snapshots", json!({ "name": "b" })).status, 202);
    assert!(ended(&mut client, "/v1/snapshots")["failed"].is_null());
}

#[test]
fn the_place_of_snapshots_is_made_where_its_disk_is_there() {
    let room = Room::new();
    let config = Config { snapshots: Some(room.path("backups/pages")), ..config() };
    let served = room.serve(None, config);
    let mut client = served.client();
    assert_eq!(client.post("/v1/snapshots", json!({ "name": "a" })).status, 202);
    let state = ended(&mut client, "/v1/snapshots");
    let reason = state["failed"]["reason"].as_str().unwrap();
    assert!(reason.contains("backups/pages") && reason.contains("is mounted"), "{reason}");
    assert!(!room.path("backups").exists());
    std::fs::create_dir(room.path("backups")).unwrap();
    assert_eq!(client.post("/v1/snapshots", json!({ "name": "a" })).status, 202);
    assert!(ended(&mut client, "/v1/snapshots")["failed"].is_null());
    assert!(Store::open(room.path("backups/pages/a")).unwrap().is_empty());
}

#[test]
fn a_snapshot_goes_nowhere_but_to_its_place() {
    let room = Room::new();
    let config = Config { snapshots: Some(room.path("snapshots")), ..config() };
    let served = room.serve(None, config);
    let mut client = served.client();
    let long = "x".repeat(129);
    for name in ["", ".", "..", "../a", "a/b", ".hidden", "a b", "a\\b", "ä", &long] {
        client.post("/v1/snapshots", json!({ "name": name })).problem(422, Some("/name"));
    }
    client.post("/v1/snapshots", json!({ "place": room.path("a") })).problem(422, Some("/name"));
    client.post("/v1/snapshots", json!({})).problem(422, Some("/name"));
    drop(served);
    assert!(!room.path("snapshots").exists() && !room.path("a").exists());
    let served = room.serve(None, crate::room::config());
    let detail = served.client().post("/v1/snapshots", json!({ "name": "a" })).problem(404, None);
    assert!(detail.contains("--snapshots"), "{detail}");
}

#[test]
fn all_documents_come_as_rows_and_in_pages() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    add(&mut client, (0..3000).map(|id| format!("{}/{:04}", ["b", "a"][id % 2], 2999 - id)));
    let rows = client.get("/v1/export").rows();
    assert_eq!(rows.len(), 3000);
    assert_eq!((&rows[0]["id"], &rows[0]["metadata"]), (&json!("b/2999"), &json!({ "at": 1 })));
    let mut expected: Vec<String> =
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    expected.sort();
    let ids = |rows: &[Value]| -> Vec<String> {
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    assert!(ids(&client.get("/v1/export?prefix=").rows()) == expected);
    let beginning = |start: &str| -> Vec<String> {
        expected.iter().filter(|id| id.starts_with(start)).cloned().collect()
    };
    for prefix in ["a/", "a/2", "b/299", "c", "a/0000"] {
        assert!(
            ids(&client.get(&format!("/v1/export?prefix={prefix}")).rows()) == beginning(prefix)
        );
        let (mut after, mut paged) = (String::new(), Vec::new());
        loop {
            let path = format!("/v1/documents?prefix={prefix}&limit=7{after}");
            let page = client.get(&path).ok();
            let of_page = page["documents"].as_array().unwrap();
            assert!(of_page.len() <= 7);
            paged.extend(ids(of_page));
            let Some(last) = page["after"].as_str() else { break };
            assert_eq!(paged.last().unwrap(), last);
            after = format!("&after={last}");
        }
        assert!(paged == beginning(prefix), "{prefix}");
    }
    for wrong in ["limit=0", "limit=1001", "offset=1", "limit=x"] {
        client.get(&format!("/v1/documents?{wrong}")).problem(400, None);
    }
    client.get("/v1/export?after=a").problem(400, None);
}

#[test]
fn documents_are_deleted_by_the_beginning_of_their_ids_and_by_their_age() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    add(&mut client, (0..5000).map(|id| format!("{}/{id}", ["a", "b"][id % 2])));
    assert_eq!(client.post("/v1/deletions", json!({ "prefix": "a/" })).status, 202);
    let state = ended(&mut client, "/v1/deletions");
    assert_eq!(
        (&state["ended"]["prefix"], &state["ended"]["documents"]),
        (&json!("a/"), &json!(2500))
    );
    assert_eq!(client.post("/v1/deletions", json!({ "before": 1000 })).status, 202);
    assert_eq!(ended(&mut client, "/v1/deletions")["ended"]["documents"], 0);
    let now = u64::try_from(UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
    assert_eq!(client.post("/v1/deletions", json!({ "before": now })).status, 202);
    assert_eq!(ended(&mut client, "/v1/deletions")["ended"]["documents"], 2500);
    assert_eq!(client.get("/v1/stats").ok()["documents"], 0);
    for (wrong, field) in [
        (json!({}), ""),
        (json!({ "prefix": "a", "before": 1 }), ""),
        (json!({ "prefix": "" }), "/prefix"),
        (json!({ "before": -1 }), "/before"),
        (json!({ "before": 1e30 }), "/before"),
        (json!({ "before": 1_800_000_000_000_000_u64 }), "/before"),
    ] {
        client.post("/v1/deletions", wrong).problem(422, Some(field));
    }
}

#[test]
fn a_server_forgets_what_is_older_than_it_was_told() {
    let room = Room::new();
    let store = room.store(None);
    let now = UNIX_EPOCH.elapsed().unwrap().as_millis();
    let hour_ago = u64::try_from(now).unwrap() - 3_600_000;
    for (id, time) in [("old", hour_ago - 60_000), ("young", hour_ago + 60_000)] {
        let code = Fingerprint::from(time.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        store.write(Write::Add(Document { time, ..Document::new(id, code) })).unwrap();
    }
    drop(store);
    let served = room.serve(None, Config { forget_after: 3600, ..config() });
    let mut client = served.client();
    while client.get("/v1/deletions").ok()["ended"].is_null() {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(client.get("/v1/documents/old").status, 404);
    assert_eq!(client.get("/v1/documents/young").status, 200);
}

#[test]
fn a_server_whose_clock_may_be_wrong_forgets_nothing() {
    let room = Room::new();
    let store = room.store(None);
    let now = UNIX_EPOCH.elapsed().unwrap().as_millis();
    let now = u64::try_from(now).unwrap();
    for id in 0..5_u64 {
        let code = Fingerprint::from((id + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let time = if id < 3 { now - 7_200_000 } else { now };
        let document = Document { time, ..Document::new(id.to_string(), code) };
        store.write(Write::Add(document)).unwrap();
    }
    drop(store);
    let served = room.serve(None, Config { forget_after: 3600, ..config() });
    let mut client = served.client();
    let held = |client: &mut Client| {
        let text = client.get("/metrics").text().to_owned();
        text.lines().any(|line| line == "nearprint_forgetting_held 1")
    };
    while !held(&mut client) {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(client.get("/v1/stats").ok()["documents"], 5);
    // Whoever knows better says so.
    // The round that found so many may not have ended yet.
    while client.post("/v1/deletions", json!({ "before": now - 3_600_000 })).status != 202 {
        sleep(Duration::from_millis(5));
    }
    while client.get("/v1/deletions").ok()["ended"].is_null() {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(client.get("/v1/stats").ok()["documents"], 2);
}

#[test]
fn what_is_exported_is_imported_whole() {
    let (from, to) = (Room::new(), Room::new());
    let (exporting, importing) = (from.serve(None, config()), to.serve(None, config()));
    add(&mut exporting.client(), (0..300).map(|id| id.to_string()));
    let exported = exporting.client().get("/v1/export");
    let mut client = importing.client();
    let rows = client.batch("import", exported.text());
    assert!(rows.len() == 300 && rows.iter().all(|row| row["verdict"] == "new"));
    assert!(client.get("/v1/export").text() == exported.text());
    let again = client.batch("import", exported.text());
    assert!(again.iter().all(|row| row["verdict"] == "exists"));
    let wrong = "{\"id\":\"x\"}\n{\"id\":\"y\",\"fingerprint\":\"00ff\",\"time\":1}\n";
    for (row, line) in client.batch("import", wrong).iter().zip(1..) {
        assert_eq!(
            (&row["verdict"], &row["status"], &row["line"]),
            (&json!("refused"), &json!(422), &json!(line))
        );
    }
}

#[test]
fn an_export_that_nobody_reads_holds_up_no_stop() {
    let room = Room::new();
    let served = room.serve(None, config());
    add(&mut served.client(), (0..60_000).map(|id| format!("{id:0100}")));
    let mut stalled = served.client();
    stalled.send(b"GET /v1/export HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    assert_eq!(stalled.begin(), 200);
    drop(stalled);
    drop(served);
    assert_eq!(room.store(None).len(), 60_000);
}
