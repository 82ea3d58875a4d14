//! What is asked for is answered, as the command would.

use crate::room::{Room, config};
use nearprint_fingerprint::{Fingerprinter, Recipe};
use nearprint_server::Config;
use serde_json::json;

const BUDGET: &str =
    "The city council approved the new budget on Monday after a long debate about roads.";
const AGAIN: &str =
    "the city council approved the new budget on monday after a long debate about roads";
const GARDEN: &str =
    "Nothing of what the others say is said in this one, which is about a garden in May.";

#[test]
fn documents_are_checked_added_found_replaced_and_removed() {
    let room = Room::new();
    let served = room.serve(Some("text"), config());
    let mut client = served.client();
    let fingerprint = |text: &str| {
        let recipe = Recipe::named("text").unwrap();
        Fingerprinter::<1>::new(&recipe).unwrap().fingerprint(text).fingerprint.to_string()
    };
    let new = client.post("/v1/check", json!({ "text": BUDGET })).ok();
    let expected = json!({ "id": null, "fingerprint": fingerprint(BUDGET), "verdict": "new" });
    assert_eq!(new, expected);
    let new = client.post("/v1/add", json!({ "id": "a", "text": BUDGET })).ok();
    assert_eq!((&new["id"], &new["verdict"]), (&json!("a"), &json!("new")));
    let exists = client.post("/v1/add", json!({ "id": "a", "text": AGAIN })).ok();
    assert_eq!(exists["verdict"], "exists");
    let near = json!({ "id": "a", "distance": 0 });
    for path in ["/v1/check", "/v1/check-and-add"] {
        let seen = client.post(path, json!({ "id": "b", "text": AGAIN })).ok();
        assert_eq!((&seen["verdict"], &seen["near"]), (&json!("duplicate"), &near), "{path}");
    }
    let other = json!({ "id": "g/1 ü", "text": GARDEN, "metadata": { "n": 1.50, "at": "here" } });
    assert_eq!(client.post("/v1/check-and-add", &other).ok()["verdict"], "new");
    let taken = client.post("/v1/add", json!({ "id": "a", "text": GARDEN }));
    assert!(taken.problem(409, Some("/id")).contains("another fingerprint"));

    let path = "/v1/documents/g%2F1%20%C3%BC";
    let found = client.get(path);
    assert!(
        found.text().contains(r#""metadata":{"at":"here","n":1.5}"#)
            || found.text().contains("1.50")
    );
    assert_eq!(found.ok()["fingerprint"], fingerprint(GARDEN));
    assert_eq!(client.post("/v1/get", json!({ "id": "g/1 ü" })).ok(), found.ok());
    let put = client.ask("PUT", path, "", json!({ "text": BUDGET }).to_string().as_bytes());
    assert_eq!(put.ok()["verdict"], "updated");
    let both = client.post("/v1/query", json!({ "fingerprint": fingerprint(BUDGET) })).ok();
    let ids: Vec<_> = both["neighbors"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, ["a", "g/1 ü"]);
    let one = client.post("/v1/query", json!({ "id": "g/1 ü", "limit": 1, "k": 0 })).ok();
    assert_eq!(one["neighbors"], json!([{ "id": "a", "distance": 0 }]));

    assert_eq!(client.ask("DELETE", path, "", b"").ok()["verdict"], "deleted");
    assert_eq!(client.post("/v1/delete", json!({ "id": "g/1 ü" })).ok()["verdict"], "absent");
    client.get(path).problem(404, None);
    let stats = client.get("/v1/stats").ok();
    assert_eq!((&stats["documents"], &stats["recipe"]), (&json!(1), &json!("text")));
    let recipe = client.get("/v1/recipe").ok();
    assert_eq!(recipe["id"], Recipe::named("text").unwrap().id().to_string());
}

#[test]
fn a_store_of_ready_fingerprints_takes_no_text() {
    let room = Room::new();
    let served = room.serve(None, config());
    let mut client = served.client();
    let add = json!({ "id": "a", "fingerprint": "00000000000000ff" });
    assert_eq!(client.post("/v1/add", add).ok()["verdict"], "new");
    let seen = client.post("/v1/check", json!({ "fingerprint": "00000000000000FD" })).ok();
    assert_eq!(seen["near"], json!({ "id": "a", "distance": 1 }));
    let refused = client.post("/v1/check", json!({ "text": BUDGET }));
    assert!(refused.problem(422, Some("/text")).contains("made elsewhere"));
    let near = client.post("/v1/query", json!({ "fingerprint": "000000000000ffff", "k": 8 })).ok();
    assert_eq!(near["neighbors"], json!([{ "id": "a", "distance": 8 }]));
}

#[test]
fn a_row_tells_what_makes_a_fingerprint_tell_little() {
    let room = Room::new();
    let served = room.serve(Some("text"), config());
    let mut client = served.client();
    for (text, flags) in
        [("", json!(["empty"])), ("two words", json!(["short"])), (BUDGET, json!(null))]
    {
        let document = json!({ "id": format!("{} bytes", text.len()), "text": text });
        for path in ["/v1/check", "/v1/add"] {
            assert_eq!(client.post(path, &document).ok()["flags"], flags, "{path} {text:?}");
        }
        assert_eq!(client.batch("check", &document.to_string())[0]["flags"], flags);
    }
    let same = "word ".repeat(50);
    let flags = client.post("/v1/check", json!({ "text": same })).ok()["flags"].clone();
    assert!(flags.as_array().unwrap().contains(&json!("dominant")), "{flags}");
}

#[test]
fn pages_and_features_go_the_way_of_the_command() {
    let page = format!("<html><body><nav>Home</nav><article><p>{BUDGET} {GARDEN}</p></article>");
    let room = Room::new();
    let served = room.serve(Some("web"), Config { keep_text: 1 << 10, ..config() });
    let mut client = served.client();
    let added = client.post("/v1/add", json!({ "id": "page", "html": page })).ok();
    let text = format!("{BUDGET} {GARDEN}");
    let seen = client.post("/v1/check", json!({ "text": text })).ok();
    assert_eq!(seen["fingerprint"], added["fingerprint"]);
    // The command takes the text of a row for a page too.
    let as_text = client.post("/v1/check", json!({ "text": page })).ok();
    assert_eq!(as_text["fingerprint"], added["fingerprint"]);
    assert_eq!(client.get("/v1/documents/page").ok()["metadata"], json!({ "text": text }));

    let room = Room::new();
    let served = room.serve(Some("vectors"), config());
    let mut client = served.client();
    let recipe = Recipe::named("vectors").unwrap();
    let features = [("a", 0.1), ("b", -2.5), ("7", 1e-3)];
    let made = Fingerprinter::<1>::new(&recipe).unwrap().fingerprint_features(features).unwrap();
    for features in
        [json!({ "a": 0.1, "b": -2.5, "7": 1e-3 }), json!([["a", 0.1], ["b", -2.5], [7, 1e-3]])]
    {
        let checked = client.post("/v1/check", json!({ "features": features })).ok();
        assert_eq!(checked["fingerprint"], made.fingerprint.to_string());
    }
    let refused = client.post("/v1/check", json!({ "text": BUDGET }));
    assert!(refused.problem(422, Some("/text")).contains("takes features"));
}

#[test]
fn two_documents_are_compared_by_all_that_is_known() {
    let room = Room::new();
    let served = room.serve(Some("words"), Config { keep_text: 100, ..config() });
    let mut client = served.client();
    client.post("/v1/add", json!({ "id": "a", "text": "one two three four" })).ok();
    let long = "word ".repeat(40);
    client.post("/v1/add", json!({ "id": "long", "text": long })).ok();
    let sides = json!({ "a": { "id": "a" }, "b": { "text": "one two three" } });
    let alike = client.post("/v1/compare", sides).ok();
    assert_eq!((&alike["jaccard"], &alike["containment"]), (&json!(0.75), &json!(1.0)));
    assert_eq!(alike["features"], json!([{ "feature": "four", "a": 1.0, "b": 0.0 }]));
    assert_eq!((&alike["a"]["id"], &alike["a"]["features"]), (&json!("a"), &json!(4)));
    let distance = alike["distance"].as_u64().unwrap();
    assert_eq!(alike["near_duplicates"], distance <= 3);

    // The text was too long to be kept: only the fingerprint is known.
    let sides = json!({ "a": { "id": "long" }, "b": { "text": long } });
    let alike = client.post("/v1/compare", sides).ok();
    assert_eq!((&alike["distance"], &alike["jaccard"]), (&json!(0), &json!(null)));
    assert_eq!(alike["features"], json!(null));
    let explained = json!({ "text": "one two three four", "explain": true, "k": 16 });
    let near = client.post("/v1/query", explained).ok();
    let expected = json!({ "id": "a", "distance": 0, "similarity": 1.0, "measure": "jaccard" });
    assert_eq!(near["neighbors"][0], expected);
    let missing = client.post("/v1/compare", json!({ "a": { "id": "x" }, "b": { "text": "" } }));
    missing.problem(404, None);
    let odd =
        client.post("/v1/compare", json!({ "a": { "id": "a" }, "b": { "text": "", "id": "a" } }));
    odd.problem(422, Some("/b/id"));
}
