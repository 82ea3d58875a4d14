//! A job over eval sets: its files, its outputs, and its stages in a row. What each stage does is in its own file.

use crate::contamination::eval_file::{eval_files, names_of as names_of_files};
use crate::contamination::eval_sets::{EvalSets, EvalsFound, set_name};
use crate::contamination::figures::Figures;
use crate::contamination::findings::{Findings, Verdicts};
use crate::contamination::gone::Going;
use crate::contamination::index_file::ItemIndex;
use crate::contamination::items::repeated::RepeatedItems;
use crate::contamination::looking::{Looked, Looking};
use crate::contamination::note::ContaminationNote;
use crate::contamination::prepared::Prepared;
use crate::contamination::rows::{Rows, names_of};
use crate::contamination::rule::Short;
use crate::contamination::sample::sample;
use crate::contamination::self_test::{SelfTest, Testing};
use crate::contamination::spec::{Action, ContaminationPage, ContaminationSpec};
use crate::contamination::summary::{ContaminationSeconds, ContaminationSummary};
use crate::contamination::writing::Leaving;
use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::discovered::Discovered;
use crate::job::form::{Form, refuse_notes};
use crate::job::needs::{Needs, RecordRoom, named};
use crate::job::spec::{InputSpec, ReadingSpec, Resources};
use crate::memory::limits::Memory;
use crate::memory::shares;
use crate::passages::corpus::{Corpus, refuse_markup, refuse_several_texts};
use crate::passages::rows::Names;
use crate::passages::rule::PassageRule;
use crate::passages::tally::places;
use crate::passages::unit::PassageUnit;
use crate::passages::units::UnitReader;
use crate::progress::Progress;
use crate::read::by_reason::ByReason;
use crate::read::reading::Reading;
use crate::read::segment_row::refuse_segments;
use crate::read::sketch::{Origin, fields_for};
use crate::threads;
use crate::write::annotation::Annotation;
use crate::write::destination::Destination;
use crate::write::note_columns::NoteColumns;
use crate::write::note_names::Taken;
use nearprint_corpus::{
    Discovery, InvalidUtf8, Output, Outputs, PassedOver, Reader, Record, Source, publish,
    total_bytes,
};
use nearprint_fingerprint::Digits;
use std::path::PathBuf;
use std::slice;
use std::time::Instant;

/// Bytes of memory to a byte of a record that is longer than others: its tokens have places and hashes.
const OF_RECORD: u64 = 24;
/// Items that are named of those which no match decides.
const NAMED: usize = 10;

/// A job over eval sets that is ready to run. [`ContaminationSpec::open`] makes one.
pub struct ReadyContamination {
    spec: ContaminationSpec,
    reading: Reading,
    sources: Vec<Source>,
    room: Option<RecordRoom>,
    evals: EvalsFound,
    passed_over: Vec<PassedOver>,
    memory: Memory,
    dir: PathBuf,
    longest_asked: usize,
    destination: Destination,
    /// Where notes go.
    columns: NoteColumns,
    form: Form,
    removed: Option<Output>,
    items: Option<Output>,
    summary: Option<Output>,
    page: Option<(Output, ContaminationPage)>,
    checkpoint: Option<Checkpoint>,
    /// The items, and the seconds that these took.
    prepared: Option<(Prepared, f64)>,
}

/// What is known of the items before the corpus is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemsFound {
    /// Items of all sets, and those that are different.
    pub items: u64,
    /// See above.
    pub distinct: u64,
    /// Eval sets.
    pub sets: u64,
    /// Items without a token.
    pub empty: u64,
    /// Items with the id of an earlier one of their set.
    pub repeated: RepeatedItems,
    /// Items that no match decides, as they are too short or too common; and the first of them: set, id as JSON, text.
    pub undecidable: u64,
    /// See above.
    pub first_undecidable: Vec<(String, String, String)>,
    /// What becomes of these.
    pub short: Short,
    /// Those of them that are not found where they stand, as none of their words begins a search.
    pub unsought: u64,
    /// The file with their index, where one is named.
    pub index: Option<ItemIndex>,
    /// Files of the corpus that have the bytes of a file of the eval sets.
    pub eval_files: Vec<String>,
    /// Files beside the eval sets that were not read, as they have no rows.
    pub passed_over: Vec<PassedOver>,
    /// Rows of the eval sets left out because of errors.
    pub skipped: ByReason,
    /// Rows of the eval sets with invalid UTF-8 in an item, which was replaced.
    pub replaced: u64,
    /// Fields of the items that were named, with the sets of which no row has them.
    pub absent: Vec<(String, Vec<String>)>,
}

