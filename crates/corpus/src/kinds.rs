//! What sort of failure an error is, and what it may come of.

use crate::error::Error;
use nearprint_bits::ErrorKind;
use std::io;

impl Error {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoInput
            | Self::BadPattern { .. }
            | Self::SameInput { .. }
            | Self::SameReference { .. }
            | Self::OwnFolder { .. }
            | Self::StdinTwice
            | Self::UnknownFormat { .. }
            | Self::UnknownEncoding { .. }
            | Self::OtherFormat { .. }
            | Self::BadUrl { .. }
            | Self::WithoutObjects { .. }
            | Self::OutputToWeb { .. }
            | Self::CopyTaken { .. }
            | Self::OutputExists { .. }
            | Self::ShardsOfStream { .. }
            | Self::OutputIsFolder { .. }
            | Self::OutputNotFolder { .. }
            | Self::OutputFolderMissing { .. }
            | Self::OutputIsInput { .. }
            | Self::OutputMixed { .. }
            | Self::OutputColumns { .. }
            | Self::OutputFormat { .. }
            | Self::OutputTwice { .. }
            | Self::OutputInsideInput { .. } => ErrorKind::Usage,
            Self::InputMissing { .. }
            | Self::NoMatch { .. }
            | Self::EmptyFolder { .. }
            | Self::FolderWithoutRows { .. }
            | Self::Binary { .. }
            | Self::Utf32 { .. }
            | Self::Pointer { .. }
            | Self::Wacz { .. }
            | Self::Empty { .. }
            | Self::Misnamed { .. }
            | Self::Unsupported { .. }
            | Self::Encrypted { .. }
            | Self::CompressedColumns { .. }
            | Self::NoCopy { .. }
            | Self::TooLong { .. }
            | Self::Utf8 { .. }
            | Self::ColumnUtf8 { .. }
            | Self::ScoreUtf8 { .. }
            | Self::Surrogate { .. }
            | Self::Json { .. }
            | Self::NotAnObject { .. }
            | Self::TextMissing { .. }
            | Self::ColumnMissing { .. }
            | Self::OtherDelimiter { .. }
            | Self::TextType { .. }
            | Self::PartKind { .. }
            | Self::TextPlace { .. }
            | Self::TextNull { .. }
            | Self::FeaturesMissing { .. }
            | Self::FeaturesType { .. }
            | Self::Weight { .. }
            | Self::NoFeatures { .. }
            | Self::NoRow { .. }
            | Self::SegmentText { .. }
            | Self::HtmlAsText { .. }
            | Self::EndlessEntities { .. }
            | Self::OpenQuote { .. }
            | Self::StrayQuote { .. }
            | Self::Swallowed { .. }
            | Self::ColumnTwice { .. }
            | Self::Ragged { .. }
            | Self::WarcMissing { .. }
            | Self::WarcHead { .. }
            | Self::WarcLength { .. }
            | Self::WarcCut { .. }
            | Self::ArcMissing { .. }
            | Self::ArcLength { .. }
            | Self::ArcCut { .. }
            | Self::IdMissing { .. }
            | Self::IdType { .. }
            | Self::ObjectType { .. }
            | Self::LabelType { .. }
            | Self::ScoreNumber { .. }
            | Self::ScoreType { .. } => ErrorKind::Input,
            Self::Truncated { .. }
            | Self::Corrupt { .. }
            | Self::Member { .. }
            | Self::CopyDamaged { .. } => ErrorKind::Corrupt,
            Self::Read { .. } | Self::Spool { .. } | Self::Write { .. } => ErrorKind::Io,
            Self::ManyFiles { .. } => ErrorKind::Memory,
        }
    }

    /// Whether damage of compressed data would make a record look so: [`Source::damage`](crate::Source::damage)
    /// tells.
    pub fn may_be_damage(&self) -> bool {
        matches!(
            self,
            Self::Utf8 { .. }
                | Self::Surrogate { .. }
                | Self::Json { .. }
                | Self::NotAnObject { .. }
                | Self::OpenQuote { .. }
                | Self::StrayQuote { .. }
                | Self::Swallowed { .. }
                | Self::Ragged { .. }
                | Self::WarcMissing { .. }
                | Self::WarcHead { .. }
                | Self::WarcLength { .. }
                | Self::WarcCut { .. }
                | Self::ArcMissing { .. }
                | Self::ArcLength { .. }
                | Self::ArcCut { .. }
        )
    }

    /// Whether the reader of an output went away, which is no failure of this program.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
