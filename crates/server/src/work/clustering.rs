//! The clusters of what is stored: found in the background when somebody asks, and kept until the next
//! time.

use crate::request::problem::{Kind, Problem};
use nearprint_store::Clusters;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// One at a time, and the last that was found.
#[derive(Default)]
pub(crate) struct Clustering(Mutex<State>);

#[derive(Clone, Default)]
pub(crate) struct State {
    /// What is under way.
    pub(crate) running: Option<Run>,
    /// Why the last one found nothing.
    pub(crate) failed: Option<String>,
    pub(crate) found: Option<Arc<Found>>,
}

/// One search for clusters.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The radius.
    pub(crate) k: u32,
    /// When it began, in milliseconds since 1970.
    pub(crate) begun: u64,
    start: Instant,
}

/// What was found.
pub(crate) struct Found {
    pub(crate) run: Run,
    pub(crate) seconds: f64,
    pub(crate) clusters: Clusters,
}

impl Clustering {
    /// Notes that one begins; refused while another is under way.
    pub(crate) fn begin(&self, k: u32) -> Result<Run, Problem> {
        let mut state = self.lock();
        if state.running.is_some() {
            return Err(Problem::new(Kind::UnderWay, "clusters are being looked for already"));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let run = Run { k, begun, start: Instant::now() };
        state.running = Some(run);
        Ok(run)
    }

    /// Notes how one ended.
    pub(crate) fn end(&self, run: Run, result: Result<Clusters, String>) {
        let mut state = self.lock();
        state.running = None;
        match result {
            Ok(clusters) => {
                let seconds = run.start.elapsed().as_secs_f64();
                state.failed = None;
                state.found = Some(Arc::new(Found { run, seconds, clusters }));
            }
            Err(reason) => state.failed = Some(reason),
        }
    }

    pub(crate) fn state(&self) -> State {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
