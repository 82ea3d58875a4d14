//! How many documents and tokens there are: what a step of cleaning has to begin with, and what it leaves.

use crate::error::Error;
use crate::job::discovered::Discovered;
use crate::job::form::Form;
use crate::job::needs::named;
use crate::job::spec::Resources;
use crate::passages::corpus::Corpus;
use crate::passages::spec::PassagesSpec;
use crate::passages::tally::{BatchTally, Tally};
use crate::progress::{Progress, Stage};
use crate::threads;
use serde::{Deserialize, Serialize};

/// What a corpus holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusSize {
    /// Documents.
    pub documents: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Tokens of the recipe.
    pub tokens: u64,
}

impl PassagesSpec {
    /// What the input holds, by one reading. Documents of the reference do not count.
    ///
    /// # Errors
    /// A recipe whose tokens have no places; input that cannot be found or read.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{InputSpec, PassagesSpec, Progress, Resources};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let input = folder.path().join("in.jsonl");
    /// std::fs::write(&input, "{\"text\":\"One, two.\"}\n{\"text\":\"three\"}\n")?;
    /// let input = InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() };
    /// let spec = PassagesSpec { input, ..PassagesSpec::default() };
    /// let size = spec.size(&Resources::default(), &Progress::default())?;
    /// assert_eq!((size.documents, size.bytes, size.tokens), (2, 14, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn size(&self, with: &Resources, progress: &Progress) -> Result<CorpusSize, Error> {
        self.check_recipe()?;
        let mut found = Discovered::find(&self.input, with)?;
        found.against.clear();
        let form = Form::of(&self.outputs.as_outputs(), &found.sources);
        let (reading, sources, room) = self.reading_over(&found, with, form)?;
        let dir = with.temporary()?;
        let corpus = Corpus {
            reading: &reading,
            recipe: &self.recipe,
            sources: &sources,
            reference: 0,
            first: 0,
            rule: self.rule,
            offsets: self.outputs.offsets,
            dir: &dir,
            progress,
        };
        let size = threads::pool(reading.threads)?.install(|| size_of(&corpus));
        size.map_err(|error| named(room, error, self.reading.options.max_record_bytes))
    }
}

/// What all documents hold.
fn size_of(corpus: &Corpus<'_>) -> Result<CorpusSize, Error> {
    let mut tally = Tally::new(corpus);
    let mut bytes = 0;
    corpus.read(
        Stage::Count,
        |_| Ok(()),
        |worker, planned| {
            let mut tally = BatchTally::of(&planned.batch, &corpus.reading.fields);
            let mut bytes = 0;
            for record in planned.batch.records() {
                match corpus.document(&record) {
                    Err(error) => tally.fail(error.into()),
                    Ok(document) => {
                        tally.add(&corpus.reading.fields, &record, &document);
                        tally.add_tokens(worker.units.hashes(&document.text).1);
                        bytes += document.text.len() as u64;
                    }
                }
            }
            Ok((tally, bytes))
        },
        |counted| match counted {
            Err(error) => tally.fail(error),
            Ok((of_batch, of_texts)) => {
                bytes += of_texts;
                tally.take(of_batch)
            }
        },
    )?;
    let tallied = tally.finish()?;
    let tokens = tallied.tokens.iter().sum();
    Ok(CorpusSize {
        documents: tallied.counts.documents + tallied.of_reference.documents,
        bytes,
        tokens,
    })
}
