//! Eval sets: files of rows to items.

use crate::contamination::building::Building;
use crate::contamination::eval_file::EvalFile;
use crate::contamination::eval_notes::EvalNotes;
use crate::contamination::fields::{ItemFields, ItemRow, NamedFields};
use crate::contamination::header::Header;
use crate::contamination::spec::ContaminationSpec;
use crate::error::Error;
use crate::memory::limits::Memory;
use crate::progress::{Progress, Stage};
use crate::read::reading::Reading;
use crate::read::sketch::OnError;
use nearprint_corpus::{Batch, InvalidUtf8, PassedOver, Reader, Record, Source};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Rows of a file by which it is told what all of its questions begin with, at most, and their bytes.
const SEEN: usize = 1000;
const ROOM: usize = 8 << 20;
/// Files that a message names.
const NAMED: usize = 3;

/// The files of eval sets; none where an index of them is all that is named.
#[derive(Default)]
pub(crate) struct EvalsFound {
    pub(crate) sources: Vec<Source>,
    /// The set that each of them is of.
    pub(crate) names: Vec<String>,
    /// Files beside them that are not read.
    pub(crate) passed_over: Vec<PassedOver>,
}

/// The files of eval sets, and how they are read.
pub(crate) struct EvalSets<'a> {
    pub(crate) found: &'a EvalsFound,
    pub(crate) spec: &'a ContaminationSpec,
    pub(crate) reading: &'a Reading,
    pub(crate) memory: Memory,
    pub(crate) dir: &'a Path,
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
        let EvalsFound { sources, names, passed_over } = self.found;
        let fields = &self.spec.fields;
        let mut reader = Reader::new(sources, self.reading.options);
        let bytes_read = reader.bytes_read();
        let mut counts = vec![0_u64; sources.len()];
        let mut notes = EvalNotes { passed_over: passed_over.clone(), ..EvalNotes::default() };
        let mut named = fields.named();
        // Each is a set, of no item where nothing of it can be read.
        for name in names {
            building.begin(name);
        }
        let mut rows = FileRows::of(building);
        let (mut last, mut broken, mut seen) = (None, Vec::new(), [0; 2]);
        while let Some(batch) = reader.next() {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => {
                    broken.extend(error.file().map(str::to_owned));
                    self.skip(error.into(), &mut notes)?;
                    continue;
                }
            };
            let at = batch.source_index();
            let name = names.get(at).map_or("", String::as_str);
            if last.replace(at) != Some(at) {
                rows.end()?;
                rows.set = rows.building.begin(name);
            }
            counts[at] += batch.len() as u64;
            for record in batch.records() {
                let read = self.row(&record, &mut named, rows.set, &mut notes);
                if let Err(error) = read.and_then(|row| rows.put(fields, &record, row)) {
                    self.skip(error, &mut notes)?;
                }
            }
            let building = &rows.building;
            let held = building.held_bytes() + building.index_bytes();
            add(&mut seen, &batch);
            if let Err(error) = self.memory.beside_items(self.reading.threads, held) {
                return Err(self.enough(error, held, seen, reader));
            }
            self.progress.advance(bytes_read.load(Ordering::Relaxed), batch.len() as u64);
            self.progress.check()?;
        }
        rows.end()?;
        // What could not be read of a file is told otherwise; a set that is named has rows if one of its files has.
        let files = || sources.iter().zip(names).zip(&counts);
        let is_empty = |((source, name), rows): &((&Source, &String), &u64)| {
            let has_rows =
                |((_, other), rows): ((&Source, &String), &u64)| other == *name && *rows > 0;
            **rows == 0 && broken.iter().all(|file| file != source.name()) && !files().any(has_rows)
        };
        if let Some(((source, _), _)) = files().find(is_empty) {
            return Err(Error::EvalRow {
                place: source.name().to_owned(),
                problem: "it has no rows; expected the items of an eval set".to_owned(),
            });
        }
        let problem = |problem| Error::EvalRow { place: self.named(), problem };
        notes.absent = named.absent(building.sets(), self.spec.may_lack_fields).map_err(problem)?;
        notes.files = self.files()?;
        Ok(notes)
    }

    /// A refusal of items, of which those of so many bytes and rows hold so much, with the memory that all take; `rest` has
    /// the other ones.
    fn enough(&self, refusal: Error, held: usize, seen: [u64; 2], rest: Reader) -> Error {
        let Error::Memory { what, given, needed } = refusal else { return refusal };
        let mut all = seen;
        for batch in rest.flatten() {
            add(&mut all, &batch);
            if let Err(error) = self.progress.check() {
                return error;
            }
        }
        // What items hold grows as their bytes or their rows do, at most, and lists of it grow to twice their size.
        let times = seen.iter().zip(all).map(|(seen, all)| all.div_ceil((*seen).max(1)));
        let times = times.max().unwrap_or(1).next_power_of_two();
        let more = (held as u64).saturating_mul(times.saturating_sub(1));
        Error::Memory { what, given, needed: needed.saturating_add(more) }
    }

    /// The files, each with what tells its version.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn files(&self) -> Result<Vec<EvalFile>, Error> {
        let EvalsFound { sources, names, .. } = self.found;
        let file = |(source, name): (&Source, &String)| EvalFile::of(source, name, self.progress);
        sources.iter().zip(names).map(file).collect()
    }

    /// Whether rows that cannot be read are left out.
    pub(crate) fn skips(&self) -> bool {
        self.reading.on_error == OnError::Skip
    }

    /// The names of the files, for a message.
    pub(crate) fn named(&self) -> String {
        let sources = &self.found.sources;
        let names = sources.iter().take(NAMED).map(Source::name).collect::<Vec<_>>();
        let names = names.join(", ");
        match sources.len().saturating_sub(NAMED) {
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
        if self.reading.ends_with(&error) {
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
        notes: &mut EvalNotes,
    ) -> Result<ItemRow, Error> {
        let invalid_utf8 = if self.skips() { InvalidUtf8::Replace } else { InvalidUtf8::Fail };
        let row: Map<String, Value> = record.fields(invalid_utf8)?;
        named.see(set, &row);
        let fields = &self.spec.fields;
        let Some(item) = fields.read(&row) else {
            record.refuse_one_column()?;
            let names = fields.of_question().join(", ");
            let present = record.field_names().unwrap_or_default();
            return Err(Error::EvalRow {
                place: record.place(),
                problem: format!(
                    "the row has no question: none of the fields {names}; its fields are {present}; name the one that \
                     has it, as question=FIELD"
                ),
            });
        };
        let depends_on = |name: &str| {
            let mut others = row.clone();
            others.remove(name);
            fields.read(&others).as_ref() != Some(&item)
        };
        // Of columns of one name none is the one that is meant.
        let (twice, damaged) = (record.repeated_columns(), record.damaged_fields());
        let place = || record.place();
        if let Some(name) = twice.into_iter().find(|name| depends_on(name)) {
            let field = name.to_owned();
            return Err(nearprint_corpus::Error::ColumnTwice { place: place(), field }.into());
        }
        match damaged.into_iter().find(|name| depends_on(name)) {
            None => {}
            Some(_) if self.skips() => notes.replaced += 1,
            Some(field) if record.columns().is_empty() => {
                return Err(nearprint_corpus::Error::Surrogate { place: place(), field }.into());
            }
            Some(field) => {
                return Err(nearprint_corpus::Error::ColumnUtf8 { place: place(), field }.into());
            }
        }
        Ok(item)
    }
}

/// Adds the bytes and the rows of a batch.
fn add([bytes, rows]: &mut [u64; 2], batch: &Batch) {
    *bytes += batch.bytes() as u64;
    *rows += batch.len() as u64;
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
                    "the row has no text or number in the field {field:?}, which identifies its item; its fields are \
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
                    "the item {id} has another question in {}: rows of one item need the same",
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

/// What an eval set is called: the path of its file below all others, without what tells its format or its shard. Of a
/// part that Spark wrote it is that of its folder.
pub(crate) fn set_name(source: &Source) -> String {
    let name = without_shard(source.relative());
    let (folder, stem) = name.rsplit_once('/').unwrap_or(("", &name));
    if !is_part(stem) {
        return name;
    }
    // Where parts alone are read, their folder is above all that tells them apart.
    let above = source.name().rsplit(['/', '\\']).nth(1).unwrap_or_default();
    [folder, above].into_iter().find(|it| !it.is_empty()).unwrap_or(&name).to_owned()
}

/// Whether this is what Spark calls a part of what it writes, such as `part-00000-3e2b-c000`.
fn is_part(stem: &str) -> bool {
    let rest = stem.strip_prefix("part-").unwrap_or_default();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 5 && matches!(rest.as_bytes().get(digits), None | Some(b'-'))
}

/// The path of a file without what tells its format or its shard.
fn without_shard(path: &Path) -> String {
    let mut path = path.to_owned();
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

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_corpus::discover;

    #[test]
    fn a_set_is_called_by_its_file_and_parts_by_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let names = |files: &[&str], input: &str| {
            let root = folder.path().join("root");
            for file in files {
                let path = root.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "{\"question\":\"Who?\"}\n").unwrap();
            }
            let sources = discover(&[root.join(input).display().to_string()], None).unwrap();
            std::fs::remove_dir_all(root).unwrap();
            sources.iter().map(set_name).collect::<Vec<_>>()
        };
        let shards = ["a/test-00000-of-00002.jsonl", "a/test-00001-of-00002.jsonl", "b.v2.jsonl"];
        assert_eq!(names(&shards, ""), ["a/test", "a/test", "b"]);
        let parts = ["m.v2/part-00000-3e2b-c000.snappy.jsonl", "m.v2/part-00001.jsonl"];
        assert_eq!(
            names(&[&parts[..], &["n/part-1.jsonl"]].concat(), ""),
            ["m.v2", "m.v2", "n/part-1"]
        );
        assert_eq!(names(&parts, "m.v2"), ["m.v2", "m.v2"]);
        assert_eq!(names(&["part-00000x.jsonl"], ""), ["part-00000x"]);
    }
}
