//! A client of HTTP/1.1 that says exactly what a test wants said.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than any answer takes on a crowded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    /// Lines that each request has in its head.
    pub(crate) head: String,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { stream: BufReader::new(stream), head: String::new() }
    }

    /// One that sends this token.
    pub(crate) fn with_token(address: SocketAddr, token: &str) -> Self {
        Self { head: format!("Authorization: Bearer {token}\r\n"), ..Self::new(address) }
    }

    /// A request whole, and its answer.
    pub(crate) fn ask(&mut self, method: &str, path: &str, head: &str, body: &[u8]) -> Answer {
        let length = body.len();
        let all = &self.head;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n{all}{head}\r\n"
        );
        // In one piece: a server that answers before it has the body may end the connection. One that refuses the
        // head may not read on.
        let _sent = self.stream.get_mut().write_all(&[head.as_bytes(), body].concat());
        self.answer()
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, "", b"")
    }

    pub(crate) fn post(&mut self, path: &str, body: impl ToString) -> Answer {
        self.ask("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    /// The answer to a batch of these lines.
    pub(crate) fn batch(&mut self, op: &str, lines: &str) -> Vec<Value> {
        let answer = self.ask("POST", &format!("/v1/batch?op={op}"), "", lines.as_bytes());
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.rows()
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).unwrap();
    }

    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        self.stream.get_mut()
    }

    /// Whether the server has ended the connection; waits for it.
    pub(crate) fn is_ended(&mut self) -> bool {
        let mut rest = Vec::new();
        // A reset is an end too.
        !matches!(self.stream.read_to_end(&mut rest), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    }

    pub(crate) fn answer(&mut self) -> Answer {
        let first = self.line();
        let status = first.split(' ').nth(1).unwrap_or_else(|| panic!("{first:?}"));
        let status = status.parse().unwrap();
        let mut head = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap();
            head.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut answer = Answer { status, head, body: Vec::new() };
        if answer.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk() {
                answer.body.extend(chunk);
            }
        } else {
            let length =
                answer.header("content-length").map_or(0, |length| length.parse().unwrap());
            answer.body = vec![0; length];
            self.stream.read_exact(&mut answer.body).unwrap();
        }
        answer
    }

    /// The head of an answer whose body comes in chunks.
    pub(crate) fn begin(&mut self) -> u16 {
        let status = self.line().split(' ').nth(1).unwrap().parse().unwrap();
        while !self.line().is_empty() {}
        status
    }

    /// A chunk of a body, none at its end.
    pub(crate) fn chunk(&mut self) -> Option<Vec<u8>> {
        let length = usize::from_str_radix(&self.line(), 16).unwrap();
        let mut chunk = vec![0; length];
        self.stream.read_exact(&mut chunk).unwrap();
        assert_eq!(self.line(), "");
        (length > 0).then_some(chunk)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    /// The body of an answer that went well.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/json"));
        self.json()
    }

    /// A problem of this status, about this field; returns the detail.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, field: Option<&str>) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["status"], status);
        assert_eq!(problem["field"].as_str(), field, "{problem}");
        problem["detail"].as_str().unwrap().to_owned()
    }

    pub(crate) fn rows(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
