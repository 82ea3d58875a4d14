//! The rows of a segment: what a later run needs of a document to compare with it as if it had the text.
//! Which documents are written is handled by [`crate::write::segment_out`].

use crate::error::Error;
use crate::progress::Progress;
use crate::read::sketched::{APART, Sketched, State};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use nearprint_corpus::{InputFormat, ReadOptions, Reader, Record, Source};
use nearprint_fingerprint::{AnyFingerprint, FeatureList, Flags, Recipe, Width};
use nearprint_index::ends_as_segment;
use nearprint_rules::Check;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::slice;

/// The version of segments, and that of segments whose features have weights.
const VERSION: u32 = 1;
const WEIGHED: u32 = 2;
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
    /// The short hash of a degenerate document, or that it is never a duplicate.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    content: Option<Cow<'a, str>>,
    /// The keys of its features, 8 bytes each, little-endian, ascending, in base64 without padding.
    #[serde(borrow)]
    features: Cow<'a, str>,
    /// Their weights where the segment has them: numbers of 64 bits, in the same order and form.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    weights: Option<Cow<'a, str>>,
}

/// The fields of the features of a document.
pub(crate) struct SegmentFeatures {
    keys: String,
    weights: Option<String>,
}

impl SegmentHead {
    /// The first row of a segment by `recipe`, with the weights of features where it `weighs`.
    pub(crate) fn row(recipe: &Recipe, weighs: bool) -> Vec<u8> {
        let segment = if weighs { WEIGHED } else { VERSION };
        line(&Self { segment, recipe_id: recipe.id().to_string(), recipe: recipe.clone() })
    }

    /// Whether a record is the first row.
    pub(crate) fn is_at(record: &Record<'_>) -> bool {
        record.held().starts_with(HEAD)
    }

    /// Checks that `source` is a segment by `recipe` that keeps what a check goes by, and reads it to its end: what
    /// is damaged is never passed over, whatever happens to records that cannot be read.
    ///
    /// # Errors
    /// [`Error::NoSegment`], [`Error::OtherRecipe`], [`Error::NoWeights`]; a file that cannot be read.
    pub(crate) fn check(
        source: &Source,
        recipe: &Recipe,
        check: Check,
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
            return Err(none(if holds_fingerprints(source) {
                "it is an index of fingerprints, without documents".to_owned()
            } else {
                "it does not begin as a segment does".to_owned()
            }));
        }
        let head: serde_json::Value =
            serde_json::from_slice(record.held()).map_err(|error| none(error.to_string()))?;
        let version = head.get("segment").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if ![VERSION, WEIGHED].map(u64::from).contains(&version) {
            return Err(none(format!("it has version {version}, this program knows 1 and 2")));
        }
        let head: Self = serde_json::from_value(head).map_err(|error| none(error.to_string()))?;
        if head.recipe_id != recipe.id().to_string() {
            let differences =
                head.recipe.differences_between(recipe, ["in the segment", "in this run"]);
            let differences = differences.join("; ");
            return Err(Error::OtherRecipe { name, differences });
        }
        if check.weighs() && head.segment == VERSION {
            return Err(Error::NoWeights { name, verify: check.rule().to_string() });
        }
        batches.try_for_each(|batch| {
            batch?;
            progress.check()
        })
    }
}

