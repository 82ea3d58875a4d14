//! What `compare` is given: a text, or a row of features.

use crate::usage::wrong;
use nearprint_corpus::{Fields, InputFormat, InvalidUtf8, ReadOptions, Reader, discover};
use nearprint_fingerprint::{FeatureList, FeatureSet, Fingerprinted, Fingerprinter, Recipe};
use std::path::Path;

/// A document to compare.
pub(super) enum Given {
    Text(String),
    Features(Vec<(String, f64)>),
}

/// A document as the recipe sees it.
pub(super) struct Seen<const WORDS: usize> {
    pub(super) fingerprinted: Fingerprinted<WORDS>,
    pub(super) set: FeatureSet,
    pub(super) list: FeatureList,
}

impl Given {
    /// The row of features that an argument stands for.
    pub(super) fn row(recipe: &Recipe, is_text: bool, given: &str) -> anyhow::Result<Self> {
        let name = &recipe.name;
        if is_text {
            return wrong(format!(
                "--text: recipe {name} takes features with their weights, not texts; name a row of a JSONL file, \
                 such as rows.jsonl:1"
            ));
        }
        let (path, wanted) = place(given);
        if !Path::new(path).is_file() {
            return wrong(format!(
                "{given}: no such file; recipe {name} takes rows of features: name a row of a JSONL file, such as \
                 rows.jsonl:1"
            ));
        }
        let sources = discover(&[path.to_owned()], Some(InputFormat::Jsonl))?;
        let fields = Fields { text: "features".to_owned(), ..Fields::default() };
        let (mut rows, mut found) = (0, None);
        for batch in Reader::new(&sources, ReadOptions::default()) {
            for record in batch?.records() {
                rows += 1;
                if rows == wanted.unwrap_or(1) {
                    let vector = record.vector(&fields, InvalidUtf8::Fail)?;
                    found = Some(vector.features);
                }
            }
        }
        match found {
            Some(_) if wanted.is_none() && rows > 1 => {
                wrong(format!("{path}: {rows} rows; name one of them, such as {path}:1"))
            }
            Some(features) => Ok(Self::Features(features)),
            None => wrong(format!("{given}: no such row; the file has {rows}")),
        }
    }

    /// The document as `fingerprinter` sees it.
    pub(super) fn seen<const WORDS: usize>(
        &self,
        fingerprinter: &mut Fingerprinter<WORDS>,
    ) -> anyhow::Result<Seen<WORDS>> {
        Ok(match self {
            Self::Text(text) => Seen {
                fingerprinted: fingerprinter.fingerprint(text),
                set: fingerprinter.features(text),
                list: fingerprinter.list_in(text, None),
            },
            Self::Features(features) => {
                let all = || features.iter().map(|(name, weight)| (name.as_str(), *weight));
                Seen {
                    fingerprinted: fingerprinter.fingerprint_features(all())?,
                    set: features.iter().cloned().collect(),
                    list: fingerprinter.list_of_features(all())?,
                }
            }
        })
    }
}

/// A file and the number of a row in it, from 1 on, where one is named.
fn place(given: &str) -> (&str, Option<u64>) {
    let named = given.rsplit_once(':').filter(|_| !Path::new(given).exists());
    let named = named.and_then(|(path, row)| Some((path, row.parse().ok()?)));
    named.map_or((given, None), |(path, row)| (path, Some(row)))
}
