//! An address of an object, as the user typed it. Reading and writing objects is `object`'s.

use crate::error::Error;
use std::path::{Path, PathBuf};

/// `s3://bucket/key`, `gs://bucket/key`, `az://container/key`, or `http://` or `https://`, which are
/// only read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ObjectUrl {
    pub(crate) scheme: Scheme,
    /// Bucket, container, or host with its port.
    pub(crate) bucket: String,
    /// The key, without a slash at its start; of a folder with one at its end, or empty.
    pub(crate) key: String,
    /// What follows the `?` of a web address, which may be a secret: it is asked for and not told.
    pub(crate) query: Option<String>,
}

/// How an object is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scheme {
    S3,
    Gs,
    Az,
    Http,
    Https,
}

impl Scheme {
    const ALL: [Self; 5] = [Self::S3, Self::Gs, Self::Az, Self::Http, Self::Https];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Gs => "gs",
            Self::Az => "az",
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// Whether objects can be listed and written, not only read.
    pub(crate) fn is_storage(self) -> bool {
        !matches!(self, Self::Http | Self::Https)
    }
}

impl ObjectUrl {
    /// The address that `text` is; none of what is a path.
    ///
    /// # Errors
    ///
    /// [`Error::BadUrl`] if no bucket or host follows the scheme, and for a scheme of others.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, Error> {
        let Some((scheme, rest)) = text.split_once("://") else { return Ok(None) };
        let known = |known: &Scheme| known.name().eq_ignore_ascii_case(scheme);
        let Some(scheme) = Scheme::ALL.into_iter().find(known) else {
            return if is_scheme(scheme) { Err(unknown(text)) } else { Ok(None) };
        };
        let (rest, query) = match rest.split_once('?') {
            // Elsewhere a question mark is part of a pattern or a key.
            Some((rest, query)) if !scheme.is_storage() => (rest, Some(query.to_owned())),
            _ => (rest, None),
        };
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            let detail = if scheme.is_storage() { "a bucket" } else { "a host" };
            return Err(Error::BadUrl {
                url: text.to_owned(),
                detail: format!("expected {detail} after ://"),
            });
        }
        let (bucket, key) = (bucket.to_owned(), key.trim_start_matches('/').to_owned());
        Ok(Some(Self { scheme, bucket, key, query }))
    }

    /// The same of a path, which a command line may give as one.
    pub(crate) fn of_path(path: &Path) -> Result<Option<Self>, Error> {
        path.to_str().map_or(Ok(None), Self::parse)
    }

    /// A path that stands for it where places are compared: no file has one that begins so.
    pub(crate) fn as_path(&self) -> PathBuf {
        let root = Path::new("/").join(self.scheme.name()).join(&self.bucket);
        root.join(self.key.trim_end_matches('/'))
    }

    /// The address that such a path stands for, as messages name it.
    pub(crate) fn of_such(path: &Path) -> String {
        let path = path.display().to_string();
        let parts = path.trim_start_matches('/').split_once('/');
        parts.map_or_else(|| path.clone(), |(scheme, rest)| format!("{scheme}://{rest}"))
    }
}

/// Whether this is the name of a scheme by RFC 3986, of more letters than a drive has.
fn is_scheme(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn unknown(text: &str) -> Error {
    Error::BadUrl {
        url: text.to_owned(),
        detail: "expected s3://, gs://, az://, http:// or https://, or the path of a file"
            .to_owned(),
    }
}

/// The address, without what may be secret.
impl std::fmt::Display for ObjectUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}/{}", self.scheme.name(), self.bucket, self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_bucket_and_a_key() {
        let url = ObjectUrl::parse("s3://bucket/a b/c?.jsonl").unwrap().unwrap();
        assert_eq!(
            (url.scheme, url.bucket.as_str(), url.key.as_str()),
            (Scheme::S3, "bucket", "a b/c?.jsonl")
        );
        assert_eq!(url.to_string(), "s3://bucket/a b/c?.jsonl");
        assert_eq!(ObjectUrl::parse("gs://bucket").unwrap().unwrap().key, "");
        for path in ["a/b", "c:/d", "-", "://x", "a b://c", "./ftp://x"] {
            assert_eq!(ObjectUrl::parse(path).unwrap(), None, "{path}");
        }
        for other in ["ftp://host/a", "hf://datasets/a", "file:///a"] {
            let error = ObjectUrl::parse(other).unwrap_err().to_string();
            assert!(error.starts_with(other) && error.contains("s3://"), "{error}");
        }
        assert!(ObjectUrl::parse("az:///key").is_err());
    }

    #[test]
    fn the_query_of_a_web_address_is_not_told() {
        let url = ObjectUrl::parse("https://host:8080/a.jsonl?token=secret").unwrap().unwrap();
        assert_eq!(url.to_string(), "https://host:8080/a.jsonl");
        assert_eq!(url.query.as_deref(), Some("token=secret"));
        assert_eq!(url.as_path(), Path::new("/https/host:8080/a.jsonl"));
        assert_eq!(ObjectUrl::of_such(&url.as_path()), url.to_string());
    }
}
