//! `POST /v1/clusters`, `GET /v1/clusters` and `GET /v1/clusters/{cluster}`: the clusters of stored documents,
//! the largest first.

use crate::api::query::radius;
use crate::api::row::NearRow;
use crate::request::guard::Caller;
use crate::request::json as reading;
use crate::request::json::whole;
use crate::request::problem::{Kind, Problem};
use crate::schema;
use crate::shared::{Service, Shared, json};
use crate::work::task::{Ended, Failed, Run, State as Clustered};
use axum::Extension;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{Request, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use nearprint_store::Error as StoreError;
use nearprint_store::{Clusters, Limits, Settings, bytes_a_document};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::ToSchema;

/// Most clusters that are kept, and most members of each.
const KEPT: usize = 1000;
/// Rows of an answer, unless the request says otherwise.
const LIMIT: u32 = 20;
/// Most rows of an answer.
const MOST: u32 = 1000;
/// Ids of members in a row of a cluster.
const EXAMPLES: usize = 3;
/// The path of the clusters.
pub(crate) const PATH: &str = "/v1/clusters";

/// A request for a search.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    #[serde(default, deserialize_with = "whole")]
    k: Option<u32>,
}

/// The rows that a request asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    #[serde(default)]
    offset: u32,
    limit: Option<u32>,
}

/// The search for clusters under way, and what the last one found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClustersBody {
    /// The search under way.
    running: Option<RunRow>,
    /// Why the last search failed.
    failed: Option<String>,
    /// What the last search found.
    found: Option<FoundBody>,
}

/// A search for clusters.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunRow {
    /// The radius, in bits, of a store within a radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    /// The least similarity, of a store by similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// When it began, in milliseconds since 1970.
    begun: u64,
}

/// What a search found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FoundBody {
    /// The radius, in bits, of a store within a radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    /// The least similarity, of a store by similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// When the search began, in milliseconds since 1970. It does not cover documents stored later.
    begun: u64,
    /// How long the search took.
    seconds: f64,
    /// Documents that were compared.
    documents: u64,
    /// Clusters of two or more documents.
    clusters: u64,
    /// Documents in them.
    clustered: u64,
    /// How many clusters have how many documents, in classes, the smallest first.
    sizes: Vec<SizeRow>,
    /// How many clusters are kept: the largest ones.
    kept: usize,
    /// The clusters that the request asked for, the largest first.
    largest: Vec<ClusterRow>,
}

/// A class of clusters by their sizes. It reaches to the next power of two.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SizeRow {
    /// The least number of documents.
    from: u64,
    /// The most.
    to: u64,
    /// How many clusters.
    clusters: u64,
}

/// A cluster.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClusterRow {
    /// Its number, by which a request asks for its members. It is valid until the next search.
    cluster: u32,
    /// Documents in it.
    size: u64,
    /// Ids of its oldest documents.
    examples: Vec<String>,
}

/// The members of a cluster.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClusterBody {
    /// When the search that found the cluster began, in milliseconds since 1970.
    begun: u64,
    /// Its number.
    cluster: u32,
    /// Documents in the cluster when it was found.
    size: u64,
    /// The oldest first, with their distances from the first, and in a store by similarity with how alike they
    /// are. Removed documents are left out.
    members: Vec<NearRow>,
}

/// How a request for a search is described.
pub(crate) fn body(settings: &Settings) -> schema::Body {
    let wanted = match settings.threshold.radius() {
        Some(k) => json!({ "k": { "type": "integer", "minimum": 0, "maximum": k } }),
        None => json!({}),
    };
    let wanted = json!({ "type": "object", "properties": wanted, "additionalProperties": false });
    schema::Body { is_required: false, ..schema::Body::json("ClusterSearch", wanted) }
}

/// The parameters that select rows.
pub(crate) fn parameters() -> Value {
    json!([
        { "name": "offset", "in": "query", "description": "How many rows to skip",
          "schema": { "type": "integer", "minimum": 0, "maximum": u32::MAX } },
        { "name": "limit", "in": "query", "description": "The most rows to answer",
          "schema": { "type": "integer", "minimum": 0, "maximum": MOST } },
    ])
}

/// The same of a cluster.
pub(crate) fn member_parameters() -> Value {
    let mut parameters = parameters();
    if let Value::Array(parameters) = &mut parameters {
        parameters.push(json!({ "name": "cluster", "in": "path", "required": true,
            "description": "The number of the cluster, valid until the next search",
            "schema": { "type": "integer", "minimum": 0, "maximum": u32::MAX } }));
    }
    parameters
}

/// Begins a search and does not wait for it.
pub(crate) async fn begin(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let body = service.body(request).await?;
    let Wanted { k } = if body.is_empty() { Wanted::default() } else { reading::parse(&body)? };
    let k = match service.store.settings().threshold.radius() {
        None if k.is_some() => return Err(Problem::no_radius()),
        None => None,
        Some(most) => match radius(&service, k)? {
            k if k > most => {
                let detail = format!("a search for clusters takes at most a radius of {most}");
                return Err(Problem::field("/k", detail));
            }
            k => Some(k),
        },
    };
    let (documents, most) = (service.store.len(), u64::from(service.config.max_clustered));
    if documents > most {
        return Err(too_many(&service, documents, most));
    }
    let shared = Arc::clone(&service);
    let find =
        move |k: &Option<u32>, stopped: &(dyn Fn() -> bool + Sync)| find(&shared, *k, stopped);
    service.clustering.begin(&service.stopping, caller.name(), k, find)?;
    Ok((StatusCode::ACCEPTED, state(&service, &Window { offset: 0, limit: Some(0) })?)
        .into_response())
}

