//! A store by similarity behind HTTP.

use crate::page::clusters;
use crate::room::{Room, config};
use nearprint_server::Config;
use nearprint_store::Finding;
use serde_json::{Value, json};

const WORDS: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
                     fifteen sixteen seventeen eighteen nineteen twenty";

/// The same words and one more.
fn more() -> String {
    format!("{WORDS} another")
}

#[test]
fn documents_are_found_by_similarity_and_the_answer_says_how_it_is_known() {
    for (verify, measure) in [(false, "estimated"), (true, "exact")] {
        let room = Room::new();
        let finding = Finding::Similarity { similarity: 0.8, recall: 0.999, verify };
        room.create_alike("words", finding);
        let served = room.serve(None, Config { keep_text: 1 << 10, ..config() });
        let mut client = served.client();
        let new = client.post("/v1/check-and-add", json!({ "id": "a", "text": WORDS })).ok();
        assert_eq!((&new["verdict"], &new["near"]), (&json!("new"), &json!(null)));
        for path in ["/v1/check", "/v1/check-and-add"] {
            let seen = client.post(path, json!({ "id": "b", "text": more() })).ok();
            let near = &seen["near"];
            assert_eq!(
                (&seen["verdict"], &near["id"]),
                (&json!("duplicate"), &json!("a")),
                "{path}"
            );
            assert_eq!(near["measure"], measure);
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
        assert_eq!(second["measure"], "exact");
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

        let finds = json!({ "by": "similarity", "similarity": 0.8, "recall": 0.999, "bands": 18,
                            "rows": 5, "measure": measure });
        let stats = client.get("/v1/stats").ok();
        assert_eq!((&stats["finds"], &stats["cut_short"]), (&finds, &json!(0)));
        assert_eq!(client.get("/v1/recipe").ok()["finds"], finds);
        assert!(client.get("/metrics").text().contains("nearprint_store_bands_cut_short_total 0"));
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
