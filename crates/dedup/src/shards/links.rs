//! What links the documents of a unit of `join`.

use crate::numbers::narrow;
use nearprint_fingerprint::BandShape;

/// What links the documents of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Keys of a band, in a range.
    Band(u32, usize),
    /// Contents in a range.
    Content(usize),
    /// Fingerprints within the radius.
    Radius,
}

impl Links {
    /// The number of units of a job.
    pub(crate) fn units(shape: Option<BandShape>, ranges: usize) -> usize {
        shape.map_or(1, |shape| shape.bands() as usize * ranges) + ranges
    }

    /// What links the documents of a unit: first come the bands.
    pub(crate) fn of(unit: usize, shape: Option<BandShape>, ranges: usize) -> Self {
        let Some(shape) = shape else {
            return unit.checked_sub(1).map_or(Self::Radius, Self::Content);
        };
        let banded = shape.bands() as usize * ranges;
        match unit.checked_sub(banded) {
            Some(range) => Self::Content(range),
            None => Self::Band(narrow((unit / ranges.max(1)) as u64), unit % ranges.max(1)),
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
        let shape = BandShape::for_similarity(0.8, 0.9).unwrap();
        let (bands, ranges) = (shape.bands(), 3);
        let all: Vec<_> = (0..Links::units(Some(shape), ranges))
            .map(|unit| Links::of(unit, Some(shape), ranges))
            .collect();
        let banded = (0..bands).flat_map(|band| (0..3).map(move |range| Links::Band(band, range)));
        assert_eq!(all, banded.chain((0..3).map(Links::Content)).collect::<Vec<_>>());
        let radius: Vec<_> =
            (0..Links::units(None, 2)).map(|unit| Links::of(unit, None, 2)).collect();
        assert_eq!(radius, [Links::Radius, Links::Content(0), Links::Content(1)]);
        let ranges: Vec<usize> = (0..=255).map(|byte| range_of(byte, 5)).collect();
        assert!(ranges.is_sorted() && (ranges[0], ranges[255]) == (0, 4));
    }
}