impl<'a> SegmentRow<'a> {
    /// The row of a document with these [features](Self::features).
    pub(crate) fn row(
        id: &str,
        fingerprint: &dyn Display,
        hash: u128,
        state: State,
        features: &SegmentFeatures,
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
            features: features.keys.as_str().into(),
            weights: features.weights.as_deref().map(Cow::Borrowed),
        };
        line(&row)
    }

    /// The fields of these features, with their weights where the segment `weighs`.
    pub(crate) fn features(list: &FeatureList, weighs: bool) -> SegmentFeatures {
        let field = |numbers: &mut dyn Iterator<Item = u64>| {
            STANDARD_NO_PAD.encode(numbers.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
        };
        let weights = || field(&mut list.weights().iter().map(|weight| weight.to_bits()));
        SegmentFeatures {
            keys: field(&mut list.keys().iter().copied()),
            weights: weighs.then(weights),
        }
    }

    /// The row that a record holds.
    ///
    /// # Errors
    /// [`Error::SegmentRow`].
    pub(crate) fn of(record: &Record<'a>) -> Result<Self, Error> {
        serde_json::from_slice(record.held()).map_err(|error| wrong(record, error.to_string()))
    }

    /// What the document turned out to be, and its features, with the weights that the row has.
    ///
    /// # Errors
    /// [`Error::SegmentRow`].
    pub(crate) fn document(
        &self,
        record: &Record<'_>,
        width: Width,
    ) -> Result<(Sketched, FeatureList), Error> {
        let fingerprint = AnyFingerprint::parse(&self.fingerprint, width);
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
            few: false,
            length: 0,
            score: None,
            content_hash,
        };
        Ok((sketched, self.list(record, self.weights.is_some())?))
    }

    /// The keys of the features, ascending.
    fn keys(&self, record: &Record<'_>) -> Result<Vec<u64>, Error> {
        let keys = numbers(record, "features", &self.features)?;
        if !keys.is_sorted_by(|a, b| a < b) {
            let problem = "field \"features\": the features do not ascend";
            return Err(wrong(record, problem.to_owned()));
        }
        Ok(keys)
    }

    /// The features, with their weights where it `weighs`.
    ///
    /// # Errors
    /// [`Error::SegmentRow`].
    pub(crate) fn list(&self, record: &Record<'_>, weighs: bool) -> Result<FeatureList, Error> {
        let keys = self.keys(record)?;
        if !weighs {
            return Ok(FeatureList::of_set(keys));
        }
        let weights = self.weights.as_deref().unwrap_or_default();
        let weights = numbers(record, "weights", weights)?.into_iter();
        let weights: Vec<f64> = weights.map(f64::from_bits).collect();
        let problem = if weights.len() != keys.len() {
            format!("{} of them for {} features", weights.len(), keys.len())
        } else if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
            format!("{weight} is not a finite number")
        } else {
            return Ok(FeatureList::of(keys, weights));
        };
        Err(wrong(record, format!("field \"weights\": {problem}")))
    }
}

/// The numbers of a field.
fn numbers(record: &Record<'_>, name: &str, field: &str) -> Result<Vec<u64>, Error> {
    let problem = |problem: String| wrong(record, format!("field \"{name}\": {problem}"));
    let bytes = STANDARD_NO_PAD.decode(field).map_err(|error| problem(error.to_string()))?;
    let (numbers, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(problem(format!("{} bytes, expected 8 for each feature", bytes.len())));
    }
    Ok(numbers.iter().map(|number| u64::from_le_bytes(*number)).collect())
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
/// let sources = discover(&[path], Some(InputFormat::SEGMENT))?;
/// assert!(!holds_documents(&sources[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn holds_documents(source: &Source) -> bool {
    let first = Reader::new(slice::from_ref(source), ReadOptions::default()).next();
    let Some(Ok(batch)) = first else { return false };
    batch.record(0).is_some_and(|record| SegmentHead::is_at(&record))
}

/// Whether a file is a segment of fingerprints, which ends as such do.
fn holds_fingerprints(source: &Source) -> bool {
    /// More than the last bytes that tell it.
    const TAIL: i64 = 64;
    let tail = |path: &Path| -> io::Result<Vec<u8>> {
        let (mut file, mut tail) = (File::open(path)?, Vec::new());
        file.seek(SeekFrom::End(-TAIL))?;
        file.read_to_end(&mut tail)?;
        Ok(tail)
    };
    source.path().is_some_and(|path| tail(path).is_ok_and(|tail| ends_as_segment(&tail)))
}

/// Whether a source is a segment by its format.
pub(crate) fn is_segment(source: &Source) -> bool {
    source.format().is_some_and(InputFormat::is_seen)
}

fn wrong(record: &Record<'_>, problem: String) -> Error {
    Error::SegmentRow { place: record.place(), problem }
}

fn line(row: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(row).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Fingerprint64;

    /// What is written stays readable: a change of these bytes is a new version.
    #[test]
    fn rows_with_weights_are_frozen() {
        let list = FeatureList::weighted(vec![(2, -3.0), (1, 0.5)]);
        let row = |weighs| {
            let features = SegmentRow::features(&list, weighs);
            let code = Fingerprint64::from(7);
            String::from_utf8(SegmentRow::row("1", &code, 9, State::Full, &features)).unwrap()
        };
        let start = "{\"id\":1,\"fingerprint\":\"0000000000000007\",\"hash\":\"00000000000000000000000000000009\",\
                     \"features\":\"AQAAAAAAAAACAAAAAAAAAA\"";
        assert_eq!(row(false), format!("{start}}}\n"));
        assert_eq!(row(true), format!("{start},\"weights\":\"AAAAAAAA4D8AAAAAAAAIwA\"}}\n"));
        let recipe = Recipe::named("vectors").unwrap();
        for (weighs, head) in [(false, "{\"segment\":1,"), (true, "{\"segment\":2,")] {
            assert!(SegmentHead::row(&recipe, weighs).starts_with(head.as_bytes()));
        }
    }
}
