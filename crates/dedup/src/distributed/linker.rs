//! Entries of ranges to links: which documents may be near each other.

use crate::distributed::entries;
use crate::distributed::router::shape_of;
use crate::distributed::sets::Sets;
use crate::error::Error;
use crate::numbers::{entry, narrow};
use crate::read::sketch::Origin;
use crate::search::bucket::BandScan;
use nearprint_rules::Criteria;

/// Finds links between documents. [`Dedup::linker`](crate::Dedup::linker) makes one.
///
/// Memory: that of the entries of a range, a third more, and 50 bytes a document that has a link.
pub struct Linker {
    radius: u32,
    stamp: u64,
    sets: Sets,
}

impl Linker {
    /// A linker of the entries that have this stamp.
    pub(crate) fn new(origin: &Origin, criteria: &Criteria, stamp: u64) -> Result<Self, Error> {
        let Origin::Text { .. } = origin else { return Err(Error::NoText) };
        shape_of(criteria)?;
        let radius = criteria.likeness.sketch_radius();
        Ok(Self { radius, stamp, sets: Sets::default() })
    }

    /// Links the documents of a range: all its entries are given at once.
    ///
    /// Documents of a crowded key are linked to its first. Of other keys those are linked whose sketches are alike
    /// enough.
    ///
    /// # Errors
    /// [`Error::Entries`] for entries of another job; [`Error::TooManyDocuments`].
    pub fn push(&mut self, range: &[&[u8]]) -> Result<(), Error> {
        let (mut codes, mut records, mut addresses) = (Vec::new(), Vec::new(), Vec::new());
        for bytes in range {
            for (key, address) in entries::read(bytes, self.stamp, &mut codes)? {
                records.push((key, narrow(addresses.len() as u64)));
                addresses.push(address);
            }
        }
        if u32::try_from(addresses.len()).is_err() {
            return Err(Error::TooManyDocuments { found: addresses.len() as u64 });
        }
        let address = |place: u32| entry(&addresses, place as usize);
        records.sort_unstable_by_key(|(key, place)| (*key, address(*place)));
        let scan = BandScan { codes: &codes, radius: self.radius };
        for bucket in records.chunk_by(|a, b| a.0 == b.0) {
            let places = bucket.iter().map(|(_, place)| *place);
            let link = |a, b| self.sets.join(address(a), address(b));
            scan.links(places, |_, _| true, link)?;
        }
        Ok(())
    }

    /// Hands out the links, so few that they join what it joins: pairs of addresses, for
    /// [`Components::push`](crate::Components::push).
    pub fn take(&mut self) -> Vec<u8> {
        let mut links = Vec::new();
        for (a, b) in std::mem::take(&mut self.sets).links() {
            links.extend_from_slice(&a.to_le_bytes());
            links.extend_from_slice(&b.to_le_bytes());
        }
        links
    }
}
