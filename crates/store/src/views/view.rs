//! What a reader searches: everything that was stored when it began. A view is immutable, except that
//! documents can be marked deleted; a write makes another view.

use crate::disk::band_table::Room;
use crate::disk::dead::Dead;
use crate::disk::sketch::Sketch;
use crate::disk::stored_segment::StoredSegment;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::invariant::invariant;
use crate::rules::Rules;
use crate::views::band_parts::BandParts;
use crate::views::codes::NumberedCodes;
use crate::views::found::Found;
use crate::views::judge::{ByNumber, near_duplicates};
use crate::views::lost::{Lost, Part};
use crate::views::memtable::Memtable;
use crate::views::probe::{Comparing, Probe};
use crate::views::search;
use nearprint_bits::{AnyFingerprint, Codes, at_width};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{NearCode, Neighbor, linear};
use std::path::Path;
use std::sync::Arc;

/// Segments, memtables and the most recent documents, from the oldest to the youngest.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) segments: Vec<Arc<StoredSegment>>,
    /// What damaged segments held; `None` if none is damaged.
    pub(crate) lost: Option<Lost>,
    /// At least one memtable. All but the last are being made into segments.
    pub(crate) memtables: Vec<Arc<Memtable>>,
    /// The latest documents, so few that a search compares each. None of them is deleted.
    pub(crate) recent: Arc<NumberedCodes>,
}

impl View {
    /// The nearest document to each query within `k` bits; of several equally near the oldest.
    ///
    /// # Complexity
    /// Searches each segment and memtable. Many queries at once take less time each.
    pub(crate) fn nearest(
        &self,
        queries: Codes<'_>,
        k: u32,
    ) -> Result<Vec<Option<Neighbor>>, Error> {
        at_width!(queries => queries, self.nearest_of_width(queries, k))
    }

    fn nearest_of_width<const WORDS: usize>(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
    ) -> Result<Vec<Option<Neighbor>>, Error> {
        let mut best = search::nearest(&self.segments, queries, k)?;
        self.each_lost(&mut |doc, code, _| {
            for (query, best) in queries.iter().zip(&mut best) {
                let distance = code.distance(query);
                let found = (distance <= k).then_some(Neighbor { doc, distance });
                *best = (*best).into_iter().chain(found).min_by_key(Neighbor::nearness);
            }
        })?;
        for (query, best) in queries.iter().zip(&mut best) {
            for memtable in &self.memtables {
                let Some(k) = search::nearer(*best, k) else { break };
                let Some(parts) = memtable.codes() else { continue };
                *best = parts.nearest(query, k, memtable.dead())?.or(*best);
            }
            let Some(k) = search::nearer(*best, k) else { continue };
            *best = self.recent_within(query, k).min_by_key(Neighbor::nearness).or(*best);
        }
        Ok(best)
    }

    /// Every document within `k` bits, nearest first, then the oldest.
    pub(crate) fn within(&self, query: &AnyFingerprint, k: u32) -> Result<Vec<Neighbor>, Error> {
        match query {
            AnyFingerprint::W64(query) => self.within_of_width(query, k),
            AnyFingerprint::W128(query) => self.within_of_width(query, k),
            AnyFingerprint::W256(query) => self.within_of_width(query, k),
        }
    }

    fn within_of_width<const WORDS: usize>(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
    ) -> Result<Vec<Neighbor>, Error> {
        let mut found = search::within(&self.segments, query, k)?;
        self.each_lost(&mut |doc, code, _| {
            let distance = code.distance(query);
            if distance <= k {
                found.push(Neighbor { doc, distance });
            }
        })?;
        for memtable in &self.memtables {
            if let Some(parts) = memtable.codes() {
                parts.within(query, k, memtable.dead(), &mut found)?;
            }
        }
        found.extend(self.recent_within(query, k));
        found.sort_unstable_by_key(Neighbor::nearness);
        Ok(found)
    }

    /// The recent documents within `k` bits.
    fn recent_within<'a, const WORDS: usize>(
        &'a self,
        query: &'a Fingerprint<WORDS>,
        k: u32,
    ) -> impl Iterator<Item = Neighbor> + 'a {
        let codes = self.recent.codes.codes().of_width().unwrap_or_default();
        linear::within(codes, query, k).filter_map(|NearCode { position, distance }| {
            Some(Neighbor { doc: self.recent.number(position)?, distance })
        })
    }

    /// Calls `visit` with each document of damaged segments, with what is searched of it and its bands.
    fn each_lost<const WORDS: usize>(
        &self,
        visit: &mut dyn FnMut(u64, Fingerprint<WORDS>, &[u8]),
    ) -> Result<(), Error> {
        let Some(lost) = &self.lost else { return Ok(()) };
        lost.each(&mut |doc, sketch| {
            if let Some(code) = invariant(sketch.searched().narrow(), doc) {
                visit(doc, code, &sketch.bands);
            }
        })
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
        sketch: &Sketch,
        rules: &Rules,
        most: usize,
        stays: &dyn Fn(&Found) -> bool,
        document: &ByNumber<'_>,
    ) -> Result<(Vec<Found>, bool), Error> {
        let judge = |mut found: Vec<Found>| {
            found.retain(stays);
            near_duplicates(sketch, found, rules, most, document)
        };
        let (Some(shape), Some(min_similarity)) = (rules.bands, rules.min_similarity) else {
            let found = self.within(sketch.searched(), rules.k)?;
            return Ok((judge(found.into_iter().map(Found::from).collect())?, false));
        };
        let by = Comparing { shape, k: rules.k, min_similarity };
        let (found, cut) = self.alike(sketch, by, Room::few(shape))?;
        let near = judge(found)?;
        let is_equal = |found: &&Found| found.alike.is_some_and(|alike| alike.similarity >= 1.0);
        if !cut || near.iter().filter(is_equal).count() >= most {
            return Ok((near, cut));
        }
        let (found, _) = self.alike(sketch, by, Room::all(shape))?;
        Ok((judge(found)?, cut))
    }

    /// What a probe finds.
    fn alike(
        &self,
        Sketch { fingerprint, bands, .. }: &Sketch,
        by: Comparing,
        room: Room,
    ) -> Result<(Vec<Found>, bool), Error> {
        match fingerprint {
            AnyFingerprint::W64(code) => self.probe(Probe::new(*code, bands, by, room)),
            AnyFingerprint::W128(code) => self.probe(Probe::new(*code, bands, by, room)),
            AnyFingerprint::W256(code) => self.probe(Probe::new(*code, bands, by, room)),
        }
    }

    fn probe<const WORDS: usize>(
        &self,
        mut probe: Probe<'_, WORDS>,
    ) -> Result<(Vec<Found>, bool), Error> {
        for segment in &self.segments {
            if let Some(table) = segment.bands() {
                probe.look(table, segment.dead()).map_err(|what| segment.damaged(what))?;
            }
        }
        self.each_lost(&mut |doc, code, bands| probe.look_at_one(doc, &code, bands))?;
        let damaged = |what| Error::Corrupt { path: "a memtable".into(), what };
        for memtable in &self.memtables {
            let mut tables = memtable.bands().into_iter().flat_map(BandParts::tables);
            tables.try_for_each(|table| probe.look(table, memtable.dead())).map_err(damaged)?;
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
        let of = |segment: &&Arc<StoredSegment>| segment.dead().numbers().contains(&found.doc);
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
