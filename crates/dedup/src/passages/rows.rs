//! The rows of reports: what was cut, because of what, and what repeats.

use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::passages::runs::Repeated;
use crate::read::names::{FilePlaces, Name};
use nearprint_corpus::{Id, Record};
use nearprint_fingerprint::Measure;
use std::io::Write;

/// What reports call documents: by their ids, and by their places too where ids repeat.
pub(crate) struct Names<'a> {
    places: Option<FilePlaces<'a>>,
    /// How many records, the first ones, are those of the reference.
    reference: u64,
}

impl<'a> Names<'a> {
    pub(crate) fn new(places: Option<FilePlaces<'a>>, reference: u64) -> Self {
        Self { places, reference }
    }

    /// The id of a document as JSON text, or where its record stands.
    pub(crate) fn id(&self, id: Option<&Id<'_>>, record: &Record<'_>) -> String {
        match id {
            Some(id) => id.as_json().to_owned(),
            None => record.default_id().as_json().to_owned(),
        }
    }

    /// What the document of a record is called that has an id.
    pub(crate) fn named<'i>(&'i self, id: &'i str, record: u32) -> Name<'i> {
        let place = self.places.as_ref().map(|places| places.of(DocumentNumber(record.into())));
        let of_reference = u64::from(record) < self.reference;
        Name { place, of_reference, ..Name::from(id) }
    }
}

/// A part of a document that goes, because of another that stays.
pub(crate) struct Removed<'a> {
    pub(crate) id: Name<'a>,
    pub(crate) place: (usize, usize),
    pub(crate) tokens: usize,
    pub(crate) kept: Name<'a>,
    pub(crate) kept_place: (u32, u32),
    /// Whether that stays itself.
    pub(crate) stays: bool,
    pub(crate) copies: u32,
    pub(crate) found: Found,
}

/// How a part was found.
pub(crate) enum Found {
    /// It is equal, and stands in so many documents.
    Equal { documents: u32 },
    /// It is a near-duplicate.
    Near { similarity: f64, measure: Measure },
}

impl Removed<'_> {
    /// `{"id","start","end","tokens","kept":{"id","start","end"},"copies","documents"}`; `"near"` in place of `"kept"`
    /// where no copy stays, and `"similarity","measure"` in place of `"documents"` where it is a near-duplicate.
    pub(crate) fn write(&self, into: &mut Vec<u8>) -> Result<(), Error> {
        let Self { tokens, copies, .. } = self;
        let (id, kept) = (self.id.members("id"), self.kept.members("id"));
        let ((start, end), (kept_start, kept_end)) = (self.place, self.kept_place);
        let key = if self.stays { "kept" } else { "near" };
        put(
            into,
            format_args!(
                "{{{id},\"start\":{start},\"end\":{end},\"tokens\":{tokens},\"{key}\":{{{kept},\
                 \"start\":{kept_start},\"end\":{kept_end}}},\"copies\":{copies},"
            ),
        )?;
        match self.found {
            Found::Equal { documents } => put(into, format_args!("\"documents\":{documents}}}\n")),
            Found::Near { similarity, measure } => {
                let measure = measure.name();
                put(
                    into,
                    format_args!("\"similarity\":{similarity:.4},\"measure\":\"{measure}\"}}\n"),
                )
            }
        }
    }
}

/// `{"id","start","end","tokens","left"}` of a document that goes as a whole, as little is left of it.
pub(crate) fn write_whole(
    id: &Name<'_>,
    end: usize,
    tokens: usize,
    left: usize,
    into: &mut Vec<u8>,
) -> Result<(), Error> {
    let id = id.members("id");
    put(
        into,
        format_args!("{{{id},\"start\":0,\"end\":{end},\"tokens\":{tokens},\"left\":{left}}}\n"),
    )
}

/// `{"text","tokens","copies","documents","sources","first":{"id","start","end"}}`.
pub(crate) fn passage_row(
    passage: &Repeated,
    text: &str,
    tokens: usize,
    first: &Name<'_>,
    (start, end): (u32, u32),
    into: &mut Vec<u8>,
) -> Result<(), Error> {
    let Repeated { copies, documents, origins, .. } = passage;
    let (text, first) = (serde_json::Value::from(text), first.members("id"));
    put(
        into,
        format_args!(
            "{{\"text\":{text},\"tokens\":{tokens},\"copies\":{copies},\"documents\":{documents},\
             \"sources\":{origins},\"first\":{{{first},\"start\":{start},\"end\":{end}}}}}\n"
        ),
    )
}

fn put(into: &mut Vec<u8>, row: std::fmt::Arguments<'_>) -> Result<(), Error> {
    into.write_fmt(row)
        .map_err(|error| Error::Bug { problem: format!("a row cannot be written: {error}") })
}
