//! `GET /healthz`, `GET /readyz` and `GET /metrics`: for monitoring.

use crate::request::problem::{Kind, Problem};
use crate::shared::Shared;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The text format of OpenMetrics.
const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The process answers.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// The server takes requests of every kind: the store takes writes, and nobody is stopping the server.
pub(crate) async fn readyz(State(service): State<Shared>) -> Result<&'static str, Problem> {
    if *service.stopping.borrow() {
        return Err(Problem::closing());
    }
    if !service.store.takes_writes() {
        let detail = "writes fail at the moment; the server's log says why";
        return Err(Problem::new(Kind::ReadOnly, detail));
    }
    Ok("ready\n")
}

pub(crate) async fn metrics(State(service): State<Shared>) -> Result<Response, Problem> {
    let shared = Arc::clone(&service);
    let stats = service.figures.for_request(move || shared.store.stats()).await??;
    let text =
        service.observer.metrics.text(&stats, &service.duplicates).map_err(|_| Problem::lost())?;
    Ok(([(header::CONTENT_TYPE, TYPE)], text).into_response())
}
