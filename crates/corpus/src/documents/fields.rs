//! The names of the fields that are read of a record. What is in them is `document`'s and `vector`'s.

use crate::documents::joined_text::{self, part};
use crate::html::page::Part;

/// What a row is whose text is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NullText {
    /// A document without text. The default: nothing is lost.
    #[default]
    Keep,
    /// No document.
    Skip,
    /// An error.
    Fail,
}

impl NullText {
    /// The rule's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Skip => "skip",
            Self::Fail => "fail",
        }
    }
}

/// The fields of a JSONL row that are read; all others are passed over. Where no field has a name with
/// dots, such as `doc.text`, the name is that of the field `text` inside of the field `doc`.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{Fields, InvalidUtf8, ReadOptions, Reader, Score, discover};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.jsonl").display().to_string();
/// std::fs::write(&path, "{\"url\": \"/a\", \"body\": \"one\", \"date\": \"1970-01-02\"}\n")?;
/// let fields = Fields {
///     id: "url".to_owned(),
///     text: "body".to_owned(),
///     score: Some("date".to_owned()),
///     ..Fields::default()
/// };
/// let batch = Reader::new(&discover(&[path], None)?, ReadOptions::default()).next().unwrap()?;
/// let document = batch.record(0).unwrap().document(&fields, InvalidUtf8::Fail)?;
/// assert_eq!((document.id.unwrap().as_json(), &*document.text), ("\"/a\"", "one"));
/// assert_eq!(document.score, Score::of_text("1970-01-02T00:00Z").unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Holds the id. `id` by default.
    pub id: String,
    /// Holds the text, or the features of a [`Vector`](crate::documents::vector::Vector). `text` by default.
    pub text: String,
    /// Holds a word about the document that is read along, such as its language. None by default.
    pub tag: Option<String>,
    /// Holds what the document is worth beside others: a number, a date or a time: see [`Score`](crate::documents::score::Score). None by
    /// default.
    pub score: Option<String>,
    /// Break ties between documents of equal scores, one after the other. None by default.
    pub ties: [Option<Tie>; Fields::TIES],
    /// Hold words by which documents are grouped or counted, such as their dump or their site: at most
    /// [`LABELS`](Self::LABELS). None by default.
    pub labels: Vec<String>,
    /// Holds an object that is kept as it is: see [`Record::object`](crate::Record::object). None by default.
    pub metadata: Option<String>,
    /// What part of a page the text is, in HTML files and in the field of the text. None, the
    /// default, where that field holds plain text.
    pub part: Option<Part>,
    /// What a row is whose text is null. With [`NullText::Skip`] it is [`Error::TextNull`], as with
    /// [`NullText::Fail`]: the reader decides what becomes of the record.
    ///
    /// [`Error::TextNull`]: crate::Error::TextNull
    pub null_text: NullText,
    /// Whether a document without an id of its own is [`Error::IdMissing`].
    ///
    /// [`Error::IdMissing`]: crate::Error::IdMissing
    pub id_required: bool,
    /// Whether an id [names](crate::Id::named) its document for good: a number that is not whole is [`Error::IdType`].
    ///
    /// [`Error::IdType`]: crate::Error::IdType
    pub id_named: bool,
}

/// A field that breaks ties between documents of equal scores: it holds what a document is worth, as the field of the score
/// does.
///
/// # Examples
/// ```
/// use nearprint_corpus::{Fields, Tie};
///
/// // Of the documents with the latest date the one with the least rank.
/// let ties = [Some(Tie { field: "rank".to_owned(), is_least: true }), None, None];
/// let fields = Fields { score: Some("date".to_owned()), ties, ..Fields::default() };
/// assert_eq!(fields.ties.iter().flatten().count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The name of the field.
    pub field: String,
    /// Whether the least value is worth most, in place of the greatest.
    pub is_least: bool,
}

impl Fields {
    /// The first of several fields of the text that is none of these [parts](crate::Document::parts); none where there is
    /// no part, as where the text is of one field.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Fields;
    ///
    /// let fields = Fields { text: "title, body".to_owned(), ..Fields::default() };
    /// assert_eq!(fields.text_part_beside(0b01).as_deref(), Some("body"));
    /// assert_eq!((fields.text_part_beside(0b11), fields.text_part_beside(0)), (None, None));
    /// ```
    #[must_use]
    pub fn text_part_beside(&self, parts: u64) -> Option<String> {
        let names = joined_text::names(&self.text).filter(|_| parts > 0)?;
        let mut names = names.into_iter().enumerate();
        let is_missing = |place| part(place) & !parts > 0;
        names.find_map(|(place, name)| is_missing(place).then(|| name.to_owned()))
    }

    /// The name of the field of the id where nobody names one.
    pub const ID: &str = "id";
    /// The name of the field of the text where nobody names one. A row of a page, which has no such field,
    /// may have the page in `html`.
    pub const TEXT: &str = "text";
    /// The label of the folder of the input in which a file lies, in whatever depth.
    pub const FOLDER: &str = "@folder";
    /// How many labels are read, at most.
    pub const LABELS: usize = 5;
    /// How many fields break ties, at most.
    pub const TIES: usize = 3;
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            id: Self::ID.to_owned(),
            text: Self::TEXT.to_owned(),
            tag: None,
            score: None,
            ties: [const { None }; Self::TIES],
            labels: Vec::new(),
            metadata: None,
            part: None,
            null_text: NullText::default(),
            id_required: false,
            id_named: false,
        }
    }
}

/// Where a record stands, asked for only by a failure.
pub(crate) type Place<'p> = &'p dyn Fn() -> String;
