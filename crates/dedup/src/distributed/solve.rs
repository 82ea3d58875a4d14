//! What becomes of the documents of a shard: the search of a whole corpus, over the components of the shard.

use crate::decide::fates::{Fate, Fates};
use crate::decide::search::Search;
use crate::distributed::codes::{content_of, fingerprint_of, state};
use crate::distributed::columns::{
    CONTENT, COUNTED, DISTANCE, FEATURES, FINGERPRINT, HEAD, ID, MEASURE, NEAR, NEAR_FILE, NEAR_ID,
    NEAR_RECORD, NUMBER, RECORD, REMOVED, REPRESENTATIVE, REPRESENTATIVE_FILE, REPRESENTATIVE_ID,
    REPRESENTATIVE_RECORD, SHARD, SIMILARITY, STATE,
};
use crate::distributed::label_columns::LabelColumns;
use crate::distributed::measure::number_of;
use crate::distributed::part::part;
use crate::distributed::schema::{ClusterCounts, SolvedCounts};
use crate::distributed::shard_job::ShardJob;
use crate::distributed::step::Step;
use crate::distributed::unit_file::{GROUP, UnitFile};
use crate::distributed::worths::Worths;
use crate::error::Error;
use crate::job::resolved::Job;
use crate::numbers::{DocumentNumber, entry};
use crate::progress::Progress;
use crate::read::documents::{Documents, Wanted};
use crate::read::ids::Ids;
use crate::read::labels::Labels;
use crate::read::names::Name;
use crate::read::search_input::SearchInput;
use crate::read::sketched::Sketched;
use crate::search::features::{FeatureSource, unpacked};
use crate::search::folded_pairs::Listed;
use crate::search::ranking::Ranking;
use crate::write::counting::Counting;
use crate::write::rows;
use nearprint_corpus::{Output, OutputOptions, Outputs, publish};
use nearprint_fingerprint::{AnyFingerprint, FeatureList, Flags};
use nearprint_rules::{Evidence, KeepRule, Match};
use rayon::prelude::*;

/// Documents whose features are read together.
const TOGETHER: usize = 1024;
/// Of these, for one thread at a time.
const OF_THREAD: usize = 32;
/// Row groups at most, but for those that are full: with fewer input files each has one.
const GROUPS: usize = 256;

/// The documents of a shard, in the order of their numbers.
struct Gathered<'a> {
    of: &'a ShardJob<'a>,
    shard: u64,
    /// The files that hold some, with the row groups that do.
    files: Vec<(usize, Vec<usize>)>,
    places: Vec<Place>,
}

/// Where a document of a shard is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Its number in the whole corpus.
    number: u64,
    /// The number of its file.
    file: u64,
    /// The number of its record there.
    record: u64,
}