impl ContaminationSpec {
    /// The job with its inputs and outputs open: what cannot be done is refused before anything is read.
    ///
    /// # Errors
    /// What is asked for and makes no sense, a recipe whose tokens have no places, input that cannot be found, outputs
    /// that exist or lie in the input, formats into which a text cannot be put back, memory that is too little.
    pub fn open(&self, with: &Resources, progress: &Progress) -> Result<ReadyContamination, Error> {
        self.check_recipe()?;
        let mut found = Discovered::find(&self.input_alone(), with)?;
        let mut evals = self.evals(with)?;
        found.against = std::mem::take(&mut evals.sources);
        refuse_segments(&found.against)?;
        let is_stdin = |source: &Source| source.is_stream() && source.path().is_none();
        if found.sources.iter().any(is_stdin) && found.against.iter().any(is_stdin) {
            return Err(nearprint_corpus::Error::StdinTwice.into());
        }
        let asked = self.as_outputs();
        let streams = [found.sources.clone(), found.against.clone()].concat();
        let checkpoint = asked.checkpoint(&streams, with)?;
        let mut outputs = asked.opened(&found, with, checkpoint.as_ref());
        // The next run would read what lies among the eval sets.
        outputs.keep_outside(&found.against);
        self.reserve_index(&mut outputs)?;
        let mut report = |path: &Option<PathBuf>| -> Result<Option<Output>, Error> {
            Ok(path.as_ref().map(|path| outputs.create(path)).transpose()?)
        };
        let removed = report(&self.outputs.removed)?;
        let items = report(&self.outputs.items)?;
        let summary = report(&self.outputs.summary)?;
        let page = match &self.outputs.page {
            Some(page) => Some((outputs.create(&page.path)?, page.clone())),
            None => None,
        };
        let (found, mut spec) = (found.spooled(&self.reading, with, progress)?, self.clone());
        found.suit(&self.input, &mut spec.recipe);
        let form = Form::of(&asked, &found.sources);
        let sources = found.sources;
        evals.sources = found.against;
        let (reading, room) = spec.reading_over(&sources, with, form)?;
        let columns = spec.fit_columns(&mut outputs, (&reading, &sources))?;
        let destination = asked.destination(form, (&reading, &sources), &mut outputs)?;
        Ok(ReadyContamination {
            spec,
            longest_asked: self.reading.options.max_record_bytes,
            reading,
            sources,
            room,
            evals,
            passed_over: found.passed_over.ours,
            memory: with.memory,
            dir: with.temporary()?,
            destination,
            columns,
            form,
            removed,
            items,
            summary,
            page,
            checkpoint,
            prepared: None,
        })
    }

