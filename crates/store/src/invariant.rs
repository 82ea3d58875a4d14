//! Values that are there by construction: where one is missing, this crate has a bug. Imports no sibling.

use std::fmt::Debug;

/// `found`, which only a bug of this crate can make `None`: tests stop there.
#[track_caller]
pub(crate) fn invariant<T>(found: Option<T>, place: impl Debug) -> Option<T> {
    debug_assert!(found.is_some(), "there is nothing at {place:?}");
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "there is nothing at 3")]
    fn what_is_missing_stops_a_test() {
        invariant([7_u8, 8].get(3), 3);
    }
}
