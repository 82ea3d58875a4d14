//! Bodies that will not do: the right status, the field, and what to do.

use crate::room::{Room, config};
use nearprint_server::Config;
use serde_json::json;
use std::io::Write;
use std::time::Duration;

#[test]
fn what_will_not_do_is_named() {
    let room = Room::new();
    let served = room.serve(Some("text"), config());
    let mut client = served.client();
    for (path, body, status, field, detail) in [
        ("/v1/check", "{", 400, None, "not JSON"),
        ("/v1/check", "", 400, None, "not JSON"),
        ("/v1/check", "[]", 422, Some(""), "/v1/batch, an object on each line"),
        ("/v1/check", r#"["a","text"]"#, 422, Some(""), "expected an object"),
        ("/v1/compare", r#"{"a":["x"],"b":{"text":""}}"#, 422, Some("/a"), "expected an object"),
        ("/v1/check", "{}", 422, Some(""), "one of \"text\""),
        ("/v1/check", r#"{"text":7}"#, 422, Some("/text"), "expected a string"),
        ("/v1/check", r#"{"id":1.5,"text":"a"}"#, 422, Some("/id"), "a string or a whole number"),
        ("/v1/get", r#"{"id":1e3}"#, 422, Some("/id"), "a string or a whole number"),
        ("/v1/get", r#"{"id":36893488147419103232}"#, 404, None, "no document"),
        ("/v1/query", r#"{"id":null,"text":"a"}"#, 422, Some("/id"), "a string or a whole number"),
        ("/v1/get", r#"{"id":null}"#, 422, Some("/id"), "a string or a whole number"),
        ("/v1/check", r#"{"texts":"a"}"#, 422, Some("/texts"), "unknown field `texts`"),
        ("/v1/check", r#"{"text":"a","html":"b"}"#, 422, Some("/html"), "not two"),
        ("/v1/check", r#"{"text":"a"} {}"#, 400, None, "trailing"),
        ("/v1/check", r#"{"text":"a","text":"b"}"#, 422, Some(""), "duplicate field"),
        ("/v1/check", r#"{"html":"<p>a"}"#, 422, Some("/html"), "takes texts, not pages"),
        ("/v1/check", r#"{"features":{"a":1}}"#, 422, Some("/features"), "takes texts"),
        ("/v1/check", r#"{"fingerprint":"ff"}"#, 422, Some("/fingerprint"), "expected 16"),
        ("/v1/check", r#"{"text":"a","language":"klingon"}"#, 422, Some("/language"), "639"),
        ("/v1/check", r#"{"id":"","text":"a"}"#, 422, Some("/id"), "1 to 4096 bytes"),
        ("/v1/add", r#"{"text":"a"}"#, 422, Some("/id"), "needs an id"),
        ("/v1/add", r#"{"id":"","text":"a"}"#, 422, Some("/id"), "1 to 4096 bytes"),
        ("/v1/add", r#"{"id":"a","text":"a","metadata":[]}"#, 422, Some("/metadata"), "object"),
        ("/v1/query", r#"{"text":"a","k":65}"#, 422, Some("/k"), "at most 16"),
        ("/v1/query", r#"{"text":"a","k":-1}"#, 422, Some("/k"), "a whole number"),
        ("/v1/query", r#"{"text":"a","k":1.5}"#, 422, Some("/k"), "a whole number"),
        ("/v1/query", r#"{"text":"a","k":1e300}"#, 422, Some("/k"), "at most 16"),
        ("/v1/delete", r#"{"id":""}"#, 422, Some("/id"), "1 to 4096"),
        ("/v1/query", r#"{"text":"a","limit":1001}"#, 422, Some("/limit"), "at most 1000"),
        ("/v1/query", r#"{"id":"a","text":"a"}"#, 422, Some("/id"), "not both"),
        ("/v1/compare", r#"{"a":{"text":"a"}}"#, 422, Some(""), "missing field `b`"),
        ("/v1/compare", r#"{"a":{"text":1},"b":{"id":"x"}}"#, 422, Some("/a/text"), "string"),
        ("/v1/get", r#"{"id":"x"}"#, 404, None, "no document"),
    ] {
        let answer = client.post(path, body);
        let said = answer.problem(status, field);
        assert!(said.contains(detail), "{path} {body}: {said}");
    }
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    let deep = format!(r#"{{"text":"a","metadata":{{"a":{open}{close}}}}}"#);
    assert!(client.post("/v1/check", deep).problem(422, Some("/metadata")).contains("100 deep"));
    let marked = client.post("/v1/check", "\u{feff}{\"text\":\"a\"}").ok();
    assert_eq!(marked["verdict"], "new");
    assert_eq!(client.batch("check", "\u{feff}{\"text\":\"a\"}\n")[0]["verdict"], "new");
    let id = "x".repeat(4 << 20);
    let said = client.post("/v1/add", json!({ "id": id, "text": "a" })).problem(422, Some("/id"));
    assert!(said.contains("4194304"), "{said}");
    let json = "Content-Type: application/json\r\n";
    client.ask("POST", "/v1/check", json, b"{\"text\":\"\xff\xfe\"}").problem(400, None);
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    served.client().ask("POST", "/v1/check", form, b"{}").problem(415, None);
    client.ask("GET", "/v1/check", "", b"").problem(405, None);
    client.ask("POST", "/v1/nothing", "", b"").problem(404, None);
    // After all of that the connection is as good as before.
    assert_eq!(client.post("/v1/check", json!({ "text": "a" })).ok()["verdict"], "new");
}

#[test]
fn tricks_with_paths_reach_nothing() {
    let room = Room::new();
    let served = room.serve(Some("text"), config());
    for path in [
        "/v1/documents/..%2f..%2fstore.toml",
        "/v1/documents/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/v1/documents/%00",
        "/v1/documents/",
        "/../../etc/passwd",
        "/v1/../healthz/../etc/passwd",
        "//etc/passwd",
    ] {
        served.client().get(path).problem(404, None);
    }
    let said = served.client().get("/v1/documents/https://a.example/").problem(404, None);
    assert!(said.contains("write each / in it as %2F"), "{said}");
    let said = served.client().get("/readyz?for=nothing").problem(400, None);
    assert!(said.starts_with("after the question mark: for: unknown variant"), "{said}");
    served.client().get("/v1/documents/%ff").problem(400, None);
    // An id may be a path: it is an id all the same.
    let mut client = served.client();
    client.post("/v1/add", json!({ "id": "../../x", "text": "a" })).ok();
    assert_eq!(client.get("/v1/documents/..%2F..%2Fx").ok()["id"], "../../x");
    assert!(!room.path("x").exists());
}

#[test]
fn large_bodies_are_refused_before_they_are_read() {
    let room = Room::new();
    let served = room.serve(Some("text"), Config { max_body: 10_000, ..config() });
    let fits = json!({ "text": "x".repeat(9_000) }).to_string();
    let over = json!({ "text": "x".repeat(11_000) }).to_string();
    served.client().post("/v1/check", &fits).ok();
    served.client().post("/v1/check", &over).problem(413, None);
    // Only promised.
    let mut client = served.client();
    client.send(
        b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n{",
    );
    client.answer().problem(413, None);
    // In chunks, which promise nothing.
    let mut client = served.client();
    client
        .send(b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.send(format!("2af8\r\n{}\r\n", "x".repeat(0x2af8)).as_bytes());
    client.answer().problem(413, None);
}

#[test]
fn bodies_may_come_compressed_and_never_grow_over_the_limit() {
    let room = Room::new();
    let served = room.serve(Some("text"), Config { max_body: 100_000, ..config() });
    let gzip = |bytes: &[u8]| {
        let level = flate2::Compression::best();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 9).unwrap();
    let text = json!({ "text": "a b c ".repeat(10_000) }).to_string();
    let bomb = vec![b' '; 40 << 20];
    for (coding, fits, over) in
        [("gzip", gzip(text.as_bytes()), gzip(&bomb)), ("zstd", zstd(text.as_bytes()), zstd(&bomb))]
    {
        assert!(over.len() < 100_000);
        let loud = format!("Content-Encoding: {}\r\n", coding.to_uppercase());
        served.client().ask("POST", "/v1/check", &loud, &fits).ok();
        let head = format!("Content-Encoding: {coding}\r\n");
        served.client().ask("POST", "/v1/check", &head, &fits).ok();
        served.client().ask("POST", "/v1/check", &head, &over).problem(413, None);
        served.client().ask("POST", "/v1/check", &head, &fits[..fits.len() / 2]).problem(400, None);
        served.client().ask("POST", "/v1/check", &head, b"{}").problem(400, None);
    }
    served.client().ask("POST", "/v1/check", "Content-Encoding: br\r\n", b"{}").problem(415, None);
}

#[test]
fn a_body_that_does_not_come_is_given_up() {
    let room = Room::new();
    let served = room.serve(Some("text"), Config { request_timeout: 1, ..config() });
    let mut client = served.client();
    client
        .send(b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20\r\n\r\n{\"text\"");
    client.answer().problem(408, None);
    // Byte by byte is no way around it.
    let mut client = served.client();
    client.send(b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200\r\n\r\n");
    for _ in 0..6 {
        std::thread::sleep(Duration::from_millis(250));
        let _sent = client.stream().write_all(b" ");
    }
    client.answer().problem(408, None);
    // One that ends early.
    let mut client = served.client();
    client.send(b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200\r\n\r\n{");
    client.stream().shutdown(std::net::Shutdown::Write).unwrap();
    assert!(client.is_ended());
    served.client().post("/v1/check", json!({ "text": "a" })).ok();
}