/// Solves the shard of a number.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    of.write(Step::Solve, unit, |file| {
        let likeness = &of.job.criteria.likeness;
        let mut search_input = SearchInput::new(likeness, true, 0, of.job.memory, &of.job.work_dir);
        let (mut documents, gathered) = documents(of, unit, &mut search_input)?;
        let ranking = Ranking::of(&mut documents, of.job.criteria.keep)?;
        documents.contents = Vec::new();
        let search = Search {
            criteria: of.job.criteria,
            check: of.job.check()?,
            features: &gathered,
            audit: 0,
            rejects: false,
            memory: of.job.memory,
            work_dir: &of.job.work_dir,
            progress: of.progress,
        };
        let mut outputs = Outputs::new(&of.job.sources, OutputOptions { force: true });
        let of_all: ClusterCounts = of.open(Step::Cluster, 0)?.counts()?;
        let name = |document: DocumentNumber| {
            let Place { file, record, .. } = entry(&gathered.places, document.index());
            let place = (of_all.repeated_ids > 0).then(|| (of.name(file), record + 1));
            let of_reference = file < of.job.reference as u64;
            Name { of_reference, ..Name::of_packed(documents.ids.packed(document), place) }
        };
        let mut part =
            of.outputs.pairs.map(|folder| part(&mut outputs, folder, unit)).transpose()?;
        let (mut matches, pairs) = search.run(&documents, search_input, ranking, part.is_some())?;
        let listed = match pairs.zip(part.as_mut()) {
            Some((pairs, part)) => {
                pairs.listed(of.job.outputs.fold_equal, &documents, &mut |pair| {
                    let Match { a, b, evidence } = pair;
                    of.progress.check()?;
                    let row = rows::pair(&name(a), &name(b), evidence);
                    Ok(part.write_record(row.as_bytes())?)
                })?
            }
            None => Listed::default(),
        };
        let reference = documents.reference.documents;
        let fates = Fates::new(matches.clusters(of.job.criteria.keep, reference), reference);
        let clusters = fates.clusters();
        let counting =
            Counting::new(&fates, of.job.count_by.and_then(|at| documents.labels.get(at)));
        let mut heads: Vec<Option<u64>> = vec![None; clusters.len()];
        let is_told = of.outputs.removed.is_some() || of.job.outputs.annotate;
        let (mut rows, mut last_input) = (file.rows(), 0);
        for (document, fate) in fates.each() {
            of.progress.check()?;
            let (cluster, representative, near, goes) = match fate {
                Fate::Alone => continue,
                Fate::Stays { cluster, representative } => {
                    (cluster, representative, representative, false)
                }
                Fate::Goes { cluster, representative, near } => {
                    (cluster, representative, near, true)
                }
            };
            let place = |document: DocumentNumber| entry(&gathered.places, document.index());
            let Place { number, file: input, record } = place(document);
            if last_input != input && rows.len() >= documents.len().div_ceil(GROUPS) {
                file.put(&mut rows)?;
            }
            last_input = input;
            let evidence = match goes && is_told {
                true => matches.evidence(document, near, &documents)?,
                false => Evidence { distance: 0, alike: None },
            };
            let (similarity, measure) = evidence
                .alike
                .map_or((0, 0), |it| (it.similarity.to_bits(), number_of(it.measure)));
            let head =
                heads.get_mut(cluster as usize).map_or(0, |head| *head.get_or_insert(number));
            let (of_representative, of_near) = (place(representative), place(near));
            let id = |document| match of.named {
                true => documents.ids.packed(document),
                false => "".into(),
            };
            rows.note(number);
            rows.push(&NUMBER, number)?;
            rows.push(&RECORD, record)?;
            rows.push(&HEAD, head)?;
            rows.push(&REPRESENTATIVE, of_representative.number)?;
            rows.push(&REPRESENTATIVE_FILE, of_representative.file)?;
            rows.push(&REPRESENTATIVE_RECORD, of_representative.record)?;
            rows.push(&REMOVED, goes.into())?;
            rows.push(&NEAR, of_near.number)?;
            rows.push(&NEAR_FILE, of_near.file)?;
            rows.push(&NEAR_RECORD, of_near.record)?;
            rows.push(&DISTANCE, evidence.distance.into())?;
            rows.push(&SIMILARITY, similarity)?;
            rows.push(&MEASURE, measure)?;
            rows.push(&ID, &id(document))?;
            rows.push(&REPRESENTATIVE_ID, &id(representative))?;
            rows.push(&NEAR_ID, &id(near))?;
            if of.schema.counted {
                let counted = counting.counted(document);
                // Texts and numbers always have a JSON form.
                let counted = serde_json::to_string(&counted).unwrap_or_default();
                rows.push(&COUNTED, if goes { "" } else { &counted })?;
            }
            if rows.held_bytes() >= GROUP {
                file.put(&mut rows)?;
            }
        }
        file.put(&mut rows)?;
        publish(part.map(Output::finish).transpose()?)?;
        Ok(SolvedCounts {
            exact: matches.exact(&documents, clusters),
            candidates: matches.candidates,
            crowded: matches.crowded,
            cut_short: matches.cut_short,
            compared: matches.compared,
            pairs: listed.pairs,
            pairs_listed: listed.rows,
            clusters: clusters.len() as u64,
            largest_cluster: clusters.sizes().iter().copied().max().unwrap_or(0),
        })
    })
}

