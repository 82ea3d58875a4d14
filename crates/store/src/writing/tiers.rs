//! Which segments to merge: those of about the same size. So each document is written again only a few
//! times, and a search meets few segments.

use std::ops::Range;

/// Segments of a tier that are merged.
///
/// A check, and so every check and add, searches every segment. With 2, at most one segment of each tier
/// stays, and a document is written again `log2(n / unit)` times. With 4, there are half as many tiers of up
/// to 3 segments, and half of the writing. Writing a document again takes a fifth of the time of a search
/// in a segment.
const FAN: usize = 2;
/// A segment is written again when one in so many of its documents is deleted.
const GONE: u64 = 4;

/// What decides whether a segment is merged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Documents, deleted ones included.
    pub(crate) documents: u64,
    /// Deleted documents.
    pub(crate) gone: u64,
}

/// The neighbouring segments to merge. `unit` documents make a segment of the first tier.
pub(crate) fn choose(sizes: &[Size], unit: u64) -> Option<Range<usize>> {
    let tier = |size: &Size| (size.documents / unit.max(1)).max(1).ilog(FAN as u64);
    let highest = sizes.iter().map(tier).max()?;
    for most in 0..=highest {
        let mut start = 0;
        for run in sizes.chunk_by(|a, b| (tier(a) <= most) == (tier(b) <= most)) {
            let range = start..start + run.len();
            // The run takes smaller segments between them along.
            if run.iter().filter(|size| tier(size) == most).count() >= FAN {
                return Some(range);
            }
            start = range.end;
        }
    }
    let worn = sizes.iter().position(|size| size.gone > 0 && size.gone * GONE >= size.documents);
    worn.map(|at| at..at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(documents: &[u64]) -> Vec<Size> {
        documents.iter().map(|documents| Size { documents: *documents, gone: 0 }).collect()
    }

    #[test]
    fn as_many_as_a_fan_of_about_one_size_are_merged() {
        for apart in [&[][..], &[10], &[160, 40, 10], &[45, 160, 41]] {
            assert_eq!(choose(&sizes(apart), 10), None, "{apart:?}");
        }
        assert_eq!(choose(&sizes(&[160, 10, 10]), 10), Some(1..3));
        assert_eq!(choose(&sizes(&[160, 40, 10, 10, 50]), 10), Some(2..4));
        assert_eq!(choose(&sizes(&[160, 45, 10, 41]), 10), Some(1..4));
    }

    #[test]
    fn a_segment_that_lost_a_quarter_is_written_anew() {
        let mut sizes = sizes(&[160, 40, 10]);
        sizes[1].gone = 9;
        assert_eq!(choose(&sizes, 10), None);
        sizes[1].gone = 10;
        assert_eq!(choose(&sizes, 10), Some(1..2));
    }

    #[test]
    fn documents_are_written_anew_a_few_times_and_lie_in_few_segments() {
        let (mut sizes, mut written, mut most) = (Vec::new(), 0, 0);
        for _ in 0..4096 {
            sizes.push(Size { documents: 10, gone: 0 });
            while let Some(range) = choose(&sizes, 10) {
                let documents = sizes[range.clone()].iter().map(|size| size.documents).sum();
                sizes.splice(range, [Size { documents, gone: 0 }]);
                written += documents;
            }
            most = most.max(sizes.len());
        }
        assert_eq!((written / 40_960, most), (12, 12));
    }
}
