//! `GET /v1/export`: all documents of one moment as rows, the oldest first, or those whose ids begin alike, in the
//! order of ids; and `GET /v1/documents`: a page of the latter.

use crate::api::document::StoredDocument;
use crate::request::asker::Asker;
use crate::request::guard::Caller;
use crate::request::parameters;
use crate::request::problem::{Kind, Problem};
use crate::request::token::Scope;
use crate::shared::{Service, Shared, json};
use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Uri, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use nearprint_store::{Document, Error as StoreError, Store, behind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use tokio::sync::mpsc;
use utoipa::ToSchema;

/// Documents of a page, unless the request says otherwise.
const LIMIT: usize = 100;
/// Most documents of a page.
const MOST: usize = 1000;
/// Bytes of ids and metadata after which a page ends, however few documents it has.
const PAGE: usize = 1 << 20;
/// Bytes of rows that are sent together.
const TOGETHER: usize = 64 << 10;

/// Which documents are exported.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exported {
    prefix: Option<String>,
}

/// Which documents a page has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    #[serde(default)]
    prefix: String,
    after: Option<String>,
    limit: Option<usize>,
}

/// A page of documents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DocumentsBody {
    /// In the order of the bytes of their ids.
    documents: Vec<StoredDocument>,
    /// The next page is the one after this id; null where this page is the last one.
    after: Option<String>,
}

/// The parameters of an export.
pub(crate) fn parameters() -> Value {
    json!([prefix()])
}

/// The parameters that select a page.
pub(crate) fn page_parameters() -> Value {
    json!([
        prefix(),
        { "name": "after", "in": "query", "description": "Only ids after this one",
          "schema": { "type": "string" } },
        { "name": "limit", "in": "query", "description": "The most documents to answer",
          "schema": { "type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT } },
    ])
}

fn prefix() -> Value {
    json!({ "name": "prefix", "in": "query", "description": "Only ids that begin with this",
            "schema": { "type": "string" } })
}

pub(crate) async fn export(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, Problem> {
    let Exported { prefix } = parameters::parse(request.uri())?;
    let asker = Asker::of(request.extensions(), &caller);
    // An export holds a thread and a moment of the store as long as its client reads.
    let place = Arc::clone(&service.batches).try_acquire_owned();
    let place = place.map_err(|_| Problem::new(Kind::Busy, "too many batches are under way"))?;
    let (rows, mut sent) = mpsc::channel::<io::Result<Bytes>>(1);
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let go_on = || {
            if *service.stopping.borrow() {
                return Err(Problem::closing());
            }
            caller.may_go_on(Scope::Read)
        };
        let written = behind(|| write(&service, prefix.as_deref(), &rows, go_on));
        if let Err(error) = written {
            let Asker { id, client, name } = asker;
            tracing::warn!(id, client, asker = name, %error, "an export was not finished");
            // An answer that is cut off is no whole export.
            let _gone = rows.blocking_send(Err(error));
        }
    });
    let mut response =
        Response::new(Body::from_stream(stream::poll_fn(move |context| sent.poll_recv(context))));
    let ndjson = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(header::CONTENT_TYPE, ndjson);
    Ok(response)
}

/// Hands the rows of an export to whoever sends them, as fast as that goes. Ends when nobody does.
fn write(
    service: &Service,
    prefix: Option<&str>,
    rows: &mpsc::Sender<io::Result<Bytes>>,
    go_on: impl Fn() -> Result<(), Problem>,
) -> io::Result<()> {
    let (store, mut text) = (&service.store, Vec::new());
    let documents = match prefix {
        Some(prefix) => named(store, prefix, None).map_err(io::Error::other)?,
        None => Box::new(store.scan().map_err(io::Error::other)?),
    };
    for document in documents {
        let document = document.map_err(io::Error::other)?;
        text.extend_from_slice(service.rows.write(&document).as_bytes());
        text.push(b'\n');
        if text.len() >= TOGETHER {
            go_on().map_err(|problem| io::Error::other(problem.reason()))?;
            if rows.blocking_send(Ok(std::mem::take(&mut text).into())).is_err() {
                return Ok(());
            }
        }
    }
    let _gone = rows.blocking_send(Ok(text.into()));
    Ok(())
}

pub(crate) async fn page(State(service): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    let Window { prefix, after, limit } = parameters::parse(&uri)?;
    let limit = limit.unwrap_or(LIMIT);
    if !(1..=MOST).contains(&limit) {
        let detail = format!("a page has 1 to {MOST} documents: ?limit=");
        return Err(Problem::new(Kind::Request, detail));
    }
    let shared = Arc::clone(&service);
    let read = move || {
        let (mut documents, mut bytes) = (Vec::new(), 0);
        for document in named(&shared.store, &prefix, after.as_deref())? {
            // One more tells whether another page follows.
            if documents.len() == limit || bytes > PAGE {
                return Ok((documents, true));
            }
            let document = document?;
            bytes += document.id.len() + document.metadata.as_ref().map_or(0, String::len);
            documents.push(document);
        }
        Ok::<_, StoreError>((documents, false))
    };
    let (documents, more) = service.threads.for_request(read).await??;
    let after = documents.last().filter(|_| more).map(|last| last.id.clone());
    let documents = documents.into_iter().map(StoredDocument::from).collect();
    json(&DocumentsBody { documents, after })
}

/// The documents whose ids begin with `prefix`, in the order of ids, those behind the id `after`.
fn named<'a>(
    store: &'a Store,
    prefix: &str,
    after: Option<&str>,
) -> Result<Box<dyn Iterator<Item = Result<Document, StoreError>> + 'a>, StoreError> {
    let from = after.filter(|after| *after > prefix).unwrap_or(prefix);
    let (prefix, after) = (prefix.to_owned(), after.map(str::to_owned));
    let inside = move |row: &Result<Document, StoreError>| {
        row.as_ref().map_or(true, |document| document.id.starts_with(&prefix))
    };
    let behind = move |row: &Result<Document, StoreError>| {
        row.as_ref().is_ok_and(|document| after.as_ref().is_some_and(|after| document.id <= *after))
    };
    Ok(Box::new(store.scan_ids(from)?.skip_while(behind).take_while(inside)))
}
