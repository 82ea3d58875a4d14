//! Links to connected components, and components to shards.

use crate::decide::packing::packed;
use crate::distributed::entries::words;
use crate::distributed::sets::Sets;
use crate::error::Error;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Joins links. What becomes of a document depends on its component alone, so that each shard of whole components
/// can be searched apart.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Components, Dedup};
/// use std::num::NonZeroU32;
///
/// let dedup = Dedup::new();
/// let (mut router, mut linker) = (dedup.router(NonZeroU32::MIN)?, dedup.linker()?);
/// let texts = ["one two three four five", "six seven", "One, two, three, four, five!"];
/// router.push(&[(7, texts[0], None), (8, texts[1], None), (9, texts[2], None)]);
/// let routed = router.take();
/// linker.push(&[&routed[0].entries])?;
/// let mut components = Components::default();
/// components.push(&linker.take())?;
/// assert_eq!(components.shards(1000), [(7, 0), (9, 0)]);
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Components {
    sets: Sets,
}

impl Components {
    /// Takes links that a [`Linker`](crate::Linker) handed out.
    ///
    /// # Errors
    /// [`Error::TooManyDocuments`] from 2^32 documents with links on.
    pub fn push(&mut self, links: &[u8]) -> Result<(), Error> {
        let mut words = words(links);
        while let (Some(a), Some(b)) = (words.next(), words.next()) {
            self.sets.join(a, b)?;
        }
        Ok(())
    }

    /// The documents that have links, by address, each with its shard: whole components, the largest first, go each
    /// to the shard that has the fewest documents, of so many shards that one has `documents` or one component.
    ///
    /// The order of the links does not matter.
    #[must_use]
    pub fn shards(mut self, documents: usize) -> Vec<(u64, u32)> {
        let found = self.found();
        let mut components: Vec<(Reverse<u32>, u64, u64)> =
            found.iter().map(|(root, (size, least))| (Reverse(*size), *least, *root)).collect();
        components.sort_unstable();
        let shards = self.sets.len().div_ceil(documents.max(1)).max(1);
        let sizes = components.iter().map(|(Reverse(size), ..)| *size);
        let shard_of: HashMap<u64, u32> =
            components.iter().map(|(.., root)| *root).zip(packed(sizes, shards)).collect();
        let shard = |root| shard_of.get(&root).copied().unwrap_or(0);
        let mut all: Vec<(u64, u32)> =
            self.sets.links().map(|(root, address)| (address, shard(root))).collect();
        all.sort_unstable();
        all
    }

    /// The documents that have links, by address, each with the least address of its component.
    #[must_use]
    pub fn labels(mut self) -> Vec<(u64, u64)> {
        let found = self.found();
        let least = |root| found.get(&root).map_or(0, |(_, least)| *least);
        let mut all: Vec<(u64, u64)> =
            self.sets.links().map(|(root, address)| (address, least(root))).collect();
        all.sort_unstable();
        all
    }

    /// Of each component by its root the size and the least address.
    fn found(&mut self) -> HashMap<u64, (u32, u64)> {
        let mut found: HashMap<u64, (u32, u64)> = HashMap::new();
        for (root, address) in self.sets.links() {
            let (size, least) = found.entry(root).or_insert((0, address));
            (*size, *least) = (*size + 1, address.min(*least));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(pairs: &[(u64, u64)]) -> Vec<u8> {
        pairs.iter().flat_map(|(a, b)| [a.to_le_bytes(), b.to_le_bytes()].concat()).collect()
    }

    #[test]
    fn components_stay_whole_and_fill_shards_evenly_whatever_the_order_of_links() {
        let pairs = [(1, 2), (3, 4), (5, 6), (6, 7), (8, 9), (2, 10)];
        let of = |pairs: &[(u64, u64)]| {
            let mut components = Components::default();
            pairs.iter().for_each(|pair| components.push(&links(&[*pair])).unwrap());
            components.shards(4)
        };
        let expected =
            [(1, 0), (2, 0), (3, 2), (4, 2), (5, 1), (6, 1), (7, 1), (8, 2), (9, 2), (10, 0)];
        assert_eq!(of(&pairs), expected);
        let reversed: Vec<_> = pairs.iter().rev().map(|(a, b)| (*b, *a)).collect();
        assert_eq!(of(&reversed), expected);
        assert!(Components::default().shards(0).is_empty());
        let mut components = Components::default();
        components.push(&links(&pairs)).unwrap();
        let labels = [1, 1, 3, 3, 5, 5, 5, 8, 8, 1];
        assert_eq!(components.labels(), (1..=10).zip(labels).collect::<Vec<_>>());
    }
}
