//! A document of the store, and the row that holds it. Drawn byte by byte in `docs/format.md`.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::disk::sketch::Sketch;
use crate::error::Error;
use crate::invariant::invariant;
use nearprint_bits::AnyFingerprint;
use nearprint_fingerprint::{Flags, Width};
use serde::de::IgnoredAny;

/// Most bytes of an id.
pub const MAX_ID: usize = 4096;

/// The bits of a row's first byte.
const EMPTY: u8 = 1;
const SHORT: u8 = 2;
const DOMINANT: u8 = 4;
/// The length of the id takes two bytes.
const LONG: u8 = 8;
/// There are keys of bands.
const BANDS: u8 = 16;
/// There are keys of features.
const KEYS: u8 = 32;
/// Each of these has a weight.
const WEIGHTS: u8 = 64;

/// Bytes of a time in a row.
const TIME: usize = 6;

/// A document as the store keeps it.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Fingerprint;
/// use nearprint_store::Document;
///
/// let document = Document::new("page-1", Fingerprint::from(0x2a_u64));
/// let dated = Document { time: 1_763_000_000_000, ..document.clone() };
/// assert_eq!((document.id.as_str(), dated.metadata), ("page-1", None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The user's id, 1 to [`MAX_ID`] bytes.
    pub id: String,
    /// What the store compares.
    pub sketch: Sketch,
    /// When it was stored, in milliseconds since 1970, less than 2^48. In a document to be stored, 0 stands
    /// for now. The time decides nothing: the order of writes decides which document is older.
    pub time: u64,
    /// What the user keeps with it, as JSON text.
    pub metadata: Option<String>,
}

impl Document {
    /// A document to be stored now, without metadata.
    pub fn new(id: impl Into<String>, sketch: impl Into<Sketch>) -> Self {
        Self { id: id.into(), sketch: sketch.into(), time: 0, metadata: None }
    }

    /// Checks that a store may take the document: its id, time and metadata.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !(1..=MAX_ID).contains(&self.id.len()) {
            return Err(Error::IdLength { found: self.id.len(), most: MAX_ID });
        }
        if self.time >> (8 * TIME) != 0 {
            return Err(Error::Time { id: self.id.clone(), found: self.time });
        }
        let Some(metadata) = &self.metadata else { return Ok(()) };
        match serde_json::from_str::<IgnoredAny>(metadata) {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::Metadata { id: self.id.clone(), message: error.to_string() }),
        }
    }

    /// The row that holds the document.
    pub(crate) fn to_row(&self) -> Vec<u8> {
        let Self { id, sketch, time, metadata } = self;
        let Sketch { fingerprint, flags, content, bands, keys, weights, code } = sketch;
        let metadata = metadata.as_deref().unwrap_or_default();
        let of_sketch =
            8 * (2 * fingerprint.words().len() + keys.len() + weights.len()) + bands.len();
        let mut row = Vec::with_capacity(23 + of_sketch + id.len() + metadata.len());
        // `check` has seen to time and length.
        let length = invariant(u16::try_from(id.len()).ok(), id.len()).unwrap_or(u16::MAX);
        let [low, high] = length.to_le_bytes();
        let bits = [
            (flags.empty, EMPTY),
            (flags.short, SHORT),
            (flags.dominant, DOMINANT),
            (high != 0, LONG),
            (!bands.is_empty(), BANDS),
            (!keys.is_empty(), KEYS),
            (!weights.is_empty(), WEIGHTS),
        ];
        row.push(bits.iter().filter(|(holds, _)| *holds).map(|(_, bit)| bit).sum());
        row.extend(time.to_le_bytes().iter().take(TIME));
        row.extend(fingerprint.le_bytes());
        if flags.any() {
            row.extend(content.to_le_bytes());
        }
        if !bands.is_empty() {
            // A sketch has at most some hundred bands.
            let length =
                invariant(u16::try_from(bands.len()).ok(), bands.len()).unwrap_or(u16::MAX);
            row.extend(length.to_le_bytes());
            row.extend(bands);
        }
        if !keys.is_empty() {
            // As many as fit in memory, of a text of less than 4 GiB.
            let count = invariant(u32::try_from(keys.len()).ok(), keys.len()).unwrap_or(u32::MAX);
            row.extend(count.to_le_bytes());
            keys.iter().for_each(|key| row.extend(key.to_le_bytes()));
        }
        // As many as keys.
        weights.iter().for_each(|weight| row.extend(weight.to_le_bytes()));
        // Where there are weights.
        code.iter().for_each(|code| row.extend(code.le_bytes()));
        row.push(low);
        if high != 0 {
            row.push(high);
        }
        row.extend(id.as_bytes());
        row.extend(metadata.as_bytes());
        row
    }

    /// The document of a row of a store of this width; `None` if the bytes are not a row.
    #[must_use]
    pub fn from_row(row: &[u8], width: Width) -> Option<Self> {
        let (sketch, time, rest) = head(row, width)?;
        let (low, rest) = rest.split_first()?;
        let (high, rest) = if row.first()? & LONG == 0 { (&0, rest) } else { rest.split_first()? };
        let (id, metadata) = rest.split_at_checked(u16::from_le_bytes([*low, *high]).into())?;
        let text = |bytes: &[u8]| Some(std::str::from_utf8(bytes).ok()?.to_owned());
        let metadata = if metadata.is_empty() { None } else { Some(text(metadata)?) };
        Some(Self { id: text(id)?, sketch, time, metadata })
    }
}

