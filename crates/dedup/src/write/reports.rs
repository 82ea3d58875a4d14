//! What is written beside survivors, and by verbs that write nothing else: rows of pairs, clusters and
//! removals. What a row looks like is handled by [`crate::write::rows`].

use crate::decide::clusters::Clusters;
use crate::decide::fates::{Fate, Fates};
use crate::decide::groups::Groups;
use crate::decide::neighborhood::Neighborhood;
use crate::decide::removals::Removal;
use crate::decide::spilled_pairs::spilled_pairs;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::read::documents::{Documents, LeftApart};
use crate::read::names::{FilePlaces, Names};
use crate::search::folded_pairs::Listed;
use crate::search::spilled_join::{Entries, SpilledJoin};
use crate::write::overview::View;
use crate::write::rows::{self, Cause};
use nearprint_corpus::{Output, Source};
use nearprint_fingerprint::{Width, at_width};
use nearprint_rules::{Evidence, Match};

/// Reports that a job writes beside the survivors.
#[derive(Default)]
pub(crate) struct Reports {
    /// `{"id","kept","distance","similarity","measure","cluster"}` for every document removed. What the
    /// similarity is says [`Measure::name`](nearprint_fingerprint::Measure::name).
    pub(crate) removed: Option<Output>,
    /// `{"a","b","distance"}` for every near-duplicate pair, with `"similarity"` where pairs are verified.
    pub(crate) pairs: Option<Output>,
    /// The same for every candidate that the check refused.
    pub(crate) rejected: Option<Output>,
    /// `{"id","cluster","representative"}` for every document of a cluster.
    pub(crate) clusters: Option<Output>,
    /// `{"id"}` for every document that stays.
    pub(crate) kept: Option<Output>,
    /// Every pair with its similarity, and what else a later decision takes.
    pub(crate) decisions: Option<Output>,
    /// The [`Summary`](crate::write::summary::Summary) as JSON.
    pub(crate) summary: Option<Output>,
    /// That and an [`Overview`](crate::write::overview::Overview) for people.
    pub(crate) view: Option<View>,
    /// What stays, as a segment for a later run.
    pub(crate) segment: Option<Output>,
}

/// Writes a row for every pair within `k` bits, by the first document, then the second; returns their number. Where ids
/// repeat, rows have the files of `sources` that the documents were read of. With `fold_equal` the first document of equal fingerprints has a pair with each of the others, and it alone has pairs
/// with further documents.
///
/// # Errors
/// `k` over the width; the disk's; [`Error::Interrupted`] soon after [`Progress::cancel`].
pub fn write_pairs(
    output: &mut Output,
    (documents, sources): (&Documents, &[Source]),
    k: u32,
    fold_equal: bool,
    progress: &Progress,
) -> Result<Listed, Error> {
    let mut rows = 0;
    let places = FilePlaces::of_repeated(documents, sources);
    let names = Names::of_documents(documents, places.as_ref());
    let mut write = |a, b, distance| {
        progress.check()?;
        rows += 1;
        let row = rows::pair(&names.of(a), &names.of(b), Evidence { distance, alike: None });
        output.write_record(row.as_bytes()).map_err(Error::from)
    };
    let pairs = at_width!(documents.fingerprints.codes() => codes, {
        let groups = Groups::of(codes, &documents.degenerate, progress)?;
        let near = Neighborhood::new(&groups, k, progress)?;
        near.pairs(fold_equal, &mut write)?;
        fold_equal.then(|| near.count())
    });
    Ok(Listed { rows, pairs: pairs.unwrap_or(rows) })
}

/// The same of every pair of `join` among `entries` of a width, on disk as far as they do not fit into the memory of
/// the join.
///
/// # Errors
/// `k` over the width; the disk's; [`Error::Interrupted`] soon after the join was asked to end.
pub fn write_spilled_pairs(
    output: &mut Output,
    join: &SpilledJoin,
    width: Width,
    entries: &mut Entries<'_>,
    degenerate: &[LeftApart],
    fold_equal: bool,
    names: Names<'_>,
) -> Result<Listed, Error> {
    let found = spilled_pairs(join, (width, entries), degenerate)?;
    found.each(fold_equal, &mut |Match { a, b, evidence }| {
        join.going_on()?;
        let row = rows::pair(&names.of(a), &names.of(b), evidence);
        output.write_record(row.as_bytes()).map_err(Error::from)
    })
}

/// Writes a row for every document of a cluster, in input order.
///
/// # Errors
/// The disk's.
pub fn write_clusters<'a>(
    output: &mut Output,
    clusters: &Clusters,
    names: impl Into<Names<'a>>,
) -> Result<(), Error> {
    let names = names.into();
    for document in clusters.documents() {
        if let Some((cluster, representative)) = clusters.of(document) {
            let row = rows::cluster(&names.of(document), cluster, &names.of(representative));
            output.write_record(row.as_bytes())?;
        }
    }
    Ok(())
}

/// Writes a row for every document that stays of those behind the reference, in input order.
pub(crate) fn write_kept(
    output: &mut Output,
    fates: &Fates,
    reference: DocumentNumber,
    names: Names<'_>,
) -> Result<(), Error> {
    let ours = fates.each().filter(|(document, _)| *document >= reference);
    for (document, _) in ours.filter(|(_, fate)| !matches!(fate, Fate::Goes { .. })) {
        output.write_record(rows::kept(&names.of(document)).as_bytes())?;
    }
    Ok(())
}

/// Writes the row of a document that goes because of one that `near_stays` says of whether it stays.
pub(crate) fn write_removed(
    output: &mut Output,
    Removal { document, near, cluster, evidence, .. }: Removal,
    near_stays: bool,
    names: Names<'_>,
) -> Result<(), Error> {
    let (id, near) = (names.of(document), names.of(near));
    let row = rows::removed(&id, Cause::new(&near, near_stays), evidence, Some(cluster));
    Ok(output.write_record(row.as_bytes())?)
}
