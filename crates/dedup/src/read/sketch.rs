//! One batch of records to fingerprints: what a worker thread does. Reading the batches and keeping
//! the results are handled by [`crate::read::documents`].

use crate::error::Error;
use crate::read::by_reason::ByReason;
use crate::read::extra::{Extra, Packing};
use crate::read::fields_seen::FieldsSeen;
use crate::read::search_input::Task;
use crate::read::segment_row::{SegmentHead, SegmentRow};
use crate::read::sketched::{APART, FEW_FEATURES, Sketched, State, short};
use crate::read::sketched_batch::SketchedBatch;
use nearprint_corpus::{
    Batch, Document, Fallback, Fields, InputFormat, InvalidUtf8, NullText, PageRules, Part, Record,
    Vector,
};
use nearprint_fingerprint::{
    AnyFingerprint, AnyFingerprinter, DegenerateRule, DocumentPart, FeatureList, Fingerprinted,
    Flags, Language, Matching, Outcome, Recipe, RecipeError, Statistics, Weighting, Width, mix64,
};
use std::borrow::Cow;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128, xxh3_128_with_seed};

/// Sets the hashes of texts without a feature apart from those of other contents.
const FEATURELESS: u64 = 0x6e6f_7468_696e_6721;

/// The name of the field that holds a fingerprint in a row.
pub const FIELD: &str = "fingerprint";

/// What happens to a record that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The job ends with an error that names it.
    #[default]
    Fail,
    /// It is left out and counted. Invalid UTF-8 is replaced and counted.
    Skip,
}

impl OnError {
    /// The rule's name, as a checkpoint has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Skip => "skip",
        }
    }
}

/// Where the fingerprint of a record comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Its text, or the features that it gives, by a recipe.
    Text {
        /// The recipe.
        recipe: Box<Recipe>,
        /// The statistics that it names.
        statistics: Option<Statistics>,
    },
    /// It is there already, as hexadecimal digits, of this width.
    Hex(Width),
}

impl Origin {
    /// The width of the fingerprints.
    #[must_use]
    pub const fn width(&self) -> Width {
        match self {
            Self::Text { recipe, .. } => recipe.width,
            Self::Hex(width) => *width,
        }
    }

    /// What makes fingerprints; `None` where these are there already.
    ///
    /// # Errors
    /// Those of [`AnyFingerprinter::new`].
    pub(crate) fn fingerprinter(&self) -> Result<Option<AnyFingerprinter>, RecipeError> {
        match self {
            Self::Text { recipe, statistics } => {
                AnyFingerprinter::new(recipe, statistics.as_ref()).map(Some)
            }
            Self::Hex(_) => Ok(None),
        }
    }
}

impl From<Recipe> for Origin {
    /// Text by a recipe that needs no statistics.
    fn from(recipe: Recipe) -> Self {
        Self::Text { recipe: Box::new(recipe), statistics: None }
    }
}

/// The fields to read for `recipe`: the recipe decides the part of a page, except for the full text
/// that may be asked for beside the main one.
#[must_use]
pub fn fields_for(recipe: &Recipe, fields: &Fields) -> Fields {
    let rules = PageRules::of_version(recipe.version);
    let part = match (recipe.content, fields.part) {
        (DocumentPart::Text, _) => None,
        (DocumentPart::HtmlMain, Some(Part::Both(_))) => Some(Part::Both(rules)),
        (DocumentPart::HtmlMain, _) => Some(Part::Main(rules)),
        (DocumentPart::HtmlFull, _) => Some(Part::Full(rules)),
    };
    Fields { part, ..fields.clone() }
}

/// The text that `recipe` fingerprints of a document: of a page the part that the recipe names, as of a
/// page in a row.
///
/// # Examples
/// ```
/// use nearprint_dedup::text_of;
/// use nearprint_fingerprint::Recipe;
///
/// let page = "<p>Fish &amp; chips.</p>";
/// assert_eq!(text_of(&Recipe::named("web")?, page), "Fish & chips.");
/// assert_eq!(text_of(&Recipe::named("text")?, page), page);
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[must_use]
pub fn text_of<'a>(recipe: &Recipe, document: &'a str) -> Cow<'a, str> {
    text_and_fallback(document, fields_for(recipe, &Fields::default()).part).0
}

/// The part of a text that is asked for, and why it is all text of a page in place of the main text.
fn text_and_fallback(text: &str, part: Option<Part>) -> (Cow<'_, str>, Option<Fallback>) {
    match part.map(|part| part.of(text)) {
        None => (Cow::Borrowed(text), None),
        Some((text, fallback)) => (Cow::Owned(text), fallback),
    }
}

