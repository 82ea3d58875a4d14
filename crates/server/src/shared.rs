//! What all requests share.

use crate::config::Config;
use crate::follow::replica_state::ReplicaState;
use crate::observe::Observer;
use crate::platform::free_bytes;
use crate::request::allowance::Allowance;
use crate::request::body;
use crate::request::json as reading;
use crate::request::problem::{Kind, Problem};
use crate::request::threads::Threads;
use crate::work::duplicates::Duplicates;
use crate::work::load::Load;
use crate::work::metrics::Metrics;
use crate::work::place::Place;
use crate::work::sketcher::{Analysis, Sketcher};
use crate::work::task::Task;
use crate::work::unwanted::Unwanted;
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};
use axum::response::Response;
use bytes::Bytes;
use nearprint_store::{Clusters, Error as StoreError, Outcome, Rows, Store, Verified, Write};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::{Semaphore, oneshot, watch};

/// Most requests that wait for a thread, and are on one.
const WAITING: usize = 256;
/// Most questions at a time that compare every document.
const SCANS: usize = 8;
/// Most clients at a time that read changes.
pub(crate) const READERS: usize = 16;
/// Most requests for figures at a time.
const FIGURES: usize = 64;

/// What all requests share.
pub(crate) struct Service {
    pub(crate) store: Store,
    pub(crate) sketcher: Arc<Sketcher>,
    /// The rows of exports of this store.
    pub(crate) rows: Rows,
    /// Threads for long work.
    pub(crate) threads: Threads,
    /// Threads for questions that compare every document: none of the others waits for them.
    pub(crate) scans: Threads,
    /// A thread for figures, which nothing else holds up.
    pub(crate) figures: Threads,
    pub(crate) config: Config,
    pub(crate) observer: Arc<Observer>,
    /// Memory for bodies of requests.
    pub(crate) allowance: Allowance,
    /// Places for batches: each batch under way takes one.
    pub(crate) batches: Arc<Semaphore>,
    /// Places for those who read changes.
    pub(crate) readers: Arc<Semaphore>,
    /// How far the store is behind its leader, if it is a copy.
    pub(crate) following: Option<Arc<ReplicaState>>,
    pub(crate) duplicates: Duplicates,
    /// The search for clusters within a radius, if the store has one.
    pub(crate) clustering: Arc<Task<Option<u32>, Clusters>>,
    pub(crate) compaction: Arc<Task<(), ()>>,
    pub(crate) verification: Arc<Task<(), Verified>>,
    /// The deletion of many documents; the result is how many.
    pub(crate) deletion: Arc<Task<Unwanted, u64>>,
    /// The snapshot to a place; the result is its documents.
    pub(crate) snapshot: Arc<Task<Place, u64>>,
    /// Whether the server is about to be stopped, and still takes requests.
    pub(crate) draining: AtomicBool,
    /// Becomes true when the server stops.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// The state of every handler.
pub(crate) type Shared = Arc<Service>;

impl Service {
    pub(crate) fn new(
        store: Store,
        analysis: Analysis,
        config: Config,
        metrics: Metrics,
        stopping: watch::Receiver<bool>,
    ) -> Result<Self, StoreError> {
        let threads = Threads::new(config.workers(), WAITING);
        let sketcher = Sketcher::new(analysis, store.settings(), threads.clone())?;
        Ok(Self {
            duplicates: Duplicates::new(store.settings().width.bits()),
            clustering: Arc::new(Task::new("a search for clusters", |k, found| {
                let asked = k.map_or_else(String::new, |k| format!("within {k} bits; "));
                let found = found.map(|found| format!("{} clusters", found.clusters));
                asked + &found.unwrap_or_default()
            })),
            compaction: Arc::new(Task::new("a compaction", |(), _| String::new())),
            verification: Arc::new(Task::new("a verification", |(), verified| {
                verified.map_or_else(String::new, |found| format!("{} documents", found.documents))
            })),
            deletion: Arc::new(Task::new("a deletion", |unwanted, deleted| {
                let deleted = deleted.map(|count| format!(": {count} documents"));
                format!("{unwanted}{}", deleted.unwrap_or_default())
            })),
            snapshot: Arc::new(Task::new("a snapshot", |place, documents| {
                let documents = documents.map(|count| format!(": {count} documents"));
                format!("{}{}", place.name(), documents.unwrap_or_default())
            })),
            rows: Rows::of(store.settings())?,
            allowance: Allowance::new(store.options().memory, config.max_body),
            store,
            sketcher: Arc::new(sketcher),
            threads,
            scans: Threads::new((config.workers() / 2).max(1), SCANS),
            figures: Threads::new(1, FIGURES),
            // The time for the body and the time for the answer.
            observer: Arc::new(Observer::new(
                metrics,
                2 * config.request_time(),
                config.tokens.is_none(),
            )),
            batches: Arc::new(Semaphore::new(config.max_batches)),
            readers: Arc::new(Semaphore::new(READERS)),
            following: config.follow.as_ref().map(|it| Arc::new(ReplicaState::new(it.to_string()))),
            draining: AtomicBool::new(false),
            config,
            stopping,
        })
    }

    /// Refuses writes where the store is a copy.
    pub(crate) fn takes_writes(&self) -> Result<(), Problem> {
        match &self.following {
            None => Ok(()),
            Some(following) => {
                let leader = &following.leader;
                let detail =
                    format!("this server has a copy of the store: send writes to {leader}");
                Err(Problem::new(Kind::Copy, detail))
            }
        }
    }

    /// Reads the body of a request, and what stands in it. Whoever keeps the bytes as well keeps their share of the memory
    /// for bodies: until the answer is made.
    pub(crate) async fn read<T: DeserializeOwned + Send + 'static>(
        &self,
        request: Request<Body>,
    ) -> Result<(Bytes, T), Problem> {
        let body = self.body(request).await?;
        let is_small = body.len() <= body::ROOM;
        let read = move || {
            let read = reading::parse(&body)?;
            Ok((body, read))
        };
        if is_small { read() } else { self.threads.for_request(read).await? }
    }

    /// Reads the body of a request.
    pub(crate) async fn body(&self, request: Request<Body>) -> Result<Bytes, Problem> {
        body::read(request, &self.config, &self.threads, &self.allowance).await
    }

    /// What the server is busy with at this moment.
    pub(crate) fn load(&self) -> Load {
        Load {
            long: [("analysis", self.threads.requests()), ("scan", self.scans.requests())],
            tasks: [
                ("clusters", self.clustering.is_running()),
                ("compact", self.compaction.is_running()),
                ("verify", self.verification.is_running()),
                ("deletion", self.deletion.is_running()),
                ("snapshot", self.snapshot.is_running()),
            ],
            last_snapshot: self.snapshot.state().ended.map_or(0, |ended| ended.run.begun),
            free: free_bytes(self.store.path()),
        }
    }

    /// Does a write; returns when the write is durable.
    pub(crate) async fn write(&self, write: Write) -> Result<Outcome, Problem> {
        let (answer, outcomes) = oneshot::channel();
        // The client may have gone.
        let answer = move |outcomes| drop(answer.send(outcomes));
        self.store.submit(vec![write], answer).map_err(|refused| refused.error)?;
        let mut outcomes = outcomes.await.map_err(|_| Problem::closing())?;
        Ok(outcomes.pop().ok_or_else(Problem::lost)??)
    }
}

/// An answer in JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, Problem> {
    let body = serde_json::to_vec(value).map_err(|_| Problem::lost())?;
    let mut response = Response::new(Body::from(body));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Ok(response)
}
