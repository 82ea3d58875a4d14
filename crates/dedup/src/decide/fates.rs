//! What becomes of each document, decided in one place: reports, notes, shards and searches of texts ask here.

use crate::decide::clusters::Clusters;
use crate::numbers::DocumentNumber;

/// What becomes of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has no near-duplicate, and stays.
    Alone,
    /// It stays with near-duplicates: as the representative of its cluster, or because it is only compared with.
    Stays {
        /// The number of the cluster.
        cluster: u32,
        /// The representative of the cluster.
        representative: DocumentNumber,
    },
    /// It goes because of `near`: the representative, or where none stays another document of its cluster.
    Goes {
        /// The number of the cluster.
        cluster: u32,
        /// The representative of the cluster.
        representative: DocumentNumber,
        /// The document because of which it goes.
        near: DocumentNumber,
    },
}

impl Fate {
    /// The cluster; `None` for a document that is alone.
    #[must_use]
    pub const fn cluster(self) -> Option<u32> {
        match self {
            Self::Alone => None,
            Self::Stays { cluster, .. } | Self::Goes { cluster, .. } => Some(cluster),
        }
    }
}

/// The fates of all documents.
///
/// Memory: 8 bytes a cluster where no representative stays.
#[derive(Debug)]
pub(crate) struct Fates {
    clusters: Clusters,
    /// A document of each cluster beside its representative, where this one goes too.
    others: Option<Vec<DocumentNumber>>,
    /// The first document that may go: those before it are only compared with.
    first: DocumentNumber,
}

impl Fates {
    /// Those of documents of which the first `reference` are only compared with.
    pub(crate) fn new(clusters: Clusters, reference: u64) -> Self {
        let others = clusters.all_go().then(|| clusters.others());
        Self { clusters, others, first: DocumentNumber(reference) }
    }

    /// The clusters that the documents make.
    pub(crate) const fn clusters(&self) -> &Clusters {
        &self.clusters
    }

    /// All documents, in the order of the input.
    pub(crate) fn each(&self) -> impl Iterator<Item = (DocumentNumber, Fate)> {
        self.clusters.documents().map(|document| (document, self.of(document)))
    }

    /// Whether the document because of which another goes stays itself.
    pub(crate) const fn near_stays(&self) -> bool {
        self.others.is_none()
    }

    /// What becomes of a document.
    pub(crate) fn of(&self, document: DocumentNumber) -> Fate {
        let Some((cluster, representative)) = self.clusters.of(document) else {
            return Fate::Alone;
        };
        if document < self.first || self.clusters.keeps(document) {
            return Fate::Stays { cluster, representative };
        }
        let near = self.clusters.near(document, self.others.as_deref()).unwrap_or(representative);
        Fate::Goes { cluster, representative, near }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Documents 0 to 4, of which 1, 2 and 4 are a cluster whose representative is 2. Those before `first` are only compared
    /// with.
    fn clusters(first: u32) -> Clusters {
        let root = |document| if [1, 4].contains(&document) { 2 } else { document };
        Clusters::of_roots(|document| DocumentNumber(root(document.0)), 5, first)
    }

    #[test]
    fn a_document_goes_because_of_one_that_stays() {
        let fates = Fates::new(clusters(0), 0);
        let representative = DocumentNumber(2);
        let goes = Fate::Goes { cluster: 0, representative, near: representative };
        assert!(fates.near_stays());
        assert_eq!(
            [0, 1, 2, 3, 4].map(|document| fates.of(DocumentNumber(document))),
            [Fate::Alone, goes, Fate::Stays { cluster: 0, representative }, Fate::Alone, goes]
        );
        assert_eq!([Fate::Alone, goes].map(Fate::cluster), [None, Some(0)]);
    }

    #[test]
    fn what_is_only_compared_with_stays() {
        let fates = Fates::new(clusters(2), 2);
        let representative = DocumentNumber(2);
        assert_eq!(fates.of(DocumentNumber(1)), Fate::Stays { cluster: 0, representative });
        assert!(matches!(fates.of(DocumentNumber(4)), Fate::Goes { .. }));
        // With none but what is only compared with there is no cluster.
        let fates = Fates::new(clusters(5), 5);
        assert!(fates.clusters().is_empty());
        assert!(fates.each().all(|(_, fate)| fate == Fate::Alone));
    }

    #[test]
    fn where_none_stays_the_representative_goes_because_of_another() {
        let fates = Fates::new(clusters(0).without_representatives(), 0);
        assert!(!fates.near_stays());
        let near = |document| match fates.of(DocumentNumber(document)) {
            Fate::Goes { near, .. } => Some(near.0),
            _ => None,
        };
        assert_eq!([0, 1, 2, 3, 4].map(near), [None, Some(2), Some(1), None, Some(2)]);
    }
}
