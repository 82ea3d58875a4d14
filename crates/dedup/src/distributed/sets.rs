//! Documents that links join, by their addresses.

use crate::error::Error;
use crate::numbers::{entry, set};
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Sets of documents. A document that is in no link is in none.
///
/// Memory: some 50 bytes a document. Time: amortized logarithmic in their number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sets {
    places: HashMap<u64, u32, FixedState>,
    addresses: Vec<u64>,
    /// The parent of each place: itself, or one before it.
    parents: Vec<u32>,
}

impl Sets {
    /// Joins the sets of two documents. Documents that share an address are one.
    ///
    /// # Errors
    /// More than 2^32 documents.
    pub(crate) fn join(&mut self, a: u64, b: u64) -> Result<(), Error> {
        let (a, b) = (self.place(a)?, self.place(b)?);
        let (a, b) = (self.root(a), self.root(b));
        set(&mut self.parents, a.max(b) as usize, a.min(b));
        Ok(())
    }

    /// The number of documents.
    pub(crate) fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Each document and the first one of its set, by their addresses.
    pub(crate) fn links(&mut self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0..).take(self.len()).map(|place| {
            let root = self.root(place);
            (entry(&self.addresses, root as usize), entry(&self.addresses, place as usize))
        })
    }

    fn place(&mut self, address: u64) -> Result<u32, Error> {
        if let Some(place) = self.places.get(&address) {
            return Ok(*place);
        }
        let found = self.len() as u64;
        let place = u32::try_from(found).ok().filter(|place| *place < u32::MAX);
        let place = place.ok_or(Error::TooManyDocuments { found })?;
        self.places.insert(address, place);
        self.addresses.push(address);
        self.parents.push(place);
        Ok(place)
    }

    fn root(&mut self, mut place: u32) -> u32 {
        loop {
            let parent = entry(&self.parents, place as usize);
            if parent == place {
                return place;
            }
            let above = entry(&self.parents, parent as usize);
            set(&mut self.parents, place as usize, above);
            place = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_are_the_connected_components(
            links in prop::collection::vec((0..40_usize, 0..40_usize), 0..60),
        ) {
            let mut sets = Sets::default();
            for (a, b) in &links {
                sets.join(*a as u64, *b as u64).unwrap();
            }
            let mut label: Vec<usize> = (0..40).collect();
            for _ in 0..40 {
                for (a, b) in &links {
                    let least = label[*a].min(label[*b]);
                    (label[*a], label[*b]) = (least, least);
                }
            }
            let found: HashMap<u64, u64> = sets.links().map(|(root, one)| (one, root)).collect();
            for (a, b) in (0..40).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let [one, other] = [a, b].map(|at| found.get(&(at as u64)));
                prop_assert_eq!(one.is_some() && one == other, label[a] == label[b]);
            }
        }
    }
}
