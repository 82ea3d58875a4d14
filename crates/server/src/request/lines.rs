//! Reads the lines of a batch, a portion at a time. However large the body is after decompression, only one
//! portion of it is decompressed; the rest waits until the caller asks for the next portion.

use crate::request::body::{cut, slow};
use crate::request::inflater::Inflater;
use crate::request::problem::{Kind, Problem};
use crate::request::threads::Threads;
use axum::body::Body;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::ops::Range;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::timeout;

/// Lines of a portion, blank ones included.
const TOGETHER: usize = 1024;
/// Bytes of a portion's lines; the last line may exceed it.
const BYTES: usize = 1 << 20;
/// How long the lines of a portion wait for further lines.
const LINGER: Duration = Duration::from_millis(2);
/// Bytes that are decompressed at a time.
const ROOM: usize = 64 << 10;
/// Bytes that are searched for lines at a stretch on a thread apart, so that other batches get their turn.
const STRETCH: usize = 8 << 20;

/// A line, or the problem in its place.
pub(crate) type Line = Result<Vec<u8>, Problem>;

/// A line with its number.
#[derive(Debug)]
pub(crate) struct Numbered {
    /// Its number in the body, from 1 on; blank lines count.
    pub(crate) number: u64,
    pub(crate) line: Line,
}

/// Lines that are handled together.
#[derive(Debug, Default)]
pub(crate) struct Portion {
    pub(crate) lines: Vec<Numbered>,
    /// How many lines were read, with the blank ones, which `lines` leaves out.
    pub(crate) read: usize,
    /// Why the body ended before it was complete. The last line is this problem too.
    pub(crate) broken: Option<Problem>,
    /// Bytes of `lines`.
    bytes: usize,
}

/// The lines of a body.
pub(crate) struct Lines {
    body: Body,
    /// What arrived; `None` only while a thread works on it.
    arrived: Option<Box<Arrived>>,
    threads: Threads,
    patience: Duration,
    stopping: watch::Receiver<bool>,
    /// Lines of the portions before.
    read: u64,
    ended: bool,
}

/// What arrived and is not handed over yet.
struct Arrived {
    inflater: Inflater,
    /// Bytes that are not decompressed yet.
    input: Bytes,
    /// The bytes that were decompressed last.
    room: Box<[u8]>,
    /// The part of `room` that is not cut into lines yet.
    uncut: Range<usize>,
    /// Whether the inflater may hold back more than it could write to `room`.
    more: bool,
    cutter: Cutter,
}

/// Cuts bytes into lines.
struct Cutter {
    /// The bytes after the last line.
    rest: Vec<u8>,
    /// Whether the line under way was too long, so that the rest of it is skipped.
    passing: bool,
    longest: usize,
    /// Lines that were taken, of all portions.
    taken: u64,
    portion: Portion,
}

/// How far the work on what arrived is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// The portion is full.
    Full,
    /// All that arrived is used up.
    UsedUp,
    /// There is more to do.
    More,
}

impl Lines {
    /// The lines of a body, each of at most `longest` bytes. `patience` is how long to wait for more of
    /// the body. Long work is done on `threads`.
    pub(crate) fn new(
        body: Body,
        inflater: Inflater,
        longest: usize,
        patience: Duration,
        threads: Threads,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        let arrived = Some(Box::new(Arrived::new(inflater, longest)));
        Self { body, arrived, threads, patience, stopping, read: 0, ended: false }
    }

