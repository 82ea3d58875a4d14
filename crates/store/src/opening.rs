//! Makes a store, opens one, and starts its threads.

use crate::disk::acknowledged::Acknowledged;
use crate::disk::lock::own;
use crate::disk::new_folder::NewFolder;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::options::Options;
use crate::precedence::{ahead, step_back};
use crate::settings::Settings;
use crate::store::Store;
use crate::writing::activity::Activity;
use crate::writing::buffers::{Buffer, Buffers};
use crate::writing::crew::Crew;
use crate::writing::inbox::inbox;
use crate::writing::loaded::{Loaded, Segments};
use crate::writing::maker::Maker;
use crate::writing::making::{Compactions, Making};
use crate::writing::message::Message;
use crate::writing::scrub::Scrub;
use crate::writing::shared::Shared;
use crate::writing::threads::spawn;
use crate::writing::writer::{Pace, Writer};
use arc_swap::{ArcSwap, ArcSwapOption};
use crossbeam_channel::{bounded, unbounded};
use nearprint_rules::Threshold;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Requests that may wait for the writer. A further request waits for a place.
const WAITING: usize = 1024;

impl Store {
    /// Makes an empty store in the folder `path`, which must be new or empty, and opens it.
    ///
    /// # Errors
    /// [`Error::Taken`]; those of [`Settings::check`]; an error of the disk.
    pub fn create(path: impl AsRef<Path>, settings: &Settings) -> Result<Self, Error> {
        Self::create_with(path, settings, &Options::default())
    }

    /// As [`Self::create`], with [`Options`].
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(
        path: impl AsRef<Path>,
        settings: &Settings,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::create_at(path.as_ref(), settings, options)
    }

    /// Opens the store in the folder `path`. If a segment cannot be used, the store makes it again from
    /// the documents: [`Self::repairs`] names those segments.
    ///
    /// # Errors
    /// [`Error::NoStore`] where the folder holds no store; [`Error::InUse`] where another process, or
    /// this one, has it open; [`Error::LostTail`], [`Error::Damaged`] and [`Error::Corrupt`] on damage; an error of the disk.
    ///
    /// # Complexity
    /// Reads again what the last process wrote to no segment, at most some hundred thousand documents,
    /// whatever the size of the store; repairs aside.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &Options::default())
    }

    /// As [`Self::open`], with [`Options`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        Self::open_at(path.as_ref(), options)
    }

    /// As [`Self::open_with`], after making all segments again from the documents.
    ///
    /// # Errors
    /// As [`Self::open`].
    ///
    /// # Complexity
    /// Reads all documents several times. Memory: that of [`Options`].
    pub fn rebuild(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        Self::rebuild_at(path.as_ref(), options)
    }

    /// As [`Self::rebuild`], for another radius, which the store has from then on. If it ends early, the store
    /// has the radius that it had.
    ///
    /// # Errors
    /// [`Error::WideRadius`]; [`Error::NoRadius`] in a store by similarity; as [`Self::open`].
    ///
    /// # Complexity
    /// As [`Self::rebuild`].
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Options, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("codes");
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
    /// let far: AnyFingerprint = "00000000000000f0".parse()?;
    /// assert_eq!(store.check(far)?, None);
    /// drop(store);
    /// let store = Store::rebuild_within(&path, 4, &Options::default())?;
    /// assert_eq!(store.check(far)?.unwrap().distance, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rebuild_within(
        path: impl AsRef<Path>,
        k: u32,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::rebuild_within_at(path.as_ref(), k, options)
    }

    fn create_at(path: &Path, settings: &Settings, options: &Options) -> Result<Self, Error> {
        settings.check()?;
        let folder = NewFolder::make(path).map_err(|error| match error {
            Error::Taken { path, .. } if path.is_dir() => Settings::taken(path),
            other => other,
        })?;
        // The settings make the folder a store, so they come last.
        drop(Truth::open(folder.path(), settings.width, options)?);
        Acknowledged::create(folder.path(), 0)?;
        settings.write(folder.path())?;
        folder.finish()?;
        Self::open_at(path, options)
    }

    fn open_at(path: &Path, options: &Options) -> Result<Self, Error> {
        let (lock, settings) = own(path, Settings::read)?;
        Self::start(path, settings, options, Segments::Open, lock)
    }

    fn rebuild_at(path: &Path, options: &Options) -> Result<Self, Error> {
        let (lock, settings) = own(path, Settings::read)?;
        Self::start(path, settings, options, Segments::Rebuild, lock)
    }

    fn rebuild_within_at(path: &Path, k: u32, options: &Options) -> Result<Self, Error> {
        let (lock, before) = own(path, Settings::read_to_change_radius)?;
        if before.threshold.radius().is_none() {
            return Err(Error::NoRadius);
        }
        let settings = Settings { threshold: Threshold::Radius(k), ..before };
        settings.check()?;
        // Answers are exact whatever radius the segments are made for: so the settings come last.
        Self::start(path, settings.clone(), options, Segments::Rebuild, lock).and_then(|store| {
            settings.write(path)?;
            Ok(store)
        })
    }

    fn start(
        path: &Path,
        settings: Settings,
        options: &Options,
        segments: Segments,
        lock: File,
    ) -> Result<Self, Error> {
        let crew = Crew::new(path)?;
        let Loaded { truth, manifest, progress, view, acknowledged, mut repairs } =
            Loaded::read(path, &settings, options, segments, &crew)?;
        repairs.extend(settings.mend(path)?);
        let (open, closed) = bounded(0);
        let stop = Arc::new(AtomicBool::new(false));
        let rules = settings.rules()?;
        let maker = Maker::new(path, &settings, options, Arc::clone(&stop))?;
        let shared = Arc::new(Shared {
            path: path.to_owned(),
            settings,
            rules,
            options: *options,
            truth: ArcSwapOption::new(Some(truth)),
            view: ArcSwap::from_pointee(view),
            progress: ArcSwap::from_pointee(progress),
            read_only: ArcSwapOption::empty(),
            activity: Activity::default(),
            stop,
        });
        let (inbox, requests) = inbox(WAITING);
        let (orders, ordered) = unbounded();
        let (finished, made) = unbounded();
        let (free, unused) = unbounded();
        let (pace, compactions) = (Pace::default(), Compactions::default());
        let writer = Writer {
            shared: Arc::clone(&shared),
            inbox: requests,
            crew,
            orders,
            made,
            acknowledged,
            manifest,
            progress,
            making: Making::default(),
            compactions,
            buffers: Buffers::new(free),
            pace,
        };
        let wake = inbox.clone();
        let make = move || {
            for order in ordered {
                if finished.send(maker.make(&order)).is_err() {
                    return;
                }
                // If the inbox is full, the writer is awake.
                let _full = wake.try_send(Message::Made);
            }
        };
        let scrub = Scrub { shared: Arc::clone(&shared), inbox: inbox.clone(), closed };
        let threads = vec![
            spawn(path, "store-writer", ahead, move || writer.run())?,
            spawn(path, "store-segments", step_back, make)?,
            spawn(path, "store-scrub", step_back, move || scrub.run())?,
            spawn(path, "store-free", step_back, move || unused.iter().for_each(drop::<Buffer>))?,
        ];
        Ok(Self {
            recipe: shared.settings.recipe.clone(),
            statistics: None,
            sketcher: OnceLock::new(),
            shared,
            repairs,
            inbox,
            threads,
            open: Some(open),
            _lock: lock,
        })
    }
}
