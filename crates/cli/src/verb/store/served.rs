//! The process that serves a store, asked through the socket in the folder of the store.

use crate::platform::through_socket;
use anyhow::{Context, bail};
use nearprint_store::SOCKET;
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// Pauses between questions about a task: the first, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

/// The process that serves a store.
pub(super) struct Served(Client);

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
        let served = builder.build().ok().map(Self);
        let answers = |served: &Self| served.0.get(url("/healthz")).send().is_ok();
        served.filter(answers).ok_or(closed)
    }

    /// The answer to a question.
    pub(super) fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        Ok(serde_json::from_slice(&answer(self.0.get(url(path)))?.bytes()?)?)
    }

    /// The document of an id, as a row.
    pub(super) fn document(&self, id: &str) -> anyhow::Result<Option<String>> {
        let asked = posted(self.0.post(url("/v1/get")), &json!({ "id": id })).send()?;
        match asked.status().as_u16() {
            404 => Ok(None),
            _ => {
                let row: Value = serde_json::from_slice(&checked(asked)?.bytes()?)?;
                Ok(Some(format!("{row}\n")))
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
        let mut lines = BufReader::new(answer(self.0.get(url(path)).query(query))?);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).context("the server ended before its answer")? > 0
        {
            each(&line)?;
            line.clear();
        }
        Ok(())
    }

    /// Begins a task and waits for its end.
    pub(super) fn task(&self, path: &str, asked: Option<&Value>) -> anyhow::Result<Ended> {
        let request = self.0.post(url(path));
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
                    _ => bail!("the server was started anew meanwhile: give the command again"),
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
    request.header("content-type", "application/json").body(body.to_string())
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
    bail!(
        "the process that serves the store answers: {}",
        problem["detail"].as_str().unwrap_or(status.as_str())
    )
}
