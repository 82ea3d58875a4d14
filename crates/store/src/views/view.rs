//! What a reader searches: everything that was stored when it began. A view is immutable, except that
//! documents can be marked deleted; a write makes another view.

use crate::disk::band_table::Room;
use crate::disk::dead::Dead;
use crate::disk::sketch::Sketch;
use crate::disk::stored_segment::StoredSegment;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::rules::Rules;
use crate::views::codes::Codes;
use crate::views::found::Found;
use crate::views::judge::{ByNumber, near_duplicates};
use crate::views::lost::{Lost, Part};
use crate::views::memtable::Memtable;
use crate::views::probe::Probe;
use crate::views::search;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::Neighbor;
use std::path::Path;
use std::sync::Arc;

/// Segments, memtables and the most recent documents, from the oldest to the youngest.
#[derive(Clone, Debug)]
pub(crate) struct View<const WORDS: usize> {
    pub(crate) segments: Vec<Arc<StoredSegment<WORDS>>>,
    /// What damaged segments held; `None` if none is damaged.
    pub(crate) lost: Option<Lost>,
    /// At least one memtable. All but the last are being made into segments.
    pub(crate) memtables: Vec<Arc<Memtable<WORDS>>>,
    /// The latest documents, so few that a search compares each. None of them is deleted.
    pub(crate) recent: Arc<Codes<WORDS>>,
}

impl<const WORDS: usize> View<WORDS> {
    /// The nearest document to each query within `k` bits; of several equally near the oldest.
    ///
    /// # Complexity
    /// Searches each segment and memtable. Many queries at once take less time each.
    pub(crate) fn nearest(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
    ) -> Result<Vec<Option<Neighbor>>, Error> {
        let mut best = search::nearest(&self.segments, queries, k)?;
        if let Some(lost) = &self.lost {
            lost.nearest(queries, k, &mut best)?;
        }
        for (query, best) in queries.iter().zip(&mut best) {
            for memtable in &self.memtables {
                let Some(k) = search::nearer(*best, k) else { break };
                *best = memtable.nearest(query, k)?.or(*best);
            }
            let Some(k) = search::nearer(*best, k) else { continue };
            *best = self.recent.within(query, k).min_by_key(Neighbor::nearness).or(*best);
        }
        Ok(best)
    }

    /// Every document within `k` bits, nearest first, then the oldest.
    pub(crate) fn within(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
    ) -> Result<Vec<Neighbor>, Error> {
        let mut found = search::within(&self.segments, query, k)?;
        if let Some(lost) = &self.lost {
            lost.within(query, k, &mut found)?;
        }
        for memtable in &self.memtables {
            memtable.within(query, k, &mut found)?;
        }
        found.extend(self.recent.within(query, k));
        found.sort_unstable_by_key(Neighbor::nearness);
        Ok(found)
    }

    /// The stored near-duplicates by similarity of those documents that stay, in the order of answers, at most
    /// `most`; and whether a key of the bands was crowded. `document` reads a document.
    ///
    /// First a search looks at the oldest documents under each key of a band, at most [`Room::MOST`]. If it leaves
    /// some out it looks at all, unless as many as are asked for were found that agree in all: documents with these
    /// features are under the same keys, so the oldest of them come first.
    ///
    /// # Complexity
    /// Looks into each segment and memtable for each band, and at all documents under its key. By a cosine: that of
    /// [`Self::within`].
    pub(crate) fn near_duplicates(
        &self,
        sketch: &Sketch<Fingerprint<WORDS>>,
        rules: &Rules,
        most: usize,
        stays: &dyn Fn(&Found) -> bool,
        document: &ByNumber<'_, WORDS>,
    ) -> Result<(Vec<Found>, bool), Error> {
        let judge = |mut found: Vec<Found>| {
            found.retain(stays);
            near_duplicates(sketch, found, rules, most, document)
        };
        let (Some(shape), Some(min_similarity)) = (rules.bands, rules.min_similarity) else {
            let found = self.within(sketch.searched(), rules.k)?;
            return Ok((judge(found.into_iter().map(Found::from).collect())?, false));
        };
        let probe = |room| Probe::new(sketch, (shape, rules.k), min_similarity, room);
        let (found, cut) = self.alike(probe(Room::few(shape)))?;
        let near = judge(found)?;
        let is_equal = |found: &&Found| found.alike.is_some_and(|alike| alike.similarity >= 1.0);
        if !cut || near.iter().filter(is_equal).count() >= most {
            return Ok((near, cut));
        }
        let (found, _) = self.alike(probe(Room::all(shape)))?;
        Ok((judge(found)?, cut))
    }

    /// What a probe finds.
    fn alike(&self, mut probe: Probe<'_, WORDS>) -> Result<(Vec<Found>, bool), Error> {
        for segment in &self.segments {
            if let Some(table) = segment.bands() {
                probe.look(table, segment.dead()).map_err(|what| segment.damaged(what))?;
            }
        }
        if let Some(lost) = &self.lost {
            lost.look(&mut probe)?;
        }
        for memtable in &self.memtables {
            memtable.look(&mut probe)?;
        }
        probe.look_at_each(&self.recent);
        Ok(probe.found())
    }

    /// The same without the segment of this file, whose documents are read from `truth` from then on. No
    /// write may be under way. `None` if there is no such segment.
    pub(crate) fn without(&self, file: &Path, truth: &Arc<Truth>, rules: &Rules) -> Option<Self> {
        let at = self.segments.iter().position(|segment| segment.path() == file)?;
        let mut view = self.clone();
        let segment = view.segments.remove(at);
        let (entry, dead) = (segment.entry().clone(), segment.dead());
        let dead = Dead::union(dead.numbers().clone(), std::iter::once(dead));
        let mut parts: Vec<_> = self.lost_parts().to_vec();
        parts.push(Arc::new(Part { entry, dead }));
        view.lost = Some(Lost::new(parts, truth, rules));
        Some(view)
    }

    /// What damaged segments held.
    pub(crate) fn lost_parts(&self) -> &[Arc<Part>] {
        self.lost.as_ref().map(Lost::parts).unwrap_or_default()
    }

    /// Checks that what was found is at the distance that the document has in the database.
    ///
    /// # Errors
    /// The damage of the segment that the document is in.
    pub(crate) fn trust(&self, found: &Found, distance: u32) -> Result<(), Error> {
        let of =
            |segment: &&Arc<StoredSegment<WORDS>>| segment.dead().numbers().contains(&found.doc);
        match self.segments.iter().find(of) {
            Some(segment) if found.distance != distance => {
                let what = "a fingerprint in it is not that of its document".to_owned();
                Err(segment.damaged(what))
            }
            _ => Ok(()),
        }
    }

    /// Marks a document of a segment or memtable as deleted.
    pub(crate) fn kill(&self, number: u64) {
        let _one = self.segments.iter().any(|segment| segment.dead().insert(number))
            || self.lost_parts().iter().any(|part| part.dead.insert(number))
            || self.memtables.iter().any(|memtable| memtable.dead().insert(number));
    }
}
