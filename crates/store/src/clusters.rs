//! Clusters of stored documents at one moment: near-duplicates connect them. How a batch job
//! clusters a corpus, and which document of a cluster stays, belongs to another crate.

use crate::disk::document::Document;
use crate::error::Error;
use crate::invariant::invariant;
use crate::roots::Roots;
use crate::settings::Settings;
use crate::store::Store;
use crate::views::judge::alike;
use crate::writing::write::NearDocument;
use nearprint_bits::CodeList;
use nearprint_fingerprint::Matching;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

/// What may be clustered, and what is kept of it. [`Clusters`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most documents that are clustered.
    pub documents: u32,
    /// How many of the largest clusters to keep.
    pub clusters: usize,
    /// How many of the oldest members of a cluster to keep.
    pub members: usize,
}

/// The clusters of two or more documents: their number, and the largest of them.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, Limits, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let codes = ["00000000000000ff", "00000000000000fe", "ff00000000000000"];
/// for (id, code) in ["a", "b", "c"].into_iter().zip(codes) {
///     store.add(id, code.parse::<AnyFingerprint>()?)?;
/// }
/// let limits = Limits { documents: 1000, clusters: 10, members: 100 };
/// let found = store.clusters(None, limits, &|| false)?;
/// assert_eq!((found.documents, found.clusters, found.clustered), (3, 1, 2));
/// let members = store.members(&found.largest[0], 0, 10)?;
/// assert_eq!((members[1].id.as_str(), members[1].distance), ("b", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// Documents that were compared.
    pub documents: u64,
    /// All clusters.
    pub clusters: u64,
    /// Documents in them.
    pub clustered: u64,
    /// The sizes that occur, the largest first, with the number of clusters of each.
    pub sizes: Vec<(u64, u64)>,
    /// The largest first; of equally large clusters the one with the oldest document first.
    pub largest: Vec<Cluster>,
}

/// A cluster. [`Clusters`] has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Documents in it.
    pub size: u64,
    /// The numbers of its oldest documents, ascending.
    members: Vec<u64>,
}

/// Where the documents of a cluster are found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A root.
    Root(u32),
    /// Documents of equal content: a range of the contents.
    Content(usize, usize),
}

/// What the search compares of all documents, the oldest first.
struct Compared {
    codes: CodeList,
    numbers: Vec<u64>,
    /// The sketches of the same documents one behind the other; empty in a store within a radius.
    sketches: Vec<u8>,
    /// Contents with numbers, of the documents that are compared by content.
    contents: Vec<(u64, u64)>,
}

/// Bytes of memory that [`Store::clusters`] takes for a document of a store with these settings, at most.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Width};
/// use nearprint_store::{Settings, bytes_a_document};
///
/// assert_eq!(bytes_a_document(&Settings::ready_made(Width::W64)), 64);
/// let recipe = Recipe::named("text").unwrap().with_width(Width::W128);
/// assert_eq!(bytes_a_document(&Settings::by_similarity(recipe, 0.8)), 178);
/// ```
#[must_use]
pub fn bytes_a_document(settings: &Settings) -> u64 {
    // The most at a time: codes, numbers, and the groups with what builds them; or codes, numbers, sketches,
    // and the entries of a band.
    let sketch = settings.threshold.bands().ok().flatten().map_or(0, |bands| bands.bytes() as u64);
    3 * u64::from(settings.width.bits()) / 8 + 40 + sketch
}

