//! The paths that the server answers.

/// The paths of the service, as they are routed.
pub(crate) const PATHS: [&str; 26] = [
    "/v1/check",
    "/v1/add",
    "/v1/check-and-add",
    "/v1/check-and-put",
    "/v1/query",
    "/v1/compare",
    BATCH,
    "/v1/get",
    "/v1/delete",
    DOCUMENTS,
    DOCUMENT,
    EXPORT,
    CHANGES,
    "/v1/deletions",
    "/v1/snapshots",
    "/v1/verify",
    "/v1/stats",
    "/v1/recipe",
    "/v1/compact",
    "/v1/duplicates",
    CLUSTERS,
    CLUSTER,
    "/openapi.json",
    "/healthz",
    READYZ,
    "/metrics",
];
/// The path of batches.
pub(crate) const BATCH: &str = "/v1/batch";
/// The path of the clusters.
const CLUSTERS: &str = "/v1/clusters";
/// The path of pages of documents.
pub(crate) const DOCUMENTS: &str = "/v1/documents";
/// The path of all documents.
pub(crate) const EXPORT: &str = "/v1/export";
/// The path of changes.
pub(crate) const CHANGES: &str = "/v1/changes";
/// The path that says whether the server takes requests.
pub(crate) const READYZ: &str = "/readyz";
/// The paths that take parameters in the query string. Each reads them itself; others take none.
pub(crate) const WITH_PARAMETERS: [&str; 7] =
    [BATCH, CHANGES, CLUSTERS, CLUSTER, DOCUMENTS, EXPORT, READYZ];
/// The path of a stored document.
pub(crate) const DOCUMENT: &str = "/v1/documents/{id}";
/// The path of a cluster.
pub(crate) const CLUSTER: &str = "/v1/clusters/{cluster}";
/// The paths of the files of the page.
pub(crate) const PAGE: [&str; 13] = [
    "/",
    "/page.css",
    "/icon.svg",
    "/page.js",
    "/kit.js",
    "/ask.js",
    "/address.js",
    "/documents.js",
    "/search.js",
    "/clusters.js",
    "/charts.js",
    "/activity.js",
    "/store.js",
];

/// The path under which the figures count a request: as it is routed, so that all ids count as one.
pub(crate) fn endpoint(path: &str) -> &'static str {
    let is = |routed: &&&str| match routed.split_once('{') {
        None => **routed == path,
        Some((begins, _)) => {
            path.strip_prefix(begins).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
        }
    };
    PATHS.iter().chain(&PAGE).find(is).copied().unwrap_or("none")
}
