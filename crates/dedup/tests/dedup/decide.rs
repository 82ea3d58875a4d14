//! Decisions made again from the pairs that a job kept, beside jobs over the corpus with the same settings.

use nearprint_corpus::{Fields, Tie};
use nearprint_dedup::{
    ClusterRule, CriteriaSpec, DecisionSpec, Error, FingerprintSpec, InputSpec, JobSpec, KeepRule,
    LabelSpec, Memory, Met, OutputSpec, Progress, ReadingSpec, Recall, Resources, Summary, Target,
    Verify,
};
use nearprint_fingerprint::Width;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A number that looks random.
fn random(of: usize) -> usize {
    let mut word = (of as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    usize::try_from((word ^ word >> 29) >> 33).unwrap()
}

/// Groups of six texts with up to eight edits and more or fewer words behind, so that pairs have similarities from 0.3 to
/// 1; equal, empty and short texts; each with a label and a score, or without.
fn rows(count: usize) -> Vec<Value> {
    let text = |number: usize| {
        if number % 40 == 7 {
            return ["", "one two", "One; two!"][number / 40 % 3].to_owned();
        }
        let (group, edits) = (number / 6, random(number) % 9);
        let edited: Vec<usize> =
            (0..edits.max(1) - 1).map(|at| random(number * 31 + at) % 50).collect();
        let word = |at: usize| match edited.contains(&at) {
            true => format!("edit{}x{at}", number + at % 3),
            false => format!("g{group}w{at}"),
        };
        (0..50 + edits / 5 * (number % 4)).map(word).collect::<Vec<_>>().join(" ")
    };
    let row = |number: usize| {
        let mut row = json!({"id": format!("d{number}"), "text": text(number)});
        match random(number + 7) % 4 {
            0 => row["dump"] = json!("a"),
            1 | 2 => row["dump"] = json!("b"),
            _ => {}
        }
        if !number.is_multiple_of(9) {
            row["score"] = json!(random(number + 3) % 5);
        }
        if !number.is_multiple_of(7) {
            row["rank"] = json!(random(number + 11) % 4);
        }
        row
    };
    (0..count).map(row).collect()
}

struct Files {
    folder: tempfile::TempDir,
    corpus: PathBuf,
    kept: PathBuf,
}

impl Files {
    fn new(count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [corpus, kept] = ["in.jsonl", "in.decisions"].map(|name| folder.path().join(name));
        let rows = rows(count).iter().map(|row| format!("{row}\n")).collect::<String>();
        fs::write(&corpus, rows).unwrap();
        Self { folder, corpus, kept }
    }

    fn input(&self) -> InputSpec {
        InputSpec { inputs: vec![self.corpus.display().to_string()], ..InputSpec::default() }
    }

    /// What is written, each to a file of a folder of this name.
    fn outputs(&self, name: &str) -> OutputSpec {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| Some(folder.join(name));
        OutputSpec {
            survivors: path("out.jsonl"),
            removed: path("removed"),
            clusters: path("clusters"),
            kept: path("kept"),
            ..OutputSpec::default()
        }
    }

    /// A job over the corpus, which finds all pairs.
    fn job(&self, similarity: f64) -> JobSpec {
        let criteria = CriteriaSpec {
            similarity: Some(similarity),
            recall: Some(Recall::Exact),
            ..CriteriaSpec::default()
        };
        JobSpec { input: self.input(), criteria, ..JobSpec::default() }
    }

    /// The job that keeps its pairs, and what its outputs are then.
    fn keep(&self, job: &JobSpec) {
        let outputs = OutputSpec {
            decisions: Some(self.kept.clone()),
            copies: true,
            ..OutputSpec::default()
        };
        run(&JobSpec { outputs, ..job.clone() });
    }

    fn decision(&self, similarity: f64) -> DecisionSpec {
        DecisionSpec {
            file: self.kept.clone(),
            similarity: Some(similarity),
            input: self.input(),
            ..DecisionSpec::default()
        }
    }
}

fn with() -> Resources {
    Resources { threads: Some(2), force: true, ..Resources::default() }
}

fn run(job: &JobSpec) -> Summary {
    let progress = Progress::default();
    job.open(&with(), &progress).unwrap().run(&progress).unwrap().summary
}

fn decide(decision: &DecisionSpec, with: &Resources) -> Result<nearprint_dedup::Decision, Error> {
    let progress = Progress::default();
    decision.open(with, &progress)?.run(&progress)
}

/// All that was written, file by file.
fn written(outputs: &OutputSpec) -> Vec<String> {
    let OutputSpec { survivors, removed, clusters, kept, .. } = outputs;
    let paths = [survivors, removed, clusters, kept].into_iter().flatten();
    paths.map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// By one field, and by the least value of another where that is equal.
fn scored(field: &str, tie: &str) -> ReadingSpec {
    let ties = [Some(Tie { field: tie.to_owned(), is_least: true }), None, None];
    let fields = Fields { score: Some(field.to_owned()), ties, ..Fields::default() };
    ReadingSpec { fields, ..ReadingSpec::default() }
}

#[test]
fn a_decision_is_what_a_job_gives_byte_for_byte() {
    let files = Files::new(900);
    let dump = Some("dump".to_owned());
    let labels = LabelSpec { count_by: dump.clone(), ..LabelSpec::default() };
    // The file has the values of both fields, in whatever order they were asked for.
    files.keep(&JobSpec { labels, reading: scored("rank", "score"), ..files.job(0.45) });
    let (star, connected) = (ClusterRule::Star, ClusterRule::Connected);
    let mut sizes = Vec::new();
    for (at, (similarity, cluster_rule, keep, within, across)) in [
        (0.45, star, KeepRule::Central, None, None),
        (0.6, star, KeepRule::Central, None, None),
        (0.9, star, KeepRule::Central, None, None),
        (1.0, star, KeepRule::Central, None, None),
        (0.6, star, KeepRule::Central, dump.clone(), None),
        (0.7, star, KeepRule::Last, None, None),
        (0.7, star, KeepRule::Longest, dump.clone(), None),
        (0.7, star, KeepRule::Shortest, None, None),
        (0.5, star, KeepRule::Nothing, None, None),
        (0.7, star, KeepRule::Highest, None, None),
        (0.5, star, KeepRule::Lowest, dump.clone(), None),
        (0.45, connected, KeepRule::First, None, None),
        (0.6, connected, KeepRule::First, dump.clone(), None),
        (0.8, connected, KeepRule::Longest, None, None),
        (0.7, connected, KeepRule::Highest, dump.clone(), None),
        (0.6, connected, KeepRule::Nothing, None, None),
        (0.45, star, KeepRule::Central, None, dump.clone()),
        (0.6, star, KeepRule::Last, None, dump.clone()),
        (0.5, star, KeepRule::Nothing, None, dump.clone()),
        (0.8, star, KeepRule::Highest, None, dump.clone()),
        (0.6, connected, KeepRule::First, None, dump.clone()),
        (0.9, connected, KeepRule::Longest, None, dump),
    ]
    .into_iter()
    .enumerate()
    {
        let labels = LabelSpec { within, across, ..LabelSpec::default() };
        let mut job = JobSpec {
            labels: labels.clone(),
            reading: scored("score", "rank"),
            outputs: files.outputs("job"),
            ..files.job(similarity)
        };
        job.criteria.cluster_rule = cluster_rule;
        job.criteria.keep = Some(keep);
        let exact = run(&job).exact;
        let decision = DecisionSpec {
            cluster_rule: Some(cluster_rule),
            keep: Some(keep),
            score: Some("score".to_owned()),
            reading: scored("score", "rank"),
            labels,
            outputs: files.outputs("decision"),
            ..files.decision(similarity)
        };
        let in_any_memory = [Memory::Frugal, Memory::Join(1 << 20)];
        let resources = Resources { memory: in_any_memory[at % 2], ..with() };
        let decided = decide(&decision, &resources).unwrap();
        let (job, decision) = (written(&job.outputs), written(&decision.outputs));
        for (name, (one, other)) in
            ["survivors", "removed", "clusters", "kept"].iter().zip(job.iter().zip(&decision))
        {
            let first = one.lines().zip(other.lines()).find(|(one, other)| one != other);
            assert_eq!(first, None, "{name} of {similarity} {cluster_rule:?} {keep:?}");
            assert_eq!(one, other, "{name} of {similarity} {cluster_rule:?} {keep:?}");
        }
        sizes.push(job[1].lines().count());
        assert_eq!(decided.outcome.summary.removed, job[1].lines().count() as u64);
        assert_eq!(decided.outcome.summary.exact, exact);
    }
    // The settings are told apart by what they leave.
    let distinct: std::collections::BTreeSet<_> = sizes.iter().collect();
    assert!(distinct.len() > 10 && sizes.iter().all(|size| *size > 60), "{sizes:?}");
}

#[test]
fn what_is_not_asked_for_is_as_in_the_job() {
    let files = Files::new(500);
    let dump = Some("dump".to_owned());
    let (star, connected) = (ClusterRule::Star, ClusterRule::Connected);
    for (cluster_rule, keep, within, across) in [
        (star, None, None, None),
        (connected, None, None, None),
        (star, Some(KeepRule::Longest), dump.clone(), None),
        (star, Some(KeepRule::Highest), None, dump.clone()),
        (connected, Some(KeepRule::Lowest), None, None),
        (connected, Some(KeepRule::Last), dump.clone(), None),
        (star, None, None, dump),
    ] {
        let labels = LabelSpec { within, across, ..LabelSpec::default() };
        let reading = scored("score", "rank");
        let mut job = JobSpec { labels, reading, ..files.job(0.6) };
        (job.criteria.cluster_rule, job.criteria.keep) = (cluster_rule, keep);
        files.keep(&job);
        job.outputs = files.outputs("job");
        let of_job = run(&job);
        let outputs = files.outputs("decision");
        let decision = DecisionSpec { similarity: None, outputs, ..files.decision(0.6) };
        let decided = decide(&decision, &with()).unwrap().outcome.summary;
        let of = format!("{cluster_rule:?} {keep:?} {:?}", job.labels);
        assert_eq!(written(&job.outputs), written(&decision.outputs), "{of}");
        assert_eq!((&decided.keep, decided.removed), (&of_job.keep, of_job.removed), "{of}");
        // What is asked for holds, and the usual rule of clusters is that of those asked for.
        let asked = DecisionSpec {
            cluster_rule: Some(star),
            keep: Some(KeepRule::First),
            ..decision.clone()
        };
        assert_eq!(decide(&asked, &with()).unwrap().outcome.summary.keep, "first");
        if job.labels.across.is_some() {
            let labels = LabelSpec { within: job.labels.across.clone(), ..LabelSpec::default() };
            let asked = DecisionSpec { labels, ..decision.clone() };
            let settings = decide(&asked, &with()).unwrap().outcome.summary.settings;
            assert_eq!((settings.within, settings.across), (job.labels.across.clone(), None));
        }
        let other = if cluster_rule == star { connected } else { star };
        let asked = DecisionSpec { cluster_rule: Some(other), ..decision };
        let rule = decide(&asked, &with()).unwrap().outcome.summary.keep;
        let usual = KeepRule::of(other).name().to_owned();
        assert_eq!(rule, if keep.is_some() { decided.keep } else { usual }, "{of}");
    }
}

#[test]
fn a_job_within_labels_or_beside_a_reference_is_decided_again_as_it_was() {
    let files = Files::new(500);
    let reference = files.folder.path().join("reference.jsonl");
    let text = fs::read_to_string(&files.corpus).unwrap();
    let some: String = text.lines().skip(1).step_by(5).map(|line| format!("{line}\n")).collect();
    fs::write(&reference, some.replace("\"d", "\"r")).unwrap();
    let by = |verify, k, similarity| CriteriaSpec {
        verify: Some(verify),
        k,
        similarity,
        ..CriteriaSpec::default()
    };
    let labels = LabelSpec { within: Some("dump".to_owned()), ..LabelSpec::default() };
    let none = LabelSpec::default();
    let against = || vec![reference.display().to_string()];
    for (labels, against, criteria) in [
        (labels, Vec::new(), files.job(0.5).criteria),
        (none.clone(), against(), files.job(0.5).criteria),
        (none.clone(), against(), by(Verify::Jaccard(0.5), Some(48), None)),
        (none.clone(), against(), by(Verify::Cosine(0.62), None, Some(0.62))),
        // Found by an angle, where a job at a higher similarity finds pairs by bands.
        (none.clone(), against(), by(Verify::Cosine(0.5), None, Some(0.5))),
        (none, Vec::new(), by(Verify::WeightedJaccard(0.55), None, Some(0.55))),
    ] {
        let input = InputSpec { against, ..files.input() };
        let base = JobSpec { labels: labels.clone(), input, criteria, ..files.job(0.5) };
        // Distances are those of the file.
        let recipe = base.fingerprints.recipe.with_width(Width::W256);
        let fingerprints =
            FingerprintSpec { width: Some(Width::W256), recipe, ..FingerprintSpec::default() };
        let base = JobSpec { fingerprints, ..base };
        files.keep(&base);
        for (similarity, cluster_rule) in
            [(0.64, ClusterRule::Star), (0.8, ClusterRule::Star), (0.9, ClusterRule::Connected)]
        {
            let mut job = JobSpec { outputs: files.outputs("job"), ..base.clone() };
            job.criteria.verify = job.criteria.verify.map(|verify| match verify {
                Verify::Cosine(_) => Verify::Cosine(similarity),
                Verify::WeightedJaccard(_) => Verify::WeightedJaccard(similarity),
                _ => Verify::Jaccard(similarity),
            });
            if job.criteria.similarity.is_some() {
                job.criteria.similarity = Some(similarity);
            }
            job.criteria.cluster_rule = cluster_rule;
            run(&job);
            let outputs = files.outputs("decision");
            let cluster_rule = Some(cluster_rule);
            let decision = DecisionSpec { cluster_rule, outputs, ..files.decision(similarity) };
            decide(&decision, &with()).unwrap();
            let (job, mut decision) = (written(&job.outputs), written(&decision.outputs));
            // What no pair says of documents of a reference, fingerprints estimate.
            let rows = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let (of_job, of_decision) = (rows(&job[1]), rows(&decision[1]));
            let estimated = of_decision.iter().filter(|row| row.contains("estimated")).count();
            let differ =
                of_job.iter().zip(&of_decision).filter(|(one, other)| one != other).count();
            assert_eq!((of_job.len(), differ), (of_decision.len(), estimated));
            assert!(estimated == 0 || cluster_rule == Some(ClusterRule::Connected));
            decision[1].clone_from(&job[1]);
            assert_eq!(job, decision, "{similarity} {:?}", base.criteria);
        }
    }
}

#[test]
fn without_the_corpus_what_no_pair_says_is_estimated() {
    let files = Files::new(400);
    files.keep(&files.job(0.65));
    let outputs = |name| OutputSpec { survivors: None, ..files.outputs(name) };
    let connected = |name, input| DecisionSpec {
        cluster_rule: Some(ClusterRule::Connected),
        keep: Some(KeepRule::First),
        outputs: outputs(name),
        input,
        ..files.decision(0.7)
    };
    let beside = connected("beside", files.input());
    let alone = connected("alone", InputSpec::default());
    decide(&beside, &with()).unwrap();
    fs::rename(&files.corpus, files.folder.path().join("gone")).unwrap();
    decide(&alone, &with()).unwrap();
    let rows = |spec: &DecisionSpec| {
        let text = written(&spec.outputs).swap_remove(0);
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let (mut estimated, (beside, alone)) = (0, (rows(&beside), rows(&alone)));
    assert_eq!(beside.len(), alone.len());
    for (exact, row) in beside.iter().zip(&alone) {
        for member in ["id", "kept", "distance", "cluster"] {
            assert_eq!(exact[member], row[member]);
        }
        assert_eq!(exact["measure"], "jaccard");
        if row["measure"] == "estimated-cosine" {
            estimated += 1;
            // No pair of the file: less similar than that was kept.
            assert!(exact["similarity"].as_f64().unwrap() < 0.65, "{exact}");
        } else {
            assert_eq!(exact, row);
        }
    }
    assert!(estimated > 0 && estimated < beside.len() / 2, "{estimated} of {}", beside.len());
}

#[test]
fn a_sweep_tells_what_decisions_leave_and_a_target_is_met() {
    let files = Files::new(600);
    files.keep(&files.job(0.5));
    let progress = Progress::default();
    let asked: Vec<f64> =
        (0..11).map(|step| 0.5 + 0.05 * f64::from(step)).map(|one| one.min(1.0)).collect();
    let open = |spec: &DecisionSpec| spec.open(&with(), &progress).unwrap();
    let swept = open(&DecisionSpec { similarity: None, ..files.decision(0.5) });
    let swept = swept.sweep(&asked, &progress).unwrap();
    assert!(swept.is_sorted_by(|one, next| one.pairs > next.pairs || next.pairs == 0), "{swept:?}");
    for one in &swept {
        let outputs = files.outputs("decision");
        let decision = decide(&DecisionSpec { outputs, ..files.decision(one.similarity) }, &with());
        let summary = decision.unwrap().outcome.summary;
        let told = (one.kept, one.removed, one.exact, one.clusters, one.largest_cluster, one.pairs);
        let left = (
            summary.kept,
            summary.removed,
            summary.exact,
            summary.clusters,
            summary.largest_cluster,
            summary.compared,
        );
        assert_eq!(told, left, "{}", one.similarity);
        let text = fs::read_to_string(files.folder.path().join("decision/out.jsonl")).unwrap();
        let bytes = text.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            row["text"].as_str().unwrap().len() as u64
        });
        assert_eq!(one.bytes, bytes.sum::<u64>());
    }
    let (low, high) = (swept[0].kept, swept[10].kept);
    assert!(low + 50 < high);
    let target = |target| {
        let spec = DecisionSpec { target: Some(target), similarity: None, ..files.decision(0.5) };
        let found = decide(&spec, &with()).unwrap();
        (found.similarity, found.met.unwrap(), found.outcome.summary.kept)
    };
    let middle = low.midpoint(high);
    let (similarity, met, kept) = target(Target::Documents(middle));
    assert!(met == Met::Yes && kept <= middle && middle - kept < 10, "{kept} of {middle}");
    let next = decide(&files.decision(similarity + 0.0001), &with()).unwrap();
    assert!(next.outcome.summary.kept > middle);
    let bytes = swept[5].bytes;
    let (found, met, _) = target(Target::Bytes(bytes));
    assert!(met == Met::Yes && found >= swept[5].similarity, "{found}");
    let unmet = DecisionSpec {
        target: Some(Target::Documents(low - 1)),
        similarity: None,
        outputs: OutputSpec {
            removed: Some(files.folder.path().join("r")),
            ..OutputSpec::default()
        },
        ..files.decision(0.5)
    };
    let refused = decide(&unmet, &with()).unwrap_err().to_string();
    assert!(
        refused.starts_with(&format!("{} documents cannot be reached: ", low - 1)),
        "{refused}"
    );
    assert!(
        refused.contains(&format!("the similarity 0.5, which leaves {low} documents; nothing was"))
    );
    let unmet = DecisionSpec { outputs: OutputSpec::default(), ..unmet };
    let found = decide(&unmet, &with()).unwrap();
    assert_eq!((found.similarity, found.met), (0.5, Some(Met::MoreIsLeft)));
    assert_eq!(found.outcome.summary.kept, low);
    assert_eq!(target(Target::Share(1.0)), (1.0, Met::LessIsLeft, high));
    assert_eq!(target(Target::Documents(high)), (1.0, Met::Yes, high));
}

#[test]
fn files_that_do_not_tell_what_is_asked_for_are_refused() {
    let files = Files::new(120);
    files.keep(&files.job(0.5));
    let told = |spec: &DecisionSpec| match decide(spec, &with()) {
        Err(error) => error.to_string(),
        Ok(_) => "decided".to_owned(),
    };
    let asked = |change: &dyn Fn(&mut DecisionSpec)| {
        let mut spec = files.decision(0.6);
        change(&mut spec);
        told(&spec)
    };
    let named = |field: &str| Some(field.to_owned());
    for (said, expected) in [
        (
            asked(&|spec| spec.similarity = Some(0.49)),
            "the file has pairs from 0.5 on, not from 0.49",
        ),
        (asked(&|spec| spec.similarity = Some(1.5)), "1.5 is not a similarity from 0 to 1"),
        (asked(&|spec| spec.labels.within = named("dump")), "has no values of the field \"dump\""),
        (
            asked(&|spec| {
                (spec.keep, spec.score) = (Some(KeepRule::Highest), named("score"));
            }),
            "was made without a field to keep documents by, and score:max was asked for: run `nearprint dedup --keep-by",
        ),
        (
            asked(&|spec| {
                (spec.keep, spec.reading) = (Some(KeepRule::Highest), scored("rank", "score"));
            }),
            "was made without a field to keep documents by, and ",
        ),
        (
            asked(&|spec| {
                (spec.cluster_rule, spec.keep) =
                    (Some(ClusterRule::Connected), Some(KeepRule::Central));
            }),
            "only stars have a central document",
        ),
        (asked(&|spec| spec.outputs.pairs = Some("pairs".into())), "a decision lists no pairs"),
        (
            asked(&|spec| {
                (spec.outputs.survivors, spec.input) =
                    (Some("out.jsonl".into()), InputSpec::default());
            }),
            "survivors are written from the corpus",
        ),
        (asked(&|spec| spec.file = "nowhere".into()), "no such file or folder: nowhere"),
        (asked(&|spec| spec.file.clone_from(&files.corpus)), "not a file of decisions"),
        (
            asked(&|spec| spec.outputs.removed = Some(files.kept.clone())),
            "in.decisions; name another output",
        ),
    ] {
        assert!(said.contains(expected), "{said}");
    }
    let within =
        LabelSpec { within: named("dump"), count_by: named("score"), ..LabelSpec::default() };
    files.keep(&JobSpec { labels: within, ..files.job(0.5) });
    let both = asked(&|spec| spec.labels.across = named("dump"));
    assert!(both.contains("no two documents have the same value and different values"), "{both}");
    let other = asked(&|spec| spec.labels.within = named("score"));
    assert!(
        other.contains("was made with `--within dump`, ")
            && other.contains("`--within score` was asked for"),
        "{other}"
    );
    files.keep(&files.job(0.5));
    // Another corpus, or another state of it.
    let outputs = files.outputs("decision");
    let rows = fs::read_to_string(&files.corpus).unwrap();
    let other = rows.lines().skip(1).map(|row| format!("{row}\n")).collect::<String>();
    for other in [other, rows.replacen("w1 ", "x1 ", 1), rows.clone() + &rows] {
        fs::write(&files.corpus, other).unwrap();
        let said = told(&DecisionSpec { outputs: outputs.clone(), ..files.decision(0.6) });
        assert!(said.contains("its pairs come from another corpus"), "{said}");
    }
    // Whatever is asked for, and where nothing of it would be read.
    let rows_again = rows.replacen("w1 ", "x1 ", 1);
    fs::write(&files.corpus, &rows_again).unwrap();
    let lists = [
        OutputSpec::default(),
        OutputSpec { kept: outputs.kept.clone(), ..OutputSpec::default() },
        OutputSpec { removed: outputs.removed.clone(), ..OutputSpec::default() },
    ];
    for outputs in lists {
        let said = told(&DecisionSpec { outputs, ..files.decision(0.6) });
        assert!(said.contains("its pairs come from another corpus"), "{said}");
    }
    let progress = Progress::default();
    let swept = files.decision(0.6).open(&with(), &progress).unwrap().sweep(&[0.7], &progress);
    let said = swept.unwrap_err().to_string();
    assert!(said.contains("its pairs come from another corpus"), "{said}");
    let left = [&outputs.survivors, &outputs.removed, &outputs.kept].into_iter().flatten();
    assert!(left.into_iter().all(|path| !path.exists()));
    fs::write(&files.corpus, rows).unwrap();
    assert_eq!(
        told(&DecisionSpec { outputs: OutputSpec::default(), ..files.decision(0.6) }),
        "decided"
    );
}

#[test]
fn documents_that_memory_has_no_room_for_are_refused_before_they_are_read() {
    let files = Files::new(0);
    let row =
        |number: usize| format!("{{\"id\":{number},\"text\":\"one two {number} three four\"}}\n");
    fs::write(&files.corpus, (0..250_000).map(row).collect::<String>()).unwrap();
    let job = JobSpec { criteria: CriteriaSpec::default(), ..files.job(0.9) };
    files.keep(&job);
    let within = |bytes| {
        let memory = Memory::Process(bytes);
        let spec =
            DecisionSpec { similarity: None, input: InputSpec::default(), ..files.decision(0.9) };
        decide(&spec, &Resources { memory, threads: Some(1), ..with() })
    };
    let Err(Error::Memory { what, needed, .. }) = within(30_000_000) else { panic!("refused") };
    assert_eq!(what, "a corpus of 250000 documents");
    // Fingerprints, contents, lengths and ids.
    assert!((34_000_000..40_000_000).contains(&needed), "{needed}");
    let needed = usize::try_from(needed).unwrap();
    assert!(within(needed - 1).is_err());
    assert_eq!(within(needed).unwrap().outcome.summary.kept, 250_000);
}

#[test]
fn damage_is_told_wherever_it_is() {
    let files = Files::new(60);
    files.keep(&files.job(0.5));
    let whole = fs::read(&files.kept).unwrap();
    let told = |bytes: &[u8]| {
        fs::write(&files.kept, bytes).unwrap();
        match decide(&DecisionSpec { input: InputSpec::default(), ..files.decision(0.6) }, &with())
        {
            Err(error) => error.to_string(),
            Ok(_) => "decided".to_owned(),
        }
    };
    assert_eq!(told(&whole), "decided");
    for end in [0, 5, 21, 22, 30, whole.len() / 2, whole.len() - 1] {
        let said = told(&whole[..end]);
        let is_told =
            said.contains("cut short") || end < 20 && said.contains("not a file of decisions");
        assert!(is_told, "{end}: {said}");
    }
    for at in (22..whole.len()).step_by(whole.len() / 60) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        let said = told(&damaged);
        assert!(said.contains("damaged: "), "byte {at}: {said}");
    }
    let newer = [b"nearprint decisions 9\n", &whole[22..]].concat();
    assert!(told(&newer).contains("written by a release with another format"));
    assert!(told(&[&whole[..], b"more"].concat()).contains("followed by extra bytes"));
}

#[test]
fn a_job_that_compares_nothing_by_a_similarity_keeps_no_decisions() {
    let files = Files::new(20);
    for criteria in [
        CriteriaSpec { k: Some(3), ..CriteriaSpec::default() },
        CriteriaSpec { verify: Some(Verify::Containment(0.8)), ..CriteriaSpec::default() },
        CriteriaSpec { equal_bytes: true, ..CriteriaSpec::default() },
    ] {
        let outputs = OutputSpec { decisions: Some(files.kept.clone()), ..OutputSpec::default() };
        let job = JobSpec { criteria, outputs, input: files.input(), ..JobSpec::default() };
        let refused = job.open(&with(), &Progress::default()).err().unwrap();
        assert!(matches!(refused, Error::Undecidable { .. }), "{refused}");
        assert!(!Path::new(&files.kept).exists());
    }
}
