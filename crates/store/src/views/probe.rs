//! One search by similarity: what it looks for, and what it has found.

use crate::disk::band_layout::key;
use crate::disk::band_table::{BandTable, Room};
use crate::disk::dead::Dead;
use crate::disk::sketch::Sketch;
use crate::rules::MinSimilarity;
use crate::views::codes::Codes;
use crate::views::found::Found;
use nearprint_fingerprint::{BandShape, Fingerprint, Measure};
use nearprint_index::{NearCode, linear};
use nearprint_rules::Alike;

/// A search by similarity.
pub(crate) struct Probe<'a, const WORDS: usize> {
    sketch: &'a Sketch<Fingerprint<WORDS>>,
    k: u32,
    shape: BandShape,
    min_similarity: MinSimilarity,
    room: Room,
    positions: Vec<usize>,
    found: Vec<Found>,
}

impl<'a, const WORDS: usize> Probe<'a, WORDS> {
    /// A search for documents that are like `sketch`, of this shape and within this radius.
    pub(crate) fn new(
        sketch: &'a Sketch<Fingerprint<WORDS>>,
        (shape, k): (BandShape, u32),
        min_similarity: MinSimilarity,
        room: Room,
    ) -> Self {
        Self { sketch, k, shape, min_similarity, room, positions: Vec::new(), found: Vec::new() }
    }

    /// Looks through a table. Documents of `dead` are left out.
    pub(crate) fn look<D: AsRef<[u8]>>(
        &mut self,
        table: &BandTable<D>,
        dead: &Dead,
    ) -> Result<(), String> {
        let mut positions = std::mem::take(&mut self.positions);
        positions.clear();
        table.agreeing(&self.sketch.bands, &mut self.room, &mut positions)?;
        for position in &positions {
            let record = table.record(*position);
            let parts = record.and_then(|record| Some((record.number, record.parts::<WORDS>()?)));
            let Some((number, (code, sketch))) = parts else {
                return Err("a record in it cannot be right".to_owned());
            };
            if !dead.has(number) {
                self.judge(number, &code, sketch);
            }
        }
        self.positions = positions;
        Ok(())
    }

    /// Looks through few documents one by one.
    pub(crate) fn look_at_each(&mut self, codes: &Codes<WORDS>) {
        for NearCode { position, .. } in
            linear::within(&codes.codes, &self.sketch.fingerprint, self.k)
        {
            self.look_at(codes, position);
        }
    }

    /// Looks at one entry.
    pub(crate) fn look_at(&mut self, codes: &Codes<WORDS>, at: usize) {
        let sketch = codes.sketch(at);
        let agrees = self.agrees(sketch);
        if let (true, Some(code), Some(number)) = (agrees, codes.codes.get(at), codes.number(at)) {
            self.judge(number, code, sketch);
        }
    }

    /// Looks at one document of the database.
    pub(crate) fn look_at_one(&mut self, number: u64, code: &Fingerprint<WORDS>, sketch: &[u8]) {
        if self.agrees(sketch) {
            self.judge(number, code, sketch);
        }
    }

    fn agrees(&self, sketch: &[u8]) -> bool {
        let mut bands = 0..self.shape.bands() as usize;
        bands.any(|band| key(sketch, band) == key(&self.sketch.bands, band))
    }

    /// Takes a document that agrees in a band, unless it cannot be alike.
    fn judge(&mut self, number: u64, code: &Fingerprint<WORDS>, sketch: &[u8]) {
        let distance = code.distance(&self.sketch.fingerprint);
        if distance > self.k {
            return;
        }
        let similarity = self.shape.similarity(&self.sketch.bands, sketch);
        // Where features decide, an estimate refuses nothing.
        if self.min_similarity.verifies() || self.min_similarity.reaches(similarity) {
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
