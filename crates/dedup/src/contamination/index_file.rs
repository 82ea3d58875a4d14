//! An index of items in a file: what it is of, and whether that is what a job asks for. No word has a weight there, as
//! these depend on the corpus.

use crate::contamination::eval_file::EvalFile;
use crate::contamination::eval_notes::EvalNotes;
use crate::contamination::eval_sets::EvalSets;
use crate::contamination::fields::ItemFields;
use crate::contamination::index::Index;
use crate::contamination::items::Items;
use crate::contamination::prepared::Indexed;
use crate::contamination::spec::ContaminationSpec;
use crate::contamination::stored_list::StoredList;
use crate::error::Error;
use crate::memory::sealed::{Flaw, Sealed, SealedWriter};
use crate::threads;
use nearprint_corpus::{ObjectFolder, Outputs, replace};
use nearprint_fingerprint::Recipe;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// An index of items in a file, as a job uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemIndex {
    /// The file.
    pub path: PathBuf,
    /// Whether the job wrote it; else it was read.
    pub is_new: bool,
    /// The files of the eval sets that it is of.
    pub files: Vec<EvalFile>,
}

/// What an index is of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct IndexHead {
    /// Name and id of the recipe.
    recipe: String,
    fields: ItemFields,
    /// Bytes of a row, at most.
    longest_row: usize,
    pub(crate) notes: EvalNotes,
    /// The names of the eval sets.
    sets: Vec<String>,
    /// Items without a token.
    empty: u64,
}

/// A file with an index.
pub(crate) struct IndexFile<'a> {
    path: &'a Path,
    file: Sealed,
    pub(crate) head: IndexHead,
}

impl ContaminationSpec {
    /// Reserves the file of the index where there is none, outside of what is read, and keeps the one that is there from being replaced.
    ///
    /// # Errors
    /// A file that is no file on this machine, that is another output, or that would lie in the input.
    pub(crate) fn reserve_index(&self, outputs: &mut Outputs) -> Result<(), Error> {
        let Some(path) = &self.index else { return Ok(()) };
        if path == Path::new("-") || ObjectFolder::of_path(path)?.is_some() {
            let problem =
                format!("{}: an index of items is a file on this machine", path.display());
            return Err(Error::Contamination { problem });
        }
        if path.exists() {
            outputs.protect_file(path);
            return Ok(());
        }
        drop(outputs.create(path)?);
        Ok(())
    }
}

impl EvalSets<'_> {
    /// The items with their index: those of the file that is named for it, if there is one; else those of the eval
    /// sets, which are then written to that file.
    ///
    /// # Errors
    /// Those of [`items`](Self::items); an index that is damaged, or of other eval sets or settings.
    pub(crate) fn indexed(&self) -> Result<Indexed, Error> {
        let Some(path) = &self.spec.index else { return Ok(Indexed::of(self.items()?)) };
        if path.exists() {
            let index = IndexFile::open(path)?;
            if let Some(differs) = self.differs(&index.head)? {
                return Err(Error::OtherIndex { path: path.clone(), differs });
            }
            self.memory.beside_items(self.reading.threads, index.held_bytes())?;
            return threads::pool(self.reading.threads)?.install(|| index.read());
        }
        let indexed = Indexed { is_written: true, ..Indexed::of(self.items()?) };
        self.write(path, &indexed).map_err(|source| Error::Io { path: path.clone(), source })?;
        Ok(indexed)
    }

    /// Writes an index whole.
    fn write(&self, path: &Path, indexed: &Indexed) -> io::Result<()> {
        let Indexed { items, index, .. } = indexed;
        let head = IndexHead {
            recipe: named(&self.spec.recipe),
            fields: self.spec.fields.clone(),
            longest_row: self.reading.options.max_record_bytes,
            notes: items.notes.clone(),
            sets: items.sets.clone(),
            empty: items.empty,
        };
        let head = serde_json::to_vec(&head)?;
        replace(path, |file| {
            let mut file = SealedWriter::begin(file, StoredList::SEAL)?;
            file.list(StoredList::Head as usize, head.into_iter())?;
            items.store(&mut file)?;
            index.store(&mut file)?;
            file.finish()
        })
    }

    /// In what an index is not the one of this job.
    fn differs(&self, head: &IndexHead) -> Result<Option<String>, Error> {
        let recipe = named(&self.spec.recipe);
        if head.recipe != recipe {
            let was = &head.recipe;
            return Ok(Some(format!(
                "it was made with the recipe {was}, and this run has {recipe}"
            )));
        }
        // Whoever names the index alone takes its items as they are.
        let has_evals = !self.found.sources.is_empty();
        if head.fields != self.spec.fields
            && (has_evals || self.spec.fields != ItemFields::default())
        {
            let (was, now) = (&head.fields, &self.spec.fields);
            return Ok(Some(format!("it was made with {was}, and this run has {now}")));
        }
        if !has_evals {
            return Ok(None);
        }
        let (skipped, longest) = (head.notes.skipped.total, self.reading.options.max_record_bytes);
        if head.notes.replaced > 0 && !self.skips() {
            let replaced = head.notes.replaced;
            return Ok(Some(format!(
                "invalid UTF-8 in {replaced} rows of the eval sets was replaced when it was made, and this run replaces \
                 none"
            )));
        }
        if skipped > 0 && !self.skips() {
            return Ok(Some(format!(
                "{skipped} rows of the eval sets that cannot be read were left out when it was made, and this run \
                 leaves out none"
            )));
        }
        if skipped > 0 && head.longest_row != longest {
            let was = head.longest_row;
            return Ok(Some(format!(
                "rows of more than {was} bytes were left out when it was made, and this run leaves out those of more \
                 than {longest}"
            )));
        }
        let (was, now) = (&head.notes.files, self.files()?);
        if was.len() != now.len() {
            return Ok(Some(format!(
                "it was made from {} files of eval sets, and {} are named now",
                was.len(),
                now.len()
            )));
        }
        let differs = |(was, now): (&EvalFile, &EvalFile)| {
            let place = |it: &EvalFile| format!("{} of the eval set {:?}", it.file, it.eval);
            match (was.file == now.file && was.eval == now.eval, was.has_bytes_of(now)) {
                (true, true) if was.dialect == now.dialect => None,
                (true, true) => {
                    let [then, today] = [was, now].map(|it| it.dialect.as_deref());
                    let [then, today] = [then, today].map(|it| it.unwrap_or("its usual form"));
                    Some(format!("{} was read in {then}, and this run reads {today}", now.file))
                }
                (true, false) => Some(format!(
                    "{} has changed since it was made: then {} bytes with the checksum {}, now {} bytes with {}",
                    now.file, was.bytes, was.xxh3, now.bytes, now.xxh3
                )),
                (false, _) => {
                    Some(format!("it is of {}, in the place of {}", place(was), place(now)))
                }
            }
        };
        Ok(was.iter().zip(&now).find_map(differs))
    }
}

