//! Clients that are too many, too slow or gone: others are served on.

use crate::client::Client;
use crate::room::{Room, config};
use nearprint_server::Config;
use serde_json::json;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Longer than anything takes on a crowded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer to a client that does nothing odd.
fn served_on(address: SocketAddr) {
    let answer =
        Client::new(address).post("/v1/check", json!({ "fingerprint": "00000000000000ff" }));
    assert_eq!(answer.ok()["verdict"], "new");
}

/// A figure of /metrics.
fn figure(address: SocketAddr, name: &str) -> f64 {
    figure_by(&mut Client::new(address), name)
}

/// The same by a connection that is there already.
fn figure_by(client: &mut Client, name: &str) -> f64 {
    let answer = client.get("/metrics");
    let line = answer.text().lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("{name} in {}", answer.text())).parse().unwrap()
}

/// Fifty connections with nothing at all, the start of HTTP/2, or of a head.
fn begun(address: SocketAddr) -> Vec<Client> {
    let starts = [&b""[..], b"PRI * HT", b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1"];
    let mut clients: Vec<_> = (0..50).map(|_| Client::new(address)).collect();
    clients.iter_mut().zip(starts.iter().cycle()).for_each(|(client, start)| client.send(start));
    clients
}

#[test]
fn heads_that_do_not_end_hold_nobody_up() {
    let room = Room::new();
    let served = room.serve(None, Config { idle_timeout: 600, ..config() });
    let _slow = begun(served.address);
    served_on(served.address);
    assert!(figure(served.address, "nearprint_connections") > 50.0);
}

#[test]
fn heads_that_do_not_end_are_ended() {
    let room = Room::new();
    let served = room.serve(None, Config { idle_timeout: 1, ..config() });
    let mut slow = begun(served.address);
    // Byte by byte is no way around it.
    for _ in 0..6 {
        std::thread::sleep(Duration::from_millis(250));
        for client in slow.iter_mut().skip(2).step_by(3) {
            let _sent = std::io::Write::write_all(client.stream(), b"x");
        }
    }
    assert!(slow.iter_mut().all(Client::is_ended));
    served_on(served.address);
}

#[test]
fn ten_thousand_idle_connections_hold_nobody_up() {
    let room = Room::new();
    let served = room.serve(None, config());
    // As many as the system allows a process that has both ends.
    let files =
        rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(1 << 20);
    let count = 10_000.min((files.saturating_sub(2000) / 2) as usize);
    let idle: Vec<_> =
        (0..count).map(|_| std::net::TcpStream::connect(served.address).unwrap()).collect();
    served_on(served.address);
    assert!(figure(served.address, "nearprint_connections") > 0.9 * count as f64);
    drop(idle);
    let begun = Instant::now();
    while figure(served.address, "nearprint_connections") > 2.0 {
        assert!(begun.elapsed() < PATIENCE, "connections that went are kept");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn connections_over_the_limit_are_closed_and_the_others_go_on() {
    let room = Room::new();
    let served = room.serve(None, Config { max_connections: 16, ..config() });
    let mut first: Vec<_> = (0..16).map(|_| served.client()).collect();
    assert!(first.iter_mut().all(|client| client.get("/healthz").status == 200));
    assert!(served.client().is_ended());
    assert!(first.iter_mut().all(|client| client.get("/healthz").status == 200));
    assert_eq!(figure_by(&mut first[0], "nearprint_connections_refused_total"), 1.0);
}

#[test]
fn clients_that_go_leave_nothing_behind() {
    let room = Room::new();
    let served = room.serve(None, config());
    for _ in 0..50 {
        let mut client = served.client();
        client.send(
            b"POST /v1/batch?op=add HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        );
        client.send(b"5\r\n{\"id\"\r\n");
    }
    let begun = Instant::now();
    // All places for batches are free again.
    while served.client().ask("POST", "/v1/batch?op=check", "", b"").status != 200
        || figure(served.address, "nearprint_connections") > 2.0
    {
        assert!(begun.elapsed() < PATIENCE, "batches of clients that went are kept");
        std::thread::sleep(Duration::from_millis(50));
    }
    served_on(served.address);
}
