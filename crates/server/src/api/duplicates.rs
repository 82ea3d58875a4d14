//! `GET /v1/duplicates`: the duplicates that were answered since the server was started.

use crate::request::problem::Problem;
use crate::shared::{Shared, json};
use crate::work::duplicates::Most;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

/// Documents that are named.
const NAMED: usize = 20;

/// The duplicates that were answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DuplicatesBody {
    /// When counting began, in milliseconds since 1970.
    since: u64,
    /// All of them.
    answered: u64,
    /// The distances that there were, the nearest first.
    by_distance: Vec<DistanceRow>,
    /// The stored documents that were named most often.
    most: Vec<SpikeRow>,
    /// By how much a count in `most` may be too low.
    missed: u64,
}

/// How many duplicates were as near as this.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DistanceRow {
    /// Bits in which the fingerprints differ.
    distance: u32,
    /// Duplicates.
    count: u64,
}

/// A stored document and how many duplicates of it were answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SpikeRow {
    /// Its id.
    id: Box<str>,
    /// Duplicates.
    count: u64,
}

pub(crate) async fn duplicates(State(service): State<Shared>) -> Result<Response, Problem> {
    let counted = &service.duplicates;
    let by_distance: Vec<_> =
        counted.by_distance().map(|(distance, count)| DistanceRow { distance, count }).collect();
    let Most { documents, missed } = counted.most(NAMED);
    json(&DuplicatesBody {
        since: counted.since,
        answered: by_distance.iter().map(|row| row.count).sum(),
        by_distance,
        most: documents.into_iter().map(|(id, count)| SpikeRow { id, count }).collect(),
        missed,
    })
}
