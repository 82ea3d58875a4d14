//! What all requests share, and which of them goes where.

use crate::api::{
    admin, batch, change, check, clusters, compare, document, duplicates, health, page, query,
    stats,
};
use crate::config::Config;
use crate::observe::Observer;
use crate::openapi;
use crate::request::guard::{Caller, Guard, guard};
use crate::request::problem::{Kind, Problem};
use crate::request::token::{Scope, Tokens};
use crate::work::clustering::Clustering;
use crate::work::duplicates::Duplicates;
use crate::work::metrics::Metrics;
use crate::work::sketcher::{Analysis, Sketcher};
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post, put};
use axum::{Extension, Router};
use nearprint_fingerprint::RecipeError;
use nearprint_store::{Outcome, Store, Write};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::{Semaphore, oneshot, watch};

/// All paths, as they are routed.
pub(crate) const PATHS: [&str; 19] = [
    "/v1/check",
    "/v1/add",
    "/v1/check-and-add",
    "/v1/query",
    "/v1/compare",
    "/v1/batch",
    "/v1/get",
    "/v1/delete",
    DOCUMENT,
    "/v1/stats",
    "/v1/recipe",
    "/v1/compact",
    "/v1/duplicates",
    "/v1/clusters",
    CLUSTER,
    "/openapi.json",
    "/healthz",
    "/readyz",
    "/metrics",
];
/// The path of a stored document.
const DOCUMENT: &str = "/v1/documents/{id}";
/// The path of a cluster.
const CLUSTER: &str = "/v1/clusters/{cluster}";

/// What all requests share.
pub(crate) struct Service<const WORDS: usize> {
    pub(crate) store: Store<WORDS>,
    pub(crate) sketcher: Arc<Sketcher<WORDS>>,
    pub(crate) config: Config,
    pub(crate) observer: Arc<Observer>,
    /// Places for batches.
    pub(crate) batches: Arc<Semaphore>,
    pub(crate) duplicates: Duplicates,
    pub(crate) clustering: Clustering,
    /// Whether a compaction is under way.
    pub(crate) compacting: AtomicBool,
    /// Becomes true when the server is to stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// The state of every handler.
pub(crate) type Shared<const WORDS: usize> = Arc<Service<WORDS>>;

impl<const WORDS: usize> Service<WORDS> {
    pub(crate) fn new(
        store: Store<WORDS>,
        analysis: Analysis,
        config: Config,
        metrics: Metrics,
        stopping: watch::Receiver<bool>,
    ) -> Result<Self, RecipeError> {
        Ok(Self {
            duplicates: Duplicates::new(store.settings().width.bits()),
            clustering: Clustering::default(),
            store,
            sketcher: Arc::new(Sketcher::new(analysis, config.workers())?),
            // The body and the answer have as much time each.
            observer: Arc::new(Observer::new(
                metrics,
                2 * config.request_time(),
                config.tokens.is_none(),
            )),
            batches: Arc::new(Semaphore::new(config.max_batches)),
            compacting: AtomicBool::new(false),
            config,
            stopping,
        })
    }

    /// Does a write; the answer comes when it is durable.
    pub(crate) async fn write(&self, write: Write<WORDS>) -> Result<Outcome, Problem> {
        let (answer, outcomes) = oneshot::channel();
        // Whoever asked may have gone.
        let answer = move |outcomes| drop(answer.send(outcomes));
        self.store.submit(vec![write], answer).map_err(|refused| refused.error)?;
        let mut outcomes = outcomes.await.map_err(|_| closing())?;
        Ok(outcomes.pop().ok_or_else(Problem::lost)??)
    }
}

/// The handlers, each at its path, behind who may ask for it.
pub(crate) fn router<const WORDS: usize>(
    service: Shared<WORDS>,
    tokens: Option<Arc<Tokens>>,
) -> Router {
    let keep = |router: Router<Shared<WORDS>>, scope| match &tokens {
        Some(tokens) => {
            router.route_layer(from_fn_with_state(Guard::new(Arc::clone(tokens), scope), guard))
        }
        None => router.route_layer(Extension(Caller::ANYBODY)),
    };
    let metrics = Router::new().route("/metrics", get(health::metrics::<WORDS>));
    let described =
        openapi::describe(service.store.settings(), tokens.is_some(), service.config.open_metrics);
    let described = Arc::new(described);
    let open = Router::new()
        .route("/openapi.json", get(async move || json(&*described)))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz::<WORDS>));
    let read = Router::new()
        .route("/v1/check", post(check::check::<WORDS>))
        .route("/v1/query", post(query::query::<WORDS>))
        .route("/v1/compare", post(compare::compare::<WORDS>))
        .route("/v1/get", post(document::get_by_body::<WORDS>))
        .route(DOCUMENT, get(document::get::<WORDS>))
        .route("/v1/stats", get(stats::stats::<WORDS>))
        .route("/v1/recipe", get(stats::recipe::<WORDS>))
        .route("/v1/duplicates", get(duplicates::duplicates::<WORDS>))
        .route("/v1/clusters", get(clusters::list::<WORDS>))
        .route(CLUSTER, get(clusters::members::<WORDS>))
        // What changes something asks for more itself.
        .route("/v1/batch", post(batch::batch::<WORDS>));
    let write = Router::new()
        .route("/v1/add", post(change::add::<WORDS>))
        .route("/v1/check-and-add", post(change::check_and_add::<WORDS>))
        .route("/v1/delete", post(document::delete_by_body::<WORDS>))
        .route(DOCUMENT, put(document::put::<WORDS>).delete(document::delete::<WORDS>));
    let admin = Router::new()
        .route("/v1/compact", post(admin::compact::<WORDS>))
        .route("/v1/clusters", post(clusters::begin::<WORDS>));
    let metrics = if service.config.open_metrics { metrics } else { keep(metrics, Scope::Read) };
    open.merge(page::routes())
        .merge(metrics)
        .merge(keep(read, Scope::Read))
        .merge(keep(write, Scope::Write))
        .merge(keep(admin, Scope::Admin))
        .fallback(async || {
            Problem::new(Kind::NotFound, "there is nothing at this path; /openapi.json lists all")
        })
        .method_not_allowed_fallback(async || {
            Problem::new(Kind::Method, "this path takes other methods: the header Allow lists them")
        })
        .with_state(service)
}

/// An answer in JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, Problem> {
    let body = serde_json::to_vec(value).map_err(|_| Problem::lost())?;
    let mut response = Response::new(Body::from(body));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Ok(response)
}

fn closing() -> Problem {
    Problem::new(Kind::Closing, "the server is being stopped")
}
