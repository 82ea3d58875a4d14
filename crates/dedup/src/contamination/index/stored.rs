//! The runs of four tokens in a file.

use super::{Index, Runs};
use crate::contamination::rule::RUN;
use crate::contamination::stored_list::StoredList;
use crate::memory::sealed::{Flaw, Sealed, SealedWriter};
use crate::passages::rolling::Rolling;
use std::io;

impl Index {
    /// Puts the runs of four tokens into a file.
    pub(crate) fn store(&self, file: &mut SealedWriter<'_>) -> io::Result<()> {
        let Some(runs) = self.lengths.first() else { return Ok(()) };
        file.list(StoredList::Bitmap as usize, runs.bitmap.iter().copied())?;
        file.list(StoredList::Buckets as usize, runs.buckets.iter().copied())?;
        file.list(StoredList::Keys as usize, runs.keys.iter().copied())?;
        file.list(StoredList::Places as usize, runs.places.iter().copied())
    }

    /// The runs of a file, which are of so many words.
    pub(crate) fn restore(file: &Sealed, words: usize) -> Result<Self, Flaw> {
        let bitmap: Vec<u64> = file.list(StoredList::Bitmap as usize)?;
        let buckets: Vec<u32> = file.list(StoredList::Buckets as usize)?;
        let (keys, places) = rayon::join(
            || file.list::<u32>(StoredList::Keys as usize),
            || file.list::<u32>(StoredList::Places as usize),
        );
        let (keys, places) = (keys?, places?);
        let (bits, all) = (bitmap.len() * 64, buckets.len().saturating_sub(1));
        let is_sound = bits.is_power_of_two()
            && (2..=1 << 31).contains(&all)
            && all.is_power_of_two()
            && buckets.is_sorted()
            && buckets.last().is_some_and(|last| *last as usize == keys.len())
            && places.len() == keys.len()
            && places.iter().all(|place| *place as usize + RUN <= words);
        if !is_sound {
            return Err(Flaw::Damaged("its runs contradict each other".to_owned()));
        }
        let runs = Runs {
            rolling: Rolling::new(RUN),
            to_bit: 64 - bits.trailing_zeros(),
            to_bucket: 64 - all.trailing_zeros(),
            bitmap,
            buckets,
            keys,
            places,
        };
        Ok(Self { lengths: vec![runs] })
    }
}
