//! What sort of failure an error is.

use crate::error::Error;
use nearprint_bits::ErrorKind;

impl Error {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Corpus(error) => error.kind(),
            Self::Recipe(error) => error.kind(),
            Self::Rules(error) => error.kind(),
            Self::Index(error) => error.kind(),
            Self::NoText
            | Self::BytesAlone { .. }
            | Self::Thresholds { .. }
            | Self::NoEntries
            | Self::OtherJob { .. }
            | Self::NoResume { .. }
            | Self::CentralOfConnected
            | Self::CentralOfPassages
            | Self::PassageLength { .. }
            | Self::NearPassages { .. }
            | Self::Contamination { .. }
            | Self::OtherIndex { .. }
            | Self::NoWayBack { .. }
            | Self::Labels { .. }
            | Self::Parts { .. }
            | Self::NoScore { .. }
            | Self::Unannotated { .. }
            | Self::ShardedFolder { .. }
            | Self::ReadOnce { .. }
            | Self::Shards { .. }
            | Self::Undivided { .. }
            | Self::NoAudit
            | Self::Undecidable { .. } => ErrorKind::Usage,
            Self::InputChanged
            | Self::StoredFingerprint { .. }
            | Self::FewDocuments { .. }
            | Self::TooManyRemoved { .. }
            | Self::FieldMissing { .. }
            | Self::MixedScores { .. }
            | Self::TargetUnmet(..)
            | Self::SeveralTexts { .. }
            | Self::EvalRow { .. }
            | Self::NoWords { .. }
            | Self::Entries { .. }
            | Self::TooManyDocuments { .. }
            | Self::TooManyLinked { .. }
            | Self::RawLength { .. }
            | Self::IdsCount { .. }
            | Self::IdLine { .. }
            | Self::NoSegment { .. }
            | Self::NoWeights { .. }
            | Self::OtherRecipe { .. } => ErrorKind::Input,
            Self::SegmentRow { .. }
            | Self::Checkpoint { .. }
            | Self::Unit { .. }
            | Self::Decisions { .. }
            | Self::ItemIndex { .. } => ErrorKind::Corrupt,
            Self::Io { .. }
            | Self::Spill { .. }
            | Self::TemporaryFolder { .. }
            | Self::Threads { .. } => ErrorKind::Io,
            Self::Memory { .. } | Self::LongRecord { .. } | Self::Budget { .. } => {
                ErrorKind::Memory
            }
            Self::Unready { .. } => ErrorKind::NotReady,
            Self::Interrupted => ErrorKind::Interrupted,
            Self::View | Self::Bug { .. } => ErrorKind::Bug,
        }
    }

    /// Whether the reader of our output went away, which ends a command quietly.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Corpus(error) if error.is_broken_pipe())
    }
}
