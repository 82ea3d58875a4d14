//! `POST /v1/batch?op=...`: any number of documents, a line each. The answer has a row for each, in their
//! order, or those rows alone that the client asks for.
//!
//! A few chunks of lines are under way at a time: some are read and fingerprinted, some are with the store's
//! writer, some wait to be sent. The server reads no more from a client that does not read its answers.

use crate::api::document::Named;
use crate::api::op::Op;
use crate::api::row::{About, Row, Verdict};
use crate::api::submission::{Submission, named};
use crate::api::totals::Totals;
use crate::request::asker::Asker;
use crate::request::guard::Caller;
use crate::request::inflater::Inflater;
use crate::request::lines::{Line, Lines, Numbered};
use crate::request::problem::{Kind, Problem};
use crate::request::token::Scope;
use crate::request::{body, json, parameters};
use crate::schema;
use crate::shared::{Service, Shared};
use crate::work::metrics;
use crate::work::stall::Watched;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderValue, Request, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use nearprint_store::{Document, Error as StoreError, Outcome, Settings, Sketch, Store, Write};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::sleep;

/// The media types of a batch. A refusal names the first one.
const TYPES: [&str; 5] = [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/json",
    "application/octet-stream",
];
/// Chunks that are read and fingerprinted at a time.
const PREPARED: usize = 2;
/// Chunks that wait for the store's writer or to be sent.
const WRITTEN: usize = 4;
/// The pause before the next attempt with a busy writer.
const PAUSE: Duration = Duration::from_millis(5);

/// What a batch asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    op: Option<Op>,
    /// All rows, and no closing one, if this is not said.
    rows: Option<Rows>,
    /// Whether each line is a row of an export, whatever is done with it: a document with its sketch. The owner of the
    /// store's files asks so, through the socket among them, for documents that a command has read.
    #[serde(default)]
    sketched: bool,
}

/// Which rows are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Rows {
    All,
    New,
    Refused,
    None,
}

impl Rows {
    fn shows(self, row: &Row) -> bool {
        match self {
            Self::All => true,
            Self::New => row.verdict == Verdict::New,
            Self::Refused => row.verdict == Verdict::Refused,
            Self::None => false,
        }
    }
}

/// The parameters of a batch.
pub(crate) fn parameters() -> Value {
    json!([
        { "name": "op", "in": "query", "required": true, "description": "What to do with each line",
          "schema": { "type": "string", "enum": Op::ALL.map(Op::name) } },
        { "name": "rows", "in": "query",
          "description": "Which rows to answer. With this parameter, a row of counts comes last",
          "schema": { "type": "string", "enum": ["all", "new", "refused", "none"] } },
    ])
}

/// How a batch is described. Its lines are no JSON, so nothing describes them but words and an example.
pub(crate) fn body(settings: &Settings) -> schema::Body {
    let documents = "A Candidate (check), a Document (add, check-and-add, put, check-and-put) or a DocumentId (delete) on each line; for import a row of an export";
    let lines = json!({ "type": "string", "description": documents });
    let bytes = json!({ "type": "string", "format": "binary", "description": documents });
    let line = |id: &str| {
        let mut line = schema::example(settings);
        line["id"] = id.into();
        format!("{line}\n")
    };
    let content = json!({
        schema::LINES: { "schema": lines, "example": line("a") + &line("b") },
        schema::BYTES: { "schema": bytes },
    });
    schema::Body { content, schemas: Vec::new(), is_required: true }
}

/// How the answer is described.
pub(crate) fn answer() -> schema::Answer {
    let rows = json!({ "type": "string",
        "description": "A Row for each requested line; then, with the parameter rows, the Totals" });
    let content = json!({ schema::LINES: { "schema": rows } });
    schema::Answer { content, schemas: schema::schemas::<Totals>() }
}

