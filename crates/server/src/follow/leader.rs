//! Which service a copy follows, and how it makes itself known there.

use crate::error::Error;
use reqwest::Url;
use std::fs;
use std::path::PathBuf;

/// The path of the changes of a service.
pub(crate) const CHANGES: &str = "/v1/changes";

/// Which service a copy follows, and how it makes itself known there.
///
/// # Examples
/// ```
/// use nearprint_server::Leader;
///
/// let leader: Leader = "https://pages.example.org:7878".parse()?;
/// assert_eq!(leader.to_string(), "https://pages.example.org:7878/");
/// assert!("pages.example.org:7878".parse::<Leader>().is_err(), "without http or https");
/// # Ok::<(), nearprint_server::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    url: Url,
    /// The file with a token of it, which is read at each connection.
    pub token: Option<PathBuf>,
    /// The file of the certificates that its certificate is checked by, PEM; without it those of the system.
    pub ca: Option<PathBuf>,
}

impl std::str::FromStr for Leader {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let odd = |why: &str| Error::Address { address: text.to_owned(), what: why.to_owned() };
        let mut url = Url::parse(text).map_err(|error| odd(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(odd("it begins with neither http:// nor https://"));
        }
        let bare = url.username().is_empty() && url.password().is_none();
        if !bare || url.query().is_some() || url.fragment().is_some() {
            return Err(odd("it has a user, a question mark or a number sign in it"));
        }
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        Ok(Self { url, token: None, ca: None })
    }
}

impl std::fmt::Display for Leader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.url.fmt(f)
    }
}

impl Leader {
    /// The address of its changes, behind this position; of all documents without one.
    pub(crate) fn changes(&self, after: Option<&str>) -> Option<Url> {
        let mut url = self.url.join(CHANGES.trim_start_matches('/')).ok()?;
        if let Some(after) = after {
            url.query_pairs_mut().append_pair("after", after);
        }
        Some(url)
    }

    /// The token in its file.
    pub(crate) fn secret(&self) -> Result<Option<String>, Error> {
        let Some(path) = &self.token else { return Ok(None) };
        let read = fs::read_to_string(path);
        let text = read.map_err(|source| Error::File { path: path.clone(), source })?;
        let secret = text.trim();
        if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            let what = "expected only a token of the leader, on one line".to_owned();
            return Err(Error::Content { path: path.clone(), what });
        }
        Ok(Some(secret.to_owned()))
    }

    /// The certificates in their file.
    pub(crate) fn roots(&self) -> Result<Option<Vec<reqwest::Certificate>>, Error> {
        let Some(path) = &self.ca else { return Ok(None) };
        let read = fs::read(path);
        let pem = read.map_err(|source| Error::File { path: path.clone(), source })?;
        match reqwest::Certificate::from_pem_bundle(&pem) {
            Ok(roots) if !roots.is_empty() => Ok(Some(roots)),
            Ok(_) => {
                let what = "no certificate in it; expected PEM".to_owned();
                Err(Error::Content { path: path.clone(), what })
            }
            Err(error) => Err(Error::Content { path: path.clone(), what: error.to_string() }),
        }
    }

    /// Reads the files that it names, so that what is wrong with them is told at once.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.secret()?;
        self.roots().map(drop)
    }
}
