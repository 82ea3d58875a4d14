//! The rows of a segment: what a later run needs of a document to compare with it as if it had the text.
//! Which documents are written is the affair of [`crate::report::segment_out`].

use crate::error::Error;
use crate::progress::Progress;
use crate::read::sketched::{APART, Sketched, State};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use nearprint_corpus::{InputFormat, ReadOptions, Reader, Record, Source};
use nearprint_fingerprint::{Fingerprint, Flags, Recipe};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::slice;

/// The version of segments.
const VERSION: u32 = 1;
/// How the first row begins, and no other.
const HEAD: &[u8] = b"{\"segment\":";

/// The first row: what all others were made by.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SegmentHead {
    segment: u32,
    recipe_id: String,
    recipe: Recipe,
}

/// A document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SegmentRow<'a> {
    /// The user's id.
    #[serde(borrow)]
    pub(crate) id: &'a RawValue,
    /// Lower-case hexadecimal digits, as everywhere.
    #[serde(borrow)]
    fingerprint: Cow<'a, str>,
    /// The hash of the content, as 32 hexadecimal digits.
    #[serde(borrow)]
    hash: Cow<'a, str>,
    /// Of a degenerate document its short hash, or that it is nobody's duplicate.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    content: Option<Cow<'a, str>>,
    /// The keys of its features, 8 bytes each, little-endian, ascending, in base64 without padding.
    #[serde(borrow)]
    features: Cow<'a, str>,
}

impl SegmentHead {
    /// The first row of a segment by `recipe`.
    pub(crate) fn row(recipe: &Recipe) -> Vec<u8> {
        let head =
            Self { segment: VERSION, recipe_id: recipe.id().to_string(), recipe: recipe.clone() };
        line(&head)
    }

    /// Whether a record is the first row.
    pub(crate) fn is_at(record: &Record<'_>) -> bool {
        record.held().starts_with(HEAD)
    }

    /// Checks that `source` is a segment by `recipe`, and reads it to its end: what is damaged is never
    /// passed over, whatever happens to records that cannot be read.
    ///
    /// # Errors
    /// [`Error::NoSegment`], [`Error::OtherRecipe`]; a file that cannot be read.
    pub(crate) fn check(
        source: &Source,
        recipe: &Recipe,
        progress: &Progress,
    ) -> Result<(), Error> {
        let mut batches = Reader::new(slice::from_ref(source), ReadOptions::default());
        let first = batches.next().transpose()?;
        let name = source.name().to_owned();
        let none = |problem: String| Error::NoSegment { name: name.clone(), problem };
        let Some(record) = first.as_ref().and_then(|batch| batch.record(0)) else {
            return Err(none("the file is empty".to_owned()));
        };
        if !Self::is_at(&record) {
            return Err(none("it does not begin as a segment does".to_owned()));
        }
        let head: serde_json::Value =
            serde_json::from_slice(record.held()).map_err(|error| none(error.to_string()))?;
        let version = head.get("segment").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if version != u64::from(VERSION) {
            return Err(none(format!("it has version {version}, this program knows {VERSION}")));
        }
        let head: Self = serde_json::from_value(head).map_err(|error| none(error.to_string()))?;
        if head.recipe_id != recipe.id().to_string() {
            let differences = head.recipe.differences(recipe).join("; ");
            return Err(Error::OtherRecipe { name, differences });
        }
        batches.try_for_each(|batch| {
            batch?;
            progress.check()
        })
    }
}

impl<'a> SegmentRow<'a> {
    /// The row of a document with these [features](Self::features).
    pub(crate) fn row<const WORDS: usize>(
        id: &str,
        fingerprint: Fingerprint<WORDS>,
        hash: u128,
        state: State,
        features: &str,
    ) -> Vec<u8> {
        let Ok(id) = serde_json::from_str(id) else { return Vec::new() };
        let row = SegmentRow {
            id,
            fingerprint: fingerprint.to_string().into(),
            hash: format!("{hash:032x}").into(),
            content: match state {
                State::Exact(content) => Some(format!("{content:016x}").into()),
                State::Apart => Some(APART.into()),
                _ => None,
            },
            features: features.into(),
        };
        line(&row)
    }

