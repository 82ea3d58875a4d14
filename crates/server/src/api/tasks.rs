//! Long tasks of an administrator: `POST` begins one and does not wait for it, `GET` tells how far it is.
//! `/v1/compact` makes one segment of all, `/v1/verify` reads and compares everything, `/v1/snapshots` copies the
//! store, `/v1/deletions` deletes documents by the beginning of their ids or by their age.

use crate::request::body;
use crate::request::guard::Caller;
use crate::request::json::{long_whole, present};
use crate::request::problem::{Kind, Problem};
use crate::schema;
use crate::shared::{Service, Shared, json};
use crate::work::place::Place;
use crate::work::task::{Ended, Failed, Run, State as TaskState};
use crate::work::unwanted::Unwanted;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use nearprint_store::{Error as StoreError, Settings, Verified, check_past};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::interval;
use utoipa::ToSchema;

/// The time between two looks for old documents: the least, and the longest.
const FORGETTING: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(3600)];
/// Most characters of the name of a snapshot.
const LONGEST: usize = 128;

/// A request for a snapshot.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SnapshotWanted {
    /// Its name in the place of snapshots that the server was started with: letters, digits, `-`, `_` and `.`.
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    /// A folder or an address. Only the owner of the store's files names one, through the socket among them.
    #[serde(default, deserialize_with = "present")]
    place: Option<String>,
}

/// A request to delete many documents: one of the two.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeletionWanted {
    /// Delete the documents whose ids begin so.
    #[serde(default, deserialize_with = "present")]
    prefix: Option<String>,
    /// Delete the documents whose time is before this one, in milliseconds since 1970.
    #[serde(default, deserialize_with = "long_whole")]
    before: Option<u64>,
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
    /// Of a deletion: what the ids begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<String>,
    /// Of a deletion: the time that documents were stored before, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
    /// Documents of the snapshot, of the store that was verified, or that were deleted.
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

/// How a request for a snapshot is described.
pub(crate) fn snapshot_body(_: &Settings) -> schema::Body {
    let name = "Its name in the place of snapshots that the server was started with";
    let wanted = json!({
        "type": "object",
        "description": "A request for a snapshot",
        "properties": { "name": { "type": "string", "minLength": 1, "maxLength": LONGEST,
            "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]*$", "description": name } },
        "required": ["name"],
        "additionalProperties": false,
    });
    schema::Body::json("SnapshotWanted", wanted)
}

/// How a request for a deletion is described.
pub(crate) fn deletion_body(_: &Settings) -> schema::Body {
    let before = "Delete documents whose time is before this one, in milliseconds since 1970";
    let wanted = json!({
        "type": "object",
        "description": "A request to delete many documents, by one of the two",
        "properties": {
            "prefix": { "type": "string", "minLength": 1, "description": "Delete documents whose ids begin with this" },
            "before": { "type": "integer", "minimum": 0, "description": before },
        },
        "not": { "not": { "oneOf": [{ "required": ["prefix"] }, { "required": ["before"] }] } },
        "additionalProperties": false,
    });
    schema::Body::json("DeletionWanted", wanted)
}

pub(crate) async fn begin_compaction(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    body::pass_over(request, &service.config).await?;
    let shared = Arc::clone(&service);
    let compact =
        move |&(): &(), _: &(dyn Fn() -> bool + Sync)| shared.store.compact().map_err(said);
    service.compaction.begin(&service.stopping, caller.name(), (), compact)?;
    Ok((StatusCode::ACCEPTED, compaction(State(service)).await?).into_response())
}

pub(crate) async fn compaction(State(service): State<Shared>) -> Result<Response, Problem> {
    json(&TaskBody::of(service.compaction.state(), |(), _| TaskRow::default()))
}

pub(crate) async fn begin_verification(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    body::pass_over(request, &service.config).await?;
    let shared = Arc::clone(&service);
    let verify = move |&(): &(), stopped: &(dyn Fn() -> bool + Sync)| {
        shared.store.verify_unless(stopped).map_err(said)
    };
    service.verification.begin(&service.stopping, caller.name(), (), verify)?;
    Ok((StatusCode::ACCEPTED, verification(State(service)).await?).into_response())
}

pub(crate) async fn verification(State(service): State<Shared>) -> Result<Response, Problem> {
    let told = |&(): &(), verified: Option<&Verified>| TaskRow {
        documents: verified.map(|verified| verified.documents),
        segments: verified.map(|verified| verified.segments),
        end_known: verified.map(|verified| verified.end_known),
        ..TaskRow::default()
    };
    json(&TaskBody::of(service.verification.state(), told))
}

pub(crate) async fn begin_snapshot(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (_held, SnapshotWanted { name, place }) = service.read(request).await?;
    let place = match (name, place, &caller) {
        (None, Some(place), Caller::Owner) => Place::named(place),
        (Some(name), None, _) => {
            let Some(folder) = &service.config.snapshots else {
                let detail = "this server was started without a place for snapshots (--snapshots)";
                return Err(Problem::new(Kind::NotFound, detail));
            };
            Place::within(folder, checked(name)?)
        }
        _ => return Err(Problem::field("/name", "give a name for the snapshot")),
    };
    let shared = Arc::clone(&service);
    let take = move |place: &Place, stopped: &(dyn Fn() -> bool + Sync)| {
        place.take(&shared.store, stopped)
    };
    service.snapshot.begin(&service.stopping, caller.name(), place, take)?;
    Ok((StatusCode::ACCEPTED, snapshot(State(service)).await?).into_response())
}

