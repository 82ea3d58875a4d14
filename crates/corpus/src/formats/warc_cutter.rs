//! The ends of WARC records. What is in one is `warc`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::head::Head;
use crate::archive::warc::{END, FIELDS, WarcRecord};
use crate::fault::Fault;
use crate::formats::cutter::Cutter;
use crate::records::cut::{Cut, What};
use crate::within::within;
use memchr::{memchr, memchr_iter, memmem, memrchr};

/// What every record begins with.
const OPENING: &[u8] = b"WARC/";

/// Bytes that the head of a record may have.
const MAX_HEAD: usize = 1 << 18;

/// What is wrong with a longer head.
const NO_END: &str = "it does not end within 256 KiB";

/// Finds the ends of records by what their heads say of their length, and the next one where that is
/// not so.
pub(crate) struct WarcCutter {
    /// Bytes that a record may have.
    limit: usize,
    /// The length of the head and of the block of the record that was begun.
    begun: Option<(usize, u64)>,
    lost: Lost,
}

/// Whether the next record has to be looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lost {
    #[default]
    No,
    AtLine,
    InLine,
}

impl WarcCutter {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, begun: None, lost: Lost::No }
    }
}

impl Cutter for WarcCutter {
    /// The bytes to come are not those that follow: a head was too long to be held.
    fn pass_over(&mut self) {
        self.begun = None;
        self.lost = Lost::InLine;
    }

    fn restart(&mut self) {
        *self = Self::new(self.limit);
    }

    fn cut(&mut self, bytes: &[u8], _seen: usize, ended: bool) -> Option<Cut> {
        let (head, block) = match self.begun {
            Some(begun) => begun,
            None => match self.begin(bytes, ended) {
                Begun::Record(head, block) => *self.begun.insert((head, block)),
                Begun::Cut(length, what) => return Some(cut(bytes, length, what)),
                Begun::More => return None,
            },
        };
        let end = end_of(head, block).filter(|end| *end <= bytes.len());
        let fault = match end.map(|end| (end, ending(within(bytes, end..), ended))) {
            Some((end, Ending::Whole(length))) => {
                let end = end + length;
                self.begun = None;
                let record = WarcRecord::parse(within(bytes, ..end));
                let document = record.is_some_and(|record| record.is_document());
                let what = if document { What::Record } else { What::Carried };
                return Some(cut(bytes, end, what));
            }
            Some((_, Ending::More)) => return None,
            Some((_, Ending::Other)) => Fault::BlockLength(block),
            None if ended => Fault::BlockCut(block),
            None => return None,
        };
        // Where the length is wrong the next record may be inside or behind it.
        (self.begun, self.lost) = (None, Lost::AtLine);
        Some(cut(bytes, head, What::Broken(fault)))
    }
}

impl WarcCutter {
    /// Finds the head of a record.
    fn begin(&mut self, bytes: &[u8], ended: bool) -> Begun {
        if self.lost == Lost::InLine {
            match opens(bytes, ended) {
                Some(true) => self.lost = Lost::AtLine,
                Some(false) => return self.next(bytes, What::Nothing, ended),
                None => return Begun::More,
            }
        }
        let blank = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        if blank > 0 {
            return Begun::Cut(blank, What::Nothing);
        }
        if !bytes.starts_with(OPENING) {
            if !ended && OPENING.starts_with(bytes) {
                return Begun::More;
            }
            let what = match self.lost {
                Lost::No => What::Broken(Fault::NoRecord),
                _ => What::Nothing,
            };
            return self.next(bytes, what, ended);
        }
        let split = Head::split(bytes);
        if split.is_none() && !ended && bytes.len() <= MAX_HEAD {
            return Begun::More;
        }
        let found = split.map(|(head, rest)| lengths(head, bytes.len() - rest.len()));
        match found {
            // What is behind it is looked for, as its length may be wrong.
            Some(Ok((head, block))) if end_of(head, block).is_none_or(|end| end > self.limit) => {
                self.lost = Lost::AtLine;
                Begun::Cut(head, What::Broken(Fault::TooLong))
            }
            Some(Ok((head, block))) => {
                self.lost = Lost::No;
                Begun::Record(head, block)
            }
            // A line of a page that was lost may open like a record.
            _ if self.lost == Lost::AtLine => self.next(bytes, What::Nothing, ended),
            None if ended => self.next(bytes, What::Broken(Fault::HeadCut), ended),
            None => self.next(bytes, What::Broken(Fault::Head(NO_END)), ended),
            Some(Err(problem)) => self.next(bytes, What::Broken(Fault::Head(problem)), ended),
        }
    }

