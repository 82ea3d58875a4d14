//! Parts of texts and lists, and entries, whose places are right by construction.
//!
//! An out-of-range place is a bug: the program stops, since any value in its place would be a wrong answer.

use std::ops::Range;
use std::slice::SliceIndex;

/// The part of `text` that lies in `range`.
#[inline]
#[track_caller]
pub(crate) fn text_in(text: &str, range: impl SliceIndex<str, Output = str>) -> &str {
    let part = text.get(range);
    assert!(part.is_some(), "no part of a text of {} bytes", text.len());
    part.unwrap_or_default()
}

/// Where `part`, a slice of `text`, lies in it.
#[inline]
#[track_caller]
pub(crate) fn place_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    debug_assert!(start <= text.len() && part.len() <= text.len() - start, "no slice of the text");
    start..start.wrapping_add(part.len())
}

/// The part of `list` that lies in `range`.
#[inline]
#[track_caller]
pub(crate) fn list_in<T>(list: &[T], range: impl SliceIndex<[T], Output = [T]>) -> &[T] {
    let part = list.get(range);
    assert!(part.is_some(), "no part of a list of {}", list.len());
    part.unwrap_or_default()
}

/// The entry of `list` at `index`.
#[inline]
#[track_caller]
pub(crate) fn entry_at<T: Copy + Default>(list: &[T], index: usize) -> T {
    assert!(index < list.len(), "entry {index} of {}", list.len());
    list.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_stops_the_program() {
        assert_eq!(
            (text_in("\u{e9}a", 2..), list_in(&[1, 2], 1..), entry_at(&[7, 8], 1)),
            ("a", &[2][..], 8)
        );
        let text = "to be";
        assert_eq!(
            text.split(' ').map(|word| place_in(text, word)).collect::<Vec<_>>(),
            [0..2, 3..5]
        );
        let broken: [fn(); 4] = [
            || assert_eq!(place_in(text_in("to be", 3..), "to be"), 0..5),
            || assert_eq!(text_in("\u{e9}", 1..), ""),
            || assert_eq!(list_in(&[1], 2..), [0; 0]),
            || assert_eq!(entry_at(&[1], 1), 0),
        ];
        for broken in broken {
            assert!(std::panic::catch_unwind(broken).is_err());
        }
    }
}
