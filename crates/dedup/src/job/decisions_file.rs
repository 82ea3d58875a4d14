//! The file in which a job keeps its pairs with their similarities, and what else it takes to decide again without the
//! corpus: its form. What is decided is handled by `decision`.
//!
//! One file that stands alone: a line with its kind and version, the settings of the job, what the first reading keeps of
//! documents (as a checkpoint has it), 16 bytes a pair, and at its end its length and a checksum. So a file that is cut
//! short, changed or of another kind is known before anything is made of it.

use crate::error::Error;
use crate::job::resolved::Job;
use crate::job::spec::CriteriaSpec;
use crate::memory::limits::Memory;
use crate::memory::state::{Alone, StateReader, StateWriter};
use crate::numbers::{index, narrow};
use crate::read::documents::Documents;
use crate::search::folded_pairs::FoldedPairs;
use crate::search::kept_pairs::{KeptPair, KeptPairs};
use nearprint_corpus::{Fields, InputFormat, Output, Source, Tie};
use nearprint_fingerprint::Recipe;
use nearprint_rules::{ClusterRule, Criteria, Featureless, KeepRule};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

const KIND: &str = "nearprint decisions";
const VERSION: u32 = 7;

/// The settings of the job that wrote a file. Numbers that decide are texts: these come back as they were.
#[derive(Debug, Serialize, Deserialize)]
struct Settings {
    /// The release that wrote it.
    release: String,
    /// The recipe, as TOML.
    recipe: String,
    similarity: Option<String>,
    recall: Option<String>,
    k: Option<u32>,
    verify: Option<String>,
    featureless: String,
    cluster_rule: String,
    /// The rule by which a document stayed: the name of one that goes by no score, `None` for the usual one and by scores.
    keep: Option<String>,
    is_by_score: bool,
    /// The fields of labels that are kept, and the places among them of those that documents were compared within and across.
    labels: Vec<String>,
    within: Option<usize>,
    across: Option<usize>,
    /// The fields of scores that are kept, and of which of them the lowest is best.
    scores: Vec<(String, bool)>,
    /// The fields of ids, of texts or features, and of what is read along.
    id: String,
    text: String,
    tag: Option<String>,
    /// The number of documents, and bytes that they take in memory without what only a search takes.
    documents: u64,
    held: u64,
    /// The names of the sources with their formats, and how many of them, the first ones, were only compared with.
    sources: Vec<(String, Option<String>)>,
    reference: usize,
}

/// A file that was opened, and found to be as it was written.
pub(crate) struct DecisionsFile {
    path: PathBuf,
    settings: Settings,
    /// The recipe of the job.
    pub(crate) recipe: Recipe,
    /// What made documents near-duplicates, and which stayed: `keep` is `None` for the usual rule.
    pub(crate) criteria: CriteriaSpec,
    state: StateReader,
}

/// An output as something that is written to.
struct To<'a>(&'a mut Output);

