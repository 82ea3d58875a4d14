//! A table of bands: documents with their sketches, and for each band their positions in the order of its
//! keys. Of a memtable it is in memory, of a segment in a file. [`crate::disk::band_table_builder`] makes it.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::disk::band_layout::{BandLayout, key};
use nearprint_fingerprint::BandShape;
use std::ops::ControlFlow;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// What a file begins its footer with.
pub(crate) const MAGIC: &[u8; 8] = b"nearband";
/// The version of the format.
pub(crate) const VERSION: u32 = 1;
/// Bytes of the footer.
pub(crate) const FOOTER: usize = 96;
/// Looks of a search that trust the keys to be spread evenly; those that follow halve what is left.
const EVEN: u32 = 4;
/// Positions that a search finds before it looks for those that it has twice.
const CROWD: usize = 1 << 16;
/// Bytes that are verified at a time.
const PIECE: usize = 1 << 20;

/// A table of bands.
#[derive(Debug)]
pub(crate) struct BandTable<D> {
    data: D,
    layout: BandLayout,
    footer: Footer,
}

/// What the end of a table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) documents: u64,
    /// The number from which those of the documents are counted.
    pub(crate) first: u64,
    pub(crate) recipe: Option<u128>,
    /// A checksum of all before the footer.
    pub(crate) sum: u64,
    /// Keys of bands that more documents have than a search looks at.
    pub(crate) crowded: u64,
}

/// A document of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'a> {
    pub(crate) number: u64,
    /// Its fingerprint and its sketch.
    pub(crate) compared: &'a [u8],
}

/// How many documents a search may still look at, for each band.
#[derive(Debug)]
pub(crate) struct Room {
    left: Vec<usize>,
    /// Whether documents were left out.
    cut: bool,
}

impl Room {
    /// Most documents under one key of a band that a search looks at first. More make the key crowded.
    pub(crate) const MOST: usize = 256;

    /// Room for the oldest documents under each key.
    pub(crate) fn few(shape: BandShape) -> Self {
        Self { left: vec![Self::MOST; shape.bands() as usize], cut: false }
    }

    /// Room for all documents.
    pub(crate) fn all(shape: BandShape) -> Self {
        Self { left: vec![usize::MAX; shape.bands() as usize], cut: false }
    }

    /// Takes a place in a band; `false` if there is none.
    pub(crate) fn take(&mut self, band: usize) -> bool {
        match self.left.get_mut(band) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => {
                self.cut = true;
                false
            }
        }
    }

    /// Whether documents were left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }
}

/// A search for the first of the places `low..=high` of a band whose key is not below the wanted one.
struct Search {
    band: usize,
    wanted: u64,
    low: usize,
    high: usize,
    /// A bound of the keys before `low`.
    below: u64,
    /// The key at `high`; at the end of the bucket a bound of those before it.
    above: u64,
    /// The end of the bucket.
    end: usize,
    looks: u32,
    /// The place that is looked at, and the position there.
    at: usize,
    position: usize,
}

impl Search {
    fn is_open(&self) -> bool {
        self.low < self.high
    }

    /// Chooses a place of `low..high` where the key may be.
    #[inline]
    fn guess(&mut self) {
        let places = self.high - self.low;
        self.looks += 1;
        let places_on = if self.looks > EVEN {
            places / 2
        } else {
            let (keys, before) = (self.above - self.below, self.wanted - self.below);
            let share = u128::from(before) * places as u128 / u128::from(keys.max(1));
            usize::try_from(share).unwrap_or(usize::MAX)
        };
        self.at = self.low + places_on.min(places - 1);
    }

    /// Takes the key at that place.
    #[inline]
    fn saw(&mut self, key: u64) {
        if key < self.wanted {
            (self.low, self.below) = (self.at + 1, key.max(self.below));
        } else {
            (self.high, self.above) = (self.at, key);
        }
    }
}

