//! `POST /v1/query`: the stored documents near a content or a stored document.

use crate::api::subject::{Subject, stored};
use crate::api::submission::known;
use crate::request::json as reading;
use crate::request::json::{present, whole};
use crate::request::problem::Problem;
use crate::shared::{Service, Shared, json};
use crate::work::payload::{Features, Payload};
use axum::body::Body;
use axum::extract::State;
use axum::http::Request;
use axum::response::Response;
use nearprint_fingerprint::{FeatureSet, Similarity};
use nearprint_store::{Near, Settings};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Neighbours of an answer, unless the request says otherwise.
const LIMIT: u32 = 10;
/// Most neighbours that a request can ask for.
pub(crate) const MOST: u32 = 1000;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    #[serde(default, deserialize_with = "present")]
    id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    text: Option<String>,
    #[serde(default, deserialize_with = "present")]
    html: Option<String>,
    #[serde(default, deserialize_with = "present")]
    features: Option<Features>,
    #[serde(default, deserialize_with = "present")]
    fingerprint: Option<String>,
    #[serde(default, deserialize_with = "present")]
    language: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    k: Option<u32>,
    #[serde(default, deserialize_with = "whole")]
    limit: Option<u32>,
    #[serde(default)]
    explain: bool,
}

/// The documents that are near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Neighbors {
    /// The fingerprint whose neighbours these are, in hexadecimal digits.
    fingerprint: String,
    /// The radius, in bits.
    k: u32,
    /// The nearest first; of several equally near the oldest first.
    neighbors: Vec<NeighborRow>,
}

/// A stored document that is near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NeighborRow {
    /// Its id.
    id: String,
    /// Bits in which the fingerprints differ.
    distance: u32,
    /// With "explain": the share of features that both have (Jaccard); null if the features of one are not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<Option<f64>>,
}

pub(crate) async fn query(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let body = service.body(request).await?;
    let Query { id, text, html, features, fingerprint, language, k, limit, explain } =
        reading::parse(&body)?;
    let content = Payload::one(text, html, features, fingerprint)?;
    let subject = Subject::one(id, content, known(language)?)?;
    let k = radius(&service, k)?;
    let limit = limit.unwrap_or(LIMIT);
    if limit > MOST {
        return Err(Problem::field("/limit", format!("an answer has at most {MOST} neighbours")));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let subject = subject.known(&service).await?;
    let fingerprint = subject.sketch.fingerprint;
    let near = if subject.sketch.flags.empty {
        Vec::new()
    } else if k <= service.store.settings().k {
        service.store.query(fingerprint, k, limit)?
    } else {
        // Every stored fingerprint is compared.
        let shared = Arc::clone(&service);
        service.threads.for_request(move || shared.store.query(fingerprint, k, limit)).await??
    };
    let features = if explain { Some(subject.features(&service)?) } else { None };
    let mut neighbors = Vec::with_capacity(near.len());
    for Near { id, distance } in near {
        let similarity = match &features {
            Some(features) => Some(similarity(&service, features.as_ref(), &id).await?),
            None => None,
        };
        neighbors.push(NeighborRow { id, distance, similarity });
    }
    json(&Neighbors { fingerprint: fingerprint.to_string(), k, neighbors })
}

/// The largest radius of a question: documents farther apart have nothing in common.
pub(crate) fn largest(settings: &Settings) -> u32 {
    settings.k.max(settings.width.bits() / 4)
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
        k => Ok(k.unwrap_or(settings.k)),
    }
}

/// The similarity to a neighbour, if the features of both are known.
async fn similarity(
    service: &Service,
    ours: Option<&FeatureSet>,
    id: &str,
) -> Result<Option<f64>, Problem> {
    let Some(ours) = ours else { return Ok(None) };
    let Some(document) = service.store.get(id)? else { return Ok(None) };
    let theirs = stored(document, service).await.features(service)?;
    Ok(theirs.map(|theirs| Similarity::of(ours, &theirs).jaccard))
}
