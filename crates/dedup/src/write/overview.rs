//! What a job found, for people to look at: what became of each source, how large clusters are, how
//! near their pairs, what some clusters say, and which removals are in doubt. Making a page of it is
//! handled by the command line.

use crate::decide::audit::Audit;
use crate::decide::clusters::Clusters;
use crate::decide::fates::{Fate, Fates};
use crate::decide::pair_histograms::PairHistograms;
use crate::decide::removals::Removal;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::read::documents::Documents;
use crate::read::input::Input;
use crate::read::labels::Labels;
use crate::read::source_counts::SourceCounts;
use crate::write::doubtful::Doubtful;
use crate::write::shown::{ShownDocument, ShownDocuments};
use crate::write::summary::Summary;
use nearprint_corpus::{Output, Source};
use nearprint_fingerprint::{AnyFingerprint, mix64};
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
    pub largest: Vec<ShownCluster>,
    /// Some of the other clusters, drawn at random with the seed [`SEED`](Self::SEED), in the order of their first
    /// documents.
    pub sample: Vec<ShownCluster>,
    /// The removals with the least similarity, the least similar first: one of each cluster, and none of equal content.
    pub doubtful: Vec<DoubtfulRemoval>,
    /// Pairs just above and just below the similarity, where they were asked for.
    pub audit: Option<Audit<ShownDocument>>,
}

/// What a search found, as an overview takes it.
pub(crate) struct Found<'a> {
    pub(crate) fates: &'a Fates,
    pub(crate) pairs: PairHistograms,
    /// The most doubtful removals.
    pub(crate) doubtful: Vec<Removal>,
    pub(crate) audit: Option<Audit<DocumentNumber>>,
    /// The labels that are the sources, where a field is named.
    pub(crate) labels: Option<&'a Labels>,
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
pub struct ShownCluster {
    /// Its number.
    pub number: u32,
    /// Its documents.
    pub size: u64,
    /// Its representative: the document that stays, if one does.
    pub representative: ShownDocument,
    /// Of its documents that go at most [`MEMBERS`](Self::MEMBERS) beside the representative, of different
    /// fingerprints: those farthest from it, and of them the first.
    pub members: Vec<Member>,
}

/// A document of a cluster beside its representative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    /// What it says.
    pub document: ShownDocument,
    /// How near it is to the representative.
    pub evidence: Evidence,
}

/// A document that goes, and is little like the one because of which it goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DoubtfulRemoval {
    /// The document.
    pub document: ShownDocument,
    /// The one because of which it goes.
    pub near: ShownDocument,
    /// How near they are.
    pub evidence: Evidence,
    /// The documents of their cluster.
    pub size: u64,
}

impl Overview {
    /// The most large clusters that are shown.
    pub const CLUSTERS: usize = 20;
    /// The most other clusters that are drawn.
    pub const SAMPLE: usize = 20;
    /// What the draw begins with. A cluster is drawn by what its representative says, wherever that stands: in another
    /// order, or with documents behind, most of the same are drawn.
    pub const SEED: u64 = 1;
    /// The most doubtful removals that are shown.
    pub const DOUBTFUL: usize = Doubtful::MOST;

    /// What was found by a job that read `input` into `documents`; `evidence` tells how near a document
    /// is to the representative of its cluster.
    ///
    /// # Complexity
    /// A look at every document and one sequential reading at most, see [`ShownDocuments::read`]. Memory: a
    /// few counters for each source and each size of clusters, and the excerpts.
    pub(crate) fn of(
        input: Input<'_>,
        documents: &Documents,
        found: Found<'_>,
        mut evidence: impl FnMut(DocumentNumber, DocumentNumber) -> Result<Evidence, Error>,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let Found { fates, pairs, doubtful, audit, labels } = found;
        let clusters = fates.clusters();
        let mut sizes = BTreeMap::new();
        clusters.sizes().iter().for_each(|size| *sizes.entry(*size).or_default() += 1);
        let largest = largest(clusters);
        let sample = sample(clusters, &largest, |document| hash(documents, document));
        let mut chosen = chosen(documents, fates, [&largest[..], &sample].concat());
        let in_clusters = chosen
            .values()
            .flat_map(|one| std::iter::once(one.representative).chain(one.members()));
        let in_doubt = doubtful.iter().flat_map(|one| [one.document, one.near]);
        let audited = audit.iter().flat_map(Audit::documents).copied();
        let shown: BTreeSet<DocumentNumber> = in_clusters.chain(in_doubt).chain(audited).collect();
        let shown: Vec<_> = shown.into_iter().collect();
        let shown = ShownDocuments::read(input, documents, labels, &shown, progress)?;
        let mut cluster = |number: u32| {
            let one = chosen.remove(&number).unwrap_or_default();
            let mut members = Vec::with_capacity(one.far.len());
            for member in one.members() {
                let evidence = evidence(member, one.representative)?;
                members.push(Member { document: shown.of(member), evidence });
            }
            let representative = shown.of(one.representative);
            Ok(ShownCluster { number, size: clusters.size(number), representative, members })
        };
        let largest: Result<Vec<_>, Error> = largest.into_iter().map(&mut cluster).collect();
        let sample: Result<Vec<_>, Error> = sample.into_iter().map(&mut cluster).collect();
        let doubtful = doubtful.iter().map(|one| DoubtfulRemoval {
            document: shown.of(one.document),
            near: shown.of(one.near),
            evidence: one.evidence,
            size: clusters.size(one.cluster),
        });
        Ok(Self {
            sources: source_fates(input, documents, fates),
            sizes: sizes.into_iter().collect(),
            pairs,
            largest: largest?,
            sample: sample?,
            doubtful: doubtful.collect(),
            audit: audit.map(|audit| audit.of(|document| shown.of(*document))),
        })
    }
}

