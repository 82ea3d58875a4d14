//! What a job found, for people to look at: what became of each source, how large clusters are, how
//! near their pairs, and what the largest of them say. Making a page of it is handled by the
//! command line.

use crate::decide::audit::Audit;
use crate::decide::clusters::Clusters;
use crate::decide::fates::{Fate, Fates};
use crate::decide::pair_histograms::PairHistograms;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::read::documents::Documents;
use crate::read::input::Input;
use crate::read::source_counts::SourceCounts;
use crate::write::excerpts::{self, Excerpt, Places};
use crate::write::summary::Summary;
use nearprint_corpus::{Output, Source};
use nearprint_fingerprint::AnyFingerprint;
use nearprint_rules::Evidence;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a job found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    /// The sources, those of the reference first.
    pub sources: Vec<SourceFate>,
    /// Clusters by their sizes: the number of each size, ascending.
    pub sizes: Vec<(u64, u64)>,
    /// The pairs that made the clusters.
    pub pairs: PairHistograms,
    /// The largest clusters, the largest first; of equal ones the first.
    pub largest: Vec<LargeCluster>,
    /// Pairs just above and just below the similarity, where they were asked for.
    pub audit: Option<Audit<Excerpt>>,
}

/// What a search found, as an overview takes it.
pub(crate) struct Found<'a> {
    pub(crate) fates: &'a Fates,
    pub(crate) pairs: PairHistograms,
    pub(crate) audit: Option<Audit<DocumentNumber>>,
}

/// Makes a page of the figures of a job and of what it found.
pub type Render = fn(&Summary, &Overview) -> Result<String, fmt::Error>;

/// Where an overview is written, and who makes text of it.
pub(crate) struct View {
    /// Where it is written.
    pub(crate) output: Output,
    /// What is written.
    pub(crate) render: Render,
}

/// What became of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFate {
    /// The source's name.
    pub name: String,
    /// Whether it is there to be compared with only; then nothing of it is kept or removed.
    pub reference: bool,
    /// Documents read.
    pub documents: u64,
    /// Bytes read, decompressed.
    pub bytes: u64,
    /// Documents written.
    pub kept: u64,
    /// Documents left out as near-duplicates.
    pub removed: u64,
    /// Records left out because of errors.
    pub skipped: u64,
}

/// A cluster with some of what is in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LargeCluster {
    /// Its number.
    pub number: u32,
    /// Its documents.
    pub size: u64,
    /// Its representative: the document that stays, if one does.
    pub representative: Excerpt,
    /// Of its other documents at most [`MEMBERS`](Self::MEMBERS), of different fingerprints: those
    /// farthest from the representative, and of them the first.
    pub members: Vec<Member>,
}

/// A document of a cluster beside its representative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    /// What it says.
    pub excerpt: Excerpt,
    /// How near it is to the representative.
    pub evidence: Evidence,
}

impl Overview {
    /// The most clusters that are shown.
    pub const CLUSTERS: usize = 50;

    /// What was found by a job that read `input` into `documents`; `evidence` tells how near a document
    /// is to the representative of its cluster.
    ///
    /// # Complexity
    /// A look at every document and one sequential reading at most, see [`excerpts::read`]. Memory: a
    /// few counters for each source and each size of clusters, and the excerpts.
    pub(crate) fn of(
        input: Input<'_>,
        documents: &Documents,
        found: Found<'_>,
        mut evidence: impl FnMut(DocumentNumber, DocumentNumber) -> Result<Evidence, Error>,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let Found { fates, pairs, audit } = found;
        let clusters = fates.clusters();
        let mut sizes = BTreeMap::new();
        clusters.sizes().iter().for_each(|size| *sizes.entry(*size).or_default() += 1);
        let chosen = chosen(documents, clusters);
        let shown =
            chosen.iter().flat_map(|one| std::iter::once(&one.representative).chain(&one.members));
        let audited = audit.iter().flat_map(Audit::documents);
        let shown: Vec<DocumentNumber> =
            shown.chain(audited).copied().collect::<BTreeSet<_>>().into_iter().collect();
        let (counts, left_out) = (&documents.sources, &documents.left_out);
        let places = Places { sources: input.sources, counts, left_out };
        let excerpts = excerpts::read(input.reading, places, &shown, progress)?;
        let excerpt =
            |document: &DocumentNumber| excerpts.get(document).cloned().unwrap_or_default();
        let mut largest = Vec::with_capacity(chosen.len());
        for Chosen { number, size, representative, members } in chosen {
            let mut known = Vec::with_capacity(members.len());
            for member in members {
                let evidence = evidence(member, representative)?;
                known.push(Member { excerpt: excerpt(&member), evidence });
            }
            let representative = excerpt(&representative);
            largest.push(LargeCluster { number, size, representative, members: known });
        }
        let sources = source_fates(input, documents, fates);
        let audit = audit.map(|audit| audit.of(excerpt));
        Ok(Self { sources, sizes: sizes.into_iter().collect(), pairs, largest, audit })
    }
}

