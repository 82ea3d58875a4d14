//! `POST /v1/compact`: one segment of all, while everything else goes on.

use crate::request::problem::{Kind, Problem};
use crate::shared::Shared;
use axum::extract::State;
use axum::http::StatusCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Begins a compaction and does not wait for it, which takes minutes; the figures tell when it is done.
pub(crate) async fn compact(State(service): State<Shared>) -> Result<StatusCode, Problem> {
    if service.compacting.swap(true, Ordering::AcqRel) {
        return Err(Problem::new(Kind::UnderWay, "a compaction is under way"));
    }
    let shared = Arc::clone(&service);
    tokio::task::spawn_blocking(move || {
        match shared.store.compact() {
            Ok(()) => tracing::info!("compacted"),
            Err(error) => tracing::warn!(%error, "the compaction failed"),
        }
        shared.compacting.store(false, Ordering::Release);
    });
    Ok(StatusCode::ACCEPTED)
}
