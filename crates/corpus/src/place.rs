//! The file and the line that a failure is about, for programs.

use crate::error::Error;

/// Stands between a file and the place of a record that has no line.
pub(crate) const RECORD: &str = ", record at byte ";

impl Error {
    /// The file or folder that this is about, where it is about one.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Error;
    ///
    /// let error = Error::TextNull { place: "a:b.jsonl:7".to_owned(), field: "text".to_owned() };
    /// assert_eq!((error.file(), error.line()), (Some("a:b.jsonl"), Some(7)));
    /// assert_eq!((Error::StdinTwice.file(), Error::StdinTwice.line()), (None, None));
    /// ```
    pub fn file(&self) -> Option<&str> {
        match self.place()? {
            (file, None) => Some(file.split_once(RECORD).map_or(file, |(file, _)| file)),
            (file, Some(_)) => Some(file),
        }
    }

    /// The line of that file, from 1, where it is about one.
    pub fn line(&self) -> Option<u64> {
        self.place()?.1
    }

    /// The file, with the line where a record is meant that has one.
    fn place(&self) -> Option<(&str, Option<u64>)> {
        match self {
            Self::TooLong { place, .. }
            | Self::Utf8 { place, .. }
            | Self::ColumnUtf8 { place, .. }
            | Self::ScoreUtf8 { place, .. }
            | Self::Surrogate { place, .. }
            | Self::Json { place, .. }
            | Self::NotAnObject { place, .. }
            | Self::TextMissing { place, .. }
            | Self::OtherDelimiter { place, .. }
            | Self::TextType { place, .. }
            | Self::PartKind { place, .. }
            | Self::TextPlace { place, .. }
            | Self::TextNull { place, .. }
            | Self::FeaturesMissing { place, .. }
            | Self::FeaturesType { place, .. }
            | Self::Weight { place, .. }
            | Self::NoFeatures { place, .. }
            | Self::NoRow { place, .. }
            | Self::SegmentText { place, .. }
            | Self::HtmlAsText { place, .. }
            | Self::EndlessEntities { place, .. }
            | Self::OpenQuote { place, .. }
            | Self::StrayQuote { place, .. }
            | Self::Swallowed { place, .. }
            | Self::ColumnTwice { place, .. }
            | Self::Ragged { place, .. }
            | Self::WarcMissing { place, .. }
            | Self::WarcHead { place, .. }
            | Self::WarcLength { place, .. }
            | Self::WarcCut { place, .. }
            | Self::ArcMissing { place, .. }
            | Self::ArcLength { place, .. }
            | Self::ArcCut { place, .. }
            | Self::IdMissing { place, .. }
            | Self::IdType { place, .. }
            | Self::ObjectType { place, .. }
            | Self::LabelType { place, .. }
            | Self::ScoreNumber { place, .. }
            | Self::ScoreType { place, .. } => {
                let numbered = place.rsplit_once(':');
                let numbered = numbered.and_then(|(file, line)| Some((file, line.parse().ok()?)));
                Some(numbered.map_or((place, None), |(file, line)| (file, Some(line))))
            }
            Self::InputMissing { path, .. }
            | Self::EmptyFolder { path, .. }
            | Self::FolderWithoutRows { path, .. }
            | Self::OwnFolder { path, .. }
            | Self::Binary { path, .. }
            | Self::Utf32 { path }
            | Self::Pointer { path }
            | Self::Wacz { path, .. }
            | Self::OtherFormat { path, .. }
            | Self::OutputToWeb { path, .. }
            | Self::Read { path, .. }
            | Self::Truncated { path, .. }
            | Self::Empty { path, .. }
            | Self::Misnamed { path, .. }
            | Self::Corrupt { path, .. }
            | Self::Member { path, .. }
            | Self::Unsupported { path, .. }
            | Self::Encrypted { path, .. }
            | Self::CompressedColumns { path, .. }
            | Self::ColumnMissing { path, .. }
            | Self::Spool { path, .. }
            | Self::Write { path, .. }
            | Self::OutputExists { path, .. }
            | Self::ShardsOfStream { path, .. }
            | Self::OutputIsFolder { path, .. }
            | Self::OutputNotFolder { path, .. }
            | Self::OutputFolderMissing { path, .. }
            | Self::OutputIsInput { path, .. }
            | Self::OutputFormat { path, .. }
            | Self::OutputTwice { path, .. }
            | Self::OutputInsideInput { path, .. } => Some((path, None)),
            _ => None,
        }
    }
}
