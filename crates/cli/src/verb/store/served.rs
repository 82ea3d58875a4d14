//! The process that serves a store, asked through the socket in the folder of the store.

use crate::platform::through_socket;
use crate::verb::store::refusal::Refusal;
use crate::verb::store::row::{Stored, stored};
use anyhow::{Context, anyhow, bail};
use nearprint_store::{Alike, Document, Measure, NearDocument, Outcome, Rows, SOCKET, Settings};
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// The statuses of lines whose documents are at fault.
const OF_DOCUMENT: [u16; 4] = [400, 409, 413, 422];
/// What a similarity may be one of.
const MEASURES: [Measure; 5] = [
    Measure::Jaccard,
    Measure::Cosine,
    Measure::WeightedJaccard,
    Measure::EstimatedJaccard,
    Measure::EstimatedCosine,
];
/// What is said where an answer is cut off.
const ENDED: &str = "the server ended before its answer";
/// Pauses between questions about a task: the first, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

/// The process that serves a store.
pub(super) struct Served {
    client: Client,
    /// The rows of documents of this store.
    rows: Rows,
}

/// What became of a line of a batch.
#[derive(Deserialize)]
struct Line {
    verdict: String,
    near: Option<NearRow>,
    error: Option<String>,
    status: Option<u16>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// A stored document that is near.
#[derive(Deserialize)]
struct NearRow {
    id: String,
    distance: u32,
    similarity: Option<Box<RawValue>>,
    measure: Option<String>,
}

/// How much is stored.
#[derive(Deserialize)]
struct Amount {
    documents: u64,
}

/// The stored documents near one.
#[derive(Deserialize)]
struct Neighbors {
    neighbors: Vec<NearRow>,
}

/// A kind of task of the server.
#[derive(Deserialize)]
struct Task {
    running: Option<Value>,
    failed: Option<Ended>,
    ended: Option<Ended>,
}

/// A task that ended.
#[derive(Deserialize)]
pub(super) struct Ended {
    begun: u64,
    reason: Option<String>,
    #[serde(default)]
    pub(super) documents: u64,
    #[serde(default)]
    pub(super) segments: u64,
    #[serde(default)]
    pub(super) end_known: bool,
}

impl Served {
    /// The process, if one takes requests at the store's socket. Else the reason why the store could not be opened.
    pub(super) fn at(store: &Path, closed: anyhow::Error) -> anyhow::Result<Self> {
        let builder = Client::builder().timeout(None).no_proxy();
        let builder = match through_socket(builder, &store.join(SOCKET)) {
            Ok(builder) => builder,
            Err(why) => return Err(closed.context(why)),
        };
        let rows = Rows::of(&Settings::read(store)?)?;
        let served = builder.build().ok().map(|client| Self { client, rows });
        let answers = |served: &Self| served.client.get(url("/healthz")).send().is_ok();
        served.filter(answers).ok_or(closed)
    }

    /// Does with documents what `op` says; an outcome each.
    pub(super) fn sketched(
        &self,
        op: &str,
        documents: &[Document],
    ) -> anyhow::Result<Vec<Result<Outcome, Refusal>>> {
        let lines = documents.iter().map(|document| self.rows.write(document) + "\n").collect();
        self.batch(&[("op", op), ("sketched", "true")], lines, documents.len())
    }

    /// Deletes the documents with these ids; an outcome each.
    pub(super) fn delete(&self, ids: &[String]) -> anyhow::Result<Vec<Outcome>> {
        let lines = ids.iter().map(|id| format!("{}\n", json!({ "id": id }))).collect();
        let outcomes = self.batch(&[("op", "delete")], lines, ids.len())?;
        outcomes.into_iter().map(|outcome| outcome.map_err(|refused| refused.error)).collect()
    }

    /// Deletes many documents; returns how many there were.
    pub(super) fn delete_all(&self, wanted: &Value) -> anyhow::Result<u64> {
        Ok(self.task("/v1/deletions", Some(wanted))?.documents)
    }

    /// The stored documents near one.
    pub(super) fn near(
        &self,
        document: &Document,
        k: Option<u32>,
        most: usize,
    ) -> anyhow::Result<Vec<NearDocument>> {
        let row = self.rows.write(document);
        let k = k.map_or(String::new(), |k| format!(",\"k\":{k}"));
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let asked = format!("{{\"sketched\":{row},\"limit\":{most}{k}}}");
        let answered = answer(in_json(self.client.post(url("/v1/query")), asked))?.bytes()?;
        let Neighbors { neighbors } = serde_json::from_slice(&answered)?;
        neighbors.into_iter().map(NearRow::near).collect()
    }

    /// Sends so many lines, and reads what became of each.
    fn batch(
        &self,
        asked: &[(&str, &str)],
        lines: String,
        count: usize,
    ) -> anyhow::Result<Vec<Result<Outcome, Refusal>>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let request = self.client.post(url("/v1/batch")).query(asked);
        let answered = answer(request.header("content-type", "application/x-ndjson").body(lines))?;
        let mut outcomes = Vec::with_capacity(count);
        for line in BufReader::new(answered).lines() {
            outcomes.push(serde_json::from_str::<Line>(&line.context(ENDED)?)?.outcome()?);
        }
        if outcomes.len() < count {
            bail!(ENDED);
        }
        Ok(outcomes)
    }

