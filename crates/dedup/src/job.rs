//! The whole `dedup` job, from sources to a summary.

use crate::cluster_rule::ClusterRule;
use crate::clusters::Clusters;
use crate::documents::{Degenerate, Documents, Reading, Wanted};
use crate::error::Error;
use crate::groups::Groups;
use crate::ids::Ids;
use crate::keep::KeepRule;
use crate::matches::Matches;
use crate::neighborhood::Neighborhood;
use crate::note::Note;
use crate::overview::{Overview, View};
use crate::progress::{Progress, Stage};
use crate::rows;
use crate::sketch::Content;
use crate::spilled_join::{LEAST, SpilledJoin};
use crate::spilled_pairs;
use crate::summary::{Seconds, Summary, peak_memory};
use crate::survivors::{self, Destination, Noting};
use crate::verify::Verify;
use nearprint_corpus::finished::publish;
use nearprint_corpus::output::Output;
use nearprint_corpus::source::Source;
use nearprint_fingerprint::estimate;
use nearprint_fingerprint::fingerprint::Fingerprint;
use nearprint_fingerprint::recipe::Recipe;
use nearprint_fingerprint::width::Width;
use std::path::PathBuf;
use std::time::Instant;

/// Reports that a job writes beside the survivors.
#[derive(Default)]
pub struct Reports {
    /// `{"id","kept","distance","similarity","cluster"}` for every document removed.
    pub removed: Option<Output>,
    /// `{"a","b","distance"}` for every near-duplicate pair; with `"similarity"` where pairs are
    /// verified.
    pub pairs: Option<Output>,
    /// `{"id","cluster","representative"}` for every document of a cluster.
    pub clusters: Option<Output>,
    /// The [`Summary`] as JSON.
    pub summary: Option<Output>,
    /// The [`Summary`] and an [`Overview`] for people.
    pub view: Option<View>,
}

/// A near-duplicate removal, ready to run.
///
/// The sources are read twice, in the same order, and once more where there are pairs to verify:
/// standard input and pipes are spooled before. Documents of equal content are found first, by a
/// hash; of each content one document goes on to the join.
///
/// Memory: at 64 bits 36 bytes a document while it is read (fingerprint 8, content 16, hash of the
/// id 8, order 4), then 20 (fingerprint 8, clusters 12; 8 more for a rule by length), 8 more for each
/// further 64 bits of width, the ids where a report names them, the budget of the join, and the
/// batches under way: about 1 MiB for each of `4 * threads + 4`. It does not grow with the text but
/// for a single longer document. The report of pairs without verification holds them all.
///
/// # Examples
/// ```
/// use nearprint_corpus::{document::Fields, inputs::discover, outputs::{OutputOptions, Outputs}};
/// use nearprint_corpus::reader::ReadOptions;
/// use nearprint_dedup::{cluster_rule::ClusterRule, documents::Reading, job::{DedupJob, Reports}, keep::KeepRule};
/// use nearprint_dedup::{progress::Progress, sketch::{Content, OnError}, survivors::Destination};
/// use nearprint_dedup::verify::Verify;
///
/// # let folder = tempfile::tempdir()?;
/// # let input = folder.path().join("in.jsonl");
/// # let output = folder.path().join("out.jsonl");
/// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"A, b, c, d!\"}\n{\"text\":\"x y z\"}\n")?;
/// let sources = discover(&[input.display().to_string()], None)?;
/// let survivors = Outputs::new(&sources, OutputOptions::default()).create(&output)?;
/// let reading = Reading {
///     content: Content::from(nearprint_fingerprint::builtin::recipe("text").unwrap()),
///     fields: Fields::default(),
///     on_error: OnError::Fail,
///     options: ReadOptions::default(),
///     threads: 2,
/// };
/// let job = DedupJob {
///     reading,
///     sources,
///     reference: 0,
///     k: 3,
///     verify: Verify::None,
///     cluster_rule: ClusterRule::Star,
///     keep: KeepRule::First,
///     annotate: false,
///     memory: None,
///     work_dir: std::env::temp_dir(),
/// };
/// let summary = job.run(Destination::File(survivors), Reports::default(), &Progress::default())?;
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
    /// Bytes that the join may take; `None` for half of what is free.
    pub memory: Option<usize>,
    /// Where temporary files go.
    pub work_dir: PathBuf,
}

impl DedupJob {
    /// Runs the job on its threads. All outputs appear at its end, or none.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output; then nothing appears under a final name.
    pub fn run(
        &self,
        destination: Destination,
        reports: Reports,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let Content::Text { recipe, .. } = &self.reading.content else { return Err(Error::NoText) };
        // The join gets half: what is too small for it is told before anything is read.
        let least = 2 * LEAST;
        if let Some(given) = self.memory.filter(|given| *given < least) {
            return Err(Error::Budget { given: given as u64, least: least as u64 });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.reading.threads).build();
        let pool = pool.map_err(|error| Error::Threads { message: error.to_string() })?;
        pool.install(|| match recipe.width {
            Width::W64 => self.run_wide::<1>(recipe, destination, reports, progress),
            Width::W128 => self.run_wide::<2>(recipe, destination, reports, progress),
            Width::W256 => self.run_wide::<4>(recipe, destination, reports, progress),
        })
    }

