//! A folder for one test, a store in it, and its server.

use crate::client::Client;
use nearprint_fingerprint::{Recipe, Width};
use nearprint_server::{Analysis, Config, Error, Server, Stop};
use nearprint_store::{Settings, Store, Threshold};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::thread::JoinHandle;
use tempfile::TempDir;

pub(crate) struct Room(TempDir);

/// A server that is stopped at the end.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Room {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// The store, which is made if it is not there: of the built-in recipe of that name, or of ready
    /// fingerprints.
    pub(crate) fn store(&self, recipe: Option<&str>) -> Store {
        let path = self.path("store");
        if path.exists() {
            return Store::open(&path).unwrap();
        }
        let recipe = recipe.map(|name| Recipe::named(name).unwrap());
        let settings = Settings { recipe, width: Width::W64, threshold: Threshold::Radius(3) };
        Store::create(&path, &settings).unwrap()
    }

    /// Makes a store by similarity of the built-in recipe of that name, which is served then.
    pub(crate) fn create_alike(&self, recipe: &str, threshold: Threshold) {
        let recipe = Recipe::named(recipe).unwrap().with_width(Width::W128);
        let settings = Settings { threshold, ..Settings::of(recipe) };
        drop(Store::create(self.path("store"), &settings).unwrap());
    }

    /// A server on a free port.
    pub(crate) fn bind(&self, recipe: Option<&str>, config: Config) -> Result<Server, Error> {
        let store = self.store(recipe);
        let analysis = Analysis { recipe: store.settings().recipe.clone(), statistics: None };
        Server::bind(store, analysis, config)
    }

    /// The same, running.
    pub(crate) fn serve(&self, recipe: Option<&str>, config: Config) -> Served {
        let server = self.bind(recipe, config).unwrap();
        let (address, stop) = (server.address(), server.stop());
        let thread = std::thread::spawn(move || server.run().unwrap());
        Served { address, stop, thread: Some(thread) }
    }
}

/// The default on a free port.
pub(crate) fn config() -> Config {
    Config { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), threads: 2, ..Config::default() }
}

impl Served {
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    pub(crate) fn begin_stop(&self) {
        self.stop.now();
    }

    pub(crate) fn end(mut self) {
        self.stop.now();
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.now();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}
