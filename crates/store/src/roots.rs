//! Which documents are connected by near-duplicates: a root for each. What becomes of the clusters is the
//! affair of [`crate::clusters`].

use crate::disk::band_layout::key;
use crate::disk::band_table::Room;
use crate::error::Error;
use crate::known::known;
use crate::rules::{Likeness, Rules};
use nearprint_fingerprint::{Fingerprint, Overlap};
use nearprint_index::{Distinct, SelfJoin, UnionFind};
use rayon::prelude::*;

/// The root of each document, by its place: connected documents have the same.
pub(crate) struct Roots(pub(crate) Vec<u32>);

impl Roots {
    /// Connects fingerprints within `k` bits.
    pub(crate) fn within<const WORDS: usize>(
        codes: Vec<Fingerprint<WORDS>>,
        k: u32,
        stopped: &(impl Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        let documents = codes.len();
        let groups = Distinct::new(&codes);
        drop(codes);
        let sets = UnionFind::new(narrow(groups.len()));
        // With one root for all, the join skips every pair.
        let root = |rank| if stopped() { 0 } else { sets.find(of(rank)).into() };
        SelfJoin::new(groups.codes(), k)?.links(root, |pair| sets.union(of(pair.a), of(pair.b)))?;
        let mut roots = vec![0; documents];
        for rank in 0..groups.len() as u64 {
            let root = sets.find(of(rank));
            for document in groups.docs(rank) {
                let place = usize::try_from(document).unwrap_or(usize::MAX);
                if let Some(of_document) = known(roots.get_mut(place), place) {
                    *of_document = root;
                }
            }
        }
        Ok(Self(roots))
    }

    /// Connects documents that a search by similarity finds of one another: that agree in a band, of the
    /// documents under one key each with the oldest, and are alike. `keys` reads the keys of the features of
    /// a document, where they decide; none if it was deleted meanwhile.
    ///
    /// # Complexity
    /// Sorts the documents once a band, and compares each with at most [`Room::MOST`] of a band.
    pub(crate) fn alike<const WORDS: usize>(
        codes: &[Fingerprint<WORDS>],
        sketches: &[u8],
        (rules, likeness): (&Rules, &Likeness),
        keys: impl Fn(usize) -> Result<Vec<u64>, Error> + Sync,
        stopped: &(impl Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        let shape = likeness.shape;
        let sketch = |at: u32| {
            let at = at as usize * shape.bytes();
            sketches.get(at..at + shape.bytes()).unwrap_or_default()
        };
        let near = |a: u32, b: u32| {
            let (Some(one), Some(other)) = (codes.get(a as usize), codes.get(b as usize)) else {
                return Ok(false);
            };
            if one.distance(other) > rules.k {
                return Ok(false);
            }
            let similarity = if likeness.verify {
                let (one, other) = (keys(a as usize)?, keys(b as usize)?);
                // What was deleted meanwhile is like nothing.
                if one.is_empty() || other.is_empty() {
                    -1.0
                } else {
                    Overlap::of(&one, &other).jaccard()
                }
            } else {
                shape.similarity(sketch(a), sketch(b))
            };
            Ok::<_, Error>(similarity >= likeness.least)
        };
        let documents = narrow(codes.len());
        let sets = UnionFind::new(documents);
        let mut entries: Vec<(u64, u32)> = Vec::with_capacity(codes.len());
        for band in 0..shape.bands() as usize {
            entries.clear();
            entries.extend((0..documents).map(|at| (key(sketch(at), band), at)));
            // Under one key the oldest come first.
            entries.par_sort_unstable();
            let buckets = entries.par_chunk_by(|a, b| a.0 == b.0);
            buckets.try_for_each(|bucket| {
                for (place, (_, young)) in bucket.iter().enumerate() {
                    if stopped() {
                        return Err(Error::Closed);
                    }
                    for (_, old) in bucket.iter().take(place.min(Room::MOST)) {
                        if sets.find(*old) != sets.find(*young) && near(*old, *young)? {
                            sets.union(*old, *young);
                        }
                    }
                }
                Ok(())
            })?;
        }
        Ok(Self((0..documents).map(|at| sets.find(at)).collect()))
    }
}

/// A number of documents; at most [`Limits::documents`](crate::Limits::documents) are connected.
fn narrow(documents: usize) -> u32 {
    known(u32::try_from(documents).ok(), documents).unwrap_or(u32::MAX)
}

/// A rank among so many documents.
fn of(rank: u64) -> u32 {
    known(u32::try_from(rank).ok(), rank).unwrap_or(u32::MAX)
}
