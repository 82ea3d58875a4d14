//! `GET /v1/stats` and `GET /v1/recipe`: the figures and the recipe of the store.

use crate::request::problem::Problem;
use crate::shared::{Shared, json};
use axum::extract::State;
use axum::response::Response;
use nearprint_store::{SegmentStats, Settings, Stats};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The figures of the store.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatsBody {
    /// The release of the server.
    version: &'static str,
    /// The server keeps texts of up to so many bytes in the metadata of their documents; 0 for no texts.
    keep_text: usize,
    /// Documents stored.
    documents: u64,
    /// Bits of a fingerprint.
    width: u32,
    /// The radius that the tables are made for, in bits. Searches within a larger one are slow.
    k: u32,
    /// The name of the recipe; null if fingerprints come ready-made.
    recipe: Option<String>,
    /// The id of the recipe.
    recipe_id: Option<String>,
    /// Documents that are in no segment yet.
    recent: u64,
    /// The segments, the oldest documents first.
    segments: Vec<SegmentRow>,
    /// Bytes of the database.
    database_bytes: u64,
    /// Bytes of the database and all segments.
    bytes: u64,
    /// Groups of writes that were committed since the store was made.
    commits: u64,
    /// Segments made of recent documents since the server started.
    flushes: u64,
    /// Segments made of other segments since the server started.
    merges: u64,
    /// Requests to write that wait.
    waiting: usize,
    /// Whether the store takes no writes, for instance on a full disk. The server's log says why.
    read_only: bool,
}

/// The figures of a segment.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SegmentRow {
    /// Documents in it, deleted ones included.
    documents: u64,
    /// Deleted documents that are still in it.
    gone: u64,
    /// Bytes of its file.
    bytes: u64,
}

/// The recipe of the store.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecipeBody {
    /// Its name; null if fingerprints come ready-made.
    name: Option<String>,
    /// Its id. Recipes with the same id give the same fingerprints.
    id: Option<String>,
    /// Bits of a fingerprint.
    width: u32,
    /// The radius, in bits.
    k: u32,
    /// The whole recipe, as TOML.
    toml: Option<String>,
}

pub(crate) async fn stats(State(service): State<Shared>) -> Result<Response, Problem> {
    let shared = Arc::clone(&service);
    let stats = service.threads.for_request(move || shared.store.stats()).await??;
    json(&StatsBody::of(stats, service.store.settings(), service.config.keep_text))
}

pub(crate) async fn recipe(State(service): State<Shared>) -> Result<Response, Problem> {
    let Settings { recipe, width, k } = service.store.settings();
    json(&RecipeBody {
        name: recipe.as_ref().map(|recipe| recipe.name.clone()),
        id: recipe.as_ref().map(|recipe| recipe.id().to_string()),
        width: width.bits(),
        k: *k,
        toml: recipe.as_ref().map(|recipe| recipe.to_toml()),
    })
}

impl StatsBody {
    fn of(stats: Stats, settings: &Settings, keep_text: usize) -> Self {
        let of_segments: u64 = stats.segments.iter().map(|segment| segment.bytes).sum();
        let row =
            |&SegmentStats { documents, gone, bytes }: &_| SegmentRow { documents, gone, bytes };
        Self {
            version: env!("CARGO_PKG_VERSION"),
            keep_text,
            documents: stats.documents,
            width: settings.width.bits(),
            k: settings.k,
            recipe: settings.recipe.as_ref().map(|recipe| recipe.name.clone()),
            recipe_id: settings.id().map(|id| id.to_string()),
            recent: stats.recent,
            segments: stats.segments.iter().map(row).collect(),
            database_bytes: stats.database_bytes,
            bytes: stats.database_bytes + of_segments,
            commits: stats.commits,
            flushes: stats.flushes,
            merges: stats.merges,
            waiting: stats.waiting,
            read_only: stats.read_only.is_some(),
        }
    }
}
