//! The front door to searching: an index built in one call, asked in one call, and kept as bytes.
//!
//! The bytes are a segment, drawn in `docs/format.md`. `planning` and `segments` lay a segment out, write
//! and search it. The caller opens files.

use crate::error::Error;
use crate::neighbor::Neighbor;
use crate::planning::planner::{Planner, Purpose, Request};
use crate::radius::check_radius;
use crate::segments::batch::{Means, batches};
use crate::segments::segment::Segment;
use crate::segments::segment_builder::SegmentBuilder;
use nearprint_bits::{Codes, Fingerprint};
use std::io::{Cursor, Write};
use std::sync::atomic::AtomicBool;

/// Fingerprints, each with an id, that can be asked which of them are near a query.
///
/// `D` lends the bytes: a vector if the index was built here, or a file that the caller read or
/// mapped. `nearprint index build` writes the same bytes, and `nearprint index query` reads them.
/// The index does not trust bytes from elsewhere: damage gives an error or a wrong answer, never a
/// panic, and [`Segment::verify`] finds it.
///
/// Memory: the bytes, about two times the fingerprints for 3 of 64 bits, four for 6 of 128, seven for 12 of
/// 256, and ten at most but for tiny sets.
///
/// # Examples
/// ```
/// use nearprint_index::{Index, Neighbor};
///
/// let codes = [0b0000_u64, 0b0111, 0b0000];
/// let index = Index::build(&codes, 3)?;
/// let near = index.query(0b0001_u64)?;
/// let found: Vec<_> = near.iter().map(|near| (near.doc, near.distance)).collect();
/// assert_eq!(found, [(0, 1), (2, 1), (1, 2)]);
///
/// let mut file = Vec::new();
/// index.write_to(&mut file)?;
/// let again = Index::<_, 1>::open(file)?;
/// assert_eq!(again.query(0b0001_u64)?, near);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007, section 3.
#[derive(Debug)]
pub struct Index<D, const WORDS: usize> {
    segment: Segment<D, WORDS>,
    k: u32,
}

impl<const WORDS: usize> Index<Vec<u8>, WORDS> {
    /// Builds an index of `codes` for queries within `k` bits. The id of a code is its position.
    ///
    /// `codes` holds `u64`, `u128` or [`Fingerprint`]s, in any order; equal ones are all found. Sorts
    /// on rayon's current pool.
    ///
    /// # Complexity
    /// A sort of the codes for each table. Memory beside the bytes: twice the codes, and 16 bytes a
    /// code.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] if `k` is more than the width of the codes.
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::Index;
    ///
    /// let index = Index::build(&[0xff_u128, 0x0f], 6)?;
    /// assert_eq!((index.len(), index.k(), index.width()), (2, 6, 128));
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn build<C>(codes: &[C], k: u32) -> Result<Self, Error>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        Self::of(None, codes, k, None)
    }

    /// Builds an index as [`Index::build`] does, in which each code has the id at its position in
    /// `ids`. Several codes may have the same id.
    ///
    /// # Errors
    /// As [`Index::build`]; [`Error::IdCount`] if the numbers of ids and of codes differ.
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::Index;
    ///
    /// let index = Index::build_with_ids(&[1001, 7], &[0x0f_u64, 0xff], 3)?;
    /// assert_eq!(index.nearest(0xfe_u64)?.map(|near| near.doc), Some(7));
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn build_with_ids<C>(ids: &[u64], codes: &[C], k: u32) -> Result<Self, Error>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        Self::of(Some(ids), codes, k, None)
    }

    /// Builds an index as [`Index::build_with_ids`] does, or as [`Index::build`] without ids, and gives up
    /// soon after somebody sets `stop`.
    ///
    /// # Errors
    /// As [`Index::build_with_ids`]; [`Error::Interrupted`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::{Error, Index};
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let codes: Vec<u64> = (0..100_000).collect();
    /// let built = Index::build_stopped_by(None, &codes, 3, &AtomicBool::new(true));
    /// assert!(matches!(built, Err(Error::Interrupted)));
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn build_stopped_by<C>(
        ids: Option<&[u64]>,
        codes: &[C],
        k: u32,
        stop: &AtomicBool,
    ) -> Result<Self, Error>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        Self::of(ids, codes, k, Some(stop))
    }

    fn of<C>(
        ids: Option<&[u64]>,
        codes: &[C],
        k: u32,
        stop: Option<&AtomicBool>,
    ) -> Result<Self, Error>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        if let Some(ids) = ids
            && ids.len() != codes.len()
        {
            return Err(Error::IdCount { ids: ids.len(), codes: codes.len() });
        }
        let id = |at: usize| ids.map_or(at as u64, |ids| ids.get(at).copied().unwrap_or(at as u64));
        let entries = || codes.iter().enumerate().map(|(at, code)| ((*code).into(), id(at)));
        let (documents, width) = (codes.len() as u64, Fingerprint::<WORDS>::BITS);
        let purpose = Purpose::Batch;
        let request = Request { documents, width, k, ids: true, memory: None, purpose };
        let planner = Planner::new(request)?;
        let mut file = Cursor::new(Vec::new());
        let layout = planner.choose()?.layout().clone();
        let builder = SegmentBuilder::new(layout, None, usize::MAX);
        let builder = match stop {
            Some(stop) => builder.stopped_by(stop),
            None => builder,
        };
        builder.build(entries, &mut file)?;
        Self::open(file.into_inner())
    }
}

