//! A server: bound to its address, then run until it is stopped.

use crate::api::tasks::forget;
use crate::config::Config;
use crate::error::Error;
use crate::follow::fault::FaultKind;
use crate::follow::follower::{follow, try_leader};
use crate::listen::connections::Connections;
use crate::listen::control::Control;
use crate::listen::reload::Reload;
use crate::listen::tls::{self, Secrecy};
use crate::platform::{Hangup, Stops};
use crate::request::guard::{Access, Caller, Known};
use crate::request::token::Tokens;
use crate::routes::router;
use crate::shared::Service;
use crate::work::metrics::Metrics;
use crate::work::place::Place;
use crate::work::sketcher::Analysis;
use crate::work::workers;
use arc_swap::ArcSwap;
use axum::Router;
use nearprint_store::Store;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::timeout;

/// A store behind HTTP.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_server::{Analysis, Config, Server};
/// use nearprint_store::{Settings, Store};
/// # let room = tempfile::tempdir().unwrap();
/// # let path = room.path().join("codes");
///
/// let settings = Settings::ready_made(Width::W64);
/// let store = Store::create(&path, &settings)?;
/// let config = Config { listen: "127.0.0.1:0".parse()?, ..Config::default() };
/// let server = Server::bind(store, Analysis::default(), config)?;
/// println!("http://{}/v1/check", server.address());
/// server.stop().now();
/// server.run()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    /// The socket of the store's owner, if the system gives one.
    control: Option<Control>,
    tls: Option<Secrecy>,
    tokens: Option<Known>,
    service: Arc<Service>,
    stop: Stop,
    signals: Signals,
}

/// The service alone, for programs that accept connections themselves, on a runtime of tokio.
///
/// The service asks for no token. It sets no time limit for a request, counts no requests, and refuses none
/// of other sites' pages: the program does what it needs of that.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_server::{Analysis, Config, service};
/// use nearprint_store::{Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let router = service(store, Analysis::default(), Config::default())?;
/// assert!(router.has_routes(), "`axum::serve` takes it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Store`] for an error of the recipe.
pub fn service(store: Store, analysis: Analysis, config: Config) -> Result<Router, Error> {
    let (_, stopping) = watch::channel(false);
    let service = Service::new(store, analysis, config, Metrics::default(), stopping)?;
    Ok(router(Arc::new(service), &Access::All(Caller::Anybody)))
}

