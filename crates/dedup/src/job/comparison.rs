//! Two documents of a corpus: why a job brings them together, or does not.

use crate::decide::fates::{Fate, Fates};
use crate::decide::matches::Matches;
use crate::error::Error;
use crate::job::resolved::Job;
use crate::job::spec::{JobSpec, OutputSpec, Resources};
use crate::job::stages::Beside;
use crate::numbers::{DocumentNumber, entry};
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::labels::Labels;
use crate::read::names::{FilePlaces, Names};
use crate::read::ties::rule_name;
use crate::search::features::Features;
use crate::search::folded_pairs::FoldedPairs;
use crate::threads;
use crate::write::counted::source_name;
use nearprint_fingerprint::{FeatureList, Measure};
use nearprint_rules::{Evidence, Featureless, Finding, Verify};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// Bytes of the features of two documents.
const FEATURES: usize = 8 << 20;

/// Two documents of a corpus, as a job sees them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The documents, in the order in which they were asked for.
    pub documents: [ComparedDocument; 2],
    /// Whether their content is equal, once it is normalised.
    pub equal_content: bool,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
    /// How similar they are, and what that is.
    pub similarity: f64,
    /// See above.
    pub measure: &'static str,
    /// The check of pairs, such as `jaccard=0.8`; `none` where a radius decides.
    pub verify: String,
    /// The radius: pairs of fingerprints farther apart are not looked at, where these find pairs. Where sketches do, the
    /// fingerprints of all pairs of the similarity are within it but one in 10 000.
    pub k: u32,
    /// Whether they pass the check, or are within the radius that decides.
    pub passes: bool,
    /// Whether the job compared them; as far as pairs are listed.
    pub compared: bool,
    /// The probability that a pair so similar is compared; 1 of equal content, which is found in any case, and 0 of other
    /// content where one has too little in it.
    pub probability: f64,
    /// Documents that are in so many pairs that not all of these are listed.
    pub crowded: u64,
    /// What made clusters of pairs.
    pub cluster_rule: &'static str,
    /// Which document of a cluster stays.
    pub keep: String,
}

/// A document, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedDocument {
    /// What reports call it.
    pub id: Value,
    /// The line in which it begins, where reports tell its row and that is another number: places are FILE:LINE.
    pub line: Option<u64>,
    /// Whether it stays.
    pub stays: bool,
    /// Whether it has too little in it to be near others.
    pub degenerate: bool,
    /// Its cluster, and how many documents this has; nothing of a document that is alone.
    pub cluster: Option<u32>,
    /// See above.
    pub cluster_size: Option<u64>,
    /// What reports call the document that stands for the cluster.
    pub representative: Option<Value>,
    /// How similar it is to that, in the measure of the pair; nothing where it is that itself.
    pub similarity: Option<f64>,
    /// The label of the field that documents are compared within, where there is one.
    pub label: Option<String>,
    /// The label of the field that documents are compared across, where there is one.
    pub side: Option<String>,
    /// Whether it is one of the reference, whose documents are not compared with each other.
    pub of_reference: bool,
}

impl JobSpec {
    /// Two documents of the corpus by their ids, as text or as JSON, or by their places, FILE:LINE: why they are brought
    /// together, or are not. Nothing is written.
    ///
    /// # Complexity
    /// That of a job that lists its pairs.
    ///
    /// # Errors
    /// An id that no document has, or several have; [`Error::BytesAlone`]; those of the job.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{InputSpec, JobSpec, Progress, Resources};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let input = folder.path().join("in.jsonl");
    /// let row = |id: u32, words: &str| format!("{{\"id\":{id},\"text\":\"a b c d e f g h i j {words}\"}}\n");
    /// std::fs::write(&input, row(1, "k l m n") + &row(2, "k l m o") + &row(3, "x y z"))?;
    /// let input = InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() };
    /// let job = JobSpec { input, ..JobSpec::default() };
    /// let compare = |a, b| job.compare([a, b], &Resources::default(), &Progress::default());
    /// let near = compare("1", "2")?;
    /// assert!(near.passes && near.documents[0].cluster == near.documents[1].cluster);
    /// let apart = compare("1", "3")?;
    /// assert!(!apart.passes && apart.documents[1].stays && apart.similarity < 0.6);
    /// assert!(compare("1", "4").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(
        &self,
        ids: [&str; 2],
        with: &Resources,
        progress: &Progress,
    ) -> Result<Comparison, Error> {
        let spec = Self { outputs: OutputSpec::default(), ..self.clone() };
        let job = Job { names: true, ..spec.resolve(with, progress)? };
        if job.criteria.likeness.finding() == Finding::Bytes {
            return Err(Error::BytesAlone { what: "a comparison of two documents" });
        }
        job.memory.check(job.reading.threads)?;
        let pool = threads::pool(job.reading.threads)?;
        pool.install(|| job.compared(ids, progress)).map_err(|error| job.advised(error))
    }
}

