//! What the writer and all readers of a store share.

use crate::disk::truth::{Progress, Truth};
use crate::error::Error;
use crate::options::Options;
use crate::rules::Rules;
use crate::settings::Settings;
use crate::views::view::View;
use crate::writing::activity::Activity;
use arc_swap::{ArcSwap, ArcSwapOption};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a read waits for the database.
const OPENING: Duration = Duration::from_secs(10);

/// What the writer and all readers of a store share.
pub(crate) struct Shared {
    pub(crate) path: PathBuf,
    pub(crate) settings: Settings,
    pub(crate) rules: Rules,
    pub(crate) options: Options,
    /// Absent while the writer opens the database again.
    pub(crate) truth: ArcSwapOption<Truth>,
    pub(crate) view: ArcSwap<View>,
    pub(crate) progress: ArcSwap<Progress>,
    /// Why the store takes no writes.
    pub(crate) read_only: ArcSwapOption<String>,
    pub(crate) activity: Activity,
    /// Set when the store is closed.
    pub(crate) stop: Arc<AtomicBool>,
}

impl Shared {
    /// The database. Waits while the writer opens it again, but not for ever.
    pub(crate) fn truth(&self) -> Result<Arc<Truth>, Error> {
        let mut waited = Duration::ZERO;
        loop {
            if let Some(truth) = self.truth.load_full() {
                return Ok(truth);
            }
            if self.stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(Error::Closed);
            }
            if waited >= OPENING
                && let Some(reason) = self.read_only.load_full()
            {
                return Err(Error::ReadOnly { reason: String::clone(&reason) });
            }
            std::thread::sleep(Duration::from_millis(1));
            waited += Duration::from_millis(1);
        }
    }
}
