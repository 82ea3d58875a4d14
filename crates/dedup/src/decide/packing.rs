//! Connected components to shards of about the same size.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A shard, from 0, for each component of these sizes, which descend: that of `shards` with the fewest documents.
pub(crate) fn packed(sizes: impl Iterator<Item = u32>, shards: usize) -> impl Iterator<Item = u32> {
    let mut held: BinaryHeap<Reverse<(u64, u32)>> =
        (0..).take(shards.max(1)).map(|shard| Reverse((0, shard))).collect();
    sizes.map(move |size| {
        let Some(mut least) = held.peek_mut() else { return 0 };
        let Reverse((documents, shard)) = &mut *least;
        *documents += u64::from(size);
        *shard
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_component_goes_where_the_fewest_documents_are() {
        let shards = |count| packed([9, 5, 4, 2, 2].into_iter(), count).collect::<Vec<_>>();
        assert_eq!(shards(2), [0, 1, 1, 0, 1]);
        assert_eq!(shards(9), [0, 1, 2, 3, 4]);
        assert_eq!((shards(1), shards(0)), (vec![0; 5], vec![0; 5]));
    }
}
