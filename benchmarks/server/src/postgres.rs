//! PostgreSQL as a peer: four indexes over 16 bits of a fingerprint each, and the distance by `bit_count`. No more of its
//! protocol (version 3) than a load needs.

use crate::figures::{Done, code, fresh, id, query};
use crate::load::print;
use crate::swarm::{Ask, Load, run};
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;

/// Made by `benchmarks/server_peers.py`: the first stored document within three bits, and that or a new one.
const CHECK: &str = "SELECT near($1)";
const ADD: &str = "SELECT check_and_add($1, $2)";

/// Checks, or checks and adds.
struct Statements {
    number: u64,
    first: u64,
    adds: bool,
}

pub fn check(load: Load, number: u64) -> Done {
    print("postgres-check", run(load, &mut Statements { number, first: 0, adds: false })?);
    Ok(())
}

pub fn add(load: Load) -> Done {
    print("postgres-add", run(load, &mut Statements { number: 0, first: fresh(), adds: true })?);
    Ok(())
}

/// The first fingerprints as rows of `COPY`.
pub fn rows(number: u64) -> Done {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for number in 0..number {
        writeln!(out, "{}\t{}", id(number).cast_signed(), code(number).cast_signed())?;
    }
    Ok(out.flush()?)
}

/// A message of a kind; the first one of a connection has none.
fn message(kind: Option<u8>, parts: &[&[u8]], to: &mut Vec<u8>) {
    to.extend(kind);
    let length = 4 + parts.iter().map(|part| part.len()).sum::<usize>();
    to.extend_from_slice(&u32::try_from(length).unwrap_or(0).to_be_bytes());
    parts.iter().for_each(|part| to.extend_from_slice(part));
}

/// Whether the messages end with the one that the server is ready. An error of the server is one.
fn ready(answer: &[u8]) -> Result<bool, Box<dyn Error>> {
    let mut rest = answer;
    while let [kind, a, b, c, d, ..] = rest {
        let length = 1 + u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let Some((message, behind)) = rest.split_at_checked(length) else { return Ok(false) };
        match kind {
            b'E' => return Err(String::from_utf8_lossy(message).into_owned().into()),
            b'Z' => return Ok(true),
            _ => rest = behind,
        }
    }
    Ok(false)
}

impl Ask for Statements {
    fn greet(&mut self, stream: &mut TcpStream) -> Result<(), Box<dyn Error>> {
        let statement = if self.adds { ADD } else { CHECK };
        let mut hello = Vec::new();
        let user = b"user\0bench\0database\0bench\0\0";
        message(None, &[&196_608_u32.to_be_bytes(), user], &mut hello);
        let mut prepare = Vec::new();
        message(Some(b'P'), &[b"s\0", statement.as_bytes(), b"\0\0\0"], &mut prepare);
        message(Some(b'S'), &[], &mut prepare);
        for request in [hello, prepare] {
            stream.write_all(&request)?;
            let (mut answer, mut room) = (Vec::new(), [0; 4096]);
            while !ready(&answer)? {
                let count = stream.read(&mut room)?;
                if count == 0 {
                    return Err("the server ended a connection".into());
                }
                answer.extend_from_slice(&room[..count]);
            }
        }
        Ok(())
    }

    fn whole(&self, answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
        Ok(ready(answer)?.then_some(answer.len()))
    }

    fn request(&mut self, asked: u64, to: &mut Vec<u8>) {
        let number = self.first + asked;
        let code = if self.adds { code(number) } else { query(asked, self.number) };
        let (code, id) = (code.to_be_bytes(), id(number).to_be_bytes());
        let mut values: Vec<u8> = Vec::new();
        let parameters: &[[u8; 8]] = if self.adds { &[id, code] } else { &[code] };
        for value in parameters {
            values.extend_from_slice(&8_u32.to_be_bytes());
            values.extend_from_slice(value);
        }
        let count = [0, parameters.len() as u8];
        // Without a name, of the statement s, all parameters and results in binary.
        message(Some(b'B'), &[b"\0s\0", &[0, 1, 0, 1], &count, &values, &[0, 1, 0, 1]], to);
        message(Some(b'E'), &[b"\0", &0_u32.to_be_bytes()], to);
        message(Some(b'S'), &[], to);
    }

    fn is_right(&mut self, asked: u64, body: &[u8]) -> bool {
        // A row of one value: of 8 bytes, or none.
        let found = memchr::memmem::find(body, &[0, 1, 0, 0, 0, 8]).is_some();
        found || !self.adds && asked.is_multiple_of(2)
    }
}
