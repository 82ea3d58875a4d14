//! `POST /v1/add`, `POST /v1/check-and-add` and `POST /v1/check-and-put`: store documents.

use crate::api::op::Op;
use crate::api::row::{About, Row};
use crate::api::submission::Submission;
use crate::request::problem::Problem;
use crate::shared::{Service, Shared, json};
use axum::body::Body;
use axum::extract::State;
use axum::http::Request;
use axum::response::Response;
use nearprint_store::{Document, Write};

pub(crate) async fn add(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    write(&service, request, Op::Add, Write::Add).await
}

pub(crate) async fn check_and_add(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    write(&service, request, Op::CheckAndAdd, Write::CheckAndAdd).await
}

pub(crate) async fn check_and_put(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    write(&service, request, Op::CheckAndPut, Write::CheckAndUpdate).await
}

async fn write(
    service: &Service,
    request: Request<Body>,
    op: Op,
    write: fn(Document) -> Write,
) -> Result<Response, Problem> {
    let (_held, submission): (_, Submission) = service.read(request).await?;
    let document = submission.document(service).await?;
    let about = About::document(Some(document.id.clone()), &document.sketch);
    let outcome = service.write(write(document)).await?;
    let row = Row::of(about, outcome);
    Row::note(std::slice::from_ref(&row), service, op);
    json(&row)
}
