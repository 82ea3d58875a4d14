//! `GET /v1/duplicates`: figures of the duplicates that were answered since the server started.

use crate::request::problem::Problem;
use crate::shared::{Shared, json};
use crate::work::duplicates::Most;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

/// Most documents that an answer names.
const NAMED: usize = 20;

/// Figures of the duplicates that were answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DuplicatesBody {
    /// When counting began, in milliseconds since 1970.
    since: u64,
    /// Documents that were checked, before they were added or not.
    checked: u64,
    /// All duplicates that were answered.
    answered: u64,
    /// The distances that occurred, the nearest first.
    by_distance: Vec<DistanceRow>,
    /// The stored documents that had the most duplicates.
    most: Vec<SpikeRow>,
    /// By how much a count in `most` may be too low.
    missed: u64,
}

/// How many duplicates had this distance.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DistanceRow {
    /// Bits in which the fingerprints differ.
    distance: u32,
    /// How many duplicates.
    count: u64,
}

/// A stored document, with how many duplicates of it were answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SpikeRow {
    /// Its id.
    id: Box<str>,
    /// How many duplicates.
    count: u64,
}

pub(crate) async fn duplicates(State(service): State<Shared>) -> Result<Response, Problem> {
    let counted = &service.duplicates;
    let by_distance: Vec<_> =
        counted.by_distance().map(|(distance, count)| DistanceRow { distance, count }).collect();
    let Most { documents, missed } = counted.most(NAMED);
    json(&DuplicatesBody {
        since: counted.since,
        checked: counted.checked(),
        answered: by_distance.iter().map(|row| row.count).sum(),
        by_distance,
        most: documents.into_iter().map(|(id, count)| SpikeRow { id, count }).collect(),
        missed,
    })
}
