//! Where notes go in tables and files of columns: in the place of those of an earlier run, beside a user's own columns.

use crate::error::{Error, Unannotated};
use crate::read::reading::Reading;
use crate::write::annotation::{Annotation, Columns};
use crate::write::note_names::Taken;
use nearprint_corpus::{
    Carried, InvalidUtf8, NewColumn, NewColumnKind, Outputs, ReadOptions, Reader, Record, Source,
};
use serde_json::value::to_raw_value;
use serde_json::{Map, Value};
use std::slice;

/// What the columns of notes begin with: the usual one, and the others in the order in which they are taken.
pub(crate) const PREFIXES: [&str; 3] = ["nearprint_", "nearprint_note_", "nearprint_note_2_"];

/// Where notes go in each of some sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteColumns {
    of: Vec<Option<Columns>>,
    /// Those of files of columns, which all have the same; behind these, columns of earlier notes that go.
    of_files: Vec<NewColumn>,
    /// Names that a note does not have where it is no column.
    taken: Taken,
}

impl NoteColumns {
    /// In all tables together, and in all files of columns, as many may go into one output: the first columns that none has,
    /// or that hold an earlier note in each row.
    ///
    /// # Errors
    /// A file whose schema cannot be read, where it is not skipped; [`Unannotated::Taken`] where columns that are no note have all names.
    ///
    /// # Complexity
    /// A look at the beginning of each table. What has columns by such names is read to its first row that is no note.
    pub(crate) fn find<N: Annotation>(
        sources: &[Source],
        reading: &Reading,
    ) -> Result<Self, Error> {
        let options = reading.options;
        let (mut tables, mut files) = (Vec::new(), Vec::new());
        for (at, source) in sources.iter().enumerate() {
            match source.format() {
                _ if reading.skips_columns_of(source) => {}
                Some(format) if format.is_columns() => {
                    files.push((at, (source, Outputs::column_names(source)?)));
                }
                Some(format) if !format.is_table() => {}
                _ => tables.extend(header(source, options).map(|names| (at, (source, names)))),
            }
        }
        let (mut of, mut of_files) = (vec![None; sources.len()], N::COLUMNS.to_vec());
        for (given, is_columns) in [(tables, false), (files, true)] {
            let (places, given): (Vec<usize>, Vec<_>) = given.into_iter().unzip();
            let (found, with_gone) = together::<N>(&given, options, is_columns)?;
            if is_columns {
                of_files = with_gone;
            }
            for (at, columns) in places.into_iter().zip(found) {
                of[at] = Some(columns);
            }
        }
        Ok(Self { of, of_files, taken: Taken::default() })
    }

    /// The same, where something else has these names in rows of JSON or in records of archives.
    pub(crate) fn beside(&self, taken: Taken) -> Self {
        Self { taken, ..self.clone() }
    }

    /// Those of the source of this place, where that is a table or a file of columns.
    pub(crate) fn of(&self, source: usize) -> Option<&Columns> {
        self.of.get(source).and_then(Option::as_ref)
    }

    /// The columns that files of columns get, and those that they lose.
    pub(crate) fn of_files(&self) -> &[NewColumn] {
        &self.of_files
    }

    /// Names that a note does not have where it is no column.
    pub(crate) const fn taken(&self) -> Taken {
        self.taken
    }
}

