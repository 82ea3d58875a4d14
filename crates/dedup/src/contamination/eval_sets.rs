//! Eval sets: files of rows to items.

use crate::contamination::building::Building;
use crate::contamination::eval_notes::EvalNotes;
use crate::contamination::fields::{ItemFields, ItemRow, NamedFields};
use crate::contamination::header::Header;
use crate::contamination::index::Index;
use crate::error::Error;
use crate::memory::limits::Memory;
use crate::progress::{Progress, Stage};
use nearprint_corpus::{ReadOptions, Reader, Record, Source};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Rows of a file by which it is told what all of its questions begin with, at most, and their bytes.
const SEEN: usize = 1000;
const ROOM: usize = 8 << 20;
/// Files that a message names.
const NAMED: usize = 3;

/// The files of eval sets, and how they are read.
pub(crate) struct EvalSets<'a> {
    pub(crate) sources: &'a [Source],
    /// The set that each of them is of.
    pub(crate) names: &'a [String],
    pub(crate) fields: &'a ItemFields,
    pub(crate) options: ReadOptions,
    /// Whether rows that cannot be read are left out.
    pub(crate) skips: bool,
    pub(crate) memory: Memory,
    pub(crate) threads: usize,
    pub(crate) progress: &'a Progress,
}

/// Rows of one item, and where the first of them stands.
struct Gathered {
    id: String,
    row: ItemRow,
    place: String,
}

/// The rows of a file on their way to items.
struct FileRows<'a, 'b> {
    building: &'a mut Building<'b>,
    set: u32,
    /// Where rows of one item are gathered: all of them, and which item has an id.
    gathered: Vec<Gathered>,
    known: HashMap<String, usize>,
    /// Rows that wait until it is known what all begin with.
    waiting: Vec<(String, ItemRow)>,
    bytes: usize,
    header: Option<Header>,
}

impl EvalSets<'_> {
    /// Reads all items.
    ///
    /// # Errors
    /// A file that cannot be read or has no row, rows without a question, fields that were named and no row has, more
    /// items than there is memory for.
    pub(crate) fn read(&self, building: &mut Building<'_>) -> Result<EvalNotes, Error> {
        self.progress.enter(Stage::Items);
        let reader = Reader::new(self.sources, self.options);
        let bytes_read = reader.bytes_read();
        let mut counts = vec![0_u64; self.sources.len()];
        let mut notes = EvalNotes::default();
        let mut named = self.fields.named();
        let mut rows = FileRows::of(building);
        let mut last = None;
        for batch in reader {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => {
                    self.skip(error.into(), &mut notes)?;
                    continue;
                }
            };
            let at = batch.source_index();
            let name = self.names.get(at).map_or("", String::as_str);
            if last.replace(at) != Some(at) {
                rows.end()?;
                rows.set = rows.building.begin(name);
            }
            counts[at] += batch.len() as u64;
            for record in batch.records() {
                let read = self.row(&record, &mut named, rows.set);
                if let Err(error) = read.and_then(|row| rows.put(self.fields, &record, row)) {
                    self.skip(error, &mut notes)?;
                }
            }
            let building = &rows.building;
            let held = building.held_bytes() + Index::bytes_of(building.tokens_held());
            self.memory.beside_items(self.threads, held)?;
            self.progress.advance(bytes_read.load(Ordering::Relaxed), batch.len() as u64);
            self.progress.check()?;
        }
        rows.end()?;
        if let Some((source, _)) = self.sources.iter().zip(&counts).find(|(_, rows)| **rows == 0)
            && notes.skipped.is_empty()
        {
            return Err(Error::EvalRow {
                place: source.name().to_owned(),
                problem: "there is no row in it, where the items of an eval set are expected"
                    .to_owned(),
            });
        }
        let problem = |problem| Error::EvalRow { place: self.files(), problem };
        notes.absent = named.absent(building.sets()).map_err(problem)?;
        Ok(notes)
    }

    /// The names of the files, for a message.
    pub(crate) fn files(&self) -> String {
        let names = self.sources.iter().take(NAMED).map(Source::name).collect::<Vec<_>>();
        let names = names.join(", ");
        match self.sources.len().saturating_sub(NAMED) {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }

    /// Leaves out a row that cannot be read, where that is asked for.
    fn skip(&self, error: Error, notes: &mut EvalNotes) -> Result<(), Error> {
        let reason = match &error {
            Error::Corpus(error) => error.reason(),
            Error::EvalRow { .. } => "no-item",
            _ => return Err(error),
        };
        if !self.skips {
            return Err(error);
        }
        notes.skipped.add(reason, 1, || error.to_string());
        Ok(())
    }

    /// What a row of a set says of its item.
    fn row(
        &self,
        record: &Record<'_>,
        named: &mut NamedFields<'_>,
        set: u32,
    ) -> Result<ItemRow, Error> {
        let row: Map<String, Value> = record.fields()?;
        named.see(set, &row);
        self.fields.read(&row).ok_or_else(|| {
            let names = self.fields.of_question().join(", ");
            let present = record.field_names().unwrap_or_default();
            Error::EvalRow {
                place: record.place(),
                problem: format!(
                    "the row has no question: none of the fields {names}; its fields are {present}. Name the one that \
                     has it as question=FIELD"
                ),
            }
        })
    }
}

