//! What the first reading keeps of documents for the search beside their fingerprints: by how pairs are found.

use crate::error::Error;
use crate::memory::columns::{Columns, Packed, Packer};
use crate::memory::limits::Memory;
use crate::memory::state::{StateReader, StateWriter};
use crate::read::rarity::Rarity;
use nearprint_fingerprint::{BandShape, Fingerprint128};
use nearprint_rules::{Finding, Likeness};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Bytes of input to a byte of counts, two features each.
const TEXT: u64 = 32;

/// What the search needs of every document.
#[derive(Debug)]
pub(crate) enum SearchInput {
    /// Its fingerprint alone.
    Fingerprints {
        /// Whether features decide in the end.
        verified: bool,
    },
    /// Its [code](nearprint_fingerprint::angle_code) beside its fingerprint: words of 64 bits.
    Angles(Vec<u64>),
    /// Its sketch.
    Sketches {
        columns: Columns,
        /// Whether its fingerprint is made, too: nothing but reports asks for it.
        signed: bool,
    },
    /// How rare its features are.
    Rarity(Arc<Rarity>),
    /// Nothing: the hash of its text.
    Bytes,
}

/// What a worker does with the features of a document for it.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// Fingerprints decide.
    Nothing,
    /// The bytes of texts decide.
    Bytes,
    /// Features decide in the end.
    Verify,
    /// The codes of the angles of documents.
    Angle,
    Sketch(BandShape),
    /// Its sketch, and no fingerprint.
    SketchUnsigned(BandShape),
    /// Beside its sketch, the keys of its features.
    SketchAndKeys(BandShape),
    /// The keys of its features alone.
    Keys,
    /// These with the weights of the features.
    KeysAndWeights,
    Count(Arc<Rarity>),
}

impl SearchInput {
    /// Nothing is read yet, of about so many bytes; files will be in `dir`. Where documents are found without their
    /// fingerprints, these are made if they are to be `signed`.
    pub(crate) fn new(
        likeness: &Likeness,
        signed: bool,
        bytes: u64,
        memory: Memory,
        dir: &Path,
    ) -> Self {
        match likeness.finding() {
            Finding::Radius => Self::by_radius(likeness),
            Finding::Bands(shape) => Self::Sketches { columns: Columns::new(shape, dir), signed },
            Finding::Bytes => Self::Bytes,
            Finding::Prefixes => {
                let features = usize::try_from(bytes / TEXT).unwrap_or(usize::MAX);
                Self::Rarity(Arc::new(Rarity::new(features, memory.of_rarity())))
            }
        }
    }

    fn by_radius(likeness: &Likeness) -> Self {
        if likeness.finds_by_angle() {
            return Self::Angles(Vec::new());
        }
        Self::Fingerprints { verified: likeness.verify().is_checked() }
    }

    /// About how many bytes counts take for so many bytes of input.
    pub(crate) fn bytes_of_counts(bytes: u64, memory: Memory) -> u64 {
        (bytes / TEXT).next_power_of_two().min(memory.of_rarity() as u64)
    }

    /// What workers do.
    pub(crate) fn task(&self) -> Task {
        match self {
            Self::Fingerprints { verified: false } => Task::Nothing,
            Self::Fingerprints { verified: true } => Task::Verify,
            Self::Angles(_) => Task::Angle,
            Self::Sketches { columns, signed: true } => Task::Sketch(columns.shape()),
            Self::Sketches { columns, signed: false } => Task::SketchUnsigned(columns.shape()),
            Self::Rarity(rarity) => Task::Count(Arc::clone(rarity)),
            Self::Bytes => Task::Bytes,
        }
    }

    /// Takes the code of a document, where it goes by angles.
    pub(crate) fn push(&mut self, code: &[u8]) {
        if let Self::Angles(words) = self {
            let (of_code, _) = code.as_chunks::<8>();
            words.extend(of_code.iter().map(|word| u64::from_le_bytes(*word)));
        }
    }

    /// What packs sketches for it, where it goes by these.
    pub(crate) fn packer(&self) -> Option<Packer> {
        match self {
            Self::Sketches { columns, .. } => Some(columns.packer()),
            Self::Fingerprints { .. } | Self::Angles(_) | Self::Rarity(_) | Self::Bytes => None,
        }
    }

    /// Takes the sketches of the next documents.
    ///
    /// # Errors
    /// Those of the columns.
    pub(crate) fn take(&mut self, packed: Packed) -> Result<(), Error> {
        match self {
            Self::Sketches { columns, .. } => columns.push(packed),
            Self::Fingerprints { .. } | Self::Angles(_) | Self::Rarity(_) | Self::Bytes => Ok(()),
        }
    }

    /// Bytes that are made of each document for it, whose fingerprints have so many words.
    pub(crate) fn bytes(&self, words: usize) -> usize {
        match self {
            Self::Sketches { columns, .. } => columns.shape().bytes(),
            Self::Angles(_) => 8 * words,
            Self::Fingerprints { .. } | Self::Rarity(_) | Self::Bytes => 0,
        }
    }

    /// The code of a document's sketch, where it goes by sketches.
    pub(crate) fn code(&self, sketch: &[u8]) -> Option<Fingerprint128> {
        match self {
            Self::Sketches { columns, .. } => Some(columns.shape().code(sketch)),
            Self::Fingerprints { .. } | Self::Angles(_) | Self::Rarity(_) | Self::Bytes => None,
        }
    }

    /// Whether documents have fingerprints.
    pub(crate) fn is_signed(&self) -> bool {
        !matches!(self, Self::Sketches { signed: false, .. })
    }

    /// The folder of its files, where it has one.
    pub(crate) fn dir(&self) -> Option<&Path> {
        match self {
            Self::Sketches { columns, .. } => Some(columns.dir()),
            Self::Fingerprints { .. } | Self::Angles(_) | Self::Rarity(_) | Self::Bytes => None,
        }
    }

    /// Puts in all of it.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        match self {
            Self::Fingerprints { .. } | Self::Bytes => Ok(()),
            Self::Angles(words) => state.numbers(words.iter().copied()),
            Self::Sketches { columns, .. } => columns.save(state),
            Self::Rarity(rarity) => rarity.save(state),
        }
    }

    /// What [`Self::save`] put in, of the same likeness, of documents that were `signed` or not; files will be in `dir`.
    pub(crate) fn restore(
        likeness: &Likeness,
        signed: bool,
        state: &mut StateReader,
        dir: &Path,
    ) -> io::Result<Self> {
        Ok(match likeness.finding() {
            Finding::Radius if likeness.finds_by_angle() => Self::Angles(state.numbers()?),
            Finding::Radius => Self::by_radius(likeness),
            Finding::Bands(shape) => {
                Self::Sketches { columns: Columns::restore(state, shape, dir)?, signed }
            }
            Finding::Bytes => Self::Bytes,
            Finding::Prefixes => Self::Rarity(Arc::new(Rarity::restore(state)?)),
        })
    }
}