pub(crate) async fn snapshot(State(service): State<Shared>) -> Result<Response, Problem> {
    let told = |place: &Place, documents: Option<&u64>| TaskRow {
        name: Some(place.name().to_owned()),
        documents: documents.copied(),
        ..TaskRow::default()
    };
    json(&TaskBody::of(service.snapshot.state(), told))
}

pub(crate) async fn begin_deletion(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    service.takes_writes()?;
    let (_held, wanted) = service.read(request).await?;
    let unwanted = match wanted {
        DeletionWanted { prefix: Some(prefix), before: None } if prefix.is_empty() => {
            let detail = "every id begins with this: give at least one character";
            return Err(Problem::field("/prefix", format!("{detail}; found {prefix:?}")));
        }
        DeletionWanted { prefix: Some(prefix), before: None } => Unwanted::Prefix(prefix),
        DeletionWanted { prefix: None, before: Some(before) } => {
            check_past(before).map_err(|error| Problem::field("/before", error.to_string()))?;
            Unwanted::Before(before)
        }
        _ => return Err(Problem::field("", "give either \"prefix\" or \"before\"")),
    };
    let shared = Arc::clone(&service);
    let delete = move |unwanted: &Unwanted, stopped: &(dyn Fn() -> bool + Sync)| {
        unwanted.delete(&shared.store, stopped).map_err(said)
    };
    service.deletion.begin(&service.stopping, caller.name(), unwanted, delete)?;
    Ok((StatusCode::ACCEPTED, deletion(State(service)).await?).into_response())
}

pub(crate) async fn deletion(State(service): State<Shared>) -> Result<Response, Problem> {
    let told = |unwanted: &Unwanted, deleted: Option<&u64>| {
        let row = TaskRow { documents: deleted.copied(), ..TaskRow::default() };
        match unwanted {
            Unwanted::Prefix(prefix) => TaskRow { prefix: Some(prefix.clone()), ..row },
            Unwanted::Before(before) => TaskRow { before: Some(*before), ..row },
        }
    };
    json(&TaskBody::of(service.deletion.state(), told))
}

/// Deletes documents of more than this age, again and again, as long as the server runs.
pub(crate) async fn forget(service: Shared, age: Duration) {
    let mut turns = interval((age / 100).clamp(FORGETTING[0], FORGETTING[1]));
    loop {
        turns.tick().await;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let before = u64::try_from(now.saturating_sub(age).as_millis()).unwrap_or(0);
        let shared = Arc::clone(&service);
        let round = move |old: &Unwanted, stopped: &(dyn Fn() -> bool + Sync)| {
            if waits(&shared, before, stopped)? {
                return Ok(None);
            }
            let deleted = old.delete(&shared.store, stopped).map_err(said)?;
            Ok((deleted > 0).then_some(deleted))
        };
        // While another deletion is under way this one waits for its next turn.
        let _later =
            service.deletion.begin_round(&service.stopping, Unwanted::Before(before), round);
    }
}

/// Whether so many documents are from before a time that the clock may be wrong: over half of the store. They stay until
/// somebody deletes them, or more are stored.
fn waits(
    service: &Service,
    before: u64,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<bool, String> {
    let (old, all) = service.store.count_before(before, stopped).map_err(said)?;
    let (waits, held) = (old > all / 2, &service.observer.metrics.forgetting_held);
    if waits && held.get() == 0 {
        tracing::warn!(
            before,
            old,
            documents = all,
            "over half of the documents are old enough to be deleted, so none was: check the clock of this machine; if it \
             is right, delete them once with `nearprint store expire` or POST /v1/deletions"
        );
    }
    held.set(waits.into());
    Ok(waits)
}

/// The name of a snapshot, which leads to no other place.
fn checked(name: String) -> Result<String, Problem> {
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
    /// `told` says what was asked for, and what came of it where that is known.
    fn of<A, R>(state: TaskState<A, R>, told: impl Fn(&A, Option<&R>) -> TaskRow) -> Self {
        let TaskState { running, failed, ended } = state;
        Self {
            running: running
                .map(|Run { asked, begun, .. }| TaskRow { begun, ..told(&asked, None) }),
            failed: failed.map(|Failed { run: Run { asked, begun, .. }, seconds, reason }| {
                TaskRow {
                    begun,
                    seconds: Some(seconds),
                    reason: Some(reason),
                    ..told(&asked, None)
                }
            }),
            ended: ended.map(|ended| {
                let Ended { run: Run { asked, begun, .. }, seconds, result } = &*ended;
                TaskRow { begun: *begun, seconds: Some(*seconds), ..told(asked, Some(result)) }
            }),
        }
    }
}
