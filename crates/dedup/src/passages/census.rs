//! The first reading: which windows have an anchor that repeats, and what is kept of each document.

use crate::error::Error;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::corpus::{Checksums, Corpus, Planned, Worker};
use crate::passages::hashing::Hashing;
use crate::passages::origins::Origins;
use crate::passages::place::place;
use crate::passages::stretches::{Repeating, Stretch, Stretches};
use crate::progress::Stage;
use crate::read::by_reason::ByReason;
use crate::read::counts::Counts;
use crate::read::few_documents::FileTally;
use crate::read::fields_seen::FieldsSeen;
use crate::read::reading::explained;
use crate::read::repeated_ids::RepeatedIds;
use crate::search::order::Order;
use foldhash::HashMap;
use nearprint_corpus::{Document, Record, Score};
use xxhash_rust::xxh3::xxh3_64;

/// What the first reading tells.
pub(crate) struct Census {
    pub(crate) counts: Counts,
    /// Records of each source, those apart at the end that have none.
    pub(crate) records: Vec<u64>,
    /// Of all records, how many are there to be compared with only.
    pub(crate) reference: u64,
    /// Documents of these.
    pub(crate) reference_documents: u64,
    /// Tokens of each source.
    pub(crate) tokens: Vec<u64>,
    pub(crate) checksums: Checksums,
    /// Windows whose anchors stand elsewhere too.
    pub(crate) repeated: Stretches,
    /// Bytes that sorting them took on disk.
    pub(crate) spilled: u64,
    pub(crate) origins: Origins,
}

/// What is wanted of the first reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// Whether anchors are looked for.
    pub(crate) anchors: bool,
    /// Whether the origins of passages are counted.
    pub(crate) origins: bool,
    /// Whether a text of several parts is refused: what is cut out of it has no one place.
    pub(crate) one_place: bool,
}

/// A batch as the first reading sees it.
#[derive(Default)]
struct Seen {
    source: usize,
    records: u64,
    counts: Counts,
    errors: Vec<Error>,
    others: ByReason,
    tokens: u64,
    id_hashes: Vec<u64>,
    /// Of each record, where the rule goes by it.
    worths: Vec<u128>,
    /// Of each record, where a field says it.
    origins: Vec<u64>,
    fields: FieldsSeen,
}

impl Census {
    /// Reads all documents.
    ///
    /// # Errors
    /// Records that cannot be read, where that ends the job; more documents than it numbers.
    pub(crate) fn take(
        corpus: &Corpus<'_>,
        hashing: &Hashing,
        asked: Asked,
        room: usize,
    ) -> Result<Self, Error> {
        let mut all = All::new(corpus);
        let mut checksums = Checksums::default();
        let mut repeated = Repeating::new(corpus.dir);
        let spilled = sorted_of::<Stretch>(
            Room::within(room),
            corpus.dir,
            &mut |emit| {
                checksums = corpus.read(
                    Stage::Anchors,
                    |_| Ok(()),
                    |worker, planned| Ok(seen(corpus, hashing, asked, worker, &planned, emit)),
                    |seen| match seen {
                        Ok(seen) => all.take(seen),
                        Err(error) => all.fail(error),
                    },
                )?;
                Ok(())
            },
            &mut |stretches| stretches.iter().try_for_each(|stretch| repeated.push(*stretch)),
        )?;
        all.finish(asked, checksums, repeated.finish()?, spilled)
    }
}

/// What a worker makes of a batch: it emits the stretches of its documents.
fn seen(
    corpus: &Corpus<'_>,
    hashing: &Hashing,
    asked: Asked,
    worker: &mut Worker,
    planned: &Planned<()>,
    emit: &(dyn Fn(&[Stretch]) + Sync),
) -> Seen {
    let batch = &planned.batch;
    let mut seen =
        Seen { source: batch.source_index(), records: batch.len() as u64, ..Seen::default() };
    seen.others = ByReason::of_archive(batch);
    let mut stretches = Batched::new(emit);
    for (number, record) in (planned.first()..).zip(batch.records()) {
        seen.counts.bytes += record.held().len() as u64;
        let document =
            corpus.document(&record).map_err(Error::from).and_then(|document| {
                match asked.one_place && document.joined {
                    true => Err(Error::SeveralTexts { place: record.place() }),
                    false => Ok(document),
                }
            });
        let document = match document {
            Ok(document) => document,
            Err(error) => {
                seen.errors.push(error);
                seen.pass_over(corpus);
                continue;
            }
        };
        seen.note(corpus, &record, &document);
        let units = worker.units.read(&document.text);
        seen.tokens += units.tokens() as u64;
        seen.counts.empty += u64::from(units.len() == 0);
        if !asked.anchors {
            continue;
        }
        hashing.anchors.rolling.hash(units.hashes(), &mut worker.runs);
        let Ok(number) = u32::try_from(number) else { continue };
        hashing.stretches(&worker.runs, |first, [anchor, windows]| {
            // A document has fewer units than bytes.
            let place = place(number, crate::numbers::narrow(first as u64));
            stretches.push([anchor, windows, place]);
        });
    }
    stretches.flush();
    seen
}

