//! A journal of the database: what was written since its tables were. Read without the database, which cuts a journal
//! at the first record that does not check.
//!
//! A record is a group of changes: a start (their number and their place in the order of changes), the changes, and an
//! end with a checksum of the changes. Numbers are little-endian.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use std::borrow::Cow;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
/// Bytes of a start: its tag, the number of changes, and the place.
const HEAD: usize = 13;
/// What ends a record, behind the tag and the checksum.
const MAGIC: &[u8] = b"FJL\x03";
/// Bytes of an end.
const TAIL: usize = 9 + MAGIC.len();
/// A byte of LZ4 stands for fewer bytes than this.
const MOST: usize = 256;

/// A part of a journal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// A record that checks.
    Record(Record<'a>),
    /// Bytes that are no record, with records behind them or not.
    Damage(Range<usize>),
}

/// Changes that were committed together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    /// Its bytes in the journal.
    pub(crate) at: Range<usize>,
    /// Its place in the order of changes; `None` if its start is damaged and its changes are not.
    pub(crate) place: Option<u64>,
    pub(crate) changes: Vec<Change<'a>>,
}

/// A key that got a value, or lost it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change<'a> {
    /// The number of the keyspace.
    pub(crate) keyspace: u64,
    pub(crate) key: &'a [u8],
    value: Option<Stored<'a>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Stored<'a> {
    bytes: &'a [u8],
    /// Bytes of the value, if it is compressed.
    length: Option<usize>,
}

impl<'a> Change<'a> {
    /// The value; `None` if the key was removed, or the value cannot be unpacked.
    pub(crate) fn value(&self) -> Option<Cow<'a, [u8]>> {
        let Stored { bytes, length } = self.value.as_ref()?;
        match length {
            None => Some(Cow::Borrowed(bytes)),
            Some(length) => unpacked(bytes, *length).map(Cow::Owned),
        }
    }

    /// Whether the key was removed.
    pub(crate) fn is_removal(&self) -> bool {
        self.value.is_none()
    }
}

/// What was packed by LZ4; `None` unless it has this length.
pub(crate) fn unpacked(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    // Before so much memory is taken.
    if length / MOST > bytes.len() {
        return None;
    }
    let mut value = vec![0; length];
    let found = lz4_flex::block::decompress_into(bytes, &mut value).ok()?;
    (found == length).then_some(value)
}

/// The parts of a journal, in their order. Zeros at its end, where nothing was written yet, are none.
pub(crate) fn parts(bytes: &[u8]) -> impl Iterator<Item = Part<'_>> {
    let written = written(bytes);
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= written {
            return None;
        }
        let part = match record(bytes, at).or_else(|| headless(bytes, at)) {
            Some(record) => Part::Record(record),
            None => Part::Damage(at..next(bytes, at + 1, written).unwrap_or(written)),
        };
        at = match &part {
            Part::Record(record) => record.at.end,
            Part::Damage(damage) => damage.end,
        };
        Some(part)
    })
}

/// Bytes before the zeros at the end.
fn written(bytes: &[u8]) -> usize {
    const ZEROS: [u8; 4096] = [0; 4096];
    let blank = bytes.rchunks(ZEROS.len()).take_while(|chunk| ZEROS.starts_with(chunk));
    let rest = bytes.len() - blank.map(<[u8]>::len).sum::<usize>();
    let rest = bytes.get(..rest).unwrap_or_default();
    rest.len() - rest.iter().rev().take_while(|byte| **byte == 0).count()
}

/// Where the first record at or behind a place begins.
fn next(bytes: &[u8], from: usize, end: usize) -> Option<usize> {
    (from..end).find(|at| {
        let begins = bytes.get(*at) == Some(&START)
            && bytes.get(at + HEAD).is_some_and(|tag| [ITEM, CLEAR].contains(tag));
        let ended = || {
            let before = at.checked_sub(TAIL).and_then(|tail| bytes.get(tail..*at));
            before.is_some_and(|tail| tail.first() == Some(&END) && tail.ends_with(MAGIC))
        };
        (begins && record(bytes, *at).is_some()) || (ended() && headless(bytes, *at).is_some())
    })
}

/// The record that begins at a place.
fn record(bytes: &[u8], at: usize) -> Option<Record<'_>> {
    let mut rest = bytes.get(at..)?;
    if byte(&mut rest)? != START {
        return None;
    }
    let (count, place) = (u32(&mut rest)?, u64(&mut rest)?);
    let record = changes(bytes, at, Some(count))?;
    Some(Record { place: Some(place), ..record })
}

/// The record whose start would be at a place, and is damaged.
fn headless(bytes: &[u8], at: usize) -> Option<Record<'_>> {
    changes(bytes, at, None)
}

