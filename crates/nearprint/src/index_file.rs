//! An index that is kept in a file. What an index is and how it searches is in `nearprint-index`.
#![expect(unsafe_code, reason = "mapping a file is a promise that nobody changes it")]

use crate::error::IndexError;
use atomic_write_file::AtomicWriteFile;
use memmap2::Mmap;
use nearprint_bits::Fingerprint;
use nearprint_index::Neighbor;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Fingerprints of `WORDS` x 64 bits that can be asked which of them are near a query; built in memory,
/// or opened from a file without reading it.
///
/// Every fingerprint within the radius is found, always: the search is exact.
///
/// Memory: a built index holds about two times the bytes of its fingerprints for 3 of 64 bits, four for 6
/// of 128, seven for 12 of 256; an opened index is mapped, and the system loads what queries touch.
///
/// # Examples
/// ```
/// use nearprint::{Index, Index64};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pages.seg");
/// let index = Index::build_with_ids(&[1001, 1002], &[0x0f_u64, 0xff], 3)?;
/// index.save(&path)?;
/// let index = Index64::open(&path)?;
/// let near = index.query(0x1f_u64)?;
/// assert_eq!((near[0].doc, near[0].distance), (1001, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007, section 3.
#[derive(Debug)]
pub struct Index<const WORDS: usize>(Bytes<WORDS>);

/// An index of 64-bit fingerprints.
pub type Index64 = Index<1>;
/// An index of 128-bit fingerprints.
pub type Index128 = Index<2>;
/// An index of 256-bit fingerprints.
pub type Index256 = Index<4>;

/// Where the bytes of an index are.
#[derive(Debug)]
enum Bytes<const WORDS: usize> {
    Built(nearprint_index::Index<Vec<u8>, WORDS>),
    Mapped(nearprint_index::Index<Mmap, WORDS>),
}

/// The same call on an index, wherever its bytes are.
macro_rules! index {
    ($bytes:expr, $index:ident => $call:expr) => {
        match $bytes {
            Bytes::Built($index) => $call,
            Bytes::Mapped($index) => $call,
        }
    };
}

