//! How values of documents are written in the columns of files.

use crate::numbers::RecordNumber;
use crate::read::left_out::LeftOut;
use crate::read::sketched::{State, short};
use nearprint_fingerprint::{AnyFingerprint, Fingerprint128};
use nearprint_rules::Featureless;

/// A fingerprint as bytes, the most significant first.
pub(crate) fn bytes_of(fingerprint: &AnyFingerprint) -> Vec<u8> {
    fingerprint.words().iter().rev().flat_map(|word| word.to_be_bytes()).collect()
}

/// The code of a sketch as bytes.
pub(crate) fn bytes_of_sketch_code(code: Fingerprint128) -> [u8; Fingerprint128::BYTES] {
    u128::from(code).to_be_bytes()
}

/// The code of such bytes; 0 of others.
pub(crate) fn sketch_code_of(bytes: &[u8]) -> Fingerprint128 {
    bytes.try_into().map_or(Fingerprint128::ZERO, |bytes| u128::from_be_bytes(bytes).into())
}

/// The fingerprint of such bytes; `None` where no width has so many.
pub(crate) fn fingerprint_of(bytes: &[u8]) -> Option<AnyFingerprint> {
    let (bytes, _) = bytes.as_chunks::<8>();
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.iter().rev()) {
        *word = u64::from_be_bytes(*bytes);
    }
    AnyFingerprint::from_words(words.get(..bytes.len())?)
}

/// The content of such bytes.
pub(crate) fn content_of(bytes: &[u8]) -> u128 {
    bytes.first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes))
}

/// A state as a number.
pub(crate) const fn code(state: State) -> u64 {
    match state {
        State::Full => 0,
        State::Exact(_) => 1,
        State::Apart => 2,
        State::Empty => 3,
        State::Skipped => 4,
    }
}

/// The state of such a number, of a document with that content.
pub(crate) fn state(code: u64, content: u128) -> State {
    match code {
        0 => State::Full,
        1 => State::Exact(short(content)),
        2 => State::Apart,
        3 => State::Empty,
        _ => State::Skipped,
    }
}

/// What a record that is no numbered document is; `None` for a document.
pub(crate) fn left_out(code: u64, record: u64, featureless: Featureless) -> Option<LeftOut> {
    let (record, empty) = (RecordNumber(record), code == self::code(State::Empty));
    let out = code == self::code(State::Skipped) || empty && featureless == Featureless::Keep;
    out.then_some(LeftOut { record, empty })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Fingerprint;

    #[test]
    fn values_come_back_as_they_were() {
        let fingerprint = Fingerprint::from_words([1 << 40 | 7, 9 << 60]);
        let bytes = bytes_of(&fingerprint.into());
        assert_eq!(fingerprint_of(&bytes), Some(fingerprint.into()));
        assert_eq!(fingerprint_of(&[0; 40]), None);
        assert_eq!(sketch_code_of(&bytes_of_sketch_code(fingerprint)), fingerprint);
        assert_eq!(sketch_code_of(&[1; 8]), Fingerprint128::ZERO);
        assert_eq!(content_of(&(5_u128 << 90).to_be_bytes()), 5 << 90);
        for one in [State::Full, State::Exact(3), State::Apart, State::Empty, State::Skipped] {
            assert_eq!(state(code(one), 1 << 64 | 3), one);
        }
        let out = |one, featureless| left_out(code(one), 4, featureless).map(|out| out.empty);
        assert_eq!(out(State::Empty, Featureless::Keep), Some(true));
        assert_eq!(out(State::Empty, Featureless::Collapse), None);
        assert_eq!(out(State::Skipped, Featureless::Collapse), Some(false));
        assert_eq!(out(State::Apart, Featureless::Keep), None);
    }
}
