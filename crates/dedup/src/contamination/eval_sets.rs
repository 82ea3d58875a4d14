//! Eval sets: files of rows to items.

use crate::contamination::building::Building;
use crate::contamination::fields::{ItemFields, ItemRow};
use crate::contamination::index::Index;
use crate::error::Error;
use crate::memory::limits::Memory;
use crate::progress::{Progress, Stage};
use nearprint_corpus::{ReadOptions, Reader, Record, Source};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering;

/// The files of eval sets, and how they are read.
pub(crate) struct EvalSets<'a> {
    pub(crate) sources: &'a [Source],
    /// The set that each of them is of.
    pub(crate) names: &'a [String],
    pub(crate) fields: &'a ItemFields,
    pub(crate) options: ReadOptions,
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

impl EvalSets<'_> {
    /// Reads all items.
    ///
    /// # Errors
    /// A file that cannot be read or has no row, rows without a question, more items than there is memory for.
    pub(crate) fn read(&self, building: &mut Building<'_>) -> Result<(), Error> {
        self.progress.enter(Stage::Items);
        let reader = Reader::new(self.sources, self.options);
        let bytes_read = reader.bytes_read();
        let mut rows = vec![0_u64; self.sources.len()];
        let mut gathered: Vec<Gathered> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut last: Option<(usize, u32)> = None;
        for batch in reader {
            let batch = batch?;
            let at = batch.source_index();
            let set = building.begin(self.names.get(at).map_or("", String::as_str));
            if let Some((before, of)) = last.replace((at, set))
                && before != at
            {
                put_all(&mut gathered, building, of)?;
                known.clear();
            }
            rows[at] += batch.len() as u64;
            for record in batch.records() {
                let row = self.row(&record)?;
                let Some(field) = &self.fields.id else {
                    let id = row.id.clone();
                    let id = id.unwrap_or_else(|| record.default_id().as_json().to_owned());
                    building.add(set, &id, &row)?;
                    continue;
                };
                let place = record.place();
                let Some(id) = row.id.clone() else {
                    let present = record.field_names().unwrap_or_default();
                    return Err(Error::EvalRow {
                        place,
                        problem: format!(
                            "the row has no text and no number in the field {field:?} that tells its item; its fields \
                             are {present}"
                        ),
                    });
                };
                match known.get(&id).and_then(|at| gathered.get_mut(*at)) {
                    None => {
                        known.insert(id.clone(), gathered.len());
                        gathered.push(Gathered { id, row, place });
                    }
                    Some(first) if first.row.question == row.question => {
                        first.row.join(row);
                    }
                    Some(first) => {
                        let problem = format!(
                            "the item {id} has another question in {}: rows of one item have the same",
                            first.place
                        );
                        return Err(Error::EvalRow { place, problem });
                    }
                }
            }
            let held = building.held_bytes() + Index::bytes_of(building.tokens_held());
            self.memory.beside_items(self.threads, held)?;
            self.progress.advance(bytes_read.load(Ordering::Relaxed), batch.len() as u64);
            self.progress.check()?;
        }
        if let Some((_, set)) = last {
            put_all(&mut gathered, building, set)?;
        }
        match self.sources.iter().zip(&rows).find(|(_, rows)| **rows == 0) {
            None => Ok(()),
            Some((source, _)) => Err(Error::EvalRow {
                place: source.name().to_owned(),
                problem: "there is no row in it, where the items of an eval set are expected"
                    .to_owned(),
            }),
        }
    }

    /// What a row says of its item.
    fn row(&self, record: &Record<'_>) -> Result<ItemRow, Error> {
        let row = record.fields()?;
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

/// Adds all rows that were gathered of a set.
fn put_all(
    gathered: &mut Vec<Gathered>,
    building: &mut Building<'_>,
    set: u32,
) -> Result<(), Error> {
    gathered.drain(..).try_for_each(|Gathered { id, row, .. }| building.add(set, &id, &row))
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
