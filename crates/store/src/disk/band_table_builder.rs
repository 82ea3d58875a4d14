//! Writes tables of bands: of a memtable into memory, of a segment into a file.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::disk::band_layout::{BandLayout, key};
use crate::disk::band_table::{Footer, Room};
use nearprint_fingerprint::BandShape;
use std::borrow::Cow;
use std::io::{self, Write};
use xxhash_rust::xxh3::Xxh3Default;

/// Bits of the key of a band.
const KEY_BITS: u32 = 40;

/// The number of each document, with its fingerprint and its sketch.
pub(crate) type Entries<'a> = Box<dyn Iterator<Item = (u64, Cow<'a, [u8]>)> + 'a>;

/// Makes tables of bands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BandTableBuilder {
    /// The bands of a sketch.
    pub(crate) shape: BandShape,
    /// Words of a fingerprint.
    pub(crate) words: usize,
    pub(crate) recipe: Option<u128>,
    /// The number from which those of the documents are counted.
    pub(crate) first: u64,
    /// Bytes that are sorted at a time.
    pub(crate) sorting: usize,
}

/// A part of a band that is sorted at a time: the keys that begin with these bits.
#[derive(Clone, Copy)]
struct Part {
    band: usize,
    begins: u64,
}

/// A writer that sums what goes through it.
struct Summed<W> {
    out: W,
    sum: Xxh3Default,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }
}

/// The band that is being written.
struct Band {
    /// Entries of each bucket, then where each begins.
    counts: Vec<u32>,
    /// The last key, and how many documents have it.
    run: (u64, usize),
    crowded: u64,
}

impl BandTableBuilder {
    /// Writes a table of `entries`, ascending by number. They must be the same each time.
    ///
    /// # Complexity
    /// Reads the entries once, and once for as many bands, or parts of a band, as are sorted at a time: 8
    /// bytes a document and band.
    pub(crate) fn build<'a>(
        &self,
        entries: &dyn Fn() -> Entries<'a>,
        out: impl Write,
    ) -> io::Result<()> {
        let mut out = Summed { out, sum: Xxh3Default::new() };
        let mut documents = 0_usize;
        for (number, compared) in entries() {
            let offset = number.checked_sub(self.first).and_then(|at| u32::try_from(at).ok());
            let offset = offset.ok_or_else(|| io::Error::other("a segment of 2^32 numbers"))?;
            out.put(&offset.to_le_bytes())?;
            out.put(&compared)?;
            documents += 1;
        }
        let layout = BandLayout::new(self.shape, self.words, documents);
        let (position_bits, part_bits) = (position_bits(documents), self.part_bits(documents));
        let bands = 0..self.shape.bands() as usize;
        let parts: Vec<Part> = bands
            .flat_map(|band| (0..1 << part_bits).map(move |begins| Part { band, begins }))
            .collect();
        let at_once = (self.sorting / (8 * documents.max(1)).div_ceil(1 << part_bits)).max(1);
        let (mut writing, mut crowded) = (Band::new(&layout), 0);
        for parts in parts.chunks(at_once) {
            let mut lists: Vec<Vec<u64>> = vec![Vec::new(); parts.len()];
            for (position, (_, compared)) in (0_u64..).zip(entries()) {
                let sketch = compared.get(8 * self.words..).unwrap_or_default();
                for (part, list) in parts.iter().zip(&mut lists) {
                    let key = key(sketch, part.band);
                    if key >> (KEY_BITS - part_bits) == part.begins {
                        let rest = key & ((1 << (KEY_BITS - part_bits)) - 1);
                        list.push(rest << position_bits | position);
                    }
                }
            }
            for (part, mut list) in parts.iter().zip(lists) {
                list.sort_unstable();
                for packed in list {
                    let rest = packed >> position_bits;
                    writing.count(part.begins << (KEY_BITS - part_bits) | rest, &layout);
                    let position = packed & ((1 << position_bits) - 1);
                    let bytes = position.to_le_bytes();
                    out.put(bytes.get(..layout.position).unwrap_or_default())?;
                }
                if part.begins + 1 == 1 << part_bits {
                    let done = std::mem::replace(&mut writing, Band::new(&layout));
                    crowded += done.crowded;
                    for place in done.directory() {
                        out.put(&place.to_le_bytes())?;
                    }
                }
            }
        }
        let Summed { mut out, sum } = out;
        let footer = Footer {
            documents: documents as u64,
            first: self.first,
            recipe: self.recipe,
            sum: sum.digest(),
            crowded,
        };
        out.write_all(&footer.to_bytes(&layout))?;
        out.flush()
    }

    /// Leading bits of a key that tell its part: so many that what is sorted fits, and that the rest of a
    /// key and a position fit in 64 bits.
    fn part_bits(&self, documents: usize) -> u32 {
        let parts = (8 * documents).div_ceil(self.sorting.max(1)).max(1);
        let to_fit = parts.next_power_of_two().ilog2().min(8);
        to_fit.max((KEY_BITS + position_bits(documents)).saturating_sub(u64::BITS))
    }
}

/// Bits of a position among so many documents.
fn position_bits(documents: usize) -> u32 {
    (usize::BITS - documents.leading_zeros()).max(1)
}