    fn run_wide<const WORDS: usize>(
        &self,
        recipe: &Recipe,
        mut destination: Destination,
        mut reports: Reports,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let start = Instant::now();
        let named =
            reports.removed.is_some() || reports.pairs.is_some() || reports.clusters.is_some();
        let lengths = self.keep.needs_lengths();
        let ids = named || self.annotate;
        let wanted = Wanted { ids, lengths, contents: true, reference: self.reference };
        let mut documents =
            Documents::<WORDS>::read(&self.reading, &self.sources, wanted, progress)?;
        let fingerprinted = start.elapsed();

        progress.enter(Stage::Join);
        let (mut matches, pairs) =
            Matches::find(self, &mut documents, reports.pairs.as_mut(), progress)?;
        let clusters = matches.clusters();
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

        let mut note = |document: Option<u64>| -> Result<Note, Error> {
            let place = document.and_then(|document| Some((document, clusters.of(document)?)));
            let Some((document, (cluster, kept))) = place else {
                return Ok(Note::default());
            };
            let removed = if document == kept {
                None
            } else {
                Some(likeness(document, kept, &documents, &mut matches)?)
            };
            let place = Some((cluster, documents.ids.json(kept).into_owned()));
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
            peak_memory: peak_memory(),
            recipe: recipe.name.clone(),
            recipe_id: recipe.id().to_string(),
            width: recipe.width.bits(),
            k: self.k,
            verify: self.verify.to_string(),
            cluster_rule: self.cluster_rule.name().to_owned(),
            keep: self.keep.name().to_owned(),
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
        publish(finished)?;
        Ok(summary)
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

/// Writes a row for every pair within `k` bits, by the first document, then the second; returns
/// their number.
///
/// # Errors
/// `k` over the width; the disk's.
pub fn write_pairs<const WORDS: usize>(
    output: &mut Output,
    groups: &Groups<WORDS>,
    documents: &Documents<WORDS>,
    k: u32,
) -> Result<u64, Error> {
    let mut pairs = 0;
    let ids = &documents.ids;
    Neighborhood::new(groups, documents.fingerprints.len(), k)?.pairs(|a, b, distance| {
        pairs += 1;
        let row = rows::pair(&ids.json(a), &ids.json(b), distance, None);
        output.write_record(row.as_bytes()).map_err(Error::from)
    })?;
    Ok(pairs)
}

/// Writes a row for every pair of `join` among `entries`, by the first document, then the second:
/// of equal fingerprints, the pairs of their first document only. Returns their number.
///
/// # Errors
/// `k` over the width; the disk's.
pub fn write_spilled_pairs<const WORDS: usize>(
    output: &mut Output,
    join: &SpilledJoin,
    entries: impl IntoIterator<Item = Result<(Fingerprint<WORDS>, u64), Error>>,
    degenerate: &[Degenerate],
    ids: &Ids,
) -> Result<u64, Error> {
    let mut pairs = 0;
    spilled_pairs::in_order(join, entries, degenerate, |a, b, distance| {
        pairs += 1;
        let row = rows::pair(&ids.json(a), &ids.json(b), distance, None);
        output.write_record(row.as_bytes()).map_err(Error::from)
    })?;
    Ok(pairs)
}

/// Writes a row for every document of a cluster, in input order.
///
/// # Errors
/// The disk's.
pub fn write_clusters(output: &mut Output, clusters: &Clusters, ids: &Ids) -> Result<(), Error> {
    for document in 0..clusters.documents() {
        if let Some((cluster, representative)) = clusters.of(document) {
            let row = rows::cluster(&ids.json(document), cluster, &ids.json(representative));
            output.write_record(row.as_bytes())?;
        }
    }
    Ok(())
}

/// Writes a row for every document that does not stay, in input order.
fn write_removed<const WORDS: usize>(
    output: &mut Output,
    clusters: &Clusters,
    documents: &Documents<WORDS>,
    matches: &mut Matches,
) -> Result<(), Error> {
    for document in documents.reference.documents..documents.fingerprints.len() as u64 {
        let Some((cluster, kept)) = clusters.of(document).filter(|&(_, kept)| kept != document)
        else {
            continue;
        };
        let (distance, similarity) = likeness(document, kept, documents, matches)?;
        let (id, kept) = (documents.ids.json(document), documents.ids.json(kept));
        let row = rows::removed(&id, &kept, distance, similarity, cluster);
        output.write_record(row.as_bytes())?;
    }
    Ok(())
}

/// How far a document is from the one that stays for it, and how similar: exactly where pairs are
/// verified, else by the estimated cosine.
fn likeness<const WORDS: usize>(
    document: u64,
    kept: u64,
    documents: &Documents<WORDS>,
    matches: &mut Matches,
) -> Result<(u32, f64), Error> {
    let fingerprint = |document: u64| {
        let at = usize::try_from(document).ok();
        at.and_then(|at| documents.fingerprints.get(at)).copied().unwrap_or_default()
    };
    let distance = fingerprint(document).distance(&fingerprint(kept));
    let verified = matches.similarity(document, kept)?;
    let estimate = || estimate::cosine(distance, Fingerprint::<WORDS>::BITS);
    Ok((distance, verified.unwrap_or_else(estimate)))
}
