//! The rows that tell a program what became of its documents, one JSON object a line.

use crate::verb::store::refusal::Refusal;
use nearprint_store::{Alike, AnyFingerprint, Document, NearDocument, Outcome};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What is said of a record that was left out: `{"id","verdict","error"}`.
pub(super) fn skipped(reason: &str) -> String {
    line(&json!({ "id": null, "verdict": "skipped", "error": reason }))
}

/// `{"id","fingerprint","verdict"}`, of a duplicate with `"near"`, of a refusal with `"error"`.
pub(super) fn outcome(
    id: &str,
    fingerprint: &AnyFingerprint,
    outcome: &Result<Outcome, Refusal>,
) -> String {
    let mut row =
        json!({ "id": id, "fingerprint": fingerprint.to_string(), "verdict": verdict(outcome) });
    match outcome {
        Ok(Outcome::Duplicate(near)) => row["near"] = of_near(near),
        Err(refusal) => row["error"] = refusal.error.to_string().into(),
        Ok(_) => {}
    }
    line(&row)
}

/// `{"id","fingerprint","verdict"}` of a document that was only asked about.
pub(super) fn checked(
    id: &str,
    fingerprint: &AnyFingerprint,
    near: Option<NearDocument>,
) -> String {
    outcome(id, fingerprint, &Ok(near.map_or(Outcome::New, Outcome::Duplicate)))
}

/// `{"query","id","distance"}`, by similarity with `"similarity"` and `"measure"`.
pub(super) fn neighbor(query: &str, near: &NearDocument) -> String {
    let mut row = of_near(near);
    row["query"] = query.into();
    line(&row)
}

/// The fields of a stored document by their names, each as it stands.
pub(super) type Stored = BTreeMap<String, Box<RawValue>>;

/// `{"id","fingerprint","time"}`, with `"flags"`, `"content"` and `"metadata"` where there are some.
pub(super) fn document(document: &Document) -> serde_json::Result<String> {
    let Document { id, sketch, time, metadata } = document;
    let mut row = json!({ "id": id, "fingerprint": sketch.fingerprint.to_string(), "time": time });
    if sketch.flags.any() {
        row["flags"] = sketch.flags.names().collect::<Vec<_>>().into();
        row["content"] = format!("{:016x}", sketch.content).into();
    }
    let mut fields: Stored = serde_json::from_value(row)?;
    if let Some(metadata) = metadata {
        fields.insert("metadata".to_owned(), RawValue::from_string(metadata.clone())?);
    }
    stored(&fields)
}

/// The row of a stored document. Lines of JSON end between its values only.
pub(super) fn stored(fields: &Stored) -> serde_json::Result<String> {
    Ok(serde_json::to_string(fields)?.replace(['\n', '\r'], " ") + "\n")
}

fn of_near(near: &NearDocument) -> Value {
    let mut row = json!({ "id": near.id, "distance": near.distance });
    if let Some(Alike { similarity, measure }) = near.alike {
        row["similarity"] = similarity.into();
        row["measure"] = measure.name().into();
    }
    row
}

fn verdict(outcome: &Result<Outcome, Refusal>) -> &'static str {
    match outcome {
        Ok(Outcome::New) => "new",
        Ok(Outcome::Exists) => "exists",
        Ok(Outcome::Duplicate(_)) => "duplicate",
        Ok(Outcome::Updated) => "updated",
        Ok(Outcome::Deleted) => "deleted",
        Ok(Outcome::Absent) => "absent",
        Err(_) => "refused",
    }
}

fn line(row: &Value) -> String {
    format!("{row}\n")
}
