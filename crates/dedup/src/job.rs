//! The whole `dedup` job, from sources to a summary.

use crate::cluster::clusters::Clusters;
use crate::entries::note::Note;
use crate::entries::summary::{Seconds, Summary};
use crate::error::Error;
use crate::matching::matches::Matches;
use crate::matching::search::Rows;
use crate::matching::seen::Seen;
use crate::memory::{self, Memory};
use crate::progress::{Progress, Stage};
use crate::read::documents::{Documents, Reading, Wanted};
use crate::read::sketch::Origin;
use crate::report::overview::{Overview, View};
use crate::report::reports::{Reports, likeness, write_clusters, write_removed};
use crate::report::survivors::{self, Destination, Noting};
use crate::resume::checkpoint::Checkpoint;
use crate::rules::cluster_rule::ClusterRule;
use crate::rules::keep::KeepRule;
use crate::rules::verify::Verify;
use nearprint_corpus::{Output, Source, publish};
use nearprint_fingerprint::{Fingerprint, Recipe, Width, estimate};
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::PathBuf;
use std::time::Instant;
use tempfile::SpooledTempFile;

/// Stages that a checkpoint keeps.
const DOCUMENTS: &str = "documents";
const MATCHES: &str = "matches";
/// Bytes of rows that are kept in memory until they are written.
const ROWS: usize = 1 << 20;

/// A near-duplicate removal, ready to run.
///
/// The sources are read twice, in the same order, and once more where there are pairs to verify:
/// standard input and pipes are spooled before. Documents of equal content are found first, by a
/// hash; of each content one document goes on to the join.
///
/// Memory: at 64 bits 36 bytes a document while it is read (fingerprint 8, content 16, hash of the
/// id 8, order 4), then 20 (fingerprint 8, clusters 12; 8 more for a rule by worth), 8 more for each
/// further 64 bits of width, the ids where a report names them, the [room](Memory) of the join, and the
/// batches under way: about 128 KiB for each of `4 * threads + 4`. It does not grow with the text but
/// for a single longer document. The report of pairs without verification holds them all.
///
/// # Examples
/// ```
/// use nearprint_corpus::{Fields, OutputOptions, Outputs, ReadOptions, discover};
/// use nearprint_dedup::{ClusterRule, DedupJob, KeepRule, Reading};
/// use nearprint_dedup::{Memory, Reports};
/// use nearprint_dedup::{Origin, Destination, OnError, Progress};
/// use nearprint_dedup::Verify;
///
/// # let folder = tempfile::tempdir()?;
/// # let input = folder.path().join("in.jsonl");
/// # let output = folder.path().join("out.jsonl");
/// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"A, b, c, d!\"}\n{\"text\":\"x y z\"}\n")?;
/// let sources = discover(&[input.display().to_string()], None)?;
/// let survivors = Outputs::new(&sources, OutputOptions::default()).create(&output)?;
/// let reading = Reading {
///     content: Origin::from(nearprint_fingerprint::Recipe::named("text").unwrap()),
///     fields: Fields::default(),
///     on_error: OnError::Fail,
///     options: ReadOptions::default(),
///     threads: 2,
/// };
/// let job = DedupJob {
///     reading,
///     sources,
///     reference: 0,
///     seen: Vec::new(),
///     seen_k: 3,
///     k: 3,
///     verify: Verify::None,
///     cluster_rule: ClusterRule::Star,
///     keep: KeepRule::First,
///     annotate: false,
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
    /// The corpus: first the sources of the reference.
    pub sources: Vec<Source>,
    /// How many sources, the first ones, are the reference: their documents come before all others,
    /// and are not written.
    pub reference: usize,
    /// Segments of what earlier runs have seen, which documents are compared with by their fingerprints
    /// alone; what is near goes.
    pub seen: Vec<Seen>,
    /// The radius to documents of segments, and of the tables of a segment that is written.
    pub seen_k: u32,
    /// The radius: documents whose fingerprints differ in at most this many bits are
    /// near-duplicates.
    pub k: u32,
    /// What a pair within the radius must pass besides.
    pub verify: Verify,
    /// What makes a cluster of pairs.
    pub cluster_rule: ClusterRule,
    /// Which document of a cluster stays.
    pub keep: KeepRule,
    /// Whether every document is written, with a field `nearprint` that says what became of it.
    pub annotate: bool,
    /// What memory it may take.
    pub memory: Memory,
    /// Where temporary files go.
    pub work_dir: PathBuf,
}

