//! The socket in the folder of the store, through which the commands of the store's owner ask the process that has
//! the store open.

use crate::observe::Observer;
use crate::platform::OwnersSocket;
use crate::request::arrival::Client;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use nearprint_store::SOCKET;
use std::convert::Infallible;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::AbortHandle;
use tokio::time::sleep;

/// The pause after the system refused a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// The socket, listened to. Its file goes with it.
pub(crate) struct Control {
    listener: OwnersSocket,
    file: SocketFile,
}

/// Answers through the socket as long as it lives.
pub(crate) struct Served {
    answering: AbortHandle,
    _file: SocketFile,
}

struct SocketFile(PathBuf);

impl Control {
    /// Listens in the folder of the store, where only its owner connects. Without a socket the server goes on; the log
    /// says why there is none, such as a path of more than some 100 bytes.
    pub(crate) fn bind(store: &Path) -> Option<Self> {
        let path = store.join(SOCKET);
        let bound = Self::try_bind(&path);
        if let Err(error) = &bound {
            let path = path.display();
            tracing::warn!(%path, %error, "no socket for commands; they work while the server is stopped");
        }
        bound.ok()
    }

    /// The file has its name when nobody else can connect: before, it has another one.
    fn try_bind(path: &Path) -> io::Result<Self> {
        let new = path.with_extension("new");
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = OwnersSocket::bind(&new)?;
        fs::rename(&new, path)?;
        Ok(Self { listener, file: SocketFile(path.to_owned()) })
    }

    /// Answers with `router` what comes.
    pub(crate) fn serve(self, router: Router, observer: &Arc<Observer>) -> Served {
        let Self { listener, file } = self;
        let observer = Arc::clone(observer);
        let answering = tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    Ok(stream) => {
                        tokio::spawn(speak(stream, router.clone(), Arc::clone(&observer)));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a command could not be accepted");
                        sleep(PAUSE).await;
                    }
                }
            }
        });
        Served { answering: answering.abort_handle(), _file: file }
    }
}

async fn speak<S>(stream: S, router: Router, observer: Arc<Observer>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let answer = hyper::service::service_fn(move |request: Request<Incoming>| {
        let (observer, mut router) = (Arc::clone(&observer), router.clone());
        async move {
            let request = request.map(Body::new);
            Ok::<_, Infallible>(observer.answer(request, &mut router, Client::Socket).await)
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new());
    if let Err(error) = builder.serve_connection(TokioIo::new(stream), answer).await {
        tracing::debug!(%error, "a command went");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.answering.abort();
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let _gone = fs::remove_file(&self.0);
    }
}
