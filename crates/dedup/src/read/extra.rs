//! What is done with the features of a document that may be near others, beside its fingerprint.

use crate::memory::columns::Packer;
use crate::read::rarity::Rarity;
use crate::read::search_input::Task;
use crate::read::sketched_batch::SketchedBatch;
use nearprint_fingerprint::{BandSketcher, FeatureList, Outcome, Width, angle_code};
use nearprint_rules::Featureless;
use std::sync::Arc;

/// What packs sketches, and how documents without features are handled.
pub(crate) type Packing = (Packer, Featureless);

/// What a worker does with features.
#[derive(Default)]
pub(crate) struct Extra {
    /// The width of the codes of angles, where they are made.
    angle: Option<Width>,
    bands: Option<BandSketcher>,
    /// Whether no fingerprint is asked for.
    unsigned: bool,
    /// What packs sketches, where that is asked for, and how documents without features are handled.
    packing: Option<Packing>,
    /// Whether the keys themselves are kept.
    keys: bool,
    /// Whether the weights of the features are kept beside them.
    weights: bool,
    rarity: Option<Arc<Rarity>>,
}

impl Extra {
    /// What a task asks for; codes of angles have the width of the fingerprints.
    pub(crate) fn of(task: &Task, width: Width) -> Self {
        let bands = |shape| Some(BandSketcher::new(shape));
        match task {
            Task::Nothing | Task::Bytes | Task::Verify => Self::default(),
            Task::Angle => Self { angle: Some(width), ..Self::default() },
            Task::Sketch(shape) => Self { bands: bands(*shape), ..Self::default() },
            Task::SketchUnsigned(shape) => {
                Self { bands: bands(*shape), unsigned: true, ..Self::default() }
            }
            Task::SketchAndKeys(shape) => {
                Self { bands: bands(*shape), keys: true, ..Self::default() }
            }
            Task::Keys => Self { keys: true, ..Self::default() },
            Task::KeysAndWeights => Self { keys: true, weights: true, ..Self::default() },
            Task::Count(rarity) => Self { rarity: Some(Arc::clone(rarity)), ..Self::default() },
        }
    }

    /// The same, with sketches packed.
    pub(crate) fn packing(self, packing: Option<Packing>) -> Self {
        Self { packing, ..self }
    }

    /// Whether nobody asks for features.
    pub(crate) fn is_nothing(&self) -> bool {
        self.bands.is_none() && !self.keys && self.rarity.is_none() && self.angle.is_none()
    }

    /// Whether no fingerprint is asked for.
    pub(crate) fn is_unsigned(&self) -> bool {
        self.unsigned
    }

    /// Takes the features of a document that was read; what is made of them goes to `batch`.
    pub(crate) fn take_seen(&mut self, seen: &Outcome<'_>, batch: &mut SketchedBatch) {
        if self.angle.is_some() || self.weights {
            self.take_list(&seen.list(), batch);
        } else if !self.is_nothing() {
            self.take(&seen.unsorted_keys(), batch);
        }
    }

    /// Takes the features of a document, with their weights where it has some.
    pub(crate) fn take_list(&mut self, list: &FeatureList, batch: &mut SketchedBatch) {
        if let Some(width) = self.angle {
            let code = angle_code(list, width);
            batch.bands.extend(code.words().iter().flat_map(|word| word.to_le_bytes()));
        } else if self.weights {
            batch.keys.extend_from_slice(list.keys());
            batch.weights.extend_from_slice(list.weights());
            // A list of a set has no weights: all are 1.
            batch.weights.resize(batch.keys.len(), 1.0);
        } else {
            self.take(list.keys(), batch);
        }
    }

    /// Takes the features of a document by their keys, in any order and as often as they come; its sketch and its keys go
    /// to `batch`.
    pub(crate) fn take(&mut self, keys: &[u64], batch: &mut SketchedBatch) {
        if let Some(bands) = &mut self.bands {
            bands.sketch(keys, &mut batch.bands);
        }
        if self.keys {
            let mut keys = keys.to_vec();
            keys.sort_unstable();
            keys.dedup();
            batch.keys.append(&mut keys);
        }
        if let Some(rarity) = &self.rarity {
            rarity.add(keys);
        }
    }

    /// Ends a record: one without features has a sketch of zeros, or a code of zeros, and no keys.
    pub(crate) fn end_record(&self, batch: &mut SketchedBatch) {
        if let Some(bands) = &self.bands {
            let (shape, packed) = (bands.shape(), batch.packed_records);
            let begin = (batch.codes.len() - packed) * shape.bytes();
            batch.bands.resize((batch.records.len() - packed) * shape.bytes(), 0);
            let sketches = batch.bands.get(begin..).unwrap_or_default();
            batch
                .codes
                .extend(sketches.chunks_exact(shape.bytes()).map(|sketch| shape.code(sketch)));
            let full = self.packing.as_ref().filter(|(packer, _)| packer.is_full(&batch.bands));
            full.into_iter().for_each(|(packer, featureless)| batch.pack(packer, *featureless));
        }
        if let Some(width) = self.angle {
            batch.bands.resize(batch.records.len() * width.bits() as usize / 8, 0);
        }
        if self.keys {
            batch.key_ends.push(batch.keys.len());
        }
    }

    /// Ends a batch.
    pub(crate) fn end_batch(&self, batch: &mut SketchedBatch) {
        if let Some((packer, featureless)) = &self.packing {
            batch.pack(packer, *featureless);
            batch.bands = Vec::new();
        }
    }
}
