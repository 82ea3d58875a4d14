//! A copy of a served store that follows it over HTTP: it is the same once it has caught up, it takes no writes, and it
//! tells where it cannot follow.

use crate::client::Client;
use crate::room::{Room, Served, config};
use nearprint_fingerprint::Width;
use nearprint_server::{Config, Error, Leader, NewToken, Scope, fetch};
use nearprint_store::{Options, Settings, Store, Threshold};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

fn leader(address: SocketAddr) -> Leader {
    format!("http://{address}").parse().unwrap()
}

/// A copy of what is served there, served.
fn copy(room: &Room, leader: &Leader) -> Served {
    if !room.path("store").exists() {
        fetch(leader, &room.path("store"), &Options::default()).unwrap();
    }
    room.serve(None, Config { follow: Some(leader.clone()), ..config() })
}

/// Lines of documents with these numbers.
fn lines(ids: std::ops::Range<u64>) -> String {
    let code = |id: u64| (id + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let line =
        |id| json!({ "id": format!("page/{id}"), "fingerprint": format!("{:016x}", code(id)) });
    ids.map(|id| line(id).to_string() + "\n").collect()
}

fn stats(client: &mut Client) -> Value {
    client.get("/v1/stats").ok()
}

/// Waits until this holds.
#[track_caller]
fn until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "this takes too long");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the copy has what the other has, and compares the two.
#[track_caller]
fn same(copy: &Served, leader: &Served) {
    let position = stats(&mut leader.client())["position"].clone();
    until(|| stats(&mut copy.client())["position"] == position);
    let [ours, theirs] = [copy, leader].map(|it| it.client().get("/v1/export").text().to_owned());
    assert!(ours == theirs);
}

#[test]
fn a_copy_is_the_same_once_it_has_caught_up_and_takes_no_writes() {
    let (first, second, third) = (Room::new(), Room::new(), Room::new());
    let served = first.serve(None, config());
    let mut client = served.client();
    client.batch("add", &lines(0..300));
    let copied = copy(&second, &leader(served.address));
    until(|| copied.client().get("/readyz").status == 200);
    same(&copied, &served);
    client.batch("put", &lines(200..5000).replace("page/20", "page/99"));
    client.batch("delete", "{\"id\":\"page/7\"}\n{\"id\":\"page/8\"}\n");
    let text = json!({ "id": "page/7", "fingerprint": "00000000000000ff", "metadata": { "n": 1 } });
    client.post("/v1/add", &text).ok();
    same(&copied, &served);
    // A copy of the copy.
    let again = copy(&third, &leader(copied.address));
    client.post("/v1/delete", json!({ "id": "page/9" })).ok();
    same(&again, &served);
    let mut asks = copied.client();
    assert_eq!(
        asks.post("/v1/check", json!({ "fingerprint": "00000000000000fe" })).ok()["near"]["id"],
        "page/7"
    );
    let told = format!("send writes to http://{}/", served.address);
    for problem in [
        asks.post("/v1/add", &text),
        asks.post("/v1/check-and-add", &text),
        asks.post("/v1/check-and-put", &text),
        asks.post("/v1/delete", json!({ "id": "page/7" })),
        asks.ask("PUT", "/v1/documents/a", "Content-Type: application/json\r\n", b"{}"),
        asks.ask("DELETE", "/v1/documents/page%2f7", "", b""),
        asks.ask("POST", "/v1/batch?op=add", "", lines(0..3).as_bytes()),
        asks.post("/v1/deletions", json!({ "prefix": "page" })),
    ] {
        let detail = problem.problem(421, None);
        assert!(detail.contains(&told), "{detail}");
    }
    assert_eq!(asks.batch("check", &lines(0..3)).len(), 3);
    let refused = asks.get("/readyz?for=writes");
    assert!(refused.problem(503, None).contains(&told));
    assert_eq!(refused.json()["type"], "urn:nearprint:problem:read-only");
    let replica = format!(
        "ready for reads: a read-only replica; send writes to http://{}/\n",
        served.address
    );
    for path in ["/readyz", "/readyz?for=reads"] {
        assert_eq!((asks.get(path).status, asks.get(path).text()), (200, replica.as_str()));
        assert_eq!(client.get(path).text(), "ready\n");
    }
    let described = serde_json::to_string(&asks.get("/openapi.json").json()).unwrap();
    assert!(described.contains("a read-only replica says that it is one"), "{described}");
    let follows = stats(&mut asks)["follows"].clone();
    assert_eq!(follows["connected"], true, "{follows}");
    assert_eq!((&follows["lag_groups"], &follows["different"]), (&json!(0), &json!(false)));
    assert!(stats(&mut client)["follows"].is_null());
    let figures = asks.get("/metrics").text().to_owned();
    for figure in [
        "nearprint_follow_connected 1",
        "nearprint_follow_lag_groups 0",
        "nearprint_follow_lag_seconds ",
    ] {
        assert!(figures.contains(figure), "{figures}");
    }
    assert!(client.get("/metrics").text().contains("nearprint_change_readers 1"));
    // At rest the lag stays small.
    thread::sleep(Duration::from_millis(600));
    let lag = stats(&mut asks)["follows"]["lag_seconds"].as_f64().unwrap();
    assert!(lag < 5.0, "{lag}");
    // A leader that stops is found again, and meanwhile the copy answers.
    let address = served.address;
    served.end();
    until(|| stats(&mut copied.client())["follows"]["connected"] == false);
    assert_eq!(asks.get("/readyz?for=reads").status, 200);
    assert!(stats(&mut asks)["follows"]["error"].is_string());
    let served = first.serve(None, Config { listen: address, ..config() });
    served.client().batch("add", &lines(6000..6010));
    same(&copied, &served);
    until(|| stats(&mut copied.client())["follows"]["error"].is_null());
}

