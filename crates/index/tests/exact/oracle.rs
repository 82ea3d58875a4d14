//! What a search of documents must answer: the linear scan, with the id of each document.

use nearprint_bits::Fingerprint;
use nearprint_index::{Neighbor, scan};

/// The documents within `k` bits of `query`, nearest first, then by id. `id` tells the id of the document
/// at a position.
pub(crate) fn neighbors<const W: usize>(
    documents: &[Fingerprint<W>],
    query: &Fingerprint<W>,
    k: u32,
    id: impl Fn(u64) -> u64,
) -> Vec<Neighbor> {
    let near = scan::neighbors(documents, query, k).into_iter();
    let near = near.map(|near| Neighbor { doc: id(near.position as u64), distance: near.distance });
    let mut near: Vec<_> = near.collect();
    near.sort_unstable_by_key(Neighbor::nearness);
    near
}
