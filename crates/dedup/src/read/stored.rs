//! Fingerprints that are there already, as rows or as raw words, instead of text.

use crate::error::Error;
use crate::numbers::RecordNumber;
use crate::progress::{Progress, Stage};
use crate::read::counts::Counts;
use crate::read::documents::Documents;
use crate::read::ids::Ids;
use crate::read::left_out::LeftOut;
use crate::read::sketch::{OnError, no_fingerprint};
use nearprint_corpus::{
    Batch, Decoder, Fields, InvalidUtf8, NullText, ReadOptions, Reader, Record, Source,
};
use nearprint_fingerprint::{CodeList, Codes, Fingerprint, Width, at_width};
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use crate::read::sketch::FIELD;

/// The name of the field that holds the content of a degenerate document in a row.
pub const CONTENT_FIELD: &str = "content";

/// Fingerprints read at a time.
const CHUNK: usize = 1 << 17;

/// The width of the fingerprints that the first row holds; `None` where it holds none. Where records that cannot be read are
/// left out, the first of the others is asked.
///
/// # Errors
/// The first record cannot be read, its fingerprint has no width that is offered, or digits are binary or decimal.
pub fn width_of_rows(sources: &[Source], on_error: OnError) -> Result<Option<Width>, Error> {
    let width = |record: &Record<'_>| match field(record, FIELD) {
        Ok(digits) => width_of(&digits, record).map(|width| Some(Some(width))),
        // Another row has one, or none has.
        Err(nearprint_corpus::Error::TextNull { .. }) => Ok(None),
        Err(nearprint_corpus::Error::TextType { place, found, .. }) => {
            let found = no_fingerprint(found);
            let problem = format!(
                "field \"{FIELD}\" is {found}; expected a string of 16, 32 or 64 hexadecimal digits"
            );
            Err(Error::StoredFingerprint { place, problem })
        }
        Err(error) if on_error == OnError::Skip && error.may_be_damage() => Err(error.into()),
        Err(_) => Ok(Some(None)),
    };
    let width = of_first_row(sources, on_error, width)?.flatten();
    if width.is_some() {
        check_digits(sources, on_error)?;
    }
    Ok(width)
}

/// Refuses digits of another base than 16, as far as the first hundred rows tell: binary ones, and decimal numbers, which have
/// neither letters nor zeros in front. Of as many random hexadecimal digits one in ten million is taken for these.
fn check_digits(sources: &[Source], on_error: OnError) -> Result<(), Error> {
    /// Different numbers that tell decimal ones, and ones that tell binary digits.
    const ENOUGH: usize = 4;
    const ONES: usize = 5;
    let refused = |place: String, base: &str| Error::StoredFingerprint {
        place,
        problem: format!(
            "field \"{FIELD}\" seems to have {base} digits; expected 16, 32 or 64 hexadecimal digits"
        ),
    };
    let (mut found, mut is_decimal) = (HashSet::new(), true);
    let (mut place, mut binary) = (None, None);
    of_first_row(sources, on_error, |record| {
        let Ok(digits) = field(record, FIELD) else { return Ok(None) };
        let is_binary = digits.bytes().all(|digit| matches!(digit, b'0' | b'1'));
        if is_binary && digits.bytes().filter(|digit| *digit == b'1').count() >= ONES {
            binary = Some(record.place());
            return Ok(Some(()));
        }
        is_decimal &= !digits.starts_with('0') && digits.bytes().all(|it| it.is_ascii_digit());
        place.get_or_insert_with(|| record.place());
        found.insert(digits.into_owned());
        Ok(None)
    })?;
    let decimal = place.filter(|_| is_decimal && found.len() >= ENOUGH);
    match (binary, decimal) {
        (Some(place), _) => Err(refused(place, "binary")),
        (None, Some(place)) => Err(refused(place, "decimal")),
        (None, None) => Ok(()),
    }
}

/// The width of so many digits.
fn width_of(digits: &str, record: &Record<'_>) -> Result<Width, Error> {
    let bits = u32::try_from(digits.len()).unwrap_or(u32::MAX).saturating_mul(4);
    Width::from_bits(bits).ok_or_else(|| Error::StoredFingerprint {
        place: record.place(),
        problem: format!(
            "field \"{FIELD}\" has {} characters; expected 16, 32 or 64 hexadecimal digits",
            digits.len()
        ),
    })
}

/// Whether the first row has a text in field `name`. Where records that cannot be read are left out, the first of the
/// others is asked.
#[must_use]
pub fn first_row_has(sources: &[Source], name: &str, on_error: OnError) -> bool {
    let has_text = |record: &Record<'_>| match field(record, name) {
        Ok(_) => Ok(Some(true)),
        Err(error) if error.may_be_damage() => Err(error.into()),
        Err(_) => Ok(Some(false)),
    };
    of_first_row(sources, on_error, has_text).ok().flatten().unwrap_or(false)
}

