//! The promises of `docs/security.md`, as `docs/evidence/promises.md` lists them: a test each.

use crate::client::Client;
use crate::room::{Room, config};
use nearprint_fingerprint::Fingerprint;
use nearprint_server::{Config, Error, NewToken, Scope};
use nearprint_store::{Document, Write};
use serde_json::json;
use std::num::NonZeroU32;

#[test]
fn an_address_that_others_reach_needs_tokens() {
    let room = Room::new();
    let open = Config { listen: "0.0.0.0:0".parse().unwrap(), ..config() };
    let refused = room.bind(None, open.clone()).map(|_| ()).unwrap_err();
    assert!(matches!(refused, Error::Open { .. }));
    assert!(refused.to_string().contains("0.0.0.0:0: without tokens"), "{refused}");
    let token = NewToken::new("a", Scope::Read, None).unwrap();
    let tokens = Some(room.write("tokens.toml", &token.entry));
    assert!(room.bind(None, Config { tokens, ..open }).is_ok());
}

#[test]
fn pages_of_other_sites_get_nowhere() {
    let room = Room::new();
    let served = room.serve(None, config());
    let here = served.address;
    let ask = |client: &mut Client, head: &str| {
        let body = r#"{"id":"a","fingerprint":"00000000000000ff"}"#;
        let length = body.len();
        let request =
            format!("POST /v1/add HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}");
        client.send(request.as_bytes());
        client.answer()
    };
    for head in [
        format!("Host: {here}\r\nOrigin: https://example.org\r\n"),
        format!("Host: {here}\r\nOrigin: null\r\n"),
        format!("Host: {here}\r\nOrigin: http://127.0.0.1:1\r\n"),
        "Host: example.org\r\n".to_owned(),
        "Host: example.org:7878\r\nOrigin: http://example.org:7878\r\n".to_owned(),
        "Host: 127.0.0.1.example.org\r\n".to_owned(),
    ] {
        ask(&mut served.client(), &head).problem(403, None);
    }
    ask(&mut served.client(), "Host: a@127.0.0.1\r\n").problem(403, None);
    // Which of two hosts is meant, nobody knows.
    for head in ["", "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n"] {
        ask(&mut served.client(), head).problem(400, None);
    }
    assert_eq!(served.client().post("/v1/get", json!({ "id": "a" })).status, 404);
    for head in [
        format!("Host: {here}\r\nOrigin: http://{here}\r\n"),
        "Host: localhost:1\r\nOrigin: http://localhost:1\r\n".to_owned(),
        "Host: [::1]\r\n".to_owned(),
    ] {
        assert_eq!(ask(&mut served.client(), &head).status, 200, "{head}");
    }
    // Whoever has a token is no page of another site, whatever name the server goes by.
    let token = NewToken::new("a", Scope::Write, None).unwrap();
    let tokens = Some(room.write("tokens.toml", &token.entry));
    let elsewhere = Room::new();
    let served = elsewhere.serve(None, Config { tokens, ..config() });
    let head = format!("Host: example.org\r\nAuthorization: Bearer {}\r\n", token.secret);
    assert_eq!(ask(&mut served.client(), &head).status, 200);
}

