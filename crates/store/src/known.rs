//! Values that are there by construction. Imports no sibling.

use std::fmt::Debug;

/// `found`, which only a mistake of this crate can make `None`: tests stop there.
#[track_caller]
pub(crate) fn known<T>(found: Option<T>, place: impl Debug) -> Option<T> {
    debug_assert!(found.is_some(), "there is nothing at {place:?}");
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "there is nothing at 3")]
    fn what_is_missing_stops_a_test() {
        known([7_u8, 8].get(3), 3);
    }
}