    /// Refuses memory that is too little for a search over files as these are.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn check_memory(&self, sources: &[Source], with: &Resources) -> Result<(), Error> {
        let form = Form::of(&self.as_outputs(), sources);
        self.reading_over(sources, with, form).map(drop)
    }

    /// How the documents of these files are read, and the room for records.
    ///
    /// # Errors
    /// Memory that is too little; what the files make impossible.
    pub(crate) fn reading_over(
        &self,
        sources: &[Source],
        with: &Resources,
        form: Form,
    ) -> Result<(Reading, Option<RecordRoom>), Error> {
        let mut reading = self.reading_with(with.thread_count()?);
        let needs = Needs::of(&reading, sources, 0, &self.as_outputs(), form, with.memory);
        needs.check_search(with.memory, "items of eval sets")?;
        self.refuse(sources, form)?;
        let room = needs.record_room(with.memory, OF_RECORD);
        if let Some(room) = room {
            reading.options = reading.options.with_memory_for(room.longest);
        }
        if self.cuts_texts() {
            refuse_several_texts(&reading, sources)?;
        }
        Ok((reading, room))
    }

    /// Whether texts are written without what is cut.
    pub(crate) fn cuts_texts(&self) -> bool {
        self.outputs.corpus.is_some() && matches!(self.action, Action::Cut { .. })
    }

    /// Refuses what makes no sense, and a recipe whose tokens have no places.
    pub(crate) fn check_recipe(&self) -> Result<(), Error> {
        self.check()?;
        UnitReader::new(&self.recipe, PassageUnit::Token, Digits::Keep)?;
        Ok(())
    }

    /// The input alone, without the eval sets.
    pub(crate) fn input_alone(&self) -> InputSpec {
        InputSpec { against: Vec::new(), against_sources: Vec::new(), ..self.input.clone() }
    }

    /// Of the same files those that can be read as usual, and in place of all others those in the dialect that is named.
    fn read_as_usual(&self, usual: &[Source], named: Vec<Source>) -> Vec<Source> {
        let is_readable = |source: &Source| {
            // The delimiter that is named makes several columns of one.
            let delimiter = self.input.dialect.delimiter.map(char::from);
            let has_it = |name: &String| delimiter.is_some_and(|it| name.contains(it));
            let is_one = |record: &Record<'_>| {
                let names = record.table().map_or(&[][..], |table| table.names());
                names.len() == 1 && names.iter().any(has_it) || record.refuse_one_column().is_err()
            };
            let is_row =
                |record: Record<'_>| !is_one(&record) && record.fields(InvalidUtf8::Fail).is_ok();
            let mut batches = Reader::new(slice::from_ref(source), self.reading.options);
            !source.is_stream()
                && batches.all(|batch| batch.is_ok_and(|batch| batch.records().all(is_row)))
        };
        let chosen = |named: Source| {
            let same = usual.iter().find(|usual| usual.name() == named.name());
            same.filter(|usual| is_readable(usual)).cloned().unwrap_or(named)
        };
        named.into_iter().map(chosen).collect()
    }

    /// The files of the eval sets, each of which tells its format. What cannot be read as files of its kind usually are is
    /// written as the tables and texts of the input.
    pub(crate) fn evals(&self, with: &Resources) -> Result<EvalsFound, Error> {
        let room = with.memory.for_lists(with.thread_count()?);
        let mut passed_over = Vec::new();
        let mut find = |sources: &[Source], files: &[String]| -> Result<Vec<Source>, Error> {
            let mut sources = sources.to_vec();
            if !files.is_empty() {
                let discovery = || Discovery::new().of_rows().room(room);
                let usual = discovery().find(files);
                let (found, over) = match self.input.dialect.name() {
                    None => usual?,
                    Some(_) => {
                        let (named, over) = discovery().dialect(self.input.dialect).find(files)?;
                        let usual = usual.map_or_else(|_| Vec::new(), |(found, _)| found);
                        (self.read_as_usual(&usual, named), over)
                    }
                };
                sources.extend(found);
                passed_over.extend(over);
            }
            Ok(sources)
        };
        let mut sources = find(&self.input.against_sources, &self.input.against)?;
        let mut names: Vec<String> = sources.iter().map(set_name).collect();
        for set in &self.sets {
            sources.extend(find(&set.sources, &set.files)?);
            names.resize(sources.len(), set.name.clone());
        }
        Ok(EvalsFound { sources, names, passed_over })
    }

    /// Says what becomes of the columns of rows that are written of these sources, and where notes go.
    pub(crate) fn fit_columns(
        &self,
        outputs: &mut Outputs,
        (reading, written): (&Reading, &[Source]),
    ) -> Result<NoteColumns, Error> {
        match self.action {
            Action::Drop => {}
            Action::Cut { .. } => outputs.change_texts(&self.reading.fields.text),
            Action::Annotate => {
                let columns = NoteColumns::find::<ContaminationNote>(written, reading)?;
                outputs.add_columns(columns.of_files());
                let form = ContaminationNote::form();
                return Ok(columns.beside(Taken::of(form, written, reading.options)));
            }
        }
        Ok(NoteColumns::default())
    }

    /// How documents are read.
    fn reading_with(&self, threads: usize) -> Reading {
        let ReadingSpec { fields, on_error, fail_on_empty, options } = &self.reading;
        Reading {
            content: Origin::from(self.recipe.clone()),
            fields: fields_for(&self.recipe, fields),
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
        match self.action {
            Action::Drop => return Ok(()),
            Action::Annotate => return refuse_notes(written, form == Form::Folder),
            Action::Cut { .. } => {}
        }
        refuse_markup(&self.recipe, written)
    }
}