pub(crate) async fn batch(
    State(service): State<Shared>,
    Extension(caller): Extension<Caller>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let Wanted { op, rows, sketched } = parameters::parse(request.uri())?;
    let op = op.ok_or_else(|| {
        let ops = Op::ALL.map(Op::name).join(", ");
        Problem::new(Kind::Request, format!("say what to do with the lines: ?op= one of {ops}"))
    })?;
    if sketched && !matches!(caller, Caller::Owner) {
        let detail =
            "sketches come only from the owner of the store's files, through the socket among them";
        return Err(Problem::new(Kind::Request, detail));
    }
    caller.needs(op.scope())?;
    if op.scope() > Scope::Read {
        service.takes_writes()?;
    }
    let (parts, body) = request.into_parts();
    body::check_type(&parts.headers, &TYPES)?;
    let inflater = Inflater::of(&parts.headers)?;
    let place = Arc::clone(&service.batches).try_acquire_owned();
    let place = place.map_err(|_| Problem::new(Kind::Busy, "too many batches are under way"))?;
    let asker = Asker::of(&parts.extensions, &caller);
    let (longest, patience) = (service.config.max_line, service.config.request_time());
    let body = body::begun(&parts.headers, body, patience).await?;
    let (threads, stopping) = (service.threads.clone(), service.stopping.clone());
    let lines = Lines::new(body, inflater, longest, patience, threads, stopping);
    let totals = Arc::new(Mutex::new(Totals::default()));
    let (reading, counting) = (Arc::clone(&totals), Arc::clone(&totals));
    let chunks = stream::unfold((lines, caller), move |(mut lines, caller)| {
        let totals = Arc::clone(&reading);
        async move {
            loop {
                let mut portion = lines.next().await?;
                if let Err(problem) = caller.may_go_on(op.scope()) {
                    portion = lines.refuse(&portion, problem);
                }
                {
                    let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
                    totals.blank((portion.read - portion.lines.len()) as u64);
                    portion.broken.into_iter().for_each(|problem| totals.broken(problem));
                }
                // Blank lines get no answer, but count.
                pace(&caller, portion.read).await;
                if !portion.lines.is_empty() {
                    return Some((portion.lines, (lines, caller)));
                }
            }
        }
    });
    let (preparing, writing, sending) = (Arc::clone(&service), Arc::clone(&service), service);
    let answers = chunks
        .map(move |chunk| prepare(Arc::clone(&preparing), op, sketched, chunk))
        .buffered(PREPARED)
        // One chunk after another, so that writes are decided in the order of the lines.
        .then(move |chunk| {
            let writing = Arc::clone(&writing);
            async move { submit(&writing.store, chunk).await }
        })
        .map(Written::rows)
        .buffered(WRITTEN)
        .map(move |answered| {
            let _held = &place;
            let line = metrics::Line { op: op.name() };
            let lines = sending.observer.metrics.batch_lines.get_or_create(&line);
            lines.inc_by(answered.len() as u64);
            Row::note(&answered, &sending, op);
            let mut totals = counting.lock().unwrap_or_else(PoisonError::into_inner);
            answered.iter().for_each(|row| totals.count(row));
            text(answered.iter().filter(|row| rows.is_none_or(|rows| rows.shows(row))))
        });
    let told = asker.clone();
    let closing = stream::once(async move {
        let totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
        if totals.refused() > 0 {
            let Asker { id, client, name } = told;
            let (op, refused, error) = (op.name(), totals.refused(), totals.error());
            tracing::info!(
                id,
                client,
                asker = name,
                op,
                refused,
                error,
                "lines of a batch were refused"
            );
        }
        text(rows.map(|_| &*totals))
    });
    // A piece without a row would be the end of some answers.
    let answers = answers.chain(closing).filter(|text| ready(!text.is_empty()));
    let answers = Watched::new(answers.map(Ok::<_, Infallible>), patience, stalled(asker, op));
    let mut response = Response::new(Body::from_stream(answers));
    let ndjson = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(header::CONTENT_TYPE, ndjson);
    Ok(response)
}

/// Logs that a client does not read its answers.
fn stalled(asker: Asker, op: Op) -> impl Fn() + Send + 'static {
    move || {
        let Asker { id, client, name } = &asker;
        tracing::warn!(
            id,
            client,
            asker = name,
            op = op.name(),
            "a batch stalls: its client does not read the answers; read while sending, or use \
             ?rows=none"
        );
    }
}

