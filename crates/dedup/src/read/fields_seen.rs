//! Whether the fields that somebody named are in any row, and have an order where documents are chosen by them. A
//! mistyped name finds nothing, and without a word would change what a run does.

use crate::error::Error;
use nearprint_corpus::{Document, Fields, Record, Scale, Score};
use serde::{Deserialize, Serialize};
use std::iter::once;

/// What is there in place of fields.
const OF_ARCHIVE: &str =
    "records of archives have their headers, such as WARC-Date and WARC-Target-URI, and host";
/// The same where there is nothing.
const OF_TEXT: &str = "texts and pages have no fields";
/// The same of the label that folders give.
const OF_FOLDER: &str =
    "no file lies in a folder of the input; give the folder above, or leave the field out";

/// What is in each name of a field or of a header that holds a note, as it is usually written.
pub(crate) const OF_NOTES: [&[u8]; 2] = [b"earprint", b"EARPRINT"];

/// Which of the optional fields some rows have a value in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldsSeen {
    /// Rows that were read.
    rows: u64,
    /// Texts and pages that were read, where these have labels: by their paths.
    #[serde(default)]
    labelled: u64,
    id: bool,
    score: bool,
    tag: bool,
    #[serde(default)]
    labels: [bool; Fields::LABELS],
    #[serde(default)]
    ties: [bool; Fields::TIES],
    /// Those of [several](nearprint_corpus::Document::parts) that are the text.
    #[serde(default)]
    parts: u64,
    /// What fields a row has that lacks one of them.
    present: Option<String>,
    /// Of the field of the score, and of those that break ties.
    #[serde(default)]
    scales: [Scales; 1 + Fields::TIES],
    /// Whether rows may have a field by the name of a note.
    #[serde(default)]
    pub(crate) noted: bool,
}

/// Where the first row is whose value is a date, and the first whose value is compared with no date.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Scales {
    calendar: Option<String>,
    numbers: Option<String>,
}

impl Scales {
    fn add(&mut self, score: Score, record: &Record<'_>) {
        let first = match score.scale() {
            Scale::Calendar => &mut self.calendar,
            Scale::Numbers => &mut self.numbers,
            Scale::Both => return,
        };
        first.get_or_insert_with(|| record.place());
    }

    /// Adds those of rows that come behind.
    fn merge(&mut self, other: &Self) {
        for (first, other) in
            [(&mut self.calendar, &other.calendar), (&mut self.numbers, &other.numbers)]
        {
            if first.is_none() {
                first.clone_from(other);
            }
        }
    }

    /// Fails where values of a field have no order.
    fn check(&self, field: &str) -> Result<(), Error> {
        match (self.calendar.clone(), self.numbers.clone()) {
            (Some(date), Some(number)) => {
                Err(Error::MixedScores { field: field.to_owned(), date, number })
            }
            _ => Ok(()),
        }
    }
}

impl FieldsSeen {
    /// Whether an id, a score and a tag are there that are read, or are not asked for: then none is missing.
    pub(crate) fn there(fields: &Fields, [id, score, tag]: [bool; 3]) -> [bool; 3] {
        [
            id || fields.id == Fields::ID,
            score || fields.score.is_none(),
            tag || fields.tag.is_none(),
        ]
    }

    /// Adds a row with these labels, this score and scores that break ties, which has a value in the fields of its id, its
    /// score and its tag or not, and whose text is of such parts.
    pub(crate) fn add(
        &mut self,
        record: &Record<'_>,
        [id, score, tag]: [bool; 3],
        (labels, worth, ties): (&[Option<String>], Option<Score>, &[Option<Score>]),
        parts: u64,
    ) {
        let format = record.format();
        self.labels.iter_mut().zip(labels).for_each(|(seen, label)| *seen |= label.is_some());
        if !(format.is_rows() || format.is_archive()) {
            self.labelled += u64::from(!labels.is_empty());
            return;
        }
        self.rows += 1;
        self.id |= id;
        self.score |= score;
        self.tag |= tag;
        self.ties.iter_mut().zip(ties).for_each(|(seen, tie)| *seen |= tie.is_some());
        self.parts |= parts;
        let worths = once(worth).chain(ties.iter().copied());
        for (scales, score) in self.scales.iter_mut().zip(worths) {
            score.into_iter().for_each(|score| scales.add(score, record));
        }
        let are_there =
            parts == 0 && labels.iter().all(Option::is_some) && ties.iter().all(Option::is_some);
        if self.present.is_none() && !(self.id && self.score && self.tag && are_there) {
            self.present = match record.field_names() {
                Some(names) => Some(format!("the fields of the first are {names}")),
                None if record.format().is_archive() => Some(OF_ARCHIVE.to_owned()),
                None => None,
            };
        }
    }

