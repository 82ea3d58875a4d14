//! Rows of features, and what is said of those that are none.

use crate::Folder;
use nearprint_corpus::{Fields, InvalidUtf8, ReadOptions, Reader};

type Row = (Option<String>, Vec<(String, f64)>);

fn vector(name: &str, row: &str) -> Result<Row, (String, &'static str)> {
    let folder = Folder::new();
    folder.write(name, row.as_bytes());
    let batch = Reader::new(&folder.sources(&[name]), ReadOptions::default()).next();
    let batch = batch.unwrap().unwrap();
    let fields = Fields { text: "features".to_owned(), ..Fields::default() };
    match batch.record(0).unwrap().vector(&fields, InvalidUtf8::Fail) {
        Ok(vector) => Ok((vector.id.map(|id| id.to_string()), vector.features)),
        Err(error) => Err((folder.message(&error), error.reason())),
    }
}

fn features(json: &str) -> Vec<(String, f64)> {
    vector("a.jsonl", &format!("{{\"features\":{json}}}\n")).unwrap().1
}

fn complaint(json: &str) -> String {
    vector("a.jsonl", &format!("{{\"features\":{json}}}")).unwrap_err().0
}

#[test]
fn objects_and_pairs_are_features() {
    let named = |pairs: &[(&str, f64)]| -> Vec<(String, f64)> {
        pairs.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect()
    };
    assert_eq!(features(r#"{"b":1.5,"\u0061":-2e-3}"#), named(&[("b", 1.5), ("a", -0.002)]));
    assert_eq!(
        features(r#"[["x",3],[7,-0.5], [7, 1]]"#),
        named(&[("x", 3.0), ("7", -0.5), ("7", 1.0)])
    );
    assert_eq!(features("{}"), []);
    // Every digit counts.
    assert_eq!(features(r#"{"a":0.12300293301787499}"#)[0].1, 0.123_002_933_017_874_99);
    let (id, _) = vector("a.jsonl", r#"{"id":5,"features":[]}"#).unwrap();
    assert_eq!(id.as_deref(), Some("5"));
}

#[test]
fn weights_that_are_no_finite_numbers_name_row_and_feature() {
    for weight in ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "null", "\"1\"", "[1]"] {
        let message =
            format!("a.jsonl:1: feature \"bad\" has weight {weight}; weights are finite numbers");
        assert_eq!(complaint(&format!("{{\"good\":1,\"bad\":{weight}}}")), message);
        assert_eq!(complaint(&format!("[[\"good\",1],[\"bad\",{weight}]]")), message);
    }
}

#[test]
fn features_of_another_form_are_refused() {
    for (json, found) in [
        ("3", "a number"),
        ("\"a b\"", "a string"),
        ("[[1.5,2]]", "invalid type: floating point `1.5`, expected a name or a whole number"),
        ("[[\"a\"]]", "invalid length 1, expected a tuple of size 2"),
        ("[\"a\"]", "invalid type: string \"a\", expected a tuple of size 2"),
    ] {
        let form = "a.jsonl:1: the field \"features\" must be {\"name\": weight, ...} or [[name or \
                    dimension, weight], ...]: ";
        assert_eq!(complaint(json), format!("{form}{found}"));
    }
    let (message, _) = vector("a.jsonl", "{\"text\":\"x\"}").unwrap_err();
    assert!(message.contains("no field \"features\"; it has \"text\""));
    let (message, reason) = vector("a.txt", "x").unwrap_err();
    assert!(message.contains("a text file has no features"));
    assert_eq!(reason, "no-features");
}