    /// The next portion: a full one, or the lines that are there. `None` at the end.
    ///
    /// Memory: some [`BYTES`], [`ROOM`], two lines of the greatest length, a frame of the body as it comes
    /// from the network, and the inflater.
    pub(crate) async fn next(&mut self) -> Option<Portion> {
        let mut arrived = self.arrived.take()?;
        while !self.ended {
            // A small part of the work is done here: for most bodies that is all. The rest is done apart.
            let mut progress = arrived.work(ROOM);
            while matches!(progress, Ok(Progress::More)) {
                if *self.stopping.borrow() {
                    progress = Err(Problem::closing());
                    break;
                }
                let work = move || {
                    let progress = arrived.work(STRETCH);
                    (arrived, progress)
                };
                match self.threads.run(work).await {
                    Ok(back) => (arrived, progress) = back,
                    // What arrived is lost with the thread.
                    Err(problem) => {
                        self.ended = true;
                        return Some(Portion::lost(self.read + 1, problem));
                    }
                }
            }
            match progress {
                Ok(Progress::Full) => break,
                Ok(_) => {}
                Err(problem) => {
                    self.end(&mut arrived.cutter, problem);
                    break;
                }
            }
            let waiting = if arrived.cutter.portion.read == 0 { self.patience } else { LINGER };
            let stopped = async {
                // If nobody is left who could stop the server, it goes on.
                if self.stopping.wait_for(|stop| *stop).await.is_err() {
                    std::future::pending().await
                }
            };
            let frame = tokio::select! {
                frame = timeout(waiting, self.body.frame()) => frame,
                () = stopped => {
                    self.end(&mut arrived.cutter, Problem::closing());
                    break;
                }
            };
            match frame {
                Err(_) if arrived.cutter.portion.read == 0 => {
                    self.end(&mut arrived.cutter, slow());
                }
                Err(_) => break,
                Ok(Some(Err(_))) => self.end(&mut arrived.cutter, cut()),
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        arrived.input = data;
                    }
                }
                Ok(None) => {
                    self.ended = true;
                    if let Err(problem) = arrived.finish() {
                        self.end(&mut arrived.cutter, problem);
                    }
                }
            }
        }
        let portion = std::mem::take(&mut arrived.cutter.portion);
        self.read = arrived.cutter.taken;
        self.arrived = Some(arrived);
        // What arrived may fill many portions: other tasks get their turn before the next one.
        yield_now().await;
        (portion.read > 0).then_some(portion)
    }

    /// Ends the lines with a problem in place of the portion that was read last.
    pub(crate) fn refuse(&mut self, portion: &Portion, problem: Problem) -> Portion {
        self.ended = true;
        Portion::lost(self.read - portion.read as u64 + 1, problem)
    }

    /// Ends the lines with a problem.
    fn end(&mut self, cutter: &mut Cutter, problem: Problem) {
        cutter.take(Err(problem.clone()));
        cutter.portion.broken = Some(problem);
        self.ended = true;
    }
}

impl Arrived {
    fn new(inflater: Inflater, longest: usize) -> Self {
        // A body that is not compressed is cut where it lies.
        let room = if inflater.is_plain() { 0 } else { ROOM };
        Self {
            inflater,
            input: Bytes::new(),
            room: vec![0; room].into(),
            uncut: 0..0,
            more: false,
            cutter: Cutter::new(longest),
        }
    }

    /// Works until the portion is full, what arrived is used up, or it has searched `most` bytes and up to a
    /// room more.
    fn work(&mut self, most: usize) -> Result<Progress, Problem> {
        let mut seen = 0;
        loop {
            if self.cutter.portion.is_full() {
                return Ok(Progress::Full);
            }
            if seen >= most {
                return Ok(Progress::More);
            }
            if self.inflater.is_plain() {
                if self.input.is_empty() {
                    return Ok(Progress::UsedUp);
                }
                let piece = self.input.slice(..self.input.len().min(ROOM));
                let taken = self.cutter.push(&piece);
                self.input = self.input.slice(taken..);
                seen += taken;
                continue;
            }
            if self.uncut.is_empty() {
                if self.input.is_empty() && !self.more {
                    return Ok(Progress::UsedUp);
                }
                let made = self.inflater.inflate(&mut self.input, &mut self.room)?;
                self.more = made == self.room.len();
                self.uncut = 0..made;
            }
            let uncut = self.room.get(self.uncut.clone());
            debug_assert!(uncut.is_some(), "{:?} lies outside of the room", self.uncut);
            let taken = self.cutter.push(uncut.unwrap_or_default());
            self.uncut.start += taken;
            seen += taken;
        }
    }

    /// Ends the last line, which may lack its line feed. All that arrived must be used up.
    fn finish(&mut self) -> Result<(), Problem> {
        self.inflater.finish()?;
        if !self.cutter.rest.is_empty() {
            self.cutter.push(b"\n");
        }
        Ok(())
    }
}

