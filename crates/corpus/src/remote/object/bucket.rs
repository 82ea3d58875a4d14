//! A bucket or a web server: what is in it. Reading one object is `reader`'s, writing `upload`'s.

use crate::error::Error;
use crate::remote::object::runtime::wait;
use crate::remote::object_url::{ObjectUrl, Scheme};
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::client::ClientOptions;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectMeta, ObjectStore, ObjectStoreExt};
use std::io;
use std::sync::Arc;

/// An open bucket. The environment says how it is reached: `AWS_*`, `GOOGLE_*` and `AZURE_*`, as
/// `object_store` reads them.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    store: Arc<dyn ObjectStore>,
}

impl Bucket {
    /// The bucket of an address.
    pub(super) fn open(url: &ObjectUrl) -> Result<Bucket, Error> {
        let store: Result<Arc<dyn ObjectStore>, StoreError> = match url.scheme {
            Scheme::S3 => {
                let builder = AmazonS3Builder::from_env().with_bucket_name(&url.bucket);
                let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint);
                let builder = match endpoint.filter(|endpoint| is_plain(endpoint)) {
                    Some(_) => builder.with_allow_http(true),
                    None => builder,
                };
                builder.build().map(|store| Arc::new(store) as _)
            }
            Scheme::Gs => {
                let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(&url.bucket);
                builder.build().map(|store| Arc::new(store) as _)
            }
            Scheme::Az => {
                let builder = MicrosoftAzureBuilder::from_env().with_container_name(&url.bucket);
                let endpoint = builder.get_config_value(&AzureConfigKey::Endpoint);
                let builder = match endpoint.filter(|endpoint| is_plain(endpoint)) {
                    Some(_) => builder.with_allow_http(true),
                    None => builder,
                };
                builder.build().map(|store| Arc::new(store) as _)
            }
            Scheme::Http | Scheme::Https => {
                let query =
                    url.query.as_ref().map_or_else(String::new, |query| format!("?{query}"));
                let root = format!("{}://{}/{query}", url.scheme.name(), url.bucket);
                let options = ClientOptions::new().with_allow_http(url.scheme == Scheme::Http);
                let builder = HttpBuilder::new().with_url(root).with_client_options(options);
                builder.build().map(|store| Arc::new(store) as _)
            }
        };
        Ok(Bucket { store: store.map_err(|error| failed(url, error))? })
    }

    pub(super) fn store(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(&self.store)
    }

    /// What is known of the object, where there is one.
    pub(super) fn head(&self, url: &ObjectUrl) -> Result<Option<ObjectMeta>, Error> {
        let path = path_of(url)?;
        match wait(self.store.head(&path)).map_err(|source| unreadable(url, source))? {
            Ok(meta) => Ok(Some(meta)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(url, error)),
        }
    }

    /// What is below the key of `url`, in the order of keys.
    pub(super) fn list(&self, url: &ObjectUrl) -> Result<Vec<ObjectMeta>, Error> {
        let path = path_of(url)?;
        let found = self.store.list(Some(&path)).try_collect::<Vec<_>>();
        let found = wait(found).map_err(|source| unreadable(url, source))?;
        let mut found = found.map_err(|error| failed(url, error))?;
        found.sort_by(|a, b| a.location.cmp(&b.location));
        Ok(found)
    }
}

/// Whether an endpoint is reached by HTTP without TLS: whoever names one so wants that.
fn is_plain(endpoint: &str) -> bool {
    endpoint.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://"))
}

/// The key as the store writes it.
pub(super) fn path_of(url: &ObjectUrl) -> Result<Path, Error> {
    let path =
        if url.scheme.is_storage() { Path::parse(&url.key) } else { Path::from_url_path(&url.key) };
    path.map_err(|error| Error::BadUrl { url: url.to_string(), detail: error.to_string() })
}

/// Most of what fails before anything was read is that nobody said how the store is reached.
fn failed(url: &ObjectUrl, error: StoreError) -> Error {
    let environment = match url.scheme {
        Scheme::S3 => "AWS_*",
        Scheme::Gs => "GOOGLE_*",
        Scheme::Az => "AZURE_*",
        Scheme::Http | Scheme::Https => return unreadable(url, io::Error::other(error)),
    };
    if error.to_string().contains("NoSuchBucket") {
        let told = format!("there is no bucket {:?}", url.bucket);
        return unreadable(url, io::Error::other(told));
    }
    let told = format!("{error}; check {environment} in the environment");
    unreadable(url, io::Error::other(told))
}

fn unreadable(url: &ObjectUrl, source: io::Error) -> Error {
    Error::Read { path: url.to_string(), source }
}
