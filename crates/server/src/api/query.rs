//! `POST /v1/query`: the stored documents near a content or a stored document.

use crate::api::row::MeasureName;
use crate::api::subject::{Subject, stored};
use crate::api::submission::language_of;
use crate::request::guard::Caller;
use crate::request::json::{present_id, whole};
use crate::request::problem::Problem;
use crate::schema;
use crate::shared::{Service, Shared, json};
use crate::work::payload::with_content;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::Request;
use axum::response::Response;
use nearprint_fingerprint::{FeatureList, Overlap};
use nearprint_store::{Alike, Measure, NearDocument, Settings};
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::sync::Arc;
use utoipa::ToSchema;

/// Neighbours of an answer, unless the request says otherwise.
const LIMIT: u32 = 10;
/// Documents that are compared in the time of a request within the store's radius.
const COMPARED: u64 = 1000;
/// Most neighbours that a request can ask for.
const MOST: u32 = 1000;

with_content! {
    /// A question.
    struct Query {
        id: by "present_id",
        #[serde(default, deserialize_with = "whole")]
        k: Option<u32>,
        #[serde(default, deserialize_with = "whole")]
        limit: Option<u32>,
        #[serde(default)]
        explain: bool,
        /// A row of an export in place of a content: a document with its sketch. The owner of the store's files asks
        /// so, through the socket among them, for documents that a command has read.
        #[serde(default)]
        sketched: Option<Box<RawValue>>,
    }
}

/// The documents that are near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Neighbors {
    /// The fingerprint whose neighbours these are, in hexadecimal digits.
    fingerprint: String,
    /// The radius, in bits, of a store within a radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    /// The least similarity, of a store by similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// The nearest first, in a store by similarity the most alike; of several the oldest first.
    neighbors: Vec<NeighborRow>,
}

/// A stored document that is near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NeighborRow {
    /// Its id.
    id: String,
    /// Bits in which the fingerprints differ.
    distance: u32,
    /// In a store by similarity, or with "explain": how alike the documents are, by the measure beside it. With
    /// "explain" it is computed of the features; null if those of one are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<Option<f64>>,
    /// What that is one of.
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<MeasureName>,
}

/// How a question is described.
pub(crate) fn body(settings: &Settings) -> schema::Body {
    let mut asked = json!({
        "id": schema::stored_id(),
        "limit": { "type": "integer", "minimum": 0, "maximum": MOST, "default": LIMIT },
        "explain": { "type": "boolean", "default": false,
                     "description": "Give the similarity, if the texts are known" },
    });
    if settings.threshold.radius().is_some() {
        asked["k"] = json!({ "type": "integer", "minimum": 0, "maximum": largest(settings),
            "description": "The radius. Beyond the store's radius every document is compared, which is slow" });
    }
    let mut question = schema::content(settings, asked, &[]);
    question["description"] =
        "A question about exactly one content, or about a stored document".into();
    schema::Body::json("Query", question)
}

pub(crate) async fn query(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (_held, mut query): (_, Query) = service.read(request).await?;
    let content = query.content()?;
    let Query { id, language, k, limit, explain, sketched, .. } = query;
    let is_owner = matches!(caller, Caller::Owner);
    let subject = match sketched {
        Some(row) if is_owner => Subject::Sketched(service.rows.read(row.get())?.sketch),
        Some(_) => {
            let detail = "only the owner of the store's files sends sketches";
            return Err(Problem::field("/sketched", detail));
        }
        None => Subject::one(id, content, language_of(language)?)?,
    };
    let limit = limit.unwrap_or(LIMIT);
    if limit > MOST && !is_owner {
        return Err(Problem::field("/limit", format!("an answer has at most {MOST} neighbours")));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let threshold = service.store.settings().threshold;
    let within = match threshold.radius() {
        Some(store) if is_owner => Some((k.unwrap_or(store), store)),
        Some(store) => Some((radius(&service, k)?, store)),
        None if k.is_some() => return Err(Problem::no_radius()),
        None => None,
    };
    let subject = subject.looked_up(&service).await?;
    let sketch = subject.sketch.clone();
    let fingerprint = sketch.fingerprint;
    let near = match within {
        _ if sketch.flags.empty => Vec::new(),
        Some((k, store)) if k <= store => service.store.query(sketch, k, limit)?,
        None if !threshold.verifies() => service.store.near_duplicates(sketch, limit)?,
        Some((k, _)) => {
            // Every stored fingerprint is compared.
            caller.pays(u32::try_from(service.store.len() / COMPARED).unwrap_or(u32::MAX))?;
            let shared = Arc::clone(&service);
            service.scans.for_request(move || shared.store.query(sketch, k, limit)).await??
        }
        None => {
            // The features of all that is found are read.
            let shared = Arc::clone(&service);
            let search = move || shared.store.near_duplicates(sketch, limit);
            service.threads.for_request(search).await??
        }
    };
    let features = if explain { Some(subject.list(&service)?) } else { None };
    let mut neighbors = Vec::with_capacity(near.len());
    for NearDocument { id, distance, alike } in near {
        let explained = features.as_ref().filter(|_| !alike.is_some_and(is_exact));
        let alike = match explained {
            Some(ours) => similarity(&service, ours.as_ref(), &id).await?.or(alike),
            None => alike,
        };
        let (found, measure) = alike.map(|alike| (alike.similarity, alike.measure.into())).unzip();
        let asked = explain || found.is_some();
        neighbors.push(NeighborRow { id, distance, similarity: asked.then_some(found), measure });
    }
    let (k, similarity) = (within.map(|(k, _)| k), threshold.least().map(|(least, _)| least));
    json(&Neighbors { fingerprint: fingerprint.to_string(), k, similarity, neighbors })
}

/// The largest radius of a question: documents farther apart have nothing in common.
pub(crate) fn largest(settings: &Settings) -> u32 {
    store_radius(settings).max(settings.width.bits() / 4)
}

/// The store's radius; of a store by similarity the usual one.
pub(crate) fn store_radius(settings: &Settings) -> u32 {
    settings.threshold.radius().unwrap_or(settings.width.default_radius())
}

/// The radius asked for, or the store's.
pub(crate) fn radius(service: &Service, k: Option<u32>) -> Result<u32, Problem> {
    let settings = service.store.settings();
    let (most, width) = (largest(settings), settings.width);
    match k {
        Some(k) if k > most => {
            let detail = format!(
                "a radius has at most {most} of {width} bits: documents farther apart have nothing in \
                 common"
            );
            Err(Problem::field("/k", detail))
        }
        k => Ok(k.unwrap_or(store_radius(settings))),
    }
}

/// How alike a neighbour is, if the features of both are known.
async fn similarity(
    service: &Service,
    ours: Option<&FeatureList>,
    id: &str,
) -> Result<Option<Alike>, Problem> {
    let Some(ours) = ours else { return Ok(None) };
    let Some(document) = service.store.get(id)? else { return Ok(None) };
    let measure = service.sketcher.measure();
    let theirs = stored(document, service).await.list(service)?;
    Ok(theirs.map(|theirs| Alike {
        similarity: match measure {
            Measure::Cosine => ours.cosine(&theirs),
            _ => Overlap::of(ours.keys(), theirs.keys()).jaccard(),
        },
        measure,
    }))
}

/// Whether it was computed of all features.
fn is_exact(alike: Alike) -> bool {
    alike.measure.is_exact()
}
