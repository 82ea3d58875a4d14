//! Paragraphs and lines that are near-duplicates of others: each is a document to the search for near-duplicates.
//!
//! Every unit becomes a row of a temporary file, which a job over documents reads. What that removes is what is cut.

use crate::error::Error;
use crate::job::spec::{CriteriaSpec, FingerprintSpec, InputSpec, JobSpec, ReadingSpec, Resources};
use crate::memory::limits::Memory;
use crate::memory::shares;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::census::Census;
use crate::passages::column::ColumnWriter;
use crate::passages::corpus::{Corpus, Planned, Worker};
use crate::passages::lending::{LentRun, Loans, Passages};
use crate::passages::lent::Lending;
use crate::passages::offsets::Counted;
use crate::passages::place::place;
use crate::passages::rows::Names;
use crate::passages::runs::Run;
use crate::progress::Stage;
use nearprint_corpus::{Fields, discover};
use nearprint_fingerprint::{DocumentPart, Measure, Recipe};
use nearprint_rules::{KeepRule, Verify};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use tempfile::TempDir;

/// The field of a row by which one of near-duplicates is preferred: the rank of its document.
const RANK: &str = "rank";

/// The search for units that are near-duplicates.
#[derive(Clone, Copy)]
pub(crate) struct Near<'a> {
    pub(crate) corpus: &'a Corpus<'a>,
    pub(crate) census: &'a Census,
    pub(crate) names: &'a Names<'a>,
    pub(crate) similarity: f64,
    pub(crate) memory: Memory,
    /// Where the files of units go.
    pub(crate) dir: &'a Path,
}

/// Where a unit stands, which is what its row is called by.
struct Stands<'a> {
    record: u32,
    unit: u32,
    /// What reports say of its place.
    start: u32,
    end: u32,
    /// The id of its document, as JSON text.
    id: &'a str,
}

impl<'a> Stands<'a> {
    fn of(name: &'a str) -> Option<Self> {
        let mut parts = name.splitn(5, ' ');
        let mut number = || parts.next()?.parse().ok();
        let (record, unit, start, end) = (number()?, number()?, number()?, number()?);
        Some(Self { record, unit, start, end, id: parts.next()? })
    }
}

impl std::fmt::Display for Stands<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { record, unit, start, end, id } = self;
        write!(f, "{record} {unit} {start} {end} {id}")
    }
}

/// A unit that goes, as the job over units says it.
#[derive(Deserialize)]
struct Gone {
    id: String,
    /// The one that stays for it.
    kept: Option<String>,
    /// Where none stays, one that goes too.
    near: Option<String>,
    similarity: f64,
    cluster: Option<u32>,
}

/// What is asked of the search for near-duplicates among units, but for their files.
pub(crate) fn job_over_units(recipe: &Recipe, keep: KeepRule, similarity: f64) -> JobSpec {
    let mut recipe = recipe.clone();
    recipe.content = DocumentPart::Text;
    let (keep, score) = match keep {
        KeepRule::Nothing => (KeepRule::Nothing, None),
        _ => (KeepRule::Lowest, Some(RANK.to_owned())),
    };
    JobSpec {
        fingerprints: FingerprintSpec { recipe, ..FingerprintSpec::default() },
        reading: ReadingSpec {
            fields: Fields { score, ..Fields::default() },
            ..ReadingSpec::default()
        },
        criteria: CriteriaSpec {
            similarity: Some(similarity),
            keep: Some(keep),
            ..CriteriaSpec::default()
        },
        ..JobSpec::default()
    }
}