/// The record at a place, of so many changes, or of as many as come before its end.
fn changes(bytes: &[u8], at: usize, count: Option<u32>) -> Option<Record<'_>> {
    let items = bytes.get(at + HEAD..)?;
    let mut rest = items;
    let mut changes = Vec::new();
    while count.map_or(rest.first() != Some(&END), |count| changes.len() < count as usize) {
        changes.push(change(&mut rest)?);
    }
    let length = items.len() - rest.len();
    if changes.is_empty() || byte(&mut rest)? != END {
        return None;
    }
    let checksum = u64(&mut rest)?;
    let magic = take(&mut rest, MAGIC.len())?;
    (magic == MAGIC && checksum == xxh3_64(items.get(..length)?)).then(|| Record {
        at: at..bytes.len() - rest.len(),
        place: None,
        changes,
    })
}

/// Takes a change off the front.
fn change<'a>(rest: &mut &'a [u8]) -> Option<Change<'a>> {
    match byte(rest)? {
        CLEAR => Some(Change { keyspace: u64(rest)?, key: &[], value: None }),
        ITEM => {
            let (kind, compression) = (byte(rest)?, byte(rest)?);
            if !matches!((kind, compression), (0..=2, 0 | 1)) {
                return None;
            }
            let keyspace = u64(rest)?;
            let key = u16::from_le_bytes(*take(rest, 2)?.first_chunk()?);
            let (length, stored) = (u32(rest)?, u32(rest)?);
            let (key, bytes) = (take(rest, key.into())?, take(rest, stored as usize)?);
            let length = (compression == 1).then_some(length as usize);
            let value = (kind == 0).then_some(Stored { bytes, length });
            Some(Change { keyspace, key, value })
        }
        _ => None,
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1)?.first().copied()
}

fn u32(rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*take(rest, 4)?.first_chunk()?))
}

fn u64(rest: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(*take(rest, 8)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of changes of keyspace 1 that set these keys.
    fn made(place: u64, keys: &[&[u8]]) -> Vec<u8> {
        let mut items = Vec::new();
        for key in keys {
            items.extend([ITEM, 0, 0]);
            items.extend(1_u64.to_le_bytes());
            items.extend(u16::try_from(key.len()).unwrap().to_le_bytes());
            items.extend([5, 0, 0, 0, 5, 0, 0, 0]);
            items.extend(*key);
            items.extend(b"value");
        }
        let mut bytes = vec![START];
        bytes.extend(u32::try_from(keys.len()).unwrap().to_le_bytes());
        bytes.extend(place.to_le_bytes());
        bytes.extend(&items);
        bytes.push(END);
        bytes.extend(xxh3_64(&items).to_le_bytes());
        bytes.extend(MAGIC);
        bytes
    }

    fn keys(bytes: &[u8]) -> Vec<Vec<u8>> {
        let records = parts(bytes).filter_map(|part| match part {
            Part::Record(record) => Some(record.changes),
            Part::Damage(_) => None,
        });
        records.flatten().map(|change| change.key.to_vec()).collect()
    }

    #[test]
    fn a_flip_takes_no_other_record_along() {
        let records = [
            made(7, &[b"a", b"b"]),
            made(8, &[b"c"]),
            made(9, &[b"d", b"\x01\x02", b"e"]),
            made(10, &[b"f"]),
        ];
        let mut whole = records.concat();
        whole.extend([0; 100]);
        assert_eq!(keys(&whole).len(), 7);
        let mut begin = 0;
        for (number, record) in records.iter().enumerate() {
            let others: Vec<_> = (0..4).filter(|other| *other != number).collect();
            let others: Vec<_> = others.iter().flat_map(|other| keys(&records[*other])).collect();
            for at in begin..begin + record.len() {
                for bit in 0..8 {
                    let mut bytes = whole.clone();
                    bytes[at] ^= 1 << bit;
                    let found = keys(&bytes);
                    // Its start is not what its checksum is of.
                    let expected = if at < begin + HEAD { keys(&whole) } else { others.clone() };
                    assert_eq!(found, expected, "byte {at}, bit {bit}");
                }
            }
            begin += record.len();
        }
        for cut in 0..begin {
            let found = keys(&whole[..cut]).len();
            assert!(found <= 6 && keys(&whole).starts_with(&keys(&whole[..cut])));
        }
    }

    #[test]
    fn a_hole_takes_no_other_record_along() {
        let records: Vec<_> = (1..60_u8).map(|key| made(key.into(), &[&[key; 9]])).collect();
        let whole = records.concat();
        for at in 0..whole.len() - 100 {
            let mut bytes = whole.clone();
            bytes[at..at + 100].fill(0);
            let length = records[0].len();
            let hit = at / length..(at + 100).div_ceil(length);
            let found = keys(&bytes);
            let untouched = (0..59).filter(|number| !hit.contains(number));
            assert!(untouched.clone().all(|number| found.contains(&keys(&records[number])[0])));
            let damage = parts(&bytes).filter(|part| matches!(part, Part::Damage(_))).count();
            assert_eq!(damage, 1, "{at}");
        }
    }
}
