//! The labels of documents in the columns of files of units: a column for each field of them that is read.

use crate::distributed::cells::{Column, Values};
use crate::distributed::schema::Schema;
use crate::distributed::shard_job::ShardJob;
use crate::distributed::unit_file::{Rows, UnitFile};
use crate::error::Error;
use crate::read::sketched::group_of;

/// Begins a label, so that one may be empty; a document without a label has an empty text.
const SIGN: char = '=';

/// The labels in a row group, those of one field after those of another.
pub(crate) struct LabelColumns(Vec<Values<str>>);

impl LabelColumns {
    /// Reads those of all fields.
    pub(crate) fn of(file: &UnitFile, group: usize, schema: Schema) -> Result<Self, Error> {
        let columns = schema.labels();
        let columns = columns.iter().map(|column| file.column(group, column));
        Ok(Self(columns.collect::<Result<_, _>>()?))
    }

    /// Reads those of one column.
    pub(crate) fn one(file: &UnitFile, group: usize, column: &Column<str>) -> Result<Self, Error> {
        Ok(Self(vec![file.column(group, column)?]))
    }

    /// The labels in a row, of each field.
    pub(crate) fn at(&self, row: usize) -> impl Iterator<Item = Option<&str>> {
        self.0.iter().map(move |values| values.at(row).strip_prefix(SIGN))
    }

    /// Appends the labels of a document to the columns of their fields.
    pub(crate) fn push<'a>(
        labels: impl Iterator<Item = Option<&'a str>>,
        columns: &[Column<str>],
        rows: &mut Rows,
    ) -> Result<(), Error> {
        let mut text = String::new();
        columns.iter().zip(labels).try_for_each(|(column, label)| {
            text.clear();
            label.into_iter().for_each(|label| {
                text.push(SIGN);
                text.push_str(label);
            });
            rows.push(column, &text)
        })
    }
}

/// The groups that the documents in a row group are compared within, if there are any.
pub(crate) struct Groups(Option<Values<str>>);

impl Groups {
    /// Reads the labels of the groups.
    pub(crate) fn of(of: &ShardJob<'_>, sketch: &UnitFile, group: usize) -> Result<Self, Error> {
        let column = of.job.within.and_then(|at| of.schema.labels().into_iter().nth(at));
        Ok(Self(column.map(|column| sketch.column(group, &column)).transpose()?))
    }

    /// The hash of the group in a row.
    pub(crate) fn at(&self, row: usize) -> Option<u64> {
        self.0.as_ref().map(|labels| group_of(labels.at(row).strip_prefix(SIGN)))
    }
}