/// What is compared, of a row of a store of this width.
pub(crate) fn sketch_of(row: &[u8], width: Width) -> Option<Sketch> {
    head(row, width).map(|(sketch, ..)| sketch)
}

/// The fields of fixed length, and what comes after them.
fn head(row: &[u8], width: Width) -> Option<(Sketch, u64, &[u8])> {
    let (bits, rest) = row.split_first()?;
    let (time, rest) = rest.split_first_chunk::<TIME>()?;
    let time = time.iter().rev().fold(0, |time, byte| time << 8 | u64::from(*byte));
    let (fingerprint, rest) = rest.split_at_checked(8 * width.words())?;
    let has = |bit| bits & bit != 0;
    let flags = Flags { empty: has(EMPTY), short: has(SHORT), dominant: has(DOMINANT) };
    let (content, rest) = if flags.any() {
        let (content, rest) = rest.split_first_chunk()?;
        (u64::from_le_bytes(*content), rest)
    } else {
        (0, rest)
    };
    let (bands, rest) = if has(BANDS) {
        let (length, rest) = rest.split_first_chunk()?;
        rest.split_at_checked(u16::from_le_bytes(*length).into())?
    } else {
        (&[][..], rest)
    };
    let (keys, rest) = if has(KEYS) {
        let (count, rest) = rest.split_first_chunk()?;
        let bytes = usize::try_from(u32::from_le_bytes(*count)).ok()?.checked_mul(8)?;
        rest.split_at_checked(bytes)?
    } else {
        (&[][..], rest)
    };
    let (weights, code, rest) = if has(WEIGHTS) {
        let (weights, rest) = rest.split_at_checked(keys.len())?;
        let (code, rest) = rest.split_at_checked(8 * width.words())?;
        (weights, Some(AnyFingerprint::from_le_bytes(code)?), rest)
    } else {
        (&[][..], None, rest)
    };
    let fingerprint = AnyFingerprint::from_le_bytes(fingerprint)?;
    let (keys, _) = keys.as_chunks();
    let keys = keys.iter().map(|key| u64::from_le_bytes(*key)).collect();
    let (weights, _) = weights.as_chunks();
    let weights = weights.iter().map(|weight| f64::from_le_bytes(*weight)).collect();
    let bands = bands.to_vec();
    Some((Sketch { fingerprint, flags, content, bands, keys, weights, code }, time, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Fingerprint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_go_both_ways(words: [u64; 2], bits in 0_u8..8, content: u64, time in 0_u64..1 << 48, id in ".{1,400}", number: Option<u32>, bands in prop::collection::vec(any::<u8>(), 0..200), keys in prop::collection::vec(any::<u64>(), 0..40), weighs: bool) {
            let flags = Flags { empty: bits & 1 != 0, short: bits & 2 != 0, dominant: bits & 4 != 0 };
            let content = if flags.any() { content } else { 0 };
            let fingerprint = Fingerprint::from_words(words).into();
            let weights = keys.iter().map(|key| f64::from(u32::try_from(key >> 32).unwrap_or(0)) / 3.0 - 7e8);
            let weights: Vec<_> = weights.filter(|_| weighs).collect();
            let code = (!weights.is_empty()).then(|| Fingerprint::from_words(words.map(|word| !word)).into());
            let sketch = Sketch { fingerprint, flags, content, bands, keys, weights, code };
            let metadata = number.map(|number| format!("{{\"n\":{number}}}"));
            let document = Document { id, sketch, time, metadata };
            let row = document.to_row();
            let sketch = sketch_of(&row, Width::W128);
            prop_assert_eq!(sketch.as_ref(), Some(&document.sketch));
            prop_assert_eq!(Document::from_row(&row, Width::W128), Some(document));
        }

        #[test]
        fn no_bytes_are_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _any = Width::ALL.map(|width| Document::from_row(&bytes, width));
        }
    }

    #[test]
    fn what_may_not_be_stored_is_refused() {
        let document = Document::new("", Fingerprint::from(1_u64));
        assert!(matches!(document.check(), Err(Error::IdLength { found: 0, .. })));
        let long = Document { id: "x".repeat(MAX_ID + 1), ..document.clone() };
        assert!(matches!(long.check(), Err(Error::IdLength { .. })));
        let late = Document { id: "a".into(), time: 1 << 48, ..document.clone() };
        assert!(matches!(late.check(), Err(Error::Time { .. })));
        let odd = Document { id: "a".into(), metadata: Some("{".into()), ..document };
        assert!(matches!(odd.check(), Err(Error::Metadata { .. })));
        // What is JSON is kept as it is, also where no value of a language holds it.
        let deep = "[".repeat(500_000) + &"]".repeat(500_000);
        for metadata in [r#"{"half a pair":"\ud800"}"#, r#"{"large":1e999}"#, &deep] {
            let kept = Document { metadata: Some(metadata.into()), ..odd.clone() };
            assert!(kept.check().is_ok());
        }
    }
}