    /// The answer to a question.
    pub(super) fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        Ok(serde_json::from_slice(&answer(self.client.get(url(path)))?.bytes()?)?)
    }

    /// The number of documents stored.
    pub(super) fn documents(&self) -> anyhow::Result<u64> {
        Ok(self.get::<Amount>("/v1/stats")?.documents)
    }

    /// The document of an id, as a row.
    pub(super) fn document(&self, id: &str) -> anyhow::Result<Option<String>> {
        let asked = posted(self.client.post(url("/v1/get")), &json!({ "id": id })).send()?;
        match asked.status().as_u16() {
            404 => Ok(None),
            _ => {
                let fields: Stored = serde_json::from_slice(&checked(asked)?.bytes()?)?;
                Ok(Some(stored(&fields)?))
            }
        }
    }

    /// Hands each line of an answer to `each`.
    pub(super) fn lines(
        &self,
        path: &str,
        query: &[(&str, &str)],
        mut each: impl FnMut(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut lines = BufReader::new(answer(self.client.get(url(path)).query(query))?);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).context(ENDED)? > 0 {
            each(&line)?;
            line.clear();
        }
        Ok(())
    }

    /// Begins a task and waits for its end.
    pub(super) fn task(&self, path: &str, asked: Option<&Value>) -> anyhow::Result<Ended> {
        let request = self.client.post(url(path));
        let request = match asked {
            Some(asked) => posted(request, asked),
            None => request,
        };
        let begun = answer(request)?.bytes()?;
        let begun: Task = serde_json::from_slice(&begun)?;
        let begun = begun.running.as_ref().and_then(|run| run["begun"].as_u64());
        let [mut pause, longest] = PAUSES;
        loop {
            let Task { running, failed, ended } = self.get(path)?;
            if running.is_none() {
                // One that ended before it was asked about is the last one.
                let last = [failed, ended].into_iter().flatten().max_by_key(|ended| ended.begun);
                return match last {
                    Some(Ended { reason: Some(reason), .. }) => bail!(reason),
                    Some(ended) if begun.is_none_or(|begun| ended.begun >= begun) => Ok(ended),
                    _ => bail!("the server was restarted meanwhile: run the command again"),
                };
            }
            sleep(pause);
            pause = longest.min(2 * pause);
        }
    }
}

fn url(path: &str) -> String {
    format!("http://localhost{path}")
}

/// A request with a body in JSON.
fn posted(request: RequestBuilder, body: &Value) -> RequestBuilder {
    in_json(request, body.to_string())
}

fn in_json(request: RequestBuilder, body: String) -> RequestBuilder {
    request.header("content-type", "application/json").body(body)
}

fn answer(request: RequestBuilder) -> anyhow::Result<Response> {
    checked(request.send().context("the process that serves the store does not answer")?)
}

/// An answer that went well, or the problem that the server tells.
fn checked(response: Response) -> anyhow::Result<Response> {
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status();
    let problem = response.bytes().map(|body| serde_json::from_slice::<Value>(&body));
    let problem = problem.ok().and_then(Result::ok).unwrap_or_default();
    Err(said(problem["detail"].as_str().unwrap_or(status.as_str())))
}

/// What the process that serves the store says is wrong with it or with what was asked.
fn said(problem: &str) -> anyhow::Error {
    anyhow!("the process that serves the store answers: {problem}")
}

impl Line {
    fn outcome(self) -> anyhow::Result<Result<Outcome, Refusal>> {
        let Self { verdict, near, error, status, kind } = self;
        Ok(Ok(match (verdict.as_str(), near) {
            ("new", _) => Outcome::New,
            ("exists", _) => Outcome::Exists,
            ("duplicate", Some(near)) => Outcome::Duplicate(near.near()?),
            ("updated", _) => Outcome::Updated,
            ("deleted", _) => Outcome::Deleted,
            ("absent", _) => Outcome::Absent,
            (verdict, _) => {
                let error = error.unwrap_or_else(|| format!("a verdict {verdict:?}"));
                // A field that is wrong stands before what is wrong with it.
                let error = match error.split_once(": ") {
                    Some((field, reason)) if field.starts_with('/') => reason,
                    _ => &error,
                };
                let is_of_document = status.is_some_and(|status| OF_DOCUMENT.contains(&status));
                let is_id_taken = kind.is_some_and(|kind| kind.ends_with(":conflict"));
                let error = if is_of_document { anyhow!("{error}") } else { said(error) };
                return Ok(Err(Refusal { error, is_of_document, is_id_taken }));
            }
        }))
    }
}

impl NearRow {
    fn near(self) -> anyhow::Result<NearDocument> {
        let Self { id, distance, similarity, measure } = self;
        let measure = measure.map(|name| {
            let found = MEASURES.into_iter().find(|measure| measure.name() == name);
            found.with_context(|| format!("this release does not know the measure {name:?}"))
        });
        // The number is read from its digits, exact to the last bit.
        let similarity = similarity.map(|digits| digits.get().parse()).transpose()?;
        let alike = measure.transpose()?.zip(similarity);
        let alike = alike.map(|(measure, similarity)| Alike { similarity, measure });
        Ok(NearDocument { id, distance, alike })
    }
}
