//! From the fingerprints that a search found to their documents, many at a time.

use crate::error::Error;
use crate::segments::found::Match;
use crate::segments::segment::{Opened, Segment};

/// Matches under way at a time.
const FLIGHT: usize = 64;

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// The documents of a fingerprint that a search of this segment found, ascending.
    ///
    /// # Errors
    /// [`Error::NoIds`] if the segment has none; [`Error::Corrupt`] on damage.
    pub fn documents_of(&self, near: &Match<WORDS>) -> Result<impl Iterator<Item = u64>, Error> {
        let opened = self.opened();
        let table = opened.tables.first();
        let found = || opened.position(&table?.key(&near.fingerprint)).transpose();
        let position = near.position.map(Ok).or_else(found).transpose()?;
        opened.docs(position.ok_or(Error::Corrupt { what: "a table" })?)
    }

    /// Hands each document of each of `found` to `visit`, in that order, the documents of a
    /// fingerprint ascending.
    ///
    /// # Errors
    /// [`Error::NoIds`] if the segment has none; [`Error::Corrupt`] on damage.
    ///
    /// # Complexity
    /// As [`Self::documents_of`] for each, without waiting for each.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint;
    /// use std::ops::ControlFlow;
    /// # use nearprint_index::{Layout, Scheme, Segment, SegmentBuilder};
    /// # let codes = [0b0000_u64, 0b0111, 0b0000].map(Fingerprint::from);
    /// # let mut file = std::io::Cursor::new(Vec::new());
    /// # let layout = Layout::new(64, 3, Scheme::Parts(2), 3)?;
    /// # SegmentBuilder::new(layout, None, 1 << 20).build::<1, _>(|| codes.into_iter().zip(7..), &mut file)?;
    /// let segment = Segment::<_, 1>::open(file.into_inner())?;
    /// let mut found = Vec::new();
    /// segment.search(&[Fingerprint::from(0b0001_u64)], 1, |near| {
    ///     found.push(near);
    ///     ControlFlow::Continue(())
    /// })?;
    /// let mut documents = Vec::new();
    /// segment.documents_of_each(&found, |near, doc| documents.push((near.query, near.distance, doc)))?;
    /// assert_eq!(documents, [(0, 1, 7), (0, 1, 9)]);
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn documents_of_each(
        &self,
        found: &[Match<WORDS>],
        mut visit: impl FnMut(&Match<WORDS>, u64),
    ) -> Result<(), Error> {
        self.opened().documents_of_each(found, &mut visit)
    }
}

impl<const WORDS: usize> Opened<'_, WORDS> {
    /// [`Segment::documents_of_each`].
    pub(crate) fn documents_of_each(
        self,
        found: &[Match<WORDS>],
        visit: &mut dyn FnMut(&Match<WORDS>, u64),
    ) -> Result<(), Error> {
        self.needs_ids()?;
        let Some(table) = self.tables.first() else { return Ok(()) };
        let view = self.view(table)?;
        let mut keys = Vec::with_capacity(FLIGHT);
        let mut positions = Vec::with_capacity(FLIGHT);
        for found in found.chunks(FLIGHT) {
            keys.clear();
            keys.extend(found.iter().map(|near| {
                let key = table.key(&near.fingerprint);
                if near.position.is_none() {
                    view.prefetch_entry(table.bucket(&key));
                }
                key
            }));
            for (_, key) in found.iter().zip(&keys).filter(|(near, _)| near.position.is_none()) {
                view.prefetch_suffixes(&view.bucket(table.bucket(key))?);
            }
            positions.clear();
            for (near, key) in found.iter().zip(&keys) {
                let position = match near.position {
                    Some(position) => position,
                    None => self.position(key)?.ok_or(Error::Corrupt { what: "a table" })?,
                };
                self.prefetch_docs(position);
                positions.push(position);
            }
            for (near, position) in found.iter().zip(&positions) {
                self.docs(*position)?.for_each(|doc| visit(near, doc));
            }
        }
        Ok(())
    }
}
