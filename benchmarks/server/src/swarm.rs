//! Many connections on one thread, each with one request under way: HTTP/1.1, no more of it than a load
//! needs, so that the server has the processor.

use crate::figures::Times;
use memchr::memmem;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::error::Error;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is asked, and what is expected.
pub trait Ask {
    /// Writes the `asked`-th request to `request`.
    fn request(&mut self, asked: u64, request: &mut Vec<u8>);
    /// Whether its answer is right.
    fn is_right(&mut self, asked: u64, body: &[u8]) -> bool;
}

/// A connection.
struct Connection {
    stream: TcpStream,
    asked: u64,
    begun: Instant,
    request: Vec<u8>,
    /// Bytes of it that were sent.
    sent: usize,
    answer: Vec<u8>,
}

/// Asks for `time`, and returns how long each answer took and all together.
pub fn run(
    address: SocketAddr,
    connections: usize,
    time: Duration,
    ask: &mut impl Ask,
) -> Result<(Times, f64), Box<dyn Error>> {
    let (mut poll, mut events) = (Poll::new()?, Events::with_capacity(connections));
    let (mut times, mut asked) = (Times::default(), 0);
    let mut all = Vec::with_capacity(connections);
    for number in 0..connections {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        poll.registry().register(
            &mut stream,
            Token(number),
            Interest::READABLE | Interest::WRITABLE,
        )?;
        let begun = Instant::now();
        let (request, answer) = (Vec::new(), Vec::new());
        all.push(Connection { stream, asked: 0, begun, request, sent: 0, answer });
    }
    let begun = Instant::now();
    for connection in &mut all {
        connection.begin(asked, ask)?;
        asked += 1;
    }
    let mut under_way = connections;
    while under_way > 0 {
        poll.poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err("an answer did not come".into());
        }
        for event in &events {
            let connection = &mut all[event.token().0];
            connection.send()?;
            // Of what comes after it the poll will tell.
            if let Some(length) = connection.receive()? {
                times.note(connection.begun.elapsed());
                let body = &connection.answer[connection.answer.len() - length..];
                if !ask.is_right(connection.asked, body) {
                    let answer = String::from_utf8_lossy(&connection.answer);
                    return Err(format!("a wrong answer: {answer}").into());
                }
                if begun.elapsed() >= time {
                    connection.answer.clear();
                    under_way -= 1;
                    continue;
                }
                connection.begin(asked, ask)?;
                asked += 1;
            }
        }
    }
    Ok((times, begun.elapsed().as_secs_f64()))
}

impl Connection {
    fn begin(&mut self, asked: u64, ask: &mut impl Ask) -> io::Result<()> {
        self.request.clear();
        self.answer.clear();
        ask.request(asked, &mut self.request);
        (self.asked, self.sent, self.begun) = (asked, 0, Instant::now());
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        while self.sent < self.request.len() {
            match self.stream.write(&self.request[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads what is there; the length of the body of the answer, once it is whole.
    fn receive(&mut self) -> Result<Option<usize>, Box<dyn Error>> {
        let mut room = [0; 16 << 10];
        loop {
            match self.stream.read(&mut room) {
                Ok(0) => return Err("the server ended a connection".into()),
                Ok(count) => self.answer.extend_from_slice(&room[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error.into()),
            }
            let Some(end) = memmem::find(&self.answer, b"\r\n\r\n") else { continue };
            let head = &self.answer[..end];
            if !head.starts_with(b"HTTP/1.1 200") {
                return Err(String::from_utf8_lossy(&self.answer).into_owned().into());
            }
            let length = memmem::find(head, b"content-length: ").ok_or("an answer of no length")?;
            let digits =
                head[length + 16..].split(|byte| *byte == b'\r').next().unwrap_or_default();
            let length: usize = std::str::from_utf8(digits)?.parse()?;
            if self.answer.len() == end + 4 + length {
                return Ok(Some(length));
            }
        }
    }
}
