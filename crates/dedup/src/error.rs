//! What can go wrong in the batch job. Imports no room.

mod kind;
mod words;

use crate::exact_share::ExactShare;
use nearprint_corpus::ByteSize;
use nearprint_rules::Verify;
use std::path::PathBuf;
use thiserror::Error;
use words::{enough, few, room_for};

/// Why a job ended without its result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The corpus could not be read or the output not written.
    #[error(transparent)]
    Corpus(#[from] nearprint_corpus::Error),
    /// The recipe cannot be used.
    #[error(transparent)]
    Recipe(#[from] nearprint_fingerprint::RecipeError),
    /// A rule by which nothing can be found.
    #[error(transparent)]
    Rules(#[from] nearprint_rules::Error),
    /// The index cannot answer what was asked.
    #[error(transparent)]
    Index(nearprint_index::Error),
    /// The input was not the same when it was read for the second time.
    #[error(
        "the input changed while the job ran: its second reading differs from the first. Nothing \
         was written; run again when no other program writes to the input"
    )]
    InputChanged,
    /// A stored fingerprint cannot be read.
    #[error("{place}: {problem}")]
    StoredFingerprint {
        /// File and line or byte.
        place: String,
        /// What was expected and found.
        problem: String,
    },
    /// A file gave few documents or none, where that is an error.
    #[error("{file}: {}", few(*documents, *records, why.as_deref()))]
    FewDocuments {
        /// The file.
        file: String,
        /// Its records that might have been documents.
        records: u64,
        /// Those that are.
        documents: u64,
        /// What is wrong with the first that is none, and where it is.
        why: Option<String>,
    },
    /// More documents would go than may.
    #[error(
        "{removed} of {documents} documents would be removed ({}), and at most {} are allowed: nothing was written",
        ExactShare::above(*most, *removed, *documents), ExactShare::of(*most)
    )]
    TooManyRemoved {
        /// Documents that would go.
        removed: u64,
        /// All that might.
        documents: u64,
        /// The share of them that may go, of 1.
        most: f64,
    },
    /// Even the lowest similarity of a file of decisions leaves more than may stay: which, and how much.
    #[error("{0}")]
    TargetUnmet(String),
    /// No row has a value in a field that was named.
    #[error("no row{of} has a value in the field {field:?}; {present}")]
    FieldMissing {
        /// Of which rows, where not of all.
        of: &'static str,
        /// The field.
        field: String,
        /// What fields there are.
        present: String,
    },
    /// A field that documents are chosen by has dates, and values that are compared with none.
    #[error(
        "the field {field:?} is a date in {date}, and a number or a time in {number}: these have no order; write all as \
         dates, such as 2024-12-31 or 2024, or all as numbers"
    )]
    MixedScores {
        /// The field.
        field: String,
        /// The first row with a date.
        date: String,
        /// The first row with another value.
        number: String,
    },
    /// Only documents of equal bytes are compared, and a setting does not fit that.
    #[error("only documents of equal bytes are compared: leave out {what}")]
    BytesAlone {
        /// What does not go with it.
        what: &'static str,
    },
    /// A similarity and a check, each with another threshold.
    #[error(
        "similarity {similarity} and verify {verify} set two thresholds, of which only one can decide: give one of the two"
    )]
    Thresholds {
        /// The similarity asked for.
        similarity: f64,
        /// The check asked for.
        verify: Verify,
    },
    /// Stored fingerprints, or a recipe for features, were given to a job that writes texts.
    #[error("near-duplicates are removed from texts only, not from fingerprints or features")]
    NoText,
    /// The job was asked to end.
    #[error("interrupted: no output file was written")]
    Interrupted,
    /// Entries of documents in bands were requested, and pairs are found in another way.
    #[error(
        "near-duplicates of this kind are not found by bands: give a similarity, a recipe whose weights are \
         whole numbers, and no other check than that of the similarity"
    )]
    NoEntries,
    /// Bytes are not entries of the job.
    #[error(
        "{bytes} bytes are not entries of this job: they were made with another recipe, width or similarity, \
         with labels where the job has none or without where it has, or are cut short"
    )]
    Entries {
        /// How many bytes.
        bytes: usize,
    },
    /// More documents than one job numbers.
    #[error("{found} documents are more than the 4294967294 of one job; split the input")]
    TooManyDocuments {
        /// Documents read.
        found: u64,
    },
    /// More documents that links join than a job in shards joins.
    #[error(
        "{found} documents are near others, and a job in shards joins 4294967294; split the input"
    )]
    TooManyLinked {
        /// Documents in links.
        found: u64,
    },
    /// A file of raw words ends within a word.
    #[error(
        "{}: {bytes} bytes are not a whole number of {width}-bit fingerprints ({} bytes each); \
         is the file cut short, or of another width?",
        path.display(), width / 8
    )]
    RawLength {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
        /// Bits of a fingerprint.
        width: u32,
    },
    /// A file of ids has more or fewer lines than there are raw words.
    #[error(
        "{}: {ids} ids for {words} fingerprints: one line a fingerprint is expected; were both files \
         written together, and whole?", path.display()
    )]
    IdsCount {
        /// The file of ids.
        path: PathBuf,
        /// Its lines.
        ids: u64,
        /// The fingerprints.
        words: u64,
    },
    /// A line of a file of ids is not an id.
    #[error(
        "{place}: an id is expected on each line, as JSON: a string in quotes or a number, and not {found}"
    )]
    IdLine {
        /// The file and the line.
        place: String,
        /// How the line begins.
        found: String,
    },
    /// A file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A temporary file of a join could not be made, written or read.
    #[error(
        "{}: the join keeps what memory cannot hold in temporary files there: {source}; {}",
        dir.display(), room_for(source)
    )]
    Spill {
        /// The directory of temporary files.
        dir: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A folder that was named for temporary files cannot be used.
    #[error("{}: no folder for temporary files: {problem}; name another folder", folder.display())]
    TemporaryFolder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The memory of a job is too small for what it holds.
    #[error(
        "{what} takes more memory than the {} allowed; allow {} or more",
        ByteSize(*given), ByteSize(*needed).at_least()
    )]
    Memory {
        /// What is held.
        what: String,
        /// Bytes allowed.
        given: u64,
        /// Bytes that would do.
        needed: u64,
    },
    /// A record is longer than there is room for.
    #[error(
        "{place}: the record is longer than the {} that a run within {} of memory reads; allow {}",
        ByteSize(*limit), ByteSize(*given), enough(*needed)
    )]
    LongRecord {
        /// The record.
        place: String,
        /// Bytes of memory that would do.
        needed: u64,
        /// Bytes of the longest record that there is room for.
        limit: u64,
        /// Bytes allowed.
        given: u64,
    },
    /// A file to compare with is not a segment of an earlier run.
    #[error(
        "{name}: not a segment of an earlier run: {problem}. Give a segment that `dedup` wrote, or the \
         documents themselves"
    )]
    NoSegment {
        /// The file.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A row of a segment is not as it was written.
    #[error("{place}: damaged: {problem}. Build the segment again, or compare with its documents")]
    SegmentRow {
        /// The segment and the line in it.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// A segment to compare with keeps no weights, and documents are compared by them.
    #[error(
        "{name}: the segment has no weights of features, which {verify} needs. Build it again in a run with \
         the same measure, or use jaccard=X"
    )]
    NoWeights {
        /// The segment.
        name: String,
        /// The check of this run.
        verify: String,
    },
    /// A segment to compare with is of another recipe.
    #[error(
        "{name}: made by another recipe than this run's: {differences}. Run with the recipe and width of \
         the run that wrote it"
    )]
    OtherRecipe {
        /// The segment.
        name: String,
        /// How the recipes differ, the segment's first.
        differences: String,
    },
    /// What an earlier run left cannot be used, or nothing can be left for a later one.
    #[error("{}: {problem}", dir.display())]
    Checkpoint {
        /// The folder.
        dir: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The job that is to go on is not the one that was begun.
    #[error("the saved stages belong to another run: {what}")]
    OtherJob {
        /// What differs.
        what: String,
    },
    /// A job over a stream cannot go on: what was read of it is gone.
    #[error("{name} can be read only once: a run over it cannot be resumed")]
    NoResume {
        /// The source.
        name: String,
    },
    /// The central document of a cluster is to be kept, and clusters are connected.
    #[error(
        "only stars have a central document: in connected clusters not every pair is looked at; keep \
         the first, the last, the longest or the shortest document"
    )]
    CentralOfConnected,
    /// The central document is to be kept, and passages have none.
    #[error(
        "passages have no central document: keep those of the first, the last, the longest or the shortest document"
    )]
    CentralOfPassages,
    /// Windows that are too short or too long.
    #[error("a length of {length} {unit}s is not between {least} and {most}")]
    PassageLength {
        /// What was asked for.
        length: u32,
        /// What a window counts.
        unit: &'static str,
        /// The fewest.
        least: u32,
        /// The most.
        most: u32,
    },
    /// What a search for near-duplicate units cannot do.
    #[error("a similarity of passages {problem}")]
    NearPassages {
        /// What that is.
        problem: &'static str,
    },
    /// What a search for items of eval sets cannot do.
    #[error("{problem}")]
    Contamination {
        /// What that is.
        problem: String,
    },
    /// A row of an eval set, or all of it, has no item.
    #[error("{place}: {problem}")]
    EvalRow {
        /// The row or the file.
        place: String,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// No item of the eval sets has a word.
    #[error("{evals}: no question has a word that could be searched for{skipped}")]
    NoWords {
        /// Their files.
        evals: String,
        /// What could not be read of them, as the end of the message.
        skipped: String,
    },
    /// A file that should be an index of items and is none, or is damaged.
    #[error("{}: {problem}", path.display())]
    ItemIndex {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// An index of items that is of other eval sets or other settings than those of the job.
    #[error(
        "{}: {differs}. Delete the index to rebuild it, or name another file", path.display()
    )]
    OtherIndex {
        /// The file.
        path: PathBuf,
        /// What differs.
        differs: String,
    },
    /// Nothing can be cut out of a text that has several parts, or one length.
    #[error(
        "{place}: nothing can be cut out of this text: it is joined from several fields or parts, or its column holds more \
         than texts, as a group of columns does, or bytes of one length; name one field that holds a text"
    )]
    SeveralTexts {
        /// The record.
        place: String,
    },
    /// Documents whose text is made of markup.
    #[error(
        "{name}: passages cannot be cut out of a page or a record of an archive, which cannot be rebuilt from the \
         text. Extract the texts first"
    )]
    NoWayBack {
        /// The source.
        name: String,
    },
    /// The document with the highest or the lowest score is to be kept, and no field holds a score.
    #[error(
        "the document with the {rule} score is to be kept, but no field for the score is named: name it, or keep \
         another document"
    )]
    NoScore {
        /// The rule.
        rule: &'static str,
    },
    /// Labels and counts that make no sense together with something else.
    #[error("{what}")]
    Labels {
        /// What makes no sense.
        what: &'static str,
        /// The settings of the job that do not go together.
        settings: &'static [&'static str],
    },
    /// Parts of a corpus that make no sense.
    #[error("{problem}")]
    Parts {
        /// What is wrong with them.
        problem: String,
    },
    /// Survivors are to have notes, and their form has no place for them.
    #[error("{name} cannot be annotated: {problem}")]
    Unannotated {
        /// The source.
        name: String,
        /// Why not.
        problem: Unannotated,
    },
    /// The output is to be split by size, and is a folder with one file per input file.
    #[error(
        "{0} is a folder with one output file per input file; name one file, such as {1}", folder.display(),
        folder.join("part.jsonl").display()
    )]
    ShardedFolder {
        /// The output.
        folder: PathBuf,
    },
    /// A source that must be read more than once cannot be.
    #[error("{name} can be read only once; give files")]
    ReadOnce {
        /// The source.
        name: String,
    },
    /// The memory budget of a join is too small.
    #[error(
        "a memory budget of {} is too small for a join; allow at least {}",
        ByteSize(*given), ByteSize(*least).at_least()
    )]
    Budget {
        /// Bytes allowed.
        given: u64,
        /// Bytes that would do.
        least: u64,
    },
    /// A job in shards cannot be made, or cannot go on.
    #[error("{}: {problem}", path.display())]
    Shards {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// A file of a unit of a job in shards cannot be used.
    #[error("{}: {problem}. Delete the file and run {stage} again", path.display())]
    Unit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// The stage that writes it.
        stage: &'static str,
    },
    /// A stage of a job in shards that another one needs is not complete.
    #[error("{stage} is not complete: run it first. Units that are not done: {missing}")]
    Unready {
        /// The stage.
        stage: &'static str,
        /// How many of its units are not done, and which.
        missing: String,
    },
    /// Something that a job in shards cannot do.
    #[error(
        "a job in shards cannot do this: {what}; run the job on one machine, or do not ask for this"
    )]
    Undivided {
        /// What was asked for.
        what: &'static str,
    },
    /// An audit of a job that looks at no pairs just below a similarity.
    #[error(
        "pairs are drawn around a similarity, but this job compares none below one: set a similarity, and leave out \
         a recall of exact, a check by containment, and a radius without a check"
    )]
    NoAudit,
    /// A file that should have pairs for later decisions and has none, is damaged, or is of another corpus.
    #[error("{}: {problem}", path.display())]
    Decisions {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// A decision that pairs do not tell, or about a document that there is not.
    #[error("{problem}")]
    Undecidable {
        /// What was asked for, and what helps.
        problem: String,
    },
    /// A report for people could not be made of what was found.
    #[error("the report could not be rendered; nothing was written")]
    View,
    /// A stage does what it must not.
    #[error("a bug in nearprint: {problem}; please report it")]
    Bug {
        /// What it did.
        problem: String,
    },
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {message}")]
    Threads {
        /// The system's answer.
        message: String,
    },
}

/// Why survivors have no place for notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unannotated {
    /// Lines of text and records of archives.
    #[error("its documents have no fields")]
    NoFields,
    /// A text or a page that remains a file of its own.
    #[error("it is a document, not a row")]
    WholeFile,
    /// A table or a file of columns.
    #[error("its own columns have all names that a note may have, such as nearprint_cluster")]
    Taken,
}

impl From<nearprint_index::Error> for Error {
    fn from(error: nearprint_index::Error) -> Self {
        match error {
            nearprint_index::Error::Interrupted => Self::Interrupted,
            error => Self::Index(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_never_rounded_down() {
        let (given, needed) = (64_000_000, 67_108_864);
        let error = Error::Memory { what: "a run".to_owned(), given, needed };
        let expected = "a run takes more memory than the 64 MB allowed; allow 67.2 MB or more";
        assert_eq!(error.to_string(), expected);
        let error = Error::Budget { given: 1000, least: 64 << 10 };
        let expected = "a memory budget of 1 kB is too small for a join; allow at least 65.6 kB";
        assert_eq!(error.to_string(), expected);
    }
}