impl ShownCluster {
    /// The most members that are shown.
    pub const MEMBERS: usize = 3;
}

/// The numbers of the largest clusters, the largest first; of equal ones the first.
fn largest(clusters: &Clusters) -> Vec<u32> {
    let mut largest = BTreeSet::new();
    for (number, size) in (0_u32..).zip(clusters.sizes()) {
        largest.insert((Reverse(*size), number));
        if largest.len() > Overview::CLUSTERS {
            largest.pop_last();
        }
    }
    largest.into_iter().map(|(_, number)| number).collect()
}

/// The numbers of some clusters that are not among the `largest`, each drawn with the same probability by a `hash` of its
/// representative, ascending.
fn sample(clusters: &Clusters, largest: &[u32], hash: impl Fn(DocumentNumber) -> u64) -> Vec<u32> {
    let largest: BTreeSet<_> = largest.iter().collect();
    let mut drawn = BTreeSet::new();
    let others = (0_u32..).zip(clusters.representatives());
    for (number, representative) in others.filter(|(number, _)| !largest.contains(number)) {
        drawn.insert((hash(*representative), number));
        if drawn.len() > Overview::SAMPLE {
            drawn.pop_last();
        }
    }
    let numbers: BTreeSet<_> = drawn.into_iter().map(|(_, number)| number).collect();
    numbers.into_iter().collect()
}

/// A hash of what a document says, which its place in the input has no part in: of its content where that alone makes it
/// equal to others, of its sketch or of its fingerprint.
fn hash(documents: &Documents, document: DocumentNumber) -> u64 {
    let apart = documents.degenerate.binary_search_by_key(&document, |one| one.document);
    let content = apart.ok().and_then(|at| documents.degenerate.get(at)?.content);
    let fingerprint = documents.fingerprints.codes().get(document.index());
    let seed = mix64(Overview::SEED);
    let of_words = |words: &[u64]| words.iter().fold(seed, |hash, word| mix64(hash ^ word));
    match (content, documents.codes.get(document.index())) {
        (Some(content), _) => of_words(&[content]),
        (None, Some(code)) => of_words(code.words()),
        (None, None) => fingerprint.map_or(seed, |fingerprint| of_words(fingerprint.words())),
    }
}

/// What is shown of a cluster.
#[derive(Default)]
struct Chosen {
    representative: DocumentNumber,
    /// Documents that go, the farthest from the representative first.
    far: Vec<Far>,
}

/// A document and how far it is from the representative of its cluster.
struct Far {
    distance: u32,
    document: DocumentNumber,
    fingerprint: Option<AnyFingerprint>,
}

impl Chosen {
    fn members(&self) -> impl Iterator<Item = DocumentNumber> {
        self.far.iter().map(|one| one.document)
    }
}