impl Job {
    fn compared(&self, ids: [&str; 2], progress: &Progress) -> Result<Comparison, Error> {
        self.check_segments(self.recipe()?, progress)?;
        let (mut documents, search_input) = self.documents(true, None, progress)?;
        let named = [self.named(&documents, ids[0])?, self.named(&documents, ids[1])?];
        let [a, b] = match named {
            [Some(a), Some(b)] => [a, b],
            [None, _] => return Err(self.unknown_id(ids[0], progress)?),
            [_, None] => return Err(self.unknown_id(ids[1], progress)?),
        };
        let rule = self.criteria.likeness.verify();
        let lists = !matches!(rule, Verify::None | Verify::Containment(_));
        let beside = Beside {
            keeps_contents: true,
            audit: 0,
            lists_pairs: rule.is_checked(),
            lists_rejected: lists,
        };
        progress.enter(Stage::Join);
        let (mut matches, pairs) = self.find(&mut documents, search_input, beside, progress)?;
        let [first_of_a, first_of_b] = [a, b].map(|document| first_of(document, &documents));
        let mut listed = None;
        for list in pairs.iter().chain(&matches.rejected) {
            listed = listed.or(similarity_in(list, first_of_a, first_of_b)?);
        }
        let distance = documents.distance(a, b);
        let [group_of_a, group_of_b] = [a, b].map(|one| documents.groups().get(one.index()));
        let is_of_group = group_of_a == group_of_b;
        let equal_content = match is_of_group {
            true => first_of_a == first_of_b,
            false => self.has_equal_content(a, b, progress)?,
        };
        let lists = match rule.is_checked() && listed.is_none() {
            true => Some(self.features([a, b], &documents, progress)?),
            false => None,
        };
        let measured = lists.as_ref().map(|[of_a, of_b]| rule.measured(of_a, of_b));
        let evidence = match listed.or(measured).filter(|_| rule.is_checked()) {
            Some(similarity) => Evidence::measured(distance, similarity, rule.measure()),
            None => Evidence::estimated(distance, documents.fingerprints.width().bits()),
        };
        let (similarity, measure) = (evidence.similarity(), evidence.alike.map(|it| it.measure));
        let similarity = similarity.unwrap_or_default();
        let found = match rule {
            Verify::None => distance <= self.criteria.likeness.k(),
            _ => equal_content && is_of_group || listed.is_some(),
        };
        let passes = match rule {
            Verify::None => found,
            rule => rule.reaches(similarity),
        };
        let is_known = |document: DocumentNumber| document.0 < documents.reference.documents;
        let compared = found
            && a != b
            && documents.are_pair(a, b)
            && is_of_group
            && !(is_known(a) && is_known(b));
        let reference = documents.reference.documents;
        let fates = Fates::new(matches.clusters(self.criteria.keep, reference), reference);
        let documents_told = [
            self.told(a, &documents, &fates, &mut matches)?,
            self.told(b, &documents, &fates, &mut matches)?,
        ];
        let too_short = documents_told.iter().any(|document| document.degenerate);
        let likeness = &self.criteria.likeness;
        Ok(Comparison {
            documents: documents_told,
            equal_content,
            distance,
            similarity,
            measure: measure.map_or("none", Measure::name),
            verify: rule.to_string(),
            k: likeness.k(),
            passes,
            compared,
            probability: match () {
                () if equal_content => 1.0,
                () if too_short => 0.0,
                () if rule.is_checked() => likeness.looks_at(similarity),
                () => 1.0,
            },
            crowded: matches.crowded,
            cluster_rule: self.criteria.cluster_rule.name(),
            keep: rule_name(self.criteria.keep, &self.reading.fields),
        })
    }

