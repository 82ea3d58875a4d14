//! A job over files that were found: what it reads, decides and writes. What each stage does is in its room.

use crate::decide::audit::Audit;
use crate::decide::fates::Fates;
use crate::decide::matches::Matches;
use crate::error::Error;
use crate::exact_share::ExactShare;
use crate::job::checkpoint::Checkpoint;
use crate::job::clock::Clock;
use crate::job::discovered::Discovered;
use crate::job::form::{Form, refuse_files, refuse_notes};
use crate::job::needs::{Needs, OF_RECORD, RecordRoom, named};
use crate::job::opening::Opened;
use crate::job::spec::{CriteriaSpec, JobSpec, LabelSpec, OutputSpec, ReadingSpec, Resources};
use crate::job::sweep::{Met, Target};
use crate::memory::limits::Memory;
use crate::numbers::DocumentNumber;
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::input::Input;
use crate::read::names::{FilePlaces, Names};
use crate::read::not_read::NotRead;
use crate::read::reading::Reading;
use crate::read::segment_row::{SegmentHead, is_segment, refuse_segments};
use crate::read::sketch::Origin;
use crate::search::folded_pairs::Listed;
use crate::threads;
use crate::write::annotation::Annotation;
use crate::write::by_source::{BySource, Sources};
use crate::write::copies::{Copies, with_copies};
use crate::write::counting::Counting;
use crate::write::destination::Destination;
use crate::write::doubtful::Doubtful;
use crate::write::note::Note;
use crate::write::note_columns::NoteColumns;
use crate::write::note_names::Taken;
use crate::write::notes::Notes;
use crate::write::outcome::Outcome;
use crate::write::overview::{Found, Overview, View};
use crate::write::reports::{Reports, write_clusters, write_kept, write_removed};
use crate::write::revisits::Revisits;
use crate::write::segment_out;
use crate::write::summary::{Figures, Rules, Settings, Summary};
use crate::write::survivors::{self, Noting, Times, Watching, Writing, Written};
use crate::write::warnings::{Concerns, Warning};
use crate::write::watch::Watch;
use nearprint_corpus::{Fields, Finished, InputFormat, Outputs, Record, Source, publish};
use nearprint_fingerprint::Recipe;
use nearprint_rules::{Check, Criteria, Finding};
use serde_json::Value;
use std::path::PathBuf;

/// A near-duplicate removal over files that were found. [`JobSpec::resolve`] makes one.
///
/// The sources are read twice, in the same order, and once more where there are pairs to verify:
/// standard input and pipes are spooled before. Documents of equal content are found first, by a
/// hash; of each content one document goes on to the join.
///
/// Memory: at 64 bits 36 bytes a document while it is read (fingerprint 8, content 16, hash of the
/// id 8, order 4), then 20 (fingerprint 8, clusters 12; 8 more for a rule by worth), 8 more for each
/// further 64 bits of width, the ids where a report names them, the [room](Memory) of the join, and the
/// batches under way: about 256 KiB for each of `3 * threads + 2`. It does not grow with the text but
/// for a single longer document.
#[derive(Clone, Debug)]
pub struct Job {
    /// How the corpus is read; its content is text.
    pub(crate) reading: Reading,
    /// The corpus: first the sources of the reference, files or segments of earlier runs.
    pub(crate) sources: Vec<Source>,
    /// How many sources, the first ones, are the reference: their documents come before all others,
    /// and are not written.
    pub(crate) reference: usize,
    /// What was found and is no source, for the figures.
    pub(crate) passed_over: NotRead,
    /// What was asked for of these.
    pub(crate) asked: CriteriaSpec,
    /// What makes documents near-duplicates, and which of them stays.
    pub(crate) criteria: Criteria,
    /// The place among the labels of the one that all documents of a cluster have, and of the one that copies are
    /// counted by.
    pub(crate) within: Option<usize>,
    /// The place of the one that the documents of a pair have different values of.
    pub(crate) across: Option<usize>,
    pub(crate) count_by: Option<usize>,
    /// The place of the one that has the same shares in all parts of a split.
    pub(crate) stratify: Option<usize>,
    /// The place of the one whose labels are the sources that figures tell of.
    pub(crate) group_by: Option<usize>,
    /// How much is to stay at most, where the similarity is chosen by that.
    pub(crate) target: Option<(Target, Met)>,
    /// Whether the ids of documents are kept.
    pub(crate) names: bool,
    /// Whether it is kept what documents go by wherever they are found.
    pub(crate) keys: bool,
    /// What is written.
    pub(crate) outputs: OutputSpec,
    /// Where notes go in what is written.
    pub(crate) note_columns: NoteColumns,
    /// What survivors are written as.
    pub(crate) form: Form,
    /// What memory it may take.
    pub(crate) memory: Memory,
    /// Its fixed memory.
    pub(crate) needs: Needs,
    /// The longest record that was asked for; less is read where memory has no room for it.
    pub(crate) longest_asked: usize,
    /// Where temporary files go.
    pub(crate) work_dir: PathBuf,
}

