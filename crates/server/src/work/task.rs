//! A long task: a client starts it, it runs in the background, and how it ended is kept until the next one.

use crate::request::problem::{Kind, Problem};
use nearprint_store::behind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

/// The task of a kind that is under way, of which there is one at most, and how the last one ended. `A`: what was
/// asked for. `R`: the result.
pub(crate) struct Task<A, R> {
    /// What is under way, for the log and for clients: "a compaction".
    name: &'static str,
    /// Says, for the log, what was asked for, and what came of it where that is known.
    told: fn(&A, Option<&R>) -> String,
    state: Mutex<State<A, R>>,
}

pub(crate) struct State<A, R> {
    pub(crate) running: Option<Run<A>>,
    /// Why the last one failed; `None` once one has ended well.
    pub(crate) failed: Option<Failed<A>>,
    /// The last one that ended well.
    pub(crate) ended: Option<Arc<Ended<A, R>>>,
}

/// One task.
#[derive(Clone)]
pub(crate) struct Run<A> {
    pub(crate) asked: A,
    /// When it began, in milliseconds since 1970.
    pub(crate) begun: u64,
    start: Instant,
}

/// A task that failed.
#[derive(Clone)]
pub(crate) struct Failed<A> {
    pub(crate) run: Run<A>,
    pub(crate) seconds: f64,
    pub(crate) reason: String,
}

/// A task that ended well.
pub(crate) struct Ended<A, R> {
    pub(crate) run: Run<A>,
    pub(crate) seconds: f64,
    pub(crate) result: R,
}

impl<A: Clone + Send + Sync + 'static, R: Send + Sync + 'static> Task<A, R> {
    pub(crate) fn new(name: &'static str, told: fn(&A, Option<&R>) -> String) -> Self {
        let state = Mutex::new(State { running: None, failed: None, ended: None });
        Self { name, told, state }
    }

    /// Begins a task behind the threads that answer, and does not wait for it. `work` returns an error soon after its last
    /// argument says that the server stops. The log says who asks.
    ///
    /// # Errors
    /// One is under way.
    pub(crate) fn begin(
        self: &Arc<Self>,
        stopping: &watch::Receiver<bool>,
        asker: &str,
        asked: A,
        work: impl FnOnce(&A, &(dyn Fn() -> bool + Sync)) -> Result<R, String> + Send + 'static,
    ) -> Result<(), Problem> {
        let run = self.enter(asked)?;
        let (task, what) = (self.name, (self.told)(&run.asked, None));
        tracing::info!(task, asker, what, "a task begins");
        self.start(stopping, run, |asked, stopped| work(asked, stopped).map(Some));
        Ok(())
    }

    /// Begins a round of what the server does by itself, as [`Self::begin`] begins a task. Where `work` returns
    /// `None`, there was nothing to do, and nothing is told of it.
    ///
    /// # Errors
    /// A task of this kind is under way.
    pub(crate) fn begin_round(
        self: &Arc<Self>,
        stopping: &watch::Receiver<bool>,
        asked: A,
        work: impl FnOnce(&A, &(dyn Fn() -> bool + Sync)) -> Result<Option<R>, String> + Send + 'static,
    ) -> Result<(), Problem> {
        let run = self.enter(asked)?;
        self.start(stopping, run, work);
        Ok(())
    }

    fn start(
        self: &Arc<Self>,
        stopping: &watch::Receiver<bool>,
        run: Run<A>,
        work: impl FnOnce(&A, &(dyn Fn() -> bool + Sync)) -> Result<Option<R>, String> + Send + 'static,
    ) {
        let (task, stopping) = (Arc::clone(self), stopping.clone());
        tokio::task::spawn_blocking(move || {
            let result = behind(|| work(&run.asked, &|| *stopping.borrow()));
            task.leave(run, result);
        });
    }

    /// Notes that a task begins.
    fn enter(&self, asked: A) -> Result<Run<A>, Problem> {
        let mut state = self.lock();
        if state.running.is_some() {
            return Err(Problem::new(
                Kind::UnderWay,
                format!("{} is under way already", self.name),
            ));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let run = Run { asked, begun, start: Instant::now() };
        state.running = Some(run.clone());
        Ok(run)
    }

    /// Notes how a task ended.
    fn leave(&self, run: Run<A>, result: Result<Option<R>, String>) {
        let (seconds, task) = (run.start.elapsed().as_secs_f64(), self.name);
        let what = (self.told)(&run.asked, result.as_ref().ok().and_then(Option::as_ref));
        let mut state = self.lock();
        state.running = None;
        match result {
            Ok(None) => {}
            Ok(Some(result)) => {
                tracing::info!(task, what, seconds, "a task ended");
                state.failed = None;
                state.ended = Some(Arc::new(Ended { run, seconds, result }));
            }
            Err(reason) => {
                tracing::warn!(task, what, seconds, reason, "a task failed");
                state.failed = Some(Failed { run, seconds, reason });
            }
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.lock().running.is_some()
    }

    pub(crate) fn state(&self) -> State<A, R> {
        let state = self.lock();
        State {
            running: state.running.clone(),
            failed: state.failed.clone(),
            ended: state.ended.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<A, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
