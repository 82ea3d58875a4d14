//! Documents grouped by equal fingerprint, so that what follows sees each fingerprint once.
//!
//! This file knows equality only; the joins find near-duplicates.

use crate::error::Error;
use crate::machine::ordinals::Ordinals;
use crate::machine::partition::{Partition, fill, leading, part_bits};
use crate::machine::stop::Stop;
use nearprint_bits::{Codes, Fingerprint};
use rayon::prelude::*;
use std::any::Any;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Documents that one thread sorts alone.
const CROWDED: usize = 1 << 14;

/// The distinct fingerprints of a list of documents, and the documents of each.
///
/// A fingerprint's position among the sorted distinct ones is its *rank*. However many documents
/// share a fingerprint, it is one code to a join or a search.
///
/// Memory: `8 * WORDS + 4` bytes a distinct fingerprint and 4 bytes a document (8 in place of 4
/// from 2^32 documents on); `8 * WORDS + 8` bytes a document more while it is built.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::Distinct;
///
/// let documents = [9_u64, 4, 9].map(Fingerprint::from);
/// let distinct = Distinct::new(&documents);
/// assert_eq!(distinct.codes(), [4_u64, 9].map(Fingerprint::from));
/// assert_eq!(distinct.docs(1).collect::<Vec<_>>(), [0, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Distinct<const WORDS: usize> {
    codes: Vec<Fingerprint<WORDS>>,
    /// Where the documents of each rank start in `docs`, and the end of the last.
    starts: Ordinals,
    docs: Ordinals,
}

impl<const WORDS: usize> Distinct<WORDS> {
    /// Groups `fingerprints`, the one of document 0 first. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// Linear in the documents if fingerprints are spread evenly, `O(n log n)` in any case.
    #[must_use]
    pub fn new(fingerprints: &[Fingerprint<WORDS>]) -> Self {
        Self::of(fingerprints, &Stop::default())
    }

    /// As [`Self::new`], but ends soon after another thread sets `stop`.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if it was set.
    pub fn stopped_by(
        fingerprints: &[Fingerprint<WORDS>],
        stop: &AtomicBool,
    ) -> Result<Self, Error> {
        let stop = Stop::on(Some(stop));
        let distinct = Self::of(fingerprints, &stop);
        stop.finish()?;
        Ok(distinct)
    }

    fn of(fingerprints: &[Fingerprint<WORDS>], stop: &Stop<'_>) -> Self {
        let (starts, docs) = (Ordinals::Narrow(Vec::new()), Ordinals::Narrow(Vec::new()));
        let mut distinct = Self { codes: Vec::new(), starts, docs };
        group(Codes::of(fingerprints), &mut distinct, stop);
        distinct
    }

    fn grouped(fingerprints: &[Fingerprint<WORDS>], stop: &Stop<'_>) -> Self {
        if u32::try_from(fingerprints.len()).is_ok() {
            #[expect(clippy::cast_possible_truncation, reason = "their number fits")]
            Self::group(fingerprints, |doc| doc as u32, Ordinals::Narrow, stop)
        } else {
            Self::group(fingerprints, |doc| doc, Ordinals::Wide, stop)
        }
    }

    fn group<O: Copy + Default + Ord + Send + Sync>(
        fingerprints: &[Fingerprint<WORDS>],
        ordinal: impl Fn(usize) -> O + Sync,
        ordinals: impl Fn(Vec<O>) -> Ordinals,
        stop: &Stop<'_>,
    ) -> Self {
        let count = fingerprints.len();
        let part_bits = part_bits::<(Fingerprint<WORDS>, O)>(count, 64);
        let bits_within = (count >> part_bits).max(1).ilog2();
        let lead = |entries: &[_], keys: &mut _| leading(entries, 0, part_bits, keys);
        let within = |entries: &[_], keys: &mut _| leading(entries, part_bits, bits_within, keys);
        let entries = |at: Range<usize>| {
            fingerprints[at.clone()].iter().zip(at).map(|(code, doc)| (*code, ordinal(doc)))
        };
        let mut room = Vec::new();
        let partition = Partition::new(count, entries, part_bits, lead, &mut room, stop);

        // Each part writes to its own place, which has room for as many codes as it has documents.
        let (mut codes, mut starts, mut docs) = (Vec::new(), Vec::new(), Vec::new());
        fill::<Fingerprint<WORDS>>(&mut codes, count);
        fill::<O>(&mut starts, count + 1);
        fill::<O>(&mut docs, count);
        let mut found = vec![0; partition.sizes().count()];
        let mut parts = Vec::with_capacity(found.len());
        let mut rest = (&mut *codes, &mut *starts, &mut *docs, 0);
        for (size, found) in partition.sizes().zip(&mut found) {
            let (codes, rest_of_codes) = rest.0.split_at_mut(size);
            let (starts, rest_of_starts) = rest.1.split_at_mut(size);
            let (docs, rest_of_docs) = rest.2.split_at_mut(size);
            parts.push((Part { codes, starts, docs, start: rest.3 }, found));
            rest = (rest_of_codes, rest_of_starts, rest_of_docs, rest.3 + size);
        }
        partition.for_each(parts, bits_within, within, |(mut part, found), entries, ends| {
            let mut start = 0;
            for end in ends {
                match &mut entries[start..*end] {
                    bucket if bucket.len() > CROWDED => bucket.par_sort_unstable(),
                    bucket => bucket.sort_unstable(),
                }
                start = *end;
            }
            *found = part.fill(entries, &ordinal);
        });

        let (mut len, mut start) = (0, 0);
        for (size, found) in partition.sizes().zip(found) {
            codes.copy_within(start..start + found, len);
            starts.copy_within(start..start + found, len);
            (len, start) = (len + found, start + size);
        }
        codes.truncate(len);
        starts.truncate(len);
        starts.push(ordinal(count));
        Self { codes, starts: ordinals(starts), docs: ordinals(docs) }
    }

