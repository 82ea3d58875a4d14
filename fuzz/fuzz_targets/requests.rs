//! Bodies of requests, to every path, plain and compressed: an answer to each, and never a 500.
#![no_main]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use libfuzzer_sys::fuzz_target;
use nearprint_fingerprint::{Recipe, Width};
use nearprint_server::{Analysis, Config, service};
use nearprint_store::{Durability, Options, Settings, Store, Threshold};
use std::sync::LazyLock;
use tokio::runtime::Runtime;
use tower_service::Service;

const PATHS: [&str; 11] = [
    "/v1/check",
    "/v1/add",
    "/v1/check-and-add",
    "/v1/query",
    "/v1/compare",
    "/v1/get",
    "/v1/delete",
    "/v1/batch?op=check",
    "/v1/batch?op=add",
    "/v1/batch?op=check-and-add",
    "/v1/batch?op=delete",
];
const CODINGS: [&str; 3] = ["identity", "gzip", "zstd"];

static SERVED: LazyLock<(Runtime, Router)> = LazyLock::new(|| {
    // It stays as long as the process.
    let path = tempfile::tempdir().unwrap().keep().join("store");
    let recipe = Recipe::named("web").unwrap();
    let settings = Settings {
        width: Width::W64,
        threshold: Threshold::Radius(3),
        recipe: Some(recipe.clone()),
    };
    let options = Options { durability: Durability::Buffered, ..Options::default() };
    let store = Store::create_with(&path, &settings, &options).unwrap();
    let analysis = Analysis { recipe: Some(recipe), statistics: None };
    let config = Config { max_body: 1 << 16, max_line: 1 << 10, ..Config::default() };
    (Runtime::new().unwrap(), service(store, analysis, config).unwrap())
});

fuzz_target!(|data: &[u8]| {
    let [choice, body @ ..] = data else { return };
    let (runtime, router) = &*SERVED;
    let path = PATHS[usize::from(*choice) % PATHS.len()];
    let coding = CODINGS[usize::from(*choice) / PATHS.len() % CODINGS.len()];
    let request = Request::post(path).header("content-encoding", coding);
    let request = request.body(Body::from(body.to_vec())).unwrap();
    let status = runtime.block_on(async {
        let answer = router.clone().call(request).await.unwrap();
        let status = answer.status();
        to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        status
    });
    assert!(!status.is_server_error(), "{status}");
});
