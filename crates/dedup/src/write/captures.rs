//! Records of WARC that go with the response of their capture. What links them is `Capture`'s.

use crate::error::Error;
use crate::write::annotation::Columns;
use crate::write::destination::Destination;
use nearprint_corpus::{Batch, Capture, Carried, Record};
use std::collections::VecDeque;

/// Bytes and records that wait for the response of their capture, at most.
const BYTES: usize = 1 << 20;
const RECORDS: usize = 64;
/// Records whose fates are remembered for those behind them.
const RECENT: usize = 64;

/// Records that are no documents, on their way to where the documents go: those of archives with their captures.
pub(crate) struct Companions {
    captures: Captures,
    /// Whether records that go with no document are written, where that is not always so.
    alone: Option<bool>,
    /// The source of the batch, and whether its records wait for the response of their capture.
    source: usize,
    held: bool,
}

impl Companions {
    /// Those of all sources; `alone` says whether records that go with no document are written, where that is not always so.
    pub(crate) fn new(alone: Option<bool>) -> Self {
        Self { captures: Captures::new(alone == Some(false)), alone, source: 0, held: false }
    }

    /// Goes on to a batch, whose records are `held` until the response of their capture is decided.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn begin(
        &mut self,
        batch: &Batch,
        held: bool,
        destination: &mut Destination,
    ) -> Result<(), Error> {
        if batch.source_index() != self.source {
            self.end(destination)?;
            self.source = batch.source_index();
        }
        self.held = held;
        Ok(())
    }

    /// Takes what stands right before a document of the batch, or behind the last; writes what is ready.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn carry(
        &mut self,
        batch: &Batch,
        at: usize,
        columns: Option<&Columns>,
        destination: &mut Destination,
    ) -> Result<(), Error> {
        let (alone, source, held) = (self.alone, self.source, self.held);
        let mut carried = batch.carried_before(at);
        carried.try_for_each(|carried| match held {
            true => self.captures.carry(carried.raw(), role(&carried, alone), |raw| {
                destination.write_bytes(source, raw)
            }),
            false => destination.carry(&carried, columns),
        })
    }

    /// Takes whether a document stays, and writes what waited for it.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn decide(
        &mut self,
        record: &Record<'_>,
        stays: bool,
        destination: &mut Destination,
    ) -> Result<(), Error> {
        let source = self.source;
        match self.held {
            true => self
                .captures
                .decide(record.capture(), stays, |raw| destination.write_bytes(source, raw)),
            false => Ok(()),
        }
    }

    /// Writes all that waits: no response follows in its source.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn end(&mut self, destination: &mut Destination) -> Result<(), Error> {
        let source = self.source;
        self.captures.end(|raw| destination.write_bytes(source, raw))
    }

    /// Records that went so far.
    pub(crate) fn removed(&self) -> u64 {
        self.captures.removed
    }

    /// Records that had the fate of no document, so far.
    pub(crate) fn alone(&self) -> u64 {
        self.captures.alone
    }
}

/// Records that say what an archive is, and begin each part of one.
const HEADS: [&str; 2] = ["filedesc", "warcinfo"];

/// What a record of an archive is to the documents, where `alone` says what becomes of those that are nothing to them.
fn role(carried: &Carried<'_>, alone: Option<bool>) -> Role {
    let is_head = || carried.obstacle().is_some_and(|what| HEADS.contains(&&*what));
    match carried.capture() {
        Some(capture) => Role::Linked(capture),
        None if alone.is_none() || is_head() => Role::Stays,
        None => Role::Alone,
    }
}

/// The records of one source that are no documents, in order, until it is known whether they stay.
///
/// A `request` or `metadata` record has the fate of a response that it names or that names it, where that is
/// the next one or one of the last few dozen, or the fate of a record for which that holds. Any other stays.
#[derive(Debug, Default)]
struct Captures {
    waiting: VecDeque<Waiting>,
    bytes: usize,
    recent: VecDeque<(Capture, bool)>,
    /// Records that went.
    removed: u64,
    /// Whether records go that have the fate of no document.
    drops_alone: bool,
    /// Records that have the fate of no document.
    alone: u64,
}

/// What a record that is no document is to others.
#[derive(Debug)]
enum Role {
    /// It is written in any case.
    Stays,
    /// It tells of no document.
    Alone,
    /// It may tell of one, which is linked with it.
    Linked(Capture),
}

#[derive(Debug)]
struct Waiting {
    raw: Vec<u8>,
    capture: Capture,
    /// Whether it stays, once that is known.
    stays: Option<bool>,
}

impl Captures {
    /// As the default; `drops_alone` if records go that have the fate of no document.
    fn new(drops_alone: bool) -> Self {
        Self { drops_alone, ..Self::default() }
    }

    /// Takes a record that is no document, with what it is to others; writes what is ready.
    fn carry<E>(
        &mut self,
        raw: &[u8],
        role: Role,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (stays, capture) = match role {
            Role::Stays => (Some(true), Capture::default()),
            Role::Alone => {
                self.alone += 1;
                (Some(!self.drops_alone), Capture::default())
            }
            Role::Linked(capture) => (self.fate(&capture), capture),
        };
        if let Some(stays) = stays {
            self.remember(capture.clone(), stays);
        }
        self.bytes += raw.len();
        self.waiting.push_back(Waiting { raw: raw.to_owned(), capture, stays });
        let has_room = self.waiting.len() <= RECORDS && self.bytes <= BYTES;
        if has_room { self.write_ready(write) } else { self.end_wait(write) }
    }