/// Stops a server, from any thread. [`Server`] has an example.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    /// Lets requests under way finish, and no further request begin.
    pub fn now(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listens on the address and reads the files that `config` names. Connections wait until [`Self::run`].
    ///
    /// # Errors
    /// [`Error::Open`] without tokens at an address that other machines can reach; [`Error::Listen`];
    /// errors of the files and of the recipe. Of a copy [`Error::Forgets`], and [`Error::Follow`] where its leader
    /// answers and cannot be followed; one that does not answer is asked again later.
    pub fn bind(store: Store, analysis: Analysis, config: Config) -> Result<Self, Error> {
        let asked = config.listen;
        let tokens = match &config.tokens {
            Some(path) => Some(Arc::new(ArcSwap::from_pointee(Tokens::read(path, None)?))),
            None if asked.ip().is_loopback() => None,
            None => return Err(Error::Open { address: asked }),
        };
        if config.follow.is_some() && config.forget_after > 0 {
            return Err(Error::Forgets);
        }
        let tls = tls::read(&config)?.map(|read| Arc::new(ArcSwap::new(read)));
        let runtime = workers::runtime(config.workers()).map_err(Error::System)?;
        if let Some(leader) = &config.follow {
            leader.check()?;
            match runtime.block_on(try_leader(&store, leader)) {
                // The log tells of it when the server runs.
                Err(fault) if fault.kind != FaultKind::Lost => {
                    return Err(Error::Follow { what: fault.what });
                }
                _ => {}
            }
        } else if !store.is_whole() {
            tracing::warn!(
                "this copy was behind its leader: it may have documents of later writes and not have those of earlier ones"
            );
        }
        if let Some(folder) = &config.snapshots
            && !Place::can_be_made(folder)
        {
            let folder = folder.display();
            tracing::warn!(%folder, "snapshots will fail: the folder above theirs does not exist; its disk may not be mounted");
        }
        let listening = |source| Error::Listen { address: asked, source };
        let listener = runtime.block_on(TcpListener::bind(asked)).map_err(listening)?;
        let address = listener.local_addr().map_err(listening)?;
        let stop = Stop(Arc::new(watch::Sender::new(false)));
        let (metrics, stopping) = (Metrics::default(), stop.0.subscribe());
        let service = Service::new(store, analysis, config, metrics, stopping)?;
        let control = runtime.block_on(async { Control::bind(service.store.path()) });
        // From here on a signal closes the store, also one that comes before `run`.
        let signals = runtime.block_on(async { Signals::new() }).map_err(Error::System)?;
        Ok(Self {
            runtime,
            listener,
            address,
            control,
            tls,
            tokens,
            service: Arc::new(service),
            stop,
            signals,
        })
    }

    /// The address of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle that stops the server.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers requests until [`Stop`], SIGTERM or SIGINT stops the server. Then finishes the requests under
    /// way and closes the store. Every write that was answered is durable at that time already.
    ///
    /// Before a signal stops the server, it takes requests for the time of [`Config::drain`], and says at
    /// `/readyz` that it takes none; a second signal ends that time. SIGHUP reads the files of tokens and of TLS
    /// again.
    ///
    /// # Errors
    /// [`Error::System`].
    pub fn run(self) -> Result<(), Error> {
        let Self { runtime, listener, control, tls, tokens, service, stop, signals, .. } = self;
        let Signals { mut stops, mut hangup } = signals;
        let reload = Reload {
            tokens: tokens.clone(),
            tls: tls.clone(),
            config: service.config.clone(),
            metrics: service.observer.metrics.clone(),
        };
        let connections = Connections::new(&service.config, tls, Arc::clone(&service.observer));
        // The folder's owner reads and writes its files: no token is asked of him.
        let owners = router(Arc::clone(&service), &Access::All(Caller::Owner));
        let access = tokens.map_or(Access::All(Caller::Anybody), Access::Tokens);
        let router = router(Arc::clone(&service), &access);
        runtime.block_on(async {
            let mut stopped = stop.0.subscribe();
            let stop = async {
                let asked = async {
                    stops.next().await;
                    let seconds = service.config.drain;
                    if seconds > 0 {
                        service.draining.store(true, Ordering::Relaxed);
                        tracing::info!(seconds, "draining: requests are taken until then");
                        // Another signal cuts it short.
                        let _passed = timeout(Duration::from_secs(seconds), stops.next()).await;
                    }
                };
                tokio::select! {
                    () = asked => {}
                    // No error: `stop` holds the sender.
                    _ = stopped.wait_for(|stop| *stop) => {}
                }
                stop.now();
            };
            if service.config.forget_after > 0 {
                let age = Duration::from_secs(service.config.forget_after);
                tokio::spawn(forget(Arc::clone(&service), age));
            }
            if let (Some(leader), Some(following)) = (&service.config.follow, &service.following) {
                let (service, following) = (Arc::clone(&service), Arc::clone(following));
                tokio::spawn(follow(service, |service| &service.store, leader.clone(), following));
            }
            let _served = control.map(|control| control.serve(owners, &service.observer));
            let reloading = async {
                // Files are read here: they are small, and other threads answer requests meanwhile.
                while hangup.next().await.is_some() {
                    reload.now();
                }
            };
            tokio::select! {
                () = connections.serve(listener, router, stop) => {}
                () = async { reloading.await; std::future::pending().await } => {}
            }
            Ok::<(), Error>(())
        })?;
        // The threads end first. Then `service` is the last holder of the store, and closes it.
        drop(runtime);
        drop(service);
        Ok(())
    }
}

/// The signals that a server listens to.
struct Signals {
    stops: Stops,
    /// Reads files again.
    hangup: Hangup,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { stops: Stops::new()?, hangup: Hangup::new()? })
    }
}
