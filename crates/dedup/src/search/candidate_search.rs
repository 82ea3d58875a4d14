//! Ways to find the pairs of documents that are compared: what each of them gives, so that a search takes any.

use crate::error::Error;
use crate::memory::limits::Memory;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::read::documents::Documents;
use crate::search::candidate_pair::CandidatePair;
use crate::search::crowds::Crowds;
use crate::search::features::AnySource;
use crate::search::places::Places;
use crate::search::ranking::Ranking;
use nearprint_index::UnionFind;
use nearprint_rules::Check;
use std::path::Path;

/// What takes candidates, some at a time, from any thread.
pub(crate) type Emit<'a> = dyn Fn(&[CandidatePair]) + Sync + 'a;

/// A way to find the pairs of documents that are compared.
pub(crate) trait CandidateSearch {
    /// What the first reading keeps for it.
    type Input;

    /// Whether documents of equal fingerprints are near each other whatever else they say, so that the first of these
    /// stands for the others in all further pairs.
    const FOLDS_EQUAL: bool;

    /// Hands the candidates among some documents to `emit`, in any order and as often as it likes. Documents with so
    /// many candidates that these are not listed are noted in `crowds`. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Those of temporary files and of features; [`Error::Interrupted`].
    fn find(
        &self,
        input: Self::Input,
        of: &Searched<'_>,
        crowds: &Crowds,
        emit: &Emit<'_>,
    ) -> Result<(), Error>;

    /// The share of the pairs of a similarity that are candidates: 1 where all are.
    fn share_found(&self, similarity: f64) -> f64;
}

/// A way that can be divided: parts of the keys of all documents tell which of them belong together.
pub(crate) trait LinkSearch: CandidateSearch {
    /// The documents of a part.
    type Part<'a>;

    /// Joins the documents of a part that are joined by its candidates, by their rows.
    ///
    /// # Errors
    /// Those of temporary files; [`Error::Interrupted`].
    fn link(&self, of: Self::Part<'_>, sets: &UnionFind) -> Result<(), Error>;
}

/// The documents that are searched, and what the search may take.
#[derive(Clone, Copy)]
pub(crate) struct Searched<'a> {
    pub(crate) documents: &'a Documents,
    pub(crate) ranking: &'a Ranking,
    /// Documents of the reference that stand for others outside of it in pairs that are listed.
    pub(crate) copied: &'a Places,
    /// The check that candidates have to pass.
    pub(crate) check: Check,
    /// Where the features of documents come from.
    pub(crate) features: &'a dyn AnySource,
    pub(crate) memory: Memory,
    /// Bytes of memory for finding them.
    pub(crate) room: usize,
    /// Where temporary files go.
    pub(crate) work_dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

impl<'a> Searched<'a> {
    /// The first document behind those of the reference.
    pub(crate) fn reference(&self) -> DocumentNumber {
        DocumentNumber(self.documents.reference.documents)
    }

    /// The number of the group of each document, of which no two are near each other; none where there are no groups.
    pub(crate) fn groups(&self) -> &'a [u32] {
        self.documents.groups()
    }
}
