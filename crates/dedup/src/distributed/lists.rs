//! The file of a unit of a job over passages or eval sets: lists of entries or bytes, each for one unit of a stage behind it.

use crate::distributed::cells::{Column, Field};
use crate::distributed::unit_file::{GROUP, Rows, UnitFile, UnitWriter};
use crate::error::Error;
use crate::memory::spill::Entry;

/// The list and the unit that a block is for.
const KEY: Column<u64> = Column::new("key");
/// Entries one after the other, or bytes.
const BLOCK: Column<[u8]> = Column::new("block");

/// Bytes of a block of entries.
const BYTES: usize = 1 << 18;
/// Bytes of a row group that ends with its key: twice as many behind each so many groups.
const LEAST: usize = 1 << 16;
const GROUPS: usize = 1 << 12;

/// What a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// Stretches of a range of anchors.
    Stretches,
    /// Hashes of ids.
    Ids,
    /// Of each record what the keep rule goes by.
    Worths,
    /// Of each record the hash of what a field says of its origin.
    Origins,
    /// Stretches of a file of which the windows are asked for.
    Asked,
    /// Windows of a range of hashes.
    Windows,
    /// Copies in a file.
    Copied,
    /// Firsts in a file.
    Firsts,
    /// Runs whose firsts are in a file.
    Runs,
    /// Text that was lent to a file, and the runs to which it was.
    Lent,
    LentRuns,
    /// Rows of passages, each a block behind what sorts it.
    Passages,
    /// What goes of a file, and rows about it.
    Cuts,
    Removed,
    /// Of each token of the items how many documents of a sample have it.
    Sampled,
    /// What was found in a file, and its ids and texts.
    Found,
    Strings,
    /// What is known of each item, and of each text of the items.
    Items,
    Soughts,
    /// Documents of a file that lend to others.
    Lenders,
}

/// The columns of a file.
pub(crate) fn fields() -> Vec<Field> {
    vec![KEY.numbers(), BLOCK.bytes()]
}

const fn key(list: List, to: usize) -> u64 {
    (list as u64) << 32 | to as u64
}

/// Writes lists, one after the other; what goes to a unit comes together.
pub(crate) struct ListWriter<'f, 'w> {
    file: &'f mut UnitWriter<'w>,
    list: List,
    to: usize,
    block: Vec<u8>,
    rows: Rows,
}

impl<'f, 'w> ListWriter<'f, 'w> {
    /// A list of which nothing is written.
    pub(crate) fn new(file: &'f mut UnitWriter<'w>, list: List) -> Self {
        let rows = file.rows();
        Self { file, list, to: 0, block: Vec::new(), rows }
    }

    /// Appends an entry for a unit.
    pub(crate) fn push<E: Entry>(&mut self, to: usize, entry: &E) -> Result<(), Error> {
        self.turn_to(to)?;
        entry.write(&mut self.block);
        if self.block.len() < BYTES { Ok(()) } else { self.end_block() }
    }

    /// Appends bytes for a unit, which are handed out as they are.
    pub(crate) fn push_block(&mut self, to: usize, bytes: &[u8]) -> Result<(), Error> {
        self.turn_to(to)?;
        self.block.extend_from_slice(bytes);
        self.end_block()
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.end_block()?;
        self.file.put(&mut self.rows)
    }

    fn turn_to(&mut self, to: usize) -> Result<(), Error> {
        if to == self.to {
            return Ok(());
        }
        self.end_block()?;
        self.to = to;
        if self.rows.held_bytes() < self.least() { Ok(()) } else { self.file.put(&mut self.rows) }
    }

    /// Bytes of a row group, at least: Parquet numbers 32 767 of these.
    fn least(&self) -> usize {
        LEAST << (self.file.groups() / GROUPS)
    }

    fn end_block(&mut self) -> Result<(), Error> {
        if self.block.is_empty() {
            return Ok(());
        }
        let key = key(self.list, self.to);
        self.rows.note(key);
        self.rows.push(&KEY, key)?;
        self.rows.push(&BLOCK, &self.block)?;
        self.block.clear();
        // Passages of all files are merged, a group of each in memory.
        let most = if self.list == List::Passages { self.least() } else { GROUP };
        if self.rows.held_bytes() < most { Ok(()) } else { self.file.put(&mut self.rows) }
    }
}

/// Hands the blocks of a list for a unit to `each`, in their order.
pub(crate) fn each_block(
    file: &UnitFile,
    list: List,
    to: usize,
    mut each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let key = key(list, to);
    file.groups_of(key..key + 1).into_iter().try_for_each(|group| {
        let (keys, blocks) = (file.column(group, &KEY)?, file.column(group, &BLOCK)?);
        (0..keys.len()).filter(|row| keys.at(*row) == key).try_for_each(|row| each(blocks.at(row)))
    })
}

/// Hands the entries of a list for a unit to `each`, in their order.
pub(crate) fn each_entry<E: Entry>(
    file: &UnitFile,
    list: List,
    to: usize,
    mut each: impl FnMut(E) -> Result<(), Error>,
) -> Result<(), Error> {
    each_block(file, list, to, |block| {
        block.chunks_exact(E::BYTES).try_for_each(|entry| each(E::read(entry)))
    })
}

/// A walk through the blocks of a list for the unit 0, a row group in memory.
pub(crate) struct Blocks {
    file: UnitFile,
    list: List,
    groups: std::vec::IntoIter<usize>,
    blocks: std::vec::IntoIter<Vec<u8>>,
}

impl Blocks {
    pub(crate) fn new(file: UnitFile, list: List) -> Self {
        let key = key(list, 0);
        let groups = file.groups_of(key..key + 1).into_iter();
        Self { file, list, groups, blocks: Vec::new().into_iter() }
    }

    /// The next block; `None` behind the last.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        loop {
            if let Some(block) = self.blocks.next() {
                return Ok(Some(block));
            }
            let Some(group) = self.groups.next() else { return Ok(None) };
            let (keys, blocks) = (self.file.column(group, &KEY)?, self.file.column(group, &BLOCK)?);
            let ours = (0..keys.len()).filter(|row| keys.at(*row) == key(self.list, 0));
            self.blocks = ours.map(|row| blocks.at(row).to_vec()).collect::<Vec<_>>().into_iter();
        }
    }
}
