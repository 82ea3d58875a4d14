//! A copy of a store that is being made of all documents of a moment, which come from elsewhere. It is a store when it is
//! finished. What a crash leaves of it is no store, and the next attempt begins anew.

use crate::change::Reached;
use crate::disk::acknowledged::Acknowledged;
use crate::disk::dead::Dead;
use crate::disk::document::Document;
use crate::disk::files;
use crate::disk::lock::{LOCK, lock};
use crate::disk::manifest::{self, Entry, Manifest};
use crate::disk::truth::{Progress, Truth};
use crate::error::Error;
use crate::options::Options;
use crate::settings::{self, COPYING, Settings};
use crate::writing::log;
use crate::writing::maker::{Maker, Order, Source};
use nearprint_fingerprint::Matching;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bytes of rows that are written together.
const TOGETHER: usize = 4 << 20;

/// A copy of a store that is being made. [`Store::moment`](crate::Store::moment) has an example.
pub struct Copying {
    path: PathBuf,
    settings: Settings,
    options: Options,
    truth: Arc<Truth>,
    /// The number after the last document.
    end: u64,
    documents: u64,
    waiting: Vec<Waiting>,
    bytes: usize,
    lock: File,
}

/// A document to be written.
struct Waiting {
    number: u64,
    id: String,
    row: Vec<u8>,
    /// Its content, if it is found by that.
    content: Option<u64>,
}

impl Copying {
    /// Begins a copy in the folder `path`, which must be new, empty, or an unfinished copy; that is removed first.
    ///
    /// # Errors
    /// [`Error::Taken`]; [`Error::InUse`] while another process makes a copy there; those of [`Settings::check`]; an
    /// error of the disk.
    pub fn begin(
        path: impl AsRef<Path>,
        settings: &Settings,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::begin_at(path.as_ref(), settings, options)
    }

    fn begin_at(path: &Path, settings: &Settings, options: &Options) -> Result<Self, Error> {
        settings.check()?;
        files::make_folder(path)?;
        let taken = || Error::taken(path.to_owned());
        let there = inside(path)?;
        let unfinished = there.iter().any(|name| name == COPYING);
        if there.iter().any(|name| name == settings::FILE)
            || !unfinished && there.iter().any(|name| name != LOCK)
        {
            return Err(taken());
        }
        let lock = lock(path)?;
        // Somebody else may have finished one meanwhile.
        if path.join(settings::FILE).exists() {
            return Err(taken());
        }
        let mark = path.join(COPYING);
        fs::write(&mark, "").map_err(Error::io(&mark))?;
        for name in inside(path)? {
            let old = path.join(&name);
            if name != COPYING && name != LOCK {
                let removed =
                    if old.is_dir() { fs::remove_dir_all(&old) } else { fs::remove_file(&old) };
                removed.map_err(Error::io(&old))?;
            }
        }
        let segments = path.join(manifest::FOLDER);
        fs::create_dir(&segments).map_err(Error::io(&segments))?;
        files::sync_folder(path)?;
        Ok(Self {
            truth: Arc::new(Truth::open(path, settings.width, options)?),
            path: path.to_owned(),
            settings: settings.clone(),
            options: *options,
            end: 0,
            documents: 0,
            waiting: Vec::new(),
            bytes: 0,
            lock,
        })
    }

    /// Takes the next document. Numbers ascend.
    ///
    /// # Errors
    /// [`Error::Diverged`] where the number does not ascend; those of a document that no store takes; an error of the
    /// disk.
    pub fn take(&mut self, number: u64, document: Document) -> Result<(), Error> {
        if number < self.end {
            let what = format!("the document number {number} came after number {}", self.end);
            return Err(Error::Diverged { what });
        }
        let waiting = self.waiting(number, document)?;
        self.bytes += waiting.row.len() + waiting.id.len();
        self.waiting.push(waiting);
        self.end = number + 1;
        self.documents += 1;
        if self.bytes >= TOGETHER { self.write() } else { Ok(()) }
    }

    fn waiting(&self, number: u64, mut document: Document) -> Result<Waiting, Error> {
        let rules = self.settings.rules()?;
        document.sketch.check_width(rules.width)?;
        document.check()?;
        document.sketch.fit(&rules)?;
        let by_content = document.sketch.matching(rules.degenerate) == Matching::Equality;
        let content = by_content.then_some(document.sketch.content);
        Ok(Waiting { number, row: document.to_row(), id: document.id, content })
    }

    fn write(&mut self) -> Result<(), Error> {
        let mut changes = self.truth.loose_changes();
        for Waiting { number, id, row, content } in self.waiting.drain(..) {
            changes.put(number, row, content);
            changes.name(&id, Some(number));
        }
        self.bytes = 0;
        changes.commit()
    }

    /// Ends the copy: it is a store, at the position of the store that the documents are of. `whole`: whether that is
    /// as a store was at a moment.
    ///
    /// # Errors
    /// [`Error::Diverged`] where documents are missing; an error of the disk. After an error there is no store.
    ///
    /// # Complexity
    /// Makes a segment of all documents.
    pub fn finish(mut self, reached: Reached, whole: bool) -> Result<(), Error> {
        if (self.documents, true) != (reached.documents, self.end <= reached.end) {
            let Reached { documents, end, .. } = reached;
            let what = format!(
                "{} documents up to number {} came, of {documents} up to number {end}",
                self.documents, self.end
            );
            return Err(Error::Diverged { what });
        }
        self.write()?;
        self.settle(reached, whole)?;
        let Self { path, settings, truth, lock, .. } = self;
        drop(truth);
        Acknowledged::create(&path, reached.position.commits)?;
        files::sync_folder(&path.join(manifest::FOLDER))?;
        // The settings make the folder a store, so they come last.
        settings.write(&path)?;
        let mark = path.join(COPYING);
        fs::remove_file(&mark).map_err(Error::io(&mark))?;
        drop(lock);
        Ok(())
    }

    /// Writes what a store has beside its documents.
    fn settle(&self, reached: Reached, whole: bool) -> Result<(), Error> {
        let Reached { position, documents, end } = reached;
        let mut manifest = Manifest::default();
        if end > 0 {
            let entry = Entry { file: 0, first: 0, end };
            let never = Arc::new(AtomicBool::new(false));
            let maker = Maker::new(&self.path, &self.settings, &self.options, never)?;
            let source = Source::truth(&self.truth, Dead::none(0..end));
            maker.make(&Order { entry: entry.clone(), source })?;
            manifest = Manifest { segments: vec![entry], next_file: 1 };
        }
        let mut changes = self.truth.loose_changes();
        let mut history = log::from(&mut changes, position.commits, position.chain);
        history.between = !whole;
        changes.progress(&Progress {
            commits: position.commits,
            next: end,
            documents,
            history: Some(history),
        })?;
        changes.manifest(&manifest)?;
        changes.commit()?;
        self.truth.sync()
    }
}

/// The names in a folder.
fn inside(path: &Path) -> Result<Vec<OsString>, Error> {
    let names =
        fs::read_dir(path).and_then(|all| all.map(|entry| Ok(entry?.file_name())).collect());
    names.map_err(Error::io(path))
}
