//! Queries to a segment, one or many, each with its sorted answer. [`crate::segments::query`]
//! searches the tables, [`crate::segments::segment_scan`] compares with everything.

use crate::error::Error;
use crate::neighbor::Neighbor;
use crate::segments::found::Match;
use crate::segments::query::search_opened;
use crate::segments::segment::{OfAnyWidth, Opened, Segment};
use nearprint_bits::{Codes, Fingerprint};
use rayon::prelude::*;
use std::any::Any;
use std::ops::ControlFlow;

/// Queries that one thread answers at a time.
const SHARE: usize = 256;

/// How the fingerprints near a query are found.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{Index, Means};
///
/// let index = Index::build(&[0b0000_u64, 0b0111], 3)?;
/// let queries = [Fingerprint::from(0b0001_u64)];
/// let answers = |means| index.segment().batch(&queries, 3, None, means);
/// assert_eq!(answers(Means::Tables)?, answers(Means::Scan)?);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// By the tables: for radii up to the radius that they were built for. Where there are none, by the scan.
    Tables,
    /// By comparing with everything: for any radius.
    Scan,
}

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// The documents within `k` bits of `query`, nearest first, then by ordinal; at most `limit`.
    ///
    /// # Errors
    /// As [`Self::search`].
    ///
    /// # Complexity
    /// As [`Self::search`], but one query waits for memory alone.
    pub fn neighbors(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        limit: Option<usize>,
    ) -> Result<Vec<Neighbor>, Error> {
        let near = self.batch(std::slice::from_ref(query), k, limit, Means::Tables)?;
        Ok(near.into_iter().next().unwrap_or_default())
    }

    /// The documents within `k` bits of each of `queries`, as [`Self::neighbors`] gives them.
    ///
    /// Memory: all answers, before they are cut to `limit`.
    ///
    /// # Errors
    /// [`Error::RadiusOverTables`] if `k` is more than the tables were built for; [`Error::NoIds`] if
    /// the segment tells no documents; [`Error::Corrupt`] on damage.
    ///
    /// # Complexity
    /// As [`Self::search`] or [`Self::scan`], and a sort of the fingerprints found.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint;
    /// use nearprint_index::Means;
    /// # use nearprint_index::{Layout, Scheme, Segment, SegmentBuilder};
    /// # let codes = [0b0000_u64, 0b0111].map(Fingerprint::from);
    /// # let mut file = std::io::Cursor::new(Vec::new());
    /// # let layout = Layout::new(64, 3, Scheme::Parts(2), 2)?;
    /// # SegmentBuilder::new(layout, None, 1 << 20).build::<1, _>(|| codes.into_iter().zip(0..), &mut file)?;
    /// let segment = Segment::<_, 1>::open(file.into_inner())?;
    /// let queries = [0b0001_u64, u64::MAX].map(Fingerprint::from);
    /// let answers = segment.batch(&queries, 2, None, Means::Tables)?;
    /// assert_eq!(answers.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0]);
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn batch(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        limit: Option<usize>,
        means: Means,
    ) -> Result<Vec<Vec<Neighbor>>, Error> {
        batch(self.of_any_width(), Codes::of(queries), (k, limit), means)
    }

    /// The fingerprints within `k` bits of each of `queries`, nearest first, then by value; at most
    /// `limit` a query. Equal fingerprints are one answer. For segments without ids too.
    ///
    /// # Errors
    /// As [`Self::search`].
    ///
    /// # Complexity
    /// As [`Self::batch`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::Fingerprint;
    /// use nearprint_index::{Layout, Means, Scheme, Segment, SegmentBuilder};
    ///
    /// let codes = [0b0000_u64, 0b0111].map(Fingerprint::from);
    /// let mut file = std::io::Cursor::new(Vec::new());
    /// let layout = Layout::new(64, 3, Scheme::Parts(2), 2)?;
    /// let builder = SegmentBuilder::new(layout, None, 1 << 20).without_ids();
    /// builder.build::<1, _>(|| codes.into_iter().zip(0..), &mut file)?;
    /// let segment = Segment::<_, 1>::open(file.into_inner())?;
    /// let near = segment.matches(&[Fingerprint::from(0b0110_u64)], 2, None, Means::Tables)?;
    /// let near: Vec<_> = near[0].iter().map(|near| (near.fingerprint, near.distance)).collect();
    /// assert_eq!(near, [(codes[1], 1), (codes[0], 2)]);
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn matches(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        limit: Option<usize>,
        means: Means,
    ) -> Result<Vec<Vec<Match<WORDS>>>, Error> {
        let mut answers = Ok(Vec::<Vec<Match<WORDS>>>::new());
        matches(self.of_any_width(), Codes::of(queries), (k, limit, means), &mut answers);
        answers
    }
}

