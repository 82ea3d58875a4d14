//! A stored document by its id: `GET`, `PUT` and `DELETE /v1/documents/{id}`, and `POST /v1/get` and
//! `/v1/delete` for ids that no path can hold.

use crate::api::op::Op;
use crate::api::row::{About, Row};
use crate::api::submission::{Submission, named};
use crate::request::json::given_id;
use crate::request::problem::{Kind, Problem};
use crate::shared::{Service, Shared, json};
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, Uri};
use axum::response::Response;
use nearprint_store::{Document, Write};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The path of a document.
pub(crate) const PATH: &str = "/v1/documents/{id}";

/// An id in a body.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    /// The id.
    #[serde(deserialize_with = "given_id")]
    #[schema(min_length = 1, max_length = 4096)]
    pub(crate) id: String,
}

/// A document as it is stored.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoredDocument {
    /// Its id.
    id: String,
    /// Its fingerprint, in hexadecimal digits.
    fingerprint: String,
    /// When it was stored, in milliseconds since 1970.
    time: u64,
    /// Why it is compared by its content: "empty", "short", "dominant".
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<Vec<&'static str>>,
    /// A hash of its content, if that is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    /// The metadata that was given with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    metadata: Option<Box<RawValue>>,
}

/// The parameter in the path.
pub(crate) fn parameters() -> Value {
    json!([{ "name": "id", "in": "path", "required": true,
        "description": "The id. Every byte may be percent-encoded; a slash must be",
        "schema": { "type": "string", "minLength": 1 } }])
}

pub(crate) async fn get(State(service): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    answer(&service, &id_of(&uri)?)
}

pub(crate) async fn get_by_body(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (_held, Named { id }) = service.read(request).await?;
    answer(&service, &id)
}

pub(crate) async fn put(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let id = id_of(request.uri())?;
    let (_held, mut submission): (_, Submission) = service.read(request).await?;
    if submission.id.is_some() {
        return Err(Problem::field("/id", "the path names the id: leave out this field"));
    }
    submission.id = Some(id.clone());
    let document = submission.document(&service).await?;
    let about = About::document(Some(id), &document.sketch);
    let row = Row::of(about, service.write(Write::Update(document)).await?);
    Row::note(std::slice::from_ref(&row), &service, Op::Put);
    json(&row)
}

pub(crate) async fn delete(State(service): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    remove(&service, id_of(&uri)?).await
}

pub(crate) async fn delete_by_body(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (_held, Named { id }) = service.read(request).await?;
    remove(&service, id).await
}

/// The id at the end of a path: every byte may be percent-encoded, and a slash or a percent sign must be.
fn id_of(uri: &Uri) -> Result<String, Problem> {
    let encoded = uri.path().rsplit('/').next();
    match percent_decode_str(encoded.unwrap_or_default()).decode_utf8() {
        Ok(id) => Ok(id.into_owned()),
        Err(_) => {
            Err(Problem::new(Kind::Request, "the id in the path, once decoded, is not UTF-8"))
        }
    }
}

fn answer(service: &Service, id: &str) -> Result<Response, Problem> {
    named(id)?;
    match service.store.get(id)? {
        Some(document) => json(&StoredDocument::from(document)),
        None => Err(unknown()),
    }
}

async fn remove(service: &Service, id: String) -> Result<Response, Problem> {
    named(&id)?;
    let outcome = service.write(Write::Delete(id.clone())).await?;
    let row = Row::of(About::id(Some(id)), outcome);
    Row::note(std::slice::from_ref(&row), service, Op::Delete);
    json(&row)
}

/// The problem of an id that is not stored.
pub(crate) fn unknown() -> Problem {
    Problem::new(Kind::NotFound, "no document is stored under this id")
}

impl From<Document> for StoredDocument {
    fn from(document: Document) -> Self {
        let Document { id, sketch, time, metadata } = document;
        let flagged = sketch.flags.any();
        Self {
            id,
            fingerprint: sketch.fingerprint.to_string(),
            time,
            flags: flagged.then(|| sketch.flags.names().collect()),
            content: flagged.then(|| format!("{:016x}", sketch.content)),
            metadata: metadata.and_then(|metadata| RawValue::from_string(metadata).ok()),
        }
    }
}