impl Store {
    /// The clusters of the documents that are stored now. Near-duplicates connect documents: those that the
    /// store finds by its similarity or within its radius, or within `k` bits if that is given; the rule of
    /// the recipe connects degenerate ones. Runs on rayon's current pool; the result does not depend on the
    /// number of threads. Ends early once `stopped` returns true.
    ///
    /// # Complexity
    /// Reads all documents and joins their fingerprints or sketches, of documents under one key of a band each with
    /// the 256 oldest. Where a store by similarity compares features, it reads the documents of each pair that it
    /// compares. Memory: [`bytes_a_document`].
    ///
    /// # Errors
    /// [`Error::TooMany`]; a radius over the width; [`Error::NoRadius`] for a `k` in a store by similarity;
    /// [`Error::Closed`] once `stopped` returned true; an error of the disk.
    pub fn clusters(
        &self,
        k: Option<u32>,
        limits: Limits,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Clusters, Error> {
        let rules = &self.shared().rules;
        if k.is_some() && rules.min_similarity.is_some() {
            return Err(Error::NoRadius);
        }
        let Compared { codes, numbers, sketches, mut contents } = self.compared(limits, stopped)?;
        let documents = (codes.len() + contents.len()) as u64;
        let truth = self.shared().truth()?;
        let features = |at: u32| {
            let number = invariant(numbers.get(at as usize), at).copied().unwrap_or(u64::MAX);
            Ok(truth.document(number)?.map(|document| document.sketch.features()))
        };
        let Roots(roots) = match (rules.min_similarity, rules.bands) {
            (None, _) => Roots::within(codes, k.unwrap_or(rules.k), stopped)?,
            (Some(min_similarity), Some(shape)) => {
                let by = (shape, rules.k, min_similarity);
                Roots::by_bands(codes.codes(), &sketches, by, &features, stopped)?
            }
            (Some(min_similarity), None) => {
                Roots::by_features(codes.codes(), (rules.k, min_similarity), &features, stopped)?
            }
        };
        drop(sketches);
        if stopped() {
            return Err(Error::Closed);
        }

        // The size of each cluster and its oldest document, by the root.
        let mut sizes = vec![(0_u64, u64::MAX); roots.len()];
        for (root, number) in roots.iter().zip(&numbers) {
            if let Some(sum) = invariant(sizes.get_mut(*root as usize), root) {
                *sum = (sum.0 + 1, sum.1.min(*number));
            }
        }
        let mut all: Vec<_> = (0..)
            .zip(sizes)
            .filter(|(_, (size, _))| *size > 1)
            .map(|(root, (size, oldest))| (Reverse(size), oldest, Place::Root(root)))
            .collect();
        contents.sort_unstable();
        let mut start = 0;
        for same in contents.chunk_by(|a, b| a.0 == b.0) {
            let place = Place::Content(start, start + same.len());
            start += same.len();
            if let [(_, oldest), _, ..] = same {
                all.push((Reverse(same.len() as u64), *oldest, place));
            }
        }
        let clustered = all.iter().map(|(Reverse(size), ..)| size).sum();
        let clusters = all.len() as u64;
        all.sort_unstable();
        let sizes = all.chunk_by(|(a, ..), (b, ..)| a == b);
        let sizes = sizes.filter_map(|same| Some((same.first()?.0.0, same.len() as u64))).collect();
        all.truncate(limits.clusters);

        let mut of_root: HashMap<u32, Vec<u64>> = HashMap::new();
        for (_, _, place) in &all {
            if let Place::Root(root) = place {
                of_root.insert(*root, Vec::new());
            }
        }
        // The oldest come first.
        for (root, number) in roots.iter().zip(&numbers) {
            if let Some(members) = of_root.get_mut(root).filter(|all| all.len() < limits.members) {
                members.push(*number);
            }
        }
        let of_content = |range: Range<usize>| {
            let same = invariant(contents.get(range.clone()), range).unwrap_or_default();
            same.iter().take(limits.members).map(|(_, number)| *number).collect()
        };
        let largest = all.into_iter().map(|(Reverse(size), _, place)| {
            let members = match place {
                Place::Root(root) => invariant(of_root.remove(&root), root),
                Place::Content(start, end) => Some(of_content(start..end)),
            };
            Cluster { size, members: members.unwrap_or_default() }
        });
        Ok(Clusters { documents, clusters, clustered, sizes, largest: largest.collect() })
    }

    /// The members of a cluster from position `from` on, the oldest first, at most `limit`. Each comes with
    /// its distance from the oldest member that is still stored, in a store by similarity also with how alike
    /// they are. Deleted members are left out.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn members(
        &self,
        cluster: &Cluster,
        from: usize,
        limit: usize,
    ) -> Result<Vec<NearDocument>, Error> {
        let truth = self.shared().truth()?;
        let document = |number: &u64| truth.document(*number).transpose();
        let Some(first) = cluster.members.iter().find_map(document).transpose()? else {
            return Ok(Vec::new());
        };
        let members = cluster.members.iter().skip(from).take(limit).filter_map(document);
        let rules = self.shared().rules;
        let near = |document: Result<Document, Error>| {
            let Document { id, sketch, .. } = document?;
            let distance = sketch.distance(&first.sketch);
            let alike = alike(&first.sketch, &sketch, &rules);
            Ok(NearDocument { id, distance, alike })
        };
        members.map(near).collect()
    }

    fn compared(&self, limits: Limits, stopped: &dyn Fn() -> bool) -> Result<Compared, Error> {
        let shared = self.shared();
        let (rule, truth) = (shared.rules.degenerate, shared.truth()?);
        let expected = shared.progress.load().documents;
        let most = u64::from(limits.documents);
        if expected > most {
            return Err(Error::TooMany { found: expected, most });
        }
        let room = usize::try_from(expected).unwrap_or(0);
        let mut codes = CodeList::with_capacity(shared.rules.width, room);
        let mut numbers = Vec::with_capacity(room);
        let (mut sketches, mut contents) = (Vec::new(), Vec::new());
        sketches.reserve_exact(room * shared.rules.sketch_bytes());
        for (read, row) in (1..).zip(truth.sketches(&truth.snapshot(), 0..u64::MAX)) {
            // Other threads may add documents meanwhile.
            if read > most {
                return Err(Error::TooMany { found: read, most });
            }
            if stopped() {
                return Err(Error::Closed);
            }
            let (number, sketch) = row?;
            match sketch.matching(rule) {
                Matching::Distance => {
                    let pushed = codes.push(*sketch.searched());
                    debug_assert!(pushed, "the store has one width");
                    sketches.extend_from_slice(&sketch.bands);
                    numbers.push(number);
                }
                Matching::Equality => contents.push((sketch.content, number)),
                Matching::Apart => {}
            }
        }
        Ok(Compared { codes, numbers, sketches, contents })
    }
}
