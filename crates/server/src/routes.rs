//! Which handler answers which request, and which scope the request needs.

use crate::api::row::begin_counts;
use crate::api::{
    batch, change, changes, check, clusters, compare, document, duplicates, export, health, page,
    query, stats, tasks,
};
use crate::openapi;
use crate::paths::{CHANGES, CLUSTER, DOCUMENT, DOCUMENTS, EXPORT};
use crate::request::guard::{Access, Guard, guard};
use crate::request::problem::{Kind, Problem};
use crate::request::token::Scope;
use crate::shared::{Shared, json};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post, put};
use axum::{Extension, Router};
use std::sync::Arc;

/// The handlers, each at its path, behind the guard of its scope.
pub(crate) fn router(service: Shared, access: &Access) -> Router {
    let keep = |router: Router<Shared>, scope| match access {
        Access::Tokens(tokens) => {
            router.route_layer(from_fn_with_state(Guard::new(Arc::clone(tokens), scope), guard))
        }
        Access::All(caller) => router.route_layer(Extension(caller.clone())),
    };
    begin_counts(&service.observer.metrics);
    let metrics = Router::new().route("/metrics", get(health::metrics));
    let by_token = matches!(access, Access::Tokens(_));
    let described =
        openapi::describe(service.store.settings(), by_token, service.config.open_metrics);
    let described = Arc::new(described);
    let open = Router::new()
        .route("/openapi.json", get(async move || json(&*described)))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz));
    let read = Router::new()
        .route("/v1/check", post(check::check))
        .route("/v1/query", post(query::query))
        .route("/v1/compare", post(compare::compare))
        .route("/v1/get", post(document::get_by_body))
        .route(DOCUMENTS, get(export::page))
        .route(EXPORT, get(export::export))
        .route(CHANGES, get(changes::changes))
        .route(DOCUMENT, get(document::get))
        .route("/v1/stats", get(stats::stats))
        .route("/v1/recipe", get(stats::recipe))
        .route("/v1/duplicates", get(duplicates::duplicates))
        .route("/v1/clusters", get(clusters::list))
        .route(CLUSTER, get(clusters::members))
        // A batch that writes checks the scope itself.
        .route("/v1/batch", post(batch::batch));
    let write = Router::new()
        .route("/v1/add", post(change::add))
        .route("/v1/check-and-add", post(change::check_and_add))
        .route("/v1/check-and-put", post(change::check_and_put))
        .route("/v1/delete", post(document::delete_by_body))
        .route(DOCUMENT, put(document::put).delete(document::delete))
        .route_layer(from_fn_with_state(Arc::clone(&service), only_of_a_leader));
    let admin = Router::new()
        .route("/v1/compact", post(tasks::begin_compaction).get(tasks::compaction))
        .route("/v1/verify", post(tasks::begin_verification).get(tasks::verification))
        .route("/v1/deletions", post(tasks::begin_deletion).get(tasks::deletion))
        .route("/v1/snapshots", post(tasks::begin_snapshot).get(tasks::snapshot))
        .route("/v1/clusters", post(clusters::begin));
    let metrics = if service.config.open_metrics { metrics } else { keep(metrics, Scope::Read) };
    open.merge(page::routes())
        .merge(metrics)
        .merge(keep(read, Scope::Read))
        .merge(keep(write, Scope::Write))
        .merge(keep(admin, Scope::Admin))
        .fallback(async || {
            Problem::new(
                Kind::NotFound,
                "there is nothing at this path; /openapi.json lists all paths",
            )
        })
        .method_not_allowed_fallback(async || {
            Problem::new(
                Kind::Method,
                "this path does not take this method; the header Allow lists its methods",
            )
        })
        .with_state(service)
}

/// Lets a write pass unless the store is a copy.
async fn only_of_a_leader(
    State(service): State<Shared>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    service.takes_writes()?;
    Ok(next.run(request).await)
}
