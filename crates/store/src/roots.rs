//! Which documents are connected by near-duplicates: a root for each. What becomes of the clusters is handled
//! by [`crate::clusters`].

use crate::disk::band_layout::key;
use crate::disk::band_table::Room;
use crate::error::Error;
use crate::invariant::invariant;
use crate::rules::MinSimilarity;
use nearprint_bits::{CodeList, Codes, at_width};
use nearprint_fingerprint::{BandShape, FeatureList, Fingerprint};
use nearprint_index::{Distinct, SelfJoin, UnionFind};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Reads the features of a document; none if it was deleted meanwhile.
pub(crate) type Features<'a> = dyn Fn(u32) -> Result<Option<FeatureList>, Error> + Sync + 'a;

/// The root of each document, by its place: connected documents have the same.
pub(crate) struct Roots(pub(crate) Vec<u32>);

impl Roots {
    /// Connects fingerprints within `k` bits.
    pub(crate) fn within(
        codes: CodeList,
        k: u32,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        match codes {
            CodeList::W64(codes) => Self::within_of_width(codes, k, stopped),
            CodeList::W128(codes) => Self::within_of_width(codes, k, stopped),
            CodeList::W256(codes) => Self::within_of_width(codes, k, stopped),
        }
    }

    fn within_of_width<const WORDS: usize>(
        codes: Vec<Fingerprint<WORDS>>,
        k: u32,
        stopped: &(dyn Fn() -> bool + Sync),
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
                if let Some(of_document) = invariant(roots.get_mut(place), place) {
                    *of_document = root;
                }
            }
        }
        Ok(Self(roots))
    }

    /// Connects documents that agree in a band, of the documents under one key each with the oldest, and are alike.
    /// `features` decide where the measure is exact.
    ///
    /// # Complexity
    /// Sorts the documents once a band, and compares each with at most [`Room::MOST`] of a band.
    pub(crate) fn by_bands(
        codes: Codes<'_>,
        sketches: &[u8],
        by: (BandShape, u32, MinSimilarity),
        features: &Features<'_>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        at_width!(codes => codes, Self::by_bands_of_width(codes, sketches, by, features, stopped))
    }

    fn by_bands_of_width<const WORDS: usize>(
        codes: &[Fingerprint<WORDS>],
        sketches: &[u8],
        (shape, k, min_similarity): (BandShape, u32, MinSimilarity),
        features: &Features<'_>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        let sketch = |at: u32| {
            let at = at as usize * shape.bytes();
            sketches.get(at..at + shape.bytes()).unwrap_or_default()
        };
        let near = |a: u32, b: u32| {
            let (Some(one), Some(other)) = (codes.get(a as usize), codes.get(b as usize)) else {
                return Ok(false);
            };
            if one.distance(other) > k {
                return Ok(false);
            }
            if min_similarity.verifies() {
                return are_near(&min_similarity, features, a, b);
            }
            Ok::<_, Error>(min_similarity.reaches(shape.similarity(sketch(a), sketch(b))))
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

    /// Connects documents within `k` bits that are alike by their features.
    ///
    /// # Complexity
    /// Joins the fingerprints, and compares the documents of each pair that nothing connects yet.
    pub(crate) fn by_features(
        codes: Codes<'_>,
        by: (u32, MinSimilarity),
        features: &Features<'_>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        at_width!(codes => codes, Self::by_features_of_width(codes, by, features, stopped))
    }

    fn by_features_of_width<const WORDS: usize>(
        codes: &[Fingerprint<WORDS>],
        (k, min_similarity): (u32, MinSimilarity),
        features: &Features<'_>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        let documents = narrow(codes.len());
        let (groups, sets) = (Distinct::new(codes), UnionFind::new(documents));
        let members = |rank: u64| {
            groups.docs(rank).map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect::<Vec<_>>()
        };
        // Connects two documents; whether they are connected now.
        let connect = |a: u32, b: u32| {
            if sets.find(a) != sets.find(b) {
                if !are_near(&min_similarity, features, a, b)? {
                    return Ok(false);
                }
                sets.union(a, b);
            }
            Ok::<_, Error>(true)
        };
        // Whether the documents of each fingerprint are all connected: then one link is enough for all of them.
        let whole = (0..groups.len() as u64).into_par_iter().map(|rank| {
            let (members, mut whole) = (members(rank), true);
            for (place, young) in members.iter().enumerate() {
                if stopped() {
                    return Err(Error::Closed);
                }
                let mut linked = false;
                for old in members.iter().take(place) {
                    linked |= connect(*old, *young)?;
                    if linked && whole {
                        break;
                    }
                }
                whole &= linked || place == 0;
            }
            Ok(whole)
        });
        let whole = whole.collect::<Result<Vec<bool>, Error>>()?;
        let (stop, failed) = (AtomicBool::new(false), Mutex::new(None));
        let link = |a: u64, b: u64| {
            let is_whole =
                |rank: u64| whole.get(usize::try_from(rank).unwrap_or(usize::MAX)) == Some(&true);
            let (once, of_b) = (is_whole(a) && is_whole(b), members(b));
            for a in members(a) {
                for b in &of_b {
                    if stopped() {
                        return Err(Error::Closed);
                    }
                    if connect(a, *b)? && once {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        let join = SelfJoin::new(groups.codes(), k)?.stopped_by(&stop);
        let joined = join.pairs(|pair| {
            if let Err(error) = link(pair.a, pair.b) {
                stop.store(true, Ordering::Relaxed);
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        joined?;
        Ok(Self((0..documents).map(|at| sets.find(at)).collect()))
    }
}

/// Whether two documents are alike by their features. What was deleted meanwhile is like nothing.
fn are_near(
    min_similarity: &MinSimilarity,
    features: &Features<'_>,
    a: u32,
    b: u32,
) -> Result<bool, Error> {
    let (Some(a), Some(b)) = (features(a)?, features(b)?) else { return Ok(false) };
    Ok(min_similarity.reaches(min_similarity.of_features(&a, &b).similarity))
}

/// A number of documents; at most [`Limits::documents`](crate::Limits::documents) are connected.
fn narrow(documents: usize) -> u32 {
    invariant(u32::try_from(documents).ok(), documents).unwrap_or(u32::MAX)
}

/// A rank among so many documents.
fn of(rank: u64) -> u32 {
    invariant(u32::try_from(rank).ok(), rank).unwrap_or(u32::MAX)
}