impl Footer {
    /// The footer of a table of this layout.
    pub(crate) fn to_bytes(self, layout: &BandLayout) -> Vec<u8> {
        let words = u32::try_from(layout.words).unwrap_or(0);
        let mut bytes = Vec::with_capacity(FOOTER);
        bytes.extend(MAGIC);
        for number in [
            VERSION,
            words,
            layout.shape.bands(),
            layout.shape.rows(),
            BandShape::VERSION,
            self.recipe.is_some().into(),
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.documents.to_le_bytes());
        bytes.extend(self.first.to_le_bytes());
        bytes.extend(self.recipe.unwrap_or(0).to_le_bytes());
        bytes.extend(self.sum.to_le_bytes());
        bytes.extend(self.crowded.to_le_bytes());
        bytes.resize(FOOTER - 8, 0);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// The footer at the end of a table of this shape.
    fn read(data: &[u8], shape: BandShape, words: usize) -> Result<(Self, BandLayout), String> {
        let at = data.len().checked_sub(FOOTER).ok_or("it is too short")?;
        let bytes = data.get(at..).unwrap_or_default();
        let (body, sum) = bytes.split_at_checked(FOOTER - 8).ok_or("it is too short")?;
        if u64::from_le_bytes(field(sum, 0)) != xxh3_64(body) {
            return Err("the checksum of its footer is wrong".to_owned());
        }
        let documents = u64::from_le_bytes(field(body, 32));
        let footer = Self {
            documents,
            first: u64::from_le_bytes(field(body, 40)),
            recipe: (field(body, 28) != [0; 4]).then(|| u128::from_le_bytes(field(body, 48))),
            sum: u64::from_le_bytes(field(body, 64)),
            crowded: u64::from_le_bytes(field(body, 72)),
        };
        let layout = usize::try_from(documents).map(|all| BandLayout::new(shape, words, all));
        let layout = layout.map_err(|_| "it is too large")?;
        // All but the magic and the checksum is told by what was read: it must be the same again.
        if footer.to_bytes(&layout) != bytes || layout.bytes() != at {
            return Err("it is of another format, recipe or shape of sketches".to_owned());
        }
        Ok((footer, layout))
    }
}

/// The bytes of a footer at a place; zeros beyond its end.
fn field<const BYTES: usize>(bytes: &[u8], at: usize) -> [u8; BYTES] {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; BYTES])
}

impl<D: AsRef<[u8]>> BandTable<D> {
    /// A table of sketches of this shape, with fingerprints of so many words.
    ///
    /// # Errors
    /// The footer shows that the bytes are no such table; says why.
    pub(crate) fn open(data: D, shape: BandShape, words: usize) -> Result<Self, String> {
        let (footer, layout) = Footer::read(data.as_ref(), shape, words)?;
        Ok(Self { data, layout, footer })
    }

    /// What its end says.
    pub(crate) fn footer(&self) -> &Footer {
        &self.footer
    }

    /// Reads all of it and compares the checksum, a piece at a time: calls `went` with the bytes of each, and
    /// ends where it breaks off.
    pub(crate) fn verify_by(
        &self,
        went: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, String> {
        let body = self.data.as_ref().get(..self.layout.bytes()).unwrap_or_default();
        let mut sum = Xxh3Default::new();
        for piece in body.chunks(PIECE) {
            sum.update(piece);
            if went(piece.len()).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let same = sum.digest() == self.footer.sum;
        if same { Ok(ControlFlow::Continue(())) } else { Err("its checksum is wrong".to_owned()) }
    }

    /// The documents, ascending by number.
    pub(crate) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        (0..self.layout.documents).map_while(|position| self.record(position))
    }

    /// The document at a position; `None` where there is none.
    pub(crate) fn record(&self, position: usize) -> Option<Record<'_>> {
        let length = self.layout.record();
        let at = position.checked_mul(length)?;
        let record = self.data.as_ref().get(at..at + length)?;
        if position >= self.layout.documents {
            return None;
        }
        let (offset, compared) = record.split_first_chunk()?;
        let number = self.footer.first + u64::from(u32::from_le_bytes(*offset));
        Some(Record { number, compared })
    }

