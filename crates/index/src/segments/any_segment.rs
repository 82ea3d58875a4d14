//! A segment of whichever width: what callers hold that are compiled once for all widths.

use crate::error::Error;
use crate::neighbor::Neighbor;
use crate::segments::batch::{self, Means};
use crate::segments::footer::Footer;
use crate::segments::found::AnyMatch;
use crate::segments::layout::Layout;
use crate::segments::segment::Segment;
use crate::segments::segment_scan::Recheck;
use nearprint_bits::{Codes, Fingerprint, Width};

/// A [`Segment`] of the width that its bytes tell. Queries are of that width.
///
/// # Examples
/// ```
/// use nearprint_bits::{Codes, Fingerprint, Width};
/// use nearprint_index::{AnySegment, Layout, Means, Scheme, SegmentBuilder};
///
/// let codes = [0b0000_u128, 0b0111].map(Fingerprint::from);
/// let mut file = std::io::Cursor::new(Vec::new());
/// let layout = Layout::new(128, 3, Scheme::Parts(2), 2)?;
/// SegmentBuilder::new(layout, None, 1 << 20).build(|| codes.into_iter().zip(100..), &mut file)?;
///
/// let segment = AnySegment::open(file.into_inner())?;
/// assert_eq!((segment.width(), segment.len()), (Width::W128, 2));
/// let near = segment.batch(Codes::of(&codes), 1, None, Means::Tables)?;
/// assert_eq!((near[0][0].doc, near[1][0].doc), (100, 101));
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Debug)]
pub enum AnySegment<D> {
    /// Of 64 bits.
    W64(Segment<D, 1>),
    /// Of 128 bits.
    W128(Segment<D, 2>),
    /// Of 256 bits.
    W256(Segment<D, 4>),
}

/// The same on a segment of each width.
macro_rules! of {
    ($any:expr, $segment:ident => $then:expr) => {
        match $any {
            AnySegment::W64($segment) => $then,
            AnySegment::W128($segment) => $then,
            AnySegment::W256($segment) => $then,
        }
    };
}

impl<D: AsRef<[u8]>> AnySegment<D> {
    /// Opens a segment.
    ///
    /// # Errors
    /// As [`Segment::open`], but for any width.
    pub fn open(bytes: D) -> Result<Self, Error> {
        let found = Footer::read(bytes.as_ref())?.layout.width();
        Ok(match Width::from_bits(found) {
            Some(Width::W64) => Self::W64(Segment::open(bytes)?),
            Some(Width::W128) => Self::W128(Segment::open(bytes)?),
            Some(Width::W256) => Self::W256(Segment::open(bytes)?),
            None => return Err(Error::SegmentWidth { found, asked: Fingerprint::<1>::BITS }),
        })
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

    /// The number of distinct fingerprints.
    #[must_use]
    pub fn len(&self) -> u64 {
        of!(self, segment => segment.len())
    }

    /// Whether there is no fingerprint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`Segment::documents`].
    #[must_use]
    pub fn documents(&self) -> u64 {
        of!(self, segment => segment.documents())
    }

    /// As [`Segment::has_ids`].
    #[must_use]
    pub fn has_ids(&self) -> bool {
        of!(self, segment => segment.has_ids())
    }

    /// As [`Segment::recipe`].
    #[must_use]
    pub fn recipe(&self) -> Option<u128> {
        of!(self, segment => segment.recipe())
    }

    /// The tables.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        of!(self, segment => segment.layout())
    }

    /// As [`Segment::section_bytes`].
    #[must_use]
    pub fn section_bytes(&self) -> (u64, Vec<(u64, u64)>) {
        of!(self, segment => segment.section_bytes())
    }

    /// As [`Segment::verify`].
    ///
    /// # Errors
    /// As [`Segment::verify`].
    pub fn verify(&self) -> Result<(), Error> {
        of!(self, segment => segment.verify())
    }

    /// As [`Segment::recheck`].
    ///
    /// # Errors
    /// As [`Segment::recheck`].
    pub fn recheck(&self, sample: usize, seed: u64) -> Result<Recheck, Error> {
        of!(self, segment => segment.recheck(sample, seed))
    }

    /// As [`Segment::batch`].
    ///
    /// # Errors
    /// As [`Segment::batch`]; queries of another width.
    pub fn batch(
        &self,
        queries: Codes<'_>,
        k: u32,
        limit: Option<usize>,
        means: Means,
    ) -> Result<Vec<Vec<Neighbor>>, Error> {
        self.takes(queries)?;
        batch::batch(of!(self, segment => segment.of_any_width()), queries, (k, limit), means)
    }

    /// As [`Segment::matches`].
    ///
    /// # Errors
    /// As [`Segment::matches`]; queries of another width.
    pub fn matches(
        &self,
        queries: Codes<'_>,
        k: u32,
        limit: Option<usize>,
        means: Means,
    ) -> Result<Vec<Vec<AnyMatch>>, Error> {
        self.takes(queries)?;
        of!(self, segment => {
            let near = segment.matches(queries.of_width().unwrap_or_default(), k, limit, means)?;
            Ok(near.into_iter().map(|near| near.into_iter().map(AnyMatch::from).collect()).collect())
        })
    }

    /// As [`Segment::any`] for each of `queries`.
    ///
    /// # Errors
    /// As [`Segment::any`]; queries of another width.
    pub fn any_of_each(&self, queries: Codes<'_>, k: u32) -> Result<Vec<Option<AnyMatch>>, Error> {
        self.takes(queries)?;
        of!(self, segment => {
            let queries = queries.of_width().unwrap_or_default();
            let any = |query| Ok(segment.any(query, k)?.map(AnyMatch::from));
            queries.iter().map(any).collect()
        })
    }

    /// The first document of a fingerprint that [`Self::any_of_each`] found.
    ///
    /// # Errors
    /// As [`Segment::documents_of`].
    pub fn first_document(&self, near: &AnyMatch) -> Result<Option<u64>, Error> {
        of!(self, segment => Ok(segment.documents_of(&(*near).into())?.next()))
    }

    /// Refuses queries of another width.
    fn takes(&self, queries: Codes<'_>) -> Result<(), Error> {
        if queries.width() == self.width() {
            return Ok(());
        }
        let (found, asked) = (self.width().bits(), queries.width().bits());
        Err(Error::SegmentWidth { found, asked })
    }
}
