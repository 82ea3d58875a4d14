//! A store by similarity behind HTTP.

use crate::page::clusters;
use crate::room::{Room, config};
use nearprint_server::Config;
use nearprint_store::Threshold;
use serde_json::{Value, json};

const WORDS: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
                     fifteen sixteen seventeen eighteen nineteen twenty";

/// The same words and one more.
fn more() -> String {
    format!("{WORDS} another")
}

#[test]
fn documents_are_found_by_similarity_and_the_answer_says_how_it_is_known() {
    for (verify, measure) in [(false, "estimated-jaccard"), (true, "jaccard")] {
        let room = Room::new();
        let threshold = Threshold::Similarity { similarity: 0.8, recall: 0.999, verify };
        room.create_alike("words", threshold);
        let served = room.serve(None, Config { keep_text: 1 << 10, ..config() });
        let mut client = served.client();
        let new = client.post("/v1/check-and-add", json!({ "id": "a", "text": WORDS })).ok();
        assert_eq!((&new["verdict"], &new["near"]), (&json!("new"), &json!(null)));
        let mut seen_as = Value::Null;
        for path in ["/v1/check", "/v1/check-and-add"] {
            let seen = client.post(path, json!({ "id": "b", "text": more() })).ok();
            let near = &seen["near"];
            assert_eq!(
                (&seen["verdict"], &near["id"]),
                (&json!("duplicate"), &json!("a")),
                "{path}"
            );
            assert_eq!(near["measure"], measure);
            seen_as = near.clone();
            let similarity = near["similarity"].as_f64().unwrap();
            assert!((similarity - 20.0 / 21.0).abs() < if verify { 1e-9 } else { 0.15 }, "{near}");
        }
        let lines = format!("{}\n", json!({ "id": "b", "text": more() })).repeat(2);
        for op in ["check", "check-and-add"] {
            let rows = client.batch(op, &lines);
            assert!(rows.iter().all(|row| row["near"]["measure"] == measure), "{rows:?}");
        }
        client.post("/v1/add", json!({ "id": "b", "text": more() })).ok();

        let near = client.post("/v1/query", json!({ "id": "b" })).ok();
        assert_eq!((&near["similarity"], &near["k"]), (&json!(0.8), &Value::Null));
        let first = json!({ "id": "b", "distance": 0, "similarity": 1.0, "measure": measure });
        assert_eq!(near["neighbors"][0], first);
        assert_eq!(near["neighbors"][1]["id"], "a");
        let exact = client.post("/v1/query", json!({ "text": WORDS, "explain": true })).ok();
        let second = &exact["neighbors"][1];
        assert_eq!(second["measure"], "jaccard");
        assert!((second["similarity"].as_f64().unwrap() - 20.0 / 21.0).abs() < 1e-9, "{second}");
        client.post("/v1/query", json!({ "text": WORDS, "k": 3 })).problem(422, Some("/k"));
        let code = json!({ "fingerprint": "000000000000000000000000000000ff" });
        for path in ["/v1/check", "/v1/query"] {
            let refused = client.post(path, &code).problem(422, Some("/fingerprint"));
            assert!(refused.contains("by similarity"), "{refused}");
        }
        let alike =
            client.post("/v1/compare", json!({ "a": { "id": "a" }, "b": { "text": more() } })).ok();
        assert_eq!((&alike["near_duplicates"], &alike["k"]), (&json!(true), &Value::Null));
        // The same number as in the verdict.
        assert_eq!(
            (&alike["similarity"], &alike["measure"]),
            (&seen_as["similarity"], &json!(measure))
        );

        let finds = json!({ "by": "similarity", "similarity": 0.8, "recall": 0.999, "bands": 18,
                            "rows": 5, "measure": measure });
        let stats = client.get("/v1/stats").ok();
        assert_eq!((&stats["finds"], &stats["crowded_searches"]), (&finds, &json!(0)));
        assert_eq!(client.get("/v1/recipe").ok()["finds"], finds);
        assert!(client.get("/metrics").text().contains("nearprint_store_crowded_searches_total 0"));
        let described = client.get("/openapi.json").json();
        let taken = "/components/schemas/Document/properties";
        let taken = described.pointer(taken).unwrap().as_object().unwrap();
        assert!(taken.contains_key("text") && !taken.contains_key("fingerprint"));
        let refused = client.post("/v1/clusters", json!({ "k": 3 })).problem(422, Some("/k"));
        assert!(refused.contains("by similarity"), "{refused}");
        client
            .post("/v1/add", json!({ "id": "c", "text": "nothing of what the others say is here" }))
            .ok();
        assert_eq!(client.post("/v1/clusters", json!({})).status, 202);
        let state = clusters(&mut client);
        let found = &state["found"];
        assert_eq!((&found["similarity"], &found["k"]), (&json!(0.8), &Value::Null), "{state}");
        assert_eq!((&found["documents"], &found["clusters"]), (&json!(3), &json!(1)), "{state}");
        assert_eq!(found["largest"][0]["examples"], json!(["a", "b"]));
        let members = &client.get("/v1/clusters/0").ok()["members"];
        assert_eq!(
            (&members[0]["similarity"], &members[1]["measure"]),
            (&json!(1.0), &json!(measure))
        );
    }
}

