//! The documents that are judged, in memory: their ids and texts, and their clusters where a field names them.

use crate::error::Error;
use crate::labels::labels::{Labels, id_text};
use foldhash::HashSet;
use nearprint_corpus::{Fields, InputFormat, InvalidUtf8, Reader, Source, read_json};
use nearprint_dedup::{Counts, FileTally, OnError, Reading, fields_for};
use nearprint_fingerprint::{DocumentPart, Recipe};
use serde_json::{Map, Value};

/// Documents in memory.
///
/// # Examples
/// ```
/// use nearprint_evaluation::Texts;
///
/// let texts = Texts::new(["a", "b"].map(|id| (id.to_owned(), "one text".to_owned())));
/// assert_eq!((texts.len(), texts.ids()[1].as_str()), (2, "b"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Texts {
    ids: Vec<String>,
    texts: Vec<String>,
    clusters: Vec<(String, String)>,
    extracted: bool,
    unlabelled: u64,
    counts: Counts,
}

/// Which documents are read, and what is read of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// Only documents that these labels are about.
    pub labels: Option<&'a Labels>,
    /// The field of a row that names its cluster.
    pub cluster_field: Option<&'a str>,
    /// Bytes that ids and texts may take.
    pub most: usize,
}

impl Texts {
    /// Documents by their ids and texts.
    #[must_use]
    pub fn new(documents: impl IntoIterator<Item = (String, String)>) -> Self {
        let (ids, texts) = documents.into_iter().unzip();
        Self { ids, texts, ..Self::default() }
    }

    /// Reads what is asked for of `sources`, as `reading` says, for a comparison by `recipe`.
    ///
    /// Rows keep the text of their field, and a recipe of HTML finds its part of that. Of HTML files and of
    /// archives the part that the recipe names is kept: [`recipe`](Self::recipe) goes by it.
    ///
    /// # Errors
    /// A record that cannot be read, unless such are skipped; texts that take more memory than they may.
    pub fn read(
        reading: &Reading,
        sources: &[Source],
        recipe: &Recipe,
        asked: Asked<'_>,
    ) -> Result<Self, Error> {
        let is_rows = |source: &Source| source.format().is_some_and(InputFormat::is_rows);
        let raw = sources.iter().all(is_rows);
        let part = if raw { None } else { fields_for(recipe, &reading.fields).part };
        let tag = asked.cluster_field.map(str::to_owned);
        let fields = Fields { part, tag, ..reading.fields.clone() };
        let wanted: Option<HashSet<&str>> = asked.labels.map(|labels| labels.ids().collect());
        let (invalid, skips) = match reading.on_error {
            OnError::Fail => (InvalidUtf8::Fail, false),
            OnError::Skip => (InvalidUtf8::Replace, true),
        };
        let extracted = !raw && recipe.content != DocumentPart::Text;
        let mut texts = Self { extracted, ..Self::default() };
        let mut bytes = 0;
        let mut tally = FileTally::new(sources, reading.fail_on_empty);
        for batch in Reader::new(sources, reading.options) {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) if skips => {
                    texts.leave_out(error, &mut tally)?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            match batch.check_columns(&fields) {
                Err(error) if skips => texts.leave_out(error, &mut tally)?,
                checked => checked?,
            }
            let mut skipped = 0;
            for record in batch.records() {
                let document = match record.document(&fields, invalid) {
                    Ok(document) => document,
                    Err(error) if skips => {
                        skipped += 1;
                        texts.counts.skip(&error.into());
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                };
                let id = document.id.unwrap_or_else(|| record.default_id());
                let id = id_text(id.as_json());
                if wanted.as_ref().is_some_and(|wanted| !wanted.contains(id.as_str())) {
                    texts.unlabelled += 1;
                    continue;
                }
                bytes += id.len() + document.text.len() + 2 * size_of::<String>();
                if bytes > asked.most {
                    return Err(Error::TooLarge { most: asked.most });
                }
                if let Some(field) = asked.cluster_field {
                    let number = || number(&record.raw(), field);
                    let cluster = document.tag.or_else(number);
                    texts.clusters.extend(cluster.map(|cluster| (id.clone(), cluster)));
                }
                texts.ids.push(id);
                texts.texts.push(document.text.into_owned());
            }
            texts.counts.add_batch(&batch, skipped, &mut tally)?;
        }
        texts.counts.few_documents = tally.end()?;
        Ok(texts)
    }

    /// Leaves out a part of the source that an error names.
    fn leave_out(
        &mut self,
        error: nearprint_corpus::Error,
        tally: &mut FileTally<'_>,
    ) -> Result<(), Error> {
        let error: nearprint_dedup::Error = error.into();
        tally.fail(&error)?;
        self.counts.skip(&error);
        Ok(())
    }

    /// The recipe for these texts: of texts that are a part of a page already, that of plain texts.
    #[must_use]
    pub fn recipe(&self, recipe: &Recipe) -> Recipe {
        if self.extracted { recipe.with_content(DocumentPart::Text) } else { recipe.clone() }
    }

    /// The labels that the field of the clusters makes.
    ///
    /// # Errors
    /// No row has the field; a document in two clusters.
    pub fn labels(&self) -> Result<Labels, Error> {
        Labels::of_clusters(self.clusters.iter().cloned())
    }

    /// The number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids of the documents.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The texts of the documents.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Documents that were not read, as no label is about them.
    #[must_use]
    pub fn unlabelled(&self) -> u64 {
        self.unlabelled
    }

    /// What was left out: records that cannot be read, and those of archives that are no documents.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}

/// A number in a field of a row of JSON, as text.
fn number(row: &[u8], field: &str) -> Option<String> {
    let row: Map<String, Value> = read_json(row).ok()?;
    row.get(field).filter(|value| value.is_number()).map(ToString::to_string)
}
