//! `GET /v1/changes?after=POSITION`: what changes in the store, as long as the client reads; first all documents, if no
//! position is given.

use crate::request::asker::Asker;
use crate::request::guard::Caller;
use crate::request::parameters;
use crate::request::problem::{Kind, Problem};
use crate::request::token::Scope;
use crate::shared::{READERS, Shared};
use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use nearprint_store::{Change, ChangeRows, Cursor, Leader, Now, Position, Store};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

/// Bytes of rows that are sent together.
const TOGETHER: usize = 64 << 10;
/// Bytes of changes that are read at a time.
const PORTION: usize = 1 << 20;
/// How often the server looks for changes.
const LOOK: Duration = Duration::from_millis(10);
/// How often it says what the store is while nothing changes.
const REST: Duration = Duration::from_millis(250);

/// Which changes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    after: Option<String>,
}

/// Whoever reads changes.
struct Reader {
    service: Shared,
    caller: Caller,
    rows: ChangeRows,
    out: mpsc::Sender<io::Result<Bytes>>,
}

/// The parameter that says after which position.
pub(crate) fn parameters() -> Value {
    json!([{ "name": "after", "in": "query",
        "description": "The position after which the changes are sent, such as /v1/stats has; all documents \
                        come first without it",
        "schema": { "type": "string" } }])
}

pub(crate) async fn changes(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, Problem> {
    let (uri, asker) = (request.uri(), Asker::of(request.extensions(), &caller));
    let Wanted { after } = parameters::parse(uri)?;
    let after = match after.map(|after| after.parse::<Position>()) {
        Some(Err(what)) => return Err(Problem::new(Kind::Request, format!("?after= {what}"))),
        Some(Ok(position)) => Some(Cursor::from(position)),
        None => None,
    };
    let place = Arc::clone(&service.readers).try_acquire_owned();
    let place = place.map_err(|_| {
        Problem::new(
            Kind::Busy,
            format!("{READERS} clients already read changes, which is the limit"),
        )
    })?;
    if let Some(cursor) = after {
        let shared = Arc::clone(&service);
        // Whether there are any after this position.
        service.threads.for_request(move || shared.store.changes(&cursor, 0)).await??;
    }
    let settings = service.store.settings().clone();
    let leader = Leader { settings, release: env!("CARGO_PKG_VERSION").to_owned(), time: clock() };
    let first = leader.write()? + "\n";
    let (out, mut sent) = mpsc::channel::<io::Result<Bytes>>(1);
    let rows = ChangeRows::of(service.store.settings())?;
    tokio::spawn(async move {
        let gauge = service.observer.metrics.readers.clone();
        gauge.inc();
        let reader = Arc::new(Reader { service, caller, rows, out });
        let failed = match reader.out.send(Ok(first.into())).await {
            Ok(()) => reader.serve(after).await,
            Err(_) => Ok(()),
        };
        if let Err(error) = failed {
            let Asker { id, client, name } = asker;
            tracing::warn!(id, client, asker = name, %error, "changes could not be sent on");
            // An answer that is cut off is told from one that ends.
            let _gone = reader.out.send(Err(error)).await;
        }
        gauge.dec();
        drop(place);
    });
    let mut response =
        Response::new(Body::from_stream(stream::poll_fn(move |context| sent.poll_recv(context))));
    let ndjson = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(header::CONTENT_TYPE, ndjson);
    Ok(response)
}

impl Reader {
    /// Sends rows until the client goes, its token is taken back or the server stops.
    async fn serve(self: &Arc<Self>, after: Option<Cursor>) -> io::Result<()> {
        let mut cursor = match after {
            Some(cursor) => cursor,
            None => {
                let reader = Arc::clone(self);
                match apart(move || reader.documents()).await? {
                    Some(cursor) => cursor,
                    None => return Ok(()),
                }
            }
        };
        let mut stopping = self.service.stopping.clone();
        let mut told: Option<Instant> = None;
        loop {
            if *stopping.borrow() {
                return Ok(());
            }
            self.may_go_on()?;
            let store = &self.service.store;
            let rests = cursor == store.position().into();
            if rests && told.is_some_and(|told| told.elapsed() < REST) {
                tokio::select! {
                    () = sleep(LOOK) => {}
                    () = self.out.closed() => return Ok(()),
                    _ = stopping.changed() => {}
                }
                continue;
            }
            let reader = Arc::clone(self);
            let (next, text) = apart(move || reader.portion(&cursor)).await?;
            cursor = next;
            for piece in text {
                if self.out.send(Ok(piece)).await.is_err() {
                    return Ok(());
                }
            }
            told = Some(Instant::now());
        }
    }

    fn may_go_on(&self) -> io::Result<()> {
        self.caller.may_go_on(Scope::Read).map_err(|problem| io::Error::other(problem.reason()))
    }

    /// The rows of the changes after `cursor`, in pieces, and where the next ones begin.
    fn portion(&self, cursor: &Cursor) -> io::Result<(Cursor, Vec<Bytes>)> {
        let time = clock();
        let portion = self.service.store.changes(cursor, PORTION).map_err(io::Error::other)?;
        let (mut pieces, mut text) = (Vec::new(), String::new());
        for change in &portion.changes {
            text.push_str(&self.rows.write(change));
            text.push('\n');
            if text.len() >= TOGETHER {
                pieces.push(std::mem::take(&mut text).into());
            }
        }
        let now = Now { reached: portion.now, whole: portion.whole, time };
        text.push_str(&now.write());
        text.push('\n');
        pieces.push(text.into());
        Ok((portion.cursor, pieces))
    }

    /// Sends all documents of this moment; returns the position of that, or nothing if nobody reads them.
    fn documents(&self) -> io::Result<Option<Cursor>> {
        let store: &Store = &self.service.store;
        let time = clock();
        let moment = store.moment().map_err(io::Error::other)?;
        let (reached, whole) = (moment.reached(), moment.is_whole());
        let mut text = String::new();
        for row in moment {
            let (number, document) = row.map_err(io::Error::other)?;
            text.push_str(&self.rows.write(&Change::Stored { number, document }));
            text.push('\n');
            if text.len() >= TOGETHER {
                if *self.service.stopping.borrow() {
                    return Ok(None);
                }
                self.may_go_on()?;
                if self.out.blocking_send(Ok(std::mem::take(&mut text).into())).is_err() {
                    return Ok(None);
                }
            }
        }
        text.push_str(&Now { reached, whole, time }.write());
        text.push('\n');
        let sent = self.out.blocking_send(Ok(text.into()));
        Ok(sent.is_ok().then_some(reached.position.into()))
    }
}

/// Reads from the store on a thread apart.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await?
}

/// Milliseconds since 1970.
fn clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
