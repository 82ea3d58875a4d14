//! The files of which no document stays.

use crate::decide::fates::Fates;
use crate::numbers::DocumentNumber;
use crate::read::documents::Documents;
use crate::read::few_documents::{FileList, FileShare};
use nearprint_corpus::{InputFormat, Source};

/// The files behind those that are only compared with of which all documents go. A file that is one document is none:
/// it is counted as that document.
///
/// # Complexity
/// Linear in the documents of such files.
pub(crate) fn removed_files(sources: &[Source], documents: &Documents, fates: &Fates) -> FileList {
    let (mut removed, mut first) = (FileList::default(), 0);
    for (source, counts) in sources.iter().zip(&documents.sources) {
        let mut ours = (first..first + counts.numbered).map(DocumentNumber);
        first += counts.numbered;
        let is_ours = first > documents.reference.documents;
        // Documents without any feature stay.
        let all_numbered = counts.records - counts.skipped == counts.numbered;
        if is_ours && all_numbered && ours.all(|document| !fates.clusters().keeps(document)) {
            add(&mut removed, source, counts.numbered);
        }
    }
    removed
}

/// Adds a file of so many documents, none of which stays.
pub(crate) fn add(removed: &mut FileList, source: &Source, documents: u64) {
    if documents > 0 && !source.format().is_some_and(InputFormat::is_whole) {
        let file = source.name().to_owned();
        removed.add(FileShare { file, records: documents, documents });
    }
}
