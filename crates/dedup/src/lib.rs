//! The batch job: documents to fingerprints, near-duplicate pairs, clusters, one representative of
//! each, survivors and reports.
//!
//! [`Dedup`] is the front door: it finds near-duplicates among texts in memory, or removes them from
//! files, with the defaults of `nearprint dedup`. It fills a [`JobSpec`], what is asked; this becomes a [`Job`] over
//! the files that are there, and a [`ReadyJob`] whose outputs are open. `nearprint pairs` and
//! `nearprint clusters` hold all fingerprints instead ([`Clusters`]), or join on disk ([`SpilledJoin`]).
//!
//! # Rooms
//!
//! Each imports those above it.
//!
//! | room | what it does |
//! |---|---|
//! | `numbers`, `exact_share`, `progress`, `error`, `threads` | document numbers and ranks; counters and the stop flag |
//! | `memory` | limits and the share of each stage; sorted lists and columns on disk |
//! | `read` | the first reading: records to fingerprints, in order |
//! | `search` | which pairs are compared, and whether they are near-duplicates |
//! | `decide` | clusters, representatives, and what becomes of each document |
//! | `write` | survivors, rows, summary, overview, segment |
//! | `job` | what is asked, the files that are there, the stages in a row, checkpoints, the forecast |
//! | `passages` | what repeats inside documents, cut out of them |
//! | `distributed` | the stages apart: units over files, functions over batches for an engine |
//! | `front` | the builder, texts in memory |
//!
//! # The stages of a job
//!
//! Each stage takes the value of the one before. Documents go by their number in the input
//! ([`DocumentNumber`]) in `read` and `write`, and by their rank in the order of preference in
//! `search` and `decide`.
//!
//! | stage | what happens | memory it adds |
//! |---|---|---|
//! | `Documents::read` | One thread reads batches, workers make fingerprints and sketches, results come in input order. | 8 to 32 bytes of fingerprint, 16 of content hash a document; ids where a report names them; sketches and hashes of ids are on disk (`Columns`, `RepeatedIds`); counts that tell rare features, half a byte each (`Rarity`) |
//! | `Ranking::of` | Documents are ranked by the keep rule. Documents of equal content stand behind the first of them. | 2 bytes a document while they are sorted, 8 an equal document |
//! | `Candidates` | Pairs meet in a band of their sketches (`BandJoin`), or share one of their rarest features, for which all documents are read again (`PrefixJoin`), or all within the radius are found (`SpilledJoin`). They wait sorted, on disk where memory has no room. | two thirds of the room for the join, a third for its pairs; up to 9 bytes a document where buckets are crowded |
//! | `Features::take` | The documents in candidates are read once more; their feature keys are kept, with an outline of each. | a quarter of the room |
//! | `Clustering` | Pairs are compared by their features; pairs that pass make stars or components. Crowded documents follow leaders of their component (`Following`). | a quarter of the room, half of it for leaders of one component; 4 bytes a document, 4 more where near-duplicates are counted |
//! | `FoldedPairs` | Where pairs are listed: they wait sorted on disk, with equal documents folded, and are unfolded while rows are written. Those of two crowded documents are joined by prefixes (`PrefixJoin`). | the same quarter |
//! | `Clusters::of_roots` | Clusters are numbered by their first documents; reports are written. | 4 bytes a document |
//! | `survivors::write` | A second reading writes what stays, and compares a checksum with the first. | a batch |
//!
//! The room is what [`Memory`] leaves once the corpus was read. Two parts can be replaced:
//! a `CandidateSearch` finds the pairs that are compared, and a `FeatureSource` says where features
//! come from (files that are read again, or texts in memory).
//!
//! The input decides everything that is written, and the order of threads nothing.

mod contamination;
mod decide;
mod distributed;
mod error;
mod exact_share;
mod front;
mod job;
mod memory;
mod numbers;
mod passages;
mod progress;
mod read;
mod search;
mod threads;
mod write;

