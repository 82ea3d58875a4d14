//! The runs of the items in a file, whatever corpus is searched.

use super::Index;
use crate::contamination::index::few::Few;
use crate::contamination::index::pairs::Pairs;
use crate::contamination::index::runs::Runs;
use crate::contamination::rule::{RUN, SHORT_RUN};
use crate::contamination::stored_list::StoredList;
use crate::memory::sealed::{Flaw, Sealed, SealedWriter};
use crate::passages::rolling::Rolling;
use std::io;

/// The lists that have runs: where buckets begin, keys, places.
type RunLists = [StoredList; 3];

const OF_FOUR: RunLists = [StoredList::Buckets, StoredList::Keys, StoredList::Places];
const OF_THREE: RunLists = [StoredList::FewBuckets, StoredList::FewKeys, StoredList::FewPlaces];

impl Index {
    /// Puts the runs of four tokens into a file, and those of three that a corpus chooses from.
    pub(crate) fn store(&self, file: &mut SealedWriter<'_>) -> io::Result<()> {
        let Self { lengths, few: Some(Few(of_three)), .. } = self else { return Ok(()) };
        let Some(of_four) = lengths.first() else { return Ok(()) };
        file.list(StoredList::Bitmap as usize, of_four.bitmap.iter().copied())?;
        for ([buckets, keys, places], runs) in [(OF_FOUR, of_four), (OF_THREE, of_three)] {
            file.list(buckets as usize, runs.buckets.iter().copied())?;
            file.list(keys as usize, runs.keys.iter().copied())?;
            file.list(places as usize, runs.places.iter().copied())?;
        }
        Ok(())
    }

    /// The runs of a file, which are of so many words.
    pub(crate) fn restore(file: &Sealed, words: usize) -> Result<Self, Flaw> {
        let ((bitmap, of_four), of_three) = rayon::join(
            || {
                rayon::join(
                    || file.list::<u64>(StoredList::Bitmap as usize),
                    || Runs::restore(file, OF_FOUR, RUN, words),
                )
            },
            || Runs::restore(file, OF_THREE, SHORT_RUN, words),
        );
        let (bitmap, mut of_four) = (bitmap?, of_four?);
        let bits = bitmap.len() * 64;
        if !bits.is_power_of_two() || bits < 64 {
            return Err(contradicting());
        }
        of_four.to_bit = 64 - bits.trailing_zeros();
        of_four.bitmap = bitmap;
        Ok(Self { lengths: vec![of_four], few: Some(Few(of_three?)), pairs: Pairs::default() })
    }
}

impl Runs {
    /// Runs of so many tokens, without their bitmap.
    fn restore(
        file: &Sealed,
        [buckets, keys, places]: RunLists,
        tokens: usize,
        words: usize,
    ) -> Result<Self, Flaw> {
        let buckets: Vec<u32> = file.list(buckets as usize)?;
        let (keys, places) =
            rayon::join(|| file.list::<u32>(keys as usize), || file.list::<u32>(places as usize));
        let (keys, places) = (keys?, places?);
        let all = buckets.len().saturating_sub(1);
        let is_sound = (2..=1 << 31).contains(&all)
            && all.is_power_of_two()
            && buckets.is_sorted()
            && buckets.first() == Some(&0)
            && buckets.last().is_some_and(|last| *last as usize == keys.len())
            && places.len() == keys.len()
            && places.iter().all(|place| *place as usize + tokens <= words);
        if !is_sound {
            return Err(contradicting());
        }
        Ok(Self {
            rolling: Rolling::new(tokens),
            to_bit: 0,
            to_bucket: 64 - all.trailing_zeros(),
            bitmap: Vec::new(),
            buckets,
            keys,
            places,
        })
    }
}

fn contradicting() -> Flaw {
    Flaw::Damaged("its runs contradict each other".to_owned())
}
