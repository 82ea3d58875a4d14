//! What stays, as a segment for a later run to compare with. What a row holds is handled by
//! [`crate::read::segment_row`].

use crate::decide::clusters::Clusters;
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry};
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::segment_row::{SegmentHead, SegmentRow};
use crate::read::sketched::State;
use crate::search::features::FeatureSource;
use nearprint_corpus::{Finished, Output};
use nearprint_fingerprint::{FeatureList, Recipe};

/// Writes the documents that stay of those after the reference, with their features, which are read once
/// more, and with the weights of these where it `weighs`. The contents of `documents` must be there.
///
/// # Errors
/// Those of the reading; the disk's.
pub(crate) fn write(
    mut output: Output,
    documents: &Documents,
    clusters: &Clusters,
    recipe: &Recipe,
    weighs: bool,
    features: &impl FeatureSource,
    progress: &Progress,
) -> Result<Finished, Error> {
    let reference = documents.reference.documents;
    let all = (reference..documents.len() as u64).map(DocumentNumber);
    let stay: Vec<_> = all.filter(|document| clusters.keeps(*document)).collect();
    output.write_record(&SegmentHead::row(recipe, weighs))?;
    progress.enter(Stage::Segment);
    let mut apart = documents.degenerate.iter().peekable();
    let mut next = stay.iter();
    let of = |lists: &mut dyn Iterator<Item = FeatureList>| -> Vec<_> {
        lists.map(|list| SegmentRow::features(&list, weighs)).collect()
    };
    let mut row = |features| {
        let Some(document) = next.next().copied() else { return Ok(()) };
        while apart.next_if(|one| one.document < document).is_some() {}
        let state = match apart.next_if(|one| one.document == document) {
            None => State::Full,
            Some(one) => one.content.map_or(State::Apart, State::Exact),
        };
        let at = document.index();
        let Some(code) = documents.fingerprints.codes().get(at) else { return Ok(()) };
        let (id, hash) = (documents.ids.json(document), entry(&documents.contents, at));
        let row = SegmentRow::row(&id, &code, hash, state, &features);
        Ok(output.write_record(&row)?)
    };
    features
        .features(&stay, weighs, progress, of, |some| some.into_iter().try_for_each(&mut row))?;
    Ok(output.finish()?)
}