impl Band {
    fn new(layout: &BandLayout) -> Self {
        Self { counts: vec![0; layout.directory()], run: (u64::MAX, 0), crowded: 0 }
    }

    /// Counts a key; they come in their order.
    fn count(&mut self, key: u64, layout: &BandLayout) {
        if let Some(count) = self.counts.get_mut(layout.bucket(key)) {
            *count += 1;
        }
        self.run = if self.run.0 == key { (key, self.run.1 + 1) } else { (key, 1) };
        self.crowded += u64::from(self.run.1 == Room::MOST + 1);
    }

    /// Where each bucket begins, and the last ends.
    fn directory(self) -> impl Iterator<Item = u32> {
        self.counts.into_iter().scan(0, |begins, count| {
            let place = *begins;
            *begins += count;
            Some(place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::band_table::BandTable;
    use nearprint_fingerprint::mix64;
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    fn shape() -> BandShape {
        BandShape::for_similarity(0.8, 0.9).unwrap()
    }

    /// Documents whose keys agree often: each of few values.
    fn entry(number: u64, values: u64) -> (u64, Vec<u8>) {
        let mut compared = mix64(number).to_le_bytes().to_vec();
        for band in 0..shape().bands() {
            let value = mix64(mix64(number ^ u64::from(band) << 32) % values);
            compared.extend(&value.to_le_bytes()[..5]);
        }
        (3 * number + 7, compared)
    }

    fn build(documents: u64, values: u64, sorting: usize) -> Vec<u8> {
        let builder =
            BandTableBuilder { shape: shape(), words: 1, recipe: Some(5), first: 7, sorting };
        let mut bytes = Vec::new();
        let entries = (0..documents).map(|number| entry(number, values));
        let entries = entries.map(|(number, compared)| (number, Cow::Owned(compared)));
        builder.build(&|| Box::new(entries.clone()), &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_agrees_in_a_band_is_found_whatever_is_sorted_at_a_time() {
        for (documents, values) in [(0, 1), (1, 1), (300, 100), (3000, 700)] {
            let all: Vec<_> = (0..documents).map(|number| entry(number, values)).collect();
            let bytes = build(documents, values, 1 << 30);
            for sorting in [1 << 14, 1 << 12, 64] {
                assert!(build(documents, values, sorting) == bytes, "{documents} {sorting}");
            }
            let table = BandTable::open(bytes, shape(), 1).unwrap();
            let _whole = table.verify_by(&mut |_| ControlFlow::Continue(())).unwrap();
            assert!(
                table.records().map(|it| (it.number, it.compared.to_vec())).eq(all.iter().cloned())
            );
            for asked in (0..documents + 3).step_by(1 + all.len() / 20) {
                let sketch = &entry(asked, values).1[8..];
                let (mut room, mut found) = (Room::few(shape()), Vec::new());
                table.agreeing(sketch, &mut room, &mut found).unwrap();
                let agrees =
                    |other: &[u8]| sketch.chunks(5).zip(other[8..].chunks(5)).any(|(a, b)| a == b);
                let expected: BTreeSet<usize> =
                    (0..all.len()).filter(|at| agrees(&all[*at].1)).collect();
                assert_eq!(
                    (found, room.is_cut()),
                    (expected.into_iter().collect(), false),
                    "{documents} {asked}"
                );
            }
        }
    }

    #[test]
    fn of_a_crowded_bucket_the_oldest_are_looked_at() {
        let table = BandTable::open(build(3000, 4, 1 << 20), shape(), 1).unwrap();
        let sketch = &entry(1, 4).1[8..];
        let (mut room, mut found) = (Room::few(shape()), Vec::new());
        table.agreeing(sketch, &mut room, &mut found).unwrap();
        assert!(room.is_cut());
        assert!(found.len() < 256 * shape().bands() as usize && found.contains(&1));
        assert_eq!(table.footer().crowded, 4 * u64::from(shape().bands()));
        let oldest = |band: usize| {
            let wanted = &sketch[5 * band..5 * band + 5];
            let has = |at: &usize| entry(*at as u64, 4).1[8 + 5 * band..][..5] == *wanted;
            (0..3000).filter(has).take(256).collect::<Vec<usize>>()
        };
        let expected: BTreeSet<_> = (0..shape().bands() as usize).flat_map(oldest).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_flipped_byte_is_found() {
        let whole = build(40, 9, 1 << 20);
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            let Ok(table) = BandTable::open(bytes, shape(), 1) else { continue };
            let (mut room, mut found) = (Room::few(shape()), Vec::new());
            let _any = table.agreeing(&entry(3, 9).1[8..], &mut room, &mut found);
            let verified = table.verify_by(&mut |_| ControlFlow::Continue(()));
            assert!(verified.is_err(), "byte {at}");
        }
        assert!(BandTable::open(&whole[1..], shape(), 1).is_err());
        assert!(BandTable::open(whole.clone(), shape(), 2).is_err());
        let other = BandShape::for_similarity(0.9, 0.9).unwrap();
        assert!(BandTable::open(whole, other, 1).is_err());
    }
}