pub use contamination::eval_file::EvalFile;
pub use contamination::fields::ItemFields;
pub use contamination::index_file::ItemIndex;
pub use contamination::items::repeated::RepeatedItems;
pub use contamination::job::{ItemsFound, ReadyContamination};
pub use contamination::overview::{ContaminationOverview, ShownFinding};
pub use contamination::rule::{ContaminationRule, Short, Verdict};
pub use contamination::self_test::{FormRecall, SelfTest};
pub use contamination::spec::{
    Action, ContaminationOutput, ContaminationPage, ContaminationSpec, NamedSet,
};
pub use contamination::summary::{ContaminationSeconds, ContaminationSummary, SetSummary};
pub use decide::audit::{Audit, AuditedPair, AuditedRange};
pub use decide::clusters::Clusters;
pub use decide::fates::Fate;
pub use decide::pair_histograms::PairHistograms;
pub use distributed::components::Components;
pub use distributed::contamination::shards::ContaminationShards;
pub use distributed::linker::Linker;
pub use distributed::passages::shards::PassagesShards;
pub use distributed::plan::Cuts;
pub use distributed::router::{Routed, Router};
pub use distributed::shards::{ComponentCounts, Shards, StepStatus};
pub use distributed::step::{Step, Task};
pub use error::{Error, Unannotated};
pub use exact_share::ExactShare;
pub use front::decontamination::Decontamination;
pub use front::dedup::Dedup;
pub use front::found::{Found, Removed};
pub use front::passages::Passages;
pub use front::text_labels::TextLabels;
pub use job::comparison::{ComparedDocument, Comparison};
pub use job::cut_parts::{CutParts, SplitSummary};
pub use job::decision::{Decision, DecisionSpec, ReadyDecision};
pub use job::forecast::{Forecast, join_seconds};
pub use job::form::OutputSize;
pub use job::leak::SplitLeak;
pub use job::named::{no_such_row, several_of_id};
pub use job::parts::{PartShare, PartSummary};
pub use job::ready::ReadyJob;
pub use job::resolved::Job;
pub use job::spec::{
    CriteriaSpec, FingerprintSpec, InputSpec, JobSpec, LabelSpec, OutputSpec, Page, ReadingSpec,
    Resources,
};
pub use job::split::{ReadySplit, SplitSpec};
pub use job::sweep::{Met, Swept, Target};
pub use job::temporary_folder::temporary_folder;
pub use memory::budget::Budget;
pub use memory::limits::Memory;
pub use nearprint_rules::{
    Alike, ClusterRule, Criteria, Evidence, Featureless, Finding, KeepRule, Likeness, Match,
    Recall, Verify,
};
pub use numbers::{DocumentNumber, RecordNumber};
pub use passages::counting::CorpusSize;
pub use passages::cut::CutRule;
pub use passages::forecast::PassagesForecast;
pub use passages::job::ReadyPassages;
pub use passages::offsets::Offsets;
pub use passages::overview::{CutDocument, PassagesOverview, RepeatedPassage, SourceCuts};
pub use passages::rule::PassageRule;
pub use passages::spec::{PassagesOutput, PassagesPage, PassagesSpec};
pub use passages::summary::{PassagesSeconds, PassagesSummary};
pub use passages::unit::PassageUnit;
pub use progress::{Progress, Stage};
pub use read::by_reason::ByReason;
pub use read::counts::Counts;
pub use read::documents::{Documents, LeftApart, Wanted};
pub use read::few_documents::{FewDocuments, FileList, FileShare, FileTally};
pub use read::fields_seen::FieldsSeen;
pub use read::ids::Ids;
pub use read::names::{FilePlaces, Name, Names};
pub use read::pages::Pages;
pub use read::reading::Reading;
pub use read::seen_record::SeenRecord;
pub use read::segment_row::holds_documents;
pub use read::sketch::{OnError, Origin, fields_for, text_of};
pub use read::sketched::{Sketched, State};
pub use read::sketched_batch::SketchedBatch;
pub use read::stored;
pub use read::ties::Ties;
pub use read::training::train;
pub use search::cross_join::{CrossJoin, Stream};
pub use search::folded_pairs::Listed;
pub use search::spilled_join::{Entries, SpilledJoin};
pub use write::by_source::{BySource, OtherSources, Share, SourceShare};
pub use write::counted::source_name;
pub use write::excerpts::Excerpt;
pub use write::outcome::Outcome;
pub use write::overview::{DoubtfulRemoval, Member, Overview, Render, ShownCluster, SourceFate};
pub use write::rehydrate::{CopiesFunction, Rehydrate};
pub use write::reports::{write_clusters, write_pairs, write_spilled_pairs};
pub use write::rows;
pub use write::shown::ShownDocument;
pub use write::summary::{Method, Settings, Summary};
pub use write::urls::Urls;
pub use write::warnings::{Warning, WarningExample};
