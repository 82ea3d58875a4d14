//! A server from its start to its end.

use crate::room::{Room, Served, config};
use bytes::Bytes;
use nearprint_fingerprint::mix64;
use serde_json::{Value, json};
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_server_that_is_stopped_loses_nothing_that_it_answered() {
    const CLIENTS: u8 = 8;
    let room = Room::new();
    let served = room.serve(None, config());
    let stopped = AtomicBool::new(false);
    let answered: Vec<u64> = thread::scope(|scope| {
        let (served, stopped) = (&served, &stopped);
        let ask = |client: u8| {
            move || {
                let mut answered = Vec::new();
                let mut connection = served.client();
                for id in (u64::from(client)..).step_by(CLIENTS.into()) {
                    let code = format!("{:016x}", mix64(id + 1));
                    let body = json!({ "id": id.to_string(), "fingerprint": code }).to_string();
                    let head = format!(
                        "POST /v1/add HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    if std::io::Write::write_all(connection.stream(), head.as_bytes()).is_err() {
                        break;
                    }
                    let mut first = [0];
                    // Once it is stopped, the connection ends between two requests.
                    if !matches!(std::io::Read::read(connection.stream(), &mut first), Ok(1)) {
                        break;
                    }
                    let answer = connection.answer();
                    if answer.status != 200 {
                        assert_eq!(answer.status, 503, "{answer:?}");
                        break;
                    }
                    answered.push(id);
                    if answer.header("connection") == Some("close") {
                        break;
                    }
                }
                assert!(stopped.load(Ordering::SeqCst), "nobody else ends a connection");
                answered
            }
        };
        let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(ask(client))).collect();
        thread::sleep(Duration::from_millis(300));
        stopped.store(true, Ordering::SeqCst);
        served.begin_stop();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    served.end();
    assert!(answered.len() > 10, "{}", answered.len());
    let store = room.store(None);
    for id in &answered {
        assert!(store.get(&id.to_string()).unwrap().is_some(), "{id} was answered and is lost");
    }
    // What was not answered may be there: at most one a client.
    assert!(store.stats().unwrap().documents <= answered.len() as u64 + u64::from(CLIENTS));
}

#[test]
fn a_batch_that_is_cut_short_by_the_end_says_how_far_it_came() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    client.send(
        b"POST /v1/batch?op=add HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    let line = "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n";
    client.send(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes());
    assert_eq!(client.begin(), 200);
    let row: Value = serde_json::from_slice(&client.chunk().unwrap()).unwrap();
    assert_eq!(row["verdict"], "new");
    served.begin_stop();
    let row: Value = serde_json::from_slice(&client.chunk().unwrap()).unwrap();
    assert_eq!(row["verdict"], "refused");
    assert!(row["error"].as_str().unwrap().contains("being stopped"));
    assert_eq!(client.chunk(), None);
    served.end();
    assert!(room.store(None).get("a").unwrap().is_some());
}

/// Sends a batch over HTTP/2 as fast as somebody takes it. Calls `begun` when it has had an
/// answer for a while; returns the rest of the answer.
async fn batch_without_end(served: &Served, begun: impl FnOnce()) -> String {
    let stream = tokio::net::TcpStream::connect(served.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    let connected = tokio::spawn(connection);
    let url = format!("http://{}/v1/batch?op=add&rows=refused", served.address);
    let request = axum::http::Request::post(url).body(()).unwrap();
    let mut client = client.ready().await.unwrap();
    let (answer, mut body) = client.send_request(request, false).unwrap();
    drop(client);
    let sending = tokio::spawn(async move {
        for id in 0.. {
            let line = |id| {
                let code = format!("{:016x}", mix64(id));
                json!({ "id": id.to_string(), "fingerprint": code }).to_string() + "\n"
            };
            let mut lines = Bytes::from((1000 * id..1000 * (id + 1)).map(line).collect::<String>());
            while !lines.is_empty() {
                body.reserve_capacity(lines.len());
                let room = poll_fn(|context| body.poll_capacity(context)).await;
                let Some(Ok(room)) = room else { return };
                if body.send_data(lines.split_to(room.min(lines.len())), false).is_err() {
                    return;
                }
            }
        }
    });
    let answer = answer.await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    tokio::time::sleep(Duration::from_millis(300)).await;
    begun();
    let (mut rows, mut body) = (Vec::new(), answer.into_body());
    while let Some(piece) = body.data().await {
        rows.extend_from_slice(&piece.unwrap());
    }
    sending.await.unwrap();
    connected.await.unwrap().unwrap();
    String::from_utf8(rows).unwrap()
}

#[test]
fn a_batch_over_http_2_is_told_of_the_end_while_it_sends() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for _ in 0..4 {
        let room = Room::new();
        let served = room.serve(None, config());
        let rows = runtime.block_on(batch_without_end(&served, || served.begin_stop()));
        let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        let [refused, closing] = &rows[..] else { panic!("{rows:?}") };
        assert!(refused["error"].as_str().unwrap().contains("being stopped"), "{refused}");
        let new = closing["new"].as_u64().unwrap();
        assert!(new > 1000 && closing["refused"] == 1, "{closing}");
        served.end();
        assert_eq!(room.store(None).len(), new);
    }
}

#[test]
fn figures_tell_what_was_done() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    let code =
        |id: u64| json!({ "id": id.to_string(), "fingerprint": format!("{:016x}", mix64(id)) });
    for id in 1..4 {
        client.post("/v1/add", code(id)).ok();
    }
    client.post("/v1/check", "{").problem(400, None);
    client.get("/v1/documents/1").ok();
    assert_eq!(client.batch("check", &format!("{}\n{}\n", code(1), code(9))).len(), 2);
    assert_eq!(client.get("/healthz").text(), "ok\n");
    assert_eq!(client.get("/readyz").text(), "ready\n");
    assert_eq!(client.get("/readyz?for=reads").text(), "ready\n");
    client.get("/readyz?for=tea").problem(400, None);
    let accept = "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n";
    let open = client.ask("GET", "/metrics", accept, b"");
    assert!(open.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    assert!(open.text().contains("# TYPE nearprint_batch_lines counter\n"), "{}", open.text());
    assert!(open.text().ends_with("# EOF\n"));
    let answer = client.get("/metrics");
    let classic = "text/plain; version=0.0.4; charset=utf-8";
    assert_eq!(answer.header("content-type"), Some(classic));
    assert!(!answer.text().contains("# EOF") && !answer.text().contains("# UNIT"));
    for expected in [
        "# TYPE nearprint_batch_lines_total counter",
        "# TYPE nearprint_build_info gauge",
        "# TYPE nearprint_request_duration_seconds histogram",
        "nearprint_answers_total{op=\"add\",verdict=\"new\"} 3",
        "nearprint_answers_total{op=\"check\",verdict=\"new\"} 1",
        "nearprint_answers_total{op=\"check\",verdict=\"duplicate\"} 1",
        "nearprint_answers_total{op=\"put\",verdict=\"updated\"} 0",
        "nearprint_requests_refused_total{status=\"429\",token=\"\"} 0",
        "process_cpu_seconds_total ",
        "process_resident_memory_bytes ",
        "process_open_fds ",
        "process_max_fds ",
        "process_start_time_seconds ",
        "nearprint_build_info{version=",
        "nearprint_request_duration_seconds_count{endpoint=\"/v1/add\",method=\"POST\",status=\"200\"} 3",
        "nearprint_request_duration_seconds_count{endpoint=\"/v1/check\",method=\"POST\",status=\"400\"} 1",
        "{endpoint=\"/v1/documents/{id}\",method=\"GET\",status=\"200\"} 1",
        "nearprint_batch_lines_total{op=\"check\"} 2",
        "nearprint_requests_in_flight 1",
        "nearprint_connections 1",
        "nearprint_store_documents 3",
        "nearprint_store_memtable_documents 3",
        "nearprint_store_segments 0",
        "nearprint_store_merges_total 0",
        "nearprint_store_writes_waiting 0",
        "nearprint_store_read_only 0",
        "nearprint_store_free_bytes ",
        "nearprint_long_requests{work=\"scan\"} 0",
        "nearprint_task_running{task=\"snapshot\"} 0",
        "nearprint_store_commit_duration_seconds_count 3",
        "nearprint_store_commit_duration_seconds_bucket{le=\"+Inf\"} 3",
    ] {
        assert!(answer.text().contains(expected), "{expected} in {}", answer.text());
    }
    assert_eq!(client.ask("POST", "/v1/compact", "", b"").status, 202);
}

#[test]
fn one_compaction_at_a_time() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    let id =
        |id: u64| json!({ "id": id.to_string(), "fingerprint": format!("{:016x}", mix64(id)) });
    let lines: String = (0..20_000).map(|n| format!("{}\n", id(n))).collect();
    client.batch("add", &lines);
    let mut compact = || client.ask("POST", "/v1/compact", "", b"");
    // One takes several syncs of the disk, a request far less.
    let refused = (0..100).map(|_| compact()).find(|answer| answer.status != 202).unwrap();
    assert!(refused.problem(409, None).contains("under way"));
    assert_eq!(refused.header("retry-after"), Some("1"));
    // And the next one may begin once it is done.
    let until = Instant::now() + Duration::from_secs(60);
    while compact().status != 202 {
        assert!(Instant::now() < until);
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn http_2_is_spoken_to_those_who_know_it() {
    let room = Room::new();
    let served = room.serve(None, config());
    // The client asks for one even where nothing is secret.
    let _other_may_have = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::blocking::Client::builder().http2_prior_knowledge().build().unwrap();
    let url = format!("http://{}/v1/check", served.address);
    let body = json!({ "fingerprint": "00000000000000ff" }).to_string();
    let answer = client.post(url).header("content-type", "application/json").body(body);
    let answer = answer.send().unwrap();
    assert_eq!((answer.status().as_u16(), answer.version()), (200, reqwest::Version::HTTP_2));
    assert!(answer.text().unwrap().contains("\"new\""));
}
