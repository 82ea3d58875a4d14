//! The connection of a copy to its leader: a request for changes, and the rows of the answer.

use crate::follow::fault::Fault;
use crate::follow::leader::Leader;
use nearprint_store::{ChangeRow, ChangeRows, Leader as Told, Position, Settings};
use reqwest::{Client, Response, StatusCode, header, redirect};
use std::error::Error as _;
use std::time::Duration;
use tokio::time::timeout;

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(5);
/// How long the leader may say nothing. It sends rows several times a second.
const PATIENCE: Duration = Duration::from_secs(15);
/// Most bytes of a row: that of a document with as many features as fit in a request.
const LONGEST: usize = 256 << 20;
/// Most bytes that are read of an answer that is none.
const PROBLEM: usize = 16 << 10;

/// The rows that a leader sends.
pub(crate) struct Link {
    response: Response,
    rows: ChangeRows,
    /// What came and was not read yet, and how much of it was looked through for the end of a row.
    bytes: Vec<u8>,
    read: usize,
    looked: usize,
}

impl Link {
    /// Asks for the changes behind a position; for all documents without one. Returns what the leader is, too.
    pub(crate) async fn open(
        leader: &Leader,
        after: Option<Position>,
    ) -> Result<(Self, Told), Fault> {
        let mut builder = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECTING)
            .http1_only();
        if let Some(roots) = leader.roots().map_err(Fault::refused)? {
            builder = builder.tls_built_in_root_certs(false);
            builder =
                roots.into_iter().fold(builder, |builder, root| builder.add_root_certificate(root));
        }
        let client = builder.build().map_err(|error| Fault::refused(chain(&error)))?;
        let after = after.map(|after| after.to_string());
        let Some(url) = leader.changes(after.as_deref()) else {
            return Err(Fault::refused(format!("{leader} is not the address of a service")));
        };
        let mut request = client.get(url);
        if let Some(secret) = leader.secret().map_err(Fault::refused)? {
            request = request.bearer_auth(secret);
        }
        let response = match timeout(PATIENCE, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(Fault::lost(format!("{leader}: {}", chain(&error)))),
            Err(_) => return Err(silent(leader)),
        };
        let response = answered(leader, response).await?;
        // Any settings will do until those of the leader are known.
        let none = Settings::ready_made(nearprint_fingerprint::Width::W64);
        let rows = ChangeRows::of(&none).map_err(Fault::refused)?;
        let mut link = Self { response, rows, bytes: Vec::new(), read: 0, looked: 0 };
        match link.next().await {
            Ok(ChangeRow::Leader(told)) => {
                link.rows = ChangeRows::of(&told.settings).map_err(Fault::refused)?;
                Ok((link, *told))
            }
            Ok(_) => Err(no_leader(leader)),
            Err(fault) => Err(fault),
        }
    }

    /// The next row.
    pub(crate) async fn next(&mut self) -> Result<ChangeRow, Fault> {
        loop {
            if let Some(at) =
                memchr::memchr(b'\n', self.bytes.get(self.looked..).unwrap_or_default())
            {
                let end = self.looked + at;
                let row = self.bytes.get(self.read..end).unwrap_or_default();
                let row = std::str::from_utf8(row).map_err(Fault::refused)?;
                let row = self.rows.read(row).map_err(Fault::refused);
                (self.read, self.looked) = (end + 1, end + 1);
                return row;
            }
            self.looked = self.bytes.len();
            if self.read > 0 {
                self.bytes.drain(..self.read);
                (self.looked, self.read) = (self.looked - self.read, 0);
            }
            if self.bytes.len() > LONGEST {
                return Err(Fault::refused("a row of the leader does not end"));
            }
            match timeout(PATIENCE, self.response.chunk()).await {
                Ok(Ok(Some(chunk))) => self.bytes.extend_from_slice(&chunk),
                Ok(Ok(None)) => return Err(Fault::lost("the leader ended the connection")),
                Ok(Err(error)) => return Err(Fault::lost(chain(&error))),
                Err(_) => return Err(Fault::lost("the leader went silent")),
            }
        }
    }
}

/// The response, if it is one with changes.
async fn answered(leader: &Leader, mut response: Response) -> Result<Response, Fault> {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
    if status == StatusCode::OK {
        return if kind.starts_with("application/x-ndjson") {
            Ok(response)
        } else {
            Err(no_leader(leader))
        };
    }
    let mut body = Vec::new();
    while body.len() < PROBLEM
        && let Ok(Ok(Some(chunk))) = timeout(PATIENCE, response.chunk()).await
    {
        body.extend_from_slice(&chunk);
    }
    let problem = serde_json::from_slice::<serde_json::Value>(&body).unwrap_or_default();
    let Some(detail) =
        problem["detail"].as_str().filter(|_| kind.starts_with("application/problem+json"))
    else {
        let what =
            format!("{leader} answers {status}, and not as nearprint does: check the address");
        return Err(if status.is_server_error() {
            Fault::lost(what)
        } else {
            Fault::refused(what)
        });
    };
    let what = format!("{leader} answers {status}: {detail}");
    Err(match status {
        StatusCode::CONFLICT | StatusCode::GONE => Fault::different(detail),
        StatusCode::TOO_MANY_REQUESTS => Fault::lost(what),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Fault::refused(format!(
            "{what}; a copy needs a token of the leader, of scope read (--follow-token)"
        )),
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Fault::refused(format!(
            "{what}; the leader may be an earlier release, which sends no changes"
        )),
        status if status.is_server_error() => Fault::lost(what),
        _ => Fault::refused(what),
    })
}

fn no_leader(leader: &Leader) -> Fault {
    Fault::refused(format!("the service at {leader} is not nearprint: it does not send changes"))
}

fn silent(leader: &Leader) -> Fault {
    Fault::lost(format!("{leader} does not answer"))
}

/// An error with its causes.
fn chain(error: &reqwest::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        said = format!("{said}: {error}");
        cause = error.source();
    }
    said
}
