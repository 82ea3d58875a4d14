//! Reads a store from its files, when it is opened.

use crate::disk::acknowledged::Acknowledged;
use crate::disk::dead::Dead;
use crate::disk::files;
use crate::disk::manifest::{self, Entry, Manifest};
use crate::disk::stored_segment::StoredSegment;
use crate::disk::truth::{Progress, Truth};
use crate::error::Error;
use crate::invariant::invariant;
use crate::options::Options;
use crate::raw::examine::examine;
use crate::repair::Repair;
use crate::settings::Settings;
use crate::views::codes::NumberedCodes;
use crate::views::memtable::Memtable;
use crate::views::view::View;
use crate::writing::crew::Crew;
use crate::writing::log;
use crate::writing::maker::{Maker, Order, Source};
use nearprint_fingerprint::Matching;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A store as its files hold it.
pub(crate) struct Loaded {
    pub(crate) truth: Arc<Truth>,
    pub(crate) manifest: Manifest,
    pub(crate) progress: Progress,
    pub(crate) view: View,
    pub(crate) acknowledged: Acknowledged,
    pub(crate) repairs: Vec<Repair>,
}

/// What to do with the segments that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segments {
    /// Open them, and make those again that cannot be used.
    Open,
    /// Make all of them again.
    Rebuild,
}

impl Loaded {
    /// Reads the store at `path`.
    pub(crate) fn read(
        path: &Path,
        settings: &Settings,
        options: &Options,
        segments: Segments,
        crew: &Crew,
    ) -> Result<Self, Error> {
        examine(path)?;
        // Segments are derived, and so is their folder.
        files::make_folder(&path.join(manifest::FOLDER))?;
        let truth = Arc::new(Truth::open_there(path, settings.width, options)?);
        let acknowledged = Acknowledged::open(path)?;
        let mut progress = truth.progress()?;
        if progress.history.is_none() {
            truth.forget_history()?;
            let mut changes = truth.changes();
            progress.history = Some(log::begin(&mut changes, progress.commits));
            changes.progress(&progress)?;
            changes.commit()?;
        }
        let mut manifest = truth.manifest()?;
        if !manifest.is_whole() {
            return Err(truth.damaged("the list of segments"));
        }
        let maker = Maker::new(path, settings, options, Arc::new(AtomicBool::new(false)))?;
        let mut repairs = Vec::new();
        if segments == Segments::Rebuild && !manifest.segments.is_empty() {
            let entry = Entry { file: manifest.next_file, first: 0, end: manifest.end() };
            maker.make(&Order {
                entry: entry.clone(),
                source: Source::truth(&truth, Dead::none(0..entry.end)),
            })?;
            manifest = Manifest { next_file: entry.file + 1, segments: vec![entry] };
            install(&truth, &manifest)?;
        }
        let (recipe, rules) = (settings.id().map(u128::from), settings.rules()?);
        let mut open = Vec::new();
        for (at, entry) in manifest.segments.clone().into_iter().enumerate() {
            let segment = match StoredSegment::open(path, entry.clone(), recipe, &rules) {
                Ok(segment) => Arc::new(segment),
                Err(error) => {
                    let path = manifest::path(path, entry.file);
                    repairs.push(Repair { path, reason: error.to_string() });
                    let entry = Entry { file: manifest.next_file, ..entry };
                    let source = Source::truth(&truth, Dead::none(entry.first..entry.end));
                    let made = maker.make(&Order { entry: entry.clone(), source })?;
                    manifest.next_file += 1;
                    if let Some(old) = invariant(manifest.segments.get_mut(at), at) {
                        *old = entry;
                    }
                    install(&truth, &manifest)?;
                    made.segment
                }
            };
            open.push(segment);
        }
        remove_leftovers(path, &manifest)?;
        for number in truth.dead(..manifest.end()) {
            let number = number?;
            open.iter().any(|segment| segment.dead().insert(number));
        }
        let mut codes = NumberedCodes::new(settings.width);
        for document in truth.sketches(&truth.snapshot(), manifest.end()..progress.next) {
            let (number, sketch) = document?;
            if sketch.matching(rules.degenerate) == Matching::Distance {
                if sketch.bands.len() != rules.sketch_bytes() {
                    return Err(truth.damaged("a sketch"));
                }
                codes.push(*sketch.searched(), number, &sketch.bands);
            }
        }
        let empty = Memtable::empty(manifest.end(), &rules);
        let memtable = crew.make(|| empty.with(&codes, progress.next, &rules))?;
        let memtable = Arc::new(memtable);
        let recent = Arc::new(NumberedCodes::new(settings.width));
        let view = View { segments: open, lost: None, memtables: vec![memtable], recent };
        Ok(Self { truth, manifest, progress, view, acknowledged, repairs })
    }
}

/// Makes a list of segments the live one.
fn install(truth: &Truth, manifest: &Manifest) -> Result<(), Error> {
    let mut changes = truth.changes();
    changes.manifest(manifest)?;
    changes.commit()
}

/// Removes the files of segments that are not live: merged ones, and what a crash left.
fn remove_leftovers(store: &Path, manifest: &Manifest) -> Result<(), Error> {
    let folder = store.join(manifest::FOLDER);
    let live: Vec<PathBuf> =
        manifest.segments.iter().map(|entry| manifest::path(store, entry.file)).collect();
    for file in std::fs::read_dir(&folder).map_err(Error::io(&folder))? {
        let path = file.map_err(Error::io(&folder))?.path();
        if manifest::is_segment(&path) && !live.contains(&path) {
            std::fs::remove_file(&path).map_err(Error::io(&path))?;
        }
    }
    Ok(())
}
