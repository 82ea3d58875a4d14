//! Parts of bytes whose bounds are right by construction.

use std::slice::SliceIndex;

/// The part of `bytes` that lies in `range`.
///
/// A range outside of the bytes is a mistake of this crate, never of the input: the
/// program stops there.
#[track_caller]
pub(crate) fn within(bytes: &[u8], range: impl SliceIndex<[u8], Output = [u8]>) -> &[u8] {
    let part = bytes.get(range);
    assert!(part.is_some(), "a range outside of {} bytes", bytes.len());
    part.unwrap_or_default()
}

/// The same part, to be changed.
#[track_caller]
pub(crate) fn within_mut(
    bytes: &mut [u8],
    range: impl SliceIndex<[u8], Output = [u8]>,
) -> &mut [u8] {
    let length = bytes.len();
    let part = bytes.get_mut(range);
    assert!(part.is_some(), "a range outside of {length} bytes");
    part.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_inside_is_read_up_to_the_end() {
        assert_eq!(within(b"abc", 1..3), b"bc");
        assert_eq!(within(b"abc", 3..), b"");
    }

    #[test]
    #[should_panic(expected = "a range outside of 3 bytes")]
    fn a_range_outside_stops_a_test() {
        within(b"abc", 2..4);
    }
}