    /// Takes the fate of a document, and writes what waited for it.
    fn decide<E>(
        &mut self,
        capture: Option<Capture>,
        stays: bool,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(capture) = capture {
            self.remember(capture, stays);
        }
        // A record that names one whose fate is known has that fate too.
        while let Some((at, stays)) = self.next_known() {
            if let Some(waiting) = self.waiting.get_mut(at) {
                waiting.stays = Some(stays);
                let capture = waiting.capture.clone();
                self.remember(capture, stays);
            }
        }
        self.end_wait(write)
    }

    /// Writes all that waits: no response follows in its source.
    fn end<E>(&mut self, write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.recent.clear();
        self.end_wait(write)
    }

    /// A record that waits and is linked with one whose fate is known.
    fn next_known(&self) -> Option<(usize, bool)> {
        let mut unknown = self.waiting.iter().enumerate().filter(|(_, one)| one.stays.is_none());
        unknown.find_map(|(at, one)| Some((at, self.fate(&one.capture)?)))
    }

    fn fate(&self, capture: &Capture) -> Option<bool> {
        let linked = self.recent.iter().rev().find(|(other, _)| other.is_linked(capture));
        linked.map(|(_, stays)| *stays)
    }

    fn remember(&mut self, capture: Capture, stays: bool) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((capture, stays));
    }

    fn end_wait<E>(&mut self, write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        for waiting in &mut self.waiting {
            if waiting.stays.is_none() {
                self.alone += 1;
                waiting.stays = Some(!self.drops_alone);
            }
        }
        self.write_ready(write)
    }

    /// Writes the first records that wait, as far as their fates are known.
    fn write_ready<E>(&mut self, mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        while let Some(Waiting { raw, stays: Some(stays), .. }) = self.waiting.front() {
            if *stays {
                write(raw)?;
            } else {
                self.removed += 1;
            }
            self.bytes -= raw.len();
            self.waiting.pop_front();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// What is written of records, by their numbers: `Some` is a document and whether it stays, and the second
    /// number of a record is the one that it names.
    fn written(records: &[(u32, u32, Option<bool>)]) -> Vec<u32> {
        let (mut captures, mut numbers) = (Captures::default(), Vec::new());
        for (number, named, document) in records {
            let id = |number: &u32| format!("urn:{number}");
            let capture = Some(Capture { id: Some(id(number)), names: vec![id(named)] });
            let mut write = |raw: &[u8]| {
                numbers.push(u32::from_le_bytes(raw.try_into().unwrap()));
                Ok::<(), Infallible>(())
            };
            match document {
                None => {
                    let role = capture.map_or(Role::Alone, Role::Linked);
                    captures.carry(&number.to_le_bytes(), role, write).unwrap();
                }
                Some(stays) => {
                    captures.decide(capture, *stays, &mut write).unwrap();
                    if *stays {
                        numbers.push(*number);
                    }
                }
            }
        }
        let write = |raw: &[u8]| {
            numbers.push(u32::from_le_bytes(raw.try_into().unwrap()));
            Ok::<(), Infallible>(())
        };
        captures.end(write).unwrap();
        numbers
    }

    #[test]
    fn companions_go_with_their_response_before_and_behind_it() {
        let (stays, goes) = (Some(true), Some(false));
        // The response first: requests and metadata name it.
        let behind = [(1, 0, goes), (2, 1, None), (3, 1, None), (4, 0, stays), (5, 4, None)];
        assert_eq!(written(&behind), [4, 5]);
        // The request first: the response names it, and the metadata the response or the request.
        let before = [(1, 0, None), (2, 1, goes), (3, 2, None), (4, 1, None), (5, 0, None)];
        assert_eq!(written(&before), [5]);
        let kept = [(1, 0, None), (2, 1, stays), (3, 2, None), (4, 0, goes), (5, 1, None)];
        assert_eq!(written(&kept), [1, 2, 3, 5]);
        // A record that waits with the request has its fate.
        assert!(written(&[(3, 1, None), (1, 0, None), (2, 1, goes)]).is_empty());
        // What nothing names stays, in order.
        assert_eq!(written(&[(7, 0, None), (1, 0, None), (2, 1, goes), (8, 0, None)]), [7, 8]);
    }

    #[test]
    fn what_goes_with_no_document_goes_where_it_is_asked_for() {
        for (drops_alone, expected) in [(false, vec![1, 2, 3, 4]), (true, vec![1, 4])] {
            let (mut captures, mut numbers) = (Captures::new(drops_alone), Vec::new());
            let mut write = |raw: &[u8]| {
                numbers.extend(raw);
                Ok::<(), Infallible>(())
            };
            let of = |id: &str, names: &[&str]| Capture {
                id: Some(id.to_owned()),
                names: names.iter().map(|&name| name.to_owned()).collect(),
            };
            captures.carry(&[1], Role::Stays, &mut write).unwrap();
            captures.carry(&[2], Role::Alone, &mut write).unwrap();
            captures.carry(&[3], Role::Linked(of("request", &["gone"])), &mut write).unwrap();
            captures.carry(&[4], Role::Linked(of("other", &["page"])), &mut write).unwrap();
            captures.decide(Some(of("page", &[])), true, &mut write).unwrap();
            captures.end(&mut write).unwrap();
            assert_eq!((numbers, captures.alone), (expected, 2));
        }
    }

    #[test]
    fn what_waits_is_bounded() {
        let many: Vec<_> = (10..10_010).map(|number| (number, 9, None)).collect();
        let mut captures = Captures::default();
        for (number, ..) in &many {
            let capture = Capture { id: Some(format!("urn:{number}")), names: Vec::new() };
            captures.carry(&[0; 100], Role::Linked(capture), |_| Ok::<(), Infallible>(())).unwrap();
            assert!(captures.waiting.len() <= RECORDS && captures.recent.len() <= RECENT);
        }
        let numbers: Vec<u32> = many.iter().map(|(number, ..)| *number).collect();
        assert_eq!(written(&many), numbers);
    }
}