    /// Adds a row of which the text and the id alone matter.
    pub fn add_text(&mut self, record: &Record<'_>, document: &Document<'_>) {
        self.add(record, [document.id.is_some(), true, true], (&[], None, &[]), document.parts);
    }

    /// Fails where rows were read and none has the field of ids, if that is asked for by a name of its own, or one of several
    /// fields that are the text.
    ///
    /// # Errors
    ///
    /// [`Error::FieldMissing`].
    pub fn check_text(&self, fields: &Fields) -> Result<(), Error> {
        let id = Some(&fields.id).filter(|name| **name != Fields::ID && !self.id).cloned();
        let missing = id.or_else(|| fields.text_part_beside(self.parts));
        match missing.filter(|_| self.rows > 0) {
            None => Ok(()),
            Some(field) => Err(self.missing("", field)),
        }
    }

    /// Adds what is known of other rows, which come behind.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.labelled += other.labelled;
        self.id |= other.id;
        self.score |= other.score;
        self.tag |= other.tag;
        self.parts |= other.parts;
        self.labels.iter_mut().zip(other.labels).for_each(|(seen, other)| *seen |= other);
        self.ties.iter_mut().zip(other.ties).for_each(|(seen, other)| *seen |= other);
        let scales = self.scales.iter_mut().zip(&other.scales);
        scales.for_each(|(scales, other)| scales.merge(other));
        self.noted |= other.noted;
        if self.present.is_none() {
            self.present.clone_from(&other.present);
        }
    }

    /// Fails where rows were read and none has a field that was asked for by a name of its own; where values of the field
    /// of a score have no order.
    pub(crate) fn check(&self, fields: &Fields) -> Result<(), Error> {
        let own_id = Some(&fields.id).filter(|name| **name != Fields::ID);
        let asked = [
            (own_id, self.id),
            (fields.score.as_ref(), self.score),
            (fields.tag.as_ref(), self.tag),
        ];
        let mut labels = fields.labels.iter().zip(self.labels);
        let ties = fields.ties.iter().flatten().map(|tie| Some(&tie.field)).zip(self.ties);
        let all = asked.into_iter().chain(ties);
        let missing = all.filter(|(_, seen)| !seen).find_map(|(name, _)| name);
        let missing = missing.cloned().or_else(|| fields.text_part_beside(self.parts));
        let label = labels.find(|(_, seen)| !seen).map(|(label, _)| label.clone());
        let label = label.filter(|_| self.rows + self.labelled > 0);
        if let Some(field) = label.or_else(|| missing.filter(|_| self.rows > 0)) {
            return Err(self.missing("", field));
        }
        let fields = once(fields.score.as_ref())
            .chain(fields.ties.iter().flatten().map(|tie| Some(&tie.field)));
        let mut scales = fields.zip(&self.scales);
        scales.try_for_each(|(field, scales)| field.map_or(Ok(()), |field| scales.check(field)))
    }

    /// Fails where these are rows to compare with only, and none has one of several fields of the text, or the field of
    /// the labels at one of these places.
    pub(crate) fn check_reference(
        &self,
        fields: &Fields,
        places: [Option<usize>; 2],
    ) -> Result<(), Error> {
        let unseen = |at: &usize| self.labels.get(*at) == Some(&false);
        let label = places.into_iter().flatten().find(unseen);
        let label = label.and_then(|at| fields.labels.get(at)).cloned();
        let label = label.filter(|_| self.rows + self.labelled > 0);
        let part = || fields.text_part_beside(self.parts).filter(|_| self.rows > 0);
        match label.or_else(part) {
            None => Ok(()),
            Some(field) => Err(self.missing(" to compare with (against)", field)),
        }
    }

    /// No row has this field.
    fn missing(&self, of: &'static str, field: String) -> Error {
        let present = match &self.present {
            _ if field == Fields::FOLDER => OF_FOLDER.to_owned(),
            Some(present) => present.clone(),
            None => OF_TEXT.to_owned(),
        };
        Error::FieldMissing { of, field, present }
    }
}

/// The same by what rows are for. Each part is asked by itself: a field that only the other one has is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FieldsByPart {
    /// Of rows to compare with only.
    pub(crate) reference: FieldsSeen,
    /// Of the input.
    pub(crate) ours: FieldsSeen,
}

impl FieldsByPart {
    /// Adds what is known of rows that come behind, and are of the reference or not.
    pub(crate) fn add(&mut self, is_reference: bool, seen: &FieldsSeen) {
        if is_reference { &mut self.reference } else { &mut self.ours }.merge(seen);
    }

    /// Adds what is known of other rows, which come behind.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.reference.merge(&other.reference);
        self.ours.merge(&other.ours);
    }

    /// See [`FieldsSeen::check_reference`] and [`FieldsSeen::check`].
    pub(crate) fn check(&self, fields: &Fields, places: [Option<usize>; 2]) -> Result<(), Error> {
        self.reference.check_reference(fields, places)?;
        self.ours.check(fields)
    }
}
