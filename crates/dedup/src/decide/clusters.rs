//! Documents joined into clusters: the connected components of the near-duplicate relation.

use crate::decide::groups::Groups;
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, narrow, set};
use crate::progress::Progress;
use crate::read::documents::LeftApart;
use crate::search::spilled_join::{Entries, SpilledJoin};
use nearprint_fingerprint::{Codes, Width, at_width};
use nearprint_index::UnionFind;

const ALONE: u32 = u32::MAX;
/// The number of a cluster that has none yet: there are fewer clusters.
const JOINED: u32 = ALONE - 1;

/// The clusters of two documents and more, numbered in the order of their first documents.
///
/// Memory: 4 bytes a document and 8 a distinct fingerprint while it is built, then 4 a document.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Clusters, DocumentNumber, Progress};
/// use nearprint_fingerprint::{Codes, Fingerprint};
///
/// let codes = [0b0111_u64, 0xff00, 0b0011, 0b0001].map(Fingerprint::from);
/// let clusters = Clusters::new(Codes::of(&codes), &[], 1, &Progress::default())?;
/// assert_eq!(clusters.sizes(), [3]);
/// assert_eq!(clusters.of(DocumentNumber(3)), Some((0, DocumentNumber(0))));
/// assert!(clusters.keeps(DocumentNumber(1)));
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// Cluster of each document, [`ALONE`] for none.
    of: Vec<u32>,
    representatives: Vec<DocumentNumber>,
    sizes: Vec<u64>,
    /// Whether representatives are removed with the others.
    all_go: bool,
}

impl Clusters {
    /// Joins the documents whose fingerprints are within `k` bits, directly or by way of others. Of `degenerate`
    /// documents, ascending, those of equal content are joined.
    ///
    /// Representatives are the first documents. Runs on rayon's current pool; the result does not
    /// depend on the number of threads.
    ///
    /// # Errors
    /// `k` over the width; more than 2^32 - 2 documents; [`Error::Interrupted`] soon after
    /// [`Progress::cancel`].
    pub fn new(
        fingerprints: Codes<'_>,
        degenerate: &[LeftApart],
        k: u32,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let documents = fingerprints.len();
        if u32::try_from(documents).is_err() || documents == ALONE as usize {
            return Err(Error::TooManyDocuments { found: documents as u64 });
        }
        let (mut of, mut numbers) = (vec![ALONE; documents], Vec::new());
        at_width!(fingerprints => codes, {
            let groups = Groups::of(codes, degenerate, progress)?;
            let sets = groups.connected(k, progress)?;
            numbers.resize(groups.len(), ALONE);
            for rank in 0..narrow(groups.len() as u64) {
                let root = sets.find(rank);
                for (at, document) in groups.documents(rank.into()).enumerate() {
                    set(&mut of, document.index(), root);
                    if at > 0 || rank != root {
                        set(&mut numbers, root as usize, JOINED);
                    }
                }
            }
        });
        Ok(Self::number(of, numbers, |first, _| first))
    }

