//! Redis as a peer: four tables of 16 bits, each a string of packed fingerprints a bucket, searched by a script in Lua.

use crate::figures::{Done, code, fresh, id, query};
use crate::load::print;
use crate::swarm::{Ask, Load, run};
use memchr::memmem;
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;

/// The nearest within three bits is not looked for: the first will do.
const CHECK: &str = "local q = ARGV[1]
local a, b = struct.unpack('>I4I4', q)
for t = 0, 3 do
  local v = redis.call('GET', 't' .. t .. string.sub(q, 2 * t + 1, 2 * t + 2))
  if v then
    for i = 1, #v, 16 do
      local c, d = struct.unpack('>I4I4', v, i)
      local x, y, n = bit.bxor(a, c), bit.bxor(b, d), 0
      while x ~= 0 and n < 4 do x = bit.band(x, x - 1); n = n + 1 end
      while y ~= 0 and n < 4 do y = bit.band(y, y - 1); n = n + 1 end
      if n < 4 then return string.sub(v, i + 8, i + 15) end
    end
  end
end
";
const ADD: &str = "for t = 0, 3 do
  redis.call('APPEND', 't' .. t .. string.sub(q, 2 * t + 1, 2 * t + 2), q .. ARGV[2])
end
return 'new'";
/// Fingerprints that are stored with one write to the socket.
const TOGETHER: u64 = 1000;

/// Checks, or checks and adds.
struct Scripts {
    /// The hash of the script.
    script: String,
    number: u64,
    first: u64,
    adds: bool,
}

pub fn check(load: Load, number: u64) -> Done {
    let script = script(load, CHECK)?;
    print("redis-check", run(load, &mut Scripts { script, number, first: 0, adds: false })?);
    Ok(())
}

pub fn add(load: Load) -> Done {
    let script = script(load, &format!("{CHECK}{ADD}"))?;
    let asks = &mut Scripts { script, number: 0, first: fresh(), adds: true };
    print("redis-add", run(load, asks)?);
    Ok(())
}

/// Stores the first fingerprints.
pub fn fill(load: Load, number: u64) -> Done {
    let script = script(load, ADD_ONLY)?;
    let mut stream = TcpStream::connect(load.address)?;
    let (mut request, mut answers) = (Vec::new(), vec![0; 9 * TOGETHER as usize]);
    for first in (0..number).step_by(TOGETHER as usize) {
        request.clear();
        let last = number.min(first + TOGETHER);
        for number in first..last {
            let (code, id) = (code(number).to_be_bytes(), id(number).to_be_bytes());
            command(&[b"EVALSHA", script.as_bytes(), b"0", &code, &id], &mut request);
        }
        stream.write_all(&request)?;
        stream.read_exact(&mut answers[..9 * (last - first) as usize])?;
    }
    println!("{{\"job\":\"redis-fill\",\"documents\":{number}}}");
    Ok(())
}

const ADD_ONLY: &str = "local q = ARGV[1]
for t = 0, 3 do
  redis.call('APPEND', 't' .. t .. string.sub(q, 2 * t + 1, 2 * t + 2), q .. ARGV[2])
end
return 'new'";

/// Hands over a script; returns its hash.
fn script(load: Load, text: &str) -> Result<String, Box<dyn Error>> {
    let mut stream = TcpStream::connect(load.address)?;
    let mut request = Vec::new();
    command(&[b"SCRIPT", b"LOAD", text.as_bytes()], &mut request);
    stream.write_all(&request)?;
    let mut answer = [0; 512];
    let length = stream.read(&mut answer)?;
    let answer = std::str::from_utf8(&answer[..length])?;
    let hash = answer.strip_prefix("$40\r\n").and_then(|rest| rest.get(..40));
    Ok(hash.ok_or_else(|| answer.to_owned())?.to_owned())
}

fn command(words: &[&[u8]], request: &mut Vec<u8>) {
    // A vector takes all that is written.
    let _written = write!(request, "*{}\r\n", words.len());
    for word in words {
        let _written = write!(request, "${}\r\n", word.len());
        request.extend_from_slice(word);
        request.extend_from_slice(b"\r\n");
    }
}

impl Ask for Scripts {
    fn whole(&self, answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
        let Some(end) = memmem::find(answer, b"\r\n") else { return Ok(None) };
        let head = std::str::from_utf8(&answer[..end])?;
        let Some(length) = head.strip_prefix('$') else { return Err(head.into()) };
        let length: i64 = length.parse()?;
        let whole = usize::try_from(length).map_or(end + 2, |length| end + 4 + length);
        Ok((answer.len() == whole).then_some(whole - end - 2))
    }

    fn request(&mut self, asked: u64, request: &mut Vec<u8>) {
        let number = self.first + asked;
        let code = if self.adds { code(number) } else { query(asked, self.number) };
        let (code, id) = (code.to_be_bytes(), id(number).to_be_bytes());
        let words: [&[u8]; 5] = [b"EVALSHA", self.script.as_bytes(), b"0", &code, &id];
        command(&words[..if self.adds { 5 } else { 4 }], request);
    }

    fn is_right(&mut self, asked: u64, body: &[u8]) -> bool {
        self.adds && !body.is_empty() || !self.adds && (asked.is_multiple_of(2) || body.len() == 10)
    }
}
