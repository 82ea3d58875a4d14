//! Counts the documents that each survivor stands for.

use crate::decide::fates::{Fate, Fates};
use crate::numbers::{DocumentNumber, entry, index, set};
use crate::read::labels::Labels;
use crate::write::counted::Counted;

/// The documents that each survivor stands for.
///
/// Memory: where these are counted by label 4 bytes a document of a cluster, and 8 a cluster.
pub(crate) struct Counting<'a> {
    fates: &'a Fates,
    labels: Option<&'a Labels>,
    /// The numbers of the labels of documents of clusters, those of each cluster side by side.
    members: Vec<u32>,
    /// Where those of each cluster end.
    ends: Vec<u64>,
}

impl<'a> Counting<'a> {
    /// Counts by label, where there are some.
    ///
    /// # Complexity
    /// A look at every document, where they are counted by label.
    pub(crate) fn new(fates: &'a Fates, labels: Option<&'a Labels>) -> Self {
        let Some(of) = labels else {
            return Self { fates, labels, members: Vec::new(), ends: Vec::new() };
        };
        let sizes = fates.clusters().sizes();
        // Where a cluster begins; where its next document goes; at last where it ends.
        let starts = sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end - size)
        });
        let mut ends: Vec<u64> = starts.collect();
        let mut members = vec![0; index(sizes.iter().sum())];
        for (document, fate) in fates.each() {
            let Some(cluster) = fate.cluster() else { continue };
            let at = entry(&ends, cluster as usize);
            set(&mut members, index(at), of.of(document));
            set(&mut ends, cluster as usize, at + 1);
        }
        Self { fates, labels, members, ends }
    }

    /// How many documents a survivor stands for. One without any feature stands for itself alone.
    pub(crate) fn copies(&self, document: Option<DocumentNumber>) -> u64 {
        match document.map(|document| self.fates.of(document)) {
            Some(Fate::Stays { cluster, .. }) => self.fates.clusters().size(cluster),
            _ => 1,
        }
    }

    /// Of documents without any feature, in their order, each itself.
    pub(crate) fn featureless(&self) -> impl Iterator<Item = Counted> {
        let labels = self.labels.into_iter().flat_map(Labels::featureless);
        let all = labels.map(|label| Counted::alone(Some(label)));
        all.chain(std::iter::repeat_with(|| Counted::alone(None)))
    }

    /// The documents that a survivor stands for.
    pub(crate) fn counted(&self, document: DocumentNumber) -> Counted {
        let copies = self.copies(Some(document));
        let Some(labels) = self.labels else { return Counted { copies, ..Counted::default() } };
        let Fate::Stays { cluster, .. } = self.fates.of(document) else {
            return Counted::alone(Some(labels.name(labels.of(document))));
        };
        let end = entry(&self.ends, cluster as usize);
        let own = self.members.get(index(end - copies)..index(end)).unwrap_or_default();
        let mut own = own.to_vec();
        own.sort_unstable();
        let groups = own.chunk_by(|a, b| a == b);
        let counts = groups.filter_map(|same| Some((*same.first()?, same.len() as u64)));
        Counted::of(copies, counts.map(|(label, count)| (labels.name(label), count)))
    }
}