#[test]
fn a_leader_that_was_restored_is_told_and_the_copy_is_not_ready() {
    let (first, second, third) = (Room::new(), Room::new(), Room::new());
    let store = first.store(None);
    store.snapshot(third.path("store")).unwrap();
    drop(store);
    let served = first.serve(None, config());
    served.client().batch("add", &lines(0..100));
    let copied = copy(&second, &leader(served.address));
    until(|| copied.client().get("/readyz").status == 200);
    let address = served.address;
    served.end();
    // The older state writes on, past the position of the copy.
    let restored = third.serve(None, Config { listen: address, ..config() });
    for id in 0..100 {
        restored.client().batch("add", &lines(id + 500..id + 501));
    }
    until(|| copied.client().get("/readyz?for=reads").status == 503);
    let mut client = copied.client();
    let detail = client.get("/readyz").problem(503, None);
    assert!(detail.contains("belongs to another history"), "{detail}");
    let follows = stats(&mut client)["follows"].clone();
    assert_eq!(follows["different"], true, "{follows}");
    assert!(client.get("/metrics").text().contains("nearprint_follow_different 1"));
    // It answers with what it had.
    assert_eq!(client.get("/v1/documents/page%2f7").ok()["id"], "page/7");
    copied.end();
    // It does not start again as if nothing was.
    let config = Config { follow: Some(leader(address)), ..config() };
    match second.bind(None, config).err().unwrap() {
        Error::Follow { what } => assert!(what.contains("belongs to another history"), "{what}"),
        other => panic!("{other}"),
    }
    drop(restored);
}

/// Why a copy with the store of the room does not start.
fn refused(room: &Room, leader: Leader) -> String {
    room.bind(None, Config { follow: Some(leader), ..config() }).err().unwrap().to_string()
}

#[test]
fn a_copy_for_something_else_does_not_start() {
    let room = Room::new();
    let served = room.serve(None, config());
    for (settings, said) in [
        (
            Settings { recipe: None, width: Width::W64, threshold: Threshold::Radius(4) },
            "within 4 bits, and the other one within 3 bits",
        ),
        (Settings::ready_made(Width::W128), "of 128 bits, not of 64"),
    ] {
        let other = Room::new();
        let own = Store::create(other.path("store"), &settings).unwrap();
        // It is of another history as well; what it is made for is told first.
        drop(own);
        let told = refused(&other, leader(served.address));
        assert!(told.contains(said), "{told}");
    }
    // Something else answers: a page, an endless row, a later version.
    for (answer, said) in [
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>\n".to_owned(), "is not nearprint"),
        ("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 3\r\n\r\n{}\n".to_owned(), "not a row"),
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(), "404"),
        ("HTTP/1.1 302 Found\r\nLocation: http://other/\r\nContent-Length: 0\r\n\r\n".to_owned(), "302"),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 47\r\n\r\n{\"row\":\"leader\",\"version\":9,\"release\":\"9.0.0\"}\n".to_owned(),
            "changes of version 9",
        ),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answering = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _request = stream.read(&mut [0; 4096]).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let other = Room::new();
        drop(other.store(None));
        let told = refused(&other, leader(address));
        assert!(told.contains(said), "{said}: {told}");
        answering.join().unwrap();
    }
}

