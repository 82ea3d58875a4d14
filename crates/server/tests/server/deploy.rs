//! What `deploy/` says is true of the service.

use crate::room::{Room, config};
use serde_json::json;
use std::collections::BTreeSet;

const DASHBOARD: &str = include_str!("../../../../deploy/grafana.json");
const ALERTS: &str = include_str!("../../../../deploy/alerts.yaml");

/// Words of a text that begin like the names of figures.
fn named(text: &str, begin: &str) -> BTreeSet<String> {
    let starts = text.match_indices(begin).map(|(at, _)| at);
    let word = |at: usize| {
        let rest = &text[at..];
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    starts.map(word).collect()
}

#[test]
fn the_dashboard_and_the_alerts_are_about_figures_that_there_are() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    for _ in 0..2 {
        client.batch("check-and-add", "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n");
    }
    client.post("/v1/check", json!({ "fingerprint": "00000000000000ff" })).ok();
    let mut figures = client.get("/metrics").text().to_owned();
    // A copy has more of them.
    let (second, leader) = (Room::new(), format!("http://{}", served.address).parse().unwrap());
    nearprint_server::fetch(&leader, &second.path("store"), &nearprint_store::Options::default())
        .unwrap();
    let follow = Some(leader);
    let copy = second.serve(None, nearprint_server::Config { follow, ..config() });
    figures.push_str(copy.client().get("/metrics").text());
    let there: BTreeSet<_> =
        figures.lines().filter_map(|line| line.split(['{', ' ']).next()).collect();
    let mut shown = named(DASHBOARD, "nearprint_");
    assert!(shown.len() > 15, "{shown:?}");
    let mut alarming = named(ALERTS, "nearprint_");
    alarming.extend(named(ALERTS, "process_"));
    assert!(alarming.len() > 7, "{alarming:?}");
    shown.extend(alarming);
    let missing: Vec<_> = shown.iter().filter(|name| !there.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?} are not among {there:?}");
    // By the labels that they have.
    for label in
        ["endpoint=\"/v1/check\"", "status=\"200\"", "op=\"check-and-add\"", "distance=\"0\""]
    {
        assert!(figures.contains(label), "{label}");
    }
    serde_json::from_str::<serde_json::Value>(DASHBOARD).unwrap();
    // Each label of a figure in an alert is one that the figure has.
    for (at, _) in ALERTS.match_indices("{job=\"nearprint\"") {
        let figure =
            ALERTS[..at].rsplit(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap();
        let labels = ALERTS[at + 1..].split('}').next().unwrap();
        for label in labels.split(',').skip(1) {
            let (label, _) = label.split_once(['=', '~']).unwrap();
            let has =
                |line: &str| line.starts_with(figure) && line.contains(&format!("{label}=\""));
            assert!(figures.lines().any(has), "{figure} has no {label}");
        }
    }
}

#[test]
fn every_alert_says_when_how_grave_and_what() {
    let alerts: Vec<_> = ALERTS.split("      - alert: ").skip(1).collect();
    assert!(alerts.len() > 8, "{}", alerts.len());
    for alert in alerts {
        for part in ["        expr: ", "        labels: { severity: ", "          summary: \""] {
            assert_eq!(alert.matches(part).count(), 1, "{part} in {alert}");
        }
        for (open, close) in [('(', ')'), ('{', '}'), ('[', ']')] {
            assert_eq!(alert.matches(open).count(), alert.matches(close).count(), "{alert}");
        }
    }
}
