//! The whole `dedup` job, from sources to a summary. What each stage does is the affair of its room.

use crate::cluster::clusters::Clusters;
use crate::error::Error;
use crate::job::clock::Clock;
use crate::matching::audit::Audit;
use crate::matching::matches::Matches;
use crate::memory::Memory;
use crate::numbers::DocumentNumber;
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::input::Input;
use crate::read::names::{FilePlaces, Names};
use crate::read::reading::Reading;
use crate::read::segment_row::{SegmentHead, is_segment, refuse_segments};
use crate::read::sketch::Origin;
use crate::report::notes::Notes;
use crate::report::overview::{Found, Overview, View};
use crate::report::reports::{Reports, write_clusters, write_removed};
use crate::report::segment_out;
use crate::report::summary::{Outcome, Rules, Summary};
use crate::report::survivors::{self, Destination, Noting, Writing, Written};
use crate::resume::checkpoint::Checkpoint;
use crate::threads;
use nearprint_corpus::{Finished, PassedOver, Source, publish};
use nearprint_fingerprint::{Recipe, Width};
use nearprint_rules::{Check, Criteria};
use serde_json::Value;
use std::path::PathBuf;

/// A near-duplicate removal, ready to run.
///
/// The sources are read twice, in the same order, and once more where there are pairs to verify:
/// standard input and pipes are spooled before. Documents of equal content are found first, by a
/// hash; of each content one document goes on to the join. [`Dedup`](crate::Dedup) fills it in with the
/// defaults of the command.
///
/// Memory: at 64 bits 36 bytes a document while it is read (fingerprint 8, content 16, hash of the
/// id 8, order 4), then 20 (fingerprint 8, clusters 12; 8 more for a rule by worth), 8 more for each
/// further 64 bits of width, the ids where a report names them, the [room](Memory) of the join, and the
/// batches under way: about 128 KiB for each of `4 * threads + 4`. It does not grow with the text but
/// for a single longer document.
///
/// # Examples
/// ```
/// use nearprint_corpus::{Fields, OutputOptions, Outputs, ReadOptions, discover};
/// use nearprint_dedup::{Criteria, DedupJob, Destination, Likeness, Memory, OnError, Origin};
/// use nearprint_dedup::{Progress, Reading, Reports};
/// use nearprint_fingerprint::{Recipe, Width};
///
/// # let folder = tempfile::tempdir()?;
/// # let input = folder.path().join("in.jsonl");
/// # let output = folder.path().join("out.jsonl");
/// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"A, b, c, d!\"}\n{\"text\":\"x y z\"}\n")?;
/// let sources = discover(&[input.display().to_string()], None)?;
/// let survivors = Outputs::new(&sources, OutputOptions::default()).create(&output)?;
/// let reading = Reading {
///     content: Origin::from(Recipe::named("text")?),
///     fields: Fields::default(),
///     on_error: OnError::Fail,
///     options: ReadOptions::default(),
///     threads: 2,
/// };
/// let job = DedupJob {
///     reading,
///     sources,
///     reference: 0,
///     passed_over: Vec::new(),
///     criteria: Criteria::new(Likeness::by_radius(3, Width::W64)?),
///     annotate: false,
///     whole_captures: false,
///     fold_equal: false,
///     memory: Memory::default(),
///     work_dir: std::env::temp_dir(),
/// };
/// let progress = Progress::default();
/// let summary = job.run(Destination::File(survivors), Reports::default(), None, &progress)?;
/// assert_eq!((summary.kept, summary.removed), (2, 1));
/// assert_eq!(std::fs::read_to_string(&output)?, "{\"text\":\"a b c d\"}\n{\"text\":\"x y z\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DedupJob {
    /// How the corpus is read; its content is text.
    pub reading: Reading,
    /// The corpus: first the sources of the reference, files or segments of earlier runs.
    pub sources: Vec<Source>,
    /// How many sources, the first ones, are the reference: their documents come before all others,
    /// and are not written.
    pub reference: usize,
    /// What was found and is no source, for the figures.
    pub passed_over: Vec<PassedOver>,
    /// What makes documents near-duplicates, and which of them stays.
    pub criteria: Criteria,
    /// Whether every document is written, with a field `nearprint` that says what became of it.
    pub annotate: bool,
    /// Whether the `request` and `metadata` records of WARC go with the response of their capture.
    pub whole_captures: bool,
    /// Whether equal documents stay folded where pairs are listed.
    pub fold_equal: bool,
    /// What memory it may take.
    pub memory: Memory,
    /// Where temporary files go.
    pub work_dir: PathBuf,
}

impl DedupJob {
    /// Runs the job on its threads. All outputs appear at its end, or none. With a checkpoint each
    /// finished stage is kept there until the end, and the job goes on from those that an earlier run
    /// kept.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output; then nothing appears under a final name.
    /// [`Error::OtherJob`] where the checkpoint is that of another job.
    pub fn run(
        &self,
        destination: Destination,
        reports: Reports,
        checkpoint: Option<Checkpoint>,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let recipe = self.recipe()?;
        self.memory.check(self.reading.threads)?;
        threads::pool(self.reading.threads)?.install(|| match recipe.width {
            Width::W64 => self.run_wide::<1>(recipe, destination, reports, checkpoint, progress),
            Width::W128 => self.run_wide::<2>(recipe, destination, reports, checkpoint, progress),
            Width::W256 => self.run_wide::<4>(recipe, destination, reports, checkpoint, progress),
        })
    }

