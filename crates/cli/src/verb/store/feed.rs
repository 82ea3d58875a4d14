//! What the verbs of a store read: documents on their way to it, as sketches.

use crate::flags::heading::{INPUT, OUTPUT};
use crate::flags::input::InputFlags;
use crate::flags::recipe::RecipeFlags;
use crate::flags::run::RunFlags;
use crate::input::corpus::remark_for_store;
use crate::show::bar::Bar;
use crate::show::figures::count_of;
use crate::usage::{advised_for_store, wrong};
use nearprint_corpus::{Id, Source, total_bytes};
use nearprint_dedup::{Counts, Error, Origin, Progress, Reading, Sketched, SketchedBatch, State};
use nearprint_fingerprint::{FeatureList, Matching};
use nearprint_store::{Settings, Sketch, Threshold};
use std::mem;
use std::sync::Arc;

/// The field of a row that the store keeps as it is.
const METADATA: &str = "metadata";

/// Documents that are handed over together.
const TOGETHER: usize = 4096;

/// Documents, and how they are read.
#[derive(clap::Args)]
pub(super) struct FeedFlags {
    #[command(flatten)]
    pub(super) input: InputFlags,
    /// Read rows with fingerprints by the recipe of the store
    ///
    /// The fingerprints are in a field "fingerprint", as `nearprint fingerprint` writes them.
    #[arg(long, help_heading = INPUT)]
    fingerprints: bool,
    #[command(flatten)]
    recipe: RecipeFlags,
    /// How each document is answered [default: json for -, else none]
    ///
    /// A row of JSON on standard output, in the order of the input, or not at all.
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = OUTPUT)]
    format: Option<Answers>,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// How documents are answered.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Answers {
    /// A row each
    Json,
    /// Only the closing summary
    None,
}

/// A record of the input.
pub(super) enum Fed {
    /// A document.
    Document {
        /// Its id.
        id: String,
        /// What is compared of it.
        sketch: Sketch,
        /// What its row has in the field of metadata.
        metadata: Option<String>,
    },
    /// No document.
    Skipped {
        /// Why not, and where it is.
        reason: String,
    },
}

/// An input that is ready to be read.
pub(super) struct Feed<'a> {
    flags: &'a FeedFlags,
    sources: Vec<Source>,
    reading: Reading,
    /// How the store finds documents: what is made of them for it.
    threshold: Threshold,
}

impl FeedFlags {
    /// Finds the input and refuses what is not for a store of these settings.
    pub(super) fn open(&self, settings: &Settings) -> anyhow::Result<Feed<'_>> {
        if self.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
            return wrong(
                "a store identifies documents by id, and raw fingerprints have none; give rows \
                 with a field \"fingerprint\"",
            );
        }
        let threshold = settings.threshold;
        if threshold.radius().is_none() && self.fingerprints {
            return wrong(
                "--fingerprints: this store finds documents by similarity, which needs more than a \
                 fingerprint; give the texts",
            );
        }
        let content = match &settings.recipe {
            Some(recipe) if !self.fingerprints => {
                let (asked, content) = self.recipe.content_like(recipe)?;
                settings.accepts(&asked)?;
                content
            }
            _ => {
                self.recipe.refuse_for_stored(settings.width)?;
                Origin::Hex(settings.width)
            }
        };
        let mut reading = self.input.reading(content, self.run.threads()?)?;
        let sources = self.input.awaited(&self.input.inputs)?;
        reading.options.prompt = sources.iter().any(Source::is_stream);
        Ok(Feed { flags: self, sources, reading, threshold })
    }
}