    /// The field of features with these keys, which ascend.
    pub(crate) fn features(keys: &[u64]) -> String {
        let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        STANDARD_NO_PAD.encode(bytes)
    }

    /// The row that a record holds.
    ///
    /// # Errors
    /// [`Error::SegmentRow`].
    pub(crate) fn of(record: &Record<'a>) -> Result<Self, Error> {
        serde_json::from_slice(record.held()).map_err(|error| wrong(record, error.to_string()))
    }

    /// What the document turned out to be, and the keys of its features.
    ///
    /// # Errors
    /// [`Error::SegmentRow`].
    pub(crate) fn document<const WORDS: usize>(
        &self,
        record: &Record<'_>,
    ) -> Result<(Sketched<WORDS>, Vec<u64>), Error> {
        let fingerprint = self.fingerprint.parse::<Fingerprint<WORDS>>();
        let fingerprint = fingerprint.map_err(|error| wrong(record, error.to_string()))?;
        let digits = |name: &str, error| wrong(record, format!("field \"{name}\": {error}"));
        let content_hash =
            u128::from_str_radix(&self.hash, 16).map_err(|error| digits("hash", error))?;
        let state = match self.content.as_deref() {
            None => State::Full,
            Some(APART) => State::Apart,
            Some(content) => State::Exact(
                u64::from_str_radix(content, 16).map_err(|error| digits("content", error))?,
            ),
        };
        let sketched = Sketched {
            state,
            flags: Flags::default(),
            fingerprint,
            full: None,
            length: 0,
            score: None,
            content_hash,
        };
        Ok((sketched, self.keys(record)?))
    }

    /// The keys of the features, ascending.
    ///
    /// # Errors
    /// [`Error::SegmentRow`].
    pub(crate) fn keys(&self, record: &Record<'_>) -> Result<Vec<u64>, Error> {
        let problem = |problem: String| wrong(record, format!("field \"features\": {problem}"));
        let bytes = STANDARD_NO_PAD.decode(&*self.features);
        let bytes = bytes.map_err(|error| problem(error.to_string()))?;
        let (keys, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(problem(format!("{} bytes, expected 8 for each feature", bytes.len())));
        }
        let keys: Vec<u64> = keys.iter().map(|key| u64::from_le_bytes(*key)).collect();
        if !keys.is_sorted_by(|a, b| a < b) {
            return Err(problem("the features do not ascend".to_owned()));
        }
        Ok(keys)
    }
}

/// Refuses segments among the sources of documents.
pub(crate) fn refuse_segments(sources: &[Source]) -> Result<(), Error> {
    let segment = sources.iter().find(|source| is_segment(source));
    segment.map_or(Ok(()), |segment| {
        Err(nearprint_corpus::Error::SegmentText { place: segment.name().to_owned() }.into())
    })
}

/// Whether a source holds the documents that stayed in an earlier run, whatever its name is.
///
/// # Examples
/// ```
/// use nearprint_corpus::{InputFormat, discover};
/// use nearprint_dedup::holds_documents;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("other.seg").display().to_string();
/// std::fs::write(&path, "something else")?;
/// let sources = discover(&[path], Some(InputFormat::Segment))?;
/// assert!(!holds_documents(&sources[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn holds_documents(source: &Source) -> bool {
    let first = Reader::new(slice::from_ref(source), ReadOptions::default()).next();
    let Some(Ok(batch)) = first else { return false };
    batch.record(0).is_some_and(|record| SegmentHead::is_at(&record))
}

/// Whether a source is a segment by its name.
pub(crate) fn is_segment(source: &Source) -> bool {
    source.format() == Some(InputFormat::Segment)
}

fn wrong(record: &Record<'_>, problem: String) -> Error {
    Error::SegmentRow { place: record.place(), problem }
}

fn line(row: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(row).unwrap_or_default();
    line.push(b'\n');
    line
}
