//! Notes every request in the figures and in the log: its id, its time, its status.

use crate::request::arrival::{Arrival, Client, Route};
use crate::request::guard::Name;
use crate::request::problem::{Kind, Problem};
use crate::work::metrics::{Answered, Metrics, Refused};
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use prometheus_client::metrics::gauge::Gauge;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tower_service::Service;

/// The header of a request's id. The server keeps an id that comes with the request.
const ID: HeaderName = HeaderName::from_static("x-request-id");
/// Characters of an id that comes with a request.
const LONGEST: usize = 64;

/// Notes requests.
pub(crate) struct Observer {
    pub(crate) metrics: Metrics,
    /// How long a request may take.
    patience: Duration,
    /// Whether everybody who reaches the server may do everything.
    open: bool,
    /// The start of the process, with which all ids begin that are made here.
    start: u64,
    next: AtomicU64,
}

impl Observer {
    pub(crate) fn new(metrics: Metrics, patience: Duration, open: bool) -> Self {
        let now = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        Self { metrics, patience, open, start: now.as_secs(), next: AtomicU64::new(0) }
    }

    fn id(&self, request: &Request) -> HeaderValue {
        let plain = |value: &&HeaderValue| {
            let bytes = value.as_bytes();
            let known = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
            (1..=LONGEST).contains(&bytes.len()) && bytes.iter().all(known)
        };
        if let Some(id) = request.headers().get(ID).filter(plain) {
            return id.clone();
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let id = format!("{:x}-{number:x}", self.start);
        HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("-"))
    }
}

/// Counts a request while it is under way.
struct Passing(Gauge);

impl Drop for Passing {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Observer {
    /// Lets the router answer a request within its time, and notes it. This is not a layer of the router:
    /// such a layer allocates for each request as often as all the rest.
    pub(crate) async fn answer(
        &self,
        mut request: Request,
        router: &mut Router,
        client: Client,
    ) -> Response {
        let begun = Instant::now();
        self.metrics.in_flight.inc();
        let _passing = Passing(self.metrics.in_flight.clone());
        let id = self.id(&request);
        let method = name(request.method());
        let arrival = Arc::new(Arrival::new(id.clone(), client, self.open));
        request.extensions_mut().insert(Arc::clone(&arrival));
        let answer = timeout(self.patience, router.call(request)).await;
        let answer = answer.map(|answer| answer.unwrap_or_else(|never| match never {}));
        let mut response = answer.unwrap_or_else(|_| {
            let detail =
                "the server aborted the request; its write may have happened: send it again";
            Problem::new(Kind::Timeout, detail).into_response()
        });
        let (time, status) = (begun.elapsed(), response.status());
        let Route { template: route_template, is_polled, .. } = arrival.route();
        let answered = Answered { endpoint: route_template, method, status: status.as_u16() };
        self.metrics.requests.get_or_create(&answered).observe(time.as_secs_f64());
        if matches!(answered.status, 401 | 403 | 429) {
            let token = response.extensions().get::<Name>().map(|name| name.0.clone());
            let refused = Refused { status: answered.status, token: token.unwrap_or_default() };
            self.metrics.refused.get_or_create(&refused).inc();
        }
        note(&id, &answered, is_polled, time, client, &response);
        response.headers_mut().insert(ID, id);
        response
    }
}

/// Writes a line to the log, at a level by the status.
fn note(
    id: &HeaderValue,
    answered: &Answered,
    is_polled: bool,
    time: Duration,
    client: Client,
    response: &Response,
) {
    let Answered { endpoint, method, status } = *answered;
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    macro_rules! say {
        ($level:ident) => {{
            let id = id.to_str().unwrap_or_default();
            let token = response.extensions().get::<Name>().map(|name| name.0.as_str());
            tracing::$level!(id, %client, method, endpoint, status, micros, token, "request");
        }};
    }
    match StatusCode::from_u16(status) {
        // Who asks again and again whether the server is ready knows the answer; the log has its reason already.
        Ok(_) if is_polled => say!(debug),
        Ok(status) if status.is_server_error() => say!(warn),
        Ok(status) if status.is_client_error() => say!(info),
        _ => say!(debug),
    }
}

fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