impl Feed<'_> {
    /// The same for documents that are named by their ids for good: the place of a record in a stream is no
    /// id, as it is another document's the next time; and rows of fingerprints have none but their own.
    pub(super) fn by_id(mut self) -> Self {
        let stream = self.sources.iter().any(Source::is_stream);
        self.reading.fields.metadata = Some(METADATA.to_owned());
        self.reading.fields.id_named = true;
        self.reading.fields.id_required = stream || matches!(self.reading.content, Origin::Hex(_));
        self
    }

    /// Whether documents are answered one by one.
    pub(super) fn answers(&self) -> bool {
        self.flags.format.map_or(self.reading.options.prompt, |format| format == Answers::Json)
    }

    /// Reads all and hands it to `each` in order, with a bar: some thousand at a time, or what there is
    /// where somebody may wait for an answer. What is before a record that ends the reading is handed over
    /// too.
    pub(super) fn read(
        &self,
        each: &mut dyn FnMut(Vec<Fed>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        let progress = Arc::new(Progress::default());
        let quiet = self.flags.run.quiet;
        let _bar = Bar::show(&progress, total_bytes(&self.sources), quiet || self.answers());
        let (mut counts, mut failed, mut waiting) = (Counts::default(), None, Vec::new());
        let least = if self.reading.options.prompt { 1 } else { TOGETHER };
        let mut take = |batch: SketchedBatch| {
            counts.add(&batch);
            waiting.extend(fed(&batch));
            if waiting.len() < least {
                return Ok(());
            }
            each(mem::take(&mut waiting)).map_err(|error| {
                failed = Some(error);
                Error::Interrupted
            })
        };
        let Self { reading, sources, threshold, .. } = self;
        let read = match threshold.bands()? {
            Some(shape) => {
                let keys = threshold.verifies();
                reading.sketches_with_bands(shape, keys, sources, &progress, &mut take)
            }
            None if threshold.weighs() => {
                reading.sketches_with_weights(sources, &progress, &mut take)
            }
            None => reading.sketches(sources, &progress, &mut take),
        };
        if let Some(error) = failed {
            return Err(error);
        }
        // What was read before a failure is done too.
        if !waiting.is_empty() {
            each(waiting)?;
        }
        counts.few_documents = read.map_err(of_store)?;
        Ok(counts)
    }

    /// Says what a reader of the result would want to know of the input.
    pub(super) fn remark(&self, counts: &Counts) {
        if !self.quiet() {
            remark_for_store(counts);
        }
        self.flags.input.say_instead(&self.sources, self.quiet());
    }

    pub(super) fn quiet(&self) -> bool {
        self.flags.run.quiet
    }
}

/// An error of a document with what helps where a store is given it.
fn of_store(error: Error) -> anyhow::Error {
    match &error {
        Error::Corpus(corpus) if matches!(corpus, nearprint_corpus::Error::HtmlAsText { .. }) => {
            anyhow::Error::msg(advised_for_store(&error.to_string(), corpus.reason()))
        }
        _ => error.into(),
    }
}

/// What came before an error.
pub(super) fn before_error(documents: u64, done: &str) -> String {
    let were = match documents {
        0 => "no document was".to_owned(),
        1 => "1 document was".to_owned(),
        _ => format!("{} were", count_of(documents, "document")),
    };
    format!("{were} {done} before this error")
}

/// The records of a batch, in order. What could not be read at all is behind all others.
fn fed(batch: &SketchedBatch) -> Vec<Fed> {
    let mut errors = batch.errors.iter();
    let mut records = Vec::with_capacity(batch.records.len());
    for (at, (outcome, id)) in batch.iter().enumerate() {
        match outcome.matching() {
            Some(matching) => {
                let metadata = batch.metadata.get(at).cloned().flatten();
                let (id, sketch) = document(outcome, matching, id, batch.compared(at));
                records.push(Fed::Document { id, sketch, metadata });
            }
            None => records.extend(errors.next().map(skipped)),
        }
    }
    records.extend(errors.map(skipped));
    records
}

fn skipped(error: &Error) -> Fed {
    Fed::Skipped { reason: error.to_string() }
}

fn document(
    outcome: &Sketched,
    matching: Matching,
    id: &str,
    (bands, keys, weights): (&[u8], &[u64], &[f64]),
) -> (String, Sketch) {
    // A fingerprint that was made before says how its duplicates are found, not why.
    let by_features = !bands.is_empty() || !keys.is_empty();
    let flags = if by_features { outcome.flags.of_features() } else { outcome.flags };
    let flags = flags.completed(matching);
    let content = match outcome.state {
        State::Exact(short_hash) => short_hash,
        _ => 0,
    };
    let plain = Sketch { flags, content, bands: bands.to_vec(), ..outcome.fingerprint.into() };
    let sketch = match weights {
        [] => Sketch { keys: keys.to_vec(), ..plain },
        _ => plain.weighed(&FeatureList::of(keys.to_vec(), weights.to_vec())),
    };
    // What names no document for good was refused when it was read.
    let id = Id::named(id).unwrap_or_else(|_| id.to_owned());
    (id, sketch)
}