/// Waits until the caller's rate allows so many lines.
async fn pace(caller: &Caller, lines: usize) {
    let Some(token) = caller.token() else { return };
    let mut left = u32::try_from(lines).unwrap_or(u32::MAX);
    while left > 0 {
        match token.take_some(left) {
            Ok(taken) => left -= taken,
            Err(wait) => sleep(wait).await,
        }
    }
}

/// A line that was read: its answer, or what the answer to its write is about.
enum Prepared {
    Done(Row),
    /// The document of the line. Its outcome is that of the next write of the chunk.
    Asked(About),
}

/// A chunk that was read.
struct Chunk {
    /// With their numbers.
    lines: Vec<(u64, Prepared)>,
    writes: Vec<Write>,
}

/// A chunk whose writes are with the store's writer.
struct Written {
    lines: Vec<(u64, Prepared)>,
    outcomes: Option<oneshot::Receiver<Vec<Result<Outcome, StoreError>>>>,
}

async fn prepare(service: Shared, op: Op, sketched: bool, lines: Vec<Numbered>) -> Chunk {
    let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
    let shared = Arc::clone(&service);
    let read = move || {
        let mut chunk = Chunk { lines: Vec::with_capacity(lines.len()), writes: Vec::new() };
        for Numbered { number, line } in lines {
            let prepared = chunk.take(&shared, op, sketched, line);
            let refused = |(id, problem)| Prepared::Done(Row::refused(About::id(id), problem));
            chunk.lines.push((number, prepared.unwrap_or_else(refused)));
        }
        chunk
    };
    match service.threads.run(read).await {
        Ok(chunk) => chunk,
        Err(problem) => {
            let refused = || Prepared::Done(Row::refused(About::id(None), problem.clone()));
            let lines = numbers.into_iter().map(|number| (number, refused())).collect();
            Chunk { lines, writes: Vec::new() }
        }
    }
}

impl Chunk {
    /// Does what one line asks for, or notes its write.
    fn take(
        &mut self,
        service: &Service,
        op: Op,
        sketched: bool,
        line: Line,
    ) -> Result<Prepared, (Option<String>, Problem)> {
        let line = line.map_err(|problem| (None, problem))?;
        if op == Op::Delete {
            let Named { id } = json::parse(&line).map_err(|problem| (None, problem))?;
            named(&id).map_err(|problem| (Some(id.clone()), problem))?;
            self.writes.push(Write::Delete(id.clone()));
            return Ok(Prepared::Asked(About::id(Some(id))));
        }
        if op == Op::Import || sketched {
            return self.sketched(service, op, &line).map_err(|problem| (None, problem));
        }
        let submission: Submission = json::parse(&line).map_err(|problem| (None, problem))?;
        let id = submission.id.clone();
        self.submit(service, op, submission).map_err(|problem| (id, problem))
    }

    /// Does what a row of an export asks for.
    fn sketched(&mut self, service: &Service, op: Op, line: &[u8]) -> Result<Prepared, Problem> {
        let row = str::from_utf8(line)
            .map_err(|error| Problem::new(Kind::Body, format!("the line is not UTF-8: {error}")))?;
        let document = service.rows.read(row)?;
        if op == Op::Check {
            return check(service, Some(document.id), document.sketch);
        }
        Ok(self.write(op, document))
    }

    /// Notes the write of a document.
    fn write(&mut self, op: Op, document: Document) -> Prepared {
        let about = About::document(Some(document.id.clone()), &document.sketch);
        self.writes.push(match op {
            Op::Put => Write::Update(document),
            Op::CheckAndPut => Write::CheckAndUpdate(document),
            Op::CheckAndAdd => Write::CheckAndAdd(document),
            _ => Write::Add(document),
        });
        Prepared::Asked(about)
    }

    fn submit(
        &mut self,
        service: &Service,
        op: Op,
        submission: Submission,
    ) -> Result<Prepared, Problem> {
        let (head, content, language) = submission.parts()?;
        let made = service.sketcher.sketch_now(content, language)?;
        if op == Op::Check {
            return check(service, head.id, made.sketch);
        }
        Ok(self.write(op, head.document(made, service.config.keep_text)?))
    }
}

