//! What `deploy/` says is true of the service.

use crate::room::{Room, config};
use serde_json::json;
use std::collections::BTreeSet;

const DASHBOARD: &str = include_str!("../../../../deploy/grafana.json");

#[test]
fn the_dashboard_shows_figures_that_there_are() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    for _ in 0..2 {
        client.batch("check-and-add", "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n");
    }
    client.post("/v1/check", json!({ "fingerprint": "00000000000000ff" })).ok();
    let figures = client.get("/metrics").text().to_owned();
    let there: BTreeSet<_> =
        figures.lines().filter_map(|line| line.split(['{', ' ']).next()).collect();
    let named = |text: &str| {
        let starts = text.match_indices("nearprint_").map(|(at, _)| at);
        let word = |at: usize| {
            let rest = &text[at..];
            let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            rest[..end.unwrap_or(rest.len())].to_owned()
        };
        starts.map(word).collect::<BTreeSet<_>>()
    };
    let shown = named(DASHBOARD);
    let missing: Vec<_> = shown.iter().filter(|name| !there.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?} are not among {there:?}");
    assert!(shown.len() > 15, "{shown:?}");
    // By the labels that they have.
    for label in
        ["endpoint=\"/v1/check\"", "status=\"200\"", "op=\"check-and-add\"", "distance=\"0\""]
    {
        assert!(figures.contains(label), "{label}");
    }
    serde_json::from_str::<serde_json::Value>(DASHBOARD).unwrap();
}
