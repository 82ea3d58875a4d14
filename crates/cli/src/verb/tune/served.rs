//! The page in a local mode: one page, one address, and answers that go to a file. Only this machine reaches it.

use crate::usage::{say, wrong};
use crate::verb::tune::answers::Answers;
use anyhow::Context;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue, ORIGIN};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use nearprint_dedup::Progress;
use serde::Deserialize;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// How often it is looked whether to end.
const LOOK: Duration = Duration::from_millis(100);
/// Bytes of an answer, at most.
const ANSWER: usize = 64 << 10;

/// What the page sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    a: String,
    b: String,
    same: Option<bool>,
}

/// The page and its answers.
struct Served {
    page: Bytes,
    answers: Mutex<Answers>,
    address: SocketAddr,
}

/// Refuses an address that other machines reach.
pub(super) fn check(listen: SocketAddr) -> anyhow::Result<()> {
    if listen.ip().is_loopback() {
        return Ok(());
    }
    wrong(format!("--listen {listen}: the page is only for this machine; listen on 127.0.0.1"))
}

/// Serves `page` until a signal asks the command to end: then `progress` is cancelled.
pub(super) fn serve(
    listen: SocketAddr,
    page: String,
    answers: Answers,
    progress: &Progress,
) -> anyhow::Result<()> {
    check(listen)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let listener =
            TcpListener::bind(listen).await.with_context(|| format!("--listen {listen}"))?;
        let address = listener.local_addr()?;
        say(&format!("decide at http://{address}/ and end with Ctrl-C"));
        let served: &'static Served = Box::leak(Box::new(Served {
            page: page.into(),
            answers: Mutex::new(answers),
            address,
        }));
        while !progress.is_cancelled() {
            let Ok(came) = timeout(LOOK, listener.accept()).await else { continue };
            let (stream, _) = came?;
            tokio::spawn(async move {
                let answer = service_fn(|request| async move {
                    Ok::<_, Infallible>(served.answer(request).await)
                });
                // A browser that goes away is no failure.
                let _served =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
            });
        }
        Ok(())
    })
}

impl Served {
    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        if !self.is_ours(&request) {
            return answer(StatusCode::FORBIDDEN, "only the page itself may send requests here");
        }
        match (request.method(), request.uri().path()) {
            (&Method::GET, "/") => {
                let mut page = Response::new(Full::new(self.page.clone()));
                page.headers_mut()
                    .insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
                page
            }
            (&Method::POST, "/answers") => self.keep(request).await,
            _ => answer(StatusCode::NOT_FOUND, "no such page"),
        }
    }

    async fn keep(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let is_json = |value: &HeaderValue| value.as_bytes().starts_with(b"application/json");
        if !request.headers().get(CONTENT_TYPE).is_some_and(is_json) {
            return answer(StatusCode::UNSUPPORTED_MEDIA_TYPE, "an answer is application/json");
        }
        let Ok(body) = Limited::new(request.into_body(), ANSWER).collect().await else {
            return answer(StatusCode::PAYLOAD_TOO_LARGE, "an answer is shorter");
        };
        let Answer { a, b, same } = match serde_json::from_slice(&body.to_bytes()) {
            Ok(answer) => answer,
            Err(error) => return answer(StatusCode::BAD_REQUEST, &error.to_string()),
        };
        let kept = self.answers.lock().unwrap_or_else(PoisonError::into_inner).keep(&a, &b, same);
        match kept {
            Ok(()) => answer(StatusCode::OK, "kept"),
            Err(error) => {
                say(&format!("error: {error:#}"));
                answer(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}"))
            }
        }
    }

    /// Whether a request is for this address and from its own page: another page in the same browser, and a name that
    /// leads here, are refused.
    fn is_ours(&self, request: &Request<Incoming>) -> bool {
        let port = self.address.port();
        let names = [self.address.to_string(), format!("localhost:{port}")];
        let header =
            |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let of_page = |origin: &str| names.iter().any(|name| origin == format!("http://{name}"));
        header(HOST).is_some_and(|host| names.iter().any(|name| host == name))
            && header(ORIGIN).is_none_or(of_page)
    }
}

fn answer(status: StatusCode, words: &str) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(Bytes::from(words.to_owned())));
    *answer.status_mut() = status;
    answer
}
