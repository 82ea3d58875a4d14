//! A fair part of the documents, which gets smaller while they are read.

use std::sync::atomic::{AtomicU64, Ordering};

/// A part of all documents: those whose place in a row of [draws](crate::sampling::draw::place) is low enough.
pub(crate) struct Part {
    last_place: AtomicU64,
}

impl Part {
    /// The part of this share, from 0 to 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share"
    )]
    pub(crate) fn of(share: f64) -> Self {
        Self { last_place: AtomicU64::new((share * u64::MAX as f64) as u64) }
    }

    /// Whether a document of this place belongs to it.
    pub(crate) fn holds(&self, place: u64) -> bool {
        place <= self.last_place.load(Ordering::Relaxed)
    }

    /// The share of all documents that it is.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub(crate) fn share(&self) -> f64 {
        self.last_place.load(Ordering::Relaxed) as f64 / u64::MAX as f64
    }

    /// From now on it is half of what it was.
    pub(crate) fn halve(&self) {
        self.last_place.store(self.last_place.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::draw::place;

    #[test]
    fn half_of_a_part_is_in_it() {
        let part = Part::of(0.5);
        let held =
            |part: &Part| (0..4000).filter(|at| part.holds(place(*at, 3))).collect::<Vec<_>>();
        let before = held(&part);
        part.halve();
        let after = held(&part);
        assert!((part.share() - 0.25).abs() < 1e-9);
        assert!((1800..2200).contains(&before.len()) && (850..1150).contains(&after.len()));
        assert!(after.iter().all(|at| before.contains(at)));
        assert_eq!(held(&Part::of(1.0)).len(), 4000);
    }
}
