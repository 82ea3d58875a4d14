//! Questions that this crate cannot answer, and bytes that it cannot read. Imports no sibling.

use nearprint_bits::ErrorKind;
use std::fmt;
use thiserror::Error;

/// A question about fingerprints that cannot be answered as asked.
///
/// # Examples
/// ```
/// use nearprint_index::{Error, pairs};
///
/// assert_eq!(pairs(&[1_u64, 2], 65), Err(Error::RadiusOverWidth { k: 65, width: 64 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The radius is wider than the fingerprint.
    #[error("k = {k} is more than the {width} bits of the fingerprint; use at most {width}")]
    RadiusOverWidth {
        /// The radius asked for.
        k: u32,
        /// The bits of the fingerprint.
        width: u32,
    },
    /// The radius is wider than the one that the tables were built for.
    #[error(
        "k = {k} is more than the radius {built} that the tables were built for; build them for k = {k}"
    )]
    RadiusOverTables {
        /// The radius asked for.
        k: u32,
        /// The radius that the tables were built for.
        built: u32,
    },
    /// The codes are not sorted, or one repeats.
    #[error(
        "the code at position {position} is not above the one before it; sort the codes and keep each once"
    )]
    NotAscending {
        /// Position of the first code that is out of order, from 0.
        position: usize,
    },
    /// The scheme of tables does not fit the width.
    #[error(
        "no such tables for {width} bits: the width is 64, 128 or 256; parts are 1 or more, of 8 bits \
         or more each; prefixes are 1 to 64, each of some bits of the fingerprint, none of them twice"
    )]
    Scheme {
        /// Bits of a fingerprint.
        width: u32,
    },
    /// No plan fits the memory allowed.
    #[error(
        "no plan for {documents} fingerprints of {width} bits and k = {k} fits into {}: the smallest, \
         {plan}, takes {}; allow that much, or take fewer fingerprints at a time",
        Size(*.memory),
        Size(*.needed)
    )]
    Budget {
        /// Fingerprints to be held.
        documents: u64,
        /// Bits of a fingerprint.
        width: u32,
        /// The radius.
        k: u32,
        /// Bytes allowed.
        memory: u64,
        /// The smallest plan.
        plan: String,
        /// Its bytes.
        needed: u64,
    },
    /// The numbers of ids and of fingerprints differ.
    #[error("{ids} ids for {codes} fingerprints; give one id for each fingerprint")]
    IdCount {
        /// Ids given.
        ids: usize,
        /// Fingerprints given.
        codes: usize,
    },
    /// A list of all pairs has no room.
    #[error(
        "{pairs} pairs take more memory than there is: every two equal fingerprints are a pair; fold them, or visit \
         the pairs without a list"
    )]
    PairMemory {
        /// The pairs.
        pairs: u64,
    },
    /// The caller asked the call to stop, and the call left out some of its work.
    #[error("interrupted")]
    Interrupted,
    /// No plan has that name.
    #[error("no plan {name} for {width} bits and k = {k}; there are {known}")]
    PlanName {
        /// The name asked for.
        name: String,
        /// Bits of a fingerprint.
        width: u32,
        /// The radius.
        k: u32,
        /// The names of all plans.
        known: String,
    },
    /// The bytes are not a segment.
    #[error("not a nearprint segment, or truncated: the footer is missing")]
    NoSegment,
    /// The segment has a version that this release does not read.
    #[error(
        "a segment of version {found}; this release reads versions 1 to {known}: build it again"
    )]
    SegmentVersion {
        /// Version of the segment.
        found: u32,
        /// The latest version that this release reads.
        known: u32,
    },
    /// The segment was built without ids.
    #[error(
        "the segment was built without ids: it finds fingerprints, not documents; query \
         fingerprints, or build it with ids"
    )]
    NoIds,
    /// The segment holds fingerprints of another width.
    #[error("the segment holds fingerprints of {found} bits, not of {asked}")]
    SegmentWidth {
        /// Bits in the segment.
        found: u32,
        /// Bits asked for.
        asked: u32,
    },
    /// The segment is damaged.
    #[error("the segment is damaged in {what}; build it again or restore a copy")]
    Corrupt {
        /// The part of it.
        what: &'static str,
    },
    /// The tables of the segment and a scan of it give different answers.
    #[error(
        "the segment is damaged: its tables and a scan of its fingerprints give different answers; \
         build it again or restore a copy"
    )]
    Contradiction,
    /// The segment could not be written.
    #[error("cannot write the segment: {message}")]
    Write {
        /// The system's answer.
        message: String,
    },
    /// The builder read the entries of a segment again, and they were not the same.
    #[error("the fingerprints changed while the segment was built; build it again")]
    Changed,
}

impl Error {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::RadiusOverWidth { .. }
            | Self::RadiusOverTables { .. }
            | Self::NotAscending { .. }
            | Self::Scheme { .. }
            | Self::IdCount { .. }
            | Self::PlanName { .. }
            | Self::NoIds
            | Self::SegmentWidth { .. } => ErrorKind::Usage,
            Self::NoSegment | Self::SegmentVersion { .. } | Self::Changed => ErrorKind::Input,
            Self::Corrupt { .. } | Self::Contradiction => ErrorKind::Corrupt,
            Self::Write { .. } => ErrorKind::Io,
            Self::Budget { .. } | Self::PairMemory { .. } => ErrorKind::Memory,
            Self::Interrupted => ErrorKind::Interrupted,
        }
    }
}

/// A number of bytes in units of 10^n, rounded up.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes @ 0..10_000 => write!(f, "{bytes} bytes"),
            bytes @ 10_000..10_000_000 => write!(f, "{} kB", bytes.div_ceil(1000)),
            bytes => write!(f, "{} MB", bytes.div_ceil(1_000_000)),
        }
    }
}