    /// The distinct fingerprints, ascending.
    #[must_use]
    pub fn codes(&self) -> &[Fingerprint<WORDS>] {
        &self.codes
    }

    /// The documents that have the fingerprint at `rank`, ascending; none beyond the last rank.
    pub fn docs(&self, rank: u64) -> impl ExactSizeIterator<Item = u64> + '_ {
        let rank = usize::try_from(rank).ok().filter(|rank| *rank < self.codes.len());
        let range = rank.map_or(0..0, |rank| self.starts.get(rank)..self.starts.get(rank + 1));
        range.map(|at| self.docs.get(at) as u64)
    }

    /// The number of distinct fingerprints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is no document at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The number of documents.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.docs.len()
    }
}

impl<const WORDS: usize> AsRef<[Fingerprint<WORDS>]> for Distinct<WORDS> {
    fn as_ref(&self) -> &[Fingerprint<WORDS>] {
        &self.codes
    }
}

/// Puts what `fingerprints` group to into `distinct`, the [`Distinct`] of their width.
fn group(fingerprints: Codes<'_>, distinct: &mut dyn Any, stop: &Stop<'_>) {
    fn at<const WORDS: usize>(
        fingerprints: &[Fingerprint<WORDS>],
        distinct: &mut dyn Any,
        stop: &Stop<'_>,
    ) {
        if let Some(distinct) = distinct.downcast_mut() {
            *distinct = Distinct::grouped(fingerprints, stop);
        }
    }
    match fingerprints {
        Codes::W64(fingerprints) => at(fingerprints, distinct, stop),
        Codes::W128(fingerprints) => at(fingerprints, distinct, stop),
        Codes::W256(fingerprints) => at(fingerprints, distinct, stop),
    }
}

/// What one part of the documents becomes.
struct Part<'a, const WORDS: usize, O> {
    codes: &'a mut [Fingerprint<WORDS>],
    starts: &'a mut [O],
    docs: &'a mut [O],
    /// Documents of the parts before.
    start: usize,
}

impl<const WORDS: usize, O: Copy> Part<'_, WORDS, O> {
    /// Writes down sorted entries; tells how many codes they have.
    fn fill(&mut self, entries: &[(Fingerprint<WORDS>, O)], ordinal: impl Fn(usize) -> O) -> usize {
        let mut found = 0;
        for (at, (code, doc)) in entries.iter().enumerate() {
            self.docs[at] = *doc;
            if at == 0 || entries[at - 1].0 != *code {
                self.codes[found] = *code;
                self.starts[found] = ordinal(self.start + at);
                found += 1;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_spike_of_equal_fingerprints_is_one_code() {
        let distinct = Distinct::new(&[Fingerprint::<2>::ZERO; 100_000]);
        assert_eq!((distinct.len(), distinct.documents()), (1, 100_000));
        assert!(distinct.docs(0).eq(0..100_000));
        assert_eq!(distinct.docs(1).len() + distinct.docs(u64::MAX).len(), 0);
    }

    #[test]
    fn nothing_groups_to_nothing() {
        let distinct = Distinct::<1>::new(&[]);
        assert!(distinct.is_empty() && distinct.docs(0).len() == 0);
    }

    proptest! {
        #[test]
        fn groups_equal_those_of_a_map(values in prop::collection::vec(0_u64..20, 0..200)) {
            let mut groups = BTreeMap::<_, Vec<u64>>::new();
            for (doc, value) in (0..).zip(&values) {
                groups.entry(Fingerprint::from_words([0, *value])).or_default().push(doc);
            }
            let codes: Vec<_> = values.iter().map(|v| Fingerprint::from_words([0, *v])).collect();
            let docs = |o: &Distinct<2>| (0..).zip(o.codes()).map(|(rank, code)| {
                (*code, o.docs(rank).collect())
            }).collect::<Vec<_>>();
            let wide = Distinct::group(&codes, |doc| doc, Ordinals::Wide, &Stop::default());
            let groups: Vec<_> = groups.into_iter().collect();
            prop_assert_eq!(docs(&Distinct::new(&codes)), groups.clone());
            prop_assert_eq!(docs(&wide), groups);
        }
    }
}