impl ReadyContamination {
    /// The files of the input, streams copied.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
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

    /// Reads the eval sets, and a sample of the corpus by which their words are weighed; what that tells of the items.
    ///
    /// # Errors
    /// Eval sets that cannot be read, rows without a question, more items than there is memory for.
    pub fn read_items(&mut self, progress: &Progress) -> Result<ItemsFound, Error> {
        let prepared = self.prepared(progress)?;
        let (items, rule) = (&prepared.0.items, self.spec.rule);
        let is_new = prepared.0.is_written;
        let files = || items.notes.files.clone();
        let index = |path| ItemIndex { path, is_new, files: files() };
        let eval_files = eval_files(&self.sources, &items.notes.files, progress)?;
        let mut found = ItemsFound {
            items: items.names.len() as u64,
            distinct: items.items.len() as u64,
            sets: items.sets.len() as u64,
            empty: items.empty,
            repeated: prepared.0.repeated.clone(),
            index: self.spec.index.clone().map(index),
            eval_files: names_of_files(&self.sources, &eval_files),
            short: rule.short,
            passed_over: items.notes.passed_over.clone(),
            skipped: items.notes.skipped.clone(),
            replaced: items.notes.replaced,
            absent: items.notes.absent.clone(),
            ..ItemsFound::default()
        };
        for name in &items.names {
            if items.is_undecidable(name.item, &rule) {
                found.undecidable += 1;
                found.unsought += u64::from(!items.is_sought(name.item));
                if found.first_undecidable.len() < NAMED {
                    let question = items.text(name.item)?.question;
                    let eval = items.set(name).to_owned();
                    found.first_undecidable.push((eval, items.id(name)?, question));
                }
            }
        }
        self.prepared = Some(prepared);
        Ok(found)
    }

    /// Runs the job on its threads. All outputs appear at its end, or none. With a folder for it what was found is kept
    /// there until the end, and the job goes on from what an earlier run kept.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output; then nothing appears under a final name.
    pub fn run(self, progress: &Progress) -> Result<ContaminationSummary, Error> {
        let (room, longest) = (self.room, self.longest_asked);
        let pool = threads::pool(self.reading.threads)?;
        let ran = pool.install(|| self.run_here(progress));
        ran.map_err(|error| named(room, error, longest))
    }

    /// Puts so many items into documents of the corpus, in memory and in each of nine forms, and looks for them; and
    /// looks at the same documents as they are. What is drawn is the same in every run. Nothing is written but the
    /// summary.
    ///
    /// # Errors
    /// Those of [`run`](Self::run); a corpus without a document.
    pub fn self_test(mut self, items: usize, progress: &Progress) -> Result<SelfTest, Error> {
        let (prepared, _) = self.prepared(progress)?;
        let pool = threads::pool(self.reading.threads)?;
        let corpus = self.corpus(progress);
        let Prepared { items: all, index, .. } = &prepared;
        let testing = Testing { corpus: &corpus, items: all, index, rule: &self.spec.rule };
        let tested = pool.install(|| testing.run(items));
        let tested = tested.map_err(|error| named(self.room, error, self.longest_asked))?;
        if let Some(mut output) = self.summary.take() {
            output.write_record(tested.to_json().as_bytes())?;
            publish(vec![output.finish()?])?;
        }
        Ok(tested)
    }

    /// The corpus as all stages read it.
    fn corpus<'a>(&'a self, progress: &'a Progress) -> Corpus<'a> {
        Corpus {
            reading: &self.reading,
            recipe: &self.spec.recipe,
            sources: &self.sources,
            reference: 0,
            first: 0,
            rule: PassageRule::default(),
            offsets: self.spec.outputs.offsets,
            dir: &self.dir,
            progress,
        }
    }

    /// The items with their index: those that were read already, or the ones that are read now.
    fn prepared(&mut self, progress: &Progress) -> Result<(Prepared, f64), Error> {
        if let Some(prepared) = self.prepared.take() {
            return Ok(prepared);
        }
        let start = Instant::now();
        let evals = EvalSets {
            found: &self.evals,
            spec: &self.spec,
            reading: &self.reading,
            memory: self.memory,
            dir: &self.dir,
            progress,
        };
        let prepare = || {
            let indexed = evals.indexed()?;
            let sample = sample(&self.corpus(progress), &indexed.items.vocabulary)?;
            Prepared::of(indexed, &sample, self.reading.threads)
        };
        let prepared = prepare().map_err(|error| named(self.room, error, self.longest_asked))?;
        Ok((prepared, start.elapsed().as_secs_f64()))
    }

