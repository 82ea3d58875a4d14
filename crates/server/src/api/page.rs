//! `GET /`: the page for people, out of the binary. It sends the same requests as programs do, so it shows
//! nothing without a token if the server has tokens.

use crate::request::arrival::Route;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use ring::digest::{SHA256, digest};

/// What the browser may do with the page: load its files, and send requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page: its path, type and content.
type File = (&'static str, &'static str, &'static [u8]);

const FILES: [File; 13] = [
    ("/", HTML, include_bytes!("../../page/index.html")),
    ("/page.css", "text/css; charset=utf-8", include_bytes!("../../page/page.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../../page/icon.svg")),
    ("/page.js", SCRIPT, include_bytes!("../../page/page.js")),
    ("/kit.js", SCRIPT, include_bytes!("../../page/kit.js")),
    ("/ask.js", SCRIPT, include_bytes!("../../page/ask.js")),
    ("/address.js", SCRIPT, include_bytes!("../../page/address.js")),
    ("/documents.js", SCRIPT, include_bytes!("../../page/documents.js")),
    ("/search.js", SCRIPT, include_bytes!("../../page/search.js")),
    ("/clusters.js", SCRIPT, include_bytes!("../../page/clusters.js")),
    ("/charts.js", SCRIPT, include_bytes!("../../page/charts.js")),
    ("/activity.js", SCRIPT, include_bytes!("../../page/activity.js")),
    ("/store.js", SCRIPT, include_bytes!("../../page/store.js")),
];

/// The files of the page, each with its route. They need no token.
pub(crate) fn files<S: Clone + Send + Sync + 'static>()
-> impl Iterator<Item = (Route, MethodRouter<S>)> {
    FILES.into_iter().map(|file| {
        let tag = tag(file.2);
        (route(file.0), get(async move |head: HeaderMap| answer(&file, &tag, &head)))
    })
}

/// The route of the file with this path, if there is one.
pub(crate) fn route_of(template: &str) -> Option<Route> {
    FILES.iter().find(|(path, ..)| *path == template).map(|(path, ..)| route(path))
}

/// The route of a file. A page may be asked for with anything behind it.
fn route(template: &'static str) -> Route {
    Route { template, takes_parameters: true, is_polled: false }
}

fn answer((_, kind, body): &File, tag: &str, head: &HeaderMap) -> Response {
    let known =
        head.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response =
        if known { StatusCode::NOT_MODIFIED.into_response() } else { body.into_response() };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, *kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // The browser asks each time, and gets a short answer if the file is the same.
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The entity tag of a file.
fn tag(body: &[u8]) -> String {
    let hash = digest(&SHA256, body);
    let digits: String = hash.as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}