/// A worker: a fingerprinter with its memory, and how to read a record.
pub(crate) struct Sketcher {
    method: Method,
    width: Width,
    fields: Fields,
    on_error: OnError,
    extra: Extra,
    /// Whether features decide in the end.
    verified: bool,
}

/// How a record becomes a fingerprint.
enum Method {
    Text(AnyFingerprinter),
    Features(AnyFingerprinter),
    Hex,
    /// Not at all: the bytes of its text decide.
    Bytes,
}

impl Sketcher {
    /// A worker for one thread.
    ///
    /// # Errors
    /// Those of [`AnyFingerprinter::new`].
    pub(crate) fn new(
        content: &Origin,
        fields: &Fields,
        on_error: OnError,
    ) -> Result<Self, RecipeError> {
        let fields = match content {
            Origin::Hex(_) => Fields { null_text: NullText::Fail, ..fields.clone() },
            Origin::Text { recipe, .. } => fields_for(recipe, fields),
        };
        let method = match content {
            Origin::Hex(_) => Method::Hex,
            Origin::Text { recipe, statistics } => {
                let fingerprinter = AnyFingerprinter::new(recipe, statistics.as_ref())?;
                match recipe.weights {
                    Weighting::Given => Method::Features(fingerprinter),
                    _ => Method::Text(fingerprinter),
                }
            }
        };
        let width = content.width();
        Ok(Self { method, width, fields, on_error, extra: Extra::default(), verified: false })
    }

    /// The same worker with a task beside fingerprints.
    pub(crate) fn with_task(self, task: &Task) -> Self {
        let verified = !matches!(task, Task::Nothing | Task::Bytes);
        let method = if let Task::Bytes = task { Method::Bytes } else { self.method };
        Self { extra: Extra::of(task, self.width), verified, method, ..self }
    }

    /// The same worker, which packs the sketches that the task makes.
    pub(crate) fn packing(self, packing: Option<Packing>) -> Self {
        Self { extra: self.extra.packing(packing), ..self }
    }

    /// The outcomes of one batch.
    pub(crate) fn sketch(&mut self, batch: &Batch) -> SketchedBatch {
        let mut sketch = self.sketch_some(batch, batch.records());
        if let Err(missing) = batch.check_columns(&self.fields) {
            // Without a row nothing tells a table of fingerprints.
            let stored = Fields { text: FIELD.to_owned(), ..Fields::default() };
            sketch.errors.extend(batch.check_columns(&stored).is_err().then(|| missing.into()));
        }
        SketchedBatch { checksum: checksum(batch), others: ByReason::of_archive(batch), ..sketch }
    }