    /// Runs the job on rayon's current pool.
    fn run_here(mut self, progress: &Progress) -> Result<ContaminationSummary, Error> {
        let start = Instant::now();
        let mut checkpoint = self.checkpoint.take();
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.begin(self.spec.identity(&self.sources, &self.evals.sources)?)?;
        }
        let (prepared, before) = self.prepared(progress)?;
        let Prepared { items, index, repeated, sampled, .. } = &prepared;
        let mut seconds = ContaminationSeconds { items: before, ..Default::default() };
        let index_bytes = prepared.held_bytes();
        let room = self.memory.beside_items(self.reading.threads, index_bytes)?;
        let mut destination = std::mem::replace(&mut self.destination, Destination::Nowhere);
        let (removed, listed, figures, page) =
            (self.removed.take(), self.items.take(), self.summary.take(), self.page.take());
        let job = &self;
        let corpus = job.corpus(progress);
        let spec = &job.spec;
        let now = Instant::now();
        let eval_files = eval_files(&job.sources, &items.notes.files, progress)?;
        let looking = Looking {
            corpus: &corpus,
            items,
            index,
            rule: &spec.rule,
            action: spec.action,
            one_place: spec.cuts_texts(),
            may_lack_fields: spec.may_lack_fields,
            eval_files: &eval_files,
        };
        let held = shares::ROWS.of(room);
        let kept =
            checkpoint.as_ref().map(|kept| Looked::kept(kept, &job.dir, held)).transpose()?;
        let looked = match kept.flatten() {
            Some(looked) => looked,
            None => {
                let looked = looking.look(held)?;
                checkpoint.as_mut().map_or(Ok(()), |checkpoint| looked.keep(checkpoint))?;
                seconds.look = now.elapsed().as_secs_f64();
                looked
            }
        };
        let Looked { tallied, checksums, findings, aligned } = looked;
        let Findings { column, told } = findings;
        let now = Instant::now();
        let names = Names::new(places(&tallied.counts, &tallied.records, &job.sources), 0);
        let verdicts =
            Verdicts { rule: spec.rule, known: &told.known, documents: tallied.counts.documents };
        let named = names_of(items);
        let rows = Rows { items, told: &told, verdicts: &verdicts, names: &names, named: &named };
        let going = Going::new(rows, spec, page.is_some(), &job.dir);
        let mut output = removed;
        let mut all = going.take(&column, &mut output, progress)?;
        let (gone, overview) = (all.gone.clone(), std::mem::take(&mut all.overview));
        let leaving = Leaving {
            corpus: &corpus,
            rows,
            action: spec.action,
            columns: &job.columns,
            columns_alone: job.form == Form::Rows,
            documents: tallied.counts.documents,
        };
        let written = leaving.write(checksums, all, &mut destination)?;
        seconds.write = now.elapsed().as_secs_f64();
        seconds.total = before + start.elapsed().as_secs_f64();
        // First what fails most: reports never stand there without the corpus they are of.
        let mut finished = vec![destination.finish()?];
        finished.extend(output.map(Output::finish).transpose()?);
        if let Some(mut output) = listed {
            for name in &items.names {
                output.write_record(rows.item(name)?.as_bytes())?;
            }
            finished.push(output.finish()?);
        }
        let found = column.len();
        let summary = ContaminationSummary::of(Figures {
            spec,
            items,
            repeated_item_ids: repeated.count,
            verdicts: &verdicts,
            tallied,
            gone,
            written,
            found,
            eval_files: names_of_files(&job.sources, &eval_files),
            sampled: *sampled,
            aligned,
            index_bytes,
            passed_over: &job.passed_over,
            seconds,
            threads: job.reading.threads,
        });
        if let Some(mut output) = figures {
            output.write_record(summary.to_json().as_bytes())?;
            finished.push(output.finish()?);
        }
        if let Some((mut output, page)) = page {
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
}
