//! TLS from the files of a certificate and its key.

use crate::config::Config;
use crate::error::Error;
use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// How connections are encrypted, which may change for those that follow.
pub(crate) type Secrecy = Arc<ArcSwap<ServerConfig>>;

/// Reads how connections are encrypted; `None` if the configuration has no certificate.
pub(crate) fn read(config: &Config) -> Result<Option<Arc<ServerConfig>>, Error> {
    let (certificate, key) = match (&config.tls_certificate, &config.tls_key) {
        (None, None) => return Ok(None),
        (Some(certificate), Some(key)) => (certificate, key),
        _ => return Err(Error::HalfTls),
    };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unreadable(certificate, error))?;
    if chain.is_empty() {
        let what = "no certificate in it; PEM is expected".to_owned();
        return Err(Error::Content { path: certificate.clone(), what });
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, error))?;
    let refused =
        |error: rustls::Error| Error::Tls { path: certificate.clone(), message: error.to_string() };
    // The provider is named here, so the process need not choose one.
    let mut tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(refused)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(refused)?;
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Some(Arc::new(tls)))
}

fn unreadable(path: &Path, error: pem::Error) -> Error {
    let path = path.to_owned();
    match error {
        pem::Error::Io(source) => Error::File { path, source: io::Error::other(source) },
        other => Error::Content { path, what: format!("{other}; PEM is expected") },
    }
}