#[test]
fn a_leader_behind_tls_is_followed_by_who_knows_its_certificate() {
    let (room, second) = (Room::new(), Room::new());
    let mut made = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
    made.is_ca = rcgen::IsCa::ExplicitNoCa;
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = made.self_signed(&key).unwrap();
    let pem = room.write("cert.pem", &certificate.pem());
    let served = room.serve(
        None,
        Config {
            tls_certificate: Some(pem.clone()),
            tls_key: Some(room.write("key.pem", &key.serialize_pem())),
            ..config()
        },
    );
    let address = format!("https://localhost:{}", served.address.port());
    let mut known: Leader = address.parse().unwrap();
    let path = second.path("store");
    let made = |leader: &Leader| fetch(leader, &path, &Options::default());
    let told = made(&known).unwrap_err().to_string();
    assert!(told.contains("certificate") && !path.join("store.toml").exists(), "{told}");
    known.ca = Some(second.write("roots.pem", "no certificate"));
    assert!(made(&known).unwrap_err().to_string().contains("roots.pem"));
    known.ca = Some(pem);
    let copied = copy(&second, &known);
    until(|| copied.client().get("/readyz").status == 200);
    let mut client = copied.client();
    let follows = stats(&mut client)["follows"].clone();
    assert_eq!((&follows["connected"], &follows["error"]), (&json!(true), &Value::Null));
}

#[test]
fn a_copy_needs_a_token_of_its_leader() {
    let room = Room::new();
    let (reader, writer) = (
        NewToken::new("copy", Scope::Read, None).unwrap(),
        NewToken::new("writer", Scope::Write, None).unwrap(),
    );
    let tokens = room.write("tokens.toml", &format!("{}{}", reader.entry, writer.entry));
    let served = room.serve(None, Config { tokens: Some(tokens), ..config() });
    Client::with_token(served.address, &writer.secret).batch("add", &lines(0..10));
    let second = Room::new();
    let path = second.path("store");
    let mut known = leader(served.address);
    let made = |leader: &Leader| fetch(leader, &path, &Options::default());
    assert!(made(&known).unwrap_err().to_string().contains("--follow-token"));
    known.token = Some(second.write("token", "wrong"));
    assert!(made(&known).unwrap_err().to_string().contains("401"));
    known.token = Some(second.write("token", "\n"));
    assert!(made(&known).unwrap_err().to_string().contains("on one line"));
    assert!(!path.join("store.toml").exists());
    second.write("token", &format!("{}\n", reader.secret));
    made(&known).unwrap();
    let copied = copy(&second, &known);
    until(|| copied.client().get("/readyz").status == 200);
    assert_eq!(stats(&mut copied.client())["documents"], 10);
}

#[test]
fn positions_that_will_not_do_are_told() {
    let room = Room::new();
    let few = Options { keep_changes: 1, ..Options::default() };
    let settings = Settings { recipe: None, width: Width::W64, threshold: Threshold::Radius(3) };
    let store = Store::create_with(room.path("store"), &settings, &few).unwrap();
    let old = store.position();
    for id in 0..200_u64 {
        store.add(&id.to_string(), nearprint_fingerprint::Fingerprint::<1>::from(id << 8)).unwrap();
    }
    drop(store);
    let served = room.serve(None, config());
    let mut client = served.client();
    let ask = |client: &mut Client, after: &str| client.get(&format!("/v1/changes?after={after}"));
    assert!(ask(&mut client, "7").problem(400, None).contains("\"7\" is not a position"));
    client.get("/v1/changes?before=7").problem(400, None);
    assert!(ask(&mut client, &old.to_string()).problem(410, None).contains("no longer kept"));
    let other = format!("200-{:032x}", 7);
    assert!(ask(&mut client, &other).problem(409, None).contains("another history"));
    let ahead = format!("201-{:032x}", 7);
    assert!(ask(&mut client, &ahead).problem(409, None).contains("another history"));
}

#[test]
fn who_reads_changes_holds_up_no_stop_and_only_so_many_read() {
    let room = Room::new();
    let served = room.serve(None, config());
    served.client().batch("add", &lines(0..30_000));
    let mut readers = Vec::new();
    for _ in 0..16 {
        let mut reader = Client::new(served.address);
        reader.send(b"GET /v1/changes HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        assert_eq!(reader.begin(), 200);
        // Of these only the first chunk is read.
        assert!(reader.chunk().unwrap().starts_with(b"{\"row\":\"leader\",\"version\":1,"));
        readers.push(reader);
    }
    let full = served.client().get("/v1/changes").problem(503, None);
    assert!(full.contains("16 clients"), "{full}");
    // Writes and snapshots go on.
    served.client().batch("add", &lines(40_000..41_000));
    let begun = Instant::now();
    served.end();
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
}
