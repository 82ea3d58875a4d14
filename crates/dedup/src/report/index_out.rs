//! What stays, as a segment for a later run to compare with: see [`crate::matching::seen`].

use crate::cluster::clusters::Clusters;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::read::documents::Documents;
use nearprint_corpus::{Finished, Output};
use nearprint_fingerprint::{Fingerprint, RecipeId};
use nearprint_index::{Planner, Purpose, Request, SegmentBuilder};

/// Bytes that are sorted at a time while a segment is built.
const SORTING: usize = 16 << 20;

/// A segment to be written, with the ids of its documents.
pub struct IndexOut {
    /// A plain file.
    pub segment: Output,
    /// A line for each document: its id as JSON text.
    pub ids: Output,
}

impl IndexOut {
    /// Writes the documents that stay of those after the reference, but for degenerate ones, with tables
    /// for radius `k`.
    ///
    /// # Errors
    /// A segment output that is no plain file; the disk's.
    pub(crate) fn write<const WORDS: usize>(
        mut self,
        documents: &Documents<WORDS>,
        clusters: &Clusters,
        recipe: RecipeId,
        k: u32,
    ) -> Result<[Finished; 2], Error> {
        let entries = || {
            let reference = DocumentNumber(documents.reference.documents);
            let stay = documents
                .joined()
                .filter(move |(document, _)| *document >= reference && clusters.keeps(*document));
            stay.zip(0_u64..)
        };
        let width = Fingerprint::<WORDS>::BITS;
        let mut count = 0;
        for ((document, _), _) in entries() {
            count += 1;
            self.ids.write_record(format!("{}\n", documents.ids.json(document)).as_bytes())?;
        }
        let request = Request { documents: count, width, k, memory: None, purpose: Purpose::Batch };
        let layout = Planner::new(request)?.choose()?.layout().clone();
        let path = self.segment.path().to_owned();
        let file = self.segment.file().ok_or(Error::NoPlainFile { path })?;
        let codes = || entries().map(|((_, code), number)| (code, number));
        SegmentBuilder::new(layout, Some(recipe.into()), SORTING).build::<WORDS, _>(codes, file)?;
        Ok([self.segment.finish()?, self.ids.finish()?])
    }
}
