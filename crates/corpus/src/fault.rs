//! Why a record has no bytes that could be parsed. The message is `error`'s.

/// What is wrong with a record as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is longer than the limit.
    TooLong,
    /// A field opens with a quote that nothing closes.
    OpenQuote,
    /// Text follows a quote that closes a field, so many lines behind the first.
    StrayQuote(u64),
    /// A quoted field seems to hold rows, and ends so many lines behind the first.
    Swallowed(u64),
    /// No WARC record begins where one is expected.
    NoRecord,
    /// The head of a WARC record cannot be used, for this reason.
    Head(&'static str),
    /// No ARC record begins where one is expected.
    NoArcRecord,
    /// The block of an ARC record does not end where its line says, after so many bytes.
    ArcLength(u64),
    /// The file ends in the block of an ARC record, which has so many bytes.
    ArcCut(u64),
    /// The file ends in the head of a WARC record.
    HeadCut,
    /// The block of a WARC record does not end where its head says, after so many bytes.
    BlockLength(u64),
    /// The file ends in the block of a WARC record, which has so many bytes.
    BlockCut(u64),
}