    /// The outcomes of some records of a batch, without its checksum and what is carried along.
    pub(crate) fn sketch_some<'b>(
        &mut self,
        batch: &'b Batch,
        records: impl Iterator<Item = Record<'b>>,
    ) -> SketchedBatch {
        let mut sketch = SketchedBatch::empty(records.size_hint().0);
        sketch.source = batch.source_index();
        sketch.verified = self.verified;
        let is_seen = batch.format().is_seen();
        for record in records {
            sketch.bytes += record.held().len() as u64;
            let ids = sketch.id_hashes.len();
            let outcome = match is_seen {
                true => self.row_of_segment(&record, &mut sketch),
                false => self.record_and_object(&record, &mut sketch),
            };
            let outcome = outcome.unwrap_or_else(|error| {
                sketch.errors.push(error);
                Sketched::skipped(self.width)
            });
            sketch.records.push(outcome);
            sketch.id_ends.push(sketch.ids.len());
            sketch.named.push(sketch.id_hashes.len() > ids);
            sketch.labels.resize(sketch.records.len() * self.fields.labels.len(), None);
            let ties = self.fields.ties.iter().flatten().count();
            sketch.ties.resize(sketch.records.len() * ties, None);
            self.extra.end_record(&mut sketch);
        }
        self.extra.end_batch(&mut sketch);
        sketch
    }

    /// A document of an earlier run; what begins the segment is none.
    fn row_of_segment(
        &mut self,
        record: &Record<'_>,
        sketch: &mut SketchedBatch,
    ) -> Result<Sketched, Error> {
        if SegmentHead::is_at(record) {
            return Ok(Sketched::skipped(self.width));
        }
        let row = SegmentRow::of(record)?;
        let (sketched, list) = row.document(record, self.width)?;
        let sketched = Sketched { state: self.state_of_row(&sketched, &list), ..sketched };
        if sketched.state == State::Full {
            self.extra.take_list(&list, sketch);
        }
        sketch.name_as(row.id.get());
        Ok(sketched)
    }

    /// What a document of an earlier run is here: that run may have let fingerprints decide where this one does not,
    /// and the other way round.
    fn state_of_row(&self, sketched: &Sketched, list: &FeatureList) -> State {
        let (Method::Text(fingerprinter) | Method::Features(fingerprinter)) = &self.method else {
            return sketched.state;
        };
        let Recipe { min_features, degenerate, .. } = *fingerprinter.recipe();
        match sketched.state {
            // A text shorter than a shingle has one feature, which says as much as all of its tokens.
            State::Exact(_) if self.verified && list.len() >= min_features.max(1) => State::Full,
            State::Apart if self.verified && list.len() >= min_features.max(2) => State::Full,
            State::Full
                if !self.verified && fingerprinter.is_dominated(&sketched.fingerprint, list) =>
            {
                match degenerate {
                    DegenerateRule::Exact => State::Exact(short(sketched.content_hash)),
                    DegenerateRule::Apart => State::Apart,
                    DegenerateRule::Join => State::Full,
                }
            }
            state => state,
        }
    }

    /// A record with the object that is kept as it is, where that is asked for.
    fn record_and_object(
        &mut self,
        record: &Record<'_>,
        sketch: &mut SketchedBatch,
    ) -> Result<Sketched, Error> {
        let Some(field) = &self.fields.metadata else { return self.record(record, sketch) };
        let object = record.object(field);
        sketch.metadata.resize(sketch.records.len() + 1, None);
        let object = object?;
        let outcome = self.record(record, sketch)?;
        sketch.metadata.truncate(sketch.records.len());
        sketch.metadata.push(object);
        Ok(outcome)
    }

    fn record(
        &mut self,
        record: &Record<'_>,
        sketch: &mut SketchedBatch,
    ) -> Result<Sketched, Error> {
        let invalid = match self.on_error {
            OnError::Fail => InvalidUtf8::Fail,
            OnError::Skip => InvalidUtf8::Replace,
        };
        let Self { method, extra, fields, verified, .. } = self;
        match method {
            Method::Features(fingerprinter) => {
                let Vector { id, features, score, ties, labels, replaced_utf8 } =
                    record.vector(&self.fields, invalid)?;
                let length = features.iter().map(|(name, _)| name.len() as u64).sum();
                let rule = Rule::of(fingerprinter, *verified);
                let mut features = features.iter().map(|(name, weight)| (name.as_ref(), *weight));
                let seen = fingerprinter.read_features(&mut features).map_err(|problem| {
                    Error::StoredFingerprint { place: record.place(), problem: problem.to_string() }
                })?;
                let outcome = by_text(sketched(&seen, rule, length), "");
                if outcome.state == State::Full {
                    extra.take_seen(&seen, sketch);
                }
                let there = [id.is_some(), score.is_some(), true];
                let there = FieldsSeen::there(&self.fields, there);
                sketch.fields.add(record, there, (&labels, score, &ties), 0);
                sketch.name(id.as_ref(), Some(record), replaced_utf8);
                sketch.labels.extend(labels);
                sketch.ties.extend(ties);
                Ok(Sketched { score, ..outcome })
            }
            Method::Text(fingerprinter) => {
                let mut document = record.document(fields, invalid)?;
                let labels = std::mem::take(&mut document.labels);
                let language = document.tag.as_deref().and_then(Language::from_tag);
                let Document { id, score, ties, tag, .. } = &document;
                let there = [id.is_some(), score.is_some(), tag.is_some()];
                let there = FieldsSeen::there(fields, there);
                sketch.fields.add(record, there, (&labels, *score, ties), document.parts);
                sketch.name(id.as_ref(), Some(record), document.replaced_utf8);
                sketch.name_record(document.record.as_ref());
                let score = *score;
                sketch.labels.extend(labels);
                sketch.ties.extend(ties);
                sketch.pages.add_document(&document);
                let outcome = read(extra, fingerprinter, &document.text, language, sketch);
                let full = document.full.as_deref();
                let full =
                    full.map(|text| fingerprinter.fingerprint_in(text, language).fingerprint);
                Ok(Sketched { full, score, ..outcome })
            }
            Method::Bytes => {
                let mut document = record.document(fields, invalid)?;
                let labels = std::mem::take(&mut document.labels);
                let Document { id, score, ties, tag, replaced_utf8, record: own, .. } = &document;
                let there = [id.is_some(), score.is_some(), tag.is_some()];
                let there = FieldsSeen::there(fields, there);
                sketch.fields.add(record, there, (&labels, *score, ties), document.parts);
                sketch.name(id.as_ref(), Some(record), *replaced_utf8);
                sketch.name_record(own.as_ref());
                sketch.labels.extend(labels);
                sketch.ties.extend(ties);
                sketch.pages.add_document(&document);
                // What was replaced may have been anything.
                let is_known = !replaced_utf8 && !document.cut;
                let bytes = if is_known { document.text.as_bytes() } else { record.held() };
                Ok(Sketched { score: *score, ..of_bytes(&document.text, bytes, self.width) })
            }
            Method::Hex => {
                let document = record.document(&self.fields, invalid);
                let document = document.map_err(|error| not_stored(record, error))?;
                let outcome = stored(record, &document, &self.fields.text, self.width)?;
                sketch.pages.add_document(&document);
                // The field of the content is nobody's choice.
                let there = [document.id.is_some(), true, true];
                let there = FieldsSeen::there(&self.fields, there);
                sketch.fields.add(record, there, (&[], None, &[]), 0);
                sketch.name(document.id.as_ref(), None, document.replaced_utf8);
                Ok(outcome)
            }
        }
    }

    /// The outcomes of texts that are in no file, as those of rows that hold them.
    pub(crate) fn texts<'t>(
        &mut self,
        texts: impl ExactSizeIterator<Item = &'t str>,
    ) -> SketchedBatch {
        let mut sketch = SketchedBatch {
            source: 0,
            verified: self.verified,
            ..SketchedBatch::empty(texts.len())
        };
        for text in texts {
            sketch.bytes += text.len() as u64;
            let (text, fallback) = text_and_fallback(text, self.fields.part);
            sketch.pages.add(fallback);
            let outcome = match &mut self.method {
                Method::Text(fingerprinter) => {
                    read(&mut self.extra, fingerprinter, &text, None, &mut sketch)
                }
                _ => of_bytes(&text, text.as_bytes(), self.width),
            };
            sketch.records.push(outcome);
            sketch.id_ends.push(0);
            self.extra.end_record(&mut sketch);
        }
        self.extra.end_batch(&mut sketch);
        sketch
    }

    /// The features of such a text, with their weights where it `weighs`.
    pub(crate) fn list_of_text(&mut self, text: &str, weighs: bool) -> FeatureList {
        let Method::Text(fingerprinter) = &mut self.method else { return FeatureList::default() };
        let (text, _) = text_and_fallback(text, self.fields.part);
        list(fingerprinter, &text, None, weighs)
    }

    /// The features of a document, with their weights where it `weighs`: of one that [`sketch`](Self::sketch)
    /// took. Of what cannot be read there are none.
    pub(crate) fn list(
        &mut self,
        record: &Record<'_>,
        format: InputFormat,
        weighs: bool,
    ) -> FeatureList {
        if format.is_seen() {
            let list = SegmentRow::of(record).and_then(|row| row.list(record, weighs));
            return list.unwrap_or_default();
        }
        match &mut self.method {
            Method::Features(fingerprinter) => {
                let vector = record.vector(&self.fields, InvalidUtf8::Replace);
                let list = vector.map(|vector| {
                    let features = vector.features.iter();
                    let mut features = features.map(|(name, weight)| (name.as_ref(), *weight));
                    fingerprinter.list_of_features(&mut features)
                });
                match list {
                    Ok(Ok(list)) if weighs => list,
                    Ok(Ok(list)) => FeatureList::of_set(list.keys().to_vec()),
                    _ => FeatureList::default(),
                }
            }
            Method::Text(fingerprinter) => {
                let Ok(document) = record.document(&self.fields, InvalidUtf8::Replace) else {
                    return FeatureList::default();
                };
                let language = document.tag.as_deref().and_then(Language::from_tag);
                list(fingerprinter, &document.text, language, weighs)
            }
            Method::Hex | Method::Bytes => FeatureList::default(),
        }
    }
}

