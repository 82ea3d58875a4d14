//! Entries of ranges to links: which documents may be near each other.

use crate::error::Error;
use crate::kernels::entries::{self, Entry};
use crate::kernels::router::shape_of;
use crate::kernels::sets::Sets;
use crate::matching::bucket::BandScan;
use crate::numbers::narrow;
use crate::read::sketch::Origin;
use nearprint_fingerprint::Width;
use nearprint_rules::Criteria;

/// Finds links between documents. [`Dedup::linker`](crate::Dedup::linker) makes one.
///
/// Memory: that of the entries of a range, a third more, and 50 bytes a document that has a link.
pub struct Linker {
    width: Width,
    radius: u32,
    stamp: u64,
    sets: Sets,
}

impl Linker {
    /// A linker of the entries that have this stamp.
    pub(crate) fn new(origin: &Origin, criteria: &Criteria, stamp: u64) -> Result<Self, Error> {
        let Origin::Text { recipe, .. } = origin else { return Err(Error::NoText) };
        shape_of(criteria)?;
        let (width, radius) = (recipe.width, criteria.likeness.k());
        Ok(Self { width, radius, stamp, sets: Sets::default() })
    }

    /// Links the documents of a range: all its entries are given at once.
    ///
    /// Documents of a crowded key are linked to its first. Of other keys those are linked whose fingerprints are
    /// near enough.
    ///
    /// # Errors
    /// [`Error::Entries`] for entries of another job; [`Error::TooManyDocuments`].
    pub fn push(&mut self, range: &[&[u8]]) -> Result<(), Error> {
        match self.width {
            Width::W64 => self.push_wide::<1>(range),
            Width::W128 => self.push_wide::<2>(range),
            Width::W256 => self.push_wide::<4>(range),
        }
    }

    fn push_wide<const WORDS: usize>(&mut self, range: &[&[u8]]) -> Result<(), Error> {
        let mut all: Vec<Entry<WORDS>> = Vec::new();
        for bytes in range {
            all.extend(entries::read(bytes, self.stamp)?);
        }
        all.sort_unstable_by_key(|entry| (entry.key, entry.address));
        let mut codes = Vec::new();
        for bucket in all.chunk_by(|a, b| a.key == b.key) {
            codes.clear();
            codes.extend(bucket.iter().map(|entry| entry.code));
            let (scan, sets) = (BandScan { codes: &codes, radius: self.radius }, &mut self.sets);
            let address = |place: u32| bucket.get(place as usize).map_or(0, |entry| entry.address);
            let places = 0..narrow(bucket.len() as u64);
            scan.links(places, |_, _| true, |a, b| sets.join(address(a), address(b)))?;
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
