//! The search among texts in memory: the same stages as for files, without a file.

use crate::decide::fates::{Fate, Fates};
use crate::decide::matches::Matches;
use crate::decide::search::Search;
use crate::error::Error;
use crate::front::found::{Found, Removed};
use crate::front::text_labels::TextLabels;
use crate::job::clock::Clock;
use crate::memory::limits::Memory;
use crate::numbers::{DocumentNumber, RecordNumber, index};
use crate::progress::{Progress, Stage};
use crate::read::documents::{Documents, Wanted};
use crate::read::input::{FirstReading, Reference};
use crate::read::labels::Labels;
use crate::read::left_out::{LeftOut, Role, record_of, records_of};
use crate::read::not_read::NotRead;
use crate::read::pipeline;
use crate::read::search_input::SearchInput;
use crate::read::sketch::{OnError, Origin, Sketcher};
use crate::read::sketched_batch::SketchedBatch;
use crate::search::features::FeatureSource;
use crate::search::ranking::Ranking;
use crate::threads;
use crate::write::summary::{Figures, Rules, Settings, Summary};
use crate::write::survivors::Written;
use nearprint_corpus::Fields;
use nearprint_fingerprint::{FeatureList, Recipe, RecipeError, Weighting};
use nearprint_rules::{Check, Criteria, Match};
use std::ops::Range;
use std::path::Path;

/// Texts that one thread takes at a time.
const SHARE: usize = 64;

/// Texts, and what a search among them goes by.
pub(crate) struct Texts<'a, 't> {
    pub(crate) count: usize,
    /// The text at a position below `count`.
    pub(crate) text: &'a (dyn Fn(usize) -> &'t str + Sync),
    /// How many, the first ones, are there to be compared with.
    pub(crate) reference: usize,
    /// What the figures name: the fields that the keep rule goes by, and those of the texts and their labels.
    pub(crate) fields: &'a Fields,
    pub(crate) settings: Settings,
    pub(crate) origin: &'a Origin,
    pub(crate) criteria: Criteria,
    /// Whether equal texts stay folded in pairs.
    pub(crate) fold_equal: bool,
    /// What they are grouped by.
    pub(crate) labels: &'a TextLabels,
    pub(crate) memory: Memory,
    pub(crate) work_dir: &'a Path,
    pub(crate) threads: usize,
    pub(crate) progress: &'a Progress,
}

impl Texts<'_, '_> {
    /// Finds which of them stay; hands every pair to `pairs`, where that is there.
    pub(crate) fn search(
        &self,
        pairs: Option<&mut (dyn FnMut(Match<usize>) + Send)>,
    ) -> Result<Found, Error> {
        let Origin::Text { recipe, .. } = self.origin else { return Err(Error::NoText) };
        if recipe.weights == Weighting::Given {
            return Err(Error::NoText);
        }
        self.labels.check(self.count, self.fold_equal)?;
        self.memory.check(self.threads)?;
        threads::pool(self.threads)?.install(|| self.search_here(recipe, pairs))
    }

    /// The same on rayon's current pool.
    fn search_here(
        &self,
        recipe: &Recipe,
        pairs: Option<&mut (dyn FnMut(Match<usize>) + Send)>,
    ) -> Result<Found, Error> {
        let mut clock = Clock::start();
        let bytes = (0..self.count).map(|at| (self.text)(at).len() as u64).sum();
        let likeness = &self.criteria.likeness;
        let signed = pairs.is_some() || !recipe.is_told_by_keys();
        let mut search_input =
            SearchInput::new(likeness, signed, bytes, self.memory, self.work_dir);
        let mut documents = self.documents(&mut search_input)?;
        clock.fingerprinted();
        self.progress.enter(Stage::Join);
        let ranking = Ranking::of(&mut documents, self.criteria.keep)?;
        documents.contents = Vec::new();
        let features = TextFeatures { of: self, left_out: &documents.left_out };
        let search = Search {
            criteria: self.criteria,
            check: Check::new(self.criteria.likeness.verify(), recipe.weights),
            features: &features,
            audit: 0,
            rejects: false,
            memory: self.memory,
            work_dir: self.work_dir,
            progress: self.progress,
        };
        let position = |document| index(record_of(document, &documents.left_out).0);
        let (mut matches, found) =
            search.run(&documents, search_input, ranking, pairs.is_some())?;
        matches.sign_by(self.origin, &documents)?;
        let pairs = match found.zip(pairs) {
            Some((found, pairs)) => {
                Some(found.listed(self.fold_equal, &documents, &mut |pair| {
                    pairs(pair.map(position));
                    self.progress.check()
                })?)
            }
            None => None,
        };
        let reference = documents.reference.documents;
        let fates = Fates::new(matches.clusters(self.criteria.keep, reference), reference);
        clock.joined();
        let Sorted { kept, removed, near_stays, cluster_of, featureless } =
            self.sorted(&documents, &fates, &mut matches)?;
        let summary = Summary::of(Figures {
            documents: &documents,
            matches: &matches,
            fates: &fates,
            reference: self.reference_sources(),
            sources: &[],
            rules: Rules {
                passed_over: &NotRead::default(),
                criteria: self.criteria,
                fields: self.fields,
                threads: self.threads,
                recipe,
            },
            written: Written {
                kept: (kept.len() - self.reference.min(self.count)) as u64,
                ..Written::default()
            },
            pairs,
            seconds: clock.written(),
        });
        let summary = Summary { settings: self.settings.clone(), ..summary };
        Ok(Found { kept, removed, near_stays, cluster_of, featureless, summary })
    }

