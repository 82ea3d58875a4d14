//! Documents that are compared across labels: beside a plain decision over all pairs.

use crate::labels::{read, rows, source, write};
use nearprint_dedup::{
    ClusterRule, CriteriaSpec, DecisionSpec, InputSpec, JobSpec, KeepRule, LabelSpec, Memory,
    OutputSpec, Progress, Recall, Resources, Summary,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The documents of a corpus, and of a reference that it may be compared with.
struct Corpus {
    folder: tempfile::TempDir,
    rows: Vec<Value>,
}

impl Corpus {
    fn new(count: usize) -> Self {
        let (folder, rows) = (tempfile::tempdir().unwrap(), rows(count));
        Self { folder, rows }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A job over the rows from `reference` on, beside those before.
    fn job(&self, reference: usize, criteria: CriteriaSpec, labels: LabelSpec) -> JobSpec {
        let all: Vec<&Value> = self.rows.iter().collect();
        write(&self.path("in.jsonl"), &all[reference..]);
        write(&self.path("old.jsonl"), &all[..reference]);
        let named = |name: &str| vec![self.path(name).display().to_string()];
        let against = if reference > 0 { named("old.jsonl") } else { Vec::new() };
        let input = InputSpec { inputs: named("in.jsonl"), against, ..InputSpec::default() };
        JobSpec { input, criteria, labels, ..JobSpec::default() }
    }

    fn run(&self, job: &JobSpec, outputs: OutputSpec, memory: Memory) -> Summary {
        let job = JobSpec { outputs, ..job.clone() };
        let with = Resources { memory, force: true, threads: Some(2), ..Resources::default() };
        let progress = Progress::default();
        job.open(&with, &progress).unwrap().run(&progress).unwrap().summary
    }

    /// All pairs of a job, by the numbers of their documents.
    fn pairs(&self, job: &JobSpec) -> BTreeSet<(usize, usize)> {
        let outputs = OutputSpec { pairs: Some(self.path("pairs")), ..OutputSpec::default() };
        self.run(job, outputs, Memory::Frugal);
        let id = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        read(&self.path("pairs")).iter().map(|row| (id(&row["a"]), id(&row["b"]))).collect()
    }

    /// Which documents from `reference` on a plain decision removes: each because of one before it, in the order of the
    /// rule.
    fn removed(
        &self,
        pairs: &BTreeSet<(usize, usize)>,
        reference: usize,
        (rule, keep): (ClusterRule, KeepRule),
    ) -> BTreeSet<usize> {
        let count = self.rows.len();
        let mut near = vec![BTreeSet::new(); count];
        for (a, b) in pairs {
            near[*a].insert(*b);
            near[*b].insert(*a);
        }
        let length = |at: usize| self.rows[at]["text"].as_str().unwrap().len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|at| {
            let own = match keep {
                KeepRule::Central | KeepRule::Nothing if rule == ClusterRule::Star => {
                    usize::MAX - near[*at].len()
                }
                KeepRule::Longest => usize::MAX - length(*at),
                KeepRule::Last => count - at,
                _ => 0,
            };
            (*at >= reference, if *at >= reference { own } else { 0 }, *at)
        });
        let mut root: Vec<usize> = (0..count).collect();
        match rule {
            ClusterRule::Star => {
                for leader in order.iter().copied() {
                    if root[leader] == leader {
                        for other in near[leader].iter().copied() {
                            let is_free = root[other] == other && other >= reference;
                            let led = (0..count).any(|it| it != other && root[it] == other);
                            if is_free && !led {
                                root[other] = leader;
                            }
                        }
                    }
                }
            }
            ClusterRule::Connected => {
                let mut seen = vec![false; count];
                for first in order {
                    let mut waiting = vec![first];
                    while let Some(one) = waiting.pop() {
                        if !std::mem::replace(&mut seen[one], true) {
                            root[one] = first;
                            waiting.extend(near[one].iter().copied());
                        }
                    }
                }
            }
        }
        let goes = |at: &usize| {
            let led = (0..count).any(|it| it != *at && root[it] == *at);
            root[*at] != *at || keep == KeepRule::Nothing && led
        };
        (reference..count).filter(goes).collect()
    }
}

fn across() -> LabelSpec {
    LabelSpec { across: Some("meta.dump".to_owned()), ..LabelSpec::default() }
}

fn ids(path: &Path, member: &str) -> BTreeSet<usize> {
    let id = |row: &Value| usize::try_from(row[member].as_u64().unwrap()).unwrap();
    read(path).iter().map(id).collect()
}

#[test]
fn across_labels_is_what_a_plain_decision_over_pairs_of_different_labels_says() {
    let corpus = Corpus::new(700);
    let exact = |similarity| CriteriaSpec {
        similarity: Some(similarity),
        recall: Some(Recall::Exact),
        ..CriteriaSpec::default()
    };
    let bytes = CriteriaSpec { equal_bytes: true, ..CriteriaSpec::default() };
    let radius = CriteriaSpec { k: Some(3), ..CriteriaSpec::default() };
    let (star, connected) = (ClusterRule::Star, ClusterRule::Connected);
    let mut sizes = BTreeSet::new();
    for (criteria, reference, rule, keep, memory) in [
        (exact(0.8), 0, star, KeepRule::Central, Memory::Frugal),
        (exact(0.6), 0, star, KeepRule::First, Memory::Join(1 << 17)),
        (exact(0.9), 0, star, KeepRule::Longest, Memory::Frugal),
        (exact(0.7), 0, star, KeepRule::Last, Memory::Frugal),
        (exact(0.8), 0, star, KeepRule::Nothing, Memory::Frugal),
        (exact(0.8), 300, star, KeepRule::Central, Memory::Frugal),
        (exact(0.8), 0, connected, KeepRule::First, Memory::Frugal),
        (exact(0.9), 0, connected, KeepRule::Longest, Memory::Join(1 << 17)),
        (exact(0.9), 0, connected, KeepRule::Nothing, Memory::Frugal),
        (radius, 0, star, KeepRule::First, Memory::Frugal),
        (radius, 0, connected, KeepRule::First, Memory::Frugal),
        (bytes, 0, star, KeepRule::First, Memory::Frugal),
    ] {
        let criteria = CriteriaSpec { cluster_rule: rule, keep: Some(keep), ..criteria };
        let all = corpus.pairs(&corpus.job(reference, criteria, LabelSpec::default()));
        let labels: Vec<String> = corpus.rows.iter().map(source).collect();
        let differ: BTreeSet<_> =
            all.iter().copied().filter(|(a, b)| labels[*a] != labels[*b]).collect();
        assert!(differ.len() > 500 && all.len() > differ.len() + 100);
        let expected = corpus.removed(&differ, reference, (rule, keep));
        let job = corpus.job(reference, criteria, across());
        assert_eq!(corpus.pairs(&job), differ, "{criteria:?}");
        let outputs = OutputSpec {
            survivors: Some(corpus.path("out.jsonl")),
            removed: Some(corpus.path("removed")),
            ..OutputSpec::default()
        };
        let summary = corpus.run(&job, outputs, memory);
        let removed = ids(&corpus.path("removed"), "id");
        assert_eq!(removed, expected, "{reference} {criteria:?}");
        assert_eq!(summary.removed, removed.len() as u64);
        let out = ids(&corpus.path("out.jsonl"), "id");
        assert_eq!(out, (reference..700).filter(|at| !removed.contains(at)).collect());
        if rule == star && keep != KeepRule::Nothing {
            // Each goes because of a document of another label that is near it and stays.
            for row in read(&corpus.path("removed")) {
                let [id, kept] = ["id", "kept"].map(|name| row[name].as_u64().unwrap());
                let [id, kept] = [id, kept].map(|it| usize::try_from(it).unwrap());
                assert!(differ.contains(&(id.min(kept), id.max(kept))), "{row}");
                assert!(!removed.contains(&kept), "{row}");
            }
        }
        // Of equal texts as many are counted as go beside one of another label that stays or comes before them, or where none
        // stays beside any; and those that a row says to equal the one it names.
        let named = |row: &Value| {
            let near = row["kept"].as_u64().or_else(|| row["near"].as_u64());
            [row["id"].as_u64(), near].map(|id| usize::try_from(id.unwrap()).unwrap())
        };
        let named: Vec<[usize; 2]> = read(&corpus.path("removed")).iter().map(named).collect();
        let text = |at: usize| corpus.rows[at]["text"].as_str().unwrap();
        let content = |at: usize| {
            let words = text(at).split(|c: char| !c.is_alphanumeric());
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            if criteria.equal_bytes { text(at).to_owned() } else { words.join(" ").to_lowercase() }
        };
        let contents: Vec<String> = (0..700).map(content).collect();
        let rank = |at: usize| {
            let own = match keep {
                KeepRule::Longest => usize::MAX - text(at).len(),
                KeepRule::Last => 700 - at,
                _ => 0,
            };
            (at >= reference, if at >= reference { own } else { 0 }, at)
        };
        let is_exact = |at: &&usize| {
            let equal = |other: &usize| {
                contents[*other] == contents[**at] && labels[*other] != labels[**at]
            };
            let is_near = |[id, near]: &[usize; 2]| id == *at && contents[*near] == contents[*id];
            let is_compared = (0..700).filter(equal).any(|other| {
                keep == KeepRule::Nothing || rank(other) < rank(**at) || !removed.contains(&other)
            });
            is_compared || named.iter().any(is_near)
        };
        assert_eq!(summary.exact, removed.iter().filter(is_exact).count() as u64);
        assert!(summary.exact > 0);
        sizes.insert(removed.len());
    }
    assert!(sizes.len() > 6, "{sizes:?}");
}

#[test]
fn a_document_that_goes_is_an_exact_duplicate_of_an_equal_one_behind_it_that_stays() {
    let text = "the quick brown fox jumps over the lazy dog";
    let row = |(id, dump): (usize, &str)| serde_json::json!({"id": id, "text": text, "meta": {"dump": dump}});
    let rows = [(0, "a"), (1, "a"), (2, "b")].map(row).to_vec();
    let corpus = Corpus { rows, ..Corpus::new(0) };
    let (star, connected) = (ClusterRule::Star, ClusterRule::Connected);
    for (rule, keep, gone) in [
        (star, KeepRule::Central, 2),
        (star, KeepRule::First, 1),
        (star, KeepRule::Last, 2),
        (connected, KeepRule::First, 2),
        (connected, KeepRule::Longest, 2),
        (connected, KeepRule::Last, 2),
    ] {
        let criteria =
            CriteriaSpec { cluster_rule: rule, keep: Some(keep), ..CriteriaSpec::default() };
        let outputs = OutputSpec { survivors: Some(corpus.path("out")), ..OutputSpec::default() };
        let summary = corpus.run(&corpus.job(0, criteria, across()), outputs, Memory::Frugal);
        assert_eq!((summary.removed, summary.exact), (gone, gone), "{rule:?} {keep:?}");
    }
}

#[test]
fn within_one_field_and_across_another() {
    let corpus = Corpus::new(0);
    // Texts that are near each other, and not equal.
    let text = |id: usize| {
        let word = |at: usize| if at == 59 { format!("own{id}") } else { format!("word{at}") };
        (0..60).map(word).collect::<Vec<_>>().join(" ")
    };
    let row = |id: usize, language: &str, dump: &str| serde_json::json!({"id": id, "text": text(id), "language": language, "dump": dump});
    let rows = [
        row(0, "en", "a"),
        row(1, "en", "a"),
        row(2, "de", "b"),
        row(3, "en", "b"),
        row(4, "de", "b"),
    ];
    let corpus = Corpus { rows: rows.to_vec(), ..corpus };
    let labels = LabelSpec {
        within: Some("language".to_owned()),
        across: Some("dump".to_owned()),
        ..LabelSpec::default()
    };
    let job = corpus.job(0, CriteriaSpec::default(), labels.clone());
    assert_eq!(corpus.pairs(&job), BTreeSet::from([(0, 3), (1, 3)]));
    let outputs = |name| OutputSpec { removed: Some(corpus.path(name)), ..OutputSpec::default() };
    corpus.run(&job, outputs("removed"), Memory::Frugal);
    // The document in the middle is near both others, which are no pair, and stays in the place of both.
    assert_eq!(ids(&corpus.path("removed"), "id"), BTreeSet::from([0, 1]));
    let same = LabelSpec { across: labels.within.clone(), ..labels.clone() };
    let refused = corpus.job(0, CriteriaSpec::default(), same);
    let told = refused.open(&Resources::default(), &Progress::default()).err().unwrap();
    assert!(told.to_string().contains("name two fields"), "{told}");
    // The same decided again.
    let kept = corpus.path("in.decisions");
    let count_by = LabelSpec {
        within: Some("language".to_owned()),
        count_by: Some("dump".to_owned()),
        ..LabelSpec::default()
    };
    let job = corpus.job(0, CriteriaSpec::default(), count_by);
    let keeping =
        OutputSpec { decisions: Some(kept.clone()), copies: true, ..OutputSpec::default() };
    corpus.run(&job, keeping, Memory::Frugal);
    let decision =
        DecisionSpec { file: kept, labels, outputs: outputs("again"), ..DecisionSpec::default() };
    let progress = Progress::default();
    decision.open(&Resources::default(), &progress).unwrap().run(&progress).unwrap();
    assert_eq!(read(&corpus.path("again")), read(&corpus.path("removed")));
}

#[test]
fn what_has_no_meaning_across_labels_is_refused() {
    let corpus = Corpus::new(30);
    let path = || Some(corpus.path("x"));
    let job = corpus.job(0, CriteriaSpec::default(), across());
    let none = OutputSpec::default;
    for (outputs, said) in [
        (OutputSpec { pairs: path(), fold_equal: true, ..none() }, "list all pairs"),
        (OutputSpec { rejected: path(), ..none() }, "listed whatever their values"),
        (OutputSpec { audit: 3, summary: path(), ..none() }, "listed whatever their values"),
        (OutputSpec { segment: Some(corpus.path("x.seg")), ..none() }, "a segment keeps no fields"),
    ] {
        let job = JobSpec { outputs, ..job.clone() };
        let told = job.open(&Resources::default(), &Progress::default()).err().unwrap();
        assert!(told.to_string().contains(said), "{told}");
    }
}