/// What a search found among the documents of a job.
pub(crate) struct Searched {
    pub(crate) documents: Documents,
    pub(crate) matches: Matches,
    /// Pairs that were written, where they were asked for.
    pub(crate) pairs: Option<Listed>,
    /// Whether the files of the job are there to be read again.
    pub(crate) has_texts: bool,
}

impl Job {
    /// The job over the files that were found. Under a cap on memory it reads no record for which there is no room: that
    /// ends it, also where bad records are skipped, as nothing is left out because of memory.
    pub(crate) fn new(spec: &JobSpec, with: &Resources, found: Discovered) -> Result<Self, Error> {
        let Discovered { sources, against, passed_over } = found;
        let ReadingSpec { fields, on_error, fail_on_empty, options } = &spec.reading;
        spec.check_labels()?;
        let LabelSpec { within, across, count_by, stratify, group_by } = &spec.labels;
        let mut labels: Vec<String> = Vec::new();
        for label in within.iter().chain(across).chain(count_by).chain(stratify).chain(group_by) {
            if !labels.contains(label) {
                labels.push(label.clone());
            }
        }
        let place = |field: &Option<String>| {
            let field = field.as_ref()?;
            labels.iter().position(|label| label == field)
        };
        let (within, count_by, stratify) = (place(within), place(count_by), place(stratify));
        let (across, group_by) = (place(across), place(group_by));
        let fields = &Fields { labels, ..fields.clone() };
        let mut reading = Reading {
            content: spec.origin()?,
            fields: fields.clone(),
            on_error: *on_error,
            fail_on_empty: *fail_on_empty,
            options: *options,
            threads: with.thread_count()?,
        };
        let form = Form::of(&spec.outputs, &sources);
        let reference = against.len();
        let sources = [against, sources].concat();
        let outputs = &spec.outputs;
        let needs = Needs::of(&reading, &sources, reference, outputs, form, with.memory);
        if let Some(longest) = needs.longest_record(with.memory) {
            reading.options = options.with_memory_for(longest);
        }
        Ok(Self {
            reading,
            sources,
            reference,
            passed_over,
            asked: spec.criteria,
            criteria: spec.criteria()?,
            within,
            across,
            count_by,
            stratify,
            group_by,
            target: None,
            names: spec.outputs.name_documents(),
            keys: false,
            outputs: spec.outputs.clone(),
            note_columns: NoteColumns::default(),
            form,
            memory: with.memory,
            needs,
            longest_asked: options.max_record_bytes,
            work_dir: with.temporary()?,
        })
    }

    /// The room for its records.
    pub(crate) fn record_room(&self) -> Option<RecordRoom> {
        self.needs.record_room(self.memory, OF_RECORD)
    }

    /// An error of it: for a record that there is no room for it tells the memory that would do.
    pub(crate) fn advised(&self, error: Error) -> Error {
        named(self.record_room(), error, self.longest_asked)
    }

    /// Refuses what the files make impossible: too little memory, notes that survivors have no place for, and files
    /// of a size in a folder that mirrors the input.
    pub(crate) fn refuse(&self) -> Result<(), Error> {
        self.needs.check(self.memory)?;
        let OutputSpec { survivors, annotate, shard_size, .. } = &self.outputs;
        let Some(output) = survivors else { return Ok(()) };
        if *annotate || self.outputs.notes_copies() {
            let stay_files = self.form == Form::Folder && shard_size.is_none();
            refuse_notes(self.input().written(), stay_files)?;
        }
        // A text that is written several times into its file is one longer text.
        if self.outputs.rehydrate.is_some() && self.form == Form::Folder {
            refuse_files(self.input().written())?;
        }
        match (self.form, shard_size) {
            (Form::Folder, Some(_)) => Err(Error::ShardedFolder { folder: output.clone() }),
            _ => Ok(()),
        }
    }

    /// Runs the job. With a checkpoint each finished stage is kept there until the end, and the job goes on from
    /// those that an earlier run kept.
    pub(crate) fn run(
        &self,
        opened: Opened,
        checkpoint: Option<Checkpoint>,
        progress: &Progress,
    ) -> Result<Outcome, Error> {
        self.memory.check(self.reading.threads)?;
        let pool = threads::pool(self.reading.threads)?;
        pool.install(|| self.run_here(opened, checkpoint, progress))
    }