    /// How many sources, the first ones, are there to be compared with: all such texts are of one.
    fn reference_sources(&self) -> usize {
        usize::from(self.reference > 0)
    }

    /// The texts as documents.
    fn documents(&self, search_input: &mut SearchInput) -> Result<Documents, Error> {
        let task = search_input.task();
        self.progress.enter(Stage::Fingerprint);
        let Criteria { keep, featureless, .. } = self.criteria;
        let (within, across) = self.labels.places();
        let wanted = Wanted {
            keep,
            contents: true,
            featureless,
            reference: self.reference_sources(),
            within,
            across,
            ..Wanted::default()
        };
        let labels = self.labels.lists().map(|_| Labels::default()).collect();
        let new = Documents::new(self.origin.width());
        let mut documents = Documents { labels, within, across, ..new };
        let (mut first, mut bytes) = (0, 0);
        let packing = search_input.packer().map(|packer| (packer, featureless));
        let reference = self.reference.min(self.count);
        pipeline::ordered(
            shares(0..reference).chain(shares(reference..self.count)),
            |_| 0,
            self.threads,
            || self.sketcher().map(|it| it.with_task(&task).packing(packing.clone())),
            |sketcher, share| match sketcher {
                Ok(sketcher) => {
                    let is_reference = share.start < reference;
                    let source = if is_reference { 0 } else { self.reference_sources() };
                    let label =
                        |list: &[Option<String>], at: usize| list.get(at).cloned().flatten();
                    let of = |at: usize| self.labels.lists().map(move |list| label(list, at));
                    let labels = share.clone().flat_map(of).collect();
                    let texts = sketcher.texts(share.map(self.text));
                    Ok(SketchedBatch { source, labels, ..texts })
                }
                Err(error) => Err(error.clone().into()),
            },
            |sketch: Result<SketchedBatch, Error>| {
                let mut sketch = sketch?;
                documents.take(&mut sketch, first, wanted, search_input)?;
                let records = sketch.records.len() as u64;
                first += records;
                bytes += sketch.bytes;
                self.progress.advance(bytes, records);
                self.progress.check()
            },
        )?;
        Ok(documents)
    }

    /// What became of each text: which stay, which are removed, and the cluster of each.
    fn sorted(
        &self,
        documents: &Documents,
        fates: &Fates,
        matches: &mut Matches,
    ) -> Result<Sorted, Error> {
        let position = |document| index(record_of(document, &documents.left_out).0);
        let (mut kept, mut removed, mut featureless) = (Vec::new(), Vec::new(), Vec::new());
        let mut cluster_of = vec![None; self.count];
        let whole = FirstReading { reference: Reference::default(), ..documents.first_reading() };
        let mut roles = whole.roles();
        for (at, cluster_of) in cluster_of.iter_mut().enumerate() {
            let Role::Document(document) = roles.of(RecordNumber(at as u64)) else {
                kept.push(at);
                featureless.push(at);
                continue;
            };
            let fate = fates.of(document);
            *cluster_of = fate.cluster();
            let Fate::Goes { cluster, near, .. } = fate else {
                kept.push(at);
                continue;
            };
            let evidence = matches.evidence(document, near, documents)?;
            removed.push(Removed { position: at, near: position(near), cluster, evidence });
        }
        let near_stays = fates.near_stays();
        Ok(Sorted { kept, removed, near_stays, cluster_of, featureless })
    }