/// Whether a near-duplicate is stored.
fn check(service: &Service, id: Option<String>, sketch: Sketch) -> Result<Prepared, Problem> {
    let about = About::document(id, &sketch);
    let near = service.store.check(sketch)?;
    Ok(Prepared::Done(Row::of(about, near.map_or(Outcome::New, Outcome::Duplicate))))
}

/// Hands the writes of a chunk to the store's writer as soon as it has room.
async fn submit(store: &Store, chunk: Chunk) -> Written {
    let Chunk { lines, writes } = chunk;
    if writes.is_empty() {
        return Written { lines, outcomes: None };
    }
    let mut writes = writes;
    loop {
        let (answer, outcomes) = oneshot::channel();
        // The client may have gone.
        let answer = move |outcomes| drop(answer.send(outcomes));
        match store.submit(writes, answer) {
            Err(refused) if matches!(refused.error, StoreError::Busy) => {
                writes = refused.writes;
                sleep(PAUSE).await;
            }
            // If the store is closed, the answer was dropped and does not come.
            _ => return Written { lines, outcomes: Some(outcomes) },
        }
    }
}

impl Written {
    /// The rows of the chunk, once its writes are durable.
    async fn rows(self) -> Vec<Row> {
        let outcomes = match self.outcomes {
            // An answer that does not come: the store was closed.
            Some(outcomes) => outcomes.await.unwrap_or_default(),
            None => Vec::new(),
        };
        let mut outcomes = outcomes.into_iter();
        let row = |(number, line)| {
            let row = match line {
                Prepared::Done(row) => row,
                Prepared::Asked(about) => {
                    match outcomes.next().unwrap_or(Err(StoreError::Closed)) {
                        Ok(outcome) => Row::of(about, outcome),
                        Err(error) => Row::refused(about, error.into()),
                    }
                }
            };
            Row { line: Some(number), ..row }
        };
        self.lines.into_iter().map(row).collect()
    }
}

/// Rows as lines.
fn text<'a, T: Serialize + 'a>(rows: impl IntoIterator<Item = &'a T>) -> Bytes {
    let mut text = Vec::new();
    for row in rows {
        let written = serde_json::to_writer(&mut text, row);
        debug_assert!(written.is_ok(), "strings and numbers have a JSON");
        text.push(b'\n');
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Fingerprint, Width};
    use nearprint_store::{Document, Options, Settings, Threshold};
    use std::sync::mpsc::channel;
    use tokio::time::timeout;

    #[tokio::test]
    async fn a_chunk_waits_for_a_busy_writer_and_keeps_its_writes() {
        let room = tempfile::tempdir().unwrap();
        let settings =
            Settings { recipe: None, width: Width::W64, threshold: Threshold::Radius(3) };
        let options = Options::default();
        let store = Store::create_with(room.path().join("codes"), &settings, &options).unwrap();
        let nothing = || vec![Write::Delete("none".to_owned())];
        // An answer that does not return holds the writer up, and what comes next waits.
        let ((entered, holds), (release, held)) = (channel(), channel::<()>());
        let hold = move |_| {
            entered.send(()).unwrap();
            held.recv().unwrap();
        };
        assert!(store.submit(nothing(), hold).is_ok());
        holds.recv().unwrap();
        while store.submit(nothing(), |_| ()).is_ok() {}
        let documents = [(1, 0xff), (2, 0xff00_0000)]
            .map(|(id, code): (u8, u64)| Document::new(id.to_string(), Fingerprint::from(code)));
        let lines = documents.each_ref().map(|document| {
            let about = About::document(Some(document.id.clone()), &document.sketch);
            (1, Prepared::Asked(about))
        });
        let writes = documents.map(Write::Add).into();
        let submitting = submit(&store, Chunk { lines: lines.into(), writes });
        tokio::pin!(submitting);
        assert!(timeout(20 * PAUSE, &mut submitting).await.is_err());
        release.send(()).unwrap();
        let rows = submitting.await.rows().await;
        let rows = String::from_utf8(text(&rows).to_vec()).unwrap();
        assert_eq!((rows.lines().count(), rows.matches("\"new\"").count()), (2, 2), "{rows}");
        assert_eq!(store.len(), 2);
    }
}
