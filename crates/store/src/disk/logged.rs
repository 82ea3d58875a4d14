//! What a group of writes changed, as the database keeps it for copies that follow the store. Drawn byte by byte in
//! `docs/format.md`.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::disk::position::Chain;
use std::ops::Range;

/// Bytes before the lists.
const HEAD: usize = Chain::BYTES + 8;

/// What a group of writes changed: numbers of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Logged {
    /// Documents that were stored, ascending.
    pub(crate) stored: Vec<Range<u64>>,
    /// Documents that were deleted, with their ids.
    pub(crate) deleted: Vec<(u64, String)>,
}

/// What stands before the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoggedHead {
    /// The chain with the group.
    pub(crate) chain: Chain,
    /// Bytes of the keys and values up to this one, since the history began.
    pub(crate) end: u64,
}

impl Logged {
    /// Notes that a document was stored; its number is greater than those before.
    pub(crate) fn store(&mut self, number: u64) {
        match self.stored.last_mut() {
            Some(last) if last.end == number => last.end = number + 1,
            _ => self.stored.push(number..number + 1),
        }
    }

    /// The value with this chain. `before`: the end of the entry before. Also returns the end of this one.
    pub(crate) fn to_value(&self, chain: Chain, before: u64) -> (Vec<u8>, u64) {
        let ids: usize = self.deleted.iter().map(|(_, id)| id.len() + 6).sum();
        let mut value = Vec::with_capacity(HEAD + 2 + 6 * self.stored.len() + ids);
        value.extend(chain.to_bytes());
        value.extend([0; 8]);
        put(&mut value, self.stored.len() as u64);
        let mut at = 0;
        for Range { start, end } in &self.stored {
            put(&mut value, start.saturating_sub(at));
            put(&mut value, end.saturating_sub(*start));
            at = *end;
        }
        for (number, id) in &self.deleted {
            put(&mut value, *number);
            put(&mut value, id.len() as u64);
            value.extend(id.as_bytes());
        }
        let end = before + 8 + value.len() as u64;
        if let Some(place) = value.get_mut(Chain::BYTES..HEAD) {
            place.copy_from_slice(&end.to_le_bytes());
        }
        (value, end)
    }

    /// The head and the lists of a value; `None` if the bytes are no value.
    pub(crate) fn from_value(value: &[u8]) -> Option<(LoggedHead, Self)> {
        let head = LoggedHead::from_value(value)?;
        let mut rest = value.get(HEAD..)?;
        let mut logged = Self::default();
        let mut at = 0_u64;
        for _ in 0..take(&mut rest)? {
            let start = at.checked_add(take(&mut rest)?)?;
            at = start.checked_add(take(&mut rest)?)?;
            logged.stored.push(start..at);
        }
        while !rest.is_empty() {
            let number = take(&mut rest)?;
            let length = usize::try_from(take(&mut rest)?).ok()?;
            let (id, after) = rest.split_at_checked(length)?;
            logged.deleted.push((number, std::str::from_utf8(id).ok()?.to_owned()));
            rest = after;
        }
        Some((head, logged))
    }
}

impl LoggedHead {
    /// The head of a value.
    pub(crate) fn from_value(value: &[u8]) -> Option<Self> {
        let (chain, rest) = value.split_first_chunk()?;
        let end = u64::from_le_bytes(*rest.first_chunk()?);
        Some(Self { chain: Chain::from_bytes(*chain), end })
    }
}

/// Appends a number: seven bits a byte, the lowest first; all bytes but the last have the top bit.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        bytes.push(if number == 0 { low & 127 } else { low | 128 });
        if number == 0 {
            return;
        }
    }
}

/// Takes a number off the front.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 127);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 128 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_go_both_ways(numbers in prop::collection::btree_set(any::<u64>().prop_map(|it| it >> 1), 0..20), deleted in prop::collection::vec((any::<u64>(), ".{1,300}"), 0..5), before in 0_u64..1 << 60) {
            let mut logged = Logged { deleted, ..Logged::default() };
            numbers.into_iter().for_each(|number| logged.store(number));
            let chain = Chain::begin();
            let (value, end) = logged.to_value(chain, before);
            prop_assert_eq!(end, before + 8 + value.len() as u64);
            let head = LoggedHead { chain, end };
            prop_assert_eq!(LoggedHead::from_value(&value), Some(head));
            prop_assert_eq!(Logged::from_value(&value), Some((head, logged)));
        }

        #[test]
        fn no_bytes_are_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _any = Logged::from_value(&bytes);
        }
    }

    #[test]
    fn neighbours_are_one_range() {
        let mut logged = Logged::default();
        [3, 4, 5, 200].into_iter().for_each(|number| logged.store(number));
        logged.deleted.push((1, "a".to_owned()));
        assert_eq!(logged.stored, [3..6, 200..201]);
        let (value, _) = logged.to_value(Chain::from_bytes([0; 16]), 0);
        assert_eq!(value[HEAD..], [2, 3, 3, 194, 1, 1, 1, 1, b'a']);
    }
}