    /// A worker for one thread.
    fn sketcher(&self) -> Result<Sketcher, RecipeError> {
        Sketcher::new(self.origin, &Fields::default(), OnError::Fail)
    }
}

/// Runs of positions that one thread takes at a time.
fn shares(positions: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = positions.end;
    positions.step_by(SHARE).map(move |start| start..end.min(start + SHARE))
}

/// What became of texts, by position.
struct Sorted {
    kept: Vec<usize>,
    removed: Vec<Removed>,
    near_stays: bool,
    cluster_of: Vec<Option<u32>>,
    featureless: Vec<usize>,
}

/// The features of texts in memory.
struct TextFeatures<'a, 't> {
    of: &'a Texts<'a, 't>,
    left_out: &'a [LeftOut],
}

impl FeatureSource for TextFeatures<'_, '_> {
    fn features<M: Send>(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: impl Fn(&mut dyn Iterator<Item = FeatureList>) -> M + Sync,
        mut keep: impl FnMut(M) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let positions = records_of(documents, self.left_out);
        pipeline::ordered(
            positions.chunks(SHARE),
            |_| 0,
            self.of.threads,
            || self.of.sketcher(),
            |sketcher, share| {
                let sketcher = sketcher.as_mut().map_err(|error| error.clone())?;
                let list = |position: &RecordNumber| {
                    let at = index(position.0);
                    assert!(at < self.of.count, "a document is one of the texts");
                    sketcher.list_of_text((self.of.text)(at), weighs)
                };
                Ok((share.len() as u64, make(&mut share.iter().map(list))))
            },
            |made: Result<(u64, M), Error>| {
                let (texts, made) = made?;
                progress.advance(0, texts);
                keep(made)?;
                progress.check()
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::dedup::Dedup;
    use nearprint_fingerprint::Width;
    use nearprint_rules::ClusterRule;
    use nearprint_rules::KeepRule;
    use nearprint_rules::Recall;
    use nearprint_rules::Verify;
    use proptest::prelude::*;
    use std::fs;

    const KEEP: [KeepRule; 6] = [
        KeepRule::Central,
        KeepRule::First,
        KeepRule::Last,
        KeepRule::Longest,
        KeepRule::Shortest,
        KeepRule::Nothing,
    ];

    /// Texts near each other, equal ones, some without features and some that are short.
    fn corpus() -> impl Strategy<Value = Vec<String>> {
        let text = (0..6_u32, prop::collection::vec(0..40_u32, 0..4), 0..12_u32).prop_map(
            |(base, changed, kind)| match kind {
                0 => String::new(),
                1 => " ... ".to_owned(),
                2 => format!("w{base}"),
                3 => format!("W{base}, v{base}!"),
                _ => {
                    let word = |at: u32| match changed.contains(&at) {
                        true => format!("x{at}"),
                        false => format!("w{}", base * 1000 + at),
                    };
                    (0..40).map(word).collect::<Vec<_>>().join(" ")
                }
            },
        );
        prop::collection::vec(text, 0..60)
    }

    /// What the job over a file of these texts as rows decides: the positions that stay, and a row for
    /// every text that does not.
    fn of_files(job: &Dedup, texts: &[String]) -> (Vec<usize>, Vec<serde_json::Value>) {
        let room = tempfile::tempdir().unwrap();
        let [input, output, removed] =
            ["in.jsonl", "out.jsonl", "removed.jsonl"].map(|name| room.path().join(name));
        let row = |(id, text): (usize, &String)| {
            serde_json::json!({"id": id, "text": text}).to_string() + "\n"
        };
        fs::write(&input, texts.iter().enumerate().map(row).collect::<String>()).unwrap();
        let files = job.clone().files([input.display().to_string()]).removed(&removed);
        files.write(&output).unwrap();
        let rows = |path| -> Vec<serde_json::Value> {
            let text = fs::read_to_string(path).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let id = |row: &serde_json::Value| usize::try_from(row["id"].as_u64().unwrap()).unwrap();
        (rows(&output).iter().map(id).collect(), rows(&removed))
    }

    /// The same of the texts in memory.
    fn of_texts(
        job: &Dedup,
        texts: &[String],
        keep: KeepRule,
    ) -> (Vec<usize>, Vec<serde_json::Value>) {
        let found = job.texts(texts).unwrap();
        assert_eq!(found.kept().len() + found.removed().len(), texts.len());
        for (number, members) in found.clusters().enumerate() {
            let number = u32::try_from(number).unwrap();
            assert!(members.len() > 1 && found.cluster_of(members[0]) == Some(number));
        }
        let row = |removed: &Removed| {
            let Removed { position, near, cluster, evidence } = *removed;
            let alike = evidence.alike.unwrap();
            let similarity: f64 = format!("{:.4}", alike.similarity).parse().unwrap();
            let mut row = serde_json::json!({
                "id": position, "kept": near, "distance": evidence.distance, "similarity": similarity,
                "measure": alike.measure.name(), "cluster": cluster,
            });
            if keep == KeepRule::Nothing {
                row["near"] = row["kept"].take();
            }
            row
        };
        (found.kept().to_vec(), found.removed().iter().map(row).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(24)))]
        #[test]
        fn texts_fare_as_rows_of_a_file_do(
            texts in corpus(),
            connected in any::<bool>(),
            keep in prop::option::of(prop::sample::select(KEEP.to_vec())),
            kind in 0..7,
            threads in 1_usize..3,
        ) {
            let dedup = Dedup::new().threads(threads);
            let dedup = match kind {
                0 => dedup,
                1 => dedup.similarity(0.9).width(Width::W64),
                2 => dedup.k(3),
                3 => dedup.k(30).width(Width::W256),
                4 => dedup.similarity(0.5).recall(Recall::Exact),
                5 => dedup.verify(Verify::Containment(0.9)),
                _ => dedup.k(20).width(Width::W128).verify(Verify::Containment(0.9)),
            };
            let rule = if connected { ClusterRule::Connected } else { ClusterRule::Star };
            let keep = keep.filter(|keep| !(connected && *keep == KeepRule::Central));
            let dedup = match keep {
                Some(keep) => dedup.cluster_rule(rule).keep(keep),
                None => dedup.cluster_rule(rule),
            };
            let rule = dedup.criteria().unwrap().keep;
            prop_assert_eq!(of_texts(&dedup, &texts, rule), of_files(&dedup, &texts));
        }
    }

    #[test]
    fn a_check_is_searched_at_its_own_threshold() {
        let similar = Dedup::new().similarity(0.5);
        let checked = Dedup::new().verify(Verify::Jaccard(0.5));
        let both = similar.clone().verify(Verify::Jaccard(0.5));
        let found = [similar, checked, both].map(|dedup| dedup.criteria().unwrap().likeness);
        assert_eq!([found[1], found[2]], [found[0]; 2]);
    }

    #[test]
    fn what_texts_cannot_be_searched_by_is_refused() {
        let texts = ["one two three"];
        let refused = |dedup: Dedup| dedup.texts(&texts).unwrap_err();
        let central = Dedup::new().cluster_rule(ClusterRule::Connected).keep(KeepRule::Central);
        assert!(matches!(refused(central), Error::CentralOfConnected));
        for keep in [KeepRule::Highest, KeepRule::Lowest] {
            assert!(matches!(refused(Dedup::new().keep(keep)), Error::NoScore { .. }));
        }
        assert!(matches!(
            refused(Dedup::new().similarity(0.1)),
            Error::Rules(nearprint_rules::Error::Bands(_))
        ));
        let two = Dedup::new().similarity(0.9).verify(Verify::Jaccard(0.8));
        assert!(matches!(refused(two), Error::Thresholds { .. }));
        assert!(matches!(refused(Dedup::new().threads(0)), Error::Threads { .. }));
        assert!(matches!(
            refused(Dedup::new().k(129)),
            Error::Rules(nearprint_rules::Error::Radius(_))
        ));
        let progress = std::sync::Arc::new(Progress::default());
        progress.cancel();
        assert!(matches!(refused(Dedup::new().progress(progress)), Error::Interrupted));
        let none: [&str; 0] = [];
        let found = Dedup::new().texts(&none).unwrap();
        assert!(found.kept().is_empty() && found.clusters().len() == 0);
    }
}