    /// Why no document of the job has an id.
    fn unknown_id(&self, id: &str, progress: &Progress) -> Result<Error, Error> {
        let mut all = self.clone();
        all.criteria.featureless = Featureless::Collapse;
        let (documents, _) = all.documents(false, None, progress)?;
        let problem = match all.named(&documents, id)? {
            Some(_) => format!(
                "the document {id} has no feature to compare, such as a text without letters and digits: it is compared with \
                 no other, and kept"
            ),
            None if documents.is_empty() => format!("no document has the id {id}"),
            None => {
                let first = documents.ids.json(DocumentNumber(0));
                format!("no document has the id {id}; the id of the first is {first}")
            }
        };
        let skipped = documents.counts.skipped.behind_error();
        Ok(Error::Undecidable { problem: problem + &skipped })
    }

    /// Whether documents that are in different groups have equal content.
    fn has_equal_content(
        &self,
        a: DocumentNumber,
        b: DocumentNumber,
        progress: &Progress,
    ) -> Result<bool, Error> {
        let ungrouped = Self { within: None, ..self.clone() };
        let (documents, _) = ungrouped.documents(false, None, progress)?;
        Ok(first_of(a, &documents) == first_of(b, &documents))
    }

    /// What becomes of a document.
    fn told(
        &self,
        document: DocumentNumber,
        documents: &Documents,
        fates: &Fates,
        matches: &mut Matches,
    ) -> Result<ComparedDocument, Error> {
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::of_documents(documents, places.as_ref());
        let fate = fates.of(document);
        let representative = match fate {
            Fate::Alone => None,
            Fate::Stays { representative, .. } | Fate::Goes { representative, .. } => {
                Some(representative)
            }
        };
        let line = match &places {
            Some(places) => {
                let (_, row) = places.of(document);
                Some(self.number_of(documents, document)?).filter(|line| *line != row)
            }
            None => None,
        };
        let other = representative.filter(|representative| *representative != document);
        let evidence =
            other.map(|other| matches.evidence(document, other, documents)).transpose()?;
        let of = |labels: &Labels| source_name(labels.name(labels.of(document))).into_owned();
        let label = documents.within.and_then(|at| documents.labels.get(at)).map(of);
        let side = documents.sides().map(of);
        Ok(ComparedDocument {
            id: names.of(document).value(),
            line,
            stays: !matches!(fate, Fate::Goes { .. }),
            degenerate: documents.degenerate.iter().any(|one| one.document == document),
            cluster: fate.cluster(),
            cluster_size: fate.cluster().map(|cluster| fates.clusters().size(cluster)),
            representative: representative.map(|document| names.of(document).value()),
            similarity: evidence.and_then(|evidence| evidence.similarity()),
            label,
            side,
            of_reference: document.0 < documents.reference.documents,
        })
    }

    /// The features of two documents.
    fn features(
        &self,
        [a, b]: [DocumentNumber; 2],
        documents: &Documents,
        progress: &Progress,
    ) -> Result<[Arc<FeatureList>; 2], Error> {
        let check = self.check()?;
        let mut both = vec![a, b];
        both.sort_unstable();
        both.dedup();
        let room = (self.work_dir.as_path(), FEATURES);
        let source = self.reread(documents);
        let mut features = Features::take(&source, both, check.weighs(), room, progress)?;
        Ok([features.of(a)?, features.of(b)?])
    }
}

/// The first document of the content of another: itself, where nothing may equal it.
fn first_of(document: DocumentNumber, documents: &Documents) -> DocumentNumber {
    let apart = |document: DocumentNumber| {
        documents.degenerate.iter().any(|one| one.document == document && one.content.is_none())
    };
    if apart(document) {
        return document;
    }
    let content = entry(&documents.contents, document.index());
    let equal =
        |other: &u64| documents.contents.get(DocumentNumber(*other).index()) == Some(&content);
    let mut before = (0..document.0).filter(equal).map(DocumentNumber);
    before.find(|other| !apart(*other)).unwrap_or(document)
}

/// The similarity that a list has of two documents.
fn similarity_in(
    list: &FoldedPairs,
    a: DocumentNumber,
    b: DocumentNumber,
) -> Result<Option<f64>, Error> {
    let (pair, mut found) = ([a.min(b), a.max(b)], None);
    list.near(&mut |documents, similarity| {
        if documents == pair {
            found = Some(similarity);
        }
        Ok(())
    })?;
    Ok(found)
}