    /// Adds to `found` the positions of documents that agree with `sketch` in a band, each once, while
    /// there is room.
    ///
    /// # Errors
    /// A position that no document has; says so.
    ///
    /// # Complexity
    /// For each band a look into its directory and at some three documents; and at those that agree, as many
    /// as there is room for. Memory: a position for each document that is found, and for each of the largest band.
    pub(crate) fn agreeing(
        &self,
        sketch: &[u8],
        room: &mut Room,
        found: &mut Vec<usize>,
    ) -> Result<(), String> {
        let damaged = || "a position in it is invalid".to_owned();
        let bands = 0..self.layout.shape.bands() as usize;
        let mut searches: Vec<_> = bands.map(|band| self.search(key(sketch, band), band)).collect();
        // All bands go on at once, and loops apart: the reads of one do not wait for each other.
        while searches.iter().any(Search::is_open) {
            for search in searches.iter_mut().filter(|search| search.is_open()) {
                search.guess();
                search.position = self.position(search.band, search.at);
            }
            for search in searches.iter_mut().filter(|search| search.is_open()) {
                search.saw(self.key_at(search.position, search.band).ok_or_else(damaged)?);
            }
        }
        let mut distinct = 0;
        for Search { band, wanted, high, above, end, .. } in searches {
            // Of a crowd each band finds nearly all again.
            if found.len() > distinct + CROWD {
                found.sort_unstable();
                found.dedup();
                distinct = found.len();
            }
            let mut at = high;
            let mut next = (at < end).then_some(above);
            while next == Some(wanted) && room.take(band) {
                found.push(self.position(band, at));
                at += 1;
                let key = |at| self.key_at(self.position(band, at), band).ok_or_else(damaged);
                next = if at < end { Some(key(at)?) } else { None };
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(())
    }

    /// The search for a key of a band, in the bucket to which it leads.
    #[inline]
    fn search(&self, wanted: u64, band: usize) -> Search {
        let (low, end) = self.bucket(wanted, band);
        let (below, above) = self.layout.keys_of_bucket(wanted);
        Search {
            band,
            wanted,
            low,
            high: end.max(low),
            below,
            above,
            end,
            looks: 0,
            at: low,
            position: 0,
        }
    }

    /// The places among the positions of a band where its keys of these leading bits are.
    #[inline]
    fn bucket(&self, key: u64, band: usize) -> (usize, usize) {
        let at = self.layout.directory_at(band) + 4 * self.layout.bucket(key);
        let place = |at: usize| {
            let bytes = self.data.as_ref().get(at..).and_then(|rest| rest.first_chunk());
            let place = bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes));
            (place as usize).min(self.layout.documents)
        };
        (place(at), place(at + 4))
    }

    /// The position at a place of a band.
    #[inline]
    fn position(&self, band: usize, at: usize) -> usize {
        let bytes = self.layout.position;
        let start = self.layout.positions_at(band) + at * bytes;
        let all = self.data.as_ref().get(start..start + bytes).unwrap_or_default();
        all.iter().rev().fold(0, |position, byte| position << 8 | usize::from(*byte))
    }

    /// The key of the document at a position.
    #[inline]
    fn key_at(&self, position: usize, band: usize) -> Option<u64> {
        let codes = BandLayout::NUMBER + 8 * self.layout.words;
        let at = position * self.layout.record() + codes + band * BandShape::KEY_BYTES;
        if position >= self.layout.documents {
            return None;
        }
        let bytes = self.data.as_ref().get(at..at + BandShape::KEY_BYTES)?;
        Some(key(bytes, 0))
    }
}
