//! `GET /v1/stats` and `GET /v1/recipe`: the figures and the recipe of the store.

use crate::api::row::MeasureName;
use crate::follow::replica_state::FollowBody;
use crate::request::problem::Problem;
use crate::shared::{Shared, json};
use axum::extract::State;
use axum::response::Response;
use nearprint_fingerprint::BandShape;
use nearprint_store::{SegmentStats, Settings, Stats, Threshold};
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
    /// The radius that the tables are made for, in bits, of a store within a radius. Searches within a larger
    /// one are slow.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    finds: FindingBody,
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
    /// In a store by similarity: keys of bands in segments that more than 256 documents have. A search that meets
    /// such a key is slower.
    #[serde(skip_serializing_if = "Option::is_none")]
    crowded: Option<u64>,
    /// In a store by similarity: searches since the server started that met a crowded key.
    #[serde(skip_serializing_if = "Option::is_none")]
    crowded_searches: Option<u64>,
    /// Requests to write that wait.
    waiting: usize,
    /// Segments that were found damaged since the server started, the last hundred. Each is made anew.
    damaged: usize,
    /// Documents of damaged segments that are not made anew yet: searches read each of them.
    scanned: u64,
    /// Whether the store takes no writes, for instance on a full disk. The server's log says why.
    read_only: bool,
    /// The place of the store in the order of its writes, which `/v1/changes?after=` takes.
    position: String,
    /// Where the store is a copy of another one: how far it is behind that.
    #[serde(skip_serializing_if = "Option::is_none")]
    follows: Option<FollowBody>,
}

/// How a store finds near-duplicates.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingBody {
    by: FindingName,
    /// The least similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// The share of the pairs of exactly that similarity that are found, at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<f64>,
    /// Bands of a sketch.
    #[serde(skip_serializing_if = "Option::is_none")]
    bands: Option<u32>,
    /// Rows of a band.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u32>,
    /// What the similarity of an answer is one of.
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<MeasureName>,
}

/// What decides.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FindingName {
    /// The distance of fingerprints.
    Radius,
    /// The similarity of features.
    Similarity,
}

impl From<&Threshold> for FindingBody {
    fn from(threshold: &Threshold) -> Self {
        let shape = threshold.bands().ok().flatten();
        let (by, recall) = match *threshold {
            Threshold::Radius(_) => (FindingName::Radius, None),
            Threshold::Similarity { recall, .. } | Threshold::Cosine { recall, .. } => {
                (FindingName::Similarity, Some(recall))
            }
        };
        let (similarity, measure) = threshold.least().unzip();
        let measure = measure.map(MeasureName::from);
        let (bands, rows) = (shape.map(BandShape::bands), shape.map(BandShape::rows));
        Self { by, similarity, recall, bands, rows, measure }
    }
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
    /// The radius, in bits, of a store within a radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    finds: FindingBody,
    /// The whole recipe, as TOML.
    toml: Option<String>,
}

pub(crate) async fn stats(State(service): State<Shared>) -> Result<Response, Problem> {
    let shared = Arc::clone(&service);
    let stats = service.figures.for_request(move || shared.store.stats()).await??;
    let follows = service.following.as_ref().map(|following| following.body(stats.commits));
    let position = service.store.position().to_string();
    let body = StatsBody::of(stats, service.store.settings(), service.config.keep_text);
    json(&StatsBody { position, follows, ..body })
}

pub(crate) async fn recipe(State(service): State<Shared>) -> Result<Response, Problem> {
    let Settings { recipe, width, threshold } = service.store.settings();
    json(&RecipeBody {
        name: recipe.as_ref().map(|recipe| recipe.name.clone()),
        id: recipe.as_ref().map(|recipe| recipe.id().to_string()),
        width: width.bits(),
        k: threshold.radius(),
        finds: threshold.into(),
        toml: recipe.as_ref().map(|recipe| recipe.to_toml()),
    })
}

impl StatsBody {
    fn of(stats: Stats, settings: &Settings, keep_text: usize) -> Self {
        let by_similarity = settings.threshold.radius().is_none();
        let of_segments: u64 = stats.segments.iter().map(|segment| segment.bytes).sum();
        let row =
            |&SegmentStats { documents, gone, bytes }: &_| SegmentRow { documents, gone, bytes };
        Self {
            version: env!("CARGO_PKG_VERSION"),
            keep_text,
            documents: stats.documents,
            width: settings.width.bits(),
            k: settings.threshold.radius(),
            finds: (&settings.threshold).into(),
            recipe: settings.recipe.as_ref().map(|recipe| recipe.name.clone()),
            recipe_id: settings.id().map(|id| id.to_string()),
            recent: stats.recent,
            segments: stats.segments.iter().map(row).collect(),
            database_bytes: stats.database_bytes,
            bytes: stats.database_bytes + of_segments,
            commits: stats.commits,
            flushes: stats.flushes,
            merges: stats.merges,
            crowded: by_similarity.then_some(stats.crowded),
            crowded_searches: by_similarity.then_some(stats.crowded_searches),
            waiting: stats.waiting,
            damaged: stats.damage.len(),
            scanned: stats.scanned,
            read_only: stats.read_only.is_some(),
            position: String::new(),
            follows: None,
        }
    }
}
