//! `POST /v1/compact`: makes one segment of all, while other requests go on.

use crate::request::problem::{Kind, Problem};
use crate::shared::Shared;
use axum::extract::State;
use axum::http::StatusCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Begins a compaction, which takes minutes, and does not wait for it. The figures tell when it is done.
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