impl Write for To<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_bytes(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Settings {
    fn of(job: &Job, documents: &Documents) -> Result<Self, Error> {
        fn text<T: Display>(value: Option<T>) -> Option<String> {
            value.map(|value| value.to_string())
        }
        let CriteriaSpec { similarity, recall, k, verify, featureless, .. } = job.asked;
        let named = |source: &Source| {
            (source.name().to_owned(), text(source.format().map(InputFormat::name)))
        };
        let Fields { id, text: of_text, tag, score, ties, .. } = &job.reading.fields;
        let Criteria { cluster_rule, keep, .. } = job.criteria;
        let is_by_score = keep.is_by_score();
        let is_usual = is_by_score || keep == KeepRule::of(cluster_rule);
        Ok(Self {
            release: env!("CARGO_PKG_VERSION").to_owned(),
            recipe: job.recipe()?.to_toml(),
            similarity: text(similarity),
            recall: text(recall),
            k,
            verify: text(verify),
            featureless: featureless.name().to_owned(),
            cluster_rule: cluster_rule.name().to_owned(),
            keep: (!is_usual).then(|| keep.name().to_owned()),
            is_by_score,
            labels: job.reading.fields.labels.clone(),
            within: job.within,
            across: job.across,
            scores: {
                let score = score.iter().map(|field| (field.clone(), keep == KeepRule::Lowest));
                let ties = ties.iter().flatten().map(|tie| (tie.field.clone(), tie.is_least));
                score.chain(ties).collect()
            },
            id: id.clone(),
            text: of_text.clone(),
            tag: tag.clone(),
            documents: documents.len() as u64,
            held: {
                // What only a search takes depends on whether this run made it.
                let of_search = size_of_val(&*documents.codes) + size_of_val(&*documents.levels);
                (documents.held_bytes() - of_search) as u64
            },
            sources: job.sources.iter().map(named).collect(),
            reference: job.reference,
        })
    }
}

/// Writes the file: `pairs` of `documents`, whose contents and measures must be there.
///
/// # Errors
/// The disk's.
pub(crate) fn write(
    output: &mut Output,
    job: &Job,
    documents: &Documents,
    pairs: &FoldedPairs,
) -> Result<(), Error> {
    let settings = Settings::of(job, documents)?;
    let path = output.path().to_owned();
    let failed = |error: io::Error| match error.downcast::<nearprint_corpus::Error>() {
        Ok(error) => Error::from(error),
        Err(source) => Error::Io { path: path.clone(), source },
    };
    let mut state = begun(output, &settings, documents, pairs.near_len()).map_err(failed)?;
    let mut bytes = Vec::new();
    pairs.near(&mut |documents, similarity| {
        bytes.clear();
        let documents = documents.map(|document| narrow(document.0));
        KeptPair { documents, similarity }.write(&mut bytes);
        state.part(&bytes).map_err(failed)
    })?;
    state.seal().map_err(failed)
}

/// A file up to its pairs, of which there will be so many.
fn begun<'a>(
    output: &'a mut Output,
    settings: &Settings,
    documents: &Documents,
    pairs: u64,
) -> io::Result<StateWriter<To<'a>>> {
    let mut state = StateWriter::alone(To(output), KIND, VERSION)?;
    state.value(settings)?;
    documents.save(KeepRule::First, &mut state)?;
    state.begin(pairs * KeptPair::BYTES as u64)?;
    Ok(state)
}

impl DecisionsFile {
    /// Opens a file, and reads it once for its checksum.
    ///
    /// # Errors
    /// A file that is not there or cannot be read; one of another kind or of another release; one that is damaged.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let failed = |source: io::Error| Error::Io { path: path.to_owned(), source };
        let refused = |problem: &str| {
            Err(Error::Decisions { path: path.to_owned(), problem: problem.to_owned() })
        };
        let damaged = |problem: &str| {
            refused(&format!(
                "damaged: {problem}; create it again with the run of `dedup` that wrote it"
            ))
        };
        if !path.exists() {
            return Err(
                nearprint_corpus::Error::InputMissing { path: path.display().to_string() }.into()
            );
        }
        if path.is_dir() {
            return refused("a folder, and no file of decisions; `dedup --decisions` writes one");
        }
        let mut state = match StateReader::alone(path, KIND, VERSION).map_err(failed)? {
            Alone::Whole(state) => state,
            Alone::Foreign => {
                return refused(
                    "not a file of decisions, which begins with \"nearprint decisions\"; `dedup --decisions` writes \
                     one",
                );
            }
            Alone::OtherVersion => {
                return refused(
                    "written by a release with another format of this file: create it again with this one",
                );
            }
            Alone::OtherLength => return damaged("cut short, or followed by extra bytes"),
            Alone::Damaged => return damaged("its checksum does not match"),
        };
        let settings: Settings = state.value().map_err(failed)?;
        let recipe = Recipe::from_toml(&settings.recipe)?;
        let Some(criteria) = settings.criteria() else {
            return damaged("its settings cannot be read");
        };
        if let Some((similarity, verify)) = criteria.two_thresholds() {
            return refused(&format!(
                "written with similarity {similarity} and verify {verify}, of which only one can decide: create it again with \
                 one of the two"
            ));
        }
        Ok(Self { path: path.to_owned(), settings, recipe, criteria, state })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The fields of which labels are kept, and the places among them of those that documents were compared within and
    /// across.
    pub(crate) fn labels(&self) -> (&[String], [Option<usize>; 2]) {
        let Settings { labels, within, across, .. } = &self.settings;
        (labels, [*within, *across])
    }

    /// The fields of which scores are kept.
    pub(crate) fn scores(&self) -> Vec<String> {
        self.settings.scores.iter().map(|(field, _)| field.clone()).collect()
    }

    /// These fields with the scores that the job kept documents by.
    pub(crate) fn by_scores(&self, fields: Fields) -> Fields {
        let mut scores = self.settings.scores.iter().cloned();
        let score = scores.next().map(|(field, _)| field);
        let mut ties = scores.map(|(field, is_least)| Tie { field, is_least });
        Fields { score, ties: std::array::from_fn(|_| ties.next()), ..fields }
    }

