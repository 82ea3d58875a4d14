//! Requests of one document each, over many connections.

use crate::figures::{Done, Times, code, fresh, id, query, random};
use crate::swarm::{Ask, run};
use memchr::memmem;
use std::io::Write;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

/// Bytes of a text.
const TEXT: usize = 2 << 10;
/// Texts that are asked for in turn.
const TEXTS: u64 = 4096;
/// Words that they are made of.
const WORDS: u64 = 5000;

pub fn check(address: SocketAddr, number: u64, connections: usize, time: Duration) -> Done {
    print("check", run(address, connections, time, &mut Checks { number })?);
    Ok(())
}

pub fn empty(address: SocketAddr, connections: usize, time: Duration) -> Done {
    print("empty", run(address, connections, time, &mut Empty)?);
    Ok(())
}

pub fn text(address: SocketAddr, connections: usize, time: Duration) -> Done {
    let requests = (0..TEXTS).map(text_request).collect();
    print("text", run(address, connections, time, &mut Texts { requests })?);
    Ok(())
}

pub fn add(address: SocketAddr, connections: usize, time: Duration) -> Done {
    print("add", run(address, connections, time, &mut Adds { first: fresh() })?);
    Ok(())
}

pub fn mixed(address: SocketAddr, number: u64, connections: usize, time: Duration) -> Done {
    let adding = move || {
        let added = run(address, connections, time, &mut Adds { first: fresh() });
        added.map_err(|error| error.to_string())
    };
    let adding = thread::spawn(adding);
    let checked = run(address, connections, time, &mut Checks { number })?;
    let (added, seconds) = adding.join().map_err(|_| "adding ended")??;
    let (times, lasted) = checked;
    println!("{{\"job\":\"mixed\",{},\"adds\":{{{}}}}}", times.json(lasted), added.json(seconds));
    Ok(())
}

fn print(job: &str, (times, seconds): (Times, f64)) {
    println!("{{\"job\":\"{job}\",{}}}", times.json(seconds));
}

fn request(path: &str, body: &[u8], request: &mut Vec<u8>) {
    let length = body.len();
    // A vector takes all that is written.
    let _written = write!(
        request,
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    request.extend_from_slice(body);
}

fn has(body: &[u8], what: &str) -> bool {
    memmem::find(body, what.as_bytes()).is_some()
}

/// Requests that ask for nothing.
struct Empty;

impl Ask for Empty {
    fn request(&mut self, _: u64, to: &mut Vec<u8>) {
        to.extend_from_slice(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    }

    fn is_right(&mut self, _: u64, body: &[u8]) -> bool {
        !body.is_empty()
    }
}

/// Checks of ready fingerprints.
struct Checks {
    number: u64,
}

impl Ask for Checks {
    fn request(&mut self, asked: u64, to: &mut Vec<u8>) {
        let body = format!("{{\"fingerprint\":\"{:016x}\"}}", query(asked, self.number));
        request("/v1/check", body.as_bytes(), to);
    }

    fn is_right(&mut self, asked: u64, body: &[u8]) -> bool {
        // Of random fingerprints some are near by chance.
        has(body, "\"verdict\":") && (asked.is_multiple_of(2) || has(body, "\"duplicate\""))
    }
}

/// New documents.
struct Adds {
    first: u64,
}

impl Ask for Adds {
    fn request(&mut self, asked: u64, to: &mut Vec<u8>) {
        let number = self.first + asked;
        let (id, code) = (id(number), code(number));
        let body = format!("{{\"id\":\"{id:016x}\",\"fingerprint\":\"{code:016x}\"}}");
        request("/v1/check-and-add", body.as_bytes(), to);
    }

    fn is_right(&mut self, _: u64, body: &[u8]) -> bool {
        has(body, "\"new\"") || has(body, "\"duplicate\"")
    }
}

/// Checks of texts.
struct Texts {
    requests: Vec<Vec<u8>>,
}

impl Ask for Texts {
    fn request(&mut self, asked: u64, to: &mut Vec<u8>) {
        let number = usize::try_from(asked % TEXTS).unwrap_or(0);
        to.extend_from_slice(&self.requests[number]);
    }

    fn is_right(&mut self, _: u64, body: &[u8]) -> bool {
        has(body, "\"verdict\":")
    }
}

/// The request to check a text of random words.
fn text_request(number: u64) -> Vec<u8> {
    let mut text = String::with_capacity(TEXT + 16);
    for at in 0.. {
        // Some words are common, most are rare.
        let word = random(number << 20 | at) % WORDS * (random(at ^ number << 32) % WORDS) / WORDS;
        let letters = random(word + 7_000_000);
        for letter in 0..2 + word % 9 {
            text.push(char::from(b'a' + (letters >> (5 * letter)) as u8 % 26));
        }
        text.push(' ');
        if text.len() >= TEXT {
            break;
        }
    }
    text.truncate(TEXT);
    let mut to = Vec::new();
    request("/v1/check", format!("{{\"text\":\"{text}\"}}").as_bytes(), &mut to);
    to
}
