//! A job over passages: its files, its outputs, and its stages in a row. What each stage does is in its own file.

use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::discovered::Discovered;
use crate::job::form::{Form, refuse_notes};
use crate::job::needs::{Needs, RecordRoom, named};
use crate::job::spec::{ReadingSpec, Resources};
use crate::memory::limits::Memory;
use crate::memory::shares;
use crate::passages::census::{Asked, Census};
use crate::passages::corpus::{Corpus, refuse_markup, refuse_several_texts};
use crate::passages::cutting::{CutOf, Cuts, Cutting};
use crate::passages::figures::Figures;
use crate::passages::hashing::Hashing;
use crate::passages::lending::{Loans, Passages};
use crate::passages::near::Near;
use crate::passages::note::PassagesNote;
use crate::passages::overview::{PassagesOverview, RepeatedPassage, SourceCuts};
use crate::passages::rows::Names;
use crate::passages::searching::{Repeats, Searched};
use crate::passages::spec::{PassagesPage, PassagesSpec};
use crate::passages::summary::{PassagesSeconds, PassagesSummary};
use crate::passages::tally::places;
use crate::passages::units::UnitReader;
use crate::passages::writing::{Writing, WrittenCounts};
use crate::progress::Progress;
use crate::read::not_read::NotRead;
use crate::read::reading::Reading;
use crate::read::segment_row::refuse_segments;
use crate::read::sketch::{Origin, fields_for};
use crate::threads;
use crate::write::annotation::Annotation;
use crate::write::destination::Destination;
use crate::write::note_columns::NoteColumns;
use crate::write::note_names::Taken;
use nearprint_corpus::{Output, Outputs, Source, publish, total_bytes};
use nearprint_fingerprint::Measure;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Bytes of memory to a byte of a record that is longer than others: its tokens have places and hashes.
pub(crate) const OF_RECORD: u64 = 24;

/// A job over passages that is ready to run. [`PassagesSpec::open`] makes one.
pub struct ReadyPassages {
    spec: PassagesSpec,
    reading: Reading,
    /// All sources, first those of the reference.
    sources: Vec<Source>,
    room: Option<RecordRoom>,
    reference: usize,
    passed_over: NotRead,
    memory: Memory,
    dir: PathBuf,
    longest_asked: usize,
    destination: Destination,
    /// Where notes go.
    columns: NoteColumns,
    form: Form,
    removed: Option<Output>,
    passages: Option<Output>,
    summary: Option<Output>,
    page: Option<(Output, PassagesPage)>,
    checkpoint: Option<Checkpoint>,
    /// Bits of the hash of a window that count: all but in tests.
    mask: u64,
}

impl PassagesSpec {
    /// The job with its inputs and outputs open: what cannot be done is refused before anything is read.
    ///
    /// # Errors
    /// What is asked for and makes no sense, a recipe whose tokens have no places, input that cannot be found, outputs
    /// that exist or lie in the input, formats into which a text cannot be put back, memory that is too little.
    pub fn open(&self, with: &Resources, progress: &Progress) -> Result<ReadyPassages, Error> {
        self.check_recipe()?;
        let found = Discovered::find(&self.input, with)?;
        refuse_segments(&found.against)?;
        let asked = self.outputs.as_outputs();
        let checkpoint = asked.checkpoint(&found.sources, with)?;
        let mut outputs = asked.opened(&found, with, checkpoint.as_ref());
        let mut report = |path: &Option<PathBuf>| -> Result<Option<Output>, Error> {
            Ok(path.as_ref().map(|path| outputs.create(path)).transpose()?)
        };
        let removed = report(&self.outputs.removed)?;
        let passages = report(&self.outputs.passages)?;
        let summary = report(&self.outputs.summary)?;
        let page = match &self.outputs.page {
            Some(page) => Some((outputs.create(&page.path)?, page.clone())),
            None => None,
        };
        let (found, mut spec) = (found.spooled(&self.reading, with, progress)?, self.clone());
        found.suit(&self.input, &mut spec.recipe);
        let form = Form::of(&asked, &found.sources);
        let (reading, sources, room) = spec.reading_over(&found, with, form)?;
        let reference = found.against.len();
        let columns = self.fit_columns(&mut outputs, (&reading, &found.sources))?;
        let destination = asked.destination(form, (&reading, &found.sources), &mut outputs)?;
        Ok(ReadyPassages {
            spec,
            longest_asked: self.reading.options.max_record_bytes,
            reading,
            sources,
            room,
            reference,
            passed_over: found.passed_over,
            memory: with.memory,
            dir: with.temporary()?,
            destination,
            columns,
            form,
            removed,
            passages,
            summary,
            page,
            checkpoint,
            mask: u64::MAX,
        })
    }

