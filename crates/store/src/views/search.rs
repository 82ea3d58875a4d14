//! Searches the segments of a view within a radius. One search covers all segments whose tables serve the
//! radius; every other segment is scanned.

use crate::disk::stored_segment::StoredSegment;
use crate::error::Error;
use crate::invariant::invariant;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Match, Neighbor, search_all};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Within how many bits a document counts that is younger than the `best` so far: it must be nearer. `None` where none
/// can be.
pub(crate) fn nearer(best: Option<Neighbor>, k: u32) -> Option<u32> {
    best.map_or(Some(k), |best| best.distance.checked_sub(1))
}

/// The nearest document to each query within `k` bits; of several equally near the oldest. `segments` are
/// in order, the oldest first.
///
/// # Complexity
/// That of [`search_all`].
pub(crate) fn nearest<const WORDS: usize>(
    segments: &[Arc<StoredSegment>],
    queries: &[Fingerprint<WORDS>],
    k: u32,
) -> Result<Vec<Option<Neighbor>>, Error> {
    let mut best: Vec<Option<Neighbor>> = vec![None; queries.len()];
    let mut failed = None;
    each(segments, queries, k, &mut |segment, near| {
        let Some(best) = invariant(best.get_mut(near.query), near.query) else {
            return ControlFlow::Continue(k);
        };
        if best.is_none_or(|best| near.distance <= best.distance) {
            match segment.oldest(&near) {
                Ok(found) => {
                    *best = (*best).into_iter().chain(found).min_by_key(Neighbor::nearness)
                }
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        match best {
            Some(_) if queries.len() == 1 => match nearer(*best, k) {
                Some(nearer) => ControlFlow::Continue(nearer),
                None => ControlFlow::Break(()),
            },
            // Another query may have found nothing yet.
            _ => ControlFlow::Continue(k),
        }
    })?;
    failed.map_or(Ok(best), Err)
}

/// Every document within `k` bits, in no particular order.
pub(crate) fn within<const WORDS: usize>(
    segments: &[Arc<StoredSegment>],
    query: &Fingerprint<WORDS>,
    k: u32,
) -> Result<Vec<Neighbor>, Error> {
    let mut matches: Vec<(&StoredSegment, Vec<Match<WORDS>>)> = Vec::new();
    each(segments, std::slice::from_ref(query), k, &mut |segment, near| {
        match matches.last_mut() {
            Some((last, matches)) if std::ptr::eq(*last, segment) => matches.push(near),
            _ => matches.push((segment, vec![near])),
        }
        ControlFlow::Continue(k)
    })?;
    let mut found = Vec::new();
    for (segment, matches) in matches {
        segment.documents_of(&matches, &mut found)?;
    }
    Ok(found)
}

/// Takes a fingerprint that was found, with its segment.
type Visit<'a, 'b, const WORDS: usize> =
    dyn FnMut(&'a StoredSegment, Match<WORDS>) -> ControlFlow<(), u32> + 'b;

/// Hands every fingerprint within `k` bits of each query to `visit`, with its segment. `visit` returns the
/// radius for the tables of younger segments. After `visit` breaks, table searches stop, but segments
/// without tables for this radius are still scanned.
fn each<'a, const WORDS: usize>(
    segments: &'a [Arc<StoredSegment>],
    queries: &[Fingerprint<WORDS>],
    k: u32,
    visit: &mut Visit<'a, '_, WORDS>,
) -> Result<(), Error> {
    let serves = |segment: &&StoredSegment| {
        segment.codes::<WORDS>().is_some_and(|codes| k <= codes.layout().k())
    };
    let (served, others): (Vec<_>, Vec<_>) = segments.iter().map(AsRef::as_ref).partition(serves);
    let tables: Vec<_> = served.iter().filter_map(|served| served.codes()).collect();
    let searched = search_all(&tables, queries, k, |number, near| {
        match invariant(served.get(number), number) {
            Some(segment) => visit(segment, near),
            None => ControlFlow::Continue(k),
        }
    });
    searched.map_err(|(number, damage)| match invariant(served.get(number), number) {
        Some(segment) => segment.told(damage),
        None => damage.into(),
    })?;
    for segment in others {
        let every = |near| visit(segment, near).map_continue(|_| ());
        let Some(codes) = segment.codes() else { continue };
        codes.scan(queries, k, every).map_err(|damage| segment.told(damage))?;
    }
    Ok(())
}