impl LargeCluster {
    /// The most members that are shown.
    pub const MEMBERS: usize = 3;
}

/// A cluster to show, by its documents.
struct Chosen {
    number: u32,
    size: u64,
    representative: DocumentNumber,
    members: Vec<DocumentNumber>,
}

/// The largest clusters, and which of their members are shown.
fn chosen(documents: &Documents, clusters: &Clusters) -> Vec<Chosen> {
    let mut largest = BTreeSet::new();
    for (number, size) in (0_u32..).zip(clusters.sizes()) {
        largest.insert((Reverse(*size), number));
        if largest.len() > Overview::CLUSTERS {
            largest.pop_last();
        }
    }
    let mut farthest: BTreeMap<u32, (DocumentNumber, Vec<Far>)> =
        largest.iter().map(|(_, number)| (*number, Default::default())).collect();
    let codes = documents.fingerprints.codes();
    for document in clusters.documents() {
        let Some((number, representative)) = clusters.of(document) else { continue };
        let Some((shown, far)) = farthest.get_mut(&number) else { continue };
        *shown = representative;
        let fingerprint = codes.get(document.index());
        if document == representative || far.iter().any(|one| one.fingerprint == fingerprint) {
            continue;
        }
        let distance = documents.distance(representative, document);
        // Behind those that are as far: they came first.
        let at = far.partition_point(|one| one.distance >= distance);
        if at < LargeCluster::MEMBERS {
            far.insert(at, Far { distance, document, fingerprint });
            far.truncate(LargeCluster::MEMBERS);
        }
    }
    let chosen = largest.into_iter().map(|(Reverse(size), number)| {
        let (representative, far) = farthest.remove(&number).unwrap_or_default();
        let members = far.iter().map(|one| one.document).collect();
        Chosen { number, size, representative, members }
    });
    chosen.collect()
}

/// A document and how far it is from the representative of its cluster.
struct Far {
    distance: u32,
    document: DocumentNumber,
    fingerprint: Option<AnyFingerprint>,
}