#[test]
fn a_token_allows_what_its_scope_says() {
    let room = Room::new();
    let scopes = [Scope::Read, Scope::Write, Scope::Admin];
    let tokens = scopes.map(|scope| NewToken::new(&scope.to_string(), scope, None).unwrap());
    let file = tokens.iter().map(|token| token.entry.as_str()).collect::<String>();
    let tokens_file = Some(room.write("tokens.toml", &file));
    let snapshots = Some(room.path("snapshots"));
    let served = room.serve(None, Config { tokens: tokens_file, snapshots, ..config() });
    let snapshot = json!({ "name": "a" }).to_string();
    let deletion = json!({ "prefix": "none" }).to_string();
    let code = json!({ "fingerprint": "00000000000000ff" }).to_string();
    let document = json!({ "id": "a", "fingerprint": "00000000000000ff" }).to_string();
    let asked = json!({ "id": "a" }).to_string();
    let sides =
        json!({ "a": { "fingerprint": "00000000000000ff" }, "b": { "id": "a" } }).to_string();
    // The scope that each takes, in an order in which each succeeds.
    let requests = [
        ("POST", "/v1/add", document.as_str(), 1),
        ("POST", "/v1/check-and-add", &document, 1),
        ("POST", "/v1/check-and-put", &document, 1),
        ("PUT", "/v1/documents/a", &code, 1),
        ("POST", "/v1/check", &code, 0),
        ("POST", "/v1/query", &code, 0),
        ("POST", "/v1/compare", &sides, 0),
        ("POST", "/v1/get", &asked, 0),
        ("GET", "/v1/documents/a", "", 0),
        ("GET", "/v1/stats", "", 0),
        ("GET", "/v1/recipe", "", 0),
        ("GET", "/v1/duplicates", "", 0),
        ("GET", "/v1/clusters", "", 0),
        ("POST", "/v1/clusters", "", 2),
        ("GET", "/metrics", "", 0),
        ("POST", "/v1/batch?op=check", &code, 0),
        ("POST", "/v1/batch?op=add", &document, 1),
        ("POST", "/v1/batch?op=check-and-add", &document, 1),
        ("POST", "/v1/batch?op=put", &document, 1),
        ("POST", "/v1/batch?op=check-and-put", &document, 1),
        ("POST", "/v1/batch?op=delete", &asked, 1),
        ("POST", "/v1/delete", &asked, 1),
        ("DELETE", "/v1/documents/a", "", 1),
        ("GET", "/v1/documents", "", 0),
        ("GET", "/v1/export", "", 0),
        ("GET", "/v1/changes?after=0-00000000000000000000000000000007", "", 0),
        ("POST", "/v1/compact", "", 2),
        ("GET", "/v1/compact", "", 2),
        ("POST", "/v1/verify", "", 2),
        ("GET", "/v1/verify", "", 2),
        ("POST", "/v1/snapshots", &snapshot, 2),
        ("GET", "/v1/snapshots", "", 2),
        ("POST", "/v1/deletions", &deletion, 2),
        ("GET", "/v1/deletions", "", 2),
        ("POST", "/v1/batch?op=import", "{}", 1),
    ];
    for (method, path, body, needed) in requests {
        for (scope, token) in tokens.iter().enumerate() {
            let mut client = Client::with_token(served.address, &token.secret);
            let answer = client.ask(method, path, "", body.as_bytes());
            if scope < needed {
                let said = answer.problem(403, None);
                assert!(said.contains(&format!("of scope {}", scopes[needed])), "{path}: {said}");
            } else {
                assert!(matches!(answer.status, 200 | 202 | 409), "{method} {path}: {answer:?}");
                let told = answer.header("nearprint-scope");
                assert_eq!(told, Some(scopes[scope].to_string().as_str()), "{path}");
            }
        }
        for head in ["", "Authorization: Basic YTpi\r\n", "Authorization: Bearer nearprint_0\r\n"] {
            let answer = served.client().ask(method, path, head, body.as_bytes());
            answer.problem(401, None);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        }
    }
    for path in ["/healthz", "/readyz", "/openapi.json"] {
        assert_eq!(served.client().get(path).status, 200, "{path}");
    }
}

#[test]
fn figures_are_open_where_that_is_said() {
    let room = Room::new();
    let token = NewToken::new("a", Scope::Read, None).unwrap();
    let tokens = Some(room.write("tokens.toml", &token.entry));
    let served = room.serve(None, Config { tokens, open_metrics: true, ..config() });
    assert_eq!(served.client().get("/metrics").status, 200);
    assert_eq!(served.client().get("/v1/stats").status, 401);
}

#[test]
fn a_token_has_its_rate_and_takes_nothing_from_others() {
    let room = Room::new();
    let slow = NewToken::new("slow", Scope::Write, NonZeroU32::new(3)).unwrap();
    let other = NewToken::new("other", Scope::Write, None).unwrap();
    let tokens = Some(room.write("tokens.toml", &format!("{}{}", slow.entry, other.entry)));
    let served = room.serve(None, Config { tokens, ..config() });
    let mut client = Client::with_token(served.address, &slow.secret);
    let answers: Vec<_> = (0..10).map(|_| client.get("/v1/recipe")).collect();
    assert_eq!(answers[0].status, 200);
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert!(refused.len() >= 5, "{}", refused.len());
    refused[0].problem(429, None);
    assert_eq!(refused[0].header("retry-after"), Some("1"));
    let mut free = Client::with_token(served.address, &other.secret);
    served.client().get("/v1/recipe").problem(401, None);
    free.post("/v1/compact", "").problem(403, None);
    let figures = free.get("/metrics").text().to_owned();
    for (status, token, count) in [(429, "slow", refused.len()), (401, "", 1), (403, "other", 1)] {
        let line = format!(
            "nearprint_requests_refused_total{{status=\"{status}\",token=\"{token}\"}} {count}\n"
        );
        assert!(figures.contains(&line), "{line} in {figures}");
    }
    assert!((0..20).all(|_| free.get("/v1/recipe").status == 200));
    // A batch is slowed down, and comes to its end.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let begun = std::time::Instant::now();
    let lines: String = (1..7).map(|id| format!("{{\"fingerprint\":\"{id:016x}\"}}\n")).collect();
    assert_eq!(client.batch("check", &lines).len(), 6);
    assert!(begun.elapsed().as_millis() > 900, "{:?}", begun.elapsed());
}

