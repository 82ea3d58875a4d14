//! Signals that ask the command to end: Ctrl-C, a terminal that closes, a scheduler. They set flags; a job
//! that is asked to end does so in its own time.

use crate::platform::{HEEDED, is_ignored};
use nearprint_dedup::Progress;
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::ffi::c_int;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::thread;
use std::time::Duration;

/// How often somebody looks whether a signal came.
const LOOK: Duration = Duration::from_millis(50);
/// How long a verb has to end whose work may not look at its progress.
const GRACE: Duration = Duration::from_secs(5);

/// Whether a signal came.
static CAME: AtomicBool = AtomicBool::new(false);
/// The number of the last one.
static LAST: AtomicUsize = AtomicUsize::new(0);
/// Whether a job runs that always ends by itself when it is asked to.
static ORDERLY: AtomicBool = AtomicBool::new(false);
static JOBS: Mutex<Vec<Weak<Progress>>> = Mutex::new(Vec::new());

/// A signal that asked the command to end.
#[derive(Clone, Copy)]
pub(crate) struct Signal(c_int);

impl Signal {
    /// The one that came, if one did.
    pub(crate) fn that_came() -> Option<Self> {
        let number = c_int::try_from(LAST.load(Ordering::SeqCst)).ok();
        number.filter(|number| *number > 0).map(Self)
    }

    /// The exit status by which shells tell it.
    pub(crate) fn status(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(1)
    }

    /// What somebody at the terminal calls it: nothing for Ctrl-C, whose sender reads the message.
    pub(crate) fn name(self) -> Option<&'static str> {
        if self.0 == SIGINT { None } else { signal_hook::low_level::signal_name(self.0) }
    }
}

/// Asks the job that moves `progress` to end when a signal comes, and ends the command five seconds later.
/// Ctrl-C ends it at once where a signal came before.
pub(crate) fn heed(progress: &Arc<Progress>) {
    static HEEDING: Once = Once::new();
    JOBS.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(progress));
    if CAME.load(Ordering::SeqCst) {
        progress.cancel();
    }
    HEEDING.call_once(|| {
        let ctrl_c = c_int::from(Signal(SIGINT).status());
        // A system that refuses leaves the signal to end the process.
        let _refused = flag::register_conditional_shutdown(SIGINT, ctrl_c, &CAME);
        for signal in HEEDED.into_iter().filter(|signal| !is_ignored(*signal)) {
            let number = usize::try_from(signal).unwrap_or_default();
            let _refused = flag::register_usize(signal, &LAST, number);
            let _refused = flag::register(signal, &CAME);
        }
        thread::spawn(watch);
    });
}

/// The same for a job that always ends by itself, and may take longer, as when it gives outputs their names.
pub(crate) fn heed_in_order(progress: &Arc<Progress>) {
    ORDERLY.store(true, Ordering::SeqCst);
    heed(progress);
}

/// Waits for a signal and hands it on.
fn watch() {
    while !CAME.load(Ordering::SeqCst) {
        thread::sleep(LOOK);
    }
    let jobs = std::mem::take(&mut *JOBS.lock().unwrap_or_else(PoisonError::into_inner));
    jobs.iter().filter_map(Weak::upgrade).for_each(|job| job.cancel());
    if ORDERLY.load(Ordering::SeqCst) {
        return;
    }
    thread::sleep(GRACE);
    if let Some(signal) = Signal::that_came() {
        let name = signal.name().unwrap_or("Ctrl-C");
        // That standard error may be closed changes nothing.
        let _written = writeln!(io::stderr().lock(), "error: ended by {name}");
        std::process::exit(signal.status().into());
    }
}