    /// The same of `documents` documents whose fingerprints of a width are `entries`, but for the `degenerate`
    /// ones, joined by `join` within its budget. Besides it, 12 bytes a document.
    ///
    /// # Errors
    /// As [`Self::new`]; those of `entries`, and of temporary files.
    pub fn spilled(
        join: &SpilledJoin,
        documents: u64,
        (width, entries): (Width, &mut Entries<'_>),
        degenerate: &[LeftApart],
    ) -> Result<Self, Error> {
        let count = match u32::try_from(documents) {
            Ok(ALONE) | Err(_) => return Err(Error::TooManyDocuments { found: documents }),
            Ok(count) => count,
        };
        let sets = UnionFind::new(count);
        join.run(width, entries, &|pair| sets.union(narrow(pair.a), narrow(pair.b)))?;
        for group in LeftApart::groups(degenerate) {
            let first = group.first().copied().unwrap_or_default();
            group.iter().for_each(|other| sets.union(narrow(first.0), narrow(other.0)));
        }
        let of: Vec<u32> = (0..count).map(|document| sets.find(document)).collect();
        drop(sets);
        let numbers = unnumbered(&of, 0);
        Ok(Self::number(of, numbers, |first, _| first))
    }

    /// The clusters of `count` documents whose representatives are what `root` says of them. Those before `first` are only
    /// compared with, and alone where no other is near them.
    pub(crate) fn of_roots(
        root: impl Fn(DocumentNumber) -> DocumentNumber,
        count: u32,
        first: u32,
    ) -> Self {
        let documents = (0..u64::from(count)).map(DocumentNumber);
        let of: Vec<u32> = documents.map(|document| narrow(root(document).0)).collect();
        drop(root);
        let numbers = unnumbered(&of, first);
        Self::number(of, numbers, |_, root| DocumentNumber(root.into()))
    }

    /// Turns the root of each document into the number of its cluster. The `numbers` of roots come in as
    /// [`JOINED`] where they have two documents and more; `representative` takes the first document of a
    /// cluster and its root.
    fn number(
        mut of: Vec<u32>,
        mut numbers: Vec<u32>,
        representative: impl Fn(DocumentNumber, u32) -> DocumentNumber,
    ) -> Self {
        let (mut representatives, mut sizes) = (Vec::new(), Vec::<u64>::new());
        for (document, slot) in (0..).map(DocumentNumber).zip(&mut of) {
            let root = std::mem::replace(slot, ALONE);
            let Some(number) = numbers.get_mut(root as usize) else { continue };
            if *number == JOINED {
                *number = narrow(sizes.len() as u64);
                sizes.push(0);
                representatives.push(representative(document, root));
            }
            if let Some(size) = sizes.get_mut(*number as usize) {
                *size += 1;
            }
            *slot = *number;
        }
        Self { of, representatives, sizes, all_go: false }
    }

    /// The same clusters, joined where documents have one of `keys`, of which each document has one. Representatives are
    /// the first documents.
    ///
    /// Memory: 12 bytes a document meanwhile.
    pub(crate) fn joined_by(&self, keys: &[u64]) -> Self {
        let count = narrow(self.of.len() as u64);
        let sets = UnionFind::new(count);
        for document in self.documents() {
            if let Some((_, representative)) = self.of(document) {
                sets.union(narrow(document.0), narrow(representative.0));
            }
        }
        let key = |document: &u32| entry(keys, *document as usize);
        let mut by_key: Vec<u32> = (0..count).collect();
        by_key.sort_unstable_by_key(key);
        for group in by_key.chunk_by(|a, b| key(a) == key(b)) {
            group.windows(2).for_each(|two| sets.union(entry(two, 0), entry(two, 1)));
        }
        let of: Vec<u32> = (0..count).map(|document| sets.find(document)).collect();
        let numbers = unnumbered(&of, 0);
        Self::number(of, numbers, |first, _| first)
    }

    /// The same clusters, of which no document stays.
    pub(crate) fn without_representatives(self) -> Self {
        Self { all_go: true, ..self }
    }

    /// Whether representatives go with the others.
    pub(crate) fn all_go(&self) -> bool {
        self.all_go
    }

    /// The first document of each cluster that is not its representative.
    pub(crate) fn others(&self) -> Vec<DocumentNumber> {
        let mut others = self.representatives.clone();
        for document in self.documents() {
            if let Some((cluster, representative)) = self.of(document)
                && document != representative
                && entry(&others, cluster as usize) == representative
            {
                set(&mut others, cluster as usize, document);
            }
        }
        others
    }

    /// The document because of which one of a cluster goes: the representative, and for this the one among
    /// [`others`](Self::others), where they are given.
    pub(crate) fn near(
        &self,
        document: DocumentNumber,
        others: Option<&[DocumentNumber]>,
    ) -> Option<DocumentNumber> {
        let (cluster, representative) = self.of(document)?;
        let others = others.filter(|_| document == representative);
        Some(others.map_or(representative, |others| entry(others, cluster as usize)))
    }

    /// The number of clusters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether no two documents are near-duplicates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The number of documents in each cluster.
    #[must_use]
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The representatives of the clusters, by their numbers.
    pub(crate) fn representatives(&self) -> &[DocumentNumber] {
        &self.representatives
    }

    /// The number of documents in a cluster.
    pub(crate) fn size(&self, cluster: u32) -> u64 {
        entry(&self.sizes, cluster as usize)
    }

    /// The cluster of a document and its representative; `None` for a document that is alone.
    #[must_use]
    pub fn of(&self, document: DocumentNumber) -> Option<(u32, DocumentNumber)> {
        let cluster = entry(&self.of, document.index());
        (cluster != ALONE).then(|| (cluster, entry(&self.representatives, cluster as usize)))
    }

    /// Whether a number is that of a document.
    pub(crate) fn knows(&self, document: DocumentNumber) -> bool {
        document.index() < self.of.len()
    }

    /// Whether a document stays: it is alone, or the representative of its cluster where these stay.
    #[must_use]
    pub fn keeps(&self, document: DocumentNumber) -> bool {
        let stands = |(_, representative)| representative == document && !self.all_go;
        self.of(document).is_none_or(stands)
    }

    /// All documents, those that are alone too.
    pub fn documents(&self) -> impl Iterator<Item = DocumentNumber> + use<> {
        (0..self.of.len() as u64).map(DocumentNumber)
    }

    /// Documents from `first` on that do not stay.
    #[must_use]
    pub fn removed_from(&self, first: DocumentNumber) -> u64 {
        let behind = self.documents().filter(|document| *document >= first);
        behind.filter(|document| !self.keeps(*document)).count() as u64
    }
}

/// [`JOINED`] for each root of others than itself, where one of these documents is not before `first`.
fn unnumbered(of: &[u32], first: u32) -> Vec<u32> {
    let mut numbers = vec![ALONE; of.len()];
    for (document, root) in (0_u32..).zip(of) {
        if document != *root && document.max(*root) >= first {
            set(&mut numbers, *root as usize, JOINED);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Fingerprint;
    use proptest::prelude::*;

    fn clusters(codes: &[u64], k: u32) -> Clusters {
        let codes: Vec<_> = codes.iter().copied().map(Fingerprint::from).collect();
        Clusters::new(Codes::of(&codes), &[], k, &Progress::default()).unwrap()
    }

    #[test]
    fn chains_and_equal_documents_form_clusters_in_order_of_their_first() {
        let found = clusters(&[0xff, 0b111, 0xf0f0, 0b001, 0xff, 0b000], 2);
        let of: Vec<_> = found.documents().map(|document| found.of(document)).collect();
        let [first, second] = [0, 1].map(|at| Some((at, DocumentNumber(at.into()))));
        assert_eq!(of, [first, second, None, second, first, second]);
        let removed = found.removed_from(DocumentNumber(0));
        assert_eq!((found.sizes(), removed), (&[2, 3][..], 3));
    }

    #[test]
    fn a_spike_of_equal_fingerprints_is_one_cluster() {
        let mut codes = vec![42; 100_000];
        codes.push(43);
        let found = clusters(&codes, 1);
        assert_eq!((found.len(), found.removed_from(DocumentNumber(0))), (1, 100_000));
    }

    proptest! {
        #[test]
        fn clusters_are_the_components_of_the_scan(
            codes in prop::collection::vec(0_u64..64, 0..60), k in 0_u32..3, threads in 1_usize..4,
        ) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| clusters(&codes, k));
            let dir = tempfile::tempdir().unwrap();
            let join = SpilledJoin::new(k, 1 << 16, dir.path()).unwrap();
            let mut entries = codes.iter().map(|code| Fingerprint::from(*code).into()).zip(0..).map(Ok);
            let count = codes.len() as u64;
            let spilled = pool.install(|| {
                Clusters::spilled(&join, count, (Width::W64, &mut entries), &[])
            });
            prop_assert_eq!(&spilled.unwrap(), &found);
            let mut label: Vec<usize> = (0..codes.len()).collect();
            for _ in 0..codes.len() {
                for a in 0..codes.len() {
                    for b in 0..codes.len() {
                        if (codes[a] ^ codes[b]).count_ones() <= k {
                            label[a] = label[a].min(label[b]);
                        }
                    }
                }
            }
            for (document, &first) in label.iter().enumerate() {
                let size = label.iter().filter(|&&other| other == first).count();
                let of = found.of(DocumentNumber(document as u64));
                prop_assert_eq!(of.map(|(_, kept)| kept.0), (size > 1).then_some(first as u64));
                if let Some((cluster, _)) = of {
                    prop_assert_eq!(found.sizes()[cluster as usize], size as u64);
                }
            }
        }
    }
}
