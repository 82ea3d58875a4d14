//! Long tasks of an administrator: `POST` begins one and does not wait for it, `GET` tells how far it is.
//! `/v1/compact` makes one segment of all, `/v1/verify` reads and compares everything, `/v1/snapshots` copies the
//! store.

use crate::request::json as reading;
use crate::request::json::present;
use crate::request::problem::{Kind, Problem};
use crate::shared::{Shared, json};
use crate::work::place::Place;
use crate::work::task::{Ended, Failed, Run, State as TaskState};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use nearprint_store::{Error as StoreError, Verified};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use utoipa::ToSchema;

/// Most characters of the name of a snapshot.
const LONGEST: usize = 128;

/// Whoever asks through the socket in the folder of the store: the owner of its files.
#[derive(Clone, Copy)]
pub(crate) struct Owner;

/// A request for a snapshot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SnapshotWanted {
    /// Its name in the place of snapshots that the server was started with: letters, digits, `-`, `_` and `.`.
    #[serde(default, deserialize_with = "present")]
    #[schema(min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*$")]
    name: Option<String>,
    /// A folder or an address. Only the owner of the store's files names one, through the socket among them.
    #[serde(default, deserialize_with = "present")]
    #[schema(ignore)]
    place: Option<String>,
}

/// A kind of task: what is under way, how the last one failed, how the last one ended well. One that ended well
/// takes the place of a failure before it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TaskBody {
    running: Option<TaskRow>,
    failed: Option<TaskRow>,
    ended: Option<TaskRow>,
}

/// A task.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct TaskRow {
    /// When it began, in milliseconds since 1970.
    begun: u64,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Of a snapshot: its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Documents of the snapshot, or of the store that was verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<u64>,
    /// Of a verification: segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<u64>,
    /// Of a verification: whether it is known which write was the last one. After a loss of power it may not be;
    /// the next write mends that.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_known: Option<bool>,
}

pub(crate) async fn begin_compaction(State(service): State<Shared>) -> Result<Response, Problem> {
    let shared = Arc::clone(&service);
    let compact =
        move |&(): &(), _: &(dyn Fn() -> bool + Sync)| shared.store.compact().map_err(said);
    service.compaction.begin(&service.stopping, (), compact)?;
    Ok((StatusCode::ACCEPTED, compaction(State(service)).await?).into_response())
}

pub(crate) async fn compaction(State(service): State<Shared>) -> Result<Response, Problem> {
    json(&TaskBody::of(service.compaction.state(), |&()| None, |&()| TaskRow::default()))
}

pub(crate) async fn begin_verification(State(service): State<Shared>) -> Result<Response, Problem> {
    let shared = Arc::clone(&service);
    let verify = move |&(): &(), stopped: &(dyn Fn() -> bool + Sync)| {
        shared.store.verify_unless(stopped).map_err(said)
    };
    service.verification.begin(&service.stopping, (), verify)?;
    Ok((StatusCode::ACCEPTED, verification(State(service)).await?).into_response())
}

pub(crate) async fn verification(State(service): State<Shared>) -> Result<Response, Problem> {
    let row = |&Verified { documents, segments, end_known, .. }: &Verified| TaskRow {
        documents: Some(documents),
        segments: Some(segments),
        end_known: Some(end_known),
        ..TaskRow::default()
    };
    json(&TaskBody::of(service.verification.state(), |&()| None, row))
}

pub(crate) async fn begin_snapshot(
    State(service): State<Shared>,
    owner: Option<Extension<Owner>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let body = service.body(request).await?;
    let SnapshotWanted { name, place } = reading::parse(&body)?;
    let place = match (name, place, owner) {
        (None, Some(place), Some(_)) => Place::new(place.clone(), PathBuf::from(place)),
        (Some(name), None, _) => {
            let Some(folder) = &service.config.snapshots else {
                let detail = "this server was started without a place for snapshots (--snapshots)";
                return Err(Problem::new(Kind::NotFound, detail));
            };
            let place = folder.join(checked(&name)?);
            Place::new(name, place)
        }
        _ => return Err(Problem::field("/name", "give a name for the snapshot")),
    };
    let shared = Arc::clone(&service);
    let take = move |place: &Place, stopped: &(dyn Fn() -> bool + Sync)| {
        place.take(&shared.store, stopped)
    };
    service.snapshot.begin(&service.stopping, place, take)?;
    Ok((StatusCode::ACCEPTED, snapshot(State(service)).await?).into_response())
}

pub(crate) async fn snapshot(State(service): State<Shared>) -> Result<Response, Problem> {
    let row = |&documents: &u64| TaskRow { documents: Some(documents), ..TaskRow::default() };
    json(&TaskBody::of(service.snapshot.state(), |place| Some(place.name().to_owned()), row))
}

/// The name of a snapshot, which leads to no other place.
fn checked(name: &str) -> Result<&str, Problem> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if (1..=LONGEST).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(plain) {
        return Ok(name);
    }
    let detail = "the name of a snapshot has at most 128 letters, digits, dashes, underscores and points, and \
                  does not begin with a point";
    Err(Problem::field("/name", detail))
}

/// Why a task failed. The answer goes to administrators, who may know paths.
fn said(error: StoreError) -> String {
    match error {
        StoreError::Closed => "the server is being stopped".to_owned(),
        error => error.to_string(),
    }
}

impl TaskBody {
    /// `name` is that of what was asked for, and `row` has the figures of a result.
    fn of<A, R>(
        state: TaskState<A, R>,
        name: impl Fn(&A) -> Option<String>,
        row: impl Fn(&R) -> TaskRow,
    ) -> Self {
        let TaskState { running, failed, ended } = state;
        let of_run = |Run { asked, begun, .. }: &Run<A>, row| TaskRow {
            begun: *begun,
            name: name(asked),
            ..row
        };
        Self {
            running: running.map(|run| of_run(&run, TaskRow::default())),
            failed: failed.map(|Failed { run, seconds, reason }| {
                let row =
                    TaskRow { seconds: Some(seconds), reason: Some(reason), ..TaskRow::default() };
                of_run(&run, row)
            }),
            ended: ended.map(|ended| {
                let Ended { run, seconds, result } = &*ended;
                of_run(run, TaskRow { seconds: Some(*seconds), ..row(result) })
            }),
        }
    }
}