impl<'a, 'b> FileRows<'a, 'b> {
    fn of(building: &'a mut Building<'b>) -> Self {
        Self {
            building,
            set: 0,
            gathered: Vec::new(),
            known: HashMap::new(),
            waiting: Vec::new(),
            bytes: 0,
            header: None,
        }
    }

    /// Takes a row, which is an item or one of several rows of it.
    fn put(&mut self, fields: &ItemFields, record: &Record<'_>, row: ItemRow) -> Result<(), Error> {
        let Some(field) = &fields.id else {
            let id = row.id.clone();
            let id = id.unwrap_or_else(|| record.default_id().as_json().to_owned());
            return self.wait(id, row);
        };
        let place = record.place();
        let Some(id) = row.id.clone() else {
            let present = record.field_names().unwrap_or_default();
            return Err(Error::EvalRow {
                place,
                problem: format!(
                    "the row has no text and no number in the field {field:?} that tells its item; its fields are \
                     {present}"
                ),
            });
        };
        match self.known.get(&id).and_then(|at| self.gathered.get_mut(*at)) {
            None => {
                self.known.insert(id.clone(), self.gathered.len());
                self.gathered.push(Gathered { id, row, place });
            }
            Some(first) if first.row.question == row.question => first.row.join(row),
            Some(first) => {
                let problem = format!(
                    "the item {id} has another question in {}: rows of one item have the same",
                    first.place
                );
                return Err(Error::EvalRow { place, problem });
            }
        }
        Ok(())
    }

    /// Takes an item, which waits until it is known what all questions of the file begin with.
    fn wait(&mut self, id: String, row: ItemRow) -> Result<(), Error> {
        match &self.header {
            Some(header) => {
                let own = header.own(&row.question);
                self.building.add(self.set, &id, &row, own)
            }
            None => {
                self.bytes += row.question.len();
                self.waiting.push((id, row));
                match self.waiting.len() >= SEEN || self.bytes >= ROOM {
                    true => self.settle(),
                    false => Ok(()),
                }
            }
        }
    }

    /// Says what all questions begin with, by those that wait.
    fn settle(&mut self) -> Result<(), Error> {
        let header = Header::of(self.waiting.iter().map(|(_, row)| row.question.as_str()));
        for (id, row) in self.waiting.drain(..) {
            self.building.add(self.set, &id, &row, header.own(&row.question))?;
        }
        self.header = Some(header);
        Ok(())
    }

    /// Ends a file.
    fn end(&mut self) -> Result<(), Error> {
        for Gathered { id, row, .. } in std::mem::take(&mut self.gathered) {
            self.wait(id, row)?;
        }
        self.settle()?;
        (self.known, self.bytes, self.header) = (HashMap::new(), 0, None);
        Ok(())
    }
}

/// What an eval set is called: the path of its file below all others, without what tells its format or its shard.
pub(crate) fn set_name(source: &Source) -> String {
    let mut path = source.relative().to_owned();
    let is_format = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|it| it.len() < 8 && it.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    for _ in 0..2 {
        if is_format(&path) {
            path.set_extension("");
        }
    }
    let name = path.to_string_lossy().replace('\\', "/");
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let shard = name.rsplit_once("-of-").filter(|(_, of)| digits(of));
    let stem =
        shard.and_then(|(rest, _)| rest.rsplit_once('-')).filter(|(_, number)| digits(number));
    stem.map_or(name.as_str(), |(stem, _)| stem).to_owned()
}
