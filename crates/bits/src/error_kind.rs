//! What sort of failure an error is, the same in every crate.

/// What sort of failure an error is. Every error of the workspace tells its own by `kind()`; exit statuses, HTTP
/// statuses and exceptions of Python are made of these nine, not of the variants of each crate.
///
/// It is exhaustive on purpose: a face matches it without `_`, so that a new kind is a decision in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// What was asked for cannot be asked: a setting out of range, settings that exclude each other.
    Usage,
    /// What was read is not as described: malformed, of another format, or not there.
    Input,
    /// Stored bytes are damaged: a file that nearprint wrote, or compressed data.
    Corrupt,
    /// The operating system, an object store or the network failed.
    Io,
    /// Memory or disk does not suffice.
    Memory,
    /// Something else holds what is needed, or too much is asked at once: try again later.
    Busy,
    /// What is needed is not there yet: a unit that another step makes, a store without its writer.
    NotReady,
    /// Stopped on demand.
    Interrupted,
    /// An invariant of nearprint does not hold.
    Bug,
}
