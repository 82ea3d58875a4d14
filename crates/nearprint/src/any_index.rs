//! An index of a width that is known at run time.

use crate::error::IndexError;
use crate::index_file::{Index, Index64, Index128, Index256};
use nearprint_bits::{AnyFingerprint, Codes, Width};
use nearprint_index::{Error, Neighbor};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// An [`Index`] of any width: for programs that learn the width from a file or from their user.
///
/// # Examples
/// ```
/// use nearprint::{AnyIndex, Codes, Fingerprint, Index, Width};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pages.seg");
/// let codes = [7_u128, 9].map(Fingerprint::from);
/// Index::build(&codes, 3)?.save(&path)?;
/// let index = AnyIndex::open(&path, None)?;
/// assert_eq!((index.width(), index.len()), (Width::W128, 2));
/// assert_eq!(index.query_all(Codes::of(&codes))?[1][0].doc, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum AnyIndex {
    /// Of 64 bits.
    W64(Index64),
    /// Of 128 bits.
    W128(Index128),
    /// Of 256 bits.
    W256(Index256),
}

/// The same on an index of each width.
macro_rules! of {
    ($any:expr, $index:ident => $then:expr) => {
        match $any {
            AnyIndex::W64($index) => $then,
            AnyIndex::W128($index) => $then,
            AnyIndex::W256($index) => $then,
        }
    };
}

impl AnyIndex {
    /// As [`Index::build_stopped_by`].
    ///
    /// # Errors
    /// As [`Index::build_stopped_by`].
    pub fn build_stopped_by(
        ids: Option<&[u64]>,
        codes: Codes<'_>,
        k: u32,
        stop: &AtomicBool,
    ) -> Result<Self, IndexError> {
        Ok(match codes {
            Codes::W64(codes) => Self::W64(Index::build_stopped_by(ids, codes, k, stop)?),
            Codes::W128(codes) => Self::W128(Index::build_stopped_by(ids, codes, k, stop)?),
            Codes::W256(codes) => Self::W256(Index::build_stopped_by(ids, codes, k, stop)?),
        })
    }

    /// As [`Index::open`]: of `width`, or of whichever width the file has.
    ///
    /// # Errors
    /// As [`Index::open`].
    pub fn open(path: impl AsRef<Path>, width: Option<Width>) -> Result<Self, IndexError> {
        let path = path.as_ref();
        match width {
            Some(Width::W64) => Index::open(path).map(Self::W64),
            Some(Width::W128) => Index::open(path).map(Self::W128),
            Some(Width::W256) => Index::open(path).map(Self::W256),
            None => match Self::open(path, Some(Width::W64)) {
                Err(IndexError::Bytes { path: named, source }) => {
                    let Error::SegmentWidth { found, .. } = source else {
                        return Err(IndexError::Bytes { path: named, source });
                    };
                    Self::open(path, Some(Width::from_bits(found).unwrap_or(Width::W256)))
                }
                index => index,
            },
        }
    }

    /// As [`Index::save`].
    ///
    /// # Errors
    /// As [`Index::save`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), IndexError> {
        of!(self, index => index.save(path))
    }

    /// As [`Index::verify`].
    ///
    /// # Errors
    /// As [`Index::verify`].
    pub fn verify(&self) -> Result<(), IndexError> {
        of!(self, index => index.verify())
    }

    /// As [`Index::query_within`].
    ///
    /// # Errors
    /// As [`Index::query_within`]; a fingerprint of another width.
    pub fn query_within(&self, code: AnyFingerprint, k: u32) -> Result<Vec<Neighbor>, IndexError> {
        match (self, code) {
            (Self::W64(index), AnyFingerprint::W64(code)) => index.query_within(code, k),
            (Self::W128(index), AnyFingerprint::W128(code)) => index.query_within(code, k),
            (Self::W256(index), AnyFingerprint::W256(code)) => index.query_within(code, k),
            _ => Err(self.other_width(code.width())),
        }
    }

    /// As [`Index::query_all`].
    ///
    /// # Errors
    /// As [`Index::query_all`]; fingerprints of another width.
    pub fn query_all(&self, codes: Codes<'_>) -> Result<Vec<Vec<Neighbor>>, IndexError> {
        match (self, codes) {
            (Self::W64(index), Codes::W64(codes)) => index.query_all(codes),
            (Self::W128(index), Codes::W128(codes)) => index.query_all(codes),
            (Self::W256(index), Codes::W256(codes)) => index.query_all(codes),
            _ => Err(self.other_width(codes.width())),
        }
    }

    fn other_width(&self, asked: Width) -> IndexError {
        Error::SegmentWidth { found: self.width().bits(), asked: asked.bits() }.into()
    }

    /// The number of codes; of equal ones each counts.
    #[must_use]
    pub fn len(&self) -> u64 {
        of!(self, index => index.len())
    }

    /// Whether the index holds no code.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The radius that the index was built for, in bits.
    #[must_use]
    pub fn k(&self) -> u32 {
        of!(self, index => index.k())
    }

    /// Bits of a fingerprint.
    #[must_use]
    pub const fn width(&self) -> Width {
        match self {
            Self::W64(_) => Width::W64,
            Self::W128(_) => Width::W128,
            Self::W256(_) => Width::W256,
        }
    }
}
