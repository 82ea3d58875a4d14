//! Which of the documents that a search by similarity finds are near-duplicates: by the estimate of their
//! sketches, or by their features.

use crate::disk::document::Document;
use crate::disk::sketch::Sketch;
use crate::error::Error;
use crate::rules::Likeness;
use crate::views::found::{Alike, Found, Measure};
use nearprint_fingerprint::{Fingerprint, Overlap};

/// How alike two stored documents of a cluster are. Those without sketches are there for being equal.
pub(crate) fn alike<F>(a: &Sketch<F>, b: &Sketch<F>, likeness: &Likeness) -> Alike {
    let (similarity, measure) = if a.bands.is_empty() || b.bands.is_empty() {
        (1.0, Measure::Exact)
    } else if likeness.verify {
        (Overlap::of(&a.keys, &b.keys).jaccard(), Measure::Exact)
    } else {
        (likeness.shape.similarity(&a.bands, &b.bands), Measure::Estimated)
    };
    Alike { similarity, measure }
}

/// The near-duplicates of `sketch` among `found`, which comes in the order of answers, at most `most` of
/// them. `document` reads a document; those that it does not find were deleted meanwhile.
///
/// # Complexity
/// By features: reads every document of `found`, but ends at the first whose features are the same where one
/// is asked for.
pub(crate) fn near_duplicates<const WORDS: usize>(
    sketch: &Sketch<Fingerprint<WORDS>>,
    found: Vec<Found>,
    likeness: &Likeness,
    most: usize,
    document: impl Fn(u64) -> Result<Option<Document<Fingerprint<WORDS>>>, Error>,
) -> Result<Vec<Found>, Error> {
    let mut found = found;
    if likeness.verify {
        let mut verified = Vec::new();
        for one in found {
            let Some(other) = document(one.doc)? else { continue };
            let similarity = Overlap::of(&sketch.keys, &other.sketch.keys).jaccard();
            if similarity >= likeness.least {
                let alike = Some(Alike { similarity, measure: Measure::Exact });
                verified.push(Found { alike, ..one });
            }
            // Equal features have equal sketches: what comes later is as old or less alike.
            if most == 1 && similarity >= 1.0 {
                break;
            }
        }
        verified.sort_unstable_by(Found::order);
        found = verified;
    }
    found.truncate(most);
    Ok(found)
}
