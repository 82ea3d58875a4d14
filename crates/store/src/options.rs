//! How a store is opened: memory, durability, and how its segments are looked after. What a store is made for is in [`crate::settings`].

use std::time::Duration;

/// How a store is opened.
///
/// # Examples
/// ```
/// use nearprint_store::{Durability, Options};
///
/// let options = Options { memory: 1 << 30, ..Options::default() };
/// assert_eq!(options.durability, Durability::Synced);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bytes that the store may hold, about: caches, memtables, and sorting to build segments. Mapped
    /// segments are not included; the system takes their memory back when it is short. Less than
    /// [`Self::LEAST_MEMORY`] counts as that.
    pub memory: usize,
    /// When a write is acknowledged.
    pub durability: Durability,
    /// How often all segments are read and their checksums compared, in the background: a damaged one is
    /// dropped and made anew. `None`: never. The first time comes an hour after the store was opened, at the
    /// latest.
    pub scrub: Option<Duration>,
    /// Bytes a second that this reads, at most.
    pub scrub_rate: u64,
    /// Bytes of what groups of writes changed that are kept, about: copies that follow the store go on from there.
    /// A group of one document takes some 40 bytes, one of a hundred documents hardly more, each deletion the bytes
    /// of its id.
    pub keep_changes: u64,
}

/// When a write is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// When it is on the disk. It survives a loss of power.
    #[default]
    Synced,
    /// When the operating system has it. It survives the end of the process, not a crash of the system.
    Buffered,
}

impl Default for Options {
    /// 512 MiB of memory, [`Durability::Synced`], segments read once a day, 32 MB a second, and 256 MiB of changes.
    fn default() -> Self {
        Self {
            memory: 512 << 20,
            durability: Durability::default(),
            scrub: Some(Duration::from_secs(24 * 3600)),
            scrub_rate: 32_000_000,
            keep_changes: 256 << 20,
        }
    }
}

impl Options {
    /// The least memory that a store works in, in bytes.
    pub const LEAST_MEMORY: usize = 64_000_000;

    fn budget(&self) -> usize {
        self.memory.max(Self::LEAST_MEMORY)
    }

    /// Bytes for cached blocks of the database.
    pub(crate) fn cache(&self) -> usize {
        self.budget() / 4
    }

    /// Bytes that one keyspace holds before the database writes them to a table.
    pub(crate) fn buffer(&self) -> usize {
        (self.budget() / 32).min(16 << 20)
    }

    /// Bytes that the builder of a segment sorts at a time.
    pub(crate) fn sorting(&self) -> usize {
        self.budget() / 8
    }

    /// Documents that the memtable holds before they become a segment.
    pub(crate) fn memtable(&self) -> usize {
        (self.budget() / 1024).min(1 << 18)
    }
}
