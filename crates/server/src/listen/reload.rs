//! What is read again while the server runs: the files of tokens and of TLS.

use crate::config::Config;
use crate::listen::tls::{self, Secrecy};
use crate::request::guard::Known;
use crate::request::token::Tokens;
use std::path::Path;
use std::sync::Arc;

/// The files that are read again, and who uses what is in them.
pub(crate) struct Reload {
    pub(crate) tokens: Option<Known>,
    pub(crate) tls: Option<Secrecy>,
    pub(crate) config: Config,
}

impl Reload {
    /// Reads the files again. What a file says that will not do is logged, and the old stays in its place.
    /// Requests and connections under way go on as they began.
    pub(crate) fn now(&self) {
        if let (Some(known), Some(path)) = (&self.tokens, &self.config.tokens) {
            read_tokens(known, path);
        }
        if let Some(secrecy) = &self.tls {
            match tls::read(&self.config) {
                Ok(Some(read)) => {
                    secrecy.store(read);
                    tracing::info!("the certificate was read again");
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::error!(%error, "the certificate cannot be read again: the old one stays");
                }
            }
        }
    }
}

fn read_tokens(known: &Known, path: &Path) {
    match Tokens::read(path, Some(&known.load())) {
        Ok(read) => {
            known.store(Arc::new(read));
            tracing::info!("the tokens were read again");
        }
        Err(error) => {
            tracing::error!(%error, "the tokens cannot be read again: the old ones stay");
        }
    }
}