impl<D: AsRef<[u8]>, const WORDS: usize> Index<D, WORDS> {
    /// Opens the bytes of an index or of a segment. Reads its last bytes only.
    ///
    /// The bytes name the radius that they were built for. Those of an earlier release without tables name none and
    /// open with radius 0: give the radius by [`Index::with_radius`].
    ///
    /// # Complexity
    /// Constant, whatever the size.
    ///
    /// # Errors
    /// As [`Segment::open`]; [`Error::SegmentWidth`] if the bytes hold fingerprints of another width.
    pub fn open(bytes: D) -> Result<Self, Error> {
        let segment = Segment::open(bytes)?;
        let k = segment.layout().k();
        Ok(Self { segment, k })
    }

    /// The index with `k` bits as the radius of [`Index::query`], [`Index::nearest`] and
    /// [`Index::query_all`]. Beyond the radius that it was built for the index compares with every fingerprint.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::Index;
    ///
    /// let built = Index::build(&[0_u64, 0xffff_ffff], 3)?;
    /// let opened = Index::<_, 1>::open(built.as_bytes())?.with_radius(32)?;
    /// assert_eq!((opened.query(0_u64)?.len(), built.query(0_u64)?.len()), (2, 1));
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn with_radius(self, k: u32) -> Result<Self, Error> {
        check_radius(k, self.width())?;
        Ok(Self { k, ..self })
    }

    /// The ids within [`Index::k`] bits of `code`, nearest first, then by id.
    ///
    /// # Complexity
    /// Microseconds for small radii, as [`Segment::search`] tells; a comparison with every
    /// fingerprint if `k` is so large that tables do not pay.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the bytes are damaged.
    pub fn query(&self, code: impl Into<Fingerprint<WORDS>>) -> Result<Vec<Neighbor>, Error> {
        self.query_within(code, self.k)
    }

    /// The ids within `k` bits of `code`, nearest first, then by id.
    ///
    /// # Complexity
    /// As [`Index::query`] up to [`Index::k`]. For a larger radius the index compares with every
    /// fingerprint.
    ///
    /// # Errors
    /// As [`Index::query`]; [`Error::RadiusOverWidth`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::Index;
    ///
    /// let index = Index::build(&[0_u64, 0b1, 0b11_1111], 3)?;
    /// let near = |k| index.query_within(0_u64, k).map(|near| near.len());
    /// assert_eq!([near(0)?, near(3)?, near(6)?], [1, 2, 3]);
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn query_within(
        &self,
        code: impl Into<Fingerprint<WORDS>>,
        k: u32,
    ) -> Result<Vec<Neighbor>, Error> {
        let answers = self.segment.batch(&[code.into()], k, None, self.means(k))?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// The nearest id within [`Index::k`] bits of `code`; of equally near ones the lowest.
    ///
    /// # Errors
    /// As [`Index::query`].
    pub fn nearest(&self, code: impl Into<Fingerprint<WORDS>>) -> Result<Option<Neighbor>, Error> {
        let answers = self.segment.batch(&[code.into()], self.k, Some(1), self.means(self.k))?;
        Ok(answers.into_iter().flatten().next())
    }

    /// What [`Index::query`] answers for each of `codes`, in their order. Runs on rayon's current
    /// pool.
    ///
    /// # Complexity
    /// Several times faster than one query after the other, as the queries wait for memory together.
    ///
    /// # Errors
    /// As [`Index::query`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::Index;
    ///
    /// let index = Index::build(&[0_u64, 0b1, 0b11_1111], 3)?;
    /// let near = index.query_all(&[0_u64, u64::MAX])?;
    /// assert_eq!([near[0].len(), near[1].len()], [2, 0]);
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn query_all<C>(&self, codes: &[C]) -> Result<Vec<Vec<Neighbor>>, Error>
    where
        C: Copy + Into<Fingerprint<WORDS>>,
    {
        let queries: Vec<_> = codes.iter().map(|code| (*code).into()).collect();
        let queries = Codes::of(&queries);
        batches(self.segment.of_any_width(), queries, self.k, self.means(self.k))
    }

    /// The tables for a radius that they serve, else the scan.
    fn means(&self, k: u32) -> Means {
        if k <= self.segment.layout().k() { Means::Tables } else { Means::Scan }
    }

    /// The number of ids. Equal fingerprints count one by one.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.segment.documents()
    }

    /// Whether there is no fingerprint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segment.is_empty()
    }

    /// The radius of [`Index::query`], in bits: the one that the index was built for, or that
    /// [`Index::with_radius`] gave it.
    #[must_use]
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The bits of a fingerprint.
    #[must_use]
    pub fn width(&self) -> u32 {
        Fingerprint::<WORDS>::BITS
    }

    /// The segment underneath, which answers more than the index does.
    #[must_use]
    pub fn segment(&self) -> &Segment<D, WORDS> {
        &self.segment
    }

    /// The bytes to keep: [`Index::open`] takes them back.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.segment.as_bytes()
    }

    /// Writes [`Index::as_bytes`].
    ///
    /// # Errors
    /// [`Error::Write`] with the system's answer.
    pub fn write_to(&self, mut out: impl Write) -> Result<(), Error> {
        let written = out.write_all(self.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| Error::Write { message: error.to_string() })
    }
}
