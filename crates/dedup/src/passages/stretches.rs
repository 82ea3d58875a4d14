//! Windows one after the other that have one anchor, and which of these stretches repeat.

use crate::error::Error;
use crate::memory::state::{StateReader, StateWriter};
use crate::passages::column::{Column, ColumnWriter};
use std::io;
use std::path::Path;

/// A stretch on its way to a sort: the hash of its anchor, that of its windows with their number, and the place of
/// the first, by its record.
pub(crate) type Stretch = [u64; 3];

/// The lower bits of the hash of windows, which tell how many there are.
pub(crate) const COUNT_BITS: u32 = 13;

/// How many windows the hash of a stretch is of.
const fn count_of(windows: u64) -> u64 {
    windows & ((1 << COUNT_BITS) - 1)
}

/// The stretches of one anchor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    stretches: u64,
    /// Whether all have the same windows: then those that stand at the same place in them are equal, and no others are.
    pub(crate) is_same: bool,
}

/// The stretches whose anchors stand in several.
pub(crate) struct Stretches {
    anchors: Column<u64>,
    /// The place of each, and its windows; those of an anchor one after the other, of one hash in the order of places.
    each: Column<[u64; 2]>,
}

impl Stretches {
    /// Hands every stretch to `each`: its anchor, with a number, the place of its first window, and how many
    /// there are.
    pub(crate) fn for_each(
        &self,
        mut each: impl FnMut((u64, Anchor), u64, u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut stretches, mut number) = (self.each.reader(), 0);
        self.anchors.for_each(|anchor| {
            let anchor = Anchor { stretches: anchor >> 1, is_same: anchor & 1 == 1 };
            for _ in 0..anchor.stretches {
                let Some([place, windows]) = stretches.next()? else {
                    return Err(Error::Bug { problem: "an anchor has no stretch".to_owned() });
                };
                each((number, anchor), place, windows)?;
            }
            number += 1;
            Ok(())
        })
    }

    /// Puts in all of it.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        self.anchors.save(state)?;
        self.each.save(state)
    }

    /// What [`Self::save`] put in.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path) -> io::Result<Self> {
        Ok(Self { anchors: Column::restore(state, dir)?, each: Column::restore(state, dir)? })
    }
}

/// Finds the stretches whose anchors stand in several, among those that come in order.
pub(crate) struct Repeating {
    /// The first stretch of the anchor under way.
    first: Option<Stretch>,
    anchor: Anchor,
    anchors: ColumnWriter<u64>,
    each: ColumnWriter<[u64; 2]>,
}

impl Repeating {
    pub(crate) fn new(dir: &Path) -> Self {
        Self {
            first: None,
            anchor: Anchor { stretches: 0, is_same: true },
            anchors: ColumnWriter::new(dir),
            each: ColumnWriter::new(dir),
        }
    }

    pub(crate) fn push(&mut self, stretch: Stretch) -> Result<(), Error> {
        match self.first {
            Some(first) if first[0] == stretch[0] => {
                if self.anchor.stretches == 1 {
                    self.write(first)?;
                }
                self.anchor.stretches += 1;
                self.anchor.is_same &= first[1] == stretch[1];
                self.write(stretch)
            }
            _ => {
                self.end()?;
                self.first = Some(stretch);
                self.anchor = Anchor { stretches: 1, is_same: true };
                Ok(())
            }
        }
    }

    fn write(&mut self, [_, windows, place]: Stretch) -> Result<(), Error> {
        self.each.push([place, count_of(windows)])
    }

    fn end(&mut self) -> Result<(), Error> {
        match self.anchor {
            Anchor { stretches, is_same } if stretches > 1 => {
                self.anchors.push(stretches << 1 | u64::from(is_same))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn finish(mut self) -> Result<Stretches, Error> {
        self.end()?;
        Ok(Stretches { anchors: self.anchors.finish()?, each: self.each.finish()? })
    }
}
