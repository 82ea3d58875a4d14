//! Reads the query string of a request. Every endpoint refuses parameters that it does not know: those that
//! take some by reading them here into a type that denies unknown fields, all others before they are asked.

use crate::request::problem::{Kind, Problem};
use axum::extract::Query;
use axum::http::Uri;
use serde::de::DeserializeOwned;

/// The parameters of a request.
pub(crate) fn parse<T: DeserializeOwned>(uri: &Uri) -> Result<T, Problem> {
    let read = Query::<T>::try_from_uri(uri);
    read.map(|Query(read)| read).map_err(|odd| Problem::new(Kind::Request, odd.body_text()))
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