    /// Runs the job on rayon's current pool.
    fn run_here(
        &self,
        mut opened: Opened,
        mut checkpoint: Option<Checkpoint>,
        progress: &Progress,
    ) -> Result<Outcome, Error> {
        let mut clock = Clock::start();
        self.check_segments(self.recipe()?, progress)?;
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.begin(self.identity()?)?;
        }
        let (mut documents, search_input) =
            self.documents(self.asks_for_fingerprints(), checkpoint.as_mut(), progress)?;
        clock.fingerprinted();
        progress.enter(Stage::Join);
        let (matches, pairs) = self.matches(
            &mut documents,
            search_input,
            &mut opened.reports,
            checkpoint.as_mut(),
            progress,
        )?;
        let searched = Searched { documents, matches, pairs, has_texts: true };
        self.conclude(searched, opened, checkpoint, clock, progress)
    }

    /// Decides what becomes of each document, and writes all that is asked for, once near-duplicates were found.
    pub(crate) fn conclude(
        &self,
        Searched { documents, mut matches, pairs, has_texts }: Searched,
        Opened { mut destination, mut reports }: Opened,
        mut checkpoint: Option<Checkpoint>,
        mut clock: Clock,
        progress: &Progress,
    ) -> Result<Outcome, Error> {
        let reference = documents.reference.documents;
        let fates = Fates::new(matches.clusters(self.criteria.keep, reference), reference);
        self.refuse_removal(&documents, &fates)?;
        let audit = self.audited(&documents, &matches);
        let overview = self.report(&mut reports, &documents, &fates, &mut matches, progress)?;
        progress.check()?;
        clock.joined();
        let (concerns, mut watch) = self.watch(&documents, &fates, &destination);
        let written = self.survivors(
            &mut destination,
            &documents,
            &fates,
            (&mut matches, &mut watch),
            progress,
        )?;
        if has_texts {
            watch.look(self.input(), &documents, progress)?;
        }
        let (by_source, warnings) = self.warned(&documents, concerns, watch);
        // First what fails most: reports never stand there without the survivors they are of.
        let mut finished = vec![destination.finish()?];
        let Reports { removed, pairs: listed, rejected, clusters, kept, decisions, .. } = reports;
        let lists = [removed, listed, rejected, clusters, kept, decisions];
        for report in lists.into_iter().flatten() {
            finished.push(report.finish()?);
        }
        if let Some(output) = reports.segment {
            let features = self.reread(&documents);
            let weighs = self.check()?.weighs();
            let (documents, clusters) = (&documents, fates.clusters());
            let recipe = self.recipe()?;
            finished.push(segment_out::write(
                output, documents, clusters, recipe, weighs, &features, progress,
            )?);
        }
        let summary = Summary::of(Figures {
            documents: &documents,
            matches: &matches,
            fates: &fates,
            reference: self.reference,
            sources: &self.sources,
            rules: self.rules()?,
            written,
            pairs,
            seconds: clock.written(),
        });
        let settings = self.settings();
        let summary = Summary { audit, by_source, warnings, settings, ..summary };
        if let Some(mut output) = reports.summary {
            output.write_record(summary.to_json().as_bytes())?;
            finished.push(output.finish()?);
        }
        if let Some((view, overview)) = reports.view.zip(overview) {
            finished.push(rendered(view, &summary, &overview)?);
        }
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.publishing()?;
        }
        publish(finished)?;
        checkpoint.map_or(Ok(()), Checkpoint::remove)?;
        Ok(Outcome::new(summary, fates))
    }

    /// Opens where survivors go, with the columns that they get.
    pub(crate) fn destination(&mut self, outputs: &mut Outputs) -> Result<Destination, Error> {
        let (written, reading) = (self.input().written(), &self.reading);
        if self.outputs.annotate {
            self.note_columns = NoteColumns::find::<Note<'_>>(written, reading)?;
        } else if self.outputs.notes_copies() {
            self.note_columns = with_copies!(self.outputs, self.count_by.is_some() => BY, WEIGHS, {
                NoteColumns::find::<Copies<BY, WEIGHS>>(written, reading)?
            });
        }
        let written = self.input().written();
        outputs.add_columns(self.note_columns.of_files());
        self.outputs.destination(self.form, (&self.reading, written), outputs)
    }

    /// Refuses to remove more documents than may go.
    fn refuse_removal(&self, documents: &Documents, fates: &Fates) -> Result<(), Error> {
        let Some(most) = self.outputs.most_removed else { return Ok(()) };
        let reference = documents.reference.documents;
        let removed = fates.clusters().removed_from(DocumentNumber(reference));
        let documents = documents.len() as u64 - reference + documents.first_reading().empty();
        let is_more = ExactShare::of(most).compared(removed, documents).is_gt();
        if is_more { Err(Error::TooManyRemoved { removed, documents, most }) } else { Ok(()) }
    }

    /// Checks that segments are there to be compared with only, and are by `recipe`.
    pub(crate) fn check_segments(&self, recipe: &Recipe, progress: &Progress) -> Result<(), Error> {
        refuse_segments(self.input().written())?;
        let check = self.check()?;
        let mut segments = self.sources.iter().filter(|source| is_segment(source));
        if self.criteria.likeness.finding() == Finding::Bytes && segments.next().is_some() {
            return Err(Error::BytesAlone { what: "segments, which have no bytes" });
        }
        if (self.within.is_some() || self.across.is_some()) && segments.clone().next().is_some() {
            return Err(Error::Labels {
                what: "a segment has no fields to compare documents within or across: give the texts that it was made of",
                settings: if self.within.is_some() { &["within"] } else { &["across"] },
            });
        }
        segments.try_for_each(|source| SegmentHead::check(source, recipe, check, progress))
    }

    /// The recipe of the texts.
    pub(crate) fn recipe(&self) -> Result<&Recipe, Error> {
        match &self.reading.content {
            Origin::Text { recipe, .. } => Ok(recipe),
            Origin::Hex(_) => Err(Error::NoText),
        }
    }

    /// The check of pairs, over the features of the recipe.
    pub(crate) fn check(&self) -> Result<Check, Error> {
        Ok(Check::new(self.criteria.likeness.verify(), self.recipe()?.weights))
    }

    /// What it does that most jobs do without.
    pub(crate) fn settings(&self) -> Settings {
        let Fields { text, labels, .. } = &self.reading.fields;
        let named = |place: Option<usize>| place.and_then(|at| labels.get(at)).cloned();
        Settings {
            rehydrate: self.outputs.rehydrate.map(|rule| rule.to_string()),
            annotate: self.outputs.annotate,
            target: self.target.map(|(target, _)| target.to_string()),
            target_met: self.target.map(|(_, met)| met.name()),
            ..Settings::of_fields(text, [self.within, self.across, self.count_by].map(named))
        }
    }

    /// How it is done.
    pub(crate) fn rules(&self) -> Result<Rules<'_>, Error> {
        Ok(Rules {
            passed_over: &self.passed_over,
            criteria: self.criteria,
            fields: &self.reading.fields,
            threads: self.reading.threads,
            recipe: self.recipe()?,
        })
    }

    /// What is read.
    pub(crate) fn input(&self) -> Input<'_> {
        Input { reading: &self.reading, sources: &self.sources, reference: self.reference }
    }

    /// Writes the reports that need no second reading; finds what a page shows, where there is one.
    fn report(
        &self,
        reports: &mut Reports,
        documents: &Documents,
        fates: &Fates,
        matches: &mut Matches,
        progress: &Progress,
    ) -> Result<Option<Overview>, Error> {
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::of_documents(documents, places.as_ref());
        if let Some(output) = &mut reports.clusters {
            write_clusters(output, fates.clusters(), names)?;
        }
        let (mut doubtful, has_view) = (Doubtful::default(), reports.view.is_some());
        if reports.removed.is_some() || has_view {
            matches.each_removal(fates, documents, progress, &mut |removal| {
                if has_view {
                    doubtful.add(removal);
                }
                let near_stays = fates.near_stays();
                let output = reports.removed.as_mut();
                output.map_or(Ok(()), |output| write_removed(output, removal, near_stays, names))
            })?;
        }
        if let Some(output) = &mut reports.kept {
            let reference = DocumentNumber(documents.reference.documents);
            write_kept(output, fates, reference, names)?;
        }
        if !has_view {
            return Ok(None);
        }
        let found = Found {
            fates,
            pairs: std::mem::take(&mut matches.accepted),
            doubtful: doubtful.finish(),
            audit: matches.audit.take(),
            labels: self.group_by.and_then(|at| documents.labels.get(at)),
        };
        let evidence = |document, kept| matches.evidence(document, kept, documents);
        Overview::of(self.input(), documents, found, evidence, progress).map(Some)
    }

    /// The pairs of an audit, by what reports call their documents.
    fn audited(&self, documents: &Documents, matches: &Matches) -> Option<Audit<Value>> {
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::of_documents(documents, places.as_ref());
        matches.audit.as_ref().map(|audit| audit.of(|document| names.of(*document).value()))
    }

    /// What the last reading looks at, and why.
    fn watch<'a>(
        &'a self,
        documents: &'a Documents,
        fates: &Fates,
        destination: &Destination,
    ) -> (Concerns, Watch<'a>) {
        let field = self.group_by.and_then(|at| {
            Some((self.reading.fields.labels.get(at)?.as_str(), documents.labels.get(at)?))
        });
        let sources = Sources::of((&self.sources, self.reference), field, documents, fates);
        let concerns = Concerns::of(documents, fates, &sources);
        let all_pass = !matches!(destination, Destination::Nowhere);
        let watch = Watch::new(sources, &self.reading, concerns.documents(all_pass), all_pass);
        (concerns, watch)
    }

    /// What is told of sources, and warned of.
    fn warned(
        &self,
        documents: &Documents,
        concerns: Concerns,
        Watch { sources, excerpts, .. }: Watch<'_>,
    ) -> (BySource, Vec<Warning>) {
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::of_documents(documents, places.as_ref());
        let warnings = concerns.warnings(&sources, names, &excerpts);
        (sources.told(), warnings)
    }

    /// Names that something else than a note has in what is written.
    fn taken<N: Annotation>(&self, documents: &Documents) -> Taken {
        match documents.counts.noted {
            true => Taken::of(N::form(), self.input().written(), self.reading.options),
            false => Taken::default(),
        }
    }

    /// The second reading: writes what stays, where that is asked for.
    fn survivors(
        &self,
        destination: &mut Destination,
        documents: &Documents,
        fates: &Fates,
        (matches, watch): (&mut Matches, &mut Watch<'_>),
        progress: &Progress,
    ) -> Result<Written, Error> {
        if matches!(destination, Destination::Nowhere) {
            let reference = documents.reference.documents;
            let read = documents.len() as u64 - reference;
            let removed = fates.clusters().removed_from(DocumentNumber(reference));
            let kept = read - removed + documents.first_reading().empty();
            return Ok(Written { kept, ..Written::default() });
        }
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::of_documents(documents, places.as_ref());
        let OutputSpec { annotate, rehydrate, keep_requests, .. } = self.outputs;
        let labels = self.count_by.and_then(|at| documents.labels.get(at));
        let counting = Counting::new(fates, labels);
        let copies = |document| counting.copies(document);
        let times = rehydrate.map(|rule| move |document| rule.times(copies(document)));
        let clusters = fates.clusters();
        let stays = |document| clusters.knows(document).then(|| clusters.keeps(document));
        let first = documents.first_reading();
        let mut pass = |file, document, stays, record: (&Record<'_>, InputFormat)| {
            watch.pass(file, document, stays, record);
        };
        let watch = Some(&mut pass as Watching<'_>);
        let revisits = &mut Revisits::default();
        if annotate {
            let columns = &self.note_columns.beside(self.taken::<Note<'_>>(documents));
            let mut notes = Notes::new(documents, names, fates, matches);
            let mut note = |document| notes.of(document);
            let whole_captures = false;
            let writing = Writing {
                note: Some(&mut note),
                columns,
                all: true,
                times: None,
                whole_captures,
                alone: None,
                watch,
                revisits,
            };
            return survivors::write(self.input(), first, &stays, destination, writing, progress);
        }
        let is_noted = self.outputs.notes_copies();
        with_copies!(self.outputs, self.count_by.is_some() => BY, WEIGHS, {
            let mut featureless = counting.featureless();
            let mut note = |document: Option<DocumentNumber>| {
                let counted = match document {
                    Some(document) => counting.counted(document),
                    None => featureless.next().unwrap_or_default(),
                };
                Ok(Copies::<BY, WEIGHS>::new(counted, rehydrate))
            };
            let note = is_noted.then_some(&mut note as Noting<'_, Copies<BY, WEIGHS>>);
            let whole_captures = !keep_requests;
            let taken = match is_noted {
                true => self.taken::<Copies<BY, WEIGHS>>(documents),
                false => Taken::default(),
            };
            let columns = &self.note_columns.beside(taken);
            let writing = Writing {
                note,
                columns,
                all: false,
                times: times.as_ref().map(|times| times as Times<'_>),
                whole_captures,
                alone: None,
                watch,
                revisits,
            };
            survivors::write(self.input(), first, &stays, destination, writing, progress)
        })
    }
}

/// A page that was made of what was found.
fn rendered(view: View, summary: &Summary, overview: &Overview) -> Result<Finished, Error> {
    let View { mut output, render } = view;
    let text = render(summary, overview).map_err(|_| Error::View)?;
    output.write_record(text.as_bytes())?;
    Ok(output.finish()?)
}