    fn run_wide<const WORDS: usize>(
        &self,
        recipe: &Recipe,
        mut destination: Destination,
        mut reports: Reports,
        mut checkpoint: Option<Checkpoint>,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let mut clock = Clock::start();
        self.check_segments(recipe, progress)?;
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.begin(self.identity(recipe, &reports)?)?;
        }
        let (mut documents, groundwork) =
            self.documents::<WORDS>(&reports, checkpoint.as_mut(), progress)?;
        clock.fingerprinted();
        progress.enter(Stage::Join);
        let (mut matches, pairs) =
            self.matches(&mut documents, groundwork, &mut reports, checkpoint.as_mut(), progress)?;
        let clusters = matches.clusters(self.criteria.keep);
        let audit = self.audited(&documents, &matches);
        let overview = self.report(&mut reports, &documents, &clusters, &mut matches, progress)?;
        progress.check()?;
        clock.joined();
        let written =
            self.survivors(&mut destination, &documents, &clusters, &mut matches, progress)?;
        // First what fails most: reports never stand there without the survivors they are of.
        let mut finished = vec![destination.finish()?];
        for report in [reports.removed, reports.pairs, reports.clusters].into_iter().flatten() {
            finished.push(report.finish()?);
        }
        if let Some(output) = reports.segment {
            let features = self.reread(&documents);
            let made = (recipe, self.check()?.weighs());
            let written =
                segment_out::write(output, &documents, &clusters, made, &features, progress)?;
            finished.push(written);
        }
        let summary = Summary::of(Outcome {
            documents: &documents,
            matches: &matches,
            clusters: &clusters,
            reference: self.reference,
            rules: self.rules()?,
            written,
            pairs,
            seconds: clock.written(),
        });
        let summary = Summary { audit, ..summary };
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
        Ok(summary)
    }

    /// Checks that segments are there to be compared with only, and are by `recipe`.
    pub(crate) fn check_segments(&self, recipe: &Recipe, progress: &Progress) -> Result<(), Error> {
        refuse_segments(self.input().written())?;
        let check = self.check()?;
        let mut segments = self.sources.iter().filter(|source| is_segment(source));
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

    /// How it is done.
    pub(crate) fn rules(&self) -> Result<Rules<'_>, Error> {
        Ok(Rules {
            passed_over: &self.passed_over,
            criteria: self.criteria,
            score: self.reading.fields.score.as_deref(),
            threads: self.reading.threads,
            recipe: self.recipe()?,
        })
    }

    /// What is read.
    pub(crate) fn input(&self) -> Input<'_> {
        Input { reading: &self.reading, sources: &self.sources, reference: self.reference }
    }

    /// Writes the reports that need no second reading; finds what a page shows, where there is one.
    fn report<const WORDS: usize>(
        &self,
        reports: &mut Reports,
        documents: &Documents<WORDS>,
        clusters: &Clusters,
        matches: &mut Matches,
        progress: &Progress,
    ) -> Result<Option<Overview>, Error> {
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::with(&documents.ids, places.as_ref());
        if let Some(output) = &mut reports.clusters {
            write_clusters(output, clusters, names)?;
        }
        if let Some(output) = &mut reports.removed {
            write_removed(output, clusters, documents, names, matches)?;
        }
        if reports.view.is_none() {
            return Ok(None);
        }
        let pairs = std::mem::take(&mut matches.accepted);
        let found = Found { clusters, pairs, audit: matches.audit.take() };
        let evidence = |document, kept| matches.evidence(document, kept, documents);
        Overview::of(self.input(), documents, found, evidence, progress).map(Some)
    }

    /// The pairs of an audit, by what reports call their documents.
    fn audited<const WORDS: usize>(
        &self,
        documents: &Documents<WORDS>,
        matches: &Matches,
    ) -> Option<Audit<Value>> {
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::with(&documents.ids, places.as_ref());
        matches.audit.as_ref().map(|audit| audit.of(|document| names.of(*document).value()))
    }

    /// The second reading: writes what stays, unless nobody asks for it.
    fn survivors<const WORDS: usize>(
        &self,
        destination: &mut Destination,
        documents: &Documents<WORDS>,
        clusters: &Clusters,
        matches: &mut Matches,
        progress: &Progress,
    ) -> Result<Written, Error> {
        if matches!(destination, Destination::Nowhere) {
            let reference = documents.reference.documents;
            let read = documents.len() as u64 - reference;
            let removed = clusters.removed_from(DocumentNumber(reference));
            let kept = read - removed + documents.first_reading().empty();
            return Ok(Written { kept, ..Written::default() });
        }
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::with(&documents.ids, places.as_ref());
        let mut notes = Notes::new(documents, names, clusters, matches);
        let mut note = |document| notes.of(document);
        let note = self.annotate.then_some(&mut note as Noting<'_, '_>);
        let first = documents.first_reading();
        let writing = Writing { note, whole_captures: self.whole_captures };
        let stays = |document| clusters.knows(document).then(|| clusters.keeps(document));
        survivors::write(self.input(), first, &stays, destination, writing, progress)
    }
}

/// A page that was made of what was found.
fn rendered(view: View, summary: &Summary, overview: &Overview) -> Result<Finished, Error> {
    let View { mut output, render } = view;
    let text = render(summary, overview).map_err(|_| Error::View)?;
    output.write_record(text.as_bytes())?;
    Ok(output.finish()?)
}