#[test]
fn vectors_are_found_by_the_cosine_of_their_weights() {
    let room = Room::new();
    room.create_alike("vectors", Threshold::cosine(0.9));
    let served = room.serve(None, config());
    let mut client = served.client();
    let features = |last: f64| json!({ "x": 3.0, "y": -4.0, "z": last });
    let cosine = (25.0 + 1.2_f64) / (26.0_f64 * (25.0 + 1.44)).sqrt();
    let new = json!({ "id": 1, "features": features(1.0) });
    assert_eq!(client.post("/v1/check-and-add", new).ok()["verdict"], "new");
    let near = json!({ "id": 2, "features": features(1.2) });
    let seen = client.post("/v1/check-and-add", near).ok();
    assert_eq!((&seen["verdict"], &seen["near"]["id"]), (&json!("duplicate"), &json!("1")));
    let found = client.post("/v1/query", json!({ "features": features(1.2) })).ok();
    let alike = json!({ "a": { "id": 1 }, "b": { "features": features(1.2) } });
    let alike = client.post("/v1/compare", alike).ok();
    for told in [&seen["near"], &found["neighbors"][0], &alike] {
        assert_eq!(told["measure"], "cosine", "{told}");
        assert!((told["similarity"].as_f64().unwrap() - cosine).abs() < 1e-12, "{told}");
    }
    let far = json!({ "id": 3, "features": { "x": -3.0, "y": 1.0, "z": 1.0 } });
    assert_eq!(client.post("/v1/check-and-add", far).ok()["verdict"], "new");
    let finds = &client.get("/v1/stats").ok()["finds"];
    assert_eq!((&finds["measure"], &finds["similarity"]), (&json!("cosine"), &json!(0.9)));
    client.post("/v1/query", json!({ "id": 1, "k": 3 })).problem(422, Some("/k"));
}

#[test]
fn ids_may_be_numbers_and_nulls_are_left_out() {
    let room = Room::new();
    let served = room.serve(Some("text"), config());
    let mut client = served.client();
    let text = "It rained all of May, and the river rose over the old road to the mill.";
    let new = json!({ "id": 17, "text": text, "metadata": null });
    let row = client.post("/v1/check-and-add", new).ok();
    assert_eq!((&row["id"], &row["verdict"]), (&json!("17"), &json!("new")));
    for id in [json!(17), json!(17.0), json!("17")] {
        assert_eq!(client.post("/v1/query", json!({ "id": id })).ok()["neighbors"][0]["id"], "17");
        assert_eq!(client.post("/v1/get", json!({ "id": id })).ok()["id"], "17");
    }
    let row = client.post("/v1/check", json!({ "id": null, "text": text })).ok();
    assert_eq!((&row["id"], &row["verdict"]), (&Value::Null, &json!("duplicate")));
    // As for the command, a text that is null is one without a word.
    let row = client.post("/v1/check", json!({ "text": null })).ok();
    assert_eq!((&row["verdict"], &row["flags"]), (&json!("new"), &json!(["empty"])));
    let rows = client.batch("delete", "{\"id\":17}\n{\"id\":-3}\n");
    assert_eq!((&rows[0]["verdict"], &rows[1]["id"]), (&json!("deleted"), &json!("-3")));
}
