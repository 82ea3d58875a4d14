//! One search by similarity: what it looks for, and what it has found.

use crate::disk::band_layout::key;
use crate::disk::band_table::{BandTable, Room};
use crate::disk::dead::Dead;
use crate::disk::sketch::Sketch;
use crate::invariant::invariant;
use crate::rules::MinSimilarity;
use crate::views::codes::NumberedCodes;
use crate::views::found::Found;
use nearprint_bits::at_width;
use nearprint_fingerprint::{BandShape, Fingerprint, Measure};
use nearprint_index::{NearCode, linear};
use nearprint_rules::Alike;

/// What documents are compared by: the shape of their sketches, the radius beyond which they are not, and the least
/// similarity.
#[derive(Clone, Copy)]
pub(crate) struct Comparing {
    pub(crate) shape: BandShape,
    pub(crate) k: u32,
    pub(crate) min_similarity: MinSimilarity,
}

/// A search by similarity.
pub(crate) struct Probe<'a, const WORDS: usize> {
    fingerprint: Fingerprint<WORDS>,
    /// The keys of the bands.
    bands: &'a [u8],
    by: Comparing,
    room: Room,
    positions: Vec<usize>,
    found: Vec<Found>,
}

impl Comparing {
    /// What is found of the documents at these positions, in the order of answers.
    pub(crate) fn among(
        self,
        sketch: &Sketch,
        codes: &NumberedCodes,
        positions: impl Iterator<Item = usize>,
    ) -> Vec<Found> {
        at_width!(codes.codes.codes() => list, {
            let Some(fingerprint) = invariant(sketch.fingerprint.narrow(), sketch.fingerprint) else {
                return Vec::new();
            };
            let mut probe = Probe::new(fingerprint, &sketch.bands, self, Room::all(self.shape));
            positions.for_each(|at| probe.look_at(list, codes, at));
            probe.found().0
        })
    }
}

impl<'a, const WORDS: usize> Probe<'a, WORDS> {
    /// A search for documents that are like the one with this fingerprint and these bands.
    pub(crate) fn new(
        fingerprint: Fingerprint<WORDS>,
        bands: &'a [u8],
        by: Comparing,
        room: Room,
    ) -> Self {
        Self { fingerprint, bands, by, room, positions: Vec::new(), found: Vec::new() }
    }

    /// Looks through a table. Documents of `dead` are left out.
    pub(crate) fn look<D: AsRef<[u8]>>(
        &mut self,
        table: &BandTable<D>,
        dead: &Dead,
    ) -> Result<(), String> {
        let mut positions = std::mem::take(&mut self.positions);
        positions.clear();
        table.agreeing(self.bands, &mut self.room, &mut positions)?;
        for position in &positions {
            let record = table.record(*position);
            let parts = record.and_then(|record| {
                let compared = record.compared;
                let (code, sketch) = compared.split_at_checked(Fingerprint::<WORDS>::BYTES)?;
                Some((record.number, Fingerprint::from_le_bytes(code).ok()?, sketch))
            });
            let Some((number, code, sketch)) = parts else {
                return Err("a record in it is invalid".to_owned());
            };
            if !dead.has(number) {
                self.judge(number, &code, sketch);
            }
        }
        self.positions = positions;
        Ok(())
    }

    /// Looks through few documents one by one.
    pub(crate) fn look_at_each(&mut self, codes: &NumberedCodes) {
        let list = codes.codes.codes().of_width().unwrap_or_default();
        let (fingerprint, k) = (self.fingerprint, self.by.k);
        for NearCode { position, .. } in linear::within(list, &fingerprint, k) {
            self.look_at(list, codes, position);
        }
    }

    /// Looks at one entry of `codes`, whose fingerprints are those of `list`.
    fn look_at(&mut self, list: &[Fingerprint<WORDS>], codes: &NumberedCodes, at: usize) {
        if let (Some(code), Some(number)) = (list.get(at), codes.number(at)) {
            self.look_at_one(number, code, codes.sketch(at));
        }
    }

    /// Looks at one document.
    pub(crate) fn look_at_one(&mut self, number: u64, code: &Fingerprint<WORDS>, sketch: &[u8]) {
        let mut bands = 0..self.by.shape.bands() as usize;
        if bands.any(|band| key(sketch, band) == key(self.bands, band)) {
            self.judge(number, code, sketch);
        }
    }

    /// Takes a document that agrees in a band, unless it cannot be alike.
    fn judge(&mut self, number: u64, code: &Fingerprint<WORDS>, sketch: &[u8]) {
        let Comparing { shape, k, min_similarity } = self.by;
        let distance = code.distance(&self.fingerprint);
        if distance > k {
            return;
        }
        let similarity = shape.similarity(self.bands, sketch);
        // Where features decide, an estimate refuses nothing.
        if min_similarity.verifies() || min_similarity.reaches(similarity) {
            let alike = Some(Alike { similarity, measure: Measure::EstimatedJaccard });
            self.found.push(Found { doc: number, distance, alike });
        }
    }

    /// What was found, in the order of answers, and whether documents were left out for which there was no room.
    pub(crate) fn found(mut self) -> (Vec<Found>, bool) {
        self.found.sort_unstable_by(Found::order);
        (self.found, self.room.is_cut())
    }
}