impl Portion {
    /// A problem in place of all further lines.
    fn lost(number: u64, problem: Problem) -> Self {
        let broken = Some(problem.clone());
        Self { lines: vec![Numbered { number, line: Err(problem) }], read: 1, broken, bytes: 0 }
    }

    fn is_full(&self) -> bool {
        self.read >= TOGETHER || self.bytes >= BYTES
    }
}

impl Cutter {
    fn new(longest: usize) -> Self {
        let portion = Portion::default();
        Self { rest: Vec::new(), passing: false, longest, taken: 0, portion }
    }

    /// Cuts `bytes` until the portion is full, and returns how many it took. It takes at least one line.
    fn push(&mut self, bytes: &[u8]) -> usize {
        let mut left = bytes;
        while let Some(end) = memchr::memchr(b'\n', left) {
            let (line, rest) = left.split_at(end);
            left = rest.get(1..).unwrap_or_default();
            self.extend(line);
            let line = std::mem::take(&mut self.rest);
            if !std::mem::take(&mut self.passing) {
                self.take(Ok(line));
            }
            if self.portion.is_full() {
                return bytes.len() - left.len();
            }
        }
        self.extend(left);
        bytes.len()
    }

    /// Adds to the line under way.
    fn extend(&mut self, bytes: &[u8]) {
        if self.passing {
            return;
        }
        if self.rest.len() + bytes.len() > self.longest {
            self.passing = true;
            self.rest = Vec::new();
            let detail = format!("the line has more than {} bytes", self.longest);
            self.take(Err(Problem::new(Kind::TooLarge, detail)));
            return;
        }
        self.rest.extend_from_slice(bytes);
    }