#[test]
fn a_question_beyond_the_radius_counts_for_the_rate_by_its_documents() {
    let room = Room::new();
    let store = room.store(None);
    let document = |id: u64| {
        let code = Fingerprint::from(id.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Write::Add(Document::new(id.to_string(), code))
    };
    store.write_all((1..=10_000).map(document).collect()).unwrap();
    drop(store);
    // As many as ten a second, and one of them takes a second.
    let new = NewToken::new("a", Scope::Read, NonZeroU32::new(11)).unwrap();
    let tokens = Some(room.write("tokens.toml", &new.entry));
    let served = room.serve(None, Config { tokens, ..config() });
    // A server that refuses a head may end the connection: each question has one of its own.
    let ask = |k| {
        let question = json!({ "fingerprint": "00000000000000ff", "k": k });
        Client::with_token(served.address, &new.secret).post("/v1/query", question).status
    };
    assert_eq!(ask(8), 200);
    assert_eq!(ask(8), 429);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert!((0..8).all(|_| ask(3) == 200));
    assert_eq!(ask(4), 429);
}

#[test]
fn connections_are_secret_where_there_is_a_certificate() {
    let room = Room::new();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let config = Config {
        tls_certificate: Some(room.write("cert.pem", &made.cert.pem())),
        tls_key: Some(room.write("key.pem", &made.signing_key.serialize_pem())),
        ..config()
    };
    let half = Config { tls_key: None, ..config.clone() };
    assert!(matches!(room.bind(None, half), Err(Error::HalfTls)));
    let odd = Config { tls_key: Some(room.write("odd.pem", "no key")), ..config.clone() };
    assert!(matches!(room.bind(None, odd), Err(Error::Content { .. })));
    let served = room.serve(None, config);
    let address = served.address;
    let _other_may_have = rustls::crypto::ring::default_provider().install_default();
    let trusted = reqwest::Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
    let client = reqwest::blocking::Client::builder()
        .add_root_certificate(trusted)
        .resolve("localhost", address)
        .build()
        .unwrap();
    let url = format!("https://localhost:{}/healthz", address.port());
    let answer = client.get(&url).send().unwrap();
    assert_eq!((answer.status().as_u16(), answer.version()), (200, reqwest::Version::HTTP_2));
    // Whoever does not know the certificate does not go on, and who speaks plainly is not answered.
    let stranger =
        reqwest::blocking::Client::builder().resolve("localhost", address).build().unwrap();
    assert!(stranger.get(&url).send().is_err());
    let mut plain = served.client();
    plain.send(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    assert!(plain.is_ended());
}

#[test]
fn a_certificate_is_read_again_on_a_hangup_and_stays_where_the_file_will_not_do() {
    let room = Room::new();
    let made = |name: &str| rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let (first, second) = (made("localhost"), made("localhost"));
    let write = |certified: &rcgen::CertifiedKey<rcgen::KeyPair>| {
        let key = certified.signing_key.serialize_pem();
        (room.write("cert.pem", &certified.cert.pem()), room.write("key.pem", &key))
    };
    let (certificate, key) = write(&first);
    let config = Config { tls_certificate: Some(certificate), tls_key: Some(key), ..config() };
    let served = room.serve(None, config);
    let _other_may_have = rustls::crypto::ring::default_provider().install_default();
    let ask = |certified: &rcgen::CertifiedKey<rcgen::KeyPair>| {
        let trusted = reqwest::Certificate::from_pem(certified.cert.pem().as_bytes()).unwrap();
        let client = reqwest::blocking::Client::builder()
            .add_root_certificate(trusted)
            .resolve("localhost", served.address)
            .build()
            .unwrap();
        client.get(format!("https://localhost:{}/healthz", served.address.port())).send()
    };
    let answer = ask(&first).unwrap();
    let kept = "max-age=";
    assert!(answer.headers()["strict-transport-security"].to_str().unwrap().starts_with(kept));
    let hang_up = || {
        let id = std::process::id().to_string();
        assert!(std::process::Command::new("kill").args(["-HUP", &id]).status().unwrap().success());
    };
    // The server answered, so it heeds the signal. It takes a moment to read the files.
    let comes = |certified: &rcgen::CertifiedKey<rcgen::KeyPair>| {
        (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            ask(certified).is_ok()
        })
    };
    write(&second);
    hang_up();
    assert!(comes(&second) && ask(&first).is_err());
    room.write("key.pem", "no key");
    hang_up();
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(ask(&second).is_ok());
}

#[test]
fn what_comes_from_users_is_never_markup_and_tells_nothing_of_the_machine() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    let id = "<script>alert(1)</script>\r\nx-evil: 1";
    let code = "00000000000000ff";
    let row = client.post("/v1/add", json!({ "id": id, "fingerprint": code }));
    assert_eq!((&row.ok()["id"], row.header("x-evil")), (&json!(id), None));
    let odd = client.ask("GET", "/healthz", "X-Request-Id: <b>\"\r\n", b"");
    assert!(!odd.header("x-request-id").unwrap().contains('<'));
    let same = client.ask("GET", "/healthz", "X-Request-Id: trace-1\r\n", b"");
    assert_eq!(same.header("x-request-id"), Some("trace-1"));
    // A store that fails says so without telling where it is.
    drop(served);
    let served = room.serve(None, config());
    let mut client = served.client();
    let path = room.path("store").display().to_string();
    for answer in [client.get("/nothing"), client.get("/v1/stats"), client.post("/v1/check", "{")] {
        assert!(!answer.text().contains(&path));
    }
}
