//! Connections: accepts them up to a limit, adds TLS, speaks HTTP/1.1 or HTTP/2, and ends those that
//! stall.

use crate::config::Config;
use crate::listen::idle::Idle;
use crate::listen::tls::Secrecy;
use crate::observe::Observer;
use crate::platform::allow_files;
use crate::request::arrival::Client;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

/// Open files that the store and the process need beside connections.
const FILES: u64 = 1024;
/// The pause after the system refused a connection.
const PAUSE: Duration = Duration::from_millis(50);
/// Most requests of one HTTP/2 connection at a time.
const STREAMS: u32 = 256;
/// Most bytes of the head of a request, and of a body that are read at a time.
const BUFFER: usize = 64 << 10;
/// Tells browsers to come by TLS alone for a year.
const BY_TLS: HeaderValue = HeaderValue::from_static("max-age=31536000");
/// How long requests under way may take when the server is stopped.
const LAST_REQUESTS: Duration = Duration::from_secs(30);

/// How connections are served.
pub(crate) struct Connections {
    places: Arc<Semaphore>,
    tls: Option<Secrecy>,
    builder: Builder<TokioExecutor>,
    patience: Duration,
    observer: Arc<Observer>,
}

impl Connections {
    pub(crate) fn new(config: &Config, tls: Option<Secrecy>, observer: Arc<Observer>) -> Self {
        let patience = config.idle_time();
        let mut builder = Builder::new(TokioExecutor::new());
        let mut one = builder.http1();
        one.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(BUFFER);
        let mut two = builder.http2();
        two.timer(TokioTimer::new())
            .max_concurrent_streams(STREAMS)
            .max_header_list_size(64 << 10)
            .keep_alive_interval(patience / 2);
        let places = Semaphore::new(places(config.max_connections));
        Self { places: Arc::new(places), tls, builder, patience, observer }
    }

    /// Serves connections until `stop`, then finishes the requests under way.
    pub(crate) async fn serve(
        self,
        listener: TcpListener,
        router: Router,
        stop: impl Future<Output = ()>,
    ) {
        let graceful = GracefulShutdown::new();
        let shared = Arc::new(self);
        tokio::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            match accepted {
                Ok((stream, client)) => shared.begin(stream, client, &router, &graceful),
                // The connection failed, or the system needs a moment: the server goes on.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(PAUSE).await;
                }
            }
        }
        drop(listener);
        tracing::info!(connections = graceful.count(), "stopping");
        if timeout(LAST_REQUESTS, graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests took too long and were aborted");
        }
    }

    /// Serves a connection on a task of its own if there is a place for it, else closes it.
    fn begin(
        self: &Arc<Self>,
        stream: TcpStream,
        client: SocketAddr,
        router: &Router,
        graceful: &GracefulShutdown,
    ) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            self.observer.metrics.connections_refused.inc();
            tracing::debug!(%client, "too many connections: one was closed");
            return;
        };
        // Each answer is written whole, so it need not wait for more bytes. A failure only delays answers.
        let _kept = stream.set_nodelay(true);
        let (connections, router, watcher) = (Arc::clone(self), router.clone(), graceful.watcher());
        tokio::spawn(async move {
            let patience = connections.patience;
            match &connections.tls {
                None => {
                    connections
                        .speak(Idle::new(stream, patience), client, router, watcher, place)
                        .await
                }
                Some(tls) => {
                    match timeout(patience, TlsAcceptor::from(tls.load_full()).accept(stream)).await
                    {
                        Ok(Ok(stream)) => {
                            connections
                                .speak(Idle::new(stream, patience), client, router, watcher, place)
                                .await;
                        }
                        Ok(Err(error)) => tracing::debug!(%error, %client, "no TLS"),
                        Err(_) => tracing::debug!(%client, "no TLS in time"),
                    }
                }
            }
        });
    }

    async fn speak<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        client: SocketAddr,
        router: Router,
        watcher: Watcher,
        _place: OwnedSemaphorePermit,
    ) {
        self.observer.metrics.connections.inc();
        let (observer, secret) = (Arc::clone(&self.observer), self.tls.is_some());
        let answer = hyper::service::service_fn(move |request: Request<Incoming>| {
            let (observer, mut router) = (Arc::clone(&observer), router.clone());
            async move {
                let request = request.map(Body::new);
                let mut response =
                    observer.answer(request, &mut router, Client::Address(client)).await;
                if secret {
                    response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, BY_TLS);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let connection = self.builder.serve_connection(TokioIo::new(stream), answer);
        if let Err(error) = watcher.watch(connection.into_owned()).await {
            tracing::debug!(%error, %client, "a connection ended");
        }
        self.observer.metrics.connections.dec();
    }
}

/// Places for connections: as many as asked for, if the system allows so many open files.
fn places(asked: usize) -> usize {
    let files = allow_files(asked as u64 + FILES);
    let places = asked.min(usize::try_from(files.saturating_sub(FILES)).unwrap_or(asked)).max(16);
    if places < asked {
        tracing::warn!(places, files, "the system allows fewer connections than requested");
    }
    places.min(Semaphore::MAX_PERMITS)
}
