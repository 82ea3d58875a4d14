//! What is read again while the server runs: the files of tokens and of TLS.

use crate::config::Config;
use crate::error::Error;
use crate::listen::tls::{self, Secrecy};
use crate::request::guard::Known;
use crate::request::token::Tokens;
use crate::work::metrics::{Metrics, Reloaded};
use std::sync::Arc;

/// The files that are read again, and who uses what is in them.
pub(crate) struct Reload {
    pub(crate) tokens: Option<Known>,
    pub(crate) tls: Option<Secrecy>,
    pub(crate) config: Config,
    pub(crate) metrics: Metrics,
}

impl Reload {
    /// Reads the files again. Where a file will not do, the log and the figures say so, and what it said before stays
    /// in force.
    /// Requests and connections under way go on as they began.
    pub(crate) fn now(&self) {
        if let (Some(known), Some(path)) = (&self.tokens, &self.config.tokens) {
            let read = Tokens::read(path, Some(&known.load()));
            self.note("tokens", read.map(|read| known.store(Arc::new(read))));
        }
        if let Some(secrecy) = &self.tls {
            let read = tls::read(&self.config);
            self.note("certificate", read.map(|read| read.map_or((), |read| secrecy.store(read))));
        }
    }

    fn note(&self, file: &'static str, read: Result<(), Error>) {
        let figure = self.metrics.reloads.get_or_create(&Reloaded { file }).clone();
        figure.set(read.is_ok().into());
        match read {
            Ok(()) => tracing::info!(file, "a file was read again"),
            Err(error) => {
                tracing::error!(file, %error, "a file cannot be read again: its earlier content stays in force");
            }
        }
    }
}
