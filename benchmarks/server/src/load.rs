//! Requests of one document each, over many connections.

use crate::figures::{Done, Times, code, fresh, id, query, random};
use crate::swarm::{Ask, Load, run};
use memchr::memmem;
use std::error::Error;
use std::io::Write;
use std::thread;

/// Bytes of a text.
const TEXT: usize = 2 << 10;
/// Texts that are asked for in turn.
const TEXTS: u64 = 4096;
/// Words that they are made of.
const WORDS: u64 = 5000;

pub fn check(load: Load, number: u64) -> Done {
    print("check", run(load, &mut Checks { number })?);
    Ok(())
}

pub fn empty(load: Load) -> Done {
    print("empty", run(load, &mut Empty)?);
    Ok(())
}

pub fn text(load: Load) -> Done {
    let requests = (0..TEXTS).map(text_request).collect();
    print("text", run(load, &mut Texts { requests })?);
    Ok(())
}

pub fn add(load: Load) -> Done {
    print("add", run(load, &mut Adds { first: fresh() })?);
    Ok(())
}

pub fn mixed(load: Load, number: u64) -> Done {
    let adding = move || {
        let added = run(load, &mut Adds { first: fresh() });
        added.map_err(|error| error.to_string())
    };
    let adding = thread::spawn(adding);
    let checked = run(load, &mut Checks { number })?;
    let (added, seconds) = adding.join().map_err(|_| "adding ended")??;
    let (times, lasted) = checked;
    println!("{{\"job\":\"mixed\",{},\"adds\":{{{}}}}}", times.json(lasted), added.json(seconds));
    Ok(())
}

pub fn print(job: &str, (times, seconds): (Times, f64)) {
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

/// The length of the body of an answer in HTTP/1.1, once that is whole.
fn http(answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
    let Some(end) = memmem::find(answer, b"\r\n\r\n") else { return Ok(None) };
    let head = &answer[..end];
    if !head.starts_with(b"HTTP/1.1 200") {
        return Err(String::from_utf8_lossy(answer).into_owned().into());
    }
    let length = memmem::find(head, b"content-length: ").ok_or("an answer of no length")?;
    let digits = head[length + 16..].split(|byte| *byte == b'\r').next().unwrap_or_default();
    let length: usize = std::str::from_utf8(digits)?.parse()?;
    Ok((answer.len() == end + 4 + length).then_some(length))
}

fn has(body: &[u8], what: &str) -> bool {
    memmem::find(body, what.as_bytes()).is_some()
}

/// Requests that ask for nothing.
struct Empty;

impl Ask for Empty {
    fn whole(&self, answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
        http(answer)
    }

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
    fn whole(&self, answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
        http(answer)
    }

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
    fn whole(&self, answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
        http(answer)
    }

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
    fn whole(&self, answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
        http(answer)
    }

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