/// The documents of a shard, with what their search needs.
fn documents<'a>(
    of: &'a ShardJob<'a>,
    unit: usize,
    search_input: &mut SearchInput,
) -> Result<(Documents, Gathered<'a>), Error> {
    let ids = if of.named { Ids::listed() } else { Ids::Absent };
    let width = of.schema.width;
    let labels = vec![Labels::default(); of.schema.labels];
    let Job { within, across, .. } = *of.job;
    let new = Documents::new(width);
    let mut documents = Documents { ids, labels, within, across, ..new };
    let shard = unit as u64;
    let mut gathered = Gathered { of, shard, files: Vec::new(), places: Vec::new() };
    let has_worth = of.job.criteria.keep.worth(0, None).is_some();
    let wanted = Wanted { ids: of.named, keep: KeepRule::First, contents: true, ..of.wanted() };
    for input in 0..of.files() {
        let file = of.open(Step::Gather, input)?;
        let groups = file.groups_of(shard..shard + 1);
        for group in &groups {
            let codes = file.column(*group, &FINGERPRINT)?;
            let contents = file.column(*group, &CONTENT)?;
            let worths = Worths::of(&file, *group, of.schema)?;
            let ids = file.column(*group, &ID)?;
            let labels = LabelColumns::of(&file, *group, of.schema)?;
            let numbers = file.column(*group, &NUMBER)?;
            let records = file.column(*group, &RECORD)?;
            let states = file.column(*group, &STATE)?;
            let bands = of.schema.bands_column();
            let bands = bands.map(|bands| file.column(*group, &bands)).transpose()?;
            let none = AnyFingerprint::zero(width);
            let (mut sketches, mut are_documents) = (Vec::new(), Vec::new());
            for row in gathered.rows(&file, *group)? {
                let content_hash = content_of(contents.at(row));
                let outcome = Sketched {
                    state: state(states.at(row), content_hash),
                    flags: Flags::default(),
                    fingerprint: fingerprint_of(codes.at(row)).unwrap_or(none),
                    full: None,
                    few: false,
                    length: 0,
                    score: None,
                    content_hash,
                };
                let bands = bands.as_ref().map(|bands| bands.at(row));
                let record = gathered.places.len() as u64;
                let code = bands.and_then(|bands| search_input.code(bands));
                sketches.extend_from_slice(bands.unwrap_or_default());
                are_documents.push(outcome.is_compared(wanted.featureless));
                documents.push((record, &outcome, ids.at(row)), bands, code, wanted, search_input);
                let of_fields = documents.labels.iter_mut().zip(labels.at(row));
                of_fields.for_each(|(all, label)| all.push(label));
                if has_worth {
                    documents.worths.extend(worths.at(row));
                }
                gathered.places.push(Place {
                    number: numbers.at(row),
                    file: input as u64,
                    record: records.at(row),
                });
            }
            if let Some(packer) = search_input.packer() {
                let mut packed = packer.all(&sketches, &are_documents);
                packed.try_for_each(|packed| search_input.take(packed))?;
            }
        }
        if input < of.job.reference {
            documents.reference.documents = documents.len() as u64;
        }
        if !groups.is_empty() {
            gathered.files.push((input, groups));
        }
    }
    Ok((documents, gathered))
}

impl Gathered<'_> {
    /// The rows of the shard in a row group.
    fn rows(&self, file: &UnitFile, group: usize) -> Result<Vec<usize>, Error> {
        let shards = file.column(group, &SHARD)?;
        Ok((0..shards.len()).filter(|row| shards.at(*row) == self.shard).collect())
    }
}

impl FeatureSource for Gathered<'_> {
    fn features<T: Send>(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: impl Fn(&mut dyn Iterator<Item = FeatureList>) -> T + Sync,
        mut keep: impl FnMut(T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut coming, mut first) = (documents.iter().peekable(), 0);
        for (input, groups) in &self.files {
            let file = self.of.open(Step::Gather, *input)?;
            for group in groups {
                progress.check()?;
                let features = file.column(*group, &FEATURES)?;
                let rows = self.rows(&file, *group)?;
                let end = first + rows.len();
                let mut ours = Vec::new();
                while let Some(document) = coming.next_if(|document| document.index() < end) {
                    ours.push(entry(&rows, document.index() - first));
                }
                let list = |row: &usize| {
                    let (numbers, _) = features.at(*row).as_chunks::<8>();
                    let numbers = numbers.iter().map(|number| u64::from_le_bytes(*number));
                    unpacked(numbers.collect(), weighs)
                };
                for rows in ours.chunks(TOGETHER) {
                    let made =
                        rows.par_chunks(OF_THREAD).map(|rows| make(&mut rows.iter().map(list)));
                    made.collect::<Vec<T>>().into_iter().try_for_each(&mut keep)?;
                }
                first = end;
            }
        }
        Ok(())
    }
}
