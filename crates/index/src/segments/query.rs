//! Searching segments: who is near one query, or each of many. `walk` visits the tables.

use crate::error::Error;
use crate::machine::kernel::Kernel;
use crate::segments::found::{AnyMatch, Damage, Match, Visit};
use crate::segments::segment::{OfAnyWidth, Opened, Segment};
use crate::segments::walk::Walk;
use nearprint_bits::{Codes, Fingerprint};
use std::ops::ControlFlow;

/// Queries that are looked for together, in one table after the other.
const GROUP: usize = 256;

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// Whether any fingerprint is within `k` bits of `query`: one that is, not always the nearest.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn any(&self, query: &Fingerprint<WORDS>, k: u32) -> Result<Option<Match<WORDS>>, Error> {
        let mut first = None;
        self.search(std::slice::from_ref(query), k, |found| {
            first = Some(found);
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// Hands every fingerprint within `k` bits of each of `queries` to `visit`, each once for each
    /// query, in no particular order, until `visit` breaks.
    ///
    /// Searching a batch on several threads is calling this with parts of it.
    ///
    /// # Errors
    /// [`Error::RadiusOverTables`] where `k` is more than the tables were built for; [`Error::RadiusOverWidth`] where
    /// there are [no tables](crate::Scheme::Scan) and `k` is more than the width; [`Error::Corrupt`] on damage.
    ///
    /// # Complexity
    /// One directory entry and one or two cache lines for each bucket that the radius meets: 2 x 14
    /// for `k = 3` of 64 bits in two parts at ten million fingerprints. Without tables as [`Self::scan`].
    pub fn search(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        mut visit: impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let visit = |_, found| visit(found).map_continue(|()| k);
        search_all(&[self], queries, k, visit).map_err(|(_, error)| error)
    }
}

/// Hands every fingerprint of each of `segments` within `k` bits of each of `queries` to `visit`, with
/// the number of its segment, until `visit` breaks. `visit` says how far to look in the segments whose
/// search has not begun: `k`, or less if it wants only nearer fingerprints than it has.
///
/// As [`Segment::search`] in one segment after the other, but faster: the first buckets of a segment
/// are loaded while the last buckets of the segment before are compared. Segments without tables are scanned.
///
/// # Errors
/// As [`Segment::search`], with the number of the segment.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::search_all;
/// use std::ops::ControlFlow;
/// # use nearprint_index::{Layout, Scheme, Segment, SegmentBuilder};
/// # let segment = |code: u64| {
/// #     let mut file = std::io::Cursor::new(Vec::new());
/// #     let entries = || std::iter::once((Fingerprint::from(code), 0));
/// #     let layout = Layout::new(64, 3, Scheme::Parts(2), 1)?;
/// #     SegmentBuilder::new(layout, None, 1 << 20).build::<1, _>(entries, &mut file)?;
/// #     Segment::<_, 1>::open(file.into_inner())
/// # };
/// let (old, young) = (segment(0b0000)?, segment(0b0111)?);
/// let mut found = Vec::new();
/// search_all(&[&old, &young], &[Fingerprint::from(0b0001_u64)], 3, |segment, near| {
///     found.push((segment, near.distance));
///     ControlFlow::Continue(3)
/// })
/// .map_err(|(_, error)| error)?;
/// assert_eq!(found, [(0, 1), (1, 2)]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
pub fn search_all<D: AsRef<[u8]>, const WORDS: usize>(
    segments: &[&Segment<D, WORDS>],
    queries: &[Fingerprint<WORDS>],
    k: u32,
    mut visit: impl FnMut(usize, Match<WORDS>) -> ControlFlow<(), u32>,
) -> Result<(), Damage> {
    let segments: Vec<_> = segments.iter().map(|segment| segment.of_any_width()).collect();
    search(&segments, Codes::of(queries), k, &mut |number, near| visit(number, near.into()))
}

/// [`search_all`] of whichever width.
fn search(
    segments: &[OfAnyWidth<'_>],
    queries: Codes<'_>,
    k: u32,
    visit: &mut dyn FnMut(usize, AnyMatch) -> ControlFlow<(), u32>,
) -> Result<(), Damage> {
    fn at<const WORDS: usize>(
        segments: &[OfAnyWidth<'_>],
        queries: &[Fingerprint<WORDS>],
        k: u32,
        visit: &mut dyn FnMut(usize, AnyMatch) -> ControlFlow<(), u32>,
    ) -> Result<(), Damage> {
        let opened: Vec<_> = segments.iter().filter_map(|segment| segment.of_width()).collect();
        search_opened(&opened, queries, k, &mut |number, near| visit(number, near.into()))
    }
    match queries {
        Codes::W64(queries) => at(segments, queries, k, visit),
        Codes::W128(queries) => at(segments, queries, k, visit),
        Codes::W256(queries) => at(segments, queries, k, visit),
    }
}

/// [`search_all`] of one width.
pub(crate) fn search_opened<const WORDS: usize>(
    segments: &[Opened<'_, WORDS>],
    queries: &[Fingerprint<WORDS>],
    mut k: u32,
    visit: &mut Visit<'_, WORDS>,
) -> Result<(), Damage> {
    for (number, segment) in segments.iter().enumerate() {
        let built = segment.layout().k();
        if k > built && !segment.layout().is_scan() {
            return Err((number, Error::RadiusOverTables { k, built }));
        }
    }
    let mut first = 0;
    for run in segments.chunk_by(|a, b| !a.layout().is_scan() && !b.layout().is_scan()) {
        let mut visit = |number, near| visit(first + number, near);
        let step = match run {
            [segment] if segment.layout().is_scan() => {
                compare(*segment, queries, &mut k, &mut visit)
            }
            tables => walk(tables, queries, &mut k, &mut visit),
        };
        if step.map_err(|(number, error)| (first + number, error))?.is_break() {
            break;
        }
        first += run.len();
    }
    Ok(())
}

/// [`search_all`] in segments with tables.
fn walk<const WORDS: usize>(
    segments: &[Opened<'_, WORDS>],
    queries: &[Fingerprint<WORDS>],
    k: &mut u32,
    visit: &mut Visit<'_, WORDS>,
) -> Result<ControlFlow<()>, Damage> {
    let walk = Walk::new(segments)?;
    let kernel = Kernel::detect();
    for (number, group) in queries.chunks(GROUP).enumerate() {
        let step = kernel.run(
            #[inline(always)]
            || walk.group(group, number * GROUP, k, visit),
        );
        if step?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// [`search_all`] in a segment without tables.
fn compare<const WORDS: usize>(
    segment: Opened<'_, WORDS>,
    queries: &[Fingerprint<WORDS>],
    k: &mut u32,
    visit: &mut Visit<'_, WORDS>,
) -> Result<ControlFlow<()>, Damage> {
    let mut step = ControlFlow::Continue(());
    let compared = segment.scan(queries, *k, &mut |near| {
        step = visit(0, near).map_continue(|wanted| *k = wanted);
        step
    });
    compared.map(|()| step).map_err(|error| (0, error))
}