    /// Refuses what makes no sense, and a recipe whose tokens have no places.
    pub(crate) fn check_recipe(&self) -> Result<(), Error> {
        self.check()?;
        UnitReader::new(&self.recipe, self.rule.unit, self.rule.digits)?;
        Ok(())
    }

    /// How the documents of the files that were found are read, all their files, first those of the reference, and the room
    /// for records.
    ///
    /// # Errors
    /// Memory that is too little; what the files make impossible.
    pub(crate) fn reading_over(
        &self,
        found: &Discovered,
        with: &Resources,
        form: Form,
    ) -> Result<(Reading, Vec<Source>, Option<RecordRoom>), Error> {
        let mut reading = self.reading_with(with.thread_count()?);
        let sources = [found.against.as_slice(), &found.sources].concat();
        let outputs = self.outputs.as_outputs();
        let reference = found.against.len();
        let needs = Needs::of(&reading, &sources, reference, &outputs, form, with.memory);
        needs.check_search(with.memory, "passages")?;
        self.refuse(&found.sources, form)?;
        let room = needs.record_room(with.memory, OF_RECORD);
        if let Some(room) = room {
            reading.options = reading.options.with_memory_for(room.longest);
        }
        if self.cuts_texts() {
            refuse_several_texts(&reading, &found.sources)?;
        }
        Ok((reading, sources, room))
    }

    /// Says what becomes of the columns of rows that are written of these sources, and where notes go.
    pub(crate) fn fit_columns(
        &self,
        outputs: &mut Outputs,
        (reading, written): (&Reading, &[Source]),
    ) -> Result<NoteColumns, Error> {
        if !self.outputs.annotate {
            outputs.change_texts(&self.reading.fields.text);
            return Ok(NoteColumns::default());
        }
        let columns = NoteColumns::find::<PassagesNote>(written, reading)?;
        outputs.add_columns(columns.of_files());
        Ok(columns.beside(Taken::of(PassagesNote::form(), written, self.reading.options)))
    }

    /// Whether texts are written without what is cut.
    pub(crate) fn cuts_texts(&self) -> bool {
        self.outputs.corpus.is_some() && !self.outputs.annotate
    }

    /// How documents are read.
    pub(crate) fn reading_with(&self, threads: usize) -> Reading {
        let ReadingSpec { fields, on_error, fail_on_empty, options } = &self.reading;
        let mut fields = fields_for(&self.recipe, fields);
        fields.labels = self.outputs.source_field.iter().cloned().collect();
        Reading {
            content: Origin::from(self.recipe.clone()),
            fields,
            on_error: *on_error,
            fail_on_empty: *fail_on_empty,
            options: *options,
            threads,
        }
    }

    /// Refuses what the files make impossible.
    fn refuse(&self, written: &[Source], form: Form) -> Result<(), Error> {
        let Some(output) = &self.outputs.corpus else { return Ok(()) };
        if form == Form::Folder && self.outputs.shard_size.is_some() {
            return Err(Error::ShardedFolder { folder: output.clone() });
        }
        if self.outputs.annotate {
            return refuse_notes(written, form == Form::Folder);
        }
        refuse_markup(&self.recipe, written)
    }
}

/// What was found and compared.
pub(crate) struct Done {
    pub(crate) cuts: Cuts,
    pub(crate) searched: Searched,
    pub(crate) passages: Passages,
    /// Bytes of text that copies were compared with.
    pub(crate) lent: u64,
    pub(crate) shared_hashes: u64,
}

