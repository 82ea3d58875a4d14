//! Which parts of a memtable are written again when documents are added to it. Parts are never changed: readers
//! hold them.

use std::sync::Arc;

/// Most documents of parts that are written again together. The writer does that between two groups, and whoever
/// writes meanwhile waits.
const MOST: u64 = 1 << 16;

/// Takes the parts out of `parts` that become one with `new` documents: of those left, each is at least twice as large
/// as the next, or both together have more than [`MOST`] documents. So a document is written again only a few times.
/// Those taken are in their order, the oldest documents first.
pub(crate) fn joining<T>(
    parts: &mut Vec<Arc<T>>,
    new: u64,
    documents: impl Fn(&T) -> u64,
) -> Vec<Arc<T>> {
    let (mut together, mut joining) = (new, Vec::new());
    while let Some(last) = parts.pop_if(|last| {
        let more = documents(last);
        more <= 2 * together && more + together <= MOST
    }) {
        together += documents(&last);
        joining.push(last);
    }
    joining.reverse();
    joining
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_written_again_a_few_times_and_never_too_many_at_once() {
        let new = 4096;
        let (mut parts, mut written, mut most) = (Vec::new(), 0, 0);
        for count in 1..=64 {
            let joined: u64 =
                joining(&mut parts, new, |part| *part).iter().map(|part| **part).sum();
            assert!(joined + new <= MOST);
            parts.push(Arc::new(joined + new));
            assert_eq!(parts.iter().map(|part| **part).sum::<u64>(), count * new);
            written += joined;
            most = most.max(parts.len());
        }
        // Of 64 times 4096 documents each is written again twice.
        assert_eq!((written / (64 * new), most), (2, 7));
    }

    #[test]
    fn the_oldest_of_those_that_are_joined_come_first() {
        let mut parts: Vec<_> = [100, 7, 5].map(Arc::new).into();
        assert_eq!(joining(&mut parts, 4, |part| *part), [Arc::new(7), Arc::new(5)]);
        assert_eq!(parts, [Arc::new(100)]);
        assert!(joining(&mut parts, 49, |part| *part).is_empty());
        let mut large = vec![Arc::new(MOST)];
        assert!(joining(&mut large, MOST, |part| *part).is_empty());
    }
}