/// Those of sources with these names of columns, which are to have the same columns; and all columns that they get, with
/// those that they lose where these have to be the same too.
fn together<N: Annotation>(
    sources: &[(&Source, Vec<String>)],
    options: ReadOptions,
    lose_alike: bool,
) -> Result<(Vec<Columns>, Vec<NewColumn>), Error> {
    let mut taken = None;
    for (at, prefix) in PREFIXES.into_iter().enumerate() {
        let (columns, any) = (N::columns(at), N::any_columns(at));
        let mut found = Vec::with_capacity(sources.len());
        for (source, names) in sources {
            let earlier = earlier::<N, _>(at, names);
            let is_own = match &earlier {
                Some(places) if places.is_empty() => true,
                Some(_) => are_notes::<N>(source, options, (any, prefix)),
                None => false,
            };
            match earlier.filter(|_| is_own) {
                Some(earlier) => found.push(Columns { columns, earlier, renamed: at > 0 }),
                None => taken = Some(source),
            }
        }
        if found.len() < sources.len() {
            continue;
        }
        let lost = |own: &NewColumn| {
            let names_it = |(columns, (_, names)): (&Columns, &(&Source, Vec<String>))| {
                columns.earlier.iter().any(|at| names.get(*at).is_some_and(|it| it == own.name))
            };
            found.iter().zip(sources).any(names_it)
        };
        let is_new = |own: &&NewColumn| !columns.iter().any(|column| column.name == own.name);
        let gone: Vec<_> = any.iter().filter(is_new).filter(|own| lost(own)).collect();
        // What goes in one file may be something else in another.
        let stays = found.iter().zip(sources).find(|(columns, (_, names))| {
            columns.earlier.is_empty()
                && gone.iter().any(|own| names.iter().any(|it| it == own.name))
        });
        match stays.filter(|_| lose_alike) {
            Some((_, (source, _))) => taken = Some(source),
            None => {
                let gone =
                    gone.into_iter().map(|own| NewColumn { kind: NewColumnKind::Gone, ..*own });
                return Ok((found, columns.iter().copied().chain(gone).collect()));
            }
        }
    }
    let name = taken.map_or_else(String::new, |source| source.name().to_owned());
    Err(Error::Unannotated { name, problem: Unannotated::Taken })
}

/// The places of the columns that may be an earlier note by a name of this number, whatever its settings; none where no
/// column is in the way of a note, and `None` where one is that is no note.
pub(crate) fn earlier<N: Annotation, S: AsRef<str>>(
    number: usize,
    names: &[S],
) -> Option<Vec<usize>> {
    let places_of = |columns: &'static [NewColumn]| {
        let is_ours = move |name: &str| columns.iter().any(|column| column.name == name);
        let places = names.iter().enumerate().filter(move |(_, name)| is_ours(name.as_ref()));
        places.map(|(place, _)| place).collect::<Vec<_>>()
    };
    let any = N::any_columns(number);
    let is_there = |name: &str| names.iter().any(|it| it.as_ref() == name);
    match any.iter().take(N::EVER).all(|column| is_there(column.name)) {
        true => Some(places_of(any)),
        false => places_of(N::columns(number)).is_empty().then(Vec::new),
    }
}

/// The names of the columns of a table; none of another source, and of what cannot be read, which the readings tell.
fn header(source: &Source, options: ReadOptions) -> Option<Vec<String>> {
    let batch = Reader::new(slice::from_ref(source), options).next()?.ok()?;
    let table = batch.records().next().as_ref().and_then(Record::table);
    let table =
        table.or_else(|| batch.carried().find_map(|it: Carried<'_>| it.table().map(|it| &**it)));
    table.map(|table| table.names().to_vec())
}

/// Whether these columns, whose names begin so, hold a note in each row of a source that can be read.
fn are_notes<N: Annotation>(
    source: &Source,
    options: ReadOptions,
    columns: (&[NewColumn], &str),
) -> bool {
    Reader::new(slice::from_ref(source), options).flatten().all(|batch| {
        let is_table = batch.format().is_table();
        let mut rows =
            batch.records().filter_map(|record| record.fields(InvalidUtf8::Replace).ok());
        rows.all(|row| is_note::<N>(row, columns, is_table))
    })
}

/// Whether the fields of a row in these columns are a note. Cells of tables are texts, and so are lists and objects in
/// files of columns.
fn is_note<N: Annotation>(
    row: Map<String, Value>,
    (columns, prefix): (&[NewColumn], &str),
    is_table: bool,
) -> bool {
    let note = row.into_iter().filter_map(|(name, value)| {
        let column = columns.iter().find(|column| column.name == name)?;
        let value = match value {
            Value::String(text) if is_table && text.is_empty() => Value::Null,
            Value::String(text) if is_table || column.kind == NewColumnKind::Text => {
                serde_json::from_str(&text).unwrap_or(Value::String(text))
            }
            value => value,
        };
        Some((name.strip_prefix(prefix)?.to_owned(), value))
    });
    let note: Map<String, Value> = note.collect();
    to_raw_value(&note).is_ok_and(|note| N::is_own(&note))
}
