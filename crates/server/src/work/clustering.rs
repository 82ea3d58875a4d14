//! The search for clusters: a client starts it, it runs in the background, and its result is kept until the
//! next one.

use crate::request::problem::{Kind, Problem};
use nearprint_store::Clusters;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The search under way, of which there is one at most, and the last result.
#[derive(Default)]
pub(crate) struct Clustering(Mutex<State>);

#[derive(Clone, Default)]
pub(crate) struct State {
    /// The search under way.
    pub(crate) running: Option<Run>,
    /// Why the last search failed.
    pub(crate) failed: Option<String>,
    pub(crate) found: Option<Arc<Found>>,
}

/// One search for clusters.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The radius, of a store within a radius.
    pub(crate) k: Option<u32>,
    /// When it began, in milliseconds since 1970.
    pub(crate) begun: u64,
    start: Instant,
}

/// The result of a search.
pub(crate) struct Found {
    pub(crate) run: Run,
    pub(crate) seconds: f64,
    pub(crate) clusters: Clusters,
}

impl Clustering {
    /// Notes that a search begins. Refused while another one is under way.
    pub(crate) fn begin(&self, k: Option<u32>) -> Result<Run, Problem> {
        let mut state = self.lock();
        if state.running.is_some() {
            return Err(Problem::new(Kind::UnderWay, "a search for clusters is under way already"));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let run = Run { k, begun, start: Instant::now() };
        state.running = Some(run);
        Ok(run)
    }

    /// Notes how a search ended.
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
