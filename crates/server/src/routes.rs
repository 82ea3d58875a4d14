//! The router: the endpoints of the table and the files of the page, each behind its gate.

use crate::api::page;
use crate::api::row::begin_counts;
use crate::endpoints::{ENDPOINTS, Endpoint, Made};
use crate::openapi;
use crate::request::arrival::{Arrival, Route};
use crate::request::guard::{Access, Gate, enter};
use crate::request::problem::{Kind, Problem};
use crate::shared::Shared;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use std::sync::Arc;

/// The handlers, each at its path, behind the gate of its scope.
pub(crate) fn router(service: Shared, access: &Access) -> Router {
    begin_counts(&service.observer.metrics);
    let by_token = matches!(access, Access::Tokens(_));
    let open_metrics = service.config.open_metrics;
    let described = openapi::describe(service.store.settings(), by_token, open_metrics);
    let described = Arc::new(described);
    let mut router = Router::new();
    for endpoint in ENDPOINTS {
        let method = endpoint.method.filter();
        let mut handler = (endpoint.handler)(&Made { method, described: Arc::clone(&described) });
        let scope = endpoint.scope(open_metrics);
        if endpoint.writes() {
            let leads = from_fn_with_state(Arc::clone(&service), only_of_a_leader);
            handler = handler.route_layer(leads);
        }
        let gate = Gate::new(endpoint.route(), scope, access);
        let handler = handler.route_layer(from_fn_with_state(gate, enter));
        router = router.route(endpoint.path, handler);
    }
    for (route, file) in page::files() {
        let gate = Gate::new(route, None, access);
        router = router.route(route.template, file.route_layer(from_fn_with_state(gate, enter)));
    }
    router
        .fallback(async |request: Request| {
            let detail = match request.uri().path().starts_with("/v1/documents/") {
                true => "an id is one part of the path: write each / in it as %2F, and percent-encode what else it asks for",
                false => "there is nothing at this path; /openapi.json lists all paths",
            };
            refuse(&request, Route::NONE, Kind::NotFound, detail)
        })
        .method_not_allowed_fallback(async |matched: MatchedPath, request: Request| {
            let detail = "this path does not take this method; the header Allow lists its methods";
            refuse(&request, route_of(matched.as_str()), Kind::Method, detail)
        })
        .with_state(service)
}

/// The route of this template.
fn route_of(template: &str) -> Route {
    let endpoints = ENDPOINTS.iter().find(|endpoint| endpoint.path == template);
    let route = endpoints.map(Endpoint::route);
    route.or_else(|| page::route_of(template)).unwrap_or(Route::NONE)
}

/// The answer to a request that leads to no handler.
fn refuse(request: &Request, route: Route, kind: Kind, detail: &'static str) -> Problem {
    match Arrival::enter(request, route) {
        Ok(()) => Problem::new(kind, detail),
        Err(problem) => problem,
    }
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
