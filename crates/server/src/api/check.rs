//! `POST /v1/check`: was this document seen?

use crate::api::op::Op;
use crate::api::row::{About, Row};
use crate::api::submission::Submission;
use crate::request::problem::Problem;
use crate::shared::{Shared, json};
use axum::body::Body;
use axum::extract::State;
use axum::http::Request;
use axum::response::Response;
use nearprint_store::Outcome;

pub(crate) async fn check(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (_held, submission): (_, Submission) = service.read(request).await?;
    let (head, content, language) = submission.parts()?;
    let sketch = service.sketcher.sketch(content, language).await?.sketch;
    // Some microseconds: a thread of its own would cost more.
    let about = About::document(head.id, &sketch);
    let outcome = service.store.check(sketch)?.map_or(Outcome::New, Outcome::Duplicate);
    let row = Row::of(about, outcome);
    Row::note(std::slice::from_ref(&row), &service, Op::Check);
    json(&row)
}
