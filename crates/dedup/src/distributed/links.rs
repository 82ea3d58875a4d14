//! What links the documents of a unit of `join`.

/// What links the documents of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Keys of a group of bands, in a range.
    Bands(usize, usize),
    /// Contents in a range.
    Content(usize),
    /// Fingerprints within the radius.
    Radius,
}

impl Links {
    /// The number of units of a job with so many groups of bands; with none, all is within a radius.
    pub(crate) fn units(groups: usize, ranges: usize) -> usize {
        (groups * ranges).max(1) + ranges
    }

    /// Whether documents of equal content alone are linked.
    pub(crate) fn are_of_content(self) -> bool {
        matches!(self, Self::Content(_))
    }

    /// What links the documents of a unit: first come the bands.
    pub(crate) fn of(unit: usize, groups: usize, ranges: usize) -> Self {
        match unit.checked_sub((groups * ranges).max(1)) {
            Some(range) => Self::Content(range),
            None if groups == 0 => Self::Radius,
            None => Self::Bands(unit / ranges.max(1), unit % ranges.max(1)),
        }
    }
}

/// The part of so many that a first byte is in.
pub(crate) fn range_of(byte: u8, ranges: usize) -> usize {
    usize::from(byte) * ranges / 256
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_of_every_band_and_of_contents_is_a_unit() {
        let all: Vec<_> = (0..Links::units(6, 3)).map(|unit| Links::of(unit, 6, 3)).collect();
        let banded = (0..6).flat_map(|group| (0..3).map(move |range| Links::Bands(group, range)));
        assert_eq!(all, banded.chain((0..3).map(Links::Content)).collect::<Vec<_>>());
        let radius: Vec<_> = (0..Links::units(0, 2)).map(|unit| Links::of(unit, 0, 2)).collect();
        assert_eq!(radius, [Links::Radius, Links::Content(0), Links::Content(1)]);
        let ranges: Vec<usize> = (0..=255).map(|byte| range_of(byte, 5)).collect();
        assert!(ranges.is_sorted() && (ranges[0], ranges[255]) == (0, 4));
    }
}