/// Which documents are shown of the clusters of some numbers.
fn chosen(documents: &Documents, fates: &Fates, numbers: Vec<u32>) -> BTreeMap<u32, Chosen> {
    let mut chosen: BTreeMap<u32, Chosen> =
        numbers.into_iter().map(|number| (number, Chosen::default())).collect();
    let codes = documents.fingerprints.codes();
    for (document, fate) in fates.each() {
        let (Fate::Stays { cluster, representative } | Fate::Goes { cluster, representative, .. }) =
            fate
        else {
            continue;
        };
        let Some(Chosen { representative: shown, far }) = chosen.get_mut(&cluster) else {
            continue;
        };
        *shown = representative;
        let fingerprint = codes.get(document.index());
        let goes = matches!(fate, Fate::Goes { .. }) && document != representative;
        if !goes || far.iter().any(|one| one.fingerprint == fingerprint) {
            continue;
        }
        let distance = documents.distance(representative, document);
        // Behind those that are as far: they came first.
        let at = far.partition_point(|one| one.distance >= distance);
        if at < ShownCluster::MEMBERS {
            far.insert(at, Far { distance, document, fingerprint });
            far.truncate(ShownCluster::MEMBERS);
        }
    }
    chosen
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
    use crate::write::excerpts::Excerpt;
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
        let first = u32::try_from(documents.reference.documents).unwrap();
        let fates = Fates::new(Clusters::of_roots(root, 7, first), first.into());
        let evidence = |document: DocumentNumber, kept: DocumentNumber| {
            let distance = documents.distance(document, kept);
            Ok(Evidence::measured(distance, 0.5, Measure::Jaccard))
        };
        let (pairs, progress) = (PairHistograms::default(), Progress::default());
        let input = Input { reading: &reading, sources: &sources, reference };
        let doubtful = vec![Removal {
            document: DocumentNumber(1),
            near: DocumentNumber(0),
            cluster: 0,
            equal: false,
            evidence: Evidence::measured(2, 0.25, Measure::Jaccard),
        }];
        let found = Found { fates: &fates, pairs, doubtful, audit: None, labels: None };
        Overview::of(input, &documents, found, evidence, &progress).unwrap()
    }

    #[test]
    fn the_farthest_members_of_different_fingerprints_are_shown() {
        let found = overview([0, 9, 0b1, 0b111, 0b11, 0b111, 0b1111], [0, 1, 0, 0, 0, 0, 0], 0);
        let [cluster] = found.largest.as_slice() else { panic!("{found:?}") };
        assert_eq!((cluster.number, cluster.size, found.sizes.as_slice()), (0, 6, &[(6, 1)][..]));
        let first = &cluster.representative.excerpt;
        assert!(first.id.ends_with("a.jsonl:1\"") && first.text == "x");
        let id = |one: &Member| one.document.excerpt.id.clone();
        let shown: Vec<_> =
            cluster.members.iter().map(|one| (id(one), one.evidence.distance)).collect();
        assert_eq!(
            shown,
            [("d6", 4), ("d3", 3), ("d4", 2)].map(|(id, far)| (format!("{id:?}"), far))
        );
        let d3 = &cluster.members[1].document.excerpt;
        assert_eq!((d3.bytes, d3.text.len()), (9000, Excerpt::BYTES - Excerpt::BYTES % 3));
    }

    #[test]
    fn the_largest_cluster_comes_first_and_every_source_has_its_counts() {
        let found = overview([0, 0, 7, 7, 7, 1, 2], [0, 0, 2, 2, 2, 5, 6], 1);
        let sizes: Vec<_> = found.largest.iter().map(|one| (one.number, one.size)).collect();
        // Of the reference nothing goes, copies in it are no cluster, and equal fingerprints are shown once.
        assert_eq!((sizes, found.sizes), (vec![(0, 3)], vec![(3, 1)]));
        let shown: Vec<_> = found.largest.iter().map(|one| one.members.len()).collect();
        assert_eq!(shown, [1]);
        let fates: Vec<_> = found
            .sources
            .iter()
            .map(|s| (s.reference, s.documents, s.kept, s.removed, s.skipped))
            .collect();
        assert_eq!(fates, [(true, 2, 0, 0, 0), (false, 5, 3, 2, 1)]);
    }

    #[test]
    fn a_shown_document_names_its_file() {
        let found = overview([0, 9, 127, 9, 3, 7, 15], [0, 1, 0, 1, 0, 0, 0], 0);
        let is_of =
            |document: &ShownDocument, file| document.source.as_deref().unwrap().ends_with(file);
        let [first, second] = found.largest.as_slice() else { panic!("{found:?}") };
        for cluster in [first, second] {
            assert!(is_of(&cluster.representative, "a.jsonl"), "{cluster:?}");
            assert!(
                cluster.members.iter().all(|one| is_of(&one.document, "b.jsonl")),
                "{cluster:?}"
            );
        }
        let [doubtful] = found.doubtful.as_slice() else { panic!("{found:?}") };
        assert_eq!((doubtful.size, doubtful.evidence.similarity()), (first.size, Some(0.25)));
        assert!(is_of(&doubtful.document, "a.jsonl") && doubtful.near == first.representative);
    }

    #[test]
    fn other_clusters_are_drawn_from_the_whole_input() {
        let pairs = |count: u32| {
            let root = |document: DocumentNumber| DocumentNumber(document.0 & !1);
            Clusters::of_roots(root, 2 * count, 0)
        };
        let (few, many) = (pairs(1000), pairs(2000));
        let first = largest(&few);
        assert_eq!(first, (0..20).collect::<Vec<_>>());
        let by_place = |document: DocumentNumber| mix64(document.0);
        let sample = |clusters: &Clusters, largest: &[u32]| sample(clusters, largest, by_place);
        let [of_few, of_many] = [&few, &many].map(|clusters| sample(clusters, &first));
        assert_eq!((of_few.len(), of_many.len()), (Overview::SAMPLE, Overview::SAMPLE));
        assert!(of_few.is_sorted_by(|a, b| a < b) && of_few[0] >= 20, "{of_few:?}");
        // Clusters that come later take some places, and change nothing else.
        let still: Vec<_> = of_many.iter().filter(|number| **number < 1000).collect();
        assert!((1..20).contains(&still.len()), "{of_many:?}");
        assert!(still.iter().all(|number| of_few.contains(number)), "{of_few:?} {of_many:?}");
        assert!(sample(&pairs(20), &first).is_empty());
        assert_eq!(sample(&pairs(23), &first), [20, 21, 22]);
    }
}
