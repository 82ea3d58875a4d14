//! The lines of a batch as they come in: some at a time, each within its limit.

use crate::request::body::{cut, slow};
use crate::request::inflater::Inflater;
use crate::request::problem::{Kind, Problem};
use axum::body::Body;
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// Lines that are worked on together.
const TOGETHER: usize = 1024;
/// Bytes of them.
const BYTES: usize = 1 << 20;
/// How long lines that are there wait for others.
const LINGER: Duration = Duration::from_millis(2);

/// A line, or why there is none in its place.
pub(crate) type Line = Result<Vec<u8>, Problem>;

/// The lines that a body still holds.
pub(crate) struct Lines {
    body: Body,
    inflater: Inflater,
    cutter: Cutter,
    patience: Duration,
    stopping: watch::Receiver<bool>,
    ended: bool,
}

/// Cuts bytes into lines.
struct Cutter {
    /// What came after the last line.
    rest: Vec<u8>,
    /// Whether the line that `rest` begins was too long, and is passed over.
    passing: bool,
    longest: usize,
    lines: Vec<Line>,
    bytes: usize,
}

impl Lines {
    pub(crate) fn new(
        body: Body,
        inflater: Inflater,
        longest: usize,
        patience: Duration,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        let cutter =
            Cutter { rest: Vec::new(), passing: false, longest, lines: Vec::new(), bytes: 0 };
        Self { body, inflater, cutter, patience, stopping, ended: false }
    }

    /// The next lines: some thousand, or those that are there. None at the end.
    pub(crate) async fn next(&mut self) -> Option<Vec<Line>> {
        while !self.ended && !self.cutter.is_full() {
            let waiting = if self.cutter.lines.is_empty() { self.patience } else { LINGER };
            let stopped = async {
                // Where nobody is left who could stop it, it goes on.
                if self.stopping.wait_for(|stop| *stop).await.is_err() {
                    std::future::pending().await
                }
            };
            let frame = tokio::select! {
                frame = timeout(waiting, self.body.frame()) => Some(frame),
                () = stopped => None,
            };
            let Some(frame) = frame else {
                self.end(Problem::new(Kind::Closing, "the server is being stopped"));
                break;
            };
            match frame {
                Err(_) if self.cutter.lines.is_empty() => self.end(slow()),
                Err(_) => break,
                Ok(Some(Err(_))) => self.end(cut()),
                Ok(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    if let Err(problem) = self.take(&data) {
                        self.end(problem);
                    }
                }
                Ok(None) => match self.finish() {
                    Ok(()) => self.ended = true,
                    Err(problem) => self.end(problem),
                },
            }
        }
        let lines = self.cutter.hand_over();
        (!lines.is_empty()).then_some(lines)
    }

    fn take(&mut self, data: &[u8]) -> Result<(), Problem> {
        let (inflater, cutter) = (&mut self.inflater, &mut self.cutter);
        let mut piece = Vec::new();
        inflater.push(data, &mut piece, |piece| {
            cutter.push(piece);
            piece.clear();
            Ok(())
        })
    }

    fn finish(&mut self) -> Result<(), Problem> {
        let mut piece = Vec::new();
        self.inflater.finish(&mut piece)?;
        self.cutter.push(&piece);
        // The last line may come without its end.
        self.cutter.push(b"\n");
        Ok(())
    }

    /// Ends the lines with a problem.
    fn end(&mut self, problem: Problem) {
        self.cutter.lines.push(Err(problem));
        self.ended = true;
    }
}

impl Cutter {
    fn is_full(&self) -> bool {
        self.lines.len() >= TOGETHER || self.bytes >= BYTES
    }

    fn push(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or_default();
            self.extend(line);
            let line = std::mem::take(&mut self.rest);
            if std::mem::take(&mut self.passing) || line.trim_ascii().is_empty() {
                continue;
            }
            self.bytes += line.len();
            self.lines.push(Ok(line));
        }
        self.extend(bytes);
    }

    /// Adds to the line that is not whole.
    fn extend(&mut self, bytes: &[u8]) {
        if self.passing {
            return;
        }
        if self.rest.len() + bytes.len() > self.longest {
            self.passing = true;
            self.rest = Vec::new();
            let detail = format!("the line has more than {} bytes", self.longest);
            self.lines.push(Err(Problem::new(Kind::TooLarge, detail)));
            return;
        }
        self.rest.extend_from_slice(bytes);
    }

    fn hand_over(&mut self) -> Vec<Line> {
        self.bytes = 0;
        std::mem::take(&mut self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_into(pieces: &[&[u8]], longest: usize) -> Vec<Result<String, Kind>> {
        let mut cutter =
            Cutter { rest: Vec::new(), passing: false, longest, lines: Vec::new(), bytes: 0 };
        pieces.iter().for_each(|piece| cutter.push(piece));
        cutter.push(b"\n");
        let text = |line: Line| line.map(|line| String::from_utf8(line).unwrap());
        cutter.hand_over().into_iter().map(|line| text(line).map_err(|it| it.kind)).collect()
    }

    #[test]
    fn lines_are_cut_whatever_the_pieces() {
        let ok = |line: &str| Ok(line.to_owned());
        let expected = [ok("one"), ok("two"), Err(Kind::TooLarge), ok("three")];
        let text = b"one\n\n  \r\ntwo\nmuch too long\nthree";
        for size in 1..=text.len() {
            let pieces: Vec<_> = text.chunks(size).collect();
            assert_eq!(cut_into(&pieces, 5), expected, "pieces of {size}");
        }
        assert_eq!(cut_into(&[], 5), []);
    }
}
