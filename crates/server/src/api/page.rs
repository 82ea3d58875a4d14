//! `GET /`: the page for people, out of the binary. It sends the same requests as programs do, so it shows
//! nothing without a token if the server has tokens.

use crate::paths::PAGE;
use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use ring::digest::{SHA256, digest};

/// What the browser may do with the page: load its files, and send requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page: its path, type and content.
type File = (&'static str, &'static str, &'static [u8]);

const FILES: [File; PAGE.len()] = {
    let [
        index,
        css,
        icon,
        page,
        kit,
        ask,
        address,
        documents,
        search,
        clusters,
        charts,
        activity,
        store,
    ] = PAGE;
    [
        (index, HTML, include_bytes!("../../page/index.html")),
        (css, "text/css; charset=utf-8", include_bytes!("../../page/page.css")),
        (icon, "image/svg+xml", include_bytes!("../../page/icon.svg")),
        (page, SCRIPT, include_bytes!("../../page/page.js")),
        (kit, SCRIPT, include_bytes!("../../page/kit.js")),
        (ask, SCRIPT, include_bytes!("../../page/ask.js")),
        (address, SCRIPT, include_bytes!("../../page/address.js")),
        (documents, SCRIPT, include_bytes!("../../page/documents.js")),
        (search, SCRIPT, include_bytes!("../../page/search.js")),
        (clusters, SCRIPT, include_bytes!("../../page/clusters.js")),
        (charts, SCRIPT, include_bytes!("../../page/charts.js")),
        (activity, SCRIPT, include_bytes!("../../page/activity.js")),
        (store, SCRIPT, include_bytes!("../../page/store.js")),
    ]
};

/// Routes to the files of the page. They need no token.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.into_iter().fold(Router::new(), |router, file| {
        let tag = tag(file.2);
        router.route(file.0, get(async move |head: HeaderMap| answer(&file, &tag, &head)))
    })
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
