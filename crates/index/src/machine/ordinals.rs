//! A list of positions in as few bytes as they need. The owner knows what the positions mean.

use crate::machine::prefetch::prefetch;

/// Positions, four bytes each where all of them fit, eight otherwise.
#[derive(Clone, Debug)]
pub(crate) enum Ordinals {
    Narrow(Vec<u32>),
    Wide(Vec<usize>),
}

impl Ordinals {
    /// The list of `positions`, none of them above `bound`.
    pub(crate) fn new(bound: usize, positions: impl Iterator<Item = usize>) -> Self {
        if u32::try_from(bound).is_ok() {
            #[expect(clippy::cast_possible_truncation, reason = "no position is above the bound")]
            Self::Narrow(positions.map(|position| position as u32).collect())
        } else {
            Self::Wide(positions.collect())
        }
    }

    /// The position at `index`.
    ///
    /// Panics if the index is out of range, which is a bug.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> usize {
        assert!(index < self.len(), "position {index} of {}", self.len());
        match self {
            Self::Narrow(list) => list.get(index).map_or(0, |position| *position as usize),
            Self::Wide(list) => list.get(index).copied().unwrap_or(0),
        }
    }

    /// Asks for the cache line of the position at `index`.
    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        match self {
            Self::Narrow(list) => prefetch(list, index),
            Self::Wide(list) => prefetch(list, index),
        }
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Narrow(list) => list.len(),
            Self::Wide(list) => list.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_beyond_four_bytes_are_kept_whole() {
        let far = u32::MAX as usize + 7;
        for (bound, list) in [(9, [9, 0, 3]), (far, [far, 0, 3])] {
            let ordinals = Ordinals::new(bound, list.into_iter());
            assert_eq!([0, 1, 2].map(|i| ordinals.get(i)), list);
            assert_eq!(ordinals.len(), 3);
            assert!(std::panic::catch_unwind(|| ordinals.get(3)).is_err());
        }
    }
}
