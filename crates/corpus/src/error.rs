//! What can go wrong between the disk and a document. Imports no sibling but `byte_size`, `error_parts` and `own_folder`.
//!
//! Every message names the file with its line or byte offset, what was expected and what was found. It
//! names no flag of the command, which says itself what helps. Input that contradicts its format (`Truncated`, `Corrupt`, `Json`, ...) is never
//! reported as a failure of the disk (`Read`, `Write`).

use crate::byte_size::ByteSize;
use crate::error_parts::{Present, Quoted, Stated, Unwritten, remedy};
use crate::own_folder::OwnFolder;
use std::io;
use std::path::PathBuf;
use thiserror::Error as ThisError;

/// Any failure of this crate.
///
/// Variants with a `place` are about one record, and the reading can go on behind it. `place` is
/// `file:line` for rows and lines, file and offset for WARC, and the file for a text document.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The user named no input.
    #[error("no input given: name a file, a folder, a pattern or - for standard input")]
    NoInput,
    /// An input does not exist.
    #[error("no such file or folder: {path}")]
    InputMissing {
        /// The path as given.
        path: String,
    },
    /// A pattern matches nothing.
    #[error("no file matches the pattern {pattern}")]
    NoMatch {
        /// The pattern as given.
        pattern: String,
    },
    /// A pattern is malformed.
    #[error("{pattern} is neither a file nor a pattern: {detail}")]
    BadPattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        detail: String,
    },
    /// An input folder holds nothing to read.
    #[error("the folder {path} holds no file to read (hidden and binary files are left out)")]
    EmptyFolder {
        /// The folder as given.
        path: String,
    },
    /// An input folder holds files, or an input pattern matches some, and none has rows.
    #[error("{path} holds no file with rows; name JSONL, CSV, TSV, Parquet or Arrow files")]
    FolderWithoutRows {
        /// The folder or the pattern as given.
        path: String,
    },
    /// An input folder is one that nearprint made for itself.
    #[error("{path} is {what} that nearprint made, not documents; name the documents themselves")]
    OwnFolder {
        /// The folder as given.
        path: String,
        /// What it is.
        what: OwnFolder,
    },
    /// An input is not text.
    #[error("{path} is {kind}, not text{}", remedy(kind, path))]
    Binary {
        /// The file.
        path: String,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// A WACZ file holds no web archive that can be read.
    #[error("{path}: {detail}")]
    Wacz {
        /// The file.
        path: String,
        /// What it holds, and what to do.
        detail: String,
    },
    /// A text has four bytes a character.
    #[error("{path} is text in UTF-32, which is not read; convert it to UTF-8")]
    Utf32 {
        /// The file.
        path: String,
    },
    /// A file of a clone was not fetched.
    #[error("{path} is a pointer of Git LFS, and its content was not fetched; run git lfs pull")]
    Pointer {
        /// The file.
        path: String,
    },
    /// A file is not of the requested format.
    #[error("{path} is not in {data} format; name it by what it is")]
    OtherFormat {
        /// The file.
        path: String,
        /// What it should be.
        data: &'static str,
    },
    /// Two inputs are one file.
    #[error("{second} is the same file as {first}, and would be read twice; name it once")]
    SameInput {
        /// The first mention.
        first: String,
        /// The second mention.
        second: String,
    },
    /// An input is among the documents to compare with.
    #[error(
        "{input} is the same file as {against}, which the documents are compared with: each would be removed as its own \
         duplicate; leave it out of one of the two"
    )]
    SameReference {
        /// The input.
        input: String,
        /// The file to compare with.
        against: String,
    },
    /// More files were found than there is room for.
    #[error(
        "{files} files take {} of memory to list, and there is room for {}; read fewer of them",
        ByteSize(*needed).at_least(), ByteSize(*room)
    )]
    ManyFiles {
        /// All files that were found.
        files: u64,
        /// Bytes that their lists take.
        needed: u64,
        /// Bytes that they may take.
        room: u64,
    },
    /// Standard input is named twice.
    #[error("standard input (-) can be read only once: name it once")]
    StdinTwice,
    /// The name of an input format is unknown.
    #[error("unknown input format {found:?}: expected {expected}")]
    UnknownFormat {
        /// What was asked for.
        found: String,
        /// The names of all formats.
        expected: String,
    },

    /// The name of a character set is unknown.
    #[error(
        "unknown character set {found:?}: expected a label of the Encoding Standard, such as utf-16le or windows-1252"
    )]
    UnknownEncoding {
        /// What was asked for.
        found: String,
    },

    /// An address is malformed.
    #[error("{url}: {detail}")]
    BadUrl {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        detail: String,
    },
    /// An address where no object can be read or written.
    #[error(
        "{url}: this nearprint is built without object storage; build it with the feature objects, or copy the object to a file"
    )]
    WithoutObjects {
        /// The address as given.
        url: String,
    },
    /// An output names an object of a web server.
    #[error("{path}: http and https are read-only; write to a file, s3://, gs:// or az://")]
    OutputToWeb {
        /// The output.
        path: String,
    },

    /// The operating system failed to read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file or folder.
        path: String,
        /// The cause.
        source: io::Error,
    },
    /// A compressed file ends inside its data.
    #[error(
        "{path}: the {compression} data ends early, after {offset} decompressed bytes; is the file still being written? otherwise download or copy it again"
    )]
    Truncated {
        /// The file.
        path: String,
        /// gzip, zstd, bzip2, xz or Parquet.
        compression: &'static str,
        /// Bytes that could be decompressed.
        offset: u64,
    },
    /// A file of no byte has the name of a compressed one, which is never empty.
    #[error(
        "{path} is empty, not {compression} data; did its copy or download fail? otherwise remove it"
    )]
    Empty {
        /// The file.
        path: String,
        /// gzip, zstd, bzip2, xz or Parquet.
        compression: &'static str,
    },
    /// A file has the name of a compressed one, and is neither compressed nor text.
    #[error(
        "{path}: its name says {compression}, and it is {kind}: neither gzip, zstd, bzip2, xz or brotli, nor text; \
         is it another file, or was its beginning lost?"
    )]
    Misnamed {
        /// The file.
        path: String,
        /// What its name says.
        compression: &'static str,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// A compressed file contradicts its format.
    #[error(
        "{path}: the {compression} data is damaged after {offset} decompressed bytes ({detail}); download or copy the file again"
    )]
    Corrupt {
        /// The file.
        path: String,
        /// gzip, zstd, bzip2, xz or Parquet.
        compression: &'static str,
        /// Bytes that could be decompressed.
        offset: u64,
        /// What the decompressor found.
        detail: String,
    },
    /// A member or a frame of a compressed archive is damaged, and records behind it are read.
    #[error(
        "{path}: the {damaged} at byte {start} ({detail}): {bytes} compressed bytes are lost up to \
         the next record; download or copy the file again"
    )]
    Member {
        /// The file.
        path: String,
        /// What is damaged: a member of gzip, or a frame of zstd.
        damaged: &'static str,
        /// Where it begins, in the bytes on disk.
        start: u64,
        /// Bytes on disk up to the next one that begins with a record.
        bytes: u64,
        /// What the decompressor found.
        detail: String,
    },

    /// A compressed file is of a kind that is not read.
    #[error(
        "{path}: {compression} of this kind cannot be read ({detail}); write the file in another way"
    )]
    Unsupported {
        /// The file.
        path: String,
        /// gzip, zstd, bzip2, xz or Parquet.
        compression: &'static str,
        /// What the decompressor lacks.
        detail: String,
    },
    /// A file is encrypted.
    #[error(
        "{path}: the {data} file is encrypted ({detail}), and nearprint takes no keys; decrypt it first, such as by \
         pyarrow.parquet.read_table and write_table, and give the file that this writes"
    )]
    Encrypted {
        /// The file.
        path: String,
        /// What it is: Parquet.
        data: &'static str,
        /// What of it is encrypted.
        detail: String,
    },
    /// A file of columns is compressed as a whole, so that it cannot be read at any place.
    #[error(
        "{path} is a file of {data} that is compressed with {compression} as a whole; decompress it first, such as by \
         {command}, and give the {data} file"
    )]
    CompressedColumns {
        /// The file.
        path: String,
        /// What it is: Parquet or Arrow.
        data: &'static str,
        /// gzip, zstd, bzip2 or xz.
        compression: &'static str,
        /// The program that undoes it.
        command: &'static str,
    },
    /// A copy of a folder shall go where objects are.
    #[error("{path} holds objects already; name a place that holds none")]
    CopyTaken {
        /// The address.
        path: String,
    },
    /// An address holds no copy of a folder.
    #[error(
        "{path} holds no copy of a folder: copy.json is missing, which is written last; if the copy was interrupted, make it again in another place"
    )]
    NoCopy {
        /// The address.
        path: String,
    },
    /// A copy of a folder is not the one that was made.
    #[error("{path}: the copy is damaged: {what}; take another copy")]
    CopyDamaged {
        /// The address.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// A stream cannot be copied to the folder of temporary files, to be read twice.
    #[error("cannot copy {path} to a temporary file in {}: {source}", folder.display())]
    Spool {
        /// The stream.
        path: String,
        /// The folder.
        folder: PathBuf,
        /// The cause.
        source: io::Error,
    },

    /// A record exceeds the limit.
    #[error("{place}: the record is longer than {}", ByteSize(*.limit as u64))]
    TooLong {
        /// The record.
        place: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// A record is not UTF-8.
    #[error(
        "{place}: invalid UTF-8 at byte {offset} of the record (from 0); convert the file to UTF-8"
    )]
    Utf8 {
        /// The record.
        place: String,
        /// Offset of the first invalid byte in the record.
        offset: usize,
    },
    /// A text of a column is not UTF-8.
    #[error(
        "{place}: the column {field:?} has a text that is not UTF-8; write the column as UTF-8"
    )]
    ColumnUtf8 {
        /// The record.
        place: String,
        /// The column, or the field within one.
        field: String,
    },
    /// A text of a column that says the worth of a document is not UTF-8.
    #[error(
        "{place}: the column {field:?} of scores has a text that is not UTF-8; write the column as UTF-8"
    )]
    ScoreUtf8 {
        /// The record.
        place: String,
        /// The column, or the field within one.
        field: String,
    },
    /// The text escapes one half of a surrogate pair.
    #[error(
        "{place}: the field {field:?} escapes half of a surrogate pair (\\ud800 to \\udfff), which is not a character; write the whole pair"
    )]
    Surrogate {
        /// The record.
        place: String,
        /// The field of the text.
        field: String,
    },
    /// A row is not JSON.
    #[error("{place}, column {column}: broken JSON: {detail}{hint}")]
    Json {
        /// The record.
        place: String,
        /// Byte column from 1.
        column: usize,
        /// What the parser found.
        detail: String,
        /// What to do, or nothing.
        hint: &'static str,
    },
    /// A row is JSON, but not an object.
    #[error("{place}: expected a JSON object on every line, found {found}{hint}")]
    NotAnObject {
        /// The record.
        place: String,
        /// The JSON type found, with its article.
        found: &'static str,
        /// What to do, or nothing.
        hint: &'static str,
    },
    /// A row lacks the field of the text.
    #[error("{place}: the row has no field {field:?}; it has {present}")]
    TextMissing {
        /// The record.
        place: String,
        /// The field expected.
        field: String,
        /// The fields that are there.
        present: String,
    },
    /// A table without rows lacks the column of the text.
    #[error("{path}: the table has no row and no column {field:?}; its columns are {present}")]
    ColumnMissing {
        /// The file.
        path: String,
        /// The column expected.
        field: String,
        /// The columns that are there.
        present: String,
    },
    /// A table has one column, whose name contains a character that often separates fields.
    #[error(
        "{place}: the table has one column, whose name contains {delimiter:?}: another character separates its fields"
    )]
    OtherDelimiter {
        /// The row.
        place: String,
        /// The character.
        delimiter: char,
    },
    /// The text is not a string.
    #[error("{place}: the field {field:?} must be a string, found {found}")]
    TextType {
        /// The record.
        place: String,
        /// The field of the text.
        field: String,
        /// The JSON type found, with its article.
        found: &'static str,
    },
    /// A message has a part of a kind that nobody knows, with words in it.
    #[error("{place}: the field {field:?} has a part of the unknown kind {kind:?}")]
    PartKind {
        /// The record.
        place: String,
        /// The field of the text.
        field: String,
        /// The kind.
        kind: String,
    },
    /// A text is to be replaced that has no field or column of its own.
    #[error("{place}: this text cannot be replaced: {problem}")]
    TextPlace {
        /// The record.
        place: String,
        /// Why not.
        problem: &'static str,
    },
    /// The text is null.
    #[error("{place}: the field {field:?} is null")]
    TextNull {
        /// The record.
        place: String,
        /// The field of the text.
        field: String,
    },
    /// A row lacks the field of the features.
    #[error("{place}: the row has no field {field:?}; it has {present}")]
    FeaturesMissing {
        /// The record.
        place: String,
        /// The field expected.
        field: String,
        /// The fields that are there.
        present: String,
    },
    /// The features have another form.
    #[error(
        "{place}: the field {field:?} must be {{\"name\": weight, ...}} or [[name or dimension, weight], ...]: {found}"
    )]
    FeaturesType {
        /// The record.
        place: String,
        /// The field of the features.
        field: String,
        /// What was found.
        found: String,
    },
    /// A weight is not a finite number.
    #[error("{place}: feature {feature:?} has weight {found}; weights are finite numbers")]
    Weight {
        /// The record.
        place: String,
        /// The feature.
        feature: String,
        /// What was found.
        found: String,
    },
    /// A text file where features were expected.
    #[error(
        "{place}: a text file has no features; the recipe's weights = \"given\" takes rows of JSONL"
    )]
    NoFeatures {
        /// The file.
        place: String,
    },
    /// A text or a page where a row with fields was expected.
    #[error("{place}: expected a row with fields, as in JSONL, CSV, TSV, Parquet or Arrow")]
    NoRow {
        /// The record.
        place: String,
    },
    /// A segment where documents were expected.
    #[error(
        "{place}: a segment of an earlier run, which holds no texts: it can only be compared with"
    )]
    SegmentText {
        /// The segment and the line in it.
        place: String,
    },
    /// An HTML page where text was expected.
    #[error("{place}: an HTML page, and the recipe takes plain text")]
    HtmlAsText {
        /// The file.
        place: String,
    },
    /// A page in XML whose entities stand for too much.
    #[error(
        "{place}: the entities of the page stand for themselves, or for more than 1,000,000 bytes and five times the page, \
         as those of an attack do; leave the page out"
    )]
    EndlessEntities {
        /// The page.
        place: String,
    },
    /// A quote opens a field of a table and is not closed.
    #[error(
        "{place}: a field opens with a quote that the file does not close; close it, write a quote inside quotes twice, or say what the quotes of the table are"
    )]
    OpenQuote {
        /// The row.
        place: String,
    },
    /// Text follows a quote that closes a field of a table.
    #[error(
        "{place}: the row opens a quote, and text follows the one that closes it in line {line}; write a quote inside quotes twice, or say what the quotes of the table are"
    )]
    StrayQuote {
        /// The row.
        place: String,
        /// The line of the quote that closes, from 1.
        line: u64,
    },
    /// A quote opens a field of a table that seems to have no quotes, and another one much later closes it.
    #[error(
        "{place}: the row opens a quote that is closed in line {line}, and lines between have the fields of rows; write a quote inside quotes twice, or say what the quotes of the table are"
    )]
    Swallowed {
        /// The row.
        place: String,
        /// The line of the quote that closes, from 1.
        line: u64,
    },
    /// Two columns of a table have the name of one that is read.
    #[error("{place}: two columns have the name {field:?}; rename one of them")]
    ColumnTwice {
        /// The row.
        place: String,
        /// The name.
        field: String,
    },
    /// A row of a table has more or fewer fields than its header.
    #[error(
        "{place}: the row has {found} fields, and the header has {expected}; fix the row{}",
        Quoted(*.quoted)
    )]
    Ragged {
        /// The row.
        place: String,
        /// Columns of the header.
        expected: usize,
        /// Fields of the row.
        found: usize,
        /// Whether quotes have a meaning in the table.
        quoted: bool,
    },
    /// No WARC record begins where one is expected.
    #[error("{place}: expected a WARC record (WARC/1.0 or WARC/1.1), found something else")]
    WarcMissing {
        /// The place.
        place: String,
    },
    /// The head of a WARC record cannot be used.
    #[error("{place}: the header of the WARC record is invalid: {problem}")]
    WarcHead {
        /// The record.
        place: String,
        /// Which part of the head is missing or wrong.
        problem: &'static str,
    },
    /// A WARC record does not end where its head says.
    #[error(
        "{place}: Content-Length says {stated} bytes, but the record does not end there; the length is wrong, or the file is damaged"
    )]
    WarcLength {
        /// The record.
        place: String,
        /// What its head says.
        stated: u64,
    },
    /// The file ends inside a WARC record.
    #[error(
        "{place}: the file ends inside the record{}; is it still being written? otherwise its length is wrong or the file is cut off",
        Stated(*.stated)
    )]
    WarcCut {
        /// The record.
        place: String,
        /// The bytes that its head says, where that is whole.
        stated: Option<u64>,
    },
    /// No ARC record begins where one is expected.
    #[error(
        "{place}: expected an ARC record (a line of URL, IP address, date, type and length), found something else"
    )]
    ArcMissing {
        /// The place.
        place: String,
    },
    /// An ARC record does not end where its line says.
    #[error(
        "{place}: the line says {stated} bytes, but no record follows them; the length is wrong, or the file is damaged"
    )]
    ArcLength {
        /// The record.
        place: String,
        /// What its line says.
        stated: u64,
    },
    /// The file ends inside an ARC record.
    #[error(
        "{place}: the file ends inside the record, whose line says {stated} bytes; is it still being written? otherwise its length is wrong or the file is cut off"
    )]
    ArcCut {
        /// The record.
        place: String,
        /// What its line says.
        stated: u64,
    },
    /// A document has no id of its own, and needs one.
    #[error("{place}: the document has no id: no value in the field {field:?}{}", Present(.present))]
    IdMissing {
        /// The record.
        place: String,
        /// The field of the id.
        field: String,
        /// The fields that are there; none where it is no row.
        present: Option<String>,
    },
    /// The id is neither string nor number.
    #[error("{place}: the field {field:?} must be a string or a number, found {found}")]
    IdType {
        /// The record.
        place: String,
        /// The field of the id.
        field: String,
        /// The JSON type found, with its article.
        found: &'static str,
    },

    /// The field of the score holds something else.
    #[error(
        "{place}: the field {field:?} must be a number, true or false, a time, or a date such as 2024-12-31 \
         or 2024-12-31T23:59:59Z, found {found}"
    )]
    ScoreType {
        /// The record.
        place: String,
        /// The field of the score.
        field: String,
        /// What is there, from its beginning.
        found: String,
    },

    /// The field of the score holds a number that cannot be compared exactly.
    #[error(
        "{place}: the field {field:?} holds {found}, and numbers are compared to 35 digits, from 5e-324 to 1.7e308; round \
         it, or write inf"
    )]
    ScoreNumber {
        /// The record.
        place: String,
        /// The field of the score.
        field: String,
        /// What is there, from its beginning.
        found: String,
    },

    /// The field of a label holds a list or an object.
    #[error(
        "{place}: the field {field:?} must be a text, a number, true or false, found {found}: documents are grouped and \
         counted by one value"
    )]
    LabelType {
        /// The record.
        place: String,
        /// The field of the label.
        field: String,
        /// The JSON type found, with its article.
        found: &'static str,
    },

    /// A field that is kept as it is holds no object.
    #[error(
        "{place}: the field {field:?} must be an object of JSON, such as {{\"lang\":\"en\"}}, or be left out"
    )]
    ObjectType {
        /// The record.
        place: String,
        /// The field.
        field: String,
    },

    /// The operating system failed to write.
    #[error("cannot write {path}: {}", Unwritten(path, source))]
    Write {
        /// The output.
        path: String,
        /// The cause; its kind tells a broken pipe.
        source: io::Error,
    },
    /// An output exists.
    #[error("{path} exists")]
    OutputExists {
        /// The output.
        path: String,
    },
    /// A stream cannot be written in shards.
    #[error("{path} is a stream, which cannot be split; name a file")]
    ShardsOfStream {
        /// The output.
        path: String,
    },
    /// An output names a folder where a file is expected.
    #[error("{path} is a folder; name a file")]
    OutputIsFolder {
        /// The output.
        path: String,
    },
    /// An output folder names a file.
    #[error("{path} is not a folder")]
    OutputNotFolder {
        /// The output.
        path: String,
    },
    /// The folder of an output does not exist.
    #[error("cannot write {path}: its folder does not exist; create it first")]
    OutputFolderMissing {
        /// The output.
        path: String,
    },
    /// An output would overwrite an input.
    #[error("{path} is the input {input}; name another output")]
    OutputIsInput {
        /// The output.
        path: String,
        /// The input.
        input: String,
    },
    /// Records of different formats cannot go to one file.
    #[error(
        "{second} is {second_format} and {first} is {first_format}: one file holds one format; name a folder, such as kept/"
    )]
    OutputMixed {
        /// An input.
        first: String,
        /// Its format.
        first_format: String,
        /// Another input.
        second: String,
        /// Its format.
        second_format: String,
    },
    /// Tables of different columns cannot go to one file.
    #[error(
        "{second} has the columns {second_columns}, and {first} has {first_columns}: one file holds one table; name a folder, such as kept/"
    )]
    OutputColumns {
        /// An input.
        first: String,
        /// Its columns.
        first_columns: String,
        /// Another input.
        second: String,
        /// Its columns.
        second_columns: String,
    },
    /// The name of an output means another format than what is written.
    #[error(
        "{path}: its name says {told}, and what is kept of {input} is written as {format}; name a file that ends in .{ending}"
    )]
    OutputFormat {
        /// The output.
        path: String,
        /// What its name says.
        told: &'static str,
        /// An input.
        input: String,
        /// What is written: of columns as they are, or as rows of JSON.
        format: String,
        /// How files of it end.
        ending: Box<str>,
        /// Whether input and output are texts: lines of a text may stay such.
        is_text: bool,
    },
    /// Two outputs are one file.
    #[error("two outputs would be written to {path}; give each its own")]
    OutputTwice {
        /// The output.
        path: String,
    },
    /// An output is an input folder or lies inside one.
    #[error(
        "the output {path} lies inside the input folder {input}: the next run would read it as input; name a place outside"
    )]
    OutputInsideInput {
        /// The output.
        path: String,
        /// The input folder.
        input: String,
    },
}