impl ReadyPassages {
    /// The files of the input, streams copied.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        self.sources.get(self.reference..).unwrap_or_default()
    }

    /// Bytes of all input as it lies on disk, where that is known.
    #[must_use]
    pub fn total_bytes(&self) -> Option<u64> {
        total_bytes(&self.sources)
    }

    /// The stages of an earlier run that this one goes on from, where stages are kept.
    #[must_use]
    pub fn finished_stages(&self) -> Option<Vec<&str>> {
        Some(self.checkpoint.as_ref()?.finished().collect())
    }

    /// Runs the job on its threads. All outputs appear at its end, or none. With a folder for it
    /// each finished stage is kept there until the end, and the job goes on from those that an earlier run kept.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output; then nothing appears under a final name. [`Error::OtherJob`] where the
    /// stages that were kept are those of another job.
    pub fn run(self, progress: &Progress) -> Result<PassagesSummary, Error> {
        let (room, longest) = (self.room, self.longest_asked);
        let pool = threads::pool(self.reading.threads)?;
        let ran = pool.install(|| self.run_here(progress));
        ran.map_err(|error| named(room, error, longest))
    }

    /// Runs the job on rayon's current pool.
    fn run_here(mut self, progress: &Progress) -> Result<PassagesSummary, Error> {
        let mut clock = Clock::start();
        let mut checkpoint = self.checkpoint.take();
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.begin(self.spec.identity(&self.sources, self.reference)?)?;
        }
        let corpus = Corpus {
            reading: &self.reading,
            recipe: &self.spec.recipe,
            sources: &self.sources,
            reference: self.reference,
            first: 0,
            rule: self.spec.rule,
            offsets: self.spec.outputs.offsets,
            dir: &self.dir,
            progress,
        };
        let hashing = Hashing::new(self.spec.rule.length()? as usize, self.mask);
        let asked = Asked {
            anchors: self.spec.rule.similarity.is_none(),
            origins: self.passages.is_some() || self.page.is_some(),
            one_place: self.spec.cuts_texts(),
        };
        let room = self.memory.for_passages(self.reading.threads, 0)?;
        let kept = checkpoint.as_ref().map(|kept| Census::kept(kept, &self.dir)).transpose()?;
        let census = match kept.flatten() {
            Some(census) => census,
            None => {
                let census = Census::take(&corpus, &hashing, asked, room)?;
                checkpoint.as_mut().map_or(Ok(()), |checkpoint| census.keep(checkpoint))?;
                census
            }
        };
        clock.seconds.anchors = clock.lap();
        let names =
            Names::new(places(&census.counts, &census.records, &self.sources), census.reference);
        let held = shares::ROWS.of(room);
        let kept = checkpoint.as_ref().map(|kept| Done::kept(kept, &self.dir, held)).transpose()?;
        let done = match kept.flatten() {
            Some(done) => done,
            None => {
                let scratch = match (self.spec.rule.similarity, &checkpoint) {
                    (Some(_), Some(checkpoint)) => checkpoint.scratch()?,
                    _ => self.dir.clone(),
                };
                let found = (&census, &*scratch);
                let done = self.compared(&corpus, found, hashing, &names, &mut clock)?;
                checkpoint.as_mut().map_or(Ok(()), |checkpoint| done.keep(checkpoint))?;
                done
            }
        };
        let Done { cuts: Cuts { cuts, removed, counts, of_sources, documents }, .. } = done;
        let Done { searched, passages, .. } = done;
        let written = match &mut self.destination {
            Destination::Nowhere => {
                let ours = census.counts.documents;
                WrittenCounts { kept: ours - counts.whole, ..WrittenCounts::default() }
            }
            destination => {
                let writing = Writing {
                    written: self.sources.get(self.reference..).unwrap_or_default(),
                    first: census.reference,
                    record: CutOf::record_of,
                    part: CutOf::part_of,
                    note: self.spec.outputs.annotate.then_some(&PassagesNote::of_entries),
                    columns: &self.columns,
                    joint: self.spec.cut.joint.as_deref(),
                    columns_alone: self.form == Form::Rows,
                    counts_emptied: false,
                };
                writing.write(&corpus, census.checksums, cuts, destination)?
            }
        };
        clock.seconds.write = clock.lap();
        clock.seconds.total = clock.start.elapsed().as_secs_f64();
        // First what fails most: reports never stand there without the corpus they are of.
        let mut finished = vec![self.destination.finish()?];
        if let Some(mut output) = self.removed {
            removed.each(&mut |bytes| Ok(output.write_bytes(bytes)?))?;
            finished.push(output.finish()?);
        }
        let is_equal = self.spec.rule.similarity.is_none();
        let listed = is_equal && (self.passages.is_some() || self.page.is_some());
        if let Some(output) = &mut self.passages {
            passages.each(&mut |row| {
                output.write_record(row)?;
                Ok(true)
            })?;
        }
        finished.extend(self.passages.map(Output::finish).transpose()?);
        let summary = PassagesSummary::of(Figures {
            spec: &self.spec,
            census: &census,
            reference: self.reference,
            searched,
            counts,
            written,
            passages: listed.then_some(passages.count),
            shared_hashes: done.shared_hashes,
            lent: done.lent,
            passed_over: &self.passed_over,
            seconds: clock.seconds,
            length: self.spec.rule.length()?,
            threads: self.reading.threads,
        });
        if let Some(mut output) = self.summary {
            output.write_record(summary.to_json().as_bytes())?;
            finished.push(output.finish()?);
        }
        if let Some((mut output, page)) = self.page {
            let most = RepeatedPassage::most(&passages)?;
            let sources = census.cuts_of(&self.sources, &of_sources, self.reference);
            let overview = PassagesOverview { sources, most, documents };
            let text = (page.render)(&summary, &overview).map_err(|_| Error::View)?;
            output.write_record(text.as_bytes())?;
            finished.push(output.finish()?);
        }
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.publishing()?;
        }
        publish(finished)?;
        checkpoint.map_or(Ok(()), Checkpoint::remove)?;
        Ok(summary)
    }

    /// Finds what repeats and compares it. Where windows share a hash that are not equal, they are looked for again
    /// with another. Files that have names go to a folder of their own.
    fn compared(
        &self,
        corpus: &Corpus<'_>,
        (census, scratch): (&Census, &Path),
        mut hashing: Hashing,
        names: &Names<'_>,
        clock: &mut Clock,
    ) -> Result<Done, Error> {
        if let Some(similarity) = self.spec.rule.similarity {
            let memory = self.memory;
            let near = Near { corpus, census, names, similarity, memory, dir: scratch };
            return self.near(near, clock);
        }
        let mut shared_hashes = 0;
        loop {
            let room = self.memory.for_passages(self.reading.threads, census.held_bytes())?;
            let Repeats { runs, repeated, figures } =
                Repeats::find(corpus, census, &hashing, room)?;
            clock.seconds.windows += clock.lap();
            let found = (runs, repeated);
            let mut loans = Loans::take(corpus, census.checksums, found, names, room)?;
            clock.seconds.lend += clock.lap();
            let (lent, spilled) = (loans.lent.len(), loans.spilled);
            let passages = std::mem::replace(&mut loans.passages, Passages::none(corpus.dir)?);
            let compared = self.cutting(corpus, &hashing, names, None).compare(
                census.checksums,
                loans,
                room,
            )?;
            clock.seconds.cut += clock.lap();
            match compared {
                Ok(cuts) => {
                    let searched = Searched { spilled: figures.spilled + spilled, ..figures };
                    return Ok(Done { cuts, searched, passages, lent, shared_hashes });
                }
                Err(hashes) => {
                    shared_hashes += hashes.len() as u64;
                    hashing = hashing.beside(hashes.into_iter());
                }
            }
        }
    }
}