    /// These fields, with those by which the job read documents in place of the usual ones: a corpus that is read again is
    /// the one that was compared.
    ///
    /// # Errors
    /// A field that is named and is another than the one of the job, with both.
    pub(crate) fn fields(&self, asked: &Fields) -> Result<Fields, (String, String)> {
        let usual = Fields::default();
        let Settings { id, text, tag, .. } = &self.settings;
        for (own, asked, usual) in [(id, &asked.id, &usual.id), (text, &asked.text, &usual.text)] {
            if asked != own && asked != usual {
                return Err((own.clone(), asked.clone()));
            }
        }
        match (&asked.tag, tag) {
            (Some(asked), own) if own.as_ref() != Some(asked) => {
                Err((own.clone().unwrap_or_default(), asked.clone()))
            }
            _ => {
                Ok(Fields { id: id.clone(), text: text.clone(), tag: tag.clone(), ..asked.clone() })
            }
        }
    }

    /// The sources of the job by their names: those that were only compared with, and all others.
    pub(crate) fn sources(&self) -> (Vec<Source>, Vec<Source>) {
        let source = |(name, format): &(String, Option<String>)| {
            Source::named(name, format.as_ref().and_then(|format| format.parse().ok()))
        };
        let mut against: Vec<Source> = self.settings.sources.iter().map(source).collect();
        let sources = against.split_off(self.settings.reference.min(against.len()));
        (against, sources)
    }

    /// The documents and their pairs, within some memory.
    ///
    /// # Errors
    /// [`Error::Memory`] before they are read, where they take more; the disk's; a file that holds something else than it says.
    pub(crate) fn read(mut self, memory: Memory) -> Result<(Documents, KeptPairs), Error> {
        /// Bytes a document that are taken beside while it is read, and by its rank.
        const BESIDE: usize = 16;
        let Settings { labels, within, documents, held, .. } = &self.settings;
        memory.left(*documents, index(*held), BESIDE * index(*documents))?;
        let (width, labels) = (self.recipe.width, (labels.len(), *within, None));
        let loaded = Documents::load(&mut self.state, width, KeepRule::First, labels);
        let read = loaded.and_then(|documents| Ok((documents, self.state.pass()?)));
        let (documents, place) =
            read.map_err(|source| Error::Io { path: self.path.clone(), source })?;
        let pairs = KeptPairs::open(self.path, place, documents.len() as u64)?;
        Ok((documents, pairs))
    }
}

impl Settings {
    /// What made documents near-duplicates, and which stayed.
    fn criteria(&self) -> Option<CriteriaSpec> {
        fn read<T: FromStr>(text: Option<&String>) -> Option<Option<T>> {
            text.map_or(Some(None), |text| text.parse().ok().map(Some))
        }
        let by_score = match self.scores.first().filter(|_| self.is_by_score) {
            Some((_, true)) => Some(KeepRule::Lowest),
            Some((_, false)) => Some(KeepRule::Highest),
            None => None,
        };
        Some(CriteriaSpec {
            similarity: read(self.similarity.as_ref())?,
            recall: read(self.recall.as_ref())?,
            k: self.k,
            verify: read(self.verify.as_ref())?,
            featureless: read::<Featureless>(Some(&self.featureless))??,
            cluster_rule: read::<ClusterRule>(Some(&self.cluster_rule))??,
            keep: by_score.or(read(self.keep.as_ref())?),
            ..CriteriaSpec::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn a_file_of_two_thresholds_says_how_to_go_on() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("two.decisions");
        let settings = Settings {
            release: "0.1.0".to_owned(),
            recipe: Recipe::default().to_toml(),
            similarity: Some("0.9".to_owned()),
            recall: None,
            k: None,
            verify: Some("jaccard=0.8".to_owned()),
            featureless: "keep".to_owned(),
            cluster_rule: "star".to_owned(),
            keep: None,
            is_by_score: false,
            labels: Vec::new(),
            within: None,
            across: None,
            scores: Vec::new(),
            id: "id".to_owned(),
            text: "text".to_owned(),
            tag: None,
            documents: 0,
            held: 0,
            sources: Vec::new(),
            reference: 0,
        };
        let file = File::create(&path).unwrap();
        let mut state = StateWriter::alone(file, KIND, VERSION).unwrap();
        state.value(&settings).unwrap();
        state.seal().unwrap();
        let said = DecisionsFile::open(&path).err().unwrap().to_string();
        assert!(
            said.starts_with(&path.display().to_string())
                && said.ends_with("create it again with one of the two"),
            "{said}"
        );
    }
}
