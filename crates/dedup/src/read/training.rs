//! A corpus read for how common its features are, and before that for its phrases. The file that
//! comes of it is made by `nearprint_fingerprint`.

use crate::error::Error;
use crate::progress::{Progress, Stage};
use crate::read::by_reason::ByReason;
use crate::read::counts::Counts;
use crate::read::few_documents::FileTally;
use crate::read::pages::Pages;
use crate::read::pipeline;
use crate::read::reading::Reading;
use crate::read::sketch::{OnError, fields_for};
use nearprint_corpus::{Batch, InvalidUtf8, Lot, Reader, Source};
use nearprint_fingerprint::{
    FeatureKeys, Language, Recipe, RecipeError, StatisticsBuilder, TokenCounts, TokenKeys,
};
use std::sync::atomic::Ordering;

/// The features or tokens of a batch of documents.
#[derive(Default)]
struct Trained {
    /// Keys of distinct features, or of tokens; those of one document after those of another.
    keys: Vec<u64>,
    /// Where the keys of each document end, and its features with their repetitions.
    documents: Vec<(usize, u64)>,
    bytes: u64,
    replaced_utf8: u64,
    pages: Pages,
    errors: Vec<Error>,
    others: ByReason,
    /// The place of the source, where there is one.
    source: Option<usize>,
}

/// Counts the features of every document of `sources` that `recipe` would weigh. `reading` says how
/// they are read; its content does not matter.
///
/// The phrases of a recipe that has them are learned first, in two readings of their own: no source may
/// be a stream then.
///
/// Memory: some 24 bytes a distinct feature of the corpus, and the batches under way; while phrases are
/// learned, some 24 bytes a distinct token and a pair that may be a phrase.
///
/// # Errors
/// Keys of the recipe that contradict each other; records that cannot be read, where `reading` says
/// so.
pub fn train(
    reading: &Reading,
    recipe: &Recipe,
    sources: &[Source],
    progress: &Progress,
) -> Result<(StatisticsBuilder, Counts), Error> {
    let reading = &Reading { fields: fields_for(recipe, &reading.fields), ..reading.clone() };
    let corpus = Corpus { reading, sources, progress };
    if recipe.phrases == 0 {
        let mut builder = StatisticsBuilder::new(recipe)?;
        let counts = corpus.read(
            || FeatureKeys::new(recipe),
            FeatureKeys::keys,
            |keys, occurrences| builder.add_keys(keys, occurrences),
        )?;
        return Ok((builder, counts));
    }
    let mut tokens = TokenCounts::default();
    corpus.read(|| TokenKeys::new(recipe), TokenKeys::keys, |keys, _| tokens.add(keys))?;
    let mut pairs = tokens.pairs(recipe.phrases);
    corpus.read(|| TokenKeys::new(recipe), TokenKeys::keys, |keys, _| pairs.add(keys))?;
    let phrases = pairs.phrases();
    let mut builder = StatisticsBuilder::with_phrases(recipe, &phrases)?;
    let counts = corpus.read(
        || FeatureKeys::with_phrases(recipe, &phrases),
        FeatureKeys::keys,
        |keys, occurrences| builder.add_keys(keys, occurrences),
    )?;
    Ok((builder, counts))
}

/// Documents that are read as often as it takes.
struct Corpus<'a> {
    reading: &'a Reading,
    sources: &'a [Source],
    progress: &'a Progress,
}

impl Corpus<'_> {
    /// Hands the keys that `keys` appends for each document, with the number that it answers, to `count`
    /// in input order. `state` is made once a thread.
    fn read<S>(
        &self,
        state: impl Fn() -> Result<S, RecipeError> + Sync,
        keys: impl Fn(&mut S, &str, Option<Language>, &mut Vec<u64>) -> u64 + Sync,
        mut count: impl FnMut(&[u64], u64),
    ) -> Result<Counts, Error> {
        let Self { reading, sources, progress } = *self;
        progress.enter(Stage::Fingerprint);
        let mut counts = Counts::default();
        let mut tally = FileTally::new(sources, reading.fail_on_empty);
        let reader = Reader::new(sources, reading.options);
        let bytes_read = reader.bytes_read();
        pipeline::ordered(
            reader.lots(),
            Lot::bytes,
            reading.threads,
            state,
            |state, lot| match (state, lot.read()) {
                (Ok(state), Ok(batch)) => trained(reading, &batch, |text, language, found| {
                    keys(state, text, language, found)
                }),
                (Err(error), _) => unreadable(error.clone().into()),
                (_, Err(error)) => unreadable(error.into()),
            },
            |mut batch: Trained| {
                if let Some(at) = batch.errors.iter().position(|error| reading.ends_with(error)) {
                    return Err(batch.errors.swap_remove(at));
                }
                let (records, documents) =
                    (batch.documents.len() + batch.errors.len(), batch.documents.len());
                let (others, other) = batch.others.content();
                match (batch.source, batch.errors.first()) {
                    (None, Some(error)) => tally.fail(error)?,
                    (source, error) => {
                        let why = || error.map(ToString::to_string).or(other);
                        let (source, records) =
                            (source.unwrap_or(usize::MAX), records as u64 + others);
                        tally.add(source, records, documents as u64, why)?;
                    }
                }
                let mut start = 0;
                for &(end, occurrences) in &batch.documents {
                    count(batch.keys.get(start..end).unwrap_or_default(), occurrences);
                    start = end;
                }
                counts.documents += batch.documents.len() as u64;
                counts.bytes += batch.bytes;
                counts.replaced_utf8 += batch.replaced_utf8;
                counts.pages += batch.pages;
                batch.errors.iter().for_each(|error| counts.skip(error));
                counts.others += batch.others.total;
                counts.other_records.merge(&batch.others);
                let records = (batch.documents.len() + batch.errors.len()) as u64;
                progress.advance(bytes_read.load(Ordering::Relaxed), records);
                progress.check()
            },
        )?;
        counts.few_documents = tally.end()?;
        Ok(counts)
    }
}

fn unreadable(error: Error) -> Trained {
    Trained { errors: vec![error], ..Trained::default() }
}

fn trained(
    reading: &Reading,
    batch: &Batch,
    mut keys: impl FnMut(&str, Option<Language>, &mut Vec<u64>) -> u64,
) -> Trained {
    let invalid = match reading.on_error {
        OnError::Fail => InvalidUtf8::Fail,
        OnError::Skip => InvalidUtf8::Replace,
    };
    let others = ByReason::of_archive(batch);
    let mut found = Trained { others, source: Some(batch.source_index()), ..Trained::default() };
    found.errors.extend(batch.check_columns(&reading.fields).err().map(Error::from));
    for record in batch.records() {
        found.bytes += record.held().len() as u64;
        match record.document(&reading.fields, invalid) {
            Ok(document) => {
                let language = document.tag.as_deref().and_then(Language::from_tag);
                let occurrences = keys(&document.text, language, &mut found.keys);
                found.documents.push((found.keys.len(), occurrences));
                found.replaced_utf8 += u64::from(document.replaced_utf8);
                found.pages.add_document(&document);
            }
            Err(error) => found.errors.push(error.into()),
        }
    }
    found
}
