//! A store and a copy that follows it, both killed again and again while documents are written: nothing differs once
//! the copy has caught up. `NEARPRINT_CRASHES` says how many kills, 6 by default.

use crate::room::Room;
use crate::serve::Served;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A number that looks random, the same each time.
fn random(seed: u64) -> u64 {
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 3
}

/// A batch of writes of one kind; returns its op and its lines.
fn batch(turn: u64) -> (&'static str, String) {
    let op = ["add", "put", "delete", "check-and-put"][usize::try_from(random(turn) % 4).unwrap()];
    let line = |at: u64| {
        let random = random(turn << 16 | at);
        let id = format!("page/{}", random % 5000);
        let fingerprint = format!("{:016x}", random << 7);
        match op {
            "delete" => json!({ "id": id }),
            _ => json!({ "id": id, "fingerprint": fingerprint, "metadata": { "turn": turn } }),
        }
    };
    (op, (0..200).map(|at| line(at).to_string() + "\n").collect())
}

/// Sends batches as long as it may. A server that was killed gets the next one later.
fn write(address: &str, ended: &AtomicBool) {
    for turn in 0.. {
        if ended.load(Ordering::Relaxed) {
            return;
        }
        let (op, lines) = batch(turn);
        let head = format!(
            "POST /v1/batch?op={op} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            lines.len()
        );
        let sent = TcpStream::connect(address).and_then(|mut stream| {
            stream.write_all((head + &lines).as_bytes())?;
            stream.read_to_end(&mut Vec::new())
        });
        if sent.is_err() {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn position(served: &Served) -> Value {
    let stats: Value = serde_json::from_str(&served.ask("GET", "/v1/stats", "", "").1).unwrap();
    stats["position"].clone()
}

#[test]
fn a_leader_and_its_copy_are_the_same_after_kills_of_both() {
    let kills = std::env::var("NEARPRINT_CRASHES").map_or(6, |kills| kills.parse().unwrap());
    let room = Room::new();
    room.run(&["store", "init", "codes", "--ready-made", "--width", "64", "-k", "3", "-q"]).done();
    let lines: String = (0..40_000_u64)
        .map(|id| {
            json!({ "id": id.to_string(), "fingerprint": format!("{:016x}", random(id) << 5) })
                .to_string()
                + "\n"
        })
        .collect();
    room.write("codes.jsonl", &lines);
    room.run(&["store", "add", "codes", "codes.jsonl", "--fingerprints", "-q"]).done();
    // It comes back at the same address.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let url = format!("http://{free}");
    let leader =
        || Served::start(room.command(&["serve", "codes", "--listen", &free, "--log", "warn"]));
    let follow = ["serve", "copy", "--follow", &url, "--listen", "127.0.0.1:0", "--log", "error"];
    let mut first = Some(leader());
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| write(&free, &ended));
        // A copy that is killed while it is made is made anew.
        for after in [5, 60, 120] {
            let mut child =
                room.command(&follow).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_millis(after));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let mut second = Some(Served::start(room.command(&follow)));
        for kill in 0..kills {
            thread::sleep(Duration::from_millis(100 + random(kill) % 500));
            if kill % 3 != 1 {
                let killed = first.take().unwrap();
                killed.signal("-KILL");
                killed.end();
            }
            if kill % 3 != 0 {
                let killed = second.take().unwrap();
                killed.signal("-KILL");
                killed.end();
            }
            first.get_or_insert_with(leader);
            second.get_or_insert_with(|| Served::start(room.command(&follow)));
        }
        ended.store(true, Ordering::Relaxed);
        first.get_or_insert_with(leader);
        let (first, second) = (first.take().unwrap(), second.take().unwrap());
        let begun = Instant::now();
        let mut still = position(&first);
        // The last batch may be under way.
        while position(&second) != still {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{}",
                second.ask("GET", "/v1/stats", "", "").1
            );
            thread::sleep(Duration::from_millis(50));
            still = position(&first);
        }
        let [theirs, ours] =
            [&first, &second].map(|served| served.ask("GET", "/v1/export", "", ""));
        assert!(theirs.0 == 200 && theirs == ours, "the copy differs");
        for served in [first, second] {
            served.signal("-TERM");
            served.end();
        }
    });
    let [theirs, ours] = ["codes", "copy"]
        .map(|store| room.run(&["store", "export", store]).done().text().to_owned());
    assert!(theirs == ours);
    assert!(theirs.lines().count() > 20_000);
    room.run(&["store", "verify", "copy"]).done();
}

#[test]
fn a_copy_that_cannot_be_is_refused_with_what_to_do() {
    let room = Room::new();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{nobody}");
    let listen = ["--listen", "127.0.0.1:0"];
    let refused = |args: &[&str], code, said: &str| {
        let run = room.run(&[&["serve", "copy"], args, &listen].concat());
        assert!(run.code == Some(code) && run.stderr.contains(said), "{run:?}");
    };
    refused(
        &["--follow", "pages:7878"],
        2,
        "expected an address such as https://pages.example.org:7878",
    );
    refused(&["--follow-token", "token", "--log", "warn"], 2, "go with --follow");
    refused(&["--follow", &url, "--forget-after", "1d"], 2, "its leader deletes old documents");
    refused(&["--follow", &url], 1, "refused");
    assert!(!room.path("copy").exists());
    room.run(&["store", "init", "copy", "--ready-made", "--width", "64", "-k", "3", "-q"]).done();
    refused(&["--follow", &url, "--follow-token", "missing"], 1, "missing");
}
