//! Small bodies that decompress to far more: memory stays bounded, and other clients are answered.

use crate::client::Client;
use crate::room::{Room, config};
use nearprint_server::{Config, NewToken, Scope};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Set in the process that serves, to say what it is.
const SERVES: &str = "NEARPRINT_SERVES";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The same zstd frame again and again: as dense as a body may be.
fn frames(text: &[u8], count: usize) -> Vec<u8> {
    zstd::encode_all(text, 3).unwrap().repeat(count)
}

fn send(client: &mut Client, coding: &str, body: &[u8]) {
    let length = body.len();
    client.send(
        format!(
            "POST /v1/batch?op=check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\
             Content-Encoding: {coding}\r\n\r\n"
        )
        .as_bytes(),
    );
    client.send(body);
}

fn check(address: SocketAddr) {
    let answer =
        Client::new(address).post("/v1/check", json!({ "fingerprint": "00000000000000ff" }));
    assert_eq!(answer.ok()["verdict"], "new");
}

/// A server in a process of its own, which is ended with it.
struct Process(Child);

impl Process {
    fn start() -> (Self, SocketAddr) {
        let program = std::env::current_exe().unwrap();
        let mut command = Command::new(program);
        command.args(["--exact", "flood::child", "--nocapture"]).env(SERVES, "1");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .map(Result::unwrap)
            .find_map(|line| Some(line.split_once("serves ")?.1.parse().unwrap()));
        (Self(child), address.unwrap())
    }

    /// The most memory that the process has held, in MiB.
    fn most_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() >> 10
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _waited = self.0.wait();
    }
}

/// The process that serves, until it is ended.
#[test]
fn child() {
    if std::env::var_os(SERVES).is_none() {
        return;
    }
    let room = Room::new();
    let served = room.serve(Some("text"), config());
    println!("serves {}", served.address);
    // Nothing comes; it ends with the process that started this one.
    let _end = std::io::stdin().read_line(&mut String::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_body_that_decompresses_to_much_takes_little_memory() {
    let (process, address) = Process::start();
    check(address);
    let before = process.most_memory();
    for (coding, body) in [
        // 10 and 50 million lines, and 20 GB of lines in as small a body as is taken.
        ("zstd", zstd::encode_all(&*b"1\n".repeat(10_000_000), 3).unwrap()),
        ("zstd", zstd::encode_all(&*b"1\n".repeat(50_000_000), 3).unwrap()),
        ("gzip", gzip(&b"1\n".repeat(50_000_000))),
        ("zstd", frames(&b"1\n".repeat(50_000), 200_000)),
    ] {
        assert!(body.len() < 6 << 20, "{} bytes", body.len());
        let mut client = Client::new(address);
        // What the server does not take in waits here.
        let (mut sender, bytes) = (client.stream().try_clone().unwrap(), body.clone());
        let head = format!(
            "POST /v1/batch?op=check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\
             Content-Encoding: {coding}\r\n\r\n",
            body.len()
        );
        let sending = thread::spawn(move || {
            // The connection is closed before all is sent.
            let _sent = sender.write_all(head.as_bytes()).and_then(|()| sender.write_all(&bytes));
        });
        assert_eq!(client.begin(), 200);
        let mut answered = 0;
        while answered < 20 << 20 {
            let Some(chunk) = client.chunk() else { break };
            answered += chunk.len();
        }
        assert!(answered > 1 << 20, "{coding}: {answered} bytes of answers");
        client.stream().shutdown(std::net::Shutdown::Both).unwrap();
        sending.join().unwrap();
    }
    check(address);
    let most = process.most_memory();
    assert!(most < before + 96, "{most} MiB are held, {before} MiB before the first body");
}

/// Bodies of nearly the most bytes that one may have, gzip: texts and metadata.
fn large() -> Vec<Vec<u8>> {
    const SIZE: usize = (8 << 20) - 1000;
    let words: Vec<String> = (0..SIZE / 8).map(|word| format!("{word:07x}")).collect();
    let text = |text: &str| json!({ "text": text }).to_string();
    let code = "00000000000000ff";
    let metadata = |value| json!({ "id": "a", "fingerprint": code, "metadata": value }).to_string();
    let bodies = [
        text(&"abc ".repeat(SIZE / 4)),
        text(&words.join(" ")),
        metadata(json!({ "a": "b".repeat(SIZE) })),
        metadata(json!({ "a": vec![0; SIZE / 2] })),
    ];
    bodies.iter().map(|body| gzip(body.as_bytes())).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn large_bodies_at_once_take_little_memory_and_hold_nobody_up() {
    let (process, address) = Process::start();
    check(address);
    let before = process.most_memory();
    for body in large() {
        let answered = AtomicUsize::new(0);
        let busy = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..60 {
                let (body, answered, busy) = (&body, &answered, &busy);
                scope.spawn(move || {
                    let head = "Content-Encoding: gzip\r\n";
                    let answer = Client::new(address).ask("POST", "/v1/check", head, body);
                    let again = answer.status == 503 && answer.header("retry-after").is_some();
                    assert!(again || [200, 422].contains(&answer.status), "{}", answer.text());
                    busy.fetch_add(again.into(), Ordering::Relaxed);
                    answered.fetch_add(1, Ordering::Relaxed);
                });
            }
            // Others are answered meanwhile.
            while answered.load(Ordering::Relaxed) < 60 {
                check(address);
            }
        });
        let busy = busy.into_inner();
        assert!((1..60).contains(&busy), "{busy} of 60 were told to come again");
    }
    check(address);
    let most = process.most_memory();
    assert!(most < before + 300, "{most} MiB are held, {before} MiB before the first body");
}

#[test]
fn blank_lines_hold_nobody_up() {
    let room = Room::new();
    let served = room.serve(None, Config { threads: 2, ..config() });
    // 100 MB of blank lines each, in a body that comes in one piece.
    let body = frames(&b"\n".repeat(100_000), 1000);
    assert!(body.len() < 60_000, "{} bytes", body.len());
    let mut floods: Vec<_> = (0..4).map(|_| served.client()).collect();
    floods.iter_mut().for_each(|client| send(client, "zstd", &body));
    floods.iter_mut().for_each(|client| assert_eq!(client.begin(), 200));
    let ended = AtomicUsize::new(0);
    thread::scope(|scope| {
        for client in &mut floods {
            let ended = &ended;
            scope.spawn(move || {
                while client.chunk().is_some() {}
                ended.fetch_add(1, Ordering::Relaxed);
            });
        }
        for number in 0..20 {
            check(served.address);
            let ended = ended.load(Ordering::Relaxed);
            assert_eq!(ended, 0, "check {number} waited for {ended} of the batches");
        }
    });
}

#[test]
fn blank_lines_count_against_the_rate_of_a_token() {
    let room = Room::new();
    let token = NewToken::new("crawler", Scope::Read, NonZeroU32::new(2)).unwrap();
    let tokens = Some(room.write("tokens.toml", &token.entry));
    let served = room.serve(None, Config { tokens, ..config() });
    let mut client = Client::with_token(served.address, &token.secret);
    let begun = Instant::now();
    let answer = client.ask("POST", "/v1/batch?op=check", "", b"\n\n\n\n\n\n");
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    // The request and six lines, of which two are free and two a second follow.
    assert!(begun.elapsed() >= Duration::from_millis(2000), "{:?}", begun.elapsed());
}