/// Finds the clusters on threads of its own, so that requests go on.
fn find(
    service: &Service,
    k: Option<u32>,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Clusters, String> {
    let threads = (service.config.workers() / 2).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.thread_name(|_| "clusters".to_owned()).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let limits = Limits { documents: service.config.max_clustered, clusters: KEPT, members: KEPT };
    let found = pool.install(|| service.store.clusters(k, limits, stopped));
    found.map_err(|error| match error {
        StoreError::TooMany { found, most } => too_many(service, found, most).detail.into_owned(),
        error => Problem::from(error).detail.into_owned(),
    })
}

pub(crate) async fn list(State(service): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    state(&service, &window(&uri)?)
}

fn state(service: &Service, window: &Window) -> Result<Response, Problem> {
    let Clustered { running, failed, ended } = service.clustering.state();
    let similarity = similarity(service);
    let running = running.map(|Run { asked: k, begun, .. }| RunRow { k, similarity, begun });
    let failed = failed.map(|Failed { reason, .. }| reason);
    let found = ended.map(|found| FoundBody::of(service, &found, window)).transpose()?;
    json(&ClustersBody { running, failed, found })
}

pub(crate) async fn members(State(service): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    let Window { offset, limit } = window(&uri)?;
    let number = uri.path().rsplit('/').next().and_then(|number| number.parse::<u32>().ok());
    let found = service.clustering.state().ended;
    let known = found.as_ref().zip(number).and_then(|(found, number)| {
        Some((found, number, found.result.largest.get(number as usize)?))
    });
    let Some((found, number, cluster)) = known else {
        let detail =
            "no cluster has this number; GET /v1/clusters lists the clusters that are kept";
        return Err(Problem::new(Kind::NotFound, detail));
    };
    let (from, limit) = (offset as usize, limit.unwrap_or(LIMIT) as usize);
    let members = service.store.members(cluster, from, limit)?;
    json(&ClusterBody {
        begun: found.run.begun,
        cluster: number,
        size: cluster.size,
        members: members.into_iter().map(NearRow::from).collect(),
    })
}

impl FoundBody {
    fn of(
        service: &Service,
        found: &Ended<Option<u32>, Clusters>,
        &Window { offset, limit }: &Window,
    ) -> Result<Self, Problem> {
        let Ended { run, seconds, result: clusters } = found;
        let asked = (0..).zip(&clusters.largest).skip(offset as usize);
        let row = |(number, cluster)| {
            let members = service.store.members(cluster, 0, EXAMPLES)?;
            let examples = members.into_iter().map(|near| near.id).collect();
            Ok(ClusterRow { cluster: number, size: cluster.size, examples })
        };
        let largest = asked.take(limit.unwrap_or(LIMIT) as usize).map(row);
        Ok(Self {
            k: run.asked,
            similarity: similarity(service),
            begun: run.begun,
            seconds: *seconds,
            documents: clusters.documents,
            clusters: clusters.clusters,
            clustered: clusters.clustered,
            sizes: classes(&clusters.sizes),
            kept: clusters.largest.len(),
            largest: largest.collect::<Result<_, Problem>>()?,
        })
    }
}

/// The classes from two documents to the largest cluster.
fn classes(sizes: &[(u64, u64)]) -> Vec<SizeRow> {
    let (mut classes, mut from) = (Vec::new(), 2);
    let largest = sizes.iter().map(|(size, _)| *size).max().unwrap_or(0);
    while from <= largest {
        let to = from.next_power_of_two();
        let within = sizes.iter().filter(|(size, _)| (from..=to).contains(size));
        classes.push(SizeRow { from, to, clusters: within.map(|(_, clusters)| clusters).sum() });
        from = to + 1;
    }
    classes
}

/// The least similarity of near-duplicates, of a store by similarity.
fn similarity(service: &Service) -> Option<f64> {
    service.store.settings().threshold.least().map(|(least, _)| least)
}

fn window(uri: &Uri) -> Result<Window, Problem> {
    let odd = |detail: String| Problem::new(Kind::Request, detail);
    let Query(window) =
        Query::<Window>::try_from_uri(uri).map_err(|rejected| odd(rejected.body_text()))?;
    match window.limit {
        Some(limit) if limit > MOST => {
            Err(odd(format!("an answer has at most {MOST} rows: ?limit=")))
        }
        _ => Ok(window),
    }
}

fn too_many(service: &Service, found: u64, most: u64) -> Problem {
    let bytes = bytes_a_document(service.store.settings());
    let megabytes = |documents: u64| (documents * bytes).div_ceil(1 << 20);
    let detail = format!(
        "the store has {found} documents; to find their clusters would take up to {} MiB of memory; \
         this server allows {most} documents ({} MiB), by its setting max-clustered",
        megabytes(found),
        megabytes(most)
    );
    Problem::new(Kind::TooMany, detail)
}