impl ReadyPassages {
    /// Finds units that are near-duplicates.
    fn near(&self, near: Near<'_>, clock: &mut Clock) -> Result<Done, Error> {
        let Near { corpus, census, names, .. } = near;
        let room = self.memory.for_passages(self.reading.threads, census.held_bytes())?;
        let (loans, measure) = near.find(room)?;
        clock.seconds.windows += clock.lap();
        let hashing = Hashing::new(1, self.mask);
        let (copies, lent) = (loans.runs.len(), loans.lent.len());
        let cutting = self.cutting(corpus, &hashing, names, Some(measure));
        let Ok(cuts) = cutting.compare(census.checksums, loans, room)? else {
            return Err(Error::Bug {
                problem: "near-duplicates were compared as equal".to_owned(),
            });
        };
        clock.seconds.cut += clock.lap();
        let searched = Searched { windows: 0, copies, most: 0, spilled: 0 };
        let passages = Passages::none(corpus.dir)?;
        Ok(Done { cuts, searched, passages, lent, shared_hashes: 0 })
    }

    /// How documents are cut.
    fn cutting<'a>(
        &self,
        corpus: &'a Corpus<'a>,
        hashing: &'a Hashing,
        names: &'a Names<'a>,
        measure: Option<Measure>,
    ) -> Cutting<'a> {
        Cutting {
            corpus,
            hashing,
            whole: self.spec.cut.whole,
            min_left: self.spec.cut.min_left,
            lists_removed: self.removed.is_some(),
            shows_documents: self.page.is_some(),
            names,
            measure,
        }
    }
}