/// What [`Segment::batch`] answers to many queries, some of them a task on rayon's current pool.
pub(crate) fn batches(
    segment: OfAnyWidth<'_>,
    queries: Codes<'_>,
    k: u32,
    means: Means,
) -> Result<Vec<Vec<Neighbor>>, Error> {
    let shares = (0..queries.len().div_ceil(SHARE)).into_par_iter().map(|share| {
        let start = share * SHARE;
        let queries = queries.slice(start..queries.len().min(start + SHARE));
        batch(segment, queries, (k, None), means)
    });
    Ok(shares.collect::<Result<Vec<_>, _>>()?.concat())
}

/// [`Segment::batch`] of whichever width.
pub(crate) fn batch(
    segment: OfAnyWidth<'_>,
    queries: Codes<'_>,
    (k, limit): (u32, Option<usize>),
    means: Means,
) -> Result<Vec<Vec<Neighbor>>, Error> {
    fn at<const WORDS: usize>(
        segment: Option<Opened<'_, WORDS>>,
        queries: &[Fingerprint<WORDS>],
        (k, limit): (u32, Option<usize>),
        means: Means,
    ) -> Result<Vec<Vec<Neighbor>>, Error> {
        segment.map_or(Ok(Vec::new()), |segment| segment.batch(queries, k, limit, means))
    }
    match queries {
        Codes::W64(queries) => at(segment.of_width(), queries, (k, limit), means),
        Codes::W128(queries) => at(segment.of_width(), queries, (k, limit), means),
        Codes::W256(queries) => at(segment.of_width(), queries, (k, limit), means),
    }
}

/// Puts what [`Segment::matches`] returns into `answers`, of the type that it has at the width.
fn matches(
    segment: OfAnyWidth<'_>,
    queries: Codes<'_>,
    asked: (u32, Option<usize>, Means),
    answers: &mut dyn Any,
) {
    fn at<const WORDS: usize>(
        segment: Option<Opened<'_, WORDS>>,
        queries: &[Fingerprint<WORDS>],
        (k, limit, means): (u32, Option<usize>, Means),
        answers: &mut dyn Any,
    ) {
        if let Some((segment, answers)) = segment.zip(answers.downcast_mut()) {
            *answers = segment.matches(queries, k, limit, means);
        }
    }
    match queries {
        Codes::W64(queries) => at(segment.of_width(), queries, asked, answers),
        Codes::W128(queries) => at(segment.of_width(), queries, asked, answers),
        Codes::W256(queries) => at(segment.of_width(), queries, asked, answers),
    }
}

impl<const WORDS: usize> Opened<'_, WORDS> {
    /// [`Segment::batch`].
    pub(crate) fn batch(
        self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        limit: Option<usize>,
        means: Means,
    ) -> Result<Vec<Vec<Neighbor>>, Error> {
        self.needs_ids()?;
        let mut found = self.found(queries, k, means)?;
        // Nearer ones first: once the limit is reached, only equally near ones still count.
        found.sort_unstable_by_key(|near| (near.query, near.distance));
        let limit = limit.unwrap_or(usize::MAX);
        let mut answers = vec![Vec::<Neighbor>::new(); queries.len()];
        self.documents_of_each(&found, &mut |Match { query, distance, .. }, doc| {
            let Some(answer) = answers.get_mut(*query) else { return };
            let nearer = answer.last().is_some_and(|last| last.distance < *distance);
            if answer.len() < limit || !nearer {
                answer.push(Neighbor { doc, distance: *distance });
            }
        })?;
        for answer in &mut answers {
            answer.sort_unstable_by_key(Neighbor::nearness);
            answer.truncate(limit);
        }
        Ok(answers)
    }

    /// [`Segment::matches`].
    pub(crate) fn matches(
        self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        limit: Option<usize>,
        means: Means,
    ) -> Result<Vec<Vec<Match<WORDS>>>, Error> {
        let mut answers = vec![Vec::new(); queries.len()];
        let mut found = self.found(queries, k, means)?;
        found.sort_unstable_by_key(|near| (near.query, near.distance, near.fingerprint));
        for near in found {
            if let Some(answer) = answers.get_mut(near.query)
                && limit.is_none_or(|limit| answer.len() < limit)
            {
                answer.push(near);
            }
        }
        Ok(answers)
    }

    /// What a search finds, in no particular order.
    fn found(
        self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        means: Means,
    ) -> Result<Vec<Match<WORDS>>, Error> {
        let mut found = Vec::new();
        match means {
            Means::Tables => search_opened(&[self], queries, k, &mut |_, near| {
                found.push(near);
                ControlFlow::Continue(k)
            })
            .map_err(|(_, error)| error)?,
            Means::Scan => self.scan(queries, k, &mut |near| {
                found.push(near);
                ControlFlow::Continue(())
            })?,
        }
        Ok(found)
    }
}