impl Near<'_> {
    /// Finds what goes, as runs of one unit each.
    ///
    /// # Errors
    /// Those of a job over documents; input that changed; temporary files.
    pub(crate) fn find(self, room: usize) -> Result<(Loans, Measure), Error> {
        let spill = |source| Error::Spill { dir: self.dir.to_path_buf(), source };
        let folder = TempDir::with_prefix_in("nearprint-units-", self.dir).map_err(spill)?;
        let [reference, units, removed] = ["reference.jsonl", "units.jsonl", "removed.jsonl"]
            .map(|name| folder.path().join(name));
        self.write(&[&reference, &units])?;
        self.search(&reference, &units, &removed)?;
        let verify = Verify::suiting(self.corpus.recipe.weights, self.similarity);
        Ok((self.loans(&removed, room)?, verify.measure()))
    }

    /// Writes a row for each unit of the reference, and of what is written.
    fn write(&self, paths: &[&Path; 2]) -> Result<(), Error> {
        let Self { corpus, census, names, .. } = *self;
        let spill = |source| Error::Spill { dir: corpus.dir.to_path_buf(), source };
        let create = |path: &Path| File::create(path).map(BufWriter::new).map_err(spill);
        let origins = &census.origins;
        let [reference, written] = *paths;
        let mut files = [create(reference)?, create(written)?];
        let work = |worker: &mut Worker, planned: Planned<()>| {
            let mut rows = Vec::new();
            for (number, record) in (planned.first()..).zip(planned.batch.records()) {
                // What cannot be read was counted by the census.
                let Ok(document) = corpus.document(&record) else { continue };
                let id = names.id(document.id.as_ref(), &record);
                let record = crate::numbers::narrow(number);
                let rank = origins.rank(number);
                let places = Counted::new(&document.text, corpus.offsets);
                let units = worker.units.read_without_hashes(&document.text);
                for unit in 0..units.len() {
                    let bytes = units.span(unit..unit + 1);
                    let [start, end] = [bytes.start, bytes.end]
                        .map(|at| crate::numbers::narrow(places.at(at) as u64));
                    let unit = crate::numbers::narrow(unit as u64);
                    let name = Stands { record, unit, start, end, id: &id }.to_string();
                    let text = document.text.get(bytes).unwrap_or_default();
                    let row = serde_json::json!({ "id": name, "text": text, RANK: rank });
                    rows.extend_from_slice(row.to_string().as_bytes());
                    rows.push(b'\n');
                }
            }
            Ok((usize::from(planned.batch.source_index() >= corpus.reference), rows))
        };
        corpus.reread(
            Stage::Windows,
            census.checksums,
            |_| Ok(()),
            work,
            |(part, rows)| {
                let file = files.get_mut(part).ok_or(Error::InputChanged)?;
                file.write_all(&rows).map_err(spill)
            },
        )?;
        files.iter_mut().try_for_each(|file| file.flush().map_err(spill))
    }

    /// Removes near-duplicates among the units.
    fn search(&self, reference: &Path, units: &Path, removed: &Path) -> Result<(), Error> {
        let Self { corpus, similarity, memory, .. } = *self;
        let sources = |path: &Path| -> Result<_, Error> {
            Ok(discover(&[path.display().to_string()], None)?)
        };
        let against_sources = if corpus.reference > 0 { sources(reference)? } else { Vec::new() };
        let mut spec = job_over_units(corpus.recipe, corpus.rule.keep, similarity);
        spec.input =
            InputSpec { sources: sources(units)?, against_sources, ..InputSpec::default() };
        spec.reading.options = corpus.reading.options;
        spec.outputs.removed = Some(removed.to_path_buf());
        let with = Resources {
            threads: Some(corpus.reading.threads),
            memory,
            work_dir: Some(corpus.dir.to_path_buf()),
            ..Resources::default()
        };
        spec.open(&with, corpus.progress)?.run(corpus.progress)?;
        Ok(())
    }

    /// What was removed, as runs with the names of what stays.
    fn loans(&self, removed: &Path, room: usize) -> Result<Loans, Error> {
        let dir = self.corpus.dir;
        let mut copies: Vec<u32> = Vec::new();
        each(removed, dir, |gone, _| {
            let Some(cluster) = gone.cluster.map(|cluster| cluster as usize) else { return Ok(()) };
            if copies.len() <= cluster {
                copies.resize(cluster + 1, u32::from(self.corpus.rule.keep != KeepRule::Nothing));
            }
            if let Some(copies) = copies.get_mut(cluster) {
                *copies = copies.saturating_add(1);
            }
            Ok(())
        })?;
        let mut lending = Lending::new(dir, shares::LENT.of(room));
        let (mut runs, mut lenders) = (ColumnWriter::new(dir), ColumnWriter::new(dir));
        let mut take = |gone: Gone, row: usize, lends: &mut Batched<'_, u64>| {
            let kept = gone.kept.as_deref().or(gone.near.as_deref());
            let (Some(own), Some(kept)) = (Stands::of(&gone.id), kept.and_then(Stands::of)) else {
                return Err(Error::Bug {
                    problem: format!("row {row} of removed units has no places"),
                });
            };
            let name = lending.push(&crate::numbers::narrow(kept.id.len() as u64).to_le_bytes())?;
            lending.push(kept.id.as_bytes())?;
            if gone.kept.is_some() && own.record != kept.record {
                lends.push(kept.record.into());
            }
            let of_cluster = gone.cluster.and_then(|cluster| copies.get(cluster as usize));
            let run = Run {
                at: place(own.record, own.unit),
                first: place(kept.record, kept.unit),
                windows: 1,
                period: 0,
                copies: of_cluster.copied().unwrap_or(2),
                documents: 0,
            };
            let (start, end) = (kept.start, kept.end);
            runs.push(LentRun { run, text: gone.similarity.to_bits(), name, start, end }.entry())
        };
        let spilled = sorted_of::<u64>(
            Room::within(shares::LENT_RUNS.of(room)),
            dir,
            &mut |emit| {
                let mut lends = Batched::new(emit);
                each(removed, dir, |gone, row| take(gone, row, &mut lends))?;
                lends.flush();
                Ok(())
            },
            &mut |found| found.iter().try_for_each(|one| lenders.push(*one)),
        )?;
        Ok(Loans {
            lent: lending.finish()?,
            runs: runs.finish()?,
            lenders: lenders.finish()?,
            passages: Passages::none(dir)?,
            spilled,
        })
    }
}

/// Hands the rows of a report to `each`, with their numbers.
fn each(
    path: &Path,
    dir: &Path,
    mut each: impl FnMut(Gone, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let spill = |source| Error::Spill { dir: dir.to_path_buf(), source };
    for (row, line) in BufReader::new(File::open(path).map_err(spill)?).lines().enumerate() {
        let line = line.map_err(spill)?;
        let gone = serde_json::from_str(&line).map_err(|error| Error::Bug {
            problem: format!("row {row} of removed units: {error}"),
        })?;
        each(gone, row)?;
    }
    Ok(())
}
