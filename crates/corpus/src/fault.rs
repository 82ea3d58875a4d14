//! Why a record has no bytes that could be parsed. The message is `error`'s.

/// What is wrong with a record as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is longer than the limit.
    TooLong,
    /// A field opens with a quote that nothing closes.
    OpenQuote,
}