/// What became of each source.
fn source_fates(input: Input<'_>, documents: &Documents, fates: &Fates) -> Vec<SourceFate> {
    let counts =
        documents.sources.iter().copied().chain(std::iter::repeat(SourceCounts::default()));
    let mut first = 0;
    let fate = |(at, (source, counts)): (usize, (&Source, SourceCounts))| {
        let end = first + counts.numbered;
        let (documents, reference) = (counts.records - counts.skipped, at < input.reference);
        let ours = (first..end).map(DocumentNumber);
        let goes = |document: &DocumentNumber| matches!(fates.of(*document), Fate::Goes { .. });
        let removed = ours.filter(goes).count() as u64;
        first = end;
        SourceFate {
            name: source.name().to_owned(),
            reference,
            documents,
            bytes: counts.bytes,
            kept: if reference { 0 } else { documents - removed },
            removed,
            skipped: counts.skipped,
        }
    };
    input.sources.iter().zip(counts).enumerate().map(fate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::RecordNumber;
    use crate::progress::Progress;
    use crate::read::input::Reference;
    use crate::read::left_out::LeftOut;
    use crate::read::reading::Reading;
    use crate::read::sketch::{OnError, Origin};
    use nearprint_corpus::{Fields, ReadOptions, discover};
    use nearprint_fingerprint::{Fingerprint, Measure, Width};

    /// Documents of these fingerprints in two files, the second begun by a record that is none.
    fn overview(codes: [u64; 7], roots: [u32; 7], reference: usize) -> Overview {
        let folder = tempfile::tempdir().unwrap();
        let texts = ["{\"text\":\"x\"}\n".repeat(2), "\n{broken\n".to_owned()];
        let rows = (2..7)
            .map(|at| format!("{{\"id\":\"d{at}\",\"text\":\"{}\"}}\n", "長".repeat(at * 1000)));
        let second = rows.fold(texts[1].clone(), |text, row| text + &row);
        let files = [("a.jsonl", &texts[0]), ("b.jsonl", &second)];
        let paths = files.map(|(name, text)| {
            std::fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name).display().to_string()
        });
        let sources = discover(&paths, None).unwrap();
        let recipe = nearprint_fingerprint::Recipe::named("text").unwrap();
        let (fields, options) = (Fields::default(), ReadOptions::default());
        let content = Origin::from(recipe);
        let reading = Reading {
            content,
            fields,
            on_error: OnError::Skip,
            fail_on_empty: false,
            options,
            threads: 1,
        };
        let counts = |records, numbered, skipped| SourceCounts {
            records,
            numbered,
            skipped,
            ..Default::default()
        };
        let documents = Documents {
            fingerprints: codes.map(Fingerprint::<1>::from).to_vec().into(),
            left_out: vec![LeftOut { record: RecordNumber(2), empty: false }],
            sources: vec![counts(2, 2, 0), counts(6, 5, 1)],
            reference: Reference { documents: 2 * reference as u64, ..Reference::default() },
            ..Documents::new(Width::W64)
        };
        let root = |document: DocumentNumber| DocumentNumber(roots[document.index()].into());
        let fates = Fates::new(Clusters::of_roots(root, 7), documents.reference.documents);
        let evidence = |document: DocumentNumber, kept: DocumentNumber| {
            let distance = documents.distance(document, kept);
            Ok(Evidence::measured(distance, 0.5, Measure::Jaccard))
        };
        let (pairs, progress) = (PairHistograms::default(), Progress::default());
        let input = Input { reading: &reading, sources: &sources, reference };
        let found = Found { fates: &fates, pairs, audit: None };
        Overview::of(input, &documents, found, evidence, &progress).unwrap()
    }

    #[test]
    fn the_farthest_members_of_different_fingerprints_are_shown() {
        let found = overview([0, 9, 0b1, 0b111, 0b11, 0b111, 0b1111], [0, 1, 0, 0, 0, 0, 0], 0);
        let [cluster] = found.largest.as_slice() else { panic!("{found:?}") };
        assert_eq!((cluster.number, cluster.size, found.sizes.as_slice()), (0, 6, &[(6, 1)][..]));
        assert!(
            cluster.representative.id.ends_with("a.jsonl:1\"")
                && cluster.representative.text == "x"
        );
        let shown: Vec<_> =
            cluster.members.iter().map(|m| (m.excerpt.id.as_str(), m.evidence.distance)).collect();
        assert_eq!(shown, [("\"d6\"", 4), ("\"d3\"", 3), ("\"d4\"", 2)]);
        let d3 = &cluster.members[1].excerpt;
        assert_eq!((d3.bytes, d3.text.len()), (9000, Excerpt::BYTES - Excerpt::BYTES % 3));
    }

    #[test]
    fn the_largest_cluster_comes_first_and_every_source_has_its_counts() {
        let found = overview([0, 0, 7, 7, 7, 1, 2], [0, 0, 2, 2, 2, 5, 6], 1);
        let sizes: Vec<_> = found.largest.iter().map(|one| (one.number, one.size)).collect();
        assert_eq!((sizes, found.sizes), (vec![(1, 3), (0, 2)], vec![(2, 1), (3, 1)]));
        let fates: Vec<_> = found
            .sources
            .iter()
            .map(|s| (s.reference, s.documents, s.kept, s.removed, s.skipped))
            .collect();
        assert_eq!(fates, [(true, 2, 0, 0, 0), (false, 5, 3, 2, 1)]);
    }
}
