//! What the writer is asked for.

use crate::change::{Change, Reached};
use crate::error::Error;
use crate::repair::Repair;
use crate::views::captured::Captured;
use crate::writing::write::{Outcome, Write};
use crossbeam_channel::Sender;
use std::path::PathBuf;

/// The outcome of each write of a request.
pub(crate) type Outcomes = Vec<Result<Outcome, Error>>;
/// Takes the outcomes of a request, on the writer's thread.
pub(crate) type Answer = Box<dyn FnOnce(Outcomes) + Send>;

/// A request to the writer.
pub(crate) enum Message {
    /// Writes, to be answered when they are durable.
    Write(Vec<Write>, Answer),
    /// Take over changes of another store, which is what is said then if these are all of its changes.
    Follow(Vec<Change>, Option<Reached>, Sender<Result<(), Error>>),
    /// Make one segment of everything.
    Compact(Sender<Result<(), Error>>),
    /// Capture the store at this moment, and link its segments into the store in a folder.
    Capture(Option<PathBuf>, Sender<Result<Captured, Error>>),
    /// A segment was made.
    Made,
    /// A segment is damaged. Whoever sends this may wait until no search uses it.
    Damaged(Repair, Option<Sender<()>>),
    /// The store is closed.
    Stop,
}
