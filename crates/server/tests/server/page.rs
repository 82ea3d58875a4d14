//! What the page is made of, and what it asks for besides what every client asks for.

use crate::client::{Answer, Client};
use crate::room::{Room, config};
use nearprint_fingerprint::mix64;
use nearprint_server::{Config, NewToken, Scope};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The files of the page.
const FILES: [&str; 13] = [
    "/",
    "/page.css",
    "/icon.svg",
    "/page.js",
    "/kit.js",
    "/ask.js",
    "/address.js",
    "/documents.js",
    "/search.js",
    "/clusters.js",
    "/charts.js",
    "/activity.js",
    "/store.js",
];

/// Waits until the search for clusters has ended.
pub(crate) fn clusters(client: &mut Client) -> Value {
    let begun = Instant::now();
    loop {
        let state = client.get("/v1/clusters?limit=1000").ok();
        if state["running"].is_null() {
            return state;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{state}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn begin(client: &mut Client, wanted: &Value) -> Answer {
    client.post("/v1/clusters", wanted)
}

#[test]
fn the_page_comes_from_the_binary_to_whoever_asks_and_runs_nothing_else() {
    let room = Room::new();
    let token = NewToken::new("a", Scope::Read, None).unwrap();
    let tokens = Some(room.write("tokens.toml", &token.entry));
    let served = room.serve(None, Config { tokens, ..config() });
    let mut client = served.client();
    let mut bytes = 0;
    for path in FILES {
        let file = client.get(path);
        assert_eq!(file.status, 200, "{path}");
        let policy = file.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
        assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        bytes +=
            file.body.len() + file.head.iter().map(|(a, b)| a.len() + b.len() + 4).sum::<usize>();
        let head = format!("If-None-Match: {}\r\n", file.header("etag").unwrap());
        let again = client.ask("GET", path, &head, b"");
        assert_eq!((again.status, again.body.len()), (304, 0));
    }
    assert!(bytes < 100_000, "{bytes}");
    let html = client.get("/").text().to_owned();
    for inline in ["style=", "<style", "onclick", "onload", "javascript:", "http://", "https://"] {
        assert!(!html.contains(inline), "{inline}");
    }
    assert_eq!(
        html.matches("<script").count(),
        html.matches(r#"src="/page.js"></script>"#).count()
    );
    for path in FILES.iter().filter(|path| path.ends_with(".js")) {
        let script = client.get(path).text().to_owned();
        for markup in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("] {
            assert!(!script.contains(markup), "{path}: {markup}");
        }
        for import in script.lines().filter_map(|line| line.split_once(" from \".").map(|it| it.1))
        {
            let import = import.trim_end_matches("\";");
            assert!(FILES.contains(&import), "{path}: {import}");
        }
    }
}

#[test]
fn clusters_are_those_of_all_pairs() {
    const DOCUMENTS: usize = 400;
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    assert_eq!(client.get("/v1/clusters").ok()["found"], Value::Null);
    client.get("/v1/clusters/0").problem(404, None);
    // Twelve bits decide, so that many are near.
    let code = |id: usize| {
        let id = id as u64;
        mix64(id % 5 + 1) ^ (mix64(id + 77) & mix64(id) & 0xfff)
    };
    let lines: String = (0..DOCUMENTS)
        .map(|id| format!("{{\"id\":\"{id}\",\"fingerprint\":\"{:016x}\"}}\n", code(id)))
        .collect();
    assert_eq!(client.batch("add", &lines).len(), 400);
    for k in [0, 1, 3] {
        let running = begin(&mut client, &json!({ "k": k }));
        assert_eq!(running.status, 202, "{}", running.text());
        let state = clusters(&mut client);
        let found = &state["found"];
        assert_eq!((&found["k"], &found["documents"]), (&json!(k), &json!(DOCUMENTS)), "{state}");
        let mut label: Vec<_> = (0..DOCUMENTS).collect();
        loop {
            let before = label.clone();
            for a in 0..DOCUMENTS {
                for b in (0..a).filter(|b| (code(a) ^ code(*b)).count_ones() <= k) {
                    let least = label[a].min(label[b]);
                    (label[a], label[b]) = (least, least);
                }
            }
            if before == label {
                break;
            }
        }
        let mut expected = BTreeMap::<usize, Vec<usize>>::new();
        (0..).zip(label).for_each(|(id, root)| expected.entry(root).or_default().push(id));
        expected.retain(|_, members| members.len() > 1);
        let rows = found["largest"].as_array().unwrap();
        assert_eq!(rows.len(), expected.len());
        let (mut reached, mut counted) = (1, 0);
        for class in found["sizes"].as_array().unwrap() {
            let [from, to, clusters] =
                ["from", "to", "clusters"].map(|name| class[name].as_u64().unwrap());
            assert_eq!((from, to), (reached + 1, from.next_power_of_two()));
            let within = expected.values().filter(|all| (from..=to).contains(&(all.len() as u64)));
            assert_eq!(clusters, within.count() as u64, "{class}");
            (reached, counted) = (to, counted + clusters);
        }
        assert_eq!(counted, expected.len() as u64);
        assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(row["size"].as_u64())));
        for row in rows {
            let members = client.get(&format!("/v1/clusters/{}?limit=1000", row["cluster"])).ok();
            let rows = members["members"].as_array().unwrap();
            let ids = rows.iter().map(|row| row["id"].as_str().unwrap().parse::<usize>().unwrap());
            let ids: Vec<_> = ids.collect();
            assert_eq!(expected.get(&ids[0]), Some(&ids));
            assert_eq!(row["size"], ids.len());
            for (id, row) in ids.iter().zip(rows) {
                assert_eq!(row["distance"], (code(*id) ^ code(ids[0])).count_ones());
            }
            let second =
                client.get(&format!("/v1/clusters/{}?offset=1&limit=1", row["cluster"])).ok();
            assert_eq!(second["members"], json!([rows[1]]));
        }
    }
}

#[test]
fn a_search_for_clusters_has_its_bounds() {
    let room = Room::new();
    let served = room.serve(None, Config { max_clustered: 2, ..config() });
    let mut client = served.client();
    for id in 1..4 {
        client
            .post("/v1/add", json!({ "id": id.to_string(), "fingerprint": format!("{id:016x}") }))
            .ok();
    }
    let said = begin(&mut client, &json!({})).problem(409, None);
    assert!(
        said.contains("3 documents") && said.contains("MiB") && said.contains("max-clustered"),
        "{said}"
    );
    assert!(begin(&mut client, &json!({ "k": 4 })).problem(422, Some("/k")).contains('3'));
    begin(&mut client, &json!({ "radius": 1 })).problem(422, Some("/radius"));
    client.get("/v1/clusters?limit=1001").problem(400, None);
    client.get("/v1/clusters?limit=x").problem(400, None);
    client.get("/v1/clusters?rows=1").problem(400, None);
    client.get("/v1/clusters/x").problem(404, None);
    client.post("/v1/delete", json!({ "id": "3" })).ok();
    assert_eq!(begin(&mut client, &json!({})).status, 202);
    assert_eq!(clusters(&mut client)["found"]["clusters"], 1);
}

#[test]
fn duplicates_are_counted_by_distance_and_by_document() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    client.post("/v1/add", json!({ "id": "a", "fingerprint": "00000000000000ff" })).ok();
    client.post("/v1/add", json!({ "id": "b", "fingerprint": "ff00000000000000" })).ok();
    assert_eq!(client.get("/v1/duplicates").ok()["answered"], 0);
    client.post("/v1/check", json!({ "fingerprint": "00000000000000fe" })).ok();
    client.post("/v1/check", json!({ "fingerprint": "0f0f0f0f0f0f0f0f" })).ok();
    client.post("/v1/check-and-add", json!({ "id": "c", "fingerprint": "00000000000000f8" })).ok();
    let line = |id, code| format!("{{\"id\":\"{id}\",\"fingerprint\":\"{code}\"}}\n");
    client.batch("check", &line("d", "ff00000000000001"));
    client.batch("check-and-add", &line("e", "00000000000000ff"));
    let counted = client.get("/v1/duplicates").ok();
    assert_eq!(counted["answered"], 4);
    // What is added unchecked, removed or refused is no check.
    client.batch("add", &line("f", "00ff00ff00ff00ff"));
    client.batch("check", "{\n");
    client.batch("delete", "{\"id\":\"f\"}\n");
    assert_eq!(
        (&counted["checked"], &client.get("/v1/duplicates").ok()["checked"]),
        (&json!(5), &json!(5))
    );
    let expected = [(0, 1), (1, 2), (3, 1)].map(|(d, n)| json!({ "distance": d, "count": n }));
    assert_eq!(counted["by_distance"], json!(expected));
    let most = json!([{ "id": "a", "count": 3 }, { "id": "b", "count": 1 }]);
    assert_eq!((&counted["most"], &counted["missed"]), (&most, &json!(0)));
    let figures = client.get("/metrics").text().to_owned();
    assert!(figures.contains("nearprint_duplicates_total{distance=\"1\"} 2"), "{figures}");
}

#[test]
fn texts_are_compared_word_by_word_and_stay_text() {
    const EVIL: &str = "<script>alert(1)</script> \u{0} <img src=x onerror=alert(2)>";
    let room = Room::new();
    let served = room.serve(Some("words"), Config { keep_text: 4096, ..config() });
    let mut client = served.client();
    client.post("/v1/add", json!({ "id": "a", "text": format!("one two three {EVIL}") })).ok();
    let mut compare = |a: Value, b: Value| {
        client.post("/v1/compare", json!({ "a": a, "b": b, "difference": true })).ok()["difference"]
            .clone()
    };
    let found = compare(json!({ "id": "a" }), json!({ "text": "one two three" }));
    assert_eq!(found["rows"][0]["left"][0], json!({ "alike": "one two three " }), "{found}");
    let gone = found["rows"][0]["left"][1]["changed"].as_str().unwrap();
    assert!(gone.starts_with("<script>alert(1)</script> \u{2400}"), "{gone}");
    assert_eq!((&found["cut"], &found["more"]), (&json!(false), &json!(0)));
    // A text that is wrapped otherwise.
    let wrapped =
        compare(json!({ "text": "one two\nthree" }), json!({ "text": "one\r\n\ttwo three" }));
    assert_eq!((&wrapped["rows"], &wrapped["rest"]), (&json!([]), &json!(3)));
    // Equal texts; one that is not known; those that are too long.
    let same = compare(json!({ "text": "one" }), json!({ "text": "one" }));
    assert_eq!(same["rows"], json!([]));
    assert_eq!(
        compare(json!({ "id": "a" }), json!({ "fingerprint": "00000000000000ff" })),
        Value::Null
    );
    let long = "word and ü ".repeat(60_000);
    let cut = compare(json!({ "text": long }), json!({ "text": format!("{long}more") }));
    assert_eq!((&cut["cut"], &cut["rows"]), (&json!(true), &json!([])));
    // Nothing alike: it ends while the client waits, and the rows are bounded.
    let numbers = |from: u64| {
        (from..from + 30_000).map(|n| format!("{:x} same ", mix64(n))).collect::<String>()
    };
    let found = compare(json!({ "text": numbers(1) }), json!({ "text": numbers(1 << 32) }));
    assert!(found["rows"].as_array().unwrap().len() <= 60);
    let without =
        client.post("/v1/compare", json!({ "a": { "text": "" }, "b": { "text": "" } })).ok();
    assert!(without.get("difference").is_none());
}