    /// Takes a line into the portion. A blank one only counts.
    fn take(&mut self, line: Line) {
        self.portion.read += 1;
        self.taken += 1;
        let number = self.taken;
        match line {
            Ok(line) if line.trim_ascii().is_empty() => {}
            line => {
                self.portion.bytes += line.as_ref().map_or(0, Vec::len);
                self.portion.lines.push(Numbered { number, line });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderMap, header};
    use std::io::Write;

    fn inflater(coding: &'static str) -> Inflater {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_ENCODING, coding.parse().unwrap());
        Inflater::of(&headers).unwrap()
    }

    /// Lines of a body that comes in one frame.
    fn lines(coding: &'static str, body: impl Into<Bytes>, longest: usize) -> Lines {
        let (_, stopping) = watch::channel(false);
        let (body, patience) = (Body::from(body.into()), Duration::from_secs(60));
        Lines::new(body, inflater(coding), longest, patience, Threads::new(1, 1), stopping)
    }

    /// Bytes that the lines hold themselves.
    fn held(lines: &Lines) -> usize {
        let Arrived { room, cutter, .. } = &**lines.arrived.as_ref().unwrap();
        room.len() + cutter.rest.capacity() + held_by(&cutter.portion)
    }

    fn held_by(portion: &Portion) -> usize {
        let of_lines = portion.lines.iter().map(|it| it.line.as_ref().map_or(0, Vec::capacity));
        of_lines.sum::<usize>() + portion.lines.capacity() * size_of::<Numbered>()
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// The same zstd frame again and again: as dense as a body may be.
    fn frames(text: &[u8], count: usize) -> Vec<u8> {
        zstd::encode_all(text, 3).unwrap().repeat(count)
    }

    fn cut_into(pieces: &[&[u8]], longest: usize) -> Vec<(u64, Result<String, Kind>)> {
        let mut cutter = Cutter::new(longest);
        pieces.iter().chain([&&b"\n"[..]]).for_each(|piece| {
            assert_eq!(cutter.push(piece), piece.len());
        });
        let text = |line: Line| line.map(|line| String::from_utf8(line).unwrap());
        let lines = cutter.portion.lines.into_iter();
        lines.map(|it| (it.number, text(it.line).map_err(|problem| problem.kind))).collect()
    }

    #[test]
    fn lines_are_cut_whatever_the_pieces() {
        let ok = |line: &str| Ok(line.to_owned());
        let expected = [(1, ok("one")), (4, ok("two")), (5, Err(Kind::TooLarge)), (6, ok("three"))];
        let text = b"one\n\n  \r\ntwo\nmuch too long\nthree";
        for size in 1..=text.len() {
            let pieces: Vec<_> = text.chunks(size).collect();
            assert_eq!(cut_into(&pieces, 5), expected, "pieces of {size}");
        }
        assert_eq!(cut_into(&[], 5), []);
    }

    #[tokio::test]
    async fn a_body_of_any_coding_is_the_same_lines() {
        // Short, blank, long and far too long lines.
        let text: String = (0..5000)
            .map(|at| match at % 50 {
                0 => "\n".repeat(3000),
                1 => format!("{}\n", "long".repeat(5000)),
                2 => format!("{}\n", "x".repeat(200_000)),
                _ => format!("line {at}\n"),
            })
            .collect();
        let expected: Vec<_> = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.is_empty())
            .map(|(at, line)| (at, if line.len() > 100_000 { "too long" } else { line }.to_owned()))
            .collect();
        let blank = text.lines().filter(|line| line.is_empty()).count();
        for (coding, body) in [
            ("identity", text.clone().into_bytes()),
            ("gzip", gzip(text.as_bytes())),
            ("zstd", zstd::encode_all(text.as_bytes(), 3).unwrap()),
        ] {
            let (mut lines, mut found, mut read) = (lines(coding, body, 100_000), Vec::new(), 0);
            while let Some(portion) = lines.next().await {
                assert!(portion.read <= TOGETHER && portion.bytes <= BYTES + 100_000, "{coding}");
                read += portion.read;
                assert!(portion.broken.is_none());
                found.extend(portion.lines.into_iter().map(
                    |Numbered { number, line }| match line {
                        Ok(line) => (number, String::from_utf8(line).unwrap()),
                        Err(problem) => {
                            assert_eq!(problem.kind, Kind::TooLarge);
                            (number, "too long".to_owned())
                        }
                    },
                ));
            }
            assert_eq!((found.len(), read), (expected.len(), expected.len() + blank), "{coding}");
            assert!(found == expected, "{coding}");
        }
    }

    #[tokio::test]
    async fn a_body_that_decompresses_to_much_is_held_a_portion_at_a_time() {
        let ones = b"1\n".repeat(100_000);
        let long = b"x".repeat(100_000);
        for (coding, body) in [
            // 20 and 100 MB of short lines, of blank ones, and of one line.
            ("zstd", zstd::encode_all(&*b"1\n".repeat(10_000_000), 3).unwrap()),
            ("zstd", frames(&ones, 500)),
            ("gzip", gzip(&b"1\n".repeat(10_000_000))),
            ("zstd", frames(&b"\n".repeat(100_000), 1000)),
            ("zstd", frames(&long, 1000)),
            ("gzip", gzip(&b"x".repeat(20_000_000))),
        ] {
            let mut lines = lines(coding, body, 1 << 20);
            let (mut most, mut read) = (0, 0);
            while let Some(portion) = lines.next().await {
                assert!(portion.read <= TOGETHER, "{coding}");
                read += portion.read;
                most = most.max(held(&lines) + held_by(&portion));
            }
            assert!(read > 0);
            // Two lines of the greatest length, the bytes of a portion, and a little.
            assert!(most < 4 << 20, "{coding}: {most} bytes are held");
        }
    }

    #[tokio::test]
    async fn lines_end_between_portions_when_the_server_is_stopped() {
        let (stop, stopping) = watch::channel(false);
        // One line of 100 MB, which is passed over.
        let body = Body::from(frames(&b"x".repeat(100_000), 1000));
        let patience = Duration::from_secs(60);
        let mut lines =
            Lines::new(body, inflater("zstd"), 1000, patience, Threads::new(1, 1), stopping);
        stop.send_replace(true);
        let portion = lines.next().await.unwrap();
        let problem = portion.lines.last().unwrap().line.as_ref().unwrap_err();
        assert_eq!(problem.kind, Kind::Closing);
        assert_eq!(portion.broken.unwrap().kind, Kind::Closing);
        assert!(lines.next().await.is_none());
    }
}
