//! The first reading: which windows have an anchor that repeats, and what is kept of each document.

use crate::error::Error;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::corpus::{Checksums, Corpus, Planned, Worker};
use crate::passages::hashing::Hashing;
use crate::passages::origins::Origins;
use crate::passages::place::place;
use crate::passages::stretches::{Repeating, Stretch, Stretches};
use crate::passages::tally::{BatchTally, Tallied, Tally};
use crate::progress::Stage;
use crate::read::counts::Counts;
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
    /// What was counted of these.
    pub(crate) of_reference: Counts,
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
    tally: BatchTally,
    /// Of each record, where the rule goes by it: then those of what breaks ties.
    worths: Vec<u128>,
    /// Of each record, where a field says it.
    origins: Vec<u64>,
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
        let (mut tally, mut lists) = (Tally::new(corpus), Lists::default());
        let mut checksums = Checksums::default();
        let mut repeated = Repeating::new(corpus.dir);
        let spilled = sorted_of::<Stretch>(
            Room::within(room),
            corpus.dir,
            &mut |emit| {
                let mut keep = |worths, origins| lists.take(worths, origins);
                checksums = read(corpus, hashing, asked, emit, &mut tally, &mut keep)?;
                Ok(())
            },
            &mut |stretches| stretches.iter().try_for_each(|stretch| repeated.push(*stretch)),
        )?;
        Self::of(corpus, asked, (tally.finish()?, checksums), lists, (repeated.finish()?, spilled))
    }

    /// What is known of all documents, of which so much was told, with the stretches that repeat.
    ///
    /// # Errors
    /// More documents than are numbered.
    pub(crate) fn of(
        corpus: &Corpus<'_>,
        asked: Asked,
        (tallied, checksums): (Tallied, Checksums),
        lists: Lists,
        (repeated, spilled): (Stretches, u64),
    ) -> Result<Self, Error> {
        let Tallied { counts, records, reference, of_reference, tokens } = tallied;
        let found = records.iter().sum::<u64>();
        let count = u32::try_from(found).ok().filter(|count| *count < u32::MAX);
        let count = count.ok_or(Error::TooManyDocuments { found })?;
        let order = Order::new(corpus.rule.keep, count, reference, &lists.worths);
        let starts = records.iter().scan(0, |first, records| {
            *first += records;
            Some(*first - records)
        });
        let origins = match (asked.origins, corpus.says_origins()) {
            (false, _) => Origins::uncounted(order),
            (true, false) => Origins::files(order, starts.collect()),
            (true, true) => Origins::said(order, lists.origins),
        };
        Ok(Self {
            counts,
            records,
            reference,
            of_reference,
            tokens,
            checksums,
            repeated,
            spilled,
            origins,
        })
    }
}

/// What is kept of documents, by their records.
#[derive(Default)]
pub(crate) struct Lists {
    worths: Vec<u128>,
    /// A number for each value of the field that says an origin.
    numbers: HashMap<u64, u32>,
    origins: Vec<u32>,
}

impl Lists {
    /// Takes what the rule goes by of the records that follow, and hashes of what the field says, where these are kept.
    pub(crate) fn take(&mut self, worths: Vec<u128>, origins: Vec<u64>) {
        self.worths.extend(worths);
        for origin in origins {
            let next = crate::numbers::narrow(self.numbers.len() as u64);
            self.origins.push(*self.numbers.entry(origin).or_insert(next));
        }
    }
}

/// Reads all documents: emits their stretches, and hands to `keep` what the lists take of the records of each batch.
///
/// # Errors
/// Records that cannot be read, where that ends the job.
pub(crate) fn read(
    corpus: &Corpus<'_>,
    hashing: &Hashing,
    asked: Asked,
    emit: &(dyn Fn(&[Stretch]) + Sync),
    tally: &mut Tally<'_>,
    keep: &mut dyn FnMut(Vec<u128>, Vec<u64>),
) -> Result<Checksums, Error> {
    corpus.read(
        Stage::Anchors,
        |_| Ok(()),
        |worker, planned| Ok(seen(corpus, hashing, asked, worker, &planned, emit)),
        |seen| match seen {
            Ok(seen) => {
                keep(seen.worths, seen.origins);
                tally.take(seen.tally)
            }
            Err(error) => tally.fail(error),
        },
    )
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
    let tally = BatchTally::of(batch, &corpus.reading.fields);
    let mut seen = Seen { tally, ..Seen::default() };
    let mut stretches = Batched::new(emit);
    // Nothing is cut out of the reference.
    let one_place = asked.one_place && batch.source_index() >= corpus.reference;
    for (number, record) in (planned.first()..).zip(batch.records()) {
        seen.tally.counts.bytes += record.held().len() as u64;
        let document = match corpus.document_to_cut(&record, one_place) {
            Ok(document) => document,
            Err(error) => {
                seen.tally.fail(error);
                seen.pass_over(corpus);
                continue;
            }
        };
        seen.note(corpus, &record, &document);
        let Worker { units, runs, .. } = &mut *worker;
        let (hashes, tokens) = units.hashes(&document.text);
        seen.tally.add_tokens(tokens);
        if !asked.anchors {
            continue;
        }
        hashing.anchors.rolling.hash(hashes, runs);
        let Ok(number) = u32::try_from(number) else { continue };
        hashing.stretches(runs, |first, [anchor, windows]| {
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
        let Document { score, ties: scores, labels, text, .. } = document;
        self.tally.add(&corpus.reading.fields, record, document);
        let (keep, ties) = (corpus.rule.keep, corpus.ties());
        self.worths.extend(keep.worth(text.len() as u64, score.map(Score::order)));
        self.worths.extend(ties.worths(scores));
        if corpus.says_origins() {
            let origin = labels.first().and_then(Option::as_ref);
            self.origins.push(origin.map_or(0, |origin| xxh3_64(origin.as_bytes())));
        }
    }

    /// Notes a record that is no document.
    fn pass_over(&mut self, corpus: &Corpus<'_>) {
        self.worths.extend(corpus.rule.keep.worth(0, None));
        self.worths.extend(corpus.ties().worths(&[]));
        if corpus.says_origins() {
            self.origins.push(0);
        }
    }
}
