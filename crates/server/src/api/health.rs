//! `GET /healthz`, `GET /readyz` and `GET /metrics`: for monitoring.

use crate::request::parameters;
use crate::request::problem::{Kind, Problem};
use crate::shared::{Service, Shared};
use crate::work::exposition::Format;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What a server must be ready for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// For all that the server takes if this is not said.
    r#for: Option<What>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    /// Checks and queries, which a full disk does not stop.
    Reads,
    Writes,
}

/// The parameter of readiness.
pub(crate) fn parameters() -> Value {
    json!([{ "name": "for", "in": "query",
        "description": "What the server must be ready for; for all that it takes if this is not said, which of a \
                        replica are reads",
        "schema": { "type": "string", "enum": ["reads", "writes"] } }])
}

/// The process answers.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// The server takes requests, of every kind or of the kind asked for: nobody is stopping the server, and for
/// writes the store takes them. A copy takes no writes and says so; it is ready for reads once it has caught up with its
/// leader.
pub(crate) async fn readyz(
    State(service): State<Shared>,
    uri: Uri,
) -> Result<Cow<'static, str>, Problem> {
    let Asked { r#for: what } = parameters::parse(&uri)?;
    if service.draining.load(Ordering::Relaxed) || *service.stopping.borrow() {
        return Err(Problem::closing());
    }
    if let Some(following) = &service.following {
        if what == Some(What::Writes) {
            service.takes_writes().map_err(Problem::not_ready)?;
        }
        following.ready().map_err(|why| Problem::new(Kind::NotFollowing, why))?;
        let leader = &following.leader;
        return Ok(
            format!("ready for reads: a read-only replica; send writes to {leader}\n").into()
        );
    }
    if what != Some(What::Reads) && !service.store.takes_writes() {
        let detail = "writes fail at the moment; the server's log says why";
        return Err(Problem::new(Kind::ReadOnly, detail));
    }
    Ok("ready\n".into())
}

pub(crate) async fn metrics(
    State(service): State<Shared>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shared = Arc::clone(&service);
    let figures = move || (shared.store.stats(), shared.load());
    let (stats, load) = service.figures.for_request(figures).await?;
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let format = Format::accepted(accept);
    let stats = stats?;
    let follow = service.following.as_ref().map(|following| following.body(stats.commits));
    let Service { observer, duplicates, .. } = &*service;
    let text = observer.metrics.text(&stats, duplicates, &load, follow.as_ref(), format);
    let text = text.map_err(|_| Problem::lost())?;
    Ok(([(header::CONTENT_TYPE, format.name())], text).into_response())
}