/// What stands where a fingerprint is expected: what else an array may be for a text no fingerprint is.
pub(crate) fn no_fingerprint(found: &'static str) -> &'static str {
    if found.starts_with("an array") { "an array" } else { found }
}

/// An error in the terms of rows that hold fingerprints.
fn not_stored(record: &Record<'_>, error: nearprint_corpus::Error) -> Error {
    use nearprint_corpus::Error as Corpus;
    let problem = match &error {
        Corpus::TextMissing { field, present, .. } => {
            format!("the row has no field \"{field}\"; it has {present}")
        }
        Corpus::TextType { field, found, .. } => {
            let found = no_fingerprint(found);
            format!("the field \"{field}\" must be a string of hex digits, found {found}")
        }
        _ => return error.into(),
    };
    Error::StoredFingerprint { place: record.place(), problem }
}

/// A fingerprint that is there already, in `field`.
fn stored(
    record: &Record<'_>,
    document: &Document<'_>,
    field: &str,
    width: Width,
) -> Result<Sketched, Error> {
    let wrong = |problem: String| Error::StoredFingerprint { place: record.place(), problem };
    let fingerprint = AnyFingerprint::parse(&document.text, width).map_err(|problem| {
        wrong(format!(
            "field \"{field}\": {problem}; every row has a fingerprint of the first row's width"
        ))
    })?;
    let state = match document.tag.as_deref() {
        _ if fingerprint.is_zero() => State::Empty,
        None => State::Full,
        Some(APART) => State::Apart,
        Some(digits) => State::Exact(u64::from_str_radix(digits, 16).map_err(|_| {
            wrong(format!("field \"content\": expected 16 hexadecimal digits, found \"{digits}\""))
        })?),
    };
    let length = document.text.len() as u64;
    let flags = Flags { empty: state == State::Empty, ..Flags::default() };
    Ok(Sketched { state, flags, fingerprint, length, ..Sketched::skipped(width) })
}

/// The outcome of a document whose text is compared byte for byte: by the hash of these bytes.
fn of_bytes(text: &str, bytes: &[u8], width: Width) -> Sketched {
    let state = if text.is_empty() { State::Empty } else { State::Full };
    let flags = Flags { empty: text.is_empty(), ..Flags::default() };
    let (length, content_hash) = (text.len() as u64, xxh3_128(bytes));
    Sketched { state, flags, length, content_hash, ..Sketched::skipped(width) }
}

/// The outcome of a document; `extra` takes its features.
fn read(
    extra: &mut Extra,
    fingerprinter: &mut AnyFingerprinter,
    text: &str,
    language: Option<Language>,
    batch: &mut SketchedBatch,
) -> Sketched {
    let rule = Rule::of(fingerprinter, batch.verified);
    let seen = match extra.is_unsigned() {
        true => fingerprinter.read_unsigned(text, language),
        false => fingerprinter.read_in(text, language),
    };
    let outcome = by_text(sketched(&seen, rule, text.len() as u64), text);
    if outcome.state == State::Full {
        extra.take_seen(&seen, batch);
    }
    outcome
}

/// The features of a text, with their weights where it `weighs`.
fn list(
    fingerprinter: &mut AnyFingerprinter,
    text: &str,
    language: Option<Language>,
    weighs: bool,
) -> FeatureList {
    if weighs {
        fingerprinter.list_in(text, language)
    } else {
        FeatureList::of_set(fingerprinter.keys_in(text, language))
    }
}

/// How the duplicates of degenerate documents are found.
#[derive(Clone, Copy)]
struct Rule {
    rule: DegenerateRule,
    /// Whether features decide in the end.
    verified: bool,
}

impl Rule {
    fn of(fingerprinter: &AnyFingerprinter, verified: bool) -> Self {
        Self { rule: fingerprinter.recipe().degenerate, verified }
    }

    fn matching(self, flags: Flags) -> Matching {
        self.rule.matching(if self.verified { flags.of_features() } else { flags })
    }
}

/// The outcome of a document by the rule for degenerate ones.
fn sketched(seen: &Outcome<'_>, rule: Rule, length: u64) -> Sketched {
    let Fingerprinted { fingerprint, features, flags, short_hash } = seen.fingerprinted();
    let state = match (rule.matching(flags), short_hash) {
        _ if flags.empty => State::Empty,
        (Matching::Distance, _) => State::Full,
        (Matching::Equality, Some(short_hash)) => State::Exact(short_hash),
        (Matching::Equality, None) | (Matching::Apart, _) => State::Apart,
    };
    let (content_hash, few) = (seen.content_hash(), features < FEW_FEATURES);
    Sketched { state, flags, fingerprint, full: None, few, length, score: None, content_hash }
}

/// The outcome of a document of this text, by which alone it can be told from others where it has no feature.
fn by_text(outcome: Sketched, text: &str) -> Sketched {
    match outcome.state {
        State::Empty => {
            let content_hash = xxh3_128_with_seed(text.as_bytes(), FEATURELESS);
            Sketched { content_hash, ..outcome }
        }
        _ => outcome,
    }
}

/// A checksum of the records of a batch, of their borders and of what is carried along.
pub(crate) fn checksum(batch: &Batch) -> u64 {
    let records = batch.records().map(|record| record.held());
    let all = records.chain(batch.carried().map(|carried| carried.raw()));
    all.fold(0, |sum, raw| mix64(sum ^ xxh3_64(raw)))
}
