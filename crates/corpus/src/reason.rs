//! The kinds of failure by short names, to count by.

use crate::error::Error;
use crate::own_folder::OwnFolder;

impl Error {
    /// A short name of the kind of failure that stays the same between releases, to count by.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Error;
    ///
    /// assert_eq!(Error::StdinTwice.reason(), "stdin-twice");
    /// ```
    pub fn reason(&self) -> &'static str {
        match self {
            Self::NoInput => "no-input",
            Self::InputMissing { .. } => "input-missing",
            Self::NoMatch { .. } => "no-match",
            Self::BadPattern { .. } => "bad-pattern",
            Self::EmptyFolder { .. } => "empty-folder",
            Self::FolderWithoutRows { .. } => "folder-without-rows",
            Self::Binary { .. } => "binary",
            Self::Utf32 { .. } => "utf-32",
            Self::Wacz { .. } => "wacz",
            Self::OtherFormat { .. } => "other-format",
            Self::SameInput { .. } => "same-input",
            Self::SameReference { .. } => "same-reference",
            Self::OwnFolder { what: OwnFolder::Store, .. } => "store-as-input",
            Self::OwnFolder { .. } => "own-folder",
            Self::ManyFiles { .. } => "many-files",
            Self::StdinTwice => "stdin-twice",
            Self::UnknownFormat { .. } => "unknown-format",
            Self::BadUrl { .. } => "bad-url",
            Self::WithoutObjects { .. } => "without-objects",
            Self::OutputToWeb { .. } => "output-to-web",
            Self::Read { .. } => "read",
            Self::Truncated { .. } => "truncated",
            Self::Empty { .. } => "empty-file",
            Self::Misnamed { .. } => "misnamed",
            Self::Corrupt { .. } => "corrupt",
            Self::Member { .. } => "damaged-member",
            Self::Unsupported { .. } => "unsupported",
            Self::Encrypted { .. } => "encrypted",
            Self::CompressedColumns { .. } => "compressed-columns",
            Self::CopyTaken { .. } => "copy-taken",
            Self::NoCopy { .. } => "no-copy",
            Self::CopyDamaged { .. } => "copy-damaged",
            Self::Spool { .. } => "spool",
            Self::TooLong { .. } => "too-long",
            Self::Utf8 { .. } => "invalid-utf8",
            Self::ColumnUtf8 { .. } => "column-not-utf8",
            Self::Surrogate { .. } => "lone-surrogate",
            Self::Json { .. } => "invalid-json",
            Self::NotAnObject { .. } => "not-an-object",
            Self::TextMissing { .. } => "text-missing",
            Self::ColumnMissing { .. } => "column-missing",
            Self::OtherDelimiter { .. } => "other-delimiter",
            Self::TextNull { .. } => "text-null",
            Self::TextType { .. } => "text-not-a-string",
            Self::TextPlace { .. } => "text-without-place",
            Self::FeaturesMissing { .. } => "features-missing",
            Self::FeaturesType { .. } => "features-of-another-form",
            Self::Weight { .. } => "weight-not-a-finite-number",
            Self::NoFeatures { .. } => "no-features",
            Self::NoRow { .. } => "no-row",
            Self::SegmentText { .. } => "segment",
            Self::HtmlAsText { .. } => "html-as-text",
            Self::EndlessEntities { .. } => "endless-entities",
            Self::OpenQuote { .. } => "open-quote",
            Self::StrayQuote { .. } => "stray-quote",
            Self::Swallowed { .. } => "swallowed-rows",
            Self::UnknownEncoding { .. } => "unknown-encoding",
            Self::ColumnTwice { .. } => "column-twice",
            Self::Ragged { .. } => "ragged-row",
            Self::WarcMissing { .. } => "no-warc-record",
            Self::WarcHead { .. } => "warc-head",
            Self::WarcLength { .. } => "warc-length",
            Self::WarcCut { .. } => "warc-cut",
            Self::ArcMissing { .. } => "no-arc-record",
            Self::ArcLength { .. } => "arc-length",
            Self::ArcCut { .. } => "arc-cut",
            Self::IdMissing { .. } => "id-missing",
            Self::IdType { .. } => "id-not-a-string-or-number",
            Self::ObjectType { .. } => "not-an-object-field",
            Self::LabelType { .. } => "label-not-one-value",
            Self::ScoreNumber { .. } => "score-not-compared-exactly",
            Self::ScoreType { .. } => "score-not-a-number-or-date",
            Self::Write { .. } => "write",
            Self::OutputExists { .. } => "output-exists",
            Self::ShardsOfStream { .. } => "shards-of-stream",
            Self::OutputIsFolder { .. } => "output-is-folder",
            Self::OutputNotFolder { .. } => "output-not-folder",
            Self::OutputFolderMissing { .. } => "output-folder-missing",
            Self::OutputIsInput { .. } => "output-is-input",
            Self::OutputMixed { .. } => "output-mixed",
            Self::OutputColumns { .. } => "output-columns",
            Self::OutputFormat { .. } => "output-format",
            Self::OutputTwice { .. } => "output-twice",
            Self::OutputInsideInput { .. } => "output-inside-input",
        }
    }
}
