//! Reads the query string of a request. Every endpoint refuses parameters that it does not know: those that
//! take some by reading them here into a type that denies unknown fields, all others before they are asked.

use crate::request::problem::{Kind, Problem};
use axum::extract::Query;
use axum::http::Uri;
use serde::de::DeserializeOwned;

/// How the problem of a query string begins, for those who write servers.
const PREFIX: &str = "Failed to deserialize query string: ";

/// The parameters of a request.
pub(crate) fn parse<T: DeserializeOwned>(uri: &Uri) -> Result<T, Problem> {
    let read = Query::<T>::try_from_uri(uri);
    read.map(|Query(read)| read).map_err(|odd| {
        let said = odd.body_text();
        let what = said.strip_prefix(PREFIX).unwrap_or(&said);
        Problem::new(Kind::Request, format!("after the question mark: {what}"))
    })
}

/// Refuses a query string, at an endpoint that takes none.
pub(crate) fn none(uri: &Uri) -> Result<(), Problem> {
    match uri.query() {
        None | Some("") => Ok(()),
        Some(_) => {
            let detail =
                "this path takes no parameters: leave out the question mark and what follows";
            Err(Problem::new(Kind::Request, detail))
        }
    }
}