/// Whether the input has no record at all, but for what cannot be read where that is left out.
///
/// # Errors
/// It cannot be read.
pub fn without_rows(sources: &[Source], on_error: OnError) -> Result<bool, Error> {
    Ok(batches(sources, on_error).next().transpose()?.is_none())
}

/// The batches with records, in small ones.
fn batches(
    sources: &[Source],
    on_error: OnError,
) -> impl Iterator<Item = Result<Batch, nearprint_corpus::Error>> {
    let options = ReadOptions { batch_bytes: 1, ..ReadOptions::default() };
    Reader::new(sources, options).filter(move |batch| match batch {
        // The header of a table is a batch without a record.
        Ok(batch) => batch.len() > 0,
        Err(_) => on_error == OnError::Fail,
    })
}

/// What `told` says of the first record of which it says something, where that is a row, among the first hundred; errors are
/// passed over where others are left out.
fn of_first_row<T>(
    sources: &[Source],
    on_error: OnError,
    mut told: impl FnMut(&Record<'_>) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let mut silent = 0;
    for batch in batches(sources, on_error) {
        let batch = batch?;
        if !batch.format().is_rows() {
            break;
        }
        for record in batch.records() {
            match told(&record) {
                Err(_) if on_error == OnError::Skip => {}
                Ok(None) if silent < 100 => silent += 1,
                told => return told,
            }
        }
    }
    Ok(None)
}

fn field<'a>(record: &Record<'a>, name: &str) -> Result<Cow<'a, str>, nearprint_corpus::Error> {
    let fields = Fields { text: name.to_owned(), null_text: NullText::Fail, ..Fields::default() };
    Ok(record.document(&fields, InvalidUtf8::Replace)?.text)
}

/// Goes through a file of raw little-endian words, `most` at a time; returns its bytes. `read`
/// counts those on disk.
///
/// # Errors
/// A file that cannot be read or ends within a fingerprint; the first of `each`.
pub fn words(
    source: &Source,
    width: Width,
    most: usize,
    read: &Arc<AtomicU64>,
    each: &mut dyn FnMut(Codes<'_>) -> Result<(), Error>,
) -> Result<u64, Error> {
    let mut decoder = Decoder::open(source, Arc::clone(read))?;
    let (mut bytes, mut fingerprints, mut length) = (Vec::new(), CodeList::new(width), 0);
    loop {
        bytes.clear();
        fingerprints.clear();
        let end = decoder.fill(&mut bytes, most.max(1) * 8 * width.words())?;
        length += bytes.len() as u64;
        if !fingerprints.extend_from_le_bytes(&bytes).is_empty() {
            let (path, width) = (PathBuf::from(source.name()), width.bits());
            return Err(Error::RawLength { path, bytes: length, width });
        }
        each(fingerprints.codes())?;
        if end {
            return Ok(length);
        }
    }
}

/// Reads files of raw little-endian words, a fingerprint of a width after the other; a document's id is its
/// number from 0. Fingerprint 0 is that of an empty document, here as everywhere.
///
/// # Errors
/// A file that cannot be read or ends within a fingerprint.
pub fn read_words(
    sources: &[Source],
    width: Width,
    progress: &Progress,
) -> Result<Documents, Error> {
    progress.enter(Stage::Fingerprint);
    let mut documents = Documents::new(width);
    let read = Arc::new(AtomicU64::new(0));
    let mut counts = Counts::default();
    let Documents { fingerprints: list, left_out, .. } = &mut documents;
    for source in sources {
        counts.bytes += words(source, width, CHUNK, &read, &mut |fingerprints| {
            at_width!(fingerprints => fingerprints, {
                let Some(documents) = list.of_width_mut() else { return Ok(()) };
                let empty = |fingerprint: &&Fingerprint<_>| **fingerprint == Fingerprint::ZERO;
                let records = (counts.documents..).map(RecordNumber).zip(fingerprints);
                let without = records.filter(|(_, fingerprint)| empty(fingerprint));
                let before = left_out.len();
                left_out.extend(without.map(|(record, _)| LeftOut { record, empty: true }));
                if left_out.len() == before {
                    documents.extend_from_slice(fingerprints);
                } else {
                    documents.extend(fingerprints.iter().filter(|fingerprint| !empty(fingerprint)));
                }
                counts.documents += fingerprints.len() as u64;
            });
            progress.advance(read.load(Ordering::Relaxed), fingerprints.len() as u64);
            progress.check()
        })?;
    }
    counts.empty = documents.left_out.len() as u64;
    documents.ids = Ids::Numbers {
        left_out: documents.left_out.iter().map(|left_out| left_out.record).collect(),
    };
    documents.counts = counts;
    Ok(documents)
}
