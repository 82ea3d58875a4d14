//! Many connections on one thread, each with one request under way, so that the server has the processor. What goes
//! over them is the askers' to say.

use crate::figures::Times;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::error::Error;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a request that is not due yet waits at a time.
const TICK: Duration = Duration::from_millis(1);

/// How a load is laid on.
#[derive(Clone, Copy)]
pub struct Load {
    pub address: SocketAddr,
    pub connections: usize,
    pub time: Duration,
    /// Requests a second; without it each connection asks again as soon as it is answered. Times then count from the
    /// moment at which a request was due.
    pub rate: Option<f64>,
}

/// What is asked, and what is expected.
pub trait Ask {
    /// Begins a connection.
    fn greet(&mut self, _stream: &mut std::net::TcpStream) -> Result<(), Box<dyn Error>> {
        Ok(())
    }
    /// The length of what matters at the end of an answer, once that is whole.
    fn whole(&self, answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>>;
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

/// Asks, and returns how long each answer took and all together.
pub fn run(load: Load, ask: &mut impl Ask) -> Result<(Times, f64), Box<dyn Error>> {
    let Load { address, connections, time, rate } = load;
    let (mut poll, mut events) = (Poll::new()?, Events::with_capacity(connections));
    let (mut times, mut asked) = (Times::default(), 0);
    let mut all = Vec::with_capacity(connections);
    for number in 0..connections {
        let mut stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        ask.greet(&mut stream)?;
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
    let due = |asked: u64| {
        rate.map_or_else(Instant::now, |rate| begun + Duration::from_secs_f64(asked as f64 / rate))
    };
    let (mut idle, mut heard): (Vec<usize>, _) = ((0..connections).collect(), begun);
    while begun.elapsed() < time || idle.len() < connections {
        while begun.elapsed() < time && due(asked) <= Instant::now() {
            let Some(number) = idle.pop() else { break };
            all[number].begin(asked, due(asked), ask)?;
            asked += 1;
        }
        poll.poll(&mut events, Some(if idle.is_empty() { PATIENCE } else { TICK }))?;
        if !events.is_empty() {
            heard = Instant::now();
        } else if idle.len() < connections && heard.elapsed() > PATIENCE {
            return Err("an answer did not come".into());
        }
        for event in &events {
            let number = event.token().0;
            let connection = &mut all[number];
            connection.send()?;
            // Of what comes after it the poll will tell.
            if let Some(length) = connection.receive(ask)? {
                times.note(connection.begun.elapsed());
                let body = &connection.answer[connection.answer.len() - length..];
                if !ask.is_right(connection.asked, body) {
                    let answer = String::from_utf8_lossy(&connection.answer);
                    return Err(format!("a wrong answer: {answer}").into());
                }
                connection.answer.clear();
                if rate.is_some() || begun.elapsed() >= time {
                    idle.push(number);
                    continue;
                }
                connection.begin(asked, Instant::now(), ask)?;
                asked += 1;
            }
        }
    }
    Ok((times, begun.elapsed().as_secs_f64()))
}

impl Connection {
    fn begin(&mut self, asked: u64, due: Instant, ask: &mut impl Ask) -> io::Result<()> {
        self.request.clear();
        self.answer.clear();
        ask.request(asked, &mut self.request);
        (self.asked, self.sent, self.begun) = (asked, 0, due);
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

    /// Reads what is there; the length of what matters of the answer, once it is whole.
    fn receive(&mut self, ask: &impl Ask) -> Result<Option<usize>, Box<dyn Error>> {
        let mut room = [0; 16 << 10];
        loop {
            match self.stream.read(&mut room) {
                Ok(0) => return Err("the server ended a connection".into()),
                Ok(count) => self.answer.extend_from_slice(&room[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error.into()),
            }
            if let Some(length) = ask.whole(&self.answer)? {
                return Ok(Some(length));
            }
        }
    }
}