    /// Passes over bytes up to a line that begins as a record does, or to the head of one behind other bytes, as far as
    /// they are there. What `bytes` begin with is no record.
    fn next(&mut self, bytes: &[u8], what: What, ended: bool) -> Begun {
        let begun = memmem::find_iter(bytes, OPENING).filter(|at| *at > 0).find_map(|at| {
            let before = within(bytes, ..at);
            let blank =
                before.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let line = before.len() - blank;
            let line = memchr(b'\n', within(before, line..)).map(|end| line + end + 1);
            let is_open = || opens(within(bytes, at..), ended) != Some(false);
            let at_line = line.map(|line| (line, Lost::AtLine));
            at_line.or_else(|| is_open().then_some((at, Lost::InLine)))
        });
        let line = || memrchr(b'\n', bytes).map(|at| (at + 1, Lost::AtLine));
        let (end, lost) = begun.or_else(line).unwrap_or_else(|| {
            // The last bytes may begin a record.
            let kept =
                (1..OPENING.len()).rev().find(|kept| bytes.ends_with(within(OPENING, ..*kept)));
            let end = bytes.len() - kept.filter(|_| !ended).unwrap_or(0);
            (end, Lost::InLine)
        });
        self.lost = lost;
        Begun::Cut(end, what)
    }
}

/// What stands where a record is expected.
enum Begun {
    /// A head of so many bytes, which says that the block has so many.
    Record(usize, u64),
    Cut(usize, What),
    More,
}

/// What a head of `length` bytes says: that length, and the length of the block behind it.
fn lengths(head: Head<'_>, length: usize) -> Result<(usize, u64), &'static str> {
    if length > MAX_HEAD {
        return Err(NO_END);
    }
    let version = head.first();
    let is_known = version.starts_with(b"WARC/1.") || version.starts_with(b"WARC/0.");
    // What does not end the record before it begins none.
    if !is_known || !is_version(version) || version.len() >= MAX_VERSION {
        return Err("its version is not 1.0 or 1.1");
    }
    let stated = head.get("Content-Length").ok_or("it has no Content-Length")?;
    let block = stated.parse().map_err(|_| "its Content-Length is not a number below 2^64")?;
    Ok((length, block))
}

/// The length of a record without its end; none where that is more than can be said.
fn end_of(head: usize, block: u64) -> Option<usize> {
    head.checked_add(usize::try_from(block).ok()?)
}

/// What stands behind a block.
enum Ending {
    /// The end of the record, of so many bytes.
    Whole(usize),
    /// More of it may follow.
    More,
    /// Something else: the length is wrong.
    Other,
}

/// Line ends behind a block, at most; more of them stand between records.
const MAX_END: usize = 1 << 12;

/// Two line ends are right (WARC 1.1, section 4). Some programs write others, or none: where the next record
/// follows them, or nothing, the record is whole all the same. Zeros between, as programs fill blocks with, are no part
/// of it.
fn ending(behind: &[u8], ended: bool) -> Ending {
    if behind.starts_with(END) {
        return Ending::Whole(END.len());
    }
    let blank = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let filled = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | 0)).count();
    let next = within(behind, filled..);
    let line = within(next, ..next.len().min(MAX_VERSION));
    let version = memchr(b'\n', line).map(|end| within(line, ..end));
    let may_follow =
        next.len() < MAX_VERSION && (next.starts_with(OPENING) || OPENING.starts_with(next));
    match version {
        _ if filled >= MAX_END => Ending::Whole(blank.min(MAX_END)),
        Some(version) if is_version(version) => Ending::Whole(blank),
        None if next.is_empty() && ended => Ending::Whole(blank),
        None if !ended && may_follow => Ending::More,
        _ => Ending::Other,
    }
}

/// Whether a record opens here, where no line does: with a version, and a field that records have. None where that
/// depends on what follows.
fn opens(bytes: &[u8], ended: bool) -> Option<bool> {
    let more = |may_open: bool| if may_open && !ended { None } else { Some(false) };
    let line = within(bytes, ..bytes.len().min(MAX_VERSION));
    let Some(end) = memchr(b'\n', line) else {
        let begun = line.strip_suffix(b"\r").unwrap_or(line);
        let may_open = OPENING.starts_with(begun) || is_version(begun);
        return more(may_open && line.len() < MAX_VERSION);
    };
    if !is_version(within(line, ..end)) {
        return Some(false);
    }
    let field = within(bytes, end + 1..);
    let begins = |start: &[u8]| {
        let shared = start.len().min(field.len());
        within(start, ..shared).eq_ignore_ascii_case(within(field, ..shared))
    };
    match FIELDS.into_iter().find(|start| begins(start)) {
        Some(start) if field.len() < start.len() => more(true),
        found => Some(found.is_some()),
    }
}

/// Bytes of the line that begins a record, at most.
const MAX_VERSION: usize = 16;

/// Whether a line begins a record: `WARC/1.0`, for instance.
fn is_version(line: &[u8]) -> bool {
    let version = line.trim_ascii_end().strip_prefix(OPENING).unwrap_or_default();
    !version.is_empty() && version.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

fn cut(bytes: &[u8], length: usize, what: What) -> Cut {
    let lines = memchr_iter(b'\n', within(bytes, ..length)).count() as u64;
    Cut { bytes: length, lines, what }
}