impl Seen {
    /// Notes what is kept of a document.
    fn note(&mut self, corpus: &Corpus<'_>, record: &Record<'_>, document: &Document<'_>) {
        let Document { id, score, tag, text, .. } = document;
        self.fields.add(record, [id.is_some(), score.is_some(), tag.is_some()]);
        self.counts.documents += 1;
        self.counts.replaced_utf8 += u64::from(document.replaced_utf8);
        self.counts.pages.add(document.fallback);
        self.id_hashes.extend(id.as_ref().map(|id| xxh3_64(id.as_json().as_bytes())));
        self.worths.extend(corpus.rule.keep.worth(text.len() as u64, score.map(Score::order)));
        if corpus.reading.fields.tag.is_some() {
            self.origins.push(tag.as_ref().map_or(0, |tag| xxh3_64(tag.as_bytes())));
        }
    }

    /// Notes a record that is no document.
    fn pass_over(&mut self, corpus: &Corpus<'_>) {
        self.worths.extend(corpus.rule.keep.worth(0, None));
        if corpus.reading.fields.tag.is_some() {
            self.origins.push(0);
        }
    }
}

/// What is kept of all batches.
struct All<'a> {
    corpus: &'a Corpus<'a>,
    counts: Counts,
    records: Vec<u64>,
    reference: u64,
    reference_documents: u64,
    tokens: Vec<u64>,
    repeated_ids: RepeatedIds,
    worths: Vec<u128>,
    /// A number for each value of the field that says an origin.
    numbers: HashMap<u64, u32>,
    origins: Vec<u32>,
    fields: FieldsSeen,
    tally: FileTally<'a>,
}

impl<'a> All<'a> {
    fn new(corpus: &'a Corpus<'a>) -> Self {
        Self {
            corpus,
            counts: Counts::default(),
            records: Vec::new(),
            reference: 0,
            reference_documents: 0,
            tokens: Vec::new(),
            repeated_ids: RepeatedIds::new(Some(corpus.dir)),
            worths: Vec::new(),
            numbers: HashMap::default(),
            origins: Vec::new(),
            fields: FieldsSeen::default(),
            tally: FileTally::new(corpus.sources, corpus.reading.fail_on_empty),
        }
    }

    fn take(&mut self, mut seen: Seen) -> Result<(), Error> {
        let reading = self.corpus.reading;
        if let Some(at) = seen.errors.iter().position(|error| reading.ends_with(error)) {
            let source = self.corpus.sources.get(seen.source);
            return Err(explained(seen.errors.swap_remove(at), source, self.corpus.progress));
        }
        if self.records.len() <= seen.source {
            self.records.resize(seen.source + 1, 0);
            self.tokens.resize(seen.source + 1, 0);
        }
        if let Some(tokens) = self.tokens.get_mut(seen.source) {
            *tokens += seen.tokens;
        }
        if let Some(records) = self.records.get_mut(seen.source) {
            *records += seen.records;
        }
        if seen.source < self.corpus.reference {
            self.reference += seen.records;
            self.reference_documents += seen.counts.documents;
        }
        let (content, other) = seen.others.content();
        let first = seen.errors.first().map(ToString::to_string);
        let (records, documents) = (seen.records + content, seen.counts.documents);
        self.tally.add(seen.source, records, documents, || first.or(other))?;
        seen.counts.others = seen.others.total;
        seen.counts.other_records = seen.others;
        seen.errors.iter().for_each(|error| seen.counts.skip(error));
        self.counts.merge(seen.counts);
        self.fields.merge(&seen.fields);
        self.worths.extend(seen.worths);
        for origin in seen.origins {
            let next = crate::numbers::narrow(self.numbers.len() as u64);
            self.origins.push(*self.numbers.entry(origin).or_insert(next));
        }
        seen.id_hashes.iter().try_for_each(|hash| self.repeated_ids.push(*hash))
    }

    /// What cannot be read at all.
    fn fail(&mut self, error: Error) -> Result<(), Error> {
        if self.corpus.reading.ends_with(&error) {
            return Err(explained(error, None, self.corpus.progress));
        }
        self.counts.skip(&error);
        let why = || Some(error.to_string());
        self.tally.add(usize::MAX, 0, 0, why)
    }

    fn finish(
        self,
        asked: Asked,
        checksums: Checksums,
        repeated: Stretches,
        spilled: u64,
    ) -> Result<Census, Error> {
        self.fields.check(&self.corpus.reading.fields)?;
        let mut counts = self.counts;
        counts.repeated_ids = self.repeated_ids.count()?;
        counts.few_documents = self.tally.end()?;
        let found = self.records.iter().sum::<u64>();
        let count = u32::try_from(found).ok().filter(|count| *count < u32::MAX);
        let count = count.ok_or(Error::TooManyDocuments { found })?;
        let order = Order::new(self.corpus.rule.keep, count, self.reference, &self.worths);
        let starts = self.records.iter().scan(0, |first, records| {
            *first += records;
            Some(*first - records)
        });
        let origins = match (asked.origins, self.corpus.reading.fields.tag.is_some()) {
            (false, _) => Origins::uncounted(order),
            (true, false) => Origins::files(order, starts.collect()),
            (true, true) => Origins::said(order, self.origins),
        };
        Ok(Census {
            counts,
            records: self.records,
            reference: self.reference,
            reference_documents: self.reference_documents,
            tokens: self.tokens,
            checksums,
            repeated,
            spilled,
            origins,
        })
    }
}
