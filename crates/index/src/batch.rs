//! Many queries to a segment, each with its own sorted answer. The walk itself is
//! [`crate::query`]'s, comparing with everything [`crate::segment_scan`]'s.

use crate::error::Error;
use crate::neighbor::Neighbor;
use crate::query::Match;
use crate::segment::Segment;
use nearprint_fingerprint::fingerprint::Fingerprint;
use std::ops::ControlFlow;

/// How the fingerprints near a query are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// By the tables: radii up to the one that they were built for.
    Tables,
    /// By comparing with everything: any radius.
    Scan,
}

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// The documents within `k` bits of each of `queries`, as [`Self::neighbors`] gives them.
    ///
    /// Memory: all answers, before they are cut to `limit`.
    ///
    /// # Errors
    /// [`Error::RadiusOverTables`] where tables are asked for more than they were built for;
    /// [`Error::Corrupt`] on damage.
    ///
    /// # Complexity
    /// That of [`Self::search`] or [`Self::scan`], and of sorting what is found.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::fingerprint::Fingerprint;
    /// use nearprint_index::batch::Means;
    /// # use nearprint_index::{layout::{Layout, Scheme}, segment::Segment, segment_builder::SegmentBuilder};
    /// # let codes = [0b0000_u64, 0b0111].map(Fingerprint::from);
    /// # let mut file = std::io::Cursor::new(Vec::new());
    /// # let layout = Layout::new(64, 3, Scheme::Parts(2), 2)?;
    /// # SegmentBuilder::new(layout, 0, 1 << 20).build::<1, _>(|| codes.into_iter().zip(0..), &mut file)?;
    /// let segment = Segment::<_, 1>::open(file.into_inner())?;
    /// let queries = [0b0001_u64, u64::MAX].map(Fingerprint::from);
    /// let answers = segment.batch(&queries, 2, None, Means::Tables)?;
    /// assert_eq!(answers.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0]);
    /// # Ok::<(), nearprint_index::error::Error>(())
    /// ```
    pub fn batch(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        limit: Option<usize>,
        means: Means,
    ) -> Result<Vec<Vec<Neighbor>>, Error> {
        let mut found: Vec<Match<WORDS>> = Vec::new();
        let visit = |near| {
            found.push(near);
            ControlFlow::Continue(())
        };
        match means {
            Means::Tables => self.search(queries, k, visit)?,
            Means::Scan => self.scan(queries, k, visit)?,
        }
        found.sort_unstable_by_key(|near| (near.query, near.distance));
        let mut answers = vec![Vec::new(); queries.len()];
        for near in found.chunk_by(|a, b| a.query == b.query) {
            if let Some(answer) = near.first().and_then(|first| answers.get_mut(first.query)) {
                *answer = self.nearest(near, limit)?;
            }
        }
        Ok(answers)
    }

    /// The documents of fingerprints that ascend by distance, at most `limit`: nearest first, then
    /// by ordinal.
    fn nearest(
        &self,
        found: &[Match<WORDS>],
        limit: Option<usize>,
    ) -> Result<Vec<Neighbor>, Error> {
        let limit = limit.unwrap_or(usize::MAX);
        let mut near: Vec<Neighbor> = Vec::new();
        for group in found.chunk_by(|a, b| a.distance == b.distance) {
            if near.len() >= limit {
                break;
            }
            for Match { fingerprint, distance, .. } in group {
                let docs = self.documents_of(fingerprint)?;
                near.extend(docs.map(|doc| Neighbor { doc, distance: *distance }));
            }
            // Groups come nearest first, so that only the last one moves.
            near.sort_by_key(Neighbor::nearness);
        }
        near.truncate(limit);
        Ok(near)
    }
}
