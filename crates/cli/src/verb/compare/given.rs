//! What `compare` is given: a text, or a row of features.

use crate::input::place::Place;
use crate::input::text_parts::look_for_parts;
use crate::usage::wrong;
use anyhow::bail;
use nearprint_corpus::{
    Dialect, Discovery, Error, Fields, InputFormat, InvalidUtf8, ReadOptions, Source, discover,
};
use nearprint_dedup::{FieldsSeen, fields_for, text_of};
use nearprint_fingerprint::{
    AnyFingerprinter, FeatureList, FeatureSet, Fingerprinted, Recipe, Weighting,
};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A document to compare.
pub(super) enum Given {
    Text(String),
    Features(Vec<(String, f64)>),
}

/// A document as the recipe sees it.
pub(super) struct Seen {
    pub(super) fingerprinted: Fingerprinted,
    pub(super) set: FeatureSet,
    pub(super) list: FeatureList,
}

impl Given {
    /// The document that an argument stands for; of rows the one whose text is in `text_field`.
    pub(super) fn of(
        recipe: &Recipe,
        given: &OsStr,
        (text_field, dialect): (&str, Dialect),
        seen: &mut FieldsSeen,
    ) -> anyhow::Result<Self> {
        match recipe.weights {
            Weighting::Given => Self::row(recipe, given),
            _ => text(recipe, given, (text_field, dialect), seen).map(Self::Text),
        }
    }

    /// The text itself.
    pub(super) fn itself(recipe: &Recipe, given: &str) -> anyhow::Result<Self> {
        if recipe.weights == Weighting::Given {
            return wrong(format!(
                "--text: recipe {} takes features with their weights, not texts; name a row of a JSONL file, \
                 such as rows.jsonl:1",
                recipe.name
            ));
        }
        Ok(Self::Text(text_of(recipe, given).into_owned()))
    }

    /// The row of features that an argument stands for.
    fn row(recipe: &Recipe, given: &OsStr) -> anyhow::Result<Self> {
        let (place, given) = (Place::of(given), given.display());
        if !Path::new(place.path).is_file() {
            bail!(
                "{given}: no such file; recipe {} takes rows of features: name a row of a JSONL file, such as \
                 rows.jsonl:1",
                recipe.name
            );
        }
        let sources = discover(&[place.path], Some(InputFormat::JSONL))?;
        let fields = Fields { text: "features".to_owned(), ..Fields::default() };
        let features = place.document(&sources, ReadOptions::default(), |record| {
            Ok(record.vector(&fields, InvalidUtf8::Fail)?.features)
        })?;
        match features {
            Some(features) => Ok(Self::Features(features)),
            None => wrong(format!("{given}: the file has no rows")),
        }
    }

    /// The document as `fingerprinter` sees it.
    pub(super) fn seen(&self, fingerprinter: &mut AnyFingerprinter) -> anyhow::Result<Seen> {
        Ok(match self {
            Self::Text(text) => Seen {
                fingerprinted: fingerprinter.fingerprint_in(text, None),
                set: fingerprinter.features(text),
                list: fingerprinter.list_in(text, None),
            },
            Self::Features(features) => {
                let all = || features.iter().map(|(name, weight)| (name.as_str(), *weight));
                Seen {
                    fingerprinted: fingerprinter.fingerprint_features(&mut all())?,
                    set: features.iter().cloned().collect(),
                    list: fingerprinter.list_of_features(&mut all())?,
                }
            }
        })
    }
}

/// The files that arguments name, as far as they can be found.
pub(super) fn sources(given: [&OsString; 2], dialect: Dialect) -> Vec<Source> {
    let files = given.map(|given| Place::of(given).path).into_iter();
    let files = files.filter(|path| Path::new(path).is_file());
    files.flat_map(|path| found(path, dialect).unwrap_or_default()).collect()
}

/// The sources that a file is.
fn found(path: &OsStr, dialect: Dialect) -> Result<Vec<Source>, Error> {
    Ok(Discovery::new().dialect(dialect).find(&[path])?.0)
}

/// The text that an argument stands for: that of a file, or of a row of a file of rows.
fn text(
    recipe: &Recipe,
    given: &OsStr,
    (text_field, dialect): (&str, Dialect),
    seen: &mut FieldsSeen,
) -> anyhow::Result<String> {
    let (place, given) = (Place::of(given), given.display());
    let path = Path::new(place.path);
    if !path.exists() {
        bail!(
            "{given}: no such file; use --text to compare the words themselves, or --in CORPUS for ids of its documents"
        );
    }
    if path.is_dir() {
        return wrong(format!("{given}: a folder; compare takes two files"));
    }
    let sources = found(place.path, dialect)?;
    let fields = Fields { text: text_field.to_owned(), ..Fields::default() };
    let fields = fields_for(recipe, &fields);
    let text = place.document(&sources, ReadOptions::default(), |record| {
        let document = record.document(&fields, InvalidUtf8::Fail)?;
        seen.add_text(record, &document);
        Ok(document.text.into_owned())
    })?;
    look_for_parts(seen, &sources, ReadOptions::default(), &fields);
    Ok(text.unwrap_or_default())
}
