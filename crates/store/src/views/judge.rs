//! Which of the documents that a search by similarity finds are near-duplicates: by the estimate of their
//! sketches, or by their features.

use crate::disk::document::Document;
use crate::disk::sketch::Sketch;
use crate::error::Error;
use crate::rules::Rules;
use crate::views::found::Found;
use nearprint_fingerprint::Matching;
use nearprint_rules::Alike;

/// How alike two stored documents of a cluster are; `None` within a radius.
pub(crate) fn alike(a: &Sketch, b: &Sketch, rules: &Rules) -> Option<Alike> {
    let min_similarity = rules.min_similarity?;
    let compared = |sketch: &Sketch| sketch.matching(rules.degenerate) == Matching::Distance;
    Some(match rules.bands {
        // Others are together for being equal.
        _ if !compared(a) || !compared(b) => Alike::equal(min_similarity.measure),
        Some(shape) if !min_similarity.verifies() => {
            let similarity = shape.similarity(&a.bands, &b.bands);
            Alike { similarity, measure: min_similarity.measure }
        }
        _ => min_similarity.of_features(&a.clone().features(), &b.clone().features()),
    })
}

/// Reads the document of a number; none if it was deleted meanwhile.
pub(crate) type ByNumber<'a> = dyn Fn(u64) -> Result<Option<Document>, Error> + 'a;

/// The near-duplicates of `sketch` among `found`, which comes in the order of answers, at most `most` of
/// them.
///
/// # Complexity
/// By features: reads every document of `found`; by sets it ends once as many as are asked for are equal.
pub(crate) fn near_duplicates(
    sketch: &Sketch,
    found: Vec<Found>,
    rules: &Rules,
    most: usize,
    document: &ByNumber<'_>,
) -> Result<Vec<Found>, Error> {
    let mut found = found;
    if let Some(min_similarity) =
        rules.min_similarity.filter(|min_similarity| min_similarity.verifies())
    {
        let (features, mut verified, mut equal) = (sketch.clone().features(), Vec::new(), 0);
        for one in found {
            let Some(other) = document(one.doc)? else { continue };
            let alike = min_similarity.of_features(&features, &other.sketch.features());
            if min_similarity.reaches(alike.similarity) {
                verified.push(Found { alike: Some(alike), ..one });
            }
            // Equal sets have equal sketches: what comes later is younger or less alike. A cosine may round to 1.
            equal += usize::from(alike.similarity >= 1.0 && rules.bands.is_some());
            if equal >= most {
                break;
            }
        }
        verified.sort_unstable_by(Found::order);
        found = verified;
    }
    found.truncate(most);
    Ok(found)
}