impl<'a> IndexFile<'a> {
    /// Opens an index and reads what it is of.
    ///
    /// # Errors
    /// What is no index, of another version, or damaged.
    pub(crate) fn open(path: &'a Path) -> Result<Self, Error> {
        let opened = (|| {
            let file = Sealed::open(path, StoredList::SEAL)?;
            let head: Vec<u8> = file.list(StoredList::Head as usize)?;
            let head = serde_json::from_slice(&head);
            let head = head.map_err(|error| Flaw::Damaged(format!("what it is of: {error}")))?;
            Ok((file, head))
        })();
        let (file, head) = opened.map_err(|flaw| failed(path, flaw))?;
        Ok(Self { path, file, head })
    }

    /// Bytes that its items take in memory, about: words have weights beside them.
    fn held_bytes(&self) -> usize {
        let bytes = |list| crate::numbers::index(self.file.place(list).1);
        StoredList::held().map(bytes).sum::<usize>() + bytes(StoredList::Words as usize)
    }

    /// Its items.
    fn read(self) -> Result<Indexed, Error> {
        let Self { path, file, head } = self;
        let words = file.place(StoredList::Words as usize).1 / 4;
        let words = crate::numbers::index(words);
        let (items, (index, strings)) = rayon::join(
            || Items::restore(&file, path, head.sets, head.empty),
            || {
                rayon::join(
                    || Index::restore(&file, words),
                    || file.check(StoredList::Strings as usize),
                )
            },
        );
        let failed = |flaw| failed(path, flaw);
        strings.map_err(failed)?;
        let (mut items, index) = (items.map_err(failed)?, index.map_err(failed)?);
        items.notes = head.notes;
        Ok(Indexed { items, index, is_written: false })
    }
}

fn named(recipe: &Recipe) -> String {
    format!("{} ({})", recipe.name, recipe.id())
}

/// What is wrong with a file, and what helps.
fn failed(path: &Path, flaw: Flaw) -> Error {
    let problem = match flaw {
        Flaw::Io(source) => return Error::Io { path: path.to_owned(), source },
        Flaw::Other => {
            "this is not an index of items, and only a missing file is created: name another file"
                .to_owned()
        }
        Flaw::Version(version) => format!(
            "an index of items of version {version}, where {} is expected: delete it to rebuild it",
            StoredList::SEAL.version
        ),
        Flaw::Damaged(how) => format!(
            "the index of items is damaged, {how}: delete it to rebuild it, or copy the file again"
        ),
    };
    Error::ItemIndex { path: path.to_owned(), problem }
}