impl<const WORDS: usize> Index<WORDS> {
    /// Builds an index of `codes` for queries within `k` bits. The id of a code is its position.
    ///
    /// `codes` holds `u64`, `u128` or [`Fingerprint`]s, in any order; a query finds all equal ones.
    ///
    /// # Complexity
    /// A sort of the codes for each table.
    ///
    /// # Errors
    /// `k` is larger than the width of the codes.
    ///
    /// # Examples
    /// ```
    /// let index = nearprint::Index::build(&[0b0000_u64, 0b0111, 0b0000], 3)?;
    /// let found: Vec<_> = index.query(0b0001_u64)?.iter().map(|near| near.doc).collect();
    /// assert_eq!(found, [0, 2, 1]);
    /// # Ok::<(), nearprint::IndexError>(())
    /// ```
    pub fn build<C>(codes: &[C], k: u32) -> Result<Self, IndexError>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        Ok(Self(Bytes::Built(nearprint_index::Index::build(codes, k)?)))
    }

    /// Builds an index as [`Index::build`] does. Each code has the id at its position in `ids`; several
    /// codes may share an id.
    ///
    /// # Errors
    /// As [`Index::build`]; `ids` and `codes` differ in length.
    pub fn build_with_ids<C>(ids: &[u64], codes: &[C], k: u32) -> Result<Self, IndexError>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        Ok(Self(Bytes::Built(nearprint_index::Index::build_with_ids(ids, codes, k)?)))
    }

    /// Builds an index as [`Index::build_with_ids`] does, or as [`Index::build`] without ids, and gives up
    /// soon after somebody sets `stop`.
    ///
    /// # Errors
    /// As [`Index::build_with_ids`]; [`IndexError::Index`] where it was stopped.
    pub fn build_stopped_by<C>(
        ids: Option<&[u64]>,
        codes: &[C],
        k: u32,
        stop: &AtomicBool,
    ) -> Result<Self, IndexError>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        let built = nearprint_index::Index::build_stopped_by(ids, codes, k, stop)?;
        Ok(Self(Bytes::Built(built)))
    }

    /// Writes the index to `path`: the whole file, or nothing. `nearprint index query` reads it.
    ///
    /// # Errors
    /// [`IndexError::File`] with the system's answer.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), IndexError> {
        let path = path.as_ref();
        let bytes = index!(&self.0, index => index.as_bytes());
        let written = AtomicWriteFile::open(path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.commit()
        });
        written.map_err(|source| IndexError::File { path: path.to_owned(), source })
    }

    /// Opens an index, or a segment that `nearprint index build` wrote, by mapping the file.
    ///
    /// The file names the radius that it was built for. Files of an earlier release without tables name none and open
    /// with radius 0: give the radius by [`Index::with_radius`].
    ///
    /// Nobody may change the file while the index is open: a file that shrinks ends the process, other
    /// changes give wrong answers. [`Index::save`] and `nearprint` never change a file in place.
    ///
    /// # Complexity
    /// Constant, whatever the size of the file.
    ///
    /// # Errors
    /// [`IndexError::File`] where the file cannot be read; [`IndexError::Bytes`] where it is not an index,
    /// is damaged, or holds fingerprints of another width.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, IndexError> {
        let path = path.as_ref();
        let map = File::open(path).and_then(|file| {
            if file.metadata()?.is_dir() {
                return Err(ErrorKind::IsADirectory.into());
            }
            // SAFETY: the map is read-only. That nobody shortens or changes the file meanwhile is what
            // this function asks of its caller; every offset in it is checked against its length.
            unsafe { Mmap::map(&file) }
        });
        let map = map.map_err(|source| IndexError::File { path: path.to_owned(), source })?;
        let opened = nearprint_index::Index::open(map);
        let index = opened.map_err(|source| IndexError::Bytes { path: path.to_owned(), source })?;
        Ok(Self(Bytes::Mapped(index)))
    }

    /// Reads the whole index and compares it with its checksums. [`Index::open`] reads the last bytes alone.
    ///
    /// # Errors
    /// [`IndexError::Index`] naming the part that is damaged.
    pub fn verify(&self) -> Result<(), IndexError> {
        Ok(index!(&self.0, index => index.segment().verify())?)
    }

    /// The index with `k` bits as the radius of [`Index::query`], [`Index::nearest`] and
    /// [`Index::query_all`]. Beyond the radius that it was built for the index compares with every fingerprint.
    ///
    /// # Errors
    /// `k` is larger than the width.
    ///
    /// # Examples
    /// ```
    /// use nearprint::{Index, Index64};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("pages.seg");
    /// Index::build(&[0_u64, 0xffff_ffff], 3)?.save(&path)?;
    /// let index = Index64::open(&path)?.with_radius(32)?;
    /// assert_eq!(index.query(0_u64)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_radius(self, k: u32) -> Result<Self, IndexError> {
        Ok(Self(match self.0 {
            Bytes::Built(index) => Bytes::Built(index.with_radius(k)?),
            Bytes::Mapped(index) => Bytes::Mapped(index.with_radius(k)?),
        }))
    }

    /// The ids within [`Index::k`] bits of `code`, nearest first, then by id.
    ///
    /// # Complexity
    /// Microseconds for the usual radii; a comparison with every fingerprint where tables do not pay.
    ///
    /// # Errors
    /// The bytes of an opened index are damaged.
    pub fn query(&self, code: impl Into<Fingerprint<WORDS>>) -> Result<Vec<Neighbor>, IndexError> {
        Ok(index!(&self.0, index => index.query(code))?)
    }

    /// The ids within `k` bits of `code`, nearest first, then by id. A radius larger than [`Index::k`] is
    /// answered by comparing with every fingerprint.
    ///
    /// # Errors
    /// As [`Index::query`]; `k` is larger than the width.
    ///
    /// # Examples
    /// ```
    /// let index = nearprint::Index::build(&[0_u64, 0b1, 0b11_1111], 3)?;
    /// assert_eq!(index.query_within(0_u64, 6)?.len(), 3);
    /// # Ok::<(), nearprint::IndexError>(())
    /// ```
    pub fn query_within(
        &self,
        code: impl Into<Fingerprint<WORDS>>,
        k: u32,
    ) -> Result<Vec<Neighbor>, IndexError> {
        Ok(index!(&self.0, index => index.query_within(code, k))?)
    }

    /// The nearest id within [`Index::k`] bits of `code`; of equally near ones the lowest.
    ///
    /// # Errors
    /// As [`Index::query`].
    ///
    /// # Examples
    /// ```
    /// let index = nearprint::Index::build(&[0b0111_u64, 0b0001], 3)?;
    /// assert_eq!(index.nearest(0b0000_u64)?.map(|near| near.doc), Some(1));
    /// # Ok::<(), nearprint::IndexError>(())
    /// ```
    pub fn nearest(
        &self,
        code: impl Into<Fingerprint<WORDS>>,
    ) -> Result<Option<Neighbor>, IndexError> {
        Ok(index!(&self.0, index => index.nearest(code))?)
    }

    /// What [`Index::query`] answers for each of `codes`, in their order, on all threads of rayon's pool.
    ///
    /// # Errors
    /// As [`Index::query`].
    ///
    /// # Examples
    /// ```
    /// let index = nearprint::Index::build(&[0_u64, 0b1, 0b11_1111], 3)?;
    /// let near = index.query_all(&[0_u64, u64::MAX])?;
    /// assert_eq!([near[0].len(), near[1].len()], [2, 0]);
    /// # Ok::<(), nearprint::IndexError>(())
    /// ```
    pub fn query_all<C>(&self, codes: &[C]) -> Result<Vec<Vec<Neighbor>>, IndexError>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        Ok(index!(&self.0, index => index.query_all(codes))?)
    }

    /// The number of codes; of equal ones each counts.
    #[must_use]
    pub fn len(&self) -> u64 {
        index!(&self.0, index => index.len())
    }

    /// Whether the index holds no code.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The radius of [`Index::query`], in bits.
    #[must_use]
    pub fn k(&self) -> u32 {
        index!(&self.0, index => index.k())
    }
}