impl DedupJob {
    /// Runs the job on its threads. All outputs appear at its end, or none. With a checkpoint each
    /// finished stage is kept there until the end, and those that an earlier run kept are gone on from.
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
        let Origin::Text { recipe, .. } = &self.reading.content else { return Err(Error::NoText) };
        self.memory.check(self.reading.threads)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.reading.threads).build();
        let pool = pool.map_err(|error| Error::Threads { message: error.to_string() })?;
        pool.install(|| match recipe.width {
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
        let start = Instant::now();
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.begin(self.identity(recipe, &reports)?)?;
        }
        let mut documents = self.documents::<WORDS>(&reports, checkpoint.as_mut(), progress)?;
        let fingerprinted = start.elapsed();

        progress.enter(Stage::Join);
        let (mut matches, pairs) =
            self.matches(&mut documents, reports.pairs.as_mut(), checkpoint.as_mut(), progress)?;
        let clusters = matches.clusters(self.keep);
        if let Some(output) = &mut reports.clusters {
            write_clusters(output, &clusters, &documents.ids)?;
        }
        if let Some(output) = &mut reports.removed {
            write_removed(output, &clusters, &documents, &mut matches)?;
        }
        let overview = match &reports.view {
            Some(_) => Some(self.overview(&documents, &clusters, &mut matches, progress)?),
            None => None,
        };
        progress.check()?;
        let joined = start.elapsed();

        let others = if clusters.all_go() { clusters.others() } else { Vec::new() };
        let mut note = |document: Option<u64>| -> Result<Note, Error> {
            if let Some(seen) = document.and_then(|document| matches.sighting(document)) {
                let similarity = estimate::cosine(seen.distance, Fingerprint::<WORDS>::BITS);
                let removed = Some((seen.distance, similarity));
                return Ok(Note { place: Some((None, seen.id.clone())), removed });
            }
            let place = document.and_then(|document| Some((document, clusters.of(document)?)));
            let Some((document, (cluster, kept))) = place else {
                return Ok(Note::default());
            };
            let stays = clusters.keeps(document);
            let removed = match others.get(cluster as usize) {
                Some(other) if document == kept => Some(*other),
                _ => (!stays).then_some(kept),
            };
            let near = |near| likeness(document, near, &documents, &mut matches);
            let removed = removed.map(near).transpose()?;
            let place = Some((Some(cluster), documents.ids.json(kept).into_owned()));
            Ok(Note { place, removed })
        };
        let kept = survivors::write(
            &self.reading,
            self.sources.get(self.reference..).unwrap_or_default(),
            (&clusters, &documents.left_out, documents.reference),
            documents.checksum,
            &mut destination,
            self.annotate.then_some(&mut note as Noting<'_>),
            progress,
        )?;
        // First what fails most: reports never stand there without the survivors they are of.
        let mut finished = vec![destination.finish()?];
        for report in [reports.removed, reports.pairs, reports.clusters].into_iter().flatten() {
            finished.push(report.finish()?);
        }
        if let Some(index) = reports.index {
            let made = index.write(&documents, &clusters, (recipe.id(), self.seen_k))?;
            finished.extend(made);
        }
        let total = start.elapsed();
        let counts = documents.counts;
        let ours =
            documents.left_out.iter().filter(|one| one.record >= documents.reference.records);
        let empty = ours.filter(|one| one.empty).count();
        let summary = Summary {
            documents: counts.documents,
            bytes: counts.bytes,
            kept,
            reference: documents.reference.documents,
            removed: clusters.removed_from(documents.reference.documents),
            empty: empty as u64,
            short: counts.short,
            dominant: counts.dominant,
            degenerate: recipe.degenerate.name().to_owned(),
            replaced_utf8: counts.replaced_utf8,
            pages: counts.pages,
            others: counts.others,
            repeated_ids: counts.repeated_ids,
            skipped: counts.skipped,
            seen: matches.seen.len() as u64,
            seen_k: self.seen_k,
            exact: matches.exact_from(documents.reference.documents),
            candidates: matches.candidates,
            compared: matches.compared,
            pairs,
            clusters: clusters.len() as u64,
            largest_cluster: clusters.sizes().iter().copied().max().unwrap_or(0),
            seconds: Seconds {
                fingerprint: fingerprinted.as_secs_f64(),
                join: (joined - fingerprinted).as_secs_f64(),
                write: (total - joined).as_secs_f64(),
                total: total.as_secs_f64(),
            },
            peak_memory: memory::peak(),
            recipe: recipe.name.clone(),
            recipe_id: recipe.id().to_string(),
            width: recipe.width.bits(),
            k: self.k,
            verify: self.verify.to_string(),
            cluster_rule: self.cluster_rule.name().to_owned(),
            keep: self.keep_name(),
            threads: self.reading.threads,
        };
        if let Some(mut output) = reports.summary {
            output.write_record(summary.to_json().as_bytes())?;
            finished.push(output.finish()?);
        }
        if let Some((View { mut output, render }, overview)) = reports.view.zip(overview) {
            let text = render(&summary, &overview).map_err(|_| Error::View)?;
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

    /// The keep rule by the name that it has on the command line.
    pub(crate) fn keep_name(&self) -> String {
        let field = self.reading.fields.score.as_deref().unwrap_or_default();
        match self.keep {
            KeepRule::Highest => format!("{field}:max"),
            KeepRule::Lowest => format!("{field}:min"),
            rule => rule.name().to_owned(),
        }
    }

    /// The first reading, or what an earlier run kept of it.
    fn documents<const WORDS: usize>(
        &self,
        reports: &Reports,
        checkpoint: Option<&mut Checkpoint>,
        progress: &Progress,
    ) -> Result<Documents<WORDS>, Error> {
        if let Some(checkpoint) = &checkpoint
            && let Some(mut state) = checkpoint.load(DOCUMENTS)?
        {
            return Documents::load(&mut state).map_err(|source| checkpoint.failed(&source));
        }
        let ids = reports.name_documents() || self.annotate;
        let wanted = Wanted { ids, keep: self.keep, contents: true, reference: self.reference };
        let documents = Documents::read(&self.reading, &self.sources, wanted, progress)?;
        if let Some(checkpoint) = checkpoint {
            checkpoint.save(DOCUMENTS, |state| documents.save(state))?;
        }
        Ok(documents)
    }

    /// The near-duplicates with the number of pairs written, or what an earlier run kept of them.
    fn matches<const WORDS: usize>(
        &self,
        documents: &mut Documents<WORDS>,
        pairs: Option<&mut Output>,
        checkpoint: Option<&mut Checkpoint>,
        progress: &Progress,
    ) -> Result<(Matches, Option<u64>), Error> {
        let Some(checkpoint) = checkpoint else {
            let mut write = pairs.map(|output| move |row: &[u8]| Ok(output.write_record(row)?));
            let write = write.as_mut().map(|write| write as &mut Rows<'_>);
            return Matches::find(self, documents, write, progress);
        };
        // Rows of pairs are kept too: what made them is gone when they are.
        let rows = |source: std::io::Error| Error::Spill { dir: self.work_dir.clone(), source };
        let mut kept = SpooledTempFile::new_in(ROWS, &self.work_dir);
        let found = match checkpoint.load(MATCHES)? {
            Some(mut state) => Matches::load(self, documents, &mut state)
                .and_then(|found| {
                    state.copy(&mut kept)?;
                    Ok(found)
                })
                .map_err(|source| checkpoint.failed(&source))?,
            None => {
                let mut write = |row: &[u8]| kept.write_all(row).map_err(rows);
                let write = pairs.is_some().then_some(&mut write as &mut Rows<'_>);
                let (mut matches, pairs) = Matches::find(self, documents, write, progress)?;
                let length = kept.stream_position().map_err(rows)?;
                kept.rewind().map_err(rows)?;
                checkpoint.save(MATCHES, |state| {
                    matches.save(pairs, state)?;
                    state.copy(&mut kept, length)
                })?;
                (matches, pairs)
            }
        };
        if let Some(output) = pairs {
            kept.rewind().map_err(rows)?;
            let mut lines = BufReader::new(kept);
            let mut row = Vec::new();
            while lines.read_until(b'\n', &mut row).map_err(rows)? > 0 {
                output.write_record(&row)?;
                row.clear();
            }
        }
        Ok(found)
    }

    fn overview<const WORDS: usize>(
        &self,
        documents: &Documents<WORDS>,
        clusters: &Clusters,
        matches: &mut Matches,
        progress: &Progress,
    ) -> Result<Overview, Error> {
        let pairs = std::mem::take(&mut matches.accepted);
        let likeness = |document, kept| likeness(document, kept, documents, matches);
        let input = (&self.reading, self.sources.as_slice(), self.reference);
        Overview::of(input, documents, clusters, pairs, likeness, progress)
    }
}