/// Tells how long each stage took.
struct Clock {
    start: Instant,
    last: Instant,
    seconds: PassagesSeconds,
}

impl Clock {
    fn start() -> Self {
        let now = Instant::now();
        Self { start: now, last: now, seconds: PassagesSeconds::default() }
    }

    /// Seconds since it was asked last.
    fn lap(&mut self) -> f64 {
        let last = std::mem::replace(&mut self.last, Instant::now());
        (self.last - last).as_secs_f64()
    }
}

impl Census {
    /// What was cut of each source that is written, of which so many tokens were.
    fn cuts_of(&self, sources: &[Source], cut: &[u64], reference: usize) -> Vec<SourceCuts> {
        let of = |(at, source): (usize, &Source)| SourceCuts {
            name: source.name().to_owned(),
            tokens: self.tokens.get(at).copied().unwrap_or(0),
            cut: cut.get(at).copied().unwrap_or(0),
        };
        sources.iter().enumerate().skip(reference).map(of).collect()
    }

    /// Bytes that stay in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        self.origins.held_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::spec::InputSpec;
    use crate::passages::rule::PassageRule;
    use crate::passages::spec::PassagesOutput;
    use std::fmt::Write as _;

    #[test]
    fn windows_of_one_hash_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let mut rows = String::new();
        for at in 0..240 {
            let text = format!("{} and {} are {} no no no no", at % 7, at % 5, at % 3);
            let _ = writeln!(rows, "{{\"id\":{at},\"text\":\"{text}\"}}");
        }
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("in.jsonl"), rows).unwrap();
        let run = |length, mask| {
            let spec = PassagesSpec {
                input: InputSpec {
                    inputs: vec![path("in.jsonl").display().to_string()],
                    ..InputSpec::default()
                },
                rule: PassageRule { length: Some(length), ..PassageRule::default() },
                outputs: PassagesOutput {
                    corpus: Some(path("out.jsonl")),
                    removed: Some(path("removed.jsonl")),
                    passages: Some(path("passages.jsonl")),
                    ..PassagesOutput::default()
                },
                ..PassagesSpec::default()
            };
            let (with, progress) =
                (Resources { force: true, ..Resources::default() }, Progress::default());
            let mut job = spec.open(&with, &progress).unwrap();
            job.mask = mask;
            let summary = job.run(&progress).unwrap();
            let written = ["out.jsonl", "removed.jsonl", "passages.jsonl"]
                .map(|name| std::fs::read_to_string(path(name)).unwrap());
            (summary.shared_hashes, written)
        };
        // Windows that are their own anchors, and windows with anchors in them.
        for length in [3, 9] {
            let (shared, written) = run(length, u64::MAX);
            assert_eq!(shared, 0);
            assert!(written.iter().all(|file| file.lines().count() > 3));
            for mask in [0, 1, 7, 0xff] {
                let (shared, weak) = run(length, mask);
                assert!(shared > 0, "{length} {mask}");
                assert_eq!(weak, written, "{length} {mask}");
            }
        }
    }
}
